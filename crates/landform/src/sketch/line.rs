//! A drawn line as people write it in a recipe.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A line, a point or an area that the ground has to meet. Heights are metres over the same zero as everything else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Line {
    /// A crest: the ground falls to both sides, and no water crosses it.
    Ridge {
        /// What it is called; `ridge 1` and so on unless given.
        #[schemars(length(max = 100))]
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        /// Points of the line, each x and z.
        #[schemars(length(min = 2, max = 10_000), extend("unit" = "m"))]
        points: Vec<[f64; 2]>,
        /// Height of the crest: one for all of it, two for its ends, or one for each point.
        #[schemars(length(min = 1, max = 10_000), inner(range(min = -20_000.0, max = 20_000.0)), extend("unit" = "m"))]
        heights: Vec<f64>,
        /// How steep the ground falls to the left of the line.
        #[schemars(range(min = 0.0, max = 85.0), extend("unit" = "°"))]
        #[serde(default = "flank")]
        slope_left: f64,
        /// How steep the ground falls to the right of the line.
        #[schemars(range(min = 0.0, max = 85.0), extend("unit" = "°"))]
        #[serde(default = "flank")]
        slope_right: f64,
        /// How far these slopes reach: they fade into the ground over this distance.
        #[schemars(range(min = 0.0, max = 1_000_000.0), extend("unit" = "m"))]
        #[serde(default = "flank_radius")]
        radius: f64,
        /// How rough the flanks are: 0 leaves them smooth, 1 gives them spurs half as high as the flank.
        #[schemars(range(min = 0.0, max = 1.0))]
        #[serde(default = "flank_roughness")]
        roughness: f64,
    },
    /// Running water from its source to its mouth: its bed falls all the way.
    River {
        /// What it is called; `river 1` and so on unless given.
        #[schemars(length(max = 100))]
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        /// Points of the line, each x and z, the source first. It ends where it meets a coast or a lake; a last point on another river makes it a tributary.
        #[schemars(length(min = 2, max = 10_000), extend("unit" = "m"))]
        points: Vec<[f64; 2]>,
        /// Height of the bed: that of the source, then the mouth is at the water that it meets; or of both; or one for each point.
        #[schemars(length(min = 1, max = 10_000), inner(range(min = -20_000.0, max = 20_000.0)), extend("unit" = "m"))]
        heights: Vec<f64>,
        /// Width of the bed at the mouth; half of it at the source.
        #[schemars(range(min = 0.0, max = 10_000.0), extend("unit" = "m"))]
        #[serde(default = "river_width")]
        width: f64,
        /// Water at the mouth; as much as fits the width unless given.
        #[schemars(range(min = 0.0, max = 1_000_000.0), extend("unit" = "m³/s"))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        discharge: Option<f64>,
        /// How steep the ground rises from both banks.
        #[schemars(range(min = 0.0, max = 85.0), extend("unit" = "°"))]
        #[serde(default = "bank")]
        slope: f64,
        /// How far these slopes reach.
        #[schemars(range(min = 0.0, max = 1_000_000.0), extend("unit" = "m"))]
        #[serde(default = "bank_radius")]
        radius: f64,
    },
    /// The shore of an island or a continent: land inside of the closed line, sea outside of all coasts. It may leave the map.
    Coast {
        /// What it is called; `coast 1` and so on unless given.
        #[schemars(length(max = 100))]
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        /// Points of the closed line, each x and z.
        #[schemars(length(min = 3, max = 10_000), extend("unit" = "m"))]
        points: Vec<[f64; 2]>,
        /// How steep the land rises from the shore: a few degrees are a beach, 60 and more a cliff.
        #[schemars(range(min = 0.0, max = 85.0), extend("unit" = "°"))]
        #[serde(default = "beach")]
        slope: f64,
        /// How far this slope reaches.
        #[schemars(range(min = 0.0, max = 1_000_000.0), extend("unit" = "m"))]
        #[serde(default = "beach_radius")]
        radius: f64,
        /// How steep the floor of the sea falls from the shore.
        #[schemars(range(min = 0.0, max = 85.0), extend("unit" = "°"))]
        #[serde(default = "shelf")]
        shelf: f64,
        /// How deep the sea becomes.
        #[schemars(range(min = 0.1, max = 12_000.0), extend("unit" = "m"))]
        #[serde(default = "sea_depth")]
        depth: f64,
    },
    /// The shore of a lake: water inside of the closed line.
    Lake {
        /// What it is called; `lake 1` and so on unless given.
        #[schemars(length(max = 100))]
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        /// Points of the closed line, each x and z.
        #[schemars(length(min = 3, max = 10_000), extend("unit" = "m"))]
        points: Vec<[f64; 2]>,
        /// Height of the water.
        #[schemars(range(min = -20_000.0, max = 20_000.0), extend("unit" = "m"))]
        level: f64,
        /// How deep it becomes.
        #[schemars(range(min = 0.1, max = 2000.0), extend("unit" = "m"))]
        #[serde(default = "lake_depth")]
        depth: f64,
        /// How steep the land rises from the shore.
        #[schemars(range(min = 0.0, max = 85.0), extend("unit" = "°"))]
        #[serde(default = "bank")]
        slope: f64,
        /// How far this slope reaches.
        #[schemars(range(min = 0.0, max = 1_000_000.0), extend("unit" = "m"))]
        #[serde(default = "bank_radius")]
        radius: f64,
    },
    /// A line on which the ground has one height.
    Contour {
        /// What it is called; `contour 1` and so on unless given.
        #[schemars(length(max = 100))]
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        /// Points of the line, each x and z.
        #[schemars(length(min = 2, max = 10_000), extend("unit" = "m"))]
        points: Vec<[f64; 2]>,
        /// Height of the ground on it.
        #[schemars(range(min = -20_000.0, max = 20_000.0), extend("unit" = "m"))]
        height: f64,
        /// Whether it goes on from its last point to its first.
        #[serde(default)]
        closed: bool,
    },
    /// A height that is known at one place.
    Point {
        /// What it is called; `point 1` and so on unless given.
        #[schemars(length(max = 100))]
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        /// x and z of the place.
        #[schemars(extend("unit" = "m"))]
        at: [f64; 2],
        /// Height of the ground there.
        #[schemars(range(min = -20_000.0, max = 20_000.0), extend("unit" = "m"))]
        height: f64,
        /// How steep the ground falls away from it on all sides: below 0 it rises.
        #[schemars(range(min = -85.0, max = 85.0), extend("unit" = "°"))]
        #[serde(default = "summit")]
        slope: f64,
        /// How far this slope reaches.
        #[schemars(range(min = 0.0, max = 1_000_000.0), extend("unit" = "m"))]
        #[serde(default = "summit_radius")]
        radius: f64,
    },
    /// An area of one height that may have a raised edge.
    Plateau {
        /// What it is called; `plateau 1` and so on unless given.
        #[schemars(length(max = 100))]
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        /// Points of its closed outline, each x and z.
        #[schemars(length(min = 3, max = 10_000), extend("unit" = "m"))]
        points: Vec<[f64; 2]>,
        /// Height of the ground inside.
        #[schemars(range(min = -20_000.0, max = 20_000.0), extend("unit" = "m"))]
        level: f64,
        /// How much higher its edge is.
        #[schemars(range(min = 0.0, max = 5000.0), extend("unit" = "m"))]
        #[serde(default)]
        rim: f64,
        /// How steep the ground falls outside of its edge.
        #[schemars(range(min = 0.0, max = 85.0), extend("unit" = "°"))]
        #[serde(default = "flank")]
        slope: f64,
        /// How far this slope reaches.
        #[schemars(range(min = 0.0, max = 1_000_000.0), extend("unit" = "m"))]
        #[serde(default = "bank_radius")]
        radius: f64,
    },
    /// An area of one height below its edge, such as a crater or a plain between mountains.
    Basin {
        /// What it is called; `basin 1` and so on unless given.
        #[schemars(length(max = 100))]
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        /// Points of its closed outline, each x and z.
        #[schemars(length(min = 3, max = 10_000), extend("unit" = "m"))]
        points: Vec<[f64; 2]>,
        /// Height of the ground inside.
        #[schemars(range(min = -20_000.0, max = 20_000.0), extend("unit" = "m"))]
        level: f64,
        /// How much higher its edge is.
        #[schemars(range(min = 0.0, max = 5000.0), extend("unit" = "m"))]
        #[serde(default = "basin_rim")]
        rim: f64,
        /// How steep the ground falls inside of its edge.
        #[schemars(range(min = 1.0, max = 85.0), extend("unit" = "°"))]
        #[serde(default = "flank")]
        slope: f64,
    },
}

