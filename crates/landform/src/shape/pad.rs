//! A flat place as people and programs write it, and as a shape.
//!
//! Other programs write pads as a short JSON text: a list, or an object with the list as `pads`.
//!
//! ```json
//! {
//!   "pads": [
//!     { "name": "town", "x": 1200, "z": 800, "radius": 150, "margin": 60 },
//!     { "name": "field", "x": 400, "z": 900, "size": [200, 80], "angle": 30, "level": 42 },
//!     { "name": "harbour", "polygon": [[0, 0], [90, 10], [40, 70]] },
//!     { "name": "road", "path": [[1200, 800], [1500, 820], [1900, 700]], "radius": 5, "margin": 12 }
//!   ]
//! }
//! ```
//!
//! Metres throughout: x to the east, z to the south. The keys are those of a pad in a recipe, [`Pad`].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::region::Region;
use crate::{Scale, math};

/// A flat place: a circle, or with `size` a rectangle, with `polygon` a polygon, with `path` a road.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Pad {
    /// What it is called; `pad 1` and so on unless given.
    #[schemars(length(max = 100))]
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Middle of a circle or rectangle, to the east.
    #[schemars(extend("unit" = "m"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    /// Middle of a circle or rectangle, to the south.
    #[schemars(extend("unit" = "m"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub z: Option<f64>,
    /// Radius of a circle, or half the width of a road. 0 with a margin is the form of the paper: only the middle is flat.
    #[schemars(range(min = 0.0, max = 1_000_000.0), extend("unit" = "m"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Width and depth of a rectangle.
    #[schemars(inner(range(min = 0.0, max = 1_000_000.0)), extend("unit" = "m"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<[f64; 2]>,
    /// How far a rectangle is turned, clockwise on the map.
    #[schemars(range(min = -360.0, max = 360.0), extend("unit" = "°"))]
    #[serde(skip_serializing_if = "is_zero")]
    pub angle: f64,
    /// Corners of a polygon, each x and z.
    #[schemars(length(min = 3, max = 10_000), extend("unit" = "m"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub polygon: Option<Vec<[f64; 2]>>,
    /// Points of the line of a road, each x and z.
    #[schemars(length(min = 2, max = 10_000), extend("unit" = "m"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Vec<[f64; 2]>>,
    /// Over which distance outside of the place it fades into the terrain.
    #[schemars(range(min = 0.0, max = 1_000_000.0), extend("unit" = "m"))]
    pub margin: f64,
    /// Height; the mean of the ground there unless given.
    #[schemars(range(min = -20_000.0, max = 20_000.0), extend("unit" = "m"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<f64>,
    /// Height at the end of a road whose `level` is given, if it is another.
    #[schemars(range(min = -20_000.0, max = 20_000.0), extend("unit" = "m"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level_end: Option<f64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

impl Default for Pad {
    fn default() -> Self {
        Self {
            name: String::new(),
            x: None,
            z: None,
            radius: None,
            size: None,
            angle: 0.0,
            polygon: None,
            path: None,
            margin: 50.0,
            level: None,
            level_end: None,
        }
    }
}

impl Pad {
    /// The same pad in the numbers of a recipe whose ground is scaled.
    #[must_use]
    pub fn unscaled(&self, scale: &Scale) -> Self {
        let to_recipe = scale.inverse();
        let length = |metres: f64| metres * to_recipe.length();
        let line = |points: &Vec<[f64; 2]>| points.iter().map(|&at| to_recipe.point(at)).collect();
        let [x, z] = to_recipe.point([1.0, 1.0]);
        Self {
            x: self.x.map(|metres| metres * x),
            z: self.z.map(|metres| metres * z),
            radius: self.radius.map(length),
            size: self.size.map(|sides| sides.map(length)),
            polygon: self.polygon.as_ref().map(line),
            path: self.path.as_ref().map(line),
            margin: length(self.margin),
            level: self.level.map(length),
            level_end: self.level_end.map(length),
            ..self.clone()
        }
    }

    /// The shape, or the key that does not fit and why.
    pub(crate) fn footprint(&self) -> Result<Footprint, (&'static str, String)> {
        let needless = |key: &'static str, is_given: bool, shape: &str| match is_given {
            true => Err((key, format!("is given, but {shape} has none"))),
            false => Ok(()),
        };
        let middle = || match (self.x, self.z) {
            (Some(x), Some(z)) => Ok([x, z]),
            (None, _) => Err(("", "needs `x` and `z`, or `polygon`, or `path`".to_owned())),
            (_, None) => Err(("", "needs `z` beside `x`".to_owned())),
        };
        if self.level_end.is_some() && (self.path.is_none() || self.level.is_none()) {
            return Err((
                "level_end",
                "is given, but only a `path` with a `level` has it".to_owned(),
            ));
        }
        let has_middle = self.x.is_some() || self.z.is_some();
        let shape = if let Some(path) = &self.path {
            needless("polygon", self.polygon.is_some(), "a pad with `path`")?;
            needless("size", self.size.is_some(), "a pad with `path`")?;
            needless(if self.x.is_some() { "x" } else { "z" }, has_middle, "a pad with `path`")?;
            Shape::Path(path.clone(), self.radius.unwrap_or(0.0))
        } else if let Some(points) = &self.polygon {
            needless("size", self.size.is_some(), "a pad with `polygon`")?;
            needless("radius", self.radius.is_some(), "a pad with `polygon`")?;
            needless(if self.x.is_some() { "x" } else { "z" }, has_middle, "a pad with `polygon`")?;
            Shape::Region(Region::Polygon { points: points.clone() })
        } else if let Some(size) = self.size {
            needless("radius", self.radius.is_some(), "a pad with `size`")?;
            Shape::Region(rectangle(middle()?, size, self.angle))
        } else {
            let center = middle()?;
            let radius = self.radius.ok_or(("", "needs `radius` or `size`".to_owned()))?;
            Shape::Region(Region::Circle { center, radius })
        };
        if self.angle != 0.0 && self.size.is_none() {
            return Err(("angle", "is given, but only a pad with `size` can be turned".to_owned()));
        }
        let has_size = match &shape {
            Shape::Path(_, radius) => *radius > 0.0,
            Shape::Region(Region::Circle { radius, .. }) => *radius > 0.0,
            Shape::Region(_) => true,
        };
        if !has_size && self.margin == 0.0 {
            return Err((
                "radius",
                "is 0, and so is `margin`: one of them must be above 0".to_owned(),
            ));
        }
        let Self { margin, level, level_end, .. } = *self;
        Ok(Footprint { shape, margin, level, level_end })
    }
}

