//! One step of running water: where it goes, what it digs up, what it drops.
//!
//! Each sample v has ground of altitude a, water of depth w and sediment s (both metres over the sample). In a
//! step, with the levels L = a + w of the sample and of its eight neighbours u (Alcock 2007, section 3.2.3):
//!
//! ```text
//! d_u = share_u·max(0, L_v − L_u)          what would flow to u; the eight shares sum to ¾
//! Δw  = min(w, Σ d_u)                      water that leaves, to u in proportion to d_u
//! c   = K_c·Δw·((1 − σ) + σ·min(1, S))     sediment that it can carry; S slope of the water, σ steepness
//! s ≥ c:  c leaves with the water, K_d·(s − c) settles, the rest stays
//! s < c:  K_s·(c − s) is dug up, at most Σ d_u; it and s leave with the water
//! ```
//!
//! Without a lower neighbour Δw and c are 0, so K_d·s settles: the paper's first case. What leaves v arrives at
//! u in the next step. Then water evaporates, and rain falls.
//!
//! The shares are 1 : ½ for the four nearest and the four diagonal neighbours (Quinn et al. 1991). Where Δx ≠ Δz
//! they are those for which water on any tilted plane runs straight down it. S is Σ d_u over what it would be on a
//! slope of 1, right to 6 % in all directions where Δx = Δz, else within a factor √(Δx/Δz).
//!
//! A sample *gathers* what its neighbours send, and the eight terms are added in opposite pairs; so the step
//! commutes with rotations and mirrorings bit for bit. Rows are updated in place in bands; the two rows next to a
//! band are copied before. No operation goes across lanes: the bits are the same for every SIMD width.

use fearless_simd::{Level, Simd, dispatch, f32x8, prelude::*};

use super::ground::Ground;
use crate::{Cancelled, Ctx, Grid, par};

/// Rows that one task updates.
const BAND: usize = 64;

/// Samples that are computed at once; rows are stored as a multiple of it.
pub(super) const LANES: usize = 8;

/// A level difference below this counts as flat, in metres.
const FLAT: f32 = 1e-9;

/// Height of the wall around a closed border, in metres.
const WALL: f32 = 1e30;

/// The numbers of a step that are the same everywhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Law {
    /// Shares of the neighbours along x, along z and of the diagonal ones.
    shares: [f32; 3],
    /// Slope of the water for a sum of the d_u of 1 m.
    slope: f32,
    /// σ.
    pub(super) steepness: f32,
    /// Height of the sea, in which water ends; far below everything if there is none.
    pub(super) sea: f32,
    /// Share of the water that does not evaporate.
    pub(super) kept: f32,
    /// Water that falls at the end of the step.
    pub(super) rain: f32,
    /// Water that dries up beside the share that evaporates, so that it ends; sediment below a tenth of it settles.
    pub(super) film: f32,
}

impl Law {
    /// The law where samples are this far apart, dry.
    pub(super) fn new([dx, dz]: [f64; 2]) -> Self {
        // Half of the flow of a plane goes to diagonal neighbours; with the same amount along both axes the rest
        // must make up for the difference.
        let longest = dx.max(dz);
        let diagonal = 0.25 / (longest * longest);
        let along = |d: f64| 1.0 / (d * d) - 2.0 * diagonal;
        let (x, z) = (along(dx), along(dz));
        let scale = 0.75 / (2.0 * (x + z) + 4.0 * diagonal);
        Self {
            shares: [x, z, diagonal].map(|share| (share * scale) as f32),
            slope: ((dx * dz).sqrt() / scale) as f32,
            steepness: 1.0,
            sea: -WALL,
            kept: 1.0,
            rain: 0.0,
            film: 0.0,
        }
    }
}

