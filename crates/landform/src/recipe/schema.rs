//! The parameters as data: JSON schema, and the catalogue that help texts and panels are made from.

use std::sync::OnceLock;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use super::validate::{alternatives, describe, has_type, kind_of};
use super::{Entry, Joint, Recipe};
use crate::Layer;
use crate::stage::Stage;
use crate::varying::{VARIES, spread_ranges};

/// The JSON schema of recipes: for editors that complete and check, and for our own checks.
pub fn schema() -> &'static Json {
    static SCHEMA: OnceLock<Json> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let generator = SchemaSettings::draft2020_12().into_generator();
        let mut schema = generator.into_root_schema_for::<Recipe>().to_value();
        spread_ranges(&mut schema);
        tell_plainly(&mut schema);
        schema
    })
}

/// The names that every stage shares.
pub(super) fn joint_keys() -> &'static [&'static str] {
    &["label", "enabled", "layer", "blend", "amount", "mask"]
}

impl JsonSchema for Entry {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Stage".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let joint = Joint::json_schema(generator).to_value();
        let shared = joint["properties"].as_object().expect("a struct has properties").clone();
        let kinds = Stage::schemas(generator).into_iter().map(|(kind, own)| {
            let mut properties = Map::new();
            properties.insert("kind".to_owned(), json!({ "type": "string", "const": kind }));
            properties.extend(own["properties"].as_object().cloned().unwrap_or_default());
            properties.extend(shared.clone());
            let mut required = vec![json!("kind")];
            required.extend(own["required"].as_array().cloned().unwrap_or_default());
            json!({
                "title": kind,
                "description": own["description"],
                "type": "object",
                "properties": properties,
                "required": required,
                "additionalProperties": false,
            })
        });
        Schema::try_from(json!({ "oneOf": kinds.collect::<Vec<_>>() }))
            .expect("an object is a schema")
    }
}

/// A stage as the catalogue shows it.
#[derive(Clone, Debug, Serialize)]
pub struct StageDoc {
    /// The word that recipes use.
    pub kind: String,
    /// What it does, in a sentence.
    pub about: String,
    /// How far it looks: `point`, `cells` or `world`.
    pub reach: &'static str,
    /// Its own parameters.
    pub parameters: Vec<Parameter>,
}

/// A parameter as the catalogue shows it.
#[derive(Clone, Debug, Serialize)]
pub struct Parameter {
    /// The key.
    pub name: String,
    /// What it means.
    pub about: String,
    /// What its value is.
    pub value: ValueKind,
    /// The unit; empty for a plain number or a word.
    pub unit: String,
    /// What it measures, if it has a unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantity: Option<Quantity>,
    /// What is allowed, in words.
    pub allowed: String,
    /// The words that it can be; none if it is no choice of words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
    /// The word of the [vocabulary] that tells what it can be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub word: Option<&'static str>,
    /// The value that it has unless another is given.
    pub default: Json,
    /// Whether it must be given.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_required: bool,
    /// The smallest allowed number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum: Option<f64>,
    /// The largest allowed number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maximum: Option<f64>,
    /// Whether it may [vary](crate::varying) over the map.
    pub varies: bool,
    /// The parameter beside it, and the words of that with which this one counts; it must be left out with others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only_with: Option<OnlyWith>,
}

/// With which choices of another parameter a parameter counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OnlyWith {
    /// The other parameter, beside it.
    pub parameter: String,
    /// The choices of it.
    pub words: Vec<String>,
}

impl OnlyWith {
    /// What the schema of a parameter says of that.
    pub(super) fn of(schema: &Json) -> Option<Self> {
        let words = schema.get(ONLY)?.as_array()?.iter().filter_map(Json::as_str);
        let mut words = words.map(str::to_owned);
        Some(Self { parameter: words.next()?, words: words.collect() })
    }

    /// Whether the parameter counts where the other one has this value.
    pub fn holds(&self, value: &Json) -> bool {
        self.words.iter().any(|word| value == word)
    }
}

/// The key by which the schema of a parameter says with which words of which other one it counts: that one, then the words.
const ONLY: &str = "only";

/// What the value of a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueKind {
    /// A whole number.
    Whole,
    /// Any number.
    Number,
    /// True or false.
    Switch,
    /// One of the [choices](Parameter::choices); some parameters also take a list in place of a word.
    Choice,
    /// Any text.
    Text,
    /// A list.
    List,
    /// A table.
    Table,
}

/// A word that a parameter can be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// The word that recipes use.
    pub word: String,
    /// What it means, in a sentence.
    pub about: String,
}

/// What a number measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// A length, a height or a distance.
    Length,
    /// An area.
    Area,
    /// An angle.
    Angle,
    /// A span of time.
    Time,
    /// A temperature.
    Temperature,
    /// A part of a whole, in percent.
    Share,
    /// Water that passes, by time.
    Discharge,
    /// A change by time.
    Rate,
    /// A change by distance.
    Gradient,
}

