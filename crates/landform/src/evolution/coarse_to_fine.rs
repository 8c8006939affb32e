//! Coarse to fine: the land evolves on lattices of which each has about twice the samples of the one before along an axis.
//!
//! Large valleys need many steps until they have found their divides, and on a coarse lattice a step costs little; on a
//! finer one only what is new there, the smaller valleys, has still to form. A valley that follows the eight directions of
//! a coarse lattice would be straight on the finer one. So the ground is *warped* on the way: a sample of the finer lattice
//! takes its height from a place beside it,
//!
//! ```text
//! h_fine(p) = h_coarse(p + w(p))        w smooth noise, about half a coarse sample long, a few of them from bend to bend
//! ```
//!
//! and what erosion then finds is a winding valley with the same course.

use crate::noise::gradient_noise::RowNoise;
use crate::noise::lattice::Position;
use crate::{Grid, Lattice, Seed, par};

/// No lattice has fewer samples along its shorter axis than this, unless the finest has.
const FEWEST: u32 = 24;

/// The lattices over the ground of `finest`, that one first: at most `levels`.
pub(crate) fn lattices(finest: Lattice, levels: u32) -> Vec<Lattice> {
    let mut all = vec![finest];
    while all.len() < levels as usize {
        let last = all[all.len() - 1];
        let size = last.size.map(|count| if count > 1 { count.div_ceil(2) } else { 1 });
        if size.iter().any(|&count| count > 1 && count < FEWEST) || size == last.size {
            break;
        }
        all.push(last.resampled(size));
    }
    all
}

/// How the ground is warped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Warp {
    pub(crate) seed: Seed,
    /// Length of w in coarse samples where the noise is 1.
    pub(crate) strength: f64,
}

/// Samples from bend to bend.
const WAVELENGTHS: [f64; 2] = [5.0, 2.3];

/// The heights of one lattice on a finer one over the same ground.
pub(crate) fn refine(coarse: &Grid, fine: &Lattice, warp: Warp) -> Grid {
    let [width, height] = fine.size.map(|count| count as usize);
    let scale = |source: usize, count: usize| {
        if count > 1 { (source - 1) as f64 / (count - 1) as f64 } else { 0.0 }
    };
    let (sx, sz) = (scale(coarse.width(), width), scale(coarse.height(), height));
    let columns = WAVELENGTHS
        .map(|length| (0..width).map(|i| Position::of(i as f64 * sx / length)).collect::<Vec<_>>());
    let noise = |name, k: usize| RowNoise::new(warp.seed.child(name), &columns[k]);
    let mut out = Grid::filled(width, height, 0.0);
    par::for_each_part(out.samples_mut(), width, ROWS, |part, rows| {
        let mut coarse_noise = [noise("x", 0), noise("z", 0)];
        let mut fine_noise = [noise("fine x", 1), noise("fine z", 1)];
        let mut shifts = [vec![0.0; width], vec![0.0; width]];
        for (k, row) in rows.chunks_mut(width).enumerate() {
            let z = (ROWS * part + k) as f64 * sz;
            let at = WAVELENGTHS.map(|length| Position::of(z / length));
            for (axis, shifts) in shifts.iter_mut().enumerate() {
                let waves = coarse_noise[axis].row(at[0]).zip(fine_noise[axis].row(at[1]));
                for (shift, (large, small)) in shifts.iter_mut().zip(waves) {
                    *shift = warp.strength * (f64::from(large) + 0.6 * f64::from(small));
                }
            }
            for (i, sample) in row.iter_mut().enumerate() {
                *sample = between(coarse, i as f64 * sx + shifts[0][i], z + shifts[1][i]);
            }
        }
    });
    out
}

/// Rows that are refined together.
const ROWS: usize = 32;

/// The sample at a place between four others.
fn between(grid: &Grid, x: f64, z: f64) -> f32 {
    let place = |at: f64, count: usize| {
        let at = at.clamp(0.0, (count - 1) as f64);
        let first = (at as usize).min(count.saturating_sub(2));
        (first, (first + 1).min(count - 1), (at - first as f64) as f32)
    };
    let (west, east, u) = place(x, grid.width());
    let (north, south, v) = place(z, grid.height());
    let along = |j: usize| grid[(west, j)] + (grid[(east, j)] - grid[(west, j)]) * u;
    let (a, b) = (along(north), along(south));
    a + (b - a) * v
}

/// A grid that goes on beyond its border by `margin` samples on each side, mirrored there.
pub(crate) fn mirrored(grid: &Grid, margin: [usize; 2]) -> Grid {
    let place = |at: usize, margin: usize, count: usize| {
        let last = count - 1;
        let at = (at as isize - margin as isize).unsigned_abs();
        if at > last { (2 * last).saturating_sub(at) } else { at }
    };
    let [width, height] = [grid.width() + 2 * margin[0], grid.height() + 2 * margin[1]];
    let columns: Vec<usize> = (0..width).map(|i| place(i, margin[0], grid.width())).collect();
    let mut out = Grid::filled(width, height, 0.0);
    par::for_each_part(out.samples_mut(), width, ROWS, |part, rows| {
        for (k, row) in rows.chunks_mut(width).enumerate() {
            let from = grid.row(place(ROWS * part + k, margin[1], grid.height()));
            row.iter_mut().zip(&columns).for_each(|(sample, &i)| *sample = from[i]);
        }
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lattices_halve_down_to_a_few_samples() {
        let finest = Lattice { size: [257, 129], spacing: [10.0, 10.0] };
        let sizes: Vec<_> = lattices(finest, 9).iter().map(|lattice| lattice.size).collect();
        assert_eq!(sizes, [[257, 129], [129, 65], [65, 33]]);
        assert_eq!(lattices(Lattice { size: [1, 1], spacing: [1.0, 1.0] }, 4).len(), 1);
    }

    #[test]
    fn without_warp_a_plane_stays_a_plane_and_a_margin_mirrors() {
        let plane = Grid::from_fn(5, 3, |i, j| (i * 4 + j * 8) as f32);
        let fine = Lattice { size: [9, 5], spacing: [1.0, 1.0] };
        let warp = Warp { seed: Seed::new(1), strength: 0.0 };
        let refined = refine(&plane, &fine, warp);
        assert_eq!(refined[(3, 3)], 3.0 * 2.0 + 3.0 * 4.0);
        let wide = mirrored(&plane, [2, 1]);
        assert_eq!((wide.width(), wide.height()), (9, 5));
        assert_eq!((wide[(0, 0)], wide[(2, 1)], wide[(8, 4)]), (16.0, 0.0, 16.0));
    }
}
