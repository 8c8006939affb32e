//! What is counted over all cones of a scene, and the units that follow from it.
//!
//! All of it are exact sums and largest values: neither the order of the cones matters, nor whether one was there and went.
//! The units are powers of two, so that an edit seldom changes them.
//!
//! **Quanta.** An integer must be able to hold the largest contribution of one cone and the sum of all that overlap. Small steep cones
//! are summed by small nodes only, so each size of nodes has its own quantum, and large flat cones are not rounded to
//! what a small steep one needs.
//!
//! **Tolerance.** Each cone may be off by a share of the range of heights. Errors of cones at different places have different signs, but
//! those of cones near to each other are alike and add up: where more cones stand together than elsewhere, each may be off by less.

use super::super::{Cone, Curve};
use super::scene::{
    CONSTANT_SCALE, Frame, LEVELS, Method, Units, Weight, exponent_above, power_of_two,
};
use crate::Lattice;

/// Error of one cone, as a share of the range of heights.
const SHARED_TOLERANCE: f64 = 8e-7;
/// Heights are probed at this many samples along each axis.
const PROBES: usize = 8;
/// Integers of this many bits survive the addition of [`SHIFT_SINGLE`](crate::math::rounding::SHIFT_SINGLE).
const SHIFT_BITS: i32 = 22;
/// A lattice of no more samples than this is evaluated directly.
const DIRECT_SAMPLES: u64 = 4096;
/// So is one whose cells are longer than this along one axis than along the other.
const DIRECT_ASPECT: f64 = 1e4;
/// A quarter of the range of i32, which leaves room for the rounding of every term.
const SUM_LIMIT: f64 = (1_u64 << 30) as f64;
/// The root is divided into this many bins along each axis to bound how much overlaps.
const BINS: usize = 16;
/// Bins count in this share of the largest weight.
const BIN_SCALE: f64 = 1.0 / (1_u64 << 30) as f64;

/// The sums over the set of cones: see the [module](self).
#[derive(Clone, Debug)]
pub(super) struct Census {
    frame: Frame,
    largest: Largest,
    /// What overlaps in each bin, as differences along each row of bins, so that a wide cone costs no more than a
    /// narrow one.
    steps: Vec<Overlap>,
    /// Where the probes are along each axis, and the heights there.
    places: [[f64; PROBES]; 2],
    probes: [i64; PROBES * PROBES],
    crowds: [Crowd; 2],
}

/// Weights that overlap.
#[derive(Clone, Copy, Debug)]
struct Overlap {
    leaf: i64,
    /// For each level, of the cones whose highest level that is.
    nodes: [i64; LEVELS],
}

impl Overlap {
    const NONE: Self = Self { leaf: 0, nodes: [0; LEVELS] };
}

/// The largest weights, those of them that scale the sums as exponents.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Largest {
    exponent: i32,
    leaf: i32,
    /// For each level, of the cones that it may sum.
    nodes: [i32; LEVELS],
    is_grazed: bool,
}

impl Largest {
    fn of(weights: &[Option<Weight>]) -> Self {
        let [mut height, mut leaf, mut variation] = [0.0_f64; 3];
        let mut nodes = [0.0_f64; LEVELS];
        for weight in weights.iter().flatten() {
            height = height.max(weight.height);
            leaf = leaf.max(weight.leaf);
            variation = variation.max(weight.variation);
            if let Some(level) = weight.level {
                nodes[level] = nodes[level].max(weight.node);
            }
        }
        for level in (1..LEVELS).rev() {
            nodes[level - 1] = nodes[level - 1].max(nodes[level]);
        }
        let exponent = exponent_above(height);
        Self {
            exponent,
            leaf: exponent_above(leaf) - exponent,
            nodes: nodes.map(|node| exponent_above(node) - exponent),
            is_grazed: variation < 0.5 * leaf,
        }
    }
}

