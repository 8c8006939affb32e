//! The cones of a far field, in the units that its sums are kept in.
//!
//! Distances at which an approximation may be used follow from the tolerance and the first order that it
//! leaves out, with m half the diagonal of the node, h half the longer side of a block of 8 × 8 samples and d the
//! distance of the apex:
//!
//! ```text
//! node           0.08·m⁸/d⁷ of the slope      orders 8 and up
//! cubic rim      0.3·h⁴/d³                    order 4
//! quadratic rim  0.2·h³/d²                    order 3, folded
//! ```

use super::super::{Cone, Curve};
use crate::{Lattice, math};

/// Largest error of one cone in one node, as a share of how much that cone varies over the lattice.
const TOLERANCE: f64 = 2.5e-7;
/// The same as a share of the range of heights, for scenes in which many cones overlap.
const SHARED_TOLERANCE: f64 = 8e-7;
/// Heights are probed at this many samples along each axis.
const PROBES: usize = 8;
/// Constants are summed as integers of 2⁻⁴⁰ of the largest height.
pub(super) const CONSTANT_SCALE: f64 = (1_u64 << 40) as f64;
/// Adding 1.5·2²³ to an f32 rounds it to an integer, which then sits in the low bits: see `rounded`.
pub(super) const MAGIC: f32 = 12_582_912.0;
/// Integers of this many bits survive the addition of [`MAGIC`].
const MAGIC_BITS: i32 = 22;
/// A lattice of no more samples than this is evaluated directly.
const DIRECT_SAMPLES: u64 = 4096;
/// A quarter of the range of i32, which leaves room for the rounding of every term.
const SUM_LIMIT: f64 = (1_u64 << 30) as f64;
/// The root is divided into this many bins along each axis to bound how much overlaps.
const BINS: usize = 16;

/// One cone. Lengths are in units of Δx, heights in units of 2^[`Units::exponent`].
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Peak {
    pub(super) x: f64,
    pub(super) z: f64,
    pub(super) radius: f64,
    /// height / radius, with the sign of the height.
    pub(super) slope: f64,
    /// Squared radius, a little enlarged: beyond, the cone contributes nothing.
    pub(super) outside2: f32,
    /// Squared radius, a little reduced: within, the cone is not clamped.
    pub(super) inside2: f32,
    /// Squared distance beyond which a node of half-diagonal 1 may take this cone as a polynomial.
    pub(super) far2: f32,
    /// Squared distances beyond which a leaf may take this cone as a cubic, or as a quadratic.
    pub(super) cubic2: f32,
    pub(super) quadratic2: f32,
}

impl Peak {
    /// A cone that touches nothing and adds nothing: it fills up lists to a multiple of eight.
    pub(super) const NONE: Self = Self {
        x: -1e6,
        z: -1e6,
        radius: 0.0,
        slope: 0.0,
        outside2: -1.0,
        inside2: -1.0,
        far2: f32::INFINITY,
        cubic2: f32::INFINITY,
        quadratic2: f32::INFINITY,
    };

    /// Place of the centre along a curve through all squares of 1/256 of the root.
    pub(super) fn z_order(&self, root: u64) -> u32 {
        let cell = |at: f64| (at * 256.0 / root as f64).clamp(0.0, 255.0) as u32;
        let (x, z) = (cell(self.x), cell(self.z));
        (0..8).fold(0, |order, bit| {
            order | (x >> bit & 1) << (2 * bit) | (z >> bit & 1) << (2 * bit + 1)
        })
    }
}

/// Powers of two that the integers of a far field count in. A pure function of the set of cones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Units {
    /// Heights are divided by 2 to this power.
    pub(super) exponent: i32,
    /// Quantum of the samples of leaves.
    pub(super) leaf: f64,
    /// Quantum of the coefficients of a node of half-size 1.
    pub(super) node: f64,
    /// Error that every cone may make, from a lower bound of the range of heights.
    pub(super) tolerance: f64,
}

/// How a scene is evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Method {
    /// By the quadtree.
    Tree,
    /// Sample by sample in f64: the lattice is tiny, or the cones only graze it, so that the range is much
    /// smaller than what f32 resolves of a cone.
    Direct,
}

