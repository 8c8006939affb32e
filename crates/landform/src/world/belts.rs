//! Mountain belts as peaks: what plates do to each other is written down as landforms.
//!
//! A peak is a place, a height, a radius and the boundary that it belongs to: a tent as in the [Uplift
//! Model](crate::uplift), h·max(0, 1 − d/r), negative for a trench or a rift. Peaks ride on their plates. How many
//! there are goes by the area that has closed (rate × time × length of the boundary), not by cells, so belts are
//! as high on any lattice.
//!
//! | boundary | closing | opening | slipping |
//! | --- | --- | --- | --- |
//! | continent, continent | a broad belt of folds on both sides, far inland | a rift valley | scarps |
//! | ocean, continent | a trench, a range along the coast with volcanoes | | scarps |
//! | ocean, ocean | a trench, an island arc on the younger plate | the ridge, by the [age](super::relief) of the floor | |
//!
//! Ranges wear down with time; where many peaks overlap they approach a highest height.

use fearless_simd::Simd;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::motion::Motion;
use super::surface::{
    Geometry, Kinematics, NONE, Point, Shape, Tent, Tessellation, Turn, block_neighbours,
};
use crate::keep::{Keep, keep_struct};
use crate::math::vector::{add, dot, scale};
use crate::{Seed, math};

/// What made a peak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BeltKind {
    /// Continent against continent.
    Fold,
    /// Ocean floor under a continent.
    Range,
    /// Ocean floor under ocean floor.
    Arc,
    /// A plume from below.
    HotSpot,
    /// Ocean floor that dives.
    Trench,
    /// A continent that parts.
    Rift,
    /// Plates that slip past each other.
    Fault,
}

impl BeltKind {
    pub(crate) const ALL: [Self; 7] =
        [Self::Fold, Self::Range, Self::Arc, Self::HotSpot, Self::Trench, Self::Rift, Self::Fault];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fold => "fold",
            Self::Range => "range",
            Self::Arc => "arc",
            Self::HotSpot => "hot_spot",
            Self::Trench => "trench",
            Self::Rift => "rift",
            Self::Fault => "fault",
        }
    }

    /// Million years in which it wears down, or sinks, to 1/e.
    fn lasting(self) -> f64 {
        match self {
            Self::Fold => 160.0,
            Self::Range => 110.0,
            Self::Arc => 60.0,
            Self::HotSpot => 30.0,
            Self::Trench | Self::Rift | Self::Fault => 40.0,
        }
    }
}

/// A peak of a belt.
#[derive(Clone, Debug)]
pub(crate) struct BeltPeak {
    pub(crate) at: Point,
    pub(crate) plate: u16,
    /// The plate on the other side of the boundary; its own for a hot spot.
    pub(crate) other: u16,
    pub(crate) height: f64,
    pub(crate) radius: f64,
    pub(crate) kind: BeltKind,
    /// Million years since the start.
    birth: f64,
}

keep_struct!(BeltPeak { at, plate, other, height, radius, kind, birth });

impl Keep for BeltKind {
    fn write(&self, out: &mut Vec<u8>) {
        (*self as u8).write(out);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        let number = u8::read(from)?;
        Self::ALL.into_iter().find(|&kind| kind as u8 == number)
    }
}

impl BeltPeak {
    /// A peak that somebody has written down.
    pub(crate) fn new(
        at: Point,
        [plate, other]: [u16; 2],
        (height, radius): (f64, f64),
        kind: BeltKind,
    ) -> Self {
        Self { at, plate, other, height, radius, kind, birth: 0.0 }
    }
}

/// How strongly plates deform.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strength {
    /// Factor of the heights of belts.
    pub(crate) mountains: f64,
    pub(crate) hot_spots: u32,
}

/// Volcanoes a million years over a hot spot.
pub(super) const ERUPTIONS: f64 = 0.45;

/// m² of closing for one peak.
const AREA_OF_PEAK: f64 = 5e10;

/// Everything that has been raised so far.
#[derive(Clone, Debug)]
pub(crate) struct Belts {
    pub(crate) peaks: Vec<BeltPeak>,
    plumes: Vec<Point>,
    seed: Seed,
    strength: Strength,
    drawn: u64,
}

