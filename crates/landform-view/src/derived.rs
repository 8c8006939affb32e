//! Maps of what follows from the height: slope, aspect, normal.

use landform::{Grid, math, par};

use crate::color::{Rgb, encode_with, encoder, light_from_oklab, linear, mix};
use crate::colormap::ColorMap;
use crate::draw::Canvas;
use crate::gradient::Slopes;
use crate::ground::Ground;
use crate::relief::MISSING;

/// Calls `color(slope_x, slope_z)` for each pixel; it gives sRGB.
fn map(ground: &Ground<'_>, color: impl Fn(f32, f32) -> Rgb + Sync + Send) -> Canvas {
    let (width, height) = (ground.heights.width(), ground.heights.height());
    let missing = linear(MISSING).map(|channel| encode_with(encoder(), channel));
    let mut pixels = Grid::filled(width, height, [0.0_f32; 3]);
    par::for_each_part(pixels.samples_mut(), width, 16, |k, part| {
        let mut slopes = Slopes::default();
        for (n, row) in part.chunks_exact_mut(width).enumerate() {
            let j = 16 * k + n;
            slopes.of_row(&ground.heights, j, ground.cell, 1.0);
            for (i, out) in row.iter_mut().enumerate() {
                let share = ground.missing.as_ref().map_or(0.0, |missing| missing[(i, j)]);
                *out = mix(color(slopes.x[i], slopes.z[i]), missing, share);
            }
        }
    });
    Canvas::from_grid(pixels)
}

fn steepness(x: f32, z: f32) -> f64 {
    math::atan(math::length(f64::from(x), f64::from(z))).to_degrees()
}

/// Degrees of slope at the end of the colours: a round number that nearly all of the ground stays below.
pub(crate) fn steepest(ground: &Ground<'_>) -> f64 {
    let typical = crate::gradient::typical_slope(&ground.heights, ground.cell);
    let wanted = 1.8 * math::atan(f64::from(typical)).to_degrees();
    [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 45.0, 60.0]
        .into_iter()
        .find(|&s| s >= wanted)
        .unwrap_or(90.0)
}

/// Steepness, white where it is level.
pub(crate) fn slope(ground: &Ground<'_>) -> Canvas {
    let most = steepest(ground) as f32;
    let table = encoder();
    map(ground, |x, z| {
        let light = ColorMap::Heat.at(steepness(x, z) as f32, (0.0, most));
        light.map(|channel| encode_with(table, channel))
    })
}

/// Linear light of ground that faces `azimuth` (radians, clockwise from north): one lightness, every hue.
pub(crate) fn facing(azimuth: f64) -> Rgb {
    let hue = azimuth + 1.9;
    light_from_oklab([0.74, 0.115 * math::cos(hue), 0.115 * math::sin(hue)])
}

/// The direction that the ground faces, paler where it is nearly level.
pub(crate) fn aspect(ground: &Ground<'_>) -> Canvas {
    let level: Rgb = [0.62; 3];
    let typical =
        f64::from(crate::gradient::typical_slope(&ground.heights, ground.cell)).max(1e-12);
    let table = encoder();
    map(ground, |x, z| {
        let slope = math::length(f64::from(x), f64::from(z)) / typical;
        // Downhill, east and north.
        let azimuth = math::atan2(f64::from(-x), f64::from(z));
        let share = math::smoothstep(0.0, 0.35, slope) as f32;
        mix(level, facing(azimuth), share).map(|channel| encode_with(table, channel))
    })
}

/// Unit normals as colours: red east, green north, blue up, each −1 to 1 as 0 to 255.
pub(crate) fn normal(ground: &Ground<'_>) -> Canvas {
    map(ground, |x, z| {
        let shrink = 1.0 / (1.0 + x * x + z * z).sqrt();
        [-x * shrink, z * shrink, shrink].map(|c| 0.5 + 0.5 * c)
    })
}
