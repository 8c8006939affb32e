//! Terrains to files, by the package that all doors share.

use std::path::Path;

use landform::{Inputs, Recipe, Terrain};
use landform_io::profile::Target;
use landform_io::{Format, Print, WriteOptions};
use landform_project::make::{self, Heights, Map, MapOptions, Origin, Output, Profile};
use landform_project::{DiskFolder, Sink as _, Watched, placed};
use pyo3::prelude::*;

use crate::error::{failed, misuse, wrong};
use crate::ground::{Ground, Layers};
use crate::work;

/// The last part of a path.
fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Writes a layer, a map that follows from the height, or the rivers, in the format that the extension names.
#[pyfunction]
#[pyo3(signature = (
    ground, path, layers, name, *, range=None, declared=None, epsg=None, easting=None, northing=None, width_mm=None, simplify=None,
    contour_interval=None,
))]
#[expect(clippy::too_many_arguments, reason = "the keyword arguments of a Python function")]
pub(crate) fn write(
    py: Python<'_>,
    ground: &Ground,
    path: &str,
    layers: Layers<'_>,
    name: &str,
    range: Option<[f64; 2]>,
    declared: Option<[f64; 2]>,
    epsg: Option<u16>,
    easting: Option<f64>,
    northing: Option<f64>,
    width_mm: Option<f64>,
    simplify: Option<f64>,
    contour_interval: Option<f64>,
) -> PyResult<Vec<String>> {
    let path = Path::new(path);
    let output = output_of(path, name)?;
    let terrain = ground.terrain(&layers)?;
    let origin = easting.zip(northing).map(|(easting, northing)| [easting, northing]);
    let place = placed(terrain.place(), epsg, origin);
    let terrain = terrain.with_place(place);
    let width_mm = width_mm.unwrap_or(Print::default().width_mm);
    let options = WriteOptions {
        range: range.or(declared),
        print: Print { width_mm, ..Print::default() },
        ..WriteOptions::default()
    };
    let made = work::run(py, None, |shared| {
        let (name, mut folder) = (name_of(path), DiskFolder::of_file(path));
        let mut sink = Watched::new(&mut folder, shared);
        match output {
            Output::Heights(format) => {
                let is_clamped = range.is_none() && declared.is_some();
                let heights = Heights { simplify, is_clamped, options, ..Heights::new(format) };
                make::heights(&terrain, &heights, &name, &mut sink, shared)
            }
            Output::Map(map) => {
                let options =
                    MapOptions { contour_interval, writing: options, ..MapOptions::default() };
                make::map(&terrain, &map, &options, &Inputs::default(), &name, &mut sink)
            }
            Output::Vector(format) => {
                make::vector(&terrain, format, &name, &mut sink).map(|made| vec![made])
            }
            _ => Ok(Vec::new()),
        }
    })?;
    let made = made.map_err(|error| failed(&error))?;
    Ok(made.into_iter().map(|file| file.name).collect())
}

/// Writes the standard bundle, all files or none, and gives their names.
#[pyfunction]
#[pyo3(signature = (ground, folder, layers, recipe=None, *, range=None))]
pub(crate) fn bundle(
    py: Python<'_>,
    ground: &Ground,
    folder: &str,
    layers: Layers<'_>,
    recipe: Option<&str>,
    range: Option<[f64; 2]>,
) -> PyResult<Vec<String>> {
    let terrain = ground.terrain(&layers)?;
    let inputs = Inputs::default();
    let origin = Origin { recipe, seed: seed_of(recipe)?, inputs: &inputs };
    let made = work::run(py, None, |shared| {
        make::bundle(&terrain, &origin, range, &mut DiskFolder::new(folder), shared)
    })?;
    let manifest = made.map_err(|error| failed(&error))?;
    let names = manifest.files.into_iter().map(|file| file.name);
    Ok(names.chain([landform_io::manifest::FILE_NAME.to_owned()]).collect())
}

