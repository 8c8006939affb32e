//! Gradient noise (Perlin 1985, with the fade of 2002): smooth random hills of one size.
//!
//! ```text
//! n(p) = Σ over the four corners c of the unit cell of p:  s(1 − |x − c_x|) s(1 − |z − c_z|) g_c·(p − c)
//! s(t) = 6t⁵ − 15t⁴ + 10t³
//! ```
//!
//! Each lattice point has a gradient of length √2 whose direction is a hash of its column and row: any direction,
//! not one of eight, which is what shows the lattice in older noises. Values lie in −1..=1, are 0 at lattice
//! points and have a standard deviation of about 0.3.
//!
//! On a grid whose axes are those of the lattice the sum separates. The corners of one lattice row make, for
//! each column of samples, an [`Edge`] that serves all rows of samples in that row of cells; a sample then
//! costs four multiplications: see [`grid_noise`](crate::fractal::grid_noise).

use super::lattice::{Key, Position, fade, finish, lerp, signed};
use crate::Seed;

/// Noise at a point; one hill is about one unit wide.
pub fn gradient_noise(seed: Seed, x: f64, z: f64) -> f32 {
    at(Key::new(seed), Position::of(x), Position::of(z))
}

/// What the points of one lattice row give to the samples of one column: along the row, and for each unit of
/// distance across it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) along: f32,
    pub(crate) across: f32,
}

impl Edge {
    /// Between the gradients of the lattice points to the left and to the right.
    #[inline(always)]
    pub(crate) fn between(left: [f32; 2], right: [f32; 2], u: f32, fade_u: f32) -> Self {
        Self {
            along: lerp(left[0] * u, right[0] * (u - 1.0), fade_u),
            across: lerp(left[1], right[1], fade_u),
        }
    }
}

/// How much of (along, across) of the edges above and below goes into a row of samples, times a factor.
#[inline(always)]
pub(crate) fn shares(v: f32, factor: f32) -> [[f32; 2]; 2] {
    let below = factor * fade(v);
    let above = factor - below;
    [[above, above * v], [below, below * (v - 1.0)]]
}

/// Joins the edges above and below.
#[inline(always)]
pub(crate) fn join(edges: [Edge; 2], shares: [[f32; 2]; 2]) -> f32 {
    let part = |k: usize| shares[k][0] * edges[k].along + shares[k][1] * edges[k].across;
    part(0) + part(1)
}

/// Noise at a position.
#[inline(always)]
pub(crate) fn at(key: Key, x: Position, z: Position) -> f32 {
    join([edge(key, x, z.cell), edge(key, x, z.cell.wrapping_add(1))], shares(z.fraction, 1.0))
}

/// What lattice row `j` gives to samples in the column at `x`.
#[inline(always)]
fn edge(key: Key, x: Position, j: i32) -> Edge {
    let row = key.row(j);
    let corner = |i: i32| gradient(finish(key.column(i), row));
    Edge::between(corner(x.cell), corner(x.cell.wrapping_add(1)), x.fraction, fade(x.fraction))
}

/// Noise row by row at the same columns, wherever they are: rows between the same two lattice rows share their edges.
pub(crate) struct RowNoise<'a> {
    key: Key,
    columns: &'a [Position],
    /// The upper one of the two lattice rows.
    row: Option<i32>,
    edges: [Vec<Edge>; 2],
}

impl<'a> RowNoise<'a> {
    pub(crate) fn new(seed: Seed, columns: &'a [Position]) -> Self {
        Self { key: Key::new(seed), columns, row: None, edges: [Vec::new(), Vec::new()] }
    }

    /// The same numbers as [`gradient_noise`] at these columns and at `z`.
    pub(crate) fn row(&mut self, z: Position) -> impl Iterator<Item = f32> + '_ {
        if self.row != Some(z.cell) {
            self.row = Some(z.cell);
            for (edges, j) in self.edges.iter_mut().zip([z.cell, z.cell.wrapping_add(1)]) {
                edges.clear();
                edges.extend(self.columns.iter().map(|&x| edge(self.key, x, j)));
            }
        }
        let shares = shares(z.fraction, 1.0);
        let [above, below] = &self.edges;
        above.iter().zip(below).map(move |(&above, &below)| join([above, below], shares))
    }
}

