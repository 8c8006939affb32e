//! Biomes, each in its colour.

use landform::world::Biome;
use landform::{Grid, Layer};

use super::{Key, Subject, WorldMap, averaged, biome_key, frozen_water};
use crate::color::linear;
use crate::draw::Canvas;
use crate::style::{Draws, StyleEntry};

/// What the table of styles says about it.
pub(crate) static STYLE: StyleEntry = StyleEntry {
    name: "biomes",
    doc: "biomes, each in its colour",
    draws: Draws::World(WorldMap { layer: Layer::Biome, draw, labels: None }),
};

fn draw(map: &Subject<'_>) -> (Canvas, Key) {
    let frozen = frozen_water(map.terrain, map.samples);
    let shown = with_ice(map.samples, &frozen);
    let color =
        |sample: f32| Biome::from_sample(sample).map_or([0.5; 3], |biome| linear(biome.color()));
    let tints = averaged(&shown, map.size, color);
    let mut canvas = map.shaded(&tints, 0.35, Some(&frozen));
    map.add_inland_water(&mut canvas);
    (canvas, biome_key(&shown))
}

/// The biomes with frozen lakes among the ice on water.
fn with_ice(biomes: &Grid, frozen: &Grid) -> Grid {
    let mut shown = biomes.clone();
    for (biome, &ice) in shown.samples_mut().iter_mut().zip(frozen.samples()) {
        *biome = if ice > 0.5 { f32::from(Biome::SeaIce as u8) } else { *biome };
    }
    shown
}
