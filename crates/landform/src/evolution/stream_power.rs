//! Rivers cut into rising land: the stream-power law, solved implicitly in linear time (Braun & Willett 2013).
//!
//! ```text
//! dh/dt = U − K·A^m·S^n + G·Q_s/A      h height (m), U uplift (m/yr), K erodibility (m^(1−2m)/yr), A drainage area (m²),
//!                                      S slope to the receiver, Q_s sediment that comes from upstream (m³/yr)
//! steady: S = (U/K)^(1/n)·A^(−m/n)     where nothing is laid down, G = 0
//! ```
//!
//! A receiver is solved before its donors, so a step of any length is stable and costs one pass over the samples: for
//! n = 1 a division, else a few steps of Newton's method on a convex function from the side from which it cannot miss. Water
//! in a depression is led over its lowest pass; it cuts into the pass and not into the ground that lies lower.
//!
//! What is laid down (Yuan, Braun, Guerit, Rouby & Cordonnier 2019) depends on what is worn off upstream, and that on the height
//! that is looked for. Guessing the one from the other in turns swings more with every round where G is above 1. But along a
//! tree the law is a system of two numbers a sample, solved as a tridiagonal one is: from the sources down, the load that
//! leaves a sample is found as a straight line in the height of its receiver, and from the mouth up all heights follow.
//!
//! ```text
//! x lowering of a sample in the step, L load that leaves it (both m, L times samples), c = K·Δt·A^m/ΔL, A in samples
//! L = a + b·x                            a = Σ α, b = 1 + Σ β over its donors, for which L = α + β·x
//! x = c·(h − h_r) − (G/A)·L              hence x, and then L, as a line in h_r
//! ```
//!
//! Exact for n = 1 and any G and Δt, where no depression opens or closes in the step; a second round takes up those, and
//! for other n each round is one of Newton's method for all samples at once, with the secant.
//!
//! Slopes that rivers undercut *fail*: where the ground falls to its receiver by more than S_c·L, L the distance, the part above slides to it,
//! and the river has it as load. It takes some thousand years, so a short time changes little:
//!
//! ```text
//! h = h_r + S_c·L + (f − S_c·L)/(1 + Δt/τ)       f what the rivers have left of the fall, above S_c·L
//! ```
//!
//! L is 1/√2 of the distance along a diagonal. Receivers are drawn, so the feet of a slope lie in all directions; but land of which most
//! slopes are critical prefers the axes of the lattice all the same (mean of cos 4θ of the aspect 0.09): S_c is for the steepest of them.
//!
//! Where channels begin at an area A_0, K is multiplied by A²/(A² + A_0²): what drains less is left to creep.
//!
//! One receiver a sample: what it costs in directions is given back by the [`Race`] and by [refining](super::coarse_to_fine).

use super::guide::Guide;
use crate::drainage::compass::{Compass, NOWHERE, STEPS};
use crate::drainage::depressions::route_out;
use crate::drainage::receivers::{Race, update_receivers};
use crate::drainage::trees::{Forest, Trees};
use crate::math::power::{power, power_single};
use crate::par::{self, Cells};
use crate::{Cancelled, Ctx, Lattice};

/// Rounds in which what is laid down is solved for: the lines of the first are those of the slopes before.
const ROUNDS: u32 = 2;
/// The same where the law is not linear in the slope.
const ROUNDS_CURVED: u32 = 4;

/// τ: years in which a slope that is too steep loses most of what stands too high.
const FAILURE_YEARS: f64 = 5000.0;