fn rectangle([x, z]: [f64; 2], [width, depth]: [f64; 2], angle: f64) -> Region {
    let (w, d) = (0.5 * width, 0.5 * depth);
    if angle == 0.0 {
        return Region::Rectangle { from: [x - w, z - d], to: [x + w, z + d] };
    }
    let turn = angle.to_radians();
    let (sin, cos) = (math::sin(turn), math::cos(turn));
    let corner = |u: f64, v: f64| [x + cos * u - sin * v, z + sin * u + cos * v];
    Region::Polygon { points: vec![corner(-w, -d), corner(w, -d), corner(w, d), corner(-w, d)] }
}

/// A pad whose keys fit each other.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Footprint {
    shape: Shape,
    pub(crate) margin: f64,
    pub(crate) level: Option<f64>,
    pub(crate) level_end: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
enum Shape {
    Region(Region),
    /// Everything within a distance of a line.
    Path(Vec<[f64; 2]>, f64),
}

impl Footprint {
    /// The smallest rectangle around the pad and its margin.
    pub(crate) fn bounds(&self) -> [[f64; 2]; 2] {
        let (bounds, more) = match &self.shape {
            Shape::Region(region) => (region.bounds(), self.margin),
            Shape::Path(points, radius) => {
                (Region::Polygon { points: points.clone() }.bounds(), self.margin + radius)
            }
        };
        [bounds[0].map(|low| low - more), bounds[1].map(|high| high + more)]
    }

    /// The parts of which each has its own level: all of it, or the points of a road.
    pub(crate) fn level_parts(&self) -> Vec<Region> {
        match &self.shape {
            Shape::Region(region) => vec![region.clone()],
            Shape::Path(points, radius) => {
                let around = |&center: &[f64; 2]| Region::Circle { center, radius: *radius };
                points.iter().map(around).collect()
            }
        }
    }

    /// How far a point is from the pad, 0 inside, and the level that it has there.
    pub(crate) fn beside(&self, levels: &[f64], point: [f64; 2]) -> (f64, f64) {
        let (points, radius) = match &self.shape {
            Shape::Region(region) => return (region.distance(point[0], point[1]), levels[0]),
            Shape::Path(points, radius) => (points, *radius),
        };
        let mut nearest = (f64::INFINITY, 0, 0.0);
        for (k, ends) in points.windows(2).enumerate() {
            let (along, share) = foot(ends[0], ends[1], point);
            let distance = math::length(along[0] - point[0], along[1] - point[1]);
            if distance < nearest.0 {
                nearest = (distance, k, share);
            }
        }
        let (distance, k, share) = nearest;
        let level = if levels.len() == points.len() && points.len() > 2 {
            math::lerp(levels[k], levels[k + 1], share)
        } else {
            let steps = points.windows(2);
            let lengths: Vec<f64> = steps
                .map(|ends| math::length(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]))
                .collect();
            let before: f64 = lengths[..k].iter().sum::<f64>() + share * lengths[k];
            let all: f64 = lengths.iter().sum();
            let along = if all > 0.0 { before / all } else { 0.0 };
            math::lerp(levels[0], levels[levels.len() - 1], along)
        };
        ((distance - radius).max(0.0), level)
    }

    /// The corners of the pad, or the line of a road.
    pub(crate) fn outline(&self) -> Vec<[f64; 2]> {
        match &self.shape {
            Shape::Path(points, _) => points.clone(),
            Shape::Region(Region::Polygon { points }) => points.clone(),
            Shape::Region(Region::Rectangle { from, to }) => {
                vec![*from, [to[0], from[1]], *to, [from[0], to[1]]]
            }
            Shape::Region(Region::Circle { center, radius }) => (0..32)
                .map(|k| {
                    let angle = f64::from(k) * std::f64::consts::PI / 16.0;
                    [center[0] + radius * math::cos(angle), center[1] + radius * math::sin(angle)]
                })
                .collect(),
        }
    }

    /// Whether the outline is a line and not the corners of an area.
    pub(crate) fn is_line(&self) -> bool {
        matches!(self.shape, Shape::Path(..))
    }
}

/// The point between a and b nearest to p, and its share of the way.
fn foot(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> ([f64; 2], f64) {
    let along = [b[0] - a[0], b[1] - a[1]];
    let squared = along[0] * along[0] + along[1] * along[1];
    let share = (p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1];
    let share = if squared > 0.0 { (share / squared).clamp(0.0, 1.0) } else { 0.0 };
    ([a[0] + share * along[0], a[1] + share * along[1]], share)
}
