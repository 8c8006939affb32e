//! SRTM `.hgt`: whole metres over one degree of the Earth.
//!
//! 1201 × 1201 (three arc seconds) or 3601 × 3601 samples (one), 16 bits, big-endian, the northernmost row first, no header;
//! −32768 is no data, read and written as NaN. The name says where the south-west sample lies: `N51E010.hgt`.
//!
//! Heights are rounded to whole metres, which shows as steps on gentle ground. Only those two sizes exist, and others are refused.
//! The spacing that is told is that at the equator, since the file does not know its latitude: [`spacing_at`] does, and [`place_of`] where the
//! tile lies. A terrain that lies in degrees is written as the tile that its window is, under the [right name](check_tile).
//!
//! Source: NASA, "SRTM Topography" (SRTM_Topo.txt).

use std::io::Write;

use landform::{Crs, Extent, Georeference, Grid, Lattice};

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

/// Where a tile lies whose south-west corner has this latitude and longitude, on a map with this spacing in metres.
pub fn place_of([south, west]: [f64; 2], [dx, dz]: [f64; 2], side: usize) -> Georeference {
    let step = 1.0 / (side - 1).max(1) as f64;
    Georeference {
        crs: Crs::Geographic(4326),
        origin: [west, south + 1.0],
        x_axis: [step / dx, 0.0],
        z_axis: [0.0, -step / dz],
    }
}

/// The name of the tile whose south-west corner has this latitude and longitude, in whole degrees.
pub fn name_of([south, west]: [i32; 2]) -> String {
    let (n, e) = (if south < 0 { 'S' } else { 'N' }, if west < 0 { 'W' } else { 'E' });
    format!("{n}{:02}{e}{:03}.hgt", south.abs(), west.abs())
}

/// Checks that a window of a terrain that lies in degrees is the tile that `name` says.
///
/// # Errors
/// If it is another window, with the one that would be it, or another tile.
pub fn check_tile(name: &str, place: &Georeference, extent: &Extent) -> Result<()> {
    let [dx, dz] = extent.lattice().spacing;
    let (width, height) = (extent.width(), extent.height());
    let unfit = |reason: String| Err(Error::Unfit { format: Format::Hgt, width, height, reason });
    let [i, j] = extent.origin().map(f64::from);
    let first = place.of_place([i * dx, j * dz]);
    let last = [i + (width - 1) as f64, j + (height - 1) as f64];
    let last = place.of_place([last[0] * dx, last[1] * dz]);
    let is_whole = |at: f64| (at - at.round()).abs() < 1e-6;
    let is_degree =
        (last[0] - first[0] - 1.0).abs() < 1e-6 && (first[1] - last[1] - 1.0).abs() < 1e-6;
    if is_degree && is_whole(first[0]) && is_whole(first[1]) {
        let right = name_of([last[1].round() as i32, first[0].round() as i32]);
        if name.eq_ignore_ascii_case(&right) {
            return Ok(());
        }
        return unfit(format!("this window is the tile {right}, and must be called so"));
    }
    let Some([south, west]) = corner_of(name) else {
        return unfit(format!(
            "{name} is no name of a tile, such as N51E010.hgt, which says where it lies"
        ));
    };
    // The grid of three arc seconds over the same ground as the terrain.
    let cells = (SIDES[0] - 1) as f64;
    let ground = extent.lattice().ground();
    let corner = place.of_place(ground);
    let size = [0, 1].map(|axis| (corner[axis] - place.origin[axis]).abs() * cells);
    let at = [(west - place.origin[0]) * cells, (place.origin[1] - south - 1.0) * cells];
    let is_on = (0..2).all(|axis| at[axis] > -0.5 && at[axis] + cells < size[axis] + 0.5);
    if !is_on || !size.into_iter().chain(at).all(is_whole) {
        return unfit(format!("the terrain has no tile {name} of whole degrees"));
    }
    unfit(format!(
        "{name} is one degree: give the terrain {} × {} samples, and take the window {},{},{},{} of it",
        size[0].round() + 1.0,
        size[1].round() + 1.0,
        at[0].round() + 0.0,
        at[1].round() + 0.0,
        SIDES[0],
        SIDES[0]
    ))
}

/// South-west corner (latitude and longitude in degrees) from a name such as `S34W071.hgt`; nothing if no tile on the Earth has it.
pub fn corner_of(name: &str) -> Option<[f64; 2]> {
    let name = name.get(..7)?.to_ascii_uppercase();
    let part = |text: &str, plus: char, minus: char| {
        let digits = text.get(1..)?;
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let degrees: u16 = digits.parse().ok()?;
        let sign = if text.starts_with(plus) {
            1.0
        } else if text.starts_with(minus) {
            -1.0
        } else {
            return None;
        };
        Some(sign * f64::from(degrees))
    };
    let corner = [part(name.get(..3)?, 'N', 'S')?, part(name.get(3..)?, 'E', 'W')?];
    let is_on_earth = (-90.0..90.0).contains(&corner[0]) && (-180.0..180.0).contains(&corner[1]);
    is_on_earth.then_some(corner)
}

/// Writes a tile, rounding to whole metres.
///
/// # Errors
/// If it has not one of the two sizes, a height is infinite or beyond ±32767 m, or writing fails.
pub fn write(raster: &Raster<'_>, out: &mut (impl Write + ?Sized)) -> Result<()> {
    let width = raster.width();
    check(&raster.lattice(), None)?;
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
pub(crate) fn check(lattice: &Lattice, _: Option<&Georeference>) -> Result<()> {
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
    Ok(Heightmap {
        heights,
        place: None,
        spacing,
        spacing_from,
        levels: None,
        scale_from: Source::File,
    })
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
        assert_eq!(corner_of("S90W180.hgt"), Some([-90.0, -180.0]));
        assert_eq!(corner_of("N89E179.hgt"), Some([89.0, 179.0]));
        // Such tiles are not on the Earth, and a sign is no digit.
        for name in ["N90E000.hgt", "S91E000.hgt", "N99E010.hgt", "N10E180.hgt", "N+9E010.hgt"] {
            assert_eq!(corner_of(name), None, "{name}");
        }
        assert_eq!(corner_of("height.hgt"), None);
        assert_eq!(corner_of("Ü"), None);
        let [dx, dz] = spacing_at(60.0, 3601);
        assert!((dz - 30.887).abs() < 0.001 && (dx / dz - 0.5).abs() < 1e-9);
    }
}
