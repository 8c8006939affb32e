//! Esri ASCII grid (`.asc`): metres as text.
//!
//! ```text
//! ncols 3
//! nrows 2
//! xllcenter 0
//! yllcenter -10
//! cellsize 10
//! NODATA_value -9999
//! 1.5 2 2.25        the northernmost row first
//! 1 0 0.5
//! ```
//!
//! There is one cell size, so cells must be square: a terrain with Δx ≠ Δz is refused. Samples are points, so the corner is
//! told as the *centre* of the south-west cell. Heights are written so that they read back to the same bits; NaN is written as
//! the number for no data, infinities are refused. Read are centre and corner, any order and case of the keys, and rows broken
//! anywhere. Source: Esri, "ASCII raster format"; GDAL, "AAIGrid".

use std::io::Write;

use landform::{Crs, Georeference, Grid, Lattice, par};

use crate::error::beginning;
use crate::format::{FormatEntry, Holds, Setting};
use crate::heightmap::Source;
use crate::{Error, Format, Heightmap, Raster, ReadOptions, Result, WriteOptions};

/// Rows of text that are made side by side.
const BATCH: usize = 64;

/// What the table of formats says about it.
pub(crate) static FORMAT: FormatEntry = FormatEntry {
    name: "ASC",
    doc: "Esri ASCII grid: metres as text, in square cells",
    extensions: &["asc"],
    holds: Holds::Heights,
    uses: &[Setting::Place],
    side_file: None,
    check: Some(check),
    write: |raster, out, options| write(raster, out, options),
    read: Some(read),
};

/// Checks that cells are as wide as they are long, in the coordinates of the place.
pub(crate) fn check(lattice: &Lattice, place: Option<&Georeference>) -> Result<()> {
    let ([width, height], [dx, dz]) = (lattice.size.map(|count| count as usize), lattice.spacing);
    let unfit = |reason: String| Err(Error::Unfit { format: Format::Asc, width, height, reason });
    if place.is_some_and(|place| !place.is_north_up()) {
        return unfit("its rows do not run to the east, as those of ASC do".to_owned());
    }
    let cell = place.map_or([dx, dz], |place| [place.x_axis[0] * dx, -place.z_axis[1] * dz]);
    if (cell[0] - cell[1]).abs() <= 1e-9 * cell[0] {
        return Ok(());
    }
    let unit = if place.is_some_and(|place| place.crs.is_degrees()) { "°" } else { "m" };
    unfit(format!(
        "cells are {} × {} {unit}, but ASC has one size for both sides",
        cell[0], cell[1]
    ))
}

/// Writes the grid.
///
/// # Errors
/// If cells are not square, a height is infinite, or writing fails.
pub fn write(
    raster: &Raster<'_>,
    out: &mut (impl Write + ?Sized),
    options: &WriteOptions<'_>,
) -> Result<()> {
    let (width, height) = (raster.width(), raster.rows());
    let [dx, dz] = raster.spacing;
    let local = Georeference::metres(Crs::Local, [0.0; 2]);
    let place = options.place.unwrap_or(&local);
    check(&raster.lattice(), Some(place))?;
    if let Some(at) = raster.samples.samples().iter().position(|sample| sample.is_infinite()) {
        let (column, row, height) = (at % width, at / width, raster.samples.samples()[at]);
        let expected = "finite, or NaN for no data".to_owned();
        return Err(Error::Height { format: Format::Asc, column, row, height, expected });
    }
    let void = void_below(raster.samples.range().0);
    let [x, z] = raster.origin;
    let [west, south] = place.of_place([x, z + (height - 1) as f64 * dz]);
    let cell = place.x_axis[0] * dx;
    write!(out, "ncols {width}\nnrows {height}\nxllcenter {west}\nyllcenter {south}\n")?;
    write!(out, "cellsize {cell}\nNODATA_value {void}\n")?;
    let mut texts = vec![String::new(); BATCH.min(height)];
    for first in (0..height).step_by(BATCH) {
        let batch = &mut texts[..(height - first).min(BATCH)];
        par::for_each_part(batch, 1, 1, |k, text| {
            use std::fmt::Write as _;
            text[0].clear();
            for (i, &sample) in raster.samples.row(first + k).iter().enumerate() {
                let separator = if i == 0 { "" } else { " " };
                let sample = if sample.is_nan() { void } else { sample };
                write!(text[0], "{separator}{sample}").expect("a string takes all text");
            }
            text[0].push('\n');
        });
        for text in batch {
            out.write_all(text.as_bytes())?;
        }
    }
    Ok(())
}

