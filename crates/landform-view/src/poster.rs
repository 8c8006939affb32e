//! A map to hang on a wall: title, frame, degrees, legend and scale.

use landform::{Terrain, Topology};

use crate::MapProjection;
use crate::color::srgb;
use crate::draw::{Align, Canvas, Coverage, text_rings, text_width};
use crate::legend::{INK, Legend, round_length, rule, swatches, write};
use crate::style::{Options, PAPER, Style, on_paper};

/// Where things are on the sheet, in pixels.
struct Layout {
    size: [f64; 2],
    /// From the edge of the sheet to what is inside the frame.
    margin: f64,
    /// Height of the title above the map, and of key and scale below it.
    head: f64,
    foot: f64,
    /// Height of small letters.
    text: f64,
}

impl Layout {
    fn new(size: [usize; 2]) -> Self {
        let [width, height] = size.map(|side| side as f64);
        let unit = height.min(0.75 * width);
        Self {
            size: [width, height],
            margin: 0.045 * width.min(height),
            head: 0.115 * unit,
            foot: 0.20 * unit,
            text: 0.0165 * unit,
        }
    }

    /// The room [left, top, right, height] for what the colours mean.
    fn key(&self) -> [f64; 4] {
        let [width, height] = self.size;
        let side = 1.5 * self.margin;
        let top = height - self.foot + 0.1 * self.foot;
        [side, top, width - side, self.scale_line() - 1.9 * self.text - top]
    }

    /// The middle of the line with the scale.
    fn scale_line(&self) -> f64 {
        self.size[1] - 0.62 * self.margin - 2.0 * self.text
    }
}

/// Draws `terrain` as a poster called `title`.
pub(crate) fn draw(terrain: &Terrain, style: Style, options: &Options, title: &str) -> Canvas {
    let size = options.size.unwrap_or([2400, 1600]).map(|side| side.max(64));
    let layout = Layout::new(size);
    let [width, height] = layout.size;
    let is_planet = terrain.topology() == Topology::Sphere;
    let mut canvas = Canvas::new(size, srgb(PAPER));
    // Degrees stand outside of the map.
    let around = if is_planet { [3.4 * layout.text, 1.9 * layout.text] } else { [0.0; 2] };
    let room = [
        width - 2.0 * (layout.margin + around[0]),
        height - layout.head - layout.foot - 2.0 * around[1],
    ];
    let map = inside(terrain, options, room).map(f64::floor);
    let mut legend = Legend::default();
    let with_lines = Options { graticule: is_planet, ..options.clone() };
    let drawn = on_paper(terrain, style, &with_lines, map.map(|side| side as usize), &mut legend);
    let top = layout.head + around[1] + 0.5 * (room[1] - map[1]);
    let origin = [0.5 * (width - map[0]), top].map(f64::floor);
    canvas.put(&drawn, origin.map(|at| at as usize));
    options.projection.outline(&mut canvas, map, origin, (width / 1400.0).max(1.0));
    if is_planet {
        options.projection.degrees(&mut canvas, map, origin, 0.85 * layout.text);
    }
    write_title(&mut canvas, &layout, title);
    frame(&mut canvas, &layout);
    key(&mut canvas, &layout, style, &mut legend);
    scale(&mut canvas, &layout, terrain, (options.projection, map[0]));
    canvas
}

/// The size of the largest map with the right proportions in a room.
fn inside(terrain: &Terrain, options: &Options, room: [f64; 2]) -> [f64; 2] {
    let aspect = match options.projection {
        MapProjection::Equirectangular => {
            let extent = terrain.extent();
            let [dx, dz] = extent.lattice().spacing;
            extent.width() as f64 * dx / (extent.height() as f64 * dz)
        }
        other => other.aspect(),
    };
    let w = room[0].min(room[1] * aspect).max(1.0);
    [w, (w / aspect).max(1.0)]
}

