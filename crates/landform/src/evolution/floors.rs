//! Valley floors: rivers fill the valleys that they have cut, and wind on what they have laid down.
//!
//! ```text
//! F   = f·c·A^0.4·e^(0.9 n)·√K'             metres that a river of drainage area A (km²) fills its valley
//! S_k = max(h_k, S_r + s₀L, min(h_k + 3F, S_r + s·L), min(h_k + F, S_r + 4s·L))      s = 0.03·A^−0.4, r the receiver of k
//! h'  = max(h, S_c + t(d))                  S_c of the channel that a sample drains to, d its way there, t a gentle rise
//! ```
//!
//! n smooth noise, K' the softness of the rock, and F no more than a share of the depth of the valley, so that a river on a plain stays where
//! it is. Floors pinch at narrows and open in soft rock. A fill is as wide as the valley is at
//! its height: wider below confluences, where the river is larger, and its edge follows every spur. A tributary is dammed by what the
//! main river lays down and builds a fan, steeper than the floor, as brooks have more gravel for their water. The
//! foot of the slopes is rounded.
//!
//! Along the receivers all ground keeps falling. Beside a channel the floor is then evened out.

use super::stream_power::Landscape;
use crate::math::power::power;
use crate::noise::gradient_noise::gradient_noise;
use crate::{Cancelled, Ctx, Lattice, Seed, math, par};

/// c: metres of fill in the valley of a river of 1 km².
const FILL: f64 = 14.0;
/// How the fill grows with the drainage area, and the slope of a fan falls.
const EXPONENT: f64 = 0.4;
/// The most fill, in metres.
const MOST: f64 = 110.0;
/// s for 1 km², rise over run.
const FAN: f64 = 0.03;
/// s₀.
const FALL: f32 = 1e-4;
/// The most fill as a share of the depth of the valley, which is measured against the mean height as far around as this, in metres, but no more
/// than so many samples.
const SHARE: f32 = 0.6;
const AROUND: f64 = 800.0;
const MOST_SAMPLES: usize = 48;
/// Drainage area from which on streams fill their valleys, in km²: half as much at the first, all at the second.
const BEGIN: [f64; 2] = [0.15, 0.6];
/// Metres from one wide place of a valley to the next, and how different they are.
const WAVELENGTH: f64 = 2700.0;
const SCATTER: f64 = 0.9;
/// How a floor rises away from its river, rise over run.
const RISE: f32 = 0.012;
/// Rounding of the foot of a slope, as a share of the fill.
const FOOT: f32 = 0.35;
/// Rounds in which floors are evened out.
const ROUNDS: usize = 14;

/// How valleys are filled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Floors {
    /// f.
    pub(super) strength: f64,
    /// Tells the random numbers apart.
    pub(super) seed: Seed,
}

/// What a sample knows of the river that it drains to.
#[derive(Clone, Copy, Default)]
struct River {
    /// Height of the river.
    level: f32,
    /// F.
    fill: f32,
    /// Metres to the river.
    distance: f32,
}

impl Floors {
    /// Fills the valleys of land that has been routed. What is laid down is sediment.
    pub(super) fn lay(
        &self,
        land: &mut Landscape,
        sediment: &mut [f32],
        lattice: &Lattice,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let before = land.heights.clone();
        self.fill(land, lattice);
        ctx.check()?;
        Self::even_out(land, &before);
        for ((depth, now), before) in sediment.iter_mut().zip(&land.heights).zip(&before) {
            *depth += (now - before).max(0.0);
        }
        ctx.check()
    }

    /// F without rock, in metres, and s, for a drainage area in km² and a place in metres.
    fn fill_and_fan(&self, area: f64, [x, z]: [f64; 2]) -> [f64; 2] {
        let power = power(area, EXPONENT);
        let large = gradient_noise(self.seed, x / WAVELENGTH, z / WAVELENGTH);
        let small = gradient_noise(self.seed, 3.1 * x / WAVELENGTH, 3.1 * z / WAVELENGTH);
        let scatter = math::exp(2.0 * SCATTER * f64::from(large + 0.4 * small));
        let share = ((area - BEGIN[0]) / (BEGIN[1] - BEGIN[0])).clamp(0.0, 1.0);
        let fill = self.strength * FILL * power * scatter * (0.3 + 0.7 * share);
        [fill.min(MOST), FAN / power]
    }

