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

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::air::Air;
use super::{Climate, wind};
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

/// Precipitation, cell by cell.
pub(super) fn fall(
    climate: &Climate,
    air: &Air,
    at_sea: &[f32],
    seed: Seed,
    ctx: &Ctx<'_>,
) -> Result<Vec<f32>, Cancelled> {
    let mut rain = match climate.rain {
        Rain::Wind => carried(climate, air, at_sea, seed, ctx)?,
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

/// How readily it rains at a latitude, when the sun stands over `sun`: 1 is much.
fn readiness(latitude: f64, sun: f64) -> f64 {
    let from_sun = latitude - sun;
    let bell = |x: f64, width: f64| math::exp(-(x / width) * (x / width));
    let away = latitude.abs();
    let rising = 1.05 * bell(from_sun, 11.0) + 0.62 * bell(away - 50.0, 15.0);
    let sinking = 0.30 * bell(from_sun.abs() - 27.0, 9.0);
    (0.30 + rising - sinking - 0.12 * math::smoothstep(60.0, 85.0, away)).max(0.02)
}

/// How much moisture air can hold, relative to that over a tropical sea.
fn capacity(celsius: f32) -> f32 {
    (math::exp(0.042 * (f64::from(celsius) - 27.0)) as f32).min(1.3)
}

fn carried(
    climate: &Climate,
    air: &Air,
    at_sea: &[f32],
    seed: Seed,
    ctx: &Ctx<'_>,
) -> Result<Vec<f32>, Cancelled> {
    let holds: Vec<f32> = at_sea.iter().map(|&celsius| capacity(celsius)).collect();
    let mut rain = vec![0.0_f32; air.cells()];
    let stride = STRIDE.min(air.length() / 60.0);
    // A small map has the weather of a large one.
    let km = STRIDE / 1000.0;
    // Air comes from a little to the left and to the right of the wind too.
    let swings = [-0.45, 0.05, 0.5].map(|angle| [math::sin(angle), math::cos(angle)]);
    for (k, sun) in [climate.seasons, -climate.seasons].into_iter().enumerate() {
        ctx.progress(0.5 * k as f32)?;
        let mut winds = wind::belts(air, sun, seed.child("wind"));
        for wind in &mut winds {
            let length = (wind[0] * wind[0] + wind[1] * wind[1]).sqrt().max(1e-6);
            *wind = wind.map(|part| part / length);
        }
        let ready: Vec<f64> = air.latitude.iter().map(|&at| readiness(at, sun)).collect();
        par::try_for_each_part(&mut rain, air.width, 4, |part, rows| {
            for (n, rain) in rows.iter_mut().enumerate() {
                let cell = part * 4 * air.width + n;
                if air.land[cell] == 0.0 {
                    // Over the sea the air is what the sea makes it.
                    let ready = ready[cell / air.width];
                    *rain += (0.5 * 370.0 * 0.70 * ready * f64::from(holds[cell])) as f32;
                    continue;
                }
                for &swing in &swings {
                    let way = trail(air, &winds, cell, (swing, stride));
                    *rain += (rain_of(air, &holds, &ready, &way, km) / 6.0) as f32;
                }
            }
            ctx.check()
        })?;
    }
    Ok(rain)
}

/// Where air comes from: the cells that it has crossed, the nearest first.
fn trail(
    air: &Air,
    winds: &[[f32; 2]],
    cell: usize,
    (swing, stride): ([f64; 2], f64),
) -> [u32; STRIDES] {
    let mut way = [cell as u32; STRIDES];
    let (mut column, mut row) = ((cell % air.width) as f64 + 0.5, (cell / air.width) as f64 + 0.5);
    let [s, c] = swing;
    let rows = stride / air.cell[1];
    let mut here = cell;
    for step in &mut way[1..] {
        let [u, v] = winds[here].map(f64::from);
        column -= (c * u - s * v) * stride * air.columns_per_metre[here / air.width];
        row -= (s * u + c * v) * rows;
        here = air.cell_at(column, row);
        *step = here as u32;
    }
    way
}

/// The rain at the end of a trail.
fn rain_of(air: &Air, holds: &[f32], ready: &[f64], way: &[u32; STRIDES], km: f64) -> f64 {
    // What evaporates over this stretch of open sea, as a share of what is lacking.
    let drinks = 1.0 - math::exp(-km / 550.0);
    let mut moisture = 0.6 * f64::from(holds[way[STRIDES - 1] as usize]);
    let mut before = f64::from(air.altitude[way[STRIDES - 1] as usize]);
    let mut rise = 0.0;
    let mut carried = moisture;
    for &here in way.iter().rev() {
        let here = here as usize;
        let (land, altitude) = (f64::from(air.land[here]), f64::from(air.altitude[here]));
        carried = moisture;
        rise = altitude - before;
        before = altitude;
        // The share of the moisture that rains out on this stretch. Plants and wet ground give half of it back.
        let flat = 0.00044 * km * (0.25 + ready[here / air.width]);
        let share = (flat + rise.max(0.0) * (1.0 / 2600.0)).min(0.7);
        moisture -= land * moisture * share * 0.55;
        moisture += (1.0 - land) * (f64::from(holds[here]) - moisture) * drinks;
    }
    let here = way[0] as usize / air.width;
    let lifted = 1.5 * (rise.max(0.0) / 900.0).min(1.2);
    let sheltered = if rise < 0.0 { math::exp(rise / 900.0) } else { 1.0 };
    370.0 * carried * (0.70 * ready[here] + lifted) * sheltered
}
