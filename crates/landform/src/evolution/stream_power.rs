//! Rivers cut into rising land: the stream-power law, solved implicitly in linear time (Braun & Willett 2013).
//!
//! ```text
//! dh/dt = U − K·A^m·S^n + G·Q_s/A      h height (m), U uplift (m/yr), K erodibility (m^(1−2m)/yr), A drainage area (m²),
//!                                      S slope to the receiver, Q_s sediment that comes from upstream (m³/yr)
//! steady: S = (U/K)^(1/n)·A^(−m/n)     where nothing is laid down, G = 0
//! ```
//!
//! A receiver is solved before its donors, so a step of any length is stable and costs one pass over the samples: for
//! n = 1 a division, else a few steps of Newton's method on a convex function from the side from which it cannot miss. What
//! is laid down depends on what is worn off upstream, which is not known yet: a few rounds settle it (Yuan, Braun,
//! Guerit, Rouby & Cordonnier 2019). Water in a depression is led over its lowest pass; it cuts into the pass and not
//! into the ground that lies lower.
//!
//! One receiver a sample: what it costs in directions is given back by [`Sway`] and by [refining](super::coarse_to_fine).

use super::power::power;
use crate::drainage::compass::{Compass, NOWHERE};
use crate::drainage::depressions::route_out;
use crate::drainage::order::{accumulate, update_downstream};
use crate::drainage::receivers::{Sway, update_receivers};
use crate::{Cancelled, Ctx, Lattice, par};

/// Rounds in which what is worn off and what is laid down find each other.
const ROUNDS: u32 = 3;

/// The constants of the law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    /// K: how fast a river cuts, in m^(1−2m)/yr.
    pub erodibility: f64,
    /// m: how much the size of a river counts.
    pub area_exponent: f64,
    /// n: how much its slope counts.
    pub slope_exponent: f64,
    /// G: how readily sediment settles; 0 carries all of it away.
    pub deposition: f64,
}

/// Land that rises and is worn: the state of the simulation on one lattice.
#[derive(Clone, Debug)]
pub struct Landscape {
    /// The directions on its lattice.
    pub compass: Compass,
    /// Height in metres.
    pub heights: Vec<f32>,
    /// U in metres a year.
    pub uplift: Vec<f32>,
    /// Where the height is given: the sea, and the border that water leaves by.
    pub is_base: Vec<bool>,
    /// A factor on K, where the rock is not the same everywhere.
    pub softness: Option<Vec<f32>>,
    /// Rain relative to the mean, where it is not the same everywhere.
    pub rain: Option<Vec<f32>>,
    /// Direction to the receiver.
    pub directions: Vec<u8>,
    /// Upstream before downstream.
    pub order: Vec<u32>,
    /// Drainage area, weighted by the rain, in samples.
    pub area: Vec<f32>,
    /// Sediment that passes, in metres a year times samples; empty as long as nothing is laid down.
    sediment: Vec<f32>,
    conductance: Vec<f32>,
    donors: Vec<u8>,
}

/// Volumes that have moved, in m³.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balance {
    /// What uplift has added.
    pub uplifted: f64,
    /// What rivers have taken out of the ground.
    pub eroded: f64,
    /// What they have laid down again.
    pub deposited: f64,
}

impl Landscape {
    /// Land of these heights. Samples where `is_base` is true never move.
    pub fn new(lattice: &Lattice, heights: Vec<f32>, uplift: Vec<f32>, is_base: Vec<bool>) -> Self {
        let compass = Compass::new(lattice);
        let samples = compass.len();
        Self {
            compass,
            heights,
            uplift,
            is_base,
            softness: None,
            rain: None,
            directions: vec![NOWHERE; samples],
            order: Vec::new(),
            area: Vec::new(),
            sediment: Vec::new(),
            conductance: Vec::new(),
            donors: Vec::new(),
        }
    }

