//! Terrain to write, shared by the tests.
#![allow(dead_code, reason = "each test file takes what it needs")]

use landform::{Grid, Seed};
use landform_io::Raster;

/// Rough ground with the spectrum of fractional noise: octaves of bilinear value noise.
pub(crate) fn rough(width: usize, height: usize, seed: u64) -> Grid {
    let octave = |k: u32, i: usize, j: usize| {
        let seed = Seed::new(seed).child(&format!("octave {k}"));
        let cell = (width.max(height) as f64 / 4.0 / f64::from(1 << k)).max(1.0);
        let (x, z) = (i as f64 / cell, j as f64 / cell);
        let at = |i: f64, j: f64| seed.uniform_at(i as i64, j as i64);
        let (i, j) = (x.floor(), z.floor());
        let (u, v) = (x - i, z - j);
        let north = at(i, j) * (1.0 - u) + at(i + 1.0, j) * u;
        let south = at(i, j + 1.0) * (1.0 - u) + at(i + 1.0, j + 1.0) * u;
        (north * (1.0 - v) + south * v) / f64::from(1 << k)
    };
    Grid::from_fn(width, height, |i, j| (0..8).map(|k| octave(k, i, j)).sum::<f64>() as f32 * 400.0)
}

/// The grid as heights, 2 × 3 m apart.
pub(crate) fn heights(samples: &Grid) -> Raster<'_> {
    Raster { samples, spacing: [2.0, 3.0], origin: [0.0; 2], unit: "m" }
}

/// The grid as heights, 2 × 2 m apart, for formats with square cells.
pub(crate) fn square(samples: &Grid) -> Raster<'_> {
    Raster { spacing: [2.0; 2], ..heights(samples) }
}
