//! Transverse Mercator, of UTM and most systems of single countries: Krüger's series to the sixth order (Karney 2011), right to
//! nanometres within 3000 km of the central meridian.

use landform::math::{asinh, atan, atan2, cos, cosh, sin, sinh, tan};

use super::ellipsoid::WGS_84;

/// Coefficients by powers of the third flattening, from the lowest that is not 0.
const ALPHA: [&[f64]; 6] = [
    &[1.0 / 2.0, -2.0 / 3.0, 5.0 / 16.0, 41.0 / 180.0, -127.0 / 288.0, 7891.0 / 37_800.0],
    &[13.0 / 48.0, -3.0 / 5.0, 557.0 / 1440.0, 281.0 / 630.0, -1_983_433.0 / 1_935_360.0],
    &[61.0 / 240.0, -103.0 / 140.0, 15_061.0 / 26_880.0, 167_603.0 / 181_440.0],
    &[49_561.0 / 161_280.0, -179.0 / 168.0, 6_601_661.0 / 7_257_600.0],
    &[34_729.0 / 80_640.0, -3_418_889.0 / 1_995_840.0],
    &[212_378_941.0 / 319_334_400.0],
];
const BETA: [&[f64]; 6] = [
    &[1.0 / 2.0, -2.0 / 3.0, 37.0 / 96.0, -1.0 / 360.0, -81.0 / 512.0, 96_199.0 / 604_800.0],
    &[1.0 / 48.0, 1.0 / 15.0, -437.0 / 1440.0, 46.0 / 105.0, -1_118_711.0 / 3_870_720.0],
    &[17.0 / 480.0, -37.0 / 840.0, -209.0 / 4480.0, 5569.0 / 90_720.0],
    &[4397.0 / 161_280.0, -11.0 / 504.0, -830_251.0 / 7_257_600.0],
    &[4583.0 / 161_280.0, -108_847.0 / 3_991_680.0],
    &[20_648_693.0 / 638_668_800.0],
];

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TransverseMercator {
    alpha: [f64; 6],
    beta: [f64; 6],
    /// Metres of a unit, and northing of the latitude of origin in units.
    scale: f64,
    start: f64,
}

impl TransverseMercator {
    /// With this latitude of origin in radians, and scale on the central meridian.
    pub(super) fn new(latitude: f64, scale: f64) -> Self {
        let n = WGS_84.f / (2.0 - WGS_84.f);
        let series = |rows: [&[f64]; 6]| {
            let mut power = 1.0;
            rows.map(|row| {
                power *= n;
                power * row.iter().rev().fold(0.0, |sum, c| sum * n + c)
            })
        };
        let n2 = n * n;
        let radius =
            WGS_84.a / (1.0 + n) * (1.0 + n2 / 4.0 + n2 * n2 / 64.0 + n2 * n2 * n2 / 256.0);
        let mut new =
            Self { alpha: series(ALPHA), beta: series(BETA), scale: radius * scale, start: 0.0 };
        new.start = new.forward([0.0, latitude])[1] / new.scale;
        new
    }

    /// Easting and northing of a longitude from the central meridian and a latitude, in radians.
    pub(super) fn forward(&self, [longitude, latitude]: [f64; 2]) -> [f64; 2] {
        let tau = WGS_84.conformal(tan(latitude));
        let (c, s) = (cos(longitude), sin(longitude));
        let (xi, eta) = (atan2(tau, c), asinh(s / (tau * tau + c * c).sqrt()));
        let mut at = [eta, xi];
        for (k, alpha) in self.alpha.iter().enumerate() {
            let j = 2.0 * (k + 1) as f64;
            at[0] += alpha * cos(j * xi) * sinh(j * eta);
            at[1] += alpha * sin(j * xi) * cosh(j * eta);
        }
        [at[0] * self.scale, (at[1] - self.start) * self.scale]
    }

    /// The way back.
    pub(super) fn inverse(&self, [east, north]: [f64; 2]) -> [f64; 2] {
        let (eta, xi) = (east / self.scale, north / self.scale + self.start);
        let mut at = [eta, xi];
        for (k, beta) in self.beta.iter().enumerate() {
            let j = 2.0 * (k + 1) as f64;
            at[0] -= beta * cos(j * xi) * sinh(j * eta);
            at[1] -= beta * sin(j * xi) * cosh(j * eta);
        }
        let (s, c) = (sinh(at[0]), cos(at[1]));
        let tau = sin(at[1]) / (s * s + c * c).sqrt();
        [atan2(s, c), atan(WGS_84.geodetic(tau))]
    }
}
