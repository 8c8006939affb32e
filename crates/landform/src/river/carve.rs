//! Cuts rivers and their valleys into the ground: an exact function of their lines, at any sample of any resolution.
//!
//! ```text
//! h' = h − max over all stretches of  (1 − t)·(h − floor)              never raises the ground
//!      but not below                  bed − slope·d / (1 − d/radius)    so that no valley undercuts a higher river
//!
//!  h ────╮                                   ╭──── h     floor  the channel, a parabola of the water's depth; its banks;
//!        ╰╮                                ╭─╯                  then a plain, which rises away from the river
//!    valley╰─────╮  bank   bank  ╭─────────╯             t      0 on the flood plain, 1 at the radius of the valley,
//!     side   plain╰─╮         ╭──╯  plain                       rising steeply beside a gorge and gently beside a plain
//!                    ╰───────╯ channel
//! ```
//!
//! The plain rises a little faster than the river falls, so that no stretch lays steps into the plain of those above it.
//! Each stretch, the straight piece between two vertices, gives a value that is continuous over the ground, and so is the
//! greatest of them: nothing jumps where the nearest stretch changes. The gradual fade from river to terrain within a
//! radius that varies along the river is that of Alcock (2007), section 4.2.1.
//!
//! Solved block by block: a tree of boxes finds the stretches near a block, which are sorted by distance; a sample stops at
//! the first that is too far to cut deeper. What is left out cannot win, so blocks do not show and a tile is the window of
//! the whole.

use std::ops::Range;

use super::profile::Section;
use crate::feature::RiverPoint;
use crate::keep::{self, Keep, keep_struct};
use crate::stage::{Field, FieldOutput, Simulated};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Extent, Feature, Layer, math, par};

/// Side of a block in samples.
const BLOCK: usize = 16;
/// Bounds are widened by this share, far above what rounding can do.
const SLACK: f64 = 1.0 + 1e-9;

/// Rivers that are ready to be cut into the ground.
pub(crate) struct Carving {
    /// The stretches that are cut.
    valleys: Stretches,
    /// The stretches that have water: these rivers, and those of earlier stages.
    waters: Stretches,
    features: Vec<Feature>,
    /// A distance that is farther than anything on the ground.
    farthest: f64,
}

impl Keep for Carving {
    fn write(&self, out: &mut Vec<u8>) {
        let ends = |stretches: &Stretches| -> Vec<(Section, Section)> {
            stretches.list.iter().map(|stretch| (stretch.from, stretch.to)).collect()
        };
        ends(&self.valleys).write(out);
        ends(&self.waters).write(out);
        self.features.write(out);
        self.farthest.write(out);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        let mut stretches = || -> Option<Vec<Stretch>> {
            let ends: Vec<(Section, Section)> = Keep::read(from)?;
            Some(ends.into_iter().map(|(from, to)| Stretch::new(from, to)).collect())
        };
        Some(Self {
            valleys: Stretches::of(stretches()?, Section::reach),
            waters: Stretches::of(stretches()?, Section::half_width),
            features: Keep::read(from)?,
            farthest: Keep::read(from)?,
        })
    }
}

keep_struct!(Section { water, radius, plain, gradient });

impl Section {
    /// How far the valley reaches on its wider side.
    fn reach(&self) -> f64 {
        self.radius[0].max(self.radius[1])
    }

    fn half_width(&self) -> f64 {
        0.5 * self.water.width
    }
}

impl Carving {
    /// Gets ready; `earlier` are rivers that have been cut before.
    pub(crate) fn new(
        sections: &[Vec<Section>],
        earlier: &[Vec<RiverPoint>],
        features: Vec<Feature>,
        ground: [f64; 2],
    ) -> Self {
        let of_water = |water: &RiverPoint| Section {
            water: *water,
            radius: [0.0; 2],
            plain: 0.0,
            gradient: 0.0,
        };
        let earlier = earlier.iter().map(|points| points.iter().map(of_water).collect::<Vec<_>>());
        let all: Vec<Vec<Section>> = earlier.chain(sections.iter().cloned()).collect();
        Self {
            valleys: Stretches::new(sections, Section::reach),
            waters: Stretches::new(&all, Section::half_width),
            features,
            farthest: math::length(ground[0], ground[1]),
        }
    }
}

