//! What a file is to be, by the ending of its name: one table for all doors.

use std::path::Path;

use landform::{Georeference, Layer, Plan};
use landform_io::Format;
use landform_io::format::{Holds, Setting};
use landform_io::vector::Coordinates;

use super::Map;
use super::stream::Streamed;
use crate::open::files::extension;
use crate::{Error, Result, Wish};

/// What an output is to be.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// A folder with the standard bundle.
    Bundle,
    /// Heights.
    Heights(Format),
    /// Another map than the heights.
    Map(Map),
    /// Rivers and places.
    Vector(VectorFormat),
    /// Peaks as UPD.
    Uplift,
    /// The recipe.
    Recipe,
    /// Something that is written tile by tile.
    Streamed(Streamed),
}

/// How rivers and places are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorFormat {
    /// GeoJSON: degrees of WGS 84.
    GeoJson,
    /// FlatGeobuf: the coordinate system of the terrain.
    FlatGeobuf,
    /// SVG.
    Svg,
    /// A table.
    Csv,
}

impl VectorFormat {
    /// Checks that what lies at this place can be written.
    ///
    /// # Errors
    /// If it is to be in degrees, and how is not known.
    pub(super) fn check(self, place: Option<&Georeference>) -> Result<()> {
        match self {
            Self::GeoJson => Ok(Coordinates::degrees(place).map(|_| ())?),
            Self::FlatGeobuf | Self::Svg | Self::Csv => Ok(()),
        }
    }
}

/// An ending of file names, and what it stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// The extensions, without the dot, the usual one first.
    pub extensions: Vec<&'static str>,
    /// What the file is to be.
    pub output: Output,
    /// What it is for, for lists in help texts.
    pub group: &'static str,
}

/// All endings, in the order in which users see them.
pub fn endings() -> Vec<Ending> {
    let heights = Format::all().map(|format| Ending {
        extensions: format.extensions().to_vec(),
        output: Output::Heights(format),
        group: match format.holds() {
            Holds::Heights => "heights",
            Holds::Mesh => "meshes",
            Holds::Solid => "blocks for a 3-D printer",
        },
    });
    let others = [
        ("geojson", Output::Vector(VectorFormat::GeoJson), "rivers and places"),
        ("fgb", Output::Vector(VectorFormat::FlatGeobuf), "rivers and places"),
        ("svg", Output::Vector(VectorFormat::Svg), "rivers and places"),
        ("csv", Output::Vector(VectorFormat::Csv), "rivers and places"),
        ("upd", Output::Uplift, "peaks"),
        ("toml", Output::Recipe, "the recipe"),
        ("zarr", Output::Streamed(Streamed::Store), "huge terrain"),
        ("pmtiles", Output::Streamed(Streamed::PmTiles), "huge terrain"),
        ("tiles", Output::Streamed(Streamed::Tiles), "huge terrain"),
    ];
    let others = others.into_iter().map(|(extension, output, group)| Ending {
        extensions: vec![extension],
        output,
        group,
    });
    heights.chain(others).collect()
}

impl Output {
    /// What a file of this name is to be: by its extension, or by `MAP=FILE`, with the path of the file.
    ///
    /// # Errors
    /// If no output is called that, with those that are.
    pub fn of(typed: &str) -> Result<(Self, &Path)> {
        let path = Path::new(typed);
        if typed.ends_with(['/', '\\']) {
            return Ok((Self::Bundle, path));
        }
        // A path with an = in it can be written as ./a=b.png.
        if let Some((name, file)) = typed.split_once('=')
            && Layer::named(name).is_some()
        {
            let file = Path::new(file);
            return Ok((Self::Map(Map::of(name, file)?), file));
        }
        match Self::of_extension(&extension(path)) {
            Some(output) => Ok((output, path)),
            None => {
                let mut ends: Vec<_> =
                    endings().iter().map(|ending| format!(".{}", ending.extensions[0])).collect();
                let last = ends.pop().unwrap_or_default();
                let message = format!(
                    "expected a folder (ends in /) or a file that ends in {} or {last}",
                    ends.join(", ")
                );
                Err(Error::wish(Wish::Output(typed.to_owned()), message))
            }
        }
    }

    /// What a file with this extension is to be.
    pub fn of_extension(extension: &str) -> Option<Self> {
        let found = endings().into_iter().find(|ending| ending.extensions.contains(&extension));
        found.map(|ending| ending.output)
    }

    /// Whether 16-bit levels are part of it, which need the range of the whole terrain.
    pub fn has_levels(&self) -> bool {
        match self {
            Self::Bundle => true,
            Self::Heights(format) => format.has_levels(),
            _ => false,
        }
    }

    /// Checks that a plan can give it, before there is work.
    ///
    /// # Errors
    /// If it cannot.
    pub fn check(&self, plan: &Plan) -> Result<()> {
        match self {
            Self::Map(map) => map.check_plan(plan),
            Self::Vector(format) => format.check(plan.place()),
            _ => Ok(()),
        }
    }

    /// Bytes a sample that making it takes beside the terrain.
    pub fn memory(&self) -> u64 {
        match self {
            Self::Bundle => crate::memory::BUNDLE,
            Self::Heights(format) if format.uses(Setting::Texture) => crate::memory::MESH,
            Self::Heights(format) if format.uses(Setting::Simplify) || *format == Format::Stl => {
                crate::memory::PLAIN_MESH
            }
            Self::Heights(Format::Png | Format::Tiff | Format::Exr) => crate::memory::PACKED,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_ending_stands_for_two_things() {
        let mut all: Vec<_> =
            endings().iter().flat_map(|ending| ending.extensions.clone()).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
