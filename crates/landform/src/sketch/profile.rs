//! The ground beside drawn lines, at the samples of any lattice: exact on the line, whatever the spacing.
//!
//! ```text
//! h' = h + k·(P − h)     P = Σ W_i·P_i / Σ W_i     W_i = k_i / d_i²     k = max k_i
//! P_i = T(s) − S·max(0, d − b)                      for lines with slopes
//! P_i = H(p) + T(s) − H(s)                          for contours, which have none: H what the diffusion made of the ground
//! ```
//!
//! d is the distance from the line and k_i falls from 1 on it to 0 at the end of a band of [`BAND`] grid lines. So every line is met, and
//! where two come close the nearer one counts. The sea lies outside of all coasts, and the floors of lakes and basins fall from their
//! outlines.

use super::near::{Near, nearest};
use crate::demand::{Demand, DemandKind};
use crate::math;
use crate::noise::gradient_noise::gradient_noise;
use crate::resample::ground::GroundHeights;
use crate::{Extent, Lattice, Seed};

/// Width of the band beside a line in which the ground is that of the line, in grid lines of the recipe.
const BAND: f64 = 1.5;

/// How near a sample has to come to a line to be known to the diffusion, in samples: so that they hang together by their sides.
const KNOWN: f64 = 0.75;

/// A bed is at least this many samples wide to each side, so that water finds a way along it; so is a crest, so that it has its height
/// between samples too.
const LEAST_BED: f64 = 0.75;

/// Width of the ground beside a ridge or a river that water must not cross or leave, in grid lines of the recipe, and how much it falls at least.
const GUARD: f64 = 8.0;
const GUARD_FALL: f64 = 0.03;

/// Land inside of a coast rises at least this high above the sea, as fast as the beach does.
const LEAST_LAND: f64 = 1.0;

/// Waves of the spurs on the flanks of a ridge, relative to its radius, and their heights.
const SPURS: [(f64, f64); 4] = [(0.5, 1.0), (0.23, 0.5), (0.11, 0.25), (0.053, 0.12)];

/// Lines on the ground.
#[derive(Clone, Debug)]
pub(crate) struct Drawing {
    pub(crate) demands: Vec<Demand>,
    pub(crate) sea_level: f64,
    pub(crate) seed: Seed,
}

/// What the samples of a row are asked for.
#[derive(Clone, Copy)]
enum Purpose<'a> {
    /// The ground near lines.
    Ground(&'a GroundHeights<'a>),
    /// The samples that the diffusion knows.
    Known,
}

/// Sums for a sample over the lines that are near.
#[derive(Clone, Copy, Default)]
struct Sum {
    heights: f64,
    weights: f64,
    most: f64,
}

impl Drawing {
    /// Heights of the samples of a row that are known beforehand, where the ground below is `row_before`.
    pub(super) fn known(
        &self,
        extent: &Extent,
        row: usize,
        row_before: &[f32],
    ) -> Vec<Option<f64>> {
        let (_, known) = self.settled(extent, row, row_before, Purpose::Known);
        known
    }

    /// Lets the samples of a row meet the lines. `total` is the ground on the design lattice as the diffusion made it.
    pub(super) fn settle(
        &self,
        extent: &Extent,
        row: usize,
        total: &GroundHeights<'_>,
        samples: &mut [f32],
    ) {
        let (heights, _) = self.settled(extent, row, samples, Purpose::Ground(total));
        samples.iter_mut().zip(heights).for_each(|(sample, height)| *sample = height as f32);
    }

    fn settled(
        &self,
        extent: &Extent,
        row: usize,
        before: &[f32],
        purpose: Purpose<'_>,
    ) -> (Vec<f64>, Vec<Option<f64>>) {
        let mut heights: Vec<f64> = before.iter().map(|&h| f64::from(h)).collect();
        let mut known = vec![None; before.len()];
        let step = longest(extent.lattice());
        let (band, guard) = match purpose {
            Purpose::Ground(total) => {
                let grid_line = longest(total.lattice());
                (BAND * grid_line, GUARD * grid_line)
            }
            Purpose::Known => (KNOWN * step, 0.0),
        };
        if matches!(purpose, Purpose::Ground(_)) {
            self.add_spurs(extent, row, &mut heights);
        }
        self.settle_sea(extent, row, &mut heights, &mut known);
        let mut sums = vec![Sum::default(); before.len()];
        for demand in &self.demands {
            let is_wide = matches!(demand.kind, DemandKind::River | DemandKind::Ridge);
            let guard = if is_wide { guard } else { 0.0 };
            let reach = (band + LEAST_BED * step).max(guard);
            let reach = if demand.kind.is_area() { f64::INFINITY } else { reach };
            if !is_near_row(demand, extent.z(row), reach.min(1e12)) {
                continue;
            }
            let near = nearest(demand, extent, row, reach);
            for (k, near) in near.iter().enumerate() {
                let inside = demand.kind.is_area() && !near.is_right;
                if inside {
                    heights[k] = beside(demand, near, 0.0);
                    known[k] = Some(heights[k]);
                }
                // A river ends where the sea begins.
                if demand.kind == DemandKind::River && heights[k] < self.sea_level {
                    continue;
                }
                if near.distance < guard && !near.is_end && heights[k] >= self.sea_level {
                    heights[k] = guarded(demand.kind, near, guard, heights[k]);
                }
                let bed = if is_wide { LEAST_BED * step } else { 0.0 };
                let beyond = (near.distance - near.half_width.max(bed)).max(0.0);
                if beyond >= band {
                    continue;
                }
                let share = match purpose {
                    Purpose::Known => 1.0,
                    Purpose::Ground(_) => 1.0 - math::smoothstep(0.0, band, beyond),
                };
                let height = match purpose {
                    Purpose::Ground(total) if !demand.has_slopes() => {
                        let own = total.at(extent.x(k), extent.z(row));
                        own + near.height - total.at(near.at[0], near.at[1])
                    }
                    _ => beside(demand, near, bed),
                };
                let tiny = 1e-3 * step;
                let weight = share / (beyond * beyond + tiny * tiny);
                let sum = &mut sums[k];
                sum.heights += weight * height;
                sum.weights += weight;
                sum.most = sum.most.max(share);
            }
        }
        for ((height, known), sum) in heights.iter_mut().zip(&mut known).zip(sums) {
            if sum.most > 0.0 {
                *height = math::lerp(*height, sum.heights / sum.weights, sum.most);
                *known = Some(*height);
            }
        }
        (heights, known)
    }

