//! Grids at another number of samples.
//!
//! A sample stands for the cell around it, so n samples cover n cells and the picture of n pixels is the
//! grid itself. Fewer samples are area averages: no fine detail turns into coarse patterns. More samples
//! lie on the cubic B-spline of the old ones: its slope and curvature are continuous, so shading shows no
//! facets, and it never overshoots, so flat water stays flat. It rounds a lone summit by a third; a spline
//! through the samples would not, but rings beside every cliff.

use std::ops::Range;

use landform::{Grid, par};

/// `grid` with `width` × `height` samples over the same ground.
pub(crate) fn resample(grid: &Grid, width: usize, height: usize) -> Grid {
    let columns = Taps::new(grid.width(), width);
    let rows = Taps::new(grid.height(), height);
    let mut new = Grid::filled(width, height, 0.0_f32);
    // Columns first, of no more rows at a time than the part needs: a grid of them would hold as much as the old one.
    par::for_each_part(new.samples_mut(), width, PART, |k, part| {
        let made = PART * k..PART * k + part.len() / width;
        let read = rows.reads(made.clone(), grid.height());
        let mut wide = vec![0.0_f32; width * read.len()];
        for (row, j) in wide.chunks_exact_mut(width).zip(read.clone()) {
            columns.along(grid.row(j), row);
        }
        for (out, j) in part.chunks_exact_mut(width).zip(made) {
            rows.across(&wide, read.start, j, out);
        }
    });
    new
}

/// Rows that are made together.
const PART: usize = 32;

/// The same by the nearest sample, for numbers that are names.
pub(crate) fn nearest(grid: &Grid, width: usize, height: usize) -> Grid {
    Grid::from_fn(width, height, |i, j| {
        let at = |k: usize, new: usize, old: usize| ((2 * k + 1) * old / (2 * new)).min(old - 1);
        grid[(at(i, width, grid.width()), at(j, height, grid.height()))]
    })
}

/// Which old samples make a new one along one axis.
enum Taps {
    Same,
    Average(Vec<Span>),
    Spline(Vec<SplineTap>),
}

impl Taps {
    fn new(old: usize, new: usize) -> Self {
        let scale = old as f64 / new as f64;
        if new == old {
            Self::Same
        } else if new < old {
            Self::Average((0..new).map(|k| Span::over(k as f64 * scale, scale, old)).collect())
        } else {
            Self::Spline(
                (0..new).map(|k| SplineTap::at((k as f64 + 0.5) * scale - 0.5, old)).collect(),
            )
        }
    }

    /// The old samples, of so many, that the new ones `made` are made of.
    fn reads(&self, made: Range<usize>, old: usize) -> Range<usize> {
        let last = made.end - 1;
        match self {
            Self::Same => made,
            Self::Average(spans) => {
                spans[made.start].first..spans[last].first + spans[last].weights.len()
            }
            Self::Spline(taps) => taps[made.start].first..(taps[last].first + 4).min(old),
        }
    }

    /// The new samples of a line of old ones.
    fn along(&self, samples: &[f32], new: &mut [f32]) {
        match self {
            Self::Same => new.copy_from_slice(samples),
            Self::Average(spans) => {
                for (out, span) in new.iter_mut().zip(spans) {
                    *out = span.sum(|k| samples[k]);
                }
            }
            Self::Spline(taps) => {
                for (out, tap) in new.iter_mut().zip(taps) {
                    *out = tap.sum(|k| samples[k]);
                }
            }
        }
    }

    /// The new row j, of rows that begin with the old row `first`.
    fn across(&self, rows: &[f32], first: usize, j: usize, new: &mut [f32]) {
        let width = new.len();
        let row = |k: usize| &rows[(k - first) * width..(k - first + 1) * width];
        match self {
            Self::Same => new.copy_from_slice(row(j)),
            Self::Average(spans) => {
                let span = &spans[j];
                for (k, &weight) in span.weights.iter().enumerate() {
                    for (out, sample) in new.iter_mut().zip(row(span.first + k)) {
                        *out += weight * sample;
                    }
                }
            }
            Self::Spline(taps) => {
                for (i, out) in new.iter_mut().enumerate() {
                    *out = taps[j].sum(|k| rows[(k - first) * width + i]);
                }
            }
        }
    }
}

/// The old cells under a new one, each with its share.
struct Span {
    first: usize,
    weights: Vec<f32>,
}

impl Span {
    fn over(start: f64, length: f64, old: usize) -> Self {
        let end = (start + length).min(old as f64);
        let first = (start as usize).min(old - 1);
        let last = (end.ceil() as usize).clamp(first + 1, old);
        let shares: Vec<f64> = (first..last)
            .map(|k| ((k + 1) as f64).min(end) - (k as f64).max(start))
            .map(|share| share.max(0.0))
            .collect();
        let sum: f64 = shares.iter().sum();
        Self { first, weights: shares.iter().map(|share| (share / sum) as f32).collect() }
    }

