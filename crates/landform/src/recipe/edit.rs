//! Changes to the text of a recipe that leave its comments and order as they are.

use serde_json::Value as Json;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::validate::did_you_mean;
use super::{Entry, Recipe, peak_lists};
use crate::Lattice;
use crate::error::Error;
use crate::world::BeltLine;

/// Sets the parameter at `path` to `value`, written as TOML: `uplift.peaks` and `100`. The path is the label of
/// a stage and a parameter of it, or a key of the recipe itself; further dots go into tables.
///
/// # Errors
/// If there is no such stage, or the recipe is no longer right.
pub fn set(text: &str, path: &str, value: &str) -> Result<String, Error> {
    peak_lists::changed(text, |text| set_plain(text, path, value))
}

fn set_plain(text: &str, path: &str, value: &str) -> Result<String, Error> {
    let recipe = Recipe::parse(text)?;
    let mut document: DocumentMut = text.parse().map_err(|_| Error::new("not a recipe"))?;
    // A word may stand without quotes, as shells eat them.
    let value: Value = value
        .parse()
        .or_else(|_| format!("{:?}", value.trim()).parse())
        .map_err(|_| Error::of(path, format!("cannot be {value:?}")))?;
    at(&recipe, &mut document, path, |table, keys| put(table, keys, value))?;
    let edited = document.to_string();
    Recipe::parse(&edited)?;
    Ok(edited)
}

/// Removes the parameter at `path`, which then has its default. The path is as for [`set`].
///
/// # Errors
/// If there is no such stage, or the recipe is no longer right.
pub fn unset(text: &str, path: &str) -> Result<String, Error> {
    peak_lists::changed(text, |text| unset_plain(text, path))
}

fn unset_plain(text: &str, path: &str) -> Result<String, Error> {
    let recipe = Recipe::parse(text)?;
    let mut document: DocumentMut = text.parse().map_err(|_| Error::new("not a recipe"))?;
    at(&recipe, &mut document, path, take_out)?;
    let edited = document.to_string();
    Recipe::parse(&edited)?;
    Ok(edited)
}

/// Calls `act` with the table and the keys in it that `path` names.
fn at(
    recipe: &Recipe,
    document: &mut DocumentMut,
    path: &str,
    act: impl FnOnce(&mut dyn TableLike, &[&str]),
) -> Result<(), Error> {
    let keys: Vec<&str> = path.split('.').map(str::trim).collect();
    match keys[..] {
        [key] => act(document.as_table_mut(), &[key]),
        [label, ref inner @ ..] => {
            let labels: Vec<&str> = recipe.stages.iter().map(Entry::label).collect();
            let Some(index) = labels.iter().position(|known| *known == label) else {
                let hint = did_you_mean(label, &labels);
                let known = labels.join("`, `");
                let message = format!("names no stage{hint}, the stages are `{known}`");
                return Err(Error::of(path, message));
            };
            let stages = document.get_mut("stage").and_then(Item::as_array_of_tables_mut);
            let Some(table) = stages.and_then(|stages| stages.get_mut(index)) else {
                return Err(Error::of(
                    path,
                    "can only be set where stages are written as [[stage]]",
                ));
            };
            act(table, inner);
        }
        [] => unreachable!("split gives at least one part"),
    }
    Ok(())
}

fn take_out(table: &mut dyn TableLike, keys: &[&str]) {
    match keys {
        [] => {}
        [key] => {
            table.remove(key);
        }
        [key, rest @ ..] => {
            if let Some(inner) = table.get_mut(key).and_then(Item::as_table_like_mut) {
                take_out(inner, rest);
            }
        }
    }
}

/// Adds a stage at the end.
///
/// # Errors
/// If the recipe is no longer right.
pub fn append(text: &str, entry: &Entry) -> Result<String, Error> {
    peak_lists::changed(text, |text| append_plain(text, entry))
}

fn append_plain(text: &str, entry: &Entry) -> Result<String, Error> {
    Recipe::parse(text)?;
    let mut document: DocumentMut = text.parse().map_err(|_| Error::new("not a recipe"))?;
    let json = serde_json::to_value(entry).map_err(|error| Error::new(error.to_string()))?;
    let stages = document.entry("stage").or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    match stages.as_array_of_tables_mut() {
        Some(stages) => stages.push(stage_table(&json)),
        None => return Err(Error::new("can only add to stages that are written as [[stage]]")),
    }
    let edited = document.to_string();
    Recipe::parse(&edited)?;
    Ok(edited)
}

