//! Rims: cones that are clamped somewhere in a leaf, their apexes far away.
//!
//! A rim is a line: of the four blocks of 8 × 8 samples of a leaf it leaves one or two untouched. Eight rims at a
//! time are expanded to third order. With n the direction from the apex to the centre of the expansion, d₀ the
//! distance, and p the way from there to a sample,
//!
//! ```text
//! d = d₀ + n·p + (n×p)²/(2d₀) − (n·p)(n×p)²/(2d₀²) + …      r − d₀ = (r² − d₀²)/(r + d₀)
//! ```
//!
//! Far from the apex that is done once for the leaf, the cubic is moved to the centre of each block, and there its
//! third order is folded into the first ([`Wide`]). Nearer to it, each block has its own cubic.
//!
//! A block then takes the rims that touch it one after the other, max(0, polynomial) at each sample, the sums of
//! the block in registers. From row to row a rim goes by forward differences, without a multiplication, and its
//! value carries [`SHIFT_SINGLE`]: every step rounds it to an integer, and integers are summed.

use fearless_simd::{Simd, f32x8, f64x4, i32x8, mask32x8, prelude::*};

use super::leaf::LEAF;
use super::scene::Peak;
use super::taylor::Square;
use super::tree::{List, gather};
use crate::math::rounding::SHIFT_SINGLE;

/// Terms of rims that are quadratic in a block: of the value 1, a, a²; of the first difference 1, a; the
/// second.
pub(super) const QUADRATIC: usize = 6;
/// Terms of rims that are cubic: also a³ of the value, a² of the first, a of the second, and the third.
pub(super) const CUBIC: usize = 10;

/// Side of a block.
const BLOCK: usize = LEAF / 2;
/// Rims that are sorted into blocks at once: a bit for each.
const CHUNK: usize = 64;
/// From the centre of a block to its last sample, in samples.
const LAST: f32 = 3.5;
/// The columns of a block.
const COLUMNS: [f32; BLOCK] = [-3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5];

/// Memory for rims on their way to the blocks of a leaf.
#[derive(Debug)]
pub(super) struct Rims([Block; 4]);

impl Default for Rims {
    fn default() -> Self {
        Self([Block { terms: [[0.0; CHUNK]; CUBIC], peaks: 0, hollows: 0 }; 4])
    }
}

/// Rims in one block.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Block {
    terms: [[f32; CHUNK]; CUBIC],
    /// Those that touch the block: a bit for each.
    peaks: u64,
    hollows: u64,
}

impl Block {
    /// Puts eight rims in their place, of which some touch the block and some are hollows.
    #[inline(always)]
    fn put<S: Simd>(&mut self, k: usize, terms: &[f32x8<S>], [touched, hollows]: [u64; 2]) {
        for n in 0..terms.len() {
            terms[n].store_slice(&mut self.terms[n][8 * k..8 * k + 8]);
        }
        self.peaks |= (touched & !hollows) << (8 * k);
        self.hollows |= (touched & hollows) << (8 * k);
    }
}

