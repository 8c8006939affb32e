//! Scripts that import the files of an export, in the language of the program that takes them.
//!
//! A script is a text beside this file with places for the numbers, which are those of the [page](super::Export::page): both are made from the same
//! [`Export`] of each tile.

use super::{Export, Target};

/// A script beside the files of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The name of its file.
    pub name: String,
    /// The script.
    pub text: String,
    /// What the user does with it.
    pub step: String,
}

/// The words that stand for something in the text of a script.
pub(super) struct Template {
    text: String,
}

impl Template {
    /// A template with the places that all scripts have.
    pub(super) fn new(text: &str, name: &str) -> Self {
        let generator = concat!("landform ", env!("CARGO_PKG_VERSION"));
        Self { text: text.to_owned() }
            .with("NAME", &quoted(name))
            .with("WORD", &word(name))
            .with("GENERATOR", generator)
    }

    /// Puts a text in a place.
    pub(super) fn with(self, place: &str, value: &str) -> Self {
        Self { text: self.text.replace(&format!("@{place}@"), value) }
    }

    /// The script under this name.
    pub(super) fn script(self, name: impl Into<String>, step: impl Into<String>) -> Script {
        Script { name: name.into(), text: self.text, step: step.into() }
    }
}

/// A text as all of these languages write it.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A list of texts, with commas between.
pub(super) fn quoted_list<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> String {
    let list: Vec<String> = texts.into_iter().map(|text| quoted(text.as_ref())).collect();
    list.join(", ")
}

/// A name as a part of an identifier.
pub(super) fn word(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    name.chars().map(plain).collect()
}

/// The materials of an export, in their order.
pub(super) fn materials(export: &Export) -> Vec<&str> {
    export.splat.iter().flat_map(|file| &file.materials).map(String::as_str).collect()
}

/// A number of the page.
///
/// # Panics
/// If the export has no such number: it is in the same file as the script's.
pub(super) fn value<'a>(export: &'a Export, label: &str) -> &'a str {
    export.value(label).unwrap_or_else(|| panic!("the page has the number {label}"))
}

/// The name of the file of heights.
pub(super) fn heights(export: &Export) -> &str {
    &export.files[0].name
}

impl Target {
    /// The script that imports these tiles, which are all of a terrain; nothing for a program that takes none.
    pub fn script(self, name: &str, tiles: &[Export]) -> Option<Script> {
        let make = self.entry().script?;
        if tiles.is_empty() { None } else { Some(make(name, tiles)) }
    }
}
