//! Flat places: level ground for a town, a scene or a road, that fades into the terrain around it.
//!
//! ```text
//! h' = level + (h − level)·v        v = 1 − cos(d/D · π/2)        d = distance from the place, D = its margin
//! ```
//!
//! Source: Alcock (2007), section 3.2.2, where the place is a point and D its radius: here a pad with the radius 0 and a
//! margin D. Beyond the paper: circles with a radius, rectangles, polygons and capsules along a line (roads), all of
//! them level out to their edge, with the blend in the margin outside of it; and a blend that ends without an edge.
//!
//! The level is given, or it is the mean of the ground before this stage, over the pad, on the recipe's own lattice; for a
//! pad without an inside, such as one with the radius 0, over its margin too. A road without a level climbs: its line has
//! the mean at each of its points and is straight between them. Where pads overlap, the later one lies on top.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blend::Blend;
use crate::error::{Error, number};
use crate::feature::{Earthwork, Feature};
use crate::region::Region;
use crate::resample::ground::GroundHeights;
use crate::shape::pad::{Footprint, Pad};
use crate::stage::{
    Access, Field, FieldOutput, Operator, Prepared, Reach, Reads, Simulated, Simulation, Site,
};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Extent, Lattice, Terrain, keep, math, par};

/// Flat places for towns, scenes and roads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Flatten {
    /// The places. Where they overlap, the later one lies on top.
    #[schemars(length(max = 100_000))]
    pub pads: Vec<Pad>,
    /// How the ground rises in the margin.
    pub fade: Fade,
}

/// How a flat place fades into the ground around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fade {
    /// 1 − cos(t·π/2): flat at the place, with an edge where it ends.
    #[default]
    Cosine,
    /// (1 − cos(t·π))/2: no edge at either end.
    Smooth,
}

impl Fade {
    /// 0 at the place, 1 at the end of its margin.
    fn value(self, share: f64) -> f64 {
        use std::f64::consts::PI;
        match self {
            Self::Cosine => 1.0 - math::cos(share * PI / 2.0),
            Self::Smooth => 0.5 * (1.0 - math::cos(share * PI)),
        }
    }
}

impl Flatten {
    /// The places, checked against the ground.
    fn places(&self, design: &Lattice) -> Result<Vec<Footprint>, Error> {
        let ground = design.ground();
        let mut places = Vec::with_capacity(self.pads.len());
        let mut names = std::collections::HashSet::new();
        for (index, pad) in self.pads.iter().enumerate() {
            let of = |key: &str, message: String| {
                let dot = if key.is_empty() { "" } else { "." };
                Error::of(format!("pads[{index}]{dot}{key}"), message)
            };
            if !pad.name.is_empty() && !names.insert(pad.name.as_str()) {
                let (key, value) = (format!("pads[{index}].name"), format!("{:?}", pad.name));
                return Err(Error::unfit(key, value, "another pad is called that"));
            }
            let place = pad.footprint().map_err(|(key, message)| of(key, message))?;
            let [low, high] = place.bounds();
            if (0..2).any(|axis| high[axis] < 0.0 || low[axis] > ground[axis]) {
                let name =
                    if pad.name.is_empty() { String::new() } else { format!(" ({})", pad.name) };
                let [[west, north], [east, south], [width, depth]] =
                    [low, high, ground].map(|place| place.map(number));
                let message = format!(
                    "lies off the map{name}: it covers [{west}, {north}] to [{east}, {south}], and the ground is [0, 0] to [{width}, {depth}]"
                );
                return Err(of("", message));
            }
            places.push(place);
        }
        Ok(places)
    }
}