impl Carving {
    /// Cuts the rivers into the ground of an extent.
    pub(crate) fn carve(
        &self,
        extent: &Extent,
        ground: &mut [f32],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let (valleys, width) = (&self.valleys, extent.width());
        self.for_each_block(valleys, (extent, 0.0), ground, ctx, |block, columns, first, rows| {
            for (k, line) in rows.chunks_mut(width).enumerate() {
                for column in columns.clone() {
                    let (x, z) = (extent.x(column), extent.z(first + k));
                    line[column] = self.carved(block, f64::from(line[column]), x, z) as f32;
                }
            }
        })
    }
}

/// The height of the ground along each river when all valleys have been cut: at a few vertices, and ∞ at the others. That
/// is enough, as valleys are wide, and keeps the work in proportion to the length of the rivers.
pub(super) fn valley_floors(
    rivers: &[Vec<Section>],
    height: &dyn Fn(f64, f64) -> f64,
) -> Vec<Vec<f64>> {
    let valleys = Stretches::new(rivers, Section::reach);
    let floor = |section: &Section| {
        let (x, z) = (section.water.x, section.water.z);
        let old = height(x, z);
        let mut cut = 0.0_f64;
        valleys.near([x, z], [x, z], 0.0, |k| cut = cut.max(valleys.list[k].cut(old, x, z).0));
        old - cut
    };
    let along = |sections: &Vec<Section>| {
        let mut way = f64::INFINITY;
        let mut before = sections[0].water;
        let floors = sections.iter().map(|section| {
            let water = section.water;
            way += math::length(water.x - before.x, water.z - before.z);
            before = water;
            if way < 0.15 * section.radius[0].min(section.radius[1]) {
                return f64::INFINITY;
            }
            way = 0.0;
            floor(section)
        });
        floors.collect()
    };
    rivers.iter().map(along).collect()
}

/// A stretch of a river between two vertices.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    from: Section,
    to: Section,
    /// How steeply the ground beside it may fall away: more than the river itself.
    slope: f64,
}

/// The least slope of the ground beside a river that a lower one has cut into.
const GUARD_SLOPE: f64 = 0.3;

impl Stretch {
    fn new(from: Section, to: Section) -> Self {
        let (a, b) = (&from.water, &to.water);
        let length = math::length(b.x - a.x, b.z - a.z);
        let gradient = if length > 0.0 { (a.bed - b.bed) / length } else { 0.0 };
        Self { from, to, slope: GUARD_SLOPE.max(1.5 * gradient) }
    }
}

/// Where a point lies beside a stretch.
struct Beside {
    /// Metres from the middle of the river.
    distance: f64,
    /// Share of the way from one vertex to the other.
    along: f64,
    /// 1 on the left, −1 on the right, between them around the ends.
    left: f64,
}

impl Stretch {
    #[inline]
    fn beside(&self, x: f64, z: f64) -> Beside {
        let (a, b) = (&self.from.water, &self.to.water);
        let (dx, dz) = (b.x - a.x, b.z - a.z);
        let (px, pz) = (x - a.x, z - a.z);
        let squared = dx * dx + dz * dz;
        let along = if squared > 0.0 { (px * dx + pz * dz) / squared } else { 0.0 };
        let along = along.clamp(0.0, 1.0);
        let distance = math::length(px - along * dx, pz - along * dz);
        let across = (px * dz - pz * dx) / squared.max(f64::MIN_POSITIVE).sqrt();
        let left = if distance > 0.0 { (across / distance).clamp(-1.0, 1.0) } else { 0.0 };
        Beside { distance, along, left }
    }

