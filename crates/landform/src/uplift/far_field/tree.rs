//! Nodes of the quadtree and the cones that reach them.

use fearless_simd::{Simd, f32x8, f64x4, mask32x8, prelude::*, u32x8};

use super::leaf::LEAF;
use super::scene::{Frame, Peak, Units};
use super::taylor::Square;

/// One field of eight cones, a cone per lane.
macro_rules! lanes {
    ($simd:expr, $p:expr, $field:ident) => {{
        let p = &$p;
        f32x8::simd_from(
            $simd,
            [
                p[0].$field,
                p[1].$field,
                p[2].$field,
                p[3].$field,
                p[4].$field,
                p[5].$field,
                p[6].$field,
                p[7].$field,
            ],
        )
    }};
}

/// A square of samples, at its place on the lattice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SampleSquare {
    /// First sample.
    pub(super) i: u64,
    pub(super) j: u64,
    /// Samples along a side.
    pub(super) side: u64,
    /// Δz / Δx.
    pub(super) aspect: f64,
    /// Threshold of [`Peak::far2`] for this size.
    pub(super) far_scale: f32,
}

impl SampleSquare {
    pub(super) fn root(frame: &Frame) -> Self {
        let half_diagonal = 0.5 * frame.root as f64 * frame.diagonal();
        // The distance grows with the 6/5th power of the half-diagonal.
        let far_scale = crate::math::pow(half_diagonal, 2.4) as f32;
        Self { i: 0, j: 0, side: frame.root, aspect: frame.aspect, far_scale }
    }

    /// Child 0 to 3: north-west, north-east, south-west, south-east.
    pub(super) fn child(&self, q: usize) -> Self {
        /// 2^(−12/5)
        const FAR_STEP: f32 = 0.189_464_57;
        let side = self.side / 2;
        Self {
            i: self.i + (q as u64 % 2) * side,
            j: self.j + (q as u64 / 2) * side,
            side,
            aspect: self.aspect,
            far_scale: self.far_scale * FAR_STEP,
        }
    }

    /// The square, with coefficients in units of `quantum`.
    pub(super) fn square(&self, quantum: f64) -> Square {
        let half = 0.5 * self.side as f64;
        // Between the outer samples of a child.
        let samples = 0.5 * (half - 1.0);
        Square {
            samples: [samples as f32, (samples * self.aspect) as f32],
            x: self.i as f64 + half - 0.5,
            z: (self.j as f64 + half - 0.5) * self.aspect,
            half: [half as f32, (half * self.aspect) as f32],
            per_quantum: 1.0 / quantum,
        }
    }

    /// Quantum of the coefficients of a node of this size.
    pub(super) fn quantum(&self, units: &Units) -> f64 {
        units.nodes[(self.side / LEAF as u64).ilog2() as usize] * 0.5 * self.side as f64
    }
}

/// Indices of cones, filled up to a multiple of eight with 0, which is [`Peak::NONE`].
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    count: usize,
    ids: Vec<u32>,
}

impl List {
    pub(super) fn new(ids: impl Iterator<Item = u32>) -> Self {
        let mut ids: Vec<u32> = ids.collect();
        let count = ids.len();
        ids.resize(count.next_multiple_of(8), 0);
        Self { count, ids }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    #[inline(always)]
    pub(super) fn eights(&self) -> &[[u32; 8]] {
        self.ids[..self.count.next_multiple_of(8)].as_chunks().0
    }

    /// Empties the list and makes room for some more than `count` indices.
    #[inline(always)]
    fn restart(&mut self, count: usize) {
        self.count = 0;
        if self.ids.len() < count + 8 {
            self.ids.resize(count + 8, 0);
        }
    }

    /// Adds the indices that a mask selects.
    #[inline(always)]
    fn append<S: Simd>(&mut self, ids: u32x8<S>, mask: mask32x8<S>) {
        let selected = ids.compress(mask);
        selected.store_slice(&mut self.ids[self.count..self.count + 8]);
        self.count += mask.to_bitmask().count_ones() as usize;
    }

    /// Fills up to a multiple of eight.
    #[inline(always)]
    fn pad<S: Simd>(&mut self, simd: S) {
        u32x8::splat(simd, 0).store_slice(&mut self.ids[self.count..self.count + 8]);
    }

    /// Frees what is not used.
    pub(super) fn shrink(&mut self) {
        self.ids.truncate(self.count.next_multiple_of(8));
        self.ids.shrink_to_fit();
    }
}

/// What becomes of the cones of a node at one of its children.
#[derive(Clone, Debug, Default)]
pub(super) struct Division {
    /// Those that the child sums.
    pub(super) summed: List,
    /// Those that go on to the children of the child.
    pub(super) rest: List,
    /// Those that are evaluated sample by sample, if the child is a leaf.
    pub(super) kinds: Kinds,
}

/// The cones of a leaf that are evaluated sample by sample: see [`super::leaf`].
#[derive(Clone, Debug, Default)]
pub(super) struct Kinds {
    pub(super) rims: List,
    pub(super) cubic_rims: List,
    pub(super) apexes: List,
    pub(super) clamped_apexes: List,
}

impl Kinds {
    pub(super) fn is_empty(&self) -> bool {
        self.lists().iter().all(|list| list.is_empty())
    }

