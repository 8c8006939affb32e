//! The screened Poisson equation on a lattice on which some samples are known, by conjugate gradients over multigrid cycles.
//!
//! ```text
//! Σ over neighbours w·(c − c_n) + κ·c = b      c correction (m), w = Δz/Δx or Δx/Δz, κ = Δx·Δz/λ², λ screening length (m)
//! c given at known samples; nothing crosses the border of the lattice
//! ```
//!
//! Each coarser lattice has every other sample along both axes, or along one where samples lie closer there. Its equation is
//! the Galerkin form of the finer one: corrections are linear between its samples, and 0 where samples are known. See
//! Briggs, Henson & McCormick (2000), *A Multigrid Tutorial*. A V-cycle of damped Jacobi sweeps is the preconditioner of
//! conjugate gradients. The number of cycles is fixed and all sums have one order, so the bits are the same for any number of
//! threads. Work and memory are linear in the samples.

use crate::{Cancelled, Ctx, par};

/// Cycles of a solution: each reduces the residual about three to ten times.
pub const CYCLES: u32 = 10;

/// Sweeps before and after a visit of the coarser lattice.
const SWEEPS: usize = 2;
/// Sweeps on the coarsest lattice.
const COARSEST_SWEEPS: usize = 24;
/// Damping of a sweep.
const DAMPING: f64 = 0.8;
/// Samples along an axis of the coarsest lattice.
const FEWEST: usize = 4;
/// Rows that are worked on together.
const ROWS: usize = 16;

/// A multigrid hierarchy for known samples, used for any right side.
#[derive(Debug)]
pub struct Multigrid {
    levels: Vec<Level>,
}

/// One lattice.
#[derive(Debug)]
struct Level {
    width: usize,
    height: usize,
    /// How many of its samples lie from one of the next coarser lattice to the next, along each axis.
    factors: [usize; 2],
    /// Whether a sample is known: its correction is 0.
    is_known: Vec<bool>,
    /// What a sample counts in its own equation, and its neighbours to the east, south-west, south and south-east; those to the
    /// other side count in theirs.
    stencil: Vec<[f64; 5]>,
}

