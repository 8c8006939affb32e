//! Height as brightness, black at the lowest and white at the highest sample.

use landform::Terrain;

use crate::color::Rgb;
use crate::colormap::ColorMap;
use crate::draw::{Canvas, painted_image};
use crate::ground::{Ground, finite_range};
use crate::legend::{Bar, Legend};
use crate::style::{Draws, GroundMap, StyleEntry};
use crate::{Image, Options};

/// What the table of styles says about it.
pub(crate) static STYLE: StyleEntry = StyleEntry {
    name: "gray",
    doc: "height as brightness",
    draws: Draws::Ground(GroundMap {
        measures: Some("height"),
        draw: draw_map,
        alone: Some(draw_alone),
    }),
};

fn draw_map(
    terrain: &Terrain,
    _: &Options,
    [width, height]: [usize; 2],
    legend: &mut Legend<'_>,
) -> Canvas {
    let range = finite_range(terrain.height());
    let color = move |value: f64| ColorMap::Gray.at(value as f32, range);
    legend.bar = Bar::between(range.0.into(), range.1.into(), "m", color);
    let ground = Ground::new(terrain, width, height);
    Canvas::painted([width, height], |first, part| paint(&ground, first, part))
}

fn draw_alone(terrain: &Terrain, _: &Options, [width, height]: [usize; 2]) -> Option<Image> {
    let ground = Ground::new(terrain, width, height);
    Some(painted_image([width, height], |first, part| paint(&ground, first, part)))
}

/// Paints the ground, one pixel per sample, from row `first` on. Level ground is mid-grey; what is missing is black.
fn paint(ground: &Ground<'_>, first: usize, part: &mut [Rgb]) {
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
