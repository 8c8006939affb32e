//! The finished picture.

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
