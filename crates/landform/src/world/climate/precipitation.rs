//! Precipitation, in cm a year.
//!
//! **Wind** (the default): air takes up moisture over the sea, the warmer the more, and is followed along the wind to where it
//! is asked for. Over land it rains out: a share of its moisture every kilometre, more where the ground rises, so there is a
//! shadow behind ranges. How readily it rains goes by latitude: much where air rises, under the sun and around 50°, little where
//! it sinks, around 25°; by latitude among the wavy belts of the wind, and more where air comes from the equator than where it
//! comes from the poles. At sea it is the same: air that comes off land is dry at first. Two seasons, in which the belts move north and south, are averaged.
//!
//! **Inland** and **noise** are the two models of Baker's report: see `report_rain`.

use fearless_simd::{Level, dispatch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::air::Air;
use super::wind::{ByLatitude, Winds};
use super::{Climate, report_rain};
use crate::{Cancelled, Ctx, Seed, math, par};

/// How precipitation comes about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rain {
    /// Wind belts carry moisture from the sea over the land.
    #[default]
    Wind,
    /// By the distance from the sea and the latitude, as in the report.
    Inland,
    /// By noise and the latitude, as in the report.
    Noise,
}

/// Precipitation, cell by cell, from temperature at sea level and wind.
pub(super) fn fall(
    climate: &Climate,
    air: &Air,
    weather: (&[f32], &[(f64, Winds); 2]),
    seed: Seed,
    ctx: &Ctx<'_>,
) -> Result<Vec<f32>, Cancelled> {
    if climate.rain != Rain::Wind {
        return Ok(report_rain::in_cells(climate, air, seed));
    }
    let mut rain = carried(air, weather, ctx)?;
    rain.iter_mut().for_each(|rain| *rain = (*rain * climate.wetness as f32).max(0.0));
    Ok(rain)
}

/// Metres between two looks on the way of the air, and how many there are.
const STRIDE: f64 = 110e3;
const STRIDES: usize = 34;

/// 1 in the middle, and little farther away than `width`.
fn bell(x: f64, width: f64) -> f64 {
    math::exp(-(x / width) * (x / width))
}

/// How much the air rises under the sun: 1 is most.
fn thermal(latitude: f64, sun: f64) -> f64 {
    bell(latitude - sun, 11.0)
}

/// How readily it rains at a latitude, when the sun stands over `sun`: 1 is much.
fn readiness(latitude: f64, sun: f64) -> f64 {
    let from_sun = latitude - sun;
    let away = latitude.abs();
    let rising = 1.3 * thermal(latitude, sun) + 0.62 * bell(away - 50.0, 15.0);
    let sinking = 0.54 * bell(from_sun.abs() - 26.0, 12.5);
    (0.30 + rising - sinking - 0.12 * math::smoothstep(60.0, 85.0, away)).max(0.02)
}

/// How much moisture air can hold, relative to that over a tropical sea.
fn capacity(celsius: f32) -> f32 {
    (math::exp(0.042 * (f64::from(celsius) - 27.0)) as f32).min(1.3)
}

/// Air comes from a little to the left and to the right of the wind too.
const SWINGS: usize = 3;

/// Cells whose air is followed at once, and its ways: every look waits for the one before, so many ways are followed together.
const CELLS: usize = 8;
const WAYS: usize = SWINGS * CELLS;

/// What air meets in a cell.
#[derive(Clone, Copy)]
struct Below {
    /// Share of land.
    land: f32,
    altitude: f32,
    /// How much moisture the air over it can hold.
    holds: f32,
    /// Share of its moisture that rains out over flat land.
    falls: f32,
}

/// The air of a season.
struct Season<'a> {
    air: &'a Air,
    /// For each cell what a stride along the wind, and one to the left of it, add to the column and to the row.
    strides: Vec<[f32; 4]>,
    below: Vec<Below>,
    /// How readily it rains.
    ready: Vec<f32>,
    /// What evaporates over a stride of open sea, as a share of what is lacking.
    drinks: f32,
    /// Sines and cosines of the angles between the ways and the wind.
    swings: [[f32; 2]; SWINGS],
}

