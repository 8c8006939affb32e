//! The bottom of the tree: 16 × 16 samples.
//!
//! What reaches a leaf and is not smooth all over it is one of
//!
//! - *rim*: clamped somewhere here, the apex far away; max(0, quadratic or cubic) at each sample, by
//!   forward differences from row to row: no root and no multiplication;
//! - *apex*: near its apex but not clamped here; the root is taken at each sample;
//! - *clamped apex*: a small cone, of which the leaf may see both apex and rim; in f64.
//!
//! Every contribution to a sample is rounded to an integer before it is added.

use fearless_simd::{Simd, f32x8, f32x16, f64x4, f64x8, i32x16, prelude::*};

use super::scene::{CONSTANT_SCALE, MAGIC, Peak, Units, power_of_two};
use super::taylor::{Quintic, Square, index, next, rounded_sum, start};
use super::tree::{Kinds, List, gather};

/// Side of a leaf in samples.
pub(super) const LEAF: usize = 16;
/// Number of coefficients of a cubic.
const CUBIC: usize = 10;

/// The sums of a leaf: exact integers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Leaf {
    /// In units of the largest height / [`CONSTANT_SCALE`].
    pub(super) constant: i64,
    /// Samples, row by row, in units of the quantum of leaves.
    pub(super) samples: [i32; LEAF * LEAF],
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
    leaf: &mut Leaf,
) {
    leaf.constant = 0;
    simd.vectorize(
        #[inline(always)]
        || {
            let mut sums = Sampled { rows: [i32x16::splat(simd, 0); LEAF], count: 0 };
            if !kinds.quadratic_rims.is_empty() {
                add_rims::<S, false>(simd, peaks, &kinds.quadratic_rims, square, &mut sums);
            }
            if !kinds.cubic_rims.is_empty() {
                add_rims::<S, true>(simd, peaks, &kinds.cubic_rims, square, &mut sums);
            }
            if !kinds.apexes.is_empty() {
                leaf.constant = add_apexes(simd, peaks, &kinds.apexes, square, &mut sums);
            }
            if !kinds.clamped_apexes.is_empty() {
                add_clamped_apexes(simd, peaks, &kinds.clamped_apexes, square, &mut sums);
            }
            sums.store(leaf);
        },
    );
}

/// The samples of a leaf while contributions are added, a row per vector.
struct Sampled<S: Simd> {
    rows: [i32x16<S>; LEAF],
    /// Contributions so far: each brought the bits of [`MAGIC`].
    count: i32,
}

impl<S: Simd> Sampled<S> {
    /// Adds to a row. The caller counts.
    #[inline(always)]
    fn add(&mut self, row: usize, value: f32x16<S>) {
        self.rows[row] += (value + MAGIC).bitcast::<i32x16<S>>();
    }

    #[inline(always)]
    fn store(self, leaf: &mut Leaf) {
        let bias = (MAGIC.to_bits() as i32).wrapping_mul(self.count);
        for (samples, sum) in leaf.samples.chunks_exact_mut(LEAF).zip(self.rows) {
            (sum - bias).store_slice(samples);
        }
    }
}

/// s at the samples of a row; t is the same down a column.
const ACROSS: [f32; LEAF] = {
    let mut s = [0.0; LEAF];
    let mut k = 0;
    while k < LEAF {
        s[k] = (k as f32 - 7.5) / 8.0;
        k += 1;
    }
    s
};

/// Eight cones as polynomials: 1, s, t, s², st, t², s³, s²t, st², t³, in quanta. The first order left
/// out is folded into the lower ones as the tree does with order 6.
#[inline(always)]
fn expand<S: Simd, const IS_CUBIC: bool>(
    simd: S,
    p: [&Peak; 8],
    square: &Square,
) -> [f32x8<S>; CUBIC] {
    let start = start(simd, p, square);
    let [low, high] = start.constant;
    let c0 = simd.narrow_f64x4(low * square.per_quantum, high * square.per_quantum);
    let g0 = [start.scale];
    let g1 = [start.alpha * start.scale, start.beta * start.scale];
    let g2: [_; 3] = next(&start, &g1, &g0);
    let g3: [_; 4] = next(&start, &g2, &g1);
    let zero = f32x8::splat(simd, 0.0);
    if !IS_CUBIC {
        let linear = [g1[0] + g3[0] * 0.75 + g3[2] * 0.5, g1[1] + g3[3] * 0.75 + g3[1] * 0.5];
        return [c0, linear[0], linear[1], g2[0], g2[1], g2[2], zero, zero, zero, zero];
    }
    let g4: [_; 5] = next(&start, &g3, &g2);
    [
        c0 - (g4[0] + g4[4]) * 0.125 - g4[2] * 0.25,
        g1[0],
        g1[1],
        g2[0] + g4[0] + g4[2] * 0.5,
        g2[1] + (g4[1] + g4[3]) * 0.75,
        g2[2] + g4[4] + g4[2] * 0.5,
        g3[0],
        g3[1],
        g3[2],
        g3[3],
    ]
}

/// Adds rims to the samples of a leaf.
#[inline(always)]
fn add_rims<S: Simd, const IS_CUBIC: bool>(
    simd: S,
    peaks: &[Peak],
    list: &List,
    square: &Square,
    sums: &mut Sampled<S>,
) {
    sums.count += list.len() as i32;
    let mut left = list.len();
    for ids in list.eights() {
        let p = gather(peaks, ids);
        let c = expand::<S, IS_CUBIC>(simd, p, square);
        let mut terms = [[0.0; 8]; CUBIC];
        for k in 0..if IS_CUBIC { CUBIC } else { 6 } {
            terms[k] = c[k].to_array();
        }
        for lane in 0..left.min(8) {
            if p[lane].slope > 0.0 {
                add_rim::<S, IS_CUBIC, true>(simd, &terms, lane, sums);
            } else {
                add_rim::<S, IS_CUBIC, false>(simd, &terms, lane, sums);
            }
        }
        left = left.saturating_sub(8);
    }
}

