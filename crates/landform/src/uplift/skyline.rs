//! Mountain skylines by the two-dimensional Uplift Model (Rankin 2014).
//!
//! ```text
//! y_i = (1/N_p) Σ_p max(0, y_p − R·|i_p − i|·Δ_x)      i = 0 … N_x
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Curve;
use crate::error::{Error, in_order};
use crate::{Seed, math};

/// The five parameters of a skyline, and its scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Skyline {
    /// Number of divisions along the horizon, `N_x`: there is one point more.
    #[schemars(range(min = 1, max = 100_000))]
    pub divisions: u32,
    /// Number of peaks, `N_p`.
    #[schemars(range(min = 1, max = 100_000))]
    pub peaks: u32,
    /// Lowest peak, `Y_min`.
    #[schemars(range(min = 0.0, max = 1_000_000.0))]
    pub y_min: f64,
    /// Highest peak, `Y_max`.
    #[schemars(range(min = 0.0, max = 1_000_000.0))]
    pub y_max: f64,
    /// Steepness of the sides of the tents, R.
    #[schemars(range(min = 0.001, max = 1000.0))]
    pub ruggedness: f64,
    /// Width of a division, `Δ_x`.
    #[schemars(range(min = 1e-6, max = 1e6))]
    pub spacing: f64,
    /// Whether the influence of a peak ends at the ground.
    pub curve: Curve,
}

impl Default for Skyline {
    fn default() -> Self {
        Self {
            divisions: 800,
            peaks: 30,
            y_min: 100.0,
            y_max: 400.0,
            ruggedness: 1.0,
            spacing: 1.0,
            curve: Curve::Tent,
        }
    }
}

impl Skyline {
    /// The heights y_0 … y_N of the ridge.
    ///
    /// # Errors
    /// If `y_min` is above `y_max`.
    pub fn heights(&self, seed: Seed) -> Result<Vec<f32>, Error> {
        in_order("y_min", self.y_min, "y_max", self.y_max)?;
        let (places, heights) = (seed.child("place"), seed.child("height"));
        let count = u64::from(self.divisions) + 1;
        let mut sums = vec![0.0; count as usize];
        for p in 0..u64::from(self.peaks) {
            let at = places.below(p, count) as f64;
            let height = heights.between(p, self.y_min, self.y_max);
            for (i, sum) in sums.iter_mut().enumerate() {
                let y = height - self.ruggedness * (at - i as f64).abs() * self.spacing;
                *sum += if self.curve == Curve::Tent { y.max(0.0) } else { y };
            }
        }
        Ok(sums.into_iter().map(|sum| (sum / f64::from(self.peaks)) as f32).collect())
    }
}

/// A Brownian curve (Lauwerier 1991): each step up or down is independent of all others. Its lowest point is 0.
///
/// ```text
/// y_0 = 0,  y_{i+1} = y_i + amplitude·g_i      g_i normal, variance 1
/// ```
pub fn brownian_curve(seed: Seed, divisions: u32, amplitude: f64) -> Vec<f32> {
    let mut y = 0.0;
    let mut curve = vec![0.0];
    for i in 0..u64::from(divisions) {
        y += amplitude * normal(seed, i);
        curve.push(y);
    }
    let lowest = curve.iter().copied().fold(f64::INFINITY, f64::min);
    curve.into_iter().map(|y| (y - lowest) as f32).collect()
}

/// A number of the normal law, by Box & Muller (1958).
fn normal(seed: Seed, index: u64) -> f64 {
    let (u, v) = (1.0 - seed.uniform(2 * index), seed.uniform(2 * index + 1));
    (-2.0 * math::ln(u)).sqrt() * math::cos(std::f64::consts::TAU * v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_tent_is_a_triangle_on_the_ground() {
        let skyline =
            Skyline { divisions: 100, peaks: 1, y_min: 10.0, y_max: 10.0, ..Skyline::default() };
        let heights = skyline.heights(Seed::new(1)).unwrap();
        let top = heights.iter().position(|&y| y == 10.0).unwrap();
        for (i, &y) in heights.iter().enumerate() {
            assert_eq!(y, (10.0 - i.abs_diff(top) as f32).max(0.0));
        }
    }

    #[test]
    fn the_average_of_two_inverted_vs_is_flat_between_them() {
        let v = Skyline { peaks: 2, curve: Curve::InvertedV, ..Skyline::default() };
        let heights = v.heights(Seed::new(4)).unwrap();
        let turns = |ys: &[f32]| {
            ys.windows(3).filter(|y| ((y[2] - y[1]) - (y[1] - y[0])).abs() > 1e-3).count()
        };
        assert_eq!(turns(&heights), 2);
        let tents = Skyline { peaks: 2, y_max: 110.0, ..Skyline::default() };
        let heights = tents.heights(Seed::new(4)).unwrap();
        assert!(turns(&heights) > 2, "tents give new shapes");
    }

    #[test]
    fn more_peaks_wear_the_range_down() {
        let top = |peaks| {
            let range = Skyline { peaks, y_min: 400.0, ..Skyline::default() };
            range.heights(Seed::new(2)).unwrap().into_iter().fold(0.0, f32::max)
        };
        assert!(top(1) > top(10) && top(10) > top(1000));
    }

    #[test]
    fn brownian_steps_have_the_variance_of_their_amplitude() {
        let curve = brownian_curve(Seed::new(9), 20_000, 3.0);
        let steps = curve.windows(2).map(|y| f64::from(y[1] - y[0]));
        let variance = steps.map(|step| step * step).sum::<f64>() / 20_000.0;
        assert!((variance / 9.0 - 1.0).abs() < 0.05, "{variance}");
        assert_eq!(curve.iter().copied().fold(f32::INFINITY, f32::min), 0.0);
        let turns = curve.windows(3).filter(|y| (y[1] - y[0]) * (y[2] - y[1]) < 0.0).count();
        assert!((turns as f64 / 20_000.0 - 0.5).abs() < 0.02, "half of all changes are reversals");
    }
}
