//! How steep the ground is, white where it is level.

use landform::{Terrain, math};

use super::map;
use crate::Options;
use crate::color::{encode_with, encoder};
use crate::colormap::ColorMap;
use crate::draw::Canvas;
use crate::gradient::typical_slope;
use crate::ground::Ground;
use crate::legend::{Bar, Legend};
use crate::style::{Draws, GroundMap, StyleEntry};

/// What the table of styles says about it.
pub(crate) static STYLE: StyleEntry = StyleEntry {
    name: "slope",
    doc: "steepness",
    draws: Draws::Ground(GroundMap { measures: None, draw: draw_map, alone: None }),
};

fn draw_map(
    terrain: &Terrain,
    _: &Options,
    [width, height]: [usize; 2],
    legend: &mut Legend<'_>,
) -> Canvas {
    let ground = Ground::new(terrain, width, height);
    let most = steepest(&ground);
    let color = move |value: f64| ColorMap::Heat.at(value as f32, (0.0, most as f32));
    legend.bar = Bar::between(0.0, most, "slope °", color);
    let table = encoder();
    map(&ground, |x, z| {
        let light = ColorMap::Heat.at(steepness(x, z) as f32, (0.0, most as f32));
        light.map(|channel| encode_with(table, channel))
    })
}

fn steepness(x: f32, z: f32) -> f64 {
    math::atan(math::length(f64::from(x), f64::from(z))).to_degrees()
}

/// Degrees of slope at the end of the colours: a round number that nearly all of the ground stays below.
fn steepest(ground: &Ground<'_>) -> f64 {
    let typical = typical_slope(&ground.heights, ground.cell);
    let wanted = 1.8 * math::atan(f64::from(typical)).to_degrees();
    [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 45.0, 60.0]
        .into_iter()
        .find(|&s| s >= wanted)
        .unwrap_or(90.0)
}
