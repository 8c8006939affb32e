//! What streaming needs, by its own reckoning.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

use landform::preset::PRESETS;
use landform::{Inputs, Recipe};
use landform_io::store::{Division, Layout, MEMORY, Windows};

#[test]
fn every_preset_streams_within_the_usual_memory_at_any_size() {
    for preset in PRESETS {
        let mut recipe = Recipe::parse(preset.text).unwrap();
        let is_wide = recipe.size[0] > recipe.size[1];
        for side in [4097, 65_537] {
            let size = [side, if is_wide { side / 2 + 1 } else { side }];
            recipe.resolution = Some(size);
            let plan = recipe.resolve(&Inputs::default()).unwrap();
            let whole = plan.lattice().whole();
            let layout = Layout::of(&plan, &whole, &Division::default()).unwrap();
            let windows = Windows::choose(&plan, &layout, MEMORY);
            assert!(windows.is_ok(), "{} at {side}: {windows:?}", preset.name);
        }
    }
}
