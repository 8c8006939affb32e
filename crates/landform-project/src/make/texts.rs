//! Rivers and places, peaks, and the recipe, as text.

use landform::uplift::Upd;
use landform::{Recipe, Terrain};
use landform_io::vector::{self, Coordinates};

use super::{MadeFile, VectorFormat, belts};
use crate::{Result, Sink};

/// Writes the objects on the ground.
///
/// # Errors
/// Those of the sink.
pub fn vector(
    terrain: &Terrain,
    format: VectorFormat,
    name: &str,
    sink: &mut dyn Sink,
) -> Result<MadeFile> {
    let features = terrain.features();
    let place = terrain.place();
    match format {
        VectorFormat::GeoJson => {
            sink.put_text(name, &vector::geojson(features, &Coordinates::degrees(place)?))?;
        }
        VectorFormat::FlatGeobuf => {
            let layer = layer_name(name);
            sink.put(name, &mut |out| vector::flatgeobuf(features, layer, place, out))?;
        }
        VectorFormat::Svg => {
            sink.put_text(name, &vector::svg(features, terrain.extent().lattice().ground()))?;
        }
        VectorFormat::Csv => {
            sink.put_text(name, &vector::csv(features, &Coordinates::of_place(place)))?;
        }
    }
    sink.finish()?;
    Ok(MadeFile::new(name, format!("{} objects", features.len())))
}

/// The name of the layer in a file: that of the file.
pub(super) fn layer_name(file: &str) -> &str {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// Writes the peaks of a recipe, or the belts of a world, as an Uplift terrain. If it was read from a UPD file, `original`
/// is the text of that: lines that were not edited keep theirs.
///
/// # Errors
/// If it has other landforms than peaks, and those of the sink.
pub fn uplift(
    terrain: &Terrain,
    recipe: &Recipe,
    original: Option<&str>,
    name: &str,
    sink: &mut dyn Sink,
) -> Result<MadeFile> {
    let upd = match belts::upd(terrain, recipe) {
        Some(upd) => upd,
        None => Upd::from_recipe(recipe),
    }?;
    let text = original.map_or_else(|| upd.to_text(), |original| upd.to_text_like(original));
    sink.put_text(name, &text)?;
    sink.finish()?;
    Ok(MadeFile::new(name, format!("{} peaks", upd.peaks.len())))
}

/// Writes a recipe.
///
/// # Errors
/// Those of the sink.
pub fn recipe(text: &str, name: &str, sink: &mut dyn Sink) -> Result<MadeFile> {
    sink.put_text(name, text)?;
    sink.finish()?;
    Ok(MadeFile { name: name.to_owned(), about: None })
}
