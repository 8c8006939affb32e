//! A sphere in cells: a cube blown up.
//!
//! Each of the six faces has N × N cells. A cell at −1 ≤ u ≤ 1 of its face lies at x = a u + (1 − a) u |u| of the
//! cube, a = π/4: near enough to equal angles, and its inverse needs no more than a square root. Cells differ in area by
//! less than a factor of 1.8, there is no pole, and no seam: the cells along an edge of a face have their neighbours on
//! the next one.

use std::f64::consts::{FRAC_PI_4, PI, TAU};
use std::ops::{Add, Div, Mul, Sub};
use std::sync::Arc;

use fearless_simd::{Level, Simd, dispatch, f64x4, prelude::*};

use super::surface::{
    AROUND, CellInterpolation, DistanceTransform, Geometry, Kinematics, MapCoordinates, NONE,
    Point, Shape, Stencil, TOGETHER, Tessellation, Turn, block_side, inner_neighbours, spline,
};
use crate::math::rounding;
use crate::math::vector::{add, cross, dot, scale, unit};
use crate::{Lattice, math};

/// Points side by side: as many as a register of AVX2 holds.
const LANES: usize = 8;

/// Just beyond the edge of a face.
const BEYOND: f64 = 1.0 + 1e-9;

/// The faces of a cube over a sphere.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CubeSphere {
    /// Cells along an edge.
    n: usize,
    /// Radius in metres.
    radius: f64,
    block: usize,
    /// Where the middle of each column and row lies on the cube.
    places: Arc<[f32]>,
    /// How wide it is there.
    widths: Arc<[f64]>,
    /// The cells beyond the edges of the faces: see [`edges`].
    edges: Arc<[u32]>,
}

impl CubeSphere {
    /// With as many cells around the equator as the lattice has columns.
    pub(crate) fn new(lattice: &Lattice) -> Self {
        let around = (lattice.size[0] as usize - 1).max(4);
        let n = around.div_ceil(4);
        // Faces are made of whole blocks.
        let block = block_side(around);
        let n = if n < block { n } else { n.div_ceil(block) * block };
        let width = lattice.ground()[0];
        let radius = if width > 0.0 { width / TAU } else { 1.0 };
        Self::with(n, radius, n.min(block))
    }

    fn with(n: usize, radius: f64, block: usize) -> Self {
        let places = (0..n).map(|k| place(k as f64, n) as f32).collect();
        let width = |k: usize| place(k as f64 + 0.5, n) - place(k as f64 - 0.5, n);
        let widths = (0..n).map(width).collect();
        let mut sphere = Self { n, radius, block, places, widths, edges: Arc::default() };
        sphere.edges = edges(&sphere);
        sphere
    }

    /// The face, column and row of a cell.
    #[inline]
    fn split(&self, cell: usize) -> (usize, usize, usize) {
        // Whole numbers of 32 bits are divided in half the time.
        let (cell, n) = (cell as u32, self.n as u32);
        let (row, i) = (cell / n, cell % n);
        ((row / n) as usize, i as usize, (row % n) as usize)
    }

    /// A face of the cube in space, from its own axes across, down and up.
    #[inline]
    fn of_face(face: usize, [x, y, z]: Point) -> Point {
        match face {
            0 => [z, x, y],
            1 => [-z, x, y],
            2 => [y, z, x],
            3 => [y, -z, x],
            4 => [x, y, z],
            _ => [x, y, -z],
        }
    }

    /// The point of a face at (x, y) of the cube.
    #[inline]
    fn on_face(face: usize, x: f64, y: f64) -> Point {
        let shrink = 1.0 / (1.0 + x * x + y * y).sqrt();
        Self::of_face(face, [x * shrink, y * shrink, shrink])
    }