/// A vector of length √2, to one part in a thousand, in a random direction.
#[inline(always)]
pub(crate) fn gradient(bits: u32) -> [f32; 2] {
    // The angle is the whole turn of 2³²; a quarter of it turns sine into cosine.
    [wave(signed(bits.wrapping_add(1 << 30))), wave(signed(bits))]
}

/// Just below √2, so that the noise stays within −1..=1.
const LENGTH: f32 = 1.4124;

/// √2·sin(πt), by a parabola and its square: smooth, and only + − ×.
#[inline(always)]
fn wave(t: f32) -> f32 {
    let y = 4.0 * t * (1.0 - t.abs());
    LENGTH * (y + 0.224 * (y * y.abs() - y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math;

    #[test]
    fn gradients_point_everywhere_and_are_equally_long() {
        let n = 1000;
        let (mut shortest, mut longest) = (f64::INFINITY, 0.0_f64);
        for k in 0..n {
            let [x, z] = gradient((u64::from(u32::MAX) * k / n) as u32).map(f64::from);
            let length = math::length(x, z);
            (shortest, longest) = (shortest.min(length), longest.max(length));
            let turn = math::atan2(z, x) / std::f64::consts::TAU;
            let off = (turn - k as f64 / n as f64).rem_euclid(1.0);
            assert!(off.min(1.0 - off) < 5e-4, "{k}: {turn}");
        }
        assert!(longest <= 2.0_f64.sqrt() && shortest > 0.997 * longest, "{shortest} {longest}");
    }

    #[test]
    fn noise_is_zero_at_lattice_points_bounded_and_smooth() {
        let seed = Seed::new(5);
        let (mut low, mut high) = (0.0_f32, 0.0_f32);
        for k in 0..40_000 {
            let (x, z) = (f64::from(k % 200) * 0.07 - 3.0, f64::from(k / 200) * 0.07 - 3.0);
            let n = gradient_noise(seed, x, z);
            let step = gradient_noise(seed, x + 1e-3, z) - n;
            assert!(step.abs() < 4e-3, "at {x}, {z}");
            (low, high) = (low.min(n), high.max(n));
        }
        assert!((-1.0..-0.6).contains(&low) && high > 0.6 && high <= 1.0, "{low} {high}");
        assert_eq!(gradient_noise(seed, -2.0, 7.0), 0.0);
    }

    #[test]
    fn a_row_has_the_noise_of_its_points() {
        let seed = Seed::new(8);
        let places = |k: i32| f64::from(k) * 0.137 - 3.0;
        let columns: Vec<_> = (0..60).map(|i| Position::of(places(i))).collect();
        let mut rows = RowNoise::new(seed, &columns);
        for z in (0..60).map(places) {
            let expected = (0..60).map(|i| gradient_noise(seed, places(i), z));
            assert!(rows.row(Position::of(z)).eq(expected), "at {z}");
        }
    }

    #[test]
    fn the_separated_form_is_the_sum_over_the_corners() {
        let key = Key::new(Seed::new(8));
        for k in 0..2000 {
            let (x, z) = (f64::from(k) * 0.0137 - 9.0, f64::from(k) * 0.0291 + 4.0);
            let (i, j) = (x.floor(), z.floor());
            let mut sum = 0.0;
            for (di, dj) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let bits = key.bits(i as i32 + di, j as i32 + dj);
                let [gx, gz] = gradient(bits).map(f64::from);
                let (dx, dz) = (x - i - f64::from(di), z - j - f64::from(dj));
                let s = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
                sum += s(1.0 - dx.abs()) * s(1.0 - dz.abs()) * (gx * dx + gz * dz);
            }
            let n = f64::from(at(key, Position::of(x), Position::of(z)));
            assert!((n - sum).abs() < 5e-6, "{n} {sum}");
        }
    }
}
