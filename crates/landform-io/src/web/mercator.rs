//! Where a terrain lies on the square map of Mercator, and which tiles it covers.

use std::f64::consts::PI;

use landform::{Topology, math};

use super::{SIDE, Tile};
use crate::geographic::Coordinates;
use crate::store::Layout;

/// Radius of the sphere of the map in metres.
const RADIUS: f64 = 6_378_137.0;
/// Half of the map's side in metres.
const HALF: f64 = PI * RADIUS;
/// The finest zoom that viewers take.
const FINEST: u8 = 22;

/// Points along a side of ground by which its rectangle is found: sides are curves on the map.
const BORDER: u32 = 64;

/// A terrain on the map. Map coordinates are shares of the side, from the north-western corner.
pub(super) struct MercatorFrame {
    lie: Lie,
    /// First sample, samples, spacing and width of the whole ground, along x and z.
    origin: [f64; 2],
    size: [u32; 2],
    spacing: [f64; 2],
    ground: [f64; 2],
}

/// How ground lies on the map.
enum Lie {
    /// A planet, by longitude and latitude.
    Planet,
    /// Around the place where the equator meets the prime meridian, where a metre of the map is a metre.
    Middle,
    /// Where it lies on the Earth. Longitudes of the ground are so many degrees more than those of the map.
    Earth { coordinates: Box<Coordinates>, turn: f64 },
}

impl MercatorFrame {
    pub(super) fn of(layout: &Layout) -> Self {
        let lie = match layout.topology {
            Topology::Sphere => Lie::Planet,
            Topology::Plane => Lie::on_earth(layout).unwrap_or(Lie::Middle),
            Topology::Cylinder | Topology::Torus => Lie::Middle,
        };
        Self {
            lie,
            origin: layout.origin.map(f64::from),
            size: layout.size,
            spacing: layout.spacing,
            ground: layout.lattice().ground(),
        }
    }

    /// Whether columns of samples depend on the column of the map alone, and rows on its row.
    pub(super) fn is_separable(&self) -> bool {
        !matches!(self.lie, Lie::Earth { .. })
    }

    /// The ground at a place of the map, as column and row of level 0; they may lie beyond the samples.
    pub(super) fn sample(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        // The latitude from which Mercator's law gives v.
        let latitude = || math::atan(sinh(PI * (1.0 - 2.0 * v)));
        let metres = match &self.lie {
            Lie::Planet => [u * self.ground[0], (0.5 - latitude() / PI) * self.ground[1]],
            Lie::Middle => {
                let east = (2.0 * u - 1.0) * HALF + self.ground[0] / 2.0;
                let south = (2.0 * v - 1.0) * HALF + self.ground[1] / 2.0;
                [east, south]
            }
            Lie::Earth { coordinates, turn } => {
                coordinates.on_map([360.0 * u - 180.0 + turn, latitude().to_degrees()])
            }
        };
        [0, 1].map(|axis| metres[axis] / self.spacing[axis] - self.origin[axis])
    }

    /// The rectangle of the map that the samples cover: west, north, east, south.
    fn rectangle(&self) -> [f64; 4] {
        let along = |axis: usize, share: f64| {
            (self.origin[axis] + share * f64::from(self.size[axis] - 1)) * self.spacing[axis]
        };
        let places = match &self.lie {
            Lie::Earth { coordinates, turn } => {
                let first = coordinates.of_map([along(0, 0.0), along(1, 0.0)])[0];
                let on_side = |k: u32| f64::from(k) / f64::from(BORDER);
                let shares = (0..=BORDER).flat_map(|k| {
                    [[on_side(k), 0.0], [on_side(k), 1.0], [0.0, on_side(k)], [1.0, on_side(k)]]
                });
                let place = |[x, z]: [f64; 2]| {
                    let [east, north] = coordinates.of_map([along(0, x), along(1, z)]);
                    let east = east - 360.0 * ((east - first) / 360.0).round() - turn;
                    [east / 360.0 + 0.5, share_of_latitude(north.to_radians())]
                };
                shares.map(place).collect()
            }
            Lie::Planet => {
                let place = |share: f64| {
                    let [x, z] =
                        [0, 1].map(|axis| along(axis, share) / self.ground[axis].max(1e-9));
                    [x, share_of_latitude((0.5 - z) * PI)]
                };
                vec![place(0.0), place(1.0)]
            }
            Lie::Middle => {
                let place = |share: f64| {
                    [0, 1].map(|axis| {
                        ((along(axis, share) - self.ground[axis] / 2.0) / HALF + 1.0) / 2.0
                    })
                };
                vec![place(0.0), place(1.0)]
            }
        };
        let end = |axis: usize, of: fn(f64, f64) -> f64, start: f64| {
            places.iter().map(|place| place[axis]).fold(start, of).clamp(0.0, 1.0)
        };
        let (least, most) = (f64::INFINITY, f64::NEG_INFINITY);
        [
            end(0, f64::min, least),
            end(1, f64::min, least),
            end(0, f64::max, most),
            end(1, f64::max, most),
        ]
    }

