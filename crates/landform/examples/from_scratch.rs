//! A landscape from scratch, alone in a process so that its time and memory can be taken.
//!
//! ```text
//! from_scratch SIDE [THREADS]
//! ```
#![expect(clippy::unwrap_used, reason = "a benchmark may fail by panic")]
#![expect(clippy::print_stdout, reason = "what it is for")]

use landform::{Inputs, Recipe, par};

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).map(|word| word.parse().unwrap()).collect();
    let (side, threads) = (numbers[0], numbers.get(1).copied().unwrap_or(0));
    let text = format!(
        "version = 1\nsize = [{side}, {side}]\nspacing = [20, 20]\n[[stage]]\nkind = \"uplift\"\npeaks = 100\n\
         [[stage]]\nkind = \"evolve\"\nrelief = 1500\n"
    );
    let plan = Recipe::parse(&text).unwrap().resolve(&Inputs::default()).unwrap();
    let terrain =
        par::with_threads(threads, || plan.run(&plan.lattice().whole(), &())).unwrap().unwrap();
    let sum: f64 = terrain.height().samples().iter().map(|&h| f64::from(h)).sum();
    println!("mean height {:.6} m", sum / (side * side) as f64);
}
