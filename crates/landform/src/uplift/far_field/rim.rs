//! Rims: cones that are clamped somewhere in a leaf, their apexes far away.
//!
//! A rim is a line: of the four blocks of 8 × 8 samples of a leaf it leaves one or two untouched. Eight rims at a
//! time are expanded around the centre of each block, to second or third order. With n the direction from the
//! apex to that centre, d₀ the distance, and p the way from the centre to a sample,
//!
//! ```text
//! d = d₀ + n·p + (n×p)²/(2d₀) − (n·p)(n×p)²/(2d₀²) + …      r − d₀ = (r² − d₀²)/(r + d₀)
//! ```
//!
//! A block then takes the rims that touch it one after the other, max(0, polynomial) at each sample, the sums of
//! the block in registers. From row to row a rim goes by forward differences, without a multiplication, and its
//! value carries [`MAGIC`]: every step rounds it to an integer, and integers are summed.

use fearless_simd::{Simd, f32x8, f64x4, i32x8, mask32x8, prelude::*, u32x8};

use super::leaf::LEAF;
use super::scene::{MAGIC, Peak};
use super::taylor::Square;
use super::tree::{List, gather};

/// Terms of rims that are quadratic in a block: of the value 1, a, a²; of the first difference 1, a; the
/// second.
pub(super) const QUADRATIC: usize = 6;
/// Terms of rims that are cubic: also a³ of the value, a² of the first, a of the second, and the third.
pub(super) const CUBIC: usize = 10;

/// Side of a block.
const BLOCK: usize = LEAF / 2;
/// Rims that are sorted into blocks at once.
const CHUNK: usize = 64;
/// From the centre of a block to its last sample, in samples.
const LAST: f32 = 3.5;
/// The lanes of a vector.
const LANES: [u32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
/// The columns of a block.
const COLUMNS: [f32; BLOCK] = [-3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5];

/// Memory for rims on their way to the blocks of a leaf.
#[derive(Debug)]
pub(super) struct Rims([Block; 4]);

impl Default for Rims {
    fn default() -> Self {
        Self([Block { terms: [[0.0; CHUNK]; CUBIC], peaks: Order::NONE, hollows: Order::NONE }; 4])
    }
}

/// Rims in one block.
#[derive(Clone, Copy, Debug)]
struct Block {
    terms: [[f32; CHUNK]; CUBIC],
    peaks: Order,
    hollows: Order,
}

/// Those rims that touch the block.
#[derive(Clone, Copy, Debug)]
struct Order {
    count: usize,
    rims: [u32; CHUNK + 8],
}

impl Order {
    const NONE: Self = Self { count: 0, rims: [0; CHUNK + 8] };

    #[inline(always)]
    fn append<S: Simd>(&mut self, rims: u32x8<S>, mask: mask32x8<S>) {
        let first = self.count.min(CHUNK);
        rims.compress(mask).store_slice(&mut self.rims[first..first + 8]);
        self.count = first + mask.to_bitmask().count_ones() as usize;
    }
}

/// What the samples of a leaf hold before rims are added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Before {
    /// Anything: it is overwritten.
    Nothing,
    /// Sums.
    Sums,
}

/// Adds rims, at least one, to the samples of a leaf.
#[inline(always)]
pub(super) fn add_rims<S: Simd, const N: usize>(
    simd: S,
    peaks: &[Peak],
    list: &List,
    square: &Square,
    Rims(blocks): &mut Rims,
    (mut before, samples): (Before, &mut [i32; LEAF * LEAF]),
) {
    let spread = Spread::new(square);
    for eights in list.eights().chunks(CHUNK / 8) {
        for block in blocks.iter_mut() {
            (block.peaks.count, block.hollows.count) = (0, 0);
        }
        for (k, ids) in eights.iter().enumerate() {
            let eight = Eight::new(simd, gather(peaks, ids), square);
            let is_hollow = eight.slope.simd_gt(0.0);
            let has_hollows = is_hollow.any_true();
            let rims = u32x8::simd_from(simd, LANES) + 8 * k as u32;
            for q in 0..4 {
                let block = &mut blocks[q];
                let (terms, is_touched) = eight.expand::<N>(&spread, q);
                for n in 0..N {
                    terms[n].store_slice(&mut block.terms[n][8 * k..8 * k + 8]);
                }
                block.peaks.append(rims, is_touched & !is_hollow);
                if has_hollows {
                    block.hollows.append(rims, is_touched & is_hollow);
                }
            }
        }
        for q in 0..4 {
            add_block::<S, N, true>(simd, &blocks[q], q, (before, samples));
            if blocks[q].hollows.count > 0 {
                add_block::<S, N, false>(simd, &blocks[q], q, (Before::Sums, samples));
            }
        }
        before = Before::Sums;
    }
}

/// Eight rims relative to the centre of a leaf.
struct Eight<S: Simd> {
    x: f32x8<S>,
    z: f32x8<S>,
    radius: f32x8<S>,
    /// r² − d²
    excess: f32x8<S>,
    /// −slope in quanta.
    slope: f32x8<S>,
}