    /// West, south, east and north in degrees.
    pub(super) fn bounds(&self) -> [f64; 4] {
        let [west, north, east, south] = self.rectangle();
        let longitude = |u: f64| 360.0 * u - 180.0;
        let latitude = |v: f64| math::atan(sinh(PI * (1.0 - 2.0 * v))).to_degrees();
        [longitude(west), latitude(south), longitude(east), latitude(north)]
    }

    /// The zoom at which a pixel is no larger than a sample.
    pub(super) fn most_zoom(&self) -> u8 {
        let [west, _, east, _] = self.rectangle();
        let samples = f64::from(self.size[0].max(2) - 1);
        let pixels_of_map = samples / (east - west).max(1e-12);
        (0..FINEST).find(|&zoom| (SIDE << zoom) as f64 >= pixels_of_map).unwrap_or(FINEST)
    }

    /// The zoom at which a tile or two show all.
    pub(super) fn least_zoom(&self) -> u8 {
        let [west, north, east, south] = self.rectangle();
        let side = (east - west).max(south - north).max(1e-12);
        let fits = |zoom: &u8| side * f64::from(1_u32 << zoom) <= 1.0;
        (0..=self.most_zoom()).rev().find(fits).unwrap_or(0)
    }

    /// All tiles that show some of it, zoom by zoom.
    pub(super) fn tiles(&self) -> Vec<Tile> {
        let [west, north, east, south] = self.rectangle();
        let mut tiles = Vec::new();
        for zoom in self.least_zoom()..=self.most_zoom() {
            let count = 1_u32 << zoom;
            let at = |share: f64| ((share * f64::from(count)) as u32).min(count - 1);
            for y in at(north)..=at(south) {
                for x in at(west)..=at(east) {
                    tiles.push(Tile { zoom, x, y });
                }
            }
        }
        tiles
    }
}

impl Lie {
    /// That of ground whose place on the Earth is known by longitude and latitude.
    fn on_earth(layout: &Layout) -> Option<Self> {
        let coordinates = Coordinates::degrees(layout.place.as_ref()).ok()?;
        let coordinates = Some(coordinates).filter(Coordinates::is_degrees)?;
        let first = [0, 1].map(|axis| f64::from(layout.origin[axis]) * layout.spacing[axis]);
        let [east, _] = coordinates.of_map(first);
        let turn = 360.0 * ((east + 180.0) / 360.0).floor();
        Some(Self::Earth { coordinates: Box::new(coordinates), turn })
    }
}

/// The share of the map's side above a latitude in radians; the map ends at 85°.
fn share_of_latitude(latitude: f64) -> f64 {
    let most = math::atan(sinh(PI));
    (1.0 - asinh(math::tan(latitude.clamp(-most, most))) / PI) / 2.0
}

fn sinh(x: f64) -> f64 {
    (math::exp(x) - math::exp(-x)) / 2.0
}

