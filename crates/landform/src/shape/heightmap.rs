//! A heightmap that the user brought, stretched over the ground.
//!
//! Enlarged it is interpolated by the cubic of Catmull & Rom (1974), which goes through every sample; reduced
//! it is averaged by the same kernel, widened to the new spacing, so that nothing is skipped.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::voids;
use crate::blend::Blend;
use crate::error::Error;
use crate::inputs::{Meaning, Raster};
use crate::stage::{Access, Field, FieldOutput, Operator, Prepared, Reach, Site};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Extent, Grid, Lattice, par};

/// Ground from a picture: see the [module](self).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Heightmap {
    /// The file, relative to the recipe.
    pub file: String,
    /// Height of black, if the file does not tell or is to be overruled. Not for files that hold metres.
    #[schemars(range(min = -20_000.0, max = 20_000.0), extend("unit" = "m"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// Height of white, if the file does not tell or is to be overruled. Not for files that hold metres.
    #[schemars(range(min = -20_000.0, max = 20_000.0), extend("unit" = "m"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// What becomes of samples without a height, as elevation models have on water and in the shadow of mountains.
    pub voids: Voids,
}

/// Samples without a height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Voids {
    /// They are an error that says how many there are, and where.
    #[default]
    Refuse,
    /// A membrane hangs in each of them from its edge.
    Fill,
}

/// How far white lies above black, if neither the file nor the recipe says it.
const ASSUMED_HIGH: f64 = 1000.0;

impl Operator for Heightmap {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        let name = &self.file;
        let raster = match self.voids {
            Voids::Refuse => site.inputs.complete(
                "file",
                name,
                "voids = \"fill\" in its stage (--set heightmap.voids=fill) fills them",
            )?,
            Voids::Fill => site.inputs.of("file", name)?,
        };
        let mut resampled = raster.resampled(&site.output);
        voids::fill(&mut resampled.samples);
        match raster.meaning {
            Meaning::Values => {
                if self.low.is_some() || self.high.is_some() {
                    let which = if self.low.is_some() { "low" } else { "high" };
                    let message = format!("is given, but {name:?} holds metres already");
                    return Err(Error::of(which, message));
                }
            }
            Meaning::Brightness(range) => {
                let low = self.low.or(range.map(|[low, _]| low)).unwrap_or(0.0);
                let high = self.high.or(range.map(|[_, high]| high)).unwrap_or(low + ASSUMED_HIGH);
                resampled.scale(low, high - low);
            }
        }
        Ok(Prepared::Field(Box::new(resampled)))
    }

    fn blend(&self) -> Blend {
        Blend::Add
    }

    fn reach(&self, _output: &Lattice) -> Reach {
        Reach::Point
    }

    fn files(&self) -> Vec<&str> {
        vec![&self.file]
    }

    fn access(&self) -> Access {
        Access::PLAIN
    }
}

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
    samples: Grid,
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
    fn scale(&mut self, offset: f64, factor: f64) {
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

impl Field for Resampled {
    fn evaluate(
        &self,
        extent: &Extent,
        _view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let Some(out) = out.values else { return Ok(()) };
        par::try_for_each_part(out, extent.width(), 1, |row, samples| {
            ctx.check()?;
            self.fill_row(extent, row, samples);
            Ok(())
        })
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

/// The cubic kernel with a = −½.
fn catmull_rom(t: f64) -> f64 {
    let t = t.abs();
    if t < 1.0 {
        (1.5 * t - 2.5) * t * t + 1.0
    } else if t < 2.0 {
        ((-0.5 * t + 2.5) * t - 4.0) * t + 2.0
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn voids_are_refused_with_their_number_and_place_or_filled() {
        let text = "version = 1\nsize = [5, 5]\nspacing = [1, 1]\n[[stage]]\nkind = \"heightmap\"\nfile = \"dem\"\n";
        let samples = Grid::from_fn(5, 5, |i, j| if (i, j) == (2, 3) { f32::NAN } else { 9.0 });
        let mut inputs = crate::Inputs::default();
        inputs.insert("dem", Raster { samples, meaning: Meaning::Values });
        let resolve = |text: &str| crate::Recipe::parse(text).unwrap().resolve(&inputs);
        let error = resolve(text).unwrap_err().to_string();
        let expected =
            "1 of its 25 samples are no numbers that can be used, the first in column 2 of row 3";
        assert!(error.contains(expected) && error.contains("voids = \"fill\""), "{error}");
        let plan = resolve(&format!("{text}voids = \"fill\"\n")).unwrap();
        let filled = plan.run(&plan.lattice().whole(), &()).unwrap();
        assert_eq!(*filled.height(), Grid::filled(5, 5, 9.0));
    }

    #[test]
    fn one_sample_is_everywhere_the_same() {
        assert_eq!(resample(Grid::filled(1, 1, 7.0), [3, 2]), Grid::filled(3, 2, 7.0));
    }
}
