//! The ground that water runs over: what does not change in a step.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::flux::RowConstants;
use super::runoff::{State, stride_of};
use crate::Grid;

/// What is beyond the border of the map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Border {
    /// The ground goes on with the slope that it has at the border: water runs off the map and is lost with its
    /// sediment.
    #[default]
    Open,
    /// A wall: nothing is lost.
    Closed,
}

/// Altitude before, rock and border of one lattice.
#[derive(Debug)]
pub(super) struct RockLattice<'a> {
    pub(super) width: usize,
    pub(super) base: &'a Grid,
    pub(super) border: Border,
    /// Area of a sample relative to one in the middle: the product of that of its column and of its row.
    pub(super) area_x: Vec<f32>,
    pub(super) area_z: Vec<f32>,
    pub(super) inverse_area_x: Vec<f32>,
    pub(super) inverse_area_z: Vec<f32>,
    pub(super) rock: Rock,
}

/// The constants K_c, K_d and K_s.
#[derive(Debug)]
pub(super) enum Rock {
    /// The same everywhere.
    Uniform([f32; 3]),
    /// Per sample, as a share of the greatest of each in 1/65535; rows as long as those of the state.
    Varied { greatest: [f32; 3], shares: [Vec<u16>; 3] },
}

impl<'a> RockLattice<'a> {
    pub(super) fn new(base: &'a Grid, border: Border, areas: &[Vec<f32>; 2], rock: Rock) -> Self {
        let padded = |areas: &[f32]| {
            let mut areas = areas.to_vec();
            areas.resize(stride_of(areas.len()), 1.0);
            areas
        };
        let inverse = |areas: &[f32]| areas.iter().map(|area| 1.0 / area).collect::<Vec<f32>>();
        let (area_x, area_z) = (padded(&areas[0]), areas[1].clone());
        let (inverse_area_x, inverse_area_z) = (inverse(&area_x), inverse(&area_z));
        let width = base.width();
        Self { width, base, border, area_x, area_z, inverse_area_x, inverse_area_z, rock }
    }

    /// The length of a stored row.
    pub(super) fn stride(&self) -> usize {
        self.area_x.len()
    }

    /// How readily the samples of row `j` slide, relative to the softest rock.
    #[inline(always)]
    pub(super) fn fill_mobility(&self, j: usize, row: &mut [f32]) {
        match &self.rock {
            Rock::Uniform(_) => row.fill(1.0),
            Rock::Varied { shares: [_, _, softness], .. } => {
                let softness = &softness[j * self.stride()..];
                let share = |&softness: &u16| f32::from(softness) * (1.0 / 65535.0);
                row.iter_mut().zip(softness.iter().map(share)).for_each(|(m, share)| *m = share);
            }
        }
    }

    /// Buffers for the constants of one row.
    pub(super) fn rock_rows(&self) -> [Vec<f32>; 3] {
        let stride = self.stride();
        match &self.rock {
            Rock::Uniform(constants) => constants.map(|constant| vec![constant; stride]),
            Rock::Varied { .. } => [(); 3].map(|()| vec![0.0; stride]),
        }
    }

    /// The constants of row `j`.
    #[inline(always)]
    pub(super) fn fill_rock(&self, j: usize, rows: &mut [Vec<f32>; 3]) {
        if let Rock::Varied { greatest, shares } = &self.rock {
            for ((row, shares), greatest) in rows.iter_mut().zip(shares).zip(greatest) {
                let scale = greatest / 65535.0;
                let shares = &shares[j * row.len()..(j + 1) * row.len()];
                row.iter_mut().zip(shares).for_each(|(k, &share)| *k = f32::from(share) * scale);
            }
        }
    }

    /// Lets the first rain fall on all land.
    pub(super) fn shower(&self, state: &mut State, depth: f32, sea: f32) {
        let (width, stride) = (self.width, self.stride());
        let change = &state.change;
        for (j, water) in state.water.chunks_mut(stride).enumerate() {
            let ground = self.base.row(j).iter().zip(&change[j * stride..j * stride + width]);
            for (water, (base, change)) in water.iter_mut().zip(ground) {
                *water = if base + change >= sea { depth } else { 0.0 };
            }
        }
    }

    /// What a row is told when water leaves it.
    #[inline(always)]
    pub(super) fn leaving<'b>(&'b self, j: usize, rock: &'b [Vec<f32>; 3]) -> RowConstants<'b> {
        RowConstants { width: self.width, area_x: &self.area_x, area_z: self.area_z[j], rock }
    }

    /// What a row is told when water arrives.
    #[inline(always)]
    pub(super) fn arriving<'b>(&'b self, j: usize, rock: &'b [Vec<f32>; 3]) -> RowConstants<'b> {
        let area_z = self.inverse_area_z[j];
        RowConstants { width: self.width, area_x: &self.inverse_area_x, area_z, rock }
    }

    /// The levels of row `j`, with those beyond the border on both sides, and where it is land.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the inner loop of a step, inlined")]
    pub(super) fn levels(
        &self,
        j: usize,
        change: &[f32],
        water: &[f32],
        sea: f32,
        wall: f32,
        out: &mut [f32],
        land: &mut [f32],
    ) {
        let width = self.width;
        let base = &self.base.row(j)[..width];
        let (change, water, land) = (&change[..width], &water[..width], &mut land[..width]);
        let inner = &mut out[1..=width];
        for i in 0..width {
            let altitude = base[i] + change[i];
            let is_land = altitude >= sea;
            inner[i] = (if is_land { altitude } else { sea }) + water[i];
            land[i] = if is_land { 1.0 } else { 0.0 };
        }
        let [west, east] = match self.border {
            Border::Open => beyond(base).map(|level| level.max(sea)),
            Border::Closed => [wall; 2],
        };
        out[0] = west;
        out[width + 1] = east;
    }

    /// The levels of the row beyond the border next to row `nearest`, which is the first or the last.
    #[inline(always)]
    pub(super) fn outside(&self, nearest: usize, sea: f32, wall: f32, out: &mut [f32]) {
        let width = self.width;
        if self.border == Border::Closed {
            out.fill(wall);
            return;
        }
        let last = self.base.height() - 1;
        let inward = if nearest == 0 { last.min(1) } else { last.saturating_sub(1) };
        let (edge, inner) = (self.base.row(nearest), self.base.row(inward));
        for i in 0..width {
            out[i + 1] = (2.0 * edge[i] - inner[i]).max(sea);
        }
        // At the corners the slopes along both axes add up; in this order for all symmetries.
        let [west, east] = beyond(edge);
        let corner = |beside: f32, i: usize| (beside + (2.0 * edge[i] - inner[i])) - edge[i];
        out[0] = corner(west, 0).max(sea);
        out[width + 1] = corner(east, width - 1).max(sea);
    }
}

/// The ground beyond both ends of a row: it goes on with its slope.
fn beyond(row: &[f32]) -> [f32; 2] {
    let last = row.len() - 1;
    [2.0 * row[0] - row[last.min(1)], 2.0 * row[last] - row[last.saturating_sub(1)]]
}