    /// The column or row, with its fraction, of a place on the cube: the inverse of [`place`], plus ½.
    #[inline(always)]
    fn cell_at<T: Real>(&self, x: T) -> T {
        const B: f64 = 1.0 - FRAC_PI_4;
        let (a, half) = (T::of(FRAC_PI_4), T::of(0.5 * self.n as f64));
        let t = ((a * a + T::of(4.0 * B) * x.abs()).sqrt() - a) * T::of(0.5 / B);
        half + half * if x < T::of(0.0) { T::of(0.0) - t } else { t }
    }

    /// The cells around one, with the weights of their columns and rows.
    #[inline(always)]
    fn stencil_of(
        &self,
        own: u32,
        is_inner: bool,
        (across, down): ([f32; 3], [f32; 3]),
    ) -> Stencil {
        let n = self.n as u32;
        let rows = if is_inner { [own - n, own, own + n] } else { [own; 3] };
        let mut stencil = Stencil { cells: [own; 9], weights: [0.0; 9] };
        for k in 0..9 {
            stencil.weights[k] = across[k % 3] * down[k / 3];
            stencil.cells[k] = rows[k / 3].wrapping_add(k as u32 % 3).wrapping_sub(1);
        }
        if !is_inner {
            stencil.cells = self.around_edge(self.split(own as usize));
        }
        stencil
    }

    /// [`face_of`] and [`cell_at`](Self::cell_at) of eight points, number by number the same.
    #[inline(always)]
    fn places_of<V: Simd>(&self, simd: V, at: &[[f64; LANES]; 3]) -> EightPlaces {
        let (n, last) = (self.n as f64, (self.n - 1) as f64);
        let mut places = EightPlaces::default();
        let mut across = [[f64x4::splat(simd, 0.0); 3]; 2];
        let mut down = across;
        for half in 0..2 {
            let lanes = 4 * half..4 * half + 4;
            let x = f64x4::from_slice(simd, &at[0][lanes.clone()]);
            let y = f64x4::from_slice(simd, &at[1][lanes.clone()]);
            let z = f64x4::from_slice(simd, &at[2][lanes.clone()]);
            let (a, b, c) = (x.abs(), y.abs(), z.abs());
            let is_x = a.simd_ge(b) & a.simd_ge(c);
            let is_y = b.simd_ge(c);
            let up = simd.select_f64x4(is_x, x, simd.select_f64x4(is_y, y, z));
            let right = simd.select_f64x4(is_x, y, simd.select_f64x4(is_y, z, x));
            let below = simd.select_f64x4(is_x, z, simd.select_f64x4(is_y, x, y));
            let [zero, one, two, four] = [0.0, 1.0, 2.0, 4.0].map(|k| f64x4::splat(simd, k));
            let axis = simd.select_f64x4(is_x, zero, simd.select_f64x4(is_y, two, four));
            let face = axis + simd.select_f64x4(up.simd_lt(zero), one, zero);
            let shrink = one / up.abs();
            let i = self.columns_at(simd, right * shrink, &mut across[half]);
            let j = self.columns_at(simd, below * shrink, &mut down[half]);
            ((face * n + j) * n + i).store_slice(&mut places.cells[lanes.clone()]);
            let edge = i.min(j).min((last - i).min(last - j));
            edge.store_slice(&mut places.edges[lanes]);
        }
        for k in 0..3 {
            simd.narrow_f64x4(across[0][k], across[1][k]).store_slice(&mut places.across[k]);
            simd.narrow_f64x4(down[0][k], down[1][k]).store_slice(&mut places.down[k]);
        }
        places
    }

    /// The columns or rows of places on the cube, and the weights of the three around each: see [`spline`].
    #[inline(always)]
    fn columns_at<V: Simd>(&self, simd: V, x: f64x4<V>, weights: &mut [f64x4<V>; 3]) -> f64x4<V> {
        const B: f64 = 1.0 - FRAC_PI_4;
        let (zero, half) = (f64x4::splat(simd, 0.0), 0.5 * self.n as f64);
        let root = (x.abs() * (4.0 * B) + FRAC_PI_4 * FRAC_PI_4).sqrt();
        let t = (root - FRAC_PI_4) * (0.5 / B);
        let at = simd.select_f64x4(x.simd_lt(zero), zero - t, t) * half + half;
        let k = rounding::nearest_four((at - 0.5).max(zero));
        let k = k.min(f64x4::splat(simd, (self.n - 1) as f64));
        let f = at - k - 0.5;
        let (a, b) = (f64x4::splat(simd, 0.5) - f, f + 0.5);
        *weights = [a * 0.5 * a, f64x4::splat(simd, 0.75) - f * f, b * 0.5 * b];
        k
    }

