//! The run of the stage `evolve`: lattice by lattice, step by step.
//!
//! A coarse lattice hands on what is *new* on it, and not its heights:
//!
//! ```text
//! new = h − kept·g      h height, g the ground that came in, on the same lattice; kept 1 after no time, 0 after a long one
//! ```
//!
//! The next one adds that, warped and roughened, to kept·g as it knows it itself. So where little time has passed, little is
//! new, and the ground keeps what only a finer lattice knows; where much has passed, nothing of it is left.

use std::sync::Arc;

use super::coarse_to_fine::{Warp, refine};
use super::delta::Shelf;
use super::detail::{Detail, DetailLaw};
use super::diffusion::{Diffusion, Ground};
use super::evolve::{Evolve, Side};
use super::floors::Floors;
use super::frame::Frame;
use super::given::{Given, Source, begun};
use super::lead_out::lead_out;
use super::obey::{Lines, Place};
use super::relief::Governor;
use super::stream_power::{Landscape, Law};
use super::time::Time;
use crate::drainage::receivers::Race;
use crate::drainage::trees::Forest;
use crate::erosion::rock::Geology;
use crate::resample::carry::Carried;
use crate::sketch::Drawing;
use crate::{Cancelled, Ctx, Grid, Lattice, Seed, Terrain, math, par};

/// How far the ground is warped where `wander` is 1, in samples.
const WARP: f64 = 1.0;
/// Random heights on each new lattice where `wander` is 1, relative to the rise over two samples.
const GRAIN: f64 = 1.5;
/// Roughness of the plain that it begins on, in metres.
const ROUGHNESS: f64 = 2.0;
/// Where it begins on ground that is there, the most roughness relative to the spacing, and the years in which it comes.
const ROUGHNESS_SLOPE: f64 = 0.02;
const ROUGHNESS_YEARS: f64 = 20_000.0;

/// How much rock counts where a relief is held. In balance slopes are as 1/K: a granite hill would be 33 times as steep as
/// sandstone around it, and a relief that is its height would leave a plain of all the rest. Rock so steep would fail.
const IN_BALANCE: [f32; 2] = [0.5, 2.0];

/// Steps in which deltas grow.
const DELTA_STEPS: u32 = 12;

/// A stage that is ready to run.
pub(super) struct LandscapeEvolution {
    pub(super) evolve: Evolve,
    pub(super) geology: Geology,
    pub(super) seed: Seed,
    /// The lattice of the recipe.
    pub(super) design: Lattice,
    /// Lines that the ground meets.
    pub(super) drawing: Option<Arc<Drawing>>,
}

/// What has become of the land.
pub(super) struct Land {
    /// The height, less what is kept of that before.
    pub(super) height: Grid,
    pub(super) sediment: Grid,
    pub(super) flow: Grid,
    /// What finer lattices have more; nothing of a preview.
    pub(super) detail: Option<Detail>,
    /// How much is left of what is smaller than the lattice in the ground before, 0 to 1.
    pub(super) kept: f64,
}

/// How far the simulation has come.
struct Course {
    /// The law, with the K that the relief has asked for so far.
    law: Law,
    time: Time,
    /// Years that have passed on all lattices.
    years: f64,
}