impl<S: Simd> Eight<S> {
    #[inline(always)]
    fn new(simd: S, p: [&Peak; 8], square: &Square) -> Self {
        let centre = [f64x4::splat(simd, square.x), f64x4::splat(simd, square.z)];
        let mut x = [f64x4::splat(simd, 0.0); 2];
        let (mut z, mut radius, mut excess, mut slope) = (x, x, x, x);
        for k in 0..2 {
            let [a, b, c, d] = [p[4 * k], p[4 * k + 1], p[4 * k + 2], p[4 * k + 3]];
            x[k] = centre[0] - f64x4::simd_from(simd, [a.x, b.x, c.x, d.x]);
            z[k] = centre[1] - f64x4::simd_from(simd, [a.z, b.z, c.z, d.z]);
            radius[k] = f64x4::simd_from(simd, [a.radius, b.radius, c.radius, d.radius]);
            // In f64, since this is a small difference of large numbers.
            excess[k] = radius[k] * radius[k] - x[k] * x[k] - z[k] * z[k];
            slope[k] =
                f64x4::simd_from(simd, [a.slope, b.slope, c.slope, d.slope]) * -square.per_quantum;
        }
        Self {
            x: simd.narrow_f64x4(x[0], x[1]),
            z: simd.narrow_f64x4(z[0], z[1]),
            radius: simd.narrow_f64x4(radius[0], radius[1]),
            excess: simd.narrow_f64x4(excess[0], excess[1]),
            slope: simd.narrow_f64x4(slope[0], slope[1]),
        }
    }

    /// The terms of the rims in block `q`, and which of them touch its samples.
    #[inline(always)]
    fn expand<const N: usize>(&self, spread: &Spread, q: usize) -> ([f32x8<S>; N], mask32x8<S>) {
        let &Spread { centre: [dx, dz], last: [a, b], .. } = spread;
        let [dx, dz] = [if q % 2 == 1 { dx } else { -dx }, if q / 2 == 1 { dz } else { -dz }];
        let (x, z) = (self.x + dx, self.z + dz);
        let excess = self.excess - (self.x + x) * dx - (self.z + z) * dz;
        let distance = (x * x + z * z).sqrt();
        let sum = self.radius + distance;
        let both = 1.0 / (distance * sum);
        let inverse = both * sum;
        let n = [x * inverse, z * inverse];
        let level = excess * (both * distance);
        // A cone lies below its tangent plane.
        let is_touched = (level + n[0].abs() * a + n[1].abs() * b).simd_gt(0.0);
        let second = self.slope * inverse * 0.5;
        let third = -(second * inverse);
        let terms = spread.differences(level, self.slope, n, [second, third]);
        (terms, is_touched)
    }
}

/// Lengths in a leaf, in units of Δx.
struct Spread {
    /// From the centre of the leaf to that of a block.
    centre: [f32; 2],
    /// From the centre of a block to its last sample.
    last: [f32; 2],
    /// From one row to the next.
    step: f32,
}

impl Spread {
    #[inline(always)]
    fn new(square: &Square) -> Self {
        let [half_x, half_z] = square.half;
        let step = half_z * (2.0 / LEAF as f32);
        Self { centre: [0.5 * half_x, 0.5 * half_z], last: [LAST, LAST * step], step }
    }

    /// The terms of rims in the first row of a block, from r − d₀, −slope, n, and what the second and the third
    /// order are multiples of.
    #[inline(always)]
    fn differences<S: Simd, const N: usize>(
        &self,
        level: f32x8<S>,
        slope: f32x8<S>,
        [nx, nz]: [f32x8<S>; 2],
        [second, third]: [f32x8<S>; 2],
    ) -> [f32x8<S>; N] {
        let (nx2, nz2) = (nx * nx, nz * nz);
        let (mut along_x, mut along_z) = (slope, slope);
        if N == QUADRATIC {
            // The third order is folded into the first: a³ is taken for 3/4·A²a, a²b for 1/2·A²b.
            let [a2, b2] = [self.last[0] * self.last[0], self.last[1] * self.last[1]];
            along_x += third * (nz2 * (0.75 * a2 - b2) + nx2 * (0.5 * b2));
            along_z += third * (nx2 * (0.75 * b2 - a2) + nz2 * (0.5 * a2));
        }
        let (pa, pb) = (nx * along_x, nz * along_z);
        let [paa, pab, pbb] = [second * nz2, second * -2.0 * (nx * nz), second * nx2];
        let (b, step) = (-self.last[1], self.step);
        let [mut v0, mut v1, mut v2] = [pbb * b + pb, pab, paa];
        let [mut f0, mut f1, mut w0] = [pb + pbb * (2.0 * b + step), pab, pbb];
        let mut terms = [paa; N];
        if N == CUBIC {
            let (third_x, third_z) = (nx * third, nz * third);
            let [aaa, aab] = [third_x * nz2, third_z * (nz2 - nx2 * 2.0)];
            let [abb, bbb] = [third_x * (nx2 - nz2 * 2.0), third_z * nx2];
            v0 += bbb * (b * b);
            v1 += abb * b;
            v2 += aab * b;
            f0 += bbb * (3.0 * b * b + 3.0 * b * step + step * step);
            f1 += abb * (2.0 * b + step);
            w0 += bbb * (3.0 * (b + step));
            terms[6] = aaa;
            terms[7] = aab * step;
            terms[8] = abb * (2.0 * step * step);
            terms[9] = bbb * (6.0 * step * step * step);
        }
        terms[0] = v0 * b - level * slope;
        terms[1] = v1 * b + pa;
        terms[2] = v2;
        terms[3] = f0 * step;
        terms[4] = f1 * step;
        terms[5] = w0 * (2.0 * step * step);
        terms
    }
}