    /// The cell of a direction.
    #[inline(always)]
    fn cell_of<T: Real>(&self, p: [T; 3]) -> u32 {
        let (face, x, y) = face_of(p);
        let n = self.n as u32;
        let (i, j) = (self.cell_at(x).whole(), self.cell_at(y).whole());
        (face * n + j.min(n - 1)) * n + i.min(n - 1)
    }

    /// The cells from which those of a part of a row come.
    #[inline(always)]
    fn row_sources(&self, way: &Turn, first: usize, out: &mut [u32]) {
        let (face, i, j) = self.split(first);
        // The turn of each axis of the face, as `of_face` has them. How far away a point is does not matter to `locate`.
        let turned = |axis: usize| [way.matrix[0][axis], way.matrix[1][axis], way.matrix[2][axis]];
        let axis = face / 2;
        let (across, down) = (turned((axis + 1) % 3), turned((axis + 2) % 3));
        let up = if face % 2 == 0 { turned(axis) } else { turned(axis).map(|c| -c) };
        let y = f64::from(self.places[j]);
        let start = [0, 1, 2].map(|k| (down[k] * y + up[k]) as f32);
        let across = across.map(|c| c as f32);
        let places = &self.places[i..i + out.len()];
        let (eights, last_places) = places.as_chunks::<LANES>();
        let (out, last_out) = out.as_chunks_mut::<LANES>();
        for (out, x) in out.iter_mut().zip(eights) {
            // Side by side only into a place of its own.
            let mut cells = [0; LANES];
            for lane in 0..LANES {
                let at = |axis: usize| across[axis] * x[lane] + start[axis];
                cells[lane] = self.cell_of([at(0), at(1), at(2)]);
            }
            *out = cells;
        }
        for (out, x) in last_out.iter_mut().zip(last_places) {
            let p = [across[0] * x + start[0], across[1] * x + start[1], across[2] * x + start[2]];
            *out = self.cell_of(p);
        }
    }

    /// Calls `f` for each of `count` cells of a row with its number and the cell from which it comes.
    #[inline(always)]
    fn for_each_source(
        &self,
        way: &Turn,
        first: usize,
        count: usize,
        mut f: impl FnMut(usize, usize),
    ) {
        let mut sources = [NONE; 64];
        for start in (0..count).step_by(sources.len()) {
            let sources = &mut sources[..(count - start).min(64)];
            dispatch!(Level::new(), _simd => self.row_sources(way, first + start, sources));
            for (k, &source) in sources.iter().enumerate() {
                f(start + k, source as usize);
            }
        }
    }

    /// The cells in some directions from `p`, this many radii away.
    #[inline(always)]
    fn cells_ahead<const N: usize>(&self, p: Point, ways: &[[f64; 3]; N], radii: f64) -> [u32; N] {
        let mut at = [[0.0; N]; 3];
        for (k, way) in ways.iter().enumerate() {
            for axis in 0..3 {
                at[axis][k] = p[axis] + way[axis] * radii;
            }
        }
        let mut cells = [0; N];
        for k in 0..N {
            cells[k] = self.cell_of([at[0][k], at[1][k], at[2][k]]);
        }
        cells
    }

