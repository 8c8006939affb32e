//! Reading, by the `exr` crate.

use std::io::Cursor;

use exr::compression::Compression;
use exr::meta::MetaData;
use exr::meta::attribute::AttributeValue;
use exr::prelude::{AnyChannel, FlatSamples, ReadChannels, ReadLayers, read as read_exr};
use landform::Grid;

use super::{SPACING_X, SPACING_Z};
use crate::error::beginning;
use crate::heightmap::Source;
use crate::{Error, Format, Heightmap, ReadOptions, Result};

/// Beyond how many bytes a byte of the file can become.
fn most_growth(compression: Compression) -> u64 {
    match compression {
        // Channels may have fewer samples than the picture.
        Compression::Uncompressed => 4,
        Compression::RLE => 256,
        // Deflate reaches 1032.
        Compression::ZIP1 | Compression::ZIP16 => 1032,
        _ => 1 << 14,
    }
}

/// Reads the first flat picture of a file.
///
/// # Errors
/// If the bytes are no EXR, or have no channel for height.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Heightmap> {
    let wrong = |error: exr::error::Error| {
        let found = format!("a file that cannot be decoded ({error})");
        Error::malformed(Format::Exr, None, found, "an EXR")
    };
    if !bytes.starts_with(&[0x76, 0x2f, 0x31, 0x01]) {
        return Err(Error::malformed(Format::Exr, None, beginning(bytes), r#""v/1\x01""#));
    }
    let meta = MetaData::read_from_buffered(Cursor::new(bytes), false).map_err(wrong)?;
    for header in &meta.headers {
        let (width, height) = (header.layer_size.width() as u64, header.layer_size.height() as u64);
        let count = options.limits.samples(Format::Exr, width, height)? as u64;
        let size = count.saturating_mul(header.channels.bytes_per_pixel as u64);
        let growth = most_growth(header.compression);
        if size / growth > bytes.len() as u64 {
            let (found, expected) = (bytes.len() as u64, size / growth);
            return Err(Error::Truncated { format: Format::Exr, found, expected });
        }
    }
    let image = read_exr()
        .no_deep_data()
        .largest_resolution_level()
        .all_channels()
        .first_valid_layer()
        .all_attributes()
        .non_parallel()
        .from_buffered(Cursor::new(bytes))
        .map_err(wrong)?;

    let layer = image.layer_data;
    let (width, height) = (layer.size.width(), layer.size.height());
    let channel = pick(&layer.channel_data.list)?;
    let numbers: Vec<f32> = match &channel.sample_data {
        FlatSamples::F32(numbers) => numbers.clone(),
        FlatSamples::F16(numbers) => numbers.iter().map(|number| number.to_f32()).collect(),
        FlatSamples::U32(numbers) => numbers.iter().map(|&number| number as f32).collect(),
    };
    if numbers.len() != width * height {
        let found = format!("{} samples", numbers.len());
        return Err(Error::malformed(Format::Exr, None, found, format!("{width} × {height}")));
    }
    let (numbers, scale_from) = match options.given.range {
        Some([low, high]) => {
            let metres = |number: f32| (low + f64::from(number) * (high - low)) as f32;
            (numbers.into_iter().map(metres).collect(), Source::Caller)
        }
        None => (numbers, Source::Assumed),
    };

    let number = |name: &str| {
        let attributes = layer.attributes.other.iter().chain(&image.attributes.other);
        let mut named = attributes.filter(|(known, _)| *known == name);
        named.find_map(|(_, value)| match value {
            AttributeValue::F64(number) if *number > 0.0 && number.is_finite() => Some(*number),
            _ => None,
        })
    };
    let in_file = Option::zip(number(SPACING_X), number(SPACING_Z)).map(|(dx, dz)| [dx, dz]);
    let (spacing, spacing_from) = options.spacing(in_file);
    // With our own attributes the samples are metres; so they are with a side-car.
    let scale_from = match scale_from {
        Source::Assumed if in_file.is_some() => Source::File,
        Source::Assumed if options.side_car != crate::Scale::default() => Source::SideCar,
        known => known,
    };
    let heights = Grid::from_vec(width, height, numbers);
    Ok(Heightmap { heights, place: None, spacing, spacing_from, levels: None, scale_from })
}

/// The channel that holds the height.
fn pick(channels: &[AnyChannel<FlatSamples>]) -> Result<&AnyChannel<FlatSamples>> {
    let named = |name: &str| channels.iter().find(|channel| channel.name == *name);
    let only = || channels.first().filter(|_| channels.len() == 1);
    ["Y", "Z", "height", "R"].into_iter().find_map(named).or_else(only).ok_or_else(|| {
        let names: Vec<_> = channels.iter().map(|channel| channel.name.to_string()).collect();
        let found = format!("channels {}", names.join(", "));
        Error::malformed(Format::Exr, None, found, "one of Y, Z, height, R, or a single channel")
    })
}
