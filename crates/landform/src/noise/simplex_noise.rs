//! Simplex noise (Perlin 2001): like [gradient noise](super::gradient_noise), but on a lattice of triangles, which
//! has no preferred axes.
//!
//! ```text
//! n(p) = 70 Σ over the three corners c of the triangle of p:  max(0, ½ − |p − c|²)⁴ g_c·(p − c)
//! ```
//!
//! The triangles are the halves of squares of a skewed plane, in which X = x + (x + z)·F, Z = z + (x + z)·F with
//! F = (√3 − 1)/2; back again it is G = (3 − √3)/6.

use super::gradient_noise::gradient;
use super::lattice::{Key, Position, finish};

/// F.
pub(crate) const SKEW: f64 = 0.366_025_403_784_438_65;
/// G.
const UNSKEW: f32 = 0.211_324_87;

/// Noise at a position of the skewed plane.
#[inline(always)]
pub(crate) fn at(key: Key, x: Position, z: Position) -> f32 {
    let (skewed_x, skewed_z) = (x.fraction, z.fraction);
    let back = (skewed_x + skewed_z) * UNSKEW;
    let (u, v) = (skewed_x - back, skewed_z - back);
    // The middle corner lies to the east of the first one, or to the south. By bits and not by branches, so
    // that samples can be worked on side by side.
    let east = f32::from(u8::from(skewed_x > skewed_z));
    let south = 1.0 - east;
    let is_east = u32::from(skewed_x > skewed_z).wrapping_neg();
    let columns = [key.column(x.cell), key.column(x.cell.wrapping_add(1))];
    let rows = [key.row(z.cell), key.row(z.cell.wrapping_add(1))];
    let middle_column = columns[0] ^ ((columns[0] ^ columns[1]) & is_east);
    let middle_row = rows[1] ^ ((rows[0] ^ rows[1]) & is_east);
    let first = corner(finish(columns[0], rows[0]), u, v);
    let middle = corner(finish(middle_column, middle_row), u - east + UNSKEW, v - south + UNSKEW);
    let far = 1.0 - 2.0 * UNSKEW;
    let last = corner(finish(columns[1], rows[1]), u - far, v - far);
    70.0 * (first + middle + last)
}

#[inline(always)]
fn corner(bits: u32, u: f32, v: f32) -> f32 {
    let near = (0.5 - u * u - v * v).max(0.0);
    let [gx, gz] = gradient(bits);
    let squared = near * near;
    squared * squared * (gx * u + gz * v)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    fn noise(x: f64, z: f64) -> f32 {
        let skew = (x + z) * SKEW;
        at(Key::new(Seed::new(6)), Position::of(x + skew), Position::of(z + skew))
    }

    #[test]
    fn noise_is_continuous_across_triangles_and_bounded() {
        let (mut low, mut high) = (0.0_f32, 0.0_f32);
        for k in 0..40_000 {
            let (x, z) = (f64::from(k % 200) * 0.053 - 3.0, f64::from(k / 200) * 0.057 - 3.0);
            let n = noise(x, z);
            for (dx, dz) in [(1e-3, 0.0), (0.0, 1e-3)] {
                assert!((noise(x + dx, z + dz) - n).abs() < 8e-3, "at {x}, {z}");
            }
            (low, high) = (low.min(n), high.max(n));
        }
        assert!((-1.0..-0.7).contains(&low) && high > 0.7 && high <= 1.0, "{low} {high}");
    }

    #[test]
    fn noise_is_zero_at_the_corners_of_the_triangles() {
        let g = f64::from(UNSKEW);
        for (i, j) in [(0.0, 0.0), (1.0, 0.0), (4.0, -3.0)] {
            let back = (i + j) * g;
            assert!(noise(i - back, j - back).abs() < 1e-4);
        }
    }
}
