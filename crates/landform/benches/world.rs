//! Worlds: the report's models on growing lattices and with more plates, and the default on its own lattice.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use landform::preset::Preset;
use landform::{Inputs, Plan, Recipe, recipe};

fn plan(name: &str, width: u32, plates: Option<u32>) -> Plan {
    let text = Preset::named(name).map_or("", |preset| preset.text);
    let text = recipe::set_size(text, [width + 1, width / 2 + 1]).expect("a preset is a recipe");
    let text = match plates {
        Some(plates) => recipe::set(&text, "plates.plates", &plates.to_string()),
        None => Ok(text),
    };
    let recipe = Recipe::parse(&text.expect("it has that stage")).expect("a preset is a recipe");
    recipe.resolve(&Inputs::default()).expect("a preset needs no files")
}

fn build(name: &str, width: u32, plates: Option<u32>) {
    // A plan remembers what it has simulated: each run needs its own.
    let plan = plan(name, width, plates);
    plan.run(&plan.lattice().whole(), &()).expect("nobody cancels");
}

fn worlds(c: &mut Criterion) {
    let mut group = c.benchmark_group("world");
    group.sample_size(10);
    for width in [128, 256, 512, 1024] {
        group.throughput(Throughput::Elements(u64::from(width * width / 2)));
        group.bench_with_input(BenchmarkId::new("report", width), &width, |b, &width| {
            b.iter(|| build("world_report", width, None));
        });
    }
    for plates in [5, 10, 20, 50, 100] {
        group.bench_with_input(BenchmarkId::new("plates", plates), &plates, |b, &plates| {
            b.iter(|| build("world_report", 512, Some(plates)));
        });
    }
    group.bench_function("default", |b| b.iter(|| build("world", 512, None)));
    group.finish();
}

criterion_group!(benches, worlds);
criterion_main!(benches);
