//! How rough the ground is at each wavelength: the slope of the power spectrum of its heights.
//!
//! ```text
//! P(k) ∝ k^−β        P mean power of the waves of k cycles a metre in any direction, over the plane of wave vectors
//! ```
//!
//! Ground that rivers and creep have shaped has a β of about 3 at long wavelengths and about 5 at short ones, where creep
//! wipes out what rivers cut (Perron, Kirchner & Dietrich 2008). Measured on the largest square of 2ⁿ samples in the middle,
//! less the plane that fits it best, faded out towards its border by Hann's window so that the border is no edge. β is the
//! slope of a line through the means of rings, four to an octave, by least squares on logarithms.

use crate::math::line_fit::fit_line;
use crate::{Lattice, math};

/// The largest square that is looked at, and the smallest that tells anything.
const MOST: usize = 1024;
const LEAST: usize = 64;
/// Wavelengths in samples that are short.
const SHORT: [f64; 2] = [4.0, 16.0];
/// Wavelengths in samples that are long begin here, and end at an eighth of the square: the window blurs longer ones.
const LONG: f64 = 20.0;
/// Rings to an octave.
const RINGS: f64 = 4.0;

/// β at short and at long wavelengths; nothing where there is too little ground, or no relief.
pub fn spectral_slopes(heights: &[f32], lattice: &Lattice) -> [Option<f64>; 2] {
    let [width, height] = lattice.size.map(|count| count as usize);
    let room = width.min(height).min(MOST);
    if room < LEAST {
        return [None; 2];
    }
    let side = 1 << room.ilog2();
    let (left, top) = ((width - side) / 2, (height - side) / 2);
    let row = |j: usize| &heights[(top + j) * width + left..][..side];
    let mut square: Vec<f64> =
        (0..side).flat_map(|j| row(j).iter().map(|&h| f64::from(h))).collect();
    fade(&mut square, side);
    let power = power(&square, side);
    let [dx, dz] = lattice.spacing;
    let rings = rings(&power, side, [1.0, dx / dz]);
    let slope = |[from, to]: [f64; 2]| {
        let within: Vec<(f64, f64)> = rings
            .iter()
            .copied()
            .filter(|&(k, _)| k > -math::ln(to) && k < -math::ln(from))
            .collect();
        fit_line(&within).map(|line| -line.slope)
    };
    [slope(SHORT), slope([LONG, side as f64 / 8.0])]
}

/// Takes the plane that fits best away, and lets the rest fade out towards the border.
fn fade(square: &mut [f64], side: usize) {
    let middle = (side - 1) as f64 / 2.0;
    let (mut mean, mut along, mut down, mut squares) = (0.0, 0.0, 0.0, 0.0);
    for (k, h) in square.iter().enumerate() {
        let (x, z) = ((k % side) as f64 - middle, (k / side) as f64 - middle);
        (mean, along, down, squares) = (mean + h, along + h * x, down + h * z, squares + x * x);
    }
    mean /= square.len() as f64;
    let window: Vec<f64> = (0..side)
        .map(|i| 0.5 - 0.5 * math::cos(std::f64::consts::TAU * (i as f64 + 0.5) / side as f64))
        .collect();
    for (k, h) in square.iter_mut().enumerate() {
        let (i, j) = (k % side, k / side);
        let plane = mean + (along * (i as f64 - middle) + down * (j as f64 - middle)) / squares;
        *h = (*h - plane) * window[i] * window[j];
    }
}

/// The square of the amplitude of each wave, by its number of cycles along x and z.
fn power(square: &[f64], side: usize) -> Vec<f64> {
    let mut waves: Vec<[f64; 2]> = square.iter().map(|&h| [h, 0.0]).collect();
    transform(&mut waves, side);
    waves.iter().map(|[re, im]| re * re + im * im).collect()
}

/// The discrete Fourier transform of a square: of its rows, and of those of the square turned about its diagonal.
fn transform(square: &mut Vec<[f64; 2]>, side: usize) {
    let turns: Vec<[f64; 2]> = (0..side / 2)
        .map(|k| -std::f64::consts::TAU * k as f64 / side as f64)
        .map(|angle| [math::cos(angle), math::sin(angle)])
        .collect();
    for _ in 0..2 {
        square.chunks_mut(side).for_each(|row| transform_row(row, &turns));
        *square = (0..square.len()).map(|k| square[(k % side) * side + k / side]).collect();
    }
}

