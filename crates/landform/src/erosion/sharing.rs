//! How a sample shares its water among its lower neighbours.
//!
//! Alcock (2007) passes Δw = min(w, L_v − L_u) of water from a sample v to each of its eight neighbours u (section 3.2.3), with
//! the levels L = a + w. The order in which the neighbours are served, and what each gets, is open. With the falls
//! d_u = max(0, L_v − L_u):
//!
//! ```text
//! weighted       Δw = min(w, Σ share_u·d_u),  to u  Δw·share_u·d_u/Σ share·d     see runoff
//! in_order       u = NW, N, NE, W, E, SW, S, SE in turn:  Δw_u = min(w, d_u) of the w and the levels left by the one before
//! proportional   Δw = min(w, max d_u),        to u  Δw·d_u/Σ d
//! eighths        Δw = Σ Δw_u,                 to u  Δw_u = ⅛·min(w, d_u)
//! ```
//!
//! In each of the last three the sediment follows Algorithms 1 and 2 of the paper, with c = K_c·Δw·((1 − σ) + σ·min(1, S)) as in
//! [`runoff`](super::runoff); σ = 0 is the paper's own capacity:
//!
//! ```text
//! s ≥ c:  c leaves with the water, K_d·(s − c) settles, the rest stays
//! s < c:  K_s·(c − s) is dug up; it and s leave with the water
//! ```
//!
//! For `proportional` and `eighths` they are applied once a sample and step, and what leaves is shared as the water is. For
//! `in_order` they are applied once for each neighbour, also if Δw_u = 0: then K_d·s settles. S is then that at the
//! beginning of the sample's turn.
//!
//! **Which one is the paper's.** `in_order` is the first attempt of section 4.2.3: the neighbours served first get the most, which
//! makes the waves of Figure 5. The cure is one sentence: "distribute the water proportionally looking at each neighbour
//! as one of the eight". It may mean either of the other two: in proportion to the difference, or an eighth to each.
//!
//! **Symmetry.** `proportional` and `eighths` look at the levels before the step only, as Musgrave, Kolb & Mace (1989) advise, and
//! sum opposite neighbours in pairs: turned ground gives the turned result bit for bit, and rows run in parallel.
//! `in_order` works in place from the north-west to the south-east: a sample sees what the samples before it have sent already,
//! and serves its north-western neighbour first. So turned ground gives another result, and one thread does the work.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ground::RockLattice;
use super::runoff::{Law, State, WALL};
use crate::{Cancelled, Ctx, par};

/// How a sample shares its water among its lower neighbours. All but `weighted` are schemes of Alcock (2007).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sharing {
    /// In proportion to the difference of levels, diagonal neighbours half as much: no direction shows, and by far the fastest.
    #[default]
    Weighted,
    /// One neighbour after the other, in place: min(w, L_v − L_u) to each of what is left. It prefers a direction and makes waves;
    /// turned ground gives another result.
    InOrder,
    /// min(w, greatest difference), in proportion to the difference of levels among lower neighbours, without diagonal weights.
    Proportional,
    /// Each lower neighbour gets ⅛·min(w, L_v − L_u).
    Eighths,
}

/// The samples of a state with a border of one sample: what one of the paper's schemes needs beside it.
#[derive(Debug)]
pub(super) struct Scheme {
    pub(super) sharing: Sharing,
    /// The length of a row here: two more than the lattice has.
    pub(super) padded: usize,
    /// L.
    pub(super) level: Vec<f32>,
    /// For schemes that send all at once: w before the step, and the water and sediment sent for each metre of a part.
    pub(super) depth: Vec<f32>,
    pub(super) water: Vec<f32>,
    pub(super) sediment: Vec<f32>,
}

impl Scheme {
    /// Nothing for the weighted scheme, which needs no more than the state.
    pub(super) fn new(sharing: Sharing, (width, height): (usize, usize)) -> Option<Self> {
        let padded = width + 2;
        let zeros = || vec![0.0; padded * (height + 2)];
        let is_sent_at_once = match sharing {
            Sharing::Weighted => return None,
            Sharing::InOrder => false,
            Sharing::Proportional | Sharing::Eighths => true,
        };
        let sent = || if is_sent_at_once { zeros() } else { Vec::new() };
        let (level, depth, water, sediment) = (zeros(), sent(), sent(), sent());
        Some(Self { sharing, padded, level, depth, water, sediment })
    }

