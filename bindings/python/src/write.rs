//! Terrains to files: single layers, the manifest, and what other programs want.

use std::io::Write;
use std::path::Path;

use landform_io::profile::{Job, Target};
use landform_io::{Format, Georeference, Manifest, Print, Raster, Simplify, WriteOptions, atomic};
use pyo3::prelude::*;

use crate::error::{self, misuse};
use crate::ground::{Frame, Layers, layer, terrain};
use crate::work;

/// Writes one layer to `path` by the format that its extension names; tiles share `range`.
#[pyfunction]
#[pyo3(signature = (path, layers, frame, name, *, range=None, epsg=None, easting=0.0, northing=0.0, width_mm=None, simplify=None, texture=None))]
#[expect(clippy::too_many_arguments, reason = "the keyword arguments of a Python function")]
pub(crate) fn write_layer(
    py: Python<'_>,
    path: &str,
    layers: Layers<'_>,
    frame: Frame,
    name: &str,
    range: Option<[f64; 2]>,
    epsg: Option<u16>,
    easting: f64,
    northing: f64,
    width_mm: Option<f64>,
    simplify: Option<f64>,
    texture: Option<Vec<u8>>,
) -> PyResult<()> {
    let path = Path::new(path).to_owned();
    let format = format_of(&path)?;
    let terrain = terrain(&layers, frame)?;
    let layer = layer(name)?;
    let place = Georeference { epsg, easting, northing };
    let print =
        Print { width_mm: width_mm.unwrap_or(Print::default().width_mm), ..Print::default() };
    let simplify = simplify.map(|error| Simplify { error, keeps_border: false });
    work::run(py, None, move |_| {
        let texture = texture.as_deref();
        let options =
            WriteOptions { range, place, print, simplify, texture, ..WriteOptions::default() };
        let samples =
            terrain.layer(&layer).ok_or_else(|| misuse(format!("there is no layer {layer}")))?;
        let raster = Raster::new(samples, &layer, terrain.extent());
        whole(&path, |out| format.write(&raster, out, &options))
    })?
}

fn format_of(path: &Path) -> PyResult<Format> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    Format::from_extension(&extension).ok_or_else(|| {
        let known: Vec<_> =
            Format::all().map(|format| format!(".{}", format.extension())).collect();
        misuse(format!("{}: expected a file that ends in {}", path.display(), known.join(", ")))
    })
}

/// Writes a file whole or not at all.
fn whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> landform_io::Result<()>,
) -> PyResult<()> {
    let about = || format!("cannot write {}", path.display());
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)
            .map_err(|error| error::file(&landform_io::Error::Io(error), &about()))?;
    }
    atomic::write(path, write).map_err(|error| error::file(&error, &about()))
}

/// Writes a text file whole or not at all.
#[pyfunction]
pub(crate) fn write_text(path: &str, text: &str) -> PyResult<()> {
    whole(Path::new(path), |out| Ok(out.write_all(text.as_bytes())?))
}

/// The text of `landform.json` for a terrain whose layers are in `NAME.npy` and whose height is in `height.png`.
#[pyfunction]
pub(crate) fn manifest(
    py: Python<'_>,
    layers: Layers<'_>,
    frame: Frame,
    seed: Option<u64>,
    range: [f64; 2],
    files: Vec<String>,
) -> PyResult<String> {
    let terrain = terrain(&layers, frame)?;
    work::run(py, None, move |_| {
        let mut manifest = Manifest::of(&terrain, seed);
        let options = WriteOptions { range: Some(range), ..WriteOptions::default() };
        for (layer, samples) in terrain.layers() {
            let raster = Raster::new(samples, layer, terrain.extent());
            manifest.add_raster(
                &format!("{layer}.npy"),
                layer.name(),
                &raster,
                Format::Npy,
                &options,
            );
        }
        manifest.add_raster(
            "height.png",
            "height",
            &Raster::height(&terrain),
            Format::Png,
            &options,
        );
        files.iter().for_each(|file| manifest.add_file(file));
        manifest.to_json()
    })
}

/// What an export has written, and what to type into the import dialog: files, numbers, steps, warnings.
type Exported = (Vec<String>, Vec<(&'static str, String)>, Vec<String>, Vec<String>);

/// Writes what `target` wants into a folder.
#[pyfunction]
pub(crate) fn export(
    py: Python<'_>,
    target: &str,
    folder: &str,
    name: &str,
    layers: Layers<'_>,
    frame: Frame,
) -> PyResult<Exported> {
    let target = Target::named(target).ok_or_else(|| {
        let known: Vec<_> = Target::all().map(Target::name).collect();
        misuse(format!("no target is called {target:?}, expected one of {}", known.join(", ")))
    })?;
    let terrain = terrain(&layers, frame)?;
    let (folder, name) = (Path::new(folder).to_owned(), name.to_owned());
    work::run(py, None, move |_| {
        let job = Job::whole(&terrain, &name);
        let export = target.export(&job).map_err(|error| misuse(error.to_string()))?;
        for file in &export.files {
            let raster = Raster::height(&terrain);
            whole(&folder.join(&file.name), |out| file.format.write(&raster, out, &file.options))?;
        }
        let page = export.page();
        whole(&folder.join(export.target.page_name()), |out| Ok(out.write_all(page.as_bytes())?))?;
        let files = export.files.iter().map(|file| file.name.clone());
        let files = files.chain([export.target.page_name()]).collect();
        Ok((files, export.numbers, export.steps, export.warnings))
    })?
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