/// How far a step along a diagonal counts for the fall that stands. Drawn receivers lie up to 45° beside the slope, so on average a fall
/// of S_c·L a step is a slope of 1.2 S_c; with this it is S_c.
const DIAGONAL: f32 = std::f32::consts::FRAC_1_SQRT_2;

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
    /// Drainage area below which nothing is cut, in samples, where there is one.
    pub headwaters: Option<Vec<f32>>,
    /// Rain relative to the mean, where it is not the same everywhere.
    pub rain: Option<Vec<f32>>,
    /// S_c, rise over run: what is steeper fails. Infinite where nothing fails.
    pub critical_slope: f32,
    /// Where water has to go and where it must not.
    pub guide: Guide,
    /// Direction to the receiver.
    pub directions: Vec<u8>,
    /// What drains to each end of the water, with the drainage area, weighted by the rain, in samples.
    pub forest: Forest,
    /// What leaves, in metres a year times samples.
    exported: f64,
    /// Room to work in.
    room: Cells,
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
            headwaters: None,
            rain: None,
            critical_slope: f32::INFINITY,
            guide: Guide::default(),
            directions: vec![NOWHERE; samples],
            forest: Forest::default(),
            exported: 0.0,
            room: Cells::default(),
        }
    }

    /// Finds the receivers, the steepest neighbours unless there is a race, leads every pit out, and sums up the drainage area.
    ///
    /// # Errors
    /// Only by cancellation.
    pub fn route(&mut self, race: Option<&Race>, ctx: &Ctx<'_>) -> Result<(), Cancelled> {
        let Self { compass, heights, is_base, directions, room, guide, .. } = self;
        let ridges = guide.raise(heights);
        update_receivers(directions, heights, is_base, compass, race);
        guide.link(directions);
        ctx.check()?;
        route_out(directions, heights, is_base, compass, room);
        guide.lower(heights, &ridges);
        ctx.check()?;
        self.forest.update(directions, compass, self.rain.as_deref());
        ctx.check()
    }

    /// Lifts the ground and cuts it for `years` along the receivers that [`Landscape::route`] has found.
    ///
    /// # Errors
    /// Only by cancellation.
    pub fn step(&mut self, law: &Law, years: f64, ctx: &Ctx<'_>) -> Result<Balance, Cancelled> {
        let balances =
            self.work(law, years, ctx, |step, trees, places| step.measure(trees, places))?;
        let leaves: f64 = balances.iter().map(|(_, leaves)| leaves).sum();
        self.exported = if law.deposition > 0.0 { leaves / years } else { 0.0 };
        let mut sum = Balance::default();
        for (Balance { uplifted, eroded, deposited }, _) in balances {
            sum.uplifted += uplifted * self.compass.cell_area;
            sum.eroded += eroded * self.compass.cell_area;
            sum.deposited += deposited * self.compass.cell_area;
        }
        Ok(sum)
    }

    /// The same without adding up what has moved.
    ///
    /// # Errors
    /// Only by cancellation.
    pub fn wear(&mut self, law: &Law, years: f64, ctx: &Ctx<'_>) -> Result<(), Cancelled> {
        self.work(law, years, ctx, |_, _, _| ()).map(drop)
    }

    /// One step, with what `measure` finds on each piece.
    fn work<R: Send>(
        &mut self,
        law: &Law,
        years: f64,
        ctx: &Ctx<'_>,
        measure: impl Fn(&Step<'_>, &Trees, &mut [SampleState]) -> R + Sync + Send,
    ) -> Result<Vec<R>, Cancelled> {
        self.room.resize(self.compass.len());
        let step = Step::new(self, law, years);
        let pieces = self.forest.pieces();
        let measured = par::map(pieces.len(), |k| {
            ctx.check()?;
            let mut places = step.solved(&pieces[k]);
            Ok(measure(&step, &pieces[k], &mut places))
        });
        let measured = measured.into_iter().collect::<Result<Vec<R>, Cancelled>>()?;
        if !measured.is_empty() {
            self.take_heights();
        }
        Ok(measured)
    }

    /// Works on the heights of some trees after the other, in their order, and puts them back.
    pub(super) fn rework(&mut self, work: impl Fn(&Trees, &mut [f32]) + Sync + Send) {
        self.room.resize(self.compass.len());
        let Self { heights, room, forest, .. } = self;
        let pieces = forest.pieces();
        par::map(pieces.len(), |k| {
            let samples = &pieces[k].samples;
            let mut own: Vec<f32> = samples.iter().map(|&at| heights[at as usize]).collect();
            work(&pieces[k], &mut own);
            samples.iter().zip(&own).for_each(|(&at, h)| room.set(at as usize, h.to_bits()));
        });
        if !pieces.is_empty() {
            self.take_heights();
        }
    }

    /// Takes the heights that have been written to the room.
    fn take_heights(&mut self) {
        let Self { heights, room, compass, .. } = self;
        par::for_each_part(heights, compass.width, 16, |part, rows| {
            let first = 16 * part * compass.width;
            for (k, height) in rows.iter_mut().enumerate() {
                *height = f32::from_bits(room.get(first + k));
            }
        });
    }

    /// The volume that leaves over the base levels, in m³ a year, in the last step: what is eroded and not laid down. 0
    /// where nothing is laid down at all: then it is what is eroded.
    pub fn exported(&self) -> f64 {
        self.exported * self.compass.cell_area
    }

    /// The height that the highest place would have in a steady state, with the receivers of now, over its base level.
    pub fn steady_relief(&self, law: &Law) -> f64 {
        let Self { compass, uplift, directions, softness, headwaters, .. } = self;
        let cell = compass.cell_area;
        let (m, n) = (law.area_exponent, law.slope_exponent);
        let pieces = self.forest.pieces();
        let most = par::map(pieces.len(), |k| {
            let trees = &pieces[k];
            let mut above: Vec<f32> = Vec::with_capacity(trees.samples.len());
            for (k, &at) in trees.samples.iter().enumerate() {
                let at = at as usize;
                let Some(&length) = compass.lengths.get(directions[at] as usize) else {
                    above.push(0.0);
                    continue;
                };
                let soft = softness.as_ref().map_or(1.0, |softness| f64::from(softness[at]));
                let cut = headwaters.as_ref().map_or(1.0, |least| is_cut(trees.area[k], least[at]));
                let area = f64::from(trees.area[k]) * cell;
                let cutting = law.erodibility * soft * f64::from(cut) * power(area, m);
                let slope = power(f64::from(uplift[at]) / cutting.max(1e-300), 1.0 / n);
                above.push(above[trees.receiver(k)] + (slope as f32) * length);
            }
            above.iter().fold(0.0_f32, |most, &height| most.max(height))
        });
        f64::from(most.into_iter().fold(0.0, f32::max))
    }
}

