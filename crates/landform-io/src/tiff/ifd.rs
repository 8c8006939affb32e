//! The header of a TIFF: its directory of tags, with the table of tiles.

use super::{geo, tile_side};
use crate::{Raster, WriteOptions};

/// The value of a tag.
enum Value {
    Short(Vec<u16>),
    Long(Vec<u32>),
    Double(Vec<f64>),
    Ascii(String),
}

impl Value {
    /// Type code, number of elements, bytes.
    fn encoded(&self) -> (u16, u32, Vec<u8>) {
        match self {
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
    let place = options.place;
    let [dx, dz] = raster.spacing;
    let east = place.easting + raster.origin[0];
    let north = place.northing - raster.origin[1];
    let (keys, text) = geo::keys(&place);
    let unit = format!(
        "<GDALMetadata><Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">{}</Item></GDALMetadata>",
        raster.unit
    );
    let mut tags = vec![
        (256, Value::Long(vec![u32::try_from(raster.width()).ok()?])),
        (257, Value::Long(vec![u32::try_from(raster.rows()).ok()?])),
        (258, Value::Short(vec![32])),
        // Deflate, darkest is lowest, one sample of floating point, predictor for it.
        (259, Value::Short(vec![8])),
        (262, Value::Short(vec![1])),
        (277, Value::Short(vec![1])),
        (284, Value::Short(vec![1])),
        (305, Value::Ascii(concat!("Landform ", env!("CARGO_PKG_VERSION")).to_owned())),
        (317, Value::Short(vec![3])),
        (322, Value::Long(vec![tile_side(raster) as u32])),
        (323, Value::Long(vec![tile_side(raster) as u32])),
        (324, Value::Long(offsets?)),
        (325, Value::Long(lengths?)),
        (339, Value::Short(vec![3])),
        (33550, Value::Double(vec![dx, dz, 0.0])),
        (33922, Value::Double(vec![0.0, 0.0, 0.0, east, north, 0.0])),
        (34735, Value::Short(keys)),
    ];
    if !text.is_empty() {
        tags.push((34737, Value::Ascii(text.to_owned())));
    }
    tags.push((42112, Value::Ascii(unit)));
    tags.push((42113, Value::Ascii("nan".to_owned())));
    Some(tags)
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
