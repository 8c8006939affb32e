//! Sums of cones over a node as one polynomial.
//!
//! With d₀ and θ the distance and the direction from the apex to the centre of a node, ρ and ψ the same from the centre to a
//! sample, and h = ρ/d₀,
//!
//! ```text
//! d = d₀·|1 + h·e^i(ψ−θ)| = d₀ Σₐ Σ_b γₐ γ_b hᵃ⁺ᵇ cos((a − b)(ψ − θ))      √(1 + x) = Σ γₖ xᵏ
//! ```
//!
//! so that a cone is one number d₀¹⁻ⁿ·cos mθ or d₀¹⁻ⁿ·sin mθ for each order n and each m = n, n − 2, …, times a polynomial that
//! is the same for all cones ([`Harmonic`]). These numbers are summed, eight cones at once, orders 1 to 7. Each is rounded to an integer
//! before it is summed, so that neither the order of the cones nor the history of edits matters. One linear map then makes a
//! quintic of them, orders 6 and 7 folded into the lower ones ([`Conversion`](super::quintic::Conversion)).

use fearless_simd::{Simd, f32x8, f64x4, i32x8, prelude::*};

use super::quintic::Polynomial;
use super::scene::{CONSTANT_SCALE, Peak};
use super::tree::{List, gather};
use crate::math::rounding::{SHIFT_SINGLE, nearest_four};

/// Highest order that is summed.
pub(super) const ORDER: usize = 7;
/// Number of sums of a node, with five that stay 0.
pub(super) const TERMS: usize = 40;

/// One of the numbers that make up a cone over a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Harmonic {
    /// From 1 to [`ORDER`].
    order: usize,
    /// m: as even as the order, and not above it.
    turns: usize,
    wave: Wave,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Wave {
    Cosine,
    Sine,
}

impl Harmonic {
    /// All of them.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (1..=ORDER).flat_map(|order| {
            let turns = (order % 2..=order).step_by(2);
            turns.flat_map(move |turns| {
                let sine = (turns > 0).then_some(Self { order, turns, wave: Wave::Sine });
                std::iter::once(Self { order, turns, wave: Wave::Cosine }).chain(sine)
            })
        })
    }

    /// Where its sum is: the remainder by 4 tells which powers of s and t it has, as in
    /// [`index`](super::quintic::index).
    pub(super) const fn term(self) -> usize {
        let Self { order, turns, wave } = self;
        let half = order.div_ceil(2);
        match (wave, order % 2) {
            (Wave::Cosine, 0) => 4 * (half * (half + 1) / 2 - 1 + turns / 2),
            (Wave::Cosine, _) => 4 * (half * (half - 1) / 2 + turns / 2) + 1,
            (Wave::Sine, 1) => 4 * (half * (half - 1) / 2 + turns / 2) + 2,
            (Wave::Sine, _) => 4 * (half * (half - 1) / 2 + turns / 2 - 1) + 3,
        }
    }

    /// What it is multiplied by, a polynomial of its order: 2γₐγ_b(s² + t²)ᵇ times the real or the imaginary part of (s + it)ᵐ,
    /// without the 2 if m is 0.
    pub(super) fn polynomial(self) -> Polynomial {
        let Self { order, turns, wave } = self;
        let b = (order - turns) / 2;
        let weight = GAMMA[order - b] * GAMMA[b] * if turns > 0 { 2.0 } else { 1.0 };
        // (s + it)^m, times (s² + t²) b times.
        let (mut real, mut imaginary) = (Polynomial::default(), Polynomial::default());
        real[0][0] = weight;
        for _ in 0..turns {
            let [rs, rt] = [times(&real, 1, 0), times(&real, 0, 1)];
            let [is, it] = [times(&imaginary, 1, 0), times(&imaginary, 0, 1)];
            (real, imaginary) = (sum_of(&rs, &it, -1.0), sum_of(&is, &rt, 1.0));
        }
        let mut polynomial = if wave == Wave::Cosine { real } else { imaginary };
        for _ in 0..b {
            polynomial = sum_of(&times(&polynomial, 2, 0), &times(&polynomial, 0, 2), 1.0);
        }
        polynomial
    }
}

