//! Projections around a point: Lambert's of true areas, and the stereographic around a pole (Snyder 1987, chapters 24 and 21).

use landform::math::{atan2, cos, exp, length, ln, sin};

use super::ellipsoid::{WGS_84, arcsine};

/// Lambert's azimuthal projection of true areas around any point but a pole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EqualArea {
    /// Sine and cosine of the authalic latitude of the middle.
    middle: [f64; 2],
    /// Radius of the sphere of the same area, and the correction that makes the middle true to scale.
    radius: f64,
    d: f64,
}

impl EqualArea {
    pub(super) fn new(latitude: f64) -> Self {
        let pole = WGS_84.q(std::f64::consts::FRAC_PI_2);
        let sine = WGS_84.q(latitude) / pole;
        let cosine = (1.0 - sine * sine).sqrt();
        let radius = WGS_84.a * (pole / 2.0).sqrt();
        let d = WGS_84.a * WGS_84.parallel(latitude) / (radius * cosine);
        Self { middle: [sine, cosine], radius, d }
    }

    pub(super) fn forward(&self, [longitude, latitude]: [f64; 2]) -> [f64; 2] {
        let [s0, c0] = self.middle;
        let s = WGS_84.q(latitude) / WGS_84.q(std::f64::consts::FRAC_PI_2);
        let c = (1.0 - s * s).max(0.0).sqrt();
        let b = self.radius * (2.0 / (1.0 + s0 * s + c0 * c * cos(longitude))).sqrt();
        [b * self.d * c * sin(longitude), b / self.d * (c0 * s - s0 * c * cos(longitude))]
    }

    pub(super) fn inverse(&self, [east, north]: [f64; 2]) -> [f64; 2] {
        let [s0, c0] = self.middle;
        let (x, y) = (east / self.d, north * self.d);
        let rho = length(x, y);
        if rho == 0.0 {
            let pole = WGS_84.q(std::f64::consts::FRAC_PI_2);
            return [0.0, WGS_84.of_q(s0 * pole)];
        }
        let angle = 2.0 * arcsine(rho / (2.0 * self.radius));
        let (s, c) = (sin(angle), cos(angle));
        let q = (c * s0 + y * s * c0 / rho) * WGS_84.q(std::f64::consts::FRAC_PI_2);
        [atan2(x * s, rho * c0 * c - y * s0 * s), WGS_84.of_q(q)]
    }
}

/// The stereographic projection around a pole, true on a parallel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PolarStereographic {
    /// 1 in the north, −1 in the south.
    sign: f64,
    scale: f64,
}

impl PolarStereographic {
    /// Around the pole that is nearer to the standard parallel.
    pub(super) fn new(parallel: f64) -> Self {
        let sign = parallel.signum();
        let latitude = parallel.abs();
        let scale = WGS_84.a * WGS_84.parallel(latitude) * exp(WGS_84.isometric(latitude));
        Self { sign, scale }
    }

    pub(super) fn forward(&self, [longitude, latitude]: [f64; 2]) -> [f64; 2] {
        let radius = self.scale * exp(-WGS_84.isometric(self.sign * latitude));
        [radius * sin(longitude), -self.sign * radius * cos(longitude)]
    }

    pub(super) fn inverse(&self, [east, north]: [f64; 2]) -> [f64; 2] {
        let radius = length(east, north).max(1e-9);
        let latitude = self.sign * WGS_84.of_isometric(-ln(radius / self.scale));
        [atan2(east, -self.sign * north), latitude]
    }
}
