//! Wind: trades, westerlies and polar easterlies, which seas, continents and ranges turn and slow.
//!
//! ```text
//! w = (r F + f F⊥) / √(r² + f²)      F = S sin 6φ' (to the south) − A ∇C
//! ```
//!
//! Air is driven by a force F from high to low pressure and, the farther from the equator, turned aside by the turning of the planet:
//! f is the sine of the latitude, r the friction at the ground, F⊥ to the right of F. The belts are the first part of F:
//! high pressure at 30° and the poles, low at 60° and under the sun, by the latitude φ' from a thermal equator that moves
//! with the seasons, farther over land, and is wavy. The second part comes from the smooth share of land C: in the subtropics the sea
//! has highs, which turn air to the equator on their east side and to the poles on their west side; near 60° it has lows; in
//! summer air flows in to warm continents, in winter out of cold ones.
//!
//! Ranges turn air along themselves and slow it; so does land, a little. At the poles all of it fades away, so that the wind is continuous.

use super::air::Air;
use super::smooth::{blurred, gradient};
use crate::world::noise::Octaves;
use crate::{Seed, math};

/// Speed of the strongest belts in m/s.
const SPEED: f64 = 9.0;

/// Friction relative to the turning at a pole.
const FRICTION: f64 = 0.17;

/// Parts of the length of the map over which the sea makes itself felt in the pressure, and that a wind can see of ranges.
const SEA_REACH: f64 = 0.02;
const RANGE_REACH: f64 = 0.005;

/// A function of the latitude in degrees, in steps between which it is nearly straight.
pub(super) struct ByLatitude(Vec<f64>);

impl ByLatitude {
    const STEPS: f64 = 4.0;

    pub(super) fn new(law: impl Fn(f64) -> f64) -> Self {
        let steps = (180.0 * Self::STEPS) as usize;
        Self((0..=steps).map(|k| law(k as f64 / Self::STEPS - 90.0)).collect())
    }

    pub(super) fn at(&self, latitude: f64) -> f64 {
        let x = (latitude.clamp(-90.0, 90.0) + 90.0) * Self::STEPS;
        let k = (x as usize).min(self.0.len() - 2);
        math::lerp(self.0[k], self.0[k + 1], x - k as f64)
    }
}

/// The force to the south of the belts at a latitude from the thermal equator, in m/s.
fn belts(latitude: f64) -> f64 {
    let away = latitude.abs().min(90.0);
    // The polar easterlies are weak and shallow.
    let strength = 0.85 + 0.15 * math::smoothstep(25.0, 40.0, away);
    let strength = strength - 0.5 * math::smoothstep(55.0, 70.0, away);
    let wave = SPEED * strength * math::sin(6.0 * away.to_radians());
    if latitude < 0.0 { -wave } else { wave }
}

/// How strongly air is drawn to land at a latitude, when the sun stands over `sun`; negative where it is drawn to the sea.
fn draw_of_land(latitude: f64, sun: f64) -> f64 {
    let away = latitude.abs();
    let bell = |x: f64, width: f64| math::exp(-(x / width) * (x / width));
    let all_year = 1.0 * bell(away - 28.0, 16.0) - 0.5 * bell(away - 60.0, 14.0);
    let summer = latitude.signum() * math::smoothstep(2.0, 25.0, away) * sun / (9.0 + sun.abs());
    let fades = 1.0 - math::smoothstep(70.0, 84.0, away);
    (all_year + 2.0 * summer) * fades
}

/// Turns a force to the east and to the south into the wind at a latitude.
fn turned([east, south]: [f64; 2], sine: f64) -> [f64; 2] {
    let length = (FRICTION * FRICTION + sine * sine).sqrt();
    let (r, f) = (FRICTION / length, sine / length);
    [r * east - f * south, r * south + f * east]
}

/// What of the wind is the same in all seasons.
pub(super) struct SteadyWind {
    /// How much farther to the north each cell lies from the belts than its latitude tells, in degrees.
    waves: Vec<f32>,
    /// Share of land far around.
    land: Vec<f32>,
    /// How that grows to the east and to the south, over the reach of the sea.
    coast: Vec<[f32; 2]>,
    /// The way up a range, as long as it turns the wind.
    uphill: Vec<[f32; 2]>,
    /// Factor of the speed.
    slow: Vec<f32>,
}

