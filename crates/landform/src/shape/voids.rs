//! Voids of an elevation model, filled from their edges.
//!
//! ```text
//! ∇²h = 0 in a void,   h = what was measured around it
//! ```
//!
//! The membrane that hangs from the rim of each void: no higher than what was measured, no lower, and a plane stays nearly a
//! plane. It is begun by pull and push (Gortler et al. 1996): averages of 2 × 2 samples that are there,
//! level after level, until no void is left, and then back down into the voids of each finer level. That is right but for
//! creases, which a fixed number of relaxations evens out on every level; so the cost grows with the samples, not with the
//! width of the voids. In wide voids it is near the membrane, not on it. Samples that were measured stay as they are.

use crate::Grid;

/// Relaxations on each level.
const SWEEPS: usize = 24;

/// Gives every sample that is no finite number a height. Ground without any measured sample lies at 0.
pub(crate) fn fill(heights: &mut Grid) {
    let voids: Vec<usize> = heights
        .samples()
        .iter()
        .enumerate()
        .filter_map(|(k, height)| (!height.is_finite()).then_some(k))
        .collect();
    if voids.is_empty() {
        return;
    }
    if voids.len() == heights.samples().len() {
        heights.samples_mut().fill(0.0);
        return;
    }
    let mut coarse = pulled(heights);
    fill(&mut coarse);
    let width = heights.width();
    for &k in &voids {
        let height = pushed(&coarse, k % width, k / width);
        heights.samples_mut()[k] = height;
    }
    relax(heights, &voids);
}

/// Averages of the measured ones among 2 × 2 samples; a void where there is none.
fn pulled(fine: &Grid) -> Grid {
    let (width, height) = (fine.width(), fine.height());
    Grid::from_fn(width.div_ceil(2), height.div_ceil(2), |i, j| {
        let (mut sum, mut count) = (0.0_f64, 0.0_f64);
        for (di, dj) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let at = (2 * i + di, 2 * j + dj);
            if at.0 < width && at.1 < height && fine[at].is_finite() {
                sum += f64::from(fine[at]);
                count += 1.0;
            }
        }
        if count > 0.0 { (sum / count) as f32 } else { f32::NAN }
    })
}

/// The coarse heights between which a fine sample lies, in proportion.
fn pushed(coarse: &Grid, i: usize, j: usize) -> f32 {
    // A coarse sample stands in the middle of its 2 × 2 fine ones, so the nearest has three quarters of the weight.
    let beside = |k: usize, count: usize| {
        let own = k / 2;
        let other =
            if k.is_multiple_of(2) { own.saturating_sub(1) } else { (own + 1).min(count - 1) };
        (own, other)
    };
    let ((i0, i1), (j0, j1)) = (beside(i, coarse.width()), beside(j, coarse.height()));
    let across = |j| 0.75 * coarse[(i0, j)] + 0.25 * coarse[(i1, j)];
    0.75 * across(j0) + 0.25 * across(j1)
}

/// Brings each void nearer to the mean of its neighbours, all at once.
fn relax(heights: &mut Grid, voids: &[usize]) {
    let (width, height) = (heights.width(), heights.height());
    for _ in 0..SWEEPS {
        let mean = |&k: &usize| {
            let (i, j) = (k % width, k / width);
            let (mut sum, mut count) = (0.0_f32, 0.0_f32);
            let mut add = |i: usize, j: usize| {
                sum += heights[(i, j)];
                count += 1.0;
            };
            if i > 0 {
                add(i - 1, j);
            }
            if i + 1 < width {
                add(i + 1, j);
            }
            if j > 0 {
                add(i, j - 1);
            }
            if j + 1 < height {
                add(i, j + 1);
            }
            sum / count
        };
        let means: Vec<f32> = voids.iter().map(mean).collect();
        voids.iter().zip(means).for_each(|(&k, mean)| heights.samples_mut()[k] = mean);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_hole(
        ground: impl Fn(usize, usize) -> f32,
        is_void: impl Fn(usize, usize) -> bool,
    ) -> Grid {
        Grid::from_fn(67, 45, |i, j| if is_void(i, j) { f32::NAN } else { ground(i, j) })
    }

    #[test]
    fn a_void_in_a_slope_is_filled_by_the_slope_and_what_was_measured_stays() {
        let slope = |i: usize, j: usize| 100.0 + 3.0 * i as f32 - 2.0 * j as f32;
        let is_void = |i: usize, j: usize| (20..45).contains(&i) && (11..30).contains(&j);
        let mut heights = with_hole(slope, is_void);
        fill(&mut heights);
        for (i, j) in (0..67).flat_map(|i| (0..45).map(move |j| (i, j))) {
            let off = (heights[(i, j)] - slope(i, j)).abs();
            assert!(if is_void(i, j) { off < 1.5 } else { off == 0.0 }, "{off} at {i}, {j}");
        }
    }

    #[test]
    fn a_filled_void_stays_between_the_heights_around_it_whatever_its_shape() {
        let ground = |i: usize, j: usize| ((i * 7 + j * 13) % 29) as f32;
        for seed in 0..6 {
            let is_void =
                |i: usize, j: usize| (i * i + 3 * j * seed + seed) % (4 + seed) < 3 || i < seed;
            let mut heights = with_hole(ground, is_void);
            fill(&mut heights);
            assert!(heights.samples().iter().all(|height| (0.0..=28.0).contains(height)));
        }
    }

    #[test]
    fn ground_without_a_measured_sample_lies_at_nought() {
        let mut heights = Grid::filled(5, 3, f32::NAN);
        fill(&mut heights);
        assert_eq!(heights, Grid::filled(5, 3, 0.0));
        let mut one = Grid::from_fn(9, 1, |i, _| if i == 8 { 7.0 } else { f32::INFINITY });
        fill(&mut one);
        assert_eq!(one, Grid::filled(9, 1, 7.0));
    }
}
