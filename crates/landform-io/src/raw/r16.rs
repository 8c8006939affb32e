//! `.raw`, `.r16`: 16-bit levels without a header.

use std::io::Write;

use super::{grid, size, stored_row};
use crate::format::{Endian, FormatEntry, Holds, Setting};
use crate::side_file::Sample;
use crate::{Format, Heightmap, Levels, Raster, ReadOptions, Result, WriteOptions};

/// What the table of formats says about it.
pub(crate) static FORMAT: FormatEntry = FormatEntry {
    name: "RAW",
    doc: "16-bit levels without a header; a side file tells their scale",
    extensions: &["r16", "raw"],
    holds: Holds::Heights,
    uses: &[Setting::Range, Setting::Endian, Setting::Rows],
    side_file: Some(Sample::Uint16),
    check: None,
    write: |raster, out, options| write(raster, out, options),
    read: Some(read),
};

/// Writes 16-bit levels.
///
/// # Errors
/// If a height is not a number within the range, or writing fails.
pub fn write(
    raster: &Raster<'_>,
    out: &mut (impl Write + ?Sized),
    options: &WriteOptions<'_>,
) -> Result<()> {
    let levels = Levels::u16(options.range(raster, Format::R16)?);
    let width = raster.width();
    let (mut row_levels, mut bytes) = (vec![0; width], vec![0; 2 * width]);
    let mut out = std::io::BufWriter::with_capacity(1 << 16, out);
    for j in 0..raster.rows() {
        levels.quantise(raster.samples.row(stored_row(raster, j, options.rows)), &mut row_levels);
        for (bytes, level) in bytes.chunks_exact_mut(2).zip(&row_levels) {
            bytes.copy_from_slice(&match options.endian {
                Endian::Little => level.to_le_bytes(),
                Endian::Big => level.to_be_bytes(),
            });
        }
        out.write_all(&bytes)?;
    }
    Ok(out.flush()?)
}

/// Reads 16-bit levels.
///
/// # Errors
/// If the length of the file does not fit its size.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Heightmap> {
    let size = size(Format::R16, bytes, 2, options)?;
    let (range, scale_from) = options.range(None);
    let levels = Levels::u16(range);
    let to_level = match options.endian {
        Endian::Little => u16::from_le_bytes,
        Endian::Big => u16::from_be_bytes,
    };
    let heights = grid(bytes, size, options, |bytes| levels.metres(f64::from(to_level(bytes))));
    let (spacing, spacing_from) = options.spacing(None);
    Ok(Heightmap { heights, place: None, spacing, spacing_from, levels: Some(levels), scale_from })
}
