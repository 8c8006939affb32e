//! The sea level below which an asked share of the ground lies (Baker 2018, section 2.5.1).
//!
//! The report sorts all heights. Here the level is selected by a histogram in two passes, of the upper and of the lower half
//! of the bits of a height: exact, in linear time. On a sphere samples count by the ground that they stand for. The ground is
//! then raised or lowered so that this level is the sea level of the recipe.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::noise::Octaves;
use super::surface::{AnySurface, MapCoordinates, on_surface};
use crate::blend::Blend;
use crate::error::Error;
use crate::stage::{
    Access, Field, FieldOutput, Operator, Prepared, Reach, Reads, Simulated, Simulation, Site,
};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Extent, Lattice, Seed, Terrain, Topology, keep, par};

/// Raises or lowers the ground until the asked share of it lies below the sea.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SeaLevel {
    /// Share of the ground that is below the sea.
    #[schemars(range(min = 0.0, max = 100.0), extend("unit" = "%"))]
    pub ocean: f64,
}

impl Default for SeaLevel {
    fn default() -> Self {
        Self { ocean: 71.0 }
    }
}

impl Operator for SeaLevel {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        Ok(Prepared::Simulation(Box::new(Ready {
            share: self.ocean / 100.0,
            topology: site.topology,
            design: site.design,
            seed: site.seed,
        })))
    }

    fn blend(&self) -> Blend {
        Blend::Lerp
    }

    fn reach(&self, _output: &Lattice) -> Reach {
        Reach::Whole
    }

    fn access(&self) -> Access {
        Access { simulation: Reads::Ground, ..Access::PLAIN }
    }
}

struct Ready {
    share: f64,
    topology: Topology,
    design: Lattice,
    seed: Seed,
}

/// How much finer than the heights the detail is that breaks ties, in metres.
const TIE: f64 = 0.02;

impl Simulation for Ready {
    fn run(&self, before: &Terrain, ctx: &Ctx<'_>) -> Result<Box<dyn Simulated>, Cancelled> {
        ctx.progress(0.0)?;
        let weights = self.topology.row_weights(before.extent().lattice());
        let width = before.extent().width();
        let sea = before.sea_level();
        let mut raised = self.raised(0.0, None);
        let samples = before.height().samples();
        let (level, tied) = quantile(samples, width, &weights, self.share);
        raised.by = (sea - f64::from(level)) as f32;
        // Many samples at exactly this height, as in a picture of 256 grays: fine detail decides among them.
        if tied > 5e-4 && self.share > 0.0 && self.share < 1.0 {
            let mut broken = samples.to_vec();
            raised.ties = Some(level);
            raised.break_ties(before.extent(), &mut broken, ctx)?;
            let (level, _) = quantile(&broken, width, &weights, self.share);
            raised.by = (sea - f64::from(level)) as f32;
        }
        Ok(Box::new(raised))
    }

    fn restore(&self, kept: &[u8]) -> Option<Box<dyn Simulated>> {
        let (by, ties) = keep::thing(kept)?;
        Some(Box::new(self.raised(by, ties)))
    }

    fn memory(&self, samples: u64) -> u64 {
        4 * samples + 2 * 8 * (1 << 16)
    }
}

impl Ready {
    fn raised(&self, by: f32, ties: Option<f32>) -> Raised {
        Raised { by, ties, topology: self.topology, design: self.design, seed: self.seed }
    }
}

struct Raised {
    by: f32,
    /// The height at which detail breaks ties.
    ties: Option<f32>,
    topology: Topology,
    design: Lattice,
    seed: Seed,
}

impl Raised {
    fn break_ties(&self, extent: &Extent, out: &mut [f32], ctx: &Ctx<'_>) -> Result<(), Cancelled> {
        let Some(level) = self.ties else { return Ok(()) };
        let ground = self.design.ground();
        let longest = ground[0].max(ground[1]).max(1.0) / 20.0;
        let octaves = Octaves::new(
            (self.topology, &self.design),
            (longest, longest / 256.0),
            0.7,
            8,
            self.seed,
        );
        let share = |at: f64, axis: usize| if ground[axis] > 0.0 { at / ground[axis] } else { 0.5 };
        let surface = AnySurface::new(self.topology, &self.design);
        let width = extent.width();
        par::try_for_each_part(out, width, 8, |part, rows| {
            for (k, sample) in rows.iter_mut().enumerate().filter(|(_, h)| **h == level) {
                let (i, j) = (k % width, part * 8 + k / width);
                let at = [share(extent.x(i), 0), share(extent.z(j), 1)];
                let p = on_surface!(&surface, surface => surface.on_map(at));
                *sample += (TIE * f64::from(octaves.fbm_at(p))) as f32;
            }
            ctx.check()
        })
    }
}