    /// Lowers what lies outside of all coasts below the sea, and raises what lies inside above it.
    fn settle_sea(
        &self,
        extent: &Extent,
        row: usize,
        heights: &mut [f64],
        known: &mut [Option<f64>],
    ) {
        let mut rises: Vec<Option<f64>> = vec![None; heights.len()];
        let mut falls = vec![f64::INFINITY; heights.len()];
        let mut coasts = self.demands.iter().filter(|one| one.kind == DemandKind::Coast).peekable();
        if coasts.peek().is_none() {
            return;
        }
        for coast in coasts {
            let depth = self.sea_level - coast.level;
            let [land, shelf] = coast.slopes;
            let reach = (depth / shelf.max(1e-6)).max(LEAST_LAND / (-land).max(1e-6)).min(1e7);
            for (k, near) in nearest(coast, extent, row, reach).iter().enumerate() {
                if near.is_right {
                    let fall =
                        if near.distance.is_finite() { shelf * near.distance } else { depth };
                    falls[k] = falls[k].min(fall.min(depth));
                } else {
                    let rise =
                        if near.distance.is_finite() { -land * near.distance } else { LEAST_LAND };
                    let rise = rise.min(LEAST_LAND);
                    rises[k] = Some(rises[k].map_or(rise, |known: f64| known.max(rise)));
                }
            }
        }
        for (k, height) in heights.iter_mut().enumerate() {
            match rises[k] {
                Some(rise) => *height = height.max(self.sea_level + rise),
                None => {
                    *height = height.min(self.sea_level - falls[k]);
                    known[k] = Some(*height);
                }
            }
        }
    }

    /// Adds spurs to the flanks of ridges: 0 on the crest, as high as a share of the fall from it.
    fn add_spurs(&self, extent: &Extent, row: usize, heights: &mut [f64]) {
        for (number, demand) in self.demands.iter().enumerate() {
            if demand.roughness <= 0.0
                || demand.radius <= 0.0
                || !is_near_row(demand, extent.z(row), demand.radius)
            {
                continue;
            }
            let seed = self.seed.child("spurs").child(&number.to_string());
            let z = extent.z(row);
            for (k, near) in nearest(demand, extent, row, demand.radius).iter().enumerate() {
                let fade = flank_share(near.distance, demand.radius);
                let fall = demand.slopes[usize::from(near.is_right)] * near.distance;
                if fade <= 0.0 || fall <= 0.0 {
                    continue;
                }
                let x = extent.x(k);
                let mut noise = 0.0;
                for (wave, (length, height)) in SPURS.into_iter().enumerate() {
                    let size = length * demand.radius;
                    let wave = seed.child(&wave.to_string());
                    noise += height * f64::from(gradient_noise(wave, x / size, z / size));
                }
                // Spurs do not reach below the sea.
                let most = fall.min((heights[k] - self.sea_level).max(0.0));
                heights[k] += demand.roughness * most * fade * noise;
            }
        }
    }
}

/// The ground beside a ridge stays below it, and that beside a river above its bed, so that water runs off the one and to the other. Half
/// way out the ground becomes free again, as steep as it may be.
fn guarded(kind: DemandKind, near: &Near, guard: f64, height: f64) -> f64 {
    let (held, free) = (near.beyond().min(0.5 * guard), (near.beyond() - 0.5 * guard).max(0.0));
    let off = GUARD_FALL * held - free;
    match kind {
        DemandKind::Ridge => height.min(near.height - off),
        _ => height.max(near.height + off),
    }
}

/// Height of the ground beside a line by its slopes; `bed` metres beside it are as flat as the line at least.
pub(super) fn beside(demand: &Demand, near: &Near, bed: f64) -> f64 {
    let slope = demand.slopes[usize::from(near.is_right)];
    let beyond = (near.distance - near.half_width.max(bed)).max(0.0);
    let height = near.height - slope * beyond;
    let is_floor = demand.kind.is_area() && !near.is_right
        || demand.kind == DemandKind::Coast && near.is_right;
    if is_floor { height.max(demand.level) } else { height }
}

/// How much the slope of a line counts at a distance from it.
pub(super) fn flank_share(distance: f64, radius: f64) -> f64 {
    if distance >= radius {
        return 0.0;
    }
    let t = distance / radius;
    (1.0 - t * t) * (1.0 - t * t)
}

/// Whether a line comes so near to a row.
pub(super) fn is_near_row(demand: &Demand, z: f64, reach: f64) -> bool {
    let [low, high] = demand.bounds();
    let reach = reach + demand.half_widths[0].max(demand.half_widths[1]);
    (low[1] - reach..=high[1] + reach).contains(&z)
}

fn longest(lattice: &Lattice) -> f64 {
    lattice.spacing[0].max(lattice.spacing[1])
}
