//! Any bytes as what a stage has found out about the whole ground: they are refused, or the terrain can be made from them.
//!
//! The first two bytes say which recipe and which of its stages.
#![no_main]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use landform::{Inputs, Plan, Recipe, Watch};
use landform_fuzz::{Memory, damaged, inputs};
use libfuzzer_sys::fuzz_target;

const EVERYTHING: &str = include_str!("../../crates/landform/tests/everything.toml");
const PLANET: &str = r#"
version = 1
size = [33, 17]
spacing = [1000000, 1000000]
topology = "sphere"
stage = [
    { kind = "plates", plates = 5, steps = 4 },
    { kind = "particle_deposition", vents = 2, particles = 50, cell = 1000000 },
    { kind = "sea_level" },
    { kind = "climate" },
    { kind = "biomes" },
]
"#;

struct Known {
    recipe: Recipe,
    inputs: Inputs,
    found: BTreeMap<String, Vec<u8>>,
}

impl Known {
    fn of(text: &str) -> Self {
        let mut recipe = Recipe::parse(text).expect("it is a recipe");
        recipe.size = recipe.size.map(|side| side.min(33));
        let mut known = Self { recipe, inputs: inputs(), found: BTreeMap::new() };
        let shelf = Memory::default();
        known.plan().simulate(&shelf, &()).expect("nobody cancels");
        known.found = shelf.0.into_inner();
        known
    }

    fn plan(&self) -> Plan {
        self.recipe.resolve(&self.inputs).expect("the inputs are there")
    }
}

static KNOWN: LazyLock<[Known; 2]> = LazyLock::new(|| [EVERYTHING, PLANET].map(Known::of));

/// Whoever has to find it out again stops: what was refused is of no interest.
struct Impatient;

impl Watch for Impatient {
    fn is_cancelled(&self) -> bool {
        true
    }
}

fuzz_target!(|input: &[u8]| {
    let Some((&[which, stage], rest)) = input.split_first_chunk::<2>() else { return };
    let known = &KNOWN[usize::from(which) % KNOWN.len()];
    let mut found = known.found.clone();
    let stage = usize::from(stage) % found.len();
    if let Some(bytes) = found.values_mut().nth(stage) {
        *bytes = damaged(bytes, rest);
    }
    let plan = known.plan();
    if plan.simulate(&Memory(found.into()), &Impatient).is_ok() {
        let window = plan.lattice().window(3, 2, 20, 9).expect("it lies on the lattice");
        plan.run(&window, &()).expect("nobody cancels");
    }
});
