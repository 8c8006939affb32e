//! The bottom of the tree: 16 × 16 samples in four quads of 8 × 8.
//!
//! What reaches a leaf is neither outside of it nor smooth and unclamped all over it. In a quad such a cone
//! is one of
//!
//! - *smooth*: unclamped here; a cubic, summed with the others of its kind;
//! - *rim*: clamped somewhere here, the apex far away; max(0, quadratic or cubic) at each sample;
//! - *apex*: near its apex; the root is taken at each sample.
//!
//! Every contribution to a sample is rounded to an integer before it is added.

use fearless_simd::{Simd, f32x8, f32x16, f64x8, i32x16, prelude::*};

use super::scene::{CONSTANT_SCALE, MAGIC, Peak, Units};
use super::taylor::{Lanes, Quintic, Square, index, next, start};
use super::tree::{List, Place};

/// Side of a leaf and of a quad, in samples.
pub(super) const LEAF: usize = 16;
const QUAD: usize = 8;
/// Number of coefficients of a cubic.
const CUBIC: usize = 10;

/// The sums of a leaf: exact integers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Leaf {
    pub quads: [Quad; 4],
}

/// The sums of a quad: exact integers, in units of the quad's quantum but for the constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Quad {
    /// In units of the largest height / [`CONSTANT_SCALE`].
    pub constant: i64,
    /// Coefficients of the smooth cones: 1, s, t, s², st, t², s³, s²t, st², t³.
    pub cubic: [i32; CUBIC],
    /// Samples, row by row, of rims and apexes.
    pub samples: [i32; QUAD * QUAD],
}

impl Quad {
    pub const ZERO: Self = Self { constant: 0, cubic: [0; CUBIC], samples: [0; QUAD * QUAD] };

    fn merge(&mut self, other: &Self, f: fn(i32, i32) -> i32, g: fn(i64, i64) -> i64) {
        self.constant = g(self.constant, other.constant);
        for (sum, term) in self.cubic.iter_mut().zip(&other.cubic) {
            *sum = f(*sum, *term);
        }
        for (sum, term) in self.samples.iter_mut().zip(&other.samples) {
            *sum = f(*sum, *term);
        }
    }
}

impl Leaf {
    pub const ZERO: Self = Self { quads: [Quad::ZERO; 4] };

    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.quads.iter_mut().zip(&other.quads) {
            mine.merge(theirs, i32::wrapping_add, i64::wrapping_add);
        }
    }

    pub fn subtract(&mut self, other: &Self) {
        for (mine, theirs) in self.quads.iter_mut().zip(&other.quads) {
            mine.merge(theirs, i32::wrapping_sub, i64::wrapping_sub);
        }
    }
}

/// How a cone meets a quad.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Smooth,
    QuadraticRim,
    CubicRim,
}

/// The cones of one quad, by kind. Kept between quads to reuse the memory.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    expanded: Vec<u32>,
    kinds: Vec<Kind>,
    apexes: Vec<u32>,
    clamped_apexes: Vec<u32>,
}

impl Sorted {
    fn sort<S: Simd>(&mut self, simd: S, peaks: &[Peak], list: &List, place: &Place) {
        self.expanded.clear();
        self.kinds.clear();
        self.apexes.clear();
        self.clamped_apexes.clear();
        list.touching(simd, place, |k, distance2, is_inside| {
            let id = list.id[k];
            let peak = &peaks[id as usize];
            let kind = match (is_inside, distance2 >= peak.cubic2, distance2 >= peak.quadratic2) {
                (true, true, _) => Kind::Smooth,
                (true, false, _) => return self.apexes.push(id),
                (false, _, true) => Kind::QuadraticRim,
                (false, true, false) => Kind::CubicRim,
                (false, false, false) => return self.clamped_apexes.push(id),
            };
            self.expanded.push(id);
            self.kinds.push(kind);
        });
    }
}