impl Field for Raised {
    fn evaluate(
        &self,
        extent: &Extent,
        _view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let Some(out) = out.values else { return Ok(()) };
        self.break_ties(extent, out, ctx)?;
        par::for_each_part(out, extent.width(), 64, |_, rows| {
            rows.iter_mut().for_each(|height| *height += self.by);
        });
        Ok(())
    }
}

impl Simulated for Raised {
    fn keep(&self) -> Vec<u8> {
        keep::bytes(&(self.by, self.ties))
    }
}

/// Orders floats as whole numbers.
fn key(value: f32) -> u32 {
    let bits = value.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

fn value(key: u32) -> f32 {
    f32::from_bits(if key >> 31 == 1 { key & !(1 << 31) } else { !key })
}

/// The weight of the samples in each of 2¹⁶ bins, of those that `pick` finds one for.
fn weighed(
    samples: &[f32],
    width: usize,
    row_weights: &[f64],
    pick: impl Fn(u32) -> Option<u16>,
) -> Vec<f64> {
    let mut bins = vec![0.0; 1 << 16];
    let rows: Vec<(&[f32], &f64)> = samples.chunks(width).zip(row_weights).collect();
    // Rows of the same weight are counted: that takes half the time of adding.
    for rows in rows.chunk_by(|a, b| a.1 == b.1) {
        if rows.len() < 64 {
            for (row, weight) in rows {
                for sample in row.iter().filter(|sample| sample.is_finite()) {
                    if let Some(bin) = pick(key(*sample)) {
                        bins[bin as usize] += *weight;
                    }
                }
            }
            continue;
        }
        let mut counts = vec![0_u32; 1 << 16];
        for (row, _) in rows {
            for sample in row.iter().filter(|sample| sample.is_finite()) {
                if let Some(bin) = pick(key(*sample)) {
                    counts[bin as usize] += 1;
                }
            }
        }
        let weight = *rows[0].1;
        bins.iter_mut().zip(counts).for_each(|(bin, count)| *bin += weight * f64::from(count));
    }
    bins
}

/// The level at or below which this share of the weight lies, and the share that lies exactly there.
pub(crate) fn quantile(
    samples: &[f32],
    width: usize,
    row_weights: &[f64],
    share: f64,
) -> (f32, f64) {
    // Nothing, or everything, lies below the sea: a metre beyond the last height.
    if share <= 0.0 || share >= 1.0 {
        let finite = samples.iter().copied().filter(|sample| sample.is_finite());
        let last = if share <= 0.0 { finite.reduce(f32::min) } else { finite.reduce(f32::max) };
        return (last.map_or(0.0, |last| if share <= 0.0 { last - 1.0 } else { last + 1.0 }), 0.0);
    }
    let upper = weighed(samples, width, row_weights, |key| Some((key >> 16) as u16));
    let all: f64 = upper.iter().sum();
    if all == 0.0 {
        return (0.0, 0.0);
    }
    let mut left = share * all;
    let find = |bins: &[f64], left: &mut f64| {
        let mut last = 0;
        for (bin, &weight) in bins.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            last = bin;
            if weight >= *left {
                break;
            }
            *left -= weight;
        }
        last
    };
    let first = find(&upper, &mut left);
    let lower = weighed(samples, width, row_weights, |key| {
        ((key >> 16) as usize == first).then_some((key & 0xFFFF) as u16)
    });
    let second = find(&lower, &mut left);
    (value((first as u32) << 16 | second as u32), lower[second] / all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_is_the_one_that_sorting_finds() {
        let seed = Seed::new(3);
        let samples: Vec<f32> =
            (0..1001).map(|k| (seed.uniform(k) * 2000.0 - 900.0) as f32).collect();
        let mut sorted = samples.clone();
        sorted.sort_unstable_by(f32::total_cmp);
        for share in [0.01, 0.5, 0.71, 0.999] {
            let (level, _) = quantile(&samples, 1001, &[1.0], share);
            let below = sorted.iter().filter(|&&h| h <= level).count() as f64 / 1001.0;
            assert!((below - share).abs() <= 1.0 / 1001.0, "{share} {below}");
            assert!(sorted.contains(&level));
        }
        assert!(quantile(&samples, 1001, &[1.0], 0.0).0 < sorted[0]);
        assert!(quantile(&samples, 1001, &[1.0], 1.0).0 > sorted[1000]);
    }
}
