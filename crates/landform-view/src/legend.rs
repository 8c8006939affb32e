//! The strip under a map: a scale bar, and what the colours mean.

use landform::analysis::contour::{levels, round_interval};

use crate::color::{Rgb, encode_with, encoder, srgb};
use crate::contours::number;
use crate::draw::{Align, Canvas, Coverage, Point, text_rings, text_width};
use crate::style::PAPER;

pub(crate) const INK: u32 = 0x2B_3036;

/// What the strip shows.
#[derive(Default)]
pub(crate) struct Legend<'a> {
    /// Metres per pixel, east and south; a scale bar needs them equal.
    pub(crate) pixel: [f64; 2],
    /// Where on the map the scale is true, such as " on the equator"; nothing if it is so everywhere.
    pub(crate) place: &'static str,
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

impl<'a> Bar<'a> {
    /// The bar from `low` to `high`; nothing if there is no way between them.
    pub(crate) fn between(
        low: f64,
        high: f64,
        unit: &str,
        color: impl Fn(f64) -> Rgb + 'a,
    ) -> Option<Self> {
        (high > low).then(|| Self { low, high, unit: unit.to_owned(), color: Box::new(color) })
    }
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

    /// A round length, about a tenth of the picture, with its name below. Returns its width in pixels.
    fn scale_bar(&self, canvas: &mut Canvas, [x, y]: Point, text: f64) -> f64 {
        let longest = canvas.width() as f64;
        let Some((width, label)) = round_length(self.pixel[0], 0.11 * longest, longest) else {
            return 0.0;
        };
        let place = format!("{label}{}", self.place);
        // On small pictures the colours need the room.
        let label = if text_width(&place, text) < 0.35 * longest { place } else { label };
        let wide = text_width(&label, text).max(width);
        rule(canvas, [x + 0.5 * (wide - width), y], width, text);
        let below = [x + 0.5 * wide, y + 0.28 * text + 1.25 * text];
        write(canvas, &label, below, text, Align::Middle);
        wide
    }
}

/// The width in pixels and the name of a round length that is about `wanted` pixels wide.
pub(crate) fn round_length(pixel: f64, wanted: f64, picture: f64) -> Option<(f64, String)> {
    let metres = round_interval(wanted * pixel, 1);
    let width = metres / pixel;
    if width.is_nan() || width < 8.0 || width > 0.6 * picture {
        return None;
    }
    let label = if metres >= 1000.0 {
        format!("{} km", number(metres / 1000.0))
    } else {
        format!("{} m", number(metres))
    };
    Some((width, label))
}

/// A bar whose first half is hollow.
pub(crate) fn rule(canvas: &mut Canvas, [x, y]: Point, width: f64, text: f64) {
    let size = [canvas.width(), canvas.height()];
    let thick = 0.28 * text;
    let part = |from: f64, to: f64, top: f64, bottom: f64| {
        vec![[from, top], [to, top], [to, bottom], [from, bottom]]
    };
    let frame = part(x, x + width, y - thick, y + thick);
    canvas.fill(&Coverage::of_rings(size, &[frame]), srgb(INK), 1.0);
    let line = (0.10 * text).max(0.8);
    let hollow = part(x + line, x + width / 2.0, y - thick + line, y + thick - line);
    canvas.fill(&Coverage::of_rings(size, &[hollow]), srgb(PAPER), 1.0);
}

