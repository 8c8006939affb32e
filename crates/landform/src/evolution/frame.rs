//! The ground of a recipe with the margin around it, and the lattices over both.
//!
//! A preview knows the ground on fewer grid lines than the recipe has. It begins with the lattice of the whole run that has about as many,
//! sample by sample in the same places with the same random numbers: what it finds is what the whole run knows before it gets finer.

use super::coarse_to_fine::{lattices, mirrored};
use super::evolve::Evolve;
use crate::resample::carry::Carried;
use crate::resample::catmull_rom::catmull_rom;
use crate::{Cancelled, Ctx, Grid, Lattice, par};

/// The ground with its margin.
pub(super) struct Frame {
    /// The grid lines on which the ground is known.
    own: Lattice,
    /// Samples of the recipe's lattice on each side of the ground.
    margin: [usize; 2],
    /// All lattices of the run with the margin, the finest first.
    pub(super) all: Vec<Lattice>,
    /// Number of the finest lattice that the ground is known for: 0 unless this is a preview.
    pub(super) given: usize,
    /// How many lattices the whole run has.
    pub(super) levels: usize,
}

impl Frame {
    /// `design` are the grid lines of the recipe, `own` those on which the ground is known.
    pub(super) fn new(evolve: &Evolve, design: &Lattice, own: Lattice) -> Self {
        let margin = design
            .size
            .map(|count| if count > 2 { (f64::from(count) * evolve.margin) as usize } else { 0 });
        let size = [0, 1].map(|axis| design.size[axis] + 2 * margin[axis] as u32);
        let finest = Lattice { size, spacing: design.spacing };
        let longest = own.size[0].max(own.size[1]);
        let halved = |k: &u32| (0..*k).fold(*design, |lattice, _| lattice.halved());
        let skipped = (0..31).find(|k| halved(k).size.iter().all(|&count| count <= longest));
        let skipped = if own == *design { 0 } else { skipped.unwrap_or(0) };
        let all = lattices(finest, evolve.levels.max(skipped + 1));
        let levels = all.len().min(evolve.levels as usize);
        let given = (skipped as usize).min(all.len() - 1);
        Self { own, margin, all, given, levels }
    }

    /// Whether the ground is known on the recipe's own lattice.
    fn is_whole(&self) -> bool {
        self.given == 0
    }

    /// The ground with the margin, where it is mirrored, on the finest lattice that it is known for.
    pub(super) fn padded(&self, ground: &Grid) -> Grid {
        if self.is_whole() {
            return mirrored(ground, self.margin);
        }
        let lattice = &self.all[self.given];
        let axis = |axis: usize| -> Vec<f64> {
            let last = f64::from(self.own.size[axis] - 1);
            let place = |k: u32| {
                let at = f64::from(k) * lattice.spacing[axis] - self.before(axis);
                reflected(at / self.own.spacing[axis], last)
            };
            (0..lattice.size[axis]).map(place).collect()
        };
        interpolated(ground, [axis(0), axis(1)], |t| (1.0 - t.abs()).max(0.0))
    }

    /// Samples of a lattice of the run, without the margin, on the lattice on which the ground is known.
    pub(super) fn cut(&self, grid: Grid, ctx: &Ctx<'_>) -> Result<Grid, Cancelled> {
        if self.is_whole() {
            let [width, rows] = self.own.size.map(|count| count as usize);
            let size = self.all[0].size;
            let is_finest = size.map(|count| count as usize) == [grid.width(), grid.height()];
            let fine = if is_finest { grid } else { Carried::new(grid).to(size, ctx)? };
            return Ok(fine.crop(self.margin[0], self.margin[1], width, rows));
        }
        let sizes = [grid.width(), grid.height()];
        let axis = |axis: usize| -> Vec<f64> {
            let ground = self.all[0].ground()[axis];
            let spacing = if sizes[axis] > 1 { ground / (sizes[axis] - 1) as f64 } else { 1.0 };
            let at = |k: u32| (f64::from(k) * self.own.spacing[axis] + self.before(axis)) / spacing;
            (0..self.own.size[axis]).map(at).collect()
        };
        ctx.check()?;
        Ok(interpolated(&grid, [axis(0), axis(1)], catmull_rom))
    }