    /// The cells around one at the edge of a face; itself where there is none, at the corners of the cube.
    #[cold]
    fn around_edge(&self, (face, i, j): (usize, usize, usize)) -> [u32; 9] {
        let own = ((face * self.n + j) * self.n + i) as u32;
        let mut cells = [own; 9];
        for (k, cell) in cells.iter_mut().enumerate() {
            let step = ((k % 3) as isize - 1, (k / 3) as isize - 1);
            let found = self.neighbour((face, i, j), step);
            *cell = if found == NONE { own } else { found };
        }
        cells
    }

    fn neighbour(&self, (face, i, j): (usize, usize, usize), (di, dj): (isize, isize)) -> u32 {
        let (n, last) = (self.n, self.n as isize - 1);
        let (i, j) = (i as isize + di, j as isize + dj);
        let beyond = |side: usize, k: isize| self.edges[(face * 4 + side) * n + k as usize];
        match (i.clamp(0, last) - i, j.clamp(0, last) - j) {
            (0, 0) => ((face * n + j as usize) * n + i as usize) as u32,
            (0, into) => beyond(if into > 0 { 0 } else { 1 }, i),
            (into, 0) => beyond(if into > 0 { 2 } else { 3 }, j),
            _ => NONE,
        }
    }
}

/// Where eight points are.
#[derive(Default)]
struct EightPlaces {
    /// The cells that they are in.
    cells: [f64; LANES],
    /// How many cells from the edge of the face.
    edges: [f64; LANES],
    /// Weights of the three columns around each, and of the rows.
    across: [[f32; LANES]; 3],
    down: [[f32; LANES]; 3],
}

/// The cells beyond the edges of each face: above its columns, below them, to the left and to the right of its rows.
fn edges(sphere: &CubeSphere) -> Arc<[u32]> {
    let mut cells = Vec::with_capacity(24 * sphere.n);
    for face in 0..6 {
        for side in 0..4 {
            let edge = if side % 2 == 0 { -BEYOND } else { BEYOND };
            for &place in &*sphere.places {
                let (x, y) =
                    if side < 2 { (f64::from(place), edge) } else { (edge, f64::from(place)) };
                cells.push(sphere.locate(CubeSphere::on_face(face, x, y)));
            }
        }
    }
    cells.into()
}

/// The face of a direction and where it is on it. There is no branch, so that many are found side by side.
#[inline(always)]
fn face_of<T: Real>([x, y, z]: [T; 3]) -> (u32, T, T) {
    let (a, b, c) = (x.abs(), y.abs(), z.abs());
    let is_x = (a >= b) & (a >= c);
    let is_y = !is_x & (b >= c);
    let (up, across, down, axis) = if is_x {
        (x, y, z, 0)
    } else if is_y {
        (y, z, x, 2)
    } else {
        (z, x, y, 4)
    };
    let shrink = T::of(1.0) / up.abs();
    (axis + u32::from(up < T::of(0.0)), across * shrink, down * shrink)
}

/// A floating-point number: of 64 bits where fractions of a cell count, of 32 where many cells are found at once.
trait Real:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    fn of(x: f64) -> Self;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    /// The whole number below; 0 for all that are negative. Conversions proper are made one by one, this side by side.
    fn whole(self) -> u32;
}

macro_rules! real {
    ($($float:ty: $integer:path),+) => {$(
        impl Real for $float {
            #[inline(always)]
            fn of(x: f64) -> Self {
                x as Self
            }
            #[inline(always)]
            fn abs(self) -> Self {
                self.abs()
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                self.sqrt()
            }
            #[inline(always)]
            fn whole(self) -> u32 {
                $integer((self - 0.5).max(0.0)) as u32
            }
        }
    )+};
}
real!(f32: rounding::integer_single, f64: rounding::integer);

/// Where the middle of column or row k of n lies on the cube.
fn place(k: f64, n: usize) -> f64 {
    let u = (2.0 * k + 1.0) / n as f64 - 1.0;
    FRAC_PI_4 * u + (1.0 - FRAC_PI_4) * u * u.abs()
}

impl Geometry for CubeSphere {
    #[inline]
    fn chord_squared(&self, a: Point, b: Point) -> f64 {
        let d = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        dot(d, d) * self.radius * self.radius
    }

