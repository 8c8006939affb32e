//! `.r32`: f32 metres without a header.

use std::io::Write;

use super::{grid, size, stored_row};
use crate::format::{Endian, FormatEntry, Holds, RowOrder, Setting};
use crate::heightmap::Source;
use crate::side_file::Sample;
use crate::{Format, Heightmap, Raster, ReadOptions, Result, WriteOptions};

/// What the table of formats says about it.
pub(crate) static FORMAT: FormatEntry = FormatEntry {
    name: "R32",
    doc: "f32 metres without a header; a side file tells their size and spacing",
    extensions: &["r32"],
    holds: Holds::Heights,
    uses: &[Setting::Endian, Setting::Rows],
    side_file: Some(Sample::Float32),
    check: None,
    write: |raster, out, options| write(raster, out, options),
    read: Some(read),
};

/// Writes f32 metres, with any values.
///
/// # Errors
/// If writing fails.
pub fn write(
    raster: &Raster<'_>,
    out: &mut (impl Write + ?Sized),
    options: &WriteOptions<'_>,
) -> Result<()> {
    let to_bytes = match options.endian {
        Endian::Little => f32::to_le_bytes,
        Endian::Big => f32::to_be_bytes,
    };
    if options.rows == RowOrder::NorthFirst {
        crate::npy::write_f32(raster.samples.samples(), out, to_bytes)?;
        return Ok(());
    }
    let mut out = std::io::BufWriter::with_capacity(1 << 16, out);
    for j in 0..raster.rows() {
        let row = raster.samples.row(stored_row(raster, j, options.rows));
        crate::npy::write_f32(row, &mut out, to_bytes)?;
    }
    Ok(out.flush()?)
}

/// Reads f32 metres.
///
/// # Errors
/// If the length of the file does not fit its size.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Heightmap> {
    let size = size(Format::R32, bytes, 4, options)?;
    let to_number = match options.endian {
        Endian::Little => f32::from_le_bytes,
        Endian::Big => f32::from_be_bytes,
    };
    let (heights, scale_from) = match options.given.range {
        Some([low, high]) => {
            let metres = |bytes| (low + f64::from(to_number(bytes)) * (high - low)) as f32;
            (grid(bytes, size, options, metres), Source::Caller)
        }
        None if options.side_car != crate::Scale::default() => {
            (grid(bytes, size, options, to_number), Source::SideCar)
        }
        None => (grid(bytes, size, options, to_number), Source::Assumed),
    };
    let (spacing, spacing_from) = options.spacing(None);
    Ok(Heightmap { heights, place: None, spacing, spacing_from, levels: None, scale_from })
}
