//! The lines of a map of a planet: meridians and parallels, their degrees, and the edge of the map.

use std::f64::consts::{PI, TAU};

use crate::MapProjection;
use crate::color::{Rgb, srgb};
use crate::draw::{Align, Canvas, Coverage, Point, text_rings};
use crate::legend::{INK, write};

/// Degrees from one line to the next.
const STEP: i32 = 30;

/// From the plane of a projection to the pixels of a map.
struct Pixels {
    half: [f64; 2],
    size: [f64; 2],
    origin: Point,
}

impl Pixels {
    fn at(&self, [x, y]: [f64; 2]) -> Point {
        [
            self.origin[0] + (0.5 + 0.5 * x / self.half[0]) * self.size[0],
            self.origin[1] + (0.5 - 0.5 * y / self.half[1]) * self.size[1],
        ]
    }
}

impl MapProjection {
    /// Draws meridians and parallels every 30 degrees.
    pub(crate) fn graticule(self, canvas: &mut Canvas, (ink, opacity): (Rgb, f32)) {
        let size = [canvas.width(), canvas.height()];
        let pixels = self.pixels(size.map(|side| side as f64), [0.0; 2]);
        let mut lines: Vec<Vec<Point>> = Vec::new();
        let mut draw = |points: &mut dyn Iterator<Item = [f64; 2]>| {
            let mut line = Vec::new();
            for [longitude, latitude] in points {
                match self.project(longitude, latitude) {
                    Some(at) => line.push(pixels.at(at)),
                    None => lines.push(std::mem::take(&mut line)),
                }
            }
            lines.push(line);
        };
        for k in -6..=6 {
            let longitude = f64::from(k * STEP).to_radians();
            draw(&mut (-90..=90).map(|deg| [longitude, f64::from(deg).to_radians()]));
        }
        for k in -2..=2 {
            let latitude = f64::from(k * STEP).to_radians();
            draw(&mut (-180..=180).map(|deg| [f64::from(deg).to_radians(), latitude]));
        }
        let thin = (size[0] as f64 / 1600.0).clamp(0.6, 3.0);
        for line in lines.iter().filter(|line| line.len() > 1) {
            canvas.fill(&Coverage::of_stroke(size, line, thin), ink, opacity);
        }
    }

    /// Draws the edge of a map of a size whose first pixel lies at `origin`: ice at the poles is as white as paper.
    pub(crate) fn outline(self, canvas: &mut Canvas, map: [f64; 2], origin: Point, thick: f64) {
        let size = [canvas.width(), canvas.height()];
        let pixels = self.pixels(map, origin);
        let mut ring: Vec<Point> = match self {
            Self::Globe { .. } => {
                let turn = |k: u32| f64::from(k) / 360.0 * TAU;
                let at = |t: f64| [landform::math::cos(t), landform::math::sin(t)];
                (0..360).map(|k| pixels.at(at(turn(k)))).collect()
            }
            _ => {
                let side = |sign: f64| {
                    let at = move |deg: i32| [sign * PI, sign * f64::from(deg).to_radians()];
                    (-90..=90).map(at)
                };
                let edge = side(1.0).chain(side(-1.0));
                edge.filter_map(|[a, b]| self.project(a, b)).map(|at| pixels.at(at)).collect()
            }
        };
        ring.extend(ring.first().copied());
        canvas.fill(&Coverage::of_stroke(size, &ring, thick), srgb(INK), 0.75);
    }

    /// Writes the degrees at the ends of the parallels, and of the meridians where they end apart; elsewhere along
    /// the equator.
    pub(crate) fn degrees(self, canvas: &mut Canvas, map: [f64; 2], origin: Point, text: f64) {
        let pixels = self.pixels(map, origin);
        for k in -2..=2 {
            let latitude = f64::from(k * STEP).to_radians();
            let label = named(k * STEP, ["N", "S"]);
            for (end, align, sign) in [(-180, Align::Right, -1.0), (180, Align::Left, 1.0)] {
                if let Some(at) = self.end_of_parallel(latitude, end) {
                    let [x, y] = pixels.at(at);
                    // Towards the poles the edge leans inwards, and letters stand away from it.
                    let lean = match self {
                        Self::Equirectangular => 0.0,
                        _ => at[1] / pixels.half[1],
                    };
                    let away = [sign * 0.6 * text, (0.35 - 0.7 * lean) * text];
                    write(canvas, &label, [x + away[0], y + away[1]], text, align);
                }
            }
        }
        for k in -5..=5 {
            let longitude = f64::from(k * STEP).to_radians();
            let label = named(k * STEP, ["E", "W"]);
            match self {
                Self::Equirectangular | Self::EqualEarth => {
                    for (latitude, drop) in [(PI / 2.0, -0.55), (-PI / 2.0, 1.2)] {
                        let Some(at) = self.project(longitude, latitude) else { continue };
                        let [x, y] = pixels.at(at);
                        write(canvas, &label, [x, y + drop * text], text, Align::Middle);
                    }
                }
                _ => {
                    let Some(at) = self.project(longitude, 0.0) else { continue };
                    // Near the edge of a globe letters would lie beside it.
                    if at[0].abs() < 0.93 * pixels.half[0] {
                        let [x, y] = pixels.at(at);
                        haloed(canvas, &label, [x + 0.3 * text, y - 0.3 * text], text, Align::Left);
                    }
                }
            }
        }
    }

    /// Where a parallel meets the western (−180) or eastern (180) edge; nothing where it closes on the near side of a globe.
    fn end_of_parallel(self, latitude: f64, end: i32) -> Option<[f64; 2]> {
        let Self::Globe { longitude_deg, .. } = self else {
            return self.project(f64::from(end).to_radians(), latitude);
        };
        let at = |deg: i32| self.project((longitude_deg + f64::from(deg)).to_radians(), latitude);
        if at(end).is_some() {
            return None;
        }
        (0..180).filter_map(|k| at(end - end.signum() * k)).next()
    }

    fn pixels(self, size: [f64; 2], origin: Point) -> Pixels {
        Pixels { half: self.extent(), size, origin }
    }
}

fn named(degrees: i32, [positive, negative]: [&str; 2]) -> String {
    match degrees {
        0 => "0°".to_owned(),
        d if d > 0 => format!("{d}°{positive}"),
        d => format!("{}°{negative}", -d),
    }
}

/// White text with a dark rim, readable on anything.
pub(crate) fn haloed(canvas: &mut Canvas, text: &str, at: Point, size: f64, align: Align) {
    let picture = [canvas.width(), canvas.height()];
    let rings = text_rings(text, at, size, align);
    let rims: Vec<Vec<Point>> =
        rings.iter().map(|ring| ring.iter().chain(ring.first()).copied().collect()).collect();
    canvas.fill(&Coverage::of_strokes(picture, &rims, 0.22 * size), [0.05, 0.07, 0.09], 0.75);
    canvas.fill(&Coverage::of_rings(picture, &rings), [1.0; 3], 1.0);
}
