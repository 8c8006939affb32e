//! The slope of a grid of heights, row by row.
//!
//! Horn's (1981) third-order differences over 3 × 3 samples, as geographic information systems use them.
//! Beyond the border the ground goes on straight, so a plane has one slope everywhere.

use landform::{Grid, par};

/// Slopes of one row: ∂h/∂x to the east and ∂h/∂z to the south.
#[derive(Debug, Default)]
pub(crate) struct Slopes {
    pub(crate) x: Vec<f32>,
    pub(crate) z: Vec<f32>,
    sum: Vec<f32>,
    difference: Vec<f32>,
}

impl Slopes {
    /// Computes the slopes of row j of `heights`, in metres per metre times `exaggeration`.
    pub(crate) fn of_row(&mut self, heights: &Grid, j: usize, cell: [f32; 2], exaggeration: f32) {
        let (width, height) = (heights.width(), heights.height());
        let middle = heights.row(j);
        let (above, below) =
            (heights.row(j.saturating_sub(1)), heights.row((j + 1).min(height - 1)));
        // A row beyond the border lies as far on the other side of this one.
        let (above_own, below_own) = match (j > 0, j + 1 < height) {
            (true, true) => (1.0, 1.0),
            (false, true) => (0.0, 1.0),
            (true, false) => (1.0, 0.0),
            (false, false) => (0.0, 0.0),
        };
        self.sum.resize(width + 2, 0.0);
        self.difference.resize(width + 2, 0.0);
        self.x.resize(width, 0.0);
        self.z.resize(width, 0.0);
        let sums = &mut self.sum[1..=width];
        let differences = &mut self.difference[1..=width];
        if above_own + below_own == 2.0 {
            for i in 0..width {
                sums[i] = above[i] + 2.0 * middle[i] + below[i];
                differences[i] = below[i] - above[i];
            }
        } else {
            for i in 0..width {
                let up = if above_own == 1.0 { above[i] } else { 2.0 * middle[i] - below[i] };
                let down = if below_own == 1.0 { below[i] } else { 2.0 * middle[i] - up };
                sums[i] = up + 2.0 * middle[i] + down;
                differences[i] = down - up;
            }
        }
        for line in [&mut self.sum, &mut self.difference] {
            let inner = (line[2.min(width)], line[(width - 1).max(1)]);
            line[0] = 2.0 * line[1] - inner.0;
            line[width + 1] = 2.0 * line[width] - inner.1;
        }
        let (scale_x, scale_z) = (exaggeration / (8.0 * cell[0]), exaggeration / (8.0 * cell[1]));
        let (sum, difference) = (&self.sum[..width + 2], &self.difference[..width + 2]);
        for i in 0..width {
            self.x[i] = (sum[i + 2] - sum[i]) * scale_x;
            self.z[i] = (difference[i] + 2.0 * difference[i + 1] + difference[i + 2]) * scale_z;
        }
    }
}

/// The slope that a quarter of the sloping ground exceeds, in metres per metre; 0 if nothing slopes.
///
/// Looks at up to 256 rows and 256 samples of each: enough to scale a picture by.
pub(crate) fn typical_slope(heights: &Grid, cell: [f32; 2]) -> f32 {
    let rows = heights.height().min(256);
    let picked = par::map(rows, |k| {
        let mut slopes = Slopes::default();
        slopes.of_row(heights, k * heights.height() / rows, cell, 1.0);
        let count = heights.width().min(256);
        let at = |i: usize| i * heights.width() / count;
        let slope = |i: usize| (slopes.x[i] * slopes.x[i] + slopes.z[i] * slopes.z[i]).sqrt();
        (0..count).map(|i| slope(at(i))).filter(|&s| s > 0.0).collect::<Vec<f32>>()
    });
    let mut slopes: Vec<f32> = picked.into_iter().flatten().collect();
    if slopes.is_empty() {
        return 0.0;
    }
    slopes.sort_unstable_by(f32::total_cmp);
    slopes[slopes.len() * 3 / 4]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_has_one_slope_everywhere() {
        for (width, height) in [(5, 4), (2, 2), (3, 1)] {
            let plane = Grid::from_fn(width, height, |i, j| 8.0 * i as f32 - 3.0 * j as f32);
            let mut slopes = Slopes::default();
            for j in 0..height {
                slopes.of_row(&plane, j, [2.0, 1.0], 0.5);
                assert!(slopes.x.iter().all(|&s| s == 2.0), "{:?}", slopes.x);
                let down = if height > 1 { -1.5 } else { 0.0 };
                assert!(slopes.z.iter().all(|&s| s == down), "{:?}", slopes.z);
            }
        }
    }

    #[test]
    fn one_sample_is_level() {
        let mut slopes = Slopes::default();
        slopes.of_row(&Grid::filled(1, 1, 9.0), 0, [1.0, 1.0], 1.0);
        assert_eq!((slopes.x[0], slopes.z[0]), (0.0, 0.0));
    }
}
