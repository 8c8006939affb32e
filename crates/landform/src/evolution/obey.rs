//! Drawn lines on one lattice of a run, and how the land is brought to meet them.
//!
//! Rivers keep their course and their bed; ridges are [divides](super::guide). The heights of ridges, contours and points are met by
//! how fast the ground rises there: what they lack, as a logarithm, is added up and spread over some samples,
//!
//! ```text
//! U = U₀·e^L      L_k ← L_k + P·ln((T_k − sea)/(h_k − sea))    on the lines, screened harmonic between them
//! ```
//!
//! so that the land around rises with them and no wall is left. What still lacks at the end is a
//! [correction](crate::sketch) of the finished land.

use super::guide::direction;
use super::stream_power::Landscape;
use crate::demand::{Demand, DemandKind};
use crate::drainage::compass::Compass;
use crate::resample::carry::Carried;
use crate::sketch::multigrid::{Multigrid, extended};
use crate::{Cancelled, Ctx, Grid, Lattice, math};

/// P: how much of what lacks is believed in a step.
const GAIN: f64 = 0.25;
/// The most that a height is believed to lack, as a logarithm, and the most that all steps add up to.
const MOST: [f64; 2] = [0.7, 2.5];
/// Samples over which a control spreads.
const SPREAD: f64 = 12.0;
/// Cycles in which it is spread: less than a percent is enough.
const CYCLES: u32 = 5;
/// Samples of a line that are looked at for one of the lattice.
const FINENESS: f64 = 0.25;

/// Drawn lines on one lattice.
#[derive(Default)]
pub(super) struct Lines {
    /// Samples of the beds of rivers, with their heights.
    beds: Vec<(u32, f32)>,
    /// Samples that are to have a height, with it.
    aims: Vec<(u32, f32)>,
    control: Option<Control>,
}

/// How much faster the ground rises where a line asks for it.
struct Control {
    grid: Multigrid,
    /// L on the lines.
    sums: Vec<f64>,
    /// L as the coarser lattice left it.
    coarser: Vec<f32>,
    /// L now.
    log: Vec<f32>,
    /// U₀.
    uplift: Vec<f32>,
}

/// Where samples of a lattice are, in the metres of the recipe.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) lattice: &'a Lattice,
    /// Metres of the margin before the first sample of the ground.
    pub(super) before: [f64; 2],
}

impl Place<'_> {
    /// The samples that a line goes over, each with its height there, in its order. Neighbours share a side or a corner.
    fn walk(&self, demand: &Demand) -> Vec<(usize, f64)> {
        let [width, height] = self.lattice.size.map(|count| count as usize);
        let [dx, dz] = self.lattice.spacing;
        let mut samples: Vec<(usize, f64)> = Vec::new();
        for [a, b] in demand.segments() {
            let (from, to) = (demand.points[a], demand.points[b]);
            let length = math::length((to[0] - from[0]) / dx, (to[1] - from[1]) / dz);
            let steps = (length / FINENESS).ceil().clamp(1.0, 1e6) as usize;
            for step in 0..=steps {
                let share = step as f64 / steps as f64;
                let at = [0, 1].map(|axis| {
                    let metres = math::lerp(from[axis], to[axis], share) + self.before[axis];
                    (metres / self.lattice.spacing[axis] + 0.5).floor()
                });
                if at[0] < 0.0 || at[1] < 0.0 || at[0] >= width as f64 || at[1] >= height as f64 {
                    continue;
                }
                let at = at[1] as usize * width + at[0] as usize;
                if samples.last().is_none_or(|last| last.0 != at) {
                    samples.push((at, math::lerp(demand.heights[a], demand.heights[b], share)));
                }
            }
        }
        samples
    }
}

impl Lines {
    /// The lines on a lattice, of which the land gets its guide. `coarser` is what the coarser lattice has found out about L.
    pub(super) fn on(
        demands: &[Demand],
        place: Place<'_>,
        land: &mut Landscape,
        coarser: Option<&Grid>,
        ctx: &Ctx<'_>,
    ) -> Result<Self, Cancelled> {
        if demands.is_empty() {
            return Ok(Self::default());
        }
        let mut lines = Self::default();
        let mut is_line = vec![false; land.heights.len()];
        for demand in demands.iter().filter(|one| one.kind == DemandKind::River) {
            lines.add_river(&place.walk(demand), land, &mut is_line);
        }
        for demand in demands {
            let is_height =
                matches!(demand.kind, DemandKind::Ridge | DemandKind::Contour | DemandKind::Point);
            if !is_height {
                continue;
            }
            let walked = place.walk(demand);
            if demand.kind == DemandKind::Ridge {
                add_ridge(&walked, land, &is_line);
            }
            for (at, height) in walked {
                if !land.is_base[at] && !is_line[at] {
                    is_line[at] = true;
                    lines.aims.push((at as u32, height as f32));
                }
            }
        }
        lines.aims.sort_unstable_by_key(|aim| aim.0);
        lines.hold(land);
        if !lines.aims.is_empty() {
            lines.control = Some(Control::new(&lines.aims, place.lattice, land, coarser, ctx)?);
        }
        Ok(lines)
    }

