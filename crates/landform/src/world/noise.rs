//! Gradient noise in space (Perlin 1985, with the fade of 2002), for surfaces without an edge.
//!
//! On a sphere the noise is looked up at the point in space, so there is no seam and no pole. On a flat map it is looked up in a
//! plane of space whose lattice repeats after the width and depth of the map where that wraps.

use fearless_simd::{Level, dispatch};

use super::surface::Point;
use crate::math::rounding;
use crate::noise::lattice::{fade, lerp};
use crate::topology::Topology;
use crate::{Lattice, Seed, math, par};

/// Where noise is looked up, and how it repeats.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoiseSpace {
    /// Lattice cells a unit of a point, at the longest wavelength: along x, y and z.
    scale: [f64; 3],
    /// Where the middle of a sphere lies in its cell: not on the lattice, where all octaves are flatter.
    offset: [f64; 3],
    /// Lattice cells after which the noise repeats, at the longest wavelength; 0 for never.
    period: [i32; 3],
}

impl NoiseSpace {
    /// Noise whose largest features are about `wavelength` metres wide.
    pub(crate) fn new(topology: Topology, lattice: &Lattice, wavelength: f64) -> Self {
        let ground = lattice.ground().map(|length| length.max(1e-6));
        if topology == Topology::Sphere {
            let radius = ground[0] / std::f64::consts::TAU;
            let offset = [0.37, 0.53, 0.71];
            return Self { scale: [radius / wavelength; 3], offset, period: [0; 3] };
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
        Self { scale: [sx, 0.0, sz], offset: [0.0; 3], period: [px, 0, pz] }
    }

    /// Whether the noise is looked up in a plane.
    fn is_flat(&self) -> bool {
        self.scale[1] == 0.0
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

    /// Whether samples are too far apart to show any octave.
    pub(crate) fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// Height of each octave.
    pub(super) fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Whether the noise is looked up in a plane.
    pub(super) fn is_flat(&self) -> bool {
        self.space.is_flat()
    }

    /// The cell of octave `k` along an axis, and where in it: the coordinate need not be within the period.
    pub(super) fn place(&self, axis: usize, at: f64, k: usize) -> (i32, f32) {
        let cells = at * self.space.scale[axis] + self.space.offset[axis];
        let at = ((cells * 4_294_967_296.0) as i64) << k;
        ((at >> 32) as i32, share(at as u32))
    }

    /// A cell of octave `k` along an axis, within the period.
    fn around(&self, axis: usize, cell: i32, k: usize) -> i32 {
        let period = self.space.period[axis].wrapping_mul(1 << k);
        let is_in = period == 0 || (0..period).contains(&cell);
        if is_in { cell } else { cell.rem_euclid(period) }
    }

    /// What a column of the lattice of octave `k` has to do with the [random bits](corner_bits) of its corners, in a plane.
    pub(super) fn column_bits(&self, k: usize, column: i32) -> u32 {
        let [x, y, _] = salts(self.keys[k]);
        scatter(self.around(0, column, k), x).wrapping_add(scatter(0, y))
    }

    /// The same of a row.
    pub(super) fn row_bits(&self, k: usize, row: i32) -> u32 {
        scatter(self.around(2, row, k), salts(self.keys[k])[2])
    }

    /// The plain sum at each point.
    pub(crate) fn fbm(&self, points: &[Point], out: &mut [f32]) {
        if self.space.is_flat() {
            dispatch!(Level::new(), _simd => self.sum::<false, true>(points, out));
        } else {
            dispatch!(Level::new(), _simd => self.sum::<false, false>(points, out));
        }
    }

    /// The plain sums at `count` points, made side by side.
    pub(crate) fn fbm_of(&self, count: usize, point: impl Fn(usize) -> Point + Sync) -> Vec<f32> {
        const PART: usize = 1024;
        let mut sums = vec![0.0; count];
        par::for_each_part(&mut sums, PART, 1, |part, sums| {
            let first = part * PART;
            let points: Vec<Point> = (first..first + sums.len()).map(&point).collect();
            self.fbm(&points, sums);
        });
        sums
    }

    /// The plain sum at one point.
    pub(crate) fn fbm_at(&self, p: Point) -> f32 {
        let mut sum = [0.0];
        self.fbm(&[p], &mut sum);
        sum[0]
    }

    /// Crests with their detail on them at each point, 0 to about 1.
    pub(crate) fn ridged(&self, points: &[Point], out: &mut [f32]) {
        if self.space.is_flat() {
            dispatch!(Level::new(), _simd => self.sum::<true, true>(points, out));
        } else {
            dispatch!(Level::new(), _simd => self.sum::<true, false>(points, out));
        }
    }

    /// One of the two sums, eight points at a time: as many as a register of AVX2 holds.
    #[inline(always)]
    fn sum<const IS_RIDGED: bool, const IS_FLAT: bool>(&self, points: &[Point], out: &mut [f32]) {
        for (points, out) in points.chunks(LANES).zip(out.chunks_mut(LANES)) {
            let mut eight = EightPoints::new::<IS_FLAT>(&self.space, points);
            let (mut sums, mut follow) = ([0.0_f32; LANES], [1.0_f32; LANES]);
            for (&weight, &key) in self.weights.iter().zip(&self.keys) {
                let noise = eight.noise::<IS_FLAT>(key);
                for lane in 0..LANES {
                    if IS_RIDGED {
                        let crest = 1.0 - (1.6 * noise[lane]).abs().min(1.0);
                        let ridge = crest * crest * follow[lane];
                        sums[lane] += weight * ridge;
                        follow[lane] = (2.0 * ridge).min(1.0);
                    } else {
                        sums[lane] += weight * noise[lane];
                    }
                }
                eight.twice_as_fine();
            }
            for (out, sum) in out.iter_mut().zip(sums) {
                *out = if IS_RIDGED { 0.5 * sum } else { sum };
            }
        }
    }
}

/// Points side by side.
const LANES: usize = 8;

/// What noise in a plane of the lattice is multiplied by.
pub(super) const FLAT_GAIN: f32 = 1.355;

/// Eight points on the lattice of an octave.
struct EightPoints {
    /// For each axis, the cell of each point: within the period, where there is one.
    cells: [[i32; LANES]; 3],
    /// Where in the cell, in 2⁻³² of it.
    fractions: [[u32; LANES]; 3],
    /// Cells after which the noise repeats; 0 for never.
    period: [i32; 3],
}

impl EightPoints {
    /// One to eight points on the lattice of the longest octave. What is missing is like the first.
    #[inline(always)]
    fn new<const IS_FLAT: bool>(space: &NoiseSpace, points: &[Point]) -> Self {
        let mut at = [[0.0_f64; LANES]; 3];
        for lane in 0..LANES {
            let p = points.get(lane).unwrap_or(&points[0]);
            for axis in 0..3 {
                at[axis][lane] = p[axis];
            }
        }
        let (mut cells, mut fractions) = ([[0; LANES]; 3], [[0; LANES]; 3]);
        for axis in 0..3 {
            let mut is_far = false;
            for lane in 0..LANES {
                let cells = at[axis][lane] * space.scale[axis] + space.offset[axis];
                at[axis][lane] = cells * 4_294_967_296.0;
                is_far |= at[axis][lane].abs() >= FAR;
            }
            for lane in 0..LANES {
                let at = at[axis][lane];
                let at = if is_far { at as i64 } else { cut(at) };
                cells[axis][lane] = (at >> 32) as i32;
                fractions[axis][lane] = at as u32;
            }
        }
        for axis in 0..if IS_FLAT { 3 } else { 0 } {
            let period = space.period[axis];
            for cell in &mut cells[axis] {
                let is_in = period == 0 || (0..period).contains(cell);
                *cell = if is_in { *cell } else { cell.rem_euclid(period) };
            }
        }
        Self { cells, fractions, period: space.period }
    }

    /// Goes on to the next octave: exact, since a bit of the fraction goes over to the cell.
    #[inline(always)]
    fn twice_as_fine(&mut self) {
        for axis in 0..3 {
            for lane in 0..LANES {
                let (cell, fraction) = (self.cells[axis][lane], self.fractions[axis][lane]);
                self.cells[axis][lane] = cell.wrapping_mul(2) | (fraction >> 31) as i32;
                self.fractions[axis][lane] = fraction << 1;
            }
            self.period[axis] = self.period[axis].wrapping_mul(2);
        }
    }

    /// Noise of the lattice `key` at the points, −1 to 1; in a plane of the lattice if it is flat.
    #[inline(always)]
    fn noise<const IS_FLAT: bool>(&self, key: u32) -> [f32; LANES] {
        let salts = salts(key);
        let mut hashes = [[[0_u32; LANES]; 2]; 3];
        // From the corner before and from the one behind.
        let mut ways = [[[0.0_f32; LANES]; 2]; 3];
        let mut fades = [[0.0_f32; LANES]; 3];
        for axis in 0..3 {
            // In a plane there is nothing across it but its hash.
            if IS_FLAT && axis == 1 {
                hashes[axis][0] = [scatter(0, salts[axis]); LANES];
                continue;
            }
            for lane in 0..LANES {
                let cell = self.cells[axis][lane];
                let next = cell.wrapping_add(1);
                // Only flat maps wrap.
                let is_last = IS_FLAT && next == self.period[axis] && self.period[axis] > 0;
                hashes[axis][0][lane] = scatter(cell, salts[axis]);
                hashes[axis][1][lane] = scatter(if is_last { 0 } else { next }, salts[axis]);
                let f = share(self.fractions[axis][lane]);
                ways[axis][0][lane] = f;
                ways[axis][1][lane] = f - 1.0;
                fades[axis][lane] = fade(f);
            }
        }
        // Plain loops: a closure would be compiled for the least machine.
        let mut layers = [[0.0_f32; LANES]; 2];
        for l in 0..2 {
            let mut rows = [[0.0_f32; LANES]; 2];
            for j in 0..if IS_FLAT { 1 } else { 2 } {
                let (y, z) = ((&hashes[1][j], &ways[1][j]), (&hashes[2][l], &ways[2][l]));
                let west = corner::<IS_FLAT>([(&hashes[0][0], &ways[0][0]), y, z]);
                let east = corner::<IS_FLAT>([(&hashes[0][1], &ways[0][1]), y, z]);
                rows[j] = between(&west, &east, &fades[0]);
            }
            layers[l] = if IS_FLAT { rows[0] } else { between(&rows[0], &rows[1], &fades[1]) };
        }
        let mut noise = between(&layers[0], &layers[1], &fades[2]);
        // Brings the deviation to about 0.3, that of other gradient noise.
        noise.iter_mut().for_each(|noise| *noise *= if IS_FLAT { FLAT_GAIN } else { 1.25 });
        noise
    }
}

/// Coordinates from here on are converted one by one.
const FAR: f64 = (1_u64 << 50) as f64;

/// The whole number next to x towards 0, as of a conversion proper; those are made one by one, this side by side.
#[inline(always)]
fn cut(x: f64) -> i64 {
    let nearest = rounding::nearest(x);
    let beyond = if nearest.abs() > x.abs() { 1.0_f64.copysign(x) } else { 0.0 };
    rounding::integer(nearest - beyond)
}

/// A fraction of 32 bits as a number from 0 to below 1.
#[inline(always)]
fn share(fraction: u32) -> f32 {
    (fraction >> 8) as i32 as f32 * (1.0 / 16_777_216.0)
}

/// The largest whole number not above x. Without the instruction that not every machine has, `floor` is a call.
#[inline(always)]
pub(crate) fn floor(x: f64) -> i64 {
    let cut = x as i64;
    cut - i64::from((cut as f64) > x)
}

/// The part of a hash that a column, a layer or a row of the lattice has.
#[inline(always)]
fn scatter(k: i32, salt: u32) -> u32 {
    let z = (k as u32).wrapping_mul(0x9E37_79B1) ^ salt;
    (z ^ (z >> 16)).wrapping_mul(0x85EB_CA6B)
}

/// What the axes of an octave mix into the hash.
#[inline(always)]
fn salts(key: u32) -> [u32; 3] {
    [key, key ^ 0x5BD1_E995, key ^ 0x1B87_3593]
}

/// The hash of a corner from the sum of what its column, layer and row have.
#[inline(always)]
fn finish(bits: u32) -> u32 {
    let bits = (bits ^ (bits >> 16)).wrapping_mul(0x7FEB_352D);
    bits ^ (bits >> 15)
}

/// The random bits of the corner where a column and a row of the lattice meet.
#[inline(always)]
pub(super) fn corner_bits(column: u32, row: u32) -> u32 {
    finish(column.wrapping_add(row))
}

/// The slope along x and z of the corner with these bits, in a plane.
#[inline(always)]
pub(super) fn slope(bits: u32) -> [f32; 2] {
    [(2.0 / 1023.0) * part(bits) - 1.0, (2.0 / 1023.0) * part(bits >> 20) - 1.0]
}

/// The last ten bits.
#[inline(always)]
fn part(bits: u32) -> f32 {
    (bits & 1023) as i32 as f32
}

/// The random slopes of a corner of cells, at the points in them: for each axis what it has to do with the hash, and the way.
#[inline(always)]
fn corner<const IS_FLAT: bool>([x, y, z]: [(&[u32; LANES], &[f32; LANES]); 3]) -> [f32; LANES] {
    let mut values = [0.0_f32; LANES];
    for lane in 0..LANES {
        let bits = finish(x.0[lane].wrapping_add(y.0[lane]).wrapping_add(z.0[lane]));
        // Three components of ten bits each, 2/1023·part − 1: a vector in a cube, long enough to differ in strength.
        let (x, y, z) = (x.1[lane], y.1[lane], z.1[lane]);
        values[lane] = if IS_FLAT {
            (2.0 / 1023.0) * (part(bits) * x + part(bits >> 20) * z) - (x + z)
        } else {
            let sum = part(bits) * x + part(bits >> 10) * y + part(bits >> 20) * z;
            (2.0 / 1023.0) * sum - (x + y + z)
        };
    }
    values
}

#[inline(always)]
fn between(a: &[f32; LANES], b: &[f32; LANES], shares: &[f32; LANES]) -> [f32; LANES] {
    let mut values = [0.0_f32; LANES];
    for lane in 0..LANES {
        values[lane] = lerp(a[lane], b[lane], shares[lane]);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_smooth_bounded_and_repeats_where_the_map_does() {
        let square = Lattice { size: [2, 2], spacing: [1.0, 1.0] };
        let octave = Octaves::new((Topology::Plane, &square), (1.0, 0.1), 1.0, 1, Seed::new(7));
        let (mut sum, mut most) = (0.0_f64, 0.0_f32);
        for k in 0..20_000 {
            let k = f64::from(k);
            let p = [k * 0.137 - 700.0, k * 0.071, k * 0.0313];
            let n = octave.fbm_at(p);
            let step = octave.fbm_at([p[0] + 1e-3, p[1], p[2]]) - n;
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
        let a = octaves.fbm_at([0.0, 0.0, 700.0]);
        let b = octaves.fbm_at([6400.0, 0.0, 700.0]);
        assert!((a - b).abs() < 1e-4, "{a} {b}");
    }

    /// Noise at one point, each octave from its own coordinates: what the eight side by side must give, bit for bit.
    fn plain(octaves: &Octaves, p: Point) -> f32 {
        let mut sum = 0.0;
        for (k, (weight, &key)) in octaves.weights.iter().zip(&octaves.keys).enumerate() {
            let NoiseSpace { scale, offset, .. } = octaves.space;
            let at = [0, 1, 2].map(|axis| {
                let cells = p[axis] * scale[axis] + offset[axis];
                ((cells * 4_294_967_296.0) as i64) << k
            });
            let period = octaves.space.period.map(|c| c << k);
            let mut corners = Vec::new();
            let f = at.map(|c| share(c as u32));
            for corner in 0..8 {
                let side = [corner & 1, (corner >> 1) & 1, corner >> 2];
                let mut z = 0_u32;
                for (axis, salt) in [0, 0x5BD1_E995, 0x1B87_3593].into_iter().enumerate() {
                    let cell = (at[axis] >> 32) as i32 + side[axis];
                    let cell = if period[axis] > 0 { cell.rem_euclid(period[axis]) } else { cell };
                    z = z.wrapping_add(scatter(cell, key ^ salt));
                }
                let z = (z ^ (z >> 16)).wrapping_mul(0x7FEB_352D);
                let bits = z ^ (z >> 15);
                let parts = [0, 10, 20].map(|shift| ((bits >> shift) & 1023) as f32);
                let d = [0, 1, 2].map(|axis| f[axis] - side[axis] as f32);
                let dot = parts[0] * d[0] + parts[1] * d[1] + parts[2] * d[2];
                corners.push((2.0 / 1023.0) * dot - (d[0] + d[1] + d[2]));
            }
            let gain = if octaves.space.is_flat() { FLAT_GAIN } else { 1.25 };
            for axis in 0..3 {
                let pairs = corners.as_chunks::<2>().0;
                corners = pairs.iter().map(|[a, b]| lerp(*a, *b, fade(f[axis]))).collect();
            }
            sum += weight * (gain * corners[0]);
        }
        sum
    }

    #[test]
    fn numbers_are_cut_as_by_a_conversion() {
        let seed = Seed::new(4);
        let any = (0..2000)
            .map(|k| (seed.uniform(2 * k) - 0.5) * math::exp(34.0 * seed.uniform(2 * k + 1)));
        let odd = [0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, 0.999_999, -7.0, FAR - 0.25, 0.25 - FAR];
        for x in any.chain(odd) {
            assert_eq!(cut(x), x as i64, "{x}");
        }
    }

    #[test]
    fn eight_points_side_by_side_have_the_noise_of_each_alone() {
        let lattice = Lattice { size: [65, 33], spacing: [100.0, 100.0] };
        for topology in [Topology::Plane, Topology::Torus, Topology::Sphere] {
            let octaves = Octaves::new((topology, &lattice), (900.0, 1.0), 0.8, 9, Seed::new(5));
            let points: Vec<Point> = (0..203)
                .map(|k| [0, 1, 2].map(|axis| 7000.0 * Seed::new(axis).uniform(k) - 300.0))
                .collect();
            let mut sums = vec![0.0; points.len()];
            octaves.fbm(&points, &mut sums);
            for (&p, sum) in points.iter().zip(sums) {
                assert_eq!(plain(&octaves, p).to_bits(), sum.to_bits(), "{topology:?} {p:?}");
            }
        }
    }
}
