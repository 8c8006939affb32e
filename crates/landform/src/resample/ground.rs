//! The ground before a stage, at any point: what a landform that is laid out on it asks for.

use crate::{Grid, Lattice, Terrain};

/// Heights between samples.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroundHeights<'a> {
    samples: &'a Grid,
    lattice: Lattice,
}

impl<'a> GroundHeights<'a> {
    /// The height of a terrain that covers its whole lattice.
    pub(crate) fn of(terrain: &'a Terrain) -> Self {
        Self::new(terrain.height(), *terrain.extent().lattice())
    }

    /// Samples that cover a whole lattice.
    pub(crate) fn new(samples: &'a Grid, lattice: Lattice) -> Self {
        debug_assert_eq!(samples.width(), lattice.size[0] as usize);
        Self { samples, lattice }
    }

    /// The sample at a point, interpolated between the four around it; beyond the edge that of the edge.
    pub(crate) fn at(&self, x: f64, z: f64) -> f64 {
        let place = |axis: usize, p: f64| {
            let last = self.lattice.size[axis] as usize - 1;
            let at = (p / self.lattice.spacing[axis]).clamp(0.0, last as f64);
            let first = (at as usize).min(last.saturating_sub(1));
            (first, (first + 1).min(last), at - first as f64)
        };
        let (west, east, u) = place(0, x);
        let (north, south, v) = place(1, z);
        let sample = |i: usize, j: usize| f64::from(self.samples[(i, j)]);
        let along = |j: usize| {
            let (a, b) = (sample(west, j), sample(east, j));
            a + (b - a) * u
        };
        let (a, b) = (along(north), along(south));
        a + (b - a) * v
    }

    pub(crate) fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    pub(crate) fn samples(&self) -> &Grid {
        self.samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_interpolated_exactly_and_goes_on_level_beyond_the_edge() {
        let lattice = Lattice { size: [5, 4], spacing: [10.0, 20.0] };
        let grid = Grid::from_fn(5, 4, |i, j| (i * 10 + j * 20 * 2) as f32);
        let ground = GroundHeights::new(&grid, lattice);
        assert_eq!(ground.at(13.0, 27.0), 13.0 + 54.0);
        assert_eq!(ground.at(40.0, 60.0), 40.0 + 120.0);
        assert_eq!(ground.at(400.0, -60.0), 40.0);
        let one = Grid::filled(1, 1, 7.0);
        let point = GroundHeights::new(&one, Lattice { size: [1, 1], spacing: [1.0, 1.0] });
        assert_eq!(point.at(3.0, 3.0), 7.0);
    }
}
