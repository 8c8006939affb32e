//! Erosion by multiple flow on a patch of ground: a few rounds in which water finds its way and cuts.
//!
//! ```text
//! w_k = c_k·(Δ_k/L_k)⁴ / Σ                   share of the neighbour k that lies Δ_k lower, L_k away; c_k width of the contour
//! a   = 1 + Σ w·a (upstream)                 samples that drain through one; three sweeps a round, from those of the round before
//! F   = 0.2·√min(a, 400)
//! ∂z  = G·(R·Δ·S²/(S + 0.1) − F/(1 + F)·Σ w_k Δ_k·Δ/L_k + C·∇²z/(1 + a/30))
//! G   = strength·S²/(S² + S₀²)               S slope of the ground, smoothed; Δ distance of the samples; R keeps the mean
//! ```
//!
//! S counts the bend of a crest too, C = 0.07, and R is F/(1 + F) of a = 12.
//!
//! Ground that much water crosses is cut faster than it rises, ground that sheds its water rises: slopes of an even ground become
//! spurs and hollows that join downstream. Water goes to all lower neighbours, so nothing follows the eight directions of
//! the lattice, and what streams there are draw the new ones to them. Everything is in samples and slopes: the same law acts on
//! lattices of any spacing. G leaves plains as they are, or their streams would silt up.
//!
//! Noise in proportion to the slope tells where the first hollows begin. Pits are opened at the end by a cut to lower ground nearby.
//!
//! All of it looks at most [`FlowErosion::halo`] samples far, so a patch can be worked on alone: what lies deeper in it than that is the same as
//! in any other patch.

use fearless_simd::{Level, dispatch};

use crate::Seed;
use crate::noise::gradient_noise::RowNoise;
use crate::noise::lattice::Position;

/// How often water moves on to the next samples in each round.
const SWEEPS: usize = 3;

/// How fast water cuts, and the water above which it cuts no faster.
const CUT: f32 = 0.2;
const MOST: f32 = 400.0;

/// The water of ground that is cut as fast as it rises.
const EVEN: f32 = 12.0;

/// C: how fast slopes creep.
const CREEP: f32 = 0.07;

/// How much the bend of a crest counts for a slope. Its own is nearly 0 there, and without it crests would be round.
const CREST: f32 = 3.0;

/// Contour widths of straight and diagonal neighbours.
const WIDTHS: [f32; 2] = [0.5, 0.354];

/// Heights and water of a patch of a lattice.
#[derive(Clone, Debug, Default)]
pub(super) struct Patch {
    /// Column and row of the first sample on the lattice.
    pub(super) origin: [i64; 2],
    /// Number of columns and rows.
    pub(super) size: [usize; 2],
    pub(super) heights: Vec<f32>,
    /// Samples that drain through each.
    pub(super) area: Vec<f32>,
}

impl Patch {
    /// Level ground at 0, on which water has not run yet.
    pub(super) fn become_level(&mut self, origin: [i64; 2], size: [usize; 2]) {
        (self.origin, self.size) = (origin, size);
        for (samples, value) in [(&mut self.heights, 0.0), (&mut self.area, 1.0)] {
            samples.clear();
            samples.resize(size[0] * size[1], value);
        }
    }
}

/// What the rounds need beside the patch; one for many patches.
#[derive(Default)]
pub(super) struct Room {
    /// G.
    gain: Vec<f32>,
    /// Δ·S²/(S + 0.1).
    rise: Vec<f32>,
    /// 1/Σ of the shares before they are divided by it.
    scale: Vec<f32>,
    /// Σ w_k Δ_k·Δ/L_k.
    fall: Vec<f32>,
    water: [Vec<f32>; 2],
}

/// How far what happens at a sample can be seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// How far from a pit lower ground is looked for before the rounds.
    pub(super) first_cut: usize,
    pub(super) rounds: usize,
    /// How far from a pit lower ground is looked for after the rounds.
    pub(super) last_cut: usize,
}

