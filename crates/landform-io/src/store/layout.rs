//! How a terrain is divided: levels, tiles, chunks, and the files that they are in.
//!
//! Level 0 holds the samples; each further level halves both sides until one chunk is enough. A *tile* is a square of
//! level 0, the unit of work: whoever makes one also halves it as often as its chunks allow, so nothing is read back. From the
//! smallest of these levels, the next *base*, it goes on in the same way, with tiles that are read from the store:
//!
//! ```text
//! shard 2048, chunk 256    level  0     1     2    3   │  4     5    6   │ …
//!                          piece  2048  1024  512  256 │  1024  512  256 │
//!                          made from base 0            │  from base 3    │ from base 6
//! ```

use landform::{Extent, Georeference, GroundCover, Lattice, Layer, Plan, Topology};
use serde::{Deserialize, Serialize};

use super::metadata::FILE_NAME;
use crate::{Error, Result};

/// Whether the chunks of a piece share a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sharding {
    /// One file a piece: few files. Read by zarr-python, xarray, and GDAL from 3.13 on.
    #[default]
    Shards,
    /// One file a chunk: many files, which GDAL reads from 3.12 on.
    Chunks,
}

/// What a caller may choose about the division of a store. It changes the files, not the samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Division {
    /// Samples along a side of a chunk, a power of two.
    pub chunk: Option<u32>,
    /// Samples along a side of a tile, which is a shard of level 0: a power of two, at least a chunk.
    pub shard: Option<u32>,
    /// Whether chunks share files.
    pub sharding: Sharding,
}

/// What a store holds and how it is divided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    /// Number of columns and rows.
    pub size: [u32; 2],
    /// Column and row of the first sample in the whole terrain.
    pub origin: [u32; 2],
    /// Number of columns and rows of the whole terrain.
    pub whole: [u32; 2],
    /// Δx and Δz in metres.
    pub spacing: [f64; 2],
    /// How the edges of the whole belong together.
    pub topology: Topology,
    /// What the ground is covered with in views of it; green if nothing is said.
    #[serde(default, skip_serializing_if = "GroundCover::is_green")]
    pub ground: GroundCover,
    /// Where the whole terrain lies, on the Earth or on its planet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Georeference>,
    /// Height of the water table in metres.
    pub sea_level: f64,
    /// Names of the layers, height first.
    pub layers: Vec<String>,
    /// Samples along a side of a chunk.
    pub chunk: u32,
    /// Samples along a side of a tile.
    pub shard: u32,
    /// Whether chunks share files.
    pub sharding: Sharding,
}

/// One level of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Number of columns and rows.
    pub size: [u32; 2],
    /// Samples of level 0 along a side of one sample.
    pub factor: u32,
    /// Samples along a side of a piece: what one tile gives to this level.
    pub piece: u32,
    /// Samples along a side of a chunk.
    pub chunk: u32,
}

/// Names that layers cannot have, since coordinates have them.
const AXES: [&str; 2] = ["x", "y"];

/// Layers of a store at the most.
const LAYERS: usize = 256;

const SIDES: std::ops::RangeInclusive<u32> = 16..=16384;

impl Layout {
    /// The layout of a store for `extent`, as the plan will fill it.
    ///
    /// # Errors
    /// If chunk or shard are not powers of two that fit each other.
    pub fn of(plan: &Plan, extent: &Extent, division: &Division) -> Result<Self> {
        let usual = if division.sharding == Sharding::Shards { 256 } else { 512 };
        let chunk = division.chunk.unwrap_or(usual.min(division.shard.unwrap_or(usual)));
        let size = [extent.width() as u32, extent.height() as u32];
        let enough = size[0].max(size[1]).min(2048).next_power_of_two();
        let shard = division.shard.unwrap_or(enough.max(chunk));
        for (what, side) in [("a side of a chunk", chunk), ("a side of a shard", shard)] {
            if !side.is_power_of_two() || !SIDES.contains(&side) || shard < chunk {
                let found = format!("{what} of {side} samples");
                let (least, most) = SIDES.into_inner();
                let expected =
                    format!("a power of two in {least}..={most}, a shard at least a chunk");
                return Err(Error::Division { found, expected });
            }
        }
        let layout = Self {
            size,
            origin: extent.origin(),
            whole: extent.lattice().size,
            spacing: extent.lattice().spacing,
            topology: plan.topology(),
            ground: plan.cover(),
            place: plan.place().cloned(),
            sea_level: plan.sea_level(),
            layers: plan.layers().iter().map(|layer| layer.name().to_owned()).collect(),
            chunk,
            shard,
            sharding: division.sharding,
        };
        layout.layers_fit()?;
        Ok(layout)
    }

