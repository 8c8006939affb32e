//! The terrain in perspective, with sun, sky and water.

use crate::style::{Draws, StyleEntry};

/// What the table of styles says about it.
pub(crate) static STYLE: StyleEntry = StyleEntry {
    name: "3d",
    doc: "perspective view with sun, sky and water",
    draws: Draws::Scene(|scene| scene),
};
