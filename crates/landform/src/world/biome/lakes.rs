//! Water that does not belong to the sea: parts of the map below the sea level that are cut off from it and small.

use std::ops::Range;

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

/// Water side by side in a row.
struct Stretch {
    start: usize,
    end: usize,
    /// A stretch of the same water with a lower or the same number.
    parent: u32,
}

/// The first stretch of the water that a stretch belongs to.
fn first(stretches: &mut [Stretch], of: u32) -> u32 {
    let mut at = of;
    while stretches[at as usize].parent != at {
        let parent = stretches[at as usize].parent;
        // Half of the way is remembered.
        stretches[at as usize].parent = stretches[parent as usize].parent;
        at = parent;
    }
    at
}

fn join(stretches: &mut [Stretch], a: u32, b: u32) {
    let (a, b) = (first(stretches, a), first(stretches, b));
    stretches[a.max(b) as usize].parent = a.min(b);
}

/// Joins the stretches of two rows that touch.
fn join_rows(stretches: &mut [Stretch], a: Range<usize>, b: Range<usize>) {
    let (mut i, mut j) = (a.start, b.start);
    while i < a.end && j < b.end {
        let (one, other) = (&stretches[i], &stretches[j]);
        let is_first = one.end < other.end;
        if one.start < other.end && other.start < one.end {
            join(stretches, i as u32, j as u32);
        }
        if is_first { i += 1 } else { j += 1 }
    }
}

impl Lakes {
    pub(super) fn find(height: &Grid, sea: f32, topology: Topology, lattice: Lattice) -> Self {
        let (width, rows) = (height.width(), height.height());
        let weights = topology.row_weights(&lattice);
        let all: f64 = weights.iter().sum::<f64>() * width as f64;
        let [wraps_x, wraps_z] = topology.wraps();
        let mut stretches: Vec<Stretch> = Vec::new();
        let mut of_rows: Vec<Range<usize>> = Vec::with_capacity(rows);
        for row in height.rows() {
            let begun = stretches.len();
            let mut start = 0;
            for part in row.chunk_by(|a, b| (*a <= sea) == (*b <= sea)) {
                let end = start + part.len();
                if part[0] <= sea {
                    stretches.push(Stretch { start, end, parent: stretches.len() as u32 });
                }
                start = end;
            }
            let own = begun..stretches.len();
            if wraps_x && own.len() > 1 && row[0] <= sea && row[width - 1] <= sea {
                join(&mut stretches, own.start as u32, own.end as u32 - 1);
            }
            if let Some(above) = of_rows.last() {
                join_rows(&mut stretches, above.clone(), own.clone());
            }
            of_rows.push(own);
        }
        if wraps_z {
            join_rows(&mut stretches, of_rows[0].clone(), of_rows[rows - 1].clone());
        }
        let mut areas = vec![0.0; stretches.len()];
        for (own, weight) in of_rows.iter().zip(&weights) {
            for k in own.clone() {
                let part = first(&mut stretches, k as u32) as usize;
                areas[part] += weight * (stretches[k].end - stretches[k].start) as f64;
            }
        }
        let largest = areas.iter().copied().fold(0.0, f64::max);
        let mut kinds = vec![0_u8; width * rows];
        for (own, kinds) in of_rows.into_iter().zip(kinds.chunks_mut(width)) {
            for k in own {
                let area = areas[first(&mut stretches, k as u32) as usize];
                let is_lake = area < LARGEST * all && area < largest;
                kinds[stretches[k].start..stretches[k].end].fill(if is_lake { 2 } else { 1 });
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

    /// Whether there is a lake on the grid line or one of those beside it.
    pub(super) fn are_near(&self, j: isize) -> bool {
        let row = |j: isize| self.kinds.row(j.clamp(0, self.kinds.height() as isize - 1) as usize);
        (j - 1..=j + 1).any(|j| row(j).iter().fold(false, |is, &kind| is | (kind == 2)))
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

    #[test]
    fn water_is_one_around_the_edges_of_a_map_that_wraps() {
        // Two bays that meet across both edges, and a pond in the shape of a U.
        let map = [
            "~.....~", //
            ".......", ".~.~...", ".~~~...", ".......", "~.....~",
        ];
        let lattice = Lattice { size: [7, 6], spacing: [1.0, 1.0] };
        let height =
            Grid::from_fn(7, 6, |i, j| if map[j].as_bytes()[i] == b'~' { -1.0 } else { 1.0 });
        let kinds = |topology: Topology| Lakes::find(&height, 0.0, topology, lattice).kinds;
        // None is as small as a three hundredth of so small a map.
        assert_eq!(kinds(Topology::Torus).samples().iter().filter(|&&kind| kind == 1).count(), 9);
        let mut parts =
            [Stretch { start: 0, end: 1, parent: 0 }, Stretch { start: 3, end: 4, parent: 1 }]
                .into_iter()
                .chain([Stretch { start: 0, end: 4, parent: 2 }])
                .collect::<Vec<_>>();
        join_rows(&mut parts, 0..2, 2..3);
        assert_eq!([0, 1, 2].map(|k| first(&mut parts, k)), [0, 0, 0]);
    }
}
