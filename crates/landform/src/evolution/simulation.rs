//! The run of the stage `evolve`: lattice by lattice, step by step.

use super::coarse_to_fine::{Warp, lattices, mirrored, refine};
use super::delta::Shelf;
use super::diffusion::Diffusion;
use super::evolve::{Evolve, Side};
use super::relief::Governor;
use super::stream_power::{Landscape, Law};
use crate::drainage::banks::lay_back;
use crate::drainage::depressions::breach;
use crate::drainage::grooves::Grooves;
use crate::drainage::receivers::Sway;
use crate::drainage::trees::Forest;
use crate::erosion::rock::Geology;
use crate::resample::carry::Carried;
use crate::{Cancelled, Ctx, Grid, Lattice, Layer, Seed, Terrain, math, par};

/// How much a neighbour can gain on a steeper one where `wander` is 1.
const SWAY: f64 = 0.6;
/// How far the ground is warped where `wander` is 1, in samples.
const WARP: f64 = 1.0;
/// Random heights on each new lattice where `wander` is 1, relative to the rise over two samples.
const GRAIN: f64 = 1.5;
/// Roughness of the plain that it begins on, in metres.
const ROUGHNESS: f64 = 2.0;
/// The least fall of the rivers at the end, rise over run.
const FALL: f32 = 1e-5;

/// The least rain relative to the mean.
const LEAST_RAIN: f32 = 0.01;

/// Steps in which deltas grow.
const DELTA_STEPS: u32 = 12;

/// Samples that drain through one from which on it has a stream.
const STREAM: f32 = 4.0;

/// A stage that is ready to run.
pub(super) struct LandscapeEvolution {
    pub(super) evolve: Evolve,
    pub(super) geology: Geology,
    pub(super) seed: Seed,
}

/// What has become of the land.
pub(super) struct Land {
    pub(super) height: Grid,
    pub(super) sediment: Grid,
    pub(super) flow: Grid,
    /// Where the ground leads on downhill between the samples; nothing of a preview.
    pub(super) grooves: Option<Grooves>,
}

/// What the recipe gives, on one lattice with its margin.
struct Given {
    /// U as a share of the greatest, and below 0 in the sea.
    lift: Grid,
    /// Heights before.
    before: Grid,
    rain: Option<Grid>,
    rocks: Vec<Grid>,
}

impl Given {
    fn on(&self, size: [u32; 2], ctx: &Ctx<'_>) -> Result<Self, Cancelled> {
        let carry = |grid: &Grid| Carried::new(grid.clone()).to(size, ctx);
        // A cubic may fall below what it is made of.
        let moist = |rain: Grid| rain.map(|&rain| rain.max(LEAST_RAIN));
        Ok(Self {
            lift: carry(&self.lift)?,
            before: carry(&self.before)?,
            rain: self.rain.as_ref().map(carry).transpose()?.map(moist),
            rocks: self.rocks.iter().map(carry).collect::<Result<_, _>>()?,
        })
    }
}

