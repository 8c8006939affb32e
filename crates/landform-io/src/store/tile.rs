//! One tile: its samples to the bytes of its files, on all levels that it gives.

use landform::{Grid, Layer, par};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::layout::{Layout, Sharding, array, key};
use super::seals::Seal;
use super::{blosc, shard};
use crate::manifest::hex;

/// A rectangle of a grid.
#[derive(Clone, Copy)]
pub(super) struct Patch<'a> {
    pub(super) grid: &'a Grid,
    /// Column and row of the first sample.
    pub(super) at: (usize, usize),
    pub(super) width: usize,
    pub(super) height: usize,
}

impl<'a> Patch<'a> {
    pub(super) fn whole(grid: &'a Grid) -> Self {
        Self { grid, at: (0, 0), width: grid.width(), height: grid.height() }
    }

    fn row(&self, j: usize) -> &'a [f32] {
        &self.grid.row(self.at.1 + j)[self.at.0..][..self.width]
    }
}

/// What is known of a tile that is done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    /// What its files are, in the order of [`places`]: a file that lost its end at a power cut is another one.
    pub(super) files: Vec<Seal>,
    /// What its samples are, layer by layer; nothing for a tile that only gives overviews.
    pub(super) layers: Vec<Measured>,
}

/// What the samples of a layer are, in one tile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Measured {
    /// The smallest and the largest finite sample, if there is one.
    pub(super) range: Option<[f64; 2]>,
    /// SHA-256 of the samples as little-endian f32, row by row, in hexadecimal.
    pub(super) sha256: String,
}

/// A tile that is ready to be written: names of files below the store, and their bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct Encoded {
    pub(super) files: Vec<(String, Vec<u8>)>,
    pub(super) record: Record,
}

