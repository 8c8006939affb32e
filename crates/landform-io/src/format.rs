//! The formats by name, and one door to all of them.

use std::io::Write;

use landform::Lattice;
use serde::{Deserialize, Serialize};

use crate::mesh::solid::Print;
use crate::tiff::Georeference;
use crate::{Error, Heightmap, Limits, Raster, Result, heightmap};

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// An array of NumPy: f32 metres. Keeps every bit.
    Npy,
    /// A 16-bit greyscale picture, with its scale in text chunks.
    Png,
    /// 16-bit levels without a header (`.raw`, `.r16`).
    R16,
    /// f32 metres without a header (`.r32`).
    R32,
    /// A GeoTIFF: f32 metres in their place on the Earth.
    Tiff,
    /// An OpenEXR picture: f32 metres.
    Exr,
    /// An Esri ASCII grid: metres as text.
    Asc,
    /// A tile of the Shuttle Radar Topography Mission: whole metres over one degree.
    Hgt,
    /// A mesh as text.
    Obj,
    /// A mesh as binary glTF.
    Glb,
    /// A mesh as binary PLY.
    Ply,
    /// A closed block for a printer as binary STL.
    Stl,
    /// A closed block for a printer as 3MF.
    ThreeMf,
}

/// What a format can do.
struct Card {
    format: Format,
    name: &'static str,
    extensions: &'static [&'static str],
    is_read: bool,
}

const CARDS: &[Card] = &[
    Card { format: Format::Npy, name: "NPY", extensions: &["npy"], is_read: true },
    Card { format: Format::Png, name: "PNG", extensions: &["png"], is_read: true },
    Card { format: Format::R16, name: "RAW", extensions: &["r16", "raw"], is_read: true },
    Card { format: Format::R32, name: "R32", extensions: &["r32"], is_read: true },
    Card { format: Format::Tiff, name: "TIFF", extensions: &["tif", "tiff"], is_read: true },
    Card { format: Format::Exr, name: "EXR", extensions: &["exr"], is_read: true },
    Card { format: Format::Asc, name: "ASC", extensions: &["asc"], is_read: true },
    Card { format: Format::Hgt, name: "HGT", extensions: &["hgt"], is_read: true },
    Card { format: Format::Obj, name: "OBJ", extensions: &["obj"], is_read: false },
    Card { format: Format::Glb, name: "GLB", extensions: &["glb"], is_read: false },
    Card { format: Format::Ply, name: "PLY", extensions: &["ply"], is_read: false },
    Card { format: Format::Stl, name: "STL", extensions: &["stl"], is_read: false },
    Card { format: Format::ThreeMf, name: "3MF", extensions: &["3mf"], is_read: false },
];

impl Format {
    /// All formats.
    pub fn all() -> impl Iterator<Item = Self> {
        CARDS.iter().map(|card| card.format)
    }

    /// The format that a file name's extension (without the dot, in any case) names.
    pub fn from_extension(extension: &str) -> Option<Self> {
        let extension = extension.to_ascii_lowercase();
        let card = CARDS.iter().find(|card| card.extensions.contains(&extension.as_str()))?;
        Some(card.format)
    }

    /// The extension of its files, without the dot.
    pub fn extension(self) -> &'static str {
        self.card().extensions[0]
    }

    /// All extensions of its files, without the dot, the usual one first.
    pub fn extensions(self) -> &'static [&'static str] {
        self.card().extensions
    }

    /// Whether [`read`] can read it. All formats can be written.
    pub fn is_read(self) -> bool {
        self.card().is_read
    }

    /// Checks that it can hold samples on these grid lines, before there are any.
    ///
    /// # Errors
    /// If it cannot.
    pub fn check(self, lattice: &Lattice) -> Result<()> {
        match self {
            Self::Asc => crate::asc::check(lattice),
            Self::Hgt => crate::hgt::check(lattice),
            _ => Ok(()),
        }
    }

    fn card(self) -> &'static Card {
        CARDS.iter().find(|card| card.format == self).expect("every format has its card")
    }

    /// Writes `raster` to `out`, which need not be buffered, in pieces: no second copy of the grid is made.
    ///
    /// # Errors
    /// If the format cannot hold the samples, or writing fails. `out` may then hold a part of the file.
    pub fn write(
        self,
        raster: &Raster<'_>,
        mut out: impl Write,
        options: &WriteOptions<'_>,
    ) -> Result<()> {
        let out: &mut dyn Write = &mut out;
        match self {
            Self::Npy => crate::npy::write(raster.samples, out)?,
            Self::Png => crate::png::write(raster, out, options)?,
            Self::R16 => crate::raw::write_r16(raster, out, options)?,
            Self::R32 => crate::raw::write_r32(raster, out, options)?,
            Self::Tiff => crate::tiff::write(raster, out, options)?,
            Self::Exr => crate::exr::write(raster, out, options)?,
            Self::Asc => crate::asc::write(raster, out, options)?,
            Self::Hgt => crate::hgt::write(raster, out)?,
            Self::Obj => crate::mesh::obj::write(raster, out, options)?,
            Self::Glb => crate::mesh::glb::write(raster, out, options)?,
            Self::Ply => crate::mesh::ply::write(raster, out, options)?,
            Self::Stl => crate::mesh::stl::write(raster, out, options)?,
            Self::ThreeMf => crate::mesh::three_mf::write(raster, out, options)?,
        }
        Ok(out.flush()?)
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.card().name)
    }
}

