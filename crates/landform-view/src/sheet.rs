//! Pictures beside each other: a sheet to compare, and before and after in one.

use landform::{Grid, par};

use crate::Image;
use crate::color::{decode, encode_with, encoder, srgb};
use crate::draw::{Align, Canvas, Coverage, text_width};
use crate::graticule::haloed;
use crate::legend::write;
use crate::style::PAPER;

/// A sheet of labelled pictures.
#[derive(Clone, Debug, PartialEq)]
pub struct Compare {
    /// Pictures in a row; as square a sheet as possible if not given.
    pub columns: Option<usize>,
    /// Width of a picture on the sheet, in pixels. Larger ones are reduced, smaller ones stay.
    pub width: usize,
}

impl Default for Compare {
    fn default() -> Self {
        Self { columns: None, width: 480 }
    }
}

impl Compare {
    /// Lays out `pictures`, row by row, each over its label.
    pub fn draw(&self, pictures: &[(String, Image)]) -> Image {
        let width = self.width.clamp(16, 4096);
        let reduced: Vec<Canvas> = par::map(pictures.len(), |k| reduce(&pictures[k].1, width));
        let count = reduced.len().max(1);
        let columns = self.columns.unwrap_or_else(|| (1..).find(|n| n * n >= count).unwrap_or(1));
        let columns = columns.clamp(1, count);
        let tallest = reduced.iter().map(Canvas::height).max().unwrap_or(1);
        let gap = (width / 24).max(8);
        let text = (width as f64 / 22.0).clamp(10.0, 26.0);
        let label = (1.9 * text) as usize;
        let rows = count.div_ceil(columns);
        let size = [gap + columns * (width + gap), gap + rows * (tallest + label + gap)];
        let mut sheet = Canvas::new(size, srgb(PAPER));
        for (k, (picture, (name, _))) in reduced.iter().zip(pictures).enumerate() {
            let (column, row) = (k % columns, k / columns);
            let left = gap + column * (width + gap) + (width - picture.width().min(width)) / 2;
            let top = gap + row * (tallest + label + gap) + (tallest - picture.height()) / 2;
            sheet.put(picture, [left, top]);
            let middle = (gap + column * (width + gap)) as f64 + width as f64 / 2.0;
            let base = (gap + row * (tallest + label + gap) + tallest) as f64 + 1.35 * text;
            write(
                &mut sheet,
                &fitting(name, text, width as f64),
                [middle, base],
                text,
                Align::Middle,
            );
        }
        sheet.into_image()
    }
}

/// As much of a name as fits.
fn fitting(name: &str, size: f64, width: f64) -> String {
    if text_width(name, size) <= width {
        return name.to_owned();
    }
    let mut short = name.to_owned();
    while !short.is_empty() && text_width(&short, size) + text_width("…", size) > width {
        short.pop();
    }
    short + "…"
}

/// One picture on the left of a slanted line and the other on the right, with their names. The second is
/// cut to the size of the first.
pub fn split(before: (&str, &Image), after: (&str, &Image)) -> Image {
    let (left, right) = (canvas(before.1), canvas(after.1));
    let size = [left.width(), left.height()];
    let [w, h] = size.map(|side| side as f64);
    let mut sheet = left;
    let line = [[0.5 * w + 0.06 * h, 0.0], [0.5 * w - 0.06 * h, h]];
    let side = vec![line[0], [w, 0.0], [w, h], line[1]];
    sheet.fill_with(&Coverage::of_rings(size, &[side]), |x, y| {
        let inside = x < right.width() && y < right.height();
        (if inside { right.pixel(x, y) } else { srgb(PAPER) }, 1.0)
    });
    let thick = (h / 300.0).clamp(1.5, 4.0);
    sheet.fill(&Coverage::of_stroke(size, &line, 3.0 * thick), [0.0; 3], 0.25);
    sheet.fill(&Coverage::of_stroke(size, &line, thick), [1.0; 3], 1.0);
    let text = (h / 32.0).clamp(10.0, 28.0);
    haloed(&mut sheet, before.0, [0.8 * text, h - 0.9 * text], text, Align::Left);
    haloed(&mut sheet, after.0, [w - 0.8 * text, h - 0.9 * text], text, Align::Right);
    sheet.into_image()
}

