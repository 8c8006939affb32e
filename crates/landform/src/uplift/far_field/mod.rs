//! The Uplift Model over a whole lattice, in time that grows with the rims of the cones and not their areas.
//!
//! ```text
//! y(x, z) = (1/divisor) Σ_p y_p·max(0, 1 − d_p/r_p)      d_p distance to the apex of p (m)
//! ```
//!
//! Taken literally this is one root for every cone and sample. But away from its apex a cone is smooth, and
//! what is smooth over a square is a polynomial there; polynomials of many cones add up to one.
//!
//! **How it is solved.** A quadtree over the samples, from a root that covers the lattice down to leaves of
//! 16 × 16. At each node a cone is
//!
//! 1. dropped, if its disc misses the samples of the node;
//! 2. summed, if the node lies inside the disc and the apex is far enough away: orders 0 to 7 of its Taylor
//!    expansion ([`taylor`]), the last two folded into the lower ones ([`quintic`]);
//! 3. else passed on to the four children.
//!
//! A node hands its quintic to its children by a change of coordinates, so at a leaf one polynomial holds
//! everything smooth. What is left there is rims and apexes, evaluated at each sample ([`leaf`]): a rim is
//! max(0, quadratic or cubic) ([`rim`]), so roots are taken only around apexes. The time goes with the total
//! length of the rims plus the number of samples. Lengths are measured in units of Δx; with Δz ≠ Δx nodes are
//! oblong, which costs time but not accuracy.
//!
//! **How exact it is.** Each approximation of one cone is off by at most a tolerance: 4·10⁻⁷ to 10⁻⁷ of
//! the range of heights at 64 probes (not more than the true range), less where cones crowd together, whose errors are
//! alike ([`census`]), or 2.5·10⁻⁷ of how much the cone itself varies over the lattice if that is more ([`scene`]).
//! Errors of cones apart from each other have different signs; the sum stays near 10⁻⁶ of the range, and is held to
//! 4·10⁻⁶ by tests. The level of a cone at the centre of a
//! node is computed in f64 and kept apart from the variation around it, which is small and may be f32; the
//! last addition is the only one that rounds to the size of the result. Where that is not enough, on
//! lattices of up to 4096 samples, where cones only graze the lattice and where cells are slits, every sample is summed in f64.
//!
//! **Why the bytes are always the same.** Whether a cone is dropped, summed or passed on depends on that cone
//! and the place of the node on the lattice alone. Every number is rounded to an integer before it is added
//! to those of other cones, so sums do not depend on the order of cones, the division into tiles or threads,
//! or on what was there before an edit ([`EditableUplift`]). The quanta are powers of two and follow from the
//! set of cones: from the largest, and from an exact bound on how much overlaps, not from the number of
//! cones, so that many small ones keep their accuracy. Only + − × ÷ √ are used, lane by lane, and no fused
//! multiply-add: every instruction set gives the same bits.
//!
//! **What it keeps.** The upper nodes, once visited, with the lists of cones they pass on: a few megabytes.
//! They are visited when first needed, so a tile costs its share, and bands of rows do not repeat them.

mod census;
mod edit;
mod leaf;
mod quintic;
mod rim;
mod scene;
mod taylor;
mod tree;

pub use self::edit::{Divisor, EditableUplift};

use std::sync::OnceLock;

use fearless_simd::{Level, Simd, dispatch};

use self::census::Census;
use self::leaf::{LEAF, Leaf};
use self::quintic::{Children, Conversion, QUINTIC, Quintic};
use self::rim::Rims;
use self::scene::{Frame, Method, Peak, Units};
use self::taylor::Totals;
use self::tree::{Division, Kinds, List, SampleSquare, divide, divide_leaves};
use super::{Cone, Curve, brute_force};
use crate::{Cancelled, Ctx, Extent, Lattice, par};

/// Levels below the root whose nodes are kept once visited.
const KEPT_LEVELS: u32 = 4;

/// Bytes that a cone takes in the lists of kept nodes: it is in a few of them on each level.
const LIST_BYTES: usize = 64;

