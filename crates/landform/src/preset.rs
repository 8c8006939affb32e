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
pub const PRESETS: &[Preset] = presets!["highland", "river", "gorge", "town"];

impl Preset {
    /// The preset that is built when none is named.
    pub fn default_preset() -> &'static Self {
        &PRESETS[0]
    }

    /// The preset called `name`.
    pub fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }
}
