//! Reading, by the `tiff` crate.

use std::io::{Cursor, Read, Seek};

use landform::georeference::GeoKeys;
use landform::{Crs, Georeference, Grid};
use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::tags::Tag;
use tiff::{ColorType, TiffError};

use super::check;
use super::geo::{Samples, Tags};
use crate::error::beginning;
use crate::heightmap::Source;
use crate::{Error, Format, Heightmap, Levels, ReadOptions, Result};

/// No method of compression that is read grows more: a code of LZW, 12 bits, stands for up to 4 KiB.
const MOST_GROWTH: u64 = 4096;

/// Reads the first picture of a file, which must have one band.
///
/// # Errors
/// If the bytes are no such TIFF.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Heightmap> {
    let wrong = |error: TiffError| {
        let found = format!("a file that cannot be decoded ({error})");
        Error::malformed(Format::Tiff, None, found, "a TIFF")
    };
    if !bytes.starts_with(b"II") && !bytes.starts_with(b"MM") {
        return Err(Error::malformed(Format::Tiff, None, beginning(bytes), "\"II\" or \"MM\""));
    }
    check::directory(bytes)?;
    let mut decoder = Decoder::new(Cursor::new(bytes)).map_err(wrong)?;
    let (width, height) = decoder.dimensions().map_err(wrong)?;
    let count = options.limits.samples(Format::Tiff, width.into(), height.into())?;
    let bits = match decoder.colortype().map_err(wrong)? {
        ColorType::Gray(bits) => bits,
        other => {
            let found = format!("samples of {other:?}");
            return Err(Error::malformed(Format::Tiff, None, found, "one band of heights"));
        }
    };
    let size = count as u64 * u64::from(bits) / 8;
    if size / MOST_GROWTH > bytes.len() as u64 {
        let (found, expected) = (bytes.len() as u64, size / MOST_GROWTH);
        return Err(Error::Truncated { format: Format::Tiff, found, expected });
    }
    let chunk = tile_bytes(decoder.chunk_dimensions(), bits, bytes.len() as u64)?;
    let mut limits = Limits::default();
    limits.decoding_buffer_size = usize::try_from(size).unwrap_or(usize::MAX).saturating_add(64);
    limits.intermediate_buffer_size = usize::try_from(chunk.max(1 << 20)).unwrap_or(usize::MAX);
    limits.ifd_value_size = bytes.len();
    let mut decoder = decoder.with_limits(limits);

    let place = GeoTags::of(&mut decoder, height);
    let samples = decoder.read_image().map_err(wrong)?;
    let (mut heights, levels, scale_from) = metres(samples, &place, options)?;
    if heights.len() != count {
        let found = format!("{} samples", heights.len());
        return Err(Error::malformed(Format::Tiff, None, found, format!("{width} × {height}")));
    }
    if let Some(void) = place.void {
        heights.iter_mut().filter(|height| **height == void).for_each(|height| *height = f32::NAN);
    }
    let (spacing, spacing_from) = options.spacing(place.spacing);
    let place = place.samples.map(|samples| samples.place(spacing));
    // Nothing is said by metres from nowhere.
    let nowhere = Georeference::metres(Crs::Local, [0.0; 2]);
    let place = place.filter(|place| *place != nowhere);
    let heights = Grid::from_vec(width as usize, height as usize, heights);
    Ok(Heightmap { heights, place, spacing, spacing_from, levels, scale_from })
}

/// The size of a tile, which must be within reach of what the file has: nothing is allocated for one that is not.
pub(super) fn tile_bytes((width, height): (u32, u32), bits: u8, file: u64) -> Result<u64> {
    let bytes = (u64::from(width) * u64::from(height)).saturating_mul(bits.into()) / 8;
    if bytes / MOST_GROWTH > file {
        let found = format!("tiles of {width} × {height} samples");
        return Err(Error::malformed(Format::Tiff, None, found, "tiles that fit the file"));
    }
    Ok(bytes)
}

