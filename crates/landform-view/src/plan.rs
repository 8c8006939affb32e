//! The plan view of the Uplift Model editor (Rankin 2015): every peak as a green marker and the circle of
//! its base over the terrain, selected ones in red.

use landform::Terrain;
use landform::uplift::Cone;

use crate::Image;
use crate::color::{mix, srgb};
use crate::draw::{Canvas, Coverage, Point, circle};
use crate::ground::{Ground, clamp_size};
use crate::hillshade::Hillshade;
use crate::relief::Map;
use crate::style::{Draws, PAPER, StyleEntry};

/// What the table of styles says about it.
pub(crate) static STYLE: StyleEntry = StyleEntry {
    name: "plan",
    doc: "peaks and their circles over the terrain",
    draws: Draws::Picture(|terrain, options| {
        options.plan.draw(terrain, options.size, &options.hillshade)
    }),
};

/// Options of the plan view.
#[derive(Clone, Debug, PartialEq)]
pub struct PeakMap {
    /// The peaks.
    pub cones: Vec<Cone>,
    /// Which of them are selected, by index.
    pub selected: Vec<usize>,
    /// Radii are drawn times this: less than 1 where circles crowd.
    pub radius_scale: f64,
    /// Only so many of the highest peaks are drawn; all if not given. Selected ones always are.
    pub largest: Option<usize>,
}

impl Default for PeakMap {
    fn default() -> Self {
        Self { cones: Vec::new(), selected: Vec::new(), radius_scale: 1.0, largest: None }
    }
}

/// A rectangle of ground and how it lies in the picture.
struct Window {
    /// North-west corner in metres.
    origin: [f64; 2],
    /// Pixels per metre.
    scale: f64,
    size: [usize; 2],
}

impl Window {
    fn pixel(&self, x: f64, z: f64) -> Point {
        [(x - self.origin[0]) * self.scale, (z - self.origin[1]) * self.scale]
    }
}

const MARKER: u32 = 0x1F_9D55;
const RIM: u32 = 0x23_2A33;
const SELECTED: u32 = 0xD6_1F3A;

impl PeakMap {
    /// Draws the plan of `terrain`.
    pub fn draw(
        &self,
        terrain: &Terrain,
        size: Option<[usize; 2]>,
        hillshade: &Hillshade,
    ) -> Image {
        let extent = terrain.extent();
        let spacing = extent.lattice().spacing;
        let start = [extent.x(0) - spacing[0] / 2.0, extent.z(0) - spacing[1] / 2.0];
        let ground = [extent.width() as f64 * spacing[0], extent.height() as f64 * spacing[1]];
        let shown = self.shown();
        let window = self.window(start, ground, &shown, size);
        let mut canvas = Canvas::new(window.size, srgb(PAPER));
        let low = window.pixel(start[0], start[1]).map(f64::round);
        let high = window.pixel(start[0] + ground[0], start[1] + ground[1]).map(f64::round);
        let map = [0, 1].map(|axis| ((high[axis] - low[axis]) as usize).max(1));
        let sheet = Map::new(Ground::with_sea_floor(terrain, map[0], map[1]), hillshade, None);
        let sheet = Canvas::painted(map, |first, part| sheet.paint(first, part));
        canvas.put(&sheet, low.map(|v| v as usize));
        drop(sheet);
        // The terrain steps back behind what is drawn on it.
        let veil = vec![low, [high[0], low[1]], high, [low[0], high[1]]];
        canvas.fill(&Coverage::of_rings(window.size, std::slice::from_ref(&veil)), [1.0; 3], 0.22);
        let mut frame = veil;
        frame.push(low);
        canvas.fill(&Coverage::of_stroke(window.size, &frame, 1.5), srgb(RIM), 0.9);
        self.draw_peaks(&mut canvas, &window, &shown);
        canvas.into_image()
    }

    /// Indices of the peaks to draw: lower ones first, selected ones last.
    fn shown(&self) -> Vec<usize> {
        let drawable = |cone: &Cone| {
            [cone.x, cone.z, cone.height, cone.radius].iter().all(|value| value.is_finite())
        };
        let mut order: Vec<usize> =
            (0..self.cones.len()).filter(|&k| drawable(&self.cones[k])).collect();
        let height = |k: usize| self.cones[k].height.abs();
        order.sort_by(|&a, &b| height(b).total_cmp(&height(a)).then(a.cmp(&b)));
        let is_selected = |k: &usize| self.selected.contains(k);
        let (mut last, mut first): (Vec<usize>, Vec<usize>) =
            order.into_iter().partition(is_selected);
        let room = self.largest.map_or(first.len(), |largest| largest.saturating_sub(last.len()));
        first.truncate(room);
        first.reverse();
        last.reverse();
        first.extend(last);
        first
    }

