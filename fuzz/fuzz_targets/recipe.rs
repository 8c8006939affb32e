//! Any text as a recipe: an error or a recipe that reads again as the same after it was written, and that can be made ready
//! to run.
#![no_main]

use landform::analysis::material::Materials;
use landform::{Inputs, Recipe, shape::pad::Pad};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = (Pad::list_from_json(text), Materials::parse(text));
    let Ok(mut recipe) = Recipe::parse(text) else { return };
    let again = Recipe::parse(&recipe.to_toml()).expect("it was just written");
    assert_eq!(again, recipe);
    // Plans are made for lattices that the fuzzer can afford.
    recipe.size = recipe.size.map(|side| side.min(16));
    recipe.resolution = recipe.resolution.map(|size| size.map(|side| side.min(16)));
    let _ = recipe.resolve(&Inputs::default());
});
