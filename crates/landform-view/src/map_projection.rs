//! A planet on paper: a map by longitude and latitude redrawn in another projection.
//!
//! Equal Earth (Šavrič, Patterson & Jenny 2018) and Mollweide (1805) keep areas; the globe is the orthographic view from far
//! away. A picture is turned into another by looking up, for each pixel, the longitude and latitude that it shows.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use landform::{Grid, math, par};

use crate::color::{Rgb, mix};
use crate::draw::Canvas;

/// How a map of a whole planet is laid on paper.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum MapProjection {
    /// Longitude across, latitude down: as the samples are.
    #[default]
    Equirectangular,
    /// Equal areas, shapes as true as can be.
    EqualEarth,
    /// Equal areas in an ellipse.
    Mollweide,
    /// A ball seen from far away.
    Globe {
        /// Longitude of the middle in degrees.
        longitude_deg: f64,
        /// Latitude of the middle in degrees.
        latitude_deg: f64,
    },
}

/// What is left free around a globe, as a share of its radius.
const MARGIN: f64 = 0.05;

/// The polynomial of Equal Earth.
const A: [f64; 4] = [1.340_264, -0.081_106, 0.000_893, 0.003_796];

impl MapProjection {
    /// The names that users type.
    pub const NAMES: &'static [&'static str] =
        &["equirectangular", "equal-earth", "mollweide", "globe"];

    /// The projection called `name`.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "equirectangular" => Self::Equirectangular,
            "equal-earth" => Self::EqualEarth,
            "mollweide" => Self::Mollweide,
            "globe" => Self::Globe { longitude_deg: 0.0, latitude_deg: 20.0 },
            _ => return None,
        })
    }

    /// Half the width and half the height of the map.
    pub(crate) fn extent(self) -> [f64; 2] {
        match self {
            Self::Equirectangular => [PI, FRAC_PI_2],
            Self::EqualEarth => {
                let [x, _] = equal_earth(PI, 0.0);
                let [_, y] = equal_earth(0.0, FRAC_PI_2);
                [x, y]
            }
            Self::Mollweide => [2.0 * 2.0_f64.sqrt(), 2.0_f64.sqrt()],
            Self::Globe { .. } => [1.0 + MARGIN; 2],
        }
    }

    /// Width over height of the map.
    pub(crate) fn aspect(self) -> f64 {
        let [x, y] = self.extent();
        x / y
    }

    /// The size at which the map by longitude and latitude is drawn for a picture of this size.
    pub(crate) fn source(self, [width, height]: [usize; 2]) -> [usize; 2] {
        let around = match self {
            Self::Equirectangular => return [width, height],
            // In the middle a globe shows a pixel of the equator in each of its own.
            Self::Globe { .. } => PI * width as f64,
            _ => 1.15 * width as f64,
        };
        let rows = (0.5 * around).clamp(2.0, 8192.0) as usize;
        [2 * rows, rows]
    }

    /// Longitude and latitude in radians at (x, y), y up; nothing beyond the edge of the map.
    pub(crate) fn unproject(self, x: f64, y: f64) -> Option<[f64; 2]> {
        match self {
            Self::Equirectangular => Some([x, y]),
            Self::EqualEarth => {
                let mut t = y / 1.2;
                for _ in 0..8 {
                    let [f, slope] = polynomial(t);
                    t -= (f - y) / slope;
                }
                let [_, slope] = polynomial(t);
                let longitude = 0.5 * 3.0_f64.sqrt() * x * slope / math::cos(t);
                let sine = 2.0 / 3.0_f64.sqrt() * math::sin(t);
                (sine.abs() <= 1.0 && longitude.abs() <= PI).then(|| [longitude, arc_sine(sine)])
            }
            Self::Mollweide => {
                let sine = y / 2.0_f64.sqrt();
                if sine.abs() > 1.0 {
                    return None;
                }
                let t = arc_sine(sine);
                let longitude = PI * x / (2.0 * 2.0_f64.sqrt() * math::cos(t).max(1e-9));
                let latitude = arc_sine(((2.0 * t + math::sin(2.0 * t)) / PI).clamp(-1.0, 1.0));
                (longitude.abs() <= PI).then_some([longitude, latitude])
            }
            Self::Globe { longitude_deg, latitude_deg } => {
                let r2 = x * x + y * y;
                if r2 > 1.0 {
                    return None;
                }
                let (toward, tilt) = ((1.0 - r2).sqrt(), latitude_deg.to_radians());
                let (s, c) = (math::sin(tilt), math::cos(tilt));
                let (up, out) = (y * c + toward * s, toward * c - y * s);
                let longitude = longitude_deg.to_radians() + math::atan2(x, out);
                Some([longitude, arc_sine(up.clamp(-1.0, 1.0))])
            }
        }
    }

    /// (x, y), y up, of a longitude and latitude in radians; nothing on the far side of a globe.
    pub(crate) fn project(self, longitude: f64, latitude: f64) -> Option<[f64; 2]> {
        match self {
            Self::Equirectangular => Some([longitude, latitude]),
            Self::EqualEarth => Some(equal_earth(longitude, latitude)),
            Self::Mollweide => {
                let mut t = latitude;
                let wanted = PI * math::sin(latitude);
                for _ in 0..30 {
                    let slope = (2.0 + 2.0 * math::cos(2.0 * t)).max(1e-6);
                    t -= (2.0 * t + math::sin(2.0 * t) - wanted) / slope;
                }
                let wide = 2.0 * 2.0_f64.sqrt() / PI * longitude * math::cos(t);
                Some([wide, 2.0_f64.sqrt() * math::sin(t)])
            }
            Self::Globe { longitude_deg, latitude_deg } => {
                let east = longitude - longitude_deg.to_radians();
                let tilt = latitude_deg.to_radians();
                let (s, c) = (math::sin(tilt), math::cos(tilt));
                let (flat, up) = (math::cos(latitude), math::sin(latitude));
                let out = flat * math::cos(east);
                let toward = out * c + up * s;
                (toward > 0.0).then(|| [flat * math::sin(east), up * c - out * s])
            }
        }
    }

    /// How many times as many pixels as on the whole width a radian of the equator has in the middle of a map.
    pub(crate) fn radian(self) -> f64 {
        let Some([x, _]) = self.project(self.middle() + 1e-4, 0.0) else { return 1.0 };
        let from = self.project(self.middle(), 0.0).map_or(0.0, |[x, _]| x);
        (x - from) / 1e-4 / (2.0 * self.extent()[0])
    }

    /// Longitude of the middle, in radians.
    fn middle(self) -> f64 {
        match self {
            Self::Globe { longitude_deg, .. } => longitude_deg.to_radians(),
            _ => 0.0,
        }
    }

    /// Redraws a map by longitude and latitude at a size, on `paper`.
    pub(crate) fn apply(self, map: Canvas, [width, height]: [usize; 2], paper: Rgb) -> Canvas {
        if self == Self::Equirectangular {
            return map;
        }
        let [half_x, half_y] = self.extent();
        let mut pixels = Grid::filled(width, height, paper);
        par::for_each_row(pixels.samples_mut(), width, |row, pixels| {
            for (column, pixel) in pixels.iter_mut().enumerate() {
                let (mut sum, mut seen) = ([0.0_f32; 3], 0.0_f32);
                for k in 0..4 {
                    let (a, b) = (0.25 + 0.5 * f64::from(k % 2), 0.25 + 0.5 * f64::from(k / 2));
                    let x = half_x * (2.0 * (column as f64 + a) / width as f64 - 1.0);
                    let y = half_y * (1.0 - 2.0 * (row as f64 + b) / height as f64);
                    if let Some([longitude, latitude]) = self.unproject(x, y) {
                        let color = lookup(&map, longitude, latitude);
                        let shade = self.limb(x, y);
                        sum = [0, 1, 2].map(|c| sum[c] + shade * color[c]);
                        seen += 1.0;
                    }
                }
                if seen > 0.0 {
                    *pixel = mix(*pixel, sum.map(|c| c / seen), seen / 4.0);
                }
            }
        });
        Canvas::from_grid(pixels)
    }

    /// A globe is darker towards its edge, on the side away from the sun more so.
    fn limb(self, x: f64, y: f64) -> f32 {
        if !matches!(self, Self::Globe { .. }) {
            return 1.0;
        }
        let toward = (1.0 - x * x - y * y).max(0.0).sqrt();
        let sun = (0.80 * toward - 0.42 * x + 0.42 * y).max(0.0);
        (0.45 + 0.62 * sun).min(1.06) as f32
    }
}

