//! Evenly shaded triangles, as in the papers.

use super::{Look, Scene};
use crate::style::{Draws, StyleEntry};

/// What the table of styles says about it.
pub(crate) static STYLE: StyleEntry = StyleEntry {
    name: "triangles",
    doc: "shaded triangles, as in the papers",
    draws: Draws::Scene(|scene| Scene { look: Look::Triangles, ..scene }),
};