/// γₖ: √(1 + x) = Σ γₖ xᵏ.
const GAMMA: [f64; ORDER + 1] = [
    1.0,
    1.0 / 2.0,
    -1.0 / 8.0,
    1.0 / 16.0,
    -5.0 / 128.0,
    7.0 / 256.0,
    -21.0 / 1024.0,
    33.0 / 2048.0,
];

/// A polynomial times sᵃtᵇ, orders above the highest left out.
fn times(polynomial: &Polynomial, a: usize, b: usize) -> Polynomial {
    let mut product = Polynomial::default();
    for i in a..=ORDER {
        for j in b..=ORDER {
            product[i][j] = polynomial[i - a][j - b];
        }
    }
    product
}

/// one + factor·other
fn sum_of(one: &Polynomial, other: &Polynomial, factor: f64) -> Polynomial {
    let mut sum = *one;
    for (sum, other) in sum.as_flattened_mut().iter_mut().zip(other.as_flattened()) {
        *sum += factor * other;
    }
    sum
}

/// The sums of a node: exact integers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub(super) struct Sums {
    /// In units of the largest height / [`CONSTANT_SCALE`].
    pub(super) constant: i64,
    /// In units of the node's quantum, at [`Harmonic::term`].
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
}

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

/// Eight cones as seen from the centre of a square.
pub(super) struct Start<S: Simd> {
    /// cos θ and sin θ.
    cosine: f32x8<S>,
    sine: f32x8<S>,
    /// Half of the square's longer side over d₀.
    ratio: f32x8<S>,
    /// −slope·d₀ in quanta.
    pub(super) scale: f32x8<S>,
    /// slope·(r − d₀) in units of the largest height.
    constant: [f64x4<S>; 2],
}

/// Looks at eight cones from the centre of a square.
#[inline(always)]
pub(super) fn look<S: Simd>(simd: S, p: [&Peak; 8], square: &Square) -> Start<S> {
    let centre = [f64x4::splat(simd, square.x), f64x4::splat(simd, square.z)];
    let mut constant = [f64x4::splat(simd, 0.0); 2];
    let (mut x, mut z, mut slope) = (constant, constant, constant);
    for k in 0..2 {
        let [a, b, c, d] = [p[4 * k], p[4 * k + 1], p[4 * k + 2], p[4 * k + 3]];
        x[k] = centre[0] - f64x4::simd_from(simd, [a.x, b.x, c.x, d.x]);
        z[k] = centre[1] - f64x4::simd_from(simd, [a.z, b.z, c.z, d.z]);
        slope[k] = f64x4::simd_from(simd, [a.slope, b.slope, c.slope, d.slope]);
        let radius = f64x4::simd_from(simd, [a.radius, b.radius, c.radius, d.radius]);
        constant[k] = slope[k] * (radius - (x[k] * x[k] + z[k] * z[k]).sqrt());
        slope[k] *= -square.per_quantum;
    }
    // Again in f32, so that nothing waits for the roots above.
    let (x, z) = (simd.narrow_f64x4(x[0], x[1]), simd.narrow_f64x4(z[0], z[1]));
    let distance2 = x * x + z * z;
    let distance = distance2.sqrt();
    let inverse = (1.0 / distance2) * distance;
    Start {
        cosine: x * inverse,
        sine: z * inverse,
        ratio: inverse * square.half[0].max(square.half[1]),
        scale: simd.narrow_f64x4(slope[0], slope[1]) * distance,
        constant,
    }
}

/// Memory for sums while cones are added, a cone per lane.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Totals([[i32; 8]; TERMS]);

impl Default for Totals {
    fn default() -> Self {
        Self([[0; 8]; TERMS])
    }
}