/// Where the law is stronger and where weaker: the same places on all lattices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patches {
    /// 0 is the same everywhere, 1 from nothing to [`MOST_PATCH`].
    pub(super) strength: f32,
    pub(super) seed: Seed,
    /// Distance of the samples over that of the coarsest lattice.
    pub(super) share: f64,
}

/// Patch sizes, in samples of the coarsest lattice, and how much each counts.
const PATCHES: [(f64, f32); 3] = [(61.7, 1.6), (23.3, 1.1), (9.1, 0.6)];
/// The most that a patch strengthens the law.
const MOST_PATCH: f32 = 1.5;

impl Patches {
    /// Factors on `gains`, the samples of a patch.
    fn weigh(&self, patch: &Patch, gains: &mut [f32]) {
        if self.strength <= 0.0 {
            return;
        }
        let [width, height] = patch.size;
        let columns: Vec<Vec<Position>> = PATCHES
            .iter()
            .map(|(wave, _)| {
                let place = |i: usize| (patch.origin[0] + i as i64) as f64 * self.share / wave;
                (0..width).map(|i| Position::of(place(i))).collect()
            })
            .collect();
        let mut noises: Vec<RowNoise<'_>> = columns
            .iter()
            .enumerate()
            .map(|(k, columns)| RowNoise::new(Seed::new(self.seed.bits(k as u64)), columns))
            .collect();
        let mut sum = vec![0.0_f32; width];
        for j in 0..height {
            let z = (patch.origin[1] + j as i64) as f64 * self.share;
            sum.fill(0.45);
            for (noise, (wave, amplitude)) in noises.iter_mut().zip(PATCHES) {
                let row = noise.row(Position::of(z / wave));
                sum.iter_mut().zip(row).for_each(|(sum, noise)| *sum += amplitude * noise);
            }
            let gains = &mut gains[j * width..(j + 1) * width];
            for (gain, sum) in gains.iter_mut().zip(&sum) {
                let share = sum.clamp(0.0, 1.0);
                let factor = MOST_PATCH * share * share * (3.0 - 2.0 * share);
                *gain *= 1.0 + self.strength * (factor - 1.0);
            }
        }
    }
}

/// The law on one lattice.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlowErosion {
    /// Distance of the samples in metres.
    pub(super) spacing: [f64; 2],
    pub(super) seed: Seed,
    /// 0 to 1.
    pub(super) strength: f32,
    pub(super) patches: Patches,
    /// Wavelengths of the noise, in samples.
    pub(super) waves: &'static [f64],
    /// Amplitude of the noise over its wavelength, on a slope of about 45°.
    pub(super) grain: f32,
    pub(super) reach: Reach,
    /// The slope, rise over run, at which G is half of `strength`.
    pub(super) still: f32,
    /// The level of the sea: what lies lower stays as it is.
    pub(super) sea: f32,
}

/// The numbers of the law.
#[derive(Clone, Copy, Debug)]
struct Law {
    /// 1/(2 Δx) and 1/(2 Δz).
    slope: [f32; 2],
    /// Mean spacing.
    unit: f32,
    /// c_k/L_k⁴ along x, along z and diagonally.
    share: [f32; 3],
    /// The same times Δ/L_k.
    fall: [f32; 3],
    strength: f32,
    sea: f32,
    /// R.
    uplift: f32,
    /// S₀².
    still: f32,
}

impl FlowErosion {
    /// Bytes a sample of a patch and what wears it.
    pub(super) const BYTES: u64 = 8 * 4;

    /// How many samples around one have a part in what becomes of it.
    pub(super) fn halo(&self) -> usize {
        let Reach { first_cut, rounds, last_cut } = self.reach;
        // Smoothing and slope; pits and what is cut from them; water, its shares and the fall; pits again.
        4 + (2 * first_cut + 1) + (SWEEPS + 1) * rounds + (2 * last_cut + 1)
    }

