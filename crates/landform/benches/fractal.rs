//! Fractal noise against the noise crates: 8 octaves, one core.
//!
//! All work in strips of rows, as tiles are made: asking the system for 64 MB of fresh memory takes longer than
//! our noise on it, and says nothing about either.
#![expect(clippy::expect_used, reason = "a benchmark may fail by panic")]

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use landform::{Inputs, Plan, Recipe};

/// Samples along each side.
const SIZE: usize = 4096;
/// Samples along the widest cell.
const CELL: usize = 1024;
/// Rows of a strip.
const STRIP: usize = 64;

fn plan(size: usize, stage: &str) -> Plan {
    let text =
        format!("version = 1\nsize = [{size}, {size}]\nspacing = [1, 1]\n[[stage]]\n{stage}\n");
    let recipe = Recipe::parse(&text).expect("the recipe is right");
    recipe.resolve(&Inputs::default()).expect("the recipe fits together")
}

fn on_one_core<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can start");
    pool.install(work)
}

fn ours(plan: &Plan) -> f32 {
    let mut sum = 0.0;
    let [width, height] = plan.lattice().size;
    for j in (0..height).step_by(STRIP) {
        let strip = plan.lattice().window(0, j, width, (height - j).min(STRIP as u32));
        let terrain = plan.run(&strip.expect("a part"), &()).expect("nothing cancels");
        sum += terrain.height()[(7, 0)];
    }
    sum
}

/// Eight octaves of a peer's noise at every sample.
fn peer(noise: impl Fn(f64, f64) -> f64) -> f32 {
    let mut heights = vec![0.0_f32; SIZE * STRIP];
    let mut sum = 0.0;
    for first in (0..SIZE).step_by(STRIP) {
        for (j, row) in heights.chunks_exact_mut(SIZE).enumerate() {
            for (i, height) in row.iter_mut().enumerate() {
                *height = noise(i as f64 / CELL as f64, (first + j) as f64 / CELL as f64) as f32;
            }
        }
        sum += heights[SIZE * 7 + 7];
    }
    sum
}

fn noise(c: &mut Criterion) {
    let mut group = c.benchmark_group("fbm 4096² x 8");
    group.sample_size(10).throughput(Throughput::Elements((SIZE * SIZE) as u64));
    let stage = format!("kind = \"noise\"\nwavelength = {CELL}\noctaves = 8\n");
    let plain = plan(SIZE, &stage);
    group.bench_function("landform", |b| b.iter(|| on_one_core(|| ours(&plain))));
    let warped = plan(SIZE, &format!("{stage}warp = 100\nwarp_wavelength = {CELL}\n"));
    group.bench_function("landform, warped", |b| b.iter(|| on_one_core(|| ours(&warped))));
    let ridged = plan(SIZE, &format!("{stage}sum = \"ridged\"\n"));
    group.bench_function("landform, ridged", |b| b.iter(|| on_one_core(|| ours(&ridged))));
    group.bench_function("simdnoise", |b| {
        b.iter(|| {
            let strip = |j: usize| {
                let mut noise = simdnoise::NoiseBuilder::fbm_2d_offset(0.0, SIZE, j as f32, STRIP);
                noise.with_freq(1.0 / CELL as f32).with_octaves(8).generate().0[7]
            };
            (0..SIZE).step_by(STRIP).map(strip).sum::<f32>()
        });
    });
    group.bench_function("fastnoise-lite", |b| {
        let mut lite = fastnoise_lite::FastNoiseLite::new();
        lite.set_noise_type(Some(fastnoise_lite::NoiseType::Perlin));
        lite.set_fractal_type(Some(fastnoise_lite::FractalType::FBm));
        lite.set_fractal_octaves(Some(8));
        lite.set_frequency(Some(1.0));
        b.iter(|| peer(|x, z| f64::from(lite.get_noise_2d(x as f32, z as f32))));
    });
    group.bench_function("noise", |b| {
        use noise::{Fbm, MultiFractal, NoiseFn, Perlin};
        let fbm = Fbm::<Perlin>::new(1).set_octaves(8).set_frequency(1.0);
        b.iter(|| peer(|x, z| fbm.get([x, z])));
    });
    group.finish();
}

/// The matrix method; `peers/matrix.py` is the same in NumPy.
fn matrix(c: &mut Criterion) {
    let mut group = c.benchmark_group("matrix method");
    group.sample_size(10);
    for side in [1025, 4097] {
        group.throughput(Throughput::Elements((side * side) as u64));
        let start = "start = [[0, 0.5], [1, 0.25]]";
        let stage = format!("kind = \"matrix_diamond_square\"\n{start}\namplitude = 1\n");
        let plan = plan(side, &stage);
        group.bench_function(BenchmarkId::from_parameter(side), |b| {
            b.iter(|| on_one_core(|| ours(&plan)));
        });
        // As NumPy does it: all of it in fresh memory, its range not known before.
        group.bench_function(BenchmarkId::new("whole", side), |b| {
            b.iter_batched(
                || self::plan(side, &stage),
                |plan| on_one_core(|| plan.run(&plan.lattice().whole(), &())),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, noise, matrix);
criterion_main!(benches);
