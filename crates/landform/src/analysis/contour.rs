//! Contour lines: where the ground has a given height.
//!
//! Marching squares: in every cell the corners at or above the level are told from those below, and the
//! crossings of its sides are joined so that the higher ground lies on the left. A saddle is cut by the
//! mean of its corners. Crossings are interpolated linearly, so lines of neighbouring cells meet exactly.

use crate::{Extent, Grid, par};

/// All lines of one height.
#[derive(Clone, Debug, PartialEq)]
pub struct Contour {
    /// The height in metres.
    pub level: f64,
    /// Its lines: those that end at the border or at missing samples first, then the closed ones.
    pub lines: Vec<Line>,
}

/// One line of a contour, with the higher ground on its left when north is up.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Points (x, z) in metres. A closed line does not repeat its first point.
    pub points: Vec<[f64; 2]>,
    /// Whether the last point is joined to the first.
    pub is_closed: bool,
}

/// The contours of `height` at each of `levels`.
///
/// # Panics
/// If `height` has not the size of `extent`.
pub fn contours(height: &Grid, extent: &Extent, levels: &[f64]) -> Vec<Contour> {
    let size = (height.width(), height.height());
    assert_eq!(size, (extent.width(), extent.height()), "heights must cover the extent");
    par::map(levels.len(), |k| Contour {
        level: levels[k],
        lines: trace(height, extent, levels[k], 0.0),
    })
}

/// The rings between what is below 0 and what is above, which may not be 0: the higher ground lies on the left. They keep away from
/// samples, so that none meets another or itself, to the last digit that files have.
pub(crate) fn rings(height: &Grid, extent: &Extent) -> Vec<Vec<[f64; 2]>> {
    const MARGIN: f64 = 0.02;
    let lines = trace(height, extent, 0.0, MARGIN).into_iter();
    lines.filter(|line| line.is_closed).map(|line| line.points).collect()
}

/// The round step (1, 2 or 5 times a power of ten) that divides `range` into at most `count` parts; 0 if
/// there is nothing to divide.
pub fn round_interval(range: f64, count: usize) -> f64 {
    let least = range / count.max(1) as f64;
    if !least.is_finite() || least <= 0.0 {
        return 0.0;
    }
    let mut unit = 1.0_f64;
    while unit > least && unit > 1e-300 {
        unit /= 10.0;
    }
    while unit * 10.0 <= least && unit < 1e300 {
        unit *= 10.0;
    }
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|step| step * unit)
        .find(|&step| step >= least)
        .unwrap_or(0.0)
}

/// The multiples of `interval` from `low` to `high`, at most 10,000 of them.
pub fn levels(low: f64, high: f64, interval: f64) -> Vec<f64> {
    if !(interval > 0.0 && low <= high && ((high - low) / interval) < 10_000.0) {
        return Vec::new();
    }
    let first = (low / interval).ceil();
    let last = (high / interval).floor();
    (0..=(last - first).max(-1.0) as i64).map(|k| (first + k as f64) * interval).collect()
}

/// A crossing of a grid line between two samples: the sample to the west or north, and which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    sample: usize,
    is_down: bool,
}

/// The lines of a level, each crossing at least the share `margin` of a side away from the samples.
fn trace(height: &Grid, extent: &Extent, level: f64, margin: f64) -> Vec<Line> {
    let mut pieces = Vec::new();
    for j in 0..height.height().saturating_sub(1) {
        add_row(&mut pieces, height, j, level);
    }
    // A side is the end of at most one piece and the start of at most one.
    pieces.sort_unstable();
    let next = |side: Side| pieces.binary_search_by_key(&side, |&(start, _)| start).ok();
    let mut has_before = vec![false; pieces.len()];
    for &(_, end) in &pieces {
        if let Some(k) = next(end) {
            has_before[k] = true;
        }
    }
    let place = |side: Side| crossing(height, extent, (level, margin), side);
    let mut done = vec![false; pieces.len()];
    let mut lines = Vec::new();
    let open = (0..pieces.len()).filter(|&k| !has_before[k]);
    for first in open.chain(0..pieces.len()) {
        if done[first] {
            continue;
        }
        let mut points = vec![place(pieces[first].0)];
        let mut k = first;
        let is_closed = loop {
            done[k] = true;
            match next(pieces[k].1) {
                Some(after) if after == first => break true,
                Some(after) if !done[after] => {
                    points.push(place(pieces[k].1));
                    k = after;
                }
                _ => {
                    points.push(place(pieces[k].1));
                    break false;
                }
            }
        };
        // A summit at the level itself is a point, not a line.
        points.dedup();
        if points.len() > 1 {
            lines.push(Line { points, is_closed });
        }
    }
    lines
}

/// Adds the pieces of the cells between rows j and j + 1, each from side to side.
fn add_row(pieces: &mut Vec<(Side, Side)>, height: &Grid, j: usize, level: f64) {
    let width = height.width();
    let (north, south) = (height.row(j), height.row(j + 1));
    for i in 0..width.saturating_sub(1) {
        let corners = [north[i], north[i + 1], south[i + 1], south[i]].map(f64::from);
        let over = corners.map(|h| h >= level);
        let count = over.iter().filter(|&&over| over).count();
        if count == 0 || count == 4 || corners.iter().any(|h| !h.is_finite()) {
            continue;
        }
        let sample = j * width + i;
        // Sides clockwise from the north.
        let sides = [
            Side { sample, is_down: false },
            Side { sample: sample + 1, is_down: true },
            Side { sample: sample + width, is_down: false },
            Side { sample, is_down: true },
        ];
        // Going clockwise around the cell, high ground begins at some sides and ends at others. A piece
        // that leaves by a side where it begins has it on the left.
        let begins: Vec<usize> = (0..4).filter(|&k| !over[k] && over[(k + 1) % 4]).collect();
        let ends: Vec<usize> = (0..4).filter(|&k| over[k] && !over[(k + 1) % 4]).collect();
        if let ([begin], [end]) = (&begins[..], &ends[..]) {
            pieces.push((sides[*begin], sides[*end]));
            continue;
        }
        let mean = corners.iter().sum::<f64>() / 4.0;
        for &begin in &begins {
            // Each high corner apart, or each low corner apart.
            let end = if mean >= level { (begin + 3) % 4 } else { (begin + 1) % 4 };
            pieces.push((sides[begin], sides[end]));
        }
    }
}