impl Operator for Flatten {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        let places = self.places(&site.design)?;
        let names = self.pads.iter().enumerate().map(|(k, pad)| match pad.name.as_str() {
            "" => format!("pad {}", k + 1),
            name => name.to_owned(),
        });
        let levels = Levels { places, names: names.collect(), fade: self.fade };
        if matches!(self.reach(&site.output), Reach::Point) {
            return Ok(Prepared::Field(Box::new(levels.settled(|_, _| 0.0))));
        }
        Ok(Prepared::Simulation(Box::new(levels)))
    }

    fn blend(&self) -> Blend {
        Blend::Lerp
    }

    /// Only a level that is a mean needs to know the ground.
    fn reach(&self, _output: &Lattice) -> Reach {
        let is_known = self.pads.iter().all(|pad| pad.level.is_some());
        if is_known { Reach::Point } else { Reach::Whole }
    }

    fn can_preview(&self) -> bool {
        true
    }

    fn access(&self) -> Access {
        Access { simulation: Reads::Ground, ..Access::PLAIN }
    }
}

/// Places whose levels may still have to be found.
struct Levels {
    places: Vec<Footprint>,
    names: Vec<String>,
    fade: Fade,
}

impl Levels {
    /// The places with their levels: those that are not given are `mean(region, margin)`.
    fn settled(&self, mean: impl Fn(&Region, f64) -> f64) -> Flats {
        let flats = self.places.iter().zip(&self.names).map(|(place, name)| {
            let levels = match place.level {
                Some(from) => std::iter::once(from).chain(place.level_end).collect(),
                None => {
                    let parts = place.level_parts();
                    parts.iter().map(|part| mean(part, place.margin)).collect()
                }
            };
            Flat { place: place.clone(), name: name.clone(), levels, bounds: place.bounds() }
        });
        Flats { flats: flats.collect(), fade: self.fade }
    }
}

impl Simulation for Levels {
    fn run(&self, before: &Terrain, ctx: &Ctx<'_>) -> Result<Box<dyn Simulated>, Cancelled> {
        ctx.check()?;
        let ground = GroundHeights::of(before);
        Ok(Box::new(self.settled(|region, margin| mean(&ground, region, margin))))
    }

    fn restore(&self, kept: &[u8]) -> Option<Box<dyn Simulated>> {
        let levels: Vec<Vec<f64>> = keep::thing(kept)?;
        let mut flats = self.settled(|_, _| 0.0);
        let counts = flats.flats.iter().map(|flat| flat.levels.len());
        if !counts.eq(levels.iter().map(Vec::len)) {
            return None;
        }
        flats.flats.iter_mut().zip(levels).for_each(|(flat, levels)| flat.levels = levels);
        Some(Box::new(flats))
    }
}

/// The mean of the samples in a region; of those in its margin too if it has none; of its middle if that has none.
fn mean(ground: &GroundHeights<'_>, region: &Region, margin: f64) -> f64 {
    let lattice = ground.lattice();
    for reach in [0.0, margin] {
        let [low, high] = region.bounds();
        let [first, last] = [(low, -reach), (high, reach)].map(|(corner, more)| {
            [0, 1].map(|axis| {
                let last = f64::from(lattice.size[axis] - 1);
                ((corner[axis] + more) / lattice.spacing[axis]).clamp(0.0, last)
            })
        });
        let (mut sum, mut count) = (0.0, 0_u64);
        for j in first[1].ceil() as usize..=last[1] as usize {
            for i in first[0].ceil() as usize..=last[0] as usize {
                let at = [i as f64 * lattice.spacing[0], j as f64 * lattice.spacing[1]];
                if region.distance(at[0], at[1]) <= reach {
                    sum += f64::from(ground.samples()[(i, j)]);
                    count += 1;
                }
            }
        }
        // One sample is no mean of a place between samples.
        if count > 1 {
            return sum / count as f64;
        }
    }
    let [low, high] = region.bounds();
    ground.at(0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]))
}

struct Flat {
    place: Footprint,
    name: String,
    /// One level, or for a road those at its ends or at each of its points.
    levels: Vec<f64>,
    bounds: [[f64; 2]; 2],
}

struct Flats {
    flats: Vec<Flat>,
    fade: Fade,
}

