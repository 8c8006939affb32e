//! A raster that the user brought, stretched over the ground.
//!
//! Enlarged it is interpolated by the [cubic of Catmull & Rom](super::catmull_rom), which goes through every sample; reduced
//! it is averaged by the same kernel, widened to the new spacing, so that nothing is skipped.

use super::catmull_rom::catmull_rom;
use crate::{Extent, Grid, Lattice, Raster};

impl Raster {
    /// This raster laid over the ground of a lattice, its outermost samples on the outermost grid lines.
    pub(crate) fn resampled(&self, output: &Lattice) -> Resampled {
        let (width, height) = (self.samples.width(), self.samples.height());
        let columns = taps(width, output.size[0]);
        let rows = taps(height, output.size[1]);
        Resampled { samples: self.samples.clone(), columns, rows }
    }
}

/// A raster with the weights by which it is read at each column and row of a lattice.
#[derive(Clone, Debug)]
pub(crate) struct Resampled {
    pub(crate) samples: Grid,
    columns: Vec<Taps>,
    rows: Vec<Taps>,
}

/// The source samples that make one sample, and their weights, which sum to 1.
#[derive(Clone, Debug)]
struct Taps {
    first: usize,
    weights: Vec<f64>,
}

impl Resampled {
    /// Makes every sample `offset + factor·sample`.
    pub(crate) fn scale(&mut self, offset: f64, factor: f64) {
        for sample in self.samples.samples_mut() {
            *sample = (offset + factor * f64::from(*sample)) as f32;
        }
    }

    /// The values at one row of an extent.
    pub(crate) fn fill_row(&self, extent: &Extent, row: usize, out: &mut [f32]) {
        let [i, j] = extent.origin().map(|first| first as usize);
        let down = &self.rows[j + row];
        let across = &self.columns[i..i + out.len()];
        let (from, to) = match (across.first(), across.last()) {
            (Some(first), Some(last)) => (first.first, last.first + last.weights.len()),
            _ => return,
        };
        let mut columns = vec![0.0; to - from];
        for (k, weight) in down.weights.iter().enumerate() {
            let source = &self.samples.row(down.first + k)[from..to];
            columns.iter_mut().zip(source).for_each(|(sum, &s)| *sum += weight * f64::from(s));
        }
        for (taps, sample) in across.iter().zip(out) {
            let source = &columns[taps.first - from..];
            let sum: f64 = taps.weights.iter().zip(source).map(|(weight, s)| weight * s).sum();
            *sample = sum as f32;
        }
    }
}

/// How each of `count` samples is made from `source` ones over the same length.
fn taps(source: usize, count: u32) -> Vec<Taps> {
    let last = source as f64 - 1.0;
    let step = if count > 1 { last / f64::from(count - 1) } else { 0.0 };
    let widen = step.max(1.0);
    (0..count)
        .map(|k| {
            let at = if count > 1 { f64::from(k) * step } else { last / 2.0 };
            let first = (at - 2.0 * widen).ceil().max(0.0);
            let end = (at + 2.0 * widen).floor().min(last);
            let weights = (first as usize..=end as usize)
                .map(|s| catmull_rom((s as f64 - at) / widen))
                .collect::<Vec<_>>();
            let sum: f64 = weights.iter().sum();
            Taps { first: first as usize, weights: weights.iter().map(|w| w / sum).collect() }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Meaning;

    fn resample(source: Grid, size: [u32; 2]) -> Grid {
        let lattice = Lattice { size, spacing: [1.0, 1.0] };
        let raster = Raster { samples: source, meaning: Meaning::Values };
        let resampled = raster.resampled(&lattice);
        let mut out = Grid::filled(size[0] as usize, size[1] as usize, 0.0);
        for j in 0..out.height() {
            resampled.fill_row(&lattice.whole(), j, out.row_mut(j));
        }
        out
    }

    #[test]
    fn the_same_size_gives_the_same_samples() {
        let source = Grid::from_fn(7, 5, |i, j| (i * i + 3 * j) as f32);
        assert_eq!(resample(source.clone(), [7, 5]), source);
    }

    #[test]
    fn enlarging_goes_through_every_sample_and_keeps_planes() {
        let source = Grid::from_fn(9, 9, |i, j| 2.0 * i as f32 - j as f32);
        let fine = resample(source.clone(), [33, 33]);
        for (i, j) in (0..9).flat_map(|i| (0..9).map(move |j| (i, j))) {
            assert!((fine[(4 * i, 4 * j)] - source[(i, j)]).abs() < 1e-5);
        }
        assert!((fine[(14, 18)] - (2.0 * 3.5 - 4.5)).abs() < 1e-5);
    }

    #[test]
    fn reducing_averages_and_skips_nothing() {
        let stripes = Grid::from_fn(257, 3, |i, _| (i % 2) as f32);
        let coarse = resample(stripes, [17, 3]);
        assert!(coarse.samples().iter().all(|&s| (s - 0.5).abs() < 0.05), "{coarse:?}");
    }

    #[test]
    fn one_sample_is_everywhere_the_same() {
        assert_eq!(resample(Grid::filled(1, 1, 7.0), [3, 2]), Grid::filled(3, 2, 7.0));
    }
}