impl Totals {
    /// The sums of some cones over a square.
    pub(super) fn sum<S: Simd>(
        &mut self,
        simd: S,
        peaks: &[Peak],
        list: &List,
        square: &Square,
    ) -> Sums {
        let mut sums = Sums::ZERO;
        let Some((first, others)) = list.eights().split_first() else { return sums };
        simd.vectorize(
            #[inline(always)]
            || {
                let mut constants = Constants::new(simd);
                let start = look(simd, gather(peaks, first), square);
                constants.add(simd, &start);
                self.add::<S, true>(simd, &start);
                for ids in others {
                    let start = look(simd, gather(peaks, ids), square);
                    constants.add(simd, &start);
                    self.add::<S, false>(simd, &start);
                }
                sums.constant = constants.sum();
                // Every lane of every eight carries the bits of SHIFT_SINGLE once.
                let bias =
                    (SHIFT_SINGLE.to_bits() as i32).wrapping_mul(8 * list.eights().len() as i32);
                let (totals, terms) = (self.0.as_chunks().0, sums.terms.as_chunks_mut().0);
                for (totals, terms) in totals.iter().zip(terms) {
                    *terms = (across(simd, totals) - bias).to_array();
                }
                for unused in UNUSED {
                    sums.terms[unused] = 0;
                }
            },
        );
        sums
    }

    /// Adds the numbers of eight cones, rounded, with the bits of [`SHIFT_SINGLE`].
    #[inline(always)]
    fn add<S: Simd, const IS_FIRST: bool>(&mut self, simd: S, start: &Start<S>) {
        let waves = multiples(simd, start.cosine, start.sine);
        let ratio2 = start.ratio * start.ratio;
        let (first, second) = (start.scale * start.ratio, start.scale * ratio2);
        let (third, fourth) = (first * ratio2, second * ratio2);
        let (fifth, sixth) = (third * ratio2, fourth * ratio2);
        self.add_order::<S, 1, IS_FIRST>(simd, first, &waves);
        self.add_order::<S, 2, IS_FIRST>(simd, second, &waves);
        self.add_order::<S, 3, IS_FIRST>(simd, third, &waves);
        self.add_order::<S, 4, IS_FIRST>(simd, fourth, &waves);
        self.add_order::<S, 5, IS_FIRST>(simd, fifth, &waves);
        self.add_order::<S, 6, IS_FIRST>(simd, sixth, &waves);
        self.add_order::<S, 7, IS_FIRST>(simd, fifth * ratio2, &waves);
    }

    /// Adds the numbers of one order, from −slope·d₀ times a power of the ratio.
    #[inline(always)]
    fn add_order<S: Simd, const ORDER: usize, const IS_FIRST: bool>(
        &mut self,
        simd: S,
        radial: f32x8<S>,
        [cosines, sines]: &[[f32x8<S>; 8]; 2],
    ) {
        for k in 0..=ORDER / 2 {
            let turns = ORDER % 2 + 2 * k;
            let to = Harmonic { order: ORDER, turns, wave: Wave::Cosine }.term();
            self.add_to::<S, IS_FIRST>(simd, to, radial * cosines[turns]);
            if turns > 0 {
                let to = Harmonic { order: ORDER, turns, wave: Wave::Sine }.term();
                self.add_to::<S, IS_FIRST>(simd, to, radial * sines[turns]);
            }
        }
    }

    #[inline(always)]
    fn add_to<S: Simd, const IS_FIRST: bool>(&mut self, simd: S, to: usize, number: f32x8<S>) {
        let mut sum = (number + SHIFT_SINGLE).bitcast::<i32x8<S>>();
        // What the first finds here is left from another node.
        if !IS_FIRST {
            sum += i32x8::simd_from(simd, self.0[to]);
        }
        self.0[to] = sum.to_array();
    }
}

/// Places of no [`Harmonic`].
const UNUSED: [usize; 5] = [27, 31, 35, 36, 39];

/// The sum over the lanes of each of eight vectors.
#[inline(always)]
fn across<S: Simd>(simd: S, lanes: &[[i32; 8]; 8]) -> i32x8<S> {
    let mut v = [i32x8::splat(simd, 0); 8];
    for k in 0..8 {
        v[k] = i32x8::simd_from(simd, lanes[k]);
    }
    let [ab, cd] = [halved(v[0], v[1]), halved(v[2], v[3])];
    let [ef, gh] = [halved(v[4], v[5]), halved(v[6], v[7])];
    halved(halved(ab, cd), halved(ef, gh))
}

/// The sums of neighbouring lanes, first of one vector, then of the other.
#[inline(always)]
fn halved<S: Simd>(a: i32x8<S>, b: i32x8<S>) -> i32x8<S> {
    a.unzip_low(b) + a.unzip_high(b)
}

