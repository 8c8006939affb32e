//! The bottom of the tree: 16 × 16 samples.
//!
//! What reaches a leaf and is not smooth all over it is one of
//!
//! - *rim*: clamped somewhere here, the apex far away; max(0, quadratic or cubic) at each sample ([`rim`]);
//! - *apex*: near its apex but not clamped here; the root is taken at each sample;
//! - *clamped apex*: a small cone, of which the leaf may see both apex and rim; in f64.
//!
//! Every contribution to a sample is rounded to an integer before it is added.
//!
//! [`rim`]: super::rim

use fearless_simd::{Simd, f32x8, f32x16, f64x4, f64x8, i32x16, prelude::*};

use super::quintic::{QUINTIC, Quintic, index};
use super::rim::{Before, CUBIC, QUADRATIC, Rims, add_rims};
use super::scene::{CONSTANT_SCALE, Peak, Units, power_of_two};
use super::taylor::{Constants, Square, look};
use super::tree::{Kinds, List, gather};
use crate::math::rounding::SHIFT_SINGLE;

/// Side of a leaf in samples.
pub(super) const LEAF: usize = 16;

/// The sums of a leaf: exact integers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Leaf {
    /// Samples, row by row, in units of the quantum of leaves.
    pub(super) samples: [i32; LEAF * LEAF],
    /// In units of the largest height / [`CONSTANT_SCALE`].
    pub(super) constant: i64,
}

impl Leaf {
    pub(super) const ZERO: Self = Self { constant: 0, samples: [0; LEAF * LEAF] };
}

/// The sums of some cones over a leaf.
pub(super) fn sum<S: Simd>(
    simd: S,
    peaks: &[Peak],
    kinds: &Kinds,
    square: &Square,
    rims: &mut Rims,
    leaf: &mut Leaf,
) {
    leaf.constant = 0;
    simd.vectorize(
        #[inline(always)]
        || {
            // Every apex is going to carry the bits of SHIFT_SINGLE once.
            let apexes = (kinds.apexes.len() + kinds.clamped_apexes.len()) as i32;
            let bias = (SHIFT_SINGLE.to_bits() as i32).wrapping_mul(apexes).wrapping_neg();
            let samples = &mut leaf.samples;
            if kinds.rims.is_empty() {
                samples.fill(bias);
            } else {
                let onto = (Before::All(bias), &mut *samples);
                add_rims::<S, QUADRATIC>(simd, peaks, &kinds.rims, square, rims, onto);
            }
            if !kinds.cubic_rims.is_empty() {
                let onto = (Before::Sums, &mut *samples);
                add_rims::<S, CUBIC>(simd, peaks, &kinds.cubic_rims, square, rims, onto);
            }
            if !kinds.apexes.is_empty() {
                leaf.constant = add_apexes(simd, peaks, &kinds.apexes, square, samples);
            }
            if !kinds.clamped_apexes.is_empty() {
                add_clamped_apexes(simd, peaks, &kinds.clamped_apexes, square, samples);
            }
        },
    );
}

/// Adds to a row of samples, rounded, with the bits of [`SHIFT_SINGLE`].
#[inline(always)]
fn add_row<S: Simd>(simd: S, samples: &mut [i32; LEAF * LEAF], row: usize, value: f32x16<S>) {
    let samples = &mut samples[LEAF * row..LEAF * (row + 1)];
    let sum = i32x16::from_slice(simd, samples) + (value + SHIFT_SINGLE).bitcast::<i32x16<S>>();
    sum.store_slice(samples);
}

/// s at the samples of a row; t is the same down a column.
pub(super) const ACROSS: [f32; LEAF] = {
    let mut s = [0.0; LEAF];
    let mut k = 0;
    while k < LEAF {
        s[k] = (k as f32 - 7.5) / 8.0;
        k += 1;
    }
    s
};

/// Adds cones near their apexes that are not clamped in this leaf. Their levels at its centre are returned,
/// as integers, so that what is added to the samples is small.
#[inline(always)]
fn add_apexes<S: Simd>(
    simd: S,
    peaks: &[Peak],
    list: &List,
    square: &Square,
    samples: &mut [i32; LEAF * LEAF],
) -> i64 {
    let mut levels = Constants::new(simd);
    let mut left = list.len();
    let across = f32x16::simd_from(simd, ACROSS) * square.half[0];
    for ids in list.eights() {
        let p = gather(peaks, ids);
        let start = look(simd, p, square);
        levels.add(simd, &start);
        let fall = start.scale.to_array();
        for lane in 0..left.min(8) {
            let (x, z) = ((square.x - p[lane].x) as f32, (square.z - p[lane].z) as f32);
            let slope = (p[lane].slope * square.per_quantum) as f32;
            let level = f32x16::splat(simd, -fall[lane]);
            let dx = across + x;
            let dx2 = dx * dx;
            for row in 0..LEAF {
                let dz = ACROSS[row] * square.half[1] + z;
                let value = level - (dx2 + dz * dz).sqrt() * slope;
                add_row(simd, samples, row, value);
            }
        }
        left = left.saturating_sub(8);
    }
    levels.sum()
}

