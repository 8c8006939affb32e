//! Water that does not belong to the sea: parts of the map below the sea level that are cut off from it and small.

use crate::topology::Topology;
use crate::{Extent, Grid, Lattice};

/// Water is a lake if it covers less than this share of the map.
const LARGEST: f64 = 0.003;

/// Where lakes are, on the grid lines of a recipe.
#[derive(Clone, Debug)]
pub(super) struct Lakes {
    /// 0 land, 1 sea, 2 lake.
    pub(super) kinds: Grid<u8>,
    pub(super) lattice: Lattice,
}

impl Lakes {
    pub(super) fn find(height: &Grid, sea: f32, topology: Topology, lattice: Lattice) -> Self {
        let (width, rows) = (height.width(), height.height());
        let weights = topology.row_weights(&lattice);
        let all: f64 = weights.iter().sum::<f64>() * width as f64;
        let [wraps_x, wraps_z] = topology.wraps();
        let mut kinds = Grid::filled(width, rows, 0_u8);
        let is_water = |i: usize, j: usize| height[(i, j)] <= sea;
        let mut parts: Vec<(f64, Vec<(usize, usize)>)> = Vec::new();
        for j in 0..rows {
            for i in 0..width {
                if kinds[(i, j)] != 0 || !is_water(i, j) {
                    continue;
                }
                let (mut area, mut cells, mut open) = (0.0, Vec::new(), vec![(i, j)]);
                kinds[(i, j)] = 1;
                while let Some((i, j)) = open.pop() {
                    area += weights[j];
                    // A lake is remembered; there is no need to remember the sea.
                    if area < LARGEST * all {
                        cells.push((i, j));
                    }
                    let step = |k: usize, count: usize, by: isize, wraps: bool| {
                        let next = k as isize + by;
                        if wraps {
                            Some(next.rem_euclid(count as isize) as usize)
                        } else {
                            (0..count as isize).contains(&next).then_some(next as usize)
                        }
                    };
                    let around = [
                        (step(i, width, 1, wraps_x), Some(j)),
                        (step(i, width, -1, wraps_x), Some(j)),
                        (Some(i), step(j, rows, 1, wraps_z)),
                        (Some(i), step(j, rows, -1, wraps_z)),
                    ];
                    for (next_i, next_j) in around {
                        if let (Some(i), Some(j)) = (next_i, next_j)
                            && kinds[(i, j)] == 0
                            && is_water(i, j)
                        {
                            kinds[(i, j)] = 1;
                            open.push((i, j));
                        }
                    }
                }
                parts.push((area, cells));
            }
        }
        let largest = parts.iter().map(|(area, _)| *area).fold(0.0, f64::max);
        for (area, cells) in parts {
            if area < LARGEST * all && area < largest {
                cells.into_iter().for_each(|cell| kinds[cell] = 2);
            }
        }
        Self { kinds, lattice }
    }

    /// Whether water at a sample of `extent` is that of a lake: there is one near, and no sea.
    pub(super) fn holds(&self, extent: &Extent, column: usize, row: usize) -> bool {
        let place = |at: f64, axis: usize| (at / self.lattice.spacing[axis]).round() as isize;
        let (i, j) = (place(extent.x(column), 0), place(extent.z(row), 1));
        let mut found = false;
        for dj in -1..=1 {
            for di in -1..=1 {
                let clamp = |k: isize, count: usize| k.clamp(0, count as isize - 1) as usize;
                let near = (clamp(i + di, self.kinds.width()), clamp(j + dj, self.kinds.height()));
                match self.kinds[near] {
                    1 => return false,
                    2 => found = true,
                    _ => {}
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pond_is_a_lake_and_the_sea_is_not() {
        let lattice = Lattice { size: [60, 60], spacing: [1.0, 1.0] };
        let height = Grid::from_fn(60, 60, |i, j| {
            let is_pond = (40..43).contains(&i) && (30..33).contains(&j);
            if i < 20 || is_pond { -1.0 } else { 1.0 }
        });
        let lakes = Lakes::find(&height, 0.0, Topology::Plane, lattice);
        let whole = lattice.whole();
        assert!(lakes.holds(&whole, 41, 31));
        assert!(!lakes.holds(&whole, 5, 31));
        assert!(!lakes.holds(&whole, 30, 31));
    }
}