    /// Finds the receivers, leads every pit out, and sums up the drainage area.
    ///
    /// # Errors
    /// Only by cancellation.
    pub fn route(&mut self, sway: Option<Sway>, ctx: &Ctx<'_>) -> Result<(), Cancelled> {
        let Self { compass, heights, is_base, directions, order, donors, .. } = self;
        update_receivers(directions, heights, is_base, compass, sway);
        ctx.check()?;
        update_downstream(order, donors, directions, compass);
        ctx.check()?;
        if route_out(directions, order, heights, is_base, compass) {
            ctx.check()?;
            update_downstream(order, donors, directions, compass);
        }
        ctx.check()?;
        self.area.clear();
        match &self.rain {
            Some(rain) => self.area.extend_from_slice(rain),
            None => self.area.resize(self.compass.len(), 1.0),
        }
        accumulate(&mut self.area, &self.order, &self.directions, &self.compass);
        ctx.check()
    }

    /// Lifts the ground and cuts it for `years` along the receivers that [`Landscape::route`] has found.
    ///
    /// # Errors
    /// Only by cancellation.
    pub fn step(&mut self, law: &Law, years: f64, ctx: &Ctx<'_>) -> Result<Balance, Cancelled> {
        self.set_conductance(law, years);
        ctx.check()?;
        let rounds = if law.deposition > 0.0 { ROUNDS } else { 1 };
        if law.deposition > 0.0 {
            self.sediment.resize(self.compass.len(), 0.0);
        }
        let before = (rounds > 1).then(|| self.heights.clone());
        let mut balance = Balance::default();
        for round in 0..rounds {
            if let Some(before) = before.as_ref().filter(|_| round > 0) {
                self.heights.copy_from_slice(before);
            }
            balance = self.solve(law, years);
            ctx.check()?;
            if law.deposition > 0.0 {
                let before = before.as_deref().unwrap_or(&[]);
                self.load(before, years);
                ctx.check()?;
            }
        }
        Ok(balance)
    }

    /// K·Δt·A^m / L^n of each sample.
    fn set_conductance(&mut self, law: &Law, years: f64) {
        let compass = self.compass;
        let n = law.slope_exponent;
        let scale = law.erodibility * years * power(compass.cell_area, law.area_exponent);
        let by_length = compass.lengths.map(|length| scale / power(f64::from(length), n));
        let (m, width) = (law.area_exponent, compass.width);
        let mut conductance = std::mem::take(&mut self.conductance);
        let Self { area, directions, softness, .. } = &*self;
        conductance.resize(compass.len(), 0.0);
        par::for_each_part(&mut conductance, width, 16, |part, out| {
            let first = 16 * part * width;
            let area = &area[first..first + out.len()];
            if m == 0.5 {
                out.iter_mut().zip(area).for_each(|(c, &a)| *c = a.sqrt());
            } else {
                out.iter_mut().zip(area).for_each(|(c, &a)| *c = power(f64::from(a), m) as f32);
            }
            let directions = &directions[first..first + out.len()];
            for (c, &direction) in out.iter_mut().zip(directions) {
                *c *= by_length.get(direction as usize).map_or(0.0, |&scale| scale as f32);
            }
            if let Some(softness) = softness {
                let softness = &softness[first..first + out.len()];
                out.iter_mut().zip(softness).for_each(|(c, &s)| *c *= s);
            }
        });
        self.conductance = conductance;
    }

    /// One pass upstream.
    fn solve(&mut self, law: &Law, years: f64) -> Balance {
        let mut balance = self.raise(law, years);
        let Self { compass, heights, directions, order, conductance, .. } = self;
        let is_linear = law.slope_exponent == 1.0;
        for &at in order.iter().rev() {
            let at = at as usize;
            let direction = directions[at];
            if direction == NOWHERE {
                continue;
            }
            let (start, low) = (heights[at], heights[compass.next(at, direction)]);
            let fall = start - low;
            if fall <= 0.0 {
                continue;
            }
            let new = if is_linear {
                low + fall / (1.0 + conductance[at])
            } else {
                let c = f64::from(conductance[at]);
                low + left_of_fall(f64::from(fall), c, law.slope_exponent) as f32
            };
            balance.eroded += f64::from(start) - f64::from(new);
            heights[at] = new;
        }
        let area = compass.cell_area;
        let Balance { uplifted, eroded, deposited } = balance;
        Balance { uplifted: uplifted * area, eroded: eroded * area, deposited: deposited * area }
    }