    /// How much the ground of height `old` is lowered, and the height below which no other stretch may lower it.
    #[inline]
    fn cut(&self, old: f64, x: f64, z: f64) -> (f64, f64) {
        let Beside { distance, along, left } = self.beside(x, z);
        let (a, b) = (&self.from, &self.to);
        let between = |from: f64, to: f64| from + (to - from) * along;
        let radii = [0, 1].map(|side| between(a.radius[side], b.radius[side]));
        let radius = radii[1] + (radii[0] - radii[1]) * 0.5 * (1.0 + left);
        if distance >= radius {
            return (0.0, f64::NEG_INFINITY);
        }
        let half = 0.5 * between(a.water.width, b.water.width);
        let depth = between(a.water.depth, b.water.depth);
        let bed = between(a.water.bed, b.water.bed);
        let guard = bed - self.slope * distance * radius / (radius - distance);
        let rise = PLAIN_SLOPE + 1.3 * between(a.gradient, b.gradient);
        let floor = bed + floor(distance, half, depth, rise);
        if floor >= old {
            return (0.0, guard);
        }
        let left = 1.0 - side(distance, radius, half, between(a.plain, b.plain));
        (left * (old - floor), guard)
    }
}

/// How much a flood plain rises away from a river that hardly falls, rise over run.
const PLAIN_SLOPE: f64 = 0.004;

/// Height of the channel, its banks and the plain above the bed.
#[inline]
fn floor(distance: f64, half: f64, depth: f64, rise: f64) -> f64 {
    if distance <= half {
        let t = distance / half;
        return depth * t * t;
    }
    let bank = 0.3 * depth;
    // The parabola goes on until it has risen by the bank, then the plain begins.
    let t = distance / half;
    let channel = depth * t * t;
    let plain = depth + bank + rise * (distance - half);
    channel.min(plain)
}

/// How much of the old relief is left on a flood plain, so that it is not a table.
const PLAIN_RELIEF: f64 = 0.05;

/// How far the side of the valley has risen: 0 beside the river, little on the flood plain, 1 at the radius.
#[inline]
fn side(distance: f64, radius: f64, half: f64, plain: f64) -> f64 {
    let bank = 1.15 * half;
    if distance <= bank {
        return 0.0;
    }
    if distance >= radius {
        return 1.0;
    }
    let foot = bank + plain * (radius - bank);
    let on_plain = ((distance - bank) / (radius - bank)).min(1.0);
    let left = PLAIN_RELIEF * on_plain * on_plain * (3.0 - 2.0 * on_plain);
    if distance <= foot {
        return left;
    }
    let x = (distance - foot) / (radius - foot);
    let gorge = x * (2.0 - x);
    let gentle = x * x * (3.0 - 2.0 * x);
    let risen = gorge + (gentle - gorge) * (5.0 * plain).min(1.0);
    left + (1.0 - left) * risen
}

/// Stretches in a tree of boxes. They are in the order of their rivers, so neighbours in the list are neighbours on the
/// ground, and the tree is that of the halves of the list.
struct Stretches {
    list: Vec<Stretch>,
    /// Nodes of the tree, each before its two halves; the second half is at `second`.
    nodes: Vec<Node>,
    /// The greatest of all, for bounds.
    most: Bounds,
}

struct Node {
    low: [f64; 2],
    high: [f64; 2],
    /// How far the widest of its stretches reaches.
    reach: f64,
    /// The stretches.
    first: usize,
    count: usize,
    /// Index of the second half; 0 for a leaf.
    second: usize,
}

/// The greatest values among some stretches.
#[derive(Clone, Copy, Debug, Default)]
struct Bounds {
    radius: f64,
    half: f64,
    plain: f64,
    bed: f64,
}

impl Bounds {
    fn with(self, section: &Section) -> Self {
        Self {
            radius: self.radius.max(section.radius[0]).max(section.radius[1]),
            half: self.half.max(0.5 * section.water.width),
            plain: self.plain.max(section.plain),
            bed: self.bed.min(section.water.bed),
        }
    }

