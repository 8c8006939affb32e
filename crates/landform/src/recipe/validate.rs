//! Checks values against the declared parameters.
//!
//! The declaration of a parameter (type, unit, range, allowed words) is the JSON schema that its struct
//! derives. Checking against that schema, and not field by field, gives every parameter of every stage the
//! same errors, through every door, and leaves nothing for the deserialiser to refuse.

use serde_json::{Map, Value as Json, json};

use super::node::{Key, Node, NodeValue};
use super::schema::OnlyWith;
use crate::error::{Problem, nearest, number, suggestion};
use crate::varying::VARIES;

/// The largest number, up or down, that a parameter can be whose declaration has no range.
const LARGEST: f64 = 1e12;

/// A value that is not allowed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    /// Keys and indices from the root to the value.
    pub(crate) path: Vec<Step>,
    pub(crate) problem: Box<Problem>,
    /// First byte in the text.
    pub(crate) byte: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Key(String),
    Index(usize),
}

/// Turns a value into JSON that fits the schema, or says where and why it does not.
pub(crate) struct Validator<'a> {
    /// The schema that holds the `$defs`.
    root: &'a Json,
    path: Vec<Step>,
}

impl<'a> Validator<'a> {
    pub(crate) fn new(root: &'a Json) -> Self {
        Self { root, path: Vec::new() }
    }

    pub(crate) fn check(&mut self, schema: &'a Json, node: &Node) -> Result<Json, Fault> {
        let schema = self.resolve(schema);
        if let Some(alternatives) = alternatives(schema) {
            return self.check_alternatives(schema, alternatives, node);
        }
        match &node.value {
            NodeValue::Table(entries) if has_type(schema, "object") => {
                self.check_table(schema, entries, node)
            }
            NodeValue::Array(items) if has_type(schema, "array") => {
                self.check_array(schema, items, node)
            }
            NodeValue::Bool(value) if has_type(schema, "boolean") => Ok(json!(value)),
            NodeValue::String(value) if has_type(schema, "string") => {
                let longest = schema["maxLength"].as_u64().unwrap_or(10_000) as usize;
                let fits = schema.get("const").is_none_or(|allowed| allowed == value)
                    && value.chars().count() <= longest;
                if fits { Ok(json!(value)) } else { Err(self.not_allowed(schema, node)) }
            }
            NodeValue::Integer(value) if has_type(schema, "integer") => {
                self.in_range(schema, *value as f64, node)?;
                Ok(json!(value))
            }
            NodeValue::Integer(value) if has_type(schema, "number") => {
                self.number(schema, *value as f64, node)
            }
            NodeValue::Float(value) if has_type(schema, "number") => {
                self.number(schema, *value, node)
            }
            _ => Err(self.not_allowed(schema, node)),
        }
    }

