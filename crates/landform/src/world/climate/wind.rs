//! Wind: trades, westerlies and polar easterlies.
//!
//! ```text
//! u = −U sin 6|φ|      v = V sin 6|φ| towards the equator      φ latitude from the thermal equator
//! ```
//!
//! Easterly to 30°, westerly to 60°, easterly beyond, with a part towards the equator, the pole and the equator again: the
//! three cells of a turning planet. High ground slows the wind; noise bends it.

use super::air::Air;
use crate::world::noise::Octaves;
use crate::{Seed, math};

/// Speed of the strongest belts in m/s.
const SPEED: f64 = 9.0;

/// Wind to the east and to the south in m/s at a latitude in degrees, when the sun stands over `sun`.
pub(super) fn zonal(latitude: f64, sun: f64) -> [f64; 2] {
    let from_sun = latitude - sun * (1.0 - latitude.abs() / 90.0);
    let wave = math::sin(6.0 * from_sun.abs().min(90.0).to_radians());
    let south = 0.4 * SPEED * wave * if from_sun < 0.0 { -1.0 } else { 1.0 };
    [-SPEED * wave, south]
}

/// How the ground and chance turn and slow the wind of each cell: the same in all seasons.
pub(super) struct Bends(Vec<[f64; 2]>);

impl Bends {
    pub(super) fn new(air: &Air, seed: Seed) -> Self {
        // A map of one sample has no length.
        let longest = (0.12 * air.length()).max(1.0);
        let noise = Octaves::new(air.place(), (longest, 0.2 * longest), 1.0, 3, seed);
        let noise = noise.fbm_of(air.cells(), |cell| air.point(cell));
        let bend = |(cell, &noise): (usize, &f32)| {
            let angle = 1.1 * f64::from(noise);
            let slow = 1.0 / (1.0 + f64::from(air.altitude[cell]) / 2500.0)
                * (1.0 - 0.25 * f64::from(air.land[cell]));
            [slow * math::sin(angle), slow * math::cos(angle)]
        };
        Self(noise.iter().enumerate().map(bend).collect())
    }

    /// The winds of all cells when the sun stands over `sun`.
    pub(super) fn belts(&self, air: &Air, sun: f64) -> Vec<[f32; 2]> {
        let rows = self.0.chunks(air.width).zip(&air.latitude);
        let row = |(bends, &latitude): (&'_ [[f64; 2]], &f64)| {
            let [u, v] = zonal(latitude, sun);
            let wind = move |&[s, c]: &[f64; 2]| [(c * u - s * v) as f32, (s * u + c * v) as f32];
            bends.iter().map(wind).collect::<Vec<_>>()
        };
        rows.flat_map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trades_blow_to_the_equator_and_west_and_westerlies_to_the_pole() {
        let [u, v] = zonal(15.0, 0.0);
        assert!(u < -5.0 && v > 2.0);
        let [u, v] = zonal(45.0, 0.0);
        assert!(u > 5.0 && v < -2.0);
        let [u, v] = zonal(-15.0, 0.0);
        assert!(u < -5.0 && v < -2.0);
        let [u, _] = zonal(-75.0, 0.0);
        assert!(u < -5.0);
    }
}