/// A set of cones, ready to be evaluated anywhere on a lattice: see the [module](self).
#[derive(Debug)]
pub struct FarField {
    frame: Frame,
    conversion: Conversion,
    units: Units,
    method: Method,
    peaks: Vec<Peak>,
    /// The cones in a canonical order, for [`Method::Direct`].
    cones: Vec<Cone>,
    /// Nodes of the upper levels, level by level, row by row.
    kept: Vec<OnceLock<Box<Node>>>,
    level: Level,
}

/// A node once visited.
#[derive(Debug)]
struct Node {
    place: SampleSquare,
    quintic: Quintic,
    rest: List,
}

impl FarField {
    /// Prepares the sum of `cones` / `divisor`.
    pub fn new(lattice: Lattice, cones: &[Cone], curve: Curve, divisor: f64) -> Self {
        let frame = Frame::new(lattice, curve, divisor);
        let weights: Vec<_> = cones.iter().map(|cone| frame.weigh(cone)).collect();
        let (units, method) = Census::new(&frame, cones, &weights).units();
        let mut field = Self {
            frame,
            conversion: Conversion::new(frame.aspect),
            units,
            method,
            peaks: Vec::new(),
            cones: Vec::new(),
            kept: Vec::new(),
            level: Level::new(),
        };
        match method {
            Method::Direct => field.cones = brute_force::sorted(cones),
            Method::Tree => {
                let touching = cones.iter().zip(&weights);
                let peaks = touching.filter_map(|(cone, weight)| {
                    Some(frame.prepare(cone, weight.as_ref()?, &units))
                });
                field.peaks.reserve_exact(1 + cones.len());
                field.peaks.extend(std::iter::once(Peak::NONE).chain(peaks));
                field.peaks.shrink_to_fit();
                // Neighbours on the ground become neighbours in memory. The sums do not mind.
                field.peaks[1..].sort_by_cached_key(|peak| peak.z_order(frame.root));
                let count = (0..=field.deepest()).map(|level| 1_usize << (2 * level)).sum();
                field.kept.resize_with(count, OnceLock::new);
            }
        }
        field
    }

    /// Bytes that it holds: the cones, and the upper nodes with their lists once they have been visited.
    pub(crate) fn held(&self) -> u64 {
        let of = |count: usize, size: usize| (count * size) as u64;
        of(self.peaks.len(), size_of::<Peak>() + LIST_BYTES)
            + of(self.cones.len(), size_of::<Cone>())
            + of(self.kept.len(), size_of::<Node>() + size_of::<OnceLock<Box<Node>>>())
    }

    /// Writes the heights of an extent, row by row.
    ///
    /// # Errors
    /// When the watch asks to stop.
    ///
    /// # Panics
    /// If `out` has not one element for each sample, or the extent is of another lattice.
    pub fn fill(&self, extent: &Extent, out: &mut [f32], ctx: &Ctx<'_>) -> Result<(), Cancelled> {
        assert_eq!(out.len(), extent.len(), "one element for each sample");
        assert_eq!(*extent.lattice(), self.frame.lattice, "an extent of the lattice of this field");
        if self.method == Method::Direct {
            return self.fill_directly(extent, out, ctx);
        }
        if self.peaks.len() == 1 {
            out.fill(0.0);
            return Ok(());
        }
        let strip = self.strip();
        let width = extent.width();
        // Strips start at multiples of their height on the lattice, whatever the extent.
        let head = (strip - extent.origin()[1] as usize % strip).min(extent.height());
        let (first, others) = out.split_at_mut(head * width);
        let done = std::sync::atomic::AtomicUsize::new(0);
        let fill = |rows: Extent, samples: &mut [f32]| {
            dispatch!(self.level, simd => self.fill_strip(simd, &rows, samples, ctx))?;
            let rows = rows.height();
            let done = rows + done.fetch_add(rows, std::sync::atomic::Ordering::Relaxed);
            ctx.progress(done as f32 / extent.height() as f32)
        };
        fill(extent.rows(0, head), first)?;
        if others.is_empty() {
            return Ok(());
        }
        par::try_for_each_part(others, width, strip, |k, samples| {
            fill(extent.rows(head + k * strip, samples.len() / width), samples)
        })
    }

