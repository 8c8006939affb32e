//! How the far field compares with brute force on one core, from one run:
//!
//! ```text
//! cargo run --release -p landform --example uplift_ratios [PART OF A SCENE'S NAME]
//! ```
//!
//! Contenders take turns, and the shortest of their times counts. Times are those that the thread has run,
//! where the system tells, so that other work on the machine disturbs less.
#![expect(clippy::print_stdout, reason = "the table is what this is for")]

use std::time::Instant;

use landform::uplift::{Cone, Curve, Divisor, EditableUplift, FarField, brute_force, height_at};
use landform::{Ctx, Lattice};

/// A random scene, and on how many of its rows brute force is measured.
struct Scene {
    name: &'static str,
    side: u32,
    count: usize,
    /// In cells.
    radius: (f64, f64),
    strips: u32,
}

const SCENES: [Scene; 11] = [
    Scene { name: "1000², 100 small", side: 1000, count: 100, radius: (50.0, 200.0), strips: 15 },
    Scene {
        name: "4096², 1k small", side: 4096, count: 1_000, radius: (100.0, 400.0), strips: 16
    },
    Scene { name: "4096², 1k mid", side: 4096, count: 1_000, radius: (256.0, 1024.0), strips: 8 },
    Scene {
        name: "4096², 1k large",
        side: 4096,
        count: 1_000,
        radius: (2048.0, 6144.0),
        strips: 2,
    },
    Scene {
        name: "4096², 10k small",
        side: 4096,
        count: 10_000,
        radius: (100.0, 400.0),
        strips: 8,
    },
    Scene {
        name: "4096², 10k mid", side: 4096, count: 10_000, radius: (256.0, 1024.0), strips: 4
    },
    Scene {
        name: "4096², 10k large",
        side: 4096,
        count: 10_000,
        radius: (2048.0, 6144.0),
        strips: 2,
    },
    Scene { name: "1024², scaled", side: 1024, count: 1_000, radius: (25.0, 100.0), strips: 8 },
    Scene { name: "2048², scaled", side: 2048, count: 1_000, radius: (50.0, 200.0), strips: 8 },
    Scene { name: "4096², scaled", side: 4096, count: 1_000, radius: (100.0, 400.0), strips: 8 },
    Scene { name: "8192², scaled", side: 8192, count: 1_000, radius: (200.0, 800.0), strips: 4 },
];

fn main() {
    let filter = std::env::args().nth(1).unwrap_or_default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    pool.install(|| {
        println!("| scene | far field, ns/sample | culled, ns/sample | ratio | largest error |");
        println!("| --- | --- | --- | --- | --- |");
        for scene in SCENES.iter().filter(|scene| scene.name.contains(&filter)) {
            compare(scene);
        }
        if "edit".contains(&filter) {
            edit(1_000);
            edit(10_000);
        }
    });
}

fn compare(scene: &Scene) {
    let lattice = Lattice { size: [scene.side; 2], spacing: [1.0; 2] };
    let cones = cones(scene.count, lattice.ground(), scene.radius);
    let divisor = cones.len() as f64;
    let whole = lattice.whole();
    let mut out = vec![0.0_f32; whole.len()];
    // Brute force on strips of 64 rows spread evenly over the lattice: all of it would take minutes.
    let rows = scene.side / scene.strips;
    let strips: Vec<_> = (0..scene.strips)
        .filter_map(|k| lattice.window(0, k * rows + rows.saturating_sub(64) / 2, scene.side, 64))
        .collect();
    let mut strip_out = vec![0.0_f32; scene.side as usize * 64];
    let (mut far, mut culled) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..5 {
        far = far.min(time(|| {
            let field = FarField::new(lattice, &cones, Curve::Tent, divisor);
            field.fill(&whole, &mut out, &Ctx::new(&(), "uplift")).expect("nobody cancels");
        }));
        culled = culled.min(time(|| {
            for strip in &strips {
                brute_force::culled(&cones, divisor, strip, &mut strip_out);
            }
        }));
    }
    let error = error(&cones, &lattice, &out);
    let (far, culled) =
        (far / whole.len() as f64, culled / (strips.len() * strip_out.len()) as f64);
    let (far, culled, ratio) = (far * 1e9, culled * 1e9, culled / far);
    println!("| {} | {far:.2} | {culled:.1} | {ratio:.1} | {error:.1e} |", scene.name);
}