    /// Makes a chain of the samples of a river, as far as they are not those of one before.
    fn add_river(&mut self, walked: &[(usize, f64)], land: &mut Landscape, is_line: &mut [bool]) {
        // Where a course comes back to a sample it has been at, the loop is left out.
        let mut chain: Vec<(usize, f64)> = Vec::with_capacity(walked.len());
        for &(at, height) in walked {
            if let Some(before) = chain.iter().position(|known| known.0 == at) {
                chain.truncate(before + 1);
            } else {
                chain.push((at, height));
            }
            if is_line[at] || land.is_base[at] {
                break;
            }
        }
        for pair in chain.windows(2) {
            let [(from, height), (to, _)] = [pair[0], pair[1]];
            if let Some(direction) = direction(&land.compass, from, to) {
                land.guide.links.push((from as u32, direction));
            }
            self.beds.push((from as u32, height as f32));
            is_line[from] = true;
        }
        if let Some(&(at, height)) = chain.last()
            && !is_line[at]
            && !land.is_base[at]
        {
            self.beds.push((at as u32, height as f32));
            is_line[at] = true;
        }
    }

    /// Gives the beds of rivers their heights.
    pub(super) fn hold(&self, land: &mut Landscape) {
        self.beds.iter().for_each(|&(at, height)| land.heights[at as usize] = height);
    }

    /// Looks at what the heights lack after a step, and lets the ground rise faster or slower there.
    pub(super) fn steer(
        &mut self,
        land: &mut Landscape,
        lattice: &Lattice,
        sea: f64,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        self.hold(land);
        match &mut self.control {
            Some(control) => control.steer(&self.aims, land, lattice, sea, ctx),
            None => Ok(()),
        }
    }

    /// L on this lattice, for the next finer one.
    pub(super) fn into_control(self, lattice: &Lattice) -> Option<Grid> {
        let [width, height] = lattice.size.map(|count| count as usize);
        self.control.map(|control| Grid::from_vec(width, height, control.log))
    }
}

/// Makes a barrier of the samples of a ridge: where two of them share a corner only, one more of their neighbours.
fn add_ridge(walked: &[(usize, f64)], land: &mut Landscape, is_river: &[bool]) {
    let Compass { width, .. } = land.compass;
    let mut add = |at: usize| {
        if !land.is_base[at] && !is_river[at] {
            land.guide.barrier.push(at as u32);
        }
    };
    for (k, &(at, _)) in walked.iter().enumerate() {
        add(at);
        if let Some(&(next, _)) = walked.get(k + 1)
            && at % width != next % width
            && at / width != next / width
        {
            add(at / width * width + next % width);
        }
    }
    land.guide.barrier.sort_unstable();
    land.guide.barrier.dedup();
}

impl Control {
    fn new(
        aims: &[(u32, f32)],
        lattice: &Lattice,
        land: &mut Landscape,
        coarser: Option<&Grid>,
        ctx: &Ctx<'_>,
    ) -> Result<Self, Cancelled> {
        let mut is_aim = vec![false; land.heights.len()];
        aims.iter().for_each(|&(at, _)| is_aim[at as usize] = true);
        let size = lattice.size.map(|count| count as usize);
        let screening = SPREAD * lattice.spacing[0].max(lattice.spacing[1]);
        let grid = Multigrid::new(size, lattice.spacing, screening, is_aim, ctx)?;
        let coarser = match coarser {
            Some(log) => Carried::averaged(log.clone()).to(lattice.size, ctx)?.into_samples(),
            None => vec![0.0; land.heights.len()],
        };
        let uplift = land.uplift.clone();
        let control =
            Self { grid, sums: vec![0.0; aims.len()], log: coarser.clone(), coarser, uplift };
        control.lift(land);
        Ok(control)
    }

    fn steer(
        &mut self,
        aims: &[(u32, f32)],
        land: &mut Landscape,
        lattice: &Lattice,
        sea: f64,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        for (sum, &(at, height)) in self.sums.iter_mut().zip(aims) {
            let above = |h: f32| (f64::from(h) - sea).max(1.0);
            let lack = math::ln(above(height) / above(land.heights[at as usize]));
            let whole = *sum + GAIN * lack.clamp(-MOST[0], MOST[0]);
            *sum = whole.clamp(-MOST[1], MOST[1]);
        }
        let mut known = vec![None; self.log.len()];
        for (&sum, &(at, _)) in self.sums.iter().zip(aims) {
            known[at as usize] = Some(sum);
        }
        let log = extended(&self.grid, &known, lattice.spacing, CYCLES, ctx)?;
        for ((now, coarser), log) in self.log.iter_mut().zip(&self.coarser).zip(log) {
            *now = coarser + log as f32;
        }
        self.lift(land);
        Ok(())
    }

    /// Gives the land its uplift.
    fn lift(&self, land: &mut Landscape) {
        let rates = land.uplift.iter_mut().zip(self.uplift.iter().zip(&self.log));
        rates.for_each(|(rate, (&plain, &log))| {
            *rate = if log == 0.0 { plain } else { plain * math::exp(f64::from(log)) as f32 };
        });
    }
}
