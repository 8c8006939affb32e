//! What a reader returns, and how levels of whole numbers stand for metres.

use landform::georeference::Placed;
use landform::{Extent, Georeference, Grid, Lattice, Layer, Meaning, Terrain};

use crate::{Error, Format, Result};

/// The range that is assumed for levels when neither caller, file nor side-car tells one, in metres.
pub const ASSUMED_RANGE: [f64; 2] = [0.0, 1000.0];

/// The spacing that is assumed when neither caller, file nor side-car tells one, in metres.
pub const ASSUMED_SPACING: [f64; 2] = [1.0, 1.0];

/// Where a number came from that a file may or may not carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The caller gave it.
    Caller,
    /// It stands in the file, or the format defines it.
    File,
    /// It stands in a side-car of the file.
    SideCar,
    /// Nobody told: a default was taken, and a user should hear of it.
    Assumed,
}

/// Heights that were read from a file, and how far their scale is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightmap {
    /// Heights in metres: row 0 is the northernmost, column 0 the westernmost.
    pub heights: Grid,
    /// Δx and Δz in metres.
    pub spacing: [f64; 2],
    /// Where the ground lies, if the file says it: its origin is the first sample.
    pub place: Option<Georeference>,
    /// Where the spacing came from.
    pub spacing_from: Source,
    /// How the file's whole numbers stand for metres; nothing if it holds metres.
    pub levels: Option<Levels>,
    /// Where the vertical scale came from.
    pub scale_from: Source,
}

impl Heightmap {
    /// The grid lines on which the samples sit.
    pub fn lattice(&self) -> Lattice {
        let size = [self.heights.width(), self.heights.height()].map(|count| {
            u32::try_from(count).expect("readers refuse more than 2³² − 1 columns or rows")
        });
        Lattice { size, spacing: self.spacing }
    }

    /// The heights as a terrain of their own.
    pub fn into_terrain(self, sea_level: f64) -> Terrain {
        Terrain::new(self.lattice().whole(), sea_level, self.heights).with_place(self.place)
    }

    /// Where the ground lies, with its width and depth.
    pub fn placed(&self) -> Option<Placed> {
        let place = self.place.clone()?;
        Some(Placed { place, ground: self.lattice().ground() })
    }

    /// The heights as a recipe sees them: brightness where the file has levels, values where it has numbers.
    pub fn into_input(self) -> landform::Raster {
        let Some(levels) = self.levels else {
            return landform::Raster { samples: self.heights, meaning: Meaning::Values };
        };
        let [low, high] = levels.range;
        let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
        let samples = self.heights.map(|&height| ((f64::from(height) - low) * scale) as f32);
        let range = (self.scale_from != Source::Assumed).then_some(levels.range);
        landform::Raster { samples, meaning: Meaning::Brightness(range) }
    }

    /// The heights as a raster that can be written.
    pub fn raster(&self) -> Raster<'_> {
        Raster { samples: &self.heights, spacing: self.spacing, origin: [0.0; 2], unit: "m" }
    }
}

/// Samples of one layer with all that a file may want to say about them.
#[derive(Clone, Copy, Debug)]
pub struct Raster<'a> {
    /// The samples.
    pub samples: &'a Grid,
    /// Δx and Δz in metres.
    pub spacing: [f64; 2],
    /// x and z of the first sample in metres: not zero for a tile.
    pub origin: [f64; 2],
    /// The unit of the samples; "1" for a plain number.
    pub unit: &'a str,
}

impl<'a> Raster<'a> {
    /// `samples` of the layer `layer` over `extent`.
    pub fn new(samples: &'a Grid, layer: &Layer, extent: &Extent) -> Self {
        let origin = [extent.x(0), extent.z(0)];
        Self { samples, spacing: extent.lattice().spacing, origin, unit: layer.unit() }
    }

    /// The height of a terrain.
    pub fn height(terrain: &'a Terrain) -> Self {
        Self::new(terrain.height(), &Layer::Height, terrain.extent())
    }

    /// Grid lines as many and as far apart as the samples.
    pub(crate) fn lattice(&self) -> Lattice {
        let size = [self.width() as u32, self.rows() as u32];
        Lattice { size, spacing: self.spacing }
    }

