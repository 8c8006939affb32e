//! PMTiles: all tiles in one file, which a browser reads in parts.
//!
//! ```text
//! header (127 bytes)  root directory   16 KiB in all   tiles, along the curve of Hilbert   leaf directories   metadata
//! ```

use std::io::{Seek, SeekFrom, Write};

use landform::Watch;
use serde_json::json;

use super::mercator::MercatorFrame;
use super::{Tile, for_each};
use crate::deflate::Compressor;
use crate::{Result, Store};

const HEADER: usize = 127;
/// Header and root directory are within this many bytes.
const HEAD: u64 = 16_384;
/// Tiles in a leaf directory.
const LEAF: usize = 4096;
/// Tiles up to which the root has room for all.
const ROOT: usize = 1200;

/// A line of a directory: number, offset and length; a run of 0 points to a leaf.
struct Entry {
    id: u64,
    offset: u64,
    length: u32,
    run: u32,
}

/// Writes the tiles of a store as PMTiles.
///
/// # Errors
/// If the store cannot be read, `out` not be written, or `watch` cancels.
pub fn write(store: &Store, out: &mut (impl Write + Seek), watch: &dyn Watch) -> Result<()> {
    let place = MercatorFrame::of(store.layout());
    let mut tiles = place.tiles();
    tiles.sort_by_key(number);
    out.seek(SeekFrom::Start(HEAD))?;
    let mut entries = Vec::with_capacity(tiles.len());
    let mut at = 0;
    for_each(store, &tiles, watch, |tile, png| {
        entries.push(Entry { id: number(&tile), offset: at, length: png.len() as u32, run: 1 });
        at += png.len() as u64;
        Ok(out.write_all(&png)?)
    })?;
    let mut leaves = Vec::new();
    let root = if entries.len() <= ROOT {
        directory(&entries)
    } else {
        // Leaves are wider where there are so many tiles that the root would not hold their list.
        let width = LEAF.max(entries.len().div_ceil(ROOT));
        let mut tops = Vec::new();
        for part in entries.chunks(width) {
            let bytes = directory(part);
            let (offset, length) = (leaves.len() as u64, bytes.len() as u32);
            tops.push(Entry { id: part[0].id, offset, length, run: 0 });
            leaves.extend(bytes);
        }
        directory(&tops)
    };
    let metadata = json!({
        "name": "terrain",
        "type": "baselayer",
        "encoding": "terrarium",
        "generator": concat!("landform ", env!("CARGO_PKG_VERSION")),
    });
    let metadata = Compressor::default().gzip(metadata.to_string().as_bytes());
    out.write_all(&leaves)?;
    out.write_all(&metadata)?;
    let leaf_offset = HEAD + at;
    let sections = [
        HEADER as u64,
        root.len() as u64,
        leaf_offset + leaves.len() as u64,
        metadata.len() as u64,
        leaf_offset,
        leaves.len() as u64,
        HEAD,
        at,
    ];
    out.seek(SeekFrom::Start(0))?;
    out.write_all(&header(&place, sections, entries.len() as u64))?;
    out.write_all(&root)?;
    Ok(out.flush()?)
}

fn header(place: &MercatorFrame, sections: [u64; 8], count: u64) -> Vec<u8> {
    let mut header = b"PMTiles\x03".to_vec();
    for number in sections.into_iter().chain([count; 3]) {
        header.extend(number.to_le_bytes());
    }
    // Clustered; directories by gzip, tiles not compressed; PNG.
    header.extend([1, 2, 1, 2, place.least_zoom(), place.most_zoom()]);
    let degrees = |degrees: f64| ((degrees * 1e7) as i32).to_le_bytes();
    let [west, south, east, north] = place.bounds();
    for side in [west, south, east, north] {
        header.extend(degrees(side));
    }
    header.push(place.least_zoom());
    header.extend(degrees((west + east) / 2.0));
    header.extend(degrees((south + north) / 2.0));
    debug_assert_eq!(header.len(), HEADER);
    header
}

/// A directory: its columns one after the other, as numbers of variable length, compressed.
fn directory(entries: &[Entry]) -> Vec<u8> {
    let mut out = Vec::new();
    varint(&mut out, entries.len() as u64);
    let mut before = 0;
    for entry in entries {
        varint(&mut out, entry.id - before);
        before = entry.id;
    }
    entries.iter().for_each(|entry| varint(&mut out, entry.run.into()));
    entries.iter().for_each(|entry| varint(&mut out, entry.length.into()));
    let mut end = None;
    for entry in entries {
        // 0 stands for where the one before ends.
        let number = if end == Some(entry.offset) { 0 } else { entry.offset + 1 };
        varint(&mut out, number);
        end = Some(entry.offset + u64::from(entry.length));
    }
    Compressor::default().gzip(&out)
}

fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// The number of a tile: all coarser zooms come before it, then the curve of Hilbert.
fn number(tile: &Tile) -> u64 {
    let (mut x, mut y) = (tile.x, tile.y);
    let mut number = ((1_u64 << (2 * tile.zoom)) - 1) / 3;
    let mut side = 1_u32 << tile.zoom >> 1;
    while side > 0 {
        let (right, lower) = (u32::from(x & side > 0), u32::from(y & side > 0));
        number += u64::from(side) * u64::from(side) * u64::from((3 * right) ^ lower);
        if lower == 0 {
            if right == 1 {
                (x, y) =
                    (side.wrapping_sub(1).wrapping_sub(x), side.wrapping_sub(1).wrapping_sub(y));
            }
            (x, y) = (y, x);
        }
        side >>= 1;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_numbered_as_the_specification_does() {
        let cases =
            [(0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5)];
        for (zoom, x, y, id) in cases {
            assert_eq!(number(&Tile { zoom, x, y }), id, "{zoom}/{x}/{y}");
        }
        assert_eq!(number(&Tile { zoom: 12, x: 3423, y: 1763 }), 19_078_479);
        // Every number of a zoom once, and neighbours on the map one after the other.
        let mut tiles: Vec<Tile> =
            (0..256).map(|k| Tile { zoom: 4, x: k % 16, y: k / 16 }).collect();
        tiles.sort_by_key(number);
        for (k, pair) in tiles.windows(2).enumerate() {
            assert_eq!(number(&pair[0]), 85 + k as u64);
            assert_eq!(pair[0].x.abs_diff(pair[1].x) + pair[0].y.abs_diff(pair[1].y), 1);
        }
    }

    #[test]
    fn numbers_of_variable_length_end_with_a_small_byte() {
        let mut out = Vec::new();
        [0, 127, 128, 300].into_iter().for_each(|number| varint(&mut out, number));
        assert_eq!(out, [0, 127, 0x80, 1, 0xAC, 2]);
    }
}
