//! Moving mountains: the heights of a lattice, kept up to date while single cones change.
//!
//! All sums of the far field are exact integers, so a cone is taken out by subtracting what it had added.
//! Only the samples under its disc are evaluated again, and after any number of edits the bytes are those
//! that [`FarField`](super::FarField) computes from the cones as they are.
//!
//! The integers count in units that depend on the set of cones (the largest height, how much overlaps, how
//! high the terrain rises). They are powers of two (of four for the tolerance) and seldom change; an edit
//! that changes them rebuilds the lattice. So does every [`add`](EditableUplift::add) and
//! [`remove`](EditableUplift::remove) when the divisor is the number of cones, since then all heights change.

use fearless_simd::{Level, Simd, dispatch};

use super::super::{Cone, Curve, brute_force};
use super::census::Census;
use super::leaf::{self, LEAF, Leaf};
use super::quintic::{Children, Conversion, QUINTIC, Quintic};
use super::rim::Rims;
use super::scene::{Frame, Method, Peak, Units, Weight};
use super::taylor::{Sums, Totals};
use super::tree::{Division, List, SampleSquare, divide, divide_leaves};
use crate::{Extent, Grid, Lattice, par};

/// What the sum of all cones is divided by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Divisor {
    /// The number of cones, as the paper has it: adding or removing one changes every height.
    Count,
    /// The same number whatever the cones.
    Fixed(f64),
}

impl Divisor {
    fn of(self, count: usize) -> f64 {
        match self {
            Self::Count => count.max(1) as f64,
            Self::Fixed(divisor) => divisor,
        }
    }
}

/// The heights of a lattice under cones that can be changed one by one: see the module's text.
#[derive(Debug)]
pub struct EditableUplift {
    cones: Vec<Cone>,
    divisor: Divisor,
    curve: Curve,
    heights: Grid,
    state: State,
    level: Level,
}

/// Everything that follows from the cones.
#[derive(Debug)]
struct State {
    frame: Frame,
    conversion: Conversion,
    census: Census,
    units: Units,
    method: Method,
    weights: Vec<Option<Weight>>,
    /// Sums of the nodes that lie on the lattice, from the children of the root down to the leaves.
    levels: Vec<Grid<Sums>>,
    leaves: Option<Grid<Leaf>>,
}

impl EditableUplift {
    /// Evaluates `cones` on the whole of a lattice.
    pub fn new(lattice: Lattice, cones: Vec<Cone>, curve: Curve, divisor: Divisor) -> Self {
        let [width, height] = lattice.size.map(|size| size as usize);
        let mut uplift = Self {
            state: State::new(lattice, &cones, curve, divisor.of(cones.len())),
            cones,
            divisor,
            curve,
            heights: Grid::filled(width, height, 0.0),
            level: Level::new(),
        };
        uplift.rebuild();
        uplift
    }

    /// The cones as they are.
    pub fn cones(&self) -> &[Cone] {
        &self.cones
    }

    /// The heights of the whole lattice in metres.
    pub fn heights(&self) -> &Grid {
        &self.heights
    }

    /// Puts `cone` in the place of cone `k`: moved, raised, widened. Returns the samples that may have
    /// changed, if any have.
    ///
    /// # Panics
    /// If there is no cone `k`.
    pub fn replace(&mut self, k: usize, cone: Cone) -> Option<Extent> {
        let old = std::mem::replace(&mut self.cones[k], cone);
        let old_weight = self.state.weights[k];
        let weight = self.state.frame.weigh(&cone);
        self.state.weights[k] = weight;
        self.change(old_weight.map(|weight| (old, weight)), weight.map(|weight| (cone, weight)))
    }

    /// Adds a cone, as the last. Returns the samples that may have changed, if any have.
    pub fn add(&mut self, cone: Cone) -> Option<Extent> {
        self.cones.push(cone);
        if self.divisor == Divisor::Count {
            return Some(self.rebuild());
        }
        let weight = self.state.frame.weigh(&cone);
        self.state.weights.push(weight);
        self.change(None, weight.map(|weight| (cone, weight)))
    }

    /// Removes cone `k`; those after it move up. Returns the samples that may have changed, if any have.
    ///
    /// # Panics
    /// If there is no cone `k`.
    pub fn remove(&mut self, k: usize) -> Option<Extent> {
        let cone = self.cones.remove(k);
        if self.divisor == Divisor::Count {
            return Some(self.rebuild());
        }
        let weight = self.state.weights.remove(k);
        self.change(weight.map(|weight| (cone, weight)), None)
    }

