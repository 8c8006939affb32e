//! Samples without a header: `.raw`, `.r16` ([16-bit levels](r16)) and `.r32` ([f32 metres](r32)).
//!
//! The file is its samples, row by row, and nothing else. So size, byte order, row order and scale must come
//! from elsewhere: the caller, or a side-car. Unknown, the file is taken as square, little-endian, north
//! first, one metre apart, and its levels as [`ASSUMED_RANGE`](crate::heightmap::ASSUMED_RANGE).
//!
//! R32 keeps NaN and infinities; R16 refuses them.

pub mod r16;
pub mod r32;

use landform::Grid;

use crate::format::RowOrder;
use crate::{Error, Format, Raster, ReadOptions, Result};

/// The row of the grid that comes as the `j`th in the file.
fn stored_row(raster: &Raster<'_>, j: usize, rows: RowOrder) -> usize {
    match rows {
        RowOrder::NorthFirst => j,
        RowOrder::SouthFirst => raster.rows() - 1 - j,
    }
}

/// Columns and rows of a file of `sample_size`-byte samples.
fn size(
    format: Format,
    bytes: &[u8],
    sample_size: u64,
    options: &ReadOptions,
) -> Result<[usize; 2]> {
    let length = bytes.len() as u64;
    let count = length / sample_size;
    if !length.is_multiple_of(sample_size) {
        let (found, expected) = (
            format!("{length} bytes"),
            format!("a multiple of {sample_size}, the size of a sample"),
        );
        return Err(Error::malformed(format, None, found, expected));
    }
    let Some([width, height]) = options.given.size.or(options.side_car.size) else {
        let side = count.isqrt();
        if side * side != count {
            let (found, expected) =
                (format!("{count} samples"), "a square number of them, or a given size");
            return Err(Error::malformed(format, None, found, expected));
        }
        options.limits.samples(format, side, side)?;
        return Ok([side as usize; 2]);
    };
    options.limits.samples(format, u64::from(width), u64::from(height))?;
    let expected = u64::from(width) * u64::from(height);
    if expected != count {
        let found = format!("{count} samples ({length} bytes)");
        return Err(Error::malformed(format, None, found, format!("{width} × {height}")));
    }
    Ok([width as usize, height as usize])
}

/// The samples of the file, north first.
fn grid<const N: usize>(
    bytes: &[u8],
    [width, height]: [usize; 2],
    options: &ReadOptions,
    metres: impl Fn([u8; N]) -> f32,
) -> Grid {
    let mut samples = Vec::with_capacity(width * height);
    let number = |bytes: &[u8]| metres(bytes.try_into().expect("a chunk has the size of a sample"));
    for j in 0..height {
        let j = if options.rows == RowOrder::SouthFirst { height - 1 - j } else { j };
        let row = &bytes[j * width * N..(j + 1) * width * N];
        samples.extend(row.chunks_exact(N).map(number));
    }
    Grid::from_vec(width, height, samples)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Endian;
    use crate::heightmap::Source;
    use crate::{Scale, WriteOptions};

    fn raster(samples: &Grid) -> Raster<'_> {
        Raster { samples, spacing: [1.0; 2], origin: [0.0; 2], unit: "m" }
    }

    #[test]
    fn bytes_follow_the_order_that_was_asked_for() {
        let samples = Grid::from_vec(2, 2, vec![0.0, 1.0, 2.0, 65535.0]);
        let range = Some([0.0, 65535.0]);
        let mut bytes = Vec::new();
        let options = WriteOptions { range, ..WriteOptions::default() };
        r16::write(&raster(&samples), &mut bytes, &options).unwrap();
        assert_eq!(bytes, [0, 0, 1, 0, 2, 0, 0xff, 0xff]);
        bytes.clear();
        let (endian, rows) = (Endian::Big, RowOrder::SouthFirst);
        let options = WriteOptions { range, endian, rows, ..WriteOptions::default() };
        r16::write(&raster(&samples), &mut bytes, &options).unwrap();
        assert_eq!(bytes, [0, 2, 0xff, 0xff, 0, 0, 0, 1]);
        let given = Scale { range, ..Scale::default() };
        let options = ReadOptions { given, endian, rows, ..ReadOptions::default() };
        assert_eq!(r16::read(&bytes, &options).unwrap().heights, samples);
    }

    #[test]
    fn an_unknown_size_is_square_and_an_unknown_scale_is_told() {
        let map = r16::read(&[0; 18], &ReadOptions::default()).unwrap();
        assert_eq!((map.heights.width(), map.heights.height()), (3, 3));
        assert_eq!((map.scale_from, map.spacing_from), (Source::Assumed, Source::Assumed));
        let error = r16::read(&[0; 12], &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.contains("found 6 samples, expected a square number"), "{error}");
        let side_car =
            Scale { size: Some([3, 2]), spacing: Some([4.0, 5.0]), range: Some([0.0, 9.0]) };
        let options = ReadOptions { side_car, ..ReadOptions::default() };
        let map = r16::read(&[0xff; 12], &options).unwrap();
        assert_eq!((map.heights.width(), map.heights[(2, 1)]), (3, 9.0));
        assert_eq!((map.spacing, map.spacing_from), ([4.0, 5.0], Source::SideCar));
    }

    #[test]
    fn a_size_that_is_not_the_files_is_refused() {
        for (size, length) in [([3, 3], 12), ([0, 0], 0), ([u32::MAX, u32::MAX], 12), ([1, 1], 3)] {
            let given = Scale { size: Some(size), ..Scale::default() };
            let options = ReadOptions { given, ..ReadOptions::default() };
            assert!(r16::read(&vec![0; length], &options).is_err(), "{size:?}");
        }
        assert!(r32::read(&[], &ReadOptions::default()).is_err());
    }

    #[test]
    fn floats_keep_what_is_not_a_number_and_levels_refuse_it() {
        let samples = Grid::from_vec(2, 2, vec![f32::NAN, f32::INFINITY, -0.0, 1.0]);
        let mut bytes = Vec::new();
        r32::write(&raster(&samples), &mut bytes, &WriteOptions::default()).unwrap();
        let back = r32::read(&bytes, &ReadOptions::default()).unwrap().heights;
        let bits = |grid: &Grid| grid.map(|sample| sample.to_bits());
        assert_eq!(bits(&back), bits(&samples));
        let error = r16::write(&raster(&samples), &mut bytes, &WriteOptions::default());
        assert!(error.unwrap_err().to_string().contains("column 0, row 0 is NaN"));
    }
}