fn frame(canvas: &mut Canvas, layout: &Layout) {
    let size = [canvas.width(), canvas.height()];
    let ([width, height], margin) = (layout.size, layout.margin);
    for (gap, thick) in [(0.45 * margin, 0.0022 * width), (0.62 * margin, 0.0008 * width)] {
        let (a, b) = (gap, width - gap);
        let (c, d) = (gap, height - gap);
        let frame = [[a, c], [b, c], [b, d], [a, d], [a, c]];
        canvas.fill(&Coverage::of_stroke(size, &frame, thick.max(1.0)), srgb(INK), 0.8);
    }
}

/// Writes the title in one line, or in two, in letters that fit.
fn write_title(canvas: &mut Canvas, layout: &Layout, title: &str) {
    let size = [canvas.width(), canvas.height()];
    let title = title.to_uppercase();
    let (from, to) = (0.62 * layout.margin, layout.head);
    let (lines, letters) = title_lines(&title, layout.size[0] - 3.0 * layout.margin, to - from);
    for (k, line) in lines.iter().enumerate() {
        let share = (k as f64 + 0.5) / lines.len() as f64;
        let base = from + 0.06 * (to - from) + share * 0.94 * (to - from) + 0.36 * letters;
        let rings = text_rings(line, [0.5 * layout.size[0], base], letters, Align::Middle);
        canvas.fill(&Coverage::of_rings(size, &rings), srgb(INK), 1.0);
    }
}

/// A title as lines in a room, and the height of their letters.
fn title_lines(title: &str, width: f64, height: f64) -> (Vec<&str>, f64) {
    let fitting = |lines: &[&str], most: f64| {
        let widest = lines.iter().map(|line| text_width(line, 1.0)).fold(1e-9, f64::max);
        most.min(width / widest)
    };
    let one = fitting(&[title], 0.60 * height);
    // In the middle, as nearly as words allow.
    let halves = title.match_indices(' ').map(|(at, _)| (&title[..at], title[at..].trim_start()));
    let longer = |(a, b): &(&str, &str)| text_width(a, 1.0).max(text_width(b, 1.0));
    let best = halves.min_by(|a, b| longer(a).total_cmp(&longer(b)));
    match best {
        Some((a, b)) if fitting(&[a, b], 0.42 * height) > one => {
            (vec![a, b], fitting(&[a, b], 0.42 * height))
        }
        _ => (vec![title], one),
    }
}

/// What the colours mean.
fn key(canvas: &mut Canvas, layout: &Layout, style: Style, legend: &mut Legend<'_>) {
    let [left, top, right, height] = layout.key();
    if !legend.swatches.is_empty() {
        return swatches(canvas, &legend.swatches, [left, top, right, height]);
    }
    let text = (1.2 * layout.text).min(0.25 * height);
    let middle = top + 0.4 * height;
    let Some(bar) = &mut legend.bar else {
        let note = if legend.note.is_empty() { style.name() } else { &legend.note };
        return write(canvas, note, [0.5 * (left + right), middle], text, Align::Middle);
    };
    // Some units say what they measure.
    if !bar.unit.contains(' ') {
        bar.unit = format!("{} in {}", style.measures(), bar.unit);
    }
    let before = text_width(&bar.unit, text) + 0.6 * text;
    let width = (0.5 * (right - left)).min(right - left - before).max(1.0);
    let start = 0.5 * (left + right - width - before) + before;
    bar.draw(canvas, [start, middle], width, text);
}