    /// Wears the patch. What is nearer than [`FlowErosion::halo`] to its border is not to be used.
    pub(super) fn wear(&self, patch: &mut Patch, room: &mut Room) {
        let size = patch.size;
        room.resize(size[0] * size[1]);
        if self.strength > 0.0 {
            let (law, level) = (Law::new(self), Level::new());
            dispatch!(level, _simd => law.lie(patch, room));
            self.patches.weigh(patch, &mut room.gain);
            self.roughen(patch, room);
            breach(patch, self.reach.first_cut, self.sea);
            for _ in 0..self.reach.rounds {
                dispatch!(level, _simd => law.share(patch, room));
                dispatch!(level, _simd => law.gather(patch, room));
                dispatch!(level, _simd => law.cut(patch, room));
            }
        }
        breach(patch, self.reach.last_cut, self.sea);
    }

    /// Adds noise in proportion to the slope, here more and there less.
    fn roughen(&self, patch: &mut Patch, room: &Room) {
        let [width, height] = patch.size;
        let all: Vec<f64> = self.waves.iter().copied().chain([SLOW]).collect();
        let columns: Vec<Vec<Position>> = all
            .iter()
            .map(|wave| {
                let place = |i: usize| Position::of((patch.origin[0] + i as i64) as f64 / wave);
                (0..width).map(place).collect()
            })
            .collect();
        let mut noises: Vec<RowNoise<'_>> = columns
            .iter()
            .enumerate()
            .map(|(k, columns)| RowNoise::new(Seed::new(self.seed.bits(k as u64)), columns))
            .collect();
        let mut sum = vec![0.0_f32; width];
        for j in 1..height - 1 {
            let z = (patch.origin[1] + j as i64) as f64;
            sum.fill(0.0);
            for ((noise, wave), k) in noises.iter_mut().zip(&all).zip(0..) {
                let row = noise.row(Position::of(z / wave));
                if k < self.waves.len() {
                    let amplitude = self.grain * *wave as f32;
                    sum.iter_mut().zip(row).for_each(|(sum, noise)| *sum += amplitude * noise);
                } else {
                    let uneven =
                        |(sum, noise): (&mut f32, f32)| *sum *= (1.0 + 1.6 * noise).max(0.0);
                    sum.iter_mut().zip(row).for_each(uneven);
                }
            }
            let row = j * width..(j + 1) * width;
            let lie = room.gain[row.clone()].iter().zip(&room.rise[row.clone()]);
            for ((height, sum), (gain, rise)) in patch.heights[row].iter_mut().zip(&sum).zip(lie) {
                *height += gain * rise * sum;
            }
        }
    }
}

/// Wavelength by which the strength of the noise changes, in samples.
const SLOW: f64 = 71.3;

impl Room {
    fn resize(&mut self, samples: usize) {
        let [a, b] = &mut self.water;
        for room in [&mut self.gain, &mut self.rise, &mut self.scale, &mut self.fall, a, b] {
            room.clear();
            room.resize(samples, 0.0);
        }
    }
}

/// The inner samples of a row and their neighbours: three rows, and in each the columns before, at and after.
type Around<'a> = [[&'a [f32]; 3]; 3];

#[inline(always)]
fn around(samples: &[f32], width: usize, j: usize) -> Around<'_> {
    let row = |j: usize| {
        let row = &samples[j * width..(j + 1) * width];
        [&row[..width - 2], &row[1..width - 1], &row[2..]]
    };
    [row(j - 1), row(j), row(j + 1)]
}

/// The inner samples of a row.
#[inline(always)]
fn inner(samples: &mut [f32], width: usize, j: usize) -> &mut [f32] {
    &mut samples[j * width + 1..(j + 1) * width - 1]
}

