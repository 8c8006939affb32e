//! The parameters as data: JSON schema, and the catalogue that help texts and panels are made from.

use std::sync::OnceLock;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use super::validate::{describe, kind_of};
use super::{Entry, Joint, Recipe};
use crate::stage::Stage;
use crate::varying::{VARIES, spread_ranges};

/// The JSON schema of recipes: for editors that complete and check, and for our own checks.
pub fn schema() -> &'static Json {
    static SCHEMA: OnceLock<Json> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let generator = SchemaSettings::draft2020_12().into_generator();
        let mut schema = generator.into_root_schema_for::<Recipe>().to_value();
        spread_ranges(&mut schema);
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
    /// The unit; empty for a plain number or a word.
    pub unit: String,
    /// What is allowed, in words.
    pub allowed: String,
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
            about: sentence(&kind["description"]),
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
    /// The word: `mask`, `region`, `blend`.
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

/// Masks, regions and blends, with all kinds and their parameters.
pub fn vocabulary() -> Vec<WordDoc> {
    let root = schema();
    let doc = |(word, name): (&'static str, &str)| {
        let schema = &root["$defs"][name];
        let kinds = schema["oneOf"].as_array().into_iter().flatten();
        let kind = |one: &Json| KindDoc {
            kind: kind_of(one).or(one["const"].as_str()).unwrap_or_default().to_owned(),
            about: sentence(&one["description"]),
            parameters: parameters(root, one),
        };
        WordDoc { word, about: sentence(&schema["description"]), kinds: kinds.map(kind).collect() }
    };
    [("mask", "Mask"), ("region", "Region"), ("blend", "Blend")].map(doc).into()
}

fn parameters(root: &Json, kind: &Json) -> Vec<Parameter> {
    let properties = kind["properties"].as_object().into_iter().flatten();
    let own = properties.filter(|(name, _)| *name != "kind");
    let required: Vec<&str> =
        kind["required"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    own.map(|(name, property)| {
        let resolved = resolved(root, property);
        let about = |schema: &Json| sentence(&schema["description"]);
        let number = |key: &str| resolved[key].as_f64();
        Parameter {
            name: name.clone(),
            about: if property["description"].is_null() {
                about(&resolved)
            } else {
                about(property)
            },
            unit: property["unit"].as_str().unwrap_or_default().to_owned(),
            allowed: describe(root, &resolved),
            default: property["default"].clone(),
            is_required: required.contains(&name.as_str()),
            minimum: number("minimum").or(number("exclusiveMinimum")),
            maximum: number("maximum"),
            varies: resolved[VARIES] == true,
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

/// Doc comments are wrapped and end in a reference to their module: one line, without it.
fn sentence(description: &Json) -> String {
    let text = description.as_str().unwrap_or_default().replace('\n', " ");
    text.replace(": see the [module](self)", "")
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
