//! Kernels on one core. `cargo bench -p landform` measures them; for ratios from one run, with contenders
//! taking turns, see the example `uplift_ratios`.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group};
use landform::uplift::{Cone, Curve, Divisor, EditableUplift, FarField, brute_force};
use landform::{Ctx, Extent, Lattice};

/// Random cones on the ground of a lattice.
fn scene(count: usize, lattice: &Lattice, radius: (f64, f64)) -> Vec<Cone> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = |low: f64, high: f64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        low + (high - low) * (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let [width, depth] = lattice.ground();
    (0..count)
        .map(|_| Cone {
            x: next(0.0, width),
            z: next(0.0, depth),
            height: next(100.0, 1000.0),
            radius: next(radius.0, radius.1),
        })
        .collect()
}

fn square(side: u32) -> Lattice {
    Lattice { size: [side; 2], spacing: [1.0; 2] }
}

fn build(lattice: Lattice, cones: &[Cone], extent: &Extent, out: &mut [f32]) {
    let field = FarField::new(lattice, cones, Curve::Tent, cones.len() as f64);
    field.fill(extent, out, &Ctx::new(&(), "uplift")).expect("nobody cancels");
}

/// The paper's loop, peak by peak over the whole grid.
fn naive(cones: &[Cone], lattice: &Lattice, out: &mut [f32]) {
    out.fill(0.0);
    let width = lattice.size[0] as usize;
    for cone in cones {
        let steepness = (cone.height / cone.radius) as f32;
        for (j, row) in out.chunks_exact_mut(width).enumerate() {
            let dz = (j as f64 * lattice.spacing[1] - cone.z) as f32;
            for (i, sample) in row.iter_mut().enumerate() {
                let dx = i as i32 as f32 * lattice.spacing[0] as f32 - cone.x as f32;
                let height = cone.height as f32 - steepness * (dx * dx + dz * dz).sqrt();
                *sample += height.max(0.0);
            }
        }
    }
    let divisor = cones.len() as f32;
    out.iter_mut().for_each(|sample| *sample /= divisor);
}

fn uplift(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("uplift");
    group.sample_size(10).warm_up_time(Duration::from_millis(500));
    group.measurement_time(Duration::from_secs(3));
    let ranges = [("small", (100.0, 400.0)), ("mid", (256.0, 1024.0)), ("large", (2048.0, 6144.0))];
    let mut scenes = vec![("1000x100".to_owned(), 1000, 100, (50.0, 200.0))];
    for (count, name) in [(1_000, "1k"), (10_000, "10k")] {
        for (size, range) in ranges {
            scenes.push((format!("4096x{name} {size}"), 4096, count, range));
        }
    }
    for (name, side, count, radius) in scenes {
        let lattice = square(side);
        let cones = scene(count, &lattice, radius);
        let mut out = vec![0.0; lattice.whole().len()];
        group.throughput(Throughput::Elements(out.len() as u64));
        group.bench_function(BenchmarkId::new("far field", &name), |bench| {
            bench.iter(|| build(lattice, &cones, &lattice.whole(), black_box(&mut out)));
        });
        // 64 rows in the middle are enough for brute force, which would else take half a minute.
        let rows = lattice.window(0, side / 2, side, 64).expect("rows of the lattice");
        group.throughput(Throughput::Elements(rows.len() as u64));
        group.bench_function(BenchmarkId::new("culled", &name), |bench| {
            let out = &mut out[..rows.len()];
            bench.iter(|| brute_force::culled(&cones, count as f64, &rows, black_box(out)));
        });
    }
    let lattice = square(1000);
    let cones = scene(100, &lattice, (50.0, 200.0));
    let mut out = vec![0.0; 1_000_000];
    group.throughput(Throughput::Elements(1_000_000));
    group.bench_function("naive/1000x100", |bench| {
        bench.iter(|| naive(&cones, &lattice, black_box(&mut out)));
    });
    group.finish();
}

/// A scene that grows with the grid: the time per sample must not.
fn growth(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("uplift scaled");
    group.sample_size(10).warm_up_time(Duration::from_millis(500));
    for side in [1024, 2048, 4096, 8192] {
        let lattice = square(side);
        let cell = f64::from(side) / 1024.0;
        let cones = scene(1000, &lattice, (25.0 * cell, 100.0 * cell));
        let mut out = vec![0.0; lattice.whole().len()];
        group.throughput(Throughput::Elements(out.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(side), |bench| {
            bench.iter(|| build(lattice, &cones, &lattice.whole(), black_box(&mut out)));
        });
    }
    group.finish();
}

/// One peak of radius 200 moved by 30 cells among others, there and back.
fn edit(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("uplift edit");
    group.sample_size(20).warm_up_time(Duration::from_millis(500));
    let lattice = square(4096);
    for count in [1_000, 10_000] {
        let mut cones = scene(count, &lattice, (100.0, 400.0));
        let here = Cone { x: 2000.0, z: 2100.0, height: 500.0, radius: 200.0 };
        let there = Cone { x: 2030.0, ..here };
        cones[0] = here;
        let mut uplift = EditableUplift::new(lattice, cones, Curve::Tent, Divisor::Count);
        let mut is_here = true;
        group.bench_function(BenchmarkId::new("move", count), |bench| {
            bench.iter(|| {
                is_here = !is_here;
                black_box(uplift.replace(0, if is_here { here } else { there }))
            });
        });
    }
    group.finish();
}

/// Runs everything on one thread.
fn main() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    pool.install(benches);
    Criterion::default().configure_from_args().final_summary();
}

criterion_group!(benches, uplift, growth, edit);