impl Flats {
    fn fill_row(&self, extent: &Extent, row: usize, samples: &mut [f32]) {
        let z = extent.z(row);
        let column = |x: f64| x / extent.lattice().spacing[0] - f64::from(extent.origin()[0]);
        let is_in_row = |flat: &&Flat| (flat.bounds[0][1]..=flat.bounds[1][1]).contains(&z);
        for flat in self.flats.iter().filter(is_in_row) {
            let [low, high] = flat.bounds;
            let first = column(low[0]).floor().max(0.0) as usize;
            let end = ((column(high[0]).ceil() + 1.0).max(0.0) as usize).min(samples.len());
            for k in first..end {
                let (distance, level) = flat.place.beside(&flat.levels, [extent.x(k), z]);
                if distance < flat.place.margin || distance == 0.0 {
                    let share = if distance > 0.0 { distance / flat.place.margin } else { 0.0 };
                    let old = f64::from(samples[k]);
                    samples[k] = (level + (old - level) * self.fade.value(share)) as f32;
                }
            }
        }
    }
}

impl Field for Flats {
    fn evaluate(
        &self,
        extent: &Extent,
        _view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        const ROWS: usize = 16;
        let Some(out) = out.values else { return Ok(()) };
        let width = extent.width();
        par::try_for_each_part(out, width, ROWS, |part, samples| {
            ctx.check()?;
            for (k, row) in samples.chunks_mut(width).enumerate() {
                self.fill_row(extent, part * ROWS + k, row);
            }
            Ok(())
        })
    }

    fn features(&self) -> Vec<Feature> {
        let place = |flat: &Flat| Earthwork {
            name: flat.name.clone(),
            outline: flat.place.outline(),
            is_road: flat.place.is_line(),
            levels: flat.levels.clone(),
        };
        self.flats.iter().map(|flat| Feature::Earthwork(place(flat))).collect()
    }
}

