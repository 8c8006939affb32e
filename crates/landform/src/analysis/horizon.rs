//! How high the ground stands around each sample: the base of shadows and of sky light.
//!
//! ```text
//! t(p) = max over q beyond p of (h(q) − h(p)) / |q − p|      tangent of the horizon's elevation
//! ```
//!
//! Parallel lines sweep the grid in the direction looked at, each keeping the upper hull of the ground
//! already passed (Timonen & Westerholm 2010). The horizon is the tangent from a sample to that hull, so
//! a direction costs a constant per sample, however far the horizon is.

use crate::{Grid, math, par};

/// Tangent of the horizon's elevation, at least 0, looking from each sample to the azimuth `azimuth`
/// (radians, clockwise from north).
pub fn horizon(heights: &Grid, cell: [f32; 2], azimuth: f64) -> Grid {
    let (east, south) = (math::sin(azimuth), -math::cos(azimuth));
    let (u, v) = (east / f64::from(cell[0]), south / f64::from(cell[1]));
    if u.abs() >= v.abs() {
        sweep(heights, cell, u, v)
    } else {
        transpose(&sweep(&transpose(heights), [cell[1], cell[0]], v, u))
    }
}

/// The share of the sky, 0 to 1, that level ground at each sample sees over its horizons in so many
/// directions, for heights times `exaggeration`.
pub fn sky_view(heights: &Grid, cell: [f32; 2], exaggeration: f32, directions: usize) -> Grid {
    let mut sky = Grid::filled(heights.width(), heights.height(), 0.0_f32);
    let width = heights.width();
    for k in 0..directions {
        let azimuth = (k as f64 + 0.5) / directions as f64 * std::f64::consts::TAU;
        let horizon = horizon(heights, cell, azimuth);
        par::for_each_row(sky.samples_mut(), width, |j, row| {
            for (sky, tangent) in row.iter_mut().zip(horizon.row(j)) {
                let tangent = tangent * exaggeration;
                *sky += 1.0 / (directions as f32 * (1.0 + tangent * tangent));
            }
        });
    }
    sky
}

/// Sweeps along lines that step one column at a time towards the sign of `u`.
fn sweep(heights: &Grid, cell: [f32; 2], u: f64, v: f64) -> Grid {
    let (width, height) = (heights.width(), heights.height());
    // Rows passed per column, and metres.
    let shear = (v / u) as f32;
    let step = math::length(f64::from(cell[0]), f64::from(shear) * f64::from(cell[1])) as f32;
    let span = shear * (width - 1) as f32;
    // Line k passes row k + shear·i in column i.
    let first = (-span.max(0.0)).floor() as i64 - 1;
    let last = (height as f32 - 1.0 - span.min(0.0)).ceil() as i64 + 1;
    let lines = (last - first + 1) as usize;
    let mut swept = Grid::filled(width, lines, 0.0_f32);
    let forward = u > 0.0;
    par::for_each_row(swept.samples_mut(), width, |k, line| {
        let base = (first + k as i64) as f32;
        let mut hull: Vec<(f32, f32)> = Vec::with_capacity(64);
        for n in 0..width {
            // From the far end of the look back to the near one.
            let i = if forward { width - 1 - n } else { n };
            let row = base + shear * i as f32;
            if row <= -1.0 || row >= height as f32 {
                continue;
            }
            let row = row.clamp(0.0, (height - 1) as f32);
            let j = (row as usize).min(height.saturating_sub(2));
            let share = row - j as f32;
            let (a, b) = (heights[(i, j)], heights[(i, (j + 1).min(height - 1))]);
            let (place, top) = (n as f32 * step, a + (b - a) * share);
            line[i] = tangent_to_hull(&mut hull, place, top);
        }
    });
    let mut horizon = Grid::filled(width, height, 0.0_f32);
    par::for_each_row(horizon.samples_mut(), width, |j, row| {
        for (i, out) in row.iter_mut().enumerate() {
            let line = j as f32 - shear * i as f32 - first as f32;
            let k = (line as usize).min(lines - 2);
            let share = line - k as f32;
            let (a, b) = (swept[(i, k)], swept[(i, k + 1)]);
            *out = a + (b - a) * share;
        }
    });
    horizon
}

/// Slope from the point (`place`, `top`) up to the hull of the points before it, which it then joins.
#[inline]
fn tangent_to_hull(hull: &mut Vec<(f32, f32)>, place: f32, top: f32) -> f32 {
    while let [.., next, last] = hull[..] {
        // Slopes to the two are compared without dividing: both lie before this place.
        if (last.1 - top) * (place - next.0) > (next.1 - top) * (place - last.0) {
            break;
        }
        hull.pop();
    }
    let tangent = hull.last().map_or(0.0, |&(p, t)| (t - top) / (place - p));
    hull.push((place, top));
    tangent.max(0.0)
}

fn transpose(grid: &Grid) -> Grid {
    let (width, height) = (grid.width(), grid.height());
    let mut turned = Grid::filled(height, width, 0.0_f32);
    // Sixteen rows at a time, so that a cache line that is read is used whole.
    par::for_each_part(turned.samples_mut(), height, 16, |k, part| {
        for j in 0..height {
            let row = &grid.row(j)[k * 16..];
            for (n, out) in part.chunks_exact_mut(height).enumerate() {
                out[j] = row[n];
            }
        }
    });
    turned
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    #[test]
    fn a_wall_is_seen_at_its_height_over_its_distance() {
        let wall = Grid::from_fn(20, 9, |i, _| if i == 15 { 30.0 } else { 0.0 });
        let east = horizon(&wall, [10.0, 10.0], FRAC_PI_2);
        for i in 0..15 {
            let want = 30.0 / ((15 - i) as f32 * 10.0);
            assert!((east[(i, 4)] - want).abs() < 1e-4, "{i}");
        }
        assert_eq!(east[(17, 4)], 0.0);
        let south = horizon(&transpose(&wall), [10.0, 10.0], PI);
        assert!((south[(4, 5)] - 0.3).abs() < 1e-4);
    }

    #[test]
    fn the_horizon_is_that_of_brute_force() {
        let ground = Grid::from_fn(24, 24, |i, j| ((i * i * 3 + j * 7 + i * j) % 17) as f32);
        let azimuth = PI / 4.0;
        let got = horizon(&ground, [1.0, 1.0], azimuth);
        // To the north-east the lines pass through samples, so nothing is interpolated.
        for j in 0..24 {
            for i in 0..24 {
                let want = (1..=j.min(23 - i))
                    .map(|k| {
                        (ground[(i + k, j - k)] - ground[(i, j)]) / (k as f32 * 2.0_f32.sqrt())
                    })
                    .fold(0.0, f32::max);
                assert!((got[(i, j)] - want).abs() < 1e-3, "{i} {j}: {} {want}", got[(i, j)]);
            }
        }
    }

    #[test]
    fn level_ground_sees_all_the_sky() {
        let sky = sky_view(&Grid::filled(7, 5, 3.0), [2.0, 1.0], 1.0, 8);
        assert!(sky.samples().iter().all(|&s| (s - 1.0).abs() < 1e-6));
        assert!(
            (sky_view(&Grid::filled(1, 1, 3.0), [1.0, 1.0], 1.0, 4)[(0, 0)] - 1.0).abs() < 1e-6
        );
    }
}
