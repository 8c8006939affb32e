//! Mean temperature of the year.

use landform::Layer;

use super::{Key, Subject, WorldMap, ramp};
use crate::colormap::ColorMap;
use crate::draw::Canvas;
use crate::style::{Draws, StyleEntry};

/// What the table of styles says about it.
pub(crate) static STYLE: StyleEntry = StyleEntry {
    name: "temperature",
    doc: "mean temperature",
    draws: Draws::World(WorldMap { layer: Layer::Temperature, draw, labels: None }),
};

fn draw(map: &Subject<'_>) -> (Canvas, Key) {
    let (tints, key) = ramp(map.samples, map.size, ColorMap::Temperature, (-35.0, 35.0), "°C");
    let mut canvas = map.shaded(&tints, 0.4, None);
    map.add_coasts(&mut canvas);
    (canvas, key)
}
