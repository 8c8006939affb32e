//! The pixels of a map (section 2.1): one on each grid line. Where the map wraps, the last grid line is the first again.

use crate::Lattice;
use crate::world::flat::Flat;

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

    /// The pixels as cells of a flat map, for distances between them.
    pub(super) fn flat(&self) -> Flat {
        Flat::of_cells(self.size, self.spacing, self.wrap)
    }
}