    fn none() -> Self {
        Self { radius: 0.0, half: 0.0, plain: 0.0, bed: f64::INFINITY }
    }
}

const LEAF: usize = 8;

impl Stretches {
    fn new(rivers: &[Vec<Section>], reach: impl Fn(&Section) -> f64) -> Self {
        let mut list = Vec::new();
        for sections in rivers {
            list.extend(sections.windows(2).map(|ends| Stretch::new(ends[0], ends[1])));
        }
        Self::of(list, reach)
    }

    fn of(list: Vec<Stretch>, reach: impl Fn(&Section) -> f64) -> Self {
        let most = list
            .iter()
            .fold(Bounds::none(), |most, stretch| most.with(&stretch.from).with(&stretch.to));
        let mut nodes = Vec::new();
        if !list.is_empty() {
            build(&list, 0, &reach, &mut nodes);
        }
        Self { list, nodes, most }
    }

    /// Calls `f` with the stretches whose boxes are less than their reach plus `more` away from a box.
    fn near(&self, low: [f64; 2], high: [f64; 2], more: f64, mut f: impl FnMut(usize)) {
        let mut open = Vec::with_capacity(32);
        open.extend((!self.nodes.is_empty()).then_some(0));
        while let Some(index) = open.pop() {
            let node = &self.nodes[index];
            if box_distance(low, high, node) > (node.reach + more) * SLACK {
                continue;
            }
            if node.second == 0 {
                (node.first..node.first + node.count).for_each(&mut f);
            } else {
                open.extend([node.second, index + 1]);
            }
        }
    }

    /// The least of `d(stretch)` at a point, where d is at least the distance less the reach of the stretch, and the
    /// stretch that has it. `least` is a first guess, such as that of the point before; `open` is for scratch.
    fn nearest(
        &self,
        at: [f64; 2],
        mut least: (f64, usize),
        open: &mut Vec<usize>,
        d: impl Fn(&Stretch) -> f64,
    ) -> (f64, usize) {
        open.clear();
        open.extend((!self.nodes.is_empty()).then_some(0));
        let bound = |index: usize| {
            let node = &self.nodes[index];
            box_distance(at, at, node) - node.reach * SLACK
        };
        while let Some(index) = open.pop() {
            if bound(index) > least.0 {
                continue;
            }
            let node = &self.nodes[index];
            if node.second == 0 {
                for k in node.first..node.first + node.count {
                    let distance = d(&self.list[k]);
                    if distance < least.0 {
                        least = (distance, k);
                    }
                }
            } else {
                let (a, b) = (index + 1, node.second);
                // The nearer half last, so that it is looked at first.
                open.extend(if bound(a) <= bound(b) { [b, a] } else { [a, b] });
            }
        }
        least
    }
}

/// Adds the node of a part of the list, and returns its index.
fn build(
    list: &[Stretch],
    first: usize,
    reach: &impl Fn(&Section) -> f64,
    nodes: &mut Vec<Node>,
) -> usize {
    let index = nodes.len();
    let mut node = Node {
        low: [f64::INFINITY; 2],
        high: [f64::NEG_INFINITY; 2],
        reach: 0.0,
        first,
        count: list.len(),
        second: 0,
    };
    for section in list.iter().flat_map(|stretch| [&stretch.from, &stretch.to]) {
        let at = [section.water.x, section.water.z];
        for axis in 0..2 {
            node.low[axis] = node.low[axis].min(at[axis]);
            node.high[axis] = node.high[axis].max(at[axis]);
        }
        node.reach = node.reach.max(reach(section));
    }
    nodes.push(node);
    if list.len() > LEAF {
        let (a, b) = list.split_at(list.len() / 2);
        build(a, first, reach, nodes);
        nodes[index].second = build(b, first + a.len(), reach, nodes);
    }
    index
}