/// Adds the cones of `list` to a leaf.
pub(super) fn accumulate<S: Simd>(
    simd: S,
    peaks: &[Peak],
    list: &List,
    place: &Place,
    units: &Units,
    sorted: &mut Sorted,
    leaf: &mut Leaf,
) {
    for (q, quad) in leaf.quads.iter_mut().enumerate() {
        let place = place.child(q);
        sorted.sort(simd, peaks, list, &place);
        let square = place.square(units.quad);
        if !sorted.expanded.is_empty() {
            add_expanded(simd, peaks, sorted, &square, quad);
        }
        if !sorted.apexes.is_empty() {
            add_apexes(simd, peaks, &sorted.apexes, &square, quad);
        }
        if !sorted.clamped_apexes.is_empty() {
            add_clamped_apexes(simd, peaks, &sorted.clamped_apexes, &square, quad);
        }
    }
}

/// s at the samples of two rows of a quad, and t at the four pairs of rows.
const ACROSS: [f32; 16] = {
    let mut s = [0.0; 16];
    let mut k = 0;
    while k < 16 {
        s[k] = ((k % 8) as f32 - 3.5) / 4.0;
        k += 1;
    }
    s
};
const DOWN: [[f32; 16]; 4] = {
    let mut t = [[0.0; 16]; 4];
    let mut k = 0;
    while k < 64 {
        t[k / 16][k % 16] = ((k / 8) as f32 - 3.5) / 4.0;
        k += 1;
    }
    t
};

/// Coefficients of eight cones, by term and lane.
struct Expansion {
    /// height − slope·d₀ in units of the largest height.
    constant: [f64; 8],
    terms: [[f32; 8]; CUBIC],
    /// The linear terms with the cubic ones folded into them.
    linear: [[f32; 8]; 2],
}

/// Expands eight cones to order 4, and folds order 4 into the lower ones as the tree does with order 6.
#[inline(always)]
fn expand<S: Simd>(simd: S, lanes: &Lanes, square: &Square) -> Expansion {
    let start = start(simd, lanes, square);
    let g0 = [start.scale];
    let g1 = [start.alpha * start.scale, start.beta * start.scale];
    let g2: [_; 3] = next(&start, &g1, &g0);
    let g3: [_; 4] = next(&start, &g2, &g1);
    let g4: [_; 5] = next(&start, &g3, &g2);
    let terms: [f32x8<S>; CUBIC] = [
        (g4[0] + g4[4]) * -0.125 - g4[2] * 0.25,
        g1[0],
        g1[1],
        g2[0] + g4[0] + g4[2] * 0.5,
        g2[1] + (g4[1] + g4[3]) * 0.75,
        g2[2] + g4[4] + g4[2] * 0.5,
        g3[0],
        g3[1],
        g3[2],
        g3[3],
    ];
    let linear = [g1[0] + g3[0] * 0.75 + g3[2] * 0.5, g1[1] + g3[3] * 0.75 + g3[1] * 0.5];
    let mut constant = [0.0; 8];
    start.constant[0].store_slice(&mut constant[..4]);
    start.constant[1].store_slice(&mut constant[4..]);
    Expansion {
        constant,
        terms: terms.map(|term| term.to_array()),
        linear: linear.map(|term| term.to_array()),
    }
}

/// Rounds to an integer, which is in the low bits of the result next to those of [`MAGIC`].
fn rounded(value: f32) -> i32 {
    ((value + MAGIC).to_bits() as i32).wrapping_sub(MAGIC.to_bits() as i32)
}

fn constant(height: f64) -> i64 {
    libm::rint(height * CONSTANT_SCALE) as i64
}

fn add_expanded<S: Simd>(
    simd: S,
    peaks: &[Peak],
    sorted: &Sorted,
    square: &Square,
    quad: &mut Quad,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            for (ids, kinds) in sorted.expanded.chunks(8).zip(sorted.kinds.chunks(8)) {
                let lanes = Lanes::gather(peaks, ids, square);
                let expansion = expand(simd, &lanes, square);
                for (lane, &kind) in kinds.iter().enumerate() {
                    let mut terms = expansion.terms.map(|term| term[lane]);
                    if kind == Kind::Smooth {
                        quad.constant += constant(expansion.constant[lane]);
                        for (sum, term) in quad.cubic.iter_mut().zip(terms) {
                            *sum = sum.wrapping_add(rounded(term));
                        }
                        continue;
                    }
                    terms[0] += (expansion.constant[lane] * square.per_quantum) as f32;
                    if kind == Kind::QuadraticRim {
                        terms[1] = expansion.linear[0][lane];
                        terms[2] = expansion.linear[1][lane];
                    }
                    let is_peak = lanes.slope[lane] > 0.0;
                    match (kind == Kind::CubicRim, is_peak) {
                        (true, true) => add_rim::<S, true, true>(simd, &terms, quad),
                        (true, false) => add_rim::<S, true, false>(simd, &terms, quad),
                        (false, true) => add_rim::<S, false, true>(simd, &terms, quad),
                        (false, false) => add_rim::<S, false, false>(simd, &terms, quad),
                    }
                }
            }
        },
    );
}