/// Writes the folder that a program takes, all files or none.
#[pyfunction]
#[pyo3(signature = (ground, target, folder, name, layers, recipe=None, *, tiles=[1, 1], range=None))]
#[expect(clippy::too_many_arguments, reason = "the arguments of a Python function")]
pub(crate) fn export(
    py: Python<'_>,
    ground: &Ground,
    target: &str,
    folder: &str,
    name: &str,
    layers: Layers<'_>,
    recipe: Option<&str>,
    tiles: [u32; 2],
    range: Option<[f64; 2]>,
) -> PyResult<Exported> {
    let target = target_of(target)?;
    if tiles.contains(&0) {
        return Err(misuse("tiles: at least one column and one row"));
    }
    let terrain: Terrain = ground.terrain(&layers)?;
    let inputs = Inputs::default();
    let origin = Origin { recipe, seed: seed_of(recipe)?, inputs: &inputs };
    let profile = Profile { tiles, ..Profile::new(target, name) };
    let made = work::run(py, None, |shared| {
        let mut sink = DiskFolder::new(folder);
        make::profile(&terrain, &profile, &origin, range, &mut sink, shared)
    })?;
    let made = made.map_err(|error| failed(&error))?;
    let files = made.names().map(str::to_owned).collect();
    Ok((files, made.numbers, made.steps, made.warnings))
}

/// What an export has written, and what to type into the import dialog: files, numbers, steps, warnings.
type Exported = (Vec<String>, Vec<(&'static str, String)>, Vec<String>, Vec<String>);

/// What a file is to be. A recipe is written by the recipe itself.
fn output_of(path: &Path, layer: &str) -> PyResult<Output> {
    let shown = path.to_string_lossy();
    let (output, _) = Output::of(&shown).map_err(|error| failed(&error))?;
    match output {
        Output::Heights(_) if layer != "height" => {
            let map = Map::of(layer, path).map_err(|error| failed(&error))?;
            Ok(Output::Map(map))
        }
        Output::Vector(_) if matches!(layer, "contours" | "catchments" | "subcatchments") => {
            let map = Map::of(layer, path).map_err(|error| failed(&error))?;
            Ok(Output::Map(map))
        }
        Output::Heights(_) | Output::Vector(_) => Ok(output),
        _ => Err(misuse(format!("{shown}: a terrain writes heights, layers, meshes and rivers"))),
    }
}

fn seed_of(recipe: Option<&str>) -> PyResult<Option<u64>> {
    let recipe = recipe.map(Recipe::parse).transpose().map_err(|error| wrong(&error))?;
    Ok(recipe.map(|recipe| recipe.seed))
}

fn target_of(name: &str) -> PyResult<Target> {
    Target::named(name).ok_or_else(|| {
        let known: Vec<_> = Target::all().map(Target::name).collect();
        misuse(format!("no target is called {name:?}, expected one of {}", known.join(", ")))
    })
}

/// The size nearest to the wanted one that a target takes in so many tiles.
#[pyfunction]
pub(crate) fn fitting_size(target: &str, size: [u32; 2], tiles: [u32; 2]) -> PyResult<[u32; 2]> {
    if tiles.contains(&0) {
        return Err(misuse("tiles: at least one column and one row"));
    }
    Ok(make::fitted(target_of(target)?, size, tiles))
}

/// Writes a file whole or not at all.
#[pyfunction]
pub(crate) fn write_bytes(path: &str, bytes: &[u8]) -> PyResult<()> {
    let path = Path::new(path);
    let mut sink = DiskFolder::of_file(path);
    let put = sink.put(&name_of(path), &mut |out| Ok(out.write_all(bytes)?));
    put.and_then(|()| sink.finish()).map_err(|error| failed(&error))
}

/// The names of the programs that [`export`] knows, with their titles.
#[pyfunction]
pub(crate) fn targets() -> Vec<(&'static str, &'static str)> {
    Target::all().map(|target| (target.name(), target.title())).collect()
}

/// The formats: extension, and whether it can be read.
#[pyfunction]
pub(crate) fn formats() -> Vec<(&'static str, bool)> {
    Format::all().map(|format| (format.extension(), format.is_read())).collect()
}
