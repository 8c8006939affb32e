//! Rivers: what laying them out and cutting them costs, on one core.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use landform::river::course::{CourseGround, Winding, Wish, squig};
use landform::river::layout::{End, Named};
use landform::{Ctx, Feature, Inputs, Plan, Recipe, Seed, Terrain};

/// Ground that falls to the south, with five rivers on it; the ground is the same at any resolution.
fn plan(size: u32) -> Plan {
    let text = format!(
        "version = 1\nseed = 7\nsize = [513, 513]\nspacing = [40, 40]\nresolution = [{size}, {size}]\n\
         [[stage]]\nkind = \"plane\"\nheight = 1500\nslope_z = -0.06\n\
         [[stage]]\nkind = \"river\"\nfrom = \"north\"\nto = \"south\"\ncount = 5\n"
    );
    let recipe = Recipe::parse(&text).expect("the recipe is right");
    recipe.resolve(&Inputs::default()).expect("the recipe is right")
}

fn run(plan: &Plan) -> Terrain {
    plan.run(&plan.lattice().whole(), &()).expect("nothing cancels it")
}

fn subdivision(c: &mut Criterion) {
    let mut group = c.benchmark_group("squig");
    let hills = |x: f64, z: f64| 0.02 * z + 40.0 * ((x * 0.001) - (z * 0.0013)).abs();
    let place =
        CourseGround { ground: [20_000.0; 2], height: &hills, sea_level: -1.0, seed: Seed::new(3) };
    let ctx = Ctx::new(&(), "");
    let winding = Winding { cell: 1700.0, irregularity: 0.7, follow: 0.7, smoothing: 1.0 };
    for levels in [2_u32, 4, 6] {
        let depth = move |_: [f64; 2], _: f64| levels;
        let ends = [Named::South, Named::North].map(End::Named);
        let laid = || {
            squig(&place, &winding, &[Wish { from: ends[0], to: ends[1], depth: &depth }], &ctx)
                .expect("nothing cancels it")
        };
        group.throughput(Throughput::Elements(laid().leaves.len() as u64));
        group.bench_function(BenchmarkId::new("triangles", levels), |b| {
            b.iter(|| black_box(laid()));
        });
        group.bench_function(BenchmarkId::new("lines", levels), |b| {
            b.iter(|| black_box(laid().courses(1.0, 0.2, &ctx)));
        });
    }
    group.finish();
}

fn carving(c: &mut Criterion) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let mut group = c.benchmark_group("carve");
    group.sample_size(10);
    for size in [512_u32, 1024, 2048] {
        let plan = plan(size);
        // The course is laid out once and kept.
        pool.install(|| run(&plan));
        group.throughput(Throughput::Elements(u64::from(size) * u64::from(size)));
        group.bench_function(BenchmarkId::new("run", size), |b| {
            b.iter(|| pool.install(|| black_box(run(&plan))));
        });
    }
    // The plain way: every stretch for every sample. Only the distance, so the least that it can cost.
    let terrain = run(&plan(64));
    let lines: Vec<Vec<[f64; 2]>> = terrain
        .features()
        .iter()
        .filter_map(Feature::as_river)
        .map(|river| river.points.iter().map(|point| [point.x, point.z]).collect())
        .collect();
    let size = 128_u64;
    group.throughput(Throughput::Elements(size * size));
    group.bench_function(BenchmarkId::new("every stretch for every sample", size), |b| {
        b.iter(|| {
            let step = 40.0 * 512.0 / (size - 1) as f64;
            let samples = (0..size * size).map(|k| {
                let p = [(k % size) as f64 * step, (k / size) as f64 * step];
                let parts = lines.iter().flat_map(|line| line.windows(2));
                parts.map(|ends| distance(ends[0], ends[1], p)).fold(f64::INFINITY, f64::min)
            });
            black_box(samples.sum::<f64>())
        });
    });
    group.finish();
}

fn distance(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> f64 {
    let (d, q) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let t = ((q[0] * d[0] + q[1] * d[1]) / (d[0] * d[0] + d[1] * d[1])).clamp(0.0, 1.0);
    let away = [q[0] - t * d[0], q[1] - t * d[1]];
    (away[0] * away[0] + away[1] * away[1]).sqrt()
}

criterion_group!(benches, subdivision, carving);
criterion_main!(benches);