/// What of a cone decides about the units: everything else follows from the cone alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weight {
    /// Bound on its height where it is evaluated.
    pub(super) height: f64,
    /// Bound on what it adds to one sample.
    pub(super) leaf: f64,
    /// Bound on the coefficients it adds to a node of half-size 1.
    pub(super) node: f64,
    /// How much it varies over the lattice.
    pub(super) variation: f64,
}

/// The geometry that the cones are prepared for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) lattice: Lattice,
    pub(super) curve: Curve,
    pub(super) divisor: f64,
    /// Δz / Δx.
    pub(super) aspect: f64,
    /// Samples along a side of the root: 16 · 2^k.
    pub(super) root: u64,
    /// Least of what [`Peak::far2`] is the square of.
    nearest: f64,
}

impl Frame {
    pub(super) fn new(lattice: Lattice, curve: Curve, divisor: f64) -> Self {
        let side = u64::from(lattice.size[0].max(lattice.size[1])).max(32).next_power_of_two();
        let aspect = lattice.spacing[1] / lattice.spacing[0];
        // At a leaf, the apex is at least 2.2 half-diagonals away.
        let nearest = 2.2 * math::pow(8.0 * math::length(1.0, aspect), -1.0 / 7.0);
        Self { lattice, curve, divisor, aspect, root: side, nearest }
    }

    /// Half the diagonal of a node of half-size 1.
    pub(super) fn diagonal(&self) -> f64 {
        math::length(1.0, self.aspect)
    }

    /// What the units must have room for, or nothing if the cone contributes nothing.
    pub(super) fn weigh(&self, cone: &Cone) -> Option<Weight> {
        let height = (cone.height / self.divisor).abs();
        let radius = cone.radius / self.lattice.spacing[0];
        let slope = height / radius;
        if !(height > 0.0 && radius > 0.0 && slope.is_finite() && height.is_finite()) {
            return None;
        }
        if !(cone.x.is_finite() && cone.z.is_finite()) {
            return None;
        }
        let (near, far) = self.distances(cone);
        let leaf = slope * 2.2 * 8.0 * self.diagonal();
        match self.curve {
            Curve::Tent => {
                let high = (1.0 - near / radius).max(0.0);
                let low = (1.0 - far / radius).max(0.0);
                if high == 0.0 {
                    return None;
                }
                let is_summed = radius > 7.0 * self.diagonal();
                Some(Weight {
                    height,
                    leaf: leaf.min(height),
                    node: if is_summed { slope * self.diagonal() } else { 0.0 },
                    variation: height * (high - low),
                })
            }
            Curve::InvertedV => Some(Weight {
                height: height + slope * (far + 2.0 * self.root as f64 * self.diagonal()),
                leaf,
                node: slope * self.diagonal(),
                variation: slope * (far - near),
            }),
        }
    }

    /// Distance from a cone to the nearest sample and to the farthest corner of the lattice.
    fn distances(&self, cone: &Cone) -> (f64, f64) {
        let mut near = [0.0; 2];
        let mut far = [0.0; 2];
        for axis in 0..2 {
            let spacing = self.lattice.spacing[axis];
            let last = f64::from(self.lattice.size[axis] - 1);
            let at = [cone.x, cone.z][axis] / spacing;
            let nearest = at.round().clamp(0.0, last);
            let scale = spacing / self.lattice.spacing[0];
            near[axis] = (at - nearest) * scale;
            far[axis] = at.abs().max((at - last).abs()) * scale;
        }
        (math::length(near[0], near[1]), math::length(far[0], far[1]))
    }

    /// The first and last bin of each row of bins that a cone may touch.
    fn spans(&self, cone: &Cone, mut visit: impl FnMut(usize, usize, usize)) {
        let bin = self.root as f64 / BINS as f64;
        let radius = match self.curve {
            Curve::Tent => cone.radius / self.lattice.spacing[0] * 1.001 + 0.5 * self.diagonal(),
            Curve::InvertedV => f64::INFINITY,
        };
        let (x, z) = (cone.x / self.lattice.spacing[0], cone.z / self.lattice.spacing[0]);
        for row in 0..BINS {
            let (top, bottom) =
                (row as f64 * bin * self.aspect, (row + 1) as f64 * bin * self.aspect);
            let dz = (top - z).max(z - bottom).max(0.0);
            if dz > radius {
                continue;
            }
            let chord =
                if radius.is_finite() { (radius * radius - dz * dz).sqrt() } else { radius };
            let first = ((x - chord) / bin).floor().clamp(0.0, BINS as f64);
            let last = ((x + chord) / bin).ceil().clamp(0.0, BINS as f64);
            if first < last {
                visit(row, first as usize, last as usize);
            }
        }
    }

