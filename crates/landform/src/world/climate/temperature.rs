//! Temperature.
//!
//! ```text
//! T = T_eq − (T_eq − T_pole) d² − L h + maritime        d = latitude / 90°, L lapse rate, h height above the sea
//! ```
//!
//! The law of latitude is the one of Baker's program (2018); altitude cools, where that program warms. The inside of
//! continents is colder in high latitudes and warmer in low ones than the coast.

use super::Climate;
use super::air::Air;
use crate::math;

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
    let d = latitude / 90.0;
    climate.equator - (climate.equator - climate.pole) * d * d
}