impl LandscapeEvolution {
    /// Runs on all lattices and cuts the margin away.
    pub(super) fn evolve(&self, before: &Terrain, ctx: &Ctx<'_>) -> Result<Land, Cancelled> {
        let design = *before.extent().lattice();
        let margin = design.size.map(|count| {
            if count > 2 { (f64::from(count) * self.evolve.margin) as usize } else { 0 }
        });
        let given = self.given(before, margin);
        let size = [given.lift.width() as u32, given.lift.height() as u32];
        let mut given = Some(given);
        let finest = Lattice { size, spacing: design.spacing };
        let all = lattices(finest, self.evolve.levels);
        let last = (self.evolve.preview as usize).min(all.len() - 1);
        let samples = |lattice: &Lattice| lattice.whole().len() as f32;
        let total: f32 = all[last..].iter().map(samples).sum();
        let (mut done, mut heights, mut sediment) = (0.0, None, None);
        let mut law = self.law();
        let mut land = None;
        for (k, lattice) in all.iter().enumerate().skip(last).rev() {
            let part = ctx.share(done / total, (done + samples(lattice)) / total);
            let own = match &given {
                Some(given) if k > 0 => Some(given.on(lattice.size, ctx)?),
                _ => given.take(),
            };
            let level = Level {
                simulation: self,
                lattice,
                ground: GroundBefore { terrain: before, margin },
                number: k,
                levels: all.len(),
                is_last: k == last,
            };
            let given = own.expect("the finest lattice is the last that needs it");
            let start = (heights.take(), sediment.take());
            let mut state = level.run(given, start, &mut law, &part)?;
            let grid = |samples: Vec<f32>| {
                Grid::from_vec(lattice.size[0] as usize, lattice.size[1] as usize, samples)
            };
            if k == last {
                let area = state.land.forest.area();
                state.land.forest = Forest::default();
                level.restore_sea(&mut state, ctx)?;
                let State { land: Landscape { heights, directions, .. }, sediment, .. } = state;
                let [width, rows] = lattice.size.map(|count| count as usize);
                let directions = Grid::from_vec(width, rows, directions);
                land = Some((grid(heights), grid(sediment), grid(area), directions));
            } else {
                heights = Some(grid(state.land.heights));
                sediment = Some(grid(state.sediment));
            }
            done += samples(lattice);
        }
        let (height, sediment, area, directions) = land.expect("there is at least one lattice");
        let [width, rows] = design.size.map(|count| count as usize);
        let cut = |grid: Grid| {
            let fine = if last == 0 { grid } else { Carried::new(grid).to(size, ctx)? };
            Ok(fine.crop(margin[0], margin[1], width, rows))
        };
        let [dx, dz] = all[last].spacing;
        let (height, area) = (cut(height)?, cut(area)?);
        let grooves = (last == 0).then(|| {
            let directions = directions.crop(margin[0], margin[1], width, rows);
            Grooves::new(&height, &directions, &design, |at| area.samples()[at] >= STREAM)
        });
        let flow = area.map(|&area| area * (dx * dz) as f32);
        Ok(Land { height, sediment: cut(sediment)?, flow, grooves })
    }

    fn law(&self) -> Law {
        let Evolve { erodibility, area_exponent, slope_exponent, deposition, .. } = self.evolve;
        Law { erodibility, area_exponent, slope_exponent, deposition }
    }

    /// The slope on which all that is loose slides, unless the law is the linear one.
    fn critical_slope(&self) -> Option<f64> {
        let angle = self.evolve.critical_angle;
        (angle < 90.0).then(|| math::tan(angle.to_radians()))
    }

    /// The layers that matter, with the margin around them.
    fn given(&self, before: &Terrain, margin: [usize; 2]) -> Given {
        let layer = |name: &str| Layer::named(name).and_then(|layer| before.layer(&layer));
        let height = finite(before.height());
        let lift = layer(&self.evolve.lift).map_or_else(|| height.clone(), finite);
        // Only heights have to do with the sea; another layer is a rate from 0 up.
        let is_height = self.evolve.lift == Layer::Height.name();
        let zero = if is_height { before.sea_level() as f32 } else { 0.0 };
        let most = (lift.range().1 - zero).max(f32::MIN_POSITIVE);
        let sea = before.sea_level() as f32;
        let mut shares = lift.map(|&value| ((value - zero) / most).max(0.0));
        if self.evolve.sea {
            for (share, &h) in shares.samples_mut().iter_mut().zip(height.samples()) {
                if h < sea {
                    *share = -1.0;
                }
            }
        }
        let rain = self.evolve.rain.as_deref().and_then(layer).map(|grid| {
            let positive = finite(grid).map(|&rain| rain.max(0.0));
            let sum: f64 = positive.samples().iter().map(|&rain| f64::from(rain)).sum();
            let mean = (sum / positive.samples().len() as f64).max(1e-30) as f32;
            positive.map(|&rain| (rain / mean).max(LEAST_RAIN))
        });
        let rocks = self.geology.weights(before).into_iter().map(Carried::into_samples);
        let pad = |grid: &Grid| mirrored(grid, margin);
        Given {
            lift: pad(&shares),
            before: pad(&height),
            rain: rain.as_ref().map(pad),
            rocks: rocks.map(|grid| pad(&grid)).collect(),
        }
    }
}

/// A grid without infinite numbers and those that are none.
fn finite(grid: &Grid) -> Grid {
    grid.map(|&h| if h.is_finite() { h } else { 0.0 })
}