/// How much of a stream that drains an area is a channel, 0 to 1, where channels begin at another one.
#[inline]
fn is_cut(area: f32, least: f32) -> f32 {
    let square = area * area;
    square / (square + least * least)
}

/// One step, for any tree.
struct Step<'a> {
    land: &'a Landscape,
    law: &'a Law,
    years: f64,
    /// K·Δt·(cell area)^m / L^n for each direction, and 0 for none.
    by_direction: [f32; 9],
    /// S_c·L for each direction.
    stable: [f32; 9],
    /// Δt/τ.
    failing: f32,
}

/// A sample on the way through a step.
#[derive(Clone, Copy)]
struct SampleState {
    /// Height after uplift.
    lifted: f32,
    /// c = K·Δt·A^m / L^n.
    cutting: f32,
    height: f32,
    /// S_c·L: a fall above it fails.
    stable: f32,
    /// a and b: the load that leaves, in metres times samples, is a + b·(lifted − height).
    load: [f32; 2],
}

impl SampleState {
    /// How a load of a + b·x settles: the height where nothing is cut, and what is left of a metre of x.
    #[inline]
    fn settled(&self, settling: f32) -> (f32, f32) {
        let [a, b] = self.load;
        let share = 1.0 / (1.0 + settling * b);
        (self.lifted + settling * a * share, share)
    }
}

/// Nothing comes from upstream.
const NO_LOAD: [f32; 2] = [0.0, 1.0];

/// Samples whose powers are taken together.
const BLOCK: usize = 512;

impl<'a> Step<'a> {
    fn new(land: &'a Landscape, law: &'a Law, years: f64) -> Self {
        let scale = law.erodibility * years * power(land.compass.cell_area, law.area_exponent);
        let mut by_direction = [0.0; 9];
        for (out, &length) in by_direction.iter_mut().zip(&land.compass.lengths) {
            *out = (scale / power(f64::from(length), law.slope_exponent)) as f32;
        }
        let mut stable = [f32::INFINITY; 9];
        let steps = land.compass.lengths.iter().zip(&STEPS);
        for (out, (&length, &(di, dj))) in stable.iter_mut().zip(steps) {
            let share = if di != 0 && dj != 0 { DIAGONAL } else { 1.0 };
            *out = land.critical_slope * share * length;
        }
        let failing = (years / FAILURE_YEARS) as f32;
        Self { land, law, years, by_direction, stable, failing }
    }

    /// What is left of a fall of which the part above S_c·L slides.
    #[inline]
    fn failed(&self, fall: f32, stable: f32) -> f32 {
        if fall > stable { stable + (fall - stable) / (1.0 + self.failing) } else { fall }
    }

    /// Solves some trees and writes their heights.
    fn solved(&self, trees: &Trees) -> Vec<SampleState> {
        let mut places = self.places(trees);
        let n = self.law.slope_exponent;
        if n == 1.0 {
            let slope = |_: f32| 1.0;
            self.solve(trees, &mut places, slope, |fall, c| fall / (1.0 + c));
        } else {
            let slope = |fall: f32| power(f64::from(fall).max(1e-12), n - 1.0) as f32;
            self.solve(trees, &mut places, slope, |fall, c| {
                left_of_fall(f64::from(fall), f64::from(c), n) as f32
            });
        }
        for (&at, place) in trees.samples.iter().zip(&places) {
            self.land.room.set(at as usize, place.height.to_bits());
        }
        places
    }

