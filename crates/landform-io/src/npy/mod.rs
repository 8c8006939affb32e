//! NumPy's `.npy`: the array as it is, f32 metres.
//!
//! ```text
//! 93 "NUMPY"  major minor  length  {'descr': '<f4', 'fortran_order': False, 'shape': (rows, columns), }  samples
//! ```
//!
//! Source: NumPy Enhancement Proposal 1 and `numpy.lib.format`. Versions 1, 2 and 3 are read; version 1,
//! little-endian, C order is written, so that what is read of what was written is the same bits, NaN and
//! infinities too. Whole numbers and f64 are read as well, in any byte and memory order. The array has two
//! axes, rows before columns, and may have further ones of length 1.
//!
//! The file says nothing of metres: floating-point numbers and whole numbers are taken as metres unless a
//! range is given, which then is what 0 and 1, or the lowest and the highest whole number, stand for.
//! f64 is rounded to f32, and becomes infinite beyond its range.

mod header;

use std::io::Write;

use landform::Grid;

use crate::format::{FormatEntry, Holds};
use crate::heightmap::Source;
use crate::{Heightmap, Levels, ReadOptions, Result};
use header::{Dtype, Header, Order};

/// Samples that are turned into bytes at a time: 64 KiB, which stay in the cache.
const PIECE: usize = 1 << 14;

/// What the table of formats says about it.
pub(crate) static FORMAT: FormatEntry = FormatEntry {
    name: "NPY",
    doc: "NumPy array: f32 metres, with every bit",
    extensions: &["npy"],
    holds: Holds::Heights,
    uses: &[],
    side_file: None,
    check: None,
    write: |raster, out, _| write(raster.samples, out),
    read: Some(read),
};

/// Writes `samples`, with any values, as version 1.0, `<f4`, C order.
///
/// # Errors
/// If writing fails.
pub fn write(samples: &Grid, out: &mut (impl Write + ?Sized)) -> Result<()> {
    out.write_all(&header::write(samples.width(), samples.height()))?;
    write_f32(samples.samples(), out, f32::to_le_bytes)?;
    Ok(())
}

/// Writes f32 samples in pieces.
pub(crate) fn write_f32(
    samples: &[f32],
    out: &mut (impl Write + ?Sized),
    to_bytes: impl Fn(f32) -> [u8; 4],
) -> std::io::Result<()> {
    let mut bytes = vec![0; 4 * PIECE.min(samples.len())];
    for piece in samples.chunks(PIECE) {
        let bytes = &mut bytes[..4 * piece.len()];
        for (bytes, &sample) in bytes.chunks_exact_mut(4).zip(piece) {
            bytes.copy_from_slice(&to_bytes(sample));
        }
        out.write_all(bytes)?;
    }
    Ok(())
}

/// Reads an array of two axes.
///
/// # Errors
/// If the bytes are no such array.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Heightmap> {
    let header = header::read(bytes, options)?;
    let (width, height) = (header.width, header.height);
    let samples = &bytes[header.start..];
    let numbers = numbers(&header, samples, options);
    let numbers = match header.order {
        Order::C => numbers,
        Order::Fortran => transposed(&numbers, width, height),
    };
    let (spacing, spacing_from) = options.spacing(None);
    let (levels, scale_from) = match (options.given.range, header.dtype.bits()) {
        (Some(range), Some(bits)) => (Some(Levels { bits, range }), Source::Caller),
        (Some(_), None) => (None, Source::Caller),
        (None, _) if options.side_car != crate::Scale::default() => (None, Source::SideCar),
        (None, _) => (None, Source::Assumed),
    };
    let heights = Grid::from_vec(width, height, numbers);
    Ok(Heightmap { heights, place: None, spacing, spacing_from, levels, scale_from })
}

/// The samples in metres, in the order of the file.
fn numbers(header: &Header, bytes: &[u8], options: &ReadOptions) -> Vec<f32> {
    let count = header.width * header.height;
    let range = options.given.range;
    macro_rules! read_as {
        ($number:ty) => {{
            const SIZE: usize = size_of::<$number>();
            let number = |bytes: &[u8]| {
                let bytes = bytes.try_into().expect("a chunk has the size of a number");
                if header.is_big_endian {
                    <$number>::from_be_bytes(bytes)
                } else {
                    <$number>::from_le_bytes(bytes)
                }
            };
            let numbers = bytes[..count * SIZE].chunks_exact(SIZE).map(number);
            match (range, header.dtype.bits()) {
                (None, _) => numbers.map(|number| number as f32).collect(),
                (Some([low, high]), None) => {
                    numbers.map(|number| (low + number as f64 * (high - low)) as f32).collect()
                }
                (Some(range), Some(bits)) => {
                    let levels = Levels { bits, range };
                    let lowest = header.dtype.lowest();
                    numbers.map(|number| levels.metres(number as f64 - lowest)).collect()
                }
            }
        }};
    }
    match header.dtype {
        Dtype::F32 => read_as!(f32),
        Dtype::F64 => read_as!(f64),
        Dtype::U8 => read_as!(u8),
        Dtype::I8 => read_as!(i8),
        Dtype::U16 => read_as!(u16),
        Dtype::I16 => read_as!(i16),
        Dtype::U32 => read_as!(u32),
        Dtype::I32 => read_as!(i32),
    }
}

