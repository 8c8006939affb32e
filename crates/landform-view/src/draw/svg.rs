//! Drawings as SVG text.

use std::fmt::Write;

use super::{Drawing, Paint, Stop};
use crate::color::{Rgb, byte};

impl Drawing {
    /// The shapes as an SVG document, still vectors.
    pub(crate) fn to_svg(&self) -> String {
        let [w, h] = self.size;
        let mut defs = String::new();
        let mut body = String::new();
        let mut known: Vec<String> = Vec::new();
        for shape in &self.shapes {
            let fill = match &shape.paint {
                Paint::Flat(color, opacity) => flat(*color, *opacity),
                Paint::Vertical { top, bottom, stops } => {
                    let head = format!(
                        "<linearGradient gradientUnits=\"userSpaceOnUse\" x1=\"0\" x2=\"0\" y1=\"{}\" y2=\"{}\"",
                        Number(*top),
                        Number(*bottom)
                    );
                    gradient(&mut defs, &mut known, &head, "linearGradient", stops)
                }
                Paint::Radial { center, radius, stops } => {
                    let head = format!(
                        "<radialGradient gradientUnits=\"userSpaceOnUse\" cx=\"{}\" cy=\"{}\" r=\"{}\"",
                        Number(center[0]),
                        Number(center[1]),
                        Number(*radius)
                    );
                    gradient(&mut defs, &mut known, &head, "radialGradient", stops)
                }
            };
            body.push_str("<path d=\"");
            for ring in &shape.rings {
                path(&mut body, ring);
            }
            let _ = writeln!(body, "\"{fill}/>");
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" \
             viewBox=\"0 0 {w} {h}\">\n<defs>\n{defs}</defs>\n{body}</svg>\n"
        )
    }
}

/// Writes a ring; coordinates are to a tenth of a pixel.
fn path(out: &mut String, ring: &[[f64; 2]]) {
    let finite = ring.iter().filter(|p| p[0].is_finite() && p[1].is_finite());
    for (k, point) in finite.enumerate() {
        let _ = write!(
            out,
            "{}{} {}",
            if k == 0 { "M" } else { "L" },
            Number(point[0]),
            Number(point[1])
        );
    }
    out.push('Z');
}

fn flat(color: Rgb, opacity: f32) -> String {
    if opacity >= 1.0 {
        format!(" fill=\"{}\"", hex(color))
    } else {
        format!(" fill=\"{}\" fill-opacity=\"{}\"", hex(color), Fine(opacity))
    }
}

/// Adds a gradient to `defs`, unless there is the same one already, and refers to it.
fn gradient(
    defs: &mut String,
    known: &mut Vec<String>,
    head: &str,
    tag: &str,
    stops: &[Stop],
) -> String {
    let mut text = String::new();
    for stop in stops {
        let opacity = if stop.opacity >= 1.0 {
            String::new()
        } else {
            format!(" stop-opacity=\"{}\"", Fine(stop.opacity))
        };
        let _ = write!(
            text,
            "<stop offset=\"{}\" stop-color=\"{}\"{opacity}/>",
            Fine(stop.place),
            hex(stop.color)
        );
    }
    let key = format!("{head}>{text}");
    let id = known.iter().position(|old| *old == key).unwrap_or_else(|| {
        let id = known.len();
        let _ = writeln!(defs, "{head} id=\"g{id}\">{text}</{tag}>");
        known.push(key);
        id
    });
    format!(" fill=\"url(#g{id})\"")
}

fn hex(color: Rgb) -> String {
    let [r, g, b] = color.map(byte);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// A coordinate to a tenth, without a needless ".0".
struct Number(f64);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tenths = (self.0.clamp(-1e9, 1e9) * 10.0).round() as i64;
        let sign = if tenths < 0 { "-" } else { "" };
        let (whole, tenth) = (tenths.abs() / 10, tenths.abs() % 10);
        if tenth == 0 { write!(f, "{sign}{whole}") } else { write!(f, "{sign}{whole}.{tenth}") }
    }
}

/// A share to a thousandth.
struct Fine(f32);

impl std::fmt::Display for Fine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.3}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let text = |value: f64| Number(value).to_string();
        assert_eq!([text(3.0), text(-0.04), text(12.34), text(-7.96)], ["3", "0", "12.3", "-8"]);
    }

    #[test]
    fn equal_gradients_are_written_once() {
        let mut drawing = Drawing::new([10, 10]);
        let stop = |place| Stop { place, color: [0.5; 3], opacity: 1.0 };
        let paint = Paint::Vertical { top: 0.0, bottom: 9.0, stops: vec![stop(0.0), stop(1.0)] };
        drawing.add(drawing.sheet(), paint.clone());
        drawing.add(drawing.sheet(), paint);
        let svg = drawing.to_svg();
        assert_eq!(svg.matches("<linearGradient").count(), 1);
        assert_eq!(svg.matches("url(#g0)").count(), 2);
    }
}
