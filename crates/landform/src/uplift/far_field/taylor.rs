//! Sums of cones over a node as one polynomial.
//!
//! Around the centre of a node, with d₀ the distance to the apex and s, t ∈ [−1, 1] across the node,
//! d = d₀·√(1 + 2p + w), p = αs + βt, w = As² + Bt², has the homogeneous parts
//!
//! ```text
//! g₀ = d₀     g₁ = p·g₀     n·gₙ = −(2n − 3)·p·gₙ₋₁ − (n − 3)·w·gₙ₋₂
//! ```
//!
//! (Gegenbauer's recurrence). Eight cones go through it at once. Each coefficient is rounded to an integer
//! before it is summed, so that neither the order of the cones nor the history of edits matters. Orders up
//! to 7 are summed; orders 6 and 7 are then folded into the lower ones by subtracting the product of
//! Chebyshev polynomials with the same leading term, which leaves a quintic.

use fearless_simd::{Simd, f32x8, f64x4, i32x8, prelude::*};

use super::scene::{CONSTANT_SCALE, MAGIC, Peak};
use super::tree::{List, gather};

/// Highest order that is summed.
const ORDER: usize = 7;
/// Number of coefficients up to that order.
pub(super) const TERMS: usize = (ORDER + 1) * (ORDER + 2) / 2;
/// Number of coefficients of a quintic.
const QUINTIC: usize = 21;
/// 1.5·2⁵²: adding it rounds an f64 to an integer that then sits in the low bits.
const MAGIC_F64: f64 = 6_755_399_441_055_744.0;

/// Coefficients of sⁱtʲ, i + j ≤ 5, at [`index`]`(i, j)`.
pub(super) type Quintic = [f64; QUINTIC];

/// Where the coefficient of sⁱtʲ is: by order, then by the power of t.
pub(super) const fn index(i: usize, j: usize) -> usize {
    let order = i + j;
    order * (order + 1) / 2 + j
}

/// The sums of a node: exact integers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sums {
    /// In units of the largest height / [`CONSTANT_SCALE`].
    pub(super) constant: i64,
    /// In units of the node's quantum; the first is unused.
    pub(super) terms: [i32; TERMS],
}

impl Sums {
    pub(super) const ZERO: Self = Self { constant: 0, terms: [0; TERMS] };

    pub(super) fn add(&mut self, other: &Self) {
        self.constant += other.constant;
        for (sum, term) in self.terms.iter_mut().zip(&other.terms) {
            *sum = sum.wrapping_add(*term);
        }
    }

    pub(super) fn subtract(&mut self, other: &Self) {
        self.constant -= other.constant;
        for (sum, term) in self.terms.iter_mut().zip(&other.terms) {
            *sum = sum.wrapping_sub(*term);
        }
    }

    /// Adds the polynomial, with orders 6 and 7 folded into the lower ones, to another.
    pub(super) fn add_to<S: Simd>(&self, simd: S, quantum: f64, quintic: &mut Quintic) {
        simd.vectorize(
            #[inline(always)]
            || {
                for (sum, own) in quintic.iter_mut().zip(self.quintic(quantum)) {
                    *sum += own;
                }
            },
        );
    }

    #[inline(always)]
    fn quintic(&self, quantum: f64) -> Quintic {
        let mut all = [0.0; TERMS];
        for (to, &from) in all.iter_mut().zip(&self.terms) {
            *to = f64::from(from) * quantum;
        }
        all[0] = self.constant as f64 / CONSTANT_SCALE;
        fold(&mut all);
        let mut quintic = [0.0; QUINTIC];
        quintic.copy_from_slice(&all[..QUINTIC]);
        quintic
    }
}