fn carried(
    air: &Air,
    (at_sea, seasons): (&[f32], &[(f64, Winds); 2]),
    ctx: &Ctx<'_>,
) -> Result<Vec<f32>, Cancelled> {
    let mut rain = vec![0.0_f32; air.cells()];
    let stride = STRIDE.min(air.length() / 60.0);
    // A small map has the weather of a large one.
    let km = STRIDE / 1000.0;
    let drinks = (1.0 - math::exp(-km / 550.0)) as f32;
    let swings = [-0.45, 0.05, 0.5].map(|angle| [math::sin(angle) as f32, math::cos(angle) as f32]);
    let holds: Vec<f32> = at_sea.iter().map(|&celsius| capacity(celsius)).collect();
    for (k, (sun, winds)) in seasons.iter().enumerate() {
        ctx.progress(0.5 * k as f32)?;
        let strides = strides(air, &winds.speed, stride);
        let readiness = ByLatitude::new(|latitude| readiness(latitude, *sun));
        // Under the sun moist air flows in from both sides, and forests give back most of what falls.
        let thermal = ByLatitude::new(|latitude| thermal(latitude, *sun));
        let (mut ready, mut below) = (Vec::new(), Vec::new());
        for cell in 0..air.cells() {
            let belt = f64::from(winds.belt[cell]);
            let readily = readiness.at(belt);
            ready.push((readily * (1.0 + 0.5 * f64::from(winds.moist[cell]))) as f32);
            below.push(Below {
                land: air.land[cell],
                altitude: air.altitude[cell],
                holds: holds[cell],
                falls: (0.0005 * km * (0.25 + readily - thermal.at(belt))) as f32,
            });
        }
        let season = Season { air, strides, below, ready, drinks, swings };
        let sea = season.sea(ctx)?;
        par::try_for_each_part(&mut rain, air.width, 4, |part, rain| {
            season.fall(part * 4, rain, &sea);
            ctx.check()
        })?;
    }
    Ok(rain)
}

/// For each cell what a stride along the wind, and one to the left of it, add to the column and to the row.
fn strides(air: &Air, winds: &[[f32; 2]], stride: f64) -> Vec<[f32; 4]> {
    let rows = stride / air.cell[1];
    let stride_of = |(cell, wind): (usize, &[f32; 2])| {
        let [u, v] = wind.map(f64::from);
        let length = (u * u + v * v).sqrt().max(1e-6);
        let columns = stride * air.columns_per_metre[cell / air.width];
        [u * columns, v * columns, u * rows, v * rows].map(|part| (part / length) as f32)
    };
    winds.iter().enumerate().map(stride_of).collect()
}

impl Season<'_> {
    /// The moisture over the whole map.
    fn sea(&self, ctx: &Ctx<'_>) -> Result<Sea, Cancelled> {
        let mut sea = Sea::over(self.air);
        let [columns, rows] = &sea.cells;
        par::try_for_each_part(&mut sea.moisture, columns.len(), 4, |part, moisture| {
            let of_row = |&row: &u32| columns.iter().map(move |i| row * self.air.width as u32 + i);
            let last = rows.len().min(4 * part + 4);
            let cells: Vec<u32> = rows[4 * part..last].iter().flat_map(of_row).collect();
            self.arrivals(&cells, |k, air| {
                moisture[k] = air.iter().map(|air| air.moisture).sum::<f32>() / SWINGS as f32;
            });
            ctx.check()
        })?;
        Ok(sea)
    }

    /// Adds half of the precipitation of this season to that of the rows from `first` on.
    fn fall(&self, first: usize, rain: &mut [f32], sea: &Sea) {
        let width = self.air.width;
        let mut on_land = Vec::with_capacity(rain.len());
        for (k, rain) in rain.chunks_mut(width).enumerate() {
            let start = (first + k) * width;
            let row = sea.row(first + k);
            for (i, rain) in rain.iter_mut().enumerate() {
                if self.air.land[start + i] == 0.0 {
                    let air = Arrived { moisture: sea.at(i, &row), rise: 0.0 };
                    *rain += 0.5 * air.rain(self.ready[start + i]);
                } else {
                    on_land.push((start + i) as u32);
                }
            }
        }
        self.arrivals(&on_land, |k, air| {
            let cell = on_land[k] as usize;
            let sum: f32 = air.iter().map(|air| air.rain(self.ready[cell])).sum();
            rain[cell - first * width] += sum / (2 * SWINGS) as f32;
        });
    }

    /// Hands over the air that arrives in cells, with how many of them came before.
    fn arrivals(&self, cells: &[u32], mut take: impl FnMut(usize, [Arrived; SWINGS])) {
        let (mut ways, mut air) = ([[0; WAYS]; STRIDES], [Arrived::default(); WAYS]);
        for (chunk, some) in cells.chunks(CELLS).enumerate() {
            let mut cells = [some[0]; CELLS];
            cells[..some.len()].copy_from_slice(some);
            dispatch!(Level::new(), _simd => {
                self.trails(&cells, &mut ways);
                self.follow(&ways, &mut air);
            });
            for lane in 0..some.len() {
                let arrived = std::array::from_fn(|swing| air[swing * CELLS + lane]);
                take(chunk * CELLS + lane, arrived);
            }
        }
    }

    /// Where air comes from: the cells that it has crossed on each of its ways, the nearest first.
    #[inline(always)]
    fn trails(&self, cells: &[u32; CELLS], ways: &mut [[u32; WAYS]; STRIDES]) {
        let (mut columns, mut rows) = ([0.0_f32; WAYS], [0.0_f32; WAYS]);
        let (mut sines, mut cosines) = ([0.0_f32; WAYS], [0.0_f32; WAYS]);
        for way in 0..WAYS {
            let cell = cells[way % CELLS];
            ways[0][way] = cell;
            columns[way] = (cell as usize % self.air.width) as f32 + 0.5;
            rows[way] = (cell as usize / self.air.width) as f32 + 0.5;
            [sines[way], cosines[way]] = self.swings[way / CELLS];
        }
        for step in 1..STRIDES {
            let mut strides = [[0.0_f32; WAYS]; 4];
            for way in 0..WAYS {
                let stride = self.strides[ways[step - 1][way] as usize];
                for k in 0..4 {
                    strides[k][way] = stride[k];
                }
            }
            let [u, v, down_u, down_v] = &strides;
            for way in 0..WAYS {
                let (s, c) = (sines[way], cosines[way]);
                columns[way] -= c * u[way] - s * v[way];
                rows[way] -= s * down_u[way] + c * down_v[way];
                ways[step][way] = self.air.cell_at(columns[way], rows[way]);
            }
        }
    }

    /// The air at the ends of trails.
    #[inline(always)]
    fn follow(&self, ways: &[[u32; WAYS]; STRIDES], arrived: &mut [Arrived; WAYS]) {
        let mut moisture = [0.0_f32; WAYS];
        let mut before = [0.0_f32; WAYS];
        for way in 0..WAYS {
            let first = self.below[ways[STRIDES - 1][way] as usize];
            moisture[way] = 0.6 * first.holds;
            before[way] = first.altitude;
        }
        let (mut carried, mut rise) = (moisture, [0.0_f32; WAYS]);
        for step in ways.iter().rev() {
            let mut met = [[0.0_f32; WAYS]; 4];
            for way in 0..WAYS {
                let Below { land, altitude, holds, falls } = self.below[step[way] as usize];
                [met[0][way], met[1][way], met[2][way], met[3][way]] =
                    [land, altitude, holds, falls];
            }
            let [land, altitude, holds, falls] = &met;
            carried = moisture;
            for way in 0..WAYS {
                rise[way] = altitude[way] - before[way];
                before[way] = altitude[way];
                // The share of the moisture that rains out on this stretch. Plants and wet ground give half of it back.
                let share = (falls[way] + rise[way].max(0.0) * (1.0 / 2600.0)).min(0.7);
                moisture[way] -= land[way] * moisture[way] * share * 0.55;
                moisture[way] += (1.0 - land[way]) * (holds[way] - moisture[way]) * self.drinks;
            }
        }
        for way in 0..WAYS {
            arrived[way] = Arrived { moisture: carried[way], rise: rise[way] };
        }
    }
}

