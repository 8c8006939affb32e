//! Routing and implicit steps of the stream-power law on a rough plain, for `benches/peers/drainage.py`, which takes the time.
//!
//! ```text
//! drainage_steps SIDE STEPS
//! ```
#![expect(clippy::unwrap_used, reason = "a benchmark may fail by panic")]
#![expect(clippy::print_stdout, reason = "what it is for")]

use landform::evolution::stream_power::{Landscape, Law};
use landform::{Ctx, Lattice, Seed};

const LAW: Law =
    Law { erodibility: 2e-5, area_exponent: 0.4, slope_exponent: 1.0, deposition: 0.0 };

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).map(|word| word.parse().unwrap()).collect();
    let [side, steps] = numbers[..] else { panic!("drainage_steps SIDE STEPS") };
    let seed = Seed::new(1);
    let heights = (0..side * side).map(|k| 100.0 * seed.uniform(k as u64) as f32).collect();
    let is_edge = |k: usize| {
        let (i, j) = (k % side, k / side);
        i == 0 || j == 0 || i + 1 == side || j + 1 == side
    };
    let is_base = (0..side * side).map(is_edge).collect();
    let lattice = Lattice { size: [side as u32; 2], spacing: [100.0, 100.0] };
    let mut land = Landscape::new(&lattice, heights, vec![1e-3; side * side], is_base);
    let ctx = Ctx::new(&(), "");
    for _ in 0..steps {
        land.route(None, &ctx).unwrap();
        land.step(&LAW, 2e4, &ctx).unwrap();
    }
    let sum: f64 = land.heights.iter().map(|&h| f64::from(h)).sum();
    println!("mean height {:.3} m", sum / (side * side) as f64);
}