    /// The samples in the order of the trees, as they begin.
    fn places(&self, trees: &Trees) -> Vec<SampleState> {
        let Landscape { heights, uplift, directions, softness, headwaters, .. } = self.land;
        let (m, years) = (self.law.area_exponent, self.years as f32);
        let mut places = Vec::with_capacity(trees.samples.len());
        let mut powers = [0.0_f32; BLOCK];
        for (samples, areas) in trees.samples.chunks(BLOCK).zip(trees.area.chunks(BLOCK)) {
            if m == 0.5 {
                powers.iter_mut().zip(areas).for_each(|(power, &area)| *power = area.sqrt());
            } else {
                let each = powers.iter_mut().zip(areas);
                each.for_each(|(out, &area)| *out = power_single(area, m as f32));
            }
            for ((&at, &power), &area) in samples.iter().zip(&powers).zip(areas) {
                let at = at as usize;
                let (height, direction) = (heights[at], directions[at]);
                let load = NO_LOAD;
                if direction == NOWHERE {
                    let stable = f32::INFINITY;
                    places.push(SampleState { lifted: height, height, cutting: 0.0, stable, load });
                    continue;
                }
                let lifted = height + uplift[at] * years;
                let mut cutting = power * self.by_direction[direction as usize];
                if let Some(softness) = softness {
                    cutting *= softness[at];
                }
                if let Some(headwaters) = headwaters {
                    cutting *= is_cut(area, headwaters[at]);
                }
                let stable = self.stable[direction as usize];
                places.push(SampleState { lifted, cutting, height: lifted, stable, load });
            }
        }
        places
    }

    /// G/A for a sample: what settles of a load of 1.
    #[inline]
    fn settling(&self, area: f32) -> f32 {
        self.law.deposition as f32 / area.max(1.0)
    }

    /// Finds the heights: `slope` is cⁿ⁻¹ of the line through a fall, and `left` is what is left of a fall.
    fn solve(
        &self,
        trees: &Trees,
        places: &mut [SampleState],
        slope: impl Fn(f32) -> f32,
        left: impl Fn(f32, f32) -> f32,
    ) {
        let rounds = match (self.law.deposition > 0.0, self.law.slope_exponent == 1.0) {
            (false, _) => 0,
            (true, true) => ROUNDS,
            (true, false) => ROUNDS_CURVED,
        };
        if rounds == 0 {
            self.cut(trees, places, &left);
        }
        for _ in 0..rounds {
            self.lead_down(trees, places, &slope);
            self.cut(trees, places, &left);
        }
    }

    /// One pass downstream: the load of each sample as a line in how much it is lowered.
    fn lead_down(&self, trees: &Trees, places: &mut [SampleState], slope: impl Fn(f32) -> f32) {
        for k in (0..places.len()).rev() {
            let receiver = trees.receiver(k);
            if receiver == k {
                continue;
            }
            let (place, low) = (places[k], places[receiver]);
            let fall = place.height - low.height;
            let mut c = if fall > 0.0 { place.cutting * slope(fall) } else { 0.0 };
            let mut held = 0.0;
            if fall > place.stable {
                c += (1.0 + c) * self.failing;
                held = (1.0 + c) * place.stable * self.failing / (1.0 + self.failing);
            }
            let [a, b] = place.load;
            let settling = self.settling(trees.area[k]);
            // x = (c·(lifted − lifted_r + x_r) − held − settling·a) / (1 + c + settling·b)
            let scale = 1.0 / (1.0 + c + settling * b);
            let still = (c * (place.lifted - low.lifted) - held - settling * a) * scale;
            let load = &mut places[receiver].load;
            load[0] += a + b * still;
            load[1] += b * c * scale;
        }
    }

    /// One pass upstream: lays down what settles, and cuts. No load is left.
    fn cut(&self, trees: &Trees, places: &mut [SampleState], left: impl Fn(f32, f32) -> f32) {
        for k in 0..places.len() {
            let receiver = trees.receiver(k);
            let low = places[receiver].height;
            let place = &mut places[k];
            let (raised, share) = place.settled(self.settling(trees.area[k]));
            place.load = NO_LOAD;
            if receiver == k {
                continue;
            }
            let fall = raised - low;
            place.height = if fall > 0.0 {
                low + self.failed(left(fall, place.cutting * share), place.stable)
            } else {
                raised
            };
        }
    }

