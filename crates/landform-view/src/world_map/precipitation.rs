//! Rain and snow.

use landform::Layer;

use super::{Key, Subject, WorldMap, ramp};
use crate::colormap::ColorMap;
use crate::draw::Canvas;
use crate::style::{Draws, StyleEntry};

/// What the table of styles says about it.
pub(crate) static STYLE: StyleEntry = StyleEntry {
    name: "precipitation",
    doc: "rain and snow",
    draws: Draws::World(WorldMap { layer: Layer::Precipitation, draw, labels: None }),
};

fn draw(map: &Subject<'_>) -> (Canvas, Key) {
    let (tints, key) = ramp(map.samples, map.size, ColorMap::Rain, (0.0, 350.0), "cm/a");
    let mut canvas = map.shaded(&tints, 0.4, None);
    map.add_coasts(&mut canvas);
    (canvas, key)
}
