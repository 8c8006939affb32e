//! Borders of plates and crust on samples that are finer than cells, whose edges would show as stairs.
//!
//! A sample at a border is read a little beside its place, as far as noise tells that is no longer than a few cells and as short as
//! the samples. So borders are rough at every size, and stay where they were to about a cell.

use super::crust::Crust;
use super::noise::Octaves;
use super::surface::{CellInterpolation, NONE, Point};
use crate::par;

/// Longest wavelength of the noise, in cells.
pub(super) const LONGEST: f64 = 3.0;
/// How far a border is moved by noise of height 1, in cells.
const FARTHEST: f64 = 1.0;

/// How the borders of cells are moved.
pub(super) struct Crinkles {
    /// Along each axis of points.
    noise: [Octaves; 3],
    /// Of the noise, in the units of points.
    unit: f32,
    /// Whether a cell has a neighbour of another plate or kind: all others stay what they are.
    is_border: Vec<bool>,
}

impl Crinkles {
    pub(super) fn new<S: CellInterpolation>(
        surface: &S,
        crust: &Crust,
        noise: [Octaves; 3],
    ) -> Self {
        let Crust { labels, land, .. } = crust;
        let differs = |a: usize, b: usize| labels[a] != labels[b] || (land[a] > 0) != (land[b] > 0);
        let is_border = par::map(labels.len(), |cell| {
            let mut near = surface.neighbours(cell).into_iter().filter(|&other| other != NONE);
            near.any(|other| differs(cell, other as usize))
        });
        let unit = (FARTHEST * surface.cell_size() / surface.velocity_scale()) as f32;
        Self { noise, unit, is_border }
    }

    /// Reads the cells along a row that are at a border again, each beside its place on the surface.
    pub(super) fn apply<S: CellInterpolation>(
        &self,
        surface: &S,
        points: &[Point],
        (places, cells): (&[Point], &mut [u32]),
    ) {
        let at_border = |&k: &usize| self.is_border[cells[k] as usize];
        let columns: Vec<usize> = (0..points.len()).filter(at_border).collect();
        let points: Vec<Point> = columns.iter().map(|&k| points[k]).collect();
        let mut moves = vec![S::Move::default(); points.len()];
        let mut noise = vec![0.0; points.len()];
        for (k, &axis) in S::AXES.iter().enumerate() {
            self.noise[axis].fbm(&points, &mut noise);
            for (by, noise) in moves.iter_mut().zip(&noise) {
                by.as_mut()[k] = self.unit * noise;
            }
        }
        for (k, by) in columns.into_iter().zip(moves) {
            let beside = surface.moved(places[k], by);
            if surface.holds(beside) {
                let found = surface.locate(surface.settled(beside));
                cells[k] = if found == NONE { cells[k] } else { found };
            }
        }
    }
}
