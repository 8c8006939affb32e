//! An ice age: ice builds up, wears its bed round by round, melts back in steps, and leaves its till.
//!
//! Ice is built coarse to fine, since it takes as many steps to fill a valley as the valley has samples. A round is then a dozen steps of
//! ice and some thousand years of erosion: the ice follows its bed, not the years. In the second half of an advance the equilibrium line
//! rises in four steps with a halt after each, at which moraines are laid down.

use super::bed::{Bed, Wear};
use super::ice_erosion::{Strength, rates, slopes};
use super::shallow_ice::{Balance, Budget, Ice};
use super::till;
use super::two_lattices::TwoLattices;
use crate::{Cancelled, Ctx};

/// Narrowest lattice of the ice, in m, and the most samples of the ground from one of its samples to the next.
const NARROWEST: f64 = 50.0;
const COARSEST: usize = 64;
/// Rounds of an advance, and steps of ice in each.
const ROUNDS: u32 = 48;
const STEPS: u32 = 10;
/// Rounds from one release of till to the next.
const RELEASE_EVERY: u32 = 3;
/// Steps that build the ice on lattices so many times as coarse.
const BUILD: [(usize, u32); 3] = [(4, 200), (2, 80), (1, 40)];
/// Steps in which ice grows again for another advance, and in which the last ice settles.
const REBUILD: u32 = 150;
const LAST: u32 = 200;
/// Share of an advance before the line rises, and number of halts on its way.
const FULL: f32 = 0.45;
const HALTS: f32 = 4.0;
/// Ice thinner than this is a field of snow, in m.
const SNOW: f32 = 2.0;

/// What an ice age is like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glaciation {
    /// Equilibrium line at the height of the ice age, in m.
    pub(super) line: f32,
    /// How much it rises until the end, in m.
    pub(super) rise: f32,
    /// Equilibrium line of the ice that is left, in m.
    pub(super) last_line: Option<f32>,
    /// β, in 1/a.
    pub(super) gradient: f32,
    /// Most growth of ice, in m/a.
    pub(super) most: f32,
    /// How much lower the line lies on slopes to the north than to the south, in m.
    pub(super) aspect: f32,
    /// Years of each advance.
    pub(super) years: f32,
    pub(super) advances: u32,
    pub(super) strength: Strength,
    /// Share of the till that meltwater leaves.
    pub(super) till: f32,
    /// Level of the sea, in m.
    pub(super) sea: f32,
}

/// What an ice age leaves.
#[derive(Clone, Debug)]
pub(super) struct Glaciated {
    /// Rock and till, in m.
    pub(super) height: Vec<f32>,
    /// Till, in m.
    pub(super) till: Vec<f32>,
    /// Ice, in m.
    pub(super) ice: Vec<f32>,
    /// What water and ice have taken beyond the border, in m summed over samples.
    #[cfg_attr(not(test), expect(dead_code, reason = "it is what tests balance"))]
    pub(super) exported: f64,
    /// What ice gained and lost, and what there is at the end, in m summed over its samples.
    #[cfg_attr(not(test), expect(dead_code, reason = "it is what tests balance"))]
    pub(super) budget: (Budget, f64),
}

impl Glaciation {
    /// Runs over a ground of this size and spacing.
    pub(super) fn run(
        &self,
        height: Vec<f32>,
        size: [usize; 2],
        spacing: [f64; 2],
        ctx: &Ctx<'_>,
    ) -> Result<Glaciated, Cancelled> {
        let mut step = 2;
        while step < COARSEST && spacing[0].min(spacing[1]) * (step as f64) < NARROWEST {
            step *= 2;
        }
        let lattices = TwoLattices::new(size, step);
        let mut bed = Bed::new(height, spacing.map(|step| step as f32));
        let mut ice = self.build(&bed, &lattices, &ctx.share(0.0, 0.1))?;
        let mut exported = 0.0;
        for advance in 0..self.advances {
            let share = |part: f32| 0.1 + 0.85 * (advance as f32 + part) / self.advances as f32;
            if advance > 0 {
                ice.flow(REBUILD, &self.balance(self.line), &ctx.share(share(0.0), share(0.2)))?;
            }
            let ctx = ctx.share(share(if advance > 0 { 0.2 } else { 0.0 }), share(1.0));
            exported += self.advance(&mut ice, &mut bed, &lattices, &ctx)?;
        }
        let left = match self.last_line {
            Some(line) => {
                ice.flow(LAST, &self.balance(line), &ctx.share(0.95, 1.0))?;
                remains(&ice, &bed.height, &lattices)
            }
            None => vec![0.0; bed.height.len()],
        };
        let budget = (ice.budget, ice.volume());
        Ok(Glaciated { height: bed.height, till: bed.till, ice: left, exported, budget })
    }