/// Sets the seed.
///
/// # Errors
/// If the text is not a recipe, or the seed is above 2⁶³ − 1, the largest number that TOML has.
pub fn set_seed(text: &str, seed: u64) -> Result<String, Error> {
    set(text, "seed", &seed.to_string())
}

/// Lays the recipe out on another number of grid lines over the same ground.
///
/// # Errors
/// If the text is not a recipe.
pub fn set_size(text: &str, size: [u32; 2]) -> Result<String, Error> {
    let Lattice { spacing: [dx, dz], .. } = Recipe::parse(text)?.design().resampled(size);
    let text = set(text, "spacing", &format!("[{dx:?}, {dz:?}]"))?;
    set(&text, "size", &format!("[{}, {}]", size[0], size[1]))
}

/// Writes the mountain belts of the stage `label` down, one a line, in the place of those that its plates would raise.
///
/// # Errors
/// If the text is not a recipe with such a stage, or a belt is out of range.
pub fn set_belts(text: &str, label: &str, belts: &[BeltLine]) -> Result<String, Error> {
    let line = |BeltLine { x, z, height, radius, made_by }: &BeltLine| {
        let made_by = if made_by.is_empty() { String::new() } else { format!(", {made_by:?}") };
        format!("    [{x}, {z}, {height}, {radius}{made_by}],\n")
    };
    let lines: String = belts.iter().map(line).collect();
    set(text, &format!("{label}.belts"), &format!("[\n{lines}]"))
}

fn put(table: &mut dyn TableLike, keys: &[&str], value: Value) {
    match keys {
        [] => {}
        [key] => {
            let old = table.get_mut(key).and_then(Item::as_value_mut);
            match old {
                // The comment behind the old value stays.
                Some(old) => {
                    let decor = old.decor().clone();
                    *old = value;
                    *old.decor_mut() = decor;
                }
                None => {
                    table.insert(key, Item::Value(value));
                }
            }
        }
        [key, rest @ ..] => {
            if table.get(key).is_none_or(|item| !item.is_table_like()) {
                table.insert(key, Item::Value(Value::InlineTable(InlineTable::new())));
            }
            if let Some(inner) = table.get_mut(key).and_then(Item::as_table_like_mut) {
                put(inner, rest, value);
            }
        }
    }
}

/// JSON as the TOML of a recipe: stages as tables, everything inside them in line.
pub(super) fn written(json: &Json) -> String {
    let mut document = DocumentMut::new();
    for (key, value) in json.as_object().into_iter().flatten() {
        if key == "stage" {
            let mut stages = ArrayOfTables::new();
            value
                .as_array()
                .into_iter()
                .flatten()
                .for_each(|stage| stages.push(stage_table(stage)));
            document.insert("stage", Item::ArrayOfTables(stages));
        } else {
            insert(document.as_table_mut(), key, value);
        }
    }
    document.to_string()
}

/// A stage alone, with its header.
pub(super) fn written_stage(entry: &Entry) -> Result<String, Error> {
    let json = serde_json::to_value(entry).map_err(|error| Error::new(error.to_string()))?;
    let mut stages = ArrayOfTables::new();
    stages.push(stage_table(&json));
    let mut document = DocumentMut::new();
    document.insert("stage", Item::ArrayOfTables(stages));
    Ok(document.to_string())
}

fn stage_table(stage: &Json) -> Table {
    let mut table = Table::new();
    for (key, value) in stage.as_object().into_iter().flatten() {
        insert(&mut table, key, value);
    }
    table
}

fn insert(table: &mut Table, key: &str, json: &Json) {
    if let Some(mut value) = toml_value(json) {
        // A list of lists, such as peaks, gets a line for each.
        if let Value::Array(array) = &mut value
            && array.iter().all(Value::is_array)
        {
            array.iter_mut().for_each(|line| line.decor_mut().set_prefix("\n    "));
            array.set_trailing("\n");
            array.set_trailing_comma(true);
        }
        table.insert(key, Item::Value(value));
    }
}

fn toml_value(json: &Json) -> Option<Value> {
    Some(match json {
        Json::Null => return None,
        Json::Bool(value) => (*value).into(),
        Json::Number(number) => match number.as_i64() {
            Some(integer) => integer.into(),
            None => number.as_f64()?.into(),
        },
        Json::String(value) => value.as_str().into(),
        Json::Array(items) => {
            let mut array = Array::new();
            items.iter().filter_map(toml_value).for_each(|value| array.push(value));
            array.into()
        }
        Json::Object(entries) => {
            let mut table = InlineTable::new();
            for (key, value) in entries {
                if let Some(value) = toml_value(value) {
                    table.insert(key, value);
                }
            }
            table.into()
        }
    })
}
