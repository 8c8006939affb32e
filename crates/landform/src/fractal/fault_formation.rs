//! Fault formation (Krten 1994): straight faults cut the ground at random, and one side of each is lifted against the other.
//!
//! ```text
//! h(p) = Σ_k a_k·s(d_k(p) / width)        d_k signed distance to fault k (m)
//! s(t) = −½ for t ≤ −½, ½ for t ≥ ½, and smoothly between
//! ```
//!
//! The throw a_k falls from the first fault to the last. The faults are those of a random line process over the ground, the
//! same in every direction; with many of them the surface tends to a Brownian one.
//!
//! Along a row of samples a fault is flat but for its ramp, so a row costs its length plus its crossings. Throws are
//! summed as whole multiples of 2⁻²⁰ m: the order of the sum does not matter, nor where a tile begins.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blend::Blend;
use crate::error::Error;
use crate::stage::{Access, Field, FieldOutput, Operator, Prepared, Reach, Site};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Extent, Lattice, math, par};

/// Ground cut by straight faults: see the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FaultFormation {
    /// Number of faults.
    #[schemars(range(min = 1, max = 100_000))]
    pub faults: u32,
    /// Throw of the first fault: how far one side is lifted against the other.
    #[schemars(range(min = 0.0, max = 10_000.0), extend("unit" = "m"))]
    pub throw: f64,
    /// Throw of the last fault.
    #[schemars(range(min = 0.0, max = 10_000.0), extend("unit" = "m"))]
    pub last_throw: f64,
    /// Over which distance a fault rises; 0 for a cliff.
    #[schemars(range(min = 0.0, max = 1_000_000.0), extend("unit" = "m"))]
    pub width: f64,
}

impl Default for FaultFormation {
    fn default() -> Self {
        Self { faults: 800, throw: 60.0, last_throw: 4.0, width: 300.0 }
    }
}

impl Operator for FaultFormation {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        let ground = site.design.ground();
        let middle = ground.map(|length| length / 2.0);
        let radius = math::length(middle[0], middle[1]);
        let last = f64::from(self.faults - 1).max(1.0);
        let fault = |k: u32| {
            let seed = site.seed.child("faults");
            let angle = seed.uniform(2 * u64::from(k)) * std::f64::consts::TAU;
            let (cos, sin) = (math::cos(angle), math::sin(angle));
            let offset = seed.between(2 * u64::from(k) + 1, -radius, radius);
            let share = f64::from(k) / last;
            Fault {
                normal: [cos, sin],
                offset: offset + middle[0] * cos + middle[1] * sin,
                throw: math::lerp(self.throw, self.last_throw, share),
            }
        };
        let faults = (0..self.faults).map(fault).collect();
        Ok(Prepared::Field(Box::new(Faults { faults, width: self.width })))
    }

    fn blend(&self) -> Blend {
        Blend::Add
    }

    fn reach(&self, _output: &Lattice) -> Reach {
        Reach::Point
    }

    fn access(&self) -> Access {
        Access::PLAIN
    }
}

/// A straight fault: points p with normal·p > offset are lifted.
struct Fault {
    normal: [f64; 2],
    offset: f64,
    throw: f64,
}

struct Faults {
    faults: Vec<Fault>,
    width: f64,
}

/// Units of height a metre.
const UNITS: f64 = 1_048_576.0;

impl Fault {
    /// Height at a signed distance, in units.
    fn height(&self, distance: f64, width: f64) -> i64 {
        let share = math::smoothstep(-width / 2.0, width / 2.0, distance) - 0.5;
        (self.throw * share * UNITS).round() as i64
    }

    /// The normal, never quite across the rows, so that it always has a left and a right side.
    fn leaning(&self) -> [f64; 2] {
        let [cos, sin] = self.normal;
        [if cos.abs() < 1e-12 { 1e-12 } else { cos }, sin]
    }

    /// The columns of the lattice on which the fault rises at `z`: from the first up to before the second.
    fn ramp(&self, z: f64, width: f64, spacing: f64) -> (i64, i64) {
        let [cos, sin] = self.leaning();
        let crossing = self.offset - z * sin;
        let half = (width / 2.0).max(1e-9);
        // Of a fault along the row the quotients are huge, and the casts stop at the ends of the numbers.
        let ends = [(crossing - half) / cos / spacing, (crossing + half) / cos / spacing];
        let (from, to) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        (from.ceil() as i64, (to.floor() as i64).saturating_add(1))
    }
}