/// Ground with random heights added, in proportion to how much it rises from one sample to the next: from it rivers find
/// courses that branch, where on an even slope they would run side by side.
fn roughened(smooth: &Grid, seed: Seed, strength: f32) -> Grid {
    let (width, height) = (smooth.width(), smooth.height());
    let mut rough = smooth.clone();
    par::for_each_row(rough.samples_mut(), width, |j, row| {
        let (north, south) = (smooth.row(j.saturating_sub(1)), smooth.row((j + 1).min(height - 1)));
        let here = smooth.row(j);
        for (i, sample) in row.iter_mut().enumerate() {
            let rise = (here[(i + 1).min(width - 1)] - here[i.saturating_sub(1)]).abs()
                + (south[i] - north[i]).abs();
            let noise = seed.uniform((j * width + i) as u64) as f32 - 0.5;
            *sample += strength * rise * noise;
        }
    });
    rough
}

/// The land as it is at the end of a lattice.
struct State {
    land: Landscape,
    /// Metres of it.
    sediment: Vec<f32>,
    is_sea: Vec<bool>,
    rocks: Vec<Grid>,
    /// The floor of the sea, where deltas have grown.
    shelf: Option<Shelf>,
}

impl State {
    /// Takes what has changed since the ground had these heights, and was not lifted, for sediment.
    fn settle(&mut self, before: &[f32], years: f64) {
        let Landscape { heights, uplift, .. } = &self.land;
        let width = self.land.compass.width;
        par::for_each_part(&mut self.sediment, width, 16, |part, rows| {
            let first = 16 * part * width;
            let end = first + rows.len();
            for ((depth, &new), (&old, &rate)) in rows
                .iter_mut()
                .zip(&heights[first..end])
                .zip(before[first..end].iter().zip(&uplift[first..end]))
            {
                *depth = (*depth + new - old - rate * years as f32).max(0.0);
            }
        });
    }

    /// Makes all heights above the sea larger by a factor: land that has risen faster by it, where the law is linear.
    fn scale(&mut self, factor: f32, sea: f32) {
        self.land.heights.iter_mut().for_each(|h| *h = sea + (*h - sea) * factor);
        self.sediment.iter_mut().for_each(|depth| *depth *= factor);
    }
}

/// One lattice of the run.
struct Level<'a> {
    simulation: &'a LandscapeEvolution,
    lattice: &'a Lattice,
    ground: GroundBefore<'a>,
    /// 0 for the finest.
    number: usize,
    levels: usize,
    is_last: bool,
}

/// The terrain as it was before.
#[derive(Clone, Copy)]
struct GroundBefore<'a> {
    terrain: &'a Terrain,
    /// Samples on each side, by which its lattice is the larger.
    margin: [usize; 2],
}

