//! What a drawn line demands of the ground: a course with a height at each point, and the slopes beside it.
//!
//! ```text
//! h(p) = T(s) − S·max(0, d − b)      s the place on the line nearest to p, d its distance, T the height there, S the slope on
//!                                    that side, b half the width of the line
//! ```
//!
//! Demands go with a terrain from stage to stage, so that those after the sketch can obey without knowing it.

use crate::Scale;

/// What kind of line makes a demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DemandKind {
    /// A crest that no water crosses.
    Ridge,
    /// Running water.
    River,
    /// The shore of the sea: land inside.
    Coast,
    /// The shore of a lake: water inside.
    Lake,
    /// A line of one height.
    Contour,
    /// A place of a known height.
    Point,
    /// An area of one height, with what is outside falling.
    Plateau,
    /// An area of one height below its edge.
    Basin,
}

impl DemandKind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ridge => "ridge",
            Self::River => "river",
            Self::Coast => "coast",
            Self::Lake => "lake",
            Self::Contour => "contour",
            Self::Point => "point",
            Self::Plateau => "plateau",
            Self::Basin => "basin",
        }
    }

    /// Whether the line encloses an area of which every sample is demanded.
    pub(crate) fn is_area(self) -> bool {
        matches!(self, Self::Lake | Self::Plateau | Self::Basin)
    }
}

/// A line that the ground meets.
#[derive(Clone, Debug, PartialEq)]
pub struct Demand {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub kind: DemandKind,
    /// x and z of each point in metres; a single one for a place.
    pub points: Vec<[f64; 2]>,
    /// Height of the ground at each point in metres.
    pub heights: Vec<f64>,
    /// Whether it goes on from its last point to its first.
    pub is_closed: bool,
    /// Rise over run by which the ground falls to the left and to the right of the line; inside and outside of a closed one.
    pub slopes: [f64; 2],
    /// How far these slopes reach in metres.
    pub radius: f64,
    /// Share of its flanks that their spurs are high.
    pub roughness: f64,
    /// Half the width of the line at its first and its last point, in metres.
    pub half_widths: [f64; 2],
    /// Height of the floor inside of an area, or of the sea far from the coast, in metres.
    pub level: f64,
    /// Water at the mouth of a river in m³/s.
    pub discharge: f64,
    /// The river that this one flows into.
    pub into: Option<String>,
    /// Over which distance from the line later stages come back to their full strength, in metres.
    pub margin: f64,
}

impl Demand {
    /// Whether its slopes make the ground beside it, and not the ground between the lines.
    pub(crate) fn has_slopes(&self) -> bool {
        self.kind != DemandKind::Contour
    }

    /// The parts of the line: two ends, with their places in `points`.
    pub(crate) fn segments(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        let count = self.points.len();
        let last = if self.is_closed || count == 1 { count } else { count - 1 };
        (0..last).map(move |k| [k, (k + 1) % count])
    }

    /// The least and the greatest x and z.
    pub(crate) fn bounds(&self) -> [[f64; 2]; 2] {
        let fold = |pick: fn(f64, f64) -> f64| {
            let points = self.points.iter().copied();
            points.reduce(|a, b| [pick(a[0], b[0]), pick(a[1], b[1])]).unwrap_or_default()
        };
        [fold(f64::min), fold(f64::max)]
    }

    /// The same demand on ground of another size.
    #[must_use]
    pub fn scaled(mut self, scale: &Scale) -> Self {
        let length = scale.length();
        self.points.iter_mut().for_each(|point| *point = scale.point(*point));
        self.heights.iter_mut().for_each(|height| *height *= length);
        self.half_widths = self.half_widths.map(|half| half * length);
        self.radius *= length;
        self.margin *= length;
        self.level *= length;
        self.discharge *= scale.area();
        self
    }
}
