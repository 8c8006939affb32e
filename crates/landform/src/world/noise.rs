//! Gradient noise in space (Perlin 1985, with the fade of 2002), for surfaces without an edge.
//!
//! On a sphere the noise is looked up at the point in space, so there is no seam and no pole. On a flat map it is looked up in a
//! plane of space whose lattice repeats after the width and depth of the map where that wraps.

use super::surface::Point;
use crate::fractal::lattice::{fade, lerp};
use crate::topology::Topology;
use crate::{Lattice, Seed, math};

/// Where noise is looked up, and how it repeats.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoiseSpace {
    /// Lattice cells a unit of a point, at the longest wavelength: along x, y and z.
    scale: [f64; 3],
    /// Lattice cells after which the noise repeats, at the longest wavelength; 0 for never.
    period: [i32; 3],
}

impl NoiseSpace {
    /// Noise whose largest features are about `wavelength` metres wide.
    pub(crate) fn new(topology: Topology, lattice: &Lattice, wavelength: f64) -> Self {
        let ground = lattice.ground().map(|length| length.max(1e-6));
        if topology == Topology::Sphere {
            let radius = ground[0] / std::f64::consts::TAU;
            return Self { scale: [radius / wavelength; 3], period: [0; 3] };
        }
        let wraps = topology.wraps();
        let along = |axis: usize| {
            let count = ground[axis] / wavelength;
            if wraps[axis] {
                let count = count.round().clamp(1.0, 1e6);
                (count / ground[axis], count as i32)
            } else {
                (1.0 / wavelength, 0)
            }
        };
        let ((sx, px), (sz, pz)) = (along(0), along(1));
        Self { scale: [sx, 0.0, sz], period: [px, 0, pz] }
    }

    /// The coordinates of a point at the longest wavelength.
    #[inline]
    pub(crate) fn at(&self, p: Point) -> Point {
        [p[0] * self.scale[0], p[1] * self.scale[1] + 0.37, p[2] * self.scale[2]]
    }
}

/// A series of octaves of noise: each of half the wavelength of the one before.
#[derive(Clone, Debug)]
pub(crate) struct Octaves {
    space: NoiseSpace,
    keys: Vec<u32>,
    /// Height of each octave.
    weights: Vec<f32>,
}

impl Octaves {
    /// Octaves from `longest` metres down to where samples `spacing` metres apart no longer show them, at most
    /// `most`; an octave is 2^−h as high as the one before.
    pub(crate) fn new(
        (topology, lattice): (Topology, &Lattice),
        (longest, spacing): (f64, f64),
        h: f64,
        most: u32,
        seed: Seed,
    ) -> Self {
        let mut weights = Vec::new();
        for k in 0..most {
            let wavelength = longest / f64::from(1_u32 << k.min(30));
            // Faded out between two samples and one sample a wavelength.
            let share = math::smoothstep(1.0, 3.0, wavelength / spacing);
            if share == 0.0 {
                break;
            }
            weights.push((math::pow(0.5, h * f64::from(k)) * share) as f32);
        }
        let keys = (0..u64::from(most)).map(|k| seed.bits(k) as u32).collect();
        Self { space: NoiseSpace::new(topology, lattice, longest), keys, weights }
    }

    /// How much of octave k is left at samples `spacing` metres apart that it was not made for: a coarser map.
    pub(crate) fn count(&self) -> usize {
        self.weights.len()
    }

    /// The plain sum.
    #[inline]
    pub(crate) fn fbm(&self, p: Point) -> f32 {
        let mut at = self.space.at(p);
        let mut period = self.space.period;
        let mut sum = 0.0;
        for (weight, &key) in self.weights.iter().zip(&self.keys) {
            sum += weight * noise(key, at, period);
            at = at.map(|c| 2.0 * c);
            period = period.map(|c| 2 * c);
        }
        sum
    }

    /// Crests with their detail on them, 0 to about 1.
    #[inline]
    pub(crate) fn ridged(&self, p: Point) -> f32 {
        let mut at = self.space.at(p);
        let mut period = self.space.period;
        let (mut sum, mut follow) = (0.0, 1.0_f32);
        for (weight, &key) in self.weights.iter().zip(&self.keys) {
            let crest = 1.0 - (1.6 * noise(key, at, period)).abs().min(1.0);
            let ridge = crest * crest * follow;
            sum += weight * ridge;
            follow = (2.0 * ridge).min(1.0);
            at = at.map(|c| 2.0 * c);
            period = period.map(|c| 2 * c);
        }
        0.5 * sum
    }
}