    fn lists(&self) -> [&List; 4] {
        [&self.rims, &self.cubic_rims, &self.apexes, &self.clamped_apexes]
    }

    fn lists_mut(&mut self) -> [&mut List; 4] {
        let Self { rims, cubic_rims, apexes, clamped_apexes } = self;
        [rims, cubic_rims, apexes, clamped_apexes]
    }
}

impl Division {
    /// Nothing reaches the child.
    pub(super) fn clear(&mut self) {
        self.summed.clear();
        self.rest.clear();
        for list in self.kinds.lists_mut() {
            list.clear();
        }
    }
}

/// Eight cones relative to the centre of a node.
pub(super) struct Eight<S: Simd> {
    ids: u32x8<S>,
    x: f32x8<S>,
    z: f32x8<S>,
}

impl<S: Simd> Eight<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, peaks: &[Peak], ids: &[u32; 8], square: &Square) -> Self {
        let p = gather(peaks, ids);
        let (x, z) = (f64x4::splat(simd, square.x), f64x4::splat(simd, square.z));
        let x_low = x - f64x4::simd_from(simd, [p[0].x, p[1].x, p[2].x, p[3].x]);
        let x_high = x - f64x4::simd_from(simd, [p[4].x, p[5].x, p[6].x, p[7].x]);
        let z_low = z - f64x4::simd_from(simd, [p[0].z, p[1].z, p[2].z, p[3].z]);
        let z_high = z - f64x4::simd_from(simd, [p[4].z, p[5].z, p[6].z, p[7].z]);
        Self {
            ids: u32x8::simd_from(simd, *ids),
            x: simd.narrow_f64x4(x_low, x_high),
            z: simd.narrow_f64x4(z_low, z_high),
        }
    }

    #[inline(always)]
    pub(super) fn ids(&self) -> u32x8<S> {
        self.ids
    }

    /// Compares the cones with the samples of the four children of the node.
    #[inline(always)]
    pub(super) fn test(&self, simd: S, reach: &Reach<S>, node: &Square) -> [Test<S>; 4] {
        let zero = f32x8::splat(simd, 0.0);
        let [a, b] = node.samples;
        let [quarter_x, quarter_z] = [0.5 * node.half[0], 0.5 * node.half[1]];
        let x = [Side::new(self.x - quarter_x, a, zero), Side::new(self.x + quarter_x, a, zero)];
        let z = [Side::new(self.z - quarter_z, b, zero), Side::new(self.z + quarter_z, b, zero)];
        [
            reach.test(&x[0], &z[0]),
            reach.test(&x[1], &z[0]),
            reach.test(&x[0], &z[1]),
            reach.test(&x[1], &z[1]),
        ]
    }
}

/// Squared distances along one axis between eight apexes and a child: to the nearest sample, to the farthest,
/// and to the centre.
struct Side<S: Simd> {
    near2: f32x8<S>,
    far2: f32x8<S>,
    centre2: f32x8<S>,
}

impl<S: Simd> Side<S> {
    #[inline(always)]
    fn new(centre: f32x8<S>, samples: f32, zero: f32x8<S>) -> Self {
        let distance = centre.abs();
        let (near, far) = ((distance - samples).max(zero), distance + samples);
        Self { near2: near * near, far2: far * far, centre2: centre * centre }
    }
}

/// How far eight cones reach.
pub(super) struct Reach<S: Simd> {
    outside2: f32x8<S>,
    inside2: f32x8<S>,
}