    fn resolve(&self, schema: &'a Json) -> &'a Json {
        let mut schema = schema;
        while let Some(name) = schema["$ref"].as_str() {
            schema =
                self.root.pointer(name.trim_start_matches('#')).expect("a $ref names a definition");
        }
        schema
    }

    /// A number in its range, and not so large that what is made from it is no number.
    fn number(&self, schema: &Json, value: f64, node: &Node) -> Result<Json, Fault> {
        self.in_range(schema, value, node)?;
        if value.abs() > LARGEST {
            let allowed = format!("a number in {}..={}", number(-LARGEST), number(LARGEST));
            return Err(self.refused(node, None, allowed));
        }
        Ok(json!(value))
    }

    fn in_range(&self, schema: &Json, value: f64, node: &Node) -> Result<(), Fault> {
        let low = schema["minimum"].as_f64().unwrap_or(f64::MIN);
        let high = schema["maximum"].as_f64().unwrap_or(f64::MAX);
        let above = schema["exclusiveMinimum"].as_f64().unwrap_or(f64::NEG_INFINITY);
        // NaN and the infinities lie in no range.
        if (low..=high).contains(&value) && value > above {
            Ok(())
        } else {
            Err(self.not_allowed(schema, node))
        }
    }

    fn check_table(
        &mut self,
        schema: &'a Json,
        entries: &[(Key, Node)],
        node: &Node,
    ) -> Result<Json, Fault> {
        let properties = schema["properties"].as_object().expect("a struct has properties");
        let mut result = Map::new();
        for (key, value) in entries {
            let Some(property) = properties.get(&key.name) else {
                let names = properties.keys().map(String::as_str).collect::<Vec<_>>();
                let near = nearest(&key.name, &names).map(str::to_owned);
                let known = names.into_iter().map(str::to_owned).collect();
                let problem = Problem::Unknown { name: key.name.clone(), near, known };
                let byte = key.span.as_ref().map(|span| span.start);
                return Err(Fault { path: self.path.clone(), problem: Box::new(problem), byte });
            };
            self.path.push(Step::Key(key.name.clone()));
            result.insert(key.name.clone(), self.check(property, value)?);
            self.path.pop();
        }
        for (key, value) in entries {
            let only = OnlyWith::of(&properties[&key.name]);
            // A value that is the default changes nothing: files that list all parameters stay right.
            let is_set = result[&key.name] != properties[&key.name]["default"];
            if let (Some(only), true) = (only, is_set) {
                self.check_only(&only, (properties, &result), (key, value))?;
            }
        }
        let required = schema["required"].as_array().into_iter().flatten();
        for name in required.filter_map(Json::as_str) {
            if !result.contains_key(name) {
                let allowed = self.describe(&properties[name]);
                return Err(self.missing(node, name, allowed));
            }
        }
        Ok(Json::Object(result))
    }

    /// Refuses a parameter that does not count with the word that another one has.
    fn check_only(
        &mut self,
        only: &OnlyWith,
        (properties, values): (&Map<String, Json>, &Map<String, Json>),
        (key, value): (&Key, &Node),
    ) -> Result<(), Fault> {
        let OnlyWith { parameter, words } = only;
        let other = values.get(parameter).unwrap_or(&properties[parameter]["default"]);
        if only.holds(other) {
            return Ok(());
        }
        let words = quoted(&words.iter().map(String::as_str).collect::<Vec<_>>(), "\"");
        let why = format!("it counts only with `{parameter}` = {words}, not {other}: leave it out");
        self.path.push(Step::Key(key.name.clone()));
        let fault = self.fault(value, Problem::Unfit { value: value.shown(), why });
        self.path.pop();
        Err(fault)
    }

    fn check_array(
        &mut self,
        schema: &'a Json,
        items: &[Node],
        node: &Node,
    ) -> Result<Json, Fault> {
        let fewest = schema["minItems"].as_u64().unwrap_or(0);
        let most = schema["maxItems"].as_u64().unwrap_or(u64::MAX);
        if !(fewest..=most).contains(&(items.len() as u64)) {
            return Err(self.not_allowed(schema, node));
        }
        let mut result = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            self.path.push(Step::Index(index));
            // Lists whose items have each its meaning say so in the first of them.
            let own = schema["prefixItems"].get(index).unwrap_or(&schema["items"]);
            result.push(self.check(own, item)?);
            self.path.pop();
        }
        Ok(Json::Array(result))
    }

    /// A schema that is one of several: words, tables told apart by `kind`, or something optional.
    fn check_alternatives(
        &mut self,
        schema: &'a Json,
        alternatives: &'a [Json],
        node: &Node,
    ) -> Result<Json, Fault> {
        let some: Vec<&'a Json> = alternatives
            .iter()
            .map(|alternative| self.resolve(alternative))
            .filter(|alternative| !has_type(alternative, "null"))
            .collect();
        if let [only] = some[..] {
            return self.check(only, node);
        }
        if some.iter().all(|one| kind_of(one).is_some()) {
            return self.check_kind(&some, node);
        }
        let words = some.iter().filter_map(|one| one["const"].as_str()).collect::<Vec<_>>();
        if let NodeValue::String(word) = &node.value {
            if words.contains(&word.as_str()) {
                return Ok(json!(word));
            }
            // Some words may be made up by the recipe; the stage knows which.
            let is_open = |one: &&&Json| has_type(one, "string") && one["const"].is_null();
            return match some.iter().find(is_open) {
                Some(open) => self.check(open, node),
                None => Err(self.no_such_word(node, word, &words)),
            };
        }
        // Alternatives that differ in type: the one whose type fits tells what is wrong.
        let fits = |one: &&&Json| type_fits(one, &node.value);
        match some.iter().find(fits) {
            Some(one) => self.check(one, node),
            None => Err(self.not_allowed(schema, node)),
        }
    }