    #[inline]
    fn distance(&self, a: Point, b: Point) -> f64 {
        let d = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        let half = 0.5 * dot(d, d).sqrt();
        // 2 asin(half): the series is exact to 1e-9 for the short ways that are asked for most.
        if half < 0.1 {
            let s = half * half;
            return self.radius
                * 2.0
                * half
                * (1.0 + s * (1.0 / 6.0 + s * (0.075 + s * (15.0 / 336.0))));
        }
        let half = half.min(1.0);
        self.radius * 2.0 * math::atan2(half, (1.0 - half * half).max(0.0).sqrt())
    }

    #[inline(always)]
    fn settled(&self, p: Point) -> Point {
        unit(p)
    }

    #[inline(always)]
    fn holds(&self, _p: Point) -> bool {
        true
    }

    fn towards(&self, p: Point, q: Point) -> [f64; 3] {
        let across = add(q, scale(p, -dot(p, q)));
        unit(across)
    }

    fn ahead(&self, p: Point, direction: [f64; 3], metres: f64) -> Point {
        // Along the tangent and down: a thousand kilometres of the Earth are short by one part in a hundred.
        unit(add(p, scale(direction, metres / self.radius)))
    }

    fn random_point(&self, u: f64, v: f64) -> Point {
        self.on_map([u, math::atan2((v * (1.0 - v)).max(0.0).sqrt(), 0.5 - v) / PI])
    }

    fn velocity_scale(&self) -> f64 {
        self.radius
    }
}

impl Tessellation for CubeSphere {
    fn shape(&self) -> Shape {
        Shape { faces: 6, width: self.n, height: self.n, block: self.block }
    }

    fn of(&self, lattice: &Lattice) -> Self {
        Self::new(lattice)
    }

    fn coarser(&self) -> Self {
        let n = self.n.div_ceil(2);
        let block = if n.is_multiple_of(self.block) { self.block } else { n };
        Self::with(n, self.radius, block)
    }

    fn cell_size(&self) -> f64 {
        self.radius * (4.0 * PI / (6 * self.n * self.n) as f64).sqrt()
    }

    fn point(&self, cell: usize) -> Point {
        let (face, i, j) = self.split(cell);
        Self::on_face(face, f64::from(self.places[i]), f64::from(self.places[j]))
    }

    #[inline]
    fn locate(&self, p: Point) -> u32 {
        self.cell_of(p)
    }

    fn locate_ahead<const N: usize>(
        &self,
        p: Point,
        ways: &[[f64; 3]; N],
        metres: f64,
    ) -> [u32; N] {
        let radii = metres / self.radius;
        dispatch!(Level::new(), _simd => self.cells_ahead(p, ways, radii))
    }

    fn neighbours(&self, cell: usize) -> [u32; 8] {
        let at = self.split(cell);
        let (_, i, j) = at;
        let last = self.n - 1;
        if i > 0 && j > 0 && i < last && j < last {
            return inner_neighbours(cell, self.n);
        }
        AROUND.map(|step| self.neighbour(at, step))
    }

    fn area(&self, cell: usize) -> f64 {
        let (_, i, j) = self.split(cell);
        // The cube's face seen from the middle: dA = dx dy / (1 + x² + y²)^(3/2).
        let (x, y) = (f64::from(self.places[i]), f64::from(self.places[j]));
        let r = 1.0 + x * x + y * y;
        self.widths[i] * self.widths[j] / (r * r.sqrt()) * self.radius * self.radius
    }
}

impl DistanceTransform for CubeSphere {}

impl Kinematics for CubeSphere {
    type Way = Turn;

    fn is_round(&self) -> bool {
        true
    }