impl Census {
    pub(super) fn new(frame: &Frame, cones: &[Cone], weights: &[Option<Weight>]) -> Self {
        let mut census = Self {
            frame: *frame,
            largest: Largest::of(weights),
            steps: vec![Overlap::NONE; BINS * (BINS + 1)],
            places: [0, 1].map(|axis| probes_along(&frame.lattice, axis)),
            probes: [0; PROBES * PROBES],
            crowds: [Crowd::new(frame, 16, 6), Crowd::new(frame, 128, 32)],
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
            let share = amount / power_of_two(exponent + self.largest.exponent);
            sign * ((share / BIN_SCALE) as i64 + 1)
        };
        let leaf = scale(weight.leaf, self.largest.leaf);
        let node = weight.level.map(|level| (level, scale(weight.node, self.largest.nodes[0])));
        let steps = &mut self.steps;
        spans(&self.frame, cone, |row, first, last| {
            for (at, sign) in [(first, 1), (last, -1)] {
                let step = &mut steps[row * (BINS + 1) + at];
                step.leaf += sign * leaf;
                if let Some((level, node)) = node {
                    step.nodes[level] += sign * node;
                }
            }
        });
        self.probe(cone, sign);
        for crowd in &mut self.crowds {
            crowd.count(&self.frame, cone, sign);
        }
    }

    /// Adds the heights of a cone at the probes.
    fn probe(&mut self, cone: &Cone, sign: i64) {
        let curve = self.frame.curve;
        let is_far = |along: f64| curve == Curve::Tent && along.abs() >= cone.radius;
        let unit = power_of_two(self.largest.exponent);
        // Neither of the two alone need be a number that an f64 can hold the inverse of.
        let scale = CONSTANT_SCALE / (self.frame.divisor * unit);
        let [xs, zs] = self.places;
        for (j, z) in zs.into_iter().enumerate().filter(|&(_, z)| !is_far(z - cone.z)) {
            for (i, x) in xs.into_iter().enumerate().filter(|&(_, x)| !is_far(x - cone.x)) {
                let height = (cone.height_at(x, z, curve) * scale) as i64;
                self.probes[j * PROBES + i] += sign * height;
            }
        }
    }

    /// The units, and how to evaluate the cones.
    pub(super) fn units(&self) -> (Units, Method) {
        let mut overlapping = Overlap::NONE;
        for row in self.steps.chunks_exact(BINS + 1) {
            let mut sum = Overlap::NONE;
            for step in row {
                sum.leaf += step.leaf;
                overlapping.leaf = overlapping.leaf.max(sum.leaf);
                let mut nodes = 0;
                for level in (0..LEVELS).rev() {
                    sum.nodes[level] += step.nodes[level];
                    nodes += sum.nodes[level];
                    overlapping.nodes[level] = overlapping.nodes[level].max(nodes);
                }
            }
        }
        // The largest weight must survive SHIFT_SINGLE, and the sum of what overlaps must fit.
        let quantum = |largest: i32, scale: i32, overlapping: i64| {
            let sum = scale + exponent_above(overlapping as f64 * BIN_SCALE / SUM_LIMIT);
            power_of_two(sum.max(largest - SHIFT_BITS).max(-1000))
        };
        let Largest { exponent, leaf, nodes, is_grazed } = self.largest;
        let units = Units {
            exponent,
            leaf: quantum(leaf, leaf, overlapping.leaf),
            nodes: std::array::from_fn(|level| {
                quantum(nodes[level], nodes[0], overlapping.nodes[level])
            }),
            tolerance: self.tolerance(),
        };
        let Lattice { size, .. } = self.frame.lattice;
        let is_tiny = u64::from(size[0]) * u64::from(size[1]) <= DIRECT_SAMPLES;
        let is_slit = self.frame.aspect.max(1.0 / self.frame.aspect) > DIRECT_ASPECT;
        // Beyond what f32 can hold, or nearly.
        let is_extreme = exponent.abs() > 100;
        let is_direct = is_tiny || is_slit || is_grazed || is_extreme;
        let method = if is_direct { Method::Direct } else { Method::Tree };
        (units, method)
    }