/// Adds small cones of which this leaf may see both apex and rim. In f64, since a cone that only grazes the
/// lattice is a small difference of large numbers.
#[inline(always)]
fn add_clamped_apexes<S: Simd>(
    simd: S,
    peaks: &[Peak],
    list: &List,
    square: &Square,
    samples: &mut [i32; LEAF * LEAF],
) {
    let (west, east) = simd.split_f32x16(f32x16::simd_from(simd, ACROSS) * square.half[0]);
    let across = [widened(simd, west), widened(simd, east)];
    let zero = f64x8::splat(simd, 0.0);
    for &id in list.eights().as_flattened().iter().take(list.len()) {
        let peak = &peaks[id as usize];
        let mut dx2 = [zero; 2];
        for side in 0..2 {
            let dx = across[side] + (square.x - peak.x);
            dx2[side] = dx * dx;
        }
        let height = f64x8::splat(simd, (peak.slope * peak.radius).abs() * square.per_quantum);
        let slope = peak.slope.abs() * square.per_quantum;
        let sign = if peak.slope > 0.0 { 1.0 } else { -1.0 };
        for row in 0..LEAF {
            let dz = f64::from(ACROSS[row]) * f64::from(square.half[1]) + (square.z - peak.z);
            let west = (height - (dx2[0] + dz * dz).sqrt() * slope).max(zero);
            let east = (height - (dx2[1] + dz * dz).sqrt() * slope).max(zero);
            add_row(simd, samples, row, simd.narrow_f64x8(west, east) * sign);
        }
    }
}

#[inline(always)]
fn widened<S: Simd>(simd: S, values: f32x8<S>) -> f64x8<S> {
    let (low, high): (f64x4<S>, f64x4<S>) = simd.widen_f32x8(values);
    simd.combine_f64x4(low, high)
}

/// Evaluates a leaf: the polynomial of everything smooth, plus the leaf's own sums. Rows are `stride` apart
/// in `out`.
pub(super) fn evaluate<S: Simd>(
    simd: S,
    quintic: &Quintic,
    leaf: Option<&Leaf>,
    units: &Units,
    (out, stride): (&mut [f32], usize),
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let scale = power_of_two(units.exponent);
            let quantum = (units.leaf * scale) as f32;
            // The large part is added last, as an f32 without error: one rounding in all.
            let own = leaf.map_or(0, |leaf| leaf.constant) as f64 / CONSTANT_SCALE;
            let level = (quintic[0] + own) * scale;
            let high = level as f32;
            let low = (level - f64::from(high)) as f32;
            let columns = columns(simd, quintic, scale, low);
            for row in 0..LEAF {
                let t = ACROSS[row];
                let mut value = columns[5];
                for j in (0..5).rev() {
                    value = value * t + columns[j];
                }
                if let Some(leaf) = leaf {
                    let own = i32x16::from_slice(simd, &leaf.samples[LEAF * row..LEAF * (row + 1)]);
                    value += own.to_float::<f32x16<S>>() * quantum;
                }
                (value + high).store_slice(&mut out[row * stride..row * stride + LEAF]);
            }
        },
    );
}

/// The coefficients of tʲ at each column, with `constant` in place of the constant.
#[inline(always)]
fn columns<S: Simd>(simd: S, quintic: &Quintic, scale: f64, constant: f32) -> [f32x16<S>; 6] {
    let s = f32x16::simd_from(simd, ACROSS);
    let mut c = [constant; QUINTIC];
    for k in 1..QUINTIC {
        c[k] = (quintic[k] * scale) as f32;
    }
    let mut columns = [s; 6];
    for j in 0..6 {
        columns[j] = f32x16::splat(simd, c[index(5 - j, j)]);
        for i in (0..5 - j).rev() {
            columns[j] = columns[j] * s + c[index(i, j)];
        }
    }
    columns
}
