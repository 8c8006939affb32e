//! Fractal sums: how octaves of noise become a height.
//!
//! With N_k the noise of octave k, w = l^−H (l the lacunarity, H the fractal increment), c_t the shift, c_s the
//! scale and c_0 the offset:
//!
//! ```text
//! fbm             a = c_0 + Σ (N_k + c_t) c_s w^k
//! billow          a = c_0 + Σ (|N_k| + c_t) c_s w^k
//! ridged          a = c_0 + Σ (r_k + c_t) c_s w^k,   r_k = (1 − |N_k|)² min(1, f r_k−1),   r_−1 = 1
//! multiplicative  a_0 = (N_0 + c_t) c_s + c_0,       a_k = a_k−1 + a_k−1 (N_k + c_t) c_s w^k
//! ```
//!
//! In the multiplicative form high ground is rough and low ground smooth (Musgrave et al. 1989); the ridged form
//! has its detail on the crests, more so the smaller f, the feedback, is.
//!
//! An octave too fine for the output keeps its mean, so that a coarser output is the same terrain with less
//! detail and not a lower one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::octave::{BLOCK, Basis, Octave, Row};
use crate::Seed;

/// How octaves of noise become a height.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sum {
    /// Fractional Brownian motion: every octave adds its hills everywhere.
    Fbm,
    /// Each octave is scaled by the height so far: rough heights above smooth valleys.
    Multiplicative,
    /// Sharp crests, with the detail on them.
    Ridged,
    /// Rounded domes with sharp valleys between them.
    Billow,
}

impl Sum {
    /// What the sum makes of the noise of one octave.
    #[inline(always)]
    fn shape(self, noise: f32) -> f32 {
        match self {
            Self::Fbm | Self::Multiplicative => noise,
            Self::Billow => noise.abs(),
            Self::Ridged => {
                let ridge = 1.0 - noise.abs();
                ridge * ridge
            }
        }
    }

    /// The mean of [`Sum::shape`] over the plane, from many points where it is not 0 by symmetry.
    pub(crate) fn mean_shape(self, basis: Basis) -> f32 {
        if matches!(self, Self::Fbm | Self::Multiplicative) && basis != Basis::Cellular {
            return 0.0;
        }
        let octave = Octave::series(Seed::new(0), basis, (1.0, 2.0), 1, [0.1, 0.1])[0];
        let side = 128;
        let mut sum = 0.0;
        for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
            let (x, z) = (f64::from(i) * 0.61, f64::from(j) * 0.61);
            sum += f64::from(self.shape(octave.at(x, z)));
        }
        (sum / f64::from(side * side)) as f32
    }
}

/// The constants of a sum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    pub(crate) sum: Sum,
    /// c_t.
    pub(crate) shift: f32,
    /// c_s.
    pub(crate) scale: f32,
    /// f.
    pub(crate) feedback: f32,
    /// What an octave is where the output cannot show it.
    pub(crate) mean: f32,
}

/// The sums in a row of samples, as they grow.
#[derive(Clone, Debug)]
pub(crate) struct Growing {
    /// a_k.
    pub(crate) height: Row,
    /// min(1, f r_k−1).
    follow: Row,
    /// w^k.
    power: Row,
}

impl Growing {
    /// Nothing yet but the offset.
    pub(crate) fn new(offset: &Row) -> Self {
        Self { height: *offset, follow: [1.0; BLOCK], power: [1.0; BLOCK] }
    }

    /// Adds octave `k`, of which the output shows `share`; `gain` is w.
    #[inline(always)]
    pub(crate) fn add(&mut self, terms: &Terms, k: usize, share: f32, noise: &Row, gain: &Row) {
        match terms.sum {
            Sum::Fbm => self.grow(terms, Sum::Fbm, k, share, noise, gain),
            Sum::Multiplicative => self.grow(terms, Sum::Multiplicative, k, share, noise, gain),
            Sum::Ridged => self.grow(terms, Sum::Ridged, k, share, noise, gain),
            Sum::Billow => self.grow(terms, Sum::Billow, k, share, noise, gain),
        }
    }

