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

use fearless_simd::{Level, Simd, dispatch};

use super::flux::{LANES, Row, Sent, gather, release, shown};
use super::ground::RockLattice;
use crate::{Cancelled, Ctx, Grid, par};

/// Rows that one task updates.
const BAND: usize = 64;

/// Height of the wall around a closed border, in metres.
pub(super) const WALL: f32 = 1e30;

/// The numbers of a step that are the same everywhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Law {
    /// Shares of the neighbours along x, along z and of the diagonal ones.
    pub(super) shares: [f32; 3],
    /// Slope of the water for a sum of the d_u of 1 m.
    pub(super) slope: f32,
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
        ground: &RockLattice<'_>,
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
        let mut parts: Vec<BandRows<'_>> = self
            .change
            .chunks_mut(length)
            .zip(self.water.chunks_mut(length))
            .zip(self.sediment.chunks_mut(length))
            .zip(self.cover.chunks_mut(length))
            .zip(self.flow.chunks_mut(length))
            .map(|((((change, water), sediment), cover), flow)| BandRows {
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
        ground: &RockLattice<'_>,
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
        let mut beside = [vec![0.0; shown(stride)], vec![0.0; shown(stride)]];
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
        let mut copied = Row { change, water, sediment, cover, flow };
        let mut rock = ground.rock_rows();
        ground.fill_rock(row, &mut rock);
        release(simd, law, &ground.leaving(row, &rock), &mut copied, [above, below], &mut sent);
        sent
    }
}

/// The rows of a band.
struct BandRows<'a> {
    stride: usize,
    change: &'a mut [f32],
    water: &'a mut [f32],
    sediment: &'a mut [f32],
    cover: &'a mut [f32],
    flow: &'a mut [f32],
}

impl BandRows<'_> {
    /// Updates all rows of a band that begins at row `first`, between what the rows above and below it send.
    #[inline(always)]
    fn advance<S: Simd>(
        &mut self,
        simd: S,
        ground: &RockLattice<'_>,
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
        let place = ground.leaving(first, &rock);
        release(simd, law, &place, &mut self.row(0), [&top.level, second], &mut here);
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
                let place = ground.leaving(first + j + 1, &rock);
                release(simd, law, &place, &mut self.row(j + 1), around, &mut below);
            }
            let above_row = if j == 0 { top } else { &above };
            let below_row = if j + 1 == rows { bottom } else { &below };
            let place = ground.arriving(first + j, &rock);
            gather(simd, law, &place, &mut self.row(j), [above_row, &here, below_row]);
            std::mem::swap(&mut above, &mut here);
            std::mem::swap(&mut here, &mut below);
            std::mem::swap(&mut below, &mut beyond);
        }
    }

    /// The levels of row `j` of the band.
    #[inline(always)]
    fn show(&self, ground: &RockLattice<'_>, law: &Law, first: usize, j: usize, sent: &mut Sent) {
        let at = j * self.stride..(j + 1) * self.stride;
        let (change, water) = (&self.change[at.clone()], &self.water[at]);
        let (level, land) = (&mut sent.level, &mut sent.land);
        ground.levels(first + j, change, water, law.sea, WALL, level, land);
    }

    /// Row `j` of the band.
    #[inline(always)]
    fn row(&mut self, j: usize) -> Row<'_> {
        let at = j * self.stride..(j + 1) * self.stride;
        Row {
            change: &mut self.change[at.clone()],
            water: &mut self.water[at.clone()],
            sediment: &mut self.sediment[at.clone()],
            cover: &mut self.cover[at.clone()],
            flow: &mut self.flow[at],
        }
    }
}

/// A grid with its rows as long as those of a state.
pub(super) fn spread(grid: Grid) -> Vec<f32> {
    let (width, height) = (grid.width(), grid.height());
    let stride = stride_of(width);
    let mut samples = grid.into_samples();
    samples.reserve_exact(stride * height - samples.len());
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
    samples.shrink_to_fit();
    Grid::from_vec(width, height, samples)
}
