//! The surface on which plates move: cells of about equal size, on a sphere or on a flat map.
//!
//! One set of algorithms runs on all of them. A surface is made of faces of `width` × `height` cells, row by
//! row: six on the [sphere](super::sphere), one on a [flat map](super::flat). Points are unit vectors on the sphere and
//! (x, 0, z) in metres on a flat map; a plate turns by a rotation on the one and by a shift on the other, both
//! of which are a [`Turn`].

use crate::keep::Keep;
use crate::topology::Topology;
use crate::{Cancelled, Ctx, Lattice};

use fearless_simd::Simd;

use super::flat::Flat;
use super::sphere::CubeSphere;

/// A place on a surface.
pub(crate) type Point = [f64; 3];

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

/// A peak, ready to be summed: height · max(0, 1 − distance / radius).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tent {
    /// [Settled](Surface::settled).
    pub(crate) at: Point,
    pub(crate) height: f64,
    pub(crate) radius: f64,
}

/// Weights of the cell before, of the own and of the next one, at −½ ≤ f ≤ ½ from the middle of the own.
#[inline]
pub(crate) fn spline(f: f64) -> [f32; 3] {
    let (a, b) = (0.5 - f, 0.5 + f);
    [(0.5 * a * a) as f32, (0.75 - f * f) as f32, (0.5 * b * b) as f32]
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

/// Places of a row that are looked up at once.
pub(crate) const TOGETHER: usize = 64;

/// Cells on a surface, and motion along it.
pub(crate) trait Surface: Send + Sync {
    /// A turn, ready to be followed back by many cells.
    type Way: PartialEq + Send + Sync;

    /// What the columns of a map have in common when [means](Self::row_means) are read row by row.
    type Across: Send + Sync;

    /// How far a place is moved along some [axes](Self::AXES), in the units of points.
    type Move: Copy + Default + AsRef<[f32]> + AsMut<[f32]> + Keep + Send + Sync;

    /// The axes of points along which a place can be moved.
    const AXES: &'static [usize];

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

    /// The cells around a point and their weights.
    fn stencil(&self, p: Point) -> Stencil;

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

    /// The [stencils](Self::stencil) of many points, made side by side where that is faster.
    #[inline(always)]
    fn stencils<V: Simd>(&self, _simd: V, points: &[Point], out: &mut [Stencil]) {
        for (&p, stencil) in points.iter().zip(out) {
            *stencil = self.stencil(p);
        }
    }

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

    /// Adds tents to the sums at points, all of which are [settled](Self::settled).
    #[inline(always)]
    fn raise<V: Simd>(&self, _simd: V, tents: &[Tent], points: &[Point], sums: &mut [f64]) {
        for (&p, sum) in points.iter().zip(sums) {
            for tent in tents {
                if self.chord_squared(p, tent.at) < tent.radius * tent.radius {
                    let share = 1.0 - self.distance(p, tent.at) / tent.radius;
                    *sum += if share > 0.0 { tent.height * share } else { 0.0 };
                }
            }
        }
    }

    /// Whether a point is not beyond an edge.
    fn holds(&self, p: Point) -> bool;

    /// The eight neighbours in the order of [`AROUND`]; [`NONE`] where there is none.
    fn neighbours(&self, cell: usize) -> [u32; 8];

    /// Metres from each cell to the nearest for which `is_source`: see [`distance_to`](super::distance::distance_to).
    fn distances(
        &self,
        is_source: impl Fn(usize) -> bool,
        limit: f64,
        ctx: &Ctx<'_>,
    ) -> Result<Vec<f32>, Cancelled>
    where
        Self: Sized,
    {
        super::distance::spread(self, is_source, limit, ctx)
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

    /// The area of a cell in m².
    fn area(&self, cell: usize) -> f64;

    /// The area of a cell in m², if all have the same.
    fn even_area(&self) -> Option<f64> {
        None
    }

    /// The square of the straight way from a to b, in m²: never longer than along the surface.
    fn chord_squared(&self, a: Point, b: Point) -> f64;

    /// The way from a to b in metres.
    fn distance(&self, a: Point, b: Point) -> f64;

    /// Back onto the surface after a turn: into the map, or to unit length.
    fn settled(&self, p: Point) -> Point;

    /// The turn of a plate that has the given velocity (metres on a flat map, radians about an axis on a
    /// sphere) for one unit of time.
    fn turn(&self, velocity: [f64; 3]) -> Turn;

    /// The way back of a turn.
    fn way_back(&self, turn: &Turn) -> Self::Way;

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

    /// How far plates may move before the crust is written anew, in metres.
    fn longest_move(&self) -> f64 {
        // Less than a block, whatever the direction.
        (self.shape().block as f64 - 3.0).max(1.0) * self.cell_size() * 0.6
    }

    /// The blocks to which the cells of a block may have come, of which those `near` it are known.
    fn block_targets(&self, _way: &Self::Way, (_block, near): (usize, &[u32]), out: &mut Vec<u32>) {
        out.extend_from_slice(near);
    }

    /// The blocks from which the cells of a block may come; [`NONE`] for beyond an edge.
    fn block_sources(&self, _way: &Self::Way, (_block, near): (usize, &[u32]), out: &mut Vec<u32>) {
        out.extend_from_slice(near);
    }

    /// The blocks of `shape` within so many metres of a point on the map; nothing is found, and false given, where that is not
    /// easily told.
    fn blocks_within(&self, _shape: &Shape, _p: Point, _metres: f64, _out: &mut Vec<u32>) -> bool {
        false
    }

    /// Splits a turn into one by whole cells, where there is such a thing, and the remainder.
    fn whole_cells(&self, turn: &Turn) -> (Turn, Turn);

    /// Whether it matters for the velocity of a plate where it is.
    fn is_round(&self) -> bool;

    /// Metres that a plate with a velocity of length 1 moves at the most.
    fn velocity_scale(&self) -> f64;

    /// Metres that a plate with this velocity moves at a point in one unit of time, as a vector.
    fn drift(&self, velocity: [f64; 3], p: Point) -> [f64; 3];

    /// A velocity of this many metres a unit of time at `p`; `u` and `v` are uniform random numbers.
    fn random_velocity(&self, metres: f64, p: Point, u: f64, v: f64) -> [f64; 3];

    /// The unit vector along the surface from `p` towards `q`; zeros if they are the same.
    fn towards(&self, p: Point, q: Point) -> [f64; 3];

    /// The point this many metres from `p` in a direction along the surface.
    fn ahead(&self, p: Point, direction: [f64; 3], metres: f64) -> Point;

    /// The cells of the points this many metres from `p` in some directions; [`NONE`] beyond an edge.
    fn locate_ahead<const N: usize>(
        &self,
        p: Point,
        ways: &[[f64; 3]; N],
        metres: f64,
    ) -> [u32; N] {
        ways.map(|way| self.locate(self.ahead(p, way, metres)))
    }

    /// A point for which all of the surface is as likely.
    fn random_point(&self, u: f64, v: f64) -> Point;

    /// What all points of a map at this share of its width have in common.
    fn column(&self, share: f64) -> [f64; 2];

    /// What all points of a map at this share of its depth have in common.
    fn row(&self, share: f64) -> [f64; 2];

    /// The point where a column and a row meet.
    fn crossing(&self, column: [f64; 2], row: [f64; 2]) -> Point;

    /// The point of a map at these shares of its width and depth.
    fn on_map(&self, [x, z]: [f64; 2]) -> Point {
        self.crossing(self.column(x), self.row(z))
    }

    /// The shares of the width and depth of the map.
    fn to_map(&self, p: Point) -> [f64; 2];
}

/// The surface of a map.
#[derive(Clone, Debug)]
pub(crate) enum AnySurface {
    Sphere(CubeSphere),
    Flat(Flat),
}

impl AnySurface {
    /// The surface of the ground of `lattice`, with cells as far apart as its grid lines.
    pub(crate) fn new(topology: Topology, lattice: &Lattice) -> Self {
        match topology {
            Topology::Sphere => Self::Sphere(CubeSphere::new(lattice)),
            _ => Self::Flat(Flat::new(lattice, topology.wraps())),
        }
    }
}

/// Calls a function that is generic over the surface.
macro_rules! on_surface {
    ($any:expr, $surface:ident => $body:expr) => {
        match $any {
            $crate::world::surface::AnySurface::Sphere($surface) => $body,
            $crate::world::surface::AnySurface::Flat($surface) => $body,
        }
    };
}
pub(crate) use on_surface;

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
pub(crate) fn block_neighbours<S: Surface>(surface: &S, shape: Shape) -> Vec<Vec<u32>> {
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
