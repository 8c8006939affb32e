//! The scheme `in_order` of [`sharing`](super::sharing): sample by sample and neighbour by neighbour, in place.
//!
//! A sample changes its neighbours before their turn comes, so the order is part of the result: rows from the north, samples from
//! the west, neighbours from the north-west. For that reason one thread does it all.

use super::at_once::around;
use super::ground::{Border, RockLattice};
use super::runoff::{Law, State};
use super::sharing::{Exchange, Scheme, steepness};
use crate::{Cancelled, Ctx};

impl Scheme {
    /// Every sample in turn gives to its neighbours.
    pub(super) fn give_in_order(
        &mut self,
        state: &mut State,
        ground: &RockLattice<'_>,
        law: &Law,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let mut rock = ground.rock_rows();
        for j in 0..state.height {
            ctx.check()?;
            ground.fill_rock(j, &mut rock);
            for i in 0..ground.width {
                let constants = [rock[0][i], rock[1][i], rock[2][i]];
                let mut turn = Turn { scheme: self, state: &mut *state, ground, law, constants };
                turn.give(i, j);
            }
        }
        Ok(())
    }
}

/// The turn of one sample, with its rock.
struct Turn<'a> {
    scheme: &'a mut Scheme,
    state: &'a mut State,
    ground: &'a RockLattice<'a>,
    law: &'a Law,
    constants: [f32; 3],
}

/// The eight neighbours, row by row.
const BESIDE: [(isize, isize); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

impl Turn<'_> {
    fn give(&mut self, i: usize, j: usize) {
        let padded = self.scheme.padded;
        let here = (j + 1) * padded + i + 1;
        let neighbours = around(here, padded);
        let falls = neighbours.map(|u| (self.scheme.level[here] - self.scheme.level[u]).max(0.0));
        let steep = steepness(self.law, falls);
        let at = j * self.state.stride + i;
        for ((di, dj), shown) in BESIDE.into_iter().zip(neighbours) {
            let column = i.checked_add_signed(di).filter(|&column| column < self.ground.width);
            let row = j.checked_add_signed(dj).filter(|&row| row < self.state.height);
            let inside = column.zip(row);
            if inside.is_none() && self.ground.border == Border::Closed {
                continue;
            }
            let fall = self.scheme.level[here] - self.scheme.level[shown];
            let leaving = self.state.water[at].min(fall).max(0.0);
            let capacity = self.constants[0] * leaving * steep;
            let load = self.state.sediment[at];
            let Exchange { gain, moved, rest } = Exchange::new(load, capacity, self.constants);
            self.state.change[at] += gain;
            self.state.cover[at] = (self.state.cover[at] + gain).max(0.0);
            self.state.sediment[at] = rest;
            self.state.water[at] -= leaving;
            self.state.flow[at] += leaving;
            self.show(i, j);
            // What crosses an open border is lost.
            if let Some((column, row)) = inside
                && leaving > 0.0
            {
                self.receive((column, row), leaving, moved, self.area(i, j));
            }
        }
    }

    fn area(&self, i: usize, j: usize) -> f32 {
        self.ground.area_x[i] * self.ground.area_z[j]
    }

    /// Adds to a sample what one of this area sends. Water ends in the sea.
    fn receive(&mut self, (i, j): (usize, usize), water: f32, sediment: f32, area: f32) {
        let scale = area * (self.ground.inverse_area_x[i] * self.ground.inverse_area_z[j]);
        let at = j * self.state.stride + i;
        self.state.sediment[at] += sediment * scale;
        if self.altitude(i, j) >= self.law.sea {
            self.state.water[at] += water * scale;
            self.show(i, j);
        }
    }

    fn altitude(&self, i: usize, j: usize) -> f32 {
        self.ground.base[(i, j)] + self.state.change[j * self.state.stride + i]
    }

    /// Brings the level of a sample up to date.
    fn show(&mut self, i: usize, j: usize) {
        let level = self.altitude(i, j).max(self.law.sea);
        let water = self.state.water[j * self.state.stride + i];
        self.scheme.level[(j + 1) * self.scheme.padded + i + 1] = level + water;
    }
}
