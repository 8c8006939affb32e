//! The finished picture.

use crate::color::{decode, encode_with, encoder};

/// Red, green and blue of every pixel, 8 bits each in sRGB, row-major from the top left.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
}

impl Image {
    /// Takes `pixels` in row-major order.
    ///
    /// # Panics
    /// If there are not `width` × `height` of them.
    pub fn from_pixels(width: usize, height: usize, pixels: Vec<[u8; 3]>) -> Self {
        assert_eq!(pixels.len(), width * height, "an image has width × height pixels");
        Self { width, height, pixels }
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// All pixels, row-major.
    pub fn pixels(&self) -> &[[u8; 3]] {
        &self.pixels
    }

    /// The same, as bytes: r g b r g b …
    pub fn bytes(&self) -> &[u8] {
        self.pixels.as_flattened()
    }

    /// Half of this picture and half of another, mixed as light.
    ///
    /// # Panics
    /// If the other has another size.
    pub fn blended(&self, other: &Self) -> Self {
        let size = (other.width, other.height);
        assert_eq!(size, (self.width, self.height), "pictures must be of one size");
        let table = encoder();
        let half = |a: u8, b: u8| {
            let light = 0.5 * (decode(f32::from(a) / 255.0) + decode(f32::from(b) / 255.0));
            (encode_with(table, light) * 255.0).round() as u8
        };
        let pairs = self.pixels.iter().zip(&other.pixels);
        let pixels = pairs.map(|(a, b)| [0, 1, 2].map(|c| half(a[c], b[c]))).collect();
        Self { pixels, ..*self }
    }

    /// The pixel in column x and row y.
    ///
    /// # Panics
    /// If there is none.
    pub fn pixel(&self, x: usize, y: usize) -> [u8; 3] {
        assert!(x < self.width, "column {x} of {}", self.width);
        self.pixels[y * self.width + x]
    }
}

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Image").field("width", &self.width).field("height", &self.height).finish()
    }
}
