//! Reads [materials](crate::analysis::material) with the same checks and errors as recipes.

use crate::analysis::material::Materials;
use crate::error::Error;

impl Materials {
    /// Reads a list of materials from TOML: tables `[[material]]` with `name` and `mask`.
    ///
    /// # Errors
    /// The first thing that is wrong, and where.
    pub fn parse(text: &str) -> Result<Self, Error> {
        super::parse_as(text)
    }
}