/// Encodes the tile `tile` of `base`, whose samples are `layers`.
pub(super) fn encode(
    layout: &Layout,
    base: usize,
    tile: [u32; 2],
    layers: &[(Layer, Patch<'_>)],
) -> Encoded {
    let mut encoded = Encoded::default();
    for (layer, patch) in layers {
        let mut halved: Option<Grid> = None;
        for k in layout.levels_from(base) {
            if k > 0 {
                let finer = halved.as_ref().map_or(*patch, Patch::whole);
                halved = Some(halve(&finer, layer));
            }
            let patch = halved.as_ref().map_or(*patch, Patch::whole);
            let level = layout.level(k);
            let across = level.piece / level.chunk;
            let chunks = match k {
                0 => {
                    let (measured, chunks) = measured(&patch, level.chunk, across);
                    encoded.record.layers.push(measured);
                    chunks
                }
                _ => par::map((across * across) as usize, |n| {
                    chunk(&patch, level.chunk as usize, across as usize, n)
                }),
            };
            let array = array(k, layer.name());
            match layout.sharding {
                Sharding::Shards => encoded.files.push((key(&array, tile), shard::join(&chunks))),
                Sharding::Chunks => {
                    for (n, chunk) in (0..).zip(chunks) {
                        let at = [tile[0] * across + n % across, tile[1] * across + n / across];
                        encoded.files.extend(chunk.map(|bytes| (key(&array, at), bytes)));
                    }
                }
            }
        }
    }
    encoded.record.files = par::map(encoded.files.len(), |k| Seal::of(&encoded.files[k].1));
    encoded
}

/// A file of a store: its level, its layer by number, column and row among the files of that array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FilePlace {
    pub(super) level: usize,
    pub(super) layer: usize,
    pub(super) at: [u32; 2],
}

impl FilePlace {
    /// Its name below the store.
    pub(super) fn key(&self, layout: &Layout) -> String {
        key(&array(self.level, &layout.layers[self.layer]), self.at)
    }
}

/// The files that [`encode`] gives for a tile, in that order.
pub(super) fn places(layout: &Layout, base: usize, tile: [u32; 2]) -> Vec<FilePlace> {
    let mut files = Vec::new();
    for layer in 0..layout.layers.len() {
        for k in layout.levels_from(base) {
            let level = layout.level(k);
            let file = |at: [u32; 2]| FilePlace { level: k, layer, at };
            if layout.sharding == Sharding::Shards {
                files.push(file(tile));
                continue;
            }
            let across = level.piece / level.chunk;
            let is_there = |axis: usize, at: u32| at * level.chunk < level.size[axis];
            for n in 0..across * across {
                let at = [tile[0] * across + n % across, tile[1] * across + n / across];
                if is_there(0, at[0]) && is_there(1, at[1]) {
                    files.push(file(at));
                }
            }
        }
    }
    files
}

/// What the samples are, and their chunks, row by row. The hash takes one thread, while others compress.
fn measured(patch: &Patch<'_>, side: u32, across: u32) -> (Measured, Vec<Option<Vec<u8>>>) {
    enum TilePart {
        Measured(Measured),
        Chunk(Option<Vec<u8>>),
    }
    let parts = par::map(1 + (across * across) as usize, |k| match k {
        0 => TilePart::Measured(measure(patch)),
        _ => TilePart::Chunk(chunk(patch, side as usize, across as usize, k - 1)),
    });
    let (mut measured, mut chunks) = (None, Vec::new());
    for part in parts {
        match part {
            TilePart::Measured(result) => measured = Some(result),
            TilePart::Chunk(bytes) => chunks.push(bytes),
        }
    }
    (measured.expect("the first part measures"), chunks)
}

/// The chunk `k` of a piece, row by row; nothing if it lies beyond the samples.
fn chunk(patch: &Patch<'_>, side: usize, across: usize, k: usize) -> Option<Vec<u8>> {
    let (x, y) = (k % across * side, k / across * side);
    if x >= patch.width || y >= patch.height {
        return None;
    }
    let (width, height) = ((patch.width - x).min(side), (patch.height - y).min(side));
    let mut samples = Vec::with_capacity(side * side);
    for j in 0..height {
        samples.extend_from_slice(&patch.row(y + j)[x..x + width]);
        samples.resize((j + 1) * side, f32::NAN);
    }
    samples.resize(side * side, f32::NAN);
    Some(blosc::encode(&samples))
}

/// Half as many samples each way: the mean of four, of two at an odd edge; of categories, the first of the four.
fn halve(patch: &Patch<'_>, layer: &Layer) -> Grid {
    let (width, height) = (patch.width.div_ceil(2), patch.height.div_ceil(2));
    let mut half = Grid::filled(width, height, 0.0);
    let has_mean = layer.sample_kind().has_mean();
    par::for_each_row(half.samples_mut(), width, |j, out| {
        let (upper, lower) = (patch.row(2 * j), patch.row((2 * j + 1).min(patch.height - 1)));
        if !has_mean {
            out.iter_mut().zip(upper.iter().step_by(2)).for_each(|(out, &sample)| *out = sample);
            return;
        }
        for ((out, upper), lower) in out.iter_mut().zip(upper.chunks(2)).zip(lower.chunks(2)) {
            let last = upper.len() - 1;
            *out = ((upper[0] + upper[last]) + (lower[0] + lower[last])) * 0.25;
        }
    });
    half
}

fn measure(patch: &Patch<'_>) -> Measured {
    let mut hash = Sha256::new();
    // Eight lanes, so that the compiler may compare eight samples at once.
    let (mut lows, mut highs) = ([f32::INFINITY; 8], [f32::NEG_INFINITY; 8]);
    let mut bytes = vec![0; 4 * patch.width];
    for j in 0..patch.height {
        let row = patch.row(j);
        for (bytes, sample) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(row) {
            *bytes = sample.to_le_bytes();
        }
        hash.update(&bytes);
        for eight in row.chunks(8) {
            for (lane, &sample) in eight.iter().enumerate() {
                let is_finite = sample.abs() < f32::INFINITY;
                lows[lane] = if is_finite && sample < lows[lane] { sample } else { lows[lane] };
                highs[lane] = if is_finite && sample > highs[lane] { sample } else { highs[lane] };
            }
        }
    }
    let low = lows.into_iter().fold(f32::INFINITY, f32::min);
    let high = highs.into_iter().fold(f32::NEG_INFINITY, f32::max);
    let range = (low <= high).then_some([f64::from(low), f64::from(high)]);
    Measured { range, sha256: hex(&hash.finalize()) }
}

#[cfg(test)]
mod tests {
    use super::super::layout::tests::layout;
    use super::*;

    #[test]
    fn halving_takes_means_and_keeps_kinds() {
        let grid = Grid::from_vec(3, 3, vec![1.0, 3.0, 10.0, 5.0, 7.0, 20.0, 8.0, 2.0, 6.0]);
        let mean = halve(&Patch::whole(&grid), &Layer::Height);
        assert_eq!(mean.samples(), [4.0, 15.0, 5.0, 6.0]);
        let kinds = halve(&Patch::whole(&grid), &Layer::Biome);
        assert_eq!(kinds.samples(), [1.0, 10.0, 8.0, 6.0]);
    }

    #[test]
    fn a_tile_gives_the_files_that_it_is_said_to_give() {
        for sharding in [Sharding::Shards, Sharding::Chunks] {
            let layout = Layout { sharding, ..layout([150, 70], 16, 64) };
            for tile in [[0, 0], [2, 1]] {
                let [_, _, width, height] = layout.window(0, tile);
                let grid = Grid::filled(width as usize, height as usize, 1.0);
                let made = encode(&layout, 0, tile, &[(Layer::Height, Patch::whole(&grid))]);
                let names: Vec<_> = made.files.iter().map(|(name, _)| name.clone()).collect();
                let places = places(&layout, 0, tile);
                assert_eq!(names, places.iter().map(|at| at.key(&layout)).collect::<Vec<_>>());
                assert_eq!(made.record.files.len(), names.len());
                assert_eq!(made.record.layers[0].range, Some([1.0, 1.0]));
            }
        }
    }
}