fn asinh(x: f64) -> f64 {
    let size = math::ln(x.abs() + (x * x + 1.0).sqrt());
    if x < 0.0 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use landform::{Crs, Georeference};

    use super::*;

    fn place(topology: Topology, size: [u32; 2], spacing: [f64; 2]) -> MercatorFrame {
        let ground = [0, 1].map(|axis| f64::from(size[axis] - 1) * spacing[axis]);
        let lie = if topology == Topology::Sphere { Lie::Planet } else { Lie::Middle };
        MercatorFrame { lie, origin: [0.0; 2], size, spacing, ground }
    }

    /// Ground of 6 km by 4.8 km, a part of a map that may be turned.
    fn earth(place: &Georeference) -> MercatorFrame {
        let coordinates = Box::new(Coordinates::degrees(Some(place)).unwrap());
        let turn = 0.0;
        MercatorFrame {
            lie: Lie::Earth { coordinates, turn },
            origin: [10.0, 20.0],
            size: [201, 161],
            spacing: [30.0; 2],
            ground: [9000.0; 2],
        }
    }

    #[test]
    fn ground_lies_where_its_place_on_the_earth_is() {
        let utm = Georeference::metres(Crs::Projected(32632), [456_022.268_6, 6_611_578.216_3]);
        let turned = Georeference { x_axis: [0.8, 0.6], z_axis: [0.6, -0.8], ..utm.clone() };
        for place in [utm, turned] {
            let frame = earth(&place);
            let [west, north, east, south] = frame.rectangle();
            for [column, row] in [[0.0, 0.0], [200.0, 0.0], [77.0, 33.0], [200.0, 160.0]] {
                let Lie::Earth { coordinates, .. } = &frame.lie else {
                    panic!("it lies on the Earth")
                };
                let [longitude, latitude] =
                    coordinates.of_map([30.0 * (10.0 + column), 30.0 * (20.0 + row)]);
                let at = [longitude / 360.0 + 0.5, share_of_latitude(latitude.to_radians())];
                let [i, j] = frame.sample(at);
                assert!((i - column).abs() < 1e-3 && (j - row).abs() < 1e-3, "{i} {j}");
                assert!((west - 1e-12..=east + 1e-12).contains(&at[0]), "{at:?}");
                assert!((north - 1e-12..=south + 1e-12).contains(&at[1]), "{at:?}");
            }
            // By PROJ, the origin of the whole map lies at 8.22° and 59.64°, half a kilometre away.
            let [west, south, east, north] = frame.bounds();
            assert!(8.1 < west && east < 8.4 && 59.5 < south && north < 59.7, "{west} {south}");
        }
    }

    #[test]
    fn ground_lies_around_the_middle_of_the_map() {
        let place = place(Topology::Plane, [1001, 501], [30.0, 30.0]);
        let [x, z] = place.sample([0.5, 0.5]);
        assert!((x - 500.0).abs() < 1e-6 && (z - 250.0).abs() < 1e-6);
        // 30 m: finer than zoom 12 (38 m at the equator), coarser than zoom 13.
        assert_eq!(place.most_zoom(), 13);
        // 30 km across the corner of four tiles of 40 km.
        let tiles = place.tiles();
        assert_eq!(tiles.iter().filter(|tile| tile.zoom == place.least_zoom()).count(), 4);
        let [west, south, east, north] = place.bounds();
        assert!((west + east).abs() < 1e-9 && (south + north).abs() < 1e-9 && east > 0.13);
    }

    #[test]
    fn a_planet_fills_the_map_up_to_85_degrees() {
        let place = place(Topology::Sphere, [721, 361], [1000.0, 1000.0]);
        let [x, z] = place.sample([0.25, 0.0]);
        assert!((x - 180.0).abs() < 1e-9);
        assert!((90.0 - z / 2.0 - 85.051_128_8).abs() < 1e-6);
        assert_eq!((place.least_zoom(), place.most_zoom()), (0, 2));
        assert_eq!(place.tiles().len(), 1 + 4 + 16);
        let [west, south, east, north] = place.bounds();
        assert_eq!((west, east), (-180.0, 180.0));
        assert!((north - 85.051_128_8).abs() < 1e-6 && (south + north).abs() < 1e-9);
    }
}
