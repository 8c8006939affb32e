//! Ridge curves alone, as the figures of a paper: one panel above the other, each on its ground line.
//!
//! A panel is the land under a curve, or the curve in red over those that it is the average of.

use crate::Image;
use crate::color::srgb;
use crate::draw::{Drawing, Paint, Point, Shape};
use crate::ground::clamp_size;

/// Curves to compare.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curves {
    /// The panels from top to bottom.
    pub panels: Vec<Panel>,
}

/// A curve with its ground line. What is not finite counts as 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// Heights from left to right.
    pub heights: Vec<f32>,
    /// Curves that these heights are the average of. What lies deep below the ground line is cut off.
    pub parts: Vec<Vec<f32>>,
}

impl From<Vec<f32>> for Panel {
    fn from(heights: Vec<f32>) -> Self {
        Self { heights, parts: Vec::new() }
    }
}

/// Size of a picture whose size is not given.
const SIZE: [usize; 2] = [1600, 700];
const SHEET: u32 = 0xFF_FFFF;
const LAND: u32 = 0x4A_5560;
const LINE: u32 = 0x14_181C;
const PART: u32 = 0x3C_6EA5;
const AVERAGE: u32 = 0xC6_2828;
/// How much of the space over the ground line there is below it, for parts that go on there.
const BELOW: f64 = 0.25;

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
        let height = h / self.panels.len().max(1) as f64;
        for (k, panel) in self.panels.iter().enumerate() {
            let frame = Frame::new(panel, [w, height], k as f64 * height);
            if panel.parts.is_empty() {
                frame.add_land(&mut drawing, &panel.heights);
            }
            frame.add_ground_line(&mut drawing, w);
            for part in &panel.parts {
                frame.add_line(&mut drawing, part, (PART, 1.0));
            }
            if !panel.parts.is_empty() {
                frame.add_line(&mut drawing, &panel.heights, (AVERAGE, 2.0));
            }
        }
        drawing
    }
}

/// Where the heights of a panel are drawn.
struct Frame {
    margin: f64,
    width: f64,
    /// Of the ground line.
    y: f64,
    /// Pixels a unit of height.
    scale: f64,
    /// The lowest height that is drawn.
    low: f64,
    line: f64,
}

impl Frame {
    fn new(panel: &Panel, [width, height]: [f64; 2], top: f64) -> Self {
        let margin = 0.04 * width.min(height);
        let all = || panel.parts.iter().chain([&panel.heights]).flatten().map(finite);
        let high = all().fold(0.0, f64::max);
        let low = all().fold(0.0, f64::min);
        let low = if panel.parts.is_empty() { low } else { low.max(-BELOW * high) };
        let reach = height - 4.0 * margin;
        let scale = if high > low { reach / (high - low) } else { 0.0 };
        let y = top + height - 2.0 * margin + low * scale;
        let line = (height / 400.0).max(1.0);
        Self { margin, width: width - 2.0 * margin, y, scale, low, line }
    }

    /// Where point `i` of `count` lies.
    fn place(&self, (i, count): (f64, usize), height: f64) -> Point {
        let x = self.margin + self.width * i / (count.max(2) - 1) as f64;
        [x, self.y - height * self.scale]
    }

    fn add_land(&self, drawing: &mut Drawing, heights: &[f32]) {
        let count = heights.len();
        let place = |(i, height)| self.place((i as f64, count), finite(height));
        let mut ring: Vec<Point> = heights.iter().enumerate().map(place).collect();
        ring.push(self.place(((count.max(2) - 1) as f64, count), 0.0));
        ring.push(self.place((0.0, count), 0.0));
        drawing.add(ring, Paint::Flat(srgb(LAND), 1.0));
    }

    fn add_ground_line(&self, drawing: &mut Drawing, width: f64) {
        let (left, right) = (self.margin / 2.0, width - self.margin / 2.0);
        let (y, line) = (self.y, self.line);
        let bar = vec![[left, y], [right, y], [right, y + line], [left, y + line]];
        drawing.add(bar, Paint::Flat(srgb(LINE), 1.0));
    }

