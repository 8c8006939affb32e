//! Projected coordinates to degrees of WGS 84 and back, for the systems that elevation models come in.
//!
//! | file | projection |
//! | --- | --- |
//! | [`transverse_mercator`] | UTM, and most systems of single countries |
//! | [`conic`] | Lambert's and Albers' |
//! | [`azimuthal`] | Lambert's of equal area, and the stereographic around a pole |
//! | [`ellipsoid`] | the latitudes that they share, and Mercator |
//!
//! They are written here and not taken from a library because files are the same bytes on every machine: their functions are those of
//! [`landform::math`]. Datums that move with a continent (ETRS89, NAD83, GDA2020 …) count as WGS 84, from which they are up to two metres
//! away, as other programs count them that have no grids of corrections. Systems on older datums, a hundred metres away, are not known. The tests compare with PROJ.

mod azimuthal;
mod conic;
mod ellipsoid;
mod transverse_mercator;

use landform::Crs;

use crate::{Error, Result};
use azimuthal::{EqualArea, PolarStereographic};
use conic::{Conic, Kept};
use ellipsoid::WGS_84;
use transverse_mercator::TransverseMercator;

/// A projected coordinate system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Projection {
    method: Method,
    /// Central meridian in degrees.
    meridian: f64,
    /// Easting and northing of the origin.
    origin: [f64; 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Method {
    TransverseMercator(TransverseMercator),
    Conic(Conic),
    EqualArea(EqualArea),
    PolarStereographic(PolarStereographic),
    /// On the ellipsoid.
    Mercator,
    /// As if the ellipsoid were a sphere: maps on the web.
    WebMercator,
}

impl Projection {
    /// The projection of a coordinate system.
    ///
    /// # Errors
    /// If it is not known, with what to do.
    pub(crate) fn of(crs: &Crs) -> Result<Self> {
        let code = match crs {
            Crs::Projected(code) => Self::of_code(*code),
            // Heights or names come with it, but not other units: then the law is that of the code.
            Crs::Keys(keys) if keys.code(3076).is_none_or(|unit| unit == 9001) => {
                keys.code(3072).and_then(Self::of_code)
            }
            _ => None,
        };
        code.ok_or_else(|| Error::CoordinateSystem { system: crs.to_string() })
    }

    fn transverse(latitude: f64, meridian: f64, scale: f64, origin: [f64; 2]) -> Self {
        let law = TransverseMercator::new(latitude.to_radians(), scale);
        Self { method: Method::TransverseMercator(law), meridian, origin }
    }

    fn utm(zone: u16, is_south: bool) -> Self {
        let north = if is_south { 10_000_000.0 } else { 0.0 };
        Self::transverse(0.0, f64::from(zone) * 6.0 - 183.0, 0.9996, [500_000.0, north])
    }

    fn conic(
        kept: Kept,
        [latitude, meridian]: [f64; 2],
        parallels: [f64; 2],
        origin: [f64; 2],
    ) -> Self {
        let law = Conic::new(kept, latitude.to_radians(), parallels.map(f64::to_radians));
        Self { method: Method::Conic(law), meridian, origin }
    }

    fn polar(parallel: f64, meridian: f64) -> Self {
        let law = PolarStereographic::new(parallel.to_radians());
        Self { method: Method::PolarStereographic(law), meridian, origin: [0.0; 2] }
    }

    /// The projection of an EPSG code, if it is known.
    fn of_code(code: u16) -> Option<Self> {
        use Kept::{Angles, Areas};
        Self::of_utm(code).or_else(|| {
            Some(match code {
                3857 => Self { method: Method::WebMercator, meridian: 0.0, origin: [0.0; 2] },
                3395 => Self { method: Method::Mercator, meridian: 0.0, origin: [0.0; 2] },
                // New Zealand, Sweden, Finland, Poland, Portugal, Slovenia, Croatia, Lithuania, Latvia.
                2193 => Self::transverse(0.0, 173.0, 0.9996, [1_600_000.0, 10_000_000.0]),
                3006 => Self::transverse(0.0, 15.0, 0.9996, [500_000.0, 0.0]),
                3067 => Self::transverse(0.0, 27.0, 0.9996, [500_000.0, 0.0]),
                2180 => Self::transverse(0.0, 19.0, 0.9993, [500_000.0, -5_300_000.0]),
                3763 => {
                    Self::transverse(39.668_258_333_333_33, -8.133_108_333_333_334, 1.0, [0.0; 2])
                }
                3794 => Self::transverse(0.0, 15.0, 0.9999, [500_000.0, -5_000_000.0]),
                3765 => Self::transverse(0.0, 16.5, 0.9999, [500_000.0, 0.0]),
                3346 => Self::transverse(0.0, 24.0, 0.9998, [500_000.0, 0.0]),
                3059 => Self::transverse(0.0, 24.0, 0.9996, [500_000.0, -6_000_000.0]),
                // Japan, JGD2000 and JGD2011.
                2443..=2461 => Self::japan(code - 2443),
                6669..=6687 => Self::japan(code - 6669),
                // France, and its nine zones; Europe; Belgium; Estonia; Canada.
                2154 => Self::conic(Angles, [46.5, 3.0], [49.0, 44.0], [700_000.0, 6_600_000.0]),
                3942..=3950 => {
                    let latitude = f64::from(code - 3900);
                    let north = f64::from(code - 3941) * 1e6 + 200_000.0;
                    let parallels = [latitude - 0.75, latitude + 0.75];
                    Self::conic(Angles, [latitude, 3.0], parallels, [1_700_000.0, north])
                }
                3034 => Self::conic(Angles, [52.0, 10.0], [35.0, 65.0], [4e6, 2_800_000.0]),
                3812 => {
                    let (middle, thirds) = ([50.797_815, 4.359_215_833_333_333], 1.0 / 6.0);
                    let parallels = [50.0 - thirds, 51.0 + thirds];
                    Self::conic(Angles, middle, parallels, [649_328.0, 665_262.0])
                }
                3301 => {
                    let middle = [57.517_553_930_555_56, 24.0];
                    Self::conic(Angles, middle, [59.0 + 1.0 / 3.0, 58.0], [500_000.0, 6_375_000.0])
                }
                3978 | 3979 => Self::conic(Angles, [49.0, -95.0], [49.0, 77.0], [0.0; 2]),
                // The United States, Alaska, British Columbia, Australia.
                5070 | 6350 => Self::conic(Areas, [23.0, -96.0], [29.5, 45.5], [0.0; 2]),
                3338 => Self::conic(Areas, [50.0, -154.0], [55.0, 65.0], [0.0; 2]),
                3005 => Self::conic(Areas, [45.0, -126.0], [50.0, 58.5], [1_000_000.0, 0.0]),
                3577 => Self::conic(Areas, [0.0, 132.0], [-18.0, -36.0], [0.0; 2]),
                3035 => {
                    let law = EqualArea::new(52_f64.to_radians());
                    let origin = [4_321_000.0, 3_210_000.0];
                    Self { method: Method::EqualArea(law), meridian: 10.0, origin }
                }
                3413 => Self::polar(70.0, -45.0),
                3995 => Self::polar(71.0, 0.0),
                3031 => Self::polar(-71.0, 0.0),
                3976 => Self::polar(-70.0, 0.0),
                _ => return None,
            })
        })
    }

    /// The zones of UTM, on the datums of all continents.
    fn of_utm(code: u16) -> Option<Self> {
        let (zone, is_south) = match code {
            32601..=32660 => (code - 32600, false),
            32701..=32760 => (code - 32700, true),
            // ETRS89; NAD83 and its realisation of 2011; Canada; GDA94 and GDA2020; SIRGAS 2000.
            25828..=25838 => (code - 25800, false),
            26901..=26923 => (code - 26900, false),
            6330..=6348 => (code - 6329, false),
            2955..=2957 => (code - 2944, false),
            2958..=2962 => (code - 2941, false),
            28348..=28358 => (code - 28300, true),
            7846..=7859 => (code - 7800, true),
            31965..=31976 => (code - 31954, false),
            31977..=31985 => (code - 31960, true),
            _ => return None,
        };
        Some(Self::utm(zone, is_south))
    }

    /// A zone of the Japanese plane rectangular system, from 0.
    fn japan(zone: u16) -> Self {
        const ORIGINS: [[f64; 2]; 19] = [
            [33.0, 129.5],
            [33.0, 131.0],
            [36.0, 132.0 + 1.0 / 6.0],
            [33.0, 133.5],
            [36.0, 134.0 + 1.0 / 3.0],
            [36.0, 136.0],
            [36.0, 137.0 + 1.0 / 6.0],
            [36.0, 138.5],
            [36.0, 139.0 + 5.0 / 6.0],
            [40.0, 140.0 + 5.0 / 6.0],
            [44.0, 140.25],
            [44.0, 142.25],
            [44.0, 144.25],
            [26.0, 142.0],
            [26.0, 127.5],
            [26.0, 124.0],
            [26.0, 131.0],
            [20.0, 136.0],
            [26.0, 154.0],
        ];
        let [latitude, meridian] = ORIGINS[usize::from(zone)];
        Self::transverse(latitude, meridian, 0.9999, [0.0; 2])
    }

    /// Longitude and latitude in degrees of an easting and a northing.
    pub(crate) fn degrees_of(&self, at: [f64; 2]) -> [f64; 2] {
        let at = [0, 1].map(|axis| at[axis] - self.origin[axis]);
        let [longitude, latitude] = match &self.method {
            Method::TransverseMercator(law) => law.inverse(at),
            Method::Conic(law) => law.inverse(at),
            Method::EqualArea(law) => law.inverse(at),
            Method::PolarStereographic(law) => law.inverse(at),
            Method::Mercator => [at[0] / WGS_84.a, WGS_84.of_isometric(at[1] / WGS_84.a)],
            Method::WebMercator => {
                let [east, north] = at.map(|metres| metres / WGS_84.a);
                [east, landform::math::atan(landform::math::sinh(north))]
            }
        };
        let longitude = longitude.to_degrees() + self.meridian;
        let turns = ((longitude + 180.0) / 360.0).floor();
        let longitude = if longitude == 180.0 { longitude } else { longitude - 360.0 * turns };
        [longitude, latitude.to_degrees()]
    }

    /// Easting and northing of a longitude and a latitude in degrees.
    pub(crate) fn of_degrees(&self, [longitude, latitude]: [f64; 2]) -> [f64; 2] {
        let from = longitude - self.meridian;
        let from = from - 360.0 * (from / 360.0).round();
        let at = [from.to_radians(), latitude.to_radians()];
        let at = match &self.method {
            Method::TransverseMercator(law) => law.forward(at),
            Method::Conic(law) => law.forward(at),
            Method::EqualArea(law) => law.forward(at),
            Method::PolarStereographic(law) => law.forward(at),
            Method::Mercator => [at[0] * WGS_84.a, WGS_84.isometric(at[1]) * WGS_84.a],
            Method::WebMercator => {
                let north = landform::math::asinh(landform::math::tan(at[1]));
                [at[0] * WGS_84.a, north * WGS_84.a]
            }
        };
        [0, 1].map(|axis| at[axis] + self.origin[axis])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Code, longitude and latitude, easting and northing by PROJ 9.
    const BY_PROJ: &[(u16, [f64; 2], [f64; 2])] = &[
        (32632, [8.22, 59.64], [456_022.268_6, 6_611_578.216_3]),
        (32733, [14.22, -23.2], [420_180.950_3, 7_434_125.972_1]),
        (25833, [14.2237, 69.7362], [469_994.113_9, 7_736_645.983_8]),
        (26910, [-123.7763, 66.9346], [466_061.246_3, 7_424_301.067_5]),
        (6339, [-123.7763, 43.7105], [437_458.917_0, 4_840_012.312_5]),
        (2955, [-117.78, 73.4921], [475_261.968_0, 8_155_537.744_8]),
        (2957, [-105.78, 73.8471], [475_779.357_1, 8_195_138.499_4]),
        (2958, [-81.78, 71.7243], [472_700.301_7, 7_958_357.376_1]),
        (2962, [-57.78, 70.8224], [471_403.414_1, 7_857_773.122_3]),
        (28355, [146.2237, -21.3114], [419_486.762_5, 7_643_189.997_9]),
        (7855, [146.2237, -21.3114], [419_486.762_5, 7_643_189.997_9]),
        (31965, [-117.78, 27.5841], [423_014.634_5, 3_051_375.045_0]),
        (31976, [-51.7763, 6.5604], [414_176.559_0, 725_219.483_2]),
        (31983, [-45.78, -6.0727], [413_686.721_9, 9_328_696.849_5]),
        (2193, [170.9062, -37.9367], [1_416_001.958_3, 5_799_140.771_8]),
        (3006, [15.2618, 64.9781], [512_355.692_7, 7_206_039.452_6]),
        (3067, [23.7087, 66.8275], [355_530.030_5, 7_415_966.579_4]),
        (2180, [17.8437, 53.9203], [424_084.724_3, 673_480.289_1]),
        (3763, [-8.3131, 40.6491], [-15_223.663_9, 108_925.968_3]),
        (3794, [14.5751, 46.4566], [467_360.910_7, 146_412.696_0]),
        (3765, [15.65, 45.322], [433_363.325_3, 5_020_579.236_0]),
        (3346, [21.906, 55.7076], [368_401.847_7, 6_176_759.358_4]),
        (3059, [22.4566, 57.3882], [407_224.838_0, 361_652.537_0]),
        (2443, [129.0173, 32.4838], [-45_366.404_2, -57_138.158_7]),
        (2444, [130.6073, 32.8851], [-36_743.016_0, -12_673.162_6]),
        (2445, [131.8016, 35.6086], [-33_074.399_8, -43_362.241_4]),
        (2446, [133.0082, 33.9396], [-45_462.635_4, 104_312.236_4]),
        (2447, [133.9958, 35.2518], [-30_715.099_1, -82_953.831_1]),
        (2448, [135.6481, 35.4803], [-31_932.339_0, -57_600.210_7]),
        (2449, [136.8194, 36.6897], [-31_032.891_6, 76_581.380_2]),
        (2450, [138.2783, 37.4084], [-19_625.893_4, 156_300.576_0]),
        (2451, [139.4027, 35.4657], [-39_083.915_4, -59_191.604_2]),
        (2452, [140.4705, 40.4635], [-30_770.188_8, 51_524.699_6]),
        (2453, [140.1244, 42.8168], [-10_270.893_5, -131_433.551_3]),
        (2454, [141.8964, 44.5569], [-28_091.482_4, 61_936.066_6]),
        (2455, [143.8162, 43.6663], [-34_984.378_8, -36_981.917_2]),
        (2456, [141.6181, 26.8923], [-37_937.860_0, 98_909.577_2]),
        (2457, [127.2849, 26.6519], [-21_412.960_6, 72_236.774_4]),
        (2458, [123.8216, 24.6616], [-18_056.722_6, -148_238.542_2]),
        (2459, [131.2162, 25.5431], [21_726.353_2, -50_594.704_7]),
        (2460, [136.0718, 20.4481], [7491.4229, 49_604.531_4]),
        (2461, [153.9618, 24.3123], [-3877.0927, -186_936.192_7]),
        (6669, [129.0173, 32.4838], [-45_366.404_2, -57_138.158_7]),
        (6687, [153.9618, 24.3123], [-3877.0927, -186_936.192_7]),
        (2154, [-2.3712, 48.5411], [303_814.615_0, 6_840_242.957_9]),
        (3942, [2.8953, 42.5596], [1_691_402.270_0, 1_262_160.581_8]),
        (3950, [1.7107, 50.5194], [1_608_570.969_3, 9_258_558.885_3]),
        (3034, [-5.8283, 67.2923], [3_313_687.161_7, 4_546_554.699_2]),
        (3812, [3.943, 50.9271], [620_066.175_9, 679_725.723_5]),
        (3301, [23.2671, 59.2808], [458_221.091_3, 6_571_623.313_9]),
        (3978, [-103.9064, 72.4675], [-292_866.747_1, 2_576_319.142_8]),
        (5070, [-103.3744, 42.1387], [-604_852.899_1, 2_149_905.944_2]),
        (3338, [-166.2717, 65.571], [-563_943.947_5, 1_786_937.564_6]),
        (3005, [-129.8048, 56.5996], [766_880.280_9, 1_296_026.346_2]),
        (3577, [127.9608, -19.6736], [-421_832.310_1, -2_114_480.521_9]),
        (3035, [-5.8283, 67.2923], [3_639_695.039_8, 4_986_681.967_3]),
        (3413, [-180.0, 81.3], [-667_642.767_5, 667_642.767_5]),
        (3995, [-180.0, 81.3], [-0.0000, 947_023.240_0]),
        (3031, [-180.0, -68.7], [-0.0000, -2_340_246.812_7]),
        (3976, [-180.0, -68.7], [-0.0000, -2_333_244.078_1]),
        (3857, [37.4, 35.7], [4_163_348.955_7, 4_259_419.965_5]),
        (3395, [37.4, 35.7], [4_163_348.955_7, 4_234_485.155_5]),
    ];

    #[test]
    fn coordinates_are_those_of_proj_and_lead_back() {
        for &(code, degrees, metres) in BY_PROJ {
            let projection = Projection::of_code(code).unwrap();
            let found = projection.of_degrees(degrees);
            let off = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).abs().max((a[1] - b[1]).abs());
            assert!(off(found, metres) < 1e-3, "EPSG:{code}: {found:?}, not {metres:?}");
            let mut back = projection.degrees_of(found);
            // The antimeridian has two names.
            back[0] -= 360.0 * ((back[0] - degrees[0]) / 360.0).round();
            assert!(off(back, degrees) < 1e-10, "EPSG:{code}: {back:?}, not {degrees:?}");
        }
    }

    #[test]
    fn an_unknown_system_is_an_error_that_says_what_to_do() {
        let error = Projection::of(&Crs::Projected(5514)).unwrap_err().to_string();
        assert!(error.contains("EPSG:5514") && error.contains(".fgb"), "{error}");
    }
}
