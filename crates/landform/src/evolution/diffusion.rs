//! Hillslope diffusion: soil creeps downhill, rounding ridges and filling hollows.
//!
//! ```text
//! dh/dt = ∇·(D_e ∇h)      D_e = D                         linear
//!                         D_e = D / (1 − (S/S_c)²)        non-linear (Roering, Kirchner & Dietrich 1999)
//! ```
//!
//! h height (m), D diffusivity (m²/yr), S slope, S_c the slope at which all that is loose slides. Solved one direction after
//! the other, each implicitly (fractional steps, Yanenko 1971): stable and free of new highs and lows for any step,
//! first-order accurate in time, second-order in space. The flux through a face leaves one sample and enters the next, so
//! volume is kept. Base levels do not move, and nothing crosses the border of the lattice. D_e is that of the heights
//! before the step and at most [`STEEPEST`] times D.

use crate::{Cancelled, Ctx, Lattice, par};

/// How many times faster than gentle ones the steepest slopes creep.
pub const STEEPEST: f32 = 4.0;

/// Columns that are worked on together.
const BLOCK: usize = 64;

/// How the ground creeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Diffusion {
    /// D in m²/yr.
    pub diffusivity: f64,
    /// S_c, rise over run; nothing for the linear law.
    pub critical_slope: Option<f64>,
}

impl Diffusion {
    /// Lets the ground creep for `years`. Samples where `is_base` is true do not move.
    ///
    /// # Errors
    /// Only by cancellation.
    pub fn step(
        &self,
        heights: &mut [f32],
        is_base: &[bool],
        lattice: &Lattice,
        years: f64,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        self.step_on(Ground { heights, is_base, factor: None }, lattice, years, ctx)
    }

    /// The same where D may differ from place to place.
    ///
    /// # Errors
    /// Only by cancellation.
    pub fn step_on(
        &self,
        ground: Ground<'_>,
        lattice: &Lattice,
        years: f64,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let Ground { heights, is_base, factor } = ground;
        if self.diffusivity <= 0.0 {
            return Ok(());
        }
        let [width, height] = lattice.size.map(|count| count as usize);
        let rates = lattice.spacing.map(|step| (self.diffusivity * years / (step * step)) as f32);
        let old = self.critical_slope.map(|critical| Old::new(heights, lattice, critical));
        ctx.check()?;
        par::for_each_part(heights, width, ROWS, |part, rows| {
            let first = ROWS * part;
            let is_base = &is_base[first * width..first * width + rows.len()];
            let east = |lane: usize, i: usize| {
                factor.map_or(1.0, |factor| {
                    let at = (first + lane).min(height - 1) * width + i;
                    0.5 * (factor[at] + factor[at + 1])
                })
            };
            match &old {
                None if factor.is_some() => solve_rows(rows, width, is_base, rates[0], east),
                Some(old) if factor.is_some() => {
                    solve_rows(rows, width, is_base, rates[0], |lane, i| {
                        east(lane, i) * old.speed_east(i, (first + lane).min(old.last[1]))
                    });
                }
                Some(old) => solve_rows(rows, width, is_base, rates[0], |lane, i| {
                    old.speed_east(i, (first + lane).min(old.last[1]))
                }),
                None => solve_rows(rows, width, is_base, rates[0], |_, _| 1.0),
            }
        });
        ctx.check()?;
        // Blocks of columns, as the pieces that they have of each row.
        let mut blocks: Vec<Vec<&mut [f32]>> = Vec::new();
        blocks.resize_with(width.div_ceil(BLOCK), || Vec::with_capacity(height));
        for row in heights.chunks_mut(width) {
            row.chunks_mut(BLOCK).zip(&mut blocks).for_each(|(piece, block)| block.push(piece));
        }
        par::for_each_part(&mut blocks, 1, 1, |k, block| {
            let bases = |j: usize| &is_base[j * width + k * BLOCK..(j + 1) * width];
            let south = |j: usize, i: usize| {
                factor.map_or(1.0, |factor| {
                    let at = j * width + k * BLOCK + i;
                    0.5 * (factor[at] + factor[at + width])
                })
            };
            match &old {
                None if factor.is_some() => solve_columns(&mut block[0], rates[1], bases, south),
                Some(old) if factor.is_some() => {
                    solve_columns(&mut block[0], rates[1], bases, |j, i| {
                        south(j, i) * old.speed_south(k * BLOCK + i, j)
                    });
                }
                Some(old) => solve_columns(&mut block[0], rates[1], bases, |j, i| {
                    old.speed_south(k * BLOCK + i, j)
                }),
                None => solve_columns(&mut block[0], rates[1], bases, |_, _| 1.0),
            }
        });
        ctx.check()
    }
}

/// Ground that creeps.
#[derive(Debug)]
pub struct Ground<'a> {
    /// Heights in metres.
    pub heights: &'a mut [f32],
    /// Samples that do not move.
    pub is_base: &'a [bool],
    /// A factor on D, where it is not the same everywhere.
    pub factor: Option<&'a [f32]>,
}

