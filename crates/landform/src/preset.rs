//! The recipes that come with Landform.

/// A recipe to start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name that is asked for.
    pub name: &'static str,
    /// The recipe, with comments.
    pub text: &'static str,
}

macro_rules! presets {
    ($($name:literal),+ $(,)?) => {
        &[$(Preset { name: $name, text: include_str!(concat!("../../../recipes/", $name, ".toml")) }),+]
    };
}

/// All presets; the first is the default.
pub const PRESETS: &[Preset] = presets![
    "mountains",
    "natural",
    "highland",
    "andes",
    "lowland",
    "islands",
    "marshland",
    "zones",
    "paper_mountains",
    "paper_highland",
    "paper_andes",
    "paper_zones",
    "paper_islands",
    "uplift",
    "river",
    "gorge",
    "town",
    "drawn_island",
    "eroded_hills",
    "badlands",
    "hard_core",
    "scree",
    "alpine_range",
    "glaciated_range",
    "canyon_plateau",
    "fjord_coast",
    "radial_volcano",
    "braided_plain",
    "fbm",
    "multifractal",
    "ridges",
    "jagged_to_floodplain",
    "matrix",
    "diamond_square",
    "midpoint_displacement",
    "brownian_surface",
    "faults",
    "volcanoes",
    "domes",
    "world",
    "world_flat",
    "archipelago",
    "supercontinent",
    "world_report",
    "world_torus",
    "world_rivers",
];

impl Preset {
    /// The preset that is built when none is named.
    pub fn default_preset() -> &'static Self {
        &PRESETS[0]
    }

    /// What it is, in a sentence.
    pub fn about(&self) -> String {
        crate::Recipe::parse(self.text).map(|recipe| recipe.about).unwrap_or_default()
    }

    /// The preset called `name`.
    pub fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Inputs, Recipe};

    #[test]
    fn every_preset_is_a_recipe_with_a_title_and_a_sentence() {
        for preset in PRESETS {
            let recipe = Recipe::parse(preset.text).expect(preset.name);
            assert!(!recipe.title.is_empty() && !recipe.about.is_empty(), "{}", preset.name);
            assert!(recipe.resolve(&Inputs::default()).is_ok(), "{}", preset.name);
        }
    }
}
