//! Maps of what follows from the height: slope, aspect, normal.

pub(crate) mod aspect;
pub(crate) mod normal;
pub(crate) mod slope;

use landform::{Grid, par};

use crate::color::{Rgb, encode_with, encoder, linear, mix};
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