    #[inline]
    fn sum(&self, sample: impl Fn(usize) -> f32) -> f32 {
        self.weights.iter().enumerate().fold(0.0, |sum, (k, w)| sum + w * sample(self.first + k))
    }
}

/// Four samples around a place. Beyond the ends the line goes on straight.
struct SplineTap {
    first: usize,
    weights: [f32; 4],
}

impl SplineTap {
    fn at(place: f64, old: usize) -> Self {
        let t = place - place.floor();
        let s = 1.0 - t;
        let spline = [
            s * s * s / 6.0,
            (4.0 - 6.0 * t * t + 3.0 * t * t * t) / 6.0,
            (4.0 - 6.0 * s * s + 3.0 * s * s * s) / 6.0,
            t * t * t / 6.0,
        ];
        let last = old as i64 - 1;
        let base = place.floor() as i64 - 1;
        let first = base.clamp(0, (last - 3).max(0));
        let mut weights = [0.0; 4];
        for (k, weight) in spline.into_iter().enumerate() {
            // A sample d beyond the end lies d steps on along the line of the last two.
            let wanted = base + k as i64;
            let inside = wanted.clamp(0, last);
            let beyond = (wanted - inside).abs() as f64;
            let inner = if wanted < 0 { 1.min(last) } else { (last - 1).max(0) };
            weights[(inside - first) as usize] += weight * (1.0 + beyond);
            weights[(if beyond > 0.0 { inner } else { inside } - first) as usize] -=
                weight * beyond;
        }
        Self { first: first as usize, weights: weights.map(|weight| weight as f32) }
    }

    #[inline]
    fn sum(&self, sample: impl Fn(usize) -> f32) -> f32 {
        let [a, b, c, d] = self.weights;
        // Short lines have fewer than four samples; what is not there weighs nothing.
        let at = |k: usize, weight: f32| {
            if weight == 0.0 { 0.0 } else { weight * sample(self.first + k) }
        };
        at(0, a) + at(1, b) + at(2, c) + at(3, d)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rough(width: usize, height: usize) -> Grid {
        Grid::from_fn(width, height, |i, j| ((i * 7 + j * 13) % 11) as f32)
    }

    #[test]
    fn the_same_size_is_the_same_grid() {
        let grid = rough(9, 5);
        assert_eq!(resample(&grid, 9, 5), grid);
    }

    #[test]
    fn columns_and_rows_at_once_are_columns_and_then_rows() {
        let grid = rough(90, 70);
        for (width, height) in [(41, 33), (200, 150), (90, 31), (50, 70), (120, 9)] {
            let one_by_one = resample(&resample(&grid, width, 70), width, height);
            assert_eq!(resample(&grid, width, height), one_by_one, "{width} {height}");
        }
    }

    #[test]
    fn averages_keep_the_mean() {
        let grid = rough(30, 21);
        let mean = |g: &Grid| g.samples().iter().sum::<f32>() / g.samples().len() as f32;
        for size in [(7, 4), (13, 21), (1, 1)] {
            let small = resample(&grid, size.0, size.1);
            assert!((mean(&small) - mean(&grid)).abs() < 1e-4, "{size:?}");
        }
    }

    #[test]
    fn a_plane_stays_that_plane_to_its_borders() {
        for (width, height) in [(8, 6), (2, 3), (3, 2)] {
            let plane = Grid::from_fn(width, height, |i, j| 3.0 * i as f32 - 2.0 * j as f32);
            let large = resample(&plane, 4 * width, 4 * height);
            for j in 0..4 * height {
                for i in 0..4 * width {
                    let (x, z) = ((i as f32 + 0.5) / 4.0 - 0.5, (j as f32 + 0.5) / 4.0 - 0.5);
                    assert!((large[(i, j)] - (3.0 * x - 2.0 * z)).abs() < 1e-4, "{i} {j}");
                }
            }
        }
    }

    #[test]
    fn flat_ground_beside_a_cliff_stays_flat() {
        let grid = Grid::from_fn(12, 1, |i, _| if i < 6 { 0.0 } else { 100.0 });
        let large = resample(&grid, 48, 4);
        assert!(large.row(2)[..16].iter().all(|&h| h.abs() < 1e-4));
        assert!(large.samples().iter().all(|h| (-1e-4..=100.0001).contains(h)));
    }

    #[test]
    fn one_sample_fills_any_size() {
        let one = Grid::filled(1, 1, 5.0);
        assert!(resample(&one, 7, 3).samples().iter().all(|&h| (h - 5.0).abs() < 1e-5));
    }
}