    /// Metres of the margin before the first sample of the ground, along both axes.
    pub(super) fn offset(&self) -> [f64; 2] {
        [self.before(0), self.before(1)]
    }

    /// Metres of the margin before the first sample of the ground.
    fn before(&self, axis: usize) -> f64 {
        self.margin[axis] as f64 * self.all[0].spacing[axis]
    }
}

/// A place on an axis, mirrored where it lies beyond the first or the last sample.
fn reflected(at: f64, last: f64) -> f64 {
    let from_first = at.abs();
    let mirrored = if from_first > last { 2.0 * last - from_first } else { from_first };
    mirrored.clamp(0.0, last)
}

/// A grid at other places of its two axes, by a kernel that reaches two samples.
fn interpolated(grid: &Grid, places: [Vec<f64>; 2], kernel: fn(f64) -> f64) -> Grid {
    let taps = |at: f64, count: usize| {
        let first = at.floor();
        [-1.0, 0.0, 1.0, 2.0].map(|k| {
            let place = (first + k).clamp(0.0, (count - 1) as f64) as usize;
            (place, kernel(first + k - at))
        })
    };
    let [columns, rows] = places;
    let columns: Vec<_> = columns.into_iter().map(|at| taps(at, grid.width())).collect();
    let mut out = Grid::filled(columns.len(), rows.len(), 0.0);
    par::for_each_row(out.samples_mut(), columns.len(), |j, row| {
        let down = taps(rows[j], grid.height());
        let across = |j: usize, taps: &[(usize, f64); 4]| -> f64 {
            taps.iter().map(|&(i, weight)| weight * f64::from(grid[(i, j)])).sum()
        };
        for (sample, taps) in row.iter_mut().zip(&columns) {
            *sample = down.iter().map(|&(j, weight)| weight * across(j, taps)).sum::<f64>() as f32;
        }
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_has_the_ground_where_the_whole_run_has_it() {
        let design = Lattice { size: [513, 257], spacing: [20.0, 20.0] };
        let evolve = Evolve::default();
        let whole = Frame::new(&evolve, &design, design);
        let quick = Frame::new(&evolve, &design, design.halved_to(129));
        assert_eq!((whole.given, quick.given), (0, 2));
        assert_eq!(whole.all, quick.all);
        let slope = |lattice: &Lattice| {
            let [dx, dz] = lattice.spacing;
            let [width, height] = lattice.size.map(|count| count as usize);
            Grid::from_fn(width, height, |i, j| (3.0 * i as f64 * dx + j as f64 * dz) as f32)
        };
        let ground = slope(&design);
        let padded = quick.padded(&slope(&quick.own));
        assert_eq!([padded.width() as u32, padded.height() as u32], quick.all[2].size);
        let [dx, dz] = quick.all[2].spacing;
        let [west, north] = [51.0 * 20.0, 25.0 * 20.0];
        // Inside of the ground, and mirrored before it.
        for (i, j) in [(20, 20), (90, 50), (2, 40), (60, 1)] {
            let (x, z) = ((i as f64 * dx - west).abs(), (j as f64 * dz - north).abs());
            assert!((f64::from(padded[(i, j)]) - (3.0 * x + z)).abs() < 0.01, "{i} {j}");
        }
        let ctx = Ctx::new(&(), "");
        let back = quick.cut(padded, &ctx).unwrap();
        for (i, j) in [(8, 8), (60, 33), (120, 55)] {
            assert!((back[(i, j)] - ground[(4 * i, 4 * j)]).abs() < 0.01, "{i} {j}");
        }
    }
}