    fn fill_directly(
        &self,
        extent: &Extent,
        out: &mut [f32],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let scene = (&self.cones[..], self.frame.curve, self.frame.divisor);
        par::try_for_each_part(out, extent.width(), 1, |j, row| {
            ctx.check()?;
            brute_force::fill_row(scene, extent, j, row);
            Ok(())
        })
    }

    /// Levels below the root of the deepest kept nodes, which are not leaves.
    fn deepest(&self) -> u32 {
        self.frame.root.ilog2().saturating_sub(LEAF.ilog2() + 1).min(KEPT_LEVELS)
    }

    /// Rows of the deepest kept nodes.
    fn strip(&self) -> usize {
        (self.frame.root >> self.deepest()) as usize
    }

    /// The kept node in column `i` and row `j` of a level, visited now if it was not yet.
    fn kept<S: Simd>(&self, simd: S, level: u32, i: u64, j: u64) -> &Node {
        let above: usize = (0..level).map(|level| 1_usize << (2 * level)).sum();
        let at = above + ((j << level) + i) as usize;
        self.kept[at].get_or_init(|| {
            if level == 0 {
                let rest = List::new(1..self.peaks.len() as u32);
                return Box::new(Node {
                    place: SampleSquare::root(&self.frame),
                    quintic: [0.0; QUINTIC],
                    rest,
                });
            }
            let parent = self.kept(simd, level - 1, i / 2, j / 2);
            let q = (i % 2 + 2 * (j % 2)) as usize;
            let mut divisions = Default::default();
            divide(simd, &self.peaks, &parent.rest, &parent.place, (q, q + 1), &mut divisions);
            let place = parent.place.child(q);
            let mut children = Children::default();
            children.shift(simd, &parent.quintic);
            let mut quintic = children.child(q);
            let onto = (&mut Totals::default(), &mut quintic);
            self.add_sums(simd, &place, &divisions[q].summed, onto);
            let mut rest = std::mem::take(&mut divisions[q].rest);
            rest.shrink();
            Box::new(Node { place, quintic, rest })
        })
    }

    /// Adds the cones that a node can sum to what it inherited.
    fn add_sums<S: Simd>(
        &self,
        simd: S,
        place: &SampleSquare,
        summed: &List,
        (totals, quintic): (&mut Totals, &mut Quintic),
    ) {
        if !summed.is_empty() {
            let quantum = place.quantum(&self.units);
            let sums = totals.sum(simd, &self.peaks, summed, &place.square(quantum));
            self.conversion.add(simd, &sums, quantum, quintic);
        }
    }

    /// Fills rows that lie in one strip.
    fn fill_strip<S: Simd>(
        &self,
        simd: S,
        rows: &Extent,
        out: &mut [f32],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let strip = self.strip() as u64;
        let first = u64::from(rows.origin()[0]);
        let last = first + rows.width() as u64 - 1;
        let mut window =
            Window { first: [first, u64::from(rows.origin()[1])], width: rows.width(), out };
        let mut scratch = Scratch::default();
        let level = self.deepest();
        for i in first / strip..=last / strip {
            let node = self.kept(simd, level, i, window.first[1] / strip);
            self.descend(
                simd,
                &node.place,
                &node.quintic,
                &node.rest,
                &mut scratch,
                &mut window,
                ctx,
            )?;
        }
        Ok(())
    }

    /// Evaluates a visited node, which is not a leaf: its children.
    #[expect(clippy::too_many_arguments, reason = "the state of a recursion")]
    fn descend<S: Simd>(
        &self,
        simd: S,
        place: &SampleSquare,
        quintic: &Quintic,
        list: &List,
        scratch: &mut Scratch,
        window: &mut Window<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        if place.side >= 256 {
            ctx.check()?;
        }
        let has_leaves = place.side == 2 * LEAF as u64;
        let depth = place.side.ilog2() as usize;
        let mut floor = scratch.take(depth);
        let Floor { divisions, children } = &mut *floor;
        if list.is_empty() {
            divisions.iter_mut().for_each(Division::clear);
        } else if has_leaves {
            divide_leaves(simd, &self.peaks, list, place, divisions);
        } else {
            divide(simd, &self.peaks, list, place, (0, 4), divisions);
        }
        children.shift(simd, quintic);
        for (q, division) in divisions.iter().enumerate() {
            let child = place.child(q);
            if !window.overlaps(&child) {
                continue;
            }
            let mut quintic = children.child(q);
            let onto = (&mut scratch.totals, &mut quintic);
            self.add_sums(simd, &child, &division.summed, onto);
            if has_leaves {
                self.finish(simd, (&child, &quintic, &division.kinds), scratch, window);
            } else {
                self.descend(simd, &child, &quintic, &division.rest, scratch, window, ctx)?;
            }
        }
        scratch.floors[depth] = Some(floor);
        Ok(())
    }

