//! The areas that samples of one label cover: polygons along the borders of their cells.
//!
//! A sample stands for the ground nearer to it than to any other in its row and column; the ground ends at the outermost samples. Samples
//! that meet in a corner only are separate areas, so that the polygons are valid. Their borders are followed with the area on the
//! right (crack following; Rosenfeld 1970).

use std::collections::BTreeMap;

use crate::{Extent, Polygon};

/// No label.
pub(super) const NONE: u32 = u32::MAX;

/// Sides of a cell in the order in which they are followed: north, east, south, west.
const SIDES: usize = 4;

/// The way along each side, and to the cell beyond it: columns and rows.
const ALONG: [(isize, isize); SIDES] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const BEYOND: [(isize, isize); SIDES] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// The corner of a cell where each side begins.
const CORNER: [(usize, usize); SIDES] = [(0, 0), (1, 0), (1, 1), (0, 1)];

/// The areas of each label from 0 to `count`, the larger first.
pub(super) fn areas(labels: &[u32], count: usize, extent: &Extent) -> Vec<Vec<Polygon>> {
    let cells = Cells { width: extent.width(), height: extent.height() };
    let parts = cells.parts(labels);
    let mut is_followed = vec![[false; SIDES]; labels.len()];
    let mut rings: BTreeMap<u32, Vec<Vec<[f64; 2]>>> = BTreeMap::new();
    for start in 0..labels.len() {
        for side in 0..SIDES {
            let is_border = labels[start] != NONE && !cells.goes_on(&parts, start, BEYOND[side]);
            if is_border && !is_followed[start][side] {
                let ring = cells.follow(&parts, (start, side), &mut is_followed);
                let ring: Vec<[f64; 2]> =
                    ring.into_iter().map(|corner| cells.place(corner, extent)).collect();
                rings.entry(parts[start]).or_default().push(ring);
            }
        }
    }
    let mut areas = vec![Vec::new(); count];
    for (part, mut rings) in rings {
        // A part is named by its first sample, north of which its outline begins; all others are holes.
        let outline = rings.remove(0);
        areas[labels[part as usize] as usize].push(Polygon { outline, holes: rings });
    }
    for list in &mut areas {
        list.sort_by(|a: &Polygon, b| b.area().total_cmp(&a.area()));
    }
    areas
}

/// A corner of cells: column and row of the cell that it is the north-western one of.
type Corner = (usize, usize);

struct Cells {
    width: usize,
    height: usize,
}

impl Cells {
    /// The sample a step away, if the lattice goes on there.
    fn step(&self, at: usize, (di, dj): (isize, isize)) -> Option<usize> {
        let (i, j) = (at % self.width, at / self.width);
        let (i, j) = (i.checked_add_signed(di)?, j.checked_add_signed(dj)?);
        (i < self.width && j < self.height).then_some(j * self.width + i)
    }

    fn goes_on(&self, parts: &[u32], at: usize, step: (isize, isize)) -> bool {
        self.step(at, step).is_some_and(|next| parts[next] == parts[at])
    }

    /// For each sample the first of those that it is connected to by sides of cells, of the same label.
    fn parts(&self, labels: &[u32]) -> Vec<u32> {
        let mut parts = vec![NONE; labels.len()];
        let mut open = Vec::new();
        for start in 0..labels.len() {
            if labels[start] == NONE || parts[start] != NONE {
                continue;
            }
            parts[start] = start as u32;
            open.push(start);
            while let Some(at) = open.pop() {
                for step in BEYOND {
                    if let Some(next) = self.step(at, step)
                        && labels[next] == labels[start]
                        && parts[next] == NONE
                    {
                        parts[next] = start as u32;
                        open.push(next);
                    }
                }
            }
        }
        parts
    }