/// Adds max(0, cubic) (min for a hollow) to the samples of a quad.
#[inline(always)]
fn add_rim<S: Simd, const IS_CUBIC: bool, const IS_PEAK: bool>(
    simd: S,
    c: &[f32; CUBIC],
    quad: &mut Quad,
) {
    let s = f32x16::simd_from(simd, ACROSS);
    let splat = |value: f32| f32x16::splat(simd, value);
    let (row0, row1, row2) = if IS_CUBIC {
        (
            splat(c[0]) + s * (splat(c[1]) + s * (splat(c[3]) + s * c[6])),
            splat(c[2]) + s * (splat(c[4]) + s * c[7]),
            splat(c[5]) + s * c[8],
        )
    } else {
        (splat(c[0]) + s * (splat(c[1]) + s * c[3]), splat(c[2]) + s * c[4], splat(c[5]))
    };
    let zero = splat(0.0);
    let bias = MAGIC.to_bits() as i32;
    for (k, rows) in quad.samples.chunks_exact_mut(16).enumerate() {
        let t = f32x16::simd_from(simd, DOWN[k]);
        let inner = if IS_CUBIC { row2 + t * c[9] } else { row2 };
        let value = row0 + t * (row1 + t * inner);
        let value = if IS_PEAK { value.max(zero) } else { value.min(zero) };
        let sum = i32x16::from_slice(simd, rows) + (value + MAGIC).bitcast::<i32x16<S>>() - bias;
        sum.store_slice(rows);
    }
}

/// Adds cones near their apexes that are not clamped in this quad.
fn add_apexes<S: Simd>(simd: S, peaks: &[Peak], ids: &[u32], square: &Square, quad: &mut Quad) {
    simd.vectorize(
        #[inline(always)]
        || {
            let bias = MAGIC.to_bits() as i32;
            let across = f32x16::simd_from(simd, ACROSS) * square.half[0];
            for &id in ids {
                let peak = &peaks[id as usize];
                let (x, z) = (square.x - peak.x, square.z - peak.z);
                // The level at the centre is summed as a constant, so that the samples are small numbers.
                let level = (peak.slope * (x * x + z * z).sqrt() * square.per_quantum) as f32;
                let slope = (peak.slope * square.per_quantum) as f32;
                quad.constant += constant(peak.height - f64::from(level) / square.per_quantum);
                let dx = across + x as f32;
                let dx2 = dx * dx;
                for (k, rows) in quad.samples.chunks_exact_mut(16).enumerate() {
                    let dz = f32x16::simd_from(simd, DOWN[k]) * square.half[1] + z as f32;
                    let value = f32x16::splat(simd, level) - (dx2 + dz * dz).sqrt() * slope;
                    let sum = i32x16::from_slice(simd, rows)
                        + (value + MAGIC).bitcast::<i32x16<S>>()
                        - bias;
                    sum.store_slice(rows);
                }
            }
        },
    );
}