    /// Refuses layers whose arrays would share a folder, and more of them than a store can have.
    fn layers_fit(&self) -> Result<()> {
        let refused = |found: String, expected: &str| {
            Err(Error::Store { path: FILE_NAME.to_owned(), found, expected: expected.to_owned() })
        };
        if self.layers.len() > LAYERS {
            let expected = format!("at most {LAYERS}");
            return refused(format!("{} layers", self.layers.len()), &expected);
        }
        for (k, name) in self.layers.iter().enumerate() {
            if AXES.contains(&name.as_str()) {
                let expected = "another name: x and y are the coordinates of a store";
                return refused(format!("a layer that is called {name}"), expected);
            }
            if self.layers[..k].contains(name) {
                return refused(format!("two layers that are called {name}"), "different names");
            }
        }
        Ok(())
    }

    /// The grid lines of the whole terrain.
    pub fn lattice(&self) -> Lattice {
        Lattice { size: self.whole, spacing: self.spacing }
    }

    /// Where the samples of level 0 sit, or nothing if the numbers of a file do not agree.
    pub fn extent(&self) -> Option<Extent> {
        let ([i, j], [width, height]) = (self.origin, self.size);
        let is_spacing = self.spacing.iter().all(|step| *step > 0.0 && step.is_finite());
        self.lattice().window(i, j, width, height).filter(|_| is_spacing)
    }

    /// Whether the numbers, which come from a file, agree, so that none of them leads astray.
    pub(super) fn is_sound(&self) -> bool {
        let Self { chunk, shard, .. } = *self;
        let is_side = |side: u32| side.is_power_of_two() && SIDES.contains(&side);
        let known: Vec<Layer> = self.layers().collect();
        self.layers_fit().is_ok()
            && is_side(chunk)
            && is_side(shard)
            && chunk <= shard
            && self.whole.iter().all(|&side| side <= 1 << 30)
            && self.extent().is_some()
            && self.place.as_ref().is_none_or(Georeference::is_sound)
            && known.len() == self.layers.len()
            && known.first() == Some(&Layer::Height)
    }

    /// The layers.
    pub fn layers(&self) -> impl Iterator<Item = Layer> + '_ {
        self.layers.iter().filter_map(|name| Layer::named(name))
    }

    /// How many times a tile is halved before it is left.
    pub(super) fn steps(&self) -> usize {
        (self.shard / self.chunk).max(2).ilog2() as usize
    }

    /// Number of levels.
    pub fn levels(&self) -> usize {
        let largest = self.size[0].max(self.size[1]);
        (0..32).find(|&k| largest.div_ceil(1 << k) <= self.chunk).map_or(1, |k| k + 1)
    }

    /// The level `k`, which is below [`Layout::levels`].
    pub fn level(&self, k: usize) -> Level {
        let factor = 1 << k;
        let halved = if k == 0 { 0 } else { (k - 1) % self.steps() + 1 };
        let piece = self.shard >> halved;
        Level {
            size: self.size.map(|side| side.div_ceil(factor)),
            factor,
            piece,
            chunk: self.chunk.min(piece),
        }
    }

    /// The levels from which others are made: tiles of level 0 come from the plan, those of the others from the store.
    pub fn bases(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.levels())
            .step_by(self.steps())
            .filter(|&base| base == 0 || base + 1 < self.levels())
    }

    /// The levels that a tile of a base gives.
    pub(super) fn levels_from(&self, base: usize) -> std::ops::Range<usize> {
        let first = if base == 0 { 0 } else { base + 1 };
        first..(base + self.steps() + 1).min(self.levels())
    }

    /// Number of tiles of a base, across and down.
    pub fn tiles(&self, base: usize) -> [u32; 2] {
        self.level(base).size.map(|side| side.div_ceil(self.shard))
    }

    /// The window of a tile on its base: first column and row, number of columns and rows.
    pub fn window(&self, base: usize, [i, j]: [u32; 2]) -> [u32; 4] {
        let [width, height] = self.level(base).size;
        let (x, y) = (i * self.shard, j * self.shard);
        [x, y, (width - x).min(self.shard), (height - y).min(self.shard)]
    }
}

