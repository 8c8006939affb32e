//! The cones of a far field, in the units that its sums are kept in.
//!
//! Distances at which an approximation may be used follow from the tolerance and the first order that it
//! leaves out, with m half the diagonal of the node, h half the longer side of a block of 8 × 8 samples and d the
//! distance of the apex:
//!
//! ```text
//! node           0.0073·m⁶/d⁵ of the slope    order 6, folded
//! cubic rim      0.3·h⁴/d³                    order 4
//! quadratic rim  0.2·h³/d², 6.4·h⁴/d³         order 3, folded, and order 4 over the leaf
//! ```

use super::super::{Cone, Curve};
use crate::{Lattice, math};

/// Largest error of one cone in one node, as a share of how much that cone varies over the lattice.
const TOLERANCE: f64 = 2.5e-7;
/// Constants are summed as integers of 2⁻⁴⁰ of the largest height.
pub(super) const CONSTANT_SCALE: f64 = (1_u64 << 40) as f64;
/// Sizes of nodes, from 16 samples a side: enough for any lattice.
pub(super) const LEVELS: usize = 24;

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
    /// Quanta of the sums of nodes, as if of half-size 1: of those of 16 samples a side, of 32, and so on.
    pub(super) nodes: [f64; LEVELS],
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
    /// It is summed by nodes of at most 16·2^level samples a side, if by any.
    pub(super) level: Option<usize>,
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
        // At a leaf, the apex is at least 1.9 half-diagonals away: nearer, orders above 7 are no longer small.
        let nearest = 1.9 * math::pow(8.0 * math::length(1.0, aspect), -0.2);
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
                Some(Weight {
                    height,
                    leaf: leaf.min(height),
                    node: slope * self.diagonal(),
                    level: self.highest_level(radius),
                    variation: height * (high - low),
                })
            }
            Curve::InvertedV => Some(Weight {
                height: height + slope * (far + 2.0 * self.root as f64 * self.diagonal()),
                leaf,
                node: slope * self.diagonal(),
                level: Some(LEVELS - 1),
                variation: slope * (far - near),
            }),
        }
    }

    /// The largest nodes that may lie inside a disc, far enough from its centre.
    fn highest_level(&self, radius: f64) -> Option<usize> {
        let half = |level: usize| power_of_two(level as i32 + 3);
        (0..LEVELS).take_while(|&level| 1.9 * half(level) * self.diagonal() < radius).last()
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
        // Half as much again, since several are as near at once.
        let far = math::pow(1.6 * 0.0073 * sharpness, 0.2).max(self.nearest);
        let block = 4.0 * self.aspect.max(1.0);
        let cubic = libm::cbrt(0.3 * block * block * block * block * sharpness).max(8.0 * block);
        let wide = libm::cbrt(6.4 * block * block * block * block * sharpness);
        let quadratic = (0.2 * block * block * block * sharpness).sqrt().max(wide).max(cubic);
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
}

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
