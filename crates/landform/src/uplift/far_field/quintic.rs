//! Polynomials of order 5 over a node, and how the sums of its cones become one.
//!
//! Coefficients are kept four at a time: sⁱtʲ beside sⁱ⁺¹tʲ, sⁱtʲ⁺¹ and sⁱ⁺¹tʲ⁺¹ (i, j even), because what follows from
//! even powers stays even, so that the four go through the same steps.

use fearless_simd::{Simd, f64x4, prelude::*};

use super::scene::CONSTANT_SCALE;
use super::taylor::{Harmonic, ORDER, Sums, TERMS};

/// Number of coefficients, with three that stay 0: s³t³, s⁵t and st⁵.
pub(super) const QUINTIC: usize = 24;

/// Coefficients of sⁱtʲ, i + j ≤ 5, at [`index`]`(i, j)`.
pub(super) type Quintic = [f64; QUINTIC];

/// Where the coefficient of sⁱtʲ is.
pub(super) const fn index(i: usize, j: usize) -> usize {
    let (order, power) = (i / 2 + j / 2, j / 2);
    4 * (order * (order + 1) / 2 + power) + i % 2 + 2 * (j % 2)
}

/// The quintic of each [`Harmonic`]: a linear map that depends on the shape of the nodes alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conversion([[[f64; 4]; QUINTIC / 4]; TERMS / 4]);

impl Conversion {
    /// For nodes with Δz / Δx = `aspect`.
    pub(super) fn new(aspect: f64) -> Self {
        let mut conversion = [[[0.0; 4]; QUINTIC / 4]; TERMS / 4];
        // Lengths are in units of the longer side.
        let (width, depth) = (1.0_f64.min(1.0 / aspect), aspect.min(1.0));
        let power = |base: f64, n: usize| (0..n).fold(1.0, |product, _| product * base);
        for harmonic in Harmonic::all() {
            let mut polynomial = harmonic.polynomial();
            for j in 0..=ORDER {
                for i in 0..=ORDER - j {
                    polynomial[i][j] *= power(width, i) * power(depth, j);
                }
            }
            fold(&mut polynomial);
            let (slot, lane) = (harmonic.term() / 4, harmonic.term() % 4);
            for j in 0..6 {
                for i in 0..6 - j {
                    if index(i, j) % 4 == lane {
                        conversion[slot][index(i, j) / 4][lane] = polynomial[i][j];
                    }
                }
            }
        }
        Self(conversion)
    }

    /// Adds the polynomial of some sums, in units of `quantum`, to another.
    pub(super) fn add<S: Simd>(&self, simd: S, sums: &Sums, quantum: f64, quintic: &mut Quintic) {
        simd.vectorize(
            #[inline(always)]
            || {
                let mut own = [f64x4::splat(simd, 0.0); QUINTIC / 4];
                for (slot, rows) in self.0.iter().enumerate() {
                    let terms = &sums.terms[4 * slot..4 * slot + 4];
                    let terms = f64x4::simd_from(
                        simd,
                        [terms[0], terms[1], terms[2], terms[3]].map(f64::from),
                    );
                    for k in 0..QUINTIC / 4 {
                        own[k] += terms * f64x4::simd_from(simd, rows[k]);
                    }
                }
                for k in 0..QUINTIC / 4 {
                    let sum = &mut quintic[4 * k..4 * k + 4];
                    (f64x4::from_slice(simd, sum) + own[k] * quantum).store_slice(sum);
                }
                quintic[0] += sums.constant as f64 / CONSTANT_SCALE;
            },
        );
    }
}

/// Coefficients of sⁱtʲ up to order 7.
pub(super) type Polynomial = [[f64; ORDER + 1]; ORDER + 1];

/// Replaces sⁱtʲ of orders 6 and 7 by sⁱtʲ − TᵢTⱼ / 2ⁱ⁺ʲ⁻² (2ⁱ⁻¹ where j is 0), T the polynomials of Chebyshev: what is left
/// out is at most 1/16 of the term.
fn fold(polynomial: &mut Polynomial) {
    let mut chebyshev = [[0.0; ORDER + 1]; ORDER + 1];
    chebyshev[0][0] = 1.0;
    chebyshev[1][1] = 1.0;
    for n in 2..=ORDER {
        for k in 0..=ORDER {
            let doubled = if k > 0 { 2.0 * chebyshev[n - 1][k - 1] } else { 0.0 };
            chebyshev[n][k] = doubled - chebyshev[n - 2][k];
        }
    }
    for order in (6..=ORDER).rev() {
        for i in 0..=order {
            let j = order - i;
            let coefficient = polynomial[i][j] / (chebyshev[i][i] * chebyshev[j][j]);
            for a in 0..=i {
                for b in 0..=j {
                    polynomial[a][b] -= coefficient * chebyshev[i][a] * chebyshev[j][b];
                }
            }
        }
    }
}

/// The polynomial of a node in the coordinates of each of its four children.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Children([Quintic; 4]);

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
                // The four that lie side by side are 1, s, t and st times even powers.
                for k in 0..QUINTIC / 4 {
                    let [one, s, t, st] = [c[4 * k], c[4 * k + 1], c[4 * k + 2], c[4 * k + 3]];
                    let of_children = transposed([one, s * east, t * south, st * both]);
                    for q in 0..4 {
                        of_children[q].store_slice(&mut self.0[q][4 * k..4 * k + 4]);
                    }
                }
            },
        );
    }

    /// The polynomial of child 0 to 3.
    #[inline]
    pub(super) fn child(&self, q: usize) -> Quintic {
        self.0[q]
    }
}

/// Columns for rows.
#[inline(always)]
pub(super) fn transposed<S: Simd>([a, b, c, d]: [f64x4<S>; 4]) -> [f64x4<S>; 4] {
    let ((ac_low, ac_high), (bd_low, bd_high)) = (a.interleave(c), b.interleave(d));
    let ((first, second), (third, fourth)) =
        (ac_low.interleave(bd_low), ac_high.interleave(bd_high));
    [first, second, third, fourth]
}

/// 2⁻ⁿ
const HALVED: [f64; 6] = [1.0, 0.5, 0.25, 0.125, 0.0625, 0.03125];

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn value(c: &Quintic, s: f64, t: f64) -> f64 {
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
    fn every_coefficient_has_a_place_of_its_own() {
        let mut places: Vec<_> =
            (0..6).flat_map(|j| (0..6 - j).map(move |i| index(i, j))).collect();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), 21);
        assert!(places.iter().all(|&place| place < QUINTIC));
    }

    #[test]
    fn the_polynomial_of_a_child_has_the_values_of_its_parent() {
        let mut parent: Quintic = [0.0; QUINTIC];
        for j in 0..6 {
            for i in 0..6 - j {
                parent[index(i, j)] = ((i * 7 + j * 5 + 3) % 11) as f64 - 5.0;
            }
        }
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
}
