//! Water: how deep it is, how far from the shore, and which share of a pixel it covers.
//!
//! Ground at or below the sea level is sea.

use landform::{Grid, par};

use crate::gradient::Slopes;
use crate::ground::Ground;

/// What a map needs to know about the water of its ground.
#[derive(Clone, Debug)]
pub(crate) struct Sea {
    /// The share of each pixel that is land, 0 to 1: soft along the shore.
    pub(crate) land: Grid,
    /// Distance to land in pixels; 0 on land.
    pub(crate) offshore: Grid,
}

impl Sea {
    /// Nothing if no ground lies at or below the sea level.
    pub(crate) fn of(ground: &Ground<'_>) -> Option<Self> {
        if ground.range.0 > ground.sea {
            return None;
        }
        let (width, height) = (ground.heights.width(), ground.heights.height());
        let relief = ground.range.1 - ground.range.0;
        let mut land = Grid::filled(width, height, 0.0_f32);
        let tiny = 1e-6 * relief + 1e-20;
        par::for_each_part(land.samples_mut(), width, 16, |k, part| {
            let mut slopes = Slopes::default();
            for (n, row) in part.chunks_exact_mut(width).enumerate() {
                let j = 16 * k + n;
                slopes.of_row(&ground.heights, j, [1.0, 1.0], 1.0);
                for (i, out) in row.iter_mut().enumerate() {
                    let rise = slopes.x[i].abs().max(slopes.z[i].abs());
                    let over = (ground.heights[(i, j)] - ground.sea - tiny) / (rise + tiny);
                    *out = (0.5 + over).clamp(0.0, 1.0);
                }
            }
        });
        let offshore = distance_to(&land.map(|&share| share >= 0.5));
        Some(Self { land, offshore })
    }
}

/// Distance in pixels from each sample to the nearest that is set (Felzenszwalb & Huttenlocher 2012); the
/// diagonal of the grid if none is.
pub(crate) fn distance_to(set: &Grid<bool>) -> Grid {
    let (width, height) = (set.width(), set.height());
    let far = ((width * width + height * height) as f32).sqrt();
    // Vertical distances first, by a pass down and a pass up.
    let mut squared = Grid::filled(width, height, far * far);
    let mut run = vec![far; width];
    for j in (0..height).chain((0..height).rev()) {
        let (flags, row) = (set.row(j), squared.row_mut(j));
        for i in 0..width {
            run[i] = if flags[i] { 0.0 } else { (run[i] + 1.0).min(far) };
            row[i] = row[i].min(run[i] * run[i]);
        }
        if j == height - 1 {
            run.iter_mut().for_each(|run| *run = run.min(far));
        }
    }
    par::for_each_row(squared.samples_mut(), width, |_, row| lower_envelope(row));
    par::for_each_row(squared.samples_mut(), width, |_, row| {
        row.iter_mut().for_each(|d| *d = d.sqrt().min(far));
    });
    squared
}

/// Replaces f(i) by the minimum over k of (i − k)² + f(k): the lower envelope of parabolas.
fn lower_envelope(line: &mut [f32]) {
    let f: Vec<f64> = line.iter().map(|&v| f64::from(v)).collect();
    let mut apexes: Vec<(usize, f64)> = Vec::with_capacity(line.len());
    for (k, &height) in f.iter().enumerate() {
        let key = height + (k * k) as f64;
        let mut start = f64::NEG_INFINITY;
        while let Some(&(last, from)) = apexes.last() {
            let crossing = (key - f[last] - (last * last) as f64) / (2 * (k - last)) as f64;
            if crossing > from {
                start = crossing;
                break;
            }
            apexes.pop();
        }
        apexes.push((k, start));
    }
    let mut n = 0;
    for (i, out) in line.iter_mut().enumerate() {
        while n + 1 < apexes.len() && apexes[n + 1].1 <= i as f64 {
            n += 1;
        }
        let k = apexes[n].0;
        let away = i as f64 - k as f64;
        *out = (away * away + f[k]) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_brute_force() {
        let set = Grid::from_fn(13, 9, |i, j| (i * 5 + j * 11) % 23 == 0);
        let points: Vec<(usize, usize)> =
            (0..13 * 9).map(|k| (k % 13, k / 13)).filter(|&p| set[p]).collect();
        let got = distance_to(&set);
        for j in 0..9_usize {
            for i in 0..13_usize {
                let nearest = |&(a, b): &(usize, usize)| {
                    ((i.abs_diff(a).pow(2) + j.abs_diff(b).pow(2)) as f32).sqrt()
                };
                let want = points.iter().map(nearest).fold(f32::INFINITY, f32::min);
                assert!((got[(i, j)] - want).abs() < 1e-5, "{i} {j}");
            }
        }
    }

    #[test]
    fn without_land_everything_is_far_out() {
        let got = distance_to(&Grid::filled(3, 4, false));
        assert!(got.samples().iter().all(|&d| (d - 5.0).abs() < 1e-5));
    }
}