/// A scale bar, and the scale in words.
fn scale(
    canvas: &mut Canvas,
    layout: &Layout,
    terrain: &Terrain,
    (projection, map): (MapProjection, f64),
) {
    let ground = terrain.extent().lattice().ground().map(|side| side / 1000.0);
    let (pixel, place, whole) = match (terrain.topology(), projection) {
        (Topology::Sphere, projection) => {
            let radius = 1000.0 * ground[0] / std::f64::consts::TAU;
            let place = match projection {
                MapProjection::Globe { .. } => " in the middle of the globe",
                _ => " on the equator",
            };
            let pixel = radius / (projection.radian() * map);
            (pixel, place, format!("{:.0} km around", ground[0]))
        }
        _ => {
            let extent = terrain.extent();
            let pixel = extent.width() as f64 * extent.lattice().spacing[0] / map;
            (pixel, "", format!("{} × {} km", rounded(ground[0]), rounded(ground[1])))
        }
    };
    let ratio = ratio(pixel * layout.size[0]);
    let longest = 0.14 * layout.size[0];
    let bar = round_length(pixel, longest, layout.size[0]);
    let (bar_width, length) = bar
        .map_or((0.0, String::new()), |(width, name)| (width, format!("{name}{place}    ·    ")));
    let words = format!("{length}{ratio} if printed a metre wide    ·    {whole}");
    let room = layout.size[0] - 3.0 * layout.margin - bar_width;
    let text = layout.text.min(room / (text_width(&words, 1.0) + 0.8));
    let all = bar_width + 0.8 * text + text_width(&words, text);
    let (x, y) = (0.5 * (layout.size[0] - all), layout.scale_line());
    if bar_width > 0.0 {
        rule(canvas, [x, y], bar_width, text);
    }
    write(canvas, &words, [x + bar_width + 0.8 * text, y + 0.35 * text], text, Align::Left);
}

/// "1 : 43 million", "1 : 25,000".
fn ratio(ratio: f64) -> String {
    if ratio >= 1e6 {
        return format!("1 : {} million", rounded(ratio / 1e6));
    }
    let step = [1.0, 10.0, 100.0, 1000.0, 10_000.0].into_iter().rfind(|step| 100.0 * step <= ratio);
    let step = step.unwrap_or(1.0);
    let number = ((ratio / step).round() * step) as u64;
    let digits = number.to_string();
    match digits.len() {
        0..=3 => format!("1 : {digits}"),
        count => format!("1 : {},{}", &digits[..count - 3], &digits[count - 3..]),
    }
}

/// A number with two digits that mean something, or all before the point.
fn rounded(value: f64) -> f64 {
    if value >= 10.0 { value.round() } else { (value * 10.0).round() / 10.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_title_stays_within_the_frame() {
        let long =
            "THE KNOWN WORLD AND ALL ITS OCEANS AS CHARTED BY THE ROYAL SOCIETY OF NAVIGATORS";
        for title in ["", "A WORLD", long, &"A".repeat(300)] {
            let (lines, letters) = title_lines(title, 1000.0, 80.0);
            assert_eq!(lines.join(" "), title);
            for line in &lines {
                assert!(text_width(line, letters) < 1000.5, "{line}");
            }
            assert!(lines.len() as f64 * letters < 80.0, "{letters}");
        }
        assert_eq!(title_lines(long, 1000.0, 80.0).0.len(), 2);
    }

    #[test]
    fn scales_are_round() {
        assert_eq!(ratio(42_812_345.0), "1 : 43 million");
        assert_eq!(ratio(1_640_000.0), "1 : 1.6 million");
        assert_eq!(ratio(32_140.0), "1 : 32,100");
        assert_eq!(ratio(734.0), "1 : 734");
    }

    #[test]
    fn the_key_ends_above_the_scale_and_that_above_the_frame() {
        for size in [[2400, 1600], [1000, 620], [800, 1600], [3000, 900], [300, 200]] {
            let layout = Layout::new(size);
            let [left, top, right, height] = layout.key();
            assert!(left < right && height > 0.0 && top > layout.size[1] - layout.foot, "{size:?}");
            assert!(top + height < layout.scale_line() - layout.text, "{size:?}");
            let frame = layout.size[1] - 0.62 * layout.margin;
            assert!(layout.scale_line() + layout.text < frame, "{size:?}");
        }
    }
}
