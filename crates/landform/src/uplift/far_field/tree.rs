//! Nodes of the quadtree and the cones that reach them.

use fearless_simd::{Simd, f32x8, f64x4, prelude::*};

use super::scene::{Frame, Peak, Units};
use super::taylor::{Quintic, Square, Sums, shifted, sum};

/// A square of samples, at its place on the lattice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    /// First sample.
    pub i: u64,
    pub j: u64,
    /// Samples along a side.
    pub side: u64,
    /// Δz / Δx.
    pub aspect: f64,
    /// Threshold of [`Peak::far2`] for this size.
    pub far_scale: f32,
}

impl Place {
    pub fn root(frame: &Frame) -> Self {
        let half_diagonal = 0.5 * frame.root as f64 * frame.diagonal();
        // The distance grows with the 8/7th power of the half-diagonal.
        let far_scale = crate::math::pow(half_diagonal, 16.0 / 7.0) as f32;
        Self { i: 0, j: 0, side: frame.root, aspect: frame.aspect, far_scale }
    }

    /// Child 0 to 3: north-west, north-east, south-west, south-east.
    pub fn child(&self, q: usize) -> Self {
        /// 2^(−16/7)
        const FAR_STEP: f32 = 0.205_084_92;
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
    pub fn square(&self, quantum: f64) -> Square {
        let half = 0.5 * self.side as f64;
        Square {
            x: self.i as f64 + half - 0.5,
            z: (self.j as f64 + half - 0.5) * self.aspect,
            half: [half as f32, (half * self.aspect) as f32],
            per_quantum: 1.0 / quantum,
        }
    }

    /// Quantum of the coefficients of a node of this size.
    pub fn quantum(&self, units: &Units) -> f64 {
        units.node * 0.5 * self.side as f64
    }
}

/// The cones that reach a node, ready to be tested eight at a time.
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    x: Vec<f64>,
    z: Vec<f64>,
    outside2: Vec<f32>,
    inside2: Vec<f32>,
    far2: Vec<f32>,
    pub id: Vec<u32>,
}

impl List {
    pub fn all(peaks: &[Peak]) -> Self {
        let mut list = Self::default();
        for (id, peak) in peaks.iter().enumerate() {
            list.push(peak, id as u32);
        }
        list.pad();
        list
    }

    pub fn one(peak: &Peak, id: u32) -> Self {
        let mut list = Self::default();
        list.push(peak, id);
        list.pad();
        list
    }

    pub fn clear(&mut self) {
        self.x.clear();
        self.z.clear();
        self.outside2.clear();
        self.inside2.clear();
        self.far2.clear();
        self.id.clear();
    }

    fn push(&mut self, peak: &Peak, id: u32) {
        self.x.push(peak.x);
        self.z.push(peak.z);
        self.outside2.push(peak.outside2);
        self.inside2.push(peak.inside2);
        self.far2.push(peak.far2);
        self.id.push(id);
    }

    fn push_from(&mut self, other: &Self, k: usize) {
        self.x.push(other.x[k]);
        self.z.push(other.z[k]);
        self.outside2.push(other.outside2[k]);
        self.inside2.push(other.inside2[k]);
        self.far2.push(other.far2[k]);
        self.id.push(other.id[k]);
    }