    /// Evaluates everything anew.
    fn rebuild(&mut self) -> Extent {
        let lattice = self.state.frame.lattice;
        let divisor = self.divisor.of(self.cones.len());
        self.state = State::new(lattice, &self.cones, self.curve, divisor);
        match self.state.method {
            Method::Direct => self.evaluate_directly(),
            Method::Tree => {
                let State { frame, units, weights, .. } = &self.state;
                let peaks = self.cones.iter().zip(weights);
                let peaks = peaks.filter_map(|(cone, weight)| {
                    Some(frame.prepare(cone, weight.as_ref()?, units))
                });
                let peaks: Vec<_> = std::iter::once(Peak::NONE).chain(peaks).collect();
                self.apply([&[Peak::NONE], &peaks], Scope::Everything);
            }
        }
        lattice.whole()
    }

    fn evaluate_directly(&mut self) {
        let extent = self.state.frame.lattice.whole();
        let sorted = brute_force::sorted(&self.cones);
        let scene = (&sorted[..], self.curve, self.state.frame.divisor);
        par::for_each_row(self.heights.samples_mut(), extent.width(), |j, row| {
            brute_force::fill_row(scene, &extent, j, row);
        });
    }

    /// Takes out what a cone had added and adds another. `None` is a cone that touches nothing.
    fn change(
        &mut self,
        old: Option<(Cone, Weight)>,
        new: Option<(Cone, Weight)>,
    ) -> Option<Extent> {
        if old.is_none() && new.is_none() {
            return None;
        }
        let state = &mut self.state;
        if !state.census.fits(&state.weights) {
            return Some(self.rebuild());
        }
        for (cone, sign) in [(&old, -1), (&new, 1)] {
            if let Some((cone, weight)) = cone {
                state.census.count(cone, Some(weight), sign);
            }
        }
        if state.census.units() != (state.units, state.method) || state.method == Method::Direct {
            return Some(self.rebuild());
        }
        let prepare = |cone: Option<(Cone, Weight)>| match cone {
            Some((cone, weight)) => {
                vec![Peak::NONE, state.frame.prepare(&cone, &weight, &state.units)]
            }
            None => vec![Peak::NONE],
        };
        let (old, new) = (prepare(old), prepare(new));
        let [left, top, right, bottom] = self.apply([&old, &new], Scope::Touched);
        let lattice = self.state.frame.lattice;
        let (right, bottom) =
            (right.min(u64::from(lattice.size[0])), bottom.min(u64::from(lattice.size[1])));
        (left < right && top < bottom).then(|| {
            let first = [left as u32, top as u32];
            lattice.window(first[0], first[1], (right - left) as u32, (bottom - top) as u32)
        })?
    }

    /// Subtracts the first peaks from the sums, adds the second, and evaluates the leaves in scope again.
    /// Returns the bounds of these leaves: left, top, right, bottom.
    fn apply(&mut self, peaks: [&[Peak]; 2], scope: Scope) -> [u64; 4] {
        let root = SampleSquare::root(&self.state.frame);
        let lists = peaks.map(|peaks| List::new(1..peaks.len() as u32));
        let mut update = Update {
            peaks,
            heights: &mut self.heights,
            state: &mut self.state,
            scratch: Vec::new(),
            totals: Totals::default(),
            rims: Rims::default(),
            bounds: [u64::MAX, u64::MAX, 0, 0],
        };
        dispatch!(self.level, simd => {
            update.descend(simd, &root, &[0.0; QUINTIC], [&lists[0], &lists[1]], scope);
        });
        update.bounds
    }
}

impl State {
    fn new(lattice: Lattice, cones: &[Cone], curve: Curve, divisor: f64) -> Self {
        let frame = Frame::new(lattice, curve, divisor);
        let weights: Vec<_> = cones.iter().map(|cone| frame.weigh(cone)).collect();
        let census = Census::new(&frame, cones, &weights);
        let (units, method) = census.units();
        let (mut levels, mut leaves) = (Vec::new(), None);
        if method == Method::Tree {
            let across =
                |side: u64| lattice.size.map(|size| u64::from(size).div_ceil(side) as usize);
            let mut side = frame.root / 2;
            while side >= LEAF as u64 {
                let [width, height] = across(side);
                levels.push(Grid::filled(width, height, Sums::ZERO));
                side /= 2;
            }
            let [width, height] = across(LEAF as u64);
            leaves = Some(Grid::filled(width, height, Leaf::ZERO));
        }
        let conversion = Conversion::new(frame.aspect);
        Self { frame, conversion, census, units, method, weights, levels, leaves }
    }
}

/// Which nodes are evaluated again.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Scope {
    /// Those that a changed cone touches.
    Touched,
    /// All.
    Everything,
}

/// An update of the sums on its way down the tree.
struct Update<'a> {
    /// The cones to subtract and to add.
    peaks: [&'a [Peak]; 2],
    heights: &'a mut Grid,
    state: &'a mut State,
    scratch: Vec<Option<Box<[[Division; 4]; 2]>>>,
    totals: Totals,
    rims: Rims,
    bounds: [u64; 4],
}

