//! Age of the ocean floor.

use std::sync::LazyLock;

use landform::{Grid, Layer};

use super::{Key, Subject, WorldMap};
use crate::color::{Ramp, linear};
use crate::draw::Canvas;
use crate::legend::Bar;
use crate::resample::nearest;
use crate::style::{Draws, StyleEntry};

/// Young floor is warm, old floor deep violet.
static AGE: LazyLock<Ramp> = LazyLock::new(|| {
    Ramp::new(&[
        (0.0, 0xC5_3A2B),
        (0.15, 0xEE_8A3C),
        (0.35, 0xF4_D668),
        (0.55, 0x8C_C084),
        (0.75, 0x3F_86A8),
        (1.0, 0x3A_3C8C),
    ])
});

/// The oldest floor that has a colour of its own, in million years.
const OLDEST: f64 = 200.0;

/// What the table of styles says about it.
pub(crate) static STYLE: StyleEntry = StyleEntry {
    name: "age",
    doc: "age of the ocean floor",
    draws: Draws::World(WorldMap { layer: Layer::CrustAge, draw, labels: None }),
};

fn draw(map: &Subject<'_>) -> (Canvas, Key) {
    let [width, height] = map.size;
    let color = |value: f64| AGE.at((value / OLDEST) as f32);
    let bar = Bar { low: 0.0, high: OLDEST, unit: "Ma".to_owned(), color: Box::new(color) };
    let ages = nearest(map.samples, width, height);
    let land = map.terrain.layer(&Layer::Crust).map(|crust| nearest(crust, width, height));
    let tints = Grid::from_fn(width, height, |i, j| {
        let is_land = land.as_ref().is_some_and(|land| land[(i, j)] > 0.5);
        if is_land { linear(0xC9_C3B4) } else { AGE.at(ages[(i, j)] / OLDEST as f32) }
    });
    (map.shaded(&tints, 0.5, None), Key::Bar(bar))
}
