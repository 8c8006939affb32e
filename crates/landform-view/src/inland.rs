//! Rivers and lakes: which share of each pixel their water covers, and the level ground that lakes are.

use std::borrow::Cow;

use landform::feature::{Lake, River};
use landform::{Feature, Grid, Layer, Polygon, Terrain};

use crate::draw::{Coverage, Point};
use crate::ice_cover::raise_by_ice;

/// The thinnest river in pixels, of little and of much water.
const THINNEST: [f64; 2] = [0.6, 1.5];
/// Points of a river that are drawn with one width.
const PIECE: usize = 6;

/// The share of each pixel, 0 to 1, that is the water of rivers and lakes on a map of `terrain` with `width` × `height`
/// pixels. Nothing if there are none.
pub(crate) fn inland_water(terrain: &Terrain, width: usize, height: usize) -> Option<Grid> {
    let is_water = |feature: &Feature| matches!(feature, Feature::River(_) | Feature::Lake(_));
    if !terrain.features().iter().any(is_water) {
        return None;
    }
    let map = Map::new(terrain, width, height);
    let mut share = Grid::filled(width, height, 0.0_f32);
    let most =
        terrain.features().iter().filter_map(Feature::as_river).map(mouth).fold(0.0, f64::max);
    for feature in terrain.features() {
        match feature {
            Feature::River(river) => map.add_river(&mut share, river, most),
            Feature::Lake(lake) => map.add_lake(&mut share, lake),
            Feature::Earthwork(_) | Feature::Summit(_) => {}
        }
    }
    Some(share)
}

/// Discharge at the mouth.
fn mouth(river: &River) -> f64 {
    river.points.last().map_or(0.0, |point| point.discharge)
}

/// From metres to pixels.
struct Map {
    size: [usize; 2],
    first: [f64; 2],
    scale: [f64; 2],
    half: [f64; 2],
}

impl Map {
    fn new(terrain: &Terrain, width: usize, height: usize) -> Self {
        let extent = terrain.extent();
        let spacing = extent.lattice().spacing;
        let samples = [extent.width() as f64, extent.height() as f64];
        let size = [width, height];
        let scale = [0, 1].map(|axis| size[axis] as f64 / (samples[axis] * spacing[axis]));
        let half = spacing.map(|step| 0.5 * step);
        Self { size, first: [extent.x(0), extent.z(0)], scale, half }
    }

    fn place(&self, x: f64, z: f64) -> Point {
        let at = [x, z];
        [0, 1].map(|axis| (at[axis] - self.first[axis] + self.half[axis]) * self.scale[axis])
    }

    fn add_river(&self, share: &mut Grid, river: &River, most: f64) {
        let scale = (self.scale[0] * self.scale[1]).sqrt();
        let mut first = 0;
        while first + 1 < river.points.len() {
            let end = (first + PIECE).min(river.points.len() - 1);
            let piece = &river.points[first..=end];
            let line: Vec<Point> = piece.iter().map(|p| self.place(p.x, p.z)).collect();
            let middle = piece[piece.len() / 2];
            let size = if most > 0.0 {
                (middle.discharge / most).clamp(0.0, 1.0).sqrt().sqrt()
            } else {
                0.0
            };
            let thinnest = THINNEST[0] + (THINNEST[1] - THINNEST[0]) * size;
            let thickness = (middle.width * scale).max(thinnest);
            add(share, &Coverage::of_stroke(self.size, &line, thickness));
            first = end;
        }
    }

    fn add_lake(&self, share: &mut Grid, lake: &Lake) {
        let ring = |ring: &Vec<[f64; 2]>| ring.iter().map(|&[x, z]| self.place(x, z)).collect();
        let rings: Vec<Vec<Point>> = lake.parts.iter().flat_map(Polygon::rings).map(ring).collect();
        add(share, &Coverage::of_rings(self.size, &rings));
    }
}

fn add(share: &mut Grid, shape: &Coverage) {
    shape.for_each(|x, y, covered| {
        let old = &mut share[(x, y)];
        *old = old.max(covered);
    });
}

/// The terrain with its lakes full and its ice on it: their surface in place of the ground below.
pub(crate) fn with_lakes_and_ice(terrain: &Terrain) -> Cow<'_, Terrain> {
    let lakes = terrain.layer(&Layer::Lake).zip(terrain.layer(&Layer::WaterDepth));
    if lakes.is_none() && terrain.layer(&Layer::Ice).is_none() {
        return Cow::Borrowed(terrain);
    }
    let mut height = terrain.height().clone();
    let has_ice = raise_by_ice(terrain, &mut height);
    if lakes.is_none() && !has_ice {
        return Cow::Borrowed(terrain);
    }
    if let Some((lake, depth)) = lakes {
        for ((h, &lake), &depth) in
            height.samples_mut().iter_mut().zip(lake.samples()).zip(depth.samples())
        {
            *h += lake * depth;
        }
    }
    let mut full = terrain.clone();
    full.insert(Layer::Height, height);
    Cow::Owned(full)
}