fn flank() -> f64 {
    30.0
}

fn flank_radius() -> f64 {
    800.0
}

fn flank_roughness() -> f64 {
    0.3
}

fn river_width() -> f64 {
    20.0
}

fn bank() -> f64 {
    8.0
}

fn bank_radius() -> f64 {
    300.0
}

fn beach() -> f64 {
    4.0
}

fn beach_radius() -> f64 {
    200.0
}

fn shelf() -> f64 {
    2.0
}

fn sea_depth() -> f64 {
    60.0
}

fn lake_depth() -> f64 {
    20.0
}

fn summit() -> f64 {
    15.0
}

fn summit_radius() -> f64 {
    400.0
}

fn basin_rim() -> f64 {
    50.0
}

impl Line {
    /// The word for its kind, and its name as it was given.
    pub fn title(&self) -> (&'static str, &str) {
        match self {
            Self::Ridge { name, .. } => ("ridge", name),
            Self::River { name, .. } => ("river", name),
            Self::Coast { name, .. } => ("coast", name),
            Self::Lake { name, .. } => ("lake", name),
            Self::Contour { name, .. } => ("contour", name),
            Self::Point { name, .. } => ("point", name),
            Self::Plateau { name, .. } => ("plateau", name),
            Self::Basin { name, .. } => ("basin", name),
        }
    }
}