/// What changes while water runs, on one lattice; rows are stored `stride` apart.
#[derive(Debug)]
pub(super) struct State {
    pub(super) height: usize,
    pub(super) stride: usize,
    /// Altitude less that of the ground as it was, in metres: small, so that little is lost to rounding.
    pub(super) change: Vec<f32>,
    /// Depth of water, in metres.
    pub(super) water: Vec<f32>,
    /// Sediment in the water, in metres.
    pub(super) sediment: Vec<f32>,
    /// Sediment on the ground that has not been dug up again, in metres.
    pub(super) cover: Vec<f32>,
    /// Sum of all Δw, in metres.
    pub(super) flow: Vec<f32>,
}

/// The length of a stored row of `width` samples.
pub(super) fn stride_of(width: usize) -> usize {
    width.next_multiple_of(LANES)
}

impl State {
    /// Ground that nothing has happened to.
    pub(super) fn new(width: usize, height: usize) -> Self {
        let stride = stride_of(width);
        let zeros = || vec![0.0; stride * height];
        let (change, water, sediment) = (zeros(), zeros(), zeros());
        let (cover, flow) = (zeros(), zeros());
        Self { height, stride, change, water, sediment, cover, flow }
    }

    /// Whether no water is deeper than this.
    pub(super) fn is_dry(&self, depth: f32) -> bool {
        self.water.iter().all(|&water| water <= depth)
    }

    /// Lets the water run for one step.
    ///
    /// # Errors
    /// Only by cancellation; then the state is of no use any more.
    pub(super) fn step(
        &mut self,
        ground: &Ground<'_>,
        law: &Law,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let simd = Level::new();
        let bands = self.height.div_ceil(BAND);
        let edges = par::map(bands, |band| {
            let (first, end) = (band * BAND, ((band + 1) * BAND).min(self.height));
            dispatch!(simd, s => [
                self.edge(s, ground, law, first.checked_sub(1), 0),
                self.edge(s, ground, law, (end < self.height).then_some(end), self.height - 1),
            ])
        });
        let length = BAND * self.stride;
        let mut parts: Vec<Part<'_>> = self
            .change
            .chunks_mut(length)
            .zip(self.water.chunks_mut(length))
            .zip(self.sediment.chunks_mut(length))
            .zip(self.cover.chunks_mut(length))
            .zip(self.flow.chunks_mut(length))
            .map(|((((change, water), sediment), cover), flow)| Part {
                stride: self.stride,
                change,
                water,
                sediment,
                cover,
                flow,
            })
            .collect();
        par::try_for_each_part(&mut parts, 1, 1, |band, part| {
            ctx.check()?;
            dispatch!(simd, s => part[0].advance(s, ground, law, band * BAND, &edges[band]));
            Ok(())
        })
    }

    /// What the row beside a band sends, before anything changes; for the row beyond row `nearest` of the lattice
    /// that is nothing.
    #[inline(always)]
    fn edge<S: Simd>(
        &self,
        simd: S,
        ground: &Ground<'_>,
        law: &Law,
        row: Option<usize>,
        nearest: usize,
    ) -> Sent {
        let mut sent = Sent::new(self.stride);
        let Some(row) = row else {
            ground.outside(nearest, law.sea, WALL, &mut sent.level);
            return sent;
        };
        let stride = self.stride;
        let at = |row: usize| row * stride..(row + 1) * stride;
        let mut beside = [vec![0.0; stride + 2], vec![0.0; stride + 2]];
        let level = |j: usize, out: &mut [f32], land: &mut [f32]| {
            ground.levels(j, &self.change[at(j)], &self.water[at(j)], law.sea, WALL, out, land);
        };
        let [above, below] = &mut beside;
        match row.checked_sub(1) {
            Some(above_row) => level(above_row, above, &mut vec![0.0; stride]),
            None => ground.outside(0, law.sea, WALL, above),
        }
        if row + 1 < self.height {
            level(row + 1, below, &mut vec![0.0; stride]);
        } else {
            ground.outside(row, law.sea, WALL, below);
        }
        level(row, &mut sent.level, &mut sent.land);
        let mut copy = [&self.change, &self.water, &self.sediment, &self.cover, &self.flow]
            .map(|field| field[at(row)].to_vec());
        let [change, water, sediment, cover, flow] = &mut copy;
        let mut part = Part { stride, change, water, sediment, cover, flow };
        let mut rock = ground.rock_rows();
        ground.fill_rock(row, &mut rock);
        part.release(simd, ground, law, row, 0, [above, below], &rock, &mut sent);
        sent
    }
}

