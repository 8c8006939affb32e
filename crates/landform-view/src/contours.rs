//! Contour lines in the manner of a topographic map: every fifth line heavier and labelled, coast and
//! depths in blue, over faint tints and shading.

use landform::analysis::contour::{Contour, contours, levels, round_interval};
use landform::{Grid, Lattice, Terrain};

use crate::Options;
use crate::color::{Rgb, encode_with, encoder, mix, srgb};
use crate::draw::{Align, Canvas, Coverage, Point, text_along, text_width};
use crate::gradient::Slopes;
use crate::ground::{Ground, lacks_floor};
use crate::hillshade::Hillshade;
use crate::legend::Legend;
use crate::relief::{LAND, MISSING, top_tint};
use crate::resample::resample;
use crate::sea::Sea;
use crate::style::{Draws, GroundMap, StyleEntry};

/// What the table of styles says about it.
pub(crate) static STYLE: StyleEntry = StyleEntry {
    name: "contours",
    doc: "contour lines with labels",
    draws: Draws::Ground(GroundMap { measures: None, draw: draw_map, alone: None }),
};

const SHEET: u32 = 0xFB_F8F1;
const WATER: u32 = 0xCF_E4EC;
const BROWN: u32 = 0x9A_663A;
const DARK_BROWN: u32 = 0x7C_4C25;
const BLUE: u32 = 0x4A_86AC;
const DARK_BLUE: u32 = 0x2B_6389;

/// Every so many lines one is heavier.
const INDEX: i64 = 5;

fn draw_map(
    terrain: &Terrain,
    options: &Options,
    [width, height]: [usize; 2],
    legend: &mut Legend<'_>,
) -> Canvas {
    let ground = Ground::new(terrain, width, height);
    legend.note = format!("contours every {} m", number(interval(&ground)));
    let floored = lacks_floor(terrain).then(|| Ground::with_sea_floor(terrain, width, height));
    draw(ground, floored, &options.hillshade)
}

/// Draws the ground, one pixel per sample. `floored` is the same ground with a floor under level water,
/// for the shore, where it has such water; lines are those of `ground` itself.
fn draw(ground: Ground<'_>, floored: Option<Ground<'_>>, hillshade: &Hillshade) -> Canvas {
    let interval = interval(&ground);
    let lines = trace(&ground, interval);
    let level = f64::from(ground.sea);
    let shown = floored.unwrap_or(ground);
    let sea = Sea::of(&shown);
    let mut canvas = sheet(&shown, sea.as_ref(), hillshade);
    drop(shown);
    let size = [canvas.width(), canvas.height()];
    let is_index = |contour: &Contour| (contour.level / interval).round() as i64 % INDEX == 0;
    let strokes = |wet: bool, index: bool| -> Vec<Vec<Point>> {
        lines
            .iter()
            .filter(|c| c.level != level && (c.level < level) == wet && is_index(c) == index)
            .flat_map(|contour| contour.lines.iter())
            .map(|line| closed(&line.points, line.is_closed))
            .collect()
    };
    let scale = (size[0].max(size[1]) as f64 / 1024.0).clamp(0.6, 2.0);
    let kinds = [
        (false, false, BROWN, 0.85, 0.75),
        (false, true, DARK_BROWN, 1.5, 0.9),
        (true, false, BLUE, 0.8, 0.55),
        (true, true, DARK_BLUE, 1.2, 0.7),
    ];
    for (wet, index, color, width, opacity) in kinds {
        let strokes = strokes(wet, index);
        canvas.fill(&Coverage::of_strokes(size, &strokes, width * scale), srgb(color), opacity);
    }
    if let Some(sea) = &sea {
        let coast = contours(&sea.land, &unit_extent(&sea.land), &[0.5]);
        let strokes: Vec<Vec<Point>> = coast[0]
            .lines
            .iter()
            .map(|line| {
                closed(
                    &line.points.iter().map(|p| p.map(|v| v + 0.5)).collect::<Vec<_>>(),
                    line.is_closed,
                )
            })
            .collect();
        canvas.fill(&Coverage::of_strokes(size, &strokes, 1.3 * scale), srgb(DARK_BLUE), 0.9);
    }
    let mut placed = Vec::new();
    for contour in lines.iter().filter(|c| is_index(c) && c.level != level) {
        label(&mut canvas, contour, contour.level < level, 11.0 * scale, &mut placed);
    }
    canvas
}