    /// A share of the range of heights at the probes, which is not more than the range of all, divided among the cones
    /// of a crowd.
    fn tolerance(&self) -> f64 {
        let low = self.probes.iter().copied().fold(i64::MAX, i64::min);
        let high = self.probes.iter().copied().fold(i64::MIN, i64::max);
        if low >= high {
            return 0.0;
        }
        // In steps of 4, so that an edit seldom changes it.
        let exponent = exponent_above((high - low) as f64 / CONSTANT_SCALE);
        let crowding = self.crowds.iter().map(Crowd::crowding).fold(1.0, f64::max);
        let shared = exponent_above(crowding);
        let shared = shared + shared.rem_euclid(2);
        SHARED_TOLERANCE * power_of_two(exponent - 1 - exponent.rem_euclid(2) - shared)
    }
}

/// How many cones stand in each square of the ground.
#[derive(Clone, Debug)]
struct Crowd {
    /// Squares along each axis.
    across: usize,
    counts: Vec<u32>,
    /// So many in one square are no crowd.
    few: u32,
}

impl Crowd {
    /// Most squares along an axis.
    const MOST: u64 = 256;

    /// Squares of `side` samples, or larger ones on a large lattice.
    fn new(frame: &Frame, side: u64, few: u32) -> Self {
        let across = (frame.root / side).clamp(1, Self::MOST) as usize;
        Self { across, counts: vec![0; across * across], few }
    }

    fn count(&mut self, frame: &Frame, cone: &Cone, sign: i64) {
        let last = self.across - 1;
        let square = |at: f64, axis: usize| {
            let share = at / frame.lattice.spacing[axis] / frame.root as f64;
            ((share * self.across as f64).max(0.0) as usize).min(last)
        };
        let at = square(cone.z, 1) * self.across + square(cone.x, 0);
        self.counts[at] = self.counts[at].wrapping_add_signed(sign as i32);
    }

    /// How many times as many as a few there are where most are.
    fn crowding(&self) -> f64 {
        let most = self.counts.iter().fold(0, |most, &count| count.max(most));
        f64::from(most) / f64::from(self.few)
    }
}

/// The first bin of each row of bins that a cone may touch, and the one after the last.
fn spans(frame: &Frame, cone: &Cone, mut visit: impl FnMut(usize, usize, usize)) {
    let bin = frame.root as f64 / BINS as f64;
    let radius = match frame.curve {
        Curve::Tent => cone.radius / frame.lattice.spacing[0] * 1.001 + 0.5 * frame.diagonal(),
        Curve::InvertedV => f64::INFINITY,
    };
    let (x, z) = (cone.x / frame.lattice.spacing[0], cone.z / frame.lattice.spacing[0]);
    // Rounded down, and up, or further up, where it does no harm.
    let before = |at: f64, bin: f64| ((at / bin).max(0.0) as usize).min(BINS);
    let after = |at: f64, bin: f64| if at < 0.0 { 0 } else { before(at, bin).min(BINS - 1) + 1 };
    let row_bin = bin * frame.aspect;
    for row in before(z - radius, row_bin)..after(z + radius, row_bin) {
        let (top, bottom) = (row as f64 * row_bin, (row + 1) as f64 * row_bin);
        let dz = (top - z).max(z - bottom).max(0.0);
        let chord =
            if radius.is_finite() { (radius * radius - dz * dz).max(0.0).sqrt() } else { radius };
        let (first, last) = (before(x - chord, bin), after(x + chord, bin));
        if first < last {
            visit(row, first, last);
        }
    }
}

/// Where the probes are along an axis, in metres.
fn probes_along(lattice: &Lattice, axis: usize) -> [f64; PROBES] {
    std::array::from_fn(|k| {
        let sample = (2 * k as u64 + 1) * u64::from(lattice.size[axis]) / (2 * PROBES as u64);
        sample as f64 * lattice.spacing[axis]
    })
}