/// What the tags say of place and scale. A wrong number counts as none.
pub(super) struct GeoTags {
    pub(super) samples: Option<Samples>,
    pub(super) spacing: Option<[f64; 2]>,
    /// The sample that stands for no height.
    pub(super) void: Option<f32>,
}

impl GeoTags {
    pub(super) fn of<R: Read + Seek>(decoder: &mut Decoder<R>, rows: u32) -> Self {
        let text =
            |decoder: &mut Decoder<R>, tag| decoder.get_tag_ascii_string(Tag::Unknown(tag)).ok();
        let mut numbers = |tag| decoder.get_tag_f64_vec(Tag::Unknown(tag)).ok();
        let (scale, tie, matrix) = (numbers(33550), numbers(33922), numbers(34264));
        let keys = GeoKeys { numbers: numbers(34736).unwrap_or_default(), ..GeoKeys::default() };
        let keys = GeoKeys {
            directory: decoder.get_tag_u16_vec(Tag::Unknown(34735)).unwrap_or_default(),
            text: text(decoder, 34737).unwrap_or_default(),
            ..keys
        };
        let samples = Tags { keys, scale, tie, matrix }.samples(rows);
        let void = text(decoder, 42113);
        let void = void.and_then(|text| text.trim().parse::<f64>().ok()).map(|void| void as f32);
        let spacing = samples.as_ref().map(|samples| samples.spacing);
        Self { samples, spacing, void: void.filter(|void| !void.is_nan()) }
    }
}

/// The samples as metres, and how they came to be so.
pub(super) fn metres(
    samples: DecodingResult,
    place: &GeoTags,
    options: &ReadOptions,
) -> Result<(Vec<f32>, Option<Levels>, Source)> {
    // Floating-point and signed numbers, and all in a file that says where it lies, are metres already.
    let plain = |numbers: Vec<f32>| match options.given.range {
        Some([low, high]) => {
            let scale = |number: f32| (low + f64::from(number) * (high - low)) as f32;
            (numbers.into_iter().map(scale).collect(), None, Source::Caller)
        }
        None => (numbers, None, Source::File),
    };
    macro_rules! levels {
        ($numbers:expr, $number:ty) => {{
            if place.spacing.is_some() && options.given.range.is_none() {
                return Ok(plain($numbers.into_iter().map(|number| number as f32).collect()));
            }
            let (range, source) = options.range(None);
            let levels = Levels { bits: <$number>::BITS, range };
            let lowest = <$number>::MIN as f64;
            let metres = $numbers.into_iter().map(|number| levels.metres(number as f64 - lowest));
            (metres.collect(), Some(levels), source)
        }};
    }
    macro_rules! signed {
        ($numbers:expr, $number:ty) => {
            if options.given.range.is_some() {
                levels!($numbers, $number)
            } else {
                plain($numbers.into_iter().map(|number| number as f32).collect())
            }
        };
    }
    Ok(match samples {
        DecodingResult::F32(numbers) => plain(numbers),
        DecodingResult::F64(numbers) => plain(numbers.into_iter().map(|n| n as f32).collect()),
        DecodingResult::F16(numbers) => plain(numbers.into_iter().map(f32::from).collect()),
        DecodingResult::U8(numbers) => levels!(numbers, u8),
        DecodingResult::U16(numbers) => levels!(numbers, u16),
        DecodingResult::U32(numbers) => levels!(numbers, u32),
        DecodingResult::I8(numbers) => signed!(numbers, i8),
        DecodingResult::I16(numbers) => signed!(numbers, i16),
        DecodingResult::I32(numbers) => signed!(numbers, i32),
        DecodingResult::U64(_) | DecodingResult::I64(_) => {
            let found = "samples of 64-bit whole numbers";
            return Err(Error::malformed(Format::Tiff, None, found, "at most 32 bits"));
        }
    })
}
