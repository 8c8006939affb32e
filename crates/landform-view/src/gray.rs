//! Height as brightness, black at the lowest and white at the highest sample.

use landform::Grid;

use crate::draw::Canvas;
use crate::ground::Ground;

/// Draws the ground, one pixel per sample. Level ground is mid-grey; what is missing is black.
pub(crate) fn draw(ground: &Ground<'_>) -> Canvas {
    let (low, high) = ground.range;
    let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
    let base = if high > low { 0.0 } else { 0.5 };
    let gray = |height: f32| (base + (height - low) * scale).clamp(0.0, 1.0);
    let mut pixels: Grid<[f32; 3]> = ground.heights.map(|&height| [gray(height); 3]);
    if let Some(missing) = &ground.missing {
        for (pixel, missing) in pixels.samples_mut().iter_mut().zip(missing.samples()) {
            *pixel = pixel.map(|channel| channel * (1.0 - missing));
        }
    }
    Canvas::from_grid(pixels)
}
