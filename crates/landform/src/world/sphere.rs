//! A sphere in cells: a cube blown up.
//!
//! Each of the six faces has N × N cells. A cell at −1 ≤ u ≤ 1 of its face lies at x = a u + (1 − a) u |u| of the
//! cube, a = π/4: near enough to equal angles, and its inverse needs no more than a square root. Cells differ in area by
//! less than a factor of 1.8, there is no pole, and no seam: the cells along an edge of a face have their neighbours on
//! the next one.

use std::f64::consts::{FRAC_PI_4, PI, TAU};
use std::ops::{Add, Div, Mul, Sub};
use std::sync::Arc;

use fearless_simd::{Level, dispatch};

use super::surface::{
    AROUND, NONE, Point, Shape, Stencil, Surface, Turn, block_side, cross, dot, inner_neighbours,
    plus, scaled, spline, unit,
};
use crate::{Lattice, math};

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
        let places = (0..n).map(|k| place(k as f64, n) as f32).collect();
        let width = |k: usize| place(k as f64 + 0.5, n) - place(k as f64 - 0.5, n);
        Self { n, radius, block: n.min(block), places, widths: (0..n).map(width).collect() }
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
        // The turn of each axis of the face. How far away a point is does not matter to `locate`.
        let axis = |k: usize| {
            let mut axis = [0.0; 3];
            axis[k] = 1.0;
            way.apply(Self::of_face(face, axis))
        };
        let [across, down, up] = [axis(0), axis(1), axis(2)];
        let y = f64::from(self.places[j]);
        let start = [0, 1, 2].map(|k| (down[k] * y + up[k]) as f32);
        let across = across.map(|c| c as f32);
        for (out, &x) in out.iter_mut().zip(&self.places[i..]) {
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
        let n = self.n as isize;
        let (i, j) = (i as isize + di, j as isize + dj);
        let is_in = |k: isize| (0..n).contains(&k);
        match (is_in(i), is_in(j)) {
            (true, true) => ((face * self.n + j as usize) * self.n + i as usize) as u32,
            (false, false) => NONE,
            (in_i, _) => {
                let edge = |k: isize| if k < 0 { -BEYOND } else { BEYOND };
                let x = if in_i { f64::from(self.places[i as usize]) } else { edge(i) };
                let y = if in_i { edge(j) } else { f64::from(self.places[j as usize]) };
                self.locate(Self::on_face(face, x, y))
            }
        }
    }
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
    ($($float:ty: $shift:expr),+) => {$(
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
                // What is added to 2²³ or 2⁵² loses its fraction and leaves its whole in the last bits.
                let shift: Self = $shift;
                let rounded = (self - 0.5).max(0.0) + shift;
                (rounded.to_bits() - shift.to_bits()) as u32
            }
        }
    )+};
}
real!(f32: 8_388_608.0, f64: 4_503_599_627_370_496.0);

/// Where the middle of column or row k of n lies on the cube.
fn place(k: f64, n: usize) -> f64 {
    let u = (2.0 * k + 1.0) / n as f64 - 1.0;
    FRAC_PI_4 * u + (1.0 - FRAC_PI_4) * u * u.abs()
}

impl Surface for CubeSphere {
    type Way = Turn;

    fn of(&self, lattice: &Lattice) -> Self {
        Self::new(lattice)
    }

    fn shape(&self) -> Shape {
        Shape { faces: 6, width: self.n, height: self.n, block: self.block }
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

    #[inline(always)]
    fn stencil(&self, p: Point) -> Stencil {
        let (face, x, y) = face_of(p);
        let (u, v) = (self.cell_at(x), self.cell_at(y));
        let n = self.n as u32;
        let (i, j) = (u.whole().min(n - 1), v.whole().min(n - 1));
        let across = spline(u - f64::from(i) - 0.5);
        let down = spline(v - f64::from(j) - 0.5);
        let own = (face * n + j) * n + i;
        let is_inner = i > 0 && j > 0 && i + 1 < n && j + 1 < n;
        let rows = if is_inner { [own - n, own, own + n] } else { [own; 3] };
        let mut stencil = Stencil { cells: [own; 9], weights: [0.0; 9] };
        for k in 0..9 {
            stencil.weights[k] = across[k % 3] * down[k / 3];
            stencil.cells[k] = rows[k / 3].wrapping_add(k as u32 % 3).wrapping_sub(1);
        }
        if !is_inner {
            stencil.cells = self.around_edge((face as usize, i as usize, j as usize));
        }
        stencil
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

    fn settled(&self, p: Point) -> Point {
        unit(p)
    }

    fn turn(&self, velocity: [f64; 3]) -> Turn {
        let angle = dot(velocity, velocity).sqrt();
        if angle == 0.0 {
            return Turn::NONE;
        }
        let [x, y, z] = scaled(velocity, 1.0 / angle);
        let (s, c) = (math::sin(angle), math::cos(angle));
        let t = 1.0 - c;
        let matrix = [
            [t * x * x + c, t * x * y - s * z, t * x * z + s * y],
            [t * x * y + s * z, t * y * y + c, t * y * z - s * x],
            [t * x * z - s * y, t * y * z + s * x, t * z * z + c],
        ];
        Turn { matrix, shift: [0.0; 3] }
    }

    fn whole_cells(&self, turn: &Turn) -> (Turn, Turn) {
        (*turn, Turn::NONE)
    }

    fn way_back(&self, turn: &Turn) -> Turn {
        turn.inverse()
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

    fn velocity_scale(&self) -> f64 {
        self.radius
    }

    fn drift(&self, velocity: [f64; 3], p: Point) -> [f64; 3] {
        scaled(cross(velocity, p), self.radius)
    }

    fn random_velocity(&self, metres: f64, p: Point, u: f64, v: f64) -> [f64; 3] {
        // The Euler pole lies 60 to 90 degrees from the middle of the plate: it travels more than it spins.
        let any = if p[2].abs() < 0.9 { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] };
        let east = unit(cross(any, p));
        let north = cross(p, east);
        let (s, c) = (math::sin(TAU * u), math::cos(TAU * u));
        let aside = plus(scaled(east, c), scaled(north, s));
        let lean = 0.5 * (2.0 * v - 1.0);
        let pole = unit(plus(scaled(aside, (1.0 - lean * lean).sqrt()), scaled(p, lean)));
        scaled(pole, metres / self.radius)
    }

    fn towards(&self, p: Point, q: Point) -> [f64; 3] {
        let across = plus(q, scaled(p, -dot(p, q)));
        unit(across)
    }

    fn ahead(&self, p: Point, direction: [f64; 3], metres: f64) -> Point {
        // Along the tangent and down: a thousand kilometres of the Earth are short by one part in a hundred.
        unit(plus(p, scaled(direction, metres / self.radius)))
    }

    fn random_point(&self, u: f64, v: f64) -> Point {
        self.on_map([u, math::atan2((v * (1.0 - v)).max(0.0).sqrt(), 0.5 - v) / PI])
    }

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
