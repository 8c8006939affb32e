//! A picture made of shapes, which can be painted or written as SVG.

use super::{Canvas, Coverage, Point};
use crate::Image;
use crate::color::{Rgb, mix};

/// A place along a gradient, 0 to 1, with the sRGB colour and opacity there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stop {
    pub(crate) place: f32,
    pub(crate) color: Rgb,
    pub(crate) opacity: f32,
}

/// How a shape is filled.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Paint {
    Flat(Rgb, f32),
    /// From y = `top` to y = `bottom`.
    Vertical {
        top: f64,
        bottom: f64,
        stops: Vec<Stop>,
    },
    /// From the centre to the rim of a circle.
    Radial {
        center: Point,
        radius: f64,
        stops: Vec<Stop>,
    },
}

/// Closed rings; holes turn the other way.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shape {
    pub(crate) rings: Vec<Vec<Point>>,
    pub(crate) paint: Paint,
}

/// Shapes from back to front.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Drawing {
    pub(crate) size: [usize; 2],
    pub(crate) shapes: Vec<Shape>,
}

impl Drawing {
    pub(crate) fn new(size: [usize; 2]) -> Self {
        Self { size, shapes: Vec::new() }
    }

    pub(crate) fn add(&mut self, ring: Vec<Point>, paint: Paint) {
        self.shapes.push(Shape { rings: vec![ring], paint });
    }

    /// The whole picture as one ring.
    pub(crate) fn sheet(&self) -> Vec<Point> {
        let [w, h] = self.size.map(|side| side as f64);
        vec![[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]]
    }

    /// Paints the shapes, one over another.
    pub(crate) fn paint(&self) -> Image {
        let mut canvas = Canvas::new(self.size, [1.0; 3]);
        for shape in &self.shapes {
            let cover = Coverage::of_rings(self.size, &shape.rings);
            match &shape.paint {
                Paint::Flat(color, opacity) => canvas.fill(&cover, *color, *opacity),
                Paint::Vertical { top, bottom, stops } => canvas.fill_with(&cover, |_, y| {
                    at(stops, ((y as f64 + 0.5 - top) / (bottom - top)) as f32)
                }),
                Paint::Radial { center, radius, stops } => canvas.fill_with(&cover, |x, y| {
                    let (dx, dy) = (x as f64 + 0.5 - center[0], y as f64 + 0.5 - center[1]);
                    at(stops, ((dx * dx + dy * dy).sqrt() / radius) as f32)
                }),
            }
        }
        canvas.into_dithered_image()
    }
}

/// Colour and opacity at a place along a gradient.
fn at(stops: &[Stop], place: f32) -> (Rgb, f32) {
    let after = stops.iter().position(|stop| stop.place >= place).unwrap_or(stops.len() - 1);
    let (a, b) = (stops[after.saturating_sub(1)], stops[after]);
    let run = b.place - a.place;
    let share = if run > 0.0 { ((place - a.place) / run).clamp(0.0, 1.0) } else { 1.0 };
    (mix(a.color, b.color, share), a.opacity + (b.opacity - a.opacity) * share)
}
