//! A coarse lattice over a fine one: every `step`th sample, each with a hat that reaches to its neighbours.

use crate::par;

/// Sizes of both lattices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TwoLattices {
    /// Samples of the fine lattice along x and z.
    pub(super) fine: [usize; 2],
    /// Samples of the coarse lattice along x and z. The last ones may lie beyond the border of the fine lattice.
    pub(super) coarse: [usize; 2],
    /// Fine samples from one coarse sample to the next.
    pub(super) step: usize,
}

impl TwoLattices {
    pub(super) fn new(fine: [usize; 2], step: usize) -> Self {
        Self { fine, coarse: fine.map(|count| (count - 1).div_ceil(step) + 1), step }
    }

    /// Calls `f(j, row, interpolated)` for each row of `out`: bilinear.
    pub(super) fn refine(
        &self,
        coarse: &[f32],
        out: &mut [f32],
        f: impl Fn(usize, &mut [f32], &[f32]) + Sync + Send,
    ) {
        let width = self.fine[0];
        par::for_each_part(out, width, 8, |part, rows| {
            let mut refined = vec![0.0_f32; width];
            for (k, row) in rows.chunks_mut(width).enumerate() {
                self.refine_row(coarse, part * 8 + k, &mut refined);
                f(part * 8 + k, row, &refined);
            }
        });
    }

    /// Row j of the fine lattice.
    pub(super) fn refine_row(&self, coarse: &[f32], j: usize, out: &mut [f32]) {
        let [width, _] = self.coarse;
        let scale = 1.0 / self.step as f32;
        let (low, down) = (j / self.step, (j % self.step) as f32 * scale);
        let north = &coarse[low * width..][..width];
        let south = if down > 0.0 { &coarse[(low + 1) * width..][..width] } else { north };
        let at = |i: usize| north[i] + (south[i] - north[i]) * down;
        let mut west = at(0);
        for (i, samples) in out.chunks_mut(self.step).enumerate() {
            let east = if i + 1 < width { at(i + 1) } else { west };
            for (k, sample) in samples.iter_mut().enumerate() {
                *sample = west + (east - west) * (k as f32 * scale);
            }
            west = east;
        }
    }

    /// Sums of the hats over fine samples along an axis.
    fn weight(&self, axis: usize, at: usize) -> f32 {
        let mut sum = 0.0;
        self.for_each_under(axis, at, |_, weight| sum += weight);
        sum
    }

    /// Calls `f(index, weight)` for the fine samples under a hat.
    fn for_each_under(&self, axis: usize, at: usize, mut f: impl FnMut(usize, f32)) {
        let middle = at * self.step;
        let last = (middle + self.step - 1).min(self.fine[axis] - 1);
        for index in (middle + 1).saturating_sub(self.step)..=last {
            f(index, 1.0 - index.abs_diff(middle) as f32 / self.step as f32);
        }
    }

    /// Sums of fine samples under the hats: nothing is lost.
    pub(super) fn gather(&self, fine: &[f32]) -> Vec<f32> {
        let [width, height] = self.coarse;
        let mut out = vec![0.0_f32; width * height];
        par::for_each_part(&mut out, width, 1, |row, sums| {
            let mut across = vec![0.0_f32; self.fine[0]];
            self.for_each_under(1, row, |j, weight| {
                let samples = &fine[j * self.fine[0]..][..self.fine[0]];
                across.iter_mut().zip(samples).for_each(|(sum, &sample)| *sum += weight * sample);
            });
            for (i, sum) in sums.iter_mut().enumerate() {
                self.for_each_under(0, i, |at, weight| *sum += weight * across[at]);
            }
        });
        out
    }

    /// Means of fine samples under the hats.
    pub(super) fn average(&self, fine: &[f32]) -> Vec<f32> {
        let mut means = self.gather(fine);
        self.for_each_weight(&mut means, |mean, weight| *mean /= weight);
        means
    }

    /// Calls `f(sample, weight)` for coarse samples, the weight being the number of fine samples that one stands for.
    pub(super) fn for_each_weight(&self, coarse: &mut [f32], mut f: impl FnMut(&mut f32, f32)) {
        let [width, height] = self.coarse;
        let columns: Vec<f32> = (0..width).map(|i| self.weight(0, i)).collect();
        for j in 0..height {
            let row = self.weight(1, j);
            for (sample, &column) in coarse[j * width..][..width].iter_mut().zip(&columns) {
                f(sample, row * column);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gathering_loses_nothing_and_averages_are_refined_to_the_same_plane() {
        for (fine, step) in [([17, 9], 2), ([20, 11], 4), ([5, 2], 8), ([2, 2], 2)] {
            let lattices = TwoLattices::new(fine, step);
            let plane: Vec<f32> =
                (0..fine[0] * fine[1]).map(|k| 5.0 + (k % fine[0]) as f32).collect();
            let sum: f32 = lattices.gather(&plane).iter().sum();
            assert!((sum - plane.iter().sum::<f32>()).abs() < 1e-2, "{fine:?}");
            let even = vec![3.0_f32; lattices.coarse[0] * lattices.coarse[1]];
            let mut refined = plane.clone();
            lattices.refine(&even, &mut refined, |_, row, new| row.copy_from_slice(new));
            assert!(refined.iter().all(|&sample| sample == 3.0));
            assert!(lattices.average(&refined).iter().all(|mean| (mean - 3.0).abs() < 1e-5));
        }
    }
}