impl Simulated for Flats {
    fn keep(&self) -> Vec<u8> {
        let levels: Vec<_> = self.flats.iter().map(|flat| flat.levels.clone()).collect();
        keep::bytes(&levels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grid, Inputs, Recipe};

    /// A plane that rises by 1 m every 10 m to the east, and pads on it.
    fn flattened(pads: &str) -> Result<Terrain, Error> {
        let text = format!(
            "version = 1\nsize = [101, 81]\nspacing = [10, 10]\n\
             [[stage]]\nkind = \"plane\"\nheight = 0\nslope_x = 0.1\n\
             [[stage]]\nkind = \"flatten\"\n{pads}\n"
        );
        let plan = Recipe::parse(&text)?.resolve(&Inputs::default())?;
        Ok(plan.run(&plan.lattice().whole(), &()).unwrap())
    }

    fn heights(pads: &str) -> Grid {
        flattened(pads).unwrap().height().clone()
    }

    #[test]
    fn radius_zero_is_the_cosine_of_the_paper() {
        let grid = heights("pads = [{ x = 500, z = 400, radius = 0, margin = 200, level = 300 }]");
        for k in 0..=25 {
            let (d, old) = (10.0 * k as f64, 50.0 + k as f64);
            let value = 1.0 - math::cos((d / 200.0).min(1.0) * std::f64::consts::PI / 2.0);
            let expected = 300.0 + (old - 300.0) * value;
            assert!((f64::from(grid[(50 + k, 40)]) - expected).abs() < 1e-4, "{d} m away");
        }
    }

    #[test]
    fn every_shape_is_level_inside_and_untouched_beyond_its_margin() {
        for (pad, inside, outside) in [
            ("x = 500, z = 400, radius = 100", [58, 44], [66, 40]),
            ("x = 500, z = 400, size = [100, 200]", [54, 49], [61, 40]),
            ("x = 500, z = 400, size = [20, 300], angle = 90", [64, 40], [50, 51]),
            ("polygon = [[300, 300], [500, 300], [300, 500]]", [32, 32], [47, 47]),
            ("path = [[300, 300], [600, 300]], radius = 20", [45, 31], [45, 38]),
        ] {
            for fade in ["cosine", "smooth"] {
                let grid = heights(&format!(
                    "fade = \"{fade}\"\npads = [{{ {pad}, margin = 50, level = 7 }}]"
                ));
                assert_eq!(grid[(inside[0], inside[1])], 7.0, "{pad}");
                assert_eq!(grid[(outside[0], outside[1])], outside[0] as f32, "{pad}");
            }
        }
    }

    #[test]
    fn without_a_level_it_is_the_mean_of_the_ground_there() {
        let grid = heights("pads = [{ x = 500, z = 400, radius = 100, margin = 50 }]");
        assert!((grid[(45, 44)] - 50.0).abs() < 1e-4);
        // Between samples, and half off the map.
        let grid = heights("pads = [{ x = 503, z = 404, radius = 2, margin = 3 }]");
        assert_eq!(grid[(50, 40)], 50.0);
        let grid = heights("pads = [{ x = 0, z = 400, radius = 100, margin = 10 }]");
        assert!((3.0..7.0).contains(&grid[(2, 40)]));
    }

    #[test]
    fn a_road_climbs_with_the_ground() {
        let grid = heights(
            "pads = [{ path = [[200, 100], [500, 400], [800, 400]], radius = 15, margin = 20 }]",
        );
        for (i, j) in [(25, 15), (40, 30), (60, 40), (75, 40)] {
            assert!((grid[(i, j)] - i as f32).abs() < 0.5, "{i}, {j}: {}", grid[(i, j)]);
        }
        let ramp = heights(
            "pads = [{ path = [[200, 400], [600, 400]], radius = 15, level = 0, level_end = 80 }]",
        );
        assert_eq!((ramp[(20, 40)], ramp[(30, 40)], ramp[(60, 40)]), (0.0, 20.0, 80.0));
    }

    #[test]
    fn of_two_pads_the_later_lies_on_top() {
        let grid = heights(
            "pads = [{ x = 500, z = 400, radius = 100, level = 5 }, { x = 580, z = 400, radius = 100, level = 9 }]",
        );
        assert_eq!((grid[(55, 40)], grid[(41, 40)]), (9.0, 5.0));
    }

    #[test]
    fn bad_pads_are_named() {
        for (pad, expected) in [
            ("x = 5000, z = 0, radius = 10", "pads[0] lies off the map: it covers [4940, -60]"),
            ("x = 5, z = 5, radius = 0, margin = 0", "pads[0].radius is 0, and so is `margin`"),
            ("x = 5, z = 5", "pads[0] needs `radius` or `size`"),
            ("x = 5, radius = 1", "pads[0] needs `z` beside `x`"),
            ("radius = 1", "pads[0] needs `x` and `z`"),
            ("x = 5, z = 5, radius = -1", "pads[0].radius is -1"),
            (
                "x = 5, path = [[0, 0], [1, 1]]",
                "pads[0].x is given, but a pad with `path` has none",
            ),
            ("path = [[0, 0]]", "pads[0].path"),
            ("polygon = [[0, 0], [1, 1]]", "pads[0].polygon"),
            ("x = 5, z = 5, radius = 9, angle = 4", "pads[0].angle is given"),
            ("x = 5, z = 5, radius = 9, level_end = 4", "pads[0].level_end is given"),
        ] {
            let error = flattened(&format!("pads = [{{ {pad} }}]")).unwrap_err().to_string();
            assert!(error.contains(expected), "{pad}: {error}");
        }
        let twice = "pads = [{ name = \"a\", x = 5, z = 5, radius = 9 }, { name = \"a\", x = 5, z = 5, radius = 9 }]";
        assert!(flattened(twice).unwrap_err().to_string().contains("pads[1].name is \"a\""));
    }

    #[test]
    fn pads_are_objects_on_the_map() {
        let terrain =
            flattened("pads = [{ name = \"town\", x = 500, z = 400, radius = 100 }]").unwrap();
        let [Feature::Earthwork(place)] = terrain.features() else { panic!("one place") };
        assert_eq!((place.name.as_str(), place.outline.len(), place.is_road), ("town", 32, false));
        assert!((place.levels[0] - 50.0).abs() < 1e-9);
    }
}