    /// One advance; gives what has been exported.
    fn advance(
        &self,
        ice: &mut Ice,
        bed: &mut Bed,
        lattices: &TwoLattices,
        ctx: &Ctx<'_>,
    ) -> Result<f64, Cancelled> {
        let mut exported = 0.0;
        ice.take_flux();
        for round in 0..ROUNDS {
            let time = |part: f32| (round as f32 + part) / ROUNDS as f32;
            let balance = self.balance(self.line_at(time(0.5)));
            ice.flow(STEPS, &balance, &ctx.share(time(0.0), time(0.7)))?;
            ctx.progress(time(0.7))?;
            let flux = ice.take_flux();
            let rates = rates(ice, &flux, self.strength);
            let wear = Wear { rates, years: self.years / ROUNDS as f32 };
            bed.wear(ice, &wear, lattices, ctx)?;
            ctx.check()?;
            if round % RELEASE_EVERY == RELEASE_EVERY - 1 {
                let load = lattices.gather(&bed.load);
                bed.load.fill(0.0);
                let all: f64 = load.iter().map(|&load| f64::from(load)).sum();
                let released = till::release(ice, &flux, load, &balance, ctx)?;
                exported += all - till::lay(lattices, released, self.till, bed);
            }
            ctx.check()?;
            ice.bed = lattices.average(&bed.height);
            ice.settle();
        }
        Ok(exported)
    }

    fn balance(&self, line: f32) -> Balance {
        Balance { line, gradient: self.gradient, most: self.most, sea: self.sea }
    }

    /// The equilibrium line after this share of an advance.
    fn line_at(&self, time: f32) -> f32 {
        let risen = ((time - FULL) / (1.0 - FULL)).max(0.0) * HALTS;
        let halt = risen.floor();
        // A rise takes half the time, the halt before it the other half.
        let rising = (2.0 * (risen - halt) - 1.0).max(0.0);
        self.line + self.rise * (halt + rising) / HALTS
    }

    /// Builds the ice, coarse to fine.
    fn build(&self, bed: &Bed, lattices: &TwoLattices, ctx: &Ctx<'_>) -> Result<Ice, Cancelled> {
        let mut older: Option<(usize, Ice)> = None;
        for (level, (times, steps)) in BUILD.into_iter().enumerate() {
            let coarse = TwoLattices::new(lattices.fine, lattices.step * times);
            let spacing = bed.spacing.map(|step| step * coarse.step as f32);
            ctx.check()?;
            let mut ice = Ice::new(coarse.coarse, spacing, coarse.average(&bed.height));
            ice.shade = self.shade(&ice);
            if let Some((step, old)) = older {
                let between =
                    TwoLattices { fine: coarse.coarse, coarse: old.size, step: step / coarse.step };
                between.refine(&old.thickness, &mut ice.thickness, |_, row, depth| {
                    row.copy_from_slice(depth);
                });
                ice.budget.grown = ice.volume();
            }
            let (from, to) = (level as f32 / 3.0, (level + 1) as f32 / 3.0);
            ice.flow(steps, &self.balance(self.line), &ctx.share(from, to))?;
            older = Some((coarse.step, ice));
        }
        let (_, ice) = older.expect("there is a finest lattice");
        Ok(ice)
    }

    /// How much lower the equilibrium line lies by aspect: sun melts the ice of slopes to the south.
    fn shade(&self, ice: &Ice) -> Vec<f32> {
        let width = ice.size[0];
        let shade = |k: usize| {
            let [x, z] = slopes(&ice.bed, ice, [k % width, k / width]);
            0.5 * self.aspect * z / (0.3 + (x * x + z * z).sqrt())
        };
        (0..ice.bed.len()).map(shade).collect()
    }
}