    fn turn(&self, velocity: [f64; 3]) -> Turn {
        let angle = dot(velocity, velocity).sqrt();
        if angle == 0.0 {
            return Turn::NONE;
        }
        let [x, y, z] = scale(velocity, 1.0 / angle);
        let (s, c) = (math::sin(angle), math::cos(angle));
        let t = 1.0 - c;
        let matrix = [
            [t * x * x + c, t * x * y - s * z, t * x * z + s * y],
            [t * x * y + s * z, t * y * y + c, t * y * z - s * x],
            [t * x * z - s * y, t * y * z + s * x, t * z * z + c],
        ];
        Turn { matrix, shift: [0.0; 3] }
    }

    fn way_back(&self, turn: &Turn) -> Turn {
        turn.inverse()
    }

    fn whole_cells(&self, turn: &Turn) -> (Turn, Turn) {
        (*turn, Turn::NONE)
    }

    fn drift(&self, velocity: [f64; 3], p: Point) -> [f64; 3] {
        scale(cross(velocity, p), self.radius)
    }

    fn random_velocity(&self, metres: f64, p: Point, u: f64, v: f64) -> [f64; 3] {
        // The Euler pole lies 60 to 90 degrees from the middle of the plate: it travels more than it spins.
        let any = if p[2].abs() < 0.9 { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] };
        let east = unit(cross(any, p));
        let north = cross(p, east);
        let (s, c) = (math::sin(TAU * u), math::cos(TAU * u));
        let aside = add(scale(east, c), scale(north, s));
        let lean = 0.5 * (2.0 * v - 1.0);
        let pole = unit(add(scale(aside, (1.0 - lean * lean).sqrt()), scale(p, lean)));
        scale(pole, metres / self.radius)
    }

    fn gather(&self, way: &Turn, first: usize, from: &[u16], out: &mut [u16]) {
        self.for_each_source(way, first, out.len(), |k, source| out[k] = from[source]);
    }

    fn carry(
        &self,
        way: &Turn,
        first: usize,
        (lands, births): (&[u8], &[f32]),
        (land, birth): (&mut [u8], &mut [f32]),
    ) {
        self.for_each_source(way, first, land.len(), |k, source| {
            (land[k], birth[k]) = (lands[source], births[source]);
        });
    }
}

impl CellInterpolation for CubeSphere {
    type Across = ();

    /// The fourth number is not used: four are added at once.
    type Move = [f32; 4];

    const AXES: &'static [usize] = &[0, 1, 2];

    #[inline(always)]
    fn stencil(&self, p: Point) -> Stencil {
        let (face, x, y) = face_of(p);
        let (u, v) = (self.cell_at(x), self.cell_at(y));
        let n = self.n as u32;
        let (i, j) = (u.whole().min(n - 1), v.whole().min(n - 1));
        let across = spline(u - f64::from(i) - 0.5);
        let down = spline(v - f64::from(j) - 0.5);
        let is_inner = i > 0 && j > 0 && i + 1 < n && j + 1 < n;
        self.stencil_of((face * n + j) * n + i, is_inner, (across, down))
    }

    #[inline(always)]
    fn stencils<V: Simd>(&self, simd: V, points: &[Point], out: &mut [Stencil]) {
        let (points, last_points) = points.as_chunks::<LANES>();
        let (out, last_out) = out.as_chunks_mut::<LANES>();
        for (points, out) in points.iter().zip(out) {
            let mut at = [[0.0; LANES]; 3];
            for lane in 0..LANES {
                for axis in 0..3 {
                    at[axis][lane] = points[lane][axis];
                }
            }
            let places = self.places_of(simd, &at);
            for lane in 0..LANES {
                let EightPlaces { across: a, down: d, .. } = &places;
                let (across, down) =
                    ([a[0][lane], a[1][lane], a[2][lane]], [d[0][lane], d[1][lane], d[2][lane]]);
                let is_inner = places.edges[lane] > 0.0;
                out[lane] = self.stencil_of(places.cells[lane] as u32, is_inner, (across, down));
            }
        }
        for (&p, stencil) in last_points.iter().zip(last_out) {
            *stencil = self.stencil(p);
        }
    }

