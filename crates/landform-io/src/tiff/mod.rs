//! TIFF and GeoTIFF: f32 metres that GIS programs put in their place.
//!
//! Written: one band of f32 in tiles of at most 256 × 256, deflate with the predictor for floating-point numbers, little-endian, at most 4 GiB
//! (larger ones are [cloud-optimized](write_cog) BigTIFFs, which some readers reject). NaN stays NaN and is told as
//! `GDAL_NODATA`.
//!
//! Samples sit on grid lines, so the raster is *PixelIsPoint*: the tie point is the first sample itself, not a corner of
//! its cell. The coordinate system is that of the [`Georeference`](landform::Georeference): one that an EPSG code names, one
//! that a GeoTIFF said in its keys, which are written as they were, or a local one in metres.
//!
//! Read: one band of any number type, by the `tiff` crate. Floating-point and signed numbers are metres, and so are unsigned ones in a file
//! that says where it lies; unsigned numbers in a plain picture are levels. A spacing in degrees is turned into
//! metres at the middle of the raster. What the keys say of the place is kept, and the first sample is its origin: the middle of a pixel. A file with overviews, of any size, is read window by window by [`Pyramid`].
//!
//! Sources: TIFF 6.0; Adobe TIFF Technical Note 3 (predictor 3); OGC GeoTIFF 1.1 (19-008r4).

mod check;
mod cog;
mod geo;
mod ifd;
mod pyramid;
mod read;

use std::io::Write;

use landform::Grid;

use crate::blocks::{self, Block};
use crate::format::{FormatEntry, Holds, Setting};
use crate::{Error, Format, Raster, Result, WriteOptions};
pub use cog::write_cog;
pub(crate) use geo::metres_at;
pub use pyramid::Pyramid;
pub use read::read;

/// Columns and rows of a tile: 256, or less where the whole raster is smaller. A multiple of 16, as TIFF wants.
fn tile_side(raster: &Raster<'_>) -> usize {
    raster.width().max(raster.rows()).next_multiple_of(16).min(256)
}

/// What the table of formats says about it.
pub(crate) static FORMAT: FormatEntry = FormatEntry {
    name: "TIFF",
    doc: "GeoTIFF: f32 metres with their place on the Earth",
    extensions: &["tif", "tiff"],
    holds: Holds::Heights,
    uses: &[Setting::Place, Setting::Epsg],
    side_file: None,
    check: None,
    write: |raster, out, options| write(raster, out, options),
    read: Some(read),
};

/// Writes a GeoTIFF.
///
/// # Errors
/// If the file would be larger than 4 GiB, or writing fails.
pub fn write(
    raster: &Raster<'_>,
    out: &mut (impl Write + ?Sized),
    options: &WriteOptions<'_>,
) -> Result<()> {
    let (width, height) = (raster.width(), raster.rows());
    let unfit = |reason: &str| Error::Unfit {
        format: Format::Tiff,
        width,
        height,
        reason: reason.to_owned(),
    };
    let tile = tile_side(raster);
    let (across, down) = (width.div_ceil(tile), height.div_ceil(tile));
    let make = |k: usize, block: &mut Block| {
        make_tile(raster.samples, tile, k % across, k / across, block);
    };
    let lengths = blocks::lengths(across * down, &make)?;
    let head = ifd::write(raster, options, &lengths)
        .ok_or_else(|| unfit("TIFF ends at 4 GiB; write it as a cloud-optimized GeoTIFF"))?;
    out.write_all(&head)?;
    blocks::write(across * down, &make, out)
}

/// Compresses the tile in column `across` and row `down` of tiles with `tile` samples along a side. Beyond the edge the last
/// sample goes on.
fn make_tile(samples: &Grid, tile: usize, across: usize, down: usize, block: &mut Block) {
    block.raw.resize(4 * tile * tile, 0);
    for (j, line) in block.raw.chunks_exact_mut(4 * tile).enumerate() {
        let row = samples.row((down * tile + j).min(samples.height() - 1));
        for i in 0..tile {
            let bytes = row[(across * tile + i).min(row.len() - 1)].to_be_bytes();
            // Bytes of the same weight stand together, the most significant first …
            for (plane, byte) in bytes.into_iter().enumerate() {
                line[plane * tile + i] = byte;
            }
        }
        // … and each becomes its difference from the one before.
        for k in (1..line.len()).rev() {
            line[k] = line[k].wrapping_sub(line[k - 1]);
        }
    }
    block.compressor.zlib(&block.raw, &mut block.out);
}
