//! The ground between drawn lines: a correction of the ground below that is known on the lines and as smooth as it can be elsewhere.
//!
//! ```text
//! ∫ |∇c − v|² + (c/λ)²  →  least         c correction (m), λ screening length (m)
//! v = w·(∇φ − ∇h)                        φ the flank of the nearest line, w its share, h the ground below
//! ```
//!
//! So lines hand their slopes on to the ground beside them, detail of the ground below stays, and far from all lines
//! nothing changes (in the spirit of Hnaidi, Guérin, Akkouche, Peytavie & Galin 2010, *Feature based terrain generation using
//! diffusion equation*). Solved by [multigrid](super::multigrid) on the recipe's own lattice; carried to any other one by a cubic.

use super::multigrid::{CYCLES, Multigrid, right_side};
use super::near::nearest;
use super::profile::{Drawing, beside, flank_share, is_near_row};
use crate::demand::Demand;
use crate::keep::keep_struct;
use crate::resample::carry::Carried;
use crate::resample::ground::GroundHeights;
use crate::{Cancelled, Ctx, Extent, Grid, Lattice, par};

/// A correction that lets the ground meet lines, for any lattice over the same ground.
#[derive(Clone, Debug)]
pub(crate) struct Correction {
    change: Carried,
    /// The ground with it, on the lattice on which it was found.
    total: Grid,
}

keep_struct!(Correction { change, total });

/// The flank of the line that counts most at a sample.
#[derive(Clone, Copy, Default)]
struct Flank {
    /// Number of the line from 1 on; 0 for none.
    line: u32,
    share: f32,
    height: f32,
}

impl Drawing {
    /// The correction of the ground `before`, which fades over about `spread` metres from the lines.
    pub(crate) fn correction(
        &self,
        before: &Grid,
        lattice: &Lattice,
        spread: f64,
        ctx: &Ctx<'_>,
    ) -> Result<Correction, Cancelled> {
        let extent = lattice.whole();
        let (width, height) = (before.width(), before.height());
        let finite = before.map(|&h| if h.is_finite() { h } else { 0.0 });
        let mut given: Vec<Option<f64>> = Vec::with_capacity(width * height);
        let rows = par::map(height, |j| -> Result<_, Cancelled> {
            ctx.check()?;
            Ok((self.known(&extent, j, finite.row(j)), self.flanks(&extent, j)))
        });
        let mut flanks: Vec<Flank> = Vec::with_capacity(width * height);
        for row in rows {
            let (known, flank) = row?;
            given.extend(known);
            flanks.extend(flank);
        }
        // What is known is known as a change.
        for (known, &h) in given.iter_mut().zip(finite.samples()) {
            *known = known.map(|known| known - f64::from(h));
        }
        let samples = finite.samples();
        let slope = |from: usize, to: usize| slope(&flanks, samples, from, to);
        let b = right_side([width, height], lattice.spacing, &given, slope);
        drop(flanks);
        let is_known = given.iter().map(Option::is_some).collect();
        let grid = Multigrid::new([width, height], lattice.spacing, spread / FADE, is_known, ctx)?;
        let mut change = grid.solve(&b, CYCLES, ctx)?;
        change.iter_mut().zip(&given).for_each(|(c, known)| *c += known.unwrap_or(0.0));
        let total = samples.iter().zip(&change).map(|(&h, c)| (f64::from(h) + c) as f32).collect();
        let change = change.into_iter().map(|c| c as f32).collect();
        Ok(Correction {
            change: Carried::new(Grid::from_vec(width, height, change)),
            total: Grid::from_vec(width, height, total),
        })
    }

    /// The flanks of lines at the samples of a row.
    fn flanks(&self, extent: &Extent, row: usize) -> Vec<Flank> {
        let mut flanks = vec![Flank::default(); extent.width()];
        for (number, demand) in self.demands.iter().enumerate() {
            if !has_flank(demand) || !is_near_row(demand, extent.z(row), demand.radius) {
                continue;
            }
            for (flank, near) in flanks.iter_mut().zip(nearest(demand, extent, row, demand.radius))
            {
                let share = flank_share(near.beyond(), demand.radius) as f32;
                if share > flank.share {
                    let height = beside(demand, &near, 0.0) as f32;
                    // Both sides of a line are flanks of their own.
                    let line = 2 * number as u32 + 1 + u32::from(near.is_right);
                    *flank = Flank { line, share, height };
                }
            }
        }
        flanks
    }

    /// Bytes a sample while a correction is found.
    pub(crate) const BYTES: u64 = Multigrid::BYTES + 16 + 12 + 8 + 8;
}

/// How many screening lengths there are in the spread: at its end a fiftieth of a change is left.
const FADE: f64 = 4.0;

fn has_flank(demand: &Demand) -> bool {
    demand.has_slopes() && demand.radius > 0.0
}

/// By how much the change is to rise from one sample to its neighbour.
fn slope(flanks: &[Flank], before: &[f32], from: usize, to: usize) -> f64 {
    let (a, b) = (flanks[from], flanks[to]);
    if a.line == 0 || a.line != b.line {
        return 0.0;
    }
    let flank = f64::from(b.height) - f64::from(a.height);
    let ground = f64::from(before[to]) - f64::from(before[from]);
    0.5 * (f64::from(a.share) + f64::from(b.share)) * (flank - ground)
}

impl Correction {
    /// Adds the correction to the samples of an extent and lets them meet the lines.
    pub(crate) fn apply(
        &self,
        drawing: &Drawing,
        extent: &Extent,
        samples: &mut [f32],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        self.change.fill(extent, samples, ctx, |sample, change| {
            *sample = if sample.is_finite() { *sample + change } else { change };
        })?;
        let size = [self.total.width() as u32, self.total.height() as u32];
        let total = GroundHeights::new(&self.total, extent.lattice().resampled(size));
        par::try_for_each_part(samples, extent.width(), 8, |part, rows| {
            ctx.check()?;
            for (k, row) in rows.chunks_mut(extent.width()).enumerate() {
                drawing.settle(extent, part * 8 + k, &total, row);
            }
            Ok(())
        })
    }

    /// Whether it was found on a lattice of this size or a coarser one.
    pub(crate) fn fits(&self, lattice: &Lattice) -> bool {
        let size = [self.total.width(), self.total.height()];
        let change = self.change.samples();
        [change.width(), change.height()] == size
            && (0..2).all(|axis| size[axis] <= lattice.size[axis] as usize)
    }
}
