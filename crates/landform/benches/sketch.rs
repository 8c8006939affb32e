//! The ground between drawn lines: a hundred of them, by the multigrid alone and as a stage.
#![expect(clippy::unwrap_used, reason = "a benchmark may fail by panic")]

use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use landform::sketch::multigrid::{CYCLES, Multigrid};
use landform::{Ctx, Inputs, Recipe, Seed};

/// A hundred ridges that lie side by side.
fn drawing(side: u32) -> Recipe {
    let seed = Seed::new(1);
    let mut lines = String::new();
    let metres = 10.0 * f64::from(side - 1);
    for k in 0..100_u64 {
        let [x, z] = [(k % 10) as f64, (k / 10) as f64].map(|at| metres * (at + 0.2) / 10.0);
        let [dx, dz] = [2 * k, 2 * k + 1].map(|index| metres * seed.between(index, 0.0, 0.06));
        let height = seed.between(1000 + k, 100.0, 900.0);
        writeln!(
            lines,
            "{{ kind = \"ridge\", points = [[{x}, {z}], [{}, {}]], heights = [{height}], radius = 200 }},",
            x + dx,
            z + dz
        )
        .unwrap();
    }
    Recipe::parse(&format!(
        "version = 1\nsize = [{side}, {side}]\nspacing = [10.0, 10.0]\n[[stage]]\nkind = \"sketch\"\nlines = [\n{lines}]\n"
    ))
    .unwrap()
}

fn sketches(criterion: &mut Criterion) {
    let ctx = Ctx::new(&(), "");
    let mut group = criterion.benchmark_group("sketch");
    group.sample_size(10);
    for side in [257_u32, 1025] {
        let samples = (side * side) as usize;
        group.throughput(Throughput::Elements(samples as u64));
        let is_known: Vec<bool> = (0..samples).map(|k| k % 997 == 0).collect();
        let b: Vec<f64> = (0..samples).map(|k| (k % 7) as f64).collect();
        group.bench_function(BenchmarkId::new("multigrid", side), |bencher| {
            bencher.iter(|| {
                let size = [side as usize; 2];
                let known = is_known.clone();
                let grid = Multigrid::new(size, [10.0; 2], f64::INFINITY, known, &ctx).unwrap();
                black_box(grid.solve(&b, CYCLES, &ctx).unwrap())
            });
        });
        let recipe = drawing(side);
        group.bench_function(BenchmarkId::new("100 lines", side), |bencher| {
            bencher.iter(|| {
                let plan = recipe.resolve(&Inputs::default()).unwrap();
                black_box(plan.run(&plan.lattice().whole(), &()).unwrap())
            });
        });
    }
    group.finish();
}

criterion_group!(benches, sketches);
criterion_main!(benches);
