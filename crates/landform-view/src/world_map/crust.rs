//! Continental crust and ocean floor.

use landform::Layer;

use super::{Key, Subject, WorldMap, averaged};
use crate::color::{linear, srgb};
use crate::draw::Canvas;
use crate::style::{Draws, StyleEntry};

const OCEAN_FLOOR: u32 = 0x5B_7FA6;
const CONTINENT: u32 = 0xC9_A878;

/// What the table of styles says about it.
pub(crate) static STYLE: StyleEntry = StyleEntry {
    name: "crust",
    doc: "continental crust and ocean floor",
    draws: Draws::World(WorldMap { layer: Layer::Crust, draw, labels: None }),
};

fn draw(map: &Subject<'_>) -> (Canvas, Key) {
    let colors = [linear(OCEAN_FLOOR), linear(CONTINENT)];
    let tints = averaged(map.samples, map.size, |sample| colors[usize::from(sample > 0.5)]);
    let swatches = [("ocean floor", OCEAN_FLOOR), ("continental crust", CONTINENT)];
    let swatches = swatches.map(|(name, color)| (name.to_owned(), srgb(color)));
    (map.shaded(&tints, 0.6, None), Key::Swatches(swatches.into()))
}