impl Belts {
    pub(crate) fn new<S: Tessellation>(surface: &S, strength: Strength, seed: Seed) -> Self {
        let places = seed.child("plumes");
        let plume = |k: u64| surface.random_point(places.uniform(2 * k), places.uniform(2 * k + 1));
        let plumes = (0..u64::from(strength.hot_spots)).map(plume).collect();
        Self { peaks: Vec::new(), plumes, seed: seed.child("peaks"), strength, drawn: 0 }
    }

    fn draw(&mut self) -> f64 {
        self.drawn += 1;
        self.seed.uniform(self.drawn)
    }

    /// Carries the peaks on, and raises new ones for what the plates did in the last `time` million years.
    pub(crate) fn follow<S: Kinematics>(&mut self, motion: &Motion<'_, S>, time: f64) {
        let surface = motion.surface;
        let turns: Vec<Turn> =
            motion.plates.iter().map(|plate| surface.turn(scale(plate.velocity, time))).collect();
        for peak in &mut self.peaks {
            peak.at = surface.settled(turns[peak.plate as usize].apply(peak.at));
            let cell = surface.locate(peak.at);
            if cell != NONE && motion.cover.labels[cell as usize] != peak.plate {
                // Scraped off onto the plate that came over it, as a rule the one beyond its boundary.
                let own = std::mem::replace(&mut peak.plate, motion.cover.labels[cell as usize]);
                if peak.other == peak.plate || peak.kind == BeltKind::HotSpot {
                    peak.other = if peak.kind == BeltKind::HotSpot { peak.plate } else { own };
                }
                peak.height *= 0.8;
            }
        }
        let per_edge = time * surface.cell_size() / AREA_OF_PEAK;
        let fastest = motion
            .plates
            .iter()
            .map(|plate| dot(plate.velocity, plate.velocity).sqrt() * surface.velocity_scale())
            .fold(0.0, f64::max);
        let most = 2.0 * fastest * per_edge;
        for_each_edge(motion, |cell, next| {
            let u = self.draw();
            if u < most {
                let least = u / per_edge;
                let Some(meeting) = Meeting::of(motion, (cell, next), least) else { return };
                let slip = (dot(meeting.between, meeting.between)
                    - meeting.closing * meeting.closing)
                    .max(0.0)
                    .sqrt();
                if u < meeting.closing * per_edge {
                    self.converge(motion, &meeting);
                } else if u < -meeting.closing * per_edge && meeting.lands == [true, true] {
                    self.aside(motion, &meeting, (BeltKind::Rift, -700.0));
                } else if u < 0.3 * slip * per_edge && meeting.closing.abs() < 0.4 * slip {
                    let sign = if self.draw() < 0.5 { -1.0 } else { 1.0 };
                    self.aside(motion, &meeting, (BeltKind::Fault, sign * 450.0));
                }
            }
        });
        self.erupt(motion, time);
    }

    fn push<S: Kinematics>(
        &mut self,
        motion: &Motion<'_, S>,
        meeting: &Meeting,
        at: Point,
        (kind, height, radius): (BeltKind, f64, f64),
    ) {
        let cell = motion.surface.locate(at);
        if cell == NONE {
            return;
        }
        let plate = motion.cover.labels[cell as usize];
        let other = if plate == meeting.own { meeting.other } else { meeting.own };
        let height = height * self.strength.mountains;
        self.peaks.push(BeltPeak { at, plate, other, height, radius, kind, birth: motion.now });
    }

