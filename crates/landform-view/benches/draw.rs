//! How long pictures take: `cargo bench -p landform-view`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use landform::{Grid, Lattice, Seed, Terrain};
use landform_view::{Options, Scene, Skyline, Style, draw};

/// Value noise in ten octaves, half of it under water.
fn rough(side: u32) -> Terrain {
    let extent = Lattice { size: [side; 2], spacing: [10.0; 2] }.whole();
    let seed = Seed::new(3);
    let side = side as usize;
    let mut height = Grid::filled(side, side, 0.0_f32);
    let mut amplitude = 3000.0;
    for octave in 0..10 {
        let cells = 8_usize << octave;
        let seed = seed.child(&octave.to_string());
        let knots = Grid::from_fn(cells + 2, cells + 2, |i, j| {
            seed.uniform_at(i as i64, j as i64) as f32 - 0.5
        });
        for j in 0..side {
            let z = (j * cells) as f32 / side as f32;
            let (b, v) = (z as usize, z.fract() * z.fract() * (3.0 - 2.0 * z.fract()));
            for i in 0..side {
                let x = (i * cells) as f32 / side as f32;
                let (a, u) = (x as usize, x.fract() * x.fract() * (3.0 - 2.0 * x.fract()));
                let top = knots[(a, b)] * (1.0 - u) + knots[(a + 1, b)] * u;
                let bottom = knots[(a, b + 1)] * (1.0 - u) + knots[(a + 1, b + 1)] * u;
                height[(i, j)] += amplitude * (top * (1.0 - v) + bottom * v);
            }
        }
        amplitude *= 0.48;
    }
    Terrain::new(extent, 0.0, height)
}

fn maps(c: &mut Criterion) {
    let mut group = c.benchmark_group("map");
    group.sample_size(10);
    let terrain = rough(4096);
    let options = Options { size: Some([4096, 4096]), ..Options::default() };
    group.throughput(Throughput::Elements(4096 * 4096));
    group.bench_function("hillshade 4096²", |b| {
        b.iter(|| draw(&terrain, Style::Hillshade, &options));
    });
    let terrain = rough(2048);
    let options = Options { size: Some([2048, 2048]), ..Options::default() };
    group.throughput(Throughput::Elements(2048 * 2048));
    for style in [Style::Gray, Style::Relief, Style::Contours] {
        let name = format!("{} 2048²", style.name());
        group.bench_function(name, |b| b.iter(|| draw(&terrain, style, &options)));
    }
    group.finish();
}

fn scenes(c: &mut Criterion) {
    let mut group = c.benchmark_group("scene 1600×900");
    group.sample_size(10);
    for side in [513, 1025, 2049, 4097] {
        let terrain = rough(side);
        group.bench_function(format!("natural {side}²"), |b| {
            b.iter(|| Scene::default().draw(&terrain, None));
        });
    }
    group.finish();
}

fn skylines(c: &mut Criterion) {
    let wave = |k: usize| (0..1600).map(|i| ((i * (7 + k)) % 400) as f32).collect();
    let skyline = Skyline { ranges: (0..5).map(wave).collect(), ..Skyline::default() };
    c.bench_function("skyline 1600×900", |b| b.iter(|| skyline.draw(None)));
}

criterion_group!(benches, maps, scenes, skylines);
criterion_main!(benches);