/// The ground before a step, in units of the critical slope.
struct Old {
    heights: Vec<f32>,
    width: usize,
    last: [usize; 2],
    /// 1 / (S_c·Δ) along x and z.
    scale: [f32; 2],
}

impl Old {
    fn new(heights: &[f32], lattice: &Lattice, critical: f64) -> Self {
        let [width, height] = lattice.size.map(|count| count as usize);
        let scale = lattice.spacing.map(|step| (1.0 / (step * critical)) as f32);
        Self { heights: heights.to_vec(), width, last: [width - 1, height - 1], scale }
    }

    #[inline]
    fn at(&self, i: usize, j: usize) -> f32 {
        self.heights[j * self.width + i]
    }

    /// D_e / D between a sample and the next one to the east. The slope across is the mean of the four around the face.
    #[inline]
    fn speed_east(&self, i: usize, j: usize) -> f32 {
        let (north, south) = (j.saturating_sub(1), (j + 1).min(self.last[1]));
        let along = self.at(i + 1, j) - self.at(i, j);
        let across =
            self.at(i, south) - self.at(i, north) + self.at(i + 1, south) - self.at(i + 1, north);
        speed(along * self.scale[0], 0.25 * across * self.scale[1])
    }

    /// The same to the south.
    #[inline]
    fn speed_south(&self, i: usize, j: usize) -> f32 {
        let (west, east) = (i.saturating_sub(1), (i + 1).min(self.last[0]));
        let along = self.at(i, j + 1) - self.at(i, j);
        let across =
            self.at(east, j) - self.at(west, j) + self.at(east, j + 1) - self.at(west, j + 1);
        speed(along * self.scale[1], 0.25 * across * self.scale[0])
    }
}

/// 1 / (1 − s²), s being the slope over the critical one.
#[inline]
fn speed(along: f32, across: f32) -> f32 {
    let left = 1.0 - (along * along + across * across);
    if left > 1.0 / STEEPEST { 1.0 / left } else { STEEPEST }
}

/// Rows that are worked on together.
const ROWS: usize = 8;

/// Solves the equations along some rows, at most [`ROWS`], side by side (Thomas's algorithm). `speed` is asked for the row
/// and the sample before a face.
fn solve_rows(
    rows: &mut [f32],
    width: usize,
    is_base: &[bool],
    rate: f32,
    speed: impl Fn(usize, usize) -> f32,
) {
    let count = rows.len() / width;
    // The same column of all rows side by side, as the equations are solved; rows that are not there stay 0.
    let mut lines = vec![[0.0_f32; ROWS]; width];
    let mut upper = vec![[0.0_f32; ROWS]; width];
    let mut fixed = vec![[false; ROWS]; width];
    for (lane, (row, bases)) in rows.chunks(width).zip(is_base.chunks(width)).enumerate() {
        for (i, (&height, &base)) in row.iter().zip(bases).enumerate() {
            (lines[i][lane], fixed[i][lane]) = (height, base);
        }
    }
    let [mut before, mut above, mut old] = [[0.0_f32; ROWS]; 3];
    for (i, ((line, upper), fixed)) in lines.iter_mut().zip(&mut upper).zip(&fixed).enumerate() {
        let mut after = [0.0_f32; ROWS];
        if i + 1 < width {
            for (lane, after) in after.iter_mut().enumerate() {
                *after = rate * speed(lane, i);
            }
        }
        for lane in 0..ROWS {
            let inverse = 1.0 / (1.0 + before[lane] + after[lane] - before[lane] * above[lane]);
            let solved = (line[lane] + before[lane] * old[lane]) * inverse;
            above[lane] = if fixed[lane] { 0.0 } else { after[lane] * inverse };
            old[lane] = if fixed[lane] { line[lane] } else { solved };
        }
        (*upper, *line, before) = (above, old, after);
    }
    for i in (0..width - 1).rev() {
        for lane in 0..ROWS {
            lines[i][lane] += upper[i][lane] * lines[i + 1][lane];
        }
    }
    for (lane, row) in rows.chunks_mut(width).enumerate().take(count) {
        row.iter_mut().zip(&lines).for_each(|(height, line)| *height = line[lane]);
    }
}

