//! Reading, by the `png` crate.

use std::io::Cursor;

use landform::Grid;
use png::{ColorType, DecodeOptions, Decoder, Transformations};

use super::{MAX, MIN, SPACING};
use crate::error::beginning;
use crate::{Error, Format, Heightmap, Levels, ReadOptions, Result};

/// No deflate stream grows to more than this many times its length (RFC 1951: 258 bytes from two bits).
const MOST_GROWTH: u64 = 1032;

/// Reads a grey picture.
///
/// # Errors
/// If the bytes are no PNG, or no grey one.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Heightmap> {
    let wrong = |error: png::DecodingError| {
        Error::malformed(Format::Png, None, format!("a broken file ({error})"), "a whole PNG")
    };
    if !bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Err(Error::malformed(Format::Png, None, beginning(bytes), r#""\x89PNG""#));
    }
    // A text chunk is inflated, too: it may take no more than this.
    let limits = png::Limits { bytes: 1 << 24 };
    let mut strict = DecodeOptions::default();
    // The scale of heights is in such chunks: one that is damaged must not be passed over.
    strict.set_skip_ancillary_crc_failures(false);
    let mut decoder = Decoder::new_with_options(Cursor::new(bytes), strict);
    decoder.set_limits(limits);
    decoder.set_transformations(Transformations::EXPAND);
    let (width, height, depth) = {
        let info = decoder.read_header_info().map_err(wrong)?;
        (info.width, info.height, info.bit_depth as u32)
    };
    let count = options.limits.samples(Format::Png, width.into(), height.into())?;
    let most = (bytes.len() as u64).saturating_mul(MOST_GROWTH);
    if (count as u64).saturating_mul(depth.into()) / 8 > most {
        let needed = (count as u64).saturating_mul(depth.into()) / 8 / MOST_GROWTH;
        return Err(Error::Truncated {
            format: Format::Png,
            found: bytes.len() as u64,
            expected: needed,
        });
    }

    let mut reader = decoder.read_info().map_err(wrong)?;
    let (colour, depth_out) = reader.output_color_type();
    let sample_bytes = if depth_out == png::BitDepth::Sixteen { 2 } else { 1 };
    let is_palette = reader.info().color_type == ColorType::Indexed;
    let bits = if is_palette { 8 } else { depth };
    let line = colour.samples() * sample_bytes;
    let mut samples = Vec::with_capacity(count);
    if reader.info().interlaced {
        let length =
            reader.output_buffer_size().ok_or_else(|| too_large(width, height, options))?;
        let mut buffer = vec![0; length];
        reader.next_frame(&mut buffer).map_err(wrong)?;
        push_grey(&buffer, line, sample_bytes, &mut samples)?;
    } else {
        while let Some(row) = reader.next_row().map_err(wrong)? {
            push_grey(row.data(), line, sample_bytes, &mut samples)?;
        }
    }
    if samples.len() != count {
        let found = format!("{} samples", samples.len());
        return Err(Error::malformed(Format::Png, None, found, format!("{width} × {height}")));
    }
    // Text may also stand after the samples, and the checksum of the last of them does.
    reader.finish().map_err(wrong)?;
    let tags = Tags::of(reader.info());

    let (range, scale_from) = options.range(tags.range);
    let (spacing, spacing_from) = options.spacing(tags.spacing);
    // Samples of less than 8 bits were widened to 8, so the top is that of 8 bits.
    let read_as = Levels { bits: 8 * sample_bytes as u32, range };
    let heights = samples.into_iter().map(|level| read_as.metres(f64::from(level))).collect();
    let heights = Grid::from_vec(width as usize, height as usize, heights);
    let levels = Some(Levels { bits, range });
    Ok(Heightmap { heights, place: None, spacing, spacing_from, levels, scale_from })
}

fn too_large(width: u32, height: u32, options: &ReadOptions) -> Error {
    let (width, height) = (u64::from(width), u64::from(height));
    Error::TooLarge { format: Format::Png, width, height, limit: options.limits.max_samples }
}

/// Takes the grey of each pixel of `line` bytes.
fn push_grey(bytes: &[u8], line: usize, sample_bytes: usize, samples: &mut Vec<u16>) -> Result<()> {
    for pixel in bytes.chunks_exact(line) {
        let channel = |k: usize| match sample_bytes {
            2 => u16::from_be_bytes([pixel[2 * k], pixel[2 * k + 1]]),
            _ => u16::from(pixel[k]),
        };
        let grey = channel(0);
        // Transparency says nothing of height.
        if line / sample_bytes >= 3 && (channel(1) != grey || channel(2) != grey) {
            let found = format!("a coloured pixel ({grey}, {}, {})", channel(1), channel(2));
            return Err(Error::malformed(Format::Png, None, found, "a greyscale heightmap"));
        }
        samples.push(grey);
    }
    Ok(())
}

/// What text chunks say of the scale. A wrong number counts as none.
struct Tags {
    range: Option<[f64; 2]>,
    spacing: Option<[f64; 2]>,
}

impl Tags {
    fn of(info: &png::Info<'_>) -> Self {
        let text = |keyword: &str| {
            let latin = info.uncompressed_latin1_text.iter();
            let utf8 = info.utf8_text.iter();
            let latin =
                latin.filter(|chunk| chunk.keyword == keyword).map(|chunk| chunk.text.clone());
            let utf8 = utf8.filter(|chunk| chunk.keyword == keyword);
            latin.chain(utf8.filter_map(|chunk| chunk.get_text().ok())).next()
        };
        let number = |keyword| text(keyword)?.trim().parse::<f64>().ok();
        let range = Option::zip(number(MIN), number(MAX)).map(|(low, high)| [low, high]);
        let spacing = text(SPACING).and_then(|text| {
            let mut numbers = text.split_whitespace().map(str::parse::<f64>);
            let spacing = [numbers.next()?.ok()?, numbers.next()?.ok()?];
            numbers.next().is_none().then_some(spacing)
        });
        Self {
            range: range.filter(|[low, high]| low <= high && (high - low).is_finite()),
            spacing: spacing.filter(|s| s.iter().all(|&step| step > 0.0 && step.is_finite())),
        }
    }
}