/// The ice on the fine lattice: its surface is smooth, its bed is not.
fn remains(ice: &Ice, height: &[f32], lattices: &TwoLattices) -> Vec<f32> {
    let width = lattices.fine[0];
    let mut left = vec![0.0_f32; height.len()];
    lattices.refine(ice.surface(), &mut left, |j, row, top| {
        let mut depth = vec![0.0_f32; width];
        lattices.refine_row(&ice.thickness, j, &mut depth);
        for (i, left) in row.iter_mut().enumerate() {
            let share = ((depth[i] - SNOW) / SNOW).clamp(0.0, 1.0);
            *left = share * (top[i] - height[j * width + i]).max(0.0);
        }
    });
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math;

    const SIZE: [usize; 2] = [71, 53];

    /// A ridge with valleys to both sides that cross the border.
    fn range() -> Vec<f32> {
        let height = |k: usize| {
            let (x, z) = ((k % SIZE[0]) as f64, (k / SIZE[0]) as f64);
            let valleys = 1.0 - (z / 53.0 - 0.5).abs() - 0.3 * math::cos(x / 6.0).abs();
            (1500.0 * valleys + 30.0 * math::sin(1.3 * x + 0.7 * z)) as f32
        };
        (0..SIZE[0] * SIZE[1]).map(height).collect()
    }

    const USUAL: Glaciation = Glaciation {
        line: 900.0,
        rise: 250.0,
        last_line: Some(1000.0),
        gradient: 0.006,
        most: 1.2,
        aspect: 150.0,
        years: 60_000.0,
        advances: 2,
        strength: Strength { ice: 1.0, frost: 1.0 },
        till: 0.4,
        sea: 0.0,
    };

    fn glaciated(glaciation: &Glaciation) -> Glaciated {
        glaciation.run(range(), SIZE, [40.0, 50.0], &Ctx::new(&(), "")).unwrap()
    }

    fn sum(samples: &[f32]) -> f64 {
        samples.iter().map(|&sample| f64::from(sample)).sum()
    }

    #[test]
    fn snow_is_melt_and_ice_and_what_left() {
        let done = glaciated(&USUAL);
        let (Budget { grown, melted, left }, volume) = done.budget;
        assert!(grown > 0.0 && melted > 0.0 && left > 0.0 && volume > 0.0, "{:?}", done.budget);
        let error = (grown - melted - left - volume) / grown;
        assert!(error.abs() < 1e-6, "{error}");
    }

    #[test]
    fn rock_is_ground_and_till_and_what_was_exported() {
        let done = glaciated(&USUAL);
        let worn = sum(&range()) - sum(&done.height);
        assert!(worn > 1.0 * done.height.len() as f64 && sum(&done.till) > 0.0, "{worn}");
        assert!((worn / done.exported - 1.0).abs() < 1e-5, "{worn} {}", done.exported);
        // Till is a part of the ground.
        assert!(done.till.iter().all(|&till| (0.0..200.0).contains(&till)));
    }

    #[test]
    fn without_ice_or_erosion_nothing_changes() {
        let done = glaciated(&Glaciation { line: 5000.0, last_line: None, ..USUAL });
        assert_eq!((done.height, done.exported), (range(), 0.0));
        assert_eq!((sum(&done.ice), sum(&done.till)), (0.0, 0.0));
        let tame = Strength { ice: 0.0, frost: 0.0 };
        let still = glaciated(&Glaciation { strength: tame, ..USUAL });
        assert_eq!((still.height, still.exported), (range(), 0.0));
        assert!(sum(&still.ice) > 0.0);
    }

    #[test]
    fn a_lower_line_makes_more_ice() {
        let ice = |line| sum(&glaciated(&Glaciation { last_line: Some(line), ..USUAL }).ice);
        let (low, high) = (ice(800.0), ice(1100.0));
        assert!(low > 2.0 * high && high > 0.0, "{low} {high}");
    }
}