impl Faults {
    /// Adds the faults along one row to `sums`, one for each column; `steps` has one more.
    fn add(&self, extent: &Extent, row: usize, sums: &mut [i64], steps: &mut [i64]) {
        let (first, count) = (i64::from(extent.origin()[0]), extent.width());
        let (z, spacing) = (extent.z(row), extent.lattice().spacing[0]);
        steps.fill(0);
        for fault in &self.faults {
            let (from, to) = fault.ramp(z, self.width, spacing);
            let inside = |at: i64| at.saturating_sub(first).clamp(0, count as i64) as usize;
            let (from, to) = (inside(from), inside(to).max(inside(from)));
            let [cos, sin] = fault.leaning();
            let lifted = fault.height(f64::INFINITY, self.width);
            let right = if cos > 0.0 { lifted } else { -lifted };
            steps[0] -= right;
            steps[from] += right;
            steps[to] += right;
            for (column, sum) in sums.iter_mut().enumerate().take(to).skip(from) {
                let distance = extent.x(column) * cos + z * sin - fault.offset;
                *sum += fault.height(distance, self.width);
            }
        }
        let mut level = 0;
        for (sum, step) in sums.iter_mut().zip(&*steps) {
            level += step;
            *sum += level;
        }
    }
}

impl Field for Faults {
    fn evaluate(
        &self,
        extent: &Extent,
        _view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let Some(out) = out.values else { return Ok(()) };
        let width = extent.width();
        par::try_for_each_part(out, width, 1, |row, heights| {
            ctx.check()?;
            let (mut sums, mut steps) = (vec![0; width], vec![0; width + 1]);
            self.add(extent, row, &mut sums, &mut steps);
            for (height, sum) in heights.iter_mut().zip(sums) {
                *height = (sum as f64 / UNITS) as f32;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults() -> Faults {
        let fault = |k: u32| {
            let angle = f64::from(k) * 0.7;
            Fault {
                normal: [math::cos(angle), math::sin(angle)],
                offset: f64::from(k) * 13.0 - 20.0,
                throw: 10.0 + f64::from(k),
            }
        };
        // One fault exactly along the rows, where the ramp has no columns or all.
        let along = Fault { normal: [0.0, 1.0], offset: 100.0, throw: 7.0 };
        Faults { faults: (0..9).map(fault).chain([along]).collect(), width: 50.0 }
    }

    #[test]
    fn rows_hold_the_sum_of_the_half_planes() {
        let faults = faults();
        let lattice = Lattice { size: [60, 50], spacing: [5.0, 4.0] };
        let extent = lattice.whole();
        for row in 0..50 {
            let (mut sums, mut steps) = (vec![0; 60], vec![0; 61]);
            faults.add(&extent, row, &mut sums, &mut steps);
            for (column, &sum) in sums.iter().enumerate() {
                let (x, z) = (extent.x(column), extent.z(row));
                let direct: f64 = faults
                    .faults
                    .iter()
                    .map(|fault| {
                        let d = x * fault.normal[0] + z * fault.normal[1] - fault.offset;
                        let t = (d / 50.0 + 0.5).clamp(0.0, 1.0);
                        fault.throw * (t * t * (3.0 - 2.0 * t) - 0.5)
                    })
                    .sum();
                assert!((sum as f64 / UNITS - direct).abs() < 1e-4, "{column}, {row}");
            }
        }
    }

    #[test]
    fn a_fault_without_width_is_a_cliff() {
        let fault = Fault { normal: [1.0, 0.0], offset: 12.0, throw: 8.0 };
        let faults = Faults { faults: vec![fault], width: 0.0 };
        let extent = Lattice { size: [4, 1], spacing: [10.0, 10.0] }.whole();
        let (mut sums, mut steps) = (vec![0; 4], vec![0; 5]);
        faults.add(&extent, 0, &mut sums, &mut steps);
        let metres: Vec<f64> = sums.iter().map(|&sum| sum as f64 / UNITS).collect();
        assert_eq!(metres, [-4.0, -4.0, 4.0, 4.0]);
    }
}
