//! Gradient noise (Perlin 1985, with the fade of 2002): smooth random hills of one size.
//!
//! ```text
//! n(p) = Σ over the four corners c of the unit cell of p:  fade(p − c) · g_c·(p − c)
//! fade(t) = 6t⁵ − 15t⁴ + 10t³
//! ```
//!
//! Each lattice point has a gradient of length √2 in one of 32 directions, chosen by a hash of (seed, i, j): there
//! is no table, so the noise never repeats. Values lie in −1..=1 and are 0 at lattice points.

use crate::Seed;

/// Noise at a point; one hill is about one unit wide.
pub fn gradient_noise(seed: Seed, x: f64, z: f64) -> f64 {
    let (i, j) = (x.floor(), z.floor());
    let (u, v) = (x - i, z - j);
    let (i, j) = (i as i64, j as i64);
    let corner = |di: i64, dj: i64| {
        let [gx, gz] = gradient(seed.bits_at(i.wrapping_add(di), j.wrapping_add(dj)));
        gx * (u - di as f64) + gz * (v - dj as f64)
    };
    let (fu, fv) = (fade(u), fade(v));
    let north = corner(0, 0) + fu * (corner(1, 0) - corner(0, 0));
    let south = corner(0, 1) + fu * (corner(1, 1) - corner(0, 1));
    north + fv * (south - north)
}

fn fade(t: f64) -> f64 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

/// √2 times the unit vector in one of 32 directions.
fn gradient(bits: u64) -> [f64; 2] {
    let [a, b] = EIGHTH[(bits >> 59) as usize & 3];
    let (a, b) = if bits >> 61 & 1 == 0 { (a, b) } else { (b, a) };
    let sign = |bit: u32, value: f64| if bits >> bit & 1 == 0 { value } else { -value };
    [sign(62, a), sign(63, b)]
}

/// √2·(cos α, sin α) for α = (k + ½)·π/16, k = 0..4: the directions of one eighth of the circle.
const EIGHTH: [[f64; 2]; 4] = [
    [1.407_403_737_526_382, 0.138_617_169_199_090_87],
    [1.353_318_001_174_352_6, 0.410_524_527_522_357_1],
    [1.247_225_012_986_670_6, 0.666_655_658_477_746_8],
    [1.093_201_867_001_757_4, 0.897_167_586_342_636],
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math;

    #[test]
    fn the_table_holds_the_directions_it_says() {
        for (k, [a, b]) in EIGHTH.iter().enumerate() {
            let angle = (k as f64 + 0.5) * std::f64::consts::PI / 16.0;
            assert!((a - 2.0_f64.sqrt() * math::cos(angle)).abs() < 1e-15, "{k}");
            assert!((b - 2.0_f64.sqrt() * math::sin(angle)).abs() < 1e-15, "{k}");
        }
    }

    #[test]
    fn noise_is_zero_at_lattice_points_bounded_and_smooth() {
        let seed = Seed::new(5);
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for k in 0..40_000 {
            let (x, z) = (f64::from(k % 200) * 0.07 - 3.0, f64::from(k / 200) * 0.07 - 3.0);
            let n = gradient_noise(seed, x, z);
            let step = gradient_noise(seed, x + 1e-6, z) - n;
            assert!(step.abs() < 1e-5, "at {x}, {z}");
            (low, high) = (low.min(n), high.max(n));
        }
        assert!((-1.0..-0.6).contains(&low) && high > 0.6 && high <= 1.0, "{low} {high}");
        assert_eq!(gradient_noise(seed, -2.0, 7.0), 0.0);
    }
}
