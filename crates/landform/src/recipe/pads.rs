//! Reads the flat places that other programs wrote as JSON: see [`pad`](crate::shape::pad).

use serde_json::Value as Json;

use super::node::Node;
use super::validate::{Fault, Step, Validator};
use crate::error::{Error, TextPosition};
use crate::shape::pad::Pad;

impl Pad {
    /// Reads the pads that another program wrote: see [`pad`](crate::shape::pad).
    ///
    /// # Errors
    /// The first thing that is wrong: the line and column if it is no JSON, else the pad, the key, the value and what is
    /// allowed.
    pub fn list_from_json(text: &str) -> Result<Vec<Self>, Error> {
        let json: Json = serde_json::from_str(text).map_err(|error| {
            let place = TextPosition { file: None, line: error.line(), column: error.column() };
            let told = error.to_string();
            let what = told.split(" at line ").next().unwrap_or("wrong").to_owned();
            Error { place: Some(place), ..Error::new(format!("not JSON: {what}")) }
        })?;
        let list = match &json {
            Json::Array(_) => &json,
            Json::Object(map) if map.len() == 1 && map.contains_key("pads") => &json["pads"],
            _ => {
                return Err(Error::new(
                    "pads must be a list, or an object whose only key is `pads`",
                ));
            }
        };
        let schema = schemars::schema_for!(Vec<Self>).to_value();
        let checked = Validator::new(&schema).check(&schema, &Node::from(list));
        let checked = checked.map_err(pad_error)?;
        serde_json::from_value(checked).map_err(|error| Error::new(error.to_string()))
    }
}

/// A fault of the schema in the words of the JSON: `pads[3].radius`.
fn pad_error(fault: Fault) -> Error {
    let mut name = "pads".to_owned();
    for step in &fault.path {
        match step {
            Step::Key(key) => name.extend([".", key]),
            Step::Index(index) => name.extend(["[", &index.to_string(), "]"]),
        }
    }
    Error::with(Some(name), *fault.problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_programs_write_pads_as_json() {
        let text = r#"{ "pads": [
            { "name": "town", "x": 1200, "z": 800.5, "radius": 150, "margin": 60 },
            { "path": [[1200, 800], [1500, 820]], "radius": 5, "level": 40 }
        ] }"#;
        let pads = Pad::list_from_json(text).unwrap();
        assert_eq!((pads.len(), pads[0].name.as_str(), pads[0].z), (2, "town", Some(800.5)));
        assert_eq!(pads[1].margin, Pad::default().margin);
        let bare = Pad::list_from_json(r#"[{ "x": 1, "z": 2, "radius": 3 }]"#).unwrap();
        assert_eq!(bare[0].radius, Some(3.0));
        assert_eq!(Pad::list_from_json("[]").unwrap(), []);
    }

    #[test]
    fn wrong_json_is_told_with_its_place() {
        for (text, expected) in [
            ("", "not JSON: EOF while parsing a value, at line 1, column 0"),
            ("[{\"x\": 1,}]", "not JSON: trailing comma, at line 1, column 10"),
            ("3", "pads must be a list"),
            ("{\"pad\": []}", "pads must be a list"),
            (
                "[{\"x\": 1, \"raduis\": 2}]",
                "pads[0] unknown parameter `raduis` (did you mean `radius`?)",
            ),
            ("[{}, {\"radius\": -2}]", "pads[1].radius is -2, but must be a number in 0..=1000000"),
            ("[{\"x\": \"1\"}]", "pads[0].x is \"1\", but must be a number"),
            ("[{\"path\": [[1]]}]", "pads[0].path"),
            ("[7]", "pads[0] is 7"),
        ] {
            let error = Pad::list_from_json(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
