//! A picture being made.

use landform::{Grid, par};

use super::Coverage;
use crate::Image;
use crate::color::{Rgb, byte, mix};

/// Pixels as sRGB from 0 to 1, the space in which SVG viewers blend, so that raster and vector agree.
#[derive(Clone, Debug)]
pub(crate) struct Canvas {
    pixels: Grid<Rgb>,
}

impl Canvas {
    pub(crate) fn new(size: [usize; 2], color: Rgb) -> Self {
        Self { pixels: Grid::filled(size[0], size[1], color) }
    }

    pub(crate) fn from_grid(pixels: Grid<Rgb>) -> Self {
        Self { pixels }
    }

    /// The pixels that `paint` gives: it is handed the first row of a part and the part.
    pub(crate) fn painted(
        [width, height]: [usize; 2],
        paint: impl Fn(usize, &mut [Rgb]) + Sync + Send,
    ) -> Self {
        let mut pixels = Grid::filled(width, height, [0.0_f32; 3]);
        par::for_each_part(pixels.samples_mut(), width, PART, |k, part| paint(PART * k, part));
        Self { pixels }
    }

    pub(crate) fn width(&self) -> usize {
        self.pixels.width()
    }

    pub(crate) fn height(&self) -> usize {
        self.pixels.height()
    }

    /// sRGB of a pixel.
    pub(crate) fn pixel(&self, x: usize, y: usize) -> Rgb {
        self.pixels[(x, y)]
    }

    /// Puts a colour into a pixel.
    pub(crate) fn set(&mut self, x: usize, y: usize, color: Rgb) {
        self.pixels[(x, y)] = color;
    }

    /// Lays `part` over this with its first pixel at `origin`; what lies outside is cut off.
    pub(crate) fn put(&mut self, part: &Self, origin: [usize; 2]) {
        let count = part.width().min(self.width().saturating_sub(origin[0]));
        for j in 0..part.height().min(self.height().saturating_sub(origin[1])) {
            let row = &mut self.pixels.row_mut(origin[1] + j)[origin[0]..origin[0] + count];
            row.copy_from_slice(&part.pixels.row(j)[..count]);
        }
    }

    /// Blends `color(x, y)` in where the shape covers.
    pub(crate) fn fill_with(
        &mut self,
        shape: &Coverage,
        color: impl Fn(usize, usize) -> (Rgb, f32),
    ) {
        shape.for_each(|x, y, covered| {
            let (color, opacity) = color(x, y);
            let pixel = &mut self.pixels[(x, y)];
            *pixel = mix(*pixel, color, covered * opacity);
        });
    }

    /// Blends a flat colour in where the shape covers.
    pub(crate) fn fill(&mut self, shape: &Coverage, color: Rgb, opacity: f32) {
        self.fill_with(shape, |_, _| (color, opacity));
    }

    /// Rounds each channel to the nearest byte.
    pub(crate) fn into_image(self) -> Image {
        self.round(|_, _| 0.0)
    }

    /// Rounds each channel to a byte after adding noise of one step, so that slow gradients show no bands.
    pub(crate) fn into_dithered_image(self) -> Image {
        self.round(dither)
    }

    fn round(self, noise: impl Fn(usize, usize) -> f32 + Sync + Send) -> Image {
        let (width, height) = (self.width(), self.height());
        let mut bytes = vec![[0_u8; 3]; width * height];
        let pixels = &self.pixels;
        par::for_each_row(&mut bytes, width, |y, row| {
            for (x, (out, color)) in row.iter_mut().zip(pixels.row(y)).enumerate() {
                let noise = noise(x, y);
                *out = color.map(|channel| byte(channel + noise));
            }
        });
        Image::from_pixels(width, height, bytes)
    }
}

/// Rows that are painted together.
const PART: usize = 16;

/// The picture of [`Canvas::painted`], without holding the colours before they are bytes.
pub(crate) fn painted_image(
    [width, height]: [usize; 2],
    paint: impl Fn(usize, &mut [Rgb]) + Sync + Send,
) -> Image {
    let mut bytes = vec![[0_u8; 3]; width * height];
    par::for_each_part(&mut bytes, width, PART, |k, part| {
        let mut colors = vec![[0.0_f32; 3]; part.len()];
        paint(PART * k, &mut colors);
        for (out, color) in part.iter_mut().zip(&colors) {
            *out = color.map(byte);
        }
    });
    Image::from_pixels(width, height, bytes)
}

/// Noise from −½ to ½ of a byte's step whose neighbours differ: interleaved gradient noise (Jimenez 2014).
pub(crate) fn dither(x: usize, y: usize) -> f32 {
    let mixed = 0.067_110_56 * x as f32 + 0.005_837_15 * y as f32;
    let scaled = 52.982_918 * (mixed - mixed.floor());
    (scaled - scaled.floor() - 0.5) / 255.0
}