/// Reads heights from the bytes of a file.
///
/// # Errors
/// If the bytes are not a heightmap of that format, or too many.
pub fn read(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<Heightmap> {
    options.check(format)?;
    match format {
        Format::Npy => crate::npy::read(bytes, options),
        Format::Png => crate::png::read(bytes, options),
        Format::R16 => crate::raw::read_r16(bytes, options),
        Format::R32 => crate::raw::read_r32(bytes, options),
        Format::Tiff => crate::tiff::read(bytes, options),
        Format::Exr => crate::exr::read(bytes, options),
        Format::Asc => crate::asc::read(bytes, options),
        Format::Hgt => crate::hgt::read(bytes, options),
        Format::Obj | Format::Glb | Format::Ply | Format::Stl | Format::ThreeMf => {
            let readable: Vec<_> = Format::all().filter(|format| format.is_read()).collect();
            let names: Vec<_> = readable.iter().map(ToString::to_string).collect();
            let instead = format!("heightmaps are read from {}", names.join(", "));
            Err(Error::Direction { format, action: "read", instead })
        }
    }
}

/// The order of the bytes of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Endian {
    /// Least significant byte first: "Windows", "IBM PC" in import dialogs.
    #[default]
    Little,
    /// Most significant byte first: "Mac" in import dialogs.
    Big,
}

/// The order of the rows in a file without a header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowOrder {
    /// As pictures are stored: the northernmost row comes first.
    #[default]
    NorthFirst,
    /// As Unity wants it: the southernmost row comes first.
    SouthFirst,
}

/// The channels of a picture of heights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Channels {
    /// One.
    #[default]
    One,
    /// Three equal ones, for importers that take nothing else.
    Rgb,
}

/// What is known about a file beside its bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scale {
    /// Number of columns and rows.
    pub size: Option<[u32; 2]>,
    /// Δx and Δz in metres.
    pub spacing: Option<[f64; 2]>,
    /// Heights in metres that the lowest and the highest level stand for; in a file of floating-point
    /// numbers, what 0 and 1 stand for.
    pub range: Option<[f64; 2]>,
}

/// How a file is to be read. Each number is taken from the first that has it: what is `given`, the file,
/// the side-car; after that it is [assumed](heightmap::Source::Assumed).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReadOptions {
    /// What the caller says, before whatever the file says.
    pub given: Scale,
    /// What the side-car says, for what the file leaves open: see
    /// [`Manifest::scale_of`](crate::Manifest::scale_of).
    pub side_car: Scale,
    /// Byte order of a file without a header.
    pub endian: Endian,
    /// Row order of a file without a header.
    pub rows: RowOrder,
    /// How much will be read.
    pub limits: Limits,
}

impl ReadOptions {
    fn check(&self, format: Format) -> Result<()> {
        for scale in [&self.given, &self.side_car] {
            if let Some(spacing) = scale.spacing
                && !spacing.iter().all(|&step| step > 0.0 && step.is_finite())
            {
                let found = format!("{} × {} m", spacing[0], spacing[1]);
                let expected = "finite and above 0".to_owned();
                return Err(Error::Option { format, what: "spacing", found, expected });
            }
            if let Some(range) = scale.range {
                check_range(format, range)?;
            }
        }
        Ok(())
    }

    /// The spacing, of which the file says `in_file`.
    pub(crate) fn spacing(&self, in_file: Option<[f64; 2]>) -> ([f64; 2], heightmap::Source) {
        first_known(self.given.spacing, in_file, self.side_car.spacing, heightmap::ASSUMED_SPACING)
    }