    fn check_kind(&mut self, kinds: &[&'a Json], node: &Node) -> Result<Json, Fault> {
        let names = kinds.iter().filter_map(|one| kind_of(one)).collect::<Vec<_>>();
        let allowed = quoted(&names, "\"");
        let NodeValue::Table(_) = &node.value else {
            return Err(self.refused(node, None, format!("a table with kind {allowed}")));
        };
        let Some(kind) = node.get("kind") else {
            return Err(self.missing(node, "kind", format!("one of {allowed}")));
        };
        let name = match &kind.value {
            NodeValue::String(name) => name.as_str(),
            _ => "",
        };
        match kinds.iter().find(|one| kind_of(one) == Some(name)) {
            Some(one) => self.check(one, node),
            None => {
                self.path.push(Step::Key("kind".to_owned()));
                Err(self.no_such_word(kind, name, &names))
            }
        }
    }

    fn not_allowed(&self, schema: &Json, node: &Node) -> Fault {
        self.refused(node, None, self.describe(schema))
    }

    fn no_such_word(&self, node: &Node, word: &str, words: &[&str]) -> Fault {
        self.refused(node, nearest(word, words), format!("one of {}", quoted(words, "\"")))
    }

    fn refused(&self, node: &Node, near: Option<&str>, allowed: String) -> Fault {
        let near = near.map(str::to_owned);
        self.fault(node, Problem::NotAllowed { value: node.shown(), near, allowed })
    }

    fn missing(&self, node: &Node, name: &str, allowed: String) -> Fault {
        self.fault(node, Problem::Missing { name: name.to_owned(), allowed })
    }

    fn fault(&self, node: &Node, problem: Problem) -> Fault {
        let byte = node.span.as_ref().map(|span| span.start);
        Fault { path: self.path.clone(), problem: Box::new(problem), byte }
    }

    /// What a schema allows, in words.
    fn describe(&self, schema: &Json) -> String {
        describe(self.root, schema)
    }
}

/// What a schema allows, in words: "a whole number in 1..=10", "one of "tent", "inverted_v"".
pub(crate) fn describe<'a>(root: &'a Json, mut schema: &'a Json) -> String {
    while let Some(name) = schema["$ref"].as_str() {
        schema = root.pointer(name.trim_start_matches('#')).unwrap_or(&Json::Null);
    }
    if let Some(alternatives) = alternatives(schema) {
        let words = alternatives.iter().filter_map(|one| one["const"].as_str()).collect::<Vec<_>>();
        if !words.is_empty() {
            let others =
                alternatives.iter().filter(|one| one["const"].is_null() && !has_type(one, "null"));
            let others: String =
                others.map(|one| format!(", or {}", describe(root, one))).collect();
            return format!("one of {}{others}", quoted(&words, "\""));
        }
        let kinds = alternatives.iter().filter_map(kind_of).collect::<Vec<_>>();
        if !kinds.is_empty() {
            return format!("a table with kind {}", quoted(&kinds, "\""));
        }
        let some = alternatives.iter().filter(|one| !has_type(one, "null"));
        return some.map(|one| describe(root, one)).collect::<Vec<_>>().join(" or ");
    }
    if let Some(word) = schema["const"].as_str() {
        return format!("{word:?}");
    }
    let range = range(schema);
    if let (Some(low), Some(high)) = (schema["minimum"].as_f64(), schema["maximum"].as_f64())
        && low == high
    {
        return number(low);
    }
    if schema[VARIES] == true {
        format!("a number{range}, or a table with `from`, `to` and the mask `by`")
    } else if has_type(schema, "integer") {
        format!("a whole number{range}")
    } else if has_type(schema, "number") {
        format!("a number{range}")
    } else if has_type(schema, "boolean") {
        "true or false".to_owned()
    } else if has_type(schema, "string") {
        "a text".to_owned()
    } else if has_type(schema, "array") {
        let (fewest, most) = (schema["minItems"].as_u64(), schema["maxItems"].as_u64());
        if let (Some(own), Some(n), Some(m)) = (schema["prefixItems"].as_array(), fewest, most) {
            let own: Vec<String> = own.iter().map(|item| describe(root, item)).collect();
            return format!("a list of {n} to {m}: {}", own.join(", "));
        }
        let items = describe(root, &schema["items"]);
        match (fewest, most) {
            (Some(n), Some(m)) if n == m => format!("a list of {n}, each {items}"),
            (Some(n), Some(m)) => format!("a list of {n} to {m}, each {items}"),
            (Some(n), None) if n > 0 => format!("a list of at least {n}, each {items}"),
            (None, Some(m)) => format!("a list of at most {m}, each {items}"),
            _ => format!("a list, each {items}"),
        }
    } else {
        match schema["properties"].as_object() {
            Some(properties) if !properties.is_empty() => {
                let names: Vec<_> = properties.keys().map(String::as_str).collect();
                format!("a table with {}", quoted(&names, "`"))
            }
            _ => "a table".to_owned(),
        }
    }
}

