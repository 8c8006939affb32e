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
        let mut kinds = vec![0_u8; width * rows];
        let heights = height.samples();
        let mut parts: Vec<(f64, Vec<u32>)> = Vec::new();
        let mut open = Vec::new();
        for start in 0..width * rows {
            if kinds[start] != 0 || heights[start] > sea {
                continue;
            }
            let (mut area, mut cells) = (0.0, Vec::new());
            open.push(start as u32);
            kinds[start] = 1;
            while let Some(cell) = open.pop() {
                let at = cell as usize;
                let (i, j) = ((cell % width as u32) as usize, (cell / width as u32) as usize);
                area += weights[j];
                // A lake is remembered; there is no need to remember the sea.
                if area < LARGEST * all {
                    cells.push(cell);
                }
                let east = if i + 1 < width { Some(at + 1) } else { wraps_x.then_some(at - i) };
                let west = if i > 0 { Some(at - 1) } else { wraps_x.then_some(at + width - 1) };
                let south = if j + 1 < rows { Some(at + width) } else { wraps_z.then_some(i) };
                let last = (rows - 1) * width;
                let north = if j > 0 { Some(at - width) } else { wraps_z.then_some(last + i) };
                for next in [east, west, south, north].into_iter().flatten() {
                    if kinds[next] == 0 && heights[next] <= sea {
                        kinds[next] = 1;
                        open.push(next as u32);
                    }
                }
            }
            parts.push((area, cells));
        }
        let largest = parts.iter().map(|(area, _)| *area).fold(0.0, f64::max);
        for (area, cells) in parts {
            if area < LARGEST * all && area < largest {
                cells.into_iter().for_each(|cell| kinds[cell as usize] = 2);
            }
        }
        let kinds = Grid::from_vec(width, rows, kinds);
        Self { kinds, lattice }
    }

    /// The grid lines nearest to the columns or rows of `extent`.
    pub(super) fn lines(&self, extent: &Extent, axis: usize) -> Vec<isize> {
        let place = |at: f64| (at / self.lattice.spacing[axis]).round() as isize;
        match axis {
            0 => (0..extent.width()).map(|i| place(extent.x(i))).collect(),
            _ => (0..extent.height()).map(|j| place(extent.z(j))).collect(),
        }
    }

    /// Whether water where two [grid lines](Self::lines) cross is that of a lake: there is one near, and no sea.
    pub(super) fn holds(&self, i: isize, j: isize) -> bool {
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
        assert_eq!(lakes.lines(&lattice.whole(), 0), (0..60).collect::<Vec<isize>>());
        assert!(lakes.holds(41, 31));
        assert!(!lakes.holds(5, 31));
        assert!(!lakes.holds(30, 31));
    }
}