impl Bar<'_> {
    /// Draws the bar with its left end at a point, numbers below it and the unit before it.
    pub(crate) fn draw(&self, canvas: &mut Canvas, [x, y]: Point, width: f64, text: f64) {
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

/// Width of a swatch, of the gap after it, and of the least gap between columns, in heights of letters.
const SWATCH: [f64; 3] = [1.4, 0.4, 1.5];

/// Names with their colours, column by column, in the room [left, top, right, height].
pub(crate) fn swatches(
    canvas: &mut Canvas,
    swatches: &[(String, Rgb)],
    [left, top, right, height]: [f64; 4],
) {
    let size = [canvas.width(), canvas.height()];
    let [swatch, after, least] = SWATCH;
    // Columns are as wide as their names, which differ much.
    let columns = |rows: usize| -> Vec<f64> {
        let widest = |part: &[(String, Rgb)]| {
            part.iter().map(|(name, _)| text_width(name, 1.0)).fold(0.0, f64::max)
        };
        swatches.chunks(rows).map(|part| swatch + after + widest(part)).collect()
    };
    // As many rows as let the letters be largest.
    let mut best = (0.0, 1);
    for rows in 1..=swatches.len() {
        let widths = columns(rows);
        let all = widths.iter().sum::<f64>() + least * (widths.len() - 1) as f64;
        let text = (0.62 * height / rows as f64).min((right - left) / all);
        if text > best.0 {
            best = (text, rows);
        }
    }
    let (text, rows) = best;
    let text = text.min(0.3 * height);
    if text < 4.0 {
        return;
    }
    let widths = columns(rows);
    let names: f64 = widths.iter().map(|width| width * text).sum();
    let gaps = (widths.len() - 1) as f64;
    let gap = ((right - left - names) / gaps.max(1.0)).min(3.5 * text);
    let mut x = left + 0.5 * (right - left - names - gap * gaps);
    for (column, part) in swatches.chunks(rows).enumerate() {
        for (k, (name, color)) in part.iter().enumerate() {
            let y = top + height * (k as f64 + 0.5) / rows as f64;
            let (half, wide) = (0.45 * text, swatch * text);
            let ring = |grow: f64| {
                let (a, b, c, d) = (x - grow, x + wide + grow, y - half - grow, y + half + grow);
                vec![[a, c], [b, c], [b, d], [a, d]]
            };
            // Ice and snow would be lost on the paper without a line around them.
            let line = (0.07 * text).max(0.7);
            canvas.fill(&Coverage::of_rings(size, &[ring(line)]), srgb(INK), 1.0);
            canvas.fill(&Coverage::of_rings(size, &[ring(0.0)]), *color, 1.0);
            let at = [x + wide + after * text, y + 0.35 * text];
            write(canvas, name, at, text, Align::Left);
        }
        x += widths[column] * text + gap;
    }
}

/// Writes a line of text.
pub(crate) fn write(canvas: &mut Canvas, text: &str, at: Point, size: f64, align: Align) {
    let picture = [canvas.width(), canvas.height()];
    canvas.fill(&Coverage::of_rings(picture, &text_rings(text, at, size, align)), srgb(INK), 1.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swatch_as_white_as_paper_is_seen() {
        let mut canvas = Canvas::new([300, 60], srgb(PAPER));
        swatches(&mut canvas, &[(String::new(), srgb(PAPER))], [10.0, 5.0, 290.0, 50.0]);
        let dark = (0..300).filter(|&x| canvas.pixel(x, 30)[0] < 0.6).count();
        assert!((1..8).contains(&dark), "{dark}");
    }

    #[test]
    fn entries_do_not_touch() {
        let names =
            ["ocean", "tropical seasonal forest", "ice", "temperate rainforest", "thorn scrub"];
        let entries: Vec<_> =
            names.iter().cycle().take(15).map(|name| ((*name).to_owned(), [0.2; 3])).collect();
        for width in [500_usize, 900, 1600] {
            let mut canvas = Canvas::new([width, 80], srgb(PAPER));
            let right = width as f64 - 10.0;
            swatches(&mut canvas, &entries, [10.0, 0.0, right, 80.0]);
            // Runs of empty columns between entries are wider than those between letters.
            let is_empty = |x: usize| (0..80).all(|y| canvas.pixel(x, y) == srgb(PAPER));
            let runs: Vec<usize> = (0..width)
                .map(is_empty)
                .collect::<Vec<_>>()
                .split(|e| !e)
                .map(<[bool]>::len)
                .collect();
            let wide = runs.iter().filter(|&&run| run >= 8).count();
            assert!(wide >= 4, "{width}: {runs:?}");
            assert!(is_empty(0) && is_empty(width - 1), "{width}");
        }
    }
}