impl LandscapeEvolution {
    /// Runs on all lattices and cuts the margin away.
    pub(super) fn evolve(&self, before: &Terrain, ctx: &Ctx<'_>) -> Result<Land, Cancelled> {
        let design = self.design;
        let frame = Frame::new(&self.evolve, &design, *before.extent().lattice());
        let mut source = Some(Source::new(Given::new(self, before, &frame)));
        let Frame { all, given, levels, .. } = &frame;
        let last = (self.evolve.preview as usize).max(*given).min(all.len() - 1);
        let samples = |lattice: &Lattice| lattice.whole().len() as f32;
        let total: f32 = all[last..].iter().map(samples).sum();
        let (mut done, mut coarser) = (0.0, None);
        let mut course =
            Course { law: self.law(), time: Time::new(&self.evolve, &design, *levels), years: 0.0 };
        let mut land = None;
        for (k, lattice) in all.iter().enumerate().skip(last).rev() {
            let part = ctx.share(done / total, (done + samples(lattice)) / total);
            let own = match &source {
                Some(source) if k > *given => Some(source.on(lattice.size, ctx)?),
                _ => source.take().map(Source::into_given),
            };
            let level = Level {
                simulation: self,
                lattice,
                ground: GroundBefore { terrain: before, frame: &frame },
                number: k,
                is_last: k == last,
            };
            let given = own.expect("the finest lattice is the last that needs it");
            let state = level.run(given, coarser.take(), &mut course, &part)?;
            if k == last {
                land = Some(level.finished(state, &course, ctx)?);
            } else {
                coarser = Some(state.news(lattice, course.time.kept() as f32));
            }
            done += samples(lattice);
        }
        let Finished { height, sediment, area, water } =
            land.expect("there is at least one lattice");
        let [dx, dz] = all[last].spacing;
        let (mut height, area) = (frame.cut(height, ctx)?, frame.cut(area, ctx)?);
        if last > 0 {
            let begun = begun(&self.evolve, before);
            add(height.samples_mut(), course.time.kept() as f32, begun.samples());
        }
        let kept = course.time.kept() * self.evolve.start;
        let law = self.detail(&design, before.sea_level());
        let detail = match water {
            Some(water) if last == 0 => {
                let water = frame.cut(water, ctx)?;
                let land = (kept > 0.0).then(|| Carried::new(height.clone()));
                Some(Detail::new(water, law, land, (1.0 - course.time.kept()) as f32))
            }
            _ => None,
        };
        if kept > 0.0 {
            let old =
                before.height().samples().iter().map(|&h| if h.is_finite() { h } else { 0.0 });
            let new = height.samples_mut().iter_mut().zip(old);
            new.for_each(|(h, old)| *h -= kept as f32 * old);
        }
        let flow = area.map(|&area| area * (dx * dz) as f32);
        Ok(Land { height, sediment: frame.cut(sediment, ctx)?, flow, detail, kept })
    }

    /// How streams below the spacing of the rivers are made.
    pub(super) fn detail(&self, lattice: &Lattice, sea: f64) -> DetailLaw {
        DetailLaw {
            spacing: lattice.spacing,
            strength: self.evolve.detail as f32,
            patchiness: self.evolve.patchiness as f32,
            sea: if self.evolve.sea { sea as f32 } else { f32::NEG_INFINITY },
            seed: self.seed.child("detail").bits(0),
        }
    }