/// y and dy/dt of Equal Earth at the auxiliary angle t.
fn polynomial(t: f64) -> [f64; 2] {
    let t2 = t * t;
    let t6 = t2 * t2 * t2;
    [
        t * (A[0] + A[1] * t2 + t6 * (A[2] + A[3] * t2)),
        A[0] + 3.0 * A[1] * t2 + t6 * (7.0 * A[2] + 9.0 * A[3] * t2),
    ]
}

fn equal_earth(longitude: f64, latitude: f64) -> [f64; 2] {
    let t = arc_sine(0.5 * 3.0_f64.sqrt() * math::sin(latitude));
    let [y, slope] = polynomial(t);
    [2.0 * 3.0_f64.sqrt() / 3.0 * longitude * math::cos(t) / slope, y]
}

fn arc_sine(sine: f64) -> f64 {
    math::atan2(sine, (1.0 - sine * sine).max(0.0).sqrt())
}

/// The colour of a map by longitude and latitude, between its pixels.
fn lookup(map: &Canvas, longitude: f64, latitude: f64) -> Rgb {
    let (width, height) = (map.width(), map.height());
    let x = (longitude / TAU + 0.5) * width as f64 - 0.5;
    let y = ((0.5 - latitude / PI) * height as f64 - 0.5).clamp(0.0, height as f64 - 1.0);
    let (i, j) = (x.floor(), y.floor());
    let (u, v) = ((x - i) as f32, (y - j) as f32);
    let column = |k: f64| (k as i64).rem_euclid(width as i64) as usize;
    let row = |k: f64| (k as usize).min(height - 1);
    let at = |a: f64, b: f64| map.pixel(column(i + a), row(j + b));
    mix(mix(at(0.0, 0.0), at(1.0, 0.0), u), mix(at(0.0, 1.0), at(1.0, 1.0), u), v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_projected_comes_back() {
        let globe = MapProjection::Globe { longitude_deg: 40.0, latitude_deg: -25.0 };
        for projection in [MapProjection::EqualEarth, MapProjection::Mollweide, globe] {
            for k in 0..200 {
                let longitude = f64::from(k) * 0.031 - 3.1;
                let latitude = math::sin(f64::from(k)) * 1.5;
                let Some([x, y]) = projection.project(longitude, latitude) else { continue };
                let [a, b] = projection.unproject(x, y).unwrap();
                let turn = (a - longitude + PI).rem_euclid(TAU) - PI;
                assert!(turn.abs() < 1e-6 && (b - latitude).abs() < 1e-6, "{projection:?} {k}");
            }
        }
    }

    #[test]
    fn equal_areas_are_equal() {
        // The share of the map north of 30° is the share of the sphere: a quarter.
        for projection in [MapProjection::EqualEarth, MapProjection::Mollweide] {
            let [half_x, half_y] = projection.extent();
            let (mut all, mut north) = (0, 0);
            for k in 0..400_000 {
                let x = half_x * (f64::from(k % 800) / 400.0 - 1.0);
                let y = half_y * (f64::from(k / 800) / 250.0 - 1.0);
                if let Some([_, latitude]) = projection.unproject(x, y) {
                    all += 1;
                    north += i32::from(latitude > PI / 6.0);
                }
            }
            let share = f64::from(north) / f64::from(all);
            assert!((share - 0.25).abs() < 0.004, "{projection:?} {share}");
        }
    }
}