/// A number for no data that is no height: −9999, unless the ground goes that low.
fn void_below(lowest: f32) -> f32 {
    [-9999.0, -99999.0, -1e30].into_iter().find(|&void| void < lowest).unwrap_or(f32::MIN)
}

/// Reads a grid.
///
/// # Errors
/// If the text is no such grid.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Heightmap> {
    let malformed = |offset: u64, found: &str, expected: &str| {
        let found: String = found.chars().take(24).collect();
        Error::malformed(Format::Asc, offset, format!("{found:?}"), expected)
    };
    let text = std::str::from_utf8(bytes)
        .map_err(|_| Error::malformed(Format::Asc, None, beginning(bytes), "text"))?;
    let mut words = Words { text, at: 0 };
    let header = Header::read(&mut words, &malformed)?;
    let count = options.limits.samples(Format::Asc, header.width, header.height)?;
    // A sample takes a digit and a space at least.
    let most = (text.len() - words.at) as u64 / 2 + 1;
    if count as u64 > most {
        let (found, expected) = (bytes.len() as u64, words.at as u64 + 2 * count as u64 - 1);
        return Err(Error::Truncated { format: Format::Asc, found, expected });
    }
    let mut samples = Vec::with_capacity(count);
    while let Some((at, word)) = words.next_word() {
        let number: f64 = word.parse().map_err(|_| malformed(at, word, "a number"))?;
        if samples.len() == count {
            return Err(malformed(at, word, "no more samples than ncols × nrows"));
        }
        // Compared as written, before it is rounded.
        samples.push(if number == header.void { f32::NAN } else { number as f32 });
    }
    if samples.len() != count {
        let found = format!("{} samples", samples.len());
        return Err(Error::malformed(Format::Asc, None, found, format!("{count}")));
    }
    let (spacing, spacing_from) = options.spacing(Some(header.spacing));
    let heights = Grid::from_vec(header.width as usize, header.height as usize, samples);
    let (heights, scale_from) = match options.given.range {
        Some([low, high]) => {
            let metres = |sample: &f32| (low + f64::from(*sample) * (high - low)) as f32;
            (heights.map(metres), Source::Caller)
        }
        None => (heights, Source::File),
    };
    let place = header.place(spacing);
    Ok(Heightmap { heights, place, spacing, spacing_from, levels: None, scale_from })
}

struct Header {
    width: u64,
    height: u64,
    spacing: [f64; 2],
    /// Easting and northing of the south-west sample or corner, and which.
    south_west: [Option<(f64, bool)>; 2],
    void: f64,
}

impl Header {
    /// Where the first sample lies, on a map with this spacing in metres: metres of a system that the file does not name.
    fn place(&self, spacing: [f64; 2]) -> Option<Georeference> {
        let [dx, dz] = self.spacing;
        let at = |axis: usize, step: f64| {
            self.south_west[axis]
                .map(|(at, is_corner)| if is_corner { at + 0.5 * step } else { at })
        };
        let north = at(1, dz)? + (self.height - 1) as f64 * dz;
        let place = Georeference {
            crs: Crs::Local,
            origin: [at(0, dx)?, north],
            x_axis: [dx / spacing[0], 0.0],
            z_axis: [0.0, -dz / spacing[1]],
        };
        let nowhere = Georeference::metres(Crs::Local, [0.0; 2]);
        (place.is_sound() && place != nowhere).then_some(place)
    }