/// Replaces sⁱtʲ of orders 6 and 7 by sⁱtʲ − TᵢTⱼ / 2ⁱ⁺ʲ⁻²: what is left out is at most 1/16 of the term.
#[inline(always)]
fn fold(c: &mut [f64; TERMS]) {
    let [s6, s5t, s4t2, s3t3, s2t4, st5, t6] = [c[21], c[22], c[23], c[24], c[25], c[26], c[27]];
    let [s7, s6t, s5t2, s4t3] = [c[28], c[29], c[30], c[31]];
    let [s3t4, s2t5, st6, t7] = [c[32], c[33], c[34], c[35]];
    c[index(0, 0)] += (s6 + t6) / 32.0 + (s4t2 + s2t4) / 16.0;
    c[index(1, 0)] += s7 * 0.109375 + st6 / 32.0 + s5t2 * 0.15625 + s3t4 * 0.09375;
    c[index(0, 1)] += t7 * 0.109375 + s6t / 32.0 + s2t5 * 0.15625 + s4t3 * 0.09375;
    c[index(2, 0)] -= s6 * 0.5625 + s4t2 * 0.5 + s2t4 * 0.125;
    c[index(1, 1)] -= (s5t + st5) * 0.3125 + s3t3 * 0.5625;
    c[index(0, 2)] -= t6 * 0.5625 + s2t4 * 0.5 + s4t2 * 0.125;
    c[index(3, 0)] -= s7 * 0.875 + s5t2 * 0.625 + s3t4 * 0.125;
    c[index(2, 1)] -= s6t * 0.5625 + s4t3 * 0.75 + s2t5 * 0.3125;
    c[index(1, 2)] -= st6 * 0.5625 + s3t4 * 0.75 + s5t2 * 0.3125;
    c[index(0, 3)] -= t7 * 0.875 + s2t5 * 0.625 + s4t3 * 0.125;
    c[index(4, 0)] += s6 * 1.5 + s4t2 * 0.5;
    c[index(3, 1)] += s5t * 1.25 + s3t3 * 0.75;
    c[index(2, 2)] += s4t2 + s2t4;
    c[index(1, 3)] += st5 * 1.25 + s3t3 * 0.75;
    c[index(0, 4)] += t6 * 1.5 + s2t4 * 0.5;
    c[index(5, 0)] += s7 * 1.75 + s5t2 * 0.5;
    c[index(4, 1)] += s6t * 1.5 + s4t3 * 0.75;
    c[index(3, 2)] += s5t2 * 1.25 + s3t4;
    c[index(2, 3)] += s2t5 * 1.25 + s4t3;
    c[index(1, 4)] += st6 * 1.5 + s3t4 * 0.75;
    c[index(0, 5)] += t7 * 1.75 + s2t5 * 0.5;
}

/// The polynomial of a node in the coordinates of each of its four children.
#[derive(Clone, Copy, Debug)]
pub(super) struct Children([[f64; 4]; QUINTIC]);

impl Default for Children {
    fn default() -> Self {
        Self([[0.0; 4]; QUINTIC])
    }
}

impl Children {
    /// Shifts and halves the coordinates: s of the node is (s of the child ± 1) / 2.
    pub(super) fn shift<S: Simd>(&mut self, simd: S, node: &Quintic) {
        simd.vectorize(
            #[inline(always)]
            || {
                // A child per lane. Shifting by −1 is shifting by +1 with the signs of odd powers turned.
                let east = f64x4::simd_from(simd, [-1.0, 1.0, -1.0, 1.0]);
                let south = f64x4::simd_from(simd, [-1.0, -1.0, 1.0, 1.0]);
                let both = east * south;
                let mut c = [f64x4::splat(simd, 0.0); QUINTIC];
                for j in 0..6 {
                    for i in 0..6 - j {
                        let halved = node[index(i, j)] * HALVED[i + j];
                        c[index(i, j)] = f64x4::splat(simd, halved);
                        if i % 2 == 1 && j % 2 == 1 {
                            c[index(i, j)] *= both;
                        } else if i % 2 == 1 {
                            c[index(i, j)] *= east;
                        } else if j % 2 == 1 {
                            c[index(i, j)] *= south;
                        }
                    }
                }
                for j in 0..6 {
                    for k in 0..5 - j {
                        for i in (k..5 - j).rev() {
                            c[index(i, j)] += c[index(i + 1, j)];
                        }
                    }
                }
                for i in 0..6 {
                    for k in 0..5 - i {
                        for j in (k..5 - i).rev() {
                            c[index(i, j)] += c[index(i, j + 1)];
                        }
                    }
                }
                for j in 0..6 {
                    for i in 0..6 - j {
                        if i % 2 == 1 && j % 2 == 1 {
                            c[index(i, j)] *= both;
                        } else if i % 2 == 1 {
                            c[index(i, j)] *= east;
                        } else if j % 2 == 1 {
                            c[index(i, j)] *= south;
                        }
                        self.0[index(i, j)] = c[index(i, j)].to_array();
                    }
                }
            },
        );
    }

    /// The polynomial of child 0 to 3.
    #[inline]
    pub(super) fn child(&self, q: usize) -> Quintic {
        let mut quintic = [0.0; QUINTIC];
        for (to, from) in quintic.iter_mut().zip(&self.0) {
            *to = from[q];
        }
        quintic
    }
}

/// 2⁻ⁿ
const HALVED: [f64; 6] = [1.0, 0.5, 0.25, 0.125, 0.0625, 0.03125];

