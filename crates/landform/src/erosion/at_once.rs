//! The schemes that send from all samples at once: `proportional` and `eighths` of [`sharing`](super::sharing).
//!
//! First every sample computes what leaves it, then every sample gathers what its neighbours send. A sample writes only itself, so
//! rows run in parallel. Sums are taken over opposite neighbours first, so they have the same bits on turned ground.

use super::ground::RockLattice;
use super::runoff::{Law, State};
use super::sharing::{Exchange, Scheme, Sharing, steepness};
use crate::{Cancelled, Ctx, par};

/// Rows that one task works on.
const BAND: usize = 16;

/// The part of its lower neighbour u that a sample counts: u gets Δw·part/Σ part.
#[inline]
fn part(sharing: Sharing, depth: f32, fall: f32) -> f32 {
    let fall = fall.max(0.0);
    if sharing == Sharing::Eighths { fall.min(depth) } else { fall }
}

/// The sum over the eight neighbours, opposite ones first.
#[inline]
fn sum([nw, n, ne, w, e, sw, s, se]: [f32; 8]) -> f32 {
    ((w + e) + (n + s)) + ((nw + se) + (ne + sw))
}

/// The indices of the eight neighbours of a sample, row by row.
#[inline]
pub(super) fn around(at: usize, padded: usize) -> [usize; 8] {
    let (above, below) = (at - padded, at + padded);
    [above - 1, above, above + 1, at - 1, at + 1, below - 1, below, below + 1]
}

impl Scheme {
    /// Sends and gathers.
    pub(super) fn give_at_once(
        &mut self,
        state: &mut State,
        ground: &RockLattice<'_>,
        law: &Law,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let width = ground.width;
        for (j, row) in state.water.chunks(state.stride).enumerate() {
            let first = (j + 1) * self.padded + 1;
            self.depth[first..first + width].copy_from_slice(&row[..width]);
        }
        self.release(state, ground, law, ctx)?;
        self.gather(state, ground, ctx)
    }

    /// Digs, drops and takes away what leaves each sample.
    fn release(
        &mut self,
        state: &mut State,
        ground: &RockLattice<'_>,
        law: &Law,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let (padded, sharing) = (self.padded, self.sharing);
        let (level, height) = (&self.level, state.height);
        let mut bands = Vec::with_capacity(height.div_ceil(BAND));
        let inner = padded..padded * (height + 1);
        let length = BAND * state.stride;
        let fields = state
            .change
            .chunks_mut(length)
            .zip(state.water.chunks_mut(length))
            .zip(state.sediment.chunks_mut(length))
            .zip(state.cover.chunks_mut(length))
            .zip(state.flow.chunks_mut(length))
            .zip(self.water[inner.clone()].chunks_mut(BAND * padded))
            .zip(self.sediment[inner].chunks_mut(BAND * padded));
        for ((((((change, water), sediment), cover), flow), sent_water), sent_sediment) in fields {
            bands.push(Leaving { change, water, sediment, cover, flow, sent_water, sent_sediment });
        }
        let stride = state.stride;
        par::try_for_each_part(&mut bands, 1, 1, |k, band| {
            ctx.check()?;
            let band = &mut band[0];
            let mut rock = ground.rock_rows();
            for row in 0..band.change.len() / stride {
                let j = k * BAND + row;
                ground.fill_rock(j, &mut rock);
                for i in 0..ground.width {
                    let here = (j + 1) * padded + i + 1;
                    let falls = around(here, padded).map(|u| (level[here] - level[u]).max(0.0));
                    let constants = [rock[0][i], rock[1][i], rock[2][i]];
                    let area = ground.area_x[i] * ground.area_z[j];
                    let steep = steepness(law, falls);
                    let to = (row * stride + i, row * padded + i + 1);
                    band.send(sharing, falls, steep, (constants, area), to);
                }
            }
            Ok(())
        })
    }

    /// Adds to each sample what its neighbours send.
    fn gather(
        &self,
        state: &mut State,
        ground: &RockLattice<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let (padded, stride) = (self.padded, state.stride);
        let grids = [&mut state.water, &mut state.sediment].into_iter().map(Vec::as_mut_slice);
        par::try_for_each_part_of_all(grids, stride, BAND, |k, mut parts| {
            ctx.check()?;
            let [water, sediment] = &mut parts[..] else { unreachable!("two fields went in") };
            for row in 0..water.len() / stride {
                let j = k * BAND + row;
                for i in 0..ground.width {
                    let here = (j + 1) * padded + i + 1;
                    let from = around(here, padded);
                    let parts = from.map(|u| {
                        part(self.sharing, self.depth[u], self.level[u] - self.level[here])
                    });
                    let inverse = ground.inverse_area_x[i] * ground.inverse_area_z[j];
                    let arriving = |sent: &[f32]| {
                        sum(std::array::from_fn(|n| sent[from[n]] * parts[n])) * inverse
                    };
                    water[row * stride + i] += arriving(&self.water);
                    sediment[row * stride + i] += arriving(&self.sediment);
                }
            }
            Ok(())
        })
    }
}

/// A band of rows that water leaves, and what it sends.
struct Leaving<'a> {
    change: &'a mut [f32],
    water: &'a mut [f32],
    sediment: &'a mut [f32],
    cover: &'a mut [f32],
    flow: &'a mut [f32],
    sent_water: &'a mut [f32],
    sent_sediment: &'a mut [f32],
}

impl Leaving<'_> {
    /// Lets water leave the sample at `at`; what it sends is written to `to`.
    #[inline]
    fn send(
        &mut self,
        sharing: Sharing,
        falls: [f32; 8],
        steep: f32,
        (constants, area): ([f32; 3], f32),
        (at, to): (usize, usize),
    ) {
        let depth = self.water[at];
        let total = sum(falls.map(|fall| part(sharing, depth, fall)));
        let leaving = match sharing {
            Sharing::Eighths => 0.125 * total,
            _ => depth.min(falls.into_iter().fold(0.0, f32::max)),
        };
        let capacity = constants[0] * leaving * steep;
        let Exchange { gain, moved, rest } = Exchange::new(self.sediment[at], capacity, constants);
        let per_part = if leaving > 0.0 { area / total } else { 0.0 };
        self.sent_water[to] = leaving * per_part;
        self.sent_sediment[to] = moved * per_part;
        self.change[at] += gain;
        self.water[at] -= leaving;
        self.sediment[at] = rest;
        self.cover[at] = (self.cover[at] + gain).max(0.0);
        self.flow[at] += leaving;
    }
}
