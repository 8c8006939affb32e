//! Small terrains that the tests draw.

use landform::uplift::{Cone, Curve};
use landform::{Grid, Lattice, Seed, Terrain};

pub(crate) fn terrain(
    size: [u32; 2],
    spacing: f64,
    sea: f64,
    mut f: impl FnMut(f64, f64) -> f64,
) -> Terrain {
    let extent = Lattice { size, spacing: [spacing; 2] }.whole();
    let height =
        Grid::from_fn(extent.width(), extent.height(), |i, j| f(extent.x(i), extent.z(j)) as f32);
    Terrain::new(extent, sea, height)
}

pub(crate) fn cones() -> Vec<Cone> {
    let seed = Seed::new(8);
    let r = |k: u64, n: u64, low: f64, high: f64| seed.between(4 * k + n, low, high);
    let cone = |k| Cone {
        x: r(k, 0, -200.0, 1200.0),
        z: r(k, 1, -100.0, 1000.0),
        height: r(k, 2, 800.0, 4000.0),
        radius: r(k, 3, 80.0, 420.0),
    };
    (0..14).map(cone).collect()
}

/// Islands of the Uplift Model in a sea that is level with their base.
pub(crate) fn islands() -> Terrain {
    let cones = cones();
    terrain([101, 81], 10.0, 0.0, |x, z| {
        cones.iter().map(|cone| cone.height_at(x, z, Curve::Tent)).sum::<f64>() / cones.len() as f64
    })
}

/// Rough ground, half of it under water.
pub(crate) fn rough() -> Terrain {
    let seed = Seed::new(5);
    let mut at = move |x: f64, z: f64| {
        let (mut sum, mut size, mut cell) = (0.0, 120.0, 40.0);
        for _ in 0..5 {
            let (u, v) = (x / cell, z / cell);
            let (i, j) = (u.floor(), v.floor());
            let h = |a: f64, b: f64| seed.uniform_at((i + a) as i64, (j + b) as i64) - 0.5;
            let (s, t) = (u - i, v - j);
            let (s, t) = (s * s * (3.0 - 2.0 * s), t * t * (3.0 - 2.0 * t));
            let top = h(0.0, 0.0) * (1.0 - s) + h(1.0, 0.0) * s;
            let bottom = h(0.0, 1.0) * (1.0 - s) + h(1.0, 1.0) * s;
            sum += size * (top * (1.0 - t) + bottom * t);
            (size, cell) = (size * 0.5, cell * 0.5);
        }
        sum
    };
    terrain([120, 90], 2.0, 0.0, &mut at)
}