/// The same for reading, so that all slices of a loop have its length.
#[inline(always)]
fn trimmed(around: Around<'_>, count: usize) -> Around<'_> {
    let [a, b, c] = around;
    [
        [&a[0][..count], &a[1][..count], &a[2][..count]],
        [&b[0][..count], &b[1][..count], &b[2][..count]],
        [&c[0][..count], &c[1][..count], &c[2][..count]],
    ]
}

#[inline(always)]
fn positive(x: f32) -> f32 {
    if x > 0.0 { x } else { 0.0 }
}

impl Law {
    fn new(erosion: &FlowErosion) -> Self {
        let [dx, dz] = erosion.spacing;
        let unit = (dx * dz).sqrt();
        let lengths = [dx, dz, (dx * dx + dz * dz).sqrt()];
        let widths = [WIDTHS[0], WIDTHS[0], WIDTHS[1]].map(f64::from);
        let share = [0, 1, 2].map(|k| {
            let length = lengths[k];
            widths[k] / (length * length * length * length)
        });
        let fall = [0, 1, 2].map(|k| (share[k] * unit / lengths[k]) as f32);
        let flow = CUT * EVEN.sqrt();
        Self {
            slope: [dx, dz].map(|spacing| (0.5 / spacing) as f32),
            unit: unit as f32,
            share: share.map(|share| share as f32),
            fall,
            strength: erosion.strength,
            sea: erosion.sea,
            uplift: flow / (1.0 + flow),
            still: erosion.still * erosion.still,
        }
    }

    /// Slopes of the smoothed ground, and what follows from them.
    #[inline(always)]
    fn lie(&self, patch: &Patch, room: &mut Room) {
        let [width, height] = patch.size;
        let count = width - 2;
        let [one, other] = &mut room.water;
        one.copy_from_slice(&patch.heights);
        other.copy_from_slice(&patch.heights);
        for _ in 0..3 {
            for j in 1..height - 1 {
                let h = trimmed(around(one, width, j), count);
                let out = inner(other, width, j);
                for i in 0..count {
                    let corners = (h[0][0][i] + h[0][2][i]) + (h[2][0][i] + h[2][2][i]);
                    let sides = (h[0][1][i] + h[2][1][i]) + (h[1][0][i] + h[1][2][i]);
                    out[i] = (corners + 2.0 * sides + 4.0 * h[1][1][i]) * 0.0625;
                }
            }
            std::mem::swap(one, other);
        }
        for j in 1..height - 1 {
            let h = trimmed(around(one, width, j), count);
            let now = &patch.heights[j * width + 1..][..count];
            let gains = &mut inner(&mut room.gain, width, j)[..count];
            let rises = &mut inner(&mut room.rise, width, j)[..count];
            for i in 0..count {
                let gx = (h[1][2][i] - h[1][0][i]) * self.slope[0];
                let gz = (h[2][1][i] - h[0][1][i]) * self.slope[1];
                let bx = (2.0 * h[1][1][i] - h[1][0][i] - h[1][2][i]) * self.slope[0];
                let bz = (2.0 * h[1][1][i] - h[0][1][i] - h[2][1][i]) * self.slope[1];
                let crest = positive(bx + bz) * CREST;
                let square = gx * gx + gz * gz + crest * crest;
                rises[i] = self.unit * square / (square.sqrt() + 0.1);
                let gain = self.strength * square / (square + self.still);
                gains[i] = if now[i] > self.sea { gain } else { 0.0 };
            }
        }
    }

    /// How the water of each sample is shared, and how far it falls.
    #[inline(always)]
    fn share(&self, patch: &Patch, room: &mut Room) {
        let [width, height] = patch.size;
        let count = width - 2;
        for j in 1..height - 1 {
            let h = trimmed(around(&patch.heights, width, j), count);
            let scales = &mut inner(&mut room.scale, width, j)[..count];
            let falls = &mut inner(&mut room.fall, width, j)[..count];
            for i in 0..count {
                let here = h[1][1][i];
                let (w, we) = powers(here - h[1][0][i]);
                let (e, ee) = powers(here - h[1][2][i]);
                let (n, ne) = powers(here - h[0][1][i]);
                let (s, se) = powers(here - h[2][1][i]);
                let (a, ae) = powers(here - h[0][0][i]);
                let (b, be) = powers(here - h[0][2][i]);
                let (c, ce) = powers(here - h[2][0][i]);
                let (d, de) = powers(here - h[2][2][i]);
                let sum = self.share[0] * (w + e)
                    + self.share[1] * (n + s)
                    + self.share[2] * ((a + b) + (c + d));
                let fall = self.fall[0] * (we + ee)
                    + self.fall[1] * (ne + se)
                    + self.fall[2] * ((ae + be) + (ce + de));
                let scale = if sum > 1e-24 { 1.0 / sum } else { 0.0 };
                scales[i] = scale;
                falls[i] = fall * scale;
            }
        }
    }

    /// Moves the water on.
    #[inline(always)]
    fn gather(&self, patch: &mut Patch, room: &mut Room) {
        let [width, height] = patch.size;
        let count = width - 2;
        let Patch { heights, area, .. } = patch;
        let Room { scale, water: [one, other], .. } = room;
        for ((water, area), scale) in one.iter_mut().zip(area.iter()).zip(scale.iter()) {
            *water = area * scale;
        }
        for sweep in 0..SWEEPS {
            for j in 1..height - 1 {
                let h = trimmed(around(heights, width, j), count);
                let w = trimmed(around(one, width, j), count);
                if sweep + 1 < SWEEPS {
                    let out = &mut inner(other, width, j)[..count];
                    let scale = &scale[j * width + 1..][..count];
                    for i in 0..count {
                        out[i] = self.inflow(&h, &w, i) * scale[i];
                    }
                } else {
                    let out = &mut inner(area, width, j)[..count];
                    for i in 0..count {
                        out[i] = self.inflow(&h, &w, i);
                    }
                }
            }
            std::mem::swap(one, other);
        }
    }

    /// The water of a sample: its own and what comes from above.
    #[inline(always)]
    fn inflow(&self, h: &Around<'_>, w: &Around<'_>, i: usize) -> f32 {
        let here = h[1][1][i];
        let x = fourth(h[1][0][i] - here) * w[1][0][i] + fourth(h[1][2][i] - here) * w[1][2][i];
        let z = fourth(h[0][1][i] - here) * w[0][1][i] + fourth(h[2][1][i] - here) * w[2][1][i];
        let a = fourth(h[0][0][i] - here) * w[0][0][i] + fourth(h[0][2][i] - here) * w[0][2][i];
        let b = fourth(h[2][0][i] - here) * w[2][0][i] + fourth(h[2][2][i] - here) * w[2][2][i];
        1.0 + (self.share[0] * x + self.share[1] * z + self.share[2] * (a + b))
    }

    /// Lifts and cuts the ground.
    #[inline(always)]
    fn cut(&self, patch: &mut Patch, room: &mut Room) {
        let [width, height] = patch.size;
        let count = width - 2;
        let Room { gain, rise, fall, water: [new, _], .. } = room;
        new.copy_from_slice(&patch.heights);
        for j in 1..height - 1 {
            let h = trimmed(around(&patch.heights, width, j), count);
            let start = j * width + 1;
            let area = &patch.area[start..][..count];
            let (gain, rise) = (&gain[start..][..count], &rise[start..][..count]);
            let fall = &fall[start..][..count];
            let out = &mut inner(new, width, j)[..count];
            for i in 0..count {
                let a = area[i];
                let most = if a < MOST { a } else { MOST };
                let flow = CUT * most.sqrt();
                let sides = (h[0][1][i] + h[2][1][i]) + (h[1][0][i] + h[1][2][i]);
                let corners = (h[0][0][i] + h[0][2][i]) + (h[2][0][i] + h[2][2][i]);
                let bend = 4.0 * sides + corners - 20.0 * h[1][1][i];
                let change = self.uplift * rise[i] - flow / (1.0 + flow) * fall[i]
                    + CREEP / 6.0 * bend / (1.0 + a * (1.0 / 30.0));
                out[i] = h[1][1][i] + gain[i] * change;
            }
        }
        std::mem::swap(&mut patch.heights, new);
    }
}

/// The fourth power of what is positive.
#[inline(always)]
fn fourth(x: f32) -> f32 {
    let x = positive(x);
    let square = x * x;
    square * square
}

/// The fourth and the fifth power of what is positive.
#[inline(always)]
fn powers(x: f32) -> (f32, f32) {
    let x = positive(x);
    let square = x * x;
    let fourth = square * square;
    (fourth, fourth * x)
}

/// Opens pits by a straight cut to lower ground no farther than `reach`. All cuts begin from the same ground and the deepest wins, so
/// their order does not matter.
fn breach(patch: &mut Patch, reach: usize, sea: f32) {
    let [width, height] = patch.size;
    let mut cuts: Vec<(usize, f32)> = Vec::new();
    if reach < 2 || width <= 2 * reach || height <= 2 * reach {
        return;
    }
    for j in reach..height - reach {
        for i in reach..width - reach {
            let at = j * width + i;
            if is_pit(&patch.heights, width, at) && patch.heights[at] > sea {
                cut_from(&patch.heights, width, at, reach, &mut cuts);
            }
        }
    }
    for (at, height) in cuts {
        if height < patch.heights[at] {
            patch.heights[at] = height;
        }
    }
}

/// Whether no neighbour is lower.
#[inline(always)]
fn is_pit(heights: &[f32], width: usize, at: usize) -> bool {
    let here = heights[at];
    let row = |at: usize| heights[at - 1].min(heights[at]).min(heights[at + 1]);
    heights[at - 1].min(heights[at + 1]) >= here
        && row(at - width) >= here
        && row(at + width) >= here
}

/// The cheapest straight cut from a pit to the nearest ring with lower ground.
fn cut_from(heights: &[f32], width: usize, pit: usize, reach: usize, cuts: &mut Vec<(usize, f32)>) {
    let from = heights[pit];
    let step = |di: isize, dj: isize| pit.wrapping_add_signed(dj * width as isize + di);
    for ring in 2..=reach as isize {
        let mut best: Option<(f32, [isize; 2])> = None;
        let side = (-ring..=ring).flat_map(|k| [[k, -ring], [k, ring]]);
        let rest = (1 - ring..ring).flat_map(|k| [[-ring, k], [ring, k]]);
        for [di, dj] in side.chain(rest) {
            let to = heights[step(di, dj)];
            if to >= from {
                continue;
            }
            let cost: f32 = way([di, dj], ring)
                .map(|([i, j], t)| positive(heights[step(i, j)] - (from + (to - from) * t)))
                .sum();
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, [di, dj]));
            }
        }
        if let Some((_, [di, dj])) = best {
            let to = heights[step(di, dj)];
            let bed = way([di, dj], ring).map(|([i, j], t)| (step(i, j), from + (to - from) * t));
            cuts.extend(bed);
            return;
        }
    }
}