    /// A curve as a line of this colour and width, as far as it is not too low.
    fn add_line(&self, drawing: &mut Drawing, heights: &[f32], (color, width): (u32, f64)) {
        let count = heights.len();
        let half = 0.5 * width * self.line.max(1.5);
        let ends = heights.windows(2).enumerate().filter_map(|(i, pair)| {
            let (from, to) = (finite(&pair[0]), finite(&pair[1]));
            // The place between them at which the curve crosses the lowest height.
            let cut = |inside: f64, outside: f64| (self.low - inside) / (outside - inside);
            let (start, end) = match (from >= self.low, to >= self.low) {
                (true, true) => ((0.0, from), (1.0, to)),
                (true, false) => ((0.0, from), (cut(from, to), self.low)),
                (false, true) => ((1.0 - cut(to, from), self.low), (1.0, to)),
                (false, false) => return None,
            };
            let place = |(along, height)| self.place((i as f64 + along, count), height);
            Some((place(start), place(end)))
        });
        let mut rings = Vec::new();
        let mut runs: Vec<(Point, Point)> = Vec::new();
        for (from, to) in ends {
            match runs.last_mut() {
                Some((first, last)) if is_straight(*first, *last, from, to) => *last = to,
                _ => runs.push((from, to)),
            }
        }
        for (from, to) in runs {
            rings.extend(bar(from, to, half));
        }
        drawing.shapes.push(Shape { rings, paint: Paint::Flat(srgb(color), 1.0) });
    }
}

/// Whether a line from `from`, where the one before ends, to `to` goes on straight.
fn is_straight(first: Point, last: Point, from: Point, to: Point) -> bool {
    let (a, b) = ([last[0] - first[0], last[1] - first[1]], [to[0] - from[0], to[1] - from[1]]);
    let cross = a[0] * b[1] - a[1] * b[0];
    let size = ((a[0] * a[0] + a[1] * a[1]) * (b[0] * b[0] + b[1] * b[1])).sqrt();
    last == from && cross.abs() <= 1e-4 * size
}

/// A line between two points as a ring with pointed ends, so that lines that meet leave no gap.
fn bar(from: Point, to: Point, half: f64) -> Option<Vec<Point>> {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = (dx * dx + dy * dy).sqrt();
    if length == 0.0 {
        return None;
    }
    let (ux, uy) = (half * dx / length, half * dy / length);
    Some(vec![
        [from[0] - uy, from[1] + ux],
        [from[0] - ux, from[1] - uy],
        [from[0] + uy, from[1] - ux],
        [to[0] + uy, to[1] - ux],
        [to[0] + ux, to[1] + uy],
        [to[0] - uy, to[1] + ux],
    ])
}

fn finite(height: &f32) -> f64 {
    if height.is_finite() { f64::from(*height) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_land_is_under_the_curve() {
        let panels = [vec![0.0, 1.0, 0.0], vec![1.0; 3]].map(Panel::from).to_vec();
        let curves = Curves { panels };
        let image = curves.draw(Some([200, 200]));
        let is_land = |x, y| image.pixel(x, y)[0] < 128;
        assert!(is_land(100, 60) && !is_land(40, 30), "a tent");
        assert!(is_land(40, 150) && is_land(160, 150), "a plateau");
        assert_eq!(image.pixel(1, 1), [255; 3]);
        assert!(curves.to_svg(None).starts_with("<svg"));
    }

    #[test]
    fn the_average_is_a_red_line_over_its_parts_which_are_cut_off_below_the_ground() {
        let part = |at: f32| (0..101).map(|i| 50.0 - (i as f32 - at).abs()).collect::<Vec<f32>>();
        let parts = vec![part(20.0), part(80.0)];
        let heights = (0..101).map(|i| 0.5 * (parts[0][i] + parts[1][i])).collect();
        let image = Curves { panels: vec![Panel { heights, parts }] }.draw(Some([400, 300]));
        let count = |is: fn([u8; 3]) -> bool| {
            let pixels = (0..300).flat_map(|y| (0..400).map(move |x| (x, y)));
            pixels.filter(|&(x, y)| is(image.pixel(x, y))).count()
        };
        assert!(count(|[r, g, b]| r > 150 && g < 120 && b < 120) > 200, "the average");
        assert!(count(|[r, g, b]| b > 130 && r < 120 && g < 150) > 200, "the parts");
        // A line, not an area.
        assert!(count(|pixel| pixel == [255; 3]) > 400 * 300 / 2);
        let below = (0..400).filter(|&x| image.pixel(x, 296) != [255; 3]).count();
        assert_eq!(below, 0, "the margin is free");
    }

    #[test]
    fn empty_flat_and_infinite_curves_can_be_drawn() {
        let odd = vec![vec![], vec![0.0], vec![f32::NAN, f32::INFINITY], vec![2.0; 3]];
        let parts = odd.clone();
        let mut panels: Vec<Panel> = odd.into_iter().map(Panel::from).collect();
        panels.push(Panel { heights: vec![0.0; 3], parts });
        Curves { panels }.draw(Some([50, 50]));
        Curves::default().draw(None);
    }
}