impl<S: Simd> Reach<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, peaks: &[Peak], ids: &[u32; 8]) -> Self {
        let p = gather(peaks, ids);
        Self { outside2: lanes!(simd, p, outside2), inside2: lanes!(simd, p, inside2) }
    }

    #[inline(always)]
    fn test(&self, x: &Side<S>, z: &Side<S>) -> Test<S> {
        Test {
            is_touching: (x.near2 + z.near2).simd_lt(self.outside2),
            is_inside: (x.far2 + z.far2).simd_le(self.inside2),
            distance2: x.centre2 + z.centre2,
        }
    }
}

/// Eight cones against a square.
pub(super) struct Test<S: Simd> {
    pub(super) is_touching: mask32x8<S>,
    pub(super) is_inside: mask32x8<S>,
    pub(super) distance2: f32x8<S>,
}

/// The cones of eight indices.
#[inline(always)]
pub(super) fn gather<'a>(peaks: &'a [Peak], ids: &[u32; 8]) -> [&'a Peak; 8] {
    [
        &peaks[ids[0] as usize],
        &peaks[ids[1] as usize],
        &peaks[ids[2] as usize],
        &peaks[ids[3] as usize],
        &peaks[ids[4] as usize],
        &peaks[ids[5] as usize],
        &peaks[ids[6] as usize],
        &peaks[ids[7] as usize],
    ]
}

/// Divides the cones of a node among its children `first .. last`.
pub(super) fn divide<S: Simd>(
    simd: S,
    peaks: &[Peak],
    list: &List,
    node: &SampleSquare,
    (first, last): (usize, usize),
    divisions: &mut [Division; 4],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let square = node.square(1.0);
            let far_scale = node.child(0).far_scale;
            for division in &mut divisions[first..last] {
                division.summed.restart(list.len());
                division.rest.restart(list.len());
            }
            for ids in list.eights() {
                let eight = Eight::new(simd, peaks, ids, &square);
                let reach = Reach::new(simd, peaks, ids);
                let p = gather(peaks, ids);
                let far2 = lanes!(simd, p, far2) * far_scale;
                let tests = eight.test(simd, &reach, &square);
                for q in first..last {
                    let test = &tests[q];
                    let is_far = test.distance2.simd_ge(far2);
                    let is_summed = test.is_touching & test.is_inside & is_far;
                    let is_passed = test.is_touching & !is_summed;
                    divisions[q].summed.append(eight.ids(), is_summed);
                    divisions[q].rest.append(eight.ids(), is_passed);
                }
            }
            for division in &mut divisions[first..last] {
                division.summed.pad(simd);
                division.rest.pad(simd);
            }
        },
    );
}

/// Divides the cones of a node among its children, which are leaves.
pub(super) fn divide_leaves<S: Simd>(
    simd: S,
    peaks: &[Peak],
    list: &List,
    node: &SampleSquare,
    divisions: &mut [Division; 4],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let square = node.square(1.0);
            let far_scale = node.child(0).far_scale;
            for division in divisions.iter_mut() {
                division.summed.restart(list.len());
                for list_of_kind in division.kinds.lists_mut() {
                    list_of_kind.restart(list.len());
                }
            }
            for ids in list.eights() {
                let eight = Eight::new(simd, peaks, ids, &square);
                let reach = Reach::new(simd, peaks, ids);
                let p = gather(peaks, ids);
                let far2 = lanes!(simd, p, far2) * far_scale;
                let cubic2 = lanes!(simd, p, cubic2);
                let quadratic2 = lanes!(simd, p, quadratic2);
                let tests = eight.test(simd, &reach, &square);
                for q in 0..4 {
                    let test = &tests[q];
                    let is_far = test.distance2.simd_ge(far2);
                    let is_cubic = test.distance2.simd_ge(cubic2);
                    let is_quadratic = test.distance2.simd_ge(quadratic2);
                    let is_inside = test.is_touching & test.is_inside;
                    let is_rim = test.is_touching & !test.is_inside;
                    let ids = eight.ids();
                    let division = &mut divisions[q];
                    division.summed.append(ids, is_inside & is_far);
                    let kinds = &mut division.kinds;
                    kinds.apexes.append(ids, is_inside & !is_far);
                    kinds.rims.append(ids, is_rim & is_quadratic);
                    let is_rest = is_rim & !is_quadratic;
                    if is_rest.any_true() {
                        kinds.cubic_rims.append(ids, is_rest & is_cubic);
                        kinds.clamped_apexes.append(ids, is_rest & !is_cubic);
                    }
                }
            }
            for division in divisions.iter_mut() {
                division.summed.pad(simd);
                for list_of_kind in division.kinds.lists_mut() {
                    list_of_kind.pad(simd);
                }
            }
        },
    );
}
