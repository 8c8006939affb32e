//! The strip under a map: a scale bar, and what the colours mean.

use landform::analysis::contour::{levels, round_interval};

use crate::color::{Rgb, encode_with, encoder, srgb};
use crate::contours::number;
use crate::draw::{Align, Canvas, Coverage, Point, text_rings, text_width};
use crate::style::PAPER;

const INK: u32 = 0x2B_3036;

/// What the strip shows.
#[derive(Default)]
pub(crate) struct Legend<'a> {
    /// Metres per pixel, east and south; a scale bar needs them equal.
    pub(crate) pixel: [f64; 2],
    pub(crate) bar: Option<Bar<'a>>,
    /// Names and sRGB colours of classes.
    pub(crate) swatches: Vec<(String, Rgb)>,
    /// Said in words, such as the contour interval.
    pub(crate) note: String,
}

/// A bar of colours.
pub(crate) struct Bar<'a> {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) unit: String,
    /// Linear light of a value.
    pub(crate) color: Box<dyn Fn(f64) -> Rgb + 'a>,
}

/// Height of the strip for a picture of this width; 0 if there is no room for one.
pub(crate) fn strip_height(width: usize) -> usize {
    if width < 200 { 0 } else { (width / 14).clamp(40, 84) }
}

impl Legend<'_> {
    /// Draws the strip into the rows of `canvas` from `top` on.
    pub(crate) fn draw(&self, canvas: &mut Canvas, top: usize) {
        let size = [canvas.width(), canvas.height()];
        let height = size[1].saturating_sub(top) as f64;
        if height < 20.0 {
            return;
        }
        if !self.swatches.is_empty() {
            let margin = 0.2 * height;
            let room =
                [margin, top as f64 + 0.5 * margin, size[0] as f64 - margin, height - margin];
            swatches(canvas, &self.swatches, room);
            return;
        }
        let text = 0.30 * height;
        let margin = 0.35 * height;
        let middle = top as f64 + 0.40 * height;
        let mut left = margin;
        let [x, y] = self.pixel;
        if (x / y - 1.0).abs() < 0.02 {
            left += self.scale_bar(canvas, [left, middle], text) + margin;
        }
        let right = size[0] as f64 - margin;
        if let Some(bar) = &self.bar {
            let width = (0.42 * size[0] as f64).min(right - left);
            if width > 8.0 * text {
                bar.draw(canvas, [right - width, middle], width, text);
                if text_width(&self.note, text) < right - width - left - margin {
                    write(canvas, &self.note, [left, middle + 0.35 * text], text, Align::Left);
                }
                return;
            }
        }
        if text_width(&self.note, text) < right - left {
            write(canvas, &self.note, [right, middle + 0.35 * text], text, Align::Right);
        }
    }

    /// A round length, about a fifth of the picture. Returns its width in pixels.
    fn scale_bar(&self, canvas: &mut Canvas, [x, y]: Point, text: f64) -> f64 {
        let size = [canvas.width(), canvas.height()];
        let metres = round_interval(0.11 * size[0] as f64 * self.pixel[0], 1);
        let width = metres / self.pixel[0];
        if width.is_nan() || width < 8.0 || width > 0.6 * size[0] as f64 {
            return 0.0;
        }
        let label = if metres >= 1000.0 {
            format!("{} km", number(metres / 1000.0))
        } else {
            format!("{} m", number(metres))
        };
        let thick = 0.28 * text;
        let part = |from: f64, to: f64, top: f64, bottom: f64| {
            vec![[from, top], [to, top], [to, bottom], [from, bottom]]
        };
        let frame = part(x, x + width, y - thick, y + thick);
        canvas.fill(&Coverage::of_rings(size, &[frame]), srgb(INK), 1.0);
        // The first half is hollow.
        let line = (0.10 * text).max(0.8);
        let hollow = part(x + line, x + width / 2.0, y - thick + line, y + thick - line);
        canvas.fill(&Coverage::of_rings(size, &[hollow]), srgb(PAPER), 1.0);
        write(canvas, &label, [x + width / 2.0, y + thick + 1.25 * text], text, Align::Middle);
        width
    }
}

impl Bar<'_> {
    fn draw(&self, canvas: &mut Canvas, [x, y]: Point, width: f64, text: f64) {
        let size = [canvas.width(), canvas.height()];
        let thick = 0.42 * text;
        let ring = |grow: f64| {
            let (a, b) = (x - grow, x + width + grow);
            let (c, d) = (y - thick - grow, y + thick + grow);
            vec![[a, c], [b, c], [b, d], [a, d]]
        };
        canvas.fill(&Coverage::of_rings(size, &[ring((0.07 * text).max(0.7))]), srgb(INK), 1.0);
        let span = self.high - self.low;
        let table = encoder();
        canvas.fill_with(&Coverage::of_rings(size, &[ring(0.0)]), |column, _| {
            let share = ((column as f64 + 0.5 - x) / width).clamp(0.0, 1.0);
            let light = (self.color)(self.low + share * span);
            (light.map(|channel| encode_with(table, channel)), 1.0)
        });
        let step = round_interval(span, 6);
        let below = y + thick + 1.25 * text;
        let mut last = f64::NEG_INFINITY;
        for value in levels(self.low, self.high, step) {
            let at = x + (value - self.low) / span * width;
            let label = number(value);
            let half = text_width(&label, text) / 2.0;
            if at - half < last + 0.5 * text || at + half > size[0] as f64 {
                continue;
            }
            last = at + half;
            let tick = [[at, y + thick], [at, y + thick + 0.25 * text]];
            canvas.fill(&Coverage::of_stroke(size, &tick, 1.0), srgb(INK), 1.0);
            write(canvas, &label, [at, below], text, Align::Middle);
        }
        write(canvas, &self.unit, [x - 0.6 * text, y + 0.35 * text], text, Align::Right);
    }
}

/// Names with their colours, row by row, in the room [left, top, right, height].
pub(crate) fn swatches(
    canvas: &mut Canvas,
    swatches: &[(String, Rgb)],
    [left, top, right, height]: [f64; 4],
) {
    let size = [canvas.width(), canvas.height()];
    let widest = swatches.iter().map(|(name, _)| text_width(name, 1.0)).fold(1.0, f64::max);
    // As many rows as let the letters be largest.
    let mut best = (0.0, 1, 1);
    for rows in 1..=swatches.len() {
        let columns = swatches.len().div_ceil(rows);
        let text =
            (0.62 * height / rows as f64).min((right - left) / columns as f64 / (widest + 2.4));
        if text > best.0 {
            best = (text, rows, columns);
        }
    }
    let (text, rows, columns) = best;
    let text = text.min(0.3 * height);
    if text < 4.0 {
        return;
    }
    for (k, (name, color)) in swatches.iter().enumerate() {
        let x = left + (right - left) * (k / rows) as f64 / columns as f64;
        let y = top + height * ((k % rows) as f64 + 0.5) / rows as f64;
        let half = 0.45 * text;
        let ring = vec![
            [x, y - half],
            [x + 1.4 * text, y - half],
            [x + 1.4 * text, y + half],
            [x, y + half],
        ];
        canvas.fill(&Coverage::of_rings(size, &[ring]), *color, 1.0);
        write(canvas, name, [x + 1.8 * text, y + 0.35 * text], text, Align::Left);
    }
}

/// Writes a line of text.
pub(crate) fn write(canvas: &mut Canvas, text: &str, at: Point, size: f64, align: Align) {
    let picture = [canvas.width(), canvas.height()];
    canvas.fill(&Coverage::of_rings(picture, &text_rings(text, at, size, align)), srgb(INK), 1.0);
}