    /// As [`Growing::add`]; the sum is its own argument so that each gets its own loop.
    #[inline(always)]
    fn grow(&mut self, terms: &Terms, sum: Sum, k: usize, share: f32, noise: &Row, gain: &Row) {
        let Terms { shift, scale, feedback, mean, .. } = *terms;
        let multiplies = sum == Sum::Multiplicative && k > 0;
        for c in 0..BLOCK {
            let mut shape = sum.shape(noise[c]);
            shape = if share < 1.0 { mean + share * (shape - mean) } else { shape };
            if sum == Sum::Ridged {
                shape *= self.follow[c];
                self.follow[c] = (shape * feedback).min(1.0);
            }
            let term = (shape + shift) * scale * self.power[c];
            self.height[c] += if multiplies { self.height[c] * term } else { term };
            self.power[c] *= gain[c];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(f: impl Fn(usize) -> f32) -> Row {
        std::array::from_fn(f)
    }

    #[test]
    fn the_multiplicative_form_is_the_one_of_the_paper() {
        let noise: Vec<Row> =
            (0..6).map(|k| row(|c| ((c * 37 + k * 11) % 101) as f32 / 51.0 - 1.0)).collect();
        let terms =
            Terms { sum: Sum::Multiplicative, shift: 0.3, scale: 0.8, feedback: 2.0, mean: 0.0 };
        let (c_t, c_s, c_0, w) = (0.3_f64, 0.8_f64, 0.25_f64, 0.55_f64);
        let mut growing = Growing::new(&row(|_| c_0 as f32));
        for (k, noise) in noise.iter().enumerate() {
            growing.add(&terms, k, 1.0, noise, &row(|_| w as f32));
        }
        for c in 0..BLOCK {
            let n = |i: usize| f64::from(noise[i][c]);
            let mut a = (n(0) + c_t) * c_s + c_0;
            let mut power = 1.0;
            for i in 1..6 {
                power *= w;
                a += a * (n(i) + c_t) * c_s * power;
            }
            let got = f64::from(growing.height[c]);
            assert!((got - a).abs() <= 2e-6 * a.abs().max(1.0), "{got} {a}");
        }
    }

    #[test]
    fn ridges_are_where_the_noise_is_zero_and_detail_follows_them() {
        let terms = Terms { sum: Sum::Ridged, shift: 0.0, scale: 1.0, feedback: 2.0, mean: 0.0 };
        let mut growing = Growing::new(&row(|_| 0.0));
        growing.add(&terms, 0, 1.0, &row(|c| if c == 0 { 0.0 } else { -0.9 }), &row(|_| 0.5));
        growing.add(&terms, 1, 1.0, &row(|_| 0.0), &row(|_| 0.5));
        assert_eq!(growing.height[0], 1.0 + 0.5);
        assert!((growing.height[1] - (0.01 + 0.02 * 0.5)).abs() < 1e-6);
    }

    #[test]
    fn an_octave_that_cannot_be_shown_leaves_its_mean() {
        for sum in [Sum::Fbm, Sum::Billow, Sum::Ridged, Sum::Multiplicative] {
            let mean = sum.mean_shape(Basis::Perlin);
            let terms = Terms { sum, shift: 0.0, scale: 1.0, feedback: 2.0, mean };
            let mut growing = Growing::new(&row(|_| 0.0));
            growing.add(&terms, 0, 0.0, &row(|c| c as f32), &row(|_| 0.5));
            assert_eq!(growing.height, row(|_| mean));
        }
        let [plain, ridged] = [Sum::Fbm, Sum::Ridged].map(|sum| sum.mean_shape(Basis::Perlin));
        assert!(plain.abs() < 0.02 && (0.4..0.7).contains(&ridged), "{plain} {ridged}");
    }
}