    /// The range of levels, of which the file says `in_file`.
    pub(crate) fn range(&self, in_file: Option<[f64; 2]>) -> ([f64; 2], heightmap::Source) {
        first_known(self.given.range, in_file, self.side_car.range, heightmap::ASSUMED_RANGE)
    }
}

fn first_known<T>(
    given: Option<T>,
    in_file: Option<T>,
    side_car: Option<T>,
    assumed: T,
) -> (T, heightmap::Source) {
    use heightmap::Source::{Assumed, Caller, File, SideCar};
    let known = [(given, Caller), (in_file, File), (side_car, SideCar)];
    let first = known.into_iter().find_map(|(value, source)| Some((value?, source)));
    first.unwrap_or((assumed, Assumed))
}

/// How a file is to be written. What a format has no use for it leaves aside.
#[derive(Clone, Copy, Debug, Default)]
pub struct WriteOptions<'a> {
    /// Heights in metres that the lowest and the highest level stand for; without it, the lowest and the
    /// highest sample. Tiles of one terrain must share it.
    pub range: Option<[f64; 2]>,
    /// Byte order of a file without a header.
    pub endian: Endian,
    /// Row order of a file without a header.
    pub rows: RowOrder,
    /// Channels of an EXR.
    pub channels: Channels,
    /// Where on the Earth a GeoTIFF or an ASC lies.
    pub place: Georeference,
    /// Size of a block for a printer.
    pub print: Print,
    /// A colour for each sample of a mesh, as sRGB.
    pub colours: Option<&'a landform::Grid<[u8; 3]>>,
    /// A picture for the ground of a GLB, as the bytes of a PNG file: north up, from border to border.
    pub texture: Option<&'a [u8]>,
    /// Fewer triangles, where OBJ, PLY and GLB can do with them.
    pub simplify: Option<Simplify>,
}

/// How a mesh is simplified.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simplify {
    /// How far a sample may be above or below the mesh, in metres.
    pub error: f64,
    /// Keeps every sample of the border, so that tiles fit together.
    pub keeps_border: bool,
}

impl WriteOptions<'_> {
    /// The range of levels: as given, or that of the samples; every sample is within it.
    pub(crate) fn range(&self, raster: &Raster<'_>, format: Format) -> Result<[f64; 2]> {
        let Some(range) = self.range else {
            raster.check_finite(format)?;
            let (low, high) = raster.samples.range();
            return Ok([f64::from(low), f64::from(high)]);
        };
        check_range(format, range)?;
        raster.check_within(format, range)?;
        Ok(range)
    }
}

fn check_range(format: Format, [low, high]: [f64; 2]) -> Result<()> {
    if low <= high && (high - low).is_finite() {
        return Ok(());
    }
    let found = format!("{low} … {high} m");
    let expected = "finite, the lower end first".to_owned();
    Err(Error::Option { format, what: "range", found, expected })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_found_by_its_extension() {
        for format in Format::all() {
            assert_eq!(Format::from_extension(format.extension()), Some(format));
        }
        assert_eq!(Format::from_extension("PNG"), Some(Format::Png));
        assert_eq!(Format::from_extension("raw"), Some(Format::R16));
        assert_eq!(Format::from_extension(""), None);
        assert_eq!(Format::from_extension("docx"), None);
    }

    #[test]
    fn meshes_are_written_only_and_the_error_says_what_is_read() {
        let error = read(b"v 0 0 0", Format::Obj, &ReadOptions::default()).unwrap_err();
        assert!(error.to_string().contains("heightmaps are read from NPY, PNG"), "{error}");
    }

    #[test]
    fn wrong_numbers_from_the_caller_are_named() {
        for spacing in [[0.0, 1.0], [1.0, -1.0], [f64::NAN, 1.0], [1.0, f64::INFINITY]] {
            let given = Scale { spacing: Some(spacing), ..Scale::default() };
            let error =
                read(&[0; 8], Format::R16, &ReadOptions { given, ..ReadOptions::default() });
            assert!(error.unwrap_err().to_string().contains("spacing is"));
        }
        for range in [[1.0, 0.0], [f64::NAN, 1.0], [0.0, f64::INFINITY]] {
            let given = Scale { range: Some(range), ..Scale::default() };
            let error =
                read(&[0; 8], Format::R16, &ReadOptions { given, ..ReadOptions::default() });
            assert!(error.unwrap_err().to_string().contains("range is"));
        }
    }
}