fn box_distance(low: [f64; 2], high: [f64; 2], node: &Node) -> f64 {
    let apart =
        |axis: usize| (node.low[axis] - high[axis]).max(low[axis] - node.high[axis]).max(0.0);
    math::length(apart(0), apart(1))
}

/// A block of samples with the stretches near it.
struct Block {
    /// The stretches, nearest first, and how far each is from the middle of the block.
    near: Vec<(f64, u32)>,
    /// Metres from the middle of the block to its corners.
    size: f64,
    /// The highest bed of the stretches.
    highest: f64,
}

impl Block {
    /// The stretches that may reach the samples of `columns` and of `rows` of an extent.
    fn new(
        stretches: &Stretches,
        extent: &Extent,
        columns: Range<usize>,
        rows: Range<usize>,
        more: f64,
    ) -> Self {
        let low = [extent.x(columns.start), extent.z(rows.start)];
        let high = [extent.x(columns.end - 1), extent.z(rows.end - 1)];
        let middle = [0, 1].map(|axis| 0.5 * (low[axis] + high[axis]));
        let mut near = Vec::new();
        let mut highest = f64::NEG_INFINITY;
        stretches.near(low, high, more, |index| {
            let stretch = &stretches.list[index];
            near.push((stretch.beside(middle[0], middle[1]).distance, index as u32));
            highest = highest.max(stretch.from.water.bed);
        });
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Self { near, size: math::length(middle[0] - low[0], middle[1] - low[1]), highest }
    }
}

impl Carving {
    /// Works on the blocks of `extent` that have stretches: `f(block, columns, first row, rows of samples)`.
    fn for_each_block(
        &self,
        stretches: &Stretches,
        (extent, more): (&Extent, f64),
        out: &mut [f32],
        ctx: &Ctx<'_>,
        f: impl Fn(&Block, Range<usize>, usize, &mut [f32]) + Sync + Send,
    ) -> Result<(), Cancelled> {
        let width = extent.width();
        par::try_for_each_part(out, width, BLOCK, |part, samples| {
            ctx.check()?;
            let first = part * BLOCK;
            let rows = first..first + samples.len() / width;
            for start in (0..width).step_by(BLOCK) {
                let columns = start..(start + BLOCK).min(width);
                let block = Block::new(stretches, extent, columns.clone(), rows.clone(), more);
                if !block.near.is_empty() {
                    f(&block, columns, first, samples);
                }
            }
            Ok(())
        })
    }

    /// Joins `value(stretch, beside)` with the samples near the stretches that have water, by the greatest: it is above 0 only
    /// up to half a cell beside the water.
    fn fill_near(
        &self,
        extent: &Extent,
        out: &mut [f32],
        ctx: &Ctx<'_>,
        value: impl Fn(&Stretch, &Beside) -> f64 + Sync + Send,
    ) -> Result<(), Cancelled> {
        let cell = mean_spacing(extent);
        let width = extent.width();
        self.for_each_block(
            &self.waters,
            (extent, cell),
            out,
            ctx,
            |block, columns, first, rows| {
                for &(_, index) in &block.near {
                    let stretch = &self.waters.list[index as usize];
                    let (a, b) = (&stretch.from.water, &stretch.to.water);
                    let reach = 0.5 * (a.width.max(b.width) + cell) * SLACK;
                    let within =
                        |at: f64, a: f64, b: f64| at >= a.min(b) - reach && at <= a.max(b) + reach;
                    for (k, line) in rows.chunks_mut(width).enumerate() {
                        let z = extent.z(first + k);
                        if !within(z, a.z, b.z) {
                            continue;
                        }
                        for column in columns.clone() {
                            let x = extent.x(column);
                            if within(x, a.x, b.x) {
                                let value = value(stretch, &stretch.beside(x, z)).max(0.0) as f32;
                                line[column] = line[column].max(value);
                            }
                        }
                    }
                }
            },
        )
    }

