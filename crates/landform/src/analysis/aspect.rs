//! Which way slopes face: whether they prefer the directions of the lattice.
//!
//! ```text
//! c_n = mean of cos nθ         θ aspect, the direction that a slope faces, from the x axis
//! ```
//!
//! Real slopes face all directions, with a preference for that of their ranges, which goes into the second harmonic. A lattice of squares
//! looks the same after a quarter turn: what it does to a simulation shows in the fourth harmonic and its multiples. c_4 above 0 means that
//! slopes prefer the axes, below 0 the diagonals; c_8 above 0 that they prefer the eight directions over those between. Real land has
//! c_4 = 0.00 ± 0.03 and c_8 = 0.00 ± 0.01. Measured on heights that are blurred by a Gaussian of two samples, since differences of
//! neighbours have preferences of their own, where the slope is over 5°.

use crate::{Lattice, math, par};

/// Standard deviation of the blur, in samples, and how far it reaches.
const BLUR: f64 = 2.0;
const REACH: usize = 6;
/// Gentler slopes do not count, in degrees.
const GENTLE: f64 = 5.0;
/// The fewest slopes that tell anything.
const FEWEST: u32 = 2000;

/// c_4 and c_8; nothing where too little ground is steep.
pub fn aspect_harmonics(heights: &[f32], lattice: &Lattice) -> Option<[f64; 2]> {
    let [width, height] = lattice.size.map(|count| count as usize);
    let edge = REACH + 1;
    if width <= 2 * edge || height <= 2 * edge {
        return None;
    }
    let weights = weights();
    let blurred = blurred_down(&blurred_along(heights, width, &weights), width, &weights);
    let scale = lattice.spacing.map(|step| 0.5 / step);
    let least = math::tan(GENTLE.to_radians()) * math::tan(GENTLE.to_radians());
    let rows = par::map(height - 2 * edge, |k| {
        let j = edge + k;
        let row = |j: usize| &blurred[j * width..(j + 1) * width];
        let (north, here, south) = (row(j - 1), row(j), row(j + 1));
        let (mut count, mut sums) = (0, [0.0; 2]);
        for i in edge..width - edge {
            let x = f64::from(here[i + 1] - here[i - 1]) * scale[0];
            let z = f64::from(south[i] - north[i]) * scale[1];
            let square = x * x + z * z;
            if square > least {
                let second = (x * x - z * z) / square;
                let fourth = 2.0 * second * second - 1.0;
                count += 1;
                sums = [sums[0] + fourth, sums[1] + 2.0 * fourth * fourth - 1.0];
            }
        }
        (count, sums)
    });
    let (count, sums) = rows.into_iter().fold((0_u32, [0.0; 2]), |(count, sums), (more, add)| {
        (count + more, [sums[0] + add[0], sums[1] + add[1]])
    });
    (count >= FEWEST).then(|| sums.map(|sum| sum / f64::from(count)))
}

/// The Gaussian from its middle outwards.
fn weights() -> [f32; REACH + 1] {
    let bell = |k: usize| math::exp(-0.5 * (k as f64 / BLUR) * (k as f64 / BLUR));
    let sum = bell(0) + 2.0 * (1..=REACH).map(bell).sum::<f64>();
    std::array::from_fn(|k| (bell(k) / sum) as f32)
}

/// Blurs rows; samples too near to the border are left as they are.
fn blurred_along(heights: &[f32], width: usize, weights: &[f32; REACH + 1]) -> Vec<f32> {
    let mut out = heights.to_vec();
    par::for_each_row(&mut out, width, |j, out| {
        let row = &heights[j * width..(j + 1) * width];
        for i in REACH..width - REACH {
            let sides = (1..=REACH).map(|k| weights[k] * (row[i - k] + row[i + k]));
            out[i] = weights[0] * row[i] + sides.sum::<f32>();
        }
    });
    out
}

/// Blurs columns.
fn blurred_down(heights: &[f32], width: usize, weights: &[f32; REACH + 1]) -> Vec<f32> {
    let rows = heights.len() / width;
    let mut out = heights.to_vec();
    par::for_each_row(&mut out, width, |j, out| {
        if j < REACH || j + REACH >= rows {
            return;
        }
        let row = |j: usize| &heights[j * width..(j + 1) * width];
        out.iter_mut().for_each(|sample| *sample *= weights[0]);
        for k in 1..=REACH {
            for (sample, (&a, &b)) in out.iter_mut().zip(row(j - k).iter().zip(row(j + k))) {
                *sample += weights[k] * (a + b);
            }
        }
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cone_faces_all_directions_and_a_plane_one() {
        for spacing in [[10.0, 10.0], [25.0, 31.0]] {
            let lattice = Lattice { size: [241, 241], spacing };
            let ground = |height: &dyn Fn(f64, f64) -> f64| {
                let place = |k: usize| {
                    [
                        ((k % 241) as f64 - 120.0) * spacing[0],
                        ((k / 241) as f64 - 120.0) * spacing[1],
                    ]
                };
                (0..241 * 241).map(|k| height(place(k)[0], place(k)[1]) as f32).collect::<Vec<_>>()
            };
            // Only the disc that the lattice has all of is steep.
            let cone = ground(&|x, z| -0.5 * math::length(x, z).min(100.0 * spacing[0]));
            let [fourth, eighth] = aspect_harmonics(&cone, &lattice).unwrap();
            assert!(fourth.abs() < 0.01 && eighth.abs() < 0.01, "{fourth} {eighth}");
            for (degrees, expected) in
                [(0.0_f64, [1.0_f64, 1.0]), (22.5, [0.0, -1.0]), (45.0, [-1.0, 1.0])]
            {
                let angle = f64::to_radians(degrees);
                let plane = ground(&|x, z| 0.3 * (x * math::cos(angle) + z * math::sin(angle)));
                let found = aspect_harmonics(&plane, &lattice).unwrap();
                let off = |k: usize| (found[k] - expected[k]).abs();
                assert!(off(0) < 0.01 && off(1) < 0.01, "{degrees}°: {found:?}");
            }
        }
    }

    #[test]
    fn level_or_little_ground_has_no_aspect() {
        let lattice = Lattice { size: [100, 100], spacing: [1.0, 1.0] };
        assert_eq!(aspect_harmonics(&vec![3.0; 10_000], &lattice), None);
        let one = Lattice { size: [1, 1], spacing: [1.0, 1.0] };
        assert_eq!(aspect_harmonics(&[3.0], &one), None);
    }
}