/// Metres between lines: about two dozen over the relief.
fn interval(ground: &Ground<'_>) -> f64 {
    round_interval(f64::from(ground.range.1) - f64::from(ground.range.0), 25)
}

fn closed(points: &[Point], is_closed: bool) -> Vec<Point> {
    let mut points = points.to_vec();
    if is_closed {
        points.extend(points.first().copied());
    }
    points
}

fn unit_extent(grid: &Grid) -> landform::Extent {
    Lattice { size: [grid.width() as u32, grid.height() as u32], spacing: [1.0, 1.0] }.whole()
}

/// Contours in pixels. Detail below two pixels is averaged away first, and rings too small to read are
/// left out, as a cartographer would.
fn trace(ground: &Ground<'_>, interval: f64) -> Vec<Contour> {
    let (w, h) = (ground.heights.width(), ground.heights.height());
    let halve = w.min(h) >= 64;
    let smooth =
        if halve { resample(&ground.heights, w / 2, h / 2) } else { (*ground.heights).clone() };
    let step = [w as f64 / smooth.width() as f64, h as f64 / smooth.height() as f64];
    let (low, high) = ground.range;
    let levels = levels(f64::from(low), f64::from(high), interval);
    let mut lines = contours(&smooth, &unit_extent(&smooth), &levels);
    for contour in &mut lines {
        for line in &mut contour.lines {
            for point in &mut line.points {
                *point = [(point[0] + 0.5) * step[0], (point[1] + 0.5) * step[1]];
            }
        }
        contour.lines.retain(|line| length(&line.points) > 16.0 || w < 64);
    }
    lines
}

fn length(points: &[Point]) -> f64 {
    points.windows(2).map(|pair| distance(pair[0], pair[1])).sum()
}

fn distance(a: Point, b: Point) -> f64 {
    landform::math::length(b[0] - a[0], b[1] - a[1])
}

/// Tints and shading so faint that lines read on them.
fn sheet(ground: &Ground<'_>, sea: Option<&Sea>, hillshade: &Hillshade) -> Canvas {
    let (w, h) = (ground.heights.width(), ground.heights.height());
    let shader = hillshade.shader(ground);
    let flat = shader.level().max(1e-6);
    let (low, high) = ground.land_range();
    let top = top_tint((low, high));
    let table = encoder();
    let color = |i: usize, j: usize, light: f32| {
        let at = |grid: &Grid| grid[(i, j)];
        let rise = if high > low { (at(&ground.heights) - low) / (high - low) } else { 0.0 };
        let tint: Rgb = LAND.at(rise * top).map(|channel| encode_with(table, channel));
        let shade = 1.0 + 0.22 * (light / flat - 1.0).clamp(-1.0, 0.35);
        let land = mix(srgb(SHEET), tint, 0.32).map(|channel| (channel * shade).min(1.0));
        let share = sea.map_or(1.0, |sea| at(&sea.land));
        let color = mix(srgb(WATER), land, share);
        mix(color, srgb(MISSING), ground.missing.as_ref().map_or(0.0, at))
    };
    Canvas::painted([w, h], |first, part| {
        let (mut slopes, mut light) = (Slopes::default(), vec![0.0_f32; w]);
        for (n, row) in part.chunks_exact_mut(w).enumerate() {
            slopes.of_row(&ground.heights, first + n, ground.cell, shader.exaggeration);
            shader.shade_row(&slopes, &mut light);
            row.iter_mut().enumerate().for_each(|(i, out)| *out = color(i, first + n, light[i]));
        }
    })
}

