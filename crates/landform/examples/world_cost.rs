//! Makes a world once, with all its layers, for measuring processor time: `world_cost PRESET COLUMNS`; with `sum` behind
//! it, a sum over all samples is printed by which to compare two programs.

#![expect(clippy::print_stdout, reason = "its purpose is to print")]

use landform::preset::Preset;
use landform::{Inputs, Recipe, recipe};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = Preset::named(&args[1]).map_or("", |preset| preset.text);
    let width: u32 = args[2].parse().expect("a width");
    let text = recipe::set_size(text, [width + 1, width / 2 + 1]).expect("a preset is a recipe");
    let recipe = Recipe::parse(&text).expect("a preset is a recipe");
    let plan = recipe.resolve(&Inputs::default()).expect("a preset needs no files");
    let terrain = plan.run(&plan.lattice().whole(), &()).expect("nobody cancels");
    let mut sum = 0_u64;
    if args.len() > 3 {
        for (_, grid) in terrain.layers() {
            for s in grid.samples() {
                sum = sum.rotate_left(5).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                sum = sum.wrapping_add(u64::from(s.to_bits()));
            }
        }
    }
    println!("{sum:016x}");
}