/// Steps to the neighbours of a stencil.
const STEPS: [[isize; 2]; 5] = [[0, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

impl Multigrid {
    /// The equation on a lattice of `size` samples `spacing` metres apart, with a screening length λ in metres that may be infinite.
    ///
    /// # Errors
    /// Only by cancellation.
    pub fn new(
        size: [usize; 2],
        spacing: [f64; 2],
        screening: f64,
        is_known: Vec<bool>,
        ctx: &Ctx<'_>,
    ) -> Result<Self, Cancelled> {
        let [dx, dz] = spacing;
        let weights = [dz / dx, dx / dz];
        let kappa = dx * dz / (screening * screening);
        let mut levels = vec![Level::finest(size, weights, kappa, is_known)];
        let mut spacing = spacing;
        loop {
            ctx.check()?;
            let index = levels.len() - 1;
            let last = &mut levels[index];
            let long = [last.width > FEWEST, last.height > FEWEST];
            if !long[0] && !long[1] {
                break;
            }
            // Where samples lie much closer along one axis, only that one becomes coarser.
            let is_close = |axis: usize| {
                long[axis] && (spacing[axis] < 1.5 * spacing[1 - axis] || !long[1 - axis])
            };
            last.factors = [0, 1].map(|axis| if is_close(axis) { 2 } else { 1 });
            for axis in 0..2 {
                spacing[axis] *= last.factors[axis] as f64;
            }
            let coarser = last.coarser();
            levels.push(coarser);
        }
        Ok(Self { levels })
    }

    /// Solves for c with the right side `b`, in `cycles` cycles. b does not count at known samples, where c is 0.
    ///
    /// # Errors
    /// Only by cancellation.
    pub fn solve(&self, b: &[f64], cycles: u32, ctx: &Ctx<'_>) -> Result<Vec<f64>, Cancelled> {
        let level = &self.levels[0];
        let mut c = vec![0.0; b.len()];
        let mut residual: Vec<f64> = b.to_vec();
        residual
            .iter_mut()
            .zip(&level.is_known)
            .filter(|(_, known)| **known)
            .for_each(|(r, _)| *r = 0.0);
        let mut direction = vec![0.0; b.len()];
        let mut product = vec![0.0; b.len()];
        let mut before = 0.0;
        for cycle in 0..cycles {
            ctx.progress(cycle as f32 / cycles as f32)?;
            let smoothed = self.cycle(0, &residual, ctx)?;
            let size = level.dot(&residual, &smoothed);
            if size <= 0.0 {
                break;
            }
            let share = if before > 0.0 { size / before } else { 0.0 };
            before = size;
            level.combine(&mut direction, &smoothed, share);
            level.multiply(&direction, &mut product);
            let curvature = level.dot(&direction, &product);
            if curvature <= 0.0 {
                break;
            }
            let step = size / curvature;
            level.add(&mut c, &direction, step);
            level.add(&mut residual, &product, -step);
        }
        Ok(c)
    }

    /// The largest residual of a solution: how far the equation of any unknown sample is from being met, in metres.
    pub fn residual(&self, c: &[f64], b: &[f64]) -> f64 {
        let level = &self.levels[0];
        let mut product = vec![0.0; b.len()];
        level.multiply(c, &mut product);
        let samples = product.iter().zip(b).zip(level.stencil.iter().zip(&level.is_known));
        let off = samples.map(
            |((product, b), (stencil, known))| {
                if *known { 0.0 } else { ((product - b) / stencil[0]).abs() }
            },
        );
        off.fold(0.0, f64::max)
    }

    /// Bytes that it takes for each sample, with what a solution needs.
    pub const BYTES: u64 = 130;

    /// One V-cycle for the equation of level `k` from c = 0.
    fn cycle(&self, k: usize, b: &[f64], ctx: &Ctx<'_>) -> Result<Vec<f64>, Cancelled> {
        let level = &self.levels[k];
        ctx.check()?;
        let is_coarsest = k + 1 == self.levels.len();
        let mut c: Vec<f64> = par::map(b.len(), |at| DAMPING * b[at] / level.stencil[at][0]);
        let mut room = vec![0.0; b.len()];
        let sweeps = if is_coarsest { COARSEST_SWEEPS } else { SWEEPS };
        for _ in 1..sweeps {
            level.sweep(&c, b, &mut room);
            std::mem::swap(&mut c, &mut room);
        }
        if is_coarsest {
            return Ok(c);
        }
        level.residual(&c, b, &mut room);
        let coarser = &self.levels[k + 1];
        let right = level.restricted(&room, coarser);
        let correction = self.cycle(k + 1, &right, ctx)?;
        level.prolong(&correction, coarser, &mut c);
        for _ in 0..sweeps {
            level.sweep(&c, b, &mut room);
            std::mem::swap(&mut c, &mut room);
        }
        Ok(c)
    }
}

/// The right side of the equation: known neighbours, and the slope from a sample to each of its neighbours.
pub(super) fn right_side(
    [width, height]: [usize; 2],
    [dx, dz]: [f64; 2],
    given: &[Option<f64>],
    slope: impl Fn(usize, usize) -> f64 + Sync,
) -> Vec<f64> {
    let (along, across) = (dz / dx, dx / dz);
    par::map(width * height, |at| {
        if given[at].is_some() {
            return 0.0;
        }
        let (i, j) = (at % width, at / width);
        let part = |is_there: bool, step: isize, weight: f64| {
            if !is_there {
                return 0.0;
            }
            let to = at.wrapping_add_signed(step);
            weight * (given[to].unwrap_or(0.0) - slope(at, to))
        };
        let row = width as isize;
        part(i > 0, -1, along)
            + part(i + 1 < width, 1, along)
            + part(j > 0, -row, across)
            + part(j + 1 < height, row, across)
    })
}

/// The values that are known, and c with 0 as its right side elsewhere.
///
/// # Errors
/// Only by cancellation.
pub(crate) fn extended(
    grid: &Multigrid,
    known: &[Option<f64>],
    spacing: [f64; 2],
    cycles: u32,
    ctx: &Ctx<'_>,
) -> Result<Vec<f64>, Cancelled> {
    let size = [grid.levels[0].width, grid.levels[0].height];
    let b = right_side(size, spacing, known, |_, _| 0.0);
    let mut c = grid.solve(&b, cycles, ctx)?;
    c.iter_mut().zip(known).for_each(|(c, known)| *c += known.unwrap_or(0.0));
    Ok(c)
}

impl Level {
    fn finest(
        [width, height]: [usize; 2],
        weights: [f64; 2],
        kappa: f64,
        is_known: Vec<bool>,
    ) -> Self {
        let mut stencil = vec![[0.0; 5]; is_known.len()];
        par::for_each_part(&mut stencil, width, ROWS, |part, rows| {
            for (k, row) in rows.chunks_mut(width).enumerate() {
                let j = part * ROWS + k;
                for (i, out) in row.iter_mut().enumerate() {
                    let at = j * width + i;
                    if is_known[at] {
                        *out = [1.0, 0.0, 0.0, 0.0, 0.0];
                        continue;
                    }
                    let mut own = kappa;
                    let sides = [
                        (i > 0, weights[0]),
                        (i + 1 < width, weights[0]),
                        (j > 0, weights[1]),
                        (j + 1 < height, weights[1]),
                    ];
                    for (_, weight) in sides.into_iter().filter(|side| side.0) {
                        own += weight;
                    }
                    let east = if i + 1 < width && !is_known[at + 1] { -weights[0] } else { 0.0 };
                    let south =
                        if j + 1 < height && !is_known[at + width] { -weights[1] } else { 0.0 };
                    let own = if own > 0.0 { own } else { 1.0 };
                    *out = [own, east, 0.0, south, 0.0];
                }
            }
        });
        Self { width, height, factors: [1, 1], is_known, stencil }
    }

    /// Coefficient between a sample and its neighbour in a direction, which must be on the lattice.
    #[inline]
    fn coefficient(&self, i: usize, j: usize, di: isize, dj: isize) -> f64 {
        let at = j * self.width + i;
        match (di, dj) {
            (0, 0) => self.stencil[at][0],
            (1, 0) => self.stencil[at][1],
            (-1, 1) => self.stencil[at][2],
            (0, 1) => self.stencil[at][3],
            (1, 1) => self.stencil[at][4],
            (-1, 0) => self.stencil[at - 1][1],
            (1, -1) => self.stencil[at + 1 - self.width][2],
            (0, -1) => self.stencil[at - self.width][3],
            _ => self.stencil[at - self.width - 1][4],
        }
    }

    /// How much the coarse sample `coarse` counts at the fine one `fine` along an axis.
    fn share(&self, axis: usize, fine: usize, coarse: usize) -> f64 {
        if self.factors[axis] == 1 {
            return if fine == coarse { 1.0 } else { 0.0 };
        }
        let last = [self.width, self.height][axis] - 1;
        match (fine + 1).checked_sub(2 * coarse) {
            Some(1) => 1.0,
            // Beyond the last coarse sample nothing changes.
            Some(2) if fine == last => 1.0,
            Some(0 | 2) => 0.5,
            _ => 0.0,
        }
    }

    /// The fine samples at which a coarse one counts.
    fn children(&self, axis: usize, coarse: usize) -> std::ops::Range<usize> {
        let count = [self.width, self.height][axis];
        if self.factors[axis] == 1 {
            return coarse..coarse + 1;
        }
        (2 * coarse).saturating_sub(1)..(2 * coarse + 2).min(count)
    }

    /// The equation for corrections that are straight between the samples of the next coarser lattice.
    fn coarser(&self) -> Self {
        let [width, height] =
            [0, 1].map(|axis| [self.width, self.height][axis].div_ceil(self.factors[axis]));
        let mut stencil = vec![[0.0; 5]; width * height];
        par::for_each_row(&mut stencil, width, |j, row| {
            for (i, out) in row.iter_mut().enumerate() {
                *out = self.coarse_stencil([i, j], [width, height]);
            }
        });
        let is_known = stencil.iter().map(|stencil| stencil[0] <= 0.0).collect();
        for stencil in &mut stencil {
            if stencil[0] <= 0.0 {
                *stencil = [1.0, 0.0, 0.0, 0.0, 0.0];
            }
        }
        Self { width, height, factors: [1, 1], is_known, stencil }
    }

    fn coarse_stencil(&self, [ci, cj]: [usize; 2], [width, height]: [usize; 2]) -> [f64; 5] {
        let mut out = [0.0; 5];
        for j in self.children(1, cj) {
            for i in self.children(0, ci) {
                if self.is_known[j * self.width + i] {
                    continue;
                }
                let own = self.share(0, i, ci) * self.share(1, j, cj);
                for (di, dj) in AROUND {
                    let (ni, nj) = (i as isize + di, j as isize + dj);
                    if ni < 0 || nj < 0 || ni >= self.width as isize || nj >= self.height as isize {
                        continue;
                    }
                    let (ni, nj) = (ni as usize, nj as usize);
                    let coefficient = self.coefficient(i, j, di, dj);
                    if coefficient == 0.0 || self.is_known[nj * self.width + ni] {
                        continue;
                    }
                    for (out, [si, sj]) in out.iter_mut().zip(STEPS) {
                        let (oi, oj) = (ci as isize + si, cj as isize + sj);
                        if oi < 0 || oi >= width as isize || oj >= height as isize {
                            continue;
                        }
                        let other = self.share(0, ni, oi as usize) * self.share(1, nj, oj as usize);
                        *out += own * coefficient * other;
                    }
                }
            }
        }
        out
    }

    /// The left side of the equation at a sample, without what it counts itself.
    #[inline]
    fn beside(&self, c: &[f64], i: usize, j: usize) -> f64 {
        let (width, at) = (self.width, j * self.width + i);
        let (west, east) = (i > 0, i + 1 < width);
        let mut sum = 0.0;
        if j > 0 {
            let up = at - width;
            if west {
                sum += self.stencil[up - 1][4] * c[up - 1];
            }
            sum += self.stencil[up][3] * c[up];
            if east {
                sum += self.stencil[up + 1][2] * c[up + 1];
            }
        }
        if west {
            sum += self.stencil[at - 1][1] * c[at - 1];
        }
        if east {
            sum += self.stencil[at][1] * c[at + 1];
        }
        if j + 1 < self.height {
            let down = at + width;
            if west {
                sum += self.stencil[at][2] * c[down - 1];
            }
            sum += self.stencil[at][3] * c[down];
            if east {
                sum += self.stencil[at][4] * c[down + 1];
            }
        }
        sum
    }

    /// Writes each sample of `out` from its place.
    fn write(&self, out: &mut [f64], value: impl Fn(usize, usize) -> f64 + Sync) {
        par::for_each_part(out, self.width, ROWS, |part, rows| {
            for (k, row) in rows.chunks_mut(self.width).enumerate() {
                let j = part * ROWS + k;
                row.iter_mut().enumerate().for_each(|(i, out)| *out = value(i, j));
            }
        });
    }

    fn multiply(&self, c: &[f64], out: &mut [f64]) {
        self.write(out, |i, j| {
            let at = j * self.width + i;
            self.stencil[at][0] * c[at] + self.beside(c, i, j)
        });
    }

    fn residual(&self, c: &[f64], b: &[f64], out: &mut [f64]) {
        self.write(out, |i, j| {
            let at = j * self.width + i;
            b[at] - self.stencil[at][0] * c[at] - self.beside(c, i, j)
        });
    }

    /// A damped Jacobi sweep.
    fn sweep(&self, c: &[f64], b: &[f64], out: &mut [f64]) {
        self.write(out, |i, j| {
            let at = j * self.width + i;
            let new = (b[at] - self.beside(c, i, j)) / self.stencil[at][0];
            c[at] + DAMPING * (new - c[at])
        });
    }

    /// The residual on the coarser lattice.
    fn restricted(&self, residual: &[f64], coarser: &Self) -> Vec<f64> {
        let mut out = vec![0.0; coarser.stencil.len()];
        coarser.write(&mut out, |ci, cj| {
            let mut sum = 0.0;
            for j in self.children(1, cj) {
                for i in self.children(0, ci) {
                    let at = j * self.width + i;
                    if !self.is_known[at] {
                        sum += self.share(0, i, ci) * self.share(1, j, cj) * residual[at];
                    }
                }
            }
            sum
        });
        out
    }

    /// Adds a correction of the coarser lattice.
    fn prolong(&self, correction: &[f64], coarser: &Self, c: &mut [f64]) {
        let parents = |axis: usize, fine: usize| {
            let first = fine / self.factors[axis];
            let count = [coarser.width, coarser.height][axis];
            [first, (first + 1).min(count - 1)]
        };
        par::for_each_row(c, self.width, |j, row| {
            let rows = parents(1, j);
            for (i, c) in row.iter_mut().enumerate() {
                if self.is_known[j * self.width + i] {
                    continue;
                }
                let columns = parents(0, i);
                for (k, cj) in rows.into_iter().enumerate() {
                    for (l, ci) in columns.into_iter().enumerate() {
                        let is_twice = k == 1 && cj == rows[0] || l == 1 && ci == columns[0];
                        if !is_twice {
                            let share = self.share(0, i, ci) * self.share(1, j, cj);
                            *c += share * correction[cj * coarser.width + ci];
                        }
                    }
                }
            }
        });
    }

    /// Σ a·b, by rows and then over these.
    fn dot(&self, a: &[f64], b: &[f64]) -> f64 {
        let rows = par::map(self.height, |j| {
            let row = j * self.width..(j + 1) * self.width;
            a[row.clone()].iter().zip(&b[row]).map(|(a, b)| a * b).sum::<f64>()
        });
        rows.iter().sum()
    }

    /// a = share·a + b
    fn combine(&self, a: &mut [f64], b: &[f64], share: f64) {
        par::for_each_part(a, self.width, ROWS, |part, a| {
            let b = &b[part * ROWS * self.width..][..a.len()];
            a.iter_mut().zip(b).for_each(|(a, b)| *a = share * *a + b);
        });
    }

    /// a = a + share·b
    fn add(&self, a: &mut [f64], b: &[f64], share: f64) {
        par::for_each_part(a, self.width, ROWS, |part, a| {
            let b = &b[part * ROWS * self.width..][..a.len()];
            a.iter_mut().zip(b).for_each(|(a, b)| *a += share * b);
        });
    }
}

/// A sample and its neighbours.
const AROUND: [(isize, isize); 9] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Seed, math};

    /// The correction where known samples have these values.
    fn solved(
        size: [usize; 2],
        spacing: [f64; 2],
        screening: f64,
        known: impl Fn(usize, usize) -> Option<f64>,
    ) -> (Vec<f64>, f64) {
        let ctx = Ctx::new(&(), "");
        let [width, height] = size;
        let given: Vec<Option<f64>> =
            (0..width * height).map(|k| known(k % width, k / width)).collect();
        let is_known: Vec<bool> = given.iter().map(Option::is_some).collect();
        let grid = Multigrid::new(size, spacing, screening, is_known, &ctx).unwrap();
        let values: Vec<f64> = given.iter().map(|value| value.unwrap_or(0.0)).collect();
        let b = right_side(size, spacing, &given, |_, _| 0.0);
        let mut c = grid.solve(&b, CYCLES, &ctx).unwrap();
        let residual = grid.residual(&c, &b);
        c.iter_mut().zip(&values).for_each(|(c, value)| *c += value);
        (c, residual)
    }

    #[test]
    fn between_two_circles_the_ground_is_the_harmonic_closed_form() {
        let distance = |i: usize, j: usize| math::length(i as f64 - 64.0, j as f64 - 64.0);
        let (inner, outer) = (12.0, 60.0);
        let exact = |d: f64| 100.0 * math::ln(outer / d) / math::ln(outer / inner);
        let (c, residual) = solved([129, 129], [5.0, 5.0], f64::INFINITY, |i, j| {
            let d = distance(i, j);
            (d <= inner || d >= outer).then(|| exact(d))
        });
        assert!(residual < 1e-4 * 100.0, "{residual}");
        for (i, j) in [(80, 64), (64, 90), (95, 95), (30, 60), (20, 75)] {
            let (found, exact) = (c[j * 129 + i], exact(distance(i, j)));
            assert!((found - exact).abs() < 0.3, "{i} {j}: {found} {exact}");
        }
    }

    #[test]
    fn screened_the_correction_decays_over_its_length() {
        let (c, _) = solved([201, 9], [10.0, 10.0], 200.0, |i, _| (i == 0).then_some(50.0));
        for i in [10, 20, 40, 60] {
            let exact = 50.0 * math::exp(-10.0 * i as f64 / 200.0);
            assert!((c[4 * 201 + i] - exact).abs() < 0.1, "{i}: {} {exact}", c[4 * 201 + i]);
        }
    }

    #[test]
    fn random_lines_on_any_lattice_leave_a_residual_below_a_ten_thousandth_of_the_relief() {
        let shapes = [
            ([129, 129], [10.0, 10.0], f64::INFINITY),
            ([97, 61], [20.0, 30.0], 500.0),
            ([200, 33], [5.0, 40.0], f64::INFINITY),
            ([64, 250], [90.0, 10.0], 3000.0),
        ];
        for (k, (size, spacing, screening)) in shapes.into_iter().enumerate() {
            for drawing in 0..6 {
                let seed = Seed::new(100 * k as u64 + drawing);
                let lines: Vec<[f64; 5]> = (0..4)
                    .map(|line| [0, 1, 2, 3, 4].map(|n| seed.uniform(5 * line + n)))
                    .collect();
                let (_, residual) = solved(size, spacing, screening, |i, j| {
                    let p = [i as f64 / size[0] as f64, j as f64 / size[1] as f64];
                    lines.iter().find_map(|line| {
                        let (at, _) =
                            super::super::near::foot([line[0], line[1]], [line[2], line[3]], p);
                        let off =
                            [0, 1].map(|axis| ((at[axis] - p[axis]) * size[axis] as f64).abs());
                        (off[0].max(off[1]) <= 0.5).then_some(1000.0 * line[4])
                    })
                });
                assert!(residual < 0.1, "{size:?}, drawing {drawing}: {residual}");
            }
        }
    }

    #[test]
    fn without_known_samples_and_on_one_sample_nothing_fails() {
        for size in [[1, 1], [1, 40], [40, 1], [5, 5]] {
            let (c, _) = solved(size, [10.0, 10.0], f64::INFINITY, |_, _| None);
            assert!(c.iter().all(|c| *c == 0.0));
        }
        let (c, _) = solved([1, 40], [10.0, 10.0], f64::INFINITY, |_, j| (j == 3).then_some(7.0));
        assert!((c[39] - 7.0).abs() < 1e-3, "{}", c[39]);
    }
}
