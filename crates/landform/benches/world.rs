//! Worlds: the default plates on growing lattices and with more plates, the phases of the report's model at both of its sizes, and the
//! default world on its own lattice.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use landform::preset::Preset;
use landform::{Inputs, Plan, Recipe, Watch, recipe};

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

/// Notes when the model of the report tells that a phase is done.
#[derive(Default)]
struct Clock(Mutex<Vec<(f32, Instant)>>);

impl Watch for Clock {
    fn progress(&self, stage: &str, done: f32) {
        if stage == "plates"
            && let Ok(mut told) = self.0.lock()
        {
            told.push((done, Instant::now()));
        }
    }
}

/// The phases for which the report gives times.
const PHASES: [&str; 4] = ["continents", "plates", "deformation", "biomes"];

/// How long each of [`PHASES`] takes. Sea level, rain and temperature count as biomes, as in the report.
fn phases(width: u32) -> [Duration; 4] {
    let (plan, clock) = (plan("world_report", width, None), Clock::default());
    plan.run(&plan.lattice().whole(), &clock).expect("nobody cancels");
    let end = Instant::now();
    let told = clock.0.into_inner().expect("nobody panics");
    let steps = recipe_steps();
    // Begun, continents laid out, plates laid out, then each of the steps.
    let at = [0, 1, 2, 2 + steps].map(|k| told[k].1);
    [at[1] - at[0], at[2] - at[1], at[3] - at[2], end - at[3]]
}

/// The number of steps of the preset.
fn recipe_steps() -> usize {
    let text = Preset::named("world_report").map_or("", |preset| preset.text);
    let line = text.lines().find_map(|line| line.strip_prefix("steps = "));
    let number = line.and_then(|rest| rest.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).expect("the preset tells its steps")
}

fn worlds(c: &mut Criterion) {
    let mut group = c.benchmark_group("world");
    group.sample_size(10);
    for width in [128, 256, 512, 1024] {
        group.throughput(Throughput::Elements(u64::from(width * width / 2)));
        group.bench_with_input(BenchmarkId::new("torus", width), &width, |b, &width| {
            b.iter(|| build("world_torus", width, None));
        });
    }
    for plates in [5, 10, 20, 50, 100] {
        group.bench_with_input(BenchmarkId::new("plates", plates), &plates, |b, &plates| {
            b.iter(|| build("world_torus", 512, Some(plates)));
        });
    }
    group.bench_function("default", |b| b.iter(|| build("world", 512, None)));
    group.finish();
}

fn report(c: &mut Criterion) {
    let mut group = c.benchmark_group("report");
    group.sample_size(10);
    for width in [256, 512] {
        for (k, phase) in PHASES.into_iter().enumerate() {
            group.bench_function(BenchmarkId::new(phase, width), |b| {
                b.iter_custom(|times| (0..times).map(|_| phases(width)[k]).sum());
            });
        }
        group.bench_function(BenchmarkId::new("all", width), |b| {
            b.iter(|| build("world_report", width, None));
        });
    }
    group.finish();
}

criterion_group!(benches, worlds, report);
criterion_main!(benches);