/// The square that a sum is taken over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Square {
    /// Centre, in units of Δx.
    pub(super) x: f64,
    pub(super) z: f64,
    /// Half of the sides, in units of Δx.
    pub(super) half: [f32; 2],
    /// Half of the sides of a child, from its first sample to its last.
    pub(super) samples: [f32; 2],
    /// One over the quantum of the coefficients.
    pub(super) per_quantum: f64,
}

/// What the recurrence starts from.
pub(super) struct Start<S: Simd> {
    pub(super) alpha: f32x8<S>,
    pub(super) beta: f32x8<S>,
    pub(super) a: f32x8<S>,
    pub(super) b: f32x8<S>,
    /// −slope·d₀ in quanta.
    pub(super) scale: f32x8<S>,
    /// slope·(r − d₀) in units of the largest height.
    pub(super) constant: [f64x4<S>; 2],
}

/// Expands eight cones around the centre of a square.
#[inline(always)]
pub(super) fn start<S: Simd>(simd: S, p: [&Peak; 8], square: &Square) -> Start<S> {
    let centre = [f64x4::splat(simd, square.x), f64x4::splat(simd, square.z)];
    let mut constant = [f64x4::splat(simd, 0.0); 2];
    let (mut x, mut z, mut distance2, mut scale) = (constant, constant, constant, constant);
    for k in 0..2 {
        let [a, b, c, d] = [p[4 * k], p[4 * k + 1], p[4 * k + 2], p[4 * k + 3]];
        x[k] = centre[0] - f64x4::simd_from(simd, [a.x, b.x, c.x, d.x]);
        z[k] = centre[1] - f64x4::simd_from(simd, [a.z, b.z, c.z, d.z]);
        distance2[k] = x[k] * x[k] + z[k] * z[k];
        let slope = f64x4::simd_from(simd, [a.slope, b.slope, c.slope, d.slope]);
        let distance = distance2[k].sqrt();
        let radius = f64x4::simd_from(simd, [a.radius, b.radius, c.radius, d.radius]);
        constant[k] = slope * (radius - distance);
        scale[k] = slope * distance * -square.per_quantum;
    }
    let inverse = f32x8::splat(simd, 1.0) / simd.narrow_f64x4(distance2[0], distance2[1]);
    let [a, b] = square.half;
    Start {
        alpha: simd.narrow_f64x4(x[0], x[1]) * a * inverse,
        beta: simd.narrow_f64x4(z[0], z[1]) * b * inverse,
        a: inverse * (a * a),
        b: inverse * (b * b),
        scale: simd.narrow_f64x4(scale[0], scale[1]),
        constant,
    }
}

/// The next homogeneous part, from the last two: gₙ has n + 1 coefficients.
#[inline(always)]
pub(super) fn next<S: Simd, const N: usize>(
    start: &Start<S>,
    last: &[f32x8<S>],
    before: &[f32x8<S>],
) -> [f32x8<S>; N] {
    let n = (N - 1) as f32;
    let alpha = start.alpha * -((2.0 * n - 3.0) / n);
    let beta = start.beta * -((2.0 * n - 3.0) / n);
    let a = start.a * -((n - 3.0) / n);
    let b = start.b * -((n - 3.0) / n);
    let mut part = [alpha; N];
    for j in 0..N {
        let mut sum = if j < N - 1 { alpha * last[j] } else { beta * last[j - 1] };
        if j > 0 && j < N - 1 {
            sum += beta * last[j - 1];
        }
        // At order 3 the second part vanishes.
        if N != 4 {
            if j < N - 2 {
                sum += a * before[j];
            }
            if j > 1 {
                sum += b * before[j - 2];
            }
        }
        part[j] = sum;
    }
    part
}

/// Writes the sums of some cones over a square.
pub(super) fn sum<S: Simd>(simd: S, peaks: &[Peak], list: &List, square: &Square, sums: &mut Sums) {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut totals = [i32x8::splat(simd, 0); TERMS];
            sums.constant = 0;
            for ids in list.eights() {
                let start = start(simd, gather(peaks, ids), square);
                sums.constant = sums.constant.wrapping_add(rounded_sum(start.constant));
                add_terms(&start, &mut totals);
            }
            // Every lane of every eight carries the bits of MAGIC once.
            let bias = (MAGIC.to_bits() as i32).wrapping_mul(8 * list.eights().len() as i32);
            for first in [0, 8, 16, 24, TERMS - 8] {
                let sum = across(&totals[first..first + 8]) - bias;
                sum.store_slice(&mut sums.terms[first..first + 8]);
            }
            sums.terms[0] = 0;
        },
    );
}

/// The sums over the lanes of each of eight vectors.
#[inline(always)]
fn across<S: Simd>(v: &[i32x8<S>]) -> i32x8<S> {
    let [ab, cd] = [halved(v[0], v[1]), halved(v[2], v[3])];
    let [ef, gh] = [halved(v[4], v[5]), halved(v[6], v[7])];
    halved(halved(ab, cd), halved(ef, gh))
}

