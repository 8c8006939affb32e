//! The pixels of a flat map (Baker 2018, section 2.1): one on each grid line. Where the map wraps, the last grid line is the first
//! again. Between pixels values are in proportion: the report proposes for large maps to "generate a smaller map, then scaling it
//! up by interpolating" (section 3.1).

use super::euclidean::Cells;
use super::flat::Flat;
use crate::{Lattice, math};

/// The pixels of a map, row by row.
#[derive(Clone, Debug)]
pub(super) struct Raster {
    size: [usize; 2],
    wrap: [bool; 2],
    /// Metres between pixels.
    spacing: [f64; 2],
}

/// Column and row steps to the neighbours of a pixel, in the order in which they are visited.
const FOUR: [[i64; 2]; 4] = [[1, 0], [-1, 0], [0, 1], [0, -1]];

impl Raster {
    pub(super) fn new(wrap: [bool; 2], lattice: &Lattice) -> Self {
        let count = |axis: usize| {
            let lines = lattice.size[axis] as usize;
            if wrap[axis] { (lines - 1).max(1) } else { lines }
        };
        Self { size: [count(0), count(1)], wrap, spacing: lattice.spacing }
    }

    pub(super) fn size(&self) -> [usize; 2] {
        self.size
    }

    pub(super) fn wrap(&self) -> [bool; 2] {
        self.wrap
    }

    pub(super) fn spacing(&self) -> [f64; 2] {
        self.spacing
    }

    pub(super) fn cells(&self) -> usize {
        self.size[0] * self.size[1]
    }

    /// The column or row k, around the map where it wraps; nothing beyond an edge.
    #[inline]
    pub(super) fn index(&self, axis: usize, k: i64) -> Option<usize> {
        let count = self.size[axis] as i64;
        if (0..count).contains(&k) {
            Some(k as usize)
        } else {
            self.wrap[axis].then(|| k.rem_euclid(count) as usize)
        }
    }

    /// The up to four neighbours of a pixel: +x, −x, +z, −z.
    #[inline]
    pub(super) fn four(&self, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let [width, height] = self.size;
        let (i, j) = (cell % width, cell / width);
        let around = if i > 0 && j > 0 && i + 1 < width && j + 1 < height {
            [cell + 1, cell - 1, cell + width, cell - width].map(Some)
        } else {
            FOUR.map(|[di, dj]| {
                let (i, j) = (self.index(0, i as i64 + di)?, self.index(1, j as i64 + dj)?);
                Some(j * width + i)
            })
        };
        around.into_iter().flatten()
    }

    /// The pixels as cells of a flat map.
    pub(super) fn flat(&self) -> Flat {
        Flat::of_cells(self.size, self.spacing, self.wrap)
    }

    /// The pixels as cells whose distances are measured in metres.
    pub(super) fn in_metres(&self) -> Cells {
        Cells { size: self.size, cell: self.spacing, wrap: self.wrap }
    }

    /// The pixels around a place along an axis.
    pub(super) fn between(&self, axis: usize, metres: f64) -> Between {
        let at = metres / self.spacing[axis];
        let first = at.floor();
        let last = self.size[axis] - 1;
        let pixel = |k: i64| self.index(axis, k).unwrap_or(last);
        Between { pixels: [pixel(first as i64), pixel(first as i64 + 1)], near: at - first }
    }

    /// The value at a place, in proportion between those of the four pixels around it.
    #[inline]
    pub(super) fn value(&self, values: &[f32], column: &Between, row: &Between) -> f64 {
        let [north, south] = row.pixels.map(|j| {
            let [west, east] = column.pixels.map(|i| f64::from(values[j * self.size[0] + i]));
            math::lerp(west, east, column.near)
        });
        math::lerp(north, south, row.near)
    }
}

/// The pixels before and after a place along an axis, and how near it is to the second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Between {
    pixels: [usize; 2],
    near: f64,
}

impl Between {
    pub(super) fn nearest(&self) -> usize {
        self.pixels[usize::from(self.near >= 0.5)]
    }
}
