//! Cells of about equal size that cover a surface, laid out in faces and blocks.

use super::{Geometry, Point};
use crate::world::distance;
use crate::{Cancelled, Ctx, Lattice};

/// No cell.
pub(crate) const NONE: u32 = u32::MAX;

/// How the cells are laid out in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) faces: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Cells along the side of a block; faces of the sphere are whole blocks.
    pub(crate) block: usize,
}

impl Shape {
    pub(crate) fn cells(&self) -> usize {
        self.faces * self.width * self.height
    }

    #[inline]
    pub(crate) fn block_counts(&self) -> [usize; 2] {
        let shift = self.block.next_power_of_two().trailing_zeros();
        [self.width, self.height].map(|cells| ((cells - 1) >> shift) + 1)
    }

    pub(crate) fn blocks(&self) -> usize {
        let [across, down] = self.block_counts();
        self.faces * across * down
    }

    #[inline]
    pub(crate) fn block_of(&self, cell: usize) -> usize {
        let [across, down] = self.block_counts();
        // Whole numbers of 32 bits are divided in half the time. A block is 2ᵏ cells wide, or all of a smaller face.
        let (cell, width, height) = (cell as u32, self.width as u32, self.height as u32);
        let (row, i) = (cell / width, cell % width);
        let (face, j) = (row / height, row % height);
        let shift = self.block.next_power_of_two().trailing_zeros();
        (face as usize * down + (j >> shift) as usize) * across + (i >> shift) as usize
    }

    /// First cell, columns and rows of a block.
    pub(crate) fn block_at(&self, block: usize) -> (usize, usize, usize) {
        // Whole numbers of 32 bits, as above.
        let [across, down] = self.block_counts().map(|count| count as u32);
        let (line, bi) = (block as u32 / across, block as u32 % across);
        let (face, bj) = (line / down, line % down);
        let (face, i, j) = (face as usize, bi as usize * self.block, bj as usize * self.block);
        let first = (face * self.height + j) * self.width + i;
        (first, self.block.min(self.width - i), self.block.min(self.height - j))
    }
}

/// Column and row steps to the eight neighbours: those that share an edge first.
pub(crate) const AROUND: [(isize, isize); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];

/// The eight neighbours of a cell away from the edges of its face, in the order of [`AROUND`].
#[inline]
pub(crate) fn inner_neighbours(cell: usize, width: usize) -> [u32; 8] {
    let (c, w) = (cell as u32, width as u32);
    [c + 1, c - 1, c + w, c - w, c + w + 1, c - w - 1, c - w + 1, c + w - 1]
}

/// Cells that cover a surface, and which of them touch.
pub(crate) trait Tessellation: Geometry {
    fn shape(&self) -> Shape;

    /// The same surface with cells as far apart as the grid lines of `lattice`.
    fn of(&self, lattice: &Lattice) -> Self
    where
        Self: Sized;

    /// The same surface with cells of twice the width: a cell of this is that of half its column and half its row.
    fn coarser(&self) -> Self
    where
        Self: Sized;

    /// Typical width of a cell in metres.
    fn cell_size(&self) -> f64;

    /// The middle of a cell.
    fn point(&self, cell: usize) -> Point;

    /// The cell that a point is in; [`NONE`] beyond an edge.
    fn locate(&self, p: Point) -> u32;

    /// The cells of the points this many metres from `p` in some directions; [`NONE`] beyond an edge.
    fn locate_ahead<const N: usize>(
        &self,
        p: Point,
        ways: &[[f64; 3]; N],
        metres: f64,
    ) -> [u32; N] {
        ways.map(|way| self.locate(self.ahead(p, way, metres)))
    }

    /// The eight neighbours in the order of [`AROUND`]; [`NONE`] where there is none.
    fn neighbours(&self, cell: usize) -> [u32; 8];

    /// The area of a cell in m².
    fn area(&self, cell: usize) -> f64;

    /// The area of a cell in m², if all have the same.
    fn even_area(&self) -> Option<f64> {
        None
    }

    /// The blocks of `shape` within so many metres of a point on the map; nothing is found, and false given, where that is not
    /// easily told.
    fn blocks_within(&self, _shape: &Shape, _p: Point, _metres: f64, _out: &mut Vec<u32>) -> bool {
        false
    }
}

/// Metres from all cells to the nearest of some.
pub(crate) trait DistanceTransform: Tessellation {
    /// Metres from each cell to the nearest for which `is_source`: see [`distance_to`](crate::world::distance::distance_to).
    fn distances(
        &self,
        is_source: impl Fn(usize) -> bool,
        limit: f64,
        ctx: &Ctx<'_>,
    ) -> Result<Vec<f32>, Cancelled>
    where
        Self: Sized,
    {
        distance::spread(self, is_source, limit, ctx)
    }

    /// Metres from each cell to the nearest of the other kind, land or not. What is farther away than `limits`, of land and of
    /// what is none, need not be found. There may be a `buffer` at hand to write them to.
    fn distances_across(
        &self,
        land: &[u8],
        limits: [f64; 2],
        _buffer: Vec<f32>,
        ctx: &Ctx<'_>,
    ) -> Result<Vec<f32>, Cancelled>
    where
        Self: Sized,
    {
        let mut to_sea = self.distances(|cell| land[cell] == 0, limits[0], ctx)?;
        let to_land = self.distances(|cell| land[cell] > 0, limits[1], ctx)?;
        for ((own, to_land), &land) in to_sea.iter_mut().zip(to_land).zip(land) {
            *own = if land > 0 { *own } else { to_land };
        }
        Ok(to_sea)
    }
}

/// Cells along the side of a block for a surface with this many cells across: larger on finer ones, so that plates
/// move as far in one go.
pub(crate) fn block_side(across: usize) -> usize {
    match across {
        0..1500 => 16,
        1500..3000 => 32,
        _ => 64,
    }
}

/// Which blocks touch, across the edges of faces too.
pub(crate) fn block_neighbours<S: Tessellation>(surface: &S, shape: Shape) -> Vec<Vec<u32>> {
    let [across, down] = shape.block_counts();
    (0..shape.blocks())
        .map(|block| {
            let mut found = Vec::with_capacity(9);
            found.push(block as u32);
            let (bi, bj) = (block % across, block / across % down);
            if bi > 0 && bj > 0 && bi + 1 < across && bj + 1 < down {
                found.extend(inner_neighbours(block, across));
                return found;
            }
            let (first, columns, rows) = shape.block_at(block);
            let mut look = |cell: usize| {
                for neighbour in surface.neighbours(cell) {
                    if neighbour != NONE {
                        let other = shape.block_of(neighbour as usize) as u32;
                        if !found.contains(&other) {
                            found.push(other);
                        }
                    }
                }
            };
            for i in 0..columns {
                look(first + i);
                look(first + (rows - 1) * shape.width + i);
            }
            for j in 0..rows {
                look(first + j * shape.width);
                look(first + j * shape.width + columns - 1);
            }
            found
        })
        .collect()
}