/// cos mθ and sin mθ, in few steps one after the other.
#[inline(always)]
fn multiples<S: Simd>(simd: S, c1: f32x8<S>, s1: f32x8<S>) -> [[f32x8<S>; ORDER + 1]; 2] {
    let (one, zero) = (f32x8::splat(simd, 1.0), f32x8::splat(simd, 0.0));
    let doubled = c1 + c1;
    let (c2, s2) = (doubled * c1 - one, doubled * s1);
    let (c3, s3) = (doubled * c2 - c1, doubled * s2 - s1);
    let doubled = c2 + c2;
    let (c4, s4) = (doubled * c2 - one, doubled * s2);
    let (c5, s5) = (doubled * c3 - c1, doubled * s3 - s1);
    let doubled = c3 + c3;
    let (c6, s6) = (doubled * c3 - one, doubled * s3);
    let (c7, s7) = (doubled * c4 - c1, doubled * s4 - s1);
    [[one, c1, c2, c3, c4, c5, c6, c7], [zero, s1, s2, s3, s4, s5, s6, s7]]
}

/// Levels of cones at the centre of a square, each rounded to an integer of 1 / [`CONSTANT_SCALE`] and summed.
pub(super) struct Constants<S: Simd> {
    /// An f64 sums a few thousand such integers without error.
    lanes: [f64x4<S>; 2],
    count: u32,
    sum: i64,
}

impl<S: Simd> Constants<S> {
    /// Sums of so many integers of 40 bits are below 2⁵³.
    const EXACT: u32 = 4096;

    #[inline(always)]
    pub(super) fn new(simd: S) -> Self {
        Self { lanes: [f64x4::splat(simd, 0.0); 2], count: 0, sum: 0 }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, simd: S, start: &Start<S>) {
        for k in 0..2 {
            self.lanes[k] += nearest_four(start.constant[k] * CONSTANT_SCALE);
        }
        self.count += 1;
        if self.count == Self::EXACT {
            *self = Self { sum: self.sum(), ..Self::new(simd) };
        }
    }

    #[inline(always)]
    pub(super) fn sum(&self) -> i64 {
        let lanes = self.lanes.map(|lanes| lanes.to_array());
        lanes.as_flattened().iter().fold(self.sum, |sum, &lane| sum + lane as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::super::quintic::{Conversion, QUINTIC, tests::value};
    use super::*;

    #[test]
    fn every_number_of_a_cone_has_a_place_of_its_own() {
        let mut places: Vec<_> = Harmonic::all().map(Harmonic::term).chain(UNUSED).collect();
        places.sort_unstable();
        assert_eq!(places, (0..TERMS).collect::<Vec<_>>());
    }

    #[test]
    fn a_sum_of_cones_is_the_cones_within_tolerance() {
        let quantum = 1.0 / (1_u64 << 26) as f64;
        for (x, z, aspect) in [(40.0, 31.0, 1.0), (-40.0, 31.0, 1.25), (12.0, -60.0, 0.75)] {
            let peak = Peak { x, z, radius: 200.0, slope: 1.0 / 200.0, ..Peak::NONE };
            let square = Square {
                x: 0.0,
                z: 0.0,
                half: [8.0, 8.0 * aspect as f32],
                samples: [3.5, 3.5 * aspect as f32],
                per_quantum: 1.0 / quantum,
            };
            let list = List::new([1].into_iter());
            let level = fearless_simd::Level::new();
            let peaks = [Peak::NONE, peak];
            let mut quintic = [0.0; QUINTIC];
            let conversion = Conversion::new(aspect);
            fearless_simd::dispatch!(level, simd => {
                let sums = Totals::default().sum(simd, &peaks, &list, &square);
                conversion.add(simd, &sums, quantum, &mut quintic);
            });
            for (s, t) in [(0.0, 0.0), (1.0, 1.0), (-1.0, 1.0), (0.7, -0.9)] {
                let d = crate::math::length(8.0 * s - x, 8.0 * aspect * t - z);
                let expected = 1.0 - d / 200.0;
                assert!((value(&quintic, s, t) - expected).abs() < 1e-6, "{x} {z} {s} {t}");
            }
        }
    }
}
