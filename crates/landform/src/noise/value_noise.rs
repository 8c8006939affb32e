//! Value noise: a random height at each lattice point, joined smoothly. Rounder and blockier than
//! [gradient noise](super::gradient_noise), with more of its strength in broad swells.
//!
//! ```text
//! n(p) = Σ over the four corners c of the unit cell of p:  s(1 − |x − c_x|) s(1 − |z − c_z|) h_c
//! ```
//!
//! h_c is uniform in −1..1.

use super::lattice::{Key, Position, fade, finish, lerp, signed};

/// Noise at a position.
#[inline(always)]
pub(crate) fn at(key: Key, x: Position, z: Position) -> f32 {
    let columns = [key.column(x.cell), key.column(x.cell.wrapping_add(1))];
    let fade_u = fade(x.fraction);
    let edge = |j: i32| {
        let row = key.row(j);
        let (left, right) = (signed(finish(columns[0], row)), signed(finish(columns[1], row)));
        lerp(left, right, fade_u)
    };
    let below = fade(z.fraction);
    (1.0 - below) * edge(z.cell) + below * edge(z.cell.wrapping_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    #[test]
    fn noise_takes_the_values_of_the_lattice_and_lies_between_them() {
        let key = Key::new(Seed::new(4));
        let noise = |x: f64, z: f64| at(key, Position::of(x), Position::of(z));
        assert_eq!(noise(3.0, -7.0), signed(key.bits(3, -7)));
        let corners = [(3, 5), (4, 5), (3, 6), (4, 6)].map(|(i, j)| signed(key.bits(i, j)));
        let mean = corners.iter().sum::<f32>() / 4.0;
        assert!((noise(3.5, 5.5) - mean).abs() < 1e-6);
        assert!((noise(3.999_99, 5.0) - corners[1]).abs() < 1e-4);
    }
}
