//! The size of the ground in nature: a terrain of another size that looks the same.
//!
//! A recipe with an `extent` is evaluated at the size that its numbers have, as a model is built, and the result is scaled. So all
//! lengths change alike, whatever laws made them: heights, depths, wavelengths, widths of rivers, the level of the sea.
//!
//! ```text
//! s = extent / ground            along x and along z; √(s_x s_z) for lengths in no direction
//! lengths · s      areas, discharges · s²      slopes, angles, shares, temperatures, rain · 1
//! ```
//!
//! A discharge is the rain of a year on an area, and the rain stays. Limits: laws that know a size in nature do not see the new one. Rain
//! wears down a hill of 20 m into the shape that a hill of 200 m would have, and the climate of a planet is that of its own size.

use crate::feature::{Earthwork, Feature, Lake, River, RiverPoint, Summit};
use crate::{Extent, Lattice, Layer, Polygon};

/// How many times as large the ground is as the numbers of its recipe say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    along: [f64; 2],
}

impl Scale {
    /// As large as the recipe says.
    pub const NATURAL: Self = Self { along: [1.0, 1.0] };

    /// Scaled by these factors along x and z.
    pub(crate) fn new(along: [f64; 2]) -> Self {
        Self { along }
    }

    /// Back from nature to the numbers of the recipe.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self { along: self.along.map(|factor| 1.0 / factor) }
    }

    /// Whether nothing changes.
    pub fn is_natural(&self) -> bool {
        *self == Self::NATURAL
    }

    /// By what a length in no direction, such as a height, is multiplied.
    pub fn length(&self) -> f64 {
        let [x, z] = self.along;
        if x == z { x } else { (x * z).sqrt() }
    }

    pub(crate) fn area(&self) -> f64 {
        self.along[0] * self.along[1]
    }

    /// Grid lines that are so much farther apart.
    pub fn lattice(&self, lattice: &Lattice) -> Lattice {
        let spacing = [0, 1].map(|axis| lattice.spacing[axis] * self.along[axis]);
        Lattice { spacing, ..*lattice }
    }

    /// The same samples on grid lines that are so much farther apart.
    pub(crate) fn extent(&self, extent: &Extent) -> Extent {
        extent.on(self.lattice(extent.lattice()))
    }

    /// Samples of a layer.
    pub(crate) fn samples(&self, layer: &Layer, samples: &mut [f32]) {
        let factor = match layer.lengths() {
            0 => return,
            1 => self.length(),
            _ => self.area(),
        };
        samples.iter_mut().for_each(|sample| *sample = (f64::from(*sample) * factor) as f32);
    }

    pub(crate) fn point(&self, [x, z]: [f64; 2]) -> [f64; 2] {
        [x * self.along[0], z * self.along[1]]
    }

    fn line(&self, points: &mut [[f64; 2]]) {
        points.iter_mut().for_each(|point| *point = self.point(*point));
    }

    /// An object on the map.
    pub fn feature(&self, feature: &mut Feature) {
        let length = self.length();
        match feature {
            Feature::River(River { points, .. }) => {
                for point in points {
                    let [x, z] = self.point([point.x, point.z]);
                    *point = RiverPoint {
                        x,
                        z,
                        bed: point.bed * length,
                        width: point.width * length,
                        depth: point.depth * length,
                        discharge: point.discharge * self.area(),
                    };
                }
            }
            Feature::Earthwork(Earthwork { outline, levels, .. }) => {
                self.line(outline);
                levels.iter_mut().for_each(|level| *level *= length);
            }
            Feature::Summit(Summit { x, z, height, radius, .. }) => {
                [*x, *z] = self.point([*x, *z]);
                *height *= length;
                *radius *= length;
            }
            Feature::Lake(Lake { parts, level, depth, area, outlet, .. }) => {
                let rings = parts.iter_mut().flat_map(Polygon::rings_mut);
                rings.for_each(|ring| self.line(ring));
                *level *= length;
                *depth *= length;
                *area *= self.area();
                *outlet = outlet.map(|point| self.point(point));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Inputs, Recipe};

    const HILLS: &str = "version = 1\nseed = 3\nsize = [65, 33]\nspacing = [30.0, 30.0]\nsea_level = 90\n\n[[stage]]\nkind = \"noise\"\namplitude = 500\n\n[[stage]]\nkind = \"hydraulic\"\nsteps = 4\n\n[[stage]]\nkind = \"smooth\"\n";

    fn with_extent(extent: &str) -> Recipe {
        let text = crate::recipe::set(HILLS, "extent", extent);
        Recipe::parse(&text.expect("it is a key")).expect("it is right")
    }

    #[test]
    fn a_tile_of_scaled_ground_is_the_same_window_of_the_whole() {
        let plan = with_extent("[700, 350]").resolve(&Inputs::default()).unwrap();
        let whole = plan.run(&plan.lattice().whole(), &()).unwrap();
        let tile = plan.lattice().window(11, 5, 20, 9).unwrap();
        assert!(plan.run(&tile, &()).unwrap() == whole.crop(&tile));
        assert_eq!(plan.lattice().ground(), [700.0, 350.0]);
        assert_eq!(
            (whole.sea_level(), plan.sea_level()),
            (90.0 * 700.0 / 1920.0, whole.sea_level())
        );
    }

    #[test]
    fn lengths_are_scaled_by_their_power() {
        let inputs = Inputs::default();
        let natural = Recipe::parse(HILLS).unwrap().resolve(&inputs).unwrap();
        let natural = natural.run(&natural.lattice().whole(), &()).unwrap();
        let double = with_extent("[3840, 1920]").resolve(&inputs).unwrap();
        let double = double.run(&double.lattice().whole(), &()).unwrap();
        for (layer, samples) in natural.layers() {
            let factor = [1.0, 2.0, 4.0][layer.lengths() as usize];
            assert_eq!(
                double.layer(layer),
                Some(&samples.map(|sample| factor * sample)),
                "{layer}"
            );
        }
        assert!(natural.layer(&Layer::Flow).is_some(), "a layer in square metres is among them");
    }

    #[test]
    fn what_was_scaled_back_is_what_it_was() {
        let scale = Scale::new([2.0, 2.0]);
        let point = RiverPoint { x: 1.0, z: 2.0, bed: 3.0, width: 4.0, depth: 5.0, discharge: 6.0 };
        let river = River { name: "a".to_owned(), points: vec![point], into: None };
        let mut feature = Feature::River(river.clone());
        scale.feature(&mut feature);
        let scaled = feature.as_river().unwrap().points[0];
        assert_eq!((scaled.width, scaled.depth, scaled.discharge), (8.0, 10.0, 24.0));
        scale.inverse().feature(&mut feature);
        assert_eq!(feature, Feature::River(river));
    }

    #[test]
    fn an_extent_has_the_proportions_of_the_ground() {
        let error = with_extent("[700, 700]").scale().unwrap_err().to_string();
        assert!(error.contains("the ground is 1920 m by 960 m"), "{error}");
        assert!(
            error.contains("1400 m by 700 m and 700 m by 350 m have its proportions"),
            "{error}"
        );
        assert_eq!(with_extent("[1920, 960]").scale().unwrap(), Scale::NATURAL);
    }
}
