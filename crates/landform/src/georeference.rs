//! Where a terrain lies on the Earth, or on its planet: a coordinate system, and how metres on the map become coordinates of it.
//!
//! ```text
//! (east, north) = origin + x·x_axis + z·z_axis        x, z in metres on the map
//! ```
//!
//! One law serves metres, feet, degrees and maps that are turned. The coordinates are those of the system in the order of maps, east
//! first.

use serde::{Deserialize, Serialize};

/// Where a terrain lies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Georeference {
    /// The coordinate system.
    pub crs: Crs,
    /// Easting and northing of the first sample of the whole terrain.
    pub origin: [f64; 2],
    /// What a metre to the east on the map adds to them.
    pub x_axis: [f64; 2],
    /// What a metre to the south on the map adds to them.
    pub z_axis: [f64; 2],
}

/// A coordinate system.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Crs {
    /// None that is known: metres from somewhere.
    #[default]
    Local,
    /// A projected system in metres, by its EPSG code.
    Projected(u16),
    /// Degrees of longitude and latitude, by the EPSG code of the system.
    Geographic(u16),
    /// One that takes more than a code to say, as a GeoTIFF says it.
    Keys(GeoKeys),
}

/// The keys of a GeoTIFF, as they stand in the file (OGC 19-008r4, 7.1).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GeoKeys {
    /// The directory: four numbers a key, after four of a header.
    pub directory: Vec<u16>,
    /// Numbers that it refers to.
    #[serde(default)]
    pub numbers: Vec<f64>,
    /// Text that it refers to.
    #[serde(default)]
    pub text: String,
}

/// A georeference, and the ground that it was told for.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// Where that ground lies.
    pub place: Georeference,
    /// Its width and depth in metres.
    pub ground: [f64; 2],
}

/// Ground that differs by more than this share from that of a georeference is another one.
const TOLERANCE: f64 = 0.01;

impl Georeference {
    /// Metres from an origin.
    pub fn metres(crs: Crs, origin: [f64; 2]) -> Self {
        Self { crs, origin, x_axis: [1.0, 0.0], z_axis: [0.0, -1.0] }
    }

    /// A map of a whole planet of this width and depth in metres, in degrees as on the Earth (EPSG:4326).
    pub fn planet([width, depth]: [f64; 2]) -> Self {
        Self {
            crs: Crs::Geographic(4326),
            origin: [-180.0, 90.0],
            x_axis: [360.0 / width, 0.0],
            z_axis: [0.0, -180.0 / depth],
        }
    }

    /// The coordinates of a place on the map.
    pub fn of_place(&self, [x, z]: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| self.origin[axis] + (x * self.x_axis[axis] + z * self.z_axis[axis]))
    }

    /// The place on the map that has these coordinates.
    pub fn place_of(&self, coordinates: [f64; 2]) -> [f64; 2] {
        let ([a, c], [b, d]) = (self.x_axis, self.z_axis);
        let [e, n] = [0, 1].map(|axis| coordinates[axis] - self.origin[axis]);
        let size = a * d - b * c;
        [(d * e - b * n) / size, (a * n - c * e) / size]
    }

    /// The same for a terrain whose first sample lies at this place on the map.
    pub fn moved(&self, place: [f64; 2]) -> Self {
        Self { origin: self.of_place(place), ..self.clone() }
    }

    /// Whether the numbers say where a place is.
    pub fn is_sound(&self) -> bool {
        let ([a, c], [b, d]) = (self.x_axis, self.z_axis);
        let size = a * d - b * c;
        size.is_finite() && size != 0.0 && self.origin.iter().all(|at| at.is_finite())
    }

    /// Whether columns run to the north and rows to the east, as most programs want it.
    pub fn is_north_up(&self) -> bool {
        let is_straight = self.x_axis[1] == 0.0 && self.z_axis[0] == 0.0;
        is_straight && self.x_axis[0] > 0.0 && self.z_axis[1] < 0.0
    }
}

impl Crs {
    /// The EPSG code, if there is one.
    pub fn epsg(&self) -> Option<u16> {
        match self {
            Self::Local => None,
            Self::Projected(code) | Self::Geographic(code) => Some(*code),
            Self::Keys(keys) => {
                [3072, 2048].into_iter().find_map(|key| keys.code(key)).filter(|code| *code < 32767)
            }
        }
    }

    /// Whether its coordinates are degrees.
    pub fn is_degrees(&self) -> bool {
        match self {
            Self::Local | Self::Projected(_) => false,
            Self::Geographic(_) => true,
            Self::Keys(keys) => keys.code(1024) == Some(2),
        }
    }
}

impl std::fmt::Display for Crs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self, self.epsg()) {
            (_, Some(code)) => write!(f, "EPSG:{code}"),
            (Self::Local, None) => f.write_str("a local system in metres"),
            (_, None) => f.write_str("a system without an EPSG code"),
        }
    }
}

impl GeoKeys {
    /// The value of a key that stands in the directory itself.
    pub fn code(&self, key: u16) -> Option<u16> {
        let mut keys = self.directory.get(4..).unwrap_or_default().chunks_exact(4);
        keys.find(|entry| entry[0] == key && entry[1] == 0).map(|entry| entry[3])
    }
}

impl Placed {
    /// The georeference of the same place with another width and depth, unless that is another ground.
    pub fn on(&self, ground: [f64; 2]) -> Option<Georeference> {
        let scale = [0, 1].map(|axis| match (self.ground[axis], ground[axis]) {
            (told, asked) if told > 0.0 && asked > 0.0 => told / asked,
            _ => 1.0,
        });
        let is_same = scale.iter().all(|scale| (scale - 1.0).abs() <= TOLERANCE);
        let place = &self.place;
        is_same.then(|| Georeference {
            x_axis: place.x_axis.map(|part| part * scale[0]),
            z_axis: place.z_axis.map(|part| part * scale[1]),
            ..place.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_back_on_maps_that_are_turned() {
        let turned = Georeference {
            crs: Crs::Projected(32632),
            origin: [500_000.0, 5_400_000.0],
            x_axis: [0.8, 0.6],
            z_axis: [0.6, -0.8],
        };
        let [x, z] = turned.place_of(turned.of_place([120.0, 45.0]));
        assert!((x - 120.0).abs() < 1e-9 && (z - 45.0).abs() < 1e-9, "{x} {z}");
        assert!(turned.is_sound() && !turned.is_north_up());
        let moved = turned.moved([10.0, 20.0]);
        assert_eq!(moved.of_place([0.0, 0.0]), turned.of_place([10.0, 20.0]));
        let planet = Georeference::planet([4000.0, 2000.0]);
        assert_eq!(planet.of_place([4000.0, 2000.0]), [180.0, -90.0]);
    }

    #[test]
    fn other_ground_has_no_georeference() {
        let place = Georeference::metres(Crs::Local, [7.0, 8.0]);
        let placed = Placed { place, ground: [1000.0, 500.0] };
        assert_eq!(placed.on([1000.0, 500.0]).as_ref(), Some(&placed.place));
        let near = placed.on([1005.0, 500.0]).unwrap();
        assert_eq!(near.of_place([1005.0, 500.0]), placed.place.of_place([1000.0, 500.0]));
        assert_eq!(placed.on([1000.0, 1000.0]), None);
    }
}
