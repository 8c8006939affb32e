//! PNG: 16-bit heightmaps that carry their scale, and pictures.
//!
//! A heightmap is one 16-bit grey sample for each height, without gamma or colour space: level 0 is the
//! lowest height and 65535 the highest. Text chunks tell the metres:
//!
//! | keyword | text |
//! | --- | --- |
//! | `landform:min` | height of level 0 in metres |
//! | `landform:max` | height of level 65535 in metres |
//! | `landform:spacing` | Δx and Δz in metres |
//!
//! A height that is not a number, infinite or outside a given range is refused. Reading takes grey pictures of any
//! depth (and coloured ones in which red, green and blue are equal); how many levels there were is told.
//!
//! Encoding runs in strips on all cores: the module `deflate` says why it looks for few matches. Source: PNG
//! specification (third edition).

mod animation;
mod decode;
mod filter;
mod stream;
mod strip;

use std::io::Write;

use crate::format::{FormatEntry, Holds, Setting};
use crate::{Error, Format, Levels, Raster, Result, WriteOptions};
pub use animation::Animation;
pub use decode::read;
use stream::{Pixel, encode};

const MIN: &str = "landform:min";
const MAX: &str = "landform:max";
const SPACING: &str = "landform:spacing";

/// What the table of formats says about it.
pub(crate) static FORMAT: FormatEntry = FormatEntry {
    name: "PNG",
    doc: "16-bit greyscale picture; text chunks tell its scale",
    extensions: &["png"],
    holds: Holds::Heights,
    uses: &[Setting::Range],
    side_file: None,
    check: None,
    write: |raster, out, options| write(raster, out, options),
    read: Some(read),
};

/// Writes a heightmap of 16-bit levels with its scale.
///
/// # Errors
/// If a height is not a number within the range, or writing fails.
pub fn write(
    raster: &Raster<'_>,
    out: &mut (impl Write + ?Sized),
    options: &WriteOptions<'_>,
) -> Result<()> {
    let levels = Levels::u16(options.range(raster, Format::Png)?);
    let [low, high] = levels.range;
    let [dx, dz] = raster.spacing;
    let text = [
        (MIN, low.to_string()),
        (MAX, high.to_string()),
        (SPACING, format!("{dx} {dz}")),
        ("Software", concat!("Landform ", env!("CARGO_PKG_VERSION")).to_owned()),
    ];
    let size = [raster.width(), raster.rows()];
    encode(size, Pixel::Gray16, &text, out, |j, bytes| {
        let mut row = [0; 64];
        for (heights, bytes) in raster.samples.row(j).chunks(64).zip(bytes.chunks_mut(128)) {
            levels.quantise(heights, &mut row);
            put_be(&row[..heights.len()], bytes);
        }
    })
}

/// Writes a 16-bit grey picture, `width` pixels a row, with text chunks (keyword and Latin-1 text).
///
/// # Errors
/// If `pixels` are not whole rows, or writing fails.
pub fn encode_gray16(
    width: usize,
    pixels: &[u16],
    text: &[(&str, String)],
    out: &mut (impl Write + ?Sized),
) -> Result<()> {
    let height = whole_rows(width, pixels.len())?;
    encode([width, height], Pixel::Gray16, text, out, |j, bytes| {
        put_be(&pixels[j * width..][..width], bytes);
    })
}

/// Writes an 8-bit grey picture, `width` pixels a row.
///
/// # Errors
/// If `pixels` are not whole rows, or writing fails.
pub fn encode_gray8(width: usize, pixels: &[u8], out: &mut (impl Write + ?Sized)) -> Result<()> {
    encode_bytes(width, pixels.as_chunks::<1>().0, Pixel::Gray8, out)
}

/// Writes an sRGB picture, `width` pixels a row.
///
/// # Errors
/// If `pixels` are not whole rows, or writing fails.
pub fn encode_rgb8(
    width: usize,
    pixels: &[[u8; 3]],
    out: &mut (impl Write + ?Sized),
) -> Result<()> {
    encode_bytes(width, pixels, Pixel::Rgb8, out)
}

/// Writes an sRGB picture with transparency (not premultiplied), `width` pixels a row.
///
/// # Errors
/// If `pixels` are not whole rows, or writing fails.
pub fn encode_rgba8(
    width: usize,
    pixels: &[[u8; 4]],
    out: &mut (impl Write + ?Sized),
) -> Result<()> {
    encode_bytes(width, pixels, Pixel::Rgba8, out)
}

fn encode_bytes<const N: usize>(
    width: usize,
    pixels: &[[u8; N]],
    pixel: Pixel,
    out: &mut (impl Write + ?Sized),
) -> Result<()> {
    let height = whole_rows(width, pixels.len())?;
    encode([width, height], pixel, &[], out, |j, bytes| {
        bytes.copy_from_slice(pixels[j * width..][..width].as_flattened());
    })
}

fn whole_rows(width: usize, count: usize) -> Result<usize> {
    if width > 0 && count > 0 && count.is_multiple_of(width) {
        return Ok(count / width);
    }
    let (found, expected) = (format!("{width} for {count} pixels"), "a divisor of their number");
    Err(Error::Option { format: Format::Png, what: "width", found, expected: expected.to_owned() })
}

fn put_be(levels: &[u16], bytes: &mut [u8]) {
    for (bytes, level) in bytes.chunks_exact_mut(2).zip(levels) {
        bytes.copy_from_slice(&level.to_be_bytes());
    }
}
