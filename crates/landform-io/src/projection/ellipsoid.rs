//! Latitudes on an ellipsoid: geodetic, conformal, and of equal area.
//!
//! ```text
//! τ = tan φ,  σ = sinh(e·atanh(e·sin φ)),  τ' = τ√(1 + σ²) − σ√(1 + τ²)        φ geodetic, τ' of the conformal latitude
//! ψ = asinh τ'                                                                 isometric latitude
//! q = (1 − e²)(s/(1 − e²s²) + atanh(e·s)/e),  s = sin φ                        equal area
//! ```
//!
//! Source: Karney (2011), "Transverse Mercator with an accuracy of a few nanometers"; Snyder (1987), USGS Professional Paper 1395.

use landform::math::{asinh, atan, atan2, atanh, cos, sin, sinh, tan};

/// An ellipsoid of revolution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ellipsoid {
    /// Half of the longer axis in metres.
    pub(super) a: f64,
    /// Flattening.
    pub(super) f: f64,
}

/// That of GPS. GRS 80, of the systems of continents, differs by a tenth of a millimetre.
pub(super) const WGS_84: Ellipsoid = Ellipsoid { a: 6_378_137.0, f: 1.0 / 298.257_223_563 };

impl Ellipsoid {
    /// The square of the eccentricity.
    pub(super) fn e2(self) -> f64 {
        self.f * (2.0 - self.f)
    }

    pub(super) fn e(self) -> f64 {
        self.e2().sqrt()
    }

    /// The tangent of the conformal latitude, by that of the geodetic.
    pub(super) fn conformal(self, tau: f64) -> f64 {
        let e = self.e();
        let secant = (1.0 + tau * tau).sqrt();
        let sigma = sinh(e * atanh(e * tau / secant));
        tau * (1.0 + sigma * sigma).sqrt() - sigma * secant
    }

    /// The tangent of the geodetic latitude, by that of the conformal (Newton).
    pub(super) fn geodetic(self, conformal: f64) -> f64 {
        let rest = 1.0 - self.e2();
        let mut tau = conformal / rest;
        for _ in 0..6 {
            let at = self.conformal(tau);
            let slope = (1.0 + rest * tau * tau) / (rest * (1.0 + tau * tau).sqrt());
            tau += (conformal - at) / (1.0 + at * at).sqrt() * slope;
        }
        tau
    }

    /// The isometric latitude.
    pub(super) fn isometric(self, latitude: f64) -> f64 {
        asinh(self.conformal(tan(latitude)))
    }

    /// The latitude of an isometric one.
    pub(super) fn of_isometric(self, psi: f64) -> f64 {
        atan(self.geodetic(sinh(psi)))
    }

    /// Radius of a parallel, in units of the longer axis.
    pub(super) fn parallel(self, latitude: f64) -> f64 {
        let s = sin(latitude);
        cos(latitude) / (1.0 - self.e2() * s * s).sqrt()
    }

    /// q of a latitude.
    pub(super) fn q(self, latitude: f64) -> f64 {
        let (e, s) = (self.e(), sin(latitude));
        (1.0 - self.e2()) * (s / (1.0 - self.e2() * s * s) + atanh(e * s) / e)
    }

    /// The latitude that has this q (Newton).
    pub(super) fn of_q(self, q: f64) -> f64 {
        let pole = self.q(std::f64::consts::FRAC_PI_2);
        let mut latitude = arcsine(q / pole);
        for _ in 0..6 {
            let s = sin(latitude);
            let narrow = 1.0 - self.e2() * s * s;
            let slope = 2.0 * cos(latitude) * (1.0 - self.e2()) / (narrow * narrow);
            if slope.abs() < 1e-12 {
                break;
            }
            latitude += (q - self.q(latitude)) / slope;
        }
        latitude
    }
}

/// The angle in −90° … 90° of a sine.
pub(super) fn arcsine(sine: f64) -> f64 {
    let sine = sine.clamp(-1.0, 1.0);
    atan2(sine, (1.0 - sine * sine).sqrt())
}