impl Update<'_> {
    fn descend<S: Simd>(
        &mut self,
        simd: S,
        place: &SampleSquare,
        quintic: &Quintic,
        lists: [&List; 2],
        scope: Scope,
    ) {
        let depth = place.side.ilog2() as usize;
        if self.scratch.len() <= depth {
            self.scratch.resize_with(depth + 1, Default::default);
        }
        let mut divisions = self.scratch[depth].take().unwrap_or_default();
        let has_leaves = place.side == 2 * LEAF as u64;
        for k in 0..2 {
            if has_leaves {
                divide_leaves(simd, self.peaks[k], lists[k], place, &mut divisions[k]);
            } else {
                divide(simd, self.peaks[k], lists[k], place, (0, 4), &mut divisions[k]);
            }
        }
        let mut children = Children::default();
        children.shift(simd, quintic);
        for q in 0..4 {
            let child = place.child(q);
            let [width, height] = self.state.frame.lattice.size.map(u64::from);
            if child.i >= width || child.j >= height {
                continue;
            }
            let changes = [&divisions[0][q], &divisions[1][q]];
            let is_summed = changes.iter().any(|change| !change.summed.is_empty());
            let is_touched = is_summed
                || changes.iter().any(|change| !change.rest.is_empty() || !change.kinds.is_empty());
            if scope == Scope::Touched && !is_touched {
                continue;
            }
            // Below a node whose sums have changed, everything has.
            let scope = if is_summed { Scope::Everything } else { scope };
            let mut quintic = children.child(q);
            self.sum(simd, &child, changes, &mut quintic);
            if has_leaves {
                self.finish(simd, &child, &quintic, changes);
            } else {
                self.descend(simd, &child, &quintic, changes.map(|change| &change.rest), scope);
            }
        }
        self.scratch[depth] = Some(divisions);
    }

    /// Updates the sums of a node and adds them to what it inherited.
    fn sum<S: Simd>(
        &mut self,
        simd: S,
        place: &SampleSquare,
        [old, new]: [&Division; 2],
        quintic: &mut Quintic,
    ) {
        let quantum = place.quantum(&self.state.units);
        let level = (self.state.frame.root / place.side).ilog2() as usize - 1;
        let at = ((place.i / place.side) as usize, (place.j / place.side) as usize);
        let State { levels, conversion, .. } = &mut *self.state;
        let sums = &mut levels[level][at];
        let square = place.square(quantum);
        if !old.summed.is_empty() {
            sums.subtract(&self.totals.sum(simd, self.peaks[0], &old.summed, &square));
        }
        if !new.summed.is_empty() {
            sums.add(&self.totals.sum(simd, self.peaks[1], &new.summed, &square));
        }
        if *sums != Sums::ZERO {
            conversion.add(simd, sums, quantum, quintic);
        }
    }

    /// Updates a leaf and evaluates it.
    fn finish<S: Simd>(
        &mut self,
        simd: S,
        place: &SampleSquare,
        quintic: &Quintic,
        [old, new]: [&Division; 2],
    ) {
        let State { leaves, units, .. } = &mut *self.state;
        let at = ((place.i / place.side) as usize, (place.j / place.side) as usize);
        let sums = &mut leaves.as_mut().expect("a tree has leaves")[at];
        let square = place.square(units.leaf);
        let mut change = Leaf::ZERO;
        if !old.kinds.is_empty() {
            leaf::sum(simd, self.peaks[0], &old.kinds, &square, &mut self.rims, &mut change);
            sums.constant = sums.constant.wrapping_sub(change.constant);
            for (sum, gone) in sums.samples.iter_mut().zip(&change.samples) {
                *sum = sum.wrapping_sub(*gone);
            }
        }
        if !new.kinds.is_empty() {
            leaf::sum(simd, self.peaks[1], &new.kinds, &square, &mut self.rims, &mut change);
            sums.constant = sums.constant.wrapping_add(change.constant);
            for (sum, come) in sums.samples.iter_mut().zip(&change.samples) {
                *sum = sum.wrapping_add(*come);
            }
        }
        let (i, j) = (place.i as usize, place.j as usize);
        let (width, height) = (self.heights.width(), self.heights.height());
        let [left, top, right, bottom] = &mut self.bounds;
        (*left, *top) = (place.i.min(*left), place.j.min(*top));
        (*right, *bottom) = ((place.i + 16).max(*right), (place.j + 16).max(*bottom));
        if i + LEAF <= width && j + LEAF <= height {
            let out = &mut self.heights.samples_mut()[j * width + i..];
            leaf::evaluate(simd, quintic, Some(sums), units, (out, width));
            return;
        }
        let mut samples = [0.0; LEAF * LEAF];
        leaf::evaluate(simd, quintic, Some(sums), units, (&mut samples, LEAF));
        let columns = LEAF.min(width - i);
        for row in 0..LEAF.min(height - j) {
            let from = &samples[row * LEAF..row * LEAF + columns];
            self.heights.row_mut(j + row)[i..i + columns].copy_from_slice(from);
        }
    }
}