    /// Folds, ranges and arcs.
    fn converge<S: Kinematics>(&mut self, motion: &Motion<'_, S>, meeting: &Meeting) {
        let surface = motion.surface;
        let [u, v, w, side] = [self.draw(), self.draw(), self.draw(), self.draw()];
        let ahead =
            |sign: f64, metres: f64| surface.ahead(meeting.at, scale(meeting.normal, sign), metres);
        match meeting.lands {
            [true, true] => {
                let sign = if side < 0.5 { -1.0 } else { 1.0 };
                // Most near the suture, some a thousand kilometres inland.
                let inland = 60e3 + 700e3 * u * u;
                let high = (1100.0 + 2500.0 * v) * (1.0 - 0.45 * u);
                self.push(
                    motion,
                    meeting,
                    ahead(sign, inland),
                    (BeltKind::Fold, high, 170e3 + 230e3 * w),
                );
            }
            [false, false] => {
                if v < 0.5 {
                    let sign = meeting.younger;
                    let high = 2200.0 + 3300.0 * w;
                    let at = ahead(sign, 130e3 + 60e3 * u);
                    self.push(motion, meeting, at, (BeltKind::Arc, high, 55e3 + 50e3 * u));
                }
            }
            [_, far] => {
                let sign = if far { 1.0 } else { -1.0 };
                let inland = 70e3 + 330e3 * u * u;
                let high = (1300.0 + 2600.0 * v) * (1.0 - 0.3 * u);
                self.push(
                    motion,
                    meeting,
                    ahead(sign, inland),
                    (BeltKind::Range, high, 110e3 + 140e3 * w),
                );
            }
        }
    }

    /// A peak beside the boundary.
    fn aside<S: Kinematics>(
        &mut self,
        motion: &Motion<'_, S>,
        meeting: &Meeting,
        (kind, height): (BeltKind, f64),
    ) {
        let [u, v] = [self.draw(), self.draw()];
        let at = motion.surface.ahead(meeting.at, meeting.normal, 80e3 * (u - 0.5));
        self.push(motion, meeting, at, (kind, height * (0.5 + v), 50e3 + 40e3 * u));
    }

    /// Volcanoes over the plumes: the plate carries the old ones away in a chain.
    fn erupt<S: Kinematics>(&mut self, motion: &Motion<'_, S>, time: f64) {
        for k in 0..self.plumes.len() {
            let plume = self.plumes[k];
            let [u, v, w, x] = [self.draw(), self.draw(), self.draw(), self.draw()];
            let cell = motion.surface.locate(plume);
            if cell == NONE || u > ERUPTIONS * time {
                continue;
            }
            let plate = motion.cover.labels[cell as usize];
            let is_land = motion.is_land(plume, plate);
            let high = if is_land { 700.0 + 900.0 * v } else { 3600.0 + 2600.0 * v };
            let direction = motion.surface.towards(plume, motion.surface.random_point(w, x));
            let at = motion.surface.ahead(plume, direction, 45e3 * v);
            let height = high * self.strength.mountains.max(0.3);
            let radius = 60e3 + 45e3 * w;
            let kind = BeltKind::HotSpot;
            self.peaks.push(BeltPeak {
                at,
                plate,
                other: plate,
                height,
                radius,
                kind,
                birth: motion.now,
            });
        }
    }

    /// Digs the trenches of the boundaries at which ocean floor dives now.
    pub(crate) fn dig_trenches<S: Kinematics>(&mut self, motion: &Motion<'_, S>) {
        let chance = motion.surface.cell_size() / 45e3;
        let mut kept: Vec<(Meeting, f64)> = Vec::new();
        for_each_edge(motion, |cell, next| {
            let u = self.draw();
            if u < chance
                && let Some(meeting) = Meeting::of(motion, (cell, next), 8e3)
                && meeting.closing > 8e3
                && meeting.lands != [true, true]
            {
                kept.push((meeting, u / chance));
            }
        });
        for (meeting, u) in kept {
            let sign = match meeting.lands {
                [false, false] => -meeting.younger,
                [_, far] => {
                    if far {
                        -1.0
                    } else {
                        1.0
                    }
                }
            };
            let at = motion.surface.ahead(meeting.at, scale(meeting.normal, sign), 45e3);
            let deep = -(1500.0 + 1200.0 * u) * (meeting.closing / 60e3).clamp(0.3, 1.0);
            self.push(motion, &meeting, at, (BeltKind::Trench, deep, 65e3 + 20e3 * u));
        }
    }