    /// The height of a sample after all stretches near it.
    fn carved(&self, block: &Block, old: f64, x: f64, z: f64) -> f64 {
        let (list, most) = (&self.valleys.list, &self.valleys.most);
        let (mut cut, mut guard) = (0.0_f64, f64::NEG_INFINITY);
        for (k, &(away, index)) in block.near.iter().enumerate() {
            // Every few stretches: could any of the rest, all farther away, matter?
            if k % 4 == 0 {
                let nearest = (away - block.size * SLACK).max(0.0);
                let left = 1.0 - side(nearest, most.radius * SLACK, most.half, most.plain);
                let cuts = left * (old - most.bed) * SLACK > cut;
                let highest = block.highest - GUARD_SLOPE * nearest + 1e-6;
                if !cuts && highest < guard.max(old - cut) {
                    break;
                }
            }
            let (deeper, higher) = list[index as usize].cut(old, x, z);
            cut = cut.max(deeper);
            guard = guard.max(higher);
        }
        (old - cut).max(guard.min(old))
    }

    /// Writes one of the layers of a stage with rivers, which holds 0.
    pub(crate) fn fill_layer(
        &self,
        layer: &Layer,
        extent: &Extent,
        out: &mut [f32],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let list = &self.waters.list;
        if *layer == Layer::RiverDistance {
            let width = extent.width();
            return par::try_for_each_part(out, width, BLOCK, |part, samples| {
                ctx.check()?;
                let (mut open, mut before) = (Vec::new(), None);
                for (k, sample) in samples.iter_mut().enumerate() {
                    let (x, z) = (extent.x(k % width), extent.z(part * BLOCK + k / width));
                    let bank = |stretch: &Stretch| {
                        let Beside { distance, along, .. } = stretch.beside(x, z);
                        distance - 0.5 * width_at(stretch, along)
                    };
                    // What was nearest to the sample before is near to this one.
                    let guess = before.map(|index: usize| (bank(&list[index]), index));
                    let start = guess
                        .filter(|guess| guess.0 < self.farthest)
                        .unwrap_or((self.farthest, usize::MAX));
                    let (least, index) = self.waters.nearest([x, z], start, &mut open, bank);
                    before = (index != usize::MAX).then_some(index);
                    *sample = least.max(0.0) as f32;
                }
                Ok(())
            });
        }
        let cell = mean_spacing(extent);
        match layer {
            Layer::River => self.fill_near(extent, out, ctx, |stretch, beside| {
                let half = 0.5 * width_at(stretch, beside.along);
                // The part of a cell across the river that is water.
                let (near, far) = (beside.distance - 0.5 * cell, beside.distance + 0.5 * cell);
                (far.min(half) - near.max(-half)) / cell
            }),
            Layer::WaterDepth => self.fill_near(extent, out, ctx, |stretch, beside| {
                let (from, to) = (stretch.from.water.depth, stretch.to.water.depth);
                let t = beside.distance / (0.5 * width_at(stretch, beside.along));
                math::lerp(from, to, beside.along) * (1.0 - t * t)
            }),
            other => unreachable!("rivers give no layer {other}"),
        }
    }
}

/// Metres between samples, the mean of both axes.
fn mean_spacing(extent: &Extent) -> f64 {
    let [dx, dz] = extent.lattice().spacing;
    0.5 * (dx + dz)
}

impl Field for Carving {
    fn evaluate(
        &self,
        extent: &Extent,
        _view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        if let Some(values) = out.values {
            self.carve(extent, values, ctx)?;
        }
        let mut layers = out.layers.into_iter();
        layers.try_for_each(|(layer, samples)| self.fill_layer(layer, extent, samples, ctx))
    }

    fn features(&self) -> Vec<Feature> {
        self.features.clone()
    }
}

impl Simulated for Carving {
    fn keep(&self) -> Vec<u8> {
        keep::bytes(self)
    }
}

fn width_at(stretch: &Stretch, along: f64) -> f64 {
    math::lerp(stretch.from.water.width, stretch.to.water.width, along)
}