/// What a row shows to its neighbours; one sample more on both sides.
struct Sent {
    /// L.
    level: Vec<f32>,
    /// Δw/Σ d_u, and the same of the sediment that leaves, times the area of the sample.
    water: Vec<f32>,
    sediment: Vec<f32>,
    /// 1 on land, 0 in the sea; without a border.
    land: Vec<f32>,
}

impl Sent {
    fn new(stride: usize) -> Self {
        let zeros = || vec![0.0; stride + 2];
        Self { level: zeros(), water: zeros(), sediment: zeros(), land: vec![0.0; stride] }
    }
}

/// The rows of a band.
struct Part<'a> {
    stride: usize,
    change: &'a mut [f32],
    water: &'a mut [f32],
    sediment: &'a mut [f32],
    cover: &'a mut [f32],
    flow: &'a mut [f32],
}

impl Part<'_> {
    /// Updates all rows of a band that begins at row `first`, between what the rows above and below it send.
    #[inline(always)]
    fn advance<S: Simd>(
        &mut self,
        simd: S,
        ground: &Ground<'_>,
        law: &Law,
        first: usize,
        [top, bottom]: &[Sent; 2],
    ) {
        let stride = self.stride;
        let rows = self.change.len() / stride;
        let [mut above, mut here, mut below, mut beyond] = [(); 4].map(|()| Sent::new(stride));
        let mut rock = ground.rock_rows();
        self.show(ground, law, first, 0, &mut here);
        let second = if rows > 1 {
            self.show(ground, law, first, 1, &mut below);
            &below.level
        } else {
            &bottom.level
        };
        ground.fill_rock(first, &mut rock);
        self.release(simd, ground, law, first, 0, [&top.level, second], &rock, &mut here);
        for j in 0..rows {
            // Of the row below, what it sends must be known before this one can gather.
            if j + 1 < rows {
                let next = if j + 2 < rows {
                    self.show(ground, law, first, j + 2, &mut beyond);
                    &beyond.level
                } else {
                    &bottom.level
                };
                ground.fill_rock(first + j + 1, &mut rock);
                let around = [&*here.level, next];
                self.release(simd, ground, law, first, j + 1, around, &rock, &mut below);
            }
            let above_row = if j == 0 { top } else { &above };
            let below_row = if j + 1 == rows { bottom } else { &below };
            self.gather(simd, ground, law, first, j, [above_row, &here, below_row]);
            std::mem::swap(&mut above, &mut here);
            std::mem::swap(&mut here, &mut below);
            std::mem::swap(&mut below, &mut beyond);
        }
    }

    /// The levels of row `j` of the band.
    #[inline(always)]
    fn show(&self, ground: &Ground<'_>, law: &Law, first: usize, j: usize, sent: &mut Sent) {
        let at = j * self.stride..(j + 1) * self.stride;
        let (change, water) = (&self.change[at.clone()], &self.water[at]);
        let (level, land) = (&mut sent.level, &mut sent.land);
        ground.levels(first + j, change, water, law.sea, WALL, level, land);
    }

    /// Digs, drops and takes away what leaves the samples of row `j`, and tells it to the neighbours.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the inner loop of a step, inlined")]
    fn release<S: Simd>(
        &mut self,
        simd: S,
        ground: &Ground<'_>,
        law: &Law,
        first: usize,
        j: usize,
        [above, below]: [&[f32]; 2],
        rock: &[Vec<f32>; 3],
        sent: &mut Sent,
    ) {
        let stride = self.stride;
        let row = j * stride;
        let (above, below) = (&above[..stride + 2], &below[..stride + 2]);
        let here = &sent.level[..stride + 2];
        let [capacity, deposition, softness] = rock.each_ref().map(|row| &row[..stride]);
        let area_x = &ground.area_x[..stride];
        let area_z = f32x8::splat(simd, ground.area_z[first + j]);
        let [x, z, diagonal] = law.shares.map(|share| f32x8::splat(simd, share));
        let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
        let (slope, flat) = (f32x8::splat(simd, law.slope), f32x8::splat(simd, FLAT));
        let (steepness, evenness) =
            (f32x8::splat(simd, law.steepness), f32x8::splat(simd, 1.0 - law.steepness));
        for i in (0..stride).step_by(LANES) {
            let v = load(simd, here, i + 1);
            let [west, east] = [fall(v, here, i), fall(v, here, i + 2)];
            let [north, south] = [fall(v, above, i + 1), fall(v, below, i + 1)];
            let [north_west, south_east] = [fall(v, above, i), fall(v, below, i + 2)];
            let [north_east, south_west] = [fall(v, above, i + 2), fall(v, below, i)];
            let corners = (north_west + south_east) + (north_east + south_west);
            let sum = (x * (west + east) + z * (north + south)) + diagonal * corners;
            let is_flat = sum.simd_le(flat);
            let at = row + i;
            let water = load(simd, self.water, at);
            let leaving = is_flat.select(zero, sum.min(water));
            let steep = evenness + steepness * (sum * slope).min(one);
            let carried = load(simd, capacity, i) * leaving * steep;
            let sediment = load(simd, self.sediment, at);
            let excess = sediment - carried;
            let is_full = excess.simd_ge(zero);
            let settled = load(simd, deposition, i) * excess;
            let dug = (load(simd, softness, i) * excess).max(zero - sum);
            let gain = is_full.select(settled, dug);
            let moved = is_full.select(carried, sediment - dug);
            let per_fall = is_flat.select(zero, load(simd, area_x, i) * area_z / sum);
            store(leaving * per_fall, &mut sent.water, i + 1);
            store(moved * per_fall, &mut sent.sediment, i + 1);
            store(load(simd, self.change, at) + gain, self.change, at);
            store(water - leaving, self.water, at);
            store(is_full.select(excess - settled, zero), self.sediment, at);
            store((load(simd, self.cover, at) + gain).max(zero), self.cover, at);
            store(load(simd, self.flow, at) + leaving, self.flow, at);
        }
        // Nothing comes from outside, nor from the samples that fill up the row.
        let width = ground.width;
        for sent in [&mut sent.water, &mut sent.sediment] {
            sent[0] = 0.0;
            sent[width + 1..].fill(0.0);
        }
    }

    /// Adds to the samples of row `j` what their neighbours send; then water evaporates and rain falls.
    #[inline(always)]
    fn gather<S: Simd>(
        &mut self,
        simd: S,
        ground: &Ground<'_>,
        law: &Law,
        first: usize,
        j: usize,
        rows: [&Sent; 3],
    ) {
        let stride = self.stride;
        let row = j * stride;
        let [a, h, b] = rows.map(|sent| &sent.level[..stride + 2]);
        let [aw, hw, bw] = rows.map(|sent| &sent.water[..stride + 2]);
        let [asd, hsd, bsd] = rows.map(|sent| &sent.sediment[..stride + 2]);
        let land = &rows[1].land[..stride];
        let inverse_x = &ground.inverse_area_x[..stride];
        let inverse_z = f32x8::splat(simd, ground.inverse_area_z[first + j]);
        let [x, z, diagonal] = law.shares.map(|share| f32x8::splat(simd, share));
        let zero = f32x8::splat(simd, 0.0);
        let (kept, rain) = (f32x8::splat(simd, law.kept), f32x8::splat(simd, law.rain));
        let film = f32x8::splat(simd, law.film);
        let trace = f32x8::splat(simd, 0.1 * law.film);
        for i in (0..stride).step_by(LANES) {
            let v = load(simd, h, i + 1);
            let falls = [
                [rise(v, h, i), rise(v, h, i + 2)],
                [rise(v, a, i + 1), rise(v, b, i + 1)],
                [rise(v, a, i), rise(v, b, i + 2)],
                [rise(v, a, i + 2), rise(v, b, i)],
            ];
            let inverse = load(simd, inverse_x, i) * inverse_z;
            let shares = [x * inverse, z * inverse, diagonal * inverse];
            let water_in = arriving([aw, hw, bw], i, falls, shares);
            let sediment_in = arriving([asd, hsd, bsd], i, falls, shares);
            let at = row + i;
            let water = (load(simd, self.water, at) + water_in) * kept - film;
            let sediment = load(simd, self.sediment, at) + sediment_in;
            let is_trace = sediment.simd_lt(trace);
            store((water.max(zero) + rain) * load(simd, land, i), self.water, at);
            store(is_trace.select(zero, sediment), self.sediment, at);
            let settled = is_trace.select(sediment, zero);
            store(load(simd, self.change, at) + settled, self.change, at);
        }
    }
}

