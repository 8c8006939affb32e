//! What the ground is covered with, for those who draw it: it changes no sample.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What covers the ground where it is neither snow, water nor beach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
// The name in the published schema of recipes.
#[schemars(rename = "Cover")]
pub enum GroundCover {
    /// Meadows and woods, and rock where it is steep or high.
    #[default]
    Green,
    /// Nothing: dry soil and rock everywhere.
    Bare,
}

impl GroundCover {
    /// Whether it is the one of a recipe that says nothing.
    pub fn is_green(&self) -> bool {
        *self == Self::Green
    }
}
