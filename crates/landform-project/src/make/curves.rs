//! Skylines as numbers: a table, an array, or JSON.

use std::fmt::Write as _;

use landform::Grid;
use landform::uplift::SkylinePeak;
use landform_io::npy;
use serde::Serialize;

use super::MadeFile;
use crate::{Error, Result, Sink};

/// Curves over the same horizon.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CurveTable {
    /// Width of a division, `Δ_x`.
    pub spacing: f64,
    /// The peaks that the first curve is the average of; none if it is no such average.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub peaks: Vec<SkylinePeak>,
    /// The curves, all as long.
    pub curves: Vec<NamedCurve>,
}

/// A curve and its name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NamedCurve {
    /// What it is, in a word.
    pub name: String,
    /// Heights from left to right.
    pub heights: Vec<f32>,
}

/// How curves are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CurveFormat {
    /// A table: place, then a column for each curve.
    Csv,
    /// An array with a row for each curve.
    Npy,
    /// Spacing, peaks and curves.
    Json,
}

impl CurveFormat {
    /// The format with this extension.
    pub fn of_extension(extension: &str) -> Option<Self> {
        Some(match extension {
            "csv" => Self::Csv,
            "npy" => Self::Npy,
            "json" => Self::Json,
            _ => return None,
        })
    }
}

/// Writes curves.
///
/// # Errors
/// Those of the sink.
pub fn curves(
    table: &CurveTable,
    format: CurveFormat,
    name: &str,
    sink: &mut dyn Sink,
) -> Result<MadeFile> {
    match format {
        CurveFormat::Csv => sink.put_text(name, &csv(table))?,
        CurveFormat::Json => {
            let json = serde_json::to_string_pretty(table);
            let json = json.map_err(|error| Error::Other(error.to_string()))?;
            sink.put_text(name, &(json + "\n"))?;
        }
        CurveFormat::Npy => {
            let width = table.curves.first().map_or(0, |curve| curve.heights.len());
            let rows = table.curves.iter().flat_map(|curve| curve.heights.iter().copied());
            let samples = Grid::from_vec(width, table.curves.len(), rows.collect());
            sink.put(name, &mut |out| npy::write(&samples, out))?;
        }
    }
    sink.finish()?;
    Ok(MadeFile::new(name, format!("{} curves", table.curves.len())))
}

fn csv(table: &CurveTable) -> String {
    let mut text = String::from("x");
    for curve in &table.curves {
        text += ",";
        text += &curve.name;
    }
    text.push('\n');
    let count = table.curves.first().map_or(0, |curve| curve.heights.len());
    for i in 0..count {
        let _ = write!(text, "{}", i as f64 * table.spacing);
        for curve in &table.curves {
            let _ = write!(text, ",{}", curve.heights[i]);
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Buffer;

    fn table() -> CurveTable {
        let curve = |name: &str, heights: &[f32]| NamedCurve {
            name: name.to_owned(),
            heights: heights.to_vec(),
        };
        let curves = vec![curve("uplift", &[0.0, 1.5, 0.25]), curve("brownian", &[3.0, 0.0, 1.0])];
        CurveTable { spacing: 2.5, peaks: Vec::new(), curves }
    }

    #[test]
    fn all_formats_have_the_same_numbers() {
        let mut files = Buffer::default();
        for (format, name) in [
            (CurveFormat::Csv, "a.csv"),
            (CurveFormat::Npy, "a.npy"),
            (CurveFormat::Json, "a.json"),
        ] {
            assert_eq!(CurveFormat::of_extension(&name[2..]), Some(format));
            curves(&table(), format, name, &mut files).unwrap();
        }
        let bytes = |name: &str| {
            let file = files.files.iter().find(|(known, _)| known == name);
            file.map(|(_, bytes)| bytes.clone()).unwrap()
        };
        let text = |name: &str| String::from_utf8(bytes(name)).unwrap();
        assert_eq!(text("a.csv"), "x,uplift,brownian\n0,0,3\n2.5,1.5,0\n5,0.25,1\n");
        let json: serde_json::Value = serde_json::from_str(&text("a.json")).unwrap();
        assert_eq!(json["curves"][1]["heights"], serde_json::json!([3.0, 0.0, 1.0]));
        let read = npy::read(&bytes("a.npy"), &landform_io::ReadOptions::default()).unwrap();
        assert_eq!(read.heights.samples(), [0.0, 1.5, 0.25, 3.0, 0.0, 1.0]);
    }
}
