//! What every file of samples must be: its length and checksums, in the file `.checksums` of a finished store.
//!
//! ```text
//! "landform checksums 1\n"   number of files (u64)   { length (u64), index (u32), whole (u32) } a file   CRC-32C of all before
//! ```
//!
//! Chunks in shards have a CRC-32C of their own, which every reader of Zarr checks. It does not tell a shard from another one that
//! is sound, nor a file from none: this does. `index` is the checksum at the end of a shard; `whole` is that of all its bytes.
//! Files come level by level, layer by layer, row by row.

use std::path::{Path, PathBuf};

use landform::{Watch, par};
use serde::{Deserialize, Serialize};

use super::Store;
use super::layout::{Layout, Sharding};
use super::metadata::{self, Axis};
use super::shard::crc32c;
use super::tile::{FilePlace, places};
use crate::{Result, regular};

/// The name of the file.
pub(super) const FILE_NAME: &str = ".checksums";

const MAGIC: &[u8] = b"landform checksums 1\n";
/// Bytes of a seal.
const WIDTH: usize = 16;
/// Tiles that are looked at between two questions whether to go on.
const BATCH: usize = 64;

/// What a file must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seal {
    pub(super) length: u64,
    /// Its last four bytes: in a shard, the checksum of its index.
    pub(super) index: u32,
    /// The checksum of all its bytes.
    pub(super) whole: u32,
}

impl Seal {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let index = bytes.last_chunk::<4>().map_or(0, |four| u32::from_le_bytes(*four));
        Self { length: bytes.len() as u64, index, whole: crc32c(bytes) }
    }
}

/// The seals of all files of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seals(Vec<Seal>);

/// Files of an array, across and down.
fn files_of(layout: &Layout, level: usize) -> [usize; 2] {
    let level = layout.level(level);
    let side = match layout.sharding {
        Sharding::Shards => level.piece,
        Sharding::Chunks => level.chunk,
    };
    level.size.map(|count| count.div_ceil(side) as usize)
}

fn count(layout: &Layout) -> usize {
    let of_level = |k: usize| files_of(layout, k).iter().product::<usize>();
    (0..layout.levels()).map(of_level).sum::<usize>() * layout.layers.len()
}

fn position(layout: &Layout, place: &FilePlace) -> usize {
    let layers = layout.layers.len();
    let of_level = |k: usize| files_of(layout, k).iter().product::<usize>();
    let [across, down] = files_of(layout, place.level);
    let before = (0..place.level).map(|k| layers * of_level(k)).sum::<usize>();
    let [i, j] = place.at.map(|at| at as usize);
    before + place.layer * across * down + j * across + i
}

impl Seals {
    /// None is known yet.
    pub(super) fn empty(layout: &Layout) -> Self {
        Self(vec![Seal::default(); count(layout)])
    }

    pub(super) fn set(&mut self, layout: &Layout, place: &FilePlace, seal: Seal) {
        self.0[position(layout, place)] = seal;
    }

    pub(super) fn get(&self, layout: &Layout, place: &FilePlace) -> Seal {
        self.0[position(layout, place)]
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((self.0.len() as u64).to_le_bytes());
        for seal in &self.0 {
            bytes.extend(seal.length.to_le_bytes());
            bytes.extend(seal.index.to_le_bytes());
            bytes.extend(seal.whole.to_le_bytes());
        }
        bytes.extend(crc32c(&bytes).to_le_bytes());
        bytes
    }

    /// Nothing if the bytes are damaged, or of another store.
    pub(super) fn from_bytes(bytes: &[u8], layout: &Layout) -> Option<Self> {
        let (bytes, sum) = bytes.split_last_chunk::<4>()?;
        if crc32c(bytes) != u32::from_le_bytes(*sum) {
            return None;
        }
        let (number, seals) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<8>()?;
        let is_whole = seals.len() == WIDTH * count(layout);
        if u64::from_le_bytes(*number) != count(layout) as u64 || !is_whole {
            return None;
        }
        let seals = seals.as_chunks::<WIDTH>().0.iter().map(|bytes| {
            let four = |at: usize| [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
            let (low, high) = (u32::from_le_bytes(four(0)), u32::from_le_bytes(four(4)));
            Seal {
                length: u64::from(low) | u64::from(high) << 32,
                index: u32::from_le_bytes(four(8)),
                whole: u32::from_le_bytes(four(12)),
            }
        });
        Some(Self(seals.collect()))
    }

    /// Those of the store in the folder `root`.
    pub(super) fn read(root: &Path, layout: &Layout) -> Option<Self> {
        Self::from_bytes(&regular::read(&root.join(FILE_NAME)).ok()?, layout)
    }
}

/// How closely the files of a finished store are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Check {
    /// Whether all are there, as long as they were.
    #[default]
    Lengths,
    /// Every byte.
    Contents,
}

