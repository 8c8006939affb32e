//! A recipe's values together with their places in the text.

use std::ops::Range;

use serde_json::Value as Json;
use toml_edit::{Document, Item, Table, TableLike, Value};

use crate::error::{Error, number};

/// A value of a text, and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) value: NodeValue,
    /// Bytes of the text; nothing for a value that was not read from one.
    pub(crate) span: Option<Range<usize>>,
}

#[derive(Clone, Debug)]
pub(crate) enum NodeValue {
    Bool(bool),
    Integer(i64),
    Float(f64),
    String(String),
    Array(Vec<Node>),
    Table(Vec<(Key, Node)>),
    /// Something that no parameter can be, such as a date: its name.
    Other(&'static str),
}

#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) span: Option<Range<usize>>,
}

impl Node {
    /// Reads TOML.
    pub(crate) fn from_toml(text: &str) -> Result<Self, Error> {
        let document = Document::parse(text).map_err(|error| {
            let message = error.message().trim().replace('\n', ", ");
            let span = error.span().unwrap_or(0..0);
            let message = match text.get(span.clone()) {
                Some(number) if message.contains("integer number overflowed") => {
                    format!(
                        "{number} is too large: whole numbers, seeds too, go up to {}",
                        i64::MAX
                    )
                }
                _ => message,
            };
            Error::new(message).at(text, span.start)
        })?;
        let root = document.as_table();
        Ok(Self { value: table(root), span: Some(0..0) })
    }

    /// The value of a key of a table.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        match &self.value {
            NodeValue::Table(entries) => {
                entries.iter().find(|(key, _)| key.name == name).map(|(_, node)| node)
            }
            _ => None,
        }
    }

    /// As the user would write it, shortened.
    pub(crate) fn shown(&self) -> String {
        match &self.value {
            NodeValue::Bool(value) => value.to_string(),
            NodeValue::Integer(value) => value.to_string(),
            NodeValue::Float(value) => number(*value),
            NodeValue::String(value) if value.chars().count() > 40 => {
                format!("{:?}…", value.chars().take(40).collect::<String>())
            }
            NodeValue::String(value) => format!("{value:?}"),
            NodeValue::Array(items) => match items.len() {
                0 => "an empty list".to_owned(),
                1 => "a list of 1 value".to_owned(),
                n => format!("a list of {n} values"),
            },
            NodeValue::Table(_) => "a table".to_owned(),
            NodeValue::Other(name) => (*name).to_owned(),
        }
    }
}

impl Error {
    /// The same error with its place in `text`, the recipe that it is about, unless it has one or names no stage there.
    #[must_use]
    pub fn in_recipe(self, text: &str) -> Self {
        let byte = match (&self.place, &self.stage) {
            (None, Some((number, _))) => {
                // A parameter that was left out contradicts one that was written.
                byte_of(text, *number, &self.parameters())
            }
            _ => None,
        };
        match byte {
            Some(byte) => self.at(text, byte),
            None => self,
        }
    }
}

/// Where the first of these parameters of a stage that is written there stands in a recipe, or the stage itself.
fn byte_of(text: &str, stage: usize, parameters: &[&str]) -> Option<usize> {
    let root = Node::from_toml(text).ok()?;
    let NodeValue::Array(stages) = &root.get("stage")?.value else { return None };
    let stage = stages.get(stage.checked_sub(1)?)?;
    let written = parameters.iter().find_map(|parameter| stage.find(parameter));
    written.or(stage.span.as_ref().map(|span| span.start))
}

impl Node {
    /// Where a parameter stands, such as `mask.of[1].fade`: as much of it as was written, if anything was.
    fn find(&self, parameter: &str) -> Option<usize> {
        let (mut node, mut found) = (self, None);
        for name in parameter.split(['.', '[', ' ']) {
            let next = match &node.value {
                NodeValue::Table(entries) => entries
                    .iter()
                    .find(|(key, _)| key.name == name)
                    .map(|(key, value)| (key.span.clone(), value)),
                NodeValue::Array(items) => name
                    .strip_suffix(']')
                    .and_then(|index| items.get(index.parse::<usize>().ok()?))
                    .map(|item| (item.span.clone(), item)),
                _ => None,
            };
            let Some((span, value)) = next else { break };
            (node, found) = (value, span.map(|span| span.start).or(found));
        }
        found
    }
}

/// JSON has no places; everything else is the same.
impl From<&Json> for Node {
    fn from(json: &Json) -> Self {
        let value = match json {
            Json::Null => NodeValue::Other("null"),
            Json::Bool(value) => NodeValue::Bool(*value),
            Json::Number(number) => match number.as_i64() {
                Some(integer) => NodeValue::Integer(integer),
                None => NodeValue::Float(number.as_f64().unwrap_or(f64::INFINITY)),
            },
            Json::String(value) => NodeValue::String(value.clone()),
            Json::Array(items) => NodeValue::Array(items.iter().map(Self::from).collect()),
            Json::Object(entries) => {
                let key = |name: &String| Key { name: name.clone(), span: None };
                let known = entries.iter().filter(|(_, value)| !value.is_null());
                NodeValue::Table(known.map(|(k, v)| (key(k), Self::from(v))).collect())
            }
        };
        Self { value, span: None }
    }
}

fn table(table: &Table) -> NodeValue {
    entries(table)
}

fn entries(table: &dyn TableLike) -> NodeValue {
    let entry = |name: &str, value: &Item| {
        let span = table.key(name).and_then(toml_edit::Key::span);
        (Key { name: name.to_owned(), span }, item(value))
    };
    NodeValue::Table(table.iter().map(|(name, value)| entry(name, value)).collect())
}

fn item(item: &Item) -> Node {
    let value = match item {
        Item::None => NodeValue::Other("nothing"),
        Item::Value(value) => return self::value(value),
        Item::Table(inner) => table(inner),
        Item::ArrayOfTables(tables) => {
            let tables =
                tables.iter().map(|inner| Node { value: table(inner), span: inner.span() });
            NodeValue::Array(tables.collect())
        }
    };
    Node { value, span: item.span() }
}

fn value(value: &Value) -> Node {
    let plain = match value {
        Value::String(string) => NodeValue::String(string.value().clone()),
        Value::Integer(integer) => NodeValue::Integer(*integer.value()),
        Value::Float(float) => NodeValue::Float(*float.value()),
        Value::Boolean(boolean) => NodeValue::Bool(*boolean.value()),
        Value::Datetime(_) => NodeValue::Other("a date"),
        Value::Array(array) => NodeValue::Array(array.iter().map(self::value).collect()),
        Value::InlineTable(inner) => entries(inner),
    };
    Node { value: plain, span: value.span() }
}
