//! Reading between the middles of cells, with a quadratic B-spline.

use fearless_simd::Simd;

use super::{NONE, Point, Shape, Tessellation};
use crate::keep::Keep;

/// Nine cells around a point with their weights: a quadratic B-spline, smooth across cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stencil {
    pub(crate) cells: [u32; 9],
    pub(crate) weights: [f32; 9],
}

impl Stencil {
    pub(crate) const NONE: Self = Self { cells: [NONE; 9], weights: [0.0; 9] };

    /// The weighted mean of what the cells have.
    #[inline(always)]
    pub(crate) fn mean<const N: usize>(&self, values: &[[f32; N]]) -> [f32; N] {
        let mut sums = [-0.0_f32; N];
        for (&cell, &weight) in self.cells.iter().zip(&self.weights) {
            let value = &values[cell as usize];
            for (sum, value) in sums.iter_mut().zip(value) {
                *sum += weight * value;
            }
        }
        sums
    }
}

/// What is found around points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around {
    /// The weighted means of what the cells around each have.
    pub(crate) means: [[f32; TOGETHER]; 2],
    /// The cell that each is in, or the nearest to it.
    pub(crate) cells: [u32; TOGETHER],
    /// The block of that cell.
    pub(crate) blocks: [u32; TOGETHER],
}

impl Around {
    pub(crate) const NOTHING: Self =
        Self { means: [[0.0; TOGETHER]; 2], cells: [NONE; TOGETHER], blocks: [NONE; TOGETHER] };
}

/// Weights of the cell before, of the own and of the next one, at −½ ≤ f ≤ ½ from the middle of the own.
#[inline]
pub(crate) fn spline(f: f64) -> [f32; 3] {
    let (a, b) = (0.5 - f, 0.5 + f);
    [(0.5 * a * a) as f32, (0.75 - f * f) as f32, (0.5 * b * b) as f32]
}

/// Places of a row that are looked up at once.
pub(crate) const TOGETHER: usize = 64;

/// What cells have, read at points between their middles.
pub(crate) trait CellInterpolation: Tessellation {
    /// What the columns of a map have in common when [means](Self::row_means) are read row by row.
    type Across: Send + Sync;

    /// How far a place is moved along some [axes](Self::AXES), in the units of points.
    type Move: Copy + Default + AsRef<[f32]> + AsMut<[f32]> + Keep + Send + Sync;

    /// The axes of points along which a place can be moved.
    const AXES: &'static [usize];

    /// The cells around a point and their weights.
    fn stencil(&self, p: Point) -> Stencil;

    /// The [stencils](Self::stencil) of many points, made side by side where that is faster.
    #[inline(always)]
    fn stencils<V: Simd>(&self, _simd: V, points: &[Point], out: &mut [Stencil]) {
        for (&p, stencil) in points.iter().zip(out) {
            *stencil = self.stencil(p);
        }
    }

    /// What the columns of a map have in common, of which this is a row.
    fn across(&self, row: &[Point]) -> Self::Across;

    /// The weighted means of what the cells around points have, all of which lie in one row of a map with these columns.
    fn row_means(
        &self,
        across: &Self::Across,
        points: &[Point],
        moves: &[Self::Move],
    ) -> Vec<Self::Move>;

    /// A place that has been moved; it may then be beside the surface, or beyond an edge.
    fn moved(&self, p: Point, by: Self::Move) -> Point;

    /// What is found around each of at most [`TOGETHER`] points, in blocks of `shape`.
    #[inline(always)]
    fn look_around<V: Simd>(
        &self,
        simd: V,
        points: &[Point],
        (values, shape): (&[[f32; 2]], &Shape),
        out: &mut Around,
    ) {
        let mut stencils = [Stencil::NONE; TOGETHER];
        let stencils = &mut stencils[..points.len()];
        self.stencils(simd, points, stencils);
        for (k, stencil) in stencils.iter().enumerate() {
            let cell = stencil.cells[4];
            [out.means[0][k], out.means[1][k]] = stencil.mean(values);
            (out.cells[k], out.blocks[k]) = (cell, shape.block_of(cell as usize) as u32);
        }
    }
}