fn range(schema: &Json) -> String {
    let told = |key: &str| schema[key].as_f64().map(number);
    match (told("minimum"), told("exclusiveMinimum"), told("maximum")) {
        (Some(low), _, Some(high)) => format!(" in {low}..={high}"),
        (Some(low), _, None) => format!(" of at least {low}"),
        (None, Some(above), Some(high)) => format!(" above {above} and at most {high}"),
        (None, Some(above), None) => format!(" above {above}"),
        (None, None, Some(high)) => format!(" of at most {high}"),
        (None, None, None) => String::new(),
    }
}

pub(super) fn alternatives(schema: &Json) -> Option<&[Json]> {
    let list = schema.get("oneOf").or_else(|| schema.get("anyOf"))?;
    list.as_array().map(Vec::as_slice)
}

/// The word that tells this table from its alternatives.
pub(crate) fn kind_of(schema: &Json) -> Option<&str> {
    schema["properties"]["kind"]["const"].as_str()
}

pub(super) fn has_type(schema: &Json, name: &str) -> bool {
    match &schema["type"] {
        Json::String(one) => one == name,
        Json::Array(several) => several.iter().any(|one| one == name),
        _ => false,
    }
}

fn type_fits(schema: &Json, value: &NodeValue) -> bool {
    match value {
        NodeValue::Bool(_) => has_type(schema, "boolean"),
        NodeValue::Integer(_) => has_type(schema, "integer") || has_type(schema, "number"),
        NodeValue::Float(_) => has_type(schema, "number"),
        NodeValue::String(_) => has_type(schema, "string"),
        NodeValue::Array(_) => has_type(schema, "array"),
        NodeValue::Table(_) => has_type(schema, "object"),
        NodeValue::Other(_) => false,
    }
}

fn quoted(names: &[&str], quote: &str) -> String {
    names.iter().map(|name| format!("{quote}{name}{quote}")).collect::<Vec<_>>().join(", ")
}

/// " (did you mean `x`?)" for the nearest of `names`, if one is near; else nothing.
pub fn did_you_mean(word: &str, names: &[&str]) -> String {
    nearest(word, names).map_or_else(String::new, suggestion)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_near_words_are_suggested() {
        assert_eq!(did_you_mean("peeks", &["seed", "peaks"]), " (did you mean `peaks`?)");
        assert_eq!(did_you_mean("xyzzy", &["seed", "peaks"]), "");
    }
}