/// What the samples of a leaf hold before rims are added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Before {
    /// Anything: it is overwritten, as if each had held this number.
    All(i32),
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
            (block.peaks, block.hollows) = (0, 0);
        }
        for (k, ids) in eights.iter().enumerate() {
            let eight = Eight::new(simd, gather(peaks, ids), square);
            let hollows = eight.slope.simd_gt(0.0).to_bitmask();
            if N == QUADRATIC {
                let wide = eight.wide(&spread);
                for q in 0..4 {
                    let (terms, is_touched) = wide.block(&spread, q);
                    blocks[q].put(k, &terms, [is_touched.to_bitmask(), hollows]);
                }
            } else {
                for q in 0..4 {
                    let (terms, is_touched) = eight.expand(&spread, q);
                    blocks[q].put(k, &terms, [is_touched.to_bitmask(), hollows]);
                }
            }
        }
        for q in 0..4 {
            add_block::<S, N, true>(simd, &blocks[q], q, (before, samples));
            if blocks[q].hollows != 0 {
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

    /// The rims as cubics over the leaf.
    #[inline(always)]
    fn wide(&self, spread: &Spread) -> Wide<S> {
        let distance = (self.x * self.x + self.z * self.z).sqrt();
        let sum = self.radius + distance;
        let both = 1.0 / (distance * sum);
        let inverse = both * sum;
        let n = [self.x * inverse, self.z * inverse];
        let level = self.excess * (both * distance);
        let second = self.slope * inverse * 0.5;
        let cubic = Cubic::new(level, self.slope, n, [second, -(second * inverse)]);
        Wide::new(spread, self.slope.simd_gt(0.0), cubic)
    }

    /// The terms of the rims in block `q`, and which of them touch its samples.
    #[inline(always)]
    fn expand(&self, spread: &Spread, q: usize) -> ([f32x8<S>; CUBIC], mask32x8<S>) {
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
        let cubic = Cubic::new(level, self.slope, n, [second, -(second * inverse)]);
        (cubic.differences(spread), is_touched)
    }
}

/// The coefficients of aⁱbʲ, a and b the way from the centre in units of Δx.
struct Cubic<S: Simd> {
    one: f32x8<S>,
    a: f32x8<S>,
    b: f32x8<S>,
    aa: f32x8<S>,
    ab: f32x8<S>,
    bb: f32x8<S>,
    aaa: f32x8<S>,
    aab: f32x8<S>,
    abb: f32x8<S>,
    bbb: f32x8<S>,
}

impl<S: Simd> Cubic<S> {
    /// From r − d₀, −slope, n, and what the second and the third order are multiples of.
    #[inline(always)]
    fn new(
        level: f32x8<S>,
        slope: f32x8<S>,
        [nx, nz]: [f32x8<S>; 2],
        [second, third]: [f32x8<S>; 2],
    ) -> Self {
        let (nx2, nz2) = (nx * nx, nz * nz);
        let (third_x, third_z) = (nx * third, nz * third);
        Self {
            one: -(level * slope),
            a: nx * slope,
            b: nz * slope,
            aa: second * nz2,
            ab: second * -2.0 * (nx * nz),
            bb: second * nx2,
            aaa: third_x * nz2,
            aab: third_z * (nz2 - nx2 * 2.0),
            abb: third_x * (nx2 - nz2 * 2.0),
            bbb: third_z * nx2,
        }
    }

    /// The terms of a cubic around the centre of a block in its first row.
    #[inline(always)]
    fn differences(&self, spread: &Spread) -> [f32x8<S>; CUBIC] {
        let (b, step) = (-spread.last[1], spread.step);
        let mut terms = [self.aa; CUBIC];
        terms[0] = ((self.bbb * b + self.bb) * b + self.b) * b + self.one;
        terms[1] = (self.abb * b + self.ab) * b + self.a;
        terms[2] = self.aab * b + self.aa;
        terms[3] = (self.b
            + self.bb * (2.0 * b + step)
            + self.bbb * (3.0 * b * b + 3.0 * b * step + step * step))
            * step;
        terms[4] = (self.ab + self.abb * (2.0 * b + step)) * step;
        terms[5] = (self.bb + self.bbb * (3.0 * (b + step))) * (2.0 * step * step);
        terms[6] = self.aaa;
        terms[7] = self.aab * step;
        terms[8] = self.abb * (2.0 * step * step);
        terms[9] = self.bbb * (6.0 * step * step * step);
        terms
    }
}

/// A coefficient around the centre of a block, for ±1 along each axis: the mean, what changes from west to east, from north to
/// south, and with both.
#[derive(Clone, Copy)]
struct Moved<S: Simd>(f32x8<S>, f32x8<S>, f32x8<S>, f32x8<S>);

/// A cubic over a leaf, on its way to quadratics in the blocks.
struct Wide<S: Simd> {
    is_hollow: mask32x8<S>,
    one: Moved<S>,
    a: Moved<S>,
    b: Moved<S>,
    /// Those of second order do not change with both.
    second: [[f32x8<S>; 3]; 3],
}

impl<S: Simd> Wide<S> {
    #[inline(always)]
    fn new(spread: &Spread, is_hollow: mask32x8<S>, cubic: Cubic<S>) -> Self {
        let Cubic { one, a, b, aa, ab, bb, aaa, aab, abb, bbb } = cubic;
        let &Spread { centre: [h, k], last: [a_last, b_last], .. } = spread;
        let (h2, k2, hk) = (h * h, k * k, h * k);
        let [a2, b2] = [a_last * a_last, b_last * b_last];
        Self {
            is_hollow,
            one: Moved(
                one + aa * h2 + bb * k2,
                (a + aaa * h2 + abb * k2) * h,
                (b + bbb * k2 + aab * h2) * k,
                ab * hk,
            ),
            // The third order is folded into the first: a³ is taken for 3/4·A²a, a²b for 1/2·A²b.
            a: Moved(
                a + aaa * (3.0 * h2 + 0.75 * a2) + abb * (k2 + 0.5 * b2),
                aa * (2.0 * h),
                ab * k,
                aab * (2.0 * hk),
            ),
            b: Moved(
                b + bbb * (3.0 * k2 + 0.75 * b2) + aab * (h2 + 0.5 * a2),
                ab * h,
                bb * (2.0 * k),
                abb * (2.0 * hk),
            ),
            second: [
                [aa, aaa * (3.0 * h), aab * k],
                [ab, aab * (2.0 * h), abb * (2.0 * k)],
                [bb, abb * h, bbb * (3.0 * k)],
            ],
        }
    }

    /// The terms of the rims in block `q`, and which of them touch its samples.
    #[inline(always)]
    fn block(&self, spread: &Spread, q: usize) -> ([f32x8<S>; QUADRATIC], mask32x8<S>) {
        let one = self.one.at(q);
        let (pa, pb) = (self.a.at(q), self.b.at(q));
        let mut second = self.second[0];
        for k in 0..3 {
            let [mean, east, south] = self.second[k];
            let mean = if q % 2 == 1 { mean + east } else { mean - east };
            second[k] = if q / 2 == 1 { mean + south } else { mean - south };
        }
        let [paa, pab, pbb] = second;
        let (b, step) = (-spread.last[1], spread.step);
        let mut terms = [paa; QUADRATIC];
        terms[0] = (pbb * b + pb) * b + one;
        terms[1] = pab * b + pa;
        terms[3] = (pbb * (2.0 * b + step) + pb) * step;
        terms[4] = pab * step;
        terms[5] = pbb * (2.0 * step * step);
        // A quadratic that bends away from the ground lies on one side of its tangent plane.
        let spread = pa.abs() * spread.last[0] + pb.abs() * spread.last[1];
        let height = self.is_hollow.select(-one, one);
        (terms, (height + spread).simd_gt(0.0))
    }
}

impl<S: Simd> Moved<S> {
    #[inline(always)]
    fn at(&self, q: usize) -> f32x8<S> {
        let &Self(mean, east, south, both) = self;
        let (west_or_east, change) =
            if q % 2 == 1 { (mean + east, south + both) } else { (mean - east, south - both) };
        if q / 2 == 1 { west_or_east + change } else { west_or_east - change }
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
}

/// Adds max(0, cubic) (min for a hollow) of some rims to the samples of a block.
#[inline(always)]
fn add_block<S: Simd, const N: usize, const IS_PEAK: bool>(
    simd: S,
    block: &Block,
    q: usize,
    (before, samples): (Before, &mut [i32; LEAF * LEAF]),
) {
    let rims = if IS_PEAK { block.peaks } else { block.hollows };
    let a = f32x8::simd_from(simd, COLUMNS);
    let a2 = a * a;
    let shift = f32x8::splat(simd, SHIFT_SINGLE);
    let mut sums = [i32x8::splat(simd, 0); BLOCK];
    let mut left = rims;
    while left != 0 {
        let rim = left.trailing_zeros() as usize % CHUNK;
        left &= left - 1;
        let term = |n: usize| block.terms[n][rim];
        let mut value = a * term(1) + term(0) + a2 * term(2);
        let mut first = a * term(4) + term(3);
        let mut second = f32x8::splat(simd, term(5));
        if N == CUBIC {
            value += a2 * a * term(6);
            first += a2 * term(7);
            second += a * term(8);
        }
        value += shift;
        for row in 0..BLOCK {
            let clamped = if IS_PEAK { value.max(shift) } else { value.min(shift) };
            sums[row] += clamped.bitcast::<i32x8<S>>();
            value += first;
            first += second;
            if N == CUBIC {
                second += f32x8::splat(simd, term(9));
            }
        }
    }
    let bias = (SHIFT_SINGLE.to_bits() as i32).wrapping_mul(rims.count_ones() as i32);
    let first = BLOCK * (q / 2) * LEAF + BLOCK * (q % 2);
    for row in 0..BLOCK {
        let samples = &mut samples[first + row * LEAF..][..BLOCK];
        let before = match before {
            Before::All(number) => i32x8::splat(simd, number),
            Before::Sums => i32x8::from_slice(simd, samples),
        };
        (before + (sums[row] - bias)).store_slice(samples);
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
        let onto = (Before::All(0), &mut samples);
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