/// What of a finished store is not as it was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    /// The files, by their names in the store.
    pub files: Vec<String>,
    /// Level and place of the tiles that they come from.
    pub(super) tiles: Vec<(usize, [u32; 2])>,
}

impl Damage {
    /// Whether all is as it was.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The first few files, for people.
    pub fn shown(&self) -> String {
        let first: Vec<&str> = self.files.iter().take(5).map(String::as_str).collect();
        let more = self.files.len() - first.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{more}", first.join(", "))
    }
}

impl Store {
    /// Looks for damaged files. A store that is not complete has none.
    ///
    /// # Errors
    /// If `watch` cancels.
    pub fn damage(&self, check: Check, watch: &dyn Watch) -> Result<Damage> {
        let mut damage = Damage::default();
        let Some(seals) = self.seals() else { return Ok(damage) };
        let layout = self.layout();
        for (file, bytes) in descriptions(self.manifest()) {
            if !is_sound(&self.root().join(&file), &Seal::of(&bytes), check) {
                damage.files.push(file);
            }
        }
        for base in layout.bases() {
            let [across, down] = layout.tiles(base);
            let tiles: Vec<[u32; 2]> =
                (0..down).flat_map(|j| (0..across).map(move |i| [i, j])).collect();
            for (n, batch) in tiles.chunks(BATCH).enumerate() {
                watch.progress("checking", (n * BATCH) as f32 / tiles.len() as f32);
                if watch.is_cancelled() {
                    return Err(landform::Cancelled.into());
                }
                let found = par::map(batch.len(), |k| {
                    let is_damaged = |place: &FilePlace| {
                        let path: PathBuf = self.root().join(place.key(layout));
                        !is_sound(&path, &seals.get(layout, place), check)
                    };
                    let places = places(layout, base, batch[k]).into_iter();
                    places.filter(is_damaged).map(|place| place.key(layout)).collect::<Vec<_>>()
                });
                for (&tile, files) in batch.iter().zip(found) {
                    if !files.is_empty() {
                        damage.tiles.push((base, tile));
                        damage.files.extend(files);
                    }
                }
            }
        }
        Ok(damage)
    }
}

/// All files of a store but those of samples and the root, which says that it is complete.
pub(super) fn descriptions(manifest: &metadata::Manifest) -> Vec<(String, Vec<u8>)> {
    let layout = &manifest.layout;
    let mut files: Vec<(String, Vec<u8>)> =
        manifest.texts().into_iter().map(|(file, text)| (file, text.into_bytes())).collect();
    // The root comes last; if it is damaged, there is no store.
    files.pop();
    for k in 0..layout.levels() {
        for axis in [Axis::X, Axis::Y] {
            let file = format!("{}/c/0", super::layout::array(k, axis.name()));
            files.push((file, metadata::axis_bytes(layout, &layout.level(k), axis)));
        }
    }
    files
}

fn is_sound(path: &Path, seal: &Seal, check: Check) -> bool {
    match check {
        Check::Lengths => {
            std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() == seal.length)
        }
        Check::Contents => regular::read(path).is_ok_and(|bytes| Seal::of(&bytes) == *seal),
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::tests::layout;
    use super::*;

    #[test]
    fn every_file_has_a_seal_of_its_own_that_reads_back() {
        for sharding in [Sharding::Shards, Sharding::Chunks] {
            let layout = Layout {
                sharding,
                layers: vec!["height".to_owned(), "flow".to_owned()],
                ..layout([150, 70], 16, 64)
            };
            let mut seals = Seals::empty(&layout);
            let mut all = Vec::new();
            for base in layout.bases() {
                let [across, down] = layout.tiles(base);
                for tile in (0..down).flat_map(|j| (0..across).map(move |i| [i, j])) {
                    all.extend(places(&layout, base, tile));
                }
            }
            for (k, place) in all.iter().enumerate() {
                assert_eq!(seals.get(&layout, place), Seal::default(), "{place:?} is taken");
                seals.set(&layout, place, Seal { length: k as u64 + 1, index: 7, whole: 9 });
            }
            assert!(!seals.0.contains(&Seal::default()), "a seal without a file");
            let bytes = seals.to_bytes();
            assert_eq!(Seals::from_bytes(&bytes, &layout).as_ref(), Some(&seals));
            for at in 0..bytes.len() {
                let mut broken = bytes.clone();
                broken[at] ^= 16;
                assert_eq!(Seals::from_bytes(&broken, &layout), None, "byte {at}");
            }
            assert_eq!(Seals::from_bytes(&bytes[..bytes.len() - 1], &layout), None);
        }
    }
}
