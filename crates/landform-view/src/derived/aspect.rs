//! The direction that the ground faces, paler where it is nearly level.

use landform::{Terrain, math};

use super::map;
use crate::Options;
use crate::color::{Rgb, encode_with, encoder, light_from_oklab, mix};
use crate::draw::Canvas;
use crate::gradient::typical_slope;
use crate::ground::Ground;
use crate::legend::{Bar, Legend};
use crate::style::{Draws, GroundMap, StyleEntry};

/// What the table of styles says about it.
pub(crate) static STYLE: StyleEntry = StyleEntry {
    name: "aspect",
    doc: "direction that slopes face",
    draws: Draws::Ground(GroundMap { measures: None, draw: draw_map, alone: None }),
};

fn draw_map(
    terrain: &Terrain,
    _: &Options,
    [width, height]: [usize; 2],
    legend: &mut Legend<'_>,
) -> Canvas {
    let ground = Ground::new(terrain, width, height);
    legend.bar = Bar::between(0.0, 360.0, "facing °", |deg| facing(deg.to_radians()));
    let level: Rgb = [0.62; 3];
    let typical = f64::from(typical_slope(&ground.heights, ground.cell)).max(1e-12);
    let table = encoder();
    map(&ground, |x, z| {
        let slope = math::length(f64::from(x), f64::from(z)) / typical;
        // Downhill, east and north.
        let azimuth = math::atan2(f64::from(-x), f64::from(z));
        let share = math::smoothstep(0.0, 0.35, slope) as f32;
        mix(level, facing(azimuth), share).map(|channel| encode_with(table, channel))
    })
}

/// Linear light of ground that faces `azimuth` (radians, clockwise from north): one lightness, every hue.
fn facing(azimuth: f64) -> Rgb {
    let hue = azimuth + 1.9;
    light_from_oklab([0.74, 0.115 * math::cos(hue), 0.115 * math::sin(hue)])
}
