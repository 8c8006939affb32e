//! Conic projections: Lambert's of true angles, Albers' of true areas (Snyder 1987, chapters 14 and 15).

use landform::math::{atan2, cos, exp, length, ln, sin};

use super::ellipsoid::WGS_84;

/// What a cone keeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kept {
    Angles,
    Areas,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Conic {
    kept: Kept,
    /// Share of a full turn that the cone has, and the constant of its law.
    n: f64,
    c: f64,
    /// Distance of the latitude of origin from the tip.
    start: f64,
}

impl Conic {
    /// With this latitude of origin and these standard parallels, in radians.
    pub(super) fn new(kept: Kept, origin: f64, [first, second]: [f64; 2]) -> Self {
        let [m1, m2] = [first, second].map(|latitude| WGS_84.parallel(latitude));
        let is_one = (first - second).abs() < 1e-10;
        let (n, c) = match kept {
            Kept::Angles => {
                let [p1, p2] = [first, second].map(|latitude| WGS_84.isometric(latitude));
                let n = if is_one { sin(first) } else { ln(m1 / m2) / (p2 - p1) };
                (n, m1 * exp(n * p1) / n)
            }
            Kept::Areas => {
                let [q1, q2] = [first, second].map(|latitude| WGS_84.q(latitude));
                let n = if is_one { sin(first) } else { (m1 * m1 - m2 * m2) / (q2 - q1) };
                (n, m1 * m1 + n * q1)
            }
        };
        let mut new = Self { kept, n, c, start: 0.0 };
        new.start = new.radius(origin);
        new
    }

    fn radius(&self, latitude: f64) -> f64 {
        WGS_84.a
            * match self.kept {
                Kept::Angles => self.c * exp(-self.n * WGS_84.isometric(latitude)),
                Kept::Areas => (self.c - self.n * WGS_84.q(latitude)).max(0.0).sqrt() / self.n,
            }
    }

    pub(super) fn forward(&self, [longitude, latitude]: [f64; 2]) -> [f64; 2] {
        let (radius, angle) = (self.radius(latitude), self.n * longitude);
        [radius * sin(angle), self.start - radius * cos(angle)]
    }

    pub(super) fn inverse(&self, [east, north]: [f64; 2]) -> [f64; 2] {
        let down = self.start - north;
        let sign = self.n.signum();
        let radius = sign * length(east, down) / WGS_84.a;
        let latitude = match self.kept {
            Kept::Angles => WGS_84.of_isometric(-ln(radius / self.c) / self.n),
            Kept::Areas => WGS_84.of_q((self.c - radius * radius * self.n * self.n) / self.n),
        };
        [atan2(sign * east, sign * down) / self.n, latitude]
    }
}