    /// A cone in the units of the sums.
    pub(super) fn prepare(&self, cone: &Cone, weight: &Weight, units: &Units) -> Peak {
        let spacing = self.lattice.spacing[0];
        let unit = power_of_two(units.exponent);
        let height = cone.height / self.divisor / unit;
        let radius = cone.radius / spacing;
        let slope = height / radius;
        // Steepness against tolerance, in 1/Δx. A cone that hardly varies still gets a tolerance.
        let tolerance = TOLERANCE * (weight.variation / unit).max(1e-9 * height.abs());
        let tolerance = tolerance.max(units.tolerance);
        let sharpness = slope.abs() / tolerance;
        // Orders 8 and up are left out of a node: 0.08·m⁸/d⁷ of the slope, and m/d must be small.
        let far = math::pow(0.08 * sharpness, 1.0 / 7.0).max(self.nearest);
        let block = 4.0 * self.aspect.max(1.0);
        let cubic = libm::cbrt(0.3 * block * block * block * block * sharpness).max(8.0 * block);
        let quadratic = (0.2 * block * block * block * sharpness).sqrt().max(cubic);
        let (outside2, inside2) = match self.curve {
            Curve::Tent => {
                let outside = radius * (1.0 + 2e-6) + 0.01;
                let inside = (radius * (1.0 - 2e-6) - 0.01).max(0.0);
                ((outside * outside) as f32, (inside * inside) as f32)
            }
            Curve::InvertedV => (f32::INFINITY, f32::INFINITY),
        };
        Peak {
            x: cone.x / spacing,
            z: cone.z / spacing,
            radius,
            slope,
            outside2,
            inside2,
            far2: (far * far) as f32,
            cubic2: (cubic * cubic) as f32,
            quadratic2: (quadratic * quadratic) as f32,
        }
    }

    /// Heights of a cone at the probes, as integers.
    fn probe(&self, cone: &Cone, unit: f64) -> [i64; PROBES * PROBES] {
        let at = |axis: usize, k: usize| {
            let size = u64::from(self.lattice.size[axis]);
            let sample = (2 * k as u64 + 1) * size / (2 * PROBES as u64);
            sample as f64 * self.lattice.spacing[axis]
        };
        let mut heights = [0; PROBES * PROBES];
        let scale = CONSTANT_SCALE / self.divisor / unit;
        for j in 0..PROBES {
            let z = at(1, j);
            if self.curve == Curve::Tent && (z - cone.z).abs() >= cone.radius {
                continue;
            }
            for i in 0..PROBES {
                let x = at(0, i);
                if self.curve == Curve::Tent && (x - cone.x).abs() >= cone.radius {
                    continue;
                }
                heights[j * PROBES + i] = (cone.height_at(x, z, self.curve) * scale) as i64;
            }
        }
        heights
    }
}

/// Exact sums over the set of cones from which the units follow: neither the order of the cones matters,
/// nor whether one was there and went.
#[derive(Clone, Debug)]
pub(super) struct Census {
    frame: Frame,
    largest: Largest,
    /// What overlaps in each bin for leaves and for nodes, as differences along each row of bins, so that a
    /// wide cone costs no more than a narrow one.
    steps: Vec<[i64; 2]>,
    /// Heights at the probes.
    probes: [i64; PROBES * PROBES],
}

/// The largest weights, those of them that scale the sums as exponents.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Largest {
    exponent: i32,
    leaf: i32,
    node: i32,
    is_grazed: bool,
}

impl Largest {
    fn of(weights: &[Option<Weight>]) -> Self {
        let mut largest = [0.0_f64; 4];
        for weight in weights.iter().flatten() {
            let weight = [weight.height, weight.leaf, weight.node, weight.variation];
            for k in 0..4 {
                largest[k] = largest[k].max(weight[k]);
            }
        }
        let [height, leaf, node, variation] = largest;
        let exponent = exponent_above(height);
        Self {
            exponent,
            leaf: exponent_above(leaf) - exponent,
            node: exponent_above(node) - exponent,
            is_grazed: variation < 0.5 * leaf,
        }
    }
}

