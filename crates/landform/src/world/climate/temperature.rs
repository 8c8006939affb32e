//! Temperature.
//!
//! ```text
//! given   T = T_eq − (T_eq − T_pole) d² − L h + maritime      d = latitude / 90°, L lapse rate, h height above the sea
//! drawn   T = T_lat − M h / h_max on land, 0.8 T_lat − 5 at sea,   T_lat = T_eq − (T_eq − T_pole) d²
//! ```
//!
//! **Given** has the inside of continents colder in high latitudes and warmer in low ones than the coast.
//!
//! **Drawn** is the model of Baker's report (2018, section 2.5.3): the seed draws T_eq from 30 to 40 °C and T_pole from −15 to −10 °C
//! (the report prints the two ranges in swapped order), and land is colder in proportion to its height above the sea. The report
//! leaves open how much and what holds at sea: from its program come the law of latitude, M drawn from 10 to 20 °C for the
//! highest summit h_max, and the sea. That program *warms* with altitude and counts from h_max down; there the report decides.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Climate;
use super::air::Air;
use crate::{Seed, math};

/// How temperature comes about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Heat {
    /// From `equator`, `pole`, `lapse` and `maritime`.
    #[default]
    Given,
    /// The seed draws 30 to 40 °C for the equator, −15 to −10 °C for the poles, and by how much the highest summit is colder, as in the
    /// report.
    Drawn,
}

/// The temperatures that the seed draws, in °C.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    equator: f64,
    pole: f64,
    /// By how much the highest summit is colder than the coast.
    colder: f64,
}

impl Drawn {
    pub(super) fn of(seed: Seed) -> Self {
        Self {
            equator: seed.between(0, 30.0, 40.0),
            pole: seed.between(1, -15.0, -10.0),
            colder: seed.between(2, 10.0, 20.0),
        }
    }

    /// The parameters by which wind and rain go.
    pub(super) fn for_weather(&self, climate: &Climate) -> Climate {
        Climate { equator: self.equator, pole: self.pole, maritime: 0.0, ..climate.clone() }
    }

    /// At the coast of a latitude in degrees.
    pub(super) fn zonal(&self, latitude: f64) -> f64 {
        by_latitude([self.equator, self.pole], latitude)
    }

    /// Where it is `zonal` at the coast, on ground this far above the sea in metres; the highest summit is as far as the second.
    pub(super) fn on_ground(&self, zonal: f64, [above, highest]: [f32; 2]) -> f32 {
        if above <= 0.0 {
            return (0.8 * zonal - 5.0) as f32;
        }
        // Other resolutions may have higher summits than that of the recipe.
        let share = (f64::from(above) / f64::from(highest)).min(1.0);
        (zonal - self.colder * share) as f32
    }
}

/// Mean temperature at sea level, cell by cell.
pub(super) fn at_sea(climate: &Climate, air: &Air) -> Vec<f32> {
    let mut at_sea = Vec::with_capacity(air.cells());
    for (row, latitude) in air.inland.chunks(air.width).zip(&air.latitude) {
        let latitude = latitude.abs();
        let zonal = zonal(climate, latitude);
        // +2.5 °C in the tropics to −7 °C near the poles.
        let far = climate.maritime * (2.5 - 9.5 * math::smoothstep(15.0, 75.0, latitude));
        let at_cell = |&inland: &f32| {
            let inland = if far == 0.0 { 0.0 } else { 1.0 - math::exp(-f64::from(inland) / 7e5) };
            (zonal + far * inland) as f32
        };
        at_sea.extend(row.iter().map(at_cell));
    }
    at_sea
}

/// Mean temperature at the sea of a latitude in degrees.
pub(super) fn zonal(climate: &Climate, latitude: f64) -> f64 {
    by_latitude([climate.equator, climate.pole], latitude)
}

fn by_latitude([equator, pole]: [f64; 2], latitude: f64) -> f64 {
    let d = latitude / 90.0;
    equator - (equator - pole) * d * d
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seed_draws_temperatures_within_the_ranges_of_the_report() {
        let drawn: Vec<Drawn> = (0..500).map(|seed| Drawn::of(Seed::new(seed))).collect();
        let range = |of: &dyn Fn(&Drawn) -> f64| {
            drawn
                .iter()
                .map(of)
                .fold((f64::MAX, f64::MIN), |(low, high), t| (low.min(t), high.max(t)))
        };
        for ((low, high), [from, to]) in [
            (range(&|drawn| drawn.zonal(0.0)), [30.0, 40.0]),
            (range(&|drawn| drawn.zonal(90.0)), [-15.0, -10.0]),
            (range(&|drawn| drawn.zonal(-90.0)), [-15.0, -10.0]),
        ] {
            let slack = 0.02 * (to - from);
            assert!((from..from + slack).contains(&low), "{low}");
            assert!((to - slack..to).contains(&high), "{high}");
        }
    }

    #[test]
    fn land_gets_colder_in_proportion_to_its_height_above_the_sea() {
        let drawn = Drawn::of(Seed::new(3));
        let [coast, half, summit] =
            [1e-3, 1000.0, 2000.0].map(|above| drawn.on_ground(25.0, [above, 2000.0]));
        assert!((coast - 25.0).abs() < 1e-3 && (10.0..=20.0).contains(&(coast - summit)));
        assert!((coast - half - (half - summit)).abs() < 1e-3);
        assert_eq!(drawn.on_ground(25.0, [-300.0, 2000.0]), 15.0);
    }
}