/// Writes the height on the lines of a contour where they run straight, not too close together.
fn label(canvas: &mut Canvas, contour: &Contour, wet: bool, size: f64, placed: &mut Vec<Point>) {
    let text = number(contour.level);
    let room = text_width(&text, size) + size;
    let picture = [canvas.width(), canvas.height()];
    for line in &contour.lines {
        let total = length(&line.points);
        if total < 3.0 * room {
            continue;
        }
        let count = (total / 700.0).clamp(1.0, 12.0) as usize;
        for k in 0..count {
            let from = total * k as f64 / count as f64;
            let to = total * (k + 1) as f64 / count as f64;
            let Some((at, direction)) = straightest(&line.points, [from, to], room) else {
                continue;
            };
            let margin = 0.6 * room;
            let inside = (0..2).all(|c| at[c] > margin && at[c] < picture[c] as f64 - margin);
            if !inside || placed.iter().any(|&p| distance(p, at) < 3.2 * room) {
                continue;
            }
            placed.push(at);
            let direction = if direction[0] < 0.0 { direction.map(|v| -v) } else { direction };
            // The baseline lies below the line, so that the figures straddle it.
            let base = [at[0] - 0.36 * size * direction[1], at[1] + 0.36 * size * direction[0]];
            let rings = text_along(&text, base, size, Align::Middle, direction);
            let halo: Vec<Vec<Point>> = rings.iter().map(|ring| closed(ring, true)).collect();
            let paper = if wet { WATER } else { 0xF3_EFE2 };
            canvas.fill(&Coverage::of_strokes(picture, &halo, 0.42 * size), srgb(paper), 0.9);
            let ink = if wet { DARK_BLUE } else { DARK_BROWN };
            canvas.fill(&Coverage::of_rings(picture, &rings), srgb(ink), 1.0);
        }
    }
}

/// The middle and direction of the straightest stretch of `room` pixels between two distances along a
/// line; nothing if even that bends.
fn straightest(points: &[Point], [from, to]: [f64; 2], room: f64) -> Option<(Point, Point)> {
    let mut along = Vec::with_capacity(points.len());
    let mut sum = 0.0;
    for (k, point) in points.iter().enumerate() {
        sum += k.checked_sub(1).map_or(0.0, |before| distance(points[before], *point));
        along.push(sum);
    }
    let index = |d: f64| along.partition_point(|&a| a < d).min(points.len() - 1);
    let mut best: Option<(f64, Point, Point)> = None;
    let mut start = from;
    while start + room <= to {
        let (a, b) = (points[index(start)], points[index(start + room)]);
        let chord = distance(a, b);
        let straight = chord / room;
        if straight > best.map_or(0.93, |(best, ..)| best) && chord > 0.0 {
            let middle = points[index(start + room / 2.0)];
            best = Some((straight, middle, [(b[0] - a[0]) / chord, (b[1] - a[1]) / chord]));
        }
        start += (room / 3.0).max(1.0);
    }
    best.map(|(_, at, direction)| (at, direction))
}

/// A height with as many decimals as it needs, at most three.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    let text = if text == "-0" { "0" } else { text };
    text.replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_needless_digits() {
        assert_eq!(
            [number(1200.0), number(-2.5), number(0.125), number(-0.0)],
            ["1200", "\u{2212}2.5", "0.125", "0"]
        );
    }

    #[test]
    fn a_label_lies_where_the_line_is_straight() {
        // A zigzag that becomes straight after 100.
        let mut points: Vec<Point> =
            (0..20).map(|k| [5.0 * f64::from(k), f64::from(k % 2) * 20.0]).collect();
        points.extend((0..40).map(|k| [100.0 + 5.0 * f64::from(k), 0.0]));
        let end = length(&points);
        let (at, direction) = straightest(&points, [0.0, end], 60.0).unwrap();
        assert!(at[0] > 100.0 && direction[0] > 0.99);
        assert_eq!(straightest(&points[..20], [0.0, 380.0], 60.0), None);
    }
}
