//! Any text as a recipe that is run small, as a tile and as a whole: both are the same, and all heights are numbers.
//!
//! The first four bytes say which tile.
#![no_main]

use std::time::{Duration, Instant};

use landform::{Cancelled, Plan, Recipe, Terrain, Watch};
use landform_fuzz::inputs;
use libfuzzer_sys::fuzz_target;

/// Samples along a side.
const SIDE: u32 = 24;
/// Bytes that a run may take.
const MEMORY: u64 = 256 << 20;

/// Stops runs that are allowed to be long.
struct Deadline(Instant);

impl Watch for Deadline {
    fn is_cancelled(&self) -> bool {
        Instant::now() > self.0
    }
}

fn run(plan: &Plan, [i, j, width, height]: [u32; 4]) -> Result<Terrain, Cancelled> {
    let window = plan.lattice().window(i, j, width, height).expect("it lies on the lattice");
    plan.run(&window, &Deadline(Instant::now() + Duration::from_secs(2)))
}

fuzz_target!(|input: &[u8]| {
    let Some((tile, text)) = input.split_first_chunk::<4>() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let Ok(mut recipe) = Recipe::parse(text) else { return };
    recipe.size = recipe.size.map(|side| side.min(SIDE));
    recipe.resolution = recipe.resolution.map(|size| size.map(|side| side.min(2 * SIDE)));
    let inputs = inputs();
    let (Ok(plan), Ok(other)) = (recipe.resolve(&inputs), recipe.resolve(&inputs)) else { return };
    let [width, height] = plan.lattice().size;
    if width.max(height) > 4 * SIDE || plan.memory(&plan.lattice().whole()) > MEMORY {
        return;
    }
    let [i, j, right, down] = tile.map(u32::from);
    let (i, j) = (i % width, j % height);
    let window = [i, j, 1 + right % (width - i), 1 + down % (height - j)];
    // The tile first: nothing may depend on the whole having been run.
    let Ok(tile) = run(&plan, window) else { return };
    let Ok(whole) = run(&other, [0, 0, width, height]) else { return };
    assert!(tile == whole.crop(tile.extent()), "the tile {window:?} is another");
    assert!(whole.height().samples().iter().all(|height| height.is_finite()));
});
