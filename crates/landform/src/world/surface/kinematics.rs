//! The motion of plates: turns, and where the cells of a plate come from.

use super::{Point, Tessellation};

/// The motion of a plate over some time: p → M·p + s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Turn {
    pub(crate) matrix: [[f64; 3]; 3],
    pub(crate) shift: [f64; 3],
}

impl Turn {
    pub(crate) const NONE: Self =
        Self { matrix: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], shift: [0.0; 3] };

    #[inline]
    pub(crate) fn apply(&self, p: Point) -> Point {
        let row = |k: usize| {
            let m = self.matrix[k];
            m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + self.shift[k]
        };
        [row(0), row(1), row(2)]
    }

    /// First this turn, then `next`.
    pub(crate) fn then(&self, next: &Self) -> Self {
        let (a, b) = (&next.matrix, &self.matrix);
        let matrix = [0, 1, 2]
            .map(|r| [0, 1, 2].map(|c| a[r][0] * b[0][c] + a[r][1] * b[1][c] + a[r][2] * b[2][c]));
        Self { matrix, shift: next.apply(self.shift) }
    }

    /// The way back. The matrix is a rotation, whose inverse is its transpose.
    pub(crate) fn inverse(&self) -> Self {
        let matrix = [0, 1, 2].map(|r| [0, 1, 2].map(|c| self.matrix[c][r]));
        let back = Self { matrix, shift: [0.0; 3] };
        Self { matrix, shift: back.apply(self.shift).map(|s| -s) }
    }
}

/// Plates that move along a surface, and what their cells carry with them.
pub(crate) trait Kinematics: Tessellation {
    /// A turn, ready to be followed back by many cells.
    type Way: PartialEq + Send + Sync;

    /// Whether it matters for the velocity of a plate where it is.
    fn is_round(&self) -> bool;

    /// The turn of a plate that has the given velocity (metres on a flat map, radians about an axis on a
    /// sphere) for one unit of time.
    fn turn(&self, velocity: [f64; 3]) -> Turn;

    /// The way back of a turn.
    fn way_back(&self, turn: &Turn) -> Self::Way;

    /// Splits a turn into one by whole cells, where there is such a thing, and the remainder.
    fn whole_cells(&self, turn: &Turn) -> (Turn, Turn);

    /// How far plates may move before the crust is written anew, in metres.
    fn longest_move(&self) -> f64 {
        // Less than a block, whatever the direction.
        (self.shape().block as f64 - 3.0).max(1.0) * self.cell_size() * 0.6
    }

    /// Metres that a plate with this velocity moves at a point in one unit of time, as a vector.
    fn drift(&self, velocity: [f64; 3], p: Point) -> [f64; 3];

    /// A velocity of this many metres a unit of time at `p`; `u` and `v` are uniform random numbers.
    fn random_velocity(&self, metres: f64, p: Point, u: f64, v: f64) -> [f64; 3];

    /// The first of the cells from which these columns and rows of cells from `first` on come, if those are as many columns
    /// and rows.
    fn source(&self, _way: &Self::Way, _first: usize, _size: [usize; 2]) -> Option<usize> {
        None
    }

    /// What the cells from which those from `first` on come have in `from`, all of them in one row. What comes from
    /// beyond an edge stays as it is.
    fn gather(&self, way: &Self::Way, first: usize, from: &[u16], out: &mut [u16]);

    /// The same for land and birth of crust.
    fn carry(
        &self,
        way: &Self::Way,
        first: usize,
        from: (&[u8], &[f32]),
        out: (&mut [u8], &mut [f32]),
    );

    /// The blocks to which the cells of a block may have come, of which those `near` it are known.
    fn block_targets(&self, _way: &Self::Way, (_block, near): (usize, &[u32]), out: &mut Vec<u32>) {
        out.extend_from_slice(near);
    }

    /// The blocks from which the cells of a block may come; [`NONE`](super::NONE) for beyond an edge.
    fn block_sources(&self, _way: &Self::Way, (_block, near): (usize, &[u32]), out: &mut Vec<u32>) {
        out.extend_from_slice(near);
    }
}
