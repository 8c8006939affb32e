//! Unit normals as colours: red east, green north, blue up, each −1 to 1 as 0 to 255.

use landform::Terrain;

use super::map;
use crate::Options;
use crate::draw::Canvas;
use crate::ground::Ground;
use crate::legend::Legend;
use crate::style::{Draws, GroundMap, StyleEntry};

/// What the table of styles says about it.
pub(crate) static STYLE: StyleEntry = StyleEntry {
    name: "normal",
    doc: "unit normals as colours",
    draws: Draws::Ground(GroundMap { measures: None, draw: draw_map, alone: None }),
};

fn draw_map(
    terrain: &Terrain,
    _: &Options,
    [width, height]: [usize; 2],
    _: &mut Legend<'_>,
) -> Canvas {
    let ground = Ground::new(terrain, width, height);
    map(&ground, |x, z| {
        let shrink = 1.0 / (1.0 + x * x + z * z).sqrt();
        [-x * shrink, z * shrink, shrink].map(|c| 0.5 + 0.5 * c)
    })
}