/// The array of a layer on a level.
pub(super) fn array(level: usize, layer: &str) -> String {
    format!("{level}/{layer}")
}

/// The file of the chunk, or shard, in column i and row j of an array.
pub(super) fn key(array: &str, [i, j]: [u32; 2]) -> String {
    format!("{array}/c/{j}/{i}")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::store) fn layout(size: [u32; 2], chunk: u32, shard: u32) -> Layout {
        Layout {
            size,
            origin: [0, 0],
            whole: size,
            spacing: [10.0, 20.0],
            topology: Topology::Plane,
            ground: GroundCover::Green,
            place: None,
            sea_level: 0.0,
            layers: vec!["height".to_owned()],
            chunk,
            shard,
            sharding: Sharding::Shards,
        }
    }

    #[test]
    fn levels_halve_until_one_chunk_is_enough() {
        let layout = layout([65537, 40000], 256, 2048);
        assert_eq!(layout.levels(), 10);
        let pieces: Vec<u32> = (0..10).map(|k| layout.level(k).piece).collect();
        assert_eq!(pieces, [2048, 1024, 512, 256, 1024, 512, 256, 1024, 512, 256]);
        assert_eq!(layout.level(9).size, [129, 79]);
        assert_eq!(layout.bases().collect::<Vec<_>>(), [0, 3, 6]);
        assert_eq!(layout.levels_from(0), 0..4);
        assert_eq!(layout.levels_from(6), 7..10);
        assert_eq!(layout.tiles(0), [33, 20]);
        assert_eq!(layout.window(0, [32, 19]), [65536, 38912, 1, 1088]);
    }

    #[test]
    fn layers_have_folders_of_their_own() {
        let of = |names: &[&str]| {
            let layers = names.iter().map(|&name| name.to_owned()).collect();
            Layout { layers, ..layout([100, 100], 16, 64) }
        };
        assert!(of(&["height", "rock", "c"]).is_sound());
        for names in [&["height", "x"][..], &["height", "y"], &["height", "height"], &["rock"]] {
            assert!(!of(names).is_sound(), "{names:?}");
        }
        assert!(!of(&["height"; 300]).is_sound());
        let told = of(&["height", "x"]).layers_fit().unwrap_err().to_string();
        assert_eq!(
            told,
            "zarr.json: found a layer that is called x, expected another name: x and y are the coordinates of a store"
        );
    }

    #[test]
    fn each_level_has_as_many_pieces_as_its_base_has_tiles() {
        for size in [[1, 1], [257, 3], [1025, 700], [4097, 2049]] {
            for (chunk, shard) in [(16, 16), (16, 64), (64, 128)] {
                let layout = layout(size, chunk, shard);
                let mut levels = Vec::new();
                for base in layout.bases() {
                    for k in layout.levels_from(base) {
                        let level = layout.level(k);
                        let pieces = level.size.map(|side| side.div_ceil(level.piece));
                        assert_eq!(pieces, layout.tiles(base), "{size:?} level {k}");
                        levels.push(k);
                    }
                }
                assert_eq!(levels, (0..layout.levels()).collect::<Vec<_>>());
            }
        }
    }
}