    /// The corners of the border that begins at a side of a cell, where it turns.
    ///
    /// A border passes a corner twice where the ground beyond it is connected by that corner alone: it is followed as two rings then.
    fn follow(
        &self,
        parts: &[u32],
        start: (usize, usize),
        is_followed: &mut [[bool; SIDES]],
    ) -> Vec<Corner> {
        let (mut at, mut side) = start;
        let mut ring = Vec::new();
        let mut before = None;
        loop {
            is_followed[at][side] = true;
            if before != Some(side) {
                ring.push(self.corner(at, side));
            }
            before = Some(side);
            let ahead = self.step(at, ALONG[side]).filter(|&next| parts[next] == parts[at]);
            let diagonal = (ALONG[side].0 + BEYOND[side].0, ALONG[side].1 + BEYOND[side].1);
            let beside = self.step(at, diagonal).filter(|&next| parts[next] == parts[at]);
            (at, side) = match (ahead, beside) {
                // Where two cells meet in a corner, the ring goes over to the other: the ground beyond stays divided there.
                (_, Some(next)) => (next, (side + 3) % SIDES),
                (Some(next), None) => (next, side),
                (None, None) => (at, (side + 1) % SIDES),
            };
            if (at, side) == start {
                break;
            }
        }
        // It began in the middle of a straight piece.
        if before == Some(start.1) {
            ring.remove(0);
        }
        ring
    }

    fn corner(&self, at: usize, side: usize) -> Corner {
        let (di, dj) = CORNER[side];
        (at % self.width + di, at / self.width + dj)
    }

    /// x and z of a corner: in the middle between samples, and on the border of the ground.
    fn place(&self, (i, j): Corner, extent: &Extent) -> [f64; 2] {
        let [dx, dz] = extent.lattice().spacing;
        let middle = |k: usize, count: usize| (k as f64 - 0.5).clamp(0.0, count as f64 - 1.0);
        let [x, z] = [extent.x(0), extent.z(0)];
        [x + middle(i, self.width) * dx, z + middle(j, self.height) * dz]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Lattice, Seed};

    /// The areas of a picture of labels: a letter is a label, a dot none.
    fn of(rows: &[&str]) -> Vec<Vec<Polygon>> {
        let size = [rows[0].len() as u32, rows.len() as u32];
        let extent = Lattice { size, spacing: [2.0, 3.0] }.whole();
        let label = |letter: u8| if letter == b'.' { NONE } else { u32::from(letter - b'a') };
        let labels: Vec<u32> = rows.iter().flat_map(|row| row.bytes()).map(label).collect();
        areas(&labels, 2, &extent)
    }

    #[test]
    fn a_cell_reaches_half_way_to_its_neighbours_and_ends_with_the_ground() {
        let found = of(&["....", ".a..", "...b"]);
        let square = |list: &Vec<Polygon>| (list.len(), list[0].outline.len(), list[0].area());
        assert_eq!(square(&found[0]), (1, 4, 6.0));
        assert_eq!(found[0][0].outline, [[1.0, 1.5], [3.0, 1.5], [3.0, 4.5], [1.0, 4.5]]);
        assert_eq!(square(&found[1]), (1, 4, 1.5));
    }

    #[test]
    fn cells_that_meet_in_a_corner_are_parts_and_holes_may_touch_the_border() {
        let found = of(&["......", ".aaa..", ".a.a..", ".aab..", "....a.", "......"]);
        // A ring around a hole that touches the border of the ring in a corner, and a cell apart.
        assert_eq!(found[0].len(), 2);
        assert_eq!((found[0][0].holes.len(), found[0][0].area()), (1, 42.0));
        assert_eq!((found[0][1].holes.len(), found[0][1].area()), (0, 6.0));
        assert_eq!(found[1][0].area(), 6.0);
    }

    #[test]
    fn labels_everywhere_cover_the_ground_once() {
        let extent = Lattice { size: [40, 30], spacing: [2.0, 3.0] }.whole();
        let seed = Seed::new(3);
        let labels: Vec<u32> = (0..1200)
            .map(|at| u32::from(seed.uniform(at) < 0.6) + 2 * u32::from(at % 7 == 0))
            .collect();
        let found = areas(&labels, 4, &extent);
        let whole: f64 = found.iter().flatten().map(Polygon::area).sum();
        assert!((whole - 78.0 * 87.0).abs() < 1e-9, "{whole}");
        // No ring passes a corner twice.
        for ring in found.iter().flatten().flat_map(Polygon::rings) {
            let mut corners: Vec<_> = ring.iter().map(|point| point.map(f64::to_bits)).collect();
            let count = corners.len();
            corners.sort_unstable();
            corners.dedup();
            assert_eq!(corners.len(), count);
        }
    }
}
