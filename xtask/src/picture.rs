//! Pictures in memory, for comparing the one on record with the one just made.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;

use anyhow::{Context, Result};

/// Red, green, blue and opacity for each pixel, row by row.
#[derive(Debug, PartialEq)]
pub(crate) struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 4]>,
}

/// Between the panels of a comparison.
const GAP: usize = 8;

impl Picture {
    /// Reads a PNG.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let read = || -> Result<Self> {
            let mut decoder = png::Decoder::new(BufReader::new(File::open(path)?));
            let to_rgba = png::Transformations::normalize_to_color8() | png::Transformations::ALPHA;
            decoder.set_transformations(to_rgba);
            let mut reader = decoder.read_info()?;
            let mut bytes = vec![0; reader.output_buffer_size().context("too large")?];
            let frame = reader.next_frame(&mut bytes)?;
            bytes.truncate(frame.buffer_size());
            let pixels = match frame.color_type {
                png::ColorType::GrayscaleAlpha => bytes
                    .as_chunks()
                    .0
                    .iter()
                    .map(|&[gray, alpha]| [gray, gray, gray, alpha])
                    .collect(),
                _ => bytes.as_chunks().0.to_vec(),
            };
            Ok(Self { width: frame.width as usize, height: frame.height as usize, pixels })
        };
        read().with_context(|| format!("cannot read {}", path.display()))
    }

    /// Writes a PNG.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let write = || -> Result<()> {
            let file = BufWriter::new(File::create(path)?);
            let mut encoder = png::Encoder::new(file, self.width as u32, self.height as u32);
            encoder.set_compression(png::Compression::High);
            // Without the channel that says nothing, if all is opaque.
            if self.pixels.iter().all(|pixel| pixel[3] == 255) {
                let opaque =
                    self.pixels.iter().flat_map(|&[red, green, blue, _]| [red, green, blue]);
                encoder.set_color(png::ColorType::Rgb);
                encoder.write_header()?.write_image_data(&opaque.collect::<Vec<u8>>())?;
            } else {
                encoder.set_color(png::ColorType::Rgba);
                encoder.write_header()?.write_image_data(self.pixels.as_flattened())?;
            }
            Ok(())
        };
        write().with_context(|| format!("cannot write {}", path.display()))
    }

    /// Number of columns.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Each square of `factor` × `factor` pixels becomes one, their mean. What does not fill a square at the
    /// right and lower edge is lost.
    pub(crate) fn shrunk(&self, factor: usize) -> Self {
        let factor = factor.clamp(1, self.width.min(self.height).max(1));
        let (width, height) = (self.width / factor, self.height / factor);
        let count = (factor * factor) as u32;
        let mean = |x: usize, y: usize| {
            let rows = (y * factor..(y + 1) * factor).map(|y| &self.pixels[y * self.width..]);
            let square = rows.flat_map(|row| &row[x * factor..(x + 1) * factor]);
            let sum = square.fold([0; 4], |sum: [u32; 4], pixel| {
                std::array::from_fn(|channel| sum[channel] + u32::from(pixel[channel]))
            });
            sum.map(|sum| ((sum + count / 2) / count) as u8)
        };
        let pixels = (0..width * height).map(|k| mean(k % width, k / width)).collect();
        Self { width, height, pixels }
    }

    /// How many pixels differ. Where one picture has no pixel, that is a difference too.
    pub(crate) fn difference(&self, other: &Self) -> usize {
        let (width, height) = (self.width.max(other.width), self.height.max(other.height));
        let differs = |k: &usize| self.at(k % width, k / width) != other.at(k % width, k / width);
        (0..width * height).filter(differs).count()
    }

    /// This picture, the other, and where they differ, side by side.
    pub(crate) fn beside(&self, other: &Self) -> Self {
        let (width, height) = (self.width.max(other.width), self.height.max(other.height));
        let total = 3 * width + 2 * GAP;
        let pixel = |x: usize, y: usize| {
            let (panel, x) = (x / (width + GAP), x % (width + GAP));
            if x >= width {
                return None;
            }
            match panel {
                0 => self.at(x, y),
                1 => other.at(x, y),
                _ => Some(contrast(self.at(x, y), other.at(x, y))),
            }
        };
        let pixels = (0..total * height).map(|k| pixel(k % total, k / total).unwrap_or([0; 4]));
        Self { width: total, height, pixels: pixels.collect() }
    }

    fn at(&self, x: usize, y: usize) -> Option<[u8; 4]> {
        (x < self.width && y < self.height).then(|| self.pixels[y * self.width + x])
    }
}

/// Black where the pixels agree; the more red the more they differ, and never too dark to be seen.
fn contrast(a: Option<[u8; 4]>, b: Option<[u8; 4]>) -> [u8; 4] {
    let (a, b) = (a.unwrap_or([0; 4]), b.unwrap_or([0; 4]));
    let most = a.iter().zip(b).map(|(a, b)| a.abs_diff(b)).max().unwrap_or(0);
    [if most == 0 { 0 } else { most.saturating_mul(4).max(96) }, 0, 0, 255]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(width: usize, height: usize, gray: u8) -> Picture {
        Picture { width, height, pixels: vec![[gray, gray, gray, 255]; width * height] }
    }

    #[test]
    fn a_picture_comes_back_as_it_was_written() {
        let (opaque, mut clear) = (plain(3, 2, 7), plain(3, 2, 7));
        clear.pixels[4] = [1, 2, 3, 4];
        let path = std::env::temp_dir().join(format!("xtask-picture-{}.png", std::process::id()));
        for picture in [opaque, clear] {
            picture.write(&path).unwrap();
            assert_eq!(Picture::read(&path).unwrap(), picture);
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn differences_are_counted_and_shown_in_the_third_panel() {
        let (before, mut after) = (plain(3, 2, 7), plain(3, 2, 7));
        assert_eq!(before.difference(&after), 0);
        after.pixels[5][1] = 9;
        assert_eq!(before.difference(&after), 1);
        let panels = before.beside(&after);
        assert_eq!(panels.width, 3 * 3 + 2 * GAP);
        assert_eq!(panels.at(2 * (3 + GAP) + 2, 1), Some([96, 0, 0, 255]));
        assert_eq!(panels.at(2 * (3 + GAP), 0), Some([0, 0, 0, 255]));
    }

    #[test]
    fn a_shrunk_picture_has_the_means_of_its_squares() {
        let mut picture = plain(5, 2, 10);
        picture.pixels[1] = [14, 10, 10, 255];
        let small = picture.shrunk(2);
        assert_eq!((small.width, small.height), (2, 1));
        assert_eq!(small.pixels, [[11, 10, 10, 255], [10, 10, 10, 255]]);
        assert_eq!(picture.shrunk(1), picture);
    }

    #[test]
    fn another_size_is_a_difference() {
        assert_eq!(plain(2, 2, 0).difference(&plain(3, 2, 0)), 2);
    }
}