/// Column-major samples made row-major, in blocks, so that neither side leaves the cache.
fn transposed(columns: &[f32], width: usize, height: usize) -> Vec<f32> {
    const BLOCK: usize = 32;
    let mut rows = vec![0.0; columns.len()];
    for j0 in (0..height).step_by(BLOCK) {
        for i0 in (0..width).step_by(BLOCK) {
            for j in j0..(j0 + BLOCK).min(height) {
                for i in i0..(i0 + BLOCK).min(width) {
                    rows[j * width + i] = columns[i * height + j];
                }
            }
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Error, Scale};

    /// An array as NumPy writes it.
    fn npy(version: u8, dictionary: &str, samples: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0x93, b'N', b'U', b'M', b'P', b'Y', version, 0];
        if version == 1 {
            bytes.extend((dictionary.len() as u16).to_le_bytes());
        } else {
            bytes.extend((dictionary.len() as u32).to_le_bytes());
        }
        bytes.extend(dictionary.as_bytes());
        bytes.extend(samples);
        bytes
    }

    fn read_plain(bytes: &[u8]) -> Result<Heightmap> {
        read(bytes, &ReadOptions::default())
    }

    #[test]
    fn bytes_are_those_numpy_writes() {
        let mut bytes = Vec::new();
        write(&Grid::from_vec(2, 1, vec![1.0, -2.0]), &mut bytes).unwrap();
        let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }";
        assert_eq!(bytes[..10], *b"\x93NUMPY\x01\x00\x76\x00");
        assert_eq!(bytes[10..10 + header.len()], *header.as_bytes());
        assert!(bytes[10 + header.len()..127].iter().all(|&byte| byte == b' '));
        assert_eq!(bytes[127..], *b"\n\0\0\x80\x3f\0\0\0\xc0");
    }

    #[test]
    fn fortran_order_and_big_endian_are_put_right() {
        let dictionary = "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }";
        let samples = [0, 1, 0, 4, 0, 2, 0, 5, 0, 3, 0xff, 0xff];
        for version in [1, 2, 3] {
            let map = read_plain(&npy(version, dictionary, &samples)).unwrap();
            assert_eq!((map.heights.width(), map.heights.height()), (3, 2));
            assert_eq!(map.heights.samples(), [1.0, 2.0, 3.0, 4.0, 5.0, -1.0]);
            assert_eq!((map.levels, map.scale_from), (None, Source::Assumed));
        }
    }

    #[test]
    fn a_given_range_turns_numbers_into_metres() {
        let given = Scale { range: Some([-10.0, 10.0]), ..Scale::default() };
        let options = ReadOptions { given, ..ReadOptions::default() };
        let dictionary =
            |dtype| format!("{{'descr':'{dtype}','shape':(1,2),'fortran_order':False}}");
        let map = read(&npy(1, &dictionary("|i1"), &[0x80, 0x7f]), &options).unwrap();
        assert_eq!(map.heights.samples(), [-10.0, 10.0]);
        assert_eq!(map.levels.unwrap().bits, 8);
        let halves = [0.0_f64, 0.75].map(f64::to_le_bytes).concat();
        let map = read(&npy(1, &dictionary("<f8"), &halves), &options).unwrap();
        assert_eq!(map.heights.samples(), [-10.0, 5.0]);
    }

    #[test]
    fn unit_axes_are_dropped_and_others_refused() {
        let shape = |shape| format!("{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}}}");
        let map = read_plain(&npy(1, &shape("(1, 2, 3, 1)"), &[0; 6])).unwrap();
        assert_eq!((map.heights.width(), map.heights.height()), (3, 2));
        let map = read_plain(&npy(1, &shape("(1, 1)"), &[9])).unwrap();
        assert_eq!(map.heights.samples(), [9.0]);
        for wrong in ["(2, 3, 4)", "(6,)", "()", "(0, 4)", "(99999999999999999999, 1)", "(1 2)"] {
            assert!(read_plain(&npy(1, &shape(wrong), &[0; 24])).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_shape_larger_than_the_file_is_refused_before_memory_is_taken() {
        let dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (30000, 30000)}";
        let error = read_plain(&npy(1, dictionary, &[0; 64])).unwrap_err();
        assert!(matches!(error, Error::Truncated { .. }), "{error}");
        let dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (70000, 70000)}";
        let error = read_plain(&npy(1, dictionary, &[0; 64])).unwrap_err();
        assert!(matches!(error, Error::TooLarge { .. }), "{error}");
    }

    #[test]
    fn only_spaces_follow_the_dictionary() {
        let dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), }";
        assert!(read_plain(&npy(1, &format!("{dictionary}  \t\n"), &[0; 4])).is_ok());
        for more in ["\0", " x \n", "}\n"] {
            let error = read_plain(&npy(1, &format!("{dictionary}{more}"), &[0; 4])).unwrap_err();
            assert!(error.to_string().contains("the end of the header"), "{error}");
        }
    }

    #[test]
    fn errors_name_what_was_found() {
        let error = read_plain(b"PK\x03\x04 a zip").unwrap_err().to_string();
        assert!(error.contains("begins with \"PK\\x03\\x04"), "{error}");
        let complex = "{'descr': '<c8', 'fortran_order': False, 'shape': (1, 1)}";
        let error = read_plain(&npy(1, complex, &[0; 8])).unwrap_err().to_string();
        assert!(error.contains("found samples of type '<c8'"), "{error}");
        let error = read_plain(&npy(9, complex, &[0; 8])).unwrap_err().to_string();
        assert!(error.contains("version 9"), "{error}");
        let error = read_plain(&npy(1, "{'descr': '<f4'}", &[0; 8])).unwrap_err().to_string();
        assert!(error.contains("fortran_order"), "{error}");
    }
}
