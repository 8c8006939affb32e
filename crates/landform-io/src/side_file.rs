//! `NAME.r16.json`: what the [file without a header](crate::raw) beside it cannot say of itself.
//!
//! ```json
//! {
//!   "version": 1,
//!   "generator": "landform 0.1.0",
//!   "size": [1025, 1025],
//!   "type": "uint16",
//!   "byte_order": "little",
//!   "row_order": "north_first",
//!   "min": 12.5,
//!   "max": 845.25,
//!   "unit": "m",
//!   "spacing": [10.0, 10.0]
//! }
//! ```
//!
//! Level 0 of a `uint16` stands for `min` and level 65535 for `max`; a `float32` is the value itself, and they are the least and the greatest.

use std::path::{Path, PathBuf};

use landform::Georeference;
use serde::{Deserialize, Serialize};

use crate::format::{Endian, RowOrder};
use crate::{Error, Format, Raster, Result, Scale, WriteOptions};

/// The version of the description that is written, and the highest that is read.
pub const VERSION: u32 = 1;

/// What a file without a header holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SideFile {
    /// Version of this description: [`VERSION`].
    pub version: u32,
    /// The program that wrote it, with its version.
    #[serde(default)]
    pub generator: String,
    /// Number of columns and rows.
    pub size: [u32; 2],
    /// What a sample is.
    #[serde(rename = "type")]
    pub sample: Sample,
    /// The order of the bytes of a sample.
    pub byte_order: Endian,
    /// The order of the rows.
    pub row_order: RowOrder,
    /// What the lowest level stands for, or the least sample.
    pub min: f64,
    /// What the highest level stands for, or the greatest sample.
    pub max: f64,
    /// Unit of `min` and `max`; "1" for plain numbers.
    pub unit: String,
    /// Δx and Δz in metres.
    pub spacing: [f64; 2],
    /// Where the ground lies, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Georeference>,
}

/// What a sample of a file without a header is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sample {
    /// A level from 0 to 65535.
    Uint16,
    /// The value itself.
    Float32,
}

/// The name of the side file of `path`.
pub fn path_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

impl SideFile {
    /// Describes `raster`, written as `format`; nothing for formats that describe themselves.
    pub fn of(raster: &Raster<'_>, format: Format, options: &WriteOptions<'_>) -> Option<Self> {
        let sample = format.side_file()?;
        let (low, high) = crate::manifest::finite_range(raster.samples);
        let samples = [f64::from(low), f64::from(high)];
        let [min, max] = match sample {
            Sample::Uint16 => options.range.unwrap_or(samples),
            Sample::Float32 => samples,
        };
        Some(Self {
            version: VERSION,
            generator: concat!("landform ", env!("CARGO_PKG_VERSION")).to_owned(),
            size: [raster.width() as u32, raster.rows() as u32],
            sample,
            byte_order: options.endian,
            row_order: options.rows,
            min,
            max,
            unit: raster.unit.to_owned(),
            spacing: raster.spacing,
            place: options.place.map(|place| place.moved(raster.origin)),
        })
    }

    /// What readers take from it.
    pub fn scale(&self) -> Scale {
        let range = (self.sample == Sample::Uint16).then_some([self.min, self.max]);
        Scale { size: Some(self.size), spacing: Some(self.spacing), range }
    }

    /// The text of the file.
    pub fn to_json(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.expect("a struct of numbers and strings has a JSON form") + "\n"
    }

    /// Reads the text of the file.
    ///
    /// # Errors
    /// If it is no such description, or one of a later version.
    pub fn from_json(bytes: &[u8]) -> Result<Self> {
        let wrong = |found: String, expected: &str| {
            Error::malformed(Format::R16, None, found, expected.to_owned())
        };
        let side: Self = serde_json::from_slice(bytes).map_err(|error| {
            wrong(error.to_string(), "a description of a file without a header")
        })?;
        if side.version == 0 || side.version > VERSION {
            return Err(wrong(format!("version {}", side.version), &format!("1 … {VERSION}")));
        }
        Ok(side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use landform::Grid;

    #[test]
    fn what_is_described_reads_back() {
        let samples = Grid::from_vec(3, 2, vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.5]);
        let raster = Raster { samples: &samples, spacing: [2.0, 3.0], origin: [0.0; 2], unit: "m" };
        let options = WriteOptions {
            range: Some([-10.0, 90.0]),
            endian: Endian::Big,
            ..WriteOptions::default()
        };
        let side = SideFile::of(&raster, Format::R16, &options).unwrap();
        assert_eq!(SideFile::from_json(side.to_json().as_bytes()).unwrap(), side);
        assert!(side.to_json().contains("\"type\": \"uint16\""), "{}", side.to_json());
        assert!(side.to_json().contains("\"byte_order\": \"big\""), "{}", side.to_json());
        assert_eq!(side.scale().range, Some([-10.0, 90.0]));
        let plain = SideFile::of(&raster, Format::R32, &options).unwrap();
        assert_eq!((plain.min, plain.max, plain.scale().range), (0.0, 5.5, None));
        assert!(SideFile::of(&raster, Format::Png, &options).is_none());
        assert_eq!(path_of(Path::new("a/b.r16")), Path::new("a/b.r16.json"));
        let later = side.to_json().replace("\"version\": 1", "\"version\": 2");
        assert!(SideFile::from_json(later.as_bytes()).is_err());
        assert!(SideFile::from_json(b"{}").is_err());
    }
}
