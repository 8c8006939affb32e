//! Objects on the map that are not samples: they have a name, and a line or an outline.

use crate::Polygon;

/// An object on the map.
#[derive(Clone, Debug, PartialEq)]
pub enum Feature {
    /// Running water.
    River(River),
    /// Level ground for a town, a scene or a road.
    Earthwork(Earthwork),
    /// A peak of a mountain belt, or a hollow.
    Summit(Summit),
    /// Standing water.
    Lake(Lake),
}

impl Feature {
    /// The river, if it is one.
    pub fn as_river(&self) -> Option<&River> {
        match self {
            Self::River(river) => Some(river),
            Self::Earthwork(_) | Self::Summit(_) | Self::Lake(_) => None,
        }
    }

    /// The peak, if it is one.
    pub fn as_summit(&self) -> Option<&Summit> {
        match self {
            Self::Summit(summit) => Some(summit),
            Self::River(_) | Self::Earthwork(_) | Self::Lake(_) => None,
        }
    }
}

/// A river, from its source to its mouth.
#[derive(Clone, Debug, PartialEq)]
pub struct River {
    /// What it is called.
    pub name: String,
    /// Its course downstream. The bed never rises.
    pub points: Vec<RiverPoint>,
    /// The river that it flows into; its last point is on the course of that.
    pub into: Option<String>,
}

/// A lake.
#[derive(Clone, Debug, PartialEq)]
pub struct Lake {
    /// What it is called.
    pub name: String,
    /// Its water, with islands for holes: several areas where it is joined between samples only.
    pub parts: Vec<Polygon>,
    /// Height of the water in metres.
    pub level: f64,
    /// The greatest depth in metres.
    pub depth: f64,
    /// Area of the water in m².
    pub area: f64,
    /// x and z of the place where it runs over; nothing for a lake without an outlet.
    pub outlet: Option<[f64; 2]>,
}

/// Level ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Earthwork {
    /// What it is called.
    pub name: String,
    /// x and z in metres: the corners of an area, or the points of a road.
    pub outline: Vec<[f64; 2]>,
    /// Whether it is a road: its outline is a line, not closed.
    pub is_road: bool,
    /// Height in metres: one, or for a road one at each of its points or at its two ends.
    pub levels: Vec<f64>,
}

/// A peak of a mountain belt: the tent h·max(0, 1 − d/r) of the Uplift Model.
#[derive(Clone, Debug, PartialEq)]
pub struct Summit {
    /// What made it, and the two plates whose boundary it belongs to.
    pub name: String,
    /// Metres to the east.
    pub x: f64,
    /// Metres to the south.
    pub z: f64,
    /// Height in metres: below 0 it is a hollow.
    pub height: f64,
    /// Radius in metres.
    pub radius: f64,
}

/// A point of the course of a river.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RiverPoint {
    /// Metres to the east.
    pub x: f64,
    /// Metres to the south.
    pub z: f64,
    /// Height of the bed in metres, in the middle of the river.
    pub bed: f64,
    /// Width of the water in metres.
    pub width: f64,
    /// Depth of the water in metres.
    pub depth: f64,
    /// Water that flows by, in m³/s.
    pub discharge: f64,
}
