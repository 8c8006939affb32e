//! From the bytes of a file to a document.

use std::io;
use std::path::Path;

use landform::{Inputs, recipe};
use landform_project::{Entry, Kind, Opening, Project, Reading};

use crate::document::Document;
use crate::files::{Files, Opened};

/// A document that was read, with the rasters it refers to.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) document: Document,
    pub(crate) inputs: Inputs,
    /// The name that it is saved under.
    pub(crate) name: String,
    /// What had to be assumed, for people.
    pub(crate) warnings: Vec<String>,
}

/// A file that was opened, those that were chosen with it, and those that lie beside it.
struct Beside<'a> {
    opened: &'a Opened,
    files: &'a Files,
}

impl landform_project::Files for Beside<'_> {
    fn entry(&self, path: &Path) -> Option<Entry> {
        self.read(path).is_ok().then_some(Entry::File)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let file = path.to_str().ok_or(io::ErrorKind::InvalidInput)?;
        if file == self.opened.name {
            return Ok(self.opened.bytes.clone());
        }
        let chosen = self.opened.beside.iter().find(|other| other.name == file);
        let bytes = chosen.map(|other| other.bytes.clone());
        let bytes = bytes.or_else(|| self.files.read_beside(self.opened.place.as_ref()?, file));
        bytes.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, HOW))
    }
}

/// What to do about a file that is missing.
const HOW: &str = if cfg!(target_arch = "wasm32") {
    "it is not there; choose both files together, or drop them together on the page"
} else {
    "it is not there; it must lie beside the recipe"
};

/// Reads a recipe, an Uplift terrain or a heightmap.
///
/// # Errors
/// What is wrong, for people, with line and column where the file is text.
pub(crate) fn read(opened: &Opened, files: &Files) -> Result<Read, String> {
    let name = &opened.name;
    let beside = Beside { opened, files };
    let opening = Opening { files: &beside, ..Opening::default() };
    let extension = name.rsplit('.').next().unwrap_or_default().to_lowercase();
    #[cfg(target_arch = "wasm32")]
    if ["zarr", "json"].contains(&extension.as_str()) {
        return Err(crate::files::NO_STORES.to_owned());
    }
    let project = Project::open(Some(Path::new(name)), &opening);
    let project = project.map_err(|error| error.to_string())?;
    let in_file = |error: landform::Error| error.in_file(name).to_string();
    let document = if extension == "upd" {
        let text = landform_project::read_text(&beside, Path::new(name));
        Document::from_upd_text(&text.map_err(|error| error.to_string())?).map_err(in_file)?
    } else {
        let mut text = project.text().to_owned();
        let is_hole = |height: &f32| !height.is_finite();
        let mut rasters = project.inputs().iter().map(|(_, raster)| &raster.samples);
        let has_holes = rasters.any(|samples| samples.samples().iter().any(is_hole));
        if project.kind() == Kind::Heightmap && has_holes {
            // It is shown as a parameter of the stage, so it can be seen and undone.
            text = recipe::set(&text, "heightmap.voids", "fill").map_err(in_file)?;
        }
        Document::from_recipe(text).map_err(in_file)?
    };
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
    let name = format!("{stem}.{}", document.extension());
    let warnings = project.warnings().iter().map(ToString::to_string).collect();
    Ok(Read { document, inputs: project.inputs().clone(), name, warnings })
}

/// The rasters that a recipe refers to, as far as they lie beside it.
pub(crate) fn inputs_beside(document: &Document, place: &str, files: &Files) -> Inputs {
    let place = Some(place.to_owned());
    let (name, bytes, beside) = Default::default();
    let opened = Opened { name, place, bytes, beside };
    let beside = Beside { opened: &opened, files };
    let mut inputs = Inputs::default();
    for file in document.recipe().files() {
        let path = Path::new(file);
        let read = landform_project::read_heightmap(&beside, path, &Reading::default());
        if let Ok(heightmap) = read {
            if let Some(placed) = heightmap.placed() {
                inputs.insert_place(file, placed);
            }
            inputs.insert(file, heightmap.into_input());
        }
    }
    inputs
}
