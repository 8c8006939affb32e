//! The header of a TIFF: its directory of tags, with the table of tiles.

use landform::{Crs, Georeference};

use super::{geo, tile_side};
use crate::{Raster, WriteOptions};

/// The value of a tag.
pub(super) enum Value {
    Short(Vec<u16>),
    Long(Vec<u32>),
    Long8(Vec<u64>),
    Double(Vec<f64>),
    Ascii(String),
}

impl Value {
    /// Type code, number of elements, bytes.
    pub(super) fn encoded(&self) -> (u16, u32, Vec<u8>) {
        match self {
            Self::Long8(numbers) => {
                (16, numbers.len() as u32, numbers.iter().flat_map(|n| n.to_le_bytes()).collect())
            }
            Self::Short(numbers) => {
                (3, numbers.len() as u32, numbers.iter().flat_map(|n| n.to_le_bytes()).collect())
            }
            Self::Long(numbers) => {
                (4, numbers.len() as u32, numbers.iter().flat_map(|n| n.to_le_bytes()).collect())
            }
            Self::Double(numbers) => {
                (12, numbers.len() as u32, numbers.iter().flat_map(|n| n.to_le_bytes()).collect())
            }
            Self::Ascii(text) => {
                let bytes = [text.as_bytes(), &[0]].concat();
                (2, bytes.len() as u32, bytes)
            }
        }
    }
}

/// All bytes before the tiles, which have these `lengths`; nothing if the file would pass 4 GiB.
pub(super) fn write(
    raster: &Raster<'_>,
    options: &WriteOptions<'_>,
    lengths: &[u64],
) -> Option<Vec<u8>> {
    // The head is as long whatever the offsets are, so it is made twice.
    let head = encode(&tags(raster, options, lengths, 0)?);
    let total = head.len() as u64 + lengths.iter().sum::<u64>();
    u32::try_from(total).ok()?;
    Some(encode(&tags(raster, options, lengths, head.len() as u64)?))
}

/// The tags, ascending.
fn tags(
    raster: &Raster<'_>,
    options: &WriteOptions<'_>,
    lengths: &[u64],
    first_tile: u64,
) -> Option<Vec<(u16, Value)>> {
    let offsets = lengths.iter().scan(first_tile, |at, length| {
        let offset = *at;
        *at += length;
        Some(u32::try_from(offset).ok())
    });
    let offsets: Option<Vec<u32>> = offsets.collect();
    let lengths: Option<Vec<u32>> =
        lengths.iter().map(|&length| u32::try_from(length).ok()).collect();
    let size = [u32::try_from(raster.width()).ok()?, u32::try_from(raster.rows()).ok()?];
    let tile = tile_side(raster) as u32;
    let mut tags = picture_tags(size, tile, Value::Long(offsets?), Value::Long(lengths?));
    tags.extend(place_tags(raster.spacing, raster.origin, raster.unit, options.place));
    tags.push(no_data());
    Some(tags)
}

/// The tags of a picture of f32 in square tiles, ascending.
pub(super) fn picture_tags(
    [width, height]: [u32; 2],
    tile: u32,
    offsets: Value,
    lengths: Value,
) -> Vec<(u16, Value)> {
    vec![
        (256, Value::Long(vec![width])),
        (257, Value::Long(vec![height])),
        (258, Value::Short(vec![32])),
        // Deflate, darkest is lowest, one sample of floating point, predictor for it.
        (259, Value::Short(vec![8])),
        (262, Value::Short(vec![1])),
        (277, Value::Short(vec![1])),
        (284, Value::Short(vec![1])),
        (305, Value::Ascii(concat!("Landform ", env!("CARGO_PKG_VERSION")).to_owned())),
        (317, Value::Short(vec![3])),
        (322, Value::Long(vec![tile])),
        (323, Value::Long(vec![tile])),
        (324, offsets),
        (325, lengths),
        (339, Value::Short(vec![3])),
    ]
}

/// What is not a number is no data.
pub(super) fn no_data() -> (u16, Value) {
    (42113, Value::Ascii("nan".to_owned()))
}

/// The tags that tell where a raster lies, whose first sample is at `first` on the map, and its unit, ascending.
pub(super) fn place_tags(
    [dx, dz]: [f64; 2],
    first: [f64; 2],
    unit: &str,
    place: Option<&Georeference>,
) -> Vec<(u16, Value)> {
    let local = Georeference::metres(Crs::Local, [0.0; 2]);
    let place = place.unwrap_or(&local);
    let [east, north] = place.of_place(first);
    let keys = geo::keys(&place.crs);
    let unit = format!(
        "<GDALMetadata><Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">{unit}</Item></GDALMetadata>"
    );
    let (x, z) = (place.x_axis.map(|part| part * dx), place.z_axis.map(|part| part * dz));
    let mut tags = if place.is_north_up() {
        vec![
            (33550, Value::Double(vec![x[0], -z[1], 0.0])),
            (33922, Value::Double(vec![0.0, 0.0, 0.0, east, north, 0.0])),
        ]
    } else {
        let rows =
            [[x[0], z[0], 0.0, east], [x[1], z[1], 0.0, north], [0.0; 4], [0.0, 0.0, 0.0, 1.0]];
        vec![(34264, Value::Double(rows.as_flattened().to_vec()))]
    };
    tags.push((34735, Value::Short(keys.directory)));
    if !keys.numbers.is_empty() {
        tags.push((34736, Value::Double(keys.numbers)));
    }
    if !keys.text.is_empty() {
        tags.push((34737, Value::Ascii(keys.text)));
    }
    tags.push((42112, Value::Ascii(unit)));
    tags
}

fn encode(tags: &[(u16, Value)]) -> Vec<u8> {
    let directory_end = 8 + 2 + 12 * tags.len() + 4;
    let mut head = b"II\x2a\0\x08\0\0\0".to_vec();
    head.extend((tags.len() as u16).to_le_bytes());
    let mut values = Vec::new();
    for (tag, value) in tags {
        let (kind, count, mut bytes) = value.encoded();
        head.extend(tag.to_le_bytes());
        head.extend(kind.to_le_bytes());
        head.extend(count.to_le_bytes());
        if bytes.len() <= 4 {
            bytes.resize(4, 0);
            head.extend(bytes);
        } else {
            let offset = (directory_end + values.len()) as u32;
            head.extend(offset.to_le_bytes());
            values.extend(bytes);
            // Values begin at even offsets.
            values.resize(values.len().next_multiple_of(2), 0);
        }
    }
    head.extend([0; 4]);
    head.extend(values);
    head
}
