//! Height as brightness, black at the lowest and white at the highest sample.

use crate::color::Rgb;
use crate::ground::Ground;

/// Paints the ground, one pixel per sample, from row `first` on. Level ground is mid-grey; what is missing is black.
pub(crate) fn paint(ground: &Ground<'_>, first: usize, part: &mut [Rgb]) {
    let (low, high) = ground.range;
    let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
    let base = if high > low { 0.0 } else { 0.5 };
    let gray = |height: f32| (base + (height - low) * scale).clamp(0.0, 1.0);
    let from = first * ground.heights.width();
    for (pixel, &height) in part.iter_mut().zip(&ground.heights.samples()[from..]) {
        *pixel = [gray(height); 3];
    }
    if let Some(missing) = &ground.missing {
        for (pixel, missing) in part.iter_mut().zip(&missing.samples()[from..]) {
            *pixel = pixel.map(|channel| channel * (1.0 - missing));
        }
    }
}
