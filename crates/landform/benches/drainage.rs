//! Drainage: routing and one implicit step of the stream-power law, and a landscape from scratch.
#![expect(clippy::unwrap_used, reason = "a benchmark may fail by panic")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use landform::drainage::compass::Compass;
use landform::drainage::depressions::spill_levels;
use landform::drainage::multiple_flow::accumulate_multiple;
use landform::drainage::priority_flood::fill_with_fall;
use landform::evolution::stream_power::{Landscape, Law};
use landform::{Ctx, Inputs, Lattice, Recipe, Seed};

/// Random heights on a plain that leans to one corner; the border is the sea.
fn rough(side: u32) -> Landscape {
    let lattice = Lattice { size: [side, side], spacing: [100.0, 100.0] };
    let samples = (side * side) as usize;
    let seed = Seed::new(1);
    let heights = (0..samples).map(|k| 100.0 * seed.uniform(k as u64) as f32).collect();
    let side = side as usize;
    let is_edge = |k: usize| {
        k.is_multiple_of(side) || k % side == side - 1 || k / side == 0 || k / side == side - 1
    };
    let is_base = (0..samples).map(is_edge).collect();
    Landscape::new(&lattice, heights, vec![1e-3; samples], is_base)
}

const LAW: Law =
    Law { erodibility: 2e-5, area_exponent: 0.4, slope_exponent: 1.0, deposition: 0.0 };

fn steps(criterion: &mut Criterion) {
    let ctx = Ctx::new(&(), "");
    let mut group = criterion.benchmark_group("stream_power");
    group.sample_size(10);
    for side in [256, 1024, 2048] {
        let mut land = rough(side);
        // A few steps, so that there is land with valleys.
        for _ in 0..5 {
            land.route(None, &ctx).unwrap();
            land.wear(&LAW, 2e4, &ctx).unwrap();
        }
        group.throughput(Throughput::Elements(u64::from(side * side)));
        group.bench_function(BenchmarkId::new("route and step", side), |bencher| {
            bencher.iter(|| {
                land.route(None, &ctx).unwrap();
                land.wear(&LAW, 2e4, &ctx).unwrap();
            });
        });
        let rough = rough(side);
        let compass = Compass::new(&Lattice { size: [side, side], spacing: [100.0, 100.0] });
        group.bench_function(BenchmarkId::new("priority flood", side), |bencher| {
            bencher.iter(|| black_box(fill_with_fall(&rough.heights, &rough.is_base, &compass)));
        });
        group.bench_function(BenchmarkId::new("spill levels", side), |bencher| {
            bencher.iter(|| black_box(spill_levels(&rough.heights, &rough.is_base, &compass)));
        });
        group.bench_function(BenchmarkId::new("multiple flow", side), |bencher| {
            let surface = fill_with_fall(&rough.heights, &rough.is_base, &compass);
            let mut flow = vec![1.0; surface.len()];
            bencher.iter(|| accumulate_multiple(&mut flow, &surface, &rough.is_base, &compass));
        });
    }
    group.finish();
}

fn from_scratch(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("evolve");
    group.sample_size(10);
    for side in [513, 1025, 2049] {
        let text = format!(
            "version = 1\nsize = [{side}, {side}]\nspacing = [20, 20]\n[[stage]]\nkind = \"uplift\"\npeaks = 100\n\
             [[stage]]\nkind = \"evolve\"\nrelief = 1500\n"
        );
        let recipe = Recipe::parse(&text).unwrap();
        group.throughput(Throughput::Elements(side * side));
        group.bench_function(BenchmarkId::new("from scratch", side), |bencher| {
            bencher.iter(|| {
                let plan = recipe.resolve(&Inputs::default()).unwrap();
                black_box(plan.run(&plan.lattice().whole(), &()).unwrap());
            });
        });
    }
    group.finish();
}

criterion_group!(benches, steps, from_scratch);
criterion_main!(benches);