    /// Shows the base grid, the peaks off it as far as its size again, and a margin.
    fn window(
        &self,
        start: [f64; 2],
        ground: [f64; 2],
        shown: &[usize],
        size: Option<[usize; 2]>,
    ) -> Window {
        let longest = ground[0].max(ground[1]);
        let mut low = start.map(|v| v - 0.06 * longest);
        let mut high = [0, 1].map(|axis| start[axis] + ground[axis] + 0.06 * longest);
        for &k in shown {
            let cone = &self.cones[k];
            for (axis, place) in [cone.x, cone.z].into_iter().enumerate() {
                // A circle may be larger than the map; a sixth of the map of it is enough to see.
                let reach = (cone.radius * self.radius_scale).abs().min(longest / 6.0);
                let (least, most) = (start[axis] - longest, start[axis] + ground[axis] + longest);
                low[axis] = low[axis].min((place - reach).max(least));
                high[axis] = high[axis].max((place + reach).min(most));
            }
        }
        let span = [high[0] - low[0], high[1] - low[1]];
        let bounds = clamp_size(size.unwrap_or([1200, 1200])).map(|side| side as f64);
        let scale = (bounds[0] / span[0]).min(bounds[1] / span[1]);
        let size = match size {
            Some(size) => clamp_size(size),
            None => [0, 1].map(|axis| (span[axis] * scale).round().clamp(16.0, 1200.0) as usize),
        };
        let origin = [0, 1].map(|axis| low[axis] - (size[axis] as f64 / scale - span[axis]) / 2.0);
        Window { origin, scale, size }
    }

    fn draw_peaks(&self, canvas: &mut Canvas, window: &Window, shown: &[usize]) {
        let size = window.size;
        // A confusion of circles is drawn more faintly.
        let ink = (14.0 / (shown.len() as f32 + 6.0).sqrt()).clamp(0.25, 0.8);
        for &k in shown {
            let cone = &self.cones[k];
            let selected = self.selected.contains(&k);
            let center = window.pixel(cone.x, cone.z);
            let radius = (cone.radius * self.radius_scale).abs() * window.scale;
            let disc = circle(center, radius);
            if selected {
                canvas.fill(
                    &Coverage::of_rings(size, std::slice::from_ref(&disc)),
                    srgb(SELECTED),
                    0.16,
                );
            }
            let (width, color, opacity) =
                if selected { (2.6, SELECTED, 1.0) } else { (1.3, RIM, ink) };
            if radius > 0.75 * width {
                let inner = circle(center, radius - width).into_iter().rev().collect();
                let ring = [circle(center, radius), inner];
                canvas.fill(&Coverage::of_rings(size, &ring), srgb(color), opacity);
            }
        }
        for &k in shown {
            let cone = &self.cones[k];
            let color = if self.selected.contains(&k) { SELECTED } else { MARKER };
            draw_marker(canvas, window.pixel(cone.x, cone.z), color);
        }
    }
}

/// A dot with a light rim; at the border of the picture, an arrow to a peak beyond it.
fn draw_marker(canvas: &mut Canvas, center: Point, color: u32) {
    let size = [canvas.width(), canvas.height()];
    let inside = [0, 1].map(|axis| center[axis].clamp(10.0, (size[axis] as f64 - 10.0).max(10.0)));
    let away = [center[0] - inside[0], center[1] - inside[1]];
    let distance = (away[0] * away[0] + away[1] * away[1]).sqrt();
    let white = mix(srgb(PAPER), [1.0; 3], 0.5);
    if distance == 0.0 {
        canvas.fill(&Coverage::of_rings(size, &[circle(center, 5.2)]), white, 0.95);
        canvas.fill(&Coverage::of_rings(size, &[circle(center, 3.7)]), srgb(color), 1.0);
        return;
    }
    let (dx, dy) = (away[0] / distance, away[1] / distance);
    let arrow = |r: f64| {
        let at =
            |a: f64, b: f64| [inside[0] + r * (a * dx - b * dy), inside[1] + r * (a * dy + b * dx)];
        vec![at(1.0, 0.0), at(-0.7, 0.75), at(-0.7, -0.75)]
    };
    canvas.fill(&Coverage::of_rings(size, &[arrow(10.0)]), white, 0.95);
    canvas.fill(&Coverage::of_rings(size, &[arrow(7.5)]), srgb(color), 1.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(heights: &[f64]) -> PeakMap {
        let cone = |&height: &f64| Cone { x: 0.0, z: 0.0, height, radius: 1.0 };
        PeakMap { cones: heights.iter().map(cone).collect(), ..PeakMap::default() }
    }

    #[test]
    fn the_largest_peaks_and_the_selected_ones_are_shown() {
        let mut plan = plan(&[5.0, 1.0, f64::NAN, 9.0, 3.0]);
        assert_eq!(plan.shown(), [1, 4, 0, 3]);
        plan.largest = Some(2);
        assert_eq!(plan.shown(), [0, 3]);
        plan.selected = vec![1];
        assert_eq!(plan.shown(), [3, 1]);
        plan.largest = Some(0);
        assert_eq!(plan.shown(), [1]);
    }
}