    /// Bytes a sample.
    pub(super) fn bytes(sharing: Sharing) -> u64 {
        match sharing {
            Sharing::Weighted => 0,
            Sharing::InOrder => 4,
            Sharing::Proportional | Sharing::Eighths => 16,
        }
    }

    /// Lets the water run for one step; then water evaporates and rain falls.
    ///
    /// # Errors
    /// Only by cancellation; then the state is of no use any more.
    pub(super) fn step(
        &mut self,
        state: &mut State,
        ground: &RockLattice<'_>,
        law: &Law,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        self.show(state, ground, law);
        if self.sharing == Sharing::InOrder {
            self.give_in_order(state, ground, law, ctx)?;
        } else {
            self.give_at_once(state, ground, law, ctx)?;
        }
        finish(state, ground, law);
        Ok(())
    }

    /// The levels before the step, and those beyond the border.
    fn show(&mut self, state: &State, ground: &RockLattice<'_>, law: &Law) {
        let State { height, stride, .. } = *state;
        par::for_each_row(&mut self.level, self.padded, |row, level| match row.checked_sub(1) {
            None => ground.outside(0, law.sea, WALL, level),
            Some(j) if j == height => ground.outside(height - 1, law.sea, WALL, level),
            Some(j) => {
                let at = j * stride..(j + 1) * stride;
                let (change, water) = (&state.change[at.clone()], &state.water[at]);
                let land = &mut vec![0.0; stride];
                ground.levels(j, change, water, law.sea, WALL, level, land);
            }
        });
    }
}

/// What happens to the load of a sample that some water leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Exchange {
    /// What settles, or less than 0 is dug up.
    pub(super) gain: f32,
    /// Sediment that leaves with the water, and that stays in what is left.
    pub(super) moved: f32,
    pub(super) rest: f32,
}

impl Exchange {
    /// Algorithm 2 of the paper, for a `load` of sediment and a `capacity` c of the water that leaves. Without such
    /// water it is the first case of Algorithm 1.
    #[inline]
    pub(super) fn new(load: f32, capacity: f32, [_, deposition, softness]: [f32; 3]) -> Self {
        let excess = load - capacity;
        if excess >= 0.0 {
            let settled = deposition * excess;
            Self { gain: settled, moved: capacity, rest: excess - settled }
        } else {
            let dug = softness * -excess;
            Self { gain: -dug, moved: load + dug, rest: 0.0 }
        }
    }
}

/// How much sediment a metre of water carries for K_c = 1, where the falls to the eight neighbours are these, row by row.
#[inline]
pub(super) fn steepness(law: &Law, [nw, n, ne, w, e, sw, s, se]: [f32; 8]) -> f32 {
    let [x, z, diagonal] = law.shares;
    let sum = (x * (w + e) + z * (n + s)) + diagonal * ((nw + se) + (ne + sw));
    (1.0 - law.steepness) + law.steepness * (sum * law.slope).min(1.0)
}

/// The end of a step: water evaporates, rain falls on land, and traces of sediment settle.
fn finish(state: &mut State, ground: &RockLattice<'_>, law: &Law) {
    let State { stride, .. } = *state;
    let fields = [&mut state.change, &mut state.water, &mut state.sediment];
    let grids = fields.into_iter().map(Vec::as_mut_slice);
    let done = par::try_for_each_part_of_all(grids, stride, 1, |j, mut rows| {
        let [change, water, sediment] = &mut rows[..] else { unreachable!("three fields went in") };
        for (i, base) in ground.base.row(j).iter().enumerate() {
            let is_land = base + change[i] >= law.sea;
            let depth = (water[i] * law.kept - law.film).max(0.0) + law.rain;
            water[i] = if is_land { depth } else { 0.0 };
            if sediment[i] < 0.1 * law.film {
                change[i] += sediment[i];
                sediment[i] = 0.0;
            }
        }
        Ok::<(), std::convert::Infallible>(())
    });
    done.unwrap_or_else(|never| match never {});
}