/// Adds max(0, cubic) (min for a hollow) to the samples of a leaf. Even and odd rows go down in parallel,
/// each by forward differences: step = 2 rows.
#[inline(always)]
fn add_rim<S: Simd, const IS_CUBIC: bool, const IS_PEAK: bool>(
    simd: S,
    c: &[[f32; 8]; CUBIC],
    lane: usize,
    sums: &mut Sampled<S>,
) {
    let s = f32x16::simd_from(simd, ACROSS);
    // The coefficients of 1, t and t² at each column; that of t³ is a constant.
    let mut c0 = s * c[3][lane] + c[1][lane];
    let mut c1 = s * c[4][lane] + c[2][lane];
    let mut c2 = f32x16::splat(simd, c[5][lane]);
    if IS_CUBIC {
        let s2 = s * s;
        c0 += s2 * c[6][lane];
        c1 += s2 * c[7][lane];
        c2 += s * c[8][lane];
    }
    let c0 = c0 * s + c[0][lane];
    let cubic = if IS_CUBIC { c[9][lane] } else { 0.0 };
    let mut even = Falling::new::<IS_CUBIC>([c0, c1, c2], cubic, ACROSS[0]);
    let mut odd = Falling::new::<IS_CUBIC>([c0, c1, c2], cubic, ACROSS[1]);
    let third = f32x16::splat(simd, cubic * (6.0 * STEP * STEP * STEP));
    let zero = f32x16::splat(simd, 0.0);
    for row in (0..LEAF).step_by(2) {
        if IS_PEAK {
            sums.add(row, even.value.max(zero));
            sums.add(row + 1, odd.value.max(zero));
        } else {
            sums.add(row, even.value.min(zero));
            sums.add(row + 1, odd.value.min(zero));
        }
        even.step::<IS_CUBIC>(third);
        odd.step::<IS_CUBIC>(third);
    }
}

/// Distance in t between a row and the next but one.
const STEP: f32 = 0.25;

/// A polynomial in t and its forward differences.
struct Falling<S: Simd> {
    value: f32x16<S>,
    first: f32x16<S>,
    second: f32x16<S>,
}

impl<S: Simd> Falling<S> {
    #[inline(always)]
    fn new<const IS_CUBIC: bool>([c0, c1, c2]: [f32x16<S>; 3], c3: f32, t: f32) -> Self {
        let mut value = (c2 * t + c1) * t + c0;
        let mut first = (c2 * (2.0 * t + STEP) + c1) * STEP;
        let mut second = c2 * (2.0 * STEP * STEP);
        if IS_CUBIC {
            value += c3 * (t * t * t);
            first += c3 * (STEP * (3.0 * t * t + 3.0 * t * STEP + STEP * STEP));
            second += c3 * (6.0 * STEP * STEP * (t + STEP));
        }
        Self { value, first, second }
    }

    #[inline(always)]
    fn step<const IS_CUBIC: bool>(&mut self, third: f32x16<S>) {
        self.value += self.first;
        self.first += self.second;
        if IS_CUBIC {
            self.second += third;
        }
    }
}

/// Adds cones near their apexes that are not clamped in this leaf. Their levels at its centre are returned,
/// as integers, so that what is added to the samples is small.
#[inline(always)]
fn add_apexes<S: Simd>(
    simd: S,
    peaks: &[Peak],
    list: &List,
    square: &Square,
    sums: &mut Sampled<S>,
) -> i64 {
    sums.count += list.len() as i32;
    let mut levels = 0_i64;
    let mut left = list.len();
    let across = f32x16::simd_from(simd, ACROSS) * square.half[0];
    for ids in list.eights() {
        let p = gather(peaks, ids);
        let start = start(simd, p, square);
        levels = levels.wrapping_add(rounded_sum(start.constant));
        let fall = start.scale.to_array();
        for lane in 0..left.min(8) {
            let (x, z) = ((square.x - p[lane].x) as f32, (square.z - p[lane].z) as f32);
            let slope = (p[lane].slope * square.per_quantum) as f32;
            let level = f32x16::splat(simd, -fall[lane]);
            let dx = across + x;
            let dx2 = dx * dx;
            for row in 0..LEAF {
                let dz = ACROSS[row] * square.half[1] + z;
                sums.add(row, level - (dx2 + dz * dz).sqrt() * slope);
            }
        }
        left = left.saturating_sub(8);
    }
    levels
}

/// Adds small cones of which this leaf may see both apex and rim. In f64, since a cone that only grazes the
/// lattice is a small difference of large numbers.
#[inline(always)]
fn add_clamped_apexes<S: Simd>(
    simd: S,
    peaks: &[Peak],
    list: &List,
    square: &Square,
    sums: &mut Sampled<S>,
) {
    sums.count += list.len() as i32;
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
        let height = f64x8::splat(simd, peak.height.abs() * square.per_quantum);
        let slope = peak.slope.abs() * square.per_quantum;
        let sign = if peak.slope > 0.0 { 1.0 } else { -1.0 };
        for row in 0..LEAF {
            let dz = f64::from(ACROSS[row]) * f64::from(square.half[1]) + (square.z - peak.z);
            let west = (height - (dx2[0] + dz * dz).sqrt() * slope).max(zero);
            let east = (height - (dx2[1] + dz * dz).sqrt() * slope).max(zero);
            sums.add(row, simd.narrow_f64x8(west, east) * sign);
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
    let mut c = [constant; 21];
    for k in 1..21 {
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
