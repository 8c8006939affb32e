//! A planet: biomes shaded by relief, water by depth.

use landform::Layer;

use super::{Key, Subject, WorldMap, biome_key, frozen_water, natural};
use crate::draw::Canvas;
use crate::style::{Draws, StyleEntry};

/// What the table of styles says about it.
pub(crate) static STYLE: StyleEntry = StyleEntry {
    name: "world",
    doc: "planet: biomes shaded by relief, water by depth",
    draws: Draws::World(WorldMap { layer: Layer::Biome, draw, labels: None }),
};

fn draw(map: &Subject<'_>) -> (Canvas, Key) {
    let frozen = frozen_water(map.terrain, map.samples);
    let tints = natural(map.terrain, map.samples, map.size);
    let mut canvas = map.shaded(&tints, 1.0, Some(&frozen));
    map.add_inland_water(&mut canvas);
    (canvas, biome_key(map.samples))
}