#[inline(always)]
fn load<S: Simd>(simd: S, from: &[f32], at: usize) -> f32x8<S> {
    f32x8::from_slice(simd, &from[at..at + LANES])
}

#[inline(always)]
fn store<S: Simd>(value: f32x8<S>, to: &mut [f32], at: usize) {
    value.store_slice(&mut to[at..at + LANES]);
}

/// How much lower the samples at `at` are than `v`.
#[inline(always)]
fn fall<S: Simd>(v: f32x8<S>, from: &[f32], at: usize) -> f32x8<S> {
    (v - load(v.simd, from, at)).max(0.0)
}

/// How much higher they are.
#[inline(always)]
fn rise<S: Simd>(v: f32x8<S>, from: &[f32], at: usize) -> f32x8<S> {
    (load(v.simd, from, at) - v).max(0.0)
}

/// What arrives from the eight neighbours: those that are opposite to each other first.
#[inline(always)]
fn arriving<S: Simd>(
    [a, h, b]: [&[f32]; 3],
    i: usize,
    [[west, east], [north, south], [north_west, south_east], [north_east, south_west]]: [[f32x8<S>; 2];
        4],
    [x, z, diagonal]: [f32x8<S>; 3],
) -> f32x8<S> {
    let simd = west.simd;
    let across = west * load(simd, h, i) + east * load(simd, h, i + 2);
    let down = north * load(simd, a, i + 1) + south * load(simd, b, i + 1);
    let falling = north_west * load(simd, a, i) + south_east * load(simd, b, i + 2);
    let rising = north_east * load(simd, a, i + 2) + south_west * load(simd, b, i);
    (x * across + z * down) + diagonal * (falling + rising)
}

/// A grid with its rows as long as those of a state.
pub(super) fn spread(grid: Grid) -> Vec<f32> {
    let (width, height) = (grid.width(), grid.height());
    let stride = stride_of(width);
    let mut samples = grid.into_samples();
    samples.resize(stride * height, 0.0);
    for j in (1..height).rev() {
        samples.copy_within(j * width..(j + 1) * width, j * stride);
    }
    // What fills up the rows is still that of other rows.
    for row in samples.chunks_mut(stride) {
        row[width..].fill(0.0);
    }
    samples
}

/// The opposite of [`spread`].
pub(super) fn restored(mut samples: Vec<f32>, (width, height): (usize, usize)) -> Grid {
    let stride = stride_of(width);
    for j in 1..height {
        samples.copy_within(j * stride..j * stride + width, j * width);
    }
    samples.truncate(width * height);
    Grid::from_vec(width, height, samples)
}