    /// Lifts the ground and lays down what settles. Memory is read in a row here, which it is not on the way upstream.
    fn raise(&mut self, law: &Law, years: f64) -> Balance {
        let Self { heights, uplift, directions, area, sediment, .. } = self;
        let settles = (law.deposition * years) as f32;
        let mut balance = Balance::default();
        for (at, height) in heights.iter_mut().enumerate() {
            if directions[at] == NOWHERE {
                continue;
            }
            let lifted = *height + uplift[at] * years as f32;
            balance.uplifted += f64::from(lifted) - f64::from(*height);
            *height = lifted;
            if settles > 0.0 {
                *height += settles * sediment[at].max(0.0) / area[at].max(1.0);
                balance.deposited += f64::from(*height) - f64::from(lifted);
            }
        }
        balance
    }

    /// What each sample sends on, from what has become of the ground upstream.
    fn load(&mut self, before: &[f32], years: f64) {
        let Self { heights, uplift, sediment, directions, compass, .. } = self;
        let per_year = (1.0 / years) as f32;
        let width = compass.width;
        par::for_each_part(sediment, width, 16, |part, out| {
            let first = 16 * part * width;
            for (k, out) in out.iter_mut().enumerate() {
                let at = first + k;
                let lifted = before[at] + uplift[at] * years as f32;
                let is_free = directions[at] != NOWHERE;
                *out = if is_free { (lifted - heights[at]) * per_year } else { 0.0 };
            }
        });
        accumulate(sediment, &self.order, directions, compass);
    }

    /// The volume that has left over the base levels since the last routing, in m³ a year: what is eroded and not laid down.
    pub fn exported(&self) -> f64 {
        let ends = (0..self.compass.len()).filter(|&at| self.directions[at] == NOWHERE);
        let sum: f64 = ends.filter_map(|at| self.sediment.get(at)).map(|&s| f64::from(s)).sum();
        sum * self.compass.cell_area
    }

    /// The height that the highest place would have in a steady state, with the receivers of now, over its base level.
    pub fn steady_relief(&self, law: &Law) -> f64 {
        let Self { compass, uplift, directions, order, area, softness, .. } = self;
        let mut above = vec![0.0_f32; compass.len()];
        let cell = compass.cell_area;
        let (m, n) = (law.area_exponent, law.slope_exponent);
        let mut most = 0.0_f32;
        for &at in order.iter().rev() {
            let at = at as usize;
            let Some(&length) = compass.lengths.get(directions[at] as usize) else { continue };
            let soft = softness.as_ref().map_or(1.0, |softness| f64::from(softness[at]));
            let cutting = law.erodibility * soft * power(f64::from(area[at]) * cell, m);
            let slope = power(f64::from(uplift[at]) / cutting.max(1e-300), 1.0 / n);
            above[at] = above[compass.next(at, directions[at])] + (slope as f32) * length;
            most = most.max(above[at]);
        }
        f64::from(most)
    }
}

