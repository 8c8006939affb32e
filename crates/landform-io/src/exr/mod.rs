//! OpenEXR: f32 metres as engines and renderers take them.
//!
//! Written: scan lines, ZIP compression, one channel `Y` or three equal ones `R`, `G`, `B`, which some importers demand. NaN and infinities
//! are kept. The attributes `landformSpacingX` and `landformSpacingZ` tell the spacing in metres.
//!
//! Read: any flat picture, by the `exr` crate. The channel is `Y`, `Z` or `height` if there is one, else `R`, else the only one.
//!
//! Source: "OpenEXR File Layout" and "Technical Introduction to OpenEXR" (Academy Software Foundation).

mod read;

use std::io::Write;

use crate::blocks::{self, Block};
use crate::format::{Channels, FormatEntry, Holds, Setting};
use crate::{Error, Format, Raster, Result, WriteOptions};
pub use read::read;

const SPACING_X: &str = "landformSpacingX";
const SPACING_Z: &str = "landformSpacingZ";

/// Lines that are compressed together by ZIP.
const LINES: usize = 16;

/// What the table of formats says about it.
pub(crate) static FORMAT: FormatEntry = FormatEntry {
    name: "EXR",
    doc: "OpenEXR picture: f32 metres",
    extensions: &["exr"],
    holds: Holds::Heights,
    uses: &[Setting::Channels],
    side_file: None,
    check: None,
    write: |raster, out, options| write(raster, out, options),
    read: Some(read),
};

/// Writes a picture of f32 metres.
///
/// # Errors
/// If a side is too long for the format, or writing fails.
pub fn write(
    raster: &Raster<'_>,
    out: &mut (impl Write + ?Sized),
    options: &WriteOptions<'_>,
) -> Result<()> {
    let (width, height) = (raster.width(), raster.rows());
    let last = |count: usize| i32::try_from(count - 1).ok();
    let channels: &[&str] = match options.channels {
        Channels::One => &["Y"],
        Channels::Rgb => &["B", "G", "R"],
    };
    let block_size = 4 * channels.len() * width * LINES;
    let (Some(right), Some(bottom), Ok(_)) = (last(width), last(height), i32::try_from(block_size))
    else {
        let reason = "a side has at most 2147483647 samples, and 16 rows at most 2 GiB".to_owned();
        return Err(Error::Unfit { format: Format::Exr, width, height, reason });
    };
    let head = header(raster, channels, [right, bottom]);
    out.write_all(&head)?;
    let count = height.div_ceil(LINES);
    let make = |k: usize, block: &mut Block| make_block(raster, channels.len(), k, block);
    let mut offset = (head.len() + 8 * count) as u64;
    for length in blocks::lengths(count, &make)? {
        out.write_all(&offset.to_le_bytes())?;
        offset += length;
    }
    blocks::write(count, &make, out)
}

fn header(raster: &Raster<'_>, channels: &[&str], [right, bottom]: [i32; 2]) -> Vec<u8> {
    let mut head = vec![0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0];
    let mut attribute = |name: &str, kind: &str, value: &[u8]| {
        head.extend(name.as_bytes());
        head.push(0);
        head.extend(kind.as_bytes());
        head.push(0);
        head.extend((value.len() as i32).to_le_bytes());
        head.extend(value);
    };
    let ints =
        |numbers: &[i32]| -> Vec<u8> { numbers.iter().flat_map(|n| n.to_le_bytes()).collect() };
    let mut list = Vec::new();
    for name in channels {
        list.extend(name.as_bytes());
        list.push(0);
        // 32-bit floating point, not perceptual, one sample a pixel.
        list.extend(ints(&[2, 0, 1, 1]));
    }
    list.push(0);
    let window = ints(&[0, 0, right, bottom]);
    attribute("channels", "chlist", &list);
    attribute("compression", "compression", &[3]);
    attribute("dataWindow", "box2i", &window);
    attribute("displayWindow", "box2i", &window);
    attribute(SPACING_X, "double", &raster.spacing[0].to_le_bytes());
    attribute(SPACING_Z, "double", &raster.spacing[1].to_le_bytes());
    attribute("lineOrder", "lineOrder", &[0]);
    attribute("pixelAspectRatio", "float", &1.0_f32.to_le_bytes());
    attribute("screenWindowCenter", "v2f", &[0; 8]);
    attribute("screenWindowWidth", "float", &1.0_f32.to_le_bytes());
    head.push(0);
    head
}

/// Makes the `k`th block of lines, with its own header.
fn make_block(raster: &Raster<'_>, channels: usize, k: usize, block: &mut Block) {
    let first = k * LINES;
    let rows = first..(first + LINES).min(raster.rows());
    block.raw.clear();
    for j in rows {
        for _ in 0..channels {
            block.raw.extend(raster.samples.row(j).iter().flat_map(|sample| sample.to_le_bytes()));
        }
    }
    // Even bytes before odd ones, then differences around 128.
    let raw = &block.raw;
    block.shuffled.clear();
    block.shuffled.extend(raw.iter().step_by(2));
    block.shuffled.extend(raw.iter().skip(1).step_by(2));
    for i in (1..raw.len()).rev() {
        block.shuffled[i] = block.shuffled[i].wrapping_sub(block.shuffled[i - 1]).wrapping_add(128);
    }
    block.compressor.zlib(&block.shuffled, &mut block.out);
    // A block that does not get shorter is stored as it is.
    if block.out.len() >= block.raw.len() {
        block.out.clone_from(&block.raw);
    }
    let head = [(first as i32).to_le_bytes(), (block.out.len() as i32).to_le_bytes()].concat();
    block.out.splice(..0, head);
}