    /// Fills up to eights with cones that touch nothing.
    fn pad(&mut self) {
        while self.x.len() % 8 != 0 {
            self.x.push(0.0);
            self.z.push(0.0);
            self.outside2.push(-1.0);
            self.inside2.push(-1.0);
            self.far2.push(f32::INFINITY);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// Calls `f(k, d₀², is_inside)` for each cone whose disc touches a square.
    #[inline(always)]
    pub fn touching<S: Simd>(&self, simd: S, place: &Place, mut f: impl FnMut(usize, f32, bool)) {
        for batch in 0..self.x.len() / 8 {
            let test = self.test(simd, place, batch);
            let mut bits = test.touching;
            while bits != 0 {
                let lane = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                f(8 * batch + lane, test.distance2[lane], test.inside & (1 << lane) != 0);
            }
        }
    }

    #[inline(always)]
    fn test<S: Simd>(&self, simd: S, place: &Place, batch: usize) -> Test {
        let square = place.square(1.0);
        let first = 8 * batch;
        simd.vectorize(
            #[inline(always)]
            || {
                let away = |from: &[f64], centre: f64| {
                    let centre = f64x4::splat(simd, centre);
                    let low = centre - f64x4::from_slice(simd, &from[first..first + 4]);
                    let high = centre - f64x4::from_slice(simd, &from[first + 4..first + 8]);
                    simd.narrow_f64x4(low, high).abs()
                };
                let load = |from: &[f32]| f32x8::from_slice(simd, &from[first..first + 8]);
                let zero = f32x8::splat(simd, 0.0);
                let x = away(&self.x, square.x);
                let z = away(&self.z, square.z);
                // Samples reach half a cell less far than the square.
                let shrink = (place.side as f32 - 1.0) / place.side as f32;
                let (a, b) = (square.half[0] * shrink, square.half[1] * shrink);
                let (near_x, near_z) = ((x - a).max(zero), (z - b).max(zero));
                let (far_x, far_z) = (x + a, z + b);
                let near2 = near_x * near_x + near_z * near_z;
                let far2 = far_x * far_x + far_z * far_z;
                let distance2 = x * x + z * z;
                let is_touching = near2.simd_lt(load(&self.outside2));
                let is_inside = far2.simd_le(load(&self.inside2));
                let is_far = distance2.simd_ge(load(&self.far2) * place.far_scale);
                Test {
                    touching: is_touching.to_bitmask() as u32,
                    inside: is_inside.to_bitmask() as u32,
                    far: is_far.to_bitmask() as u32,
                    distance2: distance2.to_array(),
                }
            },
        )
    }

    /// Divides the cones that touch a node into those it can sum and those that go on to its children.
    pub fn divide<S: Simd>(&self, simd: S, place: &Place, summed: &mut Vec<u32>, rest: &mut Self) {
        summed.clear();
        rest.clear();
        for batch in 0..self.x.len() / 8 {
            let test = self.test(simd, place, batch);
            let mut sums = test.touching & test.inside & test.far;
            let mut passes = test.touching & !sums;
            while sums != 0 {
                summed.push(self.id[8 * batch + sums.trailing_zeros() as usize]);
                sums &= sums - 1;
            }
            while passes != 0 {
                rest.push_from(self, 8 * batch + passes.trailing_zeros() as usize);
                passes &= passes - 1;
            }
        }
        rest.pad();
    }
}

/// Eight cones against a square, as bits.
struct Test {
    touching: u32,
    inside: u32,
    far: u32,
    distance2: [f32; 8],
}

/// The sums of a node and the cones that go on to its children.
pub(super) fn visit<S: Simd>(
    simd: S,
    peaks: &[Peak],
    units: &Units,
    place: &Place,
    list: &List,
    summed: &mut Vec<u32>,
    rest: &mut List,
) -> Sums {
    list.divide(simd, place, summed, rest);
    let mut sums = Sums::ZERO;
    if !summed.is_empty() {
        sum(simd, peaks, summed, &place.square(place.quantum(units)), &mut sums);
    }
    sums
}

/// The polynomial of child `q` of a node, before the child's own sums.
pub(super) fn inherit(parent: &Quintic, q: usize) -> Quintic {
    let east = if q % 2 == 1 { 1.0 } else { -1.0 };
    let south = if q / 2 == 1 { 1.0 } else { -1.0 };
    shifted(parent, east, south)
}

/// Adds a node's own sums to what it inherited.
pub(super) fn add_own(quintic: &mut Quintic, sums: &Sums, quantum: f64) {
    for (sum, own) in quintic.iter_mut().zip(sums.quintic(quantum)) {
        *sum += own;
    }
}
