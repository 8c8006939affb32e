//! Any layer of a terrain as a map: a perceptual colour map, shaded by the relief.

use landform::{Grid, Layer, Terrain, par};

use crate::Image;
use crate::color::{encode_with, encoder, linear, mix};
use crate::colormap::ColorMap;
use crate::draw::Canvas;
use crate::ground::Ground;
use crate::legend::{Bar, Legend};
use crate::relief::MISSING;
use crate::resample::{nearest, resample};
use crate::style::{Options, Sheet};

/// How a layer is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerMap {
    /// The colours; what suits the layer if not given.
    pub colors: Option<ColorMap>,
    /// The numbers at the ends of the colours; those of the layer if not given.
    pub range: Option<(f64, f64)>,
    /// How strongly the relief shades the colours, 0 to 1.
    pub shading: f64,
}

impl Default for LayerMap {
    fn default() -> Self {
        Self { colors: None, range: None, shading: 0.5 }
    }
}

impl LayerMap {
    /// Draws `layer` of `terrain`, or nothing if it has no such layer.
    pub fn draw(&self, terrain: &Terrain, layer: &Layer, options: &Options) -> Option<Image> {
        let grid = terrain.layer(layer)?;
        let colors = self.colors.unwrap_or_else(|| ColorMap::for_layer(layer));
        let sheet = Sheet::new(terrain, options);
        let [w, h] = sheet.frame.map;
        let ground = Ground::new(terrain, w, h);
        let known = grid.map(|&v| if v.is_finite() { 0.0 } else { 1.0 });
        let filled = grid.map(|&v| if v.is_finite() { v } else { 0.0 });
        let (values, missing) = if colors.is_continuous() {
            (resample(&filled, w, h), resample(&known, w, h))
        } else {
            (nearest(&filled, w, h), nearest(&known, w, h))
        };
        let finite = grid.map(|&v| if v.is_finite() { v } else { f32::NAN }).range();
        let range = self.range.map_or(finite, |(low, high)| (low as f32, high as f32));
        let range = if colors == ColorMap::Diverging && self.range.is_none() {
            let most = range.0.abs().max(range.1.abs());
            (-most, most)
        } else {
            range
        };
        let shader = options.hillshade.shader(&ground);
        let shaded = shader.shade_all(&ground);
        let level = shader.level().max(1e-6);
        let strength = self.shading.clamp(0.0, 1.0) as f32;
        let (table, blank) = (encoder(), linear(MISSING));
        let mut pixels = Grid::filled(w, h, [0.0_f32; 3]);
        par::for_each_row(pixels.samples_mut(), w, |j, row| {
            for (i, out) in row.iter_mut().enumerate() {
                let light = 1.0 + strength * (shaded[(i, j)] / level - 1.0).clamp(-1.0, 0.4);
                let color = colors.at(values[(i, j)], range).map(|channel| channel * light);
                let color = mix(color, blank, missing[(i, j)].clamp(0.0, 1.0));
                *out = color.map(|channel| encode_with(table, channel));
            }
        });
        let unit = if layer.unit() == "1" { String::new() } else { layer.unit().to_owned() };
        let bar = (colors.is_continuous() && range.1 > range.0).then(|| Bar {
            low: f64::from(range.0),
            high: f64::from(range.1),
            unit,
            color: Box::new(move |value| colors.at(value as f32, range)),
        });
        let note = layer.name().replace('_', " ");
        let legend = Legend { pixel: sheet.pixel(terrain), bar, note, ..Legend::default() };
        Some(sheet.finish(Canvas::from_grid(pixels), &legend).into_image())
    }
}
