//! From the bytes of a file to a document.

use landform::uplift::Upd;
use landform::{Inputs, Meaning, Raster, Recipe, recipe};
use landform_io::{Format, ReadOptions};

use crate::document::Document;
use crate::files::{Files, Opened};

/// A document that was read, with the rasters it refers to.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) document: Document,
    pub(crate) inputs: Inputs,
    /// The name that it is saved under.
    pub(crate) name: String,
}

/// Reads a recipe, an Uplift terrain or a heightmap.
///
/// # Errors
/// What is wrong, for people, with line and column where the file is text.
pub(crate) fn read(opened: &Opened, files: &Files) -> Result<Read, String> {
    let name = &opened.name;
    let extension = name.rsplit('.').next().unwrap_or_default().to_lowercase();
    let in_file = |error: landform::Error| error.in_file(name).to_string();
    let mut inputs = Inputs::default();
    let document = match extension.as_str() {
        "upd" => Document::from_upd(Upd::parse(text(opened)?).map_err(in_file)?),
        "toml" => {
            let document = Document::from_recipe(text(opened)?.to_owned()).map_err(in_file)?;
            for file in document.recipe().files() {
                let bytes = beside(opened, files, file);
                let bytes = bytes
                    .ok_or_else(|| format!("{name} needs {file}, which cannot be read: {HOW}"))?;
                inputs.insert(file, heightmap(file, &bytes)?.into_input());
            }
            document
        }
        #[cfg(target_arch = "wasm32")]
        "zarr" | "json" => return Err(crate::files::NO_STORES.to_owned()),
        _ => {
            let heightmap = heightmap(name, &opened.bytes)?;
            let lattice = heightmap.lattice();
            let mut text = Recipe::of_heightmap(name, &lattice, 0.0).to_toml();
            if heightmap.heights.samples().iter().any(|height| !height.is_finite()) {
                // It is shown as a parameter of the stage, so it can be seen and undone.
                text = recipe::set(&text, "heightmap.voids", "fill").map_err(in_file)?;
            }
            inputs.insert(
                name.clone(),
                Raster { samples: heightmap.heights, meaning: Meaning::Values },
            );
            Document::from_recipe(text).map_err(in_file)?
        }
    };
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
    let name = format!("{stem}.{}", document.extension());
    Ok(Read { document, inputs, name })
}

/// What to do about a file that is missing.
const HOW: &str = if cfg!(target_arch = "wasm32") {
    "choose both files together, or drop them together on the page"
} else {
    "it must lie beside it"
};

/// A file that the recipe refers to: one that was opened with it, or that lies beside it.
fn beside(opened: &Opened, files: &Files, file: &str) -> Option<Vec<u8>> {
    let with_it = opened.beside.iter().find(|other| other.name == file);
    let with_it = with_it.map(|other| other.bytes.clone());
    with_it.or_else(|| files.read_beside(opened.place.as_ref()?, file))
}

/// The rasters that a recipe refers to, as far as they lie beside it.
pub(crate) fn inputs_beside(document: &Document, place: &str, files: &Files) -> Inputs {
    let mut inputs = Inputs::default();
    for file in document.recipe().files() {
        let read = files.read_beside(place, file).map(|bytes| heightmap(file, &bytes));
        if let Some(Ok(heightmap)) = read {
            inputs.insert(file, heightmap.into_input());
        }
    }
    inputs
}

fn text(opened: &Opened) -> Result<&str, String> {
    std::str::from_utf8(&opened.bytes).map_err(|error| {
        format!("{} is not text: byte {} is not UTF-8", opened.name, error.valid_up_to())
    })
}

fn heightmap(name: &str, bytes: &[u8]) -> Result<landform_io::Heightmap, String> {
    let extension = name.rsplit('.').next().unwrap_or_default().to_lowercase();
    let format = Format::from_extension(&extension).filter(|format| format.is_read());
    let format = format.ok_or_else(|| {
        format!("{name} is no kind of terrain: expected .toml, .upd or a heightmap such as .png, .tif, .exr, .npy")
    })?;
    landform_io::read(bytes, format, &ReadOptions::default())
        .map_err(|error| format!("{name}: {error}"))
}