    fn fill(&self, land: &mut Landscape, lattice: &Lattice) {
        let compass = land.compass;
        let cell = compass.cell_area * 1e-6;
        let around = mean_around(&land.heights, lattice);
        let directions = std::mem::take(&mut land.directions);
        let softness = land.softness.take();
        let is_base = std::mem::take(&mut land.is_base);
        land.rework(|trees, heights| {
            let mut rivers = vec![River::default(); heights.len()];
            for k in 0..heights.len() {
                let (at, receiver) = (trees.samples[k] as usize, trees.receiver(k));
                let height = heights[k];
                if receiver == k || is_base[at] {
                    rivers[k] = River { level: height, ..River::default() };
                    continue;
                }
                let length = compass.lengths[directions[at] as usize];
                let next = rivers[receiver];
                let area = f64::from(trees.area[k]) * cell;
                if area < BEGIN[0] {
                    let distance = next.distance + length;
                    rivers[k] = River { distance, ..next };
                    let floor = next.level + RISE * distance;
                    heights[k] = rounded(height, floor, FOOT * next.fill);
                    continue;
                }
                let place = [
                    (at % compass.width) as f64 * lattice.spacing[0],
                    (at / compass.width) as f64 * lattice.spacing[1],
                ];
                let [fill, fan] = self.fill_and_fan(area, place);
                let soft = softness.as_ref().map_or(1.0, |softness| softness[at]);
                let depth = (around[at] - height).max(0.0);
                let fill = (fill as f32 * soft.clamp(0.1, 4.0).sqrt()).min(SHARE * depth);
                let rise = fan as f32 * length;
                let dammed = (height + 3.0 * fill).min(next.level + rise);
                let filled = (height + fill).min(next.level + 4.0 * rise);
                let level = height.max(next.level + FALL * length).max(dammed).max(filled);
                heights[k] = level;
                rivers[k] = River { level, fill, distance: 0.0 };
            }
        });
        (land.directions, land.softness, land.is_base) = (directions, softness, is_base);
    }

    /// Evens out what has been laid down, but not the rivers.
    fn even_out(land: &mut Landscape, before: &[f32]) {
        let Landscape { heights, compass, forest, is_base, .. } = land;
        let (width, height) = (compass.width, compass.height);
        let area = forest.area();
        let begin = (BEGIN[0] * 1e6 / compass.cell_area) as f32;
        let is_free =
            |at: usize| heights[at] > before[at] + 0.01 && area[at] < begin && !is_base[at];
        let free: Vec<bool> = (0..heights.len()).map(is_free).collect();
        let mut old = heights.clone();
        for _ in 0..ROUNDS {
            par::for_each_part(heights, width, ROWS, |part, rows| {
                for (k, row) in rows.chunks_mut(width).enumerate() {
                    let j = ROWS * part + k;
                    if j == 0 || j + 1 == height {
                        continue;
                    }
                    let first = j * width;
                    for i in 1..width - 1 {
                        let at = first + i;
                        if free[at] {
                            let sides =
                                old[at - 1] + old[at + 1] + old[at - width] + old[at + width];
                            row[i] = (0.25 * sides).max(before[at]);
                        }
                    }
                }
            });
            old.copy_from_slice(heights);
        }
    }
}