/// Adds small cones of which this quad sees both apex and rim, or at least may.
fn add_clamped_apexes<S: Simd>(
    simd: S,
    peaks: &[Peak],
    ids: &[u32],
    square: &Square,
    quad: &mut Quad,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let bias = MAGIC.to_bits() as i32;
            let across = f64x8::from_fn(simd, |k| f64::from(ACROSS[k]) * f64::from(square.half[0]));
            for &id in ids {
                let peak = &peaks[id as usize];
                let dx = across + (square.x - peak.x);
                let dx2 = dx * dx;
                let height = peak.height.abs() * square.per_quantum;
                let slope = peak.slope.abs() * square.per_quantum;
                let row = |row: usize| {
                    let down = f64::from(DOWN[row / 2][8 * (row % 2)]) * f64::from(square.half[1]);
                    let dz = down + (square.z - peak.z);
                    let fall = (dx2 + dz * dz).sqrt() * slope;
                    (f64x8::splat(simd, height) - fall).max(f64x8::splat(simd, 0.0))
                };
                for (k, rows) in quad.samples.chunks_exact_mut(16).enumerate() {
                    let value = simd.narrow_f64x8(row(2 * k), row(2 * k + 1));
                    let sum = i32x16::from_slice(simd, rows);
                    let term = (value + MAGIC).bitcast::<i32x16<S>>() - bias;
                    let sum = if peak.slope > 0.0 { sum + term } else { sum - term };
                    sum.store_slice(rows);
                }
            }
        },
    );
}

/// Evaluates a leaf: the polynomial of everything smooth above it, plus its own sums.
pub(super) fn evaluate<S: Simd>(
    simd: S,
    quintic: &Quintic,
    leaf: Option<&Leaf>,
    units: &Units,
    out: &mut [f32; LEAF * LEAF],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let scale = super::scene::power_of_two(units.exponent);
            let c: [f32; 21] = std::array::from_fn(|k| (quintic[k] * scale) as f32);
            evaluate_quintic(simd, &c, out);
            let quantum = (units.quad * scale) as f32;
            for q in 0..4 {
                let quad = leaf.map(|leaf| &leaf.quads[q]);
                let own = quad.map_or(0, |quad| quad.constant) as f64 / CONSTANT_SCALE;
                // The large part is added last, as an f32 without error: one rounding in all.
                let level = (quintic[0] + own) * scale;
                let high = level as f32;
                let low = (level - f64::from(high)) as f32;
                let first = (q / 2) * QUAD * LEAF + (q % 2) * QUAD;
                for row in 0..QUAD {
                    let start = first + row * LEAF;
                    let samples = &mut out[start..start + QUAD];
                    let mut value = f32x8::from_slice(simd, samples) + low;
                    if let Some(quad) = quad {
                        let sums = fearless_simd::i32x8::from_slice(
                            simd,
                            &quad.samples[row * QUAD..(row + 1) * QUAD],
                        );
                        value += (cubic_row(simd, &quad.cubic, row) + sums.to_float::<f32x8<S>>())
                            * quantum;
                    }
                    (value + high).store_slice(samples);
                }
            }
        },
    );
}

/// One row of the cubic of a quad, in quanta.
#[inline(always)]
fn cubic_row<S: Simd>(simd: S, cubic: &[i32; CUBIC], row: usize) -> f32x8<S> {
    let c = cubic.map(|term| term as f32);
    let s = f32x8::from_slice(simd, &ACROSS[..8]);
    let t = DOWN[row / 2][8 * (row % 2)];
    let splat = |value: f32| f32x8::splat(simd, value);
    let inner = splat(c[3] + t * c[7]) + s * c[6];
    let outer = splat(c[1] + t * (c[4] + t * c[8])) + s * inner;
    splat(c[0] + t * (c[2] + t * (c[5] + t * c[9]))) + s * outer
}

/// Evaluates a quintic without its constant.
#[inline(always)]
fn evaluate_quintic<S: Simd>(simd: S, c: &[f32; 21], out: &mut [f32; LEAF * LEAF]) {
    let s = f32x16::from_fn(simd, |k| (k as f32 - 7.5) / 8.0);
    let splat = |value: f32| f32x16::splat(simd, value);
    let columns: [f32x16<S>; 6] = std::array::from_fn(|j| {
        let mut sum = splat(c[index(5 - j, j)]);
        for i in (0..5 - j).rev() {
            sum = sum * s + if i + j == 0 { 0.0 } else { c[index(i, j)] };
        }
        sum
    });
    for (row, samples) in out.chunks_exact_mut(LEAF).enumerate() {
        let t = (row as f32 - 7.5) / 8.0;
        let mut sum = columns[5];
        for j in (0..5).rev() {
            sum = sum * t + columns[j];
        }
        sum.store_slice(samples);
    }
}