    fn read(words: &mut Words<'_>, malformed: &impl Fn(u64, &str, &str) -> Error) -> Result<Self> {
        let (mut width, mut height, mut dx, mut dz) = (None, None, None, None);
        let (mut void, mut south_west) = (-9999.0, [None; 2]);
        loop {
            let before = words.at;
            let Some((at, key)) = words.next_word() else { break };
            if !key.starts_with(|first: char| first.is_ascii_alphabetic())
                || key.eq_ignore_ascii_case("nan")
            {
                words.at = before;
                break;
            }
            let (value_at, value) =
                words.next_word().ok_or_else(|| malformed(at, key, "a number after it"))?;
            let count = || value.parse::<u32>().map(u64::from);
            let number = || value.parse::<f64>();
            let wrong = |expected| malformed(value_at, value, expected);
            let positive = || {
                let step = number().ok().filter(|&step| step > 0.0 && step.is_finite());
                step.ok_or_else(|| wrong("a size above 0"))
            };
            match key.to_ascii_lowercase().as_str() {
                "ncols" => width = Some(count().map_err(|_| wrong("a number of columns"))?),
                "nrows" => height = Some(count().map_err(|_| wrong("a number of rows"))?),
                "cellsize" => {
                    dx = Some(positive()?);
                    dz = dx;
                }
                "dx" => dx = Some(positive()?),
                "dy" => dz = Some(positive()?),
                "nodata_value" => void = number().map_err(|_| wrong("a number"))?,
                "xllcenter" | "xllcorner" | "yllcenter" | "yllcorner" => {
                    let at = number().map_err(|_| wrong("a coordinate"))?;
                    let key = key.to_ascii_lowercase();
                    let axis = usize::from(key.starts_with('y'));
                    south_west[axis] = Some((at, key.ends_with("corner")));
                }
                _ => return Err(malformed(at, key, "ncols, nrows, cellsize or the like")),
            }
        }
        let missing = |key: &str| malformed(words.at as u64, "the samples", key);
        Ok(Self {
            width: width.ok_or_else(|| missing("ncols before them"))?,
            height: height.ok_or_else(|| missing("nrows before them"))?,
            spacing: [
                dx.ok_or_else(|| missing("cellsize before them"))?,
                dz.ok_or_else(|| missing("cellsize before them"))?,
            ],
            south_west,
            void,
        })
    }
}

/// Words between white space, with their places.
struct Words<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Words<'a> {
    fn next_word(&mut self) -> Option<(u64, &'a str)> {
        let rest = &self.text[self.at..];
        let start = rest.find(|c: char| !c.is_ascii_whitespace())?;
        let word = &rest[start..];
        let word = &word[..word.find(|c: char| c.is_ascii_whitespace()).unwrap_or(word.len())];
        let at = self.at + start;
        self.at = at + word.len();
        Some((at as u64, word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<Heightmap> {
        read(text.as_bytes(), &ReadOptions::default())
    }

    #[test]
    fn keys_may_come_in_any_case_and_rows_be_broken() {
        let text =
            "NROWS 2\r\nNCOLS 2\r\nXLLCORNER 5\r\nYLLCORNER 6\r\nCELLSIZE 30\r\n1 2\r\n3\r\n-9999";
        let map = read_text(text).unwrap();
        assert_eq!(map.heights.samples()[..3], [1.0, 2.0, 3.0]);
        assert!(map.heights[(1, 1)].is_nan());
        assert_eq!((map.spacing, map.spacing_from), ([30.0, 30.0], Source::File));
    }

    #[test]
    fn the_centre_of_the_last_row_is_told() {
        let samples = Grid::from_vec(2, 3, vec![0.0, 1.0, 2.0, f32::NAN, 4.0, 5.5]);
        let raster =
            Raster { samples: &samples, spacing: [10.0; 2], origin: [20.0, 30.0], unit: "m" };
        let mut bytes = Vec::new();
        write(&raster, &mut bytes, &WriteOptions::default()).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.starts_with("ncols 2\nnrows 3\nxllcenter 20\nyllcenter -50\ncellsize 10\n"));
        assert!(text.ends_with("\n0 1\n2 -9999\n4 5.5\n"));
        let oblong = Raster { spacing: [1.0, 2.0], ..raster };
        let error = write(&oblong, &mut Vec::new(), &WriteOptions::default()).unwrap_err();
        assert!(error.to_string().contains("cells are 1 × 2 m"), "{error}");
    }

    #[test]
    fn a_void_is_never_a_height() {
        assert_eq!(void_below(0.0), -9999.0);
        assert_eq!(void_below(-9999.0), -99999.0);
    }

    #[test]
    fn wrong_texts_are_named_with_their_place() {
        let head = "ncols 2\nnrows 1\ncellsize 1\n";
        for (text, what) in [
            ("ncols 2\n1 2", "nrows before them"),
            ("ncols two\n", "found \"two\" at byte 6, expected a number of columns"),
            ("ncols 2\nnrows 1\ncellsize 0\n", "a size above 0"),
            (&format!("{head}1 x"), "found \"x\" at byte 29"),
            (&format!("{head}1"), "1 samples"),
            (&format!("{head}1 2 3"), "no more samples"),
            ("ncols 90000\nnrows 9000\ncellsize 1\n1 2", "are needed"),
            ("colour 3\n", "ncols, nrows, cellsize"),
        ] {
            let error = read_text(text).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }
}