/// The mean height around each sample.
fn mean_around(heights: &[f32], lattice: &Lattice) -> Vec<f32> {
    let [width, height] = lattice.size.map(|count| count as usize);
    let [x, z] =
        lattice.spacing.map(|spacing| ((AROUND / spacing).round() as usize).clamp(1, MOST_SAMPLES));
    let mut across = vec![0.0_f32; heights.len()];
    par::for_each_row(&mut across, width, |j, row| {
        let own = &heights[j * width..(j + 1) * width];
        let mut sums = Vec::with_capacity(width + 1);
        sums.push(0.0_f64);
        own.iter().for_each(|&h| sums.push(sums[sums.len() - 1] + f64::from(h)));
        for (i, mean) in row.iter_mut().enumerate() {
            let (from, to) = (i.saturating_sub(x), (i + x + 1).min(width));
            *mean = ((sums[to] - sums[from]) / (to - from) as f64) as f32;
        }
    });
    let mut around = vec![0.0_f32; heights.len()];
    par::for_each_row(&mut around, width, |j, row| {
        let (from, to) = (j.saturating_sub(z), (j + z + 1).min(height));
        for other in from..to {
            let other = &across[other * width..(other + 1) * width];
            row.iter_mut().zip(other).for_each(|(sum, mean)| *sum += mean);
        }
        let share = 1.0 / (to - from) as f32;
        row.iter_mut().for_each(|sum| *sum *= share);
    });
    around
}

/// Rows that are worked on together.
const ROWS: usize = 16;

/// The higher of two heights, rounded where they are nearer than `radius`.
#[inline]
fn rounded(a: f32, b: f32, radius: f32) -> f32 {
    let most = a.max(b);
    let near = radius - (a - b).abs();
    if near > 0.0 { most + near * near / (4.0 * radius) } else { most }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drainage::compass::NOWHERE;

    const LATTICE: Lattice = Lattice { size: [161, 97], spacing: [50.0, 50.0] };
    const WIDTH: usize = 161;

    /// A notched valley that falls to the west, and notched side valleys that fall to it.
    fn valley() -> Landscape {
        let height = |i: usize, j: usize| {
            let beside = (j as f32 - 48.0).abs() * 50.0;
            let spur = ((i + 8) % 16) as f32 - 8.0;
            1.0 * i as f32 + 0.08 * beside + (spur.abs() * 50.0 * 0.5).min(0.3 * beside)
        };
        let heights: Vec<f32> = (0..WIDTH * 97).map(|at| height(at % WIDTH, at / WIDTH)).collect();
        let is_base = (0..heights.len()).map(|at| at % WIDTH == 0).collect();
        let uplift = vec![0.0; heights.len()];
        Landscape::new(&LATTICE, heights, uplift, is_base)
    }

    fn filled(strength: f64) -> (Landscape, Vec<f32>, Vec<f32>) {
        let ctx = Ctx::new(&(), "");
        let mut land = valley();
        let before = land.heights.clone();
        land.route(None, &ctx).unwrap();
        let mut sediment = vec![0.0; before.len()];
        let floors = Floors { strength, seed: Seed::new(5) };
        floors.lay(&mut land, &mut sediment, &LATTICE, &ctx).unwrap();
        (land, before, sediment)
    }

    #[test]
    fn what_is_laid_down_is_sediment_and_nothing_is_cut() {
        let (land, before, sediment) = filled(1.0);
        let all = land.heights.iter().zip(before).zip(sediment);
        assert!(all.clone().all(|((now, before), depth)| (now - before - depth).abs() < 1e-3));
        assert!(all.clone().all(|((now, before), _)| *now >= before));
        assert!(all.map(|(_, depth)| depth).sum::<f32>() > 1000.0);
    }

    #[test]
    fn rivers_keep_falling_on_what_they_have_laid_down() {
        let (land, ..) = filled(2.0);
        let begin = (BEGIN[0] * 1e6 / land.compass.cell_area) as f32;
        let area = land.forest.area();
        let mut rivers = 0;
        for (at, &direction) in land.directions.iter().enumerate() {
            if direction == NOWHERE || area[at] < begin {
                continue;
            }
            let next = land.compass.next(at, direction);
            assert!(land.heights[at] > land.heights[next], "{at}");
            rivers += 1;
        }
        assert!(rivers > 300, "{rivers}");
    }
}