impl Census {
    pub(super) fn new(frame: &Frame, cones: &[Cone], weights: &[Option<Weight>]) -> Self {
        let mut census = Self {
            frame: *frame,
            largest: Largest::of(weights),
            steps: vec![[0; 2]; BINS * (BINS + 1)],
            probes: [0; PROBES * PROBES],
        };
        for (cone, weight) in cones.iter().zip(weights) {
            census.count(cone, weight.as_ref(), 1);
        }
        census
    }

    /// Whether these weights still have the same scales.
    pub(super) fn fits(&self, weights: &[Option<Weight>]) -> bool {
        self.largest == Largest::of(weights)
    }

    /// Counts a cone in (`sign` 1) or out (−1).
    pub(super) fn count(&mut self, cone: &Cone, weight: Option<&Weight>, sign: i64) {
        let Some(weight) = weight else { return };
        let scale = |amount: f64, exponent: i32| {
            sign * (amount / power_of_two(exponent + self.largest.exponent) / BIN_SCALE).ceil()
                as i64
        };
        let amounts =
            [scale(weight.leaf, self.largest.leaf), scale(weight.node, self.largest.node)];
        let steps = &mut self.steps;
        self.frame.spans(cone, |row, first, last| {
            for k in 0..2 {
                steps[row * (BINS + 1) + first][k] += amounts[k];
                steps[row * (BINS + 1) + last][k] -= amounts[k];
            }
        });
        let heights = self.frame.probe(cone, power_of_two(self.largest.exponent));
        for (probe, height) in self.probes.iter_mut().zip(heights) {
            *probe += sign * height;
        }
    }

    /// The units, and how to evaluate the cones.
    pub(super) fn units(&self) -> (Units, Method) {
        let mut overlapping = [0_i64; 2];
        for row in self.steps.chunks_exact(BINS + 1) {
            let mut sum = [0_i64; 2];
            for step in row {
                for k in 0..2 {
                    sum[k] += step[k];
                    overlapping[k] = overlapping[k].max(sum[k]);
                }
            }
        }
        // The largest weight must survive MAGIC, and the sum of what overlaps must fit.
        let quantum = |exponent: i32, overlapping: i64| {
            let sum = exponent_above(overlapping as f64 * BIN_SCALE / SUM_LIMIT);
            power_of_two(exponent + sum.max(-MAGIC_BITS))
        };
        let units = Units {
            exponent: self.largest.exponent,
            leaf: quantum(self.largest.leaf, overlapping[0]),
            node: quantum(self.largest.node, overlapping[1]),
            tolerance: self.tolerance(),
        };
        let size = self.frame.lattice.size;
        let is_tiny = u64::from(size[0]) * u64::from(size[1]) <= DIRECT_SAMPLES;
        let method = if is_tiny || self.largest.is_grazed { Method::Direct } else { Method::Tree };
        (units, method)
    }

    /// A share of the range of heights at the probes, which is not more than the range of all.
    fn tolerance(&self) -> f64 {
        let low = self.probes.iter().copied().fold(i64::MAX, i64::min);
        let high = self.probes.iter().copied().fold(i64::MIN, i64::max);
        if low >= high {
            return 0.0;
        }
        // In steps of 4, so that an edit seldom changes it.
        let exponent = exponent_above((high - low) as f64 / CONSTANT_SCALE);
        SHARED_TOLERANCE * power_of_two(exponent - 1 - exponent.rem_euclid(2))
    }
}

/// Bins count in this share of the largest weight.
const BIN_SCALE: f64 = 1.0 / (1_u64 << 30) as f64;

/// 2 to a power that an f64 can hold.
pub(super) fn power_of_two(exponent: i32) -> f64 {
    libm::ldexp(1.0, exponent)
}

/// The smallest power of two that is not below a value, as an exponent; a low one for 0.
pub(super) fn exponent_above(value: f64) -> i32 {
    if value <= 0.0 {
        return -1000;
    }
    let (mantissa, exponent) = libm::frexp(value);
    if mantissa == 0.5 { exponent - 1 } else { exponent }
}
