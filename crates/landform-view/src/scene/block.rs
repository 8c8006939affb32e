//! A block diagram: parallel rays, cut sides.

use super::{Projection, Scene};
use crate::style::{Draws, StyleEntry};

/// What the table of styles says about it.
pub(crate) static STYLE: StyleEntry = StyleEntry {
    name: "block",
    doc: "block diagram: parallel rays, cut sides",
    draws: Draws::Scene(|scene| Scene { projection: Projection::Parallel, ..scene }),
};
