//! Where a terrain lies on the square map of Mercator, and which tiles it covers.

use std::f64::consts::PI;

use landform::{Topology, math};

use super::{SIDE, Tile};
use crate::store::Layout;

/// Radius of the sphere of the map in metres.
const RADIUS: f64 = 6_378_137.0;
/// Half of the map's side in metres.
const HALF: f64 = PI * RADIUS;
/// The finest zoom that viewers take.
const FINEST: u8 = 22;

/// A terrain on the map. Map coordinates are shares of the side, from the north-western corner.
pub(super) struct MercatorFrame {
    topology: Topology,
    /// First sample, samples, spacing and width of the whole ground, along x and z.
    origin: [f64; 2],
    size: [u32; 2],
    spacing: [f64; 2],
    ground: [f64; 2],
}

impl MercatorFrame {
    pub(super) fn of(layout: &Layout) -> Self {
        Self {
            topology: layout.topology,
            origin: layout.origin.map(f64::from),
            size: layout.size,
            spacing: layout.spacing,
            ground: layout.lattice().ground(),
        }
    }

    /// The ground at a place of the map, as column and row of level 0; they may lie beyond the samples.
    pub(super) fn sample(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        let metres = match self.topology {
            Topology::Sphere => {
                // The latitude from which Mercator's law gives v.
                let latitude = math::atan(sinh(PI * (1.0 - 2.0 * v)));
                [u * self.ground[0], (0.5 - latitude / PI) * self.ground[1]]
            }
            _ => {
                let east = (2.0 * u - 1.0) * HALF + self.ground[0] / 2.0;
                let south = (2.0 * v - 1.0) * HALF + self.ground[1] / 2.0;
                [east, south]
            }
        };
        [0, 1].map(|axis| metres[axis] / self.spacing[axis] - self.origin[axis])
    }

    /// The rectangle of the map that the samples cover: west, north, east, south.
    fn rectangle(&self) -> [f64; 4] {
        let end = |axis: usize| self.origin[axis] + f64::from(self.size[axis] - 1);
        let (first, last) = (self.origin, [end(0), end(1)]);
        let map = |axis: usize, at: f64| {
            let metres = at * self.spacing[axis];
            match (self.topology, axis) {
                (Topology::Sphere, 0) => metres / self.ground[0].max(1e-9),
                (Topology::Sphere, _) => {
                    let latitude = (0.5 - metres / self.ground[1].max(1e-9)) * PI;
                    let most = math::atan(sinh(PI));
                    (1.0 - asinh(math::tan(latitude.clamp(-most, most))) / PI) / 2.0
                }
                _ => ((metres - self.ground[axis] / 2.0) / HALF + 1.0) / 2.0,
            }
        };
        let corner = |at: [f64; 2]| [0, 1].map(|axis| map(axis, at[axis]).clamp(0.0, 1.0));
        let ([west, north], [east, south]) = (corner(first), corner(last));
        [west, north, east, south]
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

fn sinh(x: f64) -> f64 {
    (math::exp(x) - math::exp(-x)) / 2.0
}

fn asinh(x: f64) -> f64 {
    let size = math::ln(x.abs() + (x * x + 1.0).sqrt());
    if x < 0.0 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(topology: Topology, size: [u32; 2], spacing: [f64; 2]) -> MercatorFrame {
        let ground = [0, 1].map(|axis| f64::from(size[axis] - 1) * spacing[axis]);
        MercatorFrame { topology, origin: [0.0; 2], size, spacing, ground }
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