    pub(crate) fn width(&self) -> usize {
        self.samples.width()
    }

    pub(crate) fn rows(&self) -> usize {
        self.samples.height()
    }

    /// Fails unless every sample is a number in `low ..= high`, which must be finite.
    pub(crate) fn check_within(&self, format: Format, [low, high]: [f64; 2]) -> Result<()> {
        let within = |&height: &f32| f64::from(height) >= low && f64::from(height) <= high;
        // Rows first, so that the common case runs without a branch for each sample.
        let row_is_within = |row: &[f32]| row.iter().fold(true, |all, height| all & within(height));
        let Some(row) = self.samples.rows().position(|row| !row_is_within(row)) else {
            return Ok(());
        };
        let samples = self.samples.row(row);
        let column = samples.iter().position(|height| !within(height)).unwrap_or(0);
        let expected = if low <= f64::from(f32::MIN) && high >= f64::from(f32::MAX) {
            "a finite number".to_owned()
        } else {
            format!("within {low} … {high} m")
        };
        Err(Error::Height { format, column, row, height: samples[column], expected })
    }

    /// Fails unless every sample is a finite number.
    pub(crate) fn check_finite(&self, format: Format) -> Result<()> {
        self.check_within(format, [f64::from(f32::MIN), f64::from(f32::MAX)])
    }
}

/// Whole numbers that stand for metres: level 0 is `range[0]`, the highest level is `range[1]`.
///
/// A range of zero is allowed: all levels then stand for the same height, and level 0 is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// Bits of a sample.
    pub bits: u32,
    /// Heights of the lowest and the highest level in metres.
    pub range: [f64; 2],
}

impl Levels {
    /// 16-bit levels over a range.
    pub fn u16(range: [f64; 2]) -> Self {
        Self { bits: 16, range }
    }

    /// The highest level.
    pub fn top(&self) -> f64 {
        ((1_u64 << self.bits) - 1) as f64
    }

    /// Metres from one level to the next.
    pub fn step(&self) -> f64 {
        (self.range[1] - self.range[0]) / self.top()
    }

    /// The height of a level.
    #[inline]
    pub fn metres(&self, level: f64) -> f32 {
        (self.range[0] + level / self.top() * (self.range[1] - self.range[0])) as f32
    }

    /// Turns heights within the range into the nearest levels.
    pub(crate) fn quantise(&self, heights: &[f32], levels: &mut [u16]) {
        let [low, high] = self.range;
        let scale = if high > low { self.top() / (high - low) } else { 0.0 };
        for (level, &height) in levels.iter_mut().zip(heights) {
            *level = ((f64::from(height) - low) * scale + 0.5) as i32 as u16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_the_range_are_the_first_and_the_last_level() {
        let levels = Levels::u16([-100.0, 700.0]);
        let mut written = [0; 3];
        levels.quantise(&[-100.0, 300.0, 700.0], &mut written);
        assert_eq!(written, [0, 32768, 65535]);
        assert_eq!(levels.metres(65535.0), 700.0);
        assert_eq!(levels.metres(0.0), -100.0);
    }

    #[test]
    fn a_flat_range_is_level_zero_and_reads_back() {
        let levels = Levels::u16([12.5, 12.5]);
        let mut written = [7];
        levels.quantise(&[12.5], &mut written);
        assert_eq!(written, [0]);
        assert_eq!(levels.metres(0.0), 12.5);
        assert_eq!(levels.metres(65535.0), 12.5);
    }

    #[test]
    fn the_first_wrong_height_is_named() {
        let samples = Grid::from_vec(2, 2, vec![0.0, 1.0, 2.0, f32::NAN]);
        let raster = Raster { samples: &samples, spacing: [1.0; 2], origin: [0.0; 2], unit: "m" };
        let error = raster.check_finite(Format::Png).unwrap_err().to_string();
        assert_eq!(error, "PNG: the height at column 1, row 1 is NaN, but must be a finite number");
        let error = raster.check_within(Format::Png, [0.0, 1.5]).unwrap_err().to_string();
        assert!(error.contains("column 0, row 1 is 2, but must be within 0 … 1.5 m"), "{error}");
    }
}
