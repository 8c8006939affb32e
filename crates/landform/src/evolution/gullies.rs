//! Gullies without a simulation: a filter that knows only the height and the slope at a sample.
//!
//! ```text
//! v_k(p) = Σ w(|p − q|)·cos(2π (p − q)·t/λ_k + φ_q) / Σ w      q  random points, one in each square of side λ_k
//! ∇h_k+1 = ∇h_k + a_k·∇v_k                                     t  unit vector along the contour: across ∇h_k
//! h'     = h + Σ a_k (v_k − 1)                                 a_k = depth·λ_k·S/(1 + S/S_0), λ_k+1 = λ_k/2
//! ```
//!
//! Each random point sends out a wave whose crests run straight down the slope where it is looked at: spurs and gullies. The
//! next, finer set runs down the sides of the spurs that the coarser one has made, so gullies branch. The slope that a wave
//! adds is known in closed form, so one look at the ground is enough for all of them, and the result is the same in any
//! tile. Level ground has no gullies, and the ground is only ever lowered.
//!
//! This is a picture of erosion, not erosion: gullies do not know how much water comes from above, and may end in a hollow.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blend::Blend;
use crate::error::Error;
use crate::stage::{Field, Operator, Prepared, Reach, Site};
use crate::view::View;
use crate::{Cancelled, Ctx, Extent, Lattice, Layer, Seed, math, par};

/// Cuts gullies into slopes: see the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Gullies {
    /// Distance between the largest gullies.
    #[schemars(range(min = 0.1, max = 1e6), extend("unit" = "m"))]
    pub wavelength: f64,
    /// Number of sizes, each half of the one before.
    #[schemars(range(min = 1, max = 12))]
    pub octaves: u32,
    /// Depth of a gully over the distance to the next, on a slope of 45°.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub depth: f64,
    /// How much the slopes of large gullies turn smaller ones: 0 lets all run down the ground as it was.
    #[schemars(range(min = 0.0, max = 3.0))]
    pub branching: f64,
    /// Slope, rise over run, from which on gullies hardly grow deeper.
    #[schemars(range(min = 0.01, max = 10.0))]
    pub steep: f64,
}

impl Default for Gullies {
    fn default() -> Self {
        Self { wavelength: 400.0, octaves: 4, depth: 0.12, branching: 1.0, steep: 1.0 }
    }
}

impl Operator for Gullies {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        Ok(Prepared::Field(Box::new(Filter { gullies: self.clone(), seed: site.seed })))
    }

    fn blend(&self) -> Blend {
        Blend::Lerp
    }

    fn reach(&self, _output: &Lattice) -> Reach {
        Reach::Cells(1)
    }
}

struct Filter {
    gullies: Gullies,
    seed: Seed,
}

/// A wave and its slope.
#[derive(Clone, Copy, Debug)]
struct Wave {
    value: f64,
    slope: [f64; 2],
}

impl Gullies {
    /// By how much ground with this slope is lowered at a point, in metres: at most 0.
    pub fn cut(&self, seed: Seed, [x, z]: [f64; 2], gradient: [f64; 2]) -> f64 {
        let mut gradient = gradient;
        let (mut sum, mut wavelength) = (0.0, self.wavelength);
        let steepness = math::length(gradient[0], gradient[1]);
        let strength = steepness / (1.0 + steepness / self.steep) * (1.0 + 1.0 / self.steep);
        for octave in 0..self.octaves {
            let slope = math::length(gradient[0], gradient[1]);
            if slope < 1e-9 {
                break;
            }
            let along = [-gradient[1] / slope, gradient[0] / slope];
            let amplitude = 0.5 * self.depth * wavelength * strength;
            let points = Seed::new(seed.bits(u64::from(octave)));
            let wave = wave(points, [x / wavelength, z / wavelength], along);
            sum += amplitude * (wave.value - 1.0);
            for axis in 0..2 {
                gradient[axis] += self.branching * amplitude / wavelength * wave.slope[axis];
            }
            wavelength *= 0.5;
        }
        sum
    }
}

/// Windowed waves across `along` at a point, in units of their length.
fn wave(seed: Seed, [x, z]: [f64; 2], along: [f64; 2]) -> Wave {
    let (column, row) = (x.floor(), z.floor());
    // Whole numbers first, so that the rest can be done for several points at once.
    let bits: [u64; 9] = std::array::from_fn(|k| {
        seed.bits_at(column as i64 + k as i64 % 3 - 1, row as i64 + k as i64 / 3 - 1)
    });
    let part = |k: usize, shift: u32| ((bits[k] >> shift) as u16) as f64 / 65_536.0;
    let mut away = [[0.0; 2]; 9];
    let mut phases = [0.0; 9];
    for k in 0..9 {
        away[k] = [
            x - column - ((k % 3) as f64 - 1.0 + part(k, 0)),
            z - row - ((k / 3) as f64 - 1.0 + part(k, 16)),
        ];
        phases[k] = part(k, 32);
    }
    let (mut weights, mut cosines, mut sines) = (0.0, 0.0, 0.0);
    for ([px, pz], phase) in away.into_iter().zip(phases) {
        let near = (1.0 - (px * px + pz * pz) / (1.5 * 1.5)).max(0.0);
        let weight = near * near * near;
        let [cosine, sine] = math::cos_sin_of_turns(px * along[0] + pz * along[1] + phase);
        weights += weight;
        cosines += weight * cosine;
        sines += weight * sine;
    }
    // The point of the own square is never farther than √2.
    let scale = 1.0 / f64::max(weights, 1e-12);
    let turn = -std::f64::consts::TAU * sines * scale;
    Wave { value: (cosines * scale).clamp(-1.0, 1.0), slope: along.map(|part| turn * part) }
}

impl Field for Filter {
    fn fill(
        &self,
        extent: &Extent,
        view: &View<'_>,
        out: &mut [f32],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        par::try_for_each_part(out, extent.width(), 4, |part, samples| {
            for (k, samples) in samples.chunks_mut(extent.width()).enumerate() {
                let row = 4 * part + k;
                for (column, sample) in samples.iter_mut().enumerate() {
                    let gradient = view.gradient(&Layer::HEIGHT, extent, column, row);
                    let place = [extent.x(column), extent.z(row)];
                    let cut = self.gullies.cut(self.seed, place, gradient);
                    if cut.is_finite() {
                        *sample += cut as f32;
                    }
                }
            }
            ctx.check()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gullies_only_lower_the_ground_and_leave_the_level_alone() {
        let gullies = Gullies::default();
        let seed = Seed::new(3);
        let deepest = gullies.depth * gullies.wavelength * 2.0;
        for k in 0..2000 {
            let at = [seed.uniform(k) * 1e4, seed.uniform(k + 5000) * 1e4];
            let cut = gullies.cut(seed, at, [0.6, -0.8]);
            assert!(cut <= 0.0 && cut >= -deepest, "{cut}");
            assert_eq!(gullies.cut(seed, at, [0.0, 0.0]), 0.0);
        }
    }

    #[test]
    fn the_slope_of_a_wave_runs_along_the_contour() {
        let seed = Seed::new(4);
        let along = [0.6, 0.8];
        for k in 0..200 {
            let at = [seed.uniform(k) * 50.0, seed.uniform(k + 500) * 50.0];
            let Wave { value, slope } = wave(seed, at, along);
            assert!((-1.0..=1.0).contains(&value));
            assert!((slope[0] * along[1] - slope[1] * along[0]).abs() < 1e-9);
        }
    }
}