    /// The peaks as they are at the end: worn down, and limited where they overlap.
    pub(crate) fn finished<S: Tessellation>(mut self, surface: &S, now: f64) -> Vec<BeltPeak> {
        for peak in &mut self.peaks {
            let age = (now - peak.birth).max(0.0);
            peak.height *= math::exp(-age / peak.kind.lasting());
        }
        self.peaks.retain(|peak| peak.height.abs() > 60.0);
        let bins = Bins::new(surface, &self.peaks);
        let sums: Vec<f64> = self
            .peaks
            .iter()
            .map(|peak| {
                let is_alike = |other: f64| (other > 0.0) == (peak.height > 0.0);
                bins.height_at(surface, (peak.at, bins.block_at(surface, peak.at)), is_alike)
            })
            .collect();
        for (peak, sum) in self.peaks.iter_mut().zip(sums) {
            let most = match peak.kind {
                BeltKind::Fold => 6400.0,
                BeltKind::Range => 5600.0,
                BeltKind::Arc | BeltKind::HotSpot => 5600.0,
                BeltKind::Trench => 3600.0,
                BeltKind::Rift | BeltKind::Fault => 900.0,
            } * self.strength.mountains.max(0.1);
            let ratio = sum.abs() / most;
            if ratio > 1e-9 {
                peak.height *= (1.0 - math::exp(-ratio)) / ratio;
            }
        }
        self.peaks
    }
}

/// Calls `f` for each pair of neighbouring cells of different plates, once.
fn for_each_edge<S: Kinematics>(motion: &Motion<'_, S>, mut f: impl FnMut(usize, usize)) {
    let shape = motion.surface.shape();
    let labels = &motion.cover.labels;
    for &block in &motion.cover.borders {
        let (first, columns, rows) = shape.block_at(block as usize);
        let (left, top) = (first % shape.width, first / shape.width % shape.height);
        for j in 0..rows {
            let start = first + j * shape.width;
            let has_below = top + j + 1 < shape.height;
            if has_below && left + columns < shape.width {
                let (row, east) = (&labels[start..][..columns], &labels[start + 1..][..columns]);
                let south = &labels[start + shape.width..][..columns];
                // Most rows belong to one plate, and so does what lies east and south of them.
                if are_same([row, east, south]) {
                    continue;
                }
                for (i, ((own, east), south)) in row.iter().zip(east).zip(south).enumerate() {
                    let cell = start + i;
                    if east != own {
                        f(cell, cell + 1);
                    }
                    if south != own {
                        f(cell, cell + shape.width);
                    }
                }
                continue;
            }
            for i in 0..columns {
                let cell = start + i;
                let [east, south] = if has_below && left + i + 1 < shape.width {
                    [cell + 1, cell + shape.width]
                } else {
                    let around = motion.surface.neighbours(cell);
                    [around[0] as usize, around[2] as usize]
                };
                for next in [east, south] {
                    if labels.get(next).is_some_and(|&label| label != labels[cell]) {
                        f(cell, next);
                    }
                }
            }
        }
    }
}

/// Whether the cells of three rows belong to the same plates. All are compared, side by side.
#[inline]
fn are_same(rows: [&[u16]; 3]) -> bool {
    #[inline]
    fn each([row, east, south]: [&[u16]; 3]) -> bool {
        let rows = row.iter().zip(east).zip(south);
        rows.fold(0, |bits, ((own, east), south)| bits | (own ^ east) | (own ^ south)) == 0
    }
    // A row of a block is as long as a register or two: no loop for that.
    match rows.map(|row| row.as_array::<16>()) {
        [Some(row), Some(east), Some(south)] => each([row, east, south]),
        _ => each(rows),
    }
}

/// Cosines and sines of the directions of a clock.
const HOURS: [[f64; 2]; 12] = {
    const H: f64 = 0.866_025_403_784_438_6;
    [
        [1.0, 0.0],
        [H, 0.5],
        [0.5, H],
        [0.0, 1.0],
        [-0.5, H],
        [-H, 0.5],
        [-1.0, 0.0],
        [-H, -0.5],
        [-0.5, -H],
        [0.0, -1.0],
        [0.5, -H],
        [H, -0.5],
    ]
};

/// Two plates side by side.
struct Meeting {
    at: Point,
    own: u16,
    other: u16,
    /// Across the boundary, from the own plate to the other.
    normal: [f64; 3],
    /// Velocity of the other plate seen from the own, in metres a million years.
    between: [f64; 3],
    /// How fast they come together.
    closing: f64,
    /// Whether the own and the other side are continental.
    lands: [bool; 2],
    /// 1 if the other plate stays above where both are ocean floor, −1 if this does.
    younger: f64,
}