impl Quantity {
    /// What is measured in a unit.
    fn of_unit(unit: &str) -> Option<Self> {
        Some(match unit {
            "m" | "cm" => Self::Length,
            "m²" => Self::Area,
            "°" => Self::Angle,
            "yr" | "Ma" => Self::Time,
            "°C" => Self::Temperature,
            "%" => Self::Share,
            "m³/s" => Self::Discharge,
            "m/yr" | "mm/yr" | "cm/a" | "m²/yr" => Self::Rate,
            "m/km" | "°C/km" => Self::Gradient,
            _ => return None,
        })
    }
}

/// All stages with their parameters, and the parameters that every stage shares.
pub fn catalogue() -> (Vec<StageDoc>, Vec<Parameter>) {
    let root = schema();
    let kinds = root["$defs"]["Stage"]["oneOf"].as_array().expect("the schema lists the stages");
    let is_shared = |parameter: &Parameter| joint_keys().contains(&parameter.name.as_str());
    let mut shared = Vec::new();
    let stages = kinds.iter().map(|kind| {
        let (joint, own) = parameters(root, kind).into_iter().partition(is_shared);
        shared = joint;
        let word = kind["title"].as_str().unwrap_or_default();
        StageDoc {
            kind: word.to_owned(),
            about: text(&kind["description"]),
            reach: reach_of(word),
            parameters: own,
        }
    });
    let stages = stages.collect();
    (stages, shared)
}

/// A word of the recipe language that parameters of many stages use, with all that it can be.
#[derive(Clone, Debug, Serialize)]
pub struct WordDoc {
    /// The word: `mask`, `region`, `blend`, `layer`.
    pub word: &'static str,
    /// What it means, in a sentence.
    pub about: String,
    /// What it can be.
    pub kinds: Vec<KindDoc>,
}

/// One of the things that a word of the recipe language can be.
#[derive(Clone, Debug, Serialize)]
pub struct KindDoc {
    /// The word that recipes use.
    pub kind: String,
    /// What it does, in a sentence.
    pub about: String,
    /// Its parameters; none for a plain word.
    pub parameters: Vec<Parameter>,
}

/// The words that are told by a definition of the schema, with its name.
const DEFINED: [(&str, &str); 3] = [("mask", "Mask"), ("region", "Region"), ("blend", "Blend")];
/// The word for the layers, which parameters name in a text.
pub(crate) const LAYER: &str = "layer";
/// The key by which the schema of a parameter says that a word tells what it can be.
const WORD: &str = "word";

/// Masks, regions and blends, with all kinds and their parameters, and the well-known layers.
pub fn vocabulary() -> Vec<WordDoc> {
    let root = schema();
    let doc = |(word, name): (&'static str, &str)| {
        let schema = &root["$defs"][name];
        let kinds = schema["oneOf"].as_array().into_iter().flatten();
        let kind = |one: &Json| KindDoc {
            kind: kind_of(one).or(one["const"].as_str()).unwrap_or_default().to_owned(),
            about: text(&one["description"]),
            parameters: parameters(root, one),
        };
        WordDoc { word, about: text(&schema["description"]), kinds: kinds.map(kind).collect() }
    };
    DEFINED.into_iter().map(doc).chain([layers()]).collect()
}

fn layers() -> WordDoc {
    let kind = |layer: &Layer| KindDoc {
        kind: layer.name().to_owned(),
        about: layer.about().to_owned(),
        parameters: Vec::new(),
    };
    WordDoc {
        word: LAYER,
        about: "The layers that stages make; a recipe can make up others.".to_owned(),
        kinds: Layer::WELL_KNOWN.iter().map(kind).collect(),
    }
}

