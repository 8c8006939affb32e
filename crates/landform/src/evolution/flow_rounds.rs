//! The rounds of [erosion by multiple flow](super::flow_erosion): water is shared, moves on, and cuts.
//!
//! All rounds go over a patch together. Each follows the one before a few rows behind, and so do the steps of a round: what one of them
//! writes is still in the cache when the next one reads it.

use super::flow_erosion::{CUT, Law, Patch, Room};

/// How often water moves on to the next samples in each round.
pub(super) const SWEEPS: usize = 3;

/// By how many rows a round is behind the one before.
const LAG: usize = SWEEPS + 1;

/// The water above which it cuts no faster.
const MOST: f32 = 400.0;

/// C: how fast slopes creep.
const CREEP: f32 = 0.07;

/// The inner samples of a row and their neighbours: three rows, and in each the columns before, at and after.
pub(super) type Around<'a> = [[&'a [f32]; 3]; 3];

#[inline(always)]
pub(super) fn around(samples: &[f32], width: usize, j: usize) -> Around<'_> {
    let row = |j: usize| {
        let row = &samples[j * width..(j + 1) * width];
        [&row[..width - 2], &row[1..width - 1], &row[2..]]
    };
    [row(j - 1), row(j), row(j + 1)]
}

/// The inner samples of a row.
#[inline(always)]
pub(super) fn inner(samples: &mut [f32], width: usize, j: usize) -> &mut [f32] {
    &mut samples[j * width + 1..(j + 1) * width - 1]
}

/// The same for reading, so that all slices of a loop have its length.
#[inline(always)]
pub(super) fn trimmed(around: Around<'_>, count: usize) -> Around<'_> {
    let [a, b, c] = around;
    [
        [&a[0][..count], &a[1][..count], &a[2][..count]],
        [&b[0][..count], &b[1][..count], &b[2][..count]],
        [&c[0][..count], &c[1][..count], &c[2][..count]],
    ]
}

#[inline(always)]
pub(super) fn positive(x: f32) -> f32 {
    if x > 0.0 { x } else { 0.0 }
}

/// Copies the border of a patch.
pub(super) fn border(to: &mut [f32], from: &[f32], [width, height]: [usize; 2]) {
    let last = (height - 1) * width;
    to[..width].copy_from_slice(&from[..width]);
    to[last..].copy_from_slice(&from[last..]);
    for start in (width..last).step_by(width) {
        (to[start], to[start + width - 1]) = (from[start], from[start + width - 1]);
    }
}

/// Dries the border of a patch.
fn dry(water: &mut [f32], [width, height]: [usize; 2]) {
    let last = (height - 1) * width;
    water[..width].fill(0.0);
    water[last..].fill(0.0);
    for start in (width..last).step_by(width) {
        (water[start], water[start + width - 1]) = (0.0, 0.0);
    }
}

impl Law {
    /// So many rounds.
    #[inline(always)]
    pub(super) fn rounds(&self, patch: &mut Patch, room: &mut Room, rounds: usize) {
        let [width, height] = patch.size;
        let Patch { heights, area, .. } = patch;
        let Room { gain, rise, scale, fall, water: [one, other], worn } = room;
        border(worn, heights, [width, height]);
        dry(one, [width, height]);
        dry(other, [width, height]);
        let is_inner = |row: usize| (1..height - 1).contains(&row);
        for step in 1..height + LAG * rounds {
            for round in 0..rounds {
                let Some(row) = step.checked_sub(LAG * round) else { break };
                let (old, new) = match round % 2 {
                    0 => (&mut *heights, &mut *worn),
                    _ => (&mut *worn, &mut *heights),
                };
                if is_inner(row) {
                    let (area, out) = (&area[row * width + 1..], inner(one, width, row));
                    let (scale, fall) = (inner(scale, width, row), inner(fall, width, row));
                    self.share(&around(old, width, row), area, (scale, fall, out));
                }
                if is_inner(row.wrapping_sub(1)) {
                    let at = row - 1;
                    let (h, w) = (around(old, width, at), around(one, width, at));
                    self.pass_on(&h, &w, &scale[at * width + 1..], inner(other, width, at));
                }
                if is_inner(row.wrapping_sub(2)) {
                    let at = row - 2;
                    let (h, w) = (around(old, width, at), around(other, width, at));
                    self.pass_on(&h, &w, &scale[at * width + 1..], inner(one, width, at));
                }
                if is_inner(row.wrapping_sub(3)) {
                    let at = row - 3;
                    let (h, start) = (around(old, width, at), at * width + 1);
                    self.gather(&h, &around(one, width, at), inner(area, width, at));
                    let lie = [&gain[start..], &rise[start..], &fall[start..], &area[start..]];
                    self.cut(&h, lie, inner(new, width, at));
                }
            }
        }
        if rounds % 2 == 1 {
            std::mem::swap(heights, worn);
        }
    }

    /// How the water of each sample of a row is shared, how far it falls, and the water itself, ready to be shared.
    #[inline(always)]
    fn share(
        &self,
        h: &Around<'_>,
        area: &[f32],
        (scales, falls, out): (&mut [f32], &mut [f32], &mut [f32]),
    ) {
        let count = out.len();
        let (h, area) = (trimmed(*h, count), &area[..count]);
        let (scales, falls) = (&mut scales[..count], &mut falls[..count]);
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
            out[i] = area[i] * scale;
        }
    }

    /// Moves the water of a row on, ready to be shared.
    #[inline(always)]
    fn pass_on(&self, h: &Around<'_>, w: &Around<'_>, scale: &[f32], out: &mut [f32]) {
        let count = out.len();
        let (h, w, scale) = (trimmed(*h, count), trimmed(*w, count), &scale[..count]);
        for i in 0..count {
            out[i] = self.inflow(&h, &w, i) * scale[i];
        }
    }

    /// Moves the water of a row on.
    #[inline(always)]
    fn gather(&self, h: &Around<'_>, w: &Around<'_>, out: &mut [f32]) {
        let count = out.len();
        let (h, w) = (trimmed(*h, count), trimmed(*w, count));
        for i in 0..count {
            out[i] = self.inflow(&h, &w, i);
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

    /// Lifts and cuts the ground of a row.
    #[inline(always)]
    fn cut(&self, h: &Around<'_>, [gain, rise, fall, area]: [&[f32]; 4], out: &mut [f32]) {
        let count = out.len();
        let (h, area) = (trimmed(*h, count), &area[..count]);
        let (gain, rise, fall) = (&gain[..count], &rise[..count], &fall[..count]);
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
