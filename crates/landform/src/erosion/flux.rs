//! The inner loops of [`runoff`](super::runoff): what leaves the samples of a row, and what arrives at them.

use fearless_simd::{Simd, f32x8, prelude::*};

use super::runoff::Law;

/// Samples that are computed at once; rows are stored as a multiple of it.
pub(super) const LANES: usize = 8;

/// A level difference below this counts as flat, in metres.
const FLAT: f32 = 1e-9;

/// What a row shows to its neighbours; one sample more on the left, and a group more on the right.
pub(super) struct Sent {
    /// L.
    pub(super) level: Vec<f32>,
    /// Δw/Σ d_u, and the same of the sediment that leaves, times the area of the sample.
    water: Vec<f32>,
    sediment: Vec<f32>,
    /// 1 on land, 0 in the sea; without a border.
    pub(super) land: Vec<f32>,
}

impl Sent {
    pub(super) fn new(stride: usize) -> Self {
        let zeros = || vec![0.0; shown(stride)];
        Self { level: zeros(), water: zeros(), sediment: zeros(), land: vec![0.0; stride] }
    }
}

/// The length of a row that is shown to its neighbours.
pub(super) fn shown(stride: usize) -> usize {
    stride + LANES
}

/// A row of the state.
pub(super) struct Row<'a> {
    pub(super) change: &'a mut [f32],
    pub(super) water: &'a mut [f32],
    pub(super) sediment: &'a mut [f32],
    pub(super) cover: &'a mut [f32],
    pub(super) flow: &'a mut [f32],
}

/// What is known of a row beforehand.
pub(super) struct RowConstants<'a> {
    /// Number of samples that are not there to fill up the row.
    pub(super) width: usize,
    /// Areas, or for what arrives 1 over them.
    pub(super) area_x: &'a [f32],
    pub(super) area_z: f32,
    /// K_c, K_d and K_s.
    pub(super) rock: &'a [Vec<f32>; 3],
}

/// Samples that are computed at once.
pub(super) type Lanes = [f32; LANES];

/// A row as groups of samples, beginning at sample `shift`.
#[inline(always)]
fn lanes(row: &[f32], shift: usize, count: usize) -> &[Lanes] {
    &row[shift..].as_chunks().0[..count]
}

#[inline(always)]
pub(super) fn lanes_mut(row: &mut [f32], shift: usize, count: usize) -> &mut [Lanes] {
    &mut row[shift..].as_chunks_mut().0[..count]
}

/// The rows above, here and below, as they are shown.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    above: &'a [Lanes],
    here: &'a [Lanes],
    below: &'a [Lanes],
}

