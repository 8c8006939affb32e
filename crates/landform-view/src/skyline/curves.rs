//! Ridge curves alone, as the figures of a paper: one panel above the other, each on its ground line.

use crate::Image;
use crate::color::srgb;
use crate::draw::{Drawing, Paint, Point};
use crate::ground::clamp_size;

/// Curves to compare.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curves {
    /// Heights of each curve from left to right. What is not finite counts as 0.
    pub curves: Vec<Vec<f32>>,
}

/// Size of a picture whose size is not given.
const SIZE: [usize; 2] = [1600, 700];
const SHEET: u32 = 0xFF_FFFF;
const LAND: u32 = 0x4A_5560;
const LINE: u32 = 0x14_181C;

impl Curves {
    /// The curves as pixels.
    pub fn draw(&self, size: Option<[usize; 2]>) -> Image {
        self.drawing(clamp_size(size.unwrap_or(SIZE))).paint()
    }

    /// The curves as an SVG document.
    pub fn to_svg(&self, size: Option<[usize; 2]>) -> String {
        self.drawing(clamp_size(size.unwrap_or(SIZE))).to_svg()
    }

    fn drawing(&self, size: [usize; 2]) -> Drawing {
        let [w, h] = size.map(|side| side as f64);
        let mut drawing = Drawing::new(size);
        drawing.add(drawing.sheet(), Paint::Flat(srgb(SHEET), 1.0));
        let panel = h / self.curves.len().max(1) as f64;
        let margin = 0.04 * w.min(panel);
        let line = (h / 400.0).max(1.0);
        for (k, curve) in self.curves.iter().enumerate() {
            let ground = (k + 1) as f64 * panel - 2.0 * margin;
            let finite: Vec<f64> =
                curve.iter().map(|&y| if y.is_finite() { f64::from(y) } else { 0.0 }).collect();
            let low = finite.iter().copied().fold(0.0, f64::min);
            let high = finite.iter().copied().fold(0.0, f64::max);
            let reach = panel - 4.0 * margin;
            let scale = if high > low { reach / (high - low) } else { 0.0 };
            let ground = ground + low * scale;
            let steps = finite.len().max(2) - 1;
            let place = |i: usize, y: f64| -> Point {
                [margin + (w - 2.0 * margin) * i as f64 / steps as f64, ground - y * scale]
            };
            let mut ring: Vec<Point> =
                finite.iter().enumerate().map(|(i, &y)| place(i, y)).collect();
            ring.push(place(steps, 0.0));
            ring.push(place(0, 0.0));
            drawing.add(ring, Paint::Flat(srgb(LAND), 1.0));
            let (left, right) = (margin / 2.0, w - margin / 2.0);
            let bar = vec![
                [left, ground],
                [right, ground],
                [right, ground + line],
                [left, ground + line],
            ];
            drawing.add(bar, Paint::Flat(srgb(LINE), 1.0));
        }
        drawing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_land_is_under_the_curve() {
        let curves = Curves { curves: vec![vec![0.0, 1.0, 0.0], vec![1.0, 1.0, 1.0]] };
        let image = curves.draw(Some([200, 200]));
        let is_land = |x, y| image.pixel(x, y)[0] < 128;
        assert!(is_land(100, 60) && !is_land(40, 30), "a tent");
        assert!(is_land(40, 150) && is_land(160, 150), "a plateau");
        assert_eq!(image.pixel(1, 1), [255; 3]);
        assert!(curves.to_svg(None).starts_with("<svg"));
    }

    #[test]
    fn empty_flat_and_infinite_curves_can_be_drawn() {
        let odd = vec![vec![], vec![0.0], vec![f32::NAN, f32::INFINITY], vec![2.0; 3]];
        Curves { curves: odd }.draw(Some([50, 50]));
        Curves::default().draw(None);
    }
}
