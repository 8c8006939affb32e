//! SRTM `.hgt`: whole metres over one degree of the Earth.
//!
//! 1201 × 1201 (three arc seconds) or 3601 × 3601 samples (one), 16 bits, big-endian, the northernmost row first, no header;
//! −32768 is no data, read and written as NaN. The name says where the south-west sample lies: `N51E010.hgt`.
//!
//! Heights are rounded to whole metres, which shows as steps on gentle ground. Only those two sizes exist, and others are refused.
//! The spacing that is told is that at the equator, since the file does not know its latitude: [`spacing_at`] does.
//!
//! Source: NASA, "SRTM Topography" (SRTM_Topo.txt).

use std::io::Write;

use landform::{Grid, Lattice};

use crate::format::{FormatEntry, Holds};
use crate::heightmap::Source;
use crate::tiff::metres_at;
use crate::{Error, Format, Heightmap, Raster, ReadOptions, Result};

const VOID: i16 = i16::MIN;
const SIDES: [usize; 2] = [1201, 3601];

/// What the table of formats says about it.
pub(crate) static FORMAT: FormatEntry = FormatEntry {
    name: "HGT",
    doc: "SRTM tile: whole metres over one degree",
    extensions: &["hgt"],
    holds: Holds::Heights,
    uses: &[],
    side_file: None,
    check: Some(check),
    write: |raster, out, _| write(raster, out),
    read: Some(read),
};

/// Δx and Δz in metres of a tile of `side` samples whose middle is at a latitude.
pub fn spacing_at(latitude_degrees: f64, side: usize) -> [f64; 2] {
    metres_at([1.0 / (side - 1).max(1) as f64; 2], latitude_degrees)
}

/// South-west corner (latitude and longitude in degrees) from a name such as `S34W071.hgt`.
pub fn corner_of(name: &str) -> Option<[f64; 2]> {
    let name = name.get(..7)?.to_ascii_uppercase();
    let part = |text: &str, plus: char, minus: char| {
        let degrees: u16 = text.get(1..)?.parse().ok()?;
        let sign = if text.starts_with(plus) {
            1.0
        } else if text.starts_with(minus) {
            -1.0
        } else {
            return None;
        };
        Some(sign * f64::from(degrees))
    };
    Some([part(name.get(..3)?, 'N', 'S')?, part(name.get(3..)?, 'E', 'W')?])
}

/// Writes a tile, rounding to whole metres.
///
/// # Errors
/// If it has not one of the two sizes, a height is infinite or beyond ±32767 m, or writing fails.
pub fn write(raster: &Raster<'_>, out: &mut (impl Write + ?Sized)) -> Result<()> {
    let width = raster.width();
    check(&raster.lattice())?;
    let fits = |sample: f32| sample.is_nan() || sample.abs() <= 32767.0;
    let samples = raster.samples.samples();
    if let Some(at) = samples.iter().position(|&sample| !fits(sample)) {
        let (column, row, height) = (at % width, at / width, samples[at]);
        let expected = "within −32767 … 32767 m, or NaN for no data".to_owned();
        return Err(Error::Height { format: Format::Hgt, column, row, height, expected });
    }
    let mut bytes = Vec::with_capacity(2 * width);
    for row in raster.samples.rows() {
        let level = |sample: &f32| if sample.is_nan() { VOID } else { sample.round() as i16 };
        bytes.clear();
        bytes.extend(row.iter().flat_map(|sample| level(sample).to_be_bytes()));
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// Checks that the size is one of the two.
pub(crate) fn check(lattice: &Lattice) -> Result<()> {
    let [width, height] = lattice.size.map(|count| count as usize);
    if width == height && SIDES.contains(&width) {
        return Ok(());
    }
    let reason = "it must be 1201 × 1201 or 3601 × 3601".to_owned();
    Err(Error::Unfit { format: Format::Hgt, width, height, reason })
}

/// Reads a tile.
///
/// # Errors
/// If it has not the length of one of the two sizes.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Heightmap> {
    let Some(side) = SIDES.into_iter().find(|side| 2 * side * side == bytes.len()) else {
        let (found, expected) =
            (format!("{} bytes", bytes.len()), "2884802 (1201 × 1201) or 25934402 (3601 × 3601)");
        return Err(Error::malformed(Format::Hgt, None, found, expected));
    };
    options.limits.samples(Format::Hgt, side as u64, side as u64)?;
    let metres = |bytes: &[u8; 2]| match i16::from_be_bytes(*bytes) {
        VOID => f32::NAN,
        metres => f32::from(metres),
    };
    let heights = Grid::from_vec(side, side, bytes.as_chunks::<2>().0.iter().map(metres).collect());
    let (spacing, spacing_from) = options.spacing(Some(spacing_at(0.0, side)));
    Ok(Heightmap { heights, spacing, spacing_from, levels: None, scale_from: Source::File })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_reads_back_to_half_a_metre_and_keeps_its_voids() {
        let mut samples = Grid::from_fn(1201, 1201, |i, j| i as f32 * 0.7 - j as f32 * 0.4);
        samples[(3, 4)] = f32::NAN;
        let raster = Raster { samples: &samples, spacing: [90.0; 2], origin: [0.0; 2], unit: "m" };
        let mut bytes = Vec::new();
        write(&raster, &mut bytes).unwrap();
        // The second sample of the first row is 0.7 m: one metre, big-endian.
        assert_eq!(bytes[..4], [0, 0, 0, 1]);
        let back = read(&bytes, &ReadOptions::default()).unwrap().heights;
        assert!(back[(3, 4)].is_nan());
        let off = |(a, b): (&f32, &f32)| a.is_nan() || (a - b).abs() <= 0.5;
        assert!(back.samples().iter().zip(samples.samples()).all(off));
    }

    #[test]
    fn other_sizes_and_heights_are_refused() {
        let small = Grid::filled(512, 512, 0.0);
        let raster = |samples| Raster { samples, spacing: [1.0; 2], origin: [0.0; 2], unit: "m" };
        assert!(write(&raster(&small), &mut Vec::new()).is_err());
        let high = Grid::filled(1201, 1201, 40_000.0);
        assert!(write(&raster(&high), &mut Vec::new()).is_err());
        assert!(read(&[0; 100], &ReadOptions::default()).is_err());
    }

    #[test]
    fn the_name_is_the_south_west_corner() {
        assert_eq!(corner_of("N51E010.hgt"), Some([51.0, 10.0]));
        assert_eq!(corner_of("s34w071.HGT"), Some([-34.0, -71.0]));
        assert_eq!(corner_of("height.hgt"), None);
        assert_eq!(corner_of("Ü"), None);
        let [dx, dz] = spacing_at(60.0, 3601);
        assert!((dz - 30.887).abs() < 0.001 && (dx / dz - 0.5).abs() < 1e-9);
    }
}