impl Meeting {
    /// The meeting at the border between two cells; nothing if the plates move past each other more slowly than `least`.
    fn of<S: Kinematics>(
        motion: &Motion<'_, S>,
        (cell, next): (usize, usize),
        least: f64,
    ) -> Option<Self> {
        let surface = motion.surface;
        let labels = &motion.cover.labels;
        let (own, other) = (labels[cell], labels[next]);
        let at = surface.point(cell);
        let drift = |plate: u16| surface.drift(motion.plates[plate as usize].velocity, at);
        let between = add(drift(other), scale(drift(own), -1.0));
        if dot(between, between) < least * least {
            return None;
        }
        // The border is rough: its direction is that of its surroundings.
        let first = surface.towards(at, surface.point(next));
        let aside = surface.towards(at, surface.point(turned(surface, cell, next)?));
        let step = surface.cell_size();
        let mut ways = [[0.0; 3]; HOURS.len()];
        for (way, [cos, sin]) in ways.iter_mut().zip(HOURS) {
            *way = add(scale(first, cos), scale(aside, sin));
        }
        let mut normal = [0.0; 3];
        for reach in [2.5 * step, 5.0 * step] {
            let cells = surface.locate_ahead(at, &ways, reach);
            for (way, there) in ways.into_iter().zip(cells) {
                let Some(&label) = labels.get(there as usize) else { continue };
                let sign = f64::from(i8::from(label == other) - i8::from(label == own));
                normal = add(normal, scale(way, sign));
            }
        }
        let length = dot(normal, normal).sqrt();
        if length < 1e-6 {
            return None;
        }
        let normal = scale(normal, 1.0 / length);
        let closing = -dot(between, normal);
        let look = |sign: f64, plate: u16| {
            let p = surface.ahead(at, scale(normal, sign), 1.5 * step);
            motion.is_land(p, plate)
        };
        let lands = [look(-1.0, own), look(1.0, other)];
        let birth = |plate: u16| motion.plates[plate as usize].ocean_birth;
        let is_other = (birth(other), own) > (birth(own), other);
        let younger = if is_other { 1.0 } else { -1.0 };
        Some(Self { at, own, other, normal, between, closing, lands, younger })
    }
}

/// The neighbour of `cell` a quarter turn from `next`.
fn turned<S: Tessellation>(surface: &S, cell: usize, next: usize) -> Option<usize> {
    let around = surface.neighbours(cell);
    let (east, south) = (around[0], around[2]);
    let aside = if east as usize == next { [south, around[3]] } else { [east, around[1]] };
    aside.into_iter().find(|&n| n != NONE).map(|n| n as usize)
}

/// Peaks by the small blocks that they reach.
#[derive(Clone, Debug)]
pub(crate) struct Bins {
    shape: Shape,
    starts: Vec<u32>,
    peaks: Vec<Tent>,
}

/// About the width of a block in metres.
const BIN: f64 = 300e3;

/// Finds the blocks that a peak reaches from block to block, where no surface tells them.
struct Walk {
    shape: Shape,
    near: Vec<Vec<u32>>,
    middles: Vec<Point>,
    /// The last peak for which a block was seen.
    seen: Vec<u32>,
}

impl Walk {
    fn new<S: Tessellation>(surface: &S, shape: Shape) -> Self {
        let middle = |block: usize| {
            let (first, columns, rows) = shape.block_at(block);
            surface.point(first + rows / 2 * shape.width + columns / 2)
        };
        Self {
            shape,
            near: block_neighbours(surface, shape),
            middles: (0..shape.blocks()).map(middle).collect(),
            seen: vec![u32::MAX; shape.blocks()],
        }
    }

    fn find<S: Tessellation>(
        &mut self,
        surface: &S,
        (k, peak): (u32, &BeltPeak),
        found: &mut Vec<u32>,
    ) {
        let cell = surface.locate(peak.at);
        if cell == NONE {
            return;
        }
        let around = 1.1 * self.shape.block as f64 * surface.cell_size();
        let reach = (peak.radius + around) * (peak.radius + around);
        let first = self.shape.block_of(cell as usize) as u32;
        self.seen[first as usize] = k;
        found.push(first);
        let mut at = 0;
        while let Some(&block) = found.get(at) {
            at += 1;
            for &next in &self.near[block as usize] {
                let middle = self.middles[next as usize];
                if self.seen[next as usize] != k && surface.chord_squared(middle, peak.at) < reach {
                    self.seen[next as usize] = k;
                    found.push(next);
                }
            }
        }
    }
}

