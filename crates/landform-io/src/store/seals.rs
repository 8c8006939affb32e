//! What every file of samples must be: its length and checksums, in the file `.checksums` of a finished store.
//!
//! ```text
//! "landform checksums 1\n"   number of files (u64)   { length (u64), index (u32), whole (u32) } a file   CRC-32C of all before
//! ```
//!
//! Chunks in shards have a CRC-32C of their own, which every reader of Zarr checks. It does not tell a shard from another one that
//! is sound, nor a file from none: this does. `index` is the checksum at the end of a shard; `whole` is that of all its bytes.
//! Files come level by level, layer by layer, row by row.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use landform::{Watch, par};
use serde::{Deserialize, Serialize};

use super::Store;
use super::layout::{Layout, Sharding};
use super::metadata::{self, Axis};
use super::shard::{Crc, crc32c};
use super::tile::{FilePlace, places};
use crate::{Result, regular};

/// The name of the file.
pub(super) const FILE_NAME: &str = ".checksums";

const MAGIC: &[u8] = b"landform checksums 1\n";
/// Bytes of a seal.
const WIDTH: usize = 16;
/// Tiles that are looked at between two questions whether to go on.
const BATCH: usize = 64;

/// Bytes of a file that are looked at together.
const PART: usize = 1 << 16;

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

    /// That of a file, which is read in parts: a damaged one may be of any length.
    fn of_file(path: &Path) -> io::Result<Self> {
        let mut file = regular::open(path)?;
        let (mut crc, mut length, mut last) = (Crc::default(), 0, Vec::new());
        let mut part = vec![0; PART];
        loop {
            match file.read(&mut part)? {
                0 => break,
                count => {
                    let part = &part[..count];
                    crc.add(part);
                    length += count as u64;
                    last.extend_from_slice(&part[count - count.min(4)..]);
                    last.drain(..last.len().saturating_sub(4));
                }
            }
        }
        Ok(Self { length, whole: crc.sum(), ..Self::of(&last) })
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

/// It fits 64 bits for every layout that is sound.
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
        let (parts, rest) = seals.as_chunks::<WIDTH>();
        let is_whole = parts.len() == count(layout) && rest.is_empty();
        if u64::from_le_bytes(*number) != count(layout) as u64 || !is_whole {
            return None;
        }
        let seals = parts.iter().map(|bytes| {
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
        let others = MAGIC.len() + size_of::<u64>() + size_of::<u32>();
        let most = (count(layout) as u64).saturating_mul(WIDTH as u64) + others as u64;
        Self::from_bytes(&regular::read_short(&root.join(FILE_NAME), most).ok()?, layout)
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
        for (file, text) in texts(self.manifest()) {
            if !is_sound(&self.root().join(&file), &Seal::of(text.as_bytes()), check) {
                damage.files.push(file);
            }
        }
        for (file, level, axis) in axes(layout) {
            if watch.is_cancelled() {
                return Err(landform::Cancelled.into());
            }
            let length = 8 * u64::from(layout.level(level).size[axis as usize]);
            let path = self.root().join(&file);
            let is_whole = has_length(&path, length)
                && (check == Check::Lengths
                    || is_axis(&path, layout, level, axis).unwrap_or(false));
            if !is_whole {
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
    let texts = texts(manifest).into_iter().map(|(file, text)| (file, text.into_bytes()));
    let axes = axes(layout).map(|(file, level, axis)| {
        (file, metadata::axis_bytes(layout, &layout.level(level), axis))
    });
    texts.chain(axes).collect()
}

/// The texts of a store but the root: if that is damaged, there is no store.
fn texts(manifest: &metadata::Manifest) -> Vec<(String, String)> {
    let mut texts = manifest.texts();
    texts.pop();
    texts
}

/// The files of coordinates, with their level.
fn axes(layout: &Layout) -> impl Iterator<Item = (String, usize, Axis)> {
    let both = |level| [Axis::X, Axis::Y].map(|axis| (level, axis));
    (0..layout.levels()).flat_map(both).map(|(level, axis)| {
        (format!("{}/c/0", super::layout::array(level, axis.name())), level, axis)
    })
}

/// Whether a file has the coordinates that follow from the layout.
fn is_axis(path: &Path, layout: &Layout, level: usize, axis: Axis) -> io::Result<bool> {
    let mut file = io::BufReader::with_capacity(PART, regular::open(path)?);
    for number in metadata::axis_numbers(layout, &layout.level(level), axis) {
        let mut found = [0; 8];
        file.read_exact(&mut found)?;
        if found != number {
            return Ok(false);
        }
    }
    Ok(true)
}

fn has_length(path: &Path, length: u64) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() == length)
}

fn is_sound(path: &Path, seal: &Seal, check: Check) -> bool {
    has_length(path, seal.length)
        && (check == Check::Lengths || Seal::of_file(path).is_ok_and(|found| found == *seal))
}

#[cfg(test)]
mod tests {
    use super::super::layout::Division;
    use super::super::layout::tests::layout;
    use super::super::{Builder, fill};
    use super::*;
    use landform::{Inputs, Recipe};

    #[test]
    fn the_seal_of_a_file_is_that_of_its_bytes() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("a");
        for length in [0, 1, 3, 4, 5, PART - 2, PART, PART + 1, PART + 3, 3 * PART + 7] {
            let bytes: Vec<u8> = (0..length).map(|k| (k * k % 251) as u8).collect();
            std::fs::write(&path, &bytes).unwrap();
            assert_eq!(Seal::of_file(&path).unwrap(), Seal::of(&bytes), "{length} bytes");
        }
    }

    #[test]
    fn every_file_that_is_another_is_named_and_no_other() {
        const RECIPE: &str = "version = 1\nsize = [70, 45]\nspacing = [10, 10]\n\
            [[stage]]\nkind = \"noise\"\n";
        let home = tempfile::tempdir().unwrap();
        let root = home.path().join("a.zarr");
        let plan = Recipe::parse(RECIPE).unwrap().resolve(&Inputs::default()).unwrap();
        let division = Division { chunk: Some(16), shard: Some(32), ..Division::default() };
        let (whole, recipe) = (plan.lattice().whole(), (RECIPE, None));
        let manifest =
            metadata::Manifest::new(&plan, &whole, &division, recipe, &Inputs::default()).unwrap();
        fill(&Builder::start(&root, manifest).unwrap(), &plan, 1 << 30, &()).unwrap();
        let store = Store::open(&root).unwrap();
        let damaged = |check: Check| store.damage(check, &()).unwrap().files;
        assert_eq!(damaged(Check::Contents), [""; 0]);
        let layout = store.layout();
        let mut files: Vec<String> = texts(store.manifest()).into_iter().map(|(f, _)| f).collect();
        files.extend(axes(layout).map(|(file, ..)| file));
        for base in layout.bases() {
            let [across, down] = layout.tiles(base);
            for tile in (0..down).flat_map(|j| (0..across).map(move |i| [i, j])) {
                files.extend(places(layout, base, tile).iter().map(|place| place.key(layout)));
            }
        }
        assert!(files.len() > 20, "{files:?}");
        for file in files {
            let path = root.join(&file);
            let sound = std::fs::read(&path).unwrap();
            let mut flipped = sound.clone();
            *flipped.last_mut().unwrap() ^= 1;
            std::fs::write(&path, &flipped).unwrap();
            assert_eq!(damaged(Check::Contents), [file.as_str()]);
            assert_eq!(damaged(Check::Lengths), [""; 0]);
            for other in [&sound[1..], &[&sound[..], b" "].concat()] {
                std::fs::write(&path, other).unwrap();
                assert_eq!(damaged(Check::Contents), [file.as_str()]);
                assert_eq!(damaged(Check::Lengths), [file.as_str()]);
            }
            std::fs::remove_file(&path).unwrap();
            assert_eq!(damaged(Check::Lengths), [file.as_str()]);
            std::fs::write(&path, &sound).unwrap();
        }
    }

    #[test]
    fn a_layout_with_more_files_than_there_can_be_has_no_seals() {
        // Sixteen times the number of its files is a multiple of 2⁶⁴.
        let layers = vec!["height".to_owned(); 256];
        let layout = Layout { layers, ..layout([1 << 30, 1 << 30], 16, 16) };
        let mut bytes = MAGIC.to_vec();
        bytes.extend((count(&layout) as u64).to_le_bytes());
        bytes.extend(crc32c(&bytes).to_le_bytes());
        assert_eq!(Seals::from_bytes(&bytes, &layout), None);
    }

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
