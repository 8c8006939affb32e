//! Coarse to fine: the same ground on lattices of which each has half the samples of the one before.
//!
//! In a step water and scree move by one sample. On a coarse lattice that is far, so large valleys form there in a
//! few steps; their *difference* is carried to the next finer lattice, where smaller ones join them. All coarser
//! lattices together cost a third of the finest.

use crate::resample::carry::{Carried, areas};
use crate::{Cancelled, Ctx, Grid, Lattice};

/// No lattice has fewer samples along an axis than this, unless the finest has.
const FEWEST: u32 = 12;

/// A lattice, and the areas of its columns and rows that keep the volume on the finest.
#[derive(Clone, Debug)]
pub(super) struct Rung {
    pub(super) lattice: Lattice,
    pub(super) areas: [Vec<f32>; 2],
}

/// The samples that a cell of this size gives, or those of the recipe.
pub(super) fn finest(design: &Lattice, cell: Option<f64>) -> Lattice {
    let Some(cell) = cell else { return *design };
    let ground = design.ground();
    design.resampled([0, 1].map(|axis| {
        if design.size[axis] == 1 {
            1
        } else {
            // Far beyond what is allowed it saturates.
            ((ground[axis] / cell).round().max(1.0) as u32).saturating_add(1)
        }
    }))
}

/// At most `levels` lattices, the finest first. `design` is the one whose volume is kept.
pub(super) fn rungs(design: &Lattice, finest: Lattice, levels: u32) -> Vec<Rung> {
    let ones = design.size.map(|count| vec![1.0; count as usize]);
    let mut rungs = vec![Rung { lattice: finest, areas: carried_areas(&ones, finest.size) }];
    while rungs.len() < levels as usize {
        let Rung { lattice, areas } = &rungs[rungs.len() - 1];
        let size = lattice.size.map(|count| if count > 1 { count.div_ceil(2) } else { 1 });
        let is_enough = |axis: usize| lattice.size[axis] == 1 || size[axis] >= FEWEST;
        if !is_enough(0) || !is_enough(1) || size == lattice.size {
            break;
        }
        let areas = carried_areas(areas, size);
        rungs.push(Rung { lattice: lattice.resampled(size), areas });
    }
    rungs
}

fn carried_areas(fine: &[Vec<f32>; 2], size: [u32; 2]) -> [Vec<f32>; 2] {
    [0, 1].map(|axis| areas(size[axis] as usize, &fine[axis]))
}

/// What a lattice hands to the next finer one.
#[derive(Debug)]
pub(super) struct Moved {
    /// Altitude less that before, in metres.
    pub(super) change: Grid,
    /// The loose part of what was laid down, in metres.
    pub(super) cover: Grid,
}

/// Runs `work` on each lattice from the coarsest to the finest: it is given the lattice, the ground before and what
/// the coarser lattices have moved.
pub(super) fn climb<R>(
    before: &Grid,
    rungs: &[Rung],
    ctx: &Ctx<'_>,
    mut work: impl FnMut(&Rung, &Grid, Option<Moved>, &Ctx<'_>) -> Result<(Moved, R), Cancelled>,
) -> Result<(Moved, R), Cancelled> {
    let is_own = |rung: &Rung| {
        rung.lattice.size == [before.width(), before.height()].map(|count| count as u32)
    };
    let mut bases: Vec<Grid> = Vec::new();
    let mut source = before;
    for rung in rungs.iter().skip(usize::from(is_own(&rungs[0]))) {
        bases.push(Carried::new(source.clone()).to(rung.lattice.size, ctx)?);
        source = &bases[bases.len() - 1];
    }
    let samples = |rung: &Rung| rung.lattice.whole().len() as f32;
    let total: f32 = rungs.iter().map(samples).sum();
    let mut done = 0.0;
    let mut result: Option<(Moved, R)> = None;
    for rung in rungs.iter().rev() {
        let own = bases.pop();
        let base = own.as_ref().unwrap_or(before);
        let moved = match result.take() {
            None => None,
            Some((Moved { change, cover }, _)) => Some(Moved {
                change: Carried::new(change).to(rung.lattice.size, ctx)?,
                cover: Carried::new(cover).to(rung.lattice.size, ctx)?.map(|&depth| depth.max(0.0)),
            }),
        };
        let end = done + samples(rung);
        let part = ctx.share(done / total, end / total);
        result = Some(work(rung, base, moved, &part)?);
        done = end;
    }
    Ok(result.expect("there is at least one lattice"))
}