/// Seconds that some work takes. The clock of a thread may tick every few milliseconds, so the work is repeated
/// until that hardly matters.
fn time(mut work: impl FnMut()) -> f64 {
    let start = seconds();
    let mut rounds = 0;
    loop {
        work();
        rounds += 1;
        let elapsed = seconds() - start;
        if elapsed > 0.4 {
            return elapsed / f64::from(rounds);
        }
    }
}

/// The largest error at 20,000 samples, as a share of the range.
fn error(cones: &[Cone], lattice: &Lattice, heights: &[f32]) -> f64 {
    let whole = lattice.whole();
    let mut range = (f32::INFINITY, f32::NEG_INFINITY);
    for &height in heights {
        range = (range.0.min(height), range.1.max(height));
    }
    let step = heights.len() / 20_011;
    let mut largest = 0.0_f64;
    for k in 0..20_000 {
        let at = k * step + (k * 7919) % step;
        let (x, z) = (whole.x(at % whole.width()), whole.z(at / whole.width()));
        let expected = height_at(cones, Curve::Tent, cones.len() as f64, x, z);
        largest = largest.max((f64::from(heights[at]) - expected).abs());
    }
    largest / f64::from(range.1 - range.0)
}

/// Moves peaks of radius 200 to random places and back a little, then compares with a rebuild.
fn edit(count: usize) {
    let lattice = Lattice { size: [4096; 2], spacing: [1.0; 2] };
    let mut uplift = EditableUplift::new(
        lattice,
        cones(count, lattice.ground(), (100.0, 400.0)),
        Curve::Tent,
        Divisor::Count,
    );
    let mut shortest = f64::INFINITY;
    for batch in 0..100 {
        let k = batch % count;
        let centre = Cone { radius: 200.0, ..uplift.cones()[(7 * batch) % count] };
        uplift.replace(k, centre);
        let start = seconds();
        for step in 1..100 {
            uplift.replace(k, Cone { x: centre.x + 5.0 * f64::from(step % 7), ..centre });
        }
        shortest = shortest.min((seconds() - start) / 99.0);
    }
    let field = FarField::new(lattice, uplift.cones(), Curve::Tent, count as f64);
    let mut rebuilt = vec![0.0_f32; lattice.whole().len()];
    field.fill(&lattice.whole(), &mut rebuilt, &Ctx::new(&(), "uplift")).expect("nobody cancels");
    let same =
        uplift.heights().samples().iter().zip(&rebuilt).all(|(a, b)| a.to_bits() == b.to_bits());
    let verdict = if same { "the same bytes as" } else { "NOT the bytes of" };
    println!(
        "edit among {count}: {:.3} ms; after 10,000 edits {verdict} a rebuild",
        shortest * 1e3
    );
}

/// Seconds that this thread has run, where the system tells; else the time of day.
fn seconds() -> f64 {
    thread_local!(static START: Instant = Instant::now());
    let run = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let run = run.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    run.map_or_else(|| START.with(Instant::elapsed).as_secs_f64(), |nanoseconds| nanoseconds * 1e-9)
}

/// Random cones on the ground of a lattice.
fn cones(count: usize, ground: [f64; 2], radius: (f64, f64)) -> Vec<Cone> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = |low: f64, high: f64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        low + (high - low) * (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    (0..count)
        .map(|_| Cone {
            x: next(0.0, ground[0]),
            z: next(0.0, ground[1]),
            height: next(100.0, 1000.0),
            radius: next(radius.0, radius.1),
        })
        .collect()
}
