//! A square of noise that repeats, made once, for the grain of ground, waves and clouds.

use std::sync::LazyLock;

use landform::{Grid, Seed};

/// Side of the square in samples, a power of two.
pub(crate) const SIDE: usize = 512;

/// Five octaves of value noise, mean 0 and most of it within −1 to 1.
pub(crate) static GRAIN: LazyLock<Grid> = LazyLock::new(|| {
    let seed = Seed::new(1).child("grain");
    let mut grain = Grid::filled(SIDE, SIDE, 0.0_f32);
    let mut amplitude = 1.0;
    for octave in 0..6 {
        let period = 8_usize << octave;
        let cell = SIDE / period;
        let seed = seed.child(&octave.to_string());
        let lattice = Grid::from_fn(period, period, |i, j| {
            (2.0 * seed.uniform_at(i as i64, j as i64) - 1.0) as f32
        });
        let fade = |t: f32| t * t * t * (t * (6.0 * t - 15.0) + 10.0);
        for j in 0..SIDE {
            let (b, v) = (j / cell, fade((j % cell) as f32 / cell as f32));
            for i in 0..SIDE {
                let (a, u) = (i / cell, fade((i % cell) as f32 / cell as f32));
                let at = |a: usize, b: usize| lattice[(a % period, b % period)];
                let top = at(a, b) + (at(a + 1, b) - at(a, b)) * u;
                let bottom = at(a, b + 1) + (at(a + 1, b + 1) - at(a, b + 1)) * u;
                grain[(i, j)] += amplitude * (top + (bottom - top) * v);
            }
        }
        amplitude *= 0.6;
    }
    grain
});

/// The noise between samples, (x, z) in samples of the square.
#[inline]
pub(crate) fn grain_at(grain: &Grid, x: f32, z: f32) -> f32 {
    // Rounding down by hand: the library's floor is a call on old processors.
    let floor = |value: f32| (value as i32).wrapping_sub(i32::from(value < 0.0));
    let (i, j) = (floor(x), floor(z));
    // Far out, where the squares cannot be counted any more, there is no place between samples either.
    let (u, v) = ((x - i as f32).clamp(0.0, 1.0), (z - j as f32).clamp(0.0, 1.0));
    let (i, j) = (i as usize & (SIDE - 1), j as usize & (SIDE - 1));
    let (k, l) = ((i + 1) & (SIDE - 1), (j + 1) & (SIDE - 1));
    let top = grain[(i, j)] + (grain[(k, j)] - grain[(i, j)]) * u;
    let bottom = grain[(i, l)] + (grain[(k, l)] - grain[(i, l)]) * u;
    top + (bottom - top) * v
}