/// Adds max(0, cubic) (min for a hollow) of some rims to the samples of a block.
#[inline(always)]
fn add_block<S: Simd, const N: usize, const IS_PEAK: bool>(
    simd: S,
    block: &Block,
    q: usize,
    (before, samples): (Before, &mut [i32; LEAF * LEAF]),
) {
    let order = if IS_PEAK { &block.peaks } else { &block.hollows };
    let rims = &order.rims[..order.count];
    let a = f32x8::simd_from(simd, COLUMNS);
    let a2 = a * a;
    let magic = f32x8::splat(simd, MAGIC);
    let mut sums = [i32x8::splat(simd, 0); BLOCK];
    for &rim in rims {
        let rim = rim as usize % CHUNK;
        let term = |n: usize| block.terms[n][rim];
        let mut value = a * term(1) + term(0) + a2 * term(2);
        let mut first = a * term(4) + term(3);
        let mut second = f32x8::splat(simd, term(5));
        if N == CUBIC {
            value += a2 * a * term(6);
            first += a2 * term(7);
            second += a * term(8);
        }
        value += magic;
        for row in 0..BLOCK {
            let clamped = if IS_PEAK { value.max(magic) } else { value.min(magic) };
            sums[row] += clamped.bitcast::<i32x8<S>>();
            value += first;
            first += second;
            if N == CUBIC {
                second += f32x8::splat(simd, term(9));
            }
        }
    }
    let bias = (MAGIC.to_bits() as i32).wrapping_mul(rims.len() as i32);
    let first = BLOCK * (q / 2) * LEAF + BLOCK * (q % 2);
    for row in 0..BLOCK {
        let samples = &mut samples[first + row * LEAF..][..BLOCK];
        let mut sum = sums[row] - bias;
        if before == Before::Sums {
            sum += i32x8::from_slice(simd, samples);
        }
        sum.store_slice(samples);
    }
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Level, dispatch};

    use super::*;

    /// The sums of one rim over a leaf at the origin, in quanta.
    fn rim<const N: usize>(peak: Peak, square: &Square) -> [i32; LEAF * LEAF] {
        let (peaks, list) = ([Peak::NONE, peak], List::new([1].into_iter()));
        let mut samples = [7; LEAF * LEAF];
        let mut rims = Rims::default();
        let onto = (Before::Nothing, &mut samples);
        dispatch!(Level::new(), simd => {
            add_rims::<_, N>(simd, &peaks, &list, square, &mut rims, onto);
        });
        samples
    }

    #[test]
    fn a_rim_is_the_clamped_cone_at_every_sample_of_a_leaf() {
        let aspect = 1.25;
        let per_quantum = (1_u64 << 24) as f64;
        let square = Square {
            x: 0.0,
            z: 0.0,
            half: [8.0, 8.0 * aspect as f32],
            samples: [3.5, 3.5 * aspect as f32],
            per_quantum,
        };
        let mut touched = 0;
        for k in 0..64 {
            let direction = crate::math::cos_sin_of_turns(f64::from(k) / 64.0);
            let slope = if k % 3 == 0 { -1.0 / 300.0 } else { 1.0 / 300.0 };
            let distance = 300.0 + f64::from(k % 13) - 6.0;
            let [x, z] = direction.map(|along| distance * along);
            let peak = Peak { x, z, radius: 300.0, slope, ..Peak::NONE };
            let (quadratic, cubic) = (rim::<QUADRATIC>(peak, &square), rim::<CUBIC>(peak, &square));
            for at in 0..LEAF * LEAF {
                let (i, j) = ((at % LEAF) as f64 - 7.5, ((at / LEAF) as f64 - 7.5) * aspect);
                let d = crate::math::length(i - x, j - z);
                let expected = slope * (300.0 - d).max(0.0) * per_quantum;
                assert!((f64::from(quadratic[at]) - expected).abs() < 20.0, "{k} {at}");
                assert!((f64::from(cubic[at]) - expected).abs() < 6.0, "{k} {at}");
                touched += usize::from(expected != 0.0);
            }
        }
        assert!((4_000..12_000).contains(&touched), "rims, not whole cones or none: {touched}");
    }
}
