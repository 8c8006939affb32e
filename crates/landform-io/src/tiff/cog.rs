//! Cloud-optimized GeoTIFF: one BigTIFF of any size with all its overviews, made from a [store](crate::store).
//!
//! All directories come first, the samples of the smallest overview next, and those of the terrain last, so that a program on
//! the other side of a network gets a first picture with one request. How many tiles there are is known beforehand, so
//! the directories are left out, the tiles streamed, and the directories written into their place at the end.
//!
//! Sources: OGC 21-026, Cloud Optimized GeoTIFF; the BigTIFF proposal of the AWare Systems page.

use std::io::{Seek, SeekFrom, Write};

use landform::{Layer, Watch};

use super::ifd::{self, Value};
use super::make_tile;
use crate::blocks::{self, Block};
use crate::{Result, Store};

const HEADER: usize = 16;
/// Tiles across that are read at a time.
const ACROSS: u32 = 64;

/// The table of a level's tiles, which fills.
struct Table {
    size: [u32; 2],
    offsets: Vec<u64>,
    lengths: Vec<u32>,
}

/// Writes a layer of a store, with all levels, as a cloud-optimized GeoTIFF.
///
/// # Errors
/// If the store cannot be read, `out` not be written, or `watch` cancels.
pub fn write_cog(
    store: &Store,
    layer: &Layer,
    out: &mut (impl Write + Seek),
    watch: &dyn Watch,
) -> Result<()> {
    let layout = store.layout();
    let side = layout.chunk.max(16);
    let mut tables: Vec<Table> = (0..layout.levels())
        .map(|k| {
            let size = layout.level(k).size;
            let count = size.map(|samples| samples.div_ceil(side) as usize);
            let count = count[0] * count[1];
            Table { size, offsets: vec![0; count], lengths: vec![0; count] }
        })
        .collect();
    let head = head(store, layer, side, &tables);
    out.seek(SeekFrom::Start(head.len() as u64))?;
    let mut at = head.len() as u64;
    let all: usize = tables.iter().map(|table| table.offsets.len()).sum();
    let mut done = 0;
    for k in (0..tables.len()).rev() {
        let table = &mut tables[k];
        let [width, height] = table.size;
        let across = width.div_ceil(side);
        for j in 0..height.div_ceil(side) {
            for first in (0..across).step_by(ACROSS as usize) {
                if watch.is_cancelled() {
                    return Err(landform::Cancelled.into());
                }
                watch.progress("writing the GeoTIFF", done as f32 / all as f32);
                let (x, y) = (first * side, j * side);
                let window = [x, y, (width - x).min(ACROSS * side), (height - y).min(side)];
                let strip = store.read(k, layer, window)?;
                let tiles = window[2].div_ceil(side) as usize;
                let make =
                    |i: usize, block: &mut Block| make_tile(&strip, side as usize, i, 0, block);
                blocks::for_each(tiles, &make, |i, bytes| {
                    let tile = (j * across + first) as usize + i;
                    (table.offsets[tile], table.lengths[tile]) = (at, bytes.len() as u32);
                    at += bytes.len() as u64;
                    Ok(out.write_all(bytes)?)
                })?;
                done += tiles;
            }
        }
    }
    out.seek(SeekFrom::Start(0))?;
    out.write_all(&self::head(store, layer, side, &tables))?;
    Ok(out.flush()?)
}

/// The header and all directories, which are as long whatever the tables hold.
fn head(store: &Store, layer: &Layer, side: u32, tables: &[Table]) -> Vec<u8> {
    let layout = store.layout();
    let mut head = b"II\x2b\0\x08\0\0\0".to_vec();
    head.extend((HEADER as u64).to_le_bytes());
    for (k, table) in tables.iter().enumerate() {
        let mut tags = ifd::picture_tags(
            table.size,
            side,
            Value::Long8(table.offsets.clone()),
            Value::Long(table.lengths.clone()),
        );
        if k == 0 {
            let origin = [0, 1].map(|axis| f64::from(layout.origin[axis]) * layout.spacing[axis]);
            tags.extend(ifd::place_tags(
                layout.spacing,
                origin,
                layer.unit(),
                layout.place.as_ref(),
            ));
        } else {
            // A picture of another at lower resolution.
            tags.insert(0, (254, Value::Long(vec![1])));
        }
        tags.push(ifd::no_data());
        directory(&tags, k + 1 == tables.len(), &mut head);
    }
    head
}

/// Appends a directory and its values.
fn directory(tags: &[(u16, Value)], is_last: bool, head: &mut Vec<u8>) {
    let end = head.len() + 8 + 20 * tags.len() + 8;
    head.extend((tags.len() as u64).to_le_bytes());
    let mut values = Vec::new();
    for (tag, value) in tags {
        let (kind, count, mut bytes) = value.encoded();
        head.extend(tag.to_le_bytes());
        head.extend(kind.to_le_bytes());
        head.extend(u64::from(count).to_le_bytes());
        if bytes.len() <= 8 {
            bytes.resize(8, 0);
            head.extend(bytes);
        } else {
            head.extend(((end + values.len()) as u64).to_le_bytes());
            values.extend(bytes);
            values.resize(values.len().next_multiple_of(8), 0);
        }
    }
    let next = if is_last { 0 } else { (end + values.len()) as u64 };
    head.extend(next.to_le_bytes());
    head.extend(values);
}