/// The largest whole number not above x. Without the instruction that not every machine has, `floor` is a call.
#[inline(always)]
pub(crate) fn floor(x: f64) -> i64 {
    let cut = x as i64;
    cut - i64::from((cut as f64) > x)
}

/// Noise at a point of the lattice `key`, −1 to 1.
#[inline]
pub(crate) fn noise(key: u32, p: Point, period: [i32; 3]) -> f32 {
    let mut cell = [0_i32; 3];
    let mut next = [0_i32; 3];
    let mut f = [0.0_f32; 3];
    for axis in 0..3 {
        let below = floor(p[axis]);
        f[axis] = (p[axis] - below as f64) as f32;
        let k = below as i32;
        (cell[axis], next[axis]) = if period[axis] > 0 {
            (k.rem_euclid(period[axis]), (k.wrapping_add(1)).rem_euclid(period[axis]))
        } else {
            (k, k.wrapping_add(1))
        };
    }
    let scatter = |k: i32, salt: u32| {
        let z = (k as u32).wrapping_mul(0x9E37_79B1) ^ salt;
        (z ^ (z >> 16)).wrapping_mul(0x85EB_CA6B)
    };
    let xs = [scatter(cell[0], key), scatter(next[0], key)];
    let ys = [cell[1], next[1]].map(|k| scatter(k, key ^ 0x5BD1_E995));
    let zs = [cell[2], next[2]].map(|k| scatter(k, key ^ 0x1B87_3593));
    let fades = f.map(fade);
    let mut corners = [0.0_f32; 8];
    for (k, corner) in corners.iter_mut().enumerate() {
        let (i, j, l) = (k & 1, (k >> 1) & 1, k >> 2);
        let z = xs[i].wrapping_add(ys[j]).wrapping_add(zs[l]);
        let z = (z ^ (z >> 16)).wrapping_mul(0x7FEB_352D);
        let bits = z ^ (z >> 15);
        // Three components of ten bits each: a vector in a cube, long enough to differ in strength.
        let part = |shift: u32| ((bits >> shift) & 1023) as i32 as f32 * (2.0 / 1023.0) - 1.0;
        let d = |axis: usize, side: usize| f[axis] - side as f32;
        *corner = part(0) * d(0, i) + part(10) * d(1, j) + part(20) * d(2, l);
    }
    let x = |k: usize| lerp(corners[k], corners[k + 1], fades[0]);
    let (y0, y1) = (lerp(x(0), x(2), fades[1]), lerp(x(4), x(6), fades[1]));
    // Brings the deviation to about 0.3, that of the noise in the plane.
    1.25 * lerp(y0, y1, fades[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_smooth_bounded_and_repeats_where_the_map_does() {
        let (mut sum, mut most) = (0.0_f64, 0.0_f32);
        for k in 0..20_000 {
            let k = f64::from(k);
            let p = [k * 0.137 - 700.0, k * 0.071, k * 0.0313];
            let n = noise(7, p, [0; 3]);
            let step = noise(7, [p[0] + 1e-3, p[1], p[2]], [0; 3]) - n;
            assert!(step.abs() < 8e-3);
            sum += f64::from(n) * f64::from(n);
            most = most.max(n.abs());
        }
        let deviation = (sum / 20_000.0).sqrt();
        assert!((0.2..0.4).contains(&deviation), "{deviation}");
        assert!(most < 1.5, "{most}");
        let lattice = Lattice { size: [65, 33], spacing: [100.0, 100.0] };
        let place = (Topology::Torus, &lattice);
        let octaves = Octaves::new(place, (900.0, 10.0), 1.0, 6, Seed::new(2));
        let a = octaves.fbm([0.0, 0.0, 700.0]);
        let b = octaves.fbm([6400.0, 0.0, 700.0]);
        assert!((a - b).abs() < 1e-4, "{a} {b}");
    }
}
