//! What is in a store, in one pass over its samples.

use landform::analysis::statistics::{Gauge, Statistics};
use landform::{Grid, Layer, Watch, par};
use sha2::{Digest as _, Sha256};

use super::Store;
use super::layout::Layout;
use super::metadata::LayerSummary;
use crate::Result;
use crate::manifest::{finite_range, hex};

/// What a pass over a store has found.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Numbers about the heights.
    pub statistics: Statistics,
    /// Range and hashes of all layers.
    pub layers: Vec<LayerSummary>,
    /// SHA-256 of each layer as a whole, as [manifests](crate::Manifest) of folders have it.
    pub sha256: Vec<String>,
}

impl Store {
    /// Bytes that a survey takes: a strip of the layer, the same as bytes and with rows of the strip before, and the chunks of a
    /// file as they are read and decoded.
    pub fn survey_memory(&self) -> u64 {
        let Layout { size: [width, height], chunk, shard, .. } = *self.layout();
        let strip = 4 * u64::from(width) * (u64::from(chunk.min(height)) + 2);
        3 * strip + 8 * u64::from(shard) * u64::from(chunk)
    }

    /// Reads all samples once, a row of chunks at a time.
    ///
    /// # Errors
    /// If a file is damaged, or `watch` cancels.
    pub fn survey(&self, watch: &dyn Watch) -> Result<Survey> {
        let mut gauge = Gauge::new(self.layout().spacing, self.layout().sea_level);
        let (mut layers, mut sha256) = (Vec::new(), Vec::new());
        let all = self.layout().layers().count();
        for (k, layer) in self.layout().layers().enumerate() {
            let mut reader = Pass::new(self, &layer);
            for j in 0..reader.strips {
                let share = (k as f32 + j as f32 / reader.strips as f32) / all as f32;
                watch.progress("reading", share);
                if watch.is_cancelled() {
                    return Err(landform::Cancelled.into());
                }
                reader.strip(j, (layer == Layer::Height).then_some(&mut gauge))?;
            }
            let (summary, whole) = reader.finish();
            layers.push(summary);
            sha256.push(whole);
        }
        Ok(Survey { statistics: gauge.statistics(), layers, sha256 })
    }
}

/// A pass over one layer.
struct Pass<'a> {
    store: &'a Store,
    layer: &'a Layer,
    strips: u32,
    /// The last two rows of the strip before: the last is measured when there is one below it.
    carried: Vec<f32>,
    range: Option<[f64; 2]>,
    whole: Sha256,
    /// One for each column of tiles, and what those of finished rows gave.
    tiles: Vec<Sha256>,
    of_tiles: Sha256,
}

impl<'a> Pass<'a> {
    fn new(store: &'a Store, layer: &'a Layer) -> Self {
        let layout = store.layout();
        Self {
            store,
            layer,
            strips: layout.size[1].div_ceil(layout.chunk),
            carried: Vec::new(),
            range: None,
            whole: Sha256::new(),
            tiles: vec![Sha256::new(); layout.tiles(0)[0] as usize],
            of_tiles: Sha256::new(),
        }
    }

    fn strip(&mut self, j: u32, gauge: Option<&mut Gauge>) -> Result<()> {
        let layout = self.store.layout();
        let [width, height] = layout.size;
        let y = j * layout.chunk;
        let rows = (height - y).min(layout.chunk);
        let strip = self.store.read(0, self.layer, [0, y, width, rows])?;
        self.hash(&strip);
        if (y + rows).is_multiple_of(layout.shard) || y + rows == height {
            for tile in &mut self.tiles {
                self.of_tiles.update(hex(&tile.finalize_reset()));
            }
        }
        if strip.samples().iter().any(|sample| sample.is_finite()) {
            let (low, high) = finite_range(&strip);
            let [a, b] = self.range.unwrap_or([f64::INFINITY, f64::NEG_INFINITY]);
            self.range = Some([a.min(low.into()), b.max(high.into())]);
        }
        let Some(gauge) = gauge else { return Ok(()) };
        let width = width as usize;
        let above = self.carried.len() / width;
        let mut samples = std::mem::take(&mut self.carried);
        samples.extend_from_slice(strip.samples());
        let known = samples.len() / width;
        let joined = Grid::from_vec(width, known, samples);
        let first = if above == 2 { 1 } else { 0 };
        let end = if y + rows == height { known } else { known - 1 };
        gauge.measure(&joined, first.min(end)..end);
        let kept = known - known.min(2);
        self.carried.extend_from_slice(&joined.samples()[kept * width..]);
        Ok(())
    }

    /// Feeds the rows of a strip to the hash of the whole and to those of the tiles.
    fn hash(&mut self, strip: &Grid) {
        let side = self.store.layout().shard as usize;
        let bytes: Vec<Vec<u8>> = par::map(strip.height(), |j| {
            strip.row(j).iter().flat_map(|sample| sample.to_le_bytes()).collect()
        });
        bytes.iter().for_each(|row| self.whole.update(row));
        par::for_each_part(&mut self.tiles, 1, 1, |i, tile| {
            for row in &bytes {
                let end = (4 * side * (i + 1)).min(row.len());
                tile[0].update(&row[4 * side * i..end]);
            }
        });
    }

    fn finish(self) -> (LayerSummary, String) {
        let [min, max] = self.range.unwrap_or_default();
        let summary = LayerSummary {
            name: self.layer.name().to_owned(),
            unit: self.layer.unit().to_owned(),
            min,
            max,
            sha256_of_tiles: hex(&self.of_tiles.finalize()),
        };
        (summary, hex(&self.whole.finalize()))
    }
}