    fn across(&self, _row: &[Point]) {}

    fn row_means(&self, _across: &(), points: &[Point], moves: &[[f32; 4]]) -> Vec<[f32; 4]> {
        let mut means = Vec::with_capacity(points.len());
        let mut stencils = [Stencil::NONE; TOGETHER];
        for points in points.chunks(TOGETHER) {
            let stencils = &mut stencils[..points.len()];
            dispatch!(Level::new(), simd => self.stencils(simd, points, stencils));
            means.extend(stencils.iter().map(|stencil| stencil.mean(moves)));
        }
        means
    }

    #[inline(always)]
    fn moved(&self, p: Point, [x, y, z, _]: [f32; 4]) -> Point {
        [p[0] + f64::from(x), p[1] + f64::from(y), p[2] + f64::from(z)]
    }
}

impl MapCoordinates for CubeSphere {
    fn column(&self, share: f64) -> [f64; 2] {
        let longitude = TAU * (share - 0.5);
        [math::cos(longitude), math::sin(longitude)]
    }

    fn row(&self, share: f64) -> [f64; 2] {
        let latitude = PI * (0.5 - share);
        [math::cos(latitude), math::sin(latitude)]
    }

    #[inline]
    fn crossing(&self, [cos, sin]: [f64; 2], [flat, up]: [f64; 2]) -> Point {
        [flat * cos, flat * sin, up]
    }

    fn to_map(&self, p: Point) -> [f64; 2] {
        let longitude = math::atan2(p[1], p[0]);
        let latitude = math::atan2(p[2], math::length(p[0], p[1]));
        [0.5 + longitude / TAU, 0.5 - latitude / PI]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    fn sphere() -> CubeSphere {
        CubeSphere::new(&Lattice { size: [129, 65], spacing: [312_000.0, 312_000.0] })
    }

    /// Random points, those on the edges and at the corners of the cube among them.
    fn points() -> Vec<Point> {
        let seed = Seed::new(8);
        let coordinate = |k: u64| 2.0 * seed.uniform(k) - 1.0;
        let mut points: Vec<Point> =
            (0..997).map(|k| unit([0, 1, 2].map(|axis| coordinate(3 * k + axis)))).collect();
        points.extend([[1.0, 1.0, 1.0], [1.0, -1.0, 0.0], [0.0, 0.0, -1.0], [-1.0, 0.3, 1.0]]);
        points
    }

    #[test]
    fn stencils_side_by_side_are_those_of_each_point_alone() {
        let (sphere, points) = (sphere(), points());
        let mut stencils = vec![Stencil::NONE; points.len()];
        dispatch!(Level::new(), simd => sphere.stencils(simd, &points, &mut stencils));
        for (&p, found) in points.iter().zip(stencils) {
            let alone = sphere.stencil(p);
            assert_eq!(found.cells, alone.cells, "{p:?}");
            assert_eq!(found.weights.map(f32::to_bits), alone.weights.map(f32::to_bits), "{p:?}");
        }
    }

    #[test]
    fn neighbours_touch_and_know_each_other() {
        let sphere = sphere();
        for cell in 0..sphere.shape().cells() {
            for next in &sphere.neighbours(cell)[..4] {
                let next = *next as usize;
                let way = sphere.distance(sphere.point(cell), sphere.point(next));
                assert!(way < 1.5 * sphere.cell_size(), "{cell} {next}: {way}");
                assert!(sphere.neighbours(next)[..4].contains(&(cell as u32)), "{cell} {next}");
            }
        }
    }

    #[test]
    fn cells_ahead_are_those_of_the_points_ahead() {
        let (sphere, points) = (sphere(), points());
        for pair in points.windows(2) {
            let way = sphere.towards(pair[0], pair[1]);
            let found = sphere.locate_ahead(pair[0], &[way; 5], 400e3);
            assert_eq!(found, [sphere.locate(sphere.ahead(pair[0], way, 400e3)); 5]);
        }
    }
}