fn crossing(height: &Grid, extent: &Extent, (level, margin): (f64, f64), side: Side) -> [f64; 2] {
    let (i, j) = (side.sample % height.width(), side.sample / height.width());
    let other = if side.is_down { (i, j + 1) } else { (i + 1, j) };
    let (a, b) = (f64::from(height[(i, j)]), f64::from(height[other]));
    let share = if a == b { 0.0 } else { ((level - a) / (b - a)).clamp(margin, 1.0 - margin) };
    let [dx, dz] = extent.lattice().spacing;
    if side.is_down {
        [extent.x(i), extent.z(j) + share * dz]
    } else {
        [extent.x(i) + share * dx, extent.z(j)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lattice;
    use crate::math::length;

    fn over(size: [u32; 2], f: impl Fn(f64, f64) -> f64) -> (Grid, Extent) {
        let extent = Lattice { size, spacing: [2.0, 2.0] }.whole();
        let grid = Grid::from_fn(extent.width(), extent.height(), |i, j| {
            f(extent.x(i), extent.z(j)) as f32
        });
        (grid, extent)
    }

    /// Twice the area within a ring; above 0 if it turns clockwise on a map with north up.
    fn turn(points: &[[f64; 2]]) -> f64 {
        let pairs = points.iter().zip(points.iter().cycle().skip(1));
        pairs.map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum()
    }

    #[test]
    fn the_contour_of_a_cone_is_a_circle_around_higher_ground() {
        let (grid, extent) = over([81, 81], |x, z| 100.0 - length(x - 80.0, z - 80.0));
        let lines = &contours(&grid, &extent, &[60.0])[0].lines;
        assert_eq!(lines.len(), 1);
        assert!(lines[0].is_closed);
        for p in &lines[0].points {
            assert!((length(p[0] - 80.0, p[1] - 80.0) - 40.0).abs() < 0.05, "{p:?}");
        }
        // The higher ground, inside, is on the left: anticlockwise with north up.
        assert!(turn(&lines[0].points) < 0.0);
    }

    #[test]
    fn the_contours_of_a_plane_are_straight_and_end_at_the_border() {
        let (grid, extent) = over([11, 7], |x, _| x);
        for contour in contours(&grid, &extent, &[3.0, 9.5, 20.0]) {
            assert_eq!(contour.lines.len(), 1, "{}", contour.level);
            assert!(!contour.lines[0].is_closed);
            assert_eq!(contour.lines[0].points.len(), 7);
            assert!(contour.lines[0].points.iter().all(|p| p[0] == contour.level));
        }
        assert!(contours(&grid, &extent, &[-1.0, 21.0]).iter().all(|c| c.lines.is_empty()));
    }

    #[test]
    fn a_saddle_is_cut_by_its_mean() {
        let grid = Grid::from_vec(2, 2, vec![1.0, 0.0, 0.0, 1.0]);
        let extent = Lattice { size: [2, 2], spacing: [1.0, 1.0] }.whole();
        let at = |level: f64| contours(&grid, &extent, &[level])[0].lines.clone();
        // Below the mean the high corners are joined, so the low ones are cut off.
        let near = |line: &Line, corner: [f64; 2]| {
            line.points.iter().all(|p| length(p[0] - corner[0], p[1] - corner[1]) < 0.7)
        };
        assert!(at(0.4).iter().all(|line| near(line, [1.0, 0.0]) || near(line, [0.0, 1.0])));
        assert!(at(0.6).iter().all(|line| near(line, [0.0, 0.0]) || near(line, [1.0, 1.0])));
        assert_eq!((at(0.4).len(), at(0.6).len()), (2, 2));
    }

    #[test]
    fn missing_samples_open_lines_and_small_grids_have_none() {
        let (mut grid, extent) = over([21, 21], |x, z| -length(x - 20.0, z - 20.0));
        grid[(5, 10)] = f32::NAN;
        let lines = &contours(&grid, &extent, &[-10.0])[0].lines;
        assert!(lines.len() == 1 && !lines[0].is_closed);
        for size in [[1, 1], [1, 9], [9, 1]] {
            let (grid, extent) = over(size, |x, z| x + z);
            assert!(contours(&grid, &extent, &[3.0])[0].lines.is_empty());
        }
        let (flat, extent) = over([5, 5], |_, _| 2.0);
        assert!(contours(&flat, &extent, &[2.0])[0].lines.is_empty());
    }

    #[test]
    fn intervals_are_round_and_levels_their_multiples() {
        assert_eq!(round_interval(1834.0, 20), 100.0);
        assert_eq!(round_interval(0.07, 10), 0.01);
        assert_eq!(round_interval(30.0, 10), 5.0);
        assert_eq!(round_interval(0.0, 10), 0.0);
        assert_eq!(round_interval(f64::INFINITY, 10), 0.0);
        assert_eq!(levels(-12.0, 26.0, 10.0), [-10.0, 0.0, 10.0, 20.0]);
        assert_eq!(levels(3.0, 4.0, 10.0), [0.0; 0]);
        assert!(levels(0.0, 1e9, 1e-3).is_empty());
    }
}