/// The picture with words in its lower left corner.
pub fn captioned(image: &Image, words: &str) -> Image {
    let mut canvas = canvas(image);
    let [w, h] = [canvas.width() as f64, canvas.height() as f64];
    let text = (h / 22.0).min(w / 16.0).clamp(9.0, 48.0);
    haloed(&mut canvas, words, [0.7 * text, h - 0.8 * text], text, Align::Left);
    canvas.into_image()
}

fn canvas(image: &Image) -> Canvas {
    let pixels = image.pixels().iter().map(|p| p.map(|byte| f32::from(byte) / 255.0)).collect();
    Canvas::from_grid(Grid::from_vec(image.width(), image.height(), pixels))
}

/// A picture at most `width` wide. Light is averaged, not bytes: fine patterns keep their brightness.
fn reduce(image: &Image, width: usize) -> Canvas {
    if image.width() <= width {
        return canvas(image);
    }
    let height = (image.height() * width).div_ceil(image.width()).max(1);
    let light: Vec<f32> = (0..=255_u8).map(|byte| decode(f32::from(byte) / 255.0)).collect();
    let mut pixels = Grid::filled(width, height, [0.0_f32; 3]);
    let table = encoder();
    let span = |k: usize, new: usize, old: usize| {
        let (a, b) = (k as f64 * old as f64 / new as f64, (k + 1) as f64 * old as f64 / new as f64);
        (a, b.min(old as f64))
    };
    par::for_each_row(pixels.samples_mut(), width, |y, row| {
        let (top, bottom) = span(y, height, image.height());
        for (x, out) in row.iter_mut().enumerate() {
            let (left, right) = span(x, width, image.width());
            let (mut sum, mut weight) = ([0.0_f64; 3], 0.0);
            for j in top as usize..bottom.ceil() as usize {
                let tall = bottom.min(j as f64 + 1.0) - top.max(j as f64);
                for i in left as usize..right.ceil() as usize {
                    let share = tall * (right.min(i as f64 + 1.0) - left.max(i as f64));
                    let pixel = image.pixel(i, j);
                    sum = [0, 1, 2].map(|c| sum[c] + share * f64::from(light[pixel[c] as usize]));
                    weight += share;
                }
            }
            *out = sum.map(|channel| encode_with(table, (channel / weight) as f32));
        }
    });
    Canvas::from_grid(pixels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::byte;

    fn flat(width: usize, height: usize, color: [u8; 3]) -> Image {
        Image::from_pixels(width, height, vec![color; width * height])
    }

    #[test]
    fn a_sheet_is_as_square_as_its_pictures_allow() {
        let pictures: Vec<(String, Image)> =
            (0..5).map(|k| (format!("picture {k}"), flat(300, 200, [40, 80, 120]))).collect();
        let sheet = Compare { width: 100, ..Compare::default() }.draw(&pictures);
        // Three in a row, two rows.
        assert_eq!(sheet.width(), 8 + 3 * 108);
        let inside = sheet.pixel(50, 40);
        assert!(inside.iter().zip([40_u8, 80, 120]).all(|(a, b)| a.abs_diff(b) <= 1), "{inside:?}");
        assert!(Compare::default().draw(&[]).width() > 0);
    }

    #[test]
    fn reducing_keeps_a_flat_colour_and_a_checkers_light() {
        let checkers: Vec<[u8; 3]> =
            (0..64 * 64).map(|k| [if (k % 64 + k / 64) % 2 == 0 { 0 } else { 255 }; 3]).collect();
        let small = reduce(&Image::from_pixels(64, 64, checkers), 16).into_image();
        // Half of the light is 188 in sRGB, not 128.
        assert!(small.pixels().iter().all(|p| p[0].abs_diff(188) <= 1), "{:?}", small.pixel(3, 3));
    }

    #[test]
    fn a_split_shows_both() {
        let image =
            split(("before", &flat(200, 120, [200, 0, 0])), ("after", &flat(9, 9, [0, 0, 200])));
        assert_eq!(image.pixel(20, 30), [200, 0, 0]);
        let [r, g, b] = srgb(PAPER).map(byte);
        assert_eq!(image.pixel(180, 30), [r, g, b]);
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(fitting("short", 10.0, 100.0), "short");
        let cut = fitting("a very long name indeed", 10.0, 60.0);
        assert!(cut.ends_with('…') && text_width(&cut, 10.0) <= 60.0);
    }
}
