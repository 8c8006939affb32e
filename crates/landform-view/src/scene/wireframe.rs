//! The edges of the triangles.

use super::{Look, Scene};
use crate::style::{Draws, StyleEntry};

/// What the table of styles says about it.
pub(crate) static STYLE: StyleEntry = StyleEntry {
    name: "wireframe",
    doc: "edges of the triangles",
    draws: Draws::Scene(|scene| Scene { look: Look::Wireframe, ..scene }),
};
