//! The table of formats, and one door to all of them.
//!
//! A format is a file that declares an [`FormatEntry`] called `FORMAT`, and a line in the table below.

use std::io::Write;

use landform::{Georeference, Lattice};
use serde::{Deserialize, Serialize};

use crate::mesh::solid::Print;
use crate::side_file::Sample;
use crate::{Error, Heightmap, Limits, Raster, Result, heightmap};

/// What a format is and can do. Its own file declares it.
pub(crate) struct FormatEntry {
    /// What messages call it.
    pub(crate) name: &'static str,
    /// What it is, in a few words.
    pub(crate) doc: &'static str,
    /// Extensions of its files, without the dot; the first is the usual one.
    pub(crate) extensions: &'static [&'static str],
    pub(crate) holds: Holds,
    /// The settings that change its bytes.
    pub(crate) uses: &'static [Setting],
    /// What its samples are, where a [side file](crate::side_file) has to tell it.
    pub(crate) side_file: Option<Sample>,
    /// Checks that it can hold samples on these grid lines; nothing if it takes all.
    pub(crate) check: Option<Check>,
    pub(crate) write: WriteRaster,
    /// Nothing for a format that is only written.
    pub(crate) read: Option<ReadHeights>,
}

type Check = fn(&Lattice, Option<&Georeference>) -> Result<()>;
type WriteRaster = fn(&Raster<'_>, &mut dyn Write, &WriteOptions<'_>) -> Result<()>;
type ReadHeights = fn(&[u8], &ReadOptions) -> Result<Heightmap>;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holds {
    /// Samples of a grid: a heightmap.
    Heights,
    /// The ground as triangles, in metres.
    Mesh,
    /// A closed block, in millimetres.
    Solid,
}

/// A field of [`WriteOptions`]. A format says which it [uses](Format::uses) and leaves the others aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Setting {
    /// [`WriteOptions::range`].
    Range,
    /// [`WriteOptions::endian`].
    Endian,
    /// [`WriteOptions::rows`].
    Rows,
    /// [`WriteOptions::channels`].
    Channels,
    /// The origin of [`WriteOptions::place`].
    Place,
    /// The coordinate system of [`WriteOptions::place`].
    Epsg,
    /// [`WriteOptions::print`].
    Print,
    /// [`WriteOptions::colours`].
    Colours,
    /// [`WriteOptions::texture`].
    Texture,
    /// [`WriteOptions::simplify`].
    Simplify,
}

macro_rules! formats {
    ($($format:ident => $($module:ident)::+,)+) => {
        /// A kind of file. Each is declared by its module; [`Format::doc`] says what it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Format {
            $(
                #[doc = concat!("See [its module](crate", $("::", stringify!($module),)+ ").")]
                $format,
            )+
        }

        impl Format {
            const ALL: &[Self] = &[$(Self::$format),+];

            fn entry(self) -> &'static FormatEntry {
                match self {
                    $(Self::$format => &crate::$($module)::+::FORMAT,)+
                }
            }
        }
    };
}

// The order in which they are listed to users.
formats! {
    Npy => npy,
    Png => png,
    R16 => raw::r16,
    R32 => raw::r32,
    Tiff => tiff,
    Exr => exr,
    Asc => asc,
    Hgt => hgt,
    Obj => mesh::obj,
    Glb => mesh::glb,
    Ply => mesh::ply,
    Stl => mesh::stl,
    ThreeMf => mesh::three_mf,
}

impl Format {
    /// All formats.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied()
    }

    /// The format that a file name's extension (without the dot, in any case) names.
    pub fn from_extension(extension: &str) -> Option<Self> {
        let extension = extension.to_ascii_lowercase();
        Self::all().find(|format| format.extensions().contains(&extension.as_str()))
    }

    /// The usual extension of its files, without the dot.
    pub fn extension(self) -> &'static str {
        self.extensions()[0]
    }

    /// All extensions of its files, without the dot.
    pub fn extensions(self) -> &'static [&'static str] {
        self.entry().extensions
    }

    /// What it is, in a few words.
    pub fn doc(self) -> &'static str {
        self.entry().doc
    }

    /// What its files hold.
    pub fn holds(self) -> Holds {
        self.entry().holds
    }

    /// Whether [`read`] can read it. All formats can be written.
    pub fn is_read(self) -> bool {
        self.entry().read.is_some()
    }

    /// Whether a setting changes its bytes.
    pub fn uses(self, setting: Setting) -> bool {
        self.entry().uses.contains(&setting)
    }

    /// Whether its samples are levels, which stand for heights only together with a [range](WriteOptions::range).
    pub fn has_levels(self) -> bool {
        self.uses(Setting::Range)
    }

    /// What its samples are, if a [side file](crate::side_file) has to tell it; nothing for a format that
    /// describes itself.
    pub fn side_file(self) -> Option<Sample> {
        self.entry().side_file
    }

    /// Checks that it can hold samples on these grid lines at this place, before there are any.
    ///
    /// # Errors
    /// If it cannot.
    pub fn check(self, lattice: &Lattice, place: Option<&Georeference>) -> Result<()> {
        self.entry().check.map_or(Ok(()), |check| check(lattice, place))
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
        (self.entry().write)(raster, &mut out, options)?;
        Ok(out.flush()?)
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.entry().name)
    }
}

/// Reads heights from the bytes of a file.
///
/// # Errors
/// If the bytes are not a heightmap of that format, or too many.
pub fn read(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<Heightmap> {
    options.check(format)?;
    let Some(read) = format.entry().read else {
        let readable = Format::all().filter(|format| format.is_read());
        let names: Vec<_> = readable.map(|format| format.to_string()).collect();
        let instead = format!("heightmaps are read from {}", names.join(", "));
        return Err(Error::Direction { format, action: "read", instead });
    };
    read(bytes, options)
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
    /// Where on the Earth the whole terrain lies, of which a GeoTIFF or an ASC may be a part.
    pub place: Option<&'a Georeference>,
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