impl<'a> Around<'a> {
    #[inline(always)]
    pub(super) fn new([above, here, below]: [&'a [f32]; 3], count: usize) -> Self {
        let groups = |row| lanes(row, 0, count + 1);
        Self { above: groups(above), here: groups(here), below: groups(below) }
    }

    /// The samples of group `k` and those beside them, row by row from the west.
    #[inline(always)]
    pub(super) fn at<S: Simd>(self, simd: S, k: usize) -> [[f32x8<S>; 3]; 3] {
        [beside(simd, self.above, k), beside(simd, self.here, k), beside(simd, self.below, k)]
    }
}

/// The samples to the west of group `k`, those of it and those to the east.
#[inline(always)]
fn beside<S: Simd>(simd: S, row: &[Lanes], k: usize) -> [f32x8<S>; 3] {
    let two = row[k..k + 2].as_flattened();
    let at = |shift: usize| f32x8::from_slice(simd, &two[shift..shift + LANES]);
    [at(0), at(1), at(2)]
}

/// Digs, drops and takes away what leaves the samples of a row, and tells it to the neighbours. `above` and
/// `below` are the levels of the rows beside it; those of its own are in `sent`.
#[inline(always)]
pub(super) fn release<S: Simd>(
    simd: S,
    law: &Law,
    place: &RowConstants<'_>,
    row: &mut Row<'_>,
    [above, below]: [&[f32]; 2],
    sent: &mut Sent,
) {
    let count = row.change.len() / LANES;
    let levels = Around::new([above, &sent.level, below], count);
    let [capacity, deposition, softness] = place.rock;
    let capacity = lanes(capacity, 0, count);
    let deposition = lanes(deposition, 0, count);
    let softness = lanes(softness, 0, count);
    let area_x = lanes(place.area_x, 0, count);
    let change = lanes_mut(row.change, 0, count);
    let water = lanes_mut(row.water, 0, count);
    let sediment = lanes_mut(row.sediment, 0, count);
    let cover = lanes_mut(row.cover, 0, count);
    let flow = lanes_mut(row.flow, 0, count);
    let sent_water = lanes_mut(&mut sent.water, 1, count);
    let sent_sediment = lanes_mut(&mut sent.sediment, 1, count);

    let area_z = f32x8::splat(simd, place.area_z);
    let [x, z, diagonal] = law.shares.map(|share| f32x8::splat(simd, share));
    let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
    let (slope, flat) = (f32x8::splat(simd, law.slope), f32x8::splat(simd, FLAT));
    let (steepness, evenness) =
        (f32x8::splat(simd, law.steepness), f32x8::splat(simd, 1.0 - law.steepness));
    for k in 0..count {
        let [[nw, n, ne], [w, level, e], [sw, s, se]] = levels.at(simd, k);
        let across = fall(level, w) + fall(level, e);
        let down = fall(level, n) + fall(level, s);
        let falling = fall(level, nw) + fall(level, se);
        let rising = fall(level, ne) + fall(level, sw);
        let sum = (x * across + z * down) + diagonal * (falling + rising);
        let is_flat = sum.simd_le(flat);
        let here = load(simd, &water[k]);
        let leaving = is_flat.select(zero, sum.min(here));
        let steep = evenness + steepness * (sum * slope).min(one);
        let carried = load(simd, &capacity[k]) * leaving * steep;
        let load_now = load(simd, &sediment[k]);
        let excess = load_now - carried;
        let is_full = excess.simd_ge(zero);
        let settled = load(simd, &deposition[k]) * excess;
        let dug = (load(simd, &softness[k]) * excess).max(zero - sum);
        let gain = is_full.select(settled, dug);
        let moved = is_full.select(carried, load_now - dug);
        let per_fall = is_flat.select(zero, load(simd, &area_x[k]) * area_z / sum);
        store(leaving * per_fall, &mut sent_water[k]);
        store(moved * per_fall, &mut sent_sediment[k]);
        store(load(simd, &change[k]) + gain, &mut change[k]);
        store(here - leaving, &mut water[k]);
        store(is_full.select(excess - settled, zero), &mut sediment[k]);
        store((load(simd, &cover[k]) + gain).max(zero), &mut cover[k]);
        store(load(simd, &flow[k]) + leaving, &mut flow[k]);
    }
    // Nothing comes from outside, nor from the samples that fill up the row.
    for sent in [&mut sent.water, &mut sent.sediment] {
        sent[0] = 0.0;
        sent[place.width + 1..].fill(0.0);
    }
}

/// Adds to the samples of a row what their neighbours send; then water evaporates and rain falls.
#[inline(always)]
pub(super) fn gather<S: Simd>(
    simd: S,
    law: &Law,
    place: &RowConstants<'_>,
    row: &mut Row<'_>,
    rows: [&Sent; 3],
) {
    let count = row.change.len() / LANES;
    let [above, here, below] = rows;
    let levels = Around::new([&above.level, &here.level, &below.level], count);
    let sent_water = Around::new([&above.water, &here.water, &below.water], count);
    let sent_sediment = Around::new([&above.sediment, &here.sediment, &below.sediment], count);
    let land = lanes(&here.land, 0, count);
    let inverse_x = lanes(place.area_x, 0, count);
    let change = lanes_mut(row.change, 0, count);
    let water = lanes_mut(row.water, 0, count);
    let sediment = lanes_mut(row.sediment, 0, count);

    let inverse_z = f32x8::splat(simd, place.area_z);
    let shares = law.shares.map(|share| f32x8::splat(simd, share));
    let zero = f32x8::splat(simd, 0.0);
    let (kept, rain) = (f32x8::splat(simd, law.kept), f32x8::splat(simd, law.rain));
    let film = f32x8::splat(simd, law.film);
    let trace = f32x8::splat(simd, 0.1 * law.film);
    for k in 0..count {
        let inverse = load(simd, &inverse_x[k]) * inverse_z;
        let falls = falls(levels.at(simd, k));
        let water_in = arriving(sent_water.at(simd, k), falls, shares) * inverse;
        let sediment_in = arriving(sent_sediment.at(simd, k), falls, shares) * inverse;
        let depth = (load(simd, &water[k]) + water_in) * kept - film;
        store((depth.max(zero) + rain) * load(simd, &land[k]), &mut water[k]);
        let load_now = load(simd, &sediment[k]) + sediment_in;
        let is_trace = load_now.simd_lt(trace);
        store(is_trace.select(zero, load_now), &mut sediment[k]);
        store(load(simd, &change[k]) + is_trace.select(load_now, zero), &mut change[k]);
    }
}

#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, from: &Lanes) -> f32x8<S> {
    f32x8::from_slice(simd, from)
}

#[inline(always)]
pub(super) fn store<S: Simd>(value: f32x8<S>, to: &mut Lanes) {
    value.store_slice(to);
}

/// How much lower `other` is.
#[inline(always)]
fn fall<S: Simd>(level: f32x8<S>, other: f32x8<S>) -> f32x8<S> {
    (level - other).max(0.0)
}

/// How much higher the eight neighbours are, as pairs of opposite ones: along x, along z, and both diagonals.
#[inline(always)]
fn falls<S: Simd>(
    [[nw, n, ne], [w, level, e], [sw, s, se]]: [[f32x8<S>; 3]; 3],
) -> [[f32x8<S>; 2]; 4] {
    [
        [fall(w, level), fall(e, level)],
        [fall(n, level), fall(s, level)],
        [fall(nw, level), fall(se, level)],
        [fall(ne, level), fall(sw, level)],
    ]
}

/// What arrives from the eight neighbours: those that are opposite to each other first.
#[inline(always)]
fn arriving<S: Simd>(
    [[nw, n, ne], [w, _, e], [sw, s, se]]: [[f32x8<S>; 3]; 3],
    [[west, east], [north, south], [north_west, south_east], [north_east, south_west]]: [[f32x8<S>; 2];
        4],
    [x, z, diagonal]: [f32x8<S>; 3],
) -> f32x8<S> {
    let across = west * w + east * e;
    let down = north * n + south * s;
    let falling = north_west * nw + south_east * se;
    let rising = north_east * ne + south_west * sw;
    (x * across + z * down) + diagonal * (falling + rising)
}