impl Bins {
    pub(crate) fn new<S: Tessellation>(surface: &S, peaks: &[BeltPeak]) -> Self {
        let whole = surface.shape();
        let mut block = 2;
        while (2 * block) as f64 * surface.cell_size() < 1.5 * BIN && 2 * block <= whole.block {
            block *= 2;
        }
        // Faces are made of whole blocks.
        let block = if whole.block.is_multiple_of(block) { block } else { whole.block };
        let shape = Shape { block, ..whole };
        // Blocks and the peaks that reach them, peak by peak.
        let mut reached: Vec<(u32, u32)> = Vec::new();
        let mut walk = None;
        let mut open = Vec::new();
        for (k, peak) in peaks.iter().enumerate() {
            if !surface.blocks_within(&shape, peak.at, peak.radius, &mut open) {
                walk.get_or_insert_with(|| Walk::new(surface, shape)).find(
                    surface,
                    (k as u32, peak),
                    &mut open,
                );
            }
            reached.extend(open.drain(..).map(|block| (block, k as u32)));
        }
        // Sorted by blocks: counted, then each to its place, in the order of the peaks.
        let mut starts = vec![0; shape.blocks() + 2];
        reached.iter().for_each(|&(block, _)| starts[block as usize + 2] += 1);
        for block in 2..starts.len() {
            starts[block] += starts[block - 1];
        }
        let mut sorted = vec![Tent { at: [0.0; 3], height: 0.0, radius: 0.0 }; reached.len()];
        for (block, k) in reached {
            let BeltPeak { at, height, radius, .. } = peaks[k as usize];
            let place = &mut starts[block as usize + 1];
            sorted[*place as usize] = Tent { at, height, radius };
            *place += 1;
        }
        starts.pop();
        Self { shape, starts, peaks: sorted }
    }

    /// How the blocks are laid out.
    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The block that a point is in; [`NONE`] beyond an edge.
    fn block_at<S: Tessellation>(&self, surface: &S, p: Point) -> u32 {
        match surface.locate(p) {
            NONE => NONE,
            cell => self.shape.block_of(cell as usize) as u32,
        }
    }

    /// The peaks that reach a block.
    #[inline]
    fn reaching(&self, block: u32) -> &[Tent] {
        if block == NONE {
            return &[];
        }
        let block = block as usize;
        &self.peaks[self.starts[block] as usize..self.starts[block + 1] as usize]
    }

    /// Adds the peaks to the sums at points that are in these blocks.
    #[inline(always)]
    pub(crate) fn raise<S: Geometry, V: Simd>(
        &self,
        simd: V,
        surface: &S,
        (points, blocks): (&[Point], &[u32]),
        mut sums: &mut [f64],
    ) {
        let mut points = points;
        for of_one in blocks.chunk_by(|a, b| a == b) {
            let (own, others) = points.split_at(of_one.len());
            let (own_sums, other_sums) = sums.split_at_mut(of_one.len());
            (points, sums) = (others, other_sums);
            let tents = self.reaching(of_one[0]);
            if !tents.is_empty() {
                surface.raise(simd, tents, own, own_sums);
            }
        }
    }

    /// The sum of the peaks at a point in a block, of those with a height for which `counts`.
    fn height_at<S: Geometry>(
        &self,
        surface: &S,
        (p, block): (Point, u32),
        counts: impl Fn(f64) -> bool,
    ) -> f64 {
        let mut sum = 0.0;
        for tent in self.reaching(block) {
            let near = surface.chord_squared(p, tent.at) < tent.radius * tent.radius;
            if near && counts(tent.height) {
                let share = 1.0 - surface.distance(p, tent.at) / tent.radius;
                sum += if share > 0.0 { tent.height * share } else { 0.0 };
            }
        }
        sum
    }
}
