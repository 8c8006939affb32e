//! Random numbers on the points of a noise's lattice, and positions on it.
//!
//! The hash is 32 bits wide so that eight of them are made at once: column and row are each mixed with a key,
//! added, and finished with the two rounds of Wellons' `lowbias32`. There is no table, so the noise never repeats
//! within 2³² cells. [`Seed`], whose 64 bits do not vectorise, gives the keys.

use fearless_simd::{Simd, u32x8};

use crate::Seed;
use crate::math::rounding;

/// The random numbers of one lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    column: u32,
    row: u32,
}

impl Key {
    pub(crate) fn new(seed: Seed) -> Self {
        let bits = seed.bits(0);
        Self { column: bits as u32, row: (bits >> 32) as u32 }
    }

    /// What column `i` adds to the hash of its points.
    #[inline(always)]
    pub(crate) fn column(self, i: i32) -> u32 {
        scatter(i, self.column)
    }

    /// What row `j` adds to the hash of its points.
    #[inline(always)]
    pub(crate) fn row(self, j: i32) -> u32 {
        scatter(j, self.row)
    }

    /// 32 random bits for a point.
    #[cfg(test)]
    pub(crate) fn bits(self, i: i32, j: i32) -> u32 {
        finish(self.column(i), self.row(j))
    }
}

#[inline(always)]
fn scatter(index: i32, key: u32) -> u32 {
    let z = (index as u32).wrapping_mul(0x9E37_79B1) ^ key;
    (z ^ (z >> 16)).wrapping_mul(0x85EB_CA6B)
}

/// The hash of the point where a column and a row meet.
#[inline(always)]
pub(crate) fn finish(column: u32, row: u32) -> u32 {
    let z = column.wrapping_add(row);
    let z = (z ^ (z >> 16)).wrapping_mul(0x7FEB_352D);
    let z = (z ^ (z >> 15)).wrapping_mul(0x846C_A68B);
    z ^ (z >> 16)
}

/// [`finish`] of eight points at once.
#[inline(always)]
pub(crate) fn finish_eight<S: Simd>(column: u32x8<S>, row: u32x8<S>) -> u32x8<S> {
    let z = column + row;
    let z = (z ^ (z >> 16)) * 0x7FEB_352D;
    let z = (z ^ (z >> 15)) * 0x846C_A68B;
    z ^ (z >> 16)
}

/// Random bits as a number in −1 ≤ t ≤ 1.
#[inline(always)]
pub(crate) fn signed(bits: u32) -> f32 {
    bits.cast_signed() as f32 * (1.0 / 2_147_483_648.0)
}

/// A position along one axis of a lattice: the cell, and where in it (0 ≤ fraction < 1). Split in double
/// precision, so that nothing is lost far out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Position {
    pub(crate) cell: i32,
    pub(crate) fraction: f32,
}

impl Position {
    pub(crate) fn of(coordinate: f64) -> Self {
        let (cell, whole) = if coordinate.abs() < 1e15 {
            let cell = rounding::floor(coordinate);
            (cell, rounding::integer(cell) as i32)
        } else {
            // Cells beyond 2³² begin again from 0.
            (coordinate.floor(), coordinate.floor() as i64 as i32)
        };
        // Rounding up to 1 would be a point of the next cell; + 0 makes 0 of −0.
        let fraction = ((coordinate - cell + 0.0) as f32).min(1.0 - f32::EPSILON / 2.0);
        Self { cell: whole, fraction }
    }

    /// The position this far away, in cells; at the most some four million.
    #[inline(always)]
    pub(crate) fn moved(self, by: f32) -> Self {
        let at = (self.fraction + by).clamp(-4e6, 4e6);
        let cell = rounding::floor_single(at);
        let whole = rounding::integer_single(cell);
        Self { cell: self.cell.wrapping_add(whole), fraction: at - cell }
    }
}

/// The curve by which values go from one lattice point to the next (Perlin 2002): 6t⁵ − 15t⁴ + 10t³, whose first
/// and second derivatives vanish at both ends.
#[inline(always)]
pub(crate) fn fade(t: f32) -> f32 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

#[inline(always)]
pub(crate) fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + t * (b - a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_has_no_pattern_along_rows_columns_or_diagonals() {
        let key = Key::new(Seed::new(9));
        let n = 300;
        for (di, dj) in [(1, 0), (0, 1), (1, 1), (1, -1), (2, 0), (0, 16), (256, 0), (0, 256)] {
            let (mut lag, mut mean) = (0.0, 0.0);
            for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i - 150, j - 150))) {
                let here = f64::from(signed(key.bits(i, j)));
                lag += here * f64::from(signed(key.bits(i + di, j + dj)));
                mean += here;
            }
            // Four standard deviations: the variance of the uniform law in −1..1 is 1/3.
            let count = f64::from(n * n);
            assert!((lag / count).abs() < 4.0 / 3.0 / count.sqrt(), "lag {di}, {dj}: {lag}");
            assert!((mean / count).abs() < 4.0 * (1.0 / 3.0 / count).sqrt(), "mean {mean}");
        }
    }

    #[test]
    fn every_bit_of_the_hash_is_as_often_set_as_not() {
        let key = Key::new(Seed::new(2));
        let n = 200;
        for bit in 0..32 {
            let set = (0..n * n).filter(|k| key.bits(k % n, k / n) >> bit & 1 == 1).count();
            let (half, deviation) = (f64::from(n * n) / 2.0, f64::from(n) / 2.0);
            assert!((set as f64 - half).abs() < 4.5 * deviation, "bit {bit} is set {set} times");
        }
    }

    #[test]
    fn positions_are_split_exactly_and_moved_across_cells() {
        assert_eq!(Position::of(-2.25), Position { cell: -3, fraction: 0.75 });
        assert_eq!(Position::of(-1e-30), Position { cell: -1, fraction: 1.0 - f32::EPSILON / 2.0 });
        assert_eq!(Position::of(1e9 + 0.5), Position { cell: 1_000_000_000, fraction: 0.5 });
        for coordinate in [
            -7.0,
            -0.0,
            0.0,
            5.0,
            2.5,
            -6.999_999,
            3e9,
            -7e11 - 0.5,
            1e15 + 0.5,
            -3e15 - 0.5,
            1e18,
            -1e300,
        ] {
            let cell = f64::floor(coordinate);
            let expected =
                Position { cell: cell as i64 as i32, fraction: (coordinate - cell) as f32 };
            assert_eq!(Position::of(coordinate), expected, "{coordinate}");
        }
        assert_eq!(Position::of(3.5).moved(-4.25), Position { cell: -1, fraction: 0.25 });
        assert_eq!(Position::of(3.5).moved(0.5), Position { cell: 4, fraction: 0.0 });
        assert_eq!(Position::of(3.75).moved(70_000.5), Position { cell: 70_004, fraction: 0.25 });
        assert_eq!(Position::of(0.0).moved(1e30), Position { cell: 4_000_000, fraction: 0.0 });
    }
}