/// Cells between those whose air is followed at sea, where it changes slowly.
const APART: usize = 3;

/// The moisture of air that comes to some columns and rows of cells, from which it is blended for all others.
struct Sea {
    /// Which columns and rows.
    cells: [Vec<u32>; 2],
    moisture: Vec<f32>,
    /// For each column of all cells the nodes to its left and right, and how near it is to the right one.
    across: Vec<(usize, usize, f32)>,
    height: usize,
}

impl Sea {
    fn over(air: &Air) -> Self {
        let counts = [air.width.div_ceil(APART), air.height.div_ceil(APART) + 1];
        let column = |k: usize| (k * air.width / counts[0]) as u32;
        let row = |k: usize| (k * (air.height - 1) / (counts[1] - 1)) as u32;
        let cells = [(0..counts[0]).map(column).collect(), (0..counts[1]).map(row).collect()];
        let between = |i: usize| {
            let at = (i * counts[0]) as f32 / air.width as f32;
            let left = (at as usize).min(counts[0] - 1);
            let right = if left + 1 < counts[0] {
                left + 1
            } else if air.wraps() {
                0
            } else {
                left
            };
            (left, right, at - left as f32)
        };
        let across = (0..air.width).map(between).collect();
        Self { cells, moisture: vec![0.0; counts[0] * counts[1]], across, height: air.height }
    }

    /// The moisture at the nodes of columns along a row of cells.
    fn row(&self, row: usize) -> Vec<f32> {
        let [columns, rows] = [self.cells[0].len(), self.cells[1].len()];
        let at = (row * (rows - 1)) as f32 / (self.height - 1).max(1) as f32;
        let above = (at as usize).min(rows - 2);
        let near = at - above as f32;
        let of = |row: usize| &self.moisture[row * columns..][..columns];
        of(above).iter().zip(of(above + 1)).map(|(a, b)| a + near * (b - a)).collect()
    }

    fn at(&self, column: usize, row: &[f32]) -> f32 {
        let (left, right, near) = self.across[column];
        row[left] + near * (row[right] - row[left])
    }
}

/// Air at the end of its way.
#[derive(Clone, Copy, Default)]
struct Arrived {
    moisture: f32,
    /// How much higher the ground is than where it was before.
    rise: f32,
}

impl Arrived {
    /// The rain that it gives.
    fn rain(self, ready: f32) -> f32 {
        let lifted = 1.5 * (self.rise.max(0.0) / 900.0).min(1.2);
        let sheltered =
            if self.rise < 0.0 { math::exp(f64::from(self.rise) / 900.0) as f32 } else { 1.0 };
        370.0 * self.moisture * (0.70 * ready + lifted) * sheltered
    }
}