impl Level<'_> {
    fn run(
        &self,
        given: Given,
        (heights, sediment): (Option<Grid>, Option<Grid>),
        law: &mut Law,
        ctx: &Ctx<'_>,
    ) -> Result<State, Cancelled> {
        let evolve = &self.simulation.evolve;
        let seed = self.simulation.seed.child(&format!("level {}", self.number));
        let is_first = heights.is_none();
        let mut state = self.begin(given, heights, sediment, seed);
        let sway = (evolve.wander > 0.0)
            .then_some(Sway { seed: seed.child("sway"), strength: (SWAY * evolve.wander) as f32 });
        let steps = match (is_first, self.number) {
            (true, _) => 4 * evolve.steps,
            // Most of the work, and least that is new.
            (false, 0) => (5 * evolve.steps).div_ceil(8),
            (false, _) => evolve.steps,
        };
        let mut years = 0.0;
        let mut governor = evolve.relief.filter(|_| evolve.years.is_none()).map(Governor::new);
        for step in 0..steps {
            ctx.progress(step as f32 / (steps + 1) as f32)?;
            self.update_rock(&mut state);
            state.land.route(sway, ctx)?;
            if step == 0 {
                if let Some(governor) = governor.filter(|_| is_first) {
                    let ratio = state.land.steady_relief(law) / governor.relief;
                    law.erodibility *= math::pow(ratio.clamp(1e-3, 1e3), law.slope_exponent);
                }
                years = self.step_years(&state.land, law, steps);
            }
            self.step(&mut state, law, years, ctx)?;
            if let Some(governor) = &mut governor {
                let summit = self.summit(&state.land);
                let factor = governor.correction(summit, years * self.rate());
                law.erodibility *= math::pow(factor, law.slope_exponent);
            }
        }
        if let Some(governor) = governor.filter(|_| self.is_last && evolve.start == 0.0) {
            let factor = 1.0 / governor.ratio(self.summit(&state.land));
            state.scale(factor as f32, self.sea_level() as f32);
        }
        if self.is_last && evolve.delta_years > 0.0 && evolve.sea {
            self.grow_deltas(&mut state, law, sway, ctx)?;
        }
        state.land.route(sway, ctx)?;
        self.lead_out(&mut state);
        ctx.check()?;
        Ok(state)
    }

    /// Cuts a valley out of every depression; what lay loose there goes first.
    fn lead_out(&self, state: &mut State) {
        let Landscape { heights, forest, directions, is_base, compass, rain, .. } = &mut state.land;
        let before = heights.clone();
        breach(heights, &forest.downstream(), directions, compass, FALL);
        lay_back(heights, directions, &before, is_base, compass);
        for ((depth, now), before) in state.sediment.iter_mut().zip(&*heights).zip(before) {
            *depth = (*depth - (before - now)).max(0.0);
        }
        if self.is_last {
            // The water of banks runs to the cut.
            forest.update(directions, compass, rain.as_deref());
        }
    }

    /// Lifts and wears the land for some years, and gives the heights before.
    fn step(
        &self,
        state: &mut State,
        law: &Law,
        years: f64,
        ctx: &Ctx<'_>,
    ) -> Result<Vec<f32>, Cancelled> {
        let before = state.land.heights.clone();
        state.land.step(law, years, ctx)?;
        let Landscape { heights, is_base, .. } = &mut state.land;
        self.diffusion().step(heights, is_base, self.lattice, years, ctx)?;
        state.settle(&before, years);
        Ok(before)
    }

    /// Lets the last years go by with deltas growing into the sea.
    fn grow_deltas(
        &self,
        state: &mut State,
        law: &Law,
        sway: Option<Sway>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let floor = self.floor(ctx)?;
        let mut shelf = Shelf::new(
            floor.samples().to_vec(),
            state.is_sea.clone(),
            self.sea_level() as f32,
            floor.width(),
            self.simulation.seed.child("delta"),
        );
        let years = self.simulation.evolve.delta_years / f64::from(DELTA_STEPS);
        for _ in 0..DELTA_STEPS {
            state.land.route(sway, ctx)?;
            let before = self.step(state, law, years, ctx)?;
            shelf.settle(&mut state.land, &before, years);
            ctx.check()?;
        }
        for (at, depth) in state.sediment.iter_mut().enumerate() {
            if state.is_sea[at] {
                *depth += (shelf.floor[at] - floor.samples()[at]).max(0.0);
            }
        }
        state.shelf = Some(shelf);
        Ok(())
    }

    fn warp(&self, seed: Seed) -> Warp {
        Warp { seed: seed.child("warp"), strength: WARP * self.simulation.evolve.wander }
    }

    fn diffusion(&self) -> Diffusion {
        let diffusivity = self.simulation.evolve.diffusivity;
        let critical_slope = self.simulation.critical_slope();
        Diffusion { diffusivity, critical_slope }
    }

    /// The fastest uplift, in metres a year.
    fn rate(&self) -> f64 {
        self.simulation.evolve.uplift * 1e-3
    }

    /// The highest place above the sea.
    fn summit(&self, land: &Landscape) -> f64 {
        let most = land.heights.iter().fold(f32::MIN, |most, &h| most.max(h));
        f64::from(most) - self.sea_level()
    }

    fn sea_level(&self) -> f64 {
        self.ground.terrain.sea_level()
    }

    /// The land as this lattice finds it. What is given becomes what is needed on the way, and the rest of it is let go.
    fn begin(
        &self,
        given: Given,
        heights: Option<Grid>,
        sediment: Option<Grid>,
        seed: Seed,
    ) -> State {
        let evolve = &self.simulation.evolve;
        let Given { lift, before, rain, rocks } = given;
        let sea = self.sea_level() as f32;
        let is_sea: Vec<bool> = lift.samples().iter().map(|&share| share < -0.5).collect();
        let is_base = self.bases(&lift, &is_sea);
        let rough = seed.child("rough");
        let start = evolve.start as f32;
        let mut heights = match heights {
            Some(coarse) => {
                let smooth = refine(&coarse, self.lattice, self.warp(seed));
                roughened(&smooth, rough, (GRAIN * evolve.wander) as f32)
            }
            None => {
                let mut plain = before.map(|&h| sea + start * (h - sea).max(0.0));
                for (k, h) in plain.samples_mut().iter_mut().enumerate() {
                    *h += (ROUGHNESS * rough.uniform(k as u64)) as f32;
                }
                plain
            }
        };
        for ((h, &is_base), &old) in
            heights.samples_mut().iter_mut().zip(&is_base).zip(before.samples())
        {
            if is_base {
                *h = sea + start * (old - sea).max(0.0);
            }
        }
        drop(before);
        let rate = (evolve.uplift * 1e-3) as f32;
        let mut uplift = lift.into_samples();
        uplift.iter_mut().for_each(|share| *share = rate * share.max(0.0));
        let mut land = Landscape::new(self.lattice, heights.into_samples(), uplift, is_base);
        land.rain = rain.map(Grid::into_samples);
        let sediment = match sediment {
            Some(sediment) => refine(&sediment, self.lattice, self.warp(seed)).into_samples(),
            None => vec![0.0; land.heights.len()],
        };
        State { land, sediment, is_sea, rocks, shelf: None }
    }

    /// The ground as it was, on this lattice.
    fn floor(&self, ctx: &Ctx<'_>) -> Result<Grid, Cancelled> {
        let floor = mirrored(&finite(self.ground.terrain.height()), self.ground.margin);
        if self.number == 0 { Ok(floor) } else { Carried::new(floor).to(self.lattice.size, ctx) }
    }

    /// Gives the floor of the sea its depth back.
    fn restore_sea(&self, state: &mut State, ctx: &Ctx<'_>) -> Result<(), Cancelled> {
        let (floor, is_sea) = match state.shelf.take() {
            Some(shelf) => (shelf.floor, shelf.is_sea),
            None => (self.floor(ctx)?.into_samples(), std::mem::take(&mut state.is_sea)),
        };
        for ((h, floor), is_sea) in state.land.heights.iter_mut().zip(floor).zip(is_sea) {
            if is_sea {
                *h = floor;
            }
        }
        Ok(())
    }

    /// The sea, and the sides by which rivers leave; the lowest place where there is neither.
    fn bases(&self, lift: &Grid, is_sea: &[bool]) -> Vec<bool> {
        let (width, height) = (lift.width(), lift.height());
        let mut is_base = is_sea.to_vec();
        for side in &self.simulation.evolve.outlets {
            match side {
                Side::North => is_base[..width].fill(true),
                Side::South => is_base[(height - 1) * width..].fill(true),
                Side::West => (0..height).for_each(|j| is_base[j * width] = true),
                Side::East => (0..height).for_each(|j| is_base[j * width + width - 1] = true),
            }
        }
        if !is_base.contains(&true) {
            let samples = lift.samples();
            let lowest = (0..samples.len()).min_by(|&a, &b| samples[a].total_cmp(&samples[b]));
            if let Some(lowest) = lowest {
                is_base[lowest] = true;
            }
        }
        is_base
    }

    /// The rock that is at the surface now.
    fn update_rock(&self, State { land, rocks, .. }: &mut State) {
        let geology = &self.simulation.geology;
        let is_known = land.softness.is_some() && !geology.has_depth();
        if !is_known {
            // The beds are those of the ground without its margin.
            let design = [0, 1].map(|axis| {
                self.lattice.ground()[axis] * self.simulation.evolve.margin
                    / (1.0 + 2.0 * self.simulation.evolve.margin)
            });
            land.softness = geology.softness(self.lattice, design, &land.heights, rocks);
        }
    }

    /// How long a step is: a share of the time that is asked for, or of the time in which the land would rise to its steady
    /// height.
    fn step_years(&self, land: &Landscape, law: &Law, steps: u32) -> f64 {
        let evolve = &self.simulation.evolve;
        match evolve.years {
            Some(years) => {
                // Half of the time on the coarsest lattice, the rest on the others.
                let share = match (self.number + 1 == self.levels, self.levels) {
                    (_, 1) => 1.0,
                    (true, _) => 0.5,
                    (false, levels) => 0.5 / (levels - 1) as f64,
                };
                // A preview has the time of the lattices that it leaves out on its last one.
                let left_out =
                    if self.is_last && self.number > 0 { self.number as f64 } else { 0.0 };
                let share = share + left_out * 0.5 / (self.levels.max(2) - 1) as f64;
                years * share / f64::from(steps)
            }
            None => {
                let rate = self.rate().max(1e-12);
                let relief = evolve.relief.unwrap_or_else(|| land.steady_relief(law));
                let [dx, dz] = self.lattice.spacing;
                // Longer, and creep would wipe out what rivers have cut before they can cut it again.
                let creep = 2.0 * dx * dz / evolve.diffusivity.max(1e-12);
                (0.25 * relief / rate).min(creep).clamp(1.0, 1e9)
            }
        }
    }
}
