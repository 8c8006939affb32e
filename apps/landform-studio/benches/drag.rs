//! What a frame of a drag costs: a peak of radius 200 cells on 4096² samples under 1,000 peaks, on one core.

use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use landform::uplift::{Peak, Upd};
use landform::{Lattice, Seed};
use landform_studio::document::Document;
use landform_studio::edits;
use landform_studio::evaluate::{Engine, Update, Work};
use landform_studio::selection::Selection;
use landform_studio::session::Session;

fn document() -> Document {
    let seed = Seed::new(1);
    let lattice = Lattice { size: [4096; 2], spacing: [10.0; 2] };
    let peak = |p: u64| Peak {
        i: seed.below(3 * p, 4096) as i64,
        j: seed.below(3 * p + 1, 4096) as i64,
        height: 500.0 + seed.below(3 * p + 2, 5000) as f64,
        radius: 1000.0 + seed.below(3 * p + 3, 6000) as f64,
    };
    let mut peaks: Vec<Peak> = (0..999).map(peak).collect();
    peaks.push(Peak { i: 2000, j: 2000, height: 3000.0, radius: 2000.0 });
    Document::from_upd(Upd { lattice, peaks })
}

fn drag(c: &mut Criterion) {
    let mut session = Session::new("bench.upd", document());
    let inputs = Arc::default();
    let mut engine = Engine::default();
    engine.run(&Work::of(session.document(), &inputs), &(), &mut |_| {});
    session.selection = Selection::one(999);
    let mut step = 1;
    c.bench_function("drag a peak of 200 cells on 4096², 1,000 peaks", |b| {
        b.iter(|| {
            session.move_selected([step, 0]);
            if session.document().items()[999].peak.i.abs_diff(2000) > 100 {
                step = -step;
            }
            let work = Work::of(session.document(), &inputs);
            let mut is_part = false;
            engine.run(&work, &(), &mut |update| is_part |= matches!(update, Update::Part(..)));
            assert!(is_part, "only what changed is evaluated");
        });
    });
    let peaks = edits::selected(session.document(), &session.selection);
    c.bench_function("the change alone", |b| b.iter(|| edits::moved(&peaks, [1, 0])));
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = drag
}
criterion_main!(benches);