    /// Evaluates a leaf.
    fn finish<S: Simd>(
        &self,
        simd: S,
        (place, quintic, kinds): (&SampleSquare, &Quintic, &Kinds),
        scratch: &mut Scratch,
        window: &mut Window<'_>,
    ) {
        let mut sums = None;
        if !kinds.is_empty() {
            let square = place.square(self.units.leaf);
            leaf::sum(simd, &self.peaks, kinds, &square, &mut scratch.rims, &mut scratch.leaf);
            sums = Some(&scratch.leaf);
        }
        if let Some(out) = window.whole(place) {
            leaf::evaluate(simd, quintic, sums, &self.units, out);
        } else {
            let mut samples = [0.0; LEAF * LEAF];
            leaf::evaluate(simd, quintic, sums, &self.units, (&mut samples, LEAF));
            window.copy(place, &samples);
        }
    }
}

/// Memory that is used again from node to node.
#[derive(Debug)]
struct Scratch {
    /// One for each size of nodes.
    floors: Vec<Option<Box<Floor>>>,
    totals: Totals,
    leaf: Leaf,
    rims: Rims,
}

/// What a node prepares for its children.
#[derive(Debug, Default)]
struct Floor {
    divisions: [Division; 4],
    children: Children,
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            floors: Vec::new(),
            totals: Totals::default(),
            leaf: Leaf::ZERO,
            rims: Rims::default(),
        }
    }
}

impl Scratch {
    fn take(&mut self, depth: usize) -> Box<Floor> {
        if self.floors.len() <= depth {
            self.floors.resize_with(depth + 1, Default::default);
        }
        self.floors[depth].take().unwrap_or_default()
    }
}

/// The samples that are written: whole rows of an extent.
struct Window<'a> {
    first: [u64; 2],
    width: usize,
    out: &'a mut [f32],
}

impl Window<'_> {
    fn rows(&self) -> usize {
        self.out.len() / self.width
    }

    fn overlaps(&self, place: &SampleSquare) -> bool {
        place.i < self.first[0] + self.width as u64
            && place.i + place.side > self.first[0]
            && place.j < self.first[1] + self.rows() as u64
            && place.j + place.side > self.first[1]
    }

    /// Where to write a leaf that lies in the window as a whole, and how far apart its rows are.
    fn whole(&mut self, place: &SampleSquare) -> Option<(&mut [f32], usize)> {
        let (i, j) = (place.i.checked_sub(self.first[0])?, place.j.checked_sub(self.first[1])?);
        let (i, j) = (i as usize, j as usize);
        if i + LEAF > self.width || j + LEAF > self.rows() {
            return None;
        }
        Some((&mut self.out[j * self.width + i..], self.width))
    }

    /// Copies the part of a leaf that lies in the window.
    fn copy(&mut self, place: &SampleSquare, samples: &[f32; LEAF * LEAF]) {
        let end = |first: u64, count: usize| first + count as u64;
        let (left, right) =
            (place.i.max(self.first[0]), (place.i + 16).min(end(self.first[0], self.width)));
        let (top, bottom) =
            (place.j.max(self.first[1]), (place.j + 16).min(end(self.first[1], self.rows())));
        let width = (right - left) as usize;
        for j in top..bottom {
            let to = (j - self.first[1]) as usize * self.width + (left - self.first[0]) as usize;
            let from = (j - place.j) as usize * LEAF + (left - place.i) as usize;
            self.out[to..to + width].copy_from_slice(&samples[from..from + width]);
        }
    }
}

#[cfg(test)]
mod tests;