/// The sums of neighbouring lanes, first of one vector, then of the other.
#[inline(always)]
fn halved<S: Simd>(a: i32x8<S>, b: i32x8<S>) -> i32x8<S> {
    a.unzip_low(b) + a.unzip_high(b)
}

/// Adds the coefficients of eight cones, rounded, with the bits of [`MAGIC`].
#[inline(always)]
fn add_terms<S: Simd>(start: &Start<S>, totals: &mut [i32x8<S>; TERMS]) {
    let g0 = [start.scale];
    let g1 = [start.alpha * start.scale, start.beta * start.scale];
    let g2: [_; 3] = next(start, &g1, &g0);
    let g3: [_; 4] = next(start, &g2, &g1);
    let g4: [_; 5] = next(start, &g3, &g2);
    let g5: [_; 6] = next(start, &g4, &g3);
    let g6: [_; 7] = next(start, &g5, &g4);
    let g7: [_; 8] = next(start, &g6, &g5);
    add(&g1, &mut totals[1..3]);
    add(&g2, &mut totals[3..6]);
    add(&g3, &mut totals[6..10]);
    add(&g4, &mut totals[10..15]);
    add(&g5, &mut totals[15..21]);
    add(&g6, &mut totals[21..28]);
    add(&g7, &mut totals[28..36]);
}

/// Adds terms, rounded, with the bits of [`MAGIC`].
#[inline(always)]
fn add<S: Simd>(terms: &[f32x8<S>], totals: &mut [i32x8<S>]) {
    for k in 0..terms.len() {
        totals[k] += (terms[k] + MAGIC).bitcast::<i32x8<S>>();
    }
}

/// The sum of eight heights, each rounded to an integer of 1 / [`CONSTANT_SCALE`].
#[inline(always)]
pub(super) fn rounded_sum<S: Simd>(heights: [f64x4<S>; 2]) -> i64 {
    let mut sum = 0_i64;
    for four in heights {
        for height in (four * CONSTANT_SCALE + MAGIC_F64).to_array() {
            let integer = height.to_bits() as i64;
            sum = sum.wrapping_add(integer.wrapping_sub(MAGIC_F64.to_bits() as i64));
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(c: &Quintic, s: f64, t: f64) -> f64 {
        let mut sum = 0.0;
        for j in 0..6 {
            for i in 0..6 - j {
                let power = |x: f64, n: usize| (0..n).fold(1.0, |product, _| product * x);
                sum += c[index(i, j)] * power(s, i) * power(t, j);
            }
        }
        sum
    }

    #[test]
    fn the_polynomial_of_a_child_has_the_values_of_its_parent() {
        let parent: Quintic = std::array::from_fn(|k| ((k * 7 + 3) % 11) as f64 - 5.0);
        for (east, south) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
            let q = usize::from(east > 0.0) + 2 * usize::from(south > 0.0);
            let level = fearless_simd::Level::new();
            let mut children = Children::default();
            fearless_simd::dispatch!(level, simd => children.shift(simd, &parent));
            let child = children.child(q);
            for (s, t) in [(0.0, 0.0), (0.5, -0.25), (-1.0, 1.0), (0.3, 0.9)] {
                let expected = value(&parent, 0.5 * (s + east), 0.5 * (t + south));
                assert!((value(&child, s, t) - expected).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_sum_of_cones_is_the_cones_within_tolerance() {
        let peak = Peak { x: 40.0, z: 31.0, radius: 200.0, slope: 1.0 / 200.0, ..Peak::NONE };
        let quantum = 1.0 / (1_u64 << 26) as f64;
        let square = Square {
            x: 0.0,
            z: 0.0,
            half: [8.0, 8.0],
            samples: [3.5, 3.5],
            per_quantum: 1.0 / quantum,
        };
        let list = List::new([1].into_iter());
        let level = fearless_simd::Level::new();
        let peaks = [Peak::NONE, peak];
        let mut sums = Sums::ZERO;
        fearless_simd::dispatch!(level, simd => sum(simd, &peaks, &list, &square, &mut sums));
        let quintic = sums.quintic(quantum);
        for (s, t) in [(0.0, 0.0), (1.0, 1.0), (-1.0, 1.0), (0.7, -0.9)] {
            let (x, z) = (8.0 * s - peak.x, 8.0 * t - peak.z);
            let expected = 1.0 - (x * x + z * z).sqrt() / 200.0;
            assert!((value(&quintic, s, t) - expected).abs() < 1e-6);
        }
    }
}