/// The same for the columns of a block.
fn solve_columns<'a>(
    rows: &mut [&mut [f32]],
    rate: f32,
    is_base: impl Fn(usize) -> &'a [bool],
    speed: impl Fn(usize, usize) -> f32,
) {
    let (height, width) = (rows.len(), rows[0].len());
    let mut upper = vec![[0.0_f32; BLOCK]; height];
    let [mut before, mut above, mut old] = [[0.0_f32; BLOCK]; 3];
    for (j, (row, upper)) in rows.iter_mut().zip(&mut upper).enumerate() {
        let mut after = [0.0_f32; BLOCK];
        if j + 1 < height {
            for (i, after) in after.iter_mut().enumerate().take(width) {
                *after = rate * speed(j, i);
            }
        }
        for (i, (h, &fixed)) in row.iter_mut().zip(is_base(j)).enumerate().take(BLOCK) {
            let inverse = 1.0 / (1.0 + before[i] + after[i] - before[i] * above[i]);
            let solved = (*h + before[i] * old[i]) * inverse;
            above[i] = if fixed { 0.0 } else { after[i] * inverse };
            *h = if fixed { *h } else { solved };
            old[i] = *h;
        }
        (*upper, before) = (above, after);
    }
    for j in (0..height - 1).rev() {
        let (done, rest) = rows.split_at_mut(j + 1);
        let next = &*rest[0];
        for ((h, &share), &next) in done[j].iter_mut().zip(&upper[j]).zip(next) {
            *h += share * next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Seed, math};
    use std::f64::consts::PI;

    #[test]
    fn a_wave_between_fixed_ends_decays_as_its_closed_form() {
        let lattice = Lattice { size: [65, 41], spacing: [10.0, 10.0] };
        let height = |i: usize, j: usize| {
            100.0 * math::sin(PI * i as f64 / 64.0) * math::sin(PI * j as f64 / 40.0)
        };
        let mut heights: Vec<f32> = (0..65 * 41).map(|k| height(k % 65, k / 65) as f32).collect();
        let is_base: Vec<bool> = (0..65 * 41)
            .map(|k| k % 65 == 0 || k % 65 == 64 || k / 65 == 0 || k / 65 == 40)
            .collect();
        let creep = Diffusion { diffusivity: 0.1, critical_slope: None };
        let (steps, years) = (50, 2e3);
        let ctx = Ctx::new(&(), "");
        for _ in 0..steps {
            creep.step(&mut heights, &is_base, &lattice, years, &ctx).unwrap();
        }
        let wave = |length: f64| (PI / length) * (PI / length);
        let rate = 0.1 * (wave(640.0) + wave(400.0));
        let expected = 100.0 * math::exp(-rate * f64::from(steps) * years);
        let found = f64::from(heights[20 * 65 + 32]);
        assert!((found / expected - 1.0).abs() < 0.02, "{found} {expected}");
    }

    #[test]
    fn creep_keeps_volume_and_makes_no_new_highs() {
        let lattice = Lattice { size: [70, 33], spacing: [10.0, 15.0] };
        let seed = Seed::new(1);
        let rough: Vec<f32> = (0..70 * 33).map(|k| 50.0 * seed.uniform(k) as f32).collect();
        let free = vec![false; rough.len()];
        let ctx = Ctx::new(&(), "");
        for critical_slope in [None, Some(0.7)] {
            let mut heights = rough.clone();
            let creep = Diffusion { diffusivity: 0.5, critical_slope };
            creep.step(&mut heights, &free, &lattice, 5e3, &ctx).unwrap();
            let sum = |heights: &[f32]| heights.iter().map(|&h| f64::from(h)).sum::<f64>();
            assert!((sum(&heights) / sum(&rough) - 1.0).abs() < 1e-6);
            let most = |heights: &[f32]| heights.iter().fold(0.0_f32, |a, &b| a.max(b));
            assert!(most(&heights) <= most(&rough));
        }
    }

    #[test]
    fn steep_slopes_creep_faster_where_there_is_a_critical_one() {
        let lattice = Lattice { size: [41, 3], spacing: [10.0, 10.0] };
        let ridge: Vec<f32> =
            (0..123).map(|k| 6.0 * (20.0 - (k as f32 % 41.0 - 20.0).abs())).collect();
        let is_base: Vec<bool> = (0..123).map(|k| k % 41 == 0 || k % 41 == 40).collect();
        let ctx = Ctx::new(&(), "");
        let crest = |critical_slope| {
            let mut heights = ridge.clone();
            let creep = Diffusion { diffusivity: 0.01, critical_slope };
            creep.step(&mut heights, &is_base, &lattice, 1e4, &ctx).unwrap();
            heights[41 + 20]
        };
        assert!(crest(Some(0.7)) < crest(None) - 1.0);
    }

    #[test]
    fn a_factor_of_2_everywhere_is_twice_the_diffusivity() {
        let lattice = Lattice { size: [70, 33], spacing: [10.0, 15.0] };
        let seed = Seed::new(1);
        let rough: Vec<f32> = (0..70 * 33).map(|k| 9.0 * seed.uniform(k) as f32).collect();
        let free = vec![false; rough.len()];
        let ctx = Ctx::new(&(), "");
        for critical_slope in [None, Some(0.7)] {
            let (mut one, mut two) = (rough.clone(), rough.clone());
            let creep = |diffusivity| Diffusion { diffusivity, critical_slope };
            creep(0.02).step(&mut one, &free, &lattice, 5e3, &ctx).unwrap();
            let factor = vec![2.0; rough.len()];
            let ground = Ground { heights: &mut two, is_base: &free, factor: Some(&factor) };
            creep(0.01).step_on(ground, &lattice, 5e3, &ctx).unwrap();
            assert!(one.iter().zip(two).all(|(a, b)| (a - b).abs() < 1e-4));
        }
    }
}