/// x with x + c·xⁿ = fall, for fall above 0.
fn left_of_fall(fall: f64, c: f64, n: f64) -> f64 {
    // In y = xⁿ the function is convex where it is not in x; from above, Newton's method comes down to the root.
    let p = if n >= 1.0 { n } else { 1.0 / n };
    let (a, b) = if n >= 1.0 { (1.0, c) } else { (c, 1.0) };
    // a·y + b·y^p = fall
    let mut y = fall / a.max(1e-300);
    if b > 0.0 {
        y = y.min(power(fall / b, 1.0 / p));
    }
    for _ in 0..30 {
        let high = b * power(y, p - 1.0);
        let next = y - (a * y + high * y - fall) / (a + p * high);
        let is_there = (y - next).abs() <= 1e-7 * y;
        y = next.max(0.0);
        if is_there {
            break;
        }
    }
    let x = if n >= 1.0 { y } else { power(y, p) };
    x.clamp(0.0, fall)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    const LATTICE: Lattice = Lattice { size: [61, 45], spacing: [100.0, 80.0] };

    /// A rough plain whose border is the sea.
    fn plain() -> Landscape {
        let compass = Compass::new(&LATTICE);
        let seed = Seed::new(6);
        let heights: Vec<f32> = (0..compass.len()).map(|k| seed.uniform(k as u64) as f32).collect();
        let is_base = crate::drainage::statistics::bases(&heights, -1.0, &compass);
        Landscape::new(&LATTICE, heights, vec![1e-3; compass.len()], is_base)
    }

    fn law(slope_exponent: f64, deposition: f64) -> Law {
        Law { erodibility: 2e-5, area_exponent: 0.45, slope_exponent, deposition }
    }

    #[test]
    fn in_a_steady_state_slopes_are_those_of_the_closed_form() {
        let ctx = Ctx::new(&(), "");
        for n in [1.0, 2.0, 0.7] {
            let law = Law { erodibility: 2e-5 / power(0.1, n - 1.0), ..law(n, 0.0) };
            let mut land = plain();
            for _ in 0..300 {
                land.route(None, &ctx).unwrap();
                land.step(&law, 2e5, &ctx).unwrap();
            }
            let cell = land.compass.cell_area;
            let mut checked = 0;
            for (at, &direction) in land.directions.iter().enumerate() {
                let Some(&length) = land.compass.lengths.get(direction as usize) else { continue };
                let fall = land.heights[at] - land.heights[land.compass.next(at, direction)];
                let slope = f64::from(fall / length);
                let area = f64::from(land.area[at]) * cell;
                let expected = power(1e-3 / law.erodibility, 1.0 / n) * power(area, -0.45 / n);
                assert!((slope / expected - 1.0).abs() < 0.01, "n {n}: {slope} {expected}");
                checked += 1;
            }
            assert!(checked > 2000);
        }
    }

    #[test]
    fn what_is_lifted_is_standing_or_has_left() {
        let ctx = Ctx::new(&(), "");
        for deposition in [0.0, 0.8] {
            let law = law(1.0, deposition);
            let mut land = plain();
            let volume = |land: &Landscape| {
                land.heights.iter().map(|&h| f64::from(h)).sum::<f64>() * land.compass.cell_area
            };
            let (start, mut sum) = (volume(&land), Balance::default());
            for _ in 0..40 {
                land.route(None, &ctx).unwrap();
                let before = volume(&land);
                let balance = land.step(&law, 1e4, &ctx).unwrap();
                sum.uplifted += balance.uplifted;
                sum.eroded += balance.eroded;
                sum.deposited += balance.deposited;
                if deposition > 0.0 {
                    // What the rivers bring to the border is what is missing.
                    let left = before + balance.uplifted - volume(&land);
                    let exported = land.exported() * 1e4;
                    assert!((exported / left - 1.0).abs() < 1e-4, "{exported} {left}");
                }
            }
            let standing = volume(&land) - start;
            let rest = sum.uplifted - (standing + sum.eroded - sum.deposited);
            assert!(rest.abs() < 1e-6 * sum.uplifted, "{rest} of {}", sum.uplifted);
            assert!(sum.eroded > 0.1 * sum.uplifted && (sum.deposited > 0.0) == (deposition > 0.0));
        }
    }

    #[test]
    fn the_implicit_step_solves_its_equation() {
        for n in [0.5, 0.9, 1.3, 2.0, 3.5] {
            for (fall, c) in [(10.0, 0.3), (1e3, 1e4), (1e-3, 1e-6), (5.0, 0.0)] {
                let x = left_of_fall(fall, c, n);
                let residue = x + c * power(x, n) - fall;
                assert!(residue.abs() < 1e-5 * fall, "{n} {fall} {c}: {x} {residue}");
            }
        }
    }

    #[test]
    fn cost_grows_with_samples_only_and_a_single_sample_is_land_too() {
        let ctx = Ctx::new(&(), "");
        let one = Lattice { size: [1, 1], spacing: [1.0, 1.0] };
        let mut land = Landscape::new(&one, vec![5.0], vec![1.0], vec![false]);
        land.route(None, &ctx).unwrap();
        land.step(&law(1.0, 1.0), 10.0, &ctx).unwrap();
        assert_eq!((land.order.len(), land.heights[0]), (1, 5.0));
    }
}
