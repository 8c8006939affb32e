//! How the years are shared among the lattices.
//!
//! ```text
//! T    = years·K·A^m/L·S^(n−1)     A, L one sample and its side (m², m), S a steep slope
//! kept = e^(−T/start)              how much is left of the smallest valleys of the ground that came in
//! ```
//!
//! T is the time relative to that in which a brook on the lattice of the recipe follows the rivers below it (the response
//! time of the stream-power law). Where it has passed many times, all valleys are new: the large ones need their time on coarse
//! lattices, to find their divides. Where it has not passed, the valleys that are there stay, and a coarse lattice, which does not know
//! the small ones, has nothing to say: nearly all of the time belongs to the finest.

use super::evolve::Evolve;
use crate::math::power::power;
use crate::{Lattice, math};

/// S, where the law is not linear in the slope.
const STEEP: f64 = 0.3;

/// Less that is kept is nothing.
const LEAST: f64 = 1e-3;

/// How the years are shared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Time {
    kept: f64,
    levels: usize,
}

impl Time {
    pub(super) fn new(evolve: &Evolve, design: &Lattice, levels: usize) -> Self {
        let area = design.spacing[0] * design.spacing[1];
        let kept = evolve.years.map_or(0.0, |years| {
            let slope = power(STEEP, evolve.slope_exponent - 1.0);
            let rate = evolve.erodibility * power(area, evolve.area_exponent) / area.sqrt();
            math::exp(-years * rate * slope / evolve.start.max(1e-9))
        });
        Self { kept: if kept < LEAST { 0.0 } else { kept }, levels }
    }

    /// How much is left of the smallest valleys of the ground that came in, 0 to 1.
    pub(super) fn kept(&self) -> f64 {
        self.kept
    }

    /// The share of a lattice, 0 being the finest: half of what changes the large valleys on the coarsest lattice, the rest on the
    /// others.
    pub(super) fn share(&self, number: usize) -> f64 {
        let even = match self.levels {
            1 => 1.0,
            levels if number + 1 == levels => 0.5,
            levels => 0.5 / (levels - 1) as f64,
        };
        (1.0 - self.kept) * even + if number == 0 { self.kept } else { 0.0 }
    }

    /// The share of a lattice that is the last of a preview: it has the time of those that are left out too.
    pub(super) fn share_down_to(&self, number: usize) -> f64 {
        if number >= self.levels { 1.0 } else { (0..=number).map(|k| self.share(k)).sum() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DESIGN: Lattice = Lattice { size: [257, 257], spacing: [28.0, 28.0] };

    #[test]
    fn all_time_is_shared_and_short_times_belong_to_the_finest_lattice() {
        for (start, years) in
            [(0.0, 1.0), (0.0, 1e5), (0.5, 1e5), (1.0, 1.0), (1.0, 1e5), (1.0, 1e8)]
        {
            let evolve = Evolve { start, years: Some(years), ..Evolve::default() };
            for levels in [1, 2, 5] {
                let time = Time::new(&evolve, &DESIGN, levels);
                assert!((time.share_down_to(levels - 1) - 1.0).abs() < 1e-12);
                let is_short = start == 1.0 && years == 1.0;
                assert!(!is_short || time.share(0) > 0.9999, "{time:?}");
                let is_even = start == 0.0 || years == 1e8;
                assert!(!is_even || levels != 5 || time.share(0) == 0.125, "{time:?}");
            }
        }
    }
}