    /// What has moved, in metres on one sample, and what leaves where something is laid down.
    fn measure(&self, trees: &Trees, places: &mut [SampleState]) -> (Balance, f64) {
        let (mut balance, mut leaves) = (Balance::default(), 0.0);
        for k in (0..places.len()).rev() {
            let receiver = trees.receiver(k);
            let SampleState { lifted, height, load: [above, _], .. } = places[k];
            if receiver == k {
                leaves += f64::from(above);
                continue;
            }
            let lowered = lifted - height;
            let before = self.land.heights[trees.samples[k] as usize];
            balance.uplifted += f64::from(lifted) - f64::from(before);
            let load = above + lowered;
            let laid = self.settling(trees.area[k]) * load.max(0.0);
            balance.deposited += f64::from(laid);
            balance.eroded += f64::from(lifted) - f64::from(height) + f64::from(laid);
            places[receiver].load[0] += load;
        }
        (balance, leaves)
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
            let (cell, areas) = (land.compass.cell_area, land.forest.area());
            let mut checked = 0;
            for (at, &direction) in land.directions.iter().enumerate() {
                let Some(&length) = land.compass.lengths.get(direction as usize) else { continue };
                let fall = land.heights[at] - land.heights[land.compass.next(at, direction)];
                let slope = f64::from(fall / length);
                let area = f64::from(areas[at]) * cell;
                let expected = power(1e-3 / law.erodibility, 1.0 / n) * power(area, -0.45 / n);
                assert!((slope / expected - 1.0).abs() < 0.01, "n {n}: {slope} {expected}");
                checked += 1;
            }
            assert!(checked > 2000);
        }
    }

    #[test]
    fn what_is_laid_down_makes_a_steady_land_steeper_whatever_there_is_of_it() {
        let ctx = Ctx::new(&(), "");
        for (n, deposition) in [(1.0, 0.5), (1.0, 1.0), (1.0, 2.0), (1.0, 5.0), (1.5, 3.0)] {
            let law = Law { erodibility: 2e-5 / power(0.1, n - 1.0), ..law(n, deposition) };
            let mut land = plain();
            for _ in 0..400 {
                land.route(None, &ctx).unwrap();
                land.step(&law, 2e5, &ctx).unwrap();
            }
            // Where all that rises is carried away, Q_s/A is U.
            let rate = 1e-3 * (1.0 + deposition);
            let (cell, areas) = (land.compass.cell_area, land.forest.area());
            for (at, &direction) in land.directions.iter().enumerate() {
                let Some(&length) = land.compass.lengths.get(direction as usize) else { continue };
                let fall = land.heights[at] - land.heights[land.compass.next(at, direction)];
                let area = f64::from(areas[at]) * cell;
                let expected = power(rate / law.erodibility, 1.0 / n) * power(area, -0.45 / n);
                let ratio = f64::from(fall / length) / expected;
                assert!((ratio - 1.0).abs() < 0.01, "n {n}, G {deposition}: {ratio}");
            }
        }
    }

    #[test]
    fn a_step_of_any_length_solves_what_is_cut_and_laid_down_together() {
        let ctx = Ctx::new(&(), "");
        for (n, deposition) in [(1.0, 0.5), (1.0, 5.0), (1.5, 2.0)] {
            let (law, years) = (law(n, deposition), 4e5);
            let mut land = plain();
            for _ in 0..3 {
                land.route(None, &ctx).unwrap();
                let before = land.heights.clone();
                land.step(&law, years, &ctx).unwrap();
                let (areas, next) =
                    (land.forest.area(), |at: usize| land.compass.next(at, land.directions[at]));
                let lowered = |at: usize| {
                    let rise = if land.directions[at] == NOWHERE { 0.0 } else { 1e-3 * years };
                    f64::from(before[at]) + rise - f64::from(land.heights[at])
                };
                let mut loads: Vec<f64> = (0..before.len()).map(lowered).collect();
                for at in land.forest.downstream() {
                    let at = at as usize;
                    if next(at) != at {
                        loads[next(at)] += loads[at];
                    }
                }
                for at in (0..before.len()).filter(|&at| next(at) != at) {
                    let length = land.compass.lengths[land.directions[at] as usize];
                    let fall = f64::from(land.heights[at]) - f64::from(land.heights[next(at)]);
                    let area = f64::from(areas[at]);
                    let discharge = power(area * land.compass.cell_area, law.area_exponent);
                    let slope = power((fall / f64::from(length)).max(1e-30), n);
                    let cut = law.erodibility * years * discharge * slope;
                    let rest = lowered(at) - cut + deposition / area * loads[at];
                    assert!(rest.abs() < 0.01 * 1e-3 * years, "n {n}, G {deposition}: {rest}");
                }
            }
        }
    }

    #[test]
    fn what_is_lifted_is_standing_or_has_left() {
        let ctx = Ctx::new(&(), "");
        for deposition in [0.0, 0.8, 5.0] {
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
    fn slopes_fail_down_to_the_critical_one_and_what_slides_is_load() {
        let ctx = Ctx::new(&(), "");
        for deposition in [0.0, 0.8] {
            let law = Law { erodibility: 2e-6, ..law(1.0, deposition) };
            let steepest = |critical_slope: f32| {
                let mut land = plain();
                land.critical_slope = critical_slope;
                for _ in 0..60 {
                    land.route(None, &ctx).unwrap();
                    land.step(&law, 2e5, &ctx).unwrap();
                }
                let before = land.heights.clone();
                land.route(None, &ctx).unwrap();
                let balance = land.step(&law, 2e5, &ctx).unwrap();
                let stood: f64 =
                    land.heights.iter().zip(&before).map(|(now, was)| f64::from(now - was)).sum();
                let rest = balance.uplifted - balance.eroded + balance.deposited;
                let off = rest - stood * land.compass.cell_area;
                assert!(off.abs() < 1e-5 * balance.uplifted, "{off} of {}", balance.uplifted);
                let slope = |at: usize| {
                    let direction = land.directions[at];
                    let length = land.compass.lengths.get(direction as usize)?;
                    Some(
                        (land.heights[at] - land.heights[land.compass.next(at, direction)])
                            / length,
                    )
                };
                (0..land.heights.len()).filter_map(slope).fold(0.0, f32::max)
            };
            let (free, held) = (steepest(f32::INFINITY), steepest(0.7));
            assert!(free > 2.0 && held < 0.9, "G {deposition}: {free} {held}");
        }
    }

    #[test]
    fn a_slope_fails_in_the_time_that_it_takes() {
        let ctx = Ctx::new(&(), "");
        let still = Law { erodibility: 0.0, ..law(1.0, 0.0) };
        let lattice = Lattice { size: [2, 1], spacing: [10.0, 10.0] };
        for (years, left) in [(1.0, 20.0 / 1.0002), (FAILURE_YEARS, 10.0), (1e9, 0.0)] {
            let heights = vec![0.0, 30.0];
            let mut land = Landscape::new(&lattice, heights, vec![0.0; 2], vec![true, false]);
            land.critical_slope = 1.0;
            land.route(None, &ctx).unwrap();
            land.wear(&still, years, &ctx).unwrap();
            let found = f64::from(land.heights[1]) - 10.0;
            assert!((found - left).abs() < 1e-3, "{years}: {found}");
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
        assert_eq!((land.forest.area(), land.heights[0]), (vec![1.0], 5.0));
    }

    #[test]
    fn what_drains_less_than_the_area_where_channels_begin_is_hardly_cut() {
        let law =
            Law { erodibility: 1e-5, area_exponent: 0.5, slope_exponent: 1.0, deposition: 0.0 };
        let lattice = Lattice { size: [101, 1], spacing: [10.0, 10.0] };
        let lowered = |headwaters: Option<f32>| {
            let heights: Vec<f32> = (0..101).map(|i| i as f32).collect();
            let is_base: Vec<bool> = (0..101).map(|i| i == 0).collect();
            let mut land = Landscape::new(&lattice, heights.clone(), vec![0.0; 101], is_base);
            land.headwaters = headwaters.map(|least| vec![least; 101]);
            land.route(None, &Ctx::new(&(), "")).unwrap();
            land.wear(&law, 1e3, &Ctx::new(&(), "")).unwrap();
            let lowered = |i: usize| f64::from(heights[i] - land.heights[i]);
            [lowered(95), lowered(81), lowered(1)]
        };
        let ([source, middle, mouth], late) = (lowered(None), lowered(Some(20.0)));
        // 6, 20 and 100 samples drain through the three.
        assert!(late[0] < 0.15 * source && late[2] > 0.9 * mouth, "{late:?} {source} {mouth}");
        assert!((late[1] / middle - 0.5).abs() < 0.05, "{late:?} {middle}");
    }
}
