//! Cellular noise (Worley 1996): hills around scattered points, with creases half-way between them.
//!
//! ```text
//! n(p) = 1 − 2 min over the points q:  |p − q|
//! ```
//!
//! Each cell of the lattice holds one point, anywhere in it. The nearest point is looked for in the nine cells
//! around p; it can lie farther away, then by more than one cell, but so rarely that no crease shows.

use super::lattice::{Key, Position, finish};

/// Noise at a position.
#[inline(always)]
pub(crate) fn at(key: Key, x: Position, z: Position) -> f32 {
    let mut nearest = f32::INFINITY;
    for k in 0..9 {
        let (di, dj) = (k % 3 - 1, k / 3 - 1);
        let bits = finish(key.column(x.cell.wrapping_add(di)), key.row(z.cell.wrapping_add(dj)));
        let across = di as f32 + half(bits) - x.fraction;
        let down = dj as f32 + half(bits >> 16) - z.fraction;
        nearest = nearest.min(across * across + down * down);
    }
    1.0 - 2.0 * nearest.sqrt()
}

/// The lower 16 bits as a number in 0 ≤ t < 1.
#[inline(always)]
fn half(bits: u32) -> f32 {
    (bits & 0xFFFF).cast_signed() as f32 * (1.0 / 65_536.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    #[test]
    fn noise_is_one_at_the_points_and_falls_with_slope_two() {
        let key = Key::new(Seed::new(3));
        let noise = |x: f64, z: f64| at(key, Position::of(x), Position::of(z));
        let bits = key.bits(7, -2);
        let (x, z) = (7.0 + f64::from(half(bits)), -2.0 + f64::from(half(bits >> 16)));
        assert!((noise(x, z) - 1.0).abs() < 1e-3);
        assert!((noise(x + 0.01, z) - 0.98).abs() < 1e-3);
        for k in 0..10_000 {
            let (x, z) = (f64::from(k % 100) * 0.07, f64::from(k / 100) * 0.07);
            assert!((noise(x + 1e-3, z) - noise(x, z)).abs() < 2.2e-3, "at {x}, {z}");
        }
    }
}
