//! Terrains of four kinds to look at, made of cones and simple noise.

use landform::uplift::{Cone, Curve};
use landform::{Grid, Lattice, Seed, Terrain, math, par};

/// Makes a terrain.
type Maker = fn() -> Terrain;

/// All of them by name.
pub(crate) const ALL: [(&str, Maker); 7] = [
    ("islands", islands),
    ("lowland", lowland),
    ("andes", andes),
    ("fractal", fractal),
    ("tiny", tiny),
    ("alps", alps),
    ("archipelago", archipelago),
];

/// The peaks of the islands.
pub(crate) fn island_cones() -> Vec<Cone> {
    cones(5, 60, 10_240.0, [4000.0, 12000.0], [500.0, 1700.0])
}

/// The Uplift Model with `count` peaks in and around a square of `side` metres.
fn cones(seed: u64, count: u64, side: f64, heights: [f64; 2], radii: [f64; 2]) -> Vec<Cone> {
    let seed = Seed::new(seed);
    let (x, z, y, r) = (seed.child("x"), seed.child("z"), seed.child("y"), seed.child("r"));
    let cone = |k| Cone {
        x: x.between(k, 0.0, side),
        z: z.between(k, 0.0, side),
        height: y.between(k, heights[0], heights[1]),
        radius: r.between(k, radii[0], radii[1]),
    };
    (0..count).map(cone).collect()
}

fn uplifted(size: u32, spacing: f64, sea: f64, cones: &[Cone]) -> Terrain {
    let scale = 1.0 / cones.len() as f64;
    from_fn(size, spacing, sea, |x, z| {
        scale * cones.iter().map(|cone| cone.height_at(x, z, Curve::Tent)).sum::<f64>()
    })
}

fn from_fn(
    size: u32,
    spacing: f64,
    sea: f64,
    f: impl Fn(f64, f64) -> f64 + Sync + Send,
) -> Terrain {
    let extent = Lattice { size: [size; 2], spacing: [spacing; 2] }.whole();
    let mut height = Grid::filled(size as usize, size as usize, 0.0_f32);
    par::for_each_row(height.samples_mut(), size as usize, |j, row| {
        for (i, out) in row.iter_mut().enumerate() {
            *out = f(extent.x(i), extent.z(j)) as f32;
        }
    });
    Terrain::new(extent, sea, height)
}

/// Value noise with smooth joins, −1 to 1.
fn noise(seed: Seed, x: f64, z: f64) -> f64 {
    let (i, j) = (x.floor(), z.floor());
    let (u, v) = (x - i, z - j);
    let fade = |t: f64| t * t * t * (t * (6.0 * t - 15.0) + 10.0);
    let at = |a: i64, b: i64| {
        let angle = seed.uniform_at(i as i64 + a, j as i64 + b) * std::f64::consts::TAU;
        math::cos(angle) * (u - a as f64) + math::sin(angle) * (v - b as f64)
    };
    let top = math::lerp(at(0, 0), at(1, 0), fade(u));
    let bottom = math::lerp(at(0, 1), at(1, 1), fade(u));
    1.5 * math::lerp(top, bottom, fade(v))
}

fn fbm(seed: Seed, x: f64, z: f64, octaves: u32, gain: f64) -> f64 {
    let (mut sum, mut amplitude, mut frequency) = (0.0, 1.0, 1.0);
    for k in 0..octaves {
        let seed = seed.child(&k.to_string());
        sum += amplitude * noise(seed, x * frequency, z * frequency);
        (amplitude, frequency) = (amplitude * gain, frequency * 2.0);
    }
    sum
}

fn ridged(seed: Seed, x: f64, z: f64, octaves: u32) -> f64 {
    let (mut sum, mut amplitude, mut frequency, mut weight) = (0.0, 1.0, 1.0, 1.0);
    for k in 0..octaves {
        let seed = seed.child(&k.to_string());
        let crest = (1.0 - noise(seed, x * frequency, z * frequency).abs()).max(0.0);
        let crest = crest * crest * weight;
        sum += amplitude * crest;
        weight = (1.6 * crest).min(1.0);
        (amplitude, frequency) = (amplitude * 0.5, frequency * 2.03);
    }
    sum
}

fn islands() -> Terrain {
    uplifted(1025, 10.0, 0.0, &island_cones())
}

fn lowland() -> Terrain {
    uplifted(1025, 10.0, 0.0, &cones(2, 300, 10_240.0, [100.0, 600.0], [800.0, 3000.0]))
}

fn andes() -> Terrain {
    uplifted(1025, 10.0, 0.0, &cones(3, 700, 10_240.0, [20_000.0, 90_000.0], [300.0, 2600.0]))
}

fn fractal() -> Terrain {
    let seed = Seed::new(11);
    from_fn(2049, 10.0, 0.0, |x, z| 900.0 * fbm(seed, x / 9000.0, z / 9000.0, 11, 0.52))
}

fn tiny() -> Terrain {
    uplifted(40, 250.0, 0.0, &cones(8, 25, 9_750.0, [4000.0, 30_000.0], [1500.0, 4000.0]))
}

fn alps() -> Terrain {
    let seed = Seed::new(21);
    from_fn(2049, 15.0, 0.0, |x, z| {
        let (x, z) = (x / 9000.0, z / 9000.0);
        let (wx, wz) = (fbm(seed.child("wx"), x, z, 4, 0.5), fbm(seed.child("wz"), x, z, 4, 0.5));
        let base = 0.5 + 0.5 * fbm(seed.child("base"), 0.5 * x, 0.5 * z, 3, 0.5);
        400.0 + 2400.0 * base * ridged(seed, x + 0.2 * wx, z + 0.2 * wz, 9)
    })
}

fn archipelago() -> Terrain {
    let seed = Seed::new(31);
    from_fn(1537, 20.0, 0.0, |x, z| {
        let (u, v) = (x / 30_720.0 - 0.5, z / 30_720.0 - 0.5);
        let (x, z) = (x / 9000.0, z / 9000.0);
        let edge = 1.0 - math::smoothstep(0.25, 0.62, math::length(u, v));
        let rise = fbm(seed, x, z, 10, 0.5);
        let crests = ridged(seed.child("crest"), 1.4 * x, 1.4 * z, 8);
        let land = (rise + 0.45) * edge - 0.25;
        if land > 0.0 { 1500.0 * land * (0.3 + 0.8 * crests) } else { 900.0 * land }
    })
}

/// Skyline ranges, far to near: averages of tents.
pub(crate) fn ranges(seed: u64) -> Vec<Vec<f32>> {
    let range = |k: u64, (peaks, top, run): (u64, f64, f64)| {
        let seed = Seed::new(seed).child(&k.to_string());
        let tent = |i: usize, p: u64| {
            let (at, y) =
                (seed.between(2 * p, 0.0, 1600.0), seed.between(2 * p + 1, 0.3 * top, top));
            (y - y / run * (i as f64 - at).abs()).max(0.0)
        };
        let height = |i| (0..peaks).map(|p| tent(i, p)).sum::<f64>() / peaks as f64;
        (0..=1600).map(|i| height(i) as f32).collect()
    };
    [(70, 1000.0, 130.0), (60, 950.0, 160.0), (45, 800.0, 190.0), (30, 700.0, 240.0)]
        .into_iter()
        .enumerate()
        .map(|(k, shape)| range(k as u64, shape))
        .collect()
}