/// The wind of a season.
pub(super) struct Winds {
    /// To the east and to the south, in m/s.
    pub(super) speed: Vec<[f32; 2]>,
    /// Latitude of each cell among the belts, in degrees.
    pub(super) belt: Vec<f32>,
    /// Around −1 where highs of the sea bring air from the poles, 1 where they bring it from the equator.
    pub(super) moist: Vec<f32>,
}

impl SteadyWind {
    pub(super) fn new(air: &Air, seed: Seed) -> Self {
        // A map of one sample has no length.
        let longest = (0.12 * air.length()).max(1.0);
        let noise = Octaves::new(air.place(), (longest, 0.2 * longest), 1.0, 3, seed);
        let waves = noise.fbm_of(air.cells(), |cell| air.point(cell));
        let (range, sea) = (RANGE_REACH * air.length(), SEA_REACH * air.length());
        let altitude = blurred(air, &air.altitude, range);
        let near = blurred(air, &air.land, range);
        let land = blurred(air, &near, sea);
        let coast = gradient(air, &land, 2.0 * sea);
        let uphill = gradient(air, &altitude, range).into_iter().map(|rise| {
            let rise = rise.map(|part| part / 900.0);
            let steep = (1.0 + rise[0] * rise[0] + rise[1] * rise[1]).sqrt();
            rise.map(|part| 0.75 * part / steep)
        });
        let slow = altitude.iter().zip(&near);
        let slow = slow.map(|(high, land)| (1.0 - 0.25 * land) / (1.0 + high / 2500.0));
        Self { waves, coast, uphill: uphill.collect(), slow: slow.collect(), land }
    }

    /// The winds when the sun stands over `sun`.
    pub(super) fn winds(&self, air: &Air, sun: f64) -> Winds {
        let table = ByLatitude::new(belts);
        let cells = air.cells();
        let (mut speed, mut belt) = (Vec::with_capacity(cells), Vec::with_capacity(cells));
        let mut moist = Vec::with_capacity(cells);
        for (row, &latitude) in air.latitude.iter().enumerate() {
            let sine = math::sin(latitude.to_radians());
            let draw = draw_of_land(latitude, sun);
            let near = 1.0 - latitude.abs() / 90.0;
            let poleward = latitude.signum() * math::smoothstep(4.0, 18.0, latitude.abs());
            for cell in row * air.width..(row + 1) * air.width {
                let waves = 17.0 * f64::from(self.waves[cell]) * (near * 3.0).min(1.0);
                // Over land the sun is felt sooner and more.
                let more = 0.25 * sun * (f64::from(self.land[cell]) - 0.3);
                let from = latitude - waves - more * near;
                let [x, z] = self.coast[cell].map(|slope| 5.5 * draw * f64::from(slope));
                let pulled = turned([x, z], sine);
                let [u, v] = turned([x, z + table.at(from - sun * near)], sine);
                let [a, b] = self.uphill[cell].map(f64::from);
                let up = u * a + v * b;
                let slow = f64::from(self.slow[cell]);
                speed.push([slow * (u - up * a), slow * (v - up * b)].map(|part| part as f32));
                belt.push(from as f32);
                let from_equator = -pulled[1] * poleward / 1.5;
                moist.push((from_equator / (1.0 + from_equator * from_equator).sqrt()) as f32);
            }
        }
        Winds { speed, belt, moist }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zonal(latitude: f64) -> [f64; 2] {
        turned([0.0, belts(latitude)], math::sin(latitude.to_radians()))
    }

    #[test]
    fn trades_blow_to_the_equator_and_west_and_westerlies_to_the_pole() {
        let [u, v] = zonal(15.0);
        assert!(u < -5.0 && v > 2.0, "{u} {v}");
        let [u, v] = zonal(45.0);
        assert!(u > 5.0 && v < -1.5, "{u} {v}");
        let [u, v] = zonal(-15.0);
        assert!(u < -5.0 && v < -2.0, "{u} {v}");
        let [u, _] = zonal(-75.0);
        assert!(u < -2.0, "{u}");
    }

    #[test]
    fn summer_draws_air_to_land_and_winter_drives_it_out() {
        assert!(draw_of_land(40.0, 9.0) > 0.8 && draw_of_land(40.0, -9.0) < 0.0);
        assert!(draw_of_land(-40.0, -9.0) > 0.8);
        assert_eq!(draw_of_land(89.0, 9.0), 0.0);
    }
}
