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
    pub constant: i64,
    /// In units of the node's quantum; the first is unused.
    pub terms: [i32; TERMS],
}

impl Sums {
    pub const ZERO: Self = Self { constant: 0, terms: [0; TERMS] };

    pub fn add(&mut self, other: &Self) {
        self.constant += other.constant;
        for (sum, term) in self.terms.iter_mut().zip(&other.terms) {
            *sum = sum.wrapping_add(*term);
        }
    }

    pub fn subtract(&mut self, other: &Self) {
        self.constant -= other.constant;
        for (sum, term) in self.terms.iter_mut().zip(&other.terms) {
            *sum = sum.wrapping_sub(*term);
        }
    }

    /// The polynomial, with orders 6 and 7 folded into the lower ones.
    pub fn quintic(&self, quantum: f64) -> Quintic {
        let mut all = [0.0; TERMS];
        for k in 1..TERMS {
            all[k] = f64::from(self.terms[k]) * quantum;
        }
        all[0] = self.constant as f64 / CONSTANT_SCALE;
        fold(&mut all);
        let mut quintic = [0.0; QUINTIC];
        quintic.copy_from_slice(&all[..QUINTIC]);
        quintic
    }
}

/// Monic Chebyshev polynomials: xⁿ minus these lower terms is Tₙ / 2ⁿ⁻¹.
const LOWER: [[f64; ORDER + 1]; ORDER + 1] = [
    [0.0; 8],
    [0.0; 8],
    [0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [0.0, 0.75, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [-0.125, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [0.0, -5.0 / 16.0, 0.0, 1.25, 0.0, 0.0, 0.0, 0.0],
    [1.0 / 32.0, 0.0, -18.0 / 32.0, 0.0, 1.5, 0.0, 0.0, 0.0],
    [0.0, 7.0 / 64.0, 0.0, -56.0 / 64.0, 0.0, 1.75, 0.0, 0.0],
];

/// Replaces sⁱtʲ of orders 7 and 6 by what remains without the product of monic Chebyshev polynomials.
fn fold(all: &mut [f64; TERMS]) {
    for order in [7, 6] {
        for j in 0..=order {
            let i = order - j;
            let c = all[index(i, j)];
            if c == 0.0 {
                continue;
            }
            // sⁱtʲ − (sⁱ − lᵢ)(tʲ − lⱼ) = lᵢ·tʲ + sⁱ·lⱼ − lᵢ·lⱼ
            for a in (0..i).filter(|&a| LOWER[i][a] != 0.0) {
                all[index(a, j)] += c * LOWER[i][a];
                for b in (0..j).filter(|&b| LOWER[j][b] != 0.0) {
                    all[index(a, b)] -= c * LOWER[i][a] * LOWER[j][b];
                }
            }
            for b in (0..j).filter(|&b| LOWER[j][b] != 0.0) {
                all[index(i, b)] += c * LOWER[j][b];
            }
        }
    }
}

/// The polynomial of a parent in the coordinates of its child towards (±1, ±1).
pub(super) fn shifted(parent: &Quintic, east: f64, south: f64) -> Quintic {
    // sₚ = (s + east) / 2: shift by ±1, then halve. Shifting by −1 is shifting by +1 with odd signs turned.
    let mut c = *parent;
    for j in 0..6 {
        for i in 0..6 - j {
            let mut scale = 1.0 / (1_u32 << (i + j)) as f64;
            scale *= if i % 2 == 1 { east } else { 1.0 };
            scale *= if j % 2 == 1 { south } else { 1.0 };
            c[index(i, j)] *= scale;
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
            c[index(i, j)] *= if i % 2 == 1 { east } else { 1.0 };
            c[index(i, j)] *= if j % 2 == 1 { south } else { 1.0 };
        }
    }
    c
}

/// The square that a sum is taken over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Square {
    /// Centre, in units of Δx.
    pub x: f64,
    pub z: f64,
    /// Half of the sides, in units of Δx.
    pub half: [f32; 2],
    /// One over the quantum of the coefficients.
    pub per_quantum: f64,
}

/// Eight cones as lanes. Lanes that are not filled have no height and add nothing.
#[derive(Debug)]
pub(super) struct Lanes {
    pub x: [f64; 8],
    pub z: [f64; 8],
    pub height: [f64; 8],
    pub slope: [f64; 8],
}

impl Lanes {
    pub fn gather(peaks: &[Peak], ids: &[u32], square: &Square) -> Self {
        // An empty lane sits at a harmless distance.
        let mut lanes =
            Self { x: [square.x + 1e3; 8], z: [square.z; 8], height: [0.0; 8], slope: [0.0; 8] };
        for (lane, &id) in ids.iter().enumerate().take(8) {
            let peak = &peaks[id as usize];
            lanes.x[lane] = peak.x;
            lanes.z[lane] = peak.z;
            lanes.height[lane] = peak.height;
            lanes.slope[lane] = peak.slope;
        }
        lanes
    }
}

/// What the recurrence starts from.
pub(super) struct Start<S: Simd> {
    pub alpha: f32x8<S>,
    pub beta: f32x8<S>,
    pub a: f32x8<S>,
    pub b: f32x8<S>,
    /// −slope·d₀ in quanta.
    pub scale: f32x8<S>,
    /// height − slope·d₀ in units of the largest height.
    pub constant: [f64x4<S>; 2],
}

/// Expands eight cones around the centre of a square.
#[inline(always)]
pub(super) fn start<S: Simd>(simd: S, lanes: &Lanes, square: &Square) -> Start<S> {
    let half = |k: usize| {
        let load = |from: &[f64; 8]| f64x4::from_slice(simd, &from[4 * k..4 * k + 4]);
        let x = f64x4::splat(simd, square.x) - load(&lanes.x);
        let z = f64x4::splat(simd, square.z) - load(&lanes.z);
        let distance2 = x * x + z * z;
        let distance = distance2.sqrt();
        let fall = load(&lanes.slope) * distance;
        (x, z, distance2, load(&lanes.height) - fall, fall * -square.per_quantum)
    };
    let (low, high) = (half(0), half(1));
    let x = simd.narrow_f64x4(low.0, high.0);
    let z = simd.narrow_f64x4(low.1, high.1);
    let inverse = f32x8::splat(simd, 1.0) / simd.narrow_f64x4(low.2, high.2);
    let [a, b] = square.half;
    Start {
        alpha: x * a * inverse,
        beta: z * b * inverse,
        a: inverse * (a * a),
        b: inverse * (b * b),
        scale: simd.narrow_f64x4(low.4, high.4),
        constant: [low.3, high.3],
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
    std::array::from_fn(|j| {
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
        sum
    })
}

/// Adds the cones `ids` over a square to `sums`.
pub(super) fn sum<S: Simd>(simd: S, peaks: &[Peak], ids: &[u32], square: &Square, sums: &mut Sums) {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut totals = [i32x8::splat(simd, 0); TERMS];
            let mut constant = 0_i64;
            for eight in ids.chunks(8) {
                let lanes = Lanes::gather(peaks, eight, square);
                let start = start(simd, &lanes, square);
                constant = constant.wrapping_add(rounded_sum(simd, start.constant));
                add_terms(simd, &start, &mut totals);
            }
            // Every lane of every batch carries the bits of MAGIC once.
            let batches = ids.len().div_ceil(8) as i32;
            let bias = (MAGIC.to_bits() as i32).wrapping_mul(batches.wrapping_mul(8));
            sums.constant = sums.constant.wrapping_add(constant);
            for k in 1..TERMS {
                let lanes = totals[k].to_array();
                let total = lanes.into_iter().fold(0_i32, i32::wrapping_add);
                sums.terms[k] = sums.terms[k].wrapping_add(total.wrapping_sub(bias));
            }
        },
    );
}

/// Adds the coefficients of eight cones, rounded, with the bits of [`MAGIC`].
#[inline(always)]
fn add_terms<S: Simd>(simd: S, start: &Start<S>, totals: &mut [i32x8<S>; TERMS]) {
    let g0 = [start.scale];
    let g1 = [start.alpha * start.scale, start.beta * start.scale];
    let g2: [_; 3] = next(start, &g1, &g0);
    let g3: [_; 4] = next(start, &g2, &g1);
    let g4: [_; 5] = next(start, &g3, &g2);
    let g5: [_; 6] = next(start, &g4, &g3);
    let g6: [_; 7] = next(start, &g5, &g4);
    let g7: [_; 8] = next(start, &g6, &g5);
    let mut add = |first: usize, part: &[f32x8<S>]| {
        for (k, &term) in part.iter().enumerate() {
            totals[first + k] += (term + MAGIC).bitcast::<i32x8<S>>();
        }
    };
    let _ = simd;
    add(1, &g1);
    add(3, &g2);
    add(6, &g3);
    add(10, &g4);
    add(15, &g5);
    add(21, &g6);
    add(28, &g7);
}

/// The sum of eight heights, each rounded to an integer of 1 / [`CONSTANT_SCALE`].
#[inline(always)]
pub(super) fn rounded_sum<S: Simd>(simd: S, heights: [f64x4<S>; 2]) -> i64 {
    let _ = simd;
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
    fn a_shifted_polynomial_has_the_values_of_its_parent() {
        let parent: Quintic = std::array::from_fn(|k| ((k * 7 + 3) % 11) as f64 - 5.0);
        for (east, south) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
            let child = shifted(&parent, east, south);
            for (s, t) in [(0.0, 0.0), (0.5, -0.25), (-1.0, 1.0), (0.3, 0.9)] {
                let expected = value(&parent, 0.5 * (s + east), 0.5 * (t + south));
                assert!((value(&child, s, t) - expected).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_sum_of_cones_is_the_cones_within_tolerance() {
        let peak = Peak {
            x: 40.0,
            z: 31.0,
            height: 1.0,
            slope: 1.0 / 200.0,
            outside2: 0.0,
            inside2: 0.0,
            far2: 0.0,
            cubic2: 0.0,
            quadratic2: 0.0,
        };
        let quantum = 1.0 / (1_u64 << 26) as f64;
        let square = Square { x: 0.0, z: 0.0, half: [8.0, 8.0], per_quantum: 1.0 / quantum };
        let mut sums = Sums::ZERO;
        let level = fearless_simd::Level::new();
        fearless_simd::dispatch!(level, simd => sum(simd, &[peak], &[0], &square, &mut sums));
        let quintic = sums.quintic(quantum);
        for (s, t) in [(0.0, 0.0), (1.0, 1.0), (-1.0, 1.0), (0.7, -0.9)] {
            let (x, z) = (8.0 * s - peak.x, 8.0 * t - peak.z);
            let expected = 1.0 - (x * x + z * z).sqrt() / 200.0;
            assert!((value(&quintic, s, t) - expected).abs() < 1e-6);
        }
    }
}
