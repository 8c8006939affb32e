//! Recipes as text: checks, changes, the catalogue of stages, UPD.

use landform::preset::PRESETS;
use landform::recipe::{self, Entry};
use landform::shape::{flatten::Flatten, pad::Pad};
use landform::stage::Stage;
use landform::uplift::Upd;
use landform::{Lattice, Recipe};
use pyo3::prelude::*;
use serde_json::Value as Json;

use crate::error::{misuse, wrong};

/// A peak: grid lines to the east and south, height and radius in metres.
type PeakRow = (i64, i64, f64, f64);

fn parsed(text: &str, file: Option<&str>) -> PyResult<Recipe> {
    Recipe::parse(text).map_err(|error| wrong(&named(error, file)))
}

fn named(error: landform::Error, file: Option<&str>) -> landform::Error {
    match file {
        Some(file) => error.in_file(file),
        None => error,
    }
}

fn json_of(text: &str) -> PyResult<Json> {
    serde_json::from_str(text).map_err(|error| misuse(format!("not JSON: {error}")))
}

/// Checks a recipe and gives it as JSON with all its parameters.
#[pyfunction]
#[pyo3(signature = (text, file=None))]
pub(crate) fn recipe_json(text: &str, file: Option<&str>) -> PyResult<String> {
    Ok(serde_json::to_string(&parsed(text, file)?).expect("a recipe is plain data"))
}

/// A recipe that is JSON, as text.
#[pyfunction]
pub(crate) fn recipe_text(json: &str) -> PyResult<String> {
    let recipe = Recipe::from_json(&json_of(json)?).map_err(|error| wrong(&error))?;
    Ok(recipe.to_toml())
}

/// Sets a parameter, written as TOML; comments stay.
#[pyfunction]
pub(crate) fn recipe_set(text: &str, path: &str, value: &str) -> PyResult<String> {
    recipe::set(text, path, value).map_err(|error| wrong(&error))
}

/// The recipe of a quick preview; comments stay. Nothing if none would be quicker.
#[pyfunction]
pub(crate) fn recipe_preview(text: &str, largest: u32) -> PyResult<Option<String>> {
    let Some(quick) = parsed(text, None)?.quick_preview(largest) else { return Ok(None) };
    let most = quick.preview.unwrap_or(largest).to_string();
    let text = recipe::unset(text, "resolution").map_err(|error| wrong(&error))?;
    recipe::set(&text, "preview", &most).map(Some).map_err(|error| wrong(&error))
}

/// Adds a stage, given as JSON, at the end; comments stay.
#[pyfunction]
pub(crate) fn recipe_append(text: &str, stage: &str) -> PyResult<String> {
    // The stage is checked as part of a recipe, so that what is wrong is said in the same words.
    let mut whole = serde_json::to_value(parsed(text, None)?).expect("a recipe is plain data");
    if let Some(stages) = whole["stage"].as_array_mut() {
        stages.push(json_of(stage)?);
    }
    let checked = Recipe::from_json(&whole).map_err(|error| wrong(&error))?;
    match checked.stages.last() {
        Some(entry) => recipe::append(text, entry).map_err(|error| wrong(&error)),
        None => Ok(text.to_owned()),
    }
}

/// Adds the flat places of a pads file, which is JSON, as a stage with this label.
#[pyfunction]
#[pyo3(signature = (text, pads, label, file=None))]
pub(crate) fn recipe_pads(
    text: &str,
    pads: &str,
    label: &str,
    file: Option<&str>,
) -> PyResult<String> {
    let pads = Pad::list_from_json(pads).map_err(|error| wrong(&named(error, file)))?;
    let mut entry = Entry::new(Stage::Flatten(Flatten { pads, ..Flatten::default() }));
    entry.joint.label = Some(label.to_owned());
    recipe::append(text, &entry).map_err(|error| wrong(&error))
}

/// The peaks of all enabled stages of a recipe.
#[pyfunction]
pub(crate) fn recipe_peaks(text: &str) -> PyResult<Vec<PeakRow>> {
    let recipe = parsed(text, None)?;
    let scale = recipe.scale().map_err(|error| wrong(&error))?;
    let [dx, dz] = scale.lattice(&recipe.design()).spacing;
    let cones = recipe.cones().map_err(|error| wrong(&error))?;
    let line = |metres: f64, spacing: f64| (metres / spacing).round() as i64;
    let row = |cone: &landform::uplift::Cone| {
        (line(cone.x, dx), line(cone.z, dz), cone.height, cone.radius)
    };
    Ok(cones.iter().map(row).collect())
}

/// The files that a recipe refers to.
#[pyfunction]
pub(crate) fn recipe_files(text: &str) -> PyResult<Vec<String>> {
    Ok(parsed(text, None)?.files().into_iter().map(str::to_owned).collect())
}

/// A UPD file as the text of a recipe.
#[pyfunction]
#[pyo3(signature = (text, file=None))]
pub(crate) fn upd_to_recipe(text: &str, file: Option<&str>) -> PyResult<String> {
    let upd = Upd::parse(text).map_err(|error| wrong(&named(error, file)))?;
    Ok(upd.to_recipe().to_toml())
}

/// A recipe of nothing but peaks as a UPD file. Lines of `original`, the file that it was read from, keep their text where
/// they still say the same.
#[pyfunction]
#[pyo3(signature = (text, original=None))]
pub(crate) fn upd_from_recipe(text: &str, original: Option<&str>) -> PyResult<String> {
    let upd = Upd::from_recipe(&parsed(text, None)?).map_err(|error| wrong(&error))?;
    Ok(original.map_or_else(|| upd.to_text(), |original| upd.to_text_like(original)))
}

/// Size, spacing and peaks of a UPD file.
#[pyfunction]
#[pyo3(signature = (text, file=None))]
pub(crate) fn upd_parse(
    text: &str,
    file: Option<&str>,
) -> PyResult<([u32; 2], [f64; 2], Vec<PeakRow>)> {
    let upd = Upd::parse(text).map_err(|error| wrong(&named(error, file)))?;
    let row = |peak: &landform::uplift::Peak| (peak.i, peak.j, peak.height, peak.radius);
    let Lattice { size, spacing } = upd.lattice;
    Ok((size, spacing, upd.peaks.iter().map(row).collect()))
}

/// The JSON schema of recipes.
#[pyfunction]
pub(crate) fn schema() -> String {
    recipe::schema().to_string()
}

/// The recipes that come with Landform: name, what it is, text.
#[pyfunction]
pub(crate) fn presets() -> Vec<(&'static str, String, &'static str)> {
    PRESETS.iter().map(|preset| (preset.name, preset.about(), preset.text)).collect()
}
