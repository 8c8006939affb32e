//! The height that a land shall have in balance, held by how readily its rock is cut.
//!
//! In balance heights are as K^(−1/n): to have a summit of height R, K is chosen once from the slopes that balance would
//! give the rivers of now, and then corrected with every step by what the summit lacks and by how fast it changes:
//!
//! ```text
//! e = ln(summit / R)      K ← K·exp(n·P·(e + (e − e_last)·R/(U·Δt)))
//! ```
//!
//! A land takes about R/U years to follow K. A correction by e alone comes too late each time, and summits swing up and
//! down without end; the change of e goes ahead of them (a controller whose zero lies on the pole of what it controls).
//! The last few percent at the end are a matter of scale.

use crate::math;

/// P: a fourth of what would set it swinging.
const GAIN: f64 = 1.0 / 3.0;

/// The fewest and the most steps in which a land is taken to follow.
const STEPS: [f64; 2] = [4.0, 16.0];

/// The most that is believed of what a summit lacks or has too much, as a factor.
const MOST: f64 = 2.0;

/// Holds the highest summit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Governor {
    /// R in metres.
    pub(super) relief: f64,
    last: Option<f64>,
}

impl Governor {
    pub(super) fn new(relief: f64) -> Self {
        Self { relief, last: None }
    }

    /// The summit over what it shall be, as far as that is believed.
    pub(super) fn ratio(&self, summit: f64) -> f64 {
        (summit / self.relief).clamp(1.0 / MOST, MOST)
    }

    /// The factor on K^(1/n) after a step in which a land at rest would have risen by `rise` metres.
    pub(super) fn correction(&mut self, summit: f64, rise: f64) -> f64 {
        let error = math::ln(self.ratio(summit));
        let change = error - self.last.replace(error).unwrap_or(error);
        let steps = (self.relief / rise.max(1e-12)).clamp(STEPS[0], STEPS[1]);
        math::exp(GAIN * (error + change * steps))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_land_that_follows_late_settles_at_its_relief() {
        // A summit that goes a fifth of the way to 1/K in each step, and hears of K one step late.
        for start in [20.0, 900.0, 4000.0] {
            let mut governor = Governor::new(1000.0);
            let (mut summit, mut k, mut k_last) = (start, 1.0, 1.0);
            for _ in 0..40 {
                summit += 0.2 * (1500.0 / k_last - summit);
                k_last = k;
                k *= governor.correction(summit, 250.0);
            }
            assert!((summit / 1000.0 - 1.0).abs() < 0.01, "{start}: {summit}");
        }
    }
}
