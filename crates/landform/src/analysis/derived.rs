//! Maps that follow from the height alone.
//!
//! ```text
//! slope      arctan |∇h|                        degrees
//! aspect     direction of −∇h, clockwise        degrees from north
//! curvature  −(∂²h/∂x² + ∂²h/∂z²)               1/m, positive on crests
//! occlusion  share of the sky above the horizon 0 to 1, 1 in the open
//! ```
//!
//! Differences are central, and one-sided at the border.

use super::horizon::sky_view;
use crate::{Grid, Terrain, math, par};

/// Directions in which the horizon is looked for.
const DIRECTIONS: usize = 32;

/// A map that follows from the height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Derived {
    /// Steepness in degrees.
    Slope,
    /// The direction that the ground faces, in degrees from north over east; 0 where it is level.
    Aspect,
    /// How much the ground bends, in 1/m: positive on crests, negative in valleys.
    Curvature,
    /// How much of the sky the ground sees, 0 to 1.
    Occlusion,
}

impl Derived {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Slope, Self::Aspect, Self::Curvature, Self::Occlusion];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Slope => "slope",
            Self::Aspect => "aspect",
            Self::Curvature => "curvature",
            Self::Occlusion => "occlusion",
        }
    }

    /// The map of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|derived| derived.name() == name)
    }

    /// The least and the greatest value that it can have; nothing if there is no bound.
    pub fn range(self) -> Option<[f64; 2]> {
        match self {
            Self::Slope => Some([0.0, 90.0]),
            Self::Aspect => Some([0.0, 360.0]),
            Self::Curvature => None,
            Self::Occlusion => Some([0.0, 1.0]),
        }
    }

    /// The map of a terrain.
    pub fn of(self, terrain: &Terrain) -> Grid {
        let height = terrain.height();
        let spacing = terrain.extent().lattice().spacing;
        let map = |value: &(dyn Fn(usize, usize) -> f64 + Sync)| {
            let mut grid = Grid::filled(height.width(), height.height(), 0.0);
            par::for_each_row(grid.samples_mut(), height.width(), |j, row| {
                for (i, out) in row.iter_mut().enumerate() {
                    *out = value(i, j) as f32;
                }
            });
            grid
        };
        match self {
            Self::Slope => map(&|i, j| steepness(gradient(height, spacing, i, j))),
            Self::Aspect => map(&|i, j| azimuth(gradient(height, spacing, i, j))),
            Self::Curvature => map(&|i, j| -laplacian(height, spacing, i, j)),
            Self::Occlusion => {
                sky_view(height, spacing.map(|metres| metres as f32), 1.0, DIRECTIONS)
            }
        }
    }
}

/// ∂/∂x and ∂/∂z of a grid at column i and row j.
pub fn gradient(grid: &Grid, spacing: [f64; 2], i: usize, j: usize) -> [f64; 2] {
    let slope = |before: f32, after: f32, steps: usize, metres: f64| {
        let rise = f64::from(after) - f64::from(before);
        if steps == 0 { 0.0 } else { rise / (steps as f64 * metres) }
    };
    let (west, east) = (i.saturating_sub(1), (i + 1).min(grid.width() - 1));
    let (north, south) = (j.saturating_sub(1), (j + 1).min(grid.height() - 1));
    [
        slope(grid[(west, j)], grid[(east, j)], east - west, spacing[0]),
        slope(grid[(i, north)], grid[(i, south)], south - north, spacing[1]),
    ]
}

/// Slope in degrees of ground with this gradient.
pub fn steepness([x, z]: [f64; 2]) -> f64 {
    math::atan(math::length(x, z)).to_degrees()
}

/// The direction downhill, in degrees from north over east.
fn azimuth([x, z]: [f64; 2]) -> f64 {
    if x == 0.0 && z == 0.0 {
        return 0.0;
    }
    // Downhill is −x to the east and, z going south, +z to the north.
    let degrees = math::atan2(-x, z).to_degrees();
    if degrees < 0.0 { degrees + 360.0 } else { degrees }
}

fn laplacian(grid: &Grid, spacing: [f64; 2], i: usize, j: usize) -> f64 {
    let bend = |before: f32, here: f32, after: f32, metres: f64| {
        (f64::from(before) - 2.0 * f64::from(here) + f64::from(after)) / (metres * metres)
    };
    let (width, height) = (grid.width(), grid.height());
    // The border bends as its inner neighbour does.
    let inner = |k: usize, count: usize| k.clamp(1, count.saturating_sub(2).max(1));
    let (ci, cj) = (inner(i, width), inner(j, height));
    let along = if width > 2 {
        bend(grid[(ci - 1, j)], grid[(ci, j)], grid[(ci + 1, j)], spacing[0])
    } else {
        0.0
    };
    let across = if height > 2 {
        bend(grid[(i, cj - 1)], grid[(i, cj)], grid[(i, cj + 1)], spacing[1])
    } else {
        0.0
    };
    along + across
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lattice;

    fn terrain(size: [u32; 2], spacing: [f64; 2], h: impl Fn(f64, f64) -> f64) -> Terrain {
        let extent = Lattice { size, spacing }.whole();
        let grid = Grid::from_fn(extent.width(), extent.height(), |i, j| {
            h(extent.x(i), extent.z(j)) as f32
        });
        Terrain::new(extent, 0.0, grid)
    }

    #[test]
    fn a_plane_that_falls_to_the_east_faces_east() {
        let plane = terrain([9, 7], [10.0, 20.0], |x, _| -x);
        for (derived, want) in
            [(Derived::Slope, 45.0), (Derived::Aspect, 90.0), (Derived::Curvature, 0.0)]
        {
            let map = derived.of(&plane);
            assert!(map.samples().iter().all(|&v| (v - want).abs() < 1e-4), "{derived:?}");
        }
        let south = Derived::Aspect.of(&terrain([5, 5], [1.0, 1.0], |_, z| -0.5 * z));
        assert!(south.samples().iter().all(|&v| (v - 180.0).abs() < 1e-4));
    }

    #[test]
    fn a_bowl_bends_by_its_second_derivatives_everywhere() {
        let bowl = terrain([12, 9], [2.0, 4.0], |x, z| 0.5 * (x * x + 3.0 * z * z));
        let map = Derived::Curvature.of(&bowl);
        assert!(map.samples().iter().all(|&v| (v + 4.0).abs() < 1e-3), "{:?}", map.row(0));
    }

    #[test]
    fn a_map_of_one_sample_is_level_and_open() {
        let point = terrain([1, 1], [5.0, 5.0], |_, _| 7.0);
        let values = Derived::ALL.map(|derived| derived.of(&point)[(0, 0)]);
        assert_eq!(values[..3], [0.0, 0.0, 0.0]);
        assert!((values[3] - 1.0).abs() < 1e-6);
    }

    #[test]
    fn the_bottom_of_a_pit_sees_less_sky() {
        let pit = terrain([41, 41], [1.0, 1.0], |x, z| math::length(x - 20.0, z - 20.0));
        let map = Derived::Occlusion.of(&pit);
        // Everywhere the horizon of the bottom is 45° high: cos² of it is a half.
        assert!((map[(20, 20)] - 0.5).abs() < 0.02, "{}", map[(20, 20)]);
        assert!(map[(1, 1)] > map[(20, 20)] + 0.2);
    }
}
