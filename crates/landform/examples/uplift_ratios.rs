//! Prints how the far field compares with brute force on one core, from one run: `cargo run --release
//! --example uplift_ratios`. Contenders take turns, and the shortest of their times counts.

use std::time::Instant;

use landform::uplift::{Cone, Curve, FarField, brute_force};
use landform::{Ctx, Lattice};

fn main() {
    let filter = std::env::args().nth(1).unwrap_or_default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    pool.install(|| {
        for (name, side, count, radius, repeats, band) in [
            ("1000x100", 1000_u32, 100_usize, (50.0, 200.0), 15, 1000_u32),
            ("4096x1k small", 4096, 1_000, (100.0, 400.0), 5, 1024),
            ("4096x1k mid", 4096, 1_000, (256.0, 1024.0), 5, 512),
            ("4096x1k large", 4096, 1_000, (2048.0, 6144.0), 5, 128),
            ("4096x10k small", 4096, 10_000, (100.0, 400.0), 5, 512),
            ("4096x10k mid", 4096, 10_000, (256.0, 1024.0), 5, 256),
            ("4096x10k large", 4096, 10_000, (2048.0, 6144.0), 5, 64),
        ] {
            if !name.contains(&filter) {
                continue;
            }
            let lattice = Lattice { size: [side; 2], spacing: [1.0; 2] };
            let cones = scene(1, count, lattice.ground(), radius);
            compare(name, lattice, &cones, repeats, band);
        }
    });
}

fn compare(name: &str, lattice: Lattice, cones: &[Cone], repeats: usize, band: u32) {
    let whole = lattice.whole();
    let divisor = cones.len() as f64;
    let mut out = vec![0.0_f32; whole.len()];
    // Brute force on strips of 64 rows spread evenly over the lattice: all of it would take minutes.
    let strips = (band / 64).max(1);
    let rows = lattice.size[1] / strips;
    let strips: Vec<_> = (0..strips)
        .filter_map(|k| {
            lattice.window(0, k * rows + (rows - 64.min(rows)) / 2, lattice.size[0], 64.min(rows))
        })
        .collect();
    let mut strip_out = vec![0.0_f32; strips[0].len()];
    let (mut far, mut culled) = (f64::INFINITY, f64::INFINITY);
    // The clock of a thread ticks every few milliseconds: short work is repeated.
    let rounds = (8_000_000 / whole.len()).max(1);
    for _ in 0..repeats {
        let start = cpu_seconds();
        for _ in 0..rounds {
            let field = FarField::new(lattice, cones, Curve::Tent, divisor);
            field.fill(&whole, &mut out, &Ctx::new(&(), "uplift")).expect("nobody cancels");
        }
        far = far.min((cpu_seconds() - start) / (rounds * whole.len()) as f64);
        if std::env::args().nth(2).is_some() {
            continue;
        }
        let start = cpu_seconds();
        for strip in strips.iter().cycle().take(rounds * strips.len()) {
            brute_force::culled(cones, divisor, strip, &mut strip_out);
        }
        culled =
            culled.min((cpu_seconds() - start) / (rounds * strips.len() * strip_out.len()) as f64);
    }
    let (low, high) = out.iter().fold((f32::MAX, f32::MIN), |(a, b), &y| (a.min(y), b.max(y)));
    let step = whole.len() / 20_011;
    let error = (0..20_000).map(|k| {
        let at = k * step + (k * 7919) % step;
        let (x, z) = (whole.x(at % whole.width()), whole.z(at / whole.width()));
        (f64::from(out[at]) - landform::uplift::height_at(cones, Curve::Tent, divisor, x, z)).abs()
    });
    let error = error.fold(0.0, f64::max) / f64::from(high - low);
    print!("error {error:.1e} ");
    println!(
        "{name:16} far {:8.3} ns  culled {:9.3} ns  ratio {:7.1}",
        far * 1e9,
        culled * 1e9,
        culled / far
    );
}

/// Seconds that this thread has run, where the system tells; else the time of day.
fn cpu_seconds() -> f64 {
    thread_local!(static START: Instant = Instant::now());
    let run = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let run = run.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    run.map_or_else(|| START.with(Instant::elapsed).as_secs_f64(), |ns| ns * 1e-9)
}

/// Random cones on the ground of a lattice.
fn scene(seed: u64, count: usize, ground: [f64; 2], radius: (f64, f64)) -> Vec<Cone> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
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
