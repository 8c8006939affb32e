//! Text as outlines, in a bundled font.
//!
//! Roboto (Apache License 2.0), cut down to what labels need: see `fonts/README.md`. Letters become rings
//! like every other shape, so text is antialiased by the same code and stays vector in SVG.

use std::sync::LazyLock;

use ttf_parser::{Face, OutlineBuilder};

use super::Point;

static FONT: LazyLock<Face<'static>> = LazyLock::new(|| {
    Face::parse(include_bytes!("../../fonts/Roboto-Regular-subset.ttf"), 0)
        .expect("the bundled font is whole")
});

/// Where the point that text is placed by lies in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Middle,
    Right,
}

/// Width of `text` in pixels, in letters `size` pixels high.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    let scale = size / f64::from(FONT.units_per_em());
    text.chars().map(|letter| advance(letter) * scale).sum()
}

/// The outlines of `text` on a baseline through `at`.
pub(crate) fn text_rings(text: &str, at: Point, size: f64, align: Align) -> Vec<Vec<Point>> {
    text_along(text, at, size, align, [1.0, 0.0])
}

/// The same on a baseline in a direction, given as a unit vector.
pub(crate) fn text_along(
    text: &str,
    at: Point,
    size: f64,
    align: Align,
    direction: Point,
) -> Vec<Vec<Point>> {
    let scale = size / f64::from(FONT.units_per_em());
    let share = match align {
        Align::Left => 0.0,
        Align::Middle => 0.5,
        Align::Right => 1.0,
    };
    let mut pen = -share * text_width(text, size);
    let mut rings = Vec::new();
    for letter in text.chars() {
        let mut outline = Outline { rings: Vec::new(), scale, pen, at, direction };
        if let Some(glyph) = FONT.glyph_index(letter) {
            let _ = FONT.outline_glyph(glyph, &mut outline);
        }
        rings.append(&mut outline.rings);
        pen += advance(letter) * scale;
    }
    rings
}

/// Width of a letter in units of the font; an unknown one is as wide as the font's sign for that.
fn advance(letter: char) -> f64 {
    let glyph = FONT.glyph_index(letter).unwrap_or_default();
    FONT.glyph_hor_advance(glyph).map_or(0.0, f64::from)
}

/// Collects the rings of a letter.
struct Outline {
    rings: Vec<Vec<Point>>,
    scale: f64,
    pen: f64,
    at: Point,
    direction: Point,
}

impl Outline {
    fn place(&self, x: f64, y: f64) -> Point {
        let (along, up) = (self.pen + x * self.scale, y * self.scale);
        let [dx, dy] = self.direction;
        [self.at[0] + along * dx + up * dy, self.at[1] + along * dy - up * dx]
    }

    fn push(&mut self, point: Point) {
        if let Some(ring) = self.rings.last_mut() {
            ring.push(point);
        }
    }

    fn last(&self) -> Point {
        self.rings.last().and_then(|ring| ring.last()).copied().unwrap_or(self.at)
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.rings.push(vec![self.place(x.into(), y.into())]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.push(self.place(x.into(), y.into()));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (from, turn, to) =
            (self.last(), self.place(x1.into(), y1.into()), self.place(x.into(), y.into()));
        // Letters are small: four sides a curve are rounder than the pixels.
        for k in 1..=4 {
            let t = f64::from(k) / 4.0;
            let s = 1.0 - t;
            let at = |c: usize| s * s * from[c] + 2.0 * s * t * turn[c] + t * t * to[c];
            self.push([at(0), at(1)]);
        }
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let from = self.last();
        let [a, b, to] = [(x1, y1), (x2, y2), (x, y)].map(|(x, y)| self.place(x.into(), y.into()));
        for k in 1..=6 {
            let t = f64::from(k) / 6.0;
            let s = 1.0 - t;
            let at = |c: usize| {
                s * s * s * from[c] + 3.0 * s * t * (s * a[c] + t * b[c]) + t * t * t * to[c]
            };
            self.push([at(0), at(1)]);
        }
    }

    fn close(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::super::Coverage;
    use super::*;

    /// Text as rows of `#` and `.`, as `cargo test` can show it.
    fn ascii(text: &str, size: f64, width: usize, height: usize) -> Vec<String> {
        let rings = text_rings(text, [1.0, height as f64 - 1.0], size, Align::Left);
        let mut rows = vec![vec!['.'; width]; height];
        Coverage::of_rings([width, height], &rings).for_each(|x, y, cover| {
            if cover > 0.5 {
                rows[y][x] = '#';
            }
        });
        rows.into_iter().map(|row| row.into_iter().collect()).collect()
    }

    #[test]
    fn letters_have_their_shapes_and_holes() {
        let rows = ascii("HO", 12.0, 20, 11);
        let count = rows.iter().flat_map(|row| row.chars()).filter(|&c| c == '#').count();
        assert!((30..90).contains(&count), "\n{}", rows.join("\n"));
        // The middle of the O is empty.
        assert_eq!(rows[5].as_bytes()[14], b'.', "\n{}", rows.join("\n"));
    }

    #[test]
    fn width_adds_up_and_unknown_letters_have_one() {
        let whole = text_width("1200 m", 10.0);
        let parts = text_width("1200", 10.0) + text_width(" m", 10.0);
        assert!((whole - parts).abs() < 1e-9);
        assert!(text_width("\u{4E2D}", 10.0) > 0.0);
        assert!(text_rings("\u{4E2D}\n", [0.0, 0.0], 10.0, Align::Left).is_empty());
    }
}
