//! Precipitation, in cm a year.
//!
//! **Wind** (the default): air takes up moisture over the sea, the warmer the more, and is followed along the wind to where it
//! is asked for. Over land it rains out: a share of its moisture every kilometre, more where the ground rises, so there is a
//! shadow behind ranges. How readily it rains goes by latitude: much where air rises, under the sun and around 50°, little where
//! it sinks, around 25°. Two seasons, in which the belts move north and south, are averaged.
//!
//! **Inland** and **noise** are the report's two models (Baker 2018, section 2.5.2), with the constants of its program: M = 450
//! cm, the latitude's share E, e = 1 at the equator and 0 at the poles.
//!
//! ```text
//! inland   p = e² (M − r) − 50 + (r / k) / (32 d / H + 1)      r = M (1 − E/100), d distance to the sea, H depth of the map
//! noise    p = e² (M − r) − 50 + (noise + 1) r
//! ```

use fearless_simd::{Level, dispatch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Climate;
use super::air::Air;
use super::wind::Bends;
use crate::world::noise::Octaves;
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

/// The report's maximum, M.
const MOST: f64 = 450.0;

/// Precipitation, cell by cell, from temperature at sea level and wind.
pub(super) fn fall(
    climate: &Climate,
    air: &Air,
    weather: (&[f32], &Bends),
    seed: Seed,
    ctx: &Ctx<'_>,
) -> Result<Vec<f32>, Cancelled> {
    let mut rain = match climate.rain {
        Rain::Wind => carried(climate, air, weather, ctx)?,
        Rain::Inland => inland(climate, air),
        Rain::Noise => noisy(climate, air, seed.child("rain")),
    };
    rain.iter_mut().for_each(|rain| *rain = (*rain * climate.wetness as f32).max(0.0));
    Ok(rain)
}

/// e²: 1 on the equator, 0 at the poles.
fn sun(air: &Air, cell: usize) -> f64 {
    let e = 1.0 - air.latitude[cell / air.width].abs() / 90.0;
    e * e
}

fn inland(climate: &Climate, air: &Air) -> Vec<f32> {
    let r = (MOST * (1.0 - climate.latitude_effect / 100.0)).clamp(0.0, MOST);
    let depth = (air.height as f64 * air.cell[1]).max(1e-9);
    (0..air.cells())
        .map(|cell| {
            if air.land[cell] < 0.5 {
                return MOST as f32;
            }
            let d = f64::from(air.inland[cell]);
            let coastal = r / climate.moisture_loss / (32.0 * d / depth + 1.0);
            (sun(air, cell) * (MOST - r) - 50.0 + coastal) as f32
        })
        .collect()
}

fn noisy(climate: &Climate, air: &Air, seed: Seed) -> Vec<f32> {
    let r = (MOST * (1.0 - climate.latitude_effect / 100.0)).clamp(0.0, MOST);
    let longest = air.length() / climate.variance;
    let octave = Octaves::new(air.place(), (longest, longest / 8.0), 1.0, 1, seed);
    let octave = octave.fbm_of(air.cells(), |cell| air.point(cell));
    (0..air.cells())
        .map(|cell| {
            // One octave of noise, as wide as the simplex noise of the report.
            let noise = (2.5 * f64::from(octave[cell])).clamp(-1.0, 1.0);
            (sun(air, cell) * (MOST - r) - 50.0 + (noise + 1.0) * r) as f32
        })
        .collect()
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
    let sinking = 0.37 * bell(from_sun.abs() - 27.0, 11.5);
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
    /// How readily it rains, for each row.
    ready: Vec<f64>,
    /// What evaporates over a stride of open sea, as a share of what is lacking.
    drinks: f32,
    /// Sines and cosines of the angles between the ways and the wind.
    swings: [[f32; 2]; SWINGS],
}

fn carried(
    climate: &Climate,
    air: &Air,
    (at_sea, bends): (&[f32], &Bends),
    ctx: &Ctx<'_>,
) -> Result<Vec<f32>, Cancelled> {
    let mut rain = vec![0.0_f32; air.cells()];
    let stride = STRIDE.min(air.length() / 60.0);
    // A small map has the weather of a large one.
    let km = STRIDE / 1000.0;
    let drinks = (1.0 - math::exp(-km / 550.0)) as f32;
    let swings = [-0.45, 0.05, 0.5].map(|angle| [math::sin(angle) as f32, math::cos(angle) as f32]);
    let holds: Vec<f32> = at_sea.iter().map(|&celsius| capacity(celsius)).collect();
    for (k, sun) in [climate.seasons, -climate.seasons].into_iter().enumerate() {
        ctx.progress(0.5 * k as f32)?;
        let strides = strides(air, &bends.belts(air, sun), stride);
        let ready: Vec<f64> = air.latitude.iter().map(|&at| readiness(at, sun)).collect();
        // Under the sun moist air flows in from both sides, and forests give back most of what falls.
        let loss = |row: usize| ready[row] - thermal(air.latitude[row], sun);
        let loss: Vec<f64> = (0..air.height).map(loss).collect();
        let below: Vec<Below> = (0..air.cells())
            .map(|cell| Below {
                land: air.land[cell],
                altitude: air.altitude[cell],
                holds: holds[cell],
                falls: (0.00044 * km * (0.25 + loss[cell / air.width])) as f32,
            })
            .collect();
        let season = Season { air, strides, below, ready, drinks, swings };
        par::try_for_each_part(&mut rain, air.width, 4, |part, rain| {
            season.fall(part * 4 * air.width, rain);
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
    /// Adds half of the precipitation of this season to that of the cells from `first` on.
    fn fall(&self, first: usize, rain: &mut [f32]) {
        let ready = |cell: usize| self.ready[cell / self.air.width] as f32;
        let mut on_land = Vec::with_capacity(rain.len());
        for (cell, rain) in (first..).zip(&mut *rain) {
            if self.air.land[cell] == 0.0 {
                // Over the sea the air is what the sea makes it.
                *rain += 0.5 * 370.0 * 0.70 * ready(cell) * self.below[cell].holds;
            } else {
                on_land.push(cell as u32);
            }
        }
        let (mut ways, mut air) = ([[0; WAYS]; STRIDES], [Arrived::default(); WAYS]);
        for some in on_land.chunks(CELLS) {
            let mut cells = [some[0]; CELLS];
            cells[..some.len()].copy_from_slice(some);
            dispatch!(Level::new(), _simd => {
                self.trails(&cells, &mut ways);
                self.follow(&ways, &mut air);
            });
            for (lane, &cell) in some.iter().enumerate() {
                let fall = |swing: usize| air[swing * CELLS + lane].rain(ready(cell as usize));
                let sum: f32 = (0..SWINGS).map(fall).sum();
                rain[cell as usize - first] += sum / (2 * SWINGS) as f32;
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
