//! What streaming needs, by its own reckoning.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

use landform::preset::PRESETS;
use landform::{Inputs, Recipe};
use landform_io::store::{Division, Layout, MEMORY, Windows};

#[test]
fn every_preset_streams_within_the_usual_memory() {
    for preset in PRESETS {
        let mut recipe = Recipe::parse(preset.text).unwrap();
        let is_wide = recipe.size[0] > recipe.size[1];
        for side in [4097, 16_385] {
            let size = [side, if is_wide { side / 2 + 1 } else { side }];
            recipe.resolution = Some(size);
            let plan = match recipe.resolve(&Inputs::default()) {
                Ok(plan) => plan,
                // A wide `smooth` has a finest spacing of its own, which it names.
                Err(error) if error.parameter.as_deref() == Some("radius") && side > 4097 => {
                    continue;
                }
                Err(error) => panic!("{} at {side}: {error}", preset.name),
            };
            let whole = plan.lattice().whole();
            let layout = Layout::of(&plan, &whole, &Division::default()).unwrap();
            let windows = Windows::choose(&plan, &layout, MEMORY);
            assert!(windows.is_ok(), "{} at {side}: {windows:?}", preset.name);
        }
    }
}
