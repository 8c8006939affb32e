//! Erosion: nanoseconds a sample and step on one core, against the schemes of the paper, and the growth with
//! the number of samples.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use landform::{Inputs, Plan, Recipe, Terrain};

/// Steps of a run, less than half of those of the preset; what it begins and ends with is counted as well.
const STEPS: u32 = 128;

/// Hills with one erosion stage; the ground is scaled with the size.
fn plan(size: u32, stage: &str) -> Plan {
    let spacing = 20_000.0 / f64::from(size - 1);
    let text = format!(
        "version = 1\nseed = 7\nsize = [{size}, {size}]\nspacing = [{spacing}, {spacing}]\nsea_level = -1\n\
         [[stage]]\nkind = \"uplift\"\npeaks = 200\ny_max = 6000\ndivisor = 20\n{stage}"
    );
    let recipe = Recipe::parse(&text).expect("the recipe is right");
    recipe.resolve(&Inputs::default()).expect("the recipe is right")
}

fn run(plan: &Plan) -> Terrain {
    plan.run(&plan.lattice().whole(), &()).expect("nothing cancels it")
}

/// A stage of [`STEPS`] steps in all: the last half of them without rain, and dry at the end.
fn hydraulic(more: &str) -> String {
    let steps = STEPS / 2;
    format!("[[stage]]\nkind = \"hydraulic\"\nlevels = 1\nsteps = {steps}\ndrying = 1\n{more}\n")
}

fn steps(c: &mut Criterion) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let mut group = c.benchmark_group("erosion step");
    group.sample_size(10);
    for size in [512_u32, 1024, 2048] {
        let samples = u64::from(size) * u64::from(size);
        group.throughput(Throughput::Elements(samples * u64::from(STEPS)));
        for (name, more) in [
            ("water alone", "bank_angle = 90\ncreep = 0"),
            ("with banks", ""),
            ("in strata", "strata = { dip = 2 }"),
        ] {
            group.bench_function(BenchmarkId::new(name, size), |b| {
                // The plan keeps what it has simulated: a new one each time.
                b.iter(|| pool.install(|| black_box(run(&plan(size, &hydraulic(more))))));
            });
        }
    }
    // The schemes of the paper, with its law.
    let size = 1024_u32;
    group.throughput(Throughput::Elements(u64::from(size) * u64::from(size) * u64::from(STEPS)));
    for sharing in ["in_order", "proportional", "eighths"] {
        let more = format!("sharing = \"{sharing}\"\nsteepness = 0\nbank_angle = 90\ncreep = 0");
        group.bench_function(BenchmarkId::new(sharing, size), |b| {
            b.iter(|| pool.install(|| black_box(run(&plan(size, &hydraulic(&more))))));
        });
    }
    group.finish();
}

fn sliding(c: &mut Criterion) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let mut group = c.benchmark_group("thermal");
    group.sample_size(10);
    let size = 1024_u32;
    group.throughput(Throughput::Elements(u64::from(size) * u64::from(size)));
    group.bench_function(BenchmarkId::new("until all has settled", size), |b| {
        let stage = "[[stage]]\nkind = \"thermal\"\ntalus_angle = 25\nsteps = 2000\n";
        b.iter(|| pool.install(|| black_box(run(&plan(size, stage)))));
    });
    group.finish();
}

/// Gullies of five sizes; the ground itself is a few hundredths of the time.
fn gullies(c: &mut Criterion) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let mut group = c.benchmark_group("gullies");
    group.sample_size(10);
    let size = 1024_u32;
    group.throughput(Throughput::Elements(u64::from(size) * u64::from(size)));
    let plan = plan(size, "[[stage]]\nkind = \"gullies\"\nwavelength = 1000\noctaves = 5\n");
    group.bench_function(BenchmarkId::from_parameter(size), |b| {
        b.iter(|| pool.install(|| black_box(run(&plan))));
    });
    group.finish();
}

/// An ice age on a third of the hills, and the ground itself, which is a few hundredths of the time.
fn glaciers(c: &mut Criterion) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let mut group = c.benchmark_group("glaciers");
    group.sample_size(10);
    for size in [512_u32, 2048] {
        group.throughput(Throughput::Elements(u64::from(size) * u64::from(size)));
        group.bench_function(BenchmarkId::from_parameter(size), |b| {
            let stage = "[[stage]]\nkind = \"glaciers\"\n";
            b.iter(|| pool.install(|| black_box(run(&plan(size, stage)))));
        });
    }
    group.finish();
}

criterion_group!(benches, steps, sliding, gullies, glaciers);
criterion_main!(benches);