    /// Whether the height of the highest summit is held.
    fn is_governed(&self) -> bool {
        self.evolve.relief.is_some() && self.evolve.years.is_none()
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
}

/// Ground with random heights added, in proportion to how much it rises from one sample to the next: from it rivers find
/// courses that branch, where on an even slope they would run side by side. A sample stays between its neighbours: where a coarse
/// lattice rises a kilometre in one step, valleys would begin far below the sea and stay there.
fn roughened(smooth: &Grid, seed: Seed, strength: f32) -> Grid {
    let (width, height) = (smooth.width(), smooth.height());
    let mut rough = smooth.clone();
    par::for_each_row(rough.samples_mut(), width, |j, row| {
        let (north, south) = (smooth.row(j.saturating_sub(1)), smooth.row((j + 1).min(height - 1)));
        let here = smooth.row(j);
        for (i, sample) in row.iter_mut().enumerate() {
            let (west, east) = (here[i.saturating_sub(1)], here[(i + 1).min(width - 1)]);
            let rise = (east - west).abs() + (south[i] - north[i]).abs();
            let noise = seed.uniform((j * width + i) as u64) as f32 - 0.5;
            let around = [here[i], west, east, north[i], south[i]];
            let lowest = around.into_iter().fold(f32::INFINITY, f32::min);
            let highest = around.into_iter().fold(f32::NEG_INFINITY, f32::max);
            *sample = (*sample + strength * rise * noise).max(lowest).min(highest);
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
    /// A factor on D, where it is not the same everywhere.
    creep: Option<Vec<f32>>,
    /// The floor of the sea, where deltas have grown.
    shelf: Option<Shelf>,
    /// The ground that came in, where something of it is kept and a finer lattice follows.
    begun: Vec<f32>,
    /// Samples that drain through each, where water is shared among all lower neighbours.
    water: Vec<f32>,
    /// Drawn lines on this lattice.
    lines: Lines,
}

/// What is new on a lattice.
struct News {
    height: Grid,
    sediment: Grid,
    /// What drawn lines have changed about the uplift.
    control: Option<Grid>,
}

/// What is left of the last lattice.
struct Finished {
    /// The height; of a preview what is new of it.
    height: Grid,
    sediment: Grid,
    area: Grid,
    /// Samples that drain through each, for finer lattices; nothing of a preview.
    water: Option<Grid>,
}

/// Adds `factor` times some samples to others; nothing where there are none.
fn add(to: &mut [f32], factor: f32, samples: &[f32]) {
    to.iter_mut().zip(samples).for_each(|(sum, sample)| *sum += factor * sample);
}

/// Samples of a lattice.
fn grid<T>(lattice: &Lattice, samples: Vec<T>) -> Grid<T> {
    let [width, height] = lattice.size.map(|count| count as usize);
    Grid::from_vec(width, height, samples)
}

impl State {
    fn news(mut self, lattice: &Lattice, kept: f32) -> News {
        add(&mut self.land.heights, -kept, &self.begun);
        let height = grid(lattice, self.land.heights);
        let control = self.lines.into_control(lattice);
        News { height, sediment: grid(lattice, self.sediment), control }
    }

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
    is_last: bool,
}

/// The terrain as it was before.
#[derive(Clone, Copy)]
struct GroundBefore<'a> {
    terrain: &'a Terrain,
    frame: &'a Frame,
}

impl Level<'_> {
    fn run(
        &self,
        given: Given,
        mut coarser: Option<News>,
        course: &mut Course,
        ctx: &Ctx<'_>,
    ) -> Result<State, Cancelled> {
        let evolve = &self.simulation.evolve;
        let is_first = coarser.is_none();
        let control = coarser.as_mut().and_then(|news| news.control.take());
        let mut state = self.begin(given, coarser, course.time.kept() as f32);
        let place = Place { lattice: self.lattice, before: self.ground.frame.offset() };
        let demands = self.simulation.drawing.as_ref().map_or(&[][..], |one| &one.demands);
        state.lines = Lines::on(demands, place, &mut state.land, control.as_ref(), ctx)?;
        let race = Race::new(self.seed().child("race"), &state.land.compass);
        let steps = match (is_first, self.number) {
            (true, _) => 4 * evolve.steps,
            // Most of the work, and least that is new.
            _ if self.is_last => (5 * evolve.steps).div_ceil(8),
            _ => evolve.steps,
        };
        let mut years = 0.0;
        let mut governor =
            evolve.relief.filter(|_| self.simulation.is_governed()).map(Governor::new);
        for step in 0..steps {
            ctx.progress(step as f32 / (steps + 1) as f32)?;
            self.update_rock(&mut state);
            state.land.route(Some(&race), ctx)?;
            if step == 0 {
                if let Some(governor) = governor.filter(|_| is_first) {
                    let ratio = state.land.steady_relief(&course.law) / governor.relief;
                    course.law.erodibility *=
                        math::pow(ratio.clamp(1e-3, 1e3), course.law.slope_exponent);
                }
                years = self.step_years(&state.land, course, steps);
            }
            self.step(&mut state, &course.law, years, ctx)?;
            course.years += years;
            if let Some(governor) = &mut governor {
                let summit = self.summit(&state.land);
                let factor = governor.correction(summit, years * self.rate());
                course.law.erodibility *= math::pow(factor, course.law.slope_exponent);
            }
        }
        let new = 1.0 - course.time.kept();
        if self.is_last && evolve.floors * new > 0.0 {
            state.land.route(Some(&race), ctx)?;
            let seed = self.simulation.seed.child("floors");
            let floors = Floors { strength: evolve.floors * new, seed };
            floors.lay(&mut state.land, &mut state.sediment, self.lattice, ctx)?;
        }
        if self.is_last && self.number == 0 && evolve.detail > 0.0 {
            state.land.route(Some(&race), ctx)?;
            self.wear(&mut state, new as f32, ctx)?;
        }
        if let Some(governor) = governor.filter(|_| self.is_last && evolve.start == 0.0) {
            let factor = 1.0 / governor.ratio(self.summit(&state.land));
            state.scale(factor as f32, self.sea_level() as f32);
        }
        if self.is_last && evolve.delta_years > 0.0 && evolve.sea {
            self.grow_deltas(&mut state, &course.law, &race, ctx)?;
            course.years += evolve.delta_years;
        }
        state.lines.hold(&mut state.land);
        state.land.route(Some(&race), ctx)?;
        // What has risen out of the plain drains; ground that was there is cut as far as rivers come.
        let years = (evolve.start > 0.0).then(|| course.years / evolve.start);
        lead_out(&mut state.land, &mut state.sediment, &course.law, years);
        if self.is_last {
            // The water of banks runs to the cut.
            let Landscape { forest, directions, compass, rain, .. } = &mut state.land;
            forest.update(directions, compass, rain.as_deref());
        }
        ctx.check()?;
        Ok(state)
    }

    /// Lets the smallest streams of this lattice cut; as far as the land is `new`, 0 to 1.
    fn wear(&self, state: &mut State, new: f32, ctx: &Ctx<'_>) -> Result<(), Cancelled> {
        let Landscape { heights, forest, is_base, .. } = &mut state.land;
        let before = heights.clone();
        state.water = forest.area();
        let law = self.simulation.detail(self.lattice, self.sea_level());
        let size = self.lattice.size.map(|count| count as usize);
        law.wear_design(heights, &mut state.water, size, ctx)?;
        let changes = heights.iter_mut().zip(before).zip(&*is_base).enumerate();
        for (depth, (at, ((now, before), &is_base))) in state.sediment.iter_mut().zip(changes) {
            // Slopes that creep fast have no small streams.
            let creep = state.creep.as_ref().map_or(1.0, |creep| creep[at].max(1.0));
            let new = new / creep;
            *now = if is_base { before } else { before + new * (*now - before) };
            *depth = (*depth - (before - *now).max(0.0)).max(0.0);
        }
        Ok(())
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
        state.land.wear(law, years, ctx)?;
        let Landscape { heights, is_base, .. } = &mut state.land;
        let ground = Ground { heights, is_base, factor: state.creep.as_deref() };
        self.diffusion().step_on(ground, self.lattice, years, ctx)?;
        state.lines.steer(&mut state.land, self.lattice, self.sea_level(), ctx)?;
        state.settle(&before, years);
        Ok(before)
    }

    /// Lets the last years go by with deltas growing into the sea.
    fn grow_deltas(
        &self,
        state: &mut State,
        law: &Law,
        race: &Race,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let floor = self.begun(ctx)?;
        let mut shelf = Shelf::new(
            floor.samples().to_vec(),
            state.is_sea.clone(),
            self.sea_level() as f32,
            floor.width(),
            self.simulation.seed.child("delta"),
        );
        let years = self.simulation.evolve.delta_years / f64::from(DELTA_STEPS);
        for _ in 0..DELTA_STEPS {
            state.land.route(Some(race), ctx)?;
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

    fn seed(&self) -> Seed {
        self.simulation.seed.child(&format!("level {}", self.number))
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
    fn begin(&self, given: Given, coarser: Option<News>, kept: f32) -> State {
        let evolve = &self.simulation.evolve;
        let seed = self.seed();
        let Given { lift, mut before, rain, rocks } = given;
        let sea = self.sea_level() as f32;
        let is_sea: Vec<bool> = lift.samples().iter().map(|&share| share < -0.5).collect();
        let is_base = self.bases(&lift, &is_sea);
        let least = if evolve.sea { sea } else { f32::MIN };
        let sea_or = before.samples_mut().iter_mut().zip(&is_sea);
        // A coarse sample at the coast has the floor of the sea in it, and is land all the same.
        sea_or.for_each(|(h, &is_sea)| *h = if is_sea { sea } else { h.max(least) });
        let is_handed_on = kept > 0.0 && !self.is_last;
        let begun = if is_handed_on { before.samples().to_vec() } else { Vec::new() };
        let rough = seed.child("rough");
        let (kept, new, sediment) = match coarser {
            Some(News { height, sediment, .. }) => {
                let warp = self.warp(seed);
                let smooth = refine(&height, self.lattice, warp);
                let rough = roughened(&smooth, rough, (GRAIN * evolve.wander) as f32);
                (kept, rough, refine(&sediment, self.lattice, warp).into_samples())
            }
            None => {
                let strength = self.roughness();
                let noise = (0..is_sea.len()).map(|k| (strength * rough.uniform(k as u64)) as f32);
                (1.0, grid(self.lattice, noise.collect()), vec![0.0; is_sea.len()])
            }
        };
        let land = before.samples_mut().iter_mut().zip(&is_base).zip(new.samples());
        land.filter(|((_, is_base), _)| !**is_base).for_each(|((h, _), new)| *h = kept * *h + new);
        drop(new);
        let rate = (evolve.uplift * 1e-3) as f32;
        let mut uplift = lift.into_samples();
        uplift.iter_mut().for_each(|share| *share = rate * share.max(0.0));
        let mut land = Landscape::new(self.lattice, before.into_samples(), uplift, is_base);
        land.rain = rain.map(Grid::into_samples);
        land.critical_slope = self.simulation.critical_slope().unwrap_or(f64::INFINITY) as f32;
        State {
            land,
            sediment,
            is_sea,
            rocks,
            creep: None,
            shelf: None,
            begun,
            water: Vec::new(),
            lines: Lines::default(),
        }
    }

    /// Height of the random bumps that the coarsest lattice begins with, in metres.
    fn roughness(&self) -> f64 {
        let evolve = &self.simulation.evolve;
        let [dx, dz] = self.lattice.spacing;
        let time = evolve.years.map_or(1.0, |years| (years / ROUGHNESS_YEARS).min(1.0));
        let on_ground = ROUGHNESS.min(ROUGHNESS_SLOPE * dx.min(dz)) * time;
        math::lerp(ROUGHNESS, on_ground, evolve.start)
    }

    /// The ground that it begins on and the floor of the sea, on this lattice.
    fn begun(&self, ctx: &Ctx<'_>) -> Result<Grid, Cancelled> {
        let GroundBefore { terrain, frame } = self.ground;
        let begun = frame.padded(&begun(&self.simulation.evolve, terrain));
        if self.number == frame.given {
            Ok(begun)
        } else {
            Carried::averaged(begun).to(self.lattice.size, ctx)
        }
    }

    /// The end of the last lattice. The floor of the sea has its depth again.
    fn finished(
        &self,
        mut state: State,
        course: &Course,
        ctx: &Ctx<'_>,
    ) -> Result<Finished, Cancelled> {
        let area = state.land.forest.area();
        state.land.forest = Forest::default();
        let begun = self.begun(ctx)?;
        let State { land: Landscape { mut heights, .. }, sediment, shelf, water, .. } = state;
        let water = if water.is_empty() { area.clone() } else { water };
        let (floor, is_sea) = match &shelf {
            Some(shelf) => (shelf.floor.as_slice(), &shelf.is_sea),
            None => (begun.samples(), &state.is_sea),
        };
        for ((h, floor), _) in
            heights.iter_mut().zip(floor).zip(is_sea).filter(|(_, is_sea)| **is_sea)
        {
            *h = *floor;
        }
        if self.number > 0 {
            add(&mut heights, -(course.time.kept() as f32), begun.samples());
        }
        Ok(Finished {
            height: grid(self.lattice, heights),
            sediment: grid(self.lattice, sediment),
            area: grid(self.lattice, area),
            water: (self.number == 0).then(|| grid(self.lattice, water)),
        })
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
    fn update_rock(&self, State { land, rocks, creep, .. }: &mut State) {
        let geology = &self.simulation.geology;
        let is_found = land.softness.is_some() || land.headwaters.is_some() || creep.is_some();
        let is_known = is_found && !geology.has_depth();
        let headwaters = self.simulation.evolve.headwaters;
        if !is_known {
            // The beds are those of the ground without its margin.
            let design = [0, 1].map(|axis| {
                self.lattice.ground()[axis] * self.simulation.evolve.margin
                    / (1.0 + 2.0 * self.simulation.evolve.margin)
            });
            let [softness, creeping, least] =
                geology.surface(self.lattice, design, &land.heights, rocks);
            (land.softness, *creep) = (softness, creeping);
            if headwaters > 0.0 {
                let area = (headwaters / land.compass.cell_area) as f32;
                let mut least = least.unwrap_or_else(|| vec![1.0; land.heights.len()]);
                least.iter_mut().for_each(|least| *least *= area);
                land.headwaters = Some(least);
            }
            if let Some(softness) = land.softness.as_mut().filter(|_| self.simulation.is_governed())
            {
                let [least, most] = IN_BALANCE;
                softness.iter_mut().for_each(|soft| *soft = soft.clamp(least, most));
            }
        }
    }

    /// How long a step is: a share of the time that is asked for, or of the time in which the land would rise to its steady
    /// height.
    fn step_years(&self, land: &Landscape, course: &Course, steps: u32) -> f64 {
        let evolve = &self.simulation.evolve;
        match evolve.years {
            Some(years) => {
                let share = if self.is_last {
                    course.time.share_down_to(self.number)
                } else {
                    course.time.share(self.number)
                };
                years * share / f64::from(steps)
            }
            None => {
                let rate = self.rate().max(1e-12);
                let relief = evolve.relief.unwrap_or_else(|| land.steady_relief(&course.law));
                let [dx, dz] = self.lattice.spacing;
                // Longer, and creep would wipe out what rivers have cut before they can cut it again.
                let creep = 2.0 * dx * dz / evolve.diffusivity.max(1e-12);
                (0.25 * relief / rate).min(creep).clamp(1.0, 1e9)
            }
        }
    }
}