/// The samples on a straight way, without its ends, and how far along it they are.
fn way([di, dj]: [isize; 2], ring: isize) -> impl Iterator<Item = ([isize; 2], f32)> {
    (1..ring).map(move |k| {
        // Halves go away from 0, so a mirrored way is the mirrored one.
        let along = |d: isize| (2 * (d.abs() * k) + ring) / (2 * ring) * d.signum();
        ([along(di), along(dj)], k as f32 / ring as f32)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_are_in_the_same_places_on_all_lattices() {
        let patches = |share| Patches { strength: 1.0, seed: Seed::new(4), share };
        let weighed = |size: usize, share| {
            let mut patch = Patch::default();
            patch.become_level([-5 * (1.0 / share) as i64, 0], [size, size]);
            let mut gains = vec![1.0; size * size];
            patches(share).weigh(&patch, &mut gains);
            gains
        };
        let (coarse, fine) = (weighed(150, 1.0), weighed(299, 0.5));
        for at in 0..150 * 150 {
            let (i, j) = (at % 150, at / 150);
            assert!((coarse[at] - fine[2 * j * 299 + 2 * i]).abs() < 1e-4);
        }
        let count = |is: fn(f32) -> bool| coarse.iter().filter(|&&gain| is(gain)).count();
        assert!(count(|gain| gain < 0.1) > 1000 && count(|gain| gain > 1.2) > 1000);
    }
}