/// The transform of 2ⁿ numbers in place (Cooley & Tukey 1965).
fn transform_row(row: &mut [[f64; 2]], turns: &[[f64; 2]]) {
    let count = row.len();
    let bits = count.ilog2();
    for k in 0..count {
        let turned = k.reverse_bits() >> (usize::BITS - bits);
        if turned > k {
            row.swap(k, turned);
        }
    }
    let mut half = 1;
    while half < count {
        let stride = count / (2 * half);
        for pair in row.chunks_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for (k, (a, b)) in low.iter_mut().zip(high).enumerate() {
                let [c, s] = turns[k * stride];
                let turned = [b[0] * c - b[1] * s, b[0] * s + b[1] * c];
                *b = [a[0] - turned[0], a[1] - turned[1]];
                *a = [a[0] + turned[0], a[1] + turned[1]];
            }
        }
        half *= 2;
    }
}

/// Logarithms of cycles a sample and of mean power, ring by ring. `scale` turns cycles along an axis into cycles a sample
/// along x.
fn rings(power: &[f64], side: usize, scale: [f64; 2]) -> Vec<(f64, f64)> {
    let cycles = |k: usize| if k > side / 2 { k as f64 - side as f64 } else { k as f64 };
    let mut sums = vec![(0_u32, 0.0, 0.0); 16 * RINGS as usize];
    for (k, &power) in power.iter().enumerate() {
        let (x, z) = (cycles(k % side) * scale[0], cycles(k / side) * scale[1]);
        let log = math::ln(math::length(x, z).max(1.0));
        let ring = (RINGS * log / std::f64::consts::LN_2) as usize;
        if k > 0 && ring < sums.len() {
            let sum = &mut sums[ring];
            *sum = (sum.0 + 1, sum.1 + log, sum.2 + power);
        }
    }
    sums.iter()
        .filter(|&&(count, _, power)| count > 0 && power > 0.0)
        .map(|&(count, log, power)| {
            let n = f64::from(count);
            (log / n - math::ln(side as f64), math::ln(power / n))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    /// Heights whose power falls with the wave number as `slope` says, with random phases.
    fn surface(side: usize, slope: impl Fn(f64) -> f64, seed: u64) -> Vec<f32> {
        let seed = Seed::new(seed);
        let cycles = |k: usize| if k > side / 2 { k as f64 - side as f64 } else { k as f64 };
        let mut waves: Vec<[f64; 2]> = (0..side * side)
            .map(|k| {
                let k_length = math::length(cycles(k % side), cycles(k / side));
                let phase = std::f64::consts::TAU * seed.uniform(k as u64);
                let amplitude = if k == 0 { 0.0 } else { slope(k_length).sqrt() };
                [amplitude * math::cos(phase), amplitude * math::sin(phase)]
            })
            .collect();
        transform(&mut waves, side);
        waves.iter().map(|wave| wave[0] as f32).collect()
    }

    #[test]
    fn the_slope_of_a_surface_of_known_spectrum_is_found() {
        let side = 1024;
        let lattice = Lattice { size: [side as u32; 2], spacing: [30.0, 30.0] };
        for (seed, beta) in [(1, 2.0), (2, 3.0), (3, 4.0), (4, 5.0)] {
            let heights = surface(side, |k| math::pow(k, -beta), seed);
            for found in spectral_slopes(&heights, &lattice) {
                let found = found.unwrap();
                assert!((found - beta).abs() < 0.3, "{found} instead of {beta}");
            }
        }
    }

    #[test]
    fn short_and_long_wavelengths_are_told_apart() {
        let side = 1024;
        let lattice = Lattice { size: [side as u32, side as u32], spacing: [30.0, 30.0] };
        // The slope changes at 20 samples.
        let bend = side as f64 / 20.0;
        let broken =
            |k: f64| if k < bend { math::pow(k / bend, -3.0) } else { math::pow(k / bend, -5.0) };
        let [short, long] =
            spectral_slopes(&surface(side, broken, 9), &lattice).map(Option::unwrap);
        assert!((short - 5.0).abs() < 0.3 && (long - 3.0).abs() < 0.4, "{short} {long}");
    }

    #[test]
    fn little_or_level_ground_has_no_slope() {
        let small = Lattice { size: [40, 900], spacing: [1.0, 1.0] };
        assert_eq!(spectral_slopes(&vec![1.0; 36_000], &small), [None, None]);
        let level = Lattice { size: [128, 128], spacing: [1.0, 1.0] };
        assert_eq!(spectral_slopes(&vec![0.0; 128 * 128], &level), [None, None]);
    }
}