fn parameters(root: &Json, kind: &Json) -> Vec<Parameter> {
    let properties = kind["properties"].as_object().into_iter().flatten();
    let own = properties.filter(|(name, _)| *name != "kind");
    let required: Vec<&str> =
        kind["required"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    own.map(|(name, property)| {
        let resolved = resolved(root, property);
        let about = |schema: &Json| text(&schema["description"]);
        let number = |key: &str| resolved[key].as_f64();
        let unit = text(&property["unit"]);
        let choices = choices(root, property);
        Parameter {
            name: name.clone(),
            about: if property["description"].is_null() {
                about(&resolved)
            } else {
                about(property)
            },
            value: if choices.is_empty() { value_kind(&resolved) } else { ValueKind::Choice },
            quantity: Quantity::of_unit(&unit),
            unit,
            allowed: describe(root, &resolved),
            choices,
            word: word_of(property),
            default: property["default"].clone(),
            is_required: required.contains(&name.as_str()),
            minimum: number("minimum").or(number("exclusiveMinimum")),
            maximum: number("maximum"),
            varies: resolved[VARIES] == true,
            only_with: OnlyWith::of(property),
        }
    })
    .collect()
}

/// Follows `$ref`, also inside "this or nothing".
fn resolved(root: &Json, schema: &Json) -> Json {
    if let Some(name) = schema["$ref"].as_str() {
        return resolved(root, root.pointer(name.trim_start_matches('#')).unwrap_or(&Json::Null));
    }
    if let Some(alternatives) = schema["anyOf"].as_array() {
        let some = alternatives.iter().map(|one| resolved(root, one));
        return json!({ "anyOf": some.collect::<Vec<_>>() });
    }
    schema.clone()
}

/// The words that a schema allows.
fn choices(root: &Json, schema: &Json) -> Vec<Choice> {
    if let Some(name) = schema["$ref"].as_str() {
        return root
            .pointer(name.trim_start_matches('#'))
            .map_or_else(Vec::new, |definition| choices(root, definition));
    }
    if let Some(word) = schema["const"].as_str() {
        return vec![Choice { word: word.to_owned(), about: text(&schema["description"]) }];
    }
    alternatives(schema).unwrap_or_default().iter().flat_map(|one| choices(root, one)).collect()
}

/// What the values of a schema are that has no choice of words. The first that is not "nothing" counts.
fn value_kind(schema: &Json) -> ValueKind {
    if let Some(alternatives) = alternatives(schema) {
        let some = alternatives.iter().find(|one| !has_type(one, "null"));
        return some.map_or(ValueKind::Table, value_kind);
    }
    let kinds = [
        ("integer", ValueKind::Whole),
        ("number", ValueKind::Number),
        ("boolean", ValueKind::Switch),
        ("string", ValueKind::Text),
        ("array", ValueKind::List),
    ];
    kinds
        .into_iter()
        .find(|(name, _)| has_type(schema, name))
        .map_or(ValueKind::Table, |(_, kind)| kind)
}

/// The word of the vocabulary that tells what a schema allows, alone or in a list.
fn word_of(schema: &Json) -> Option<&'static str> {
    if let Some(name) = schema["$ref"].as_str() {
        let defined =
            DEFINED.iter().find(|(_, definition)| name.ends_with(&format!("/{definition}")));
        return defined.map(|(word, _)| *word);
    }
    if schema[WORD] == LAYER {
        return Some(LAYER);
    }
    let items = schema.get("items").and_then(word_of);
    items.or_else(|| alternatives(schema)?.iter().find_map(word_of))
}

fn text(json: &Json) -> String {
    json.as_str().unwrap_or_default().to_owned()
}

/// Makes all descriptions plain text. They are doc comments: wrapped, and with links that only documentation can follow.
fn tell_plainly(schema: &mut Json) {
    match schema {
        Json::Object(entries) => {
            if let Some(Json::String(description)) = entries.get_mut("description") {
                *description = plain(description);
            }
            entries.values_mut().for_each(tell_plainly);
        }
        Json::Array(items) => items.iter_mut().for_each(tell_plainly),
        _ => {}
    }
}

/// A doc comment in one line, with the text of each link in place of the link.
fn plain(doc: &str) -> String {
    let mut doc = doc.replace('\n', " ");
    for reference in [": see the [module](self)", ": see the [module](super)"] {
        doc = doc.replace(reference, "");
    }
    let mut plain = String::with_capacity(doc.len());
    let mut rest = doc.as_str();
    while let Some((before, link)) = rest.split_once('[') {
        let (label, after) = link.split_once(']').unwrap_or((link, ""));
        let target = after.strip_prefix('(').and_then(|target| target.split_once(')'));
        plain.push_str(before);
        rest = match target {
            Some((_, after)) => {
                plain.push_str(label);
                after
            }
            None if label.starts_with('`') => {
                plain.push_str(label);
                after
            }
            // No link: an interval, or an index.
            None => {
                plain.push('[');
                link
            }
        };
    }
    plain + rest
}

fn reach_of(kind: &str) -> &'static str {
    use crate::stage::Reach;
    let lattice = crate::Lattice { size: [2, 2], spacing: [1.0, 1.0] };
    let default = serde_json::from_value::<Stage>(json!({ "kind": kind }));
    match default.map(|stage| stage.operator().reach(&lattice)) {
        Ok(Reach::Cells(_)) => "cells",
        Ok(Reach::Whole) => "world",
        _ => "point",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_become_text() {
        assert_eq!(
            plain("May [vary](crate::varying)\nby [`Mask`]: see the [module](super)."),
            "May vary by `Mask`."
        );
        assert_eq!(plain("In [0, 1), as `a[i]`."), "In [0, 1), as `a[i]`.");
    }
}
