//! Parts of the ground.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::math;

/// A part of the ground, in metres: x to the east, z to the south, from the first sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Region {
    /// All points within a distance of a centre.
    Circle {
        /// x and z of the centre.
        #[schemars(extend("unit" = "m"))]
        center: [f64; 2],
        /// Radius.
        #[schemars(range(min = 0.0), extend("unit" = "m"))]
        radius: f64,
    },
    /// All points between two corners.
    Rectangle {
        /// x and z of one corner.
        #[schemars(extend("unit" = "m"))]
        from: [f64; 2],
        /// x and z of the opposite corner.
        #[schemars(extend("unit" = "m"))]
        to: [f64; 2],
    },
    /// All points inside a closed line; where it crosses itself, those it winds around an odd number of times.
    Polygon {
        /// x and z of each corner.
        #[schemars(length(min = 3, max = 10_000), extend("unit" = "m"))]
        points: Vec<[f64; 2]>,
    },
}

impl Region {
    /// Distance in metres from a point to the region: 0 inside.
    pub fn distance(&self, x: f64, z: f64) -> f64 {
        match self {
            Self::Circle { center, radius } => {
                (math::length(x - center[0], z - center[1]) - radius).max(0.0)
            }
            Self::Rectangle { from, to } => {
                let beyond = |p: f64, a: f64, b: f64| (a.min(b) - p).max(p - a.max(b)).max(0.0);
                math::length(beyond(x, from[0], to[0]), beyond(z, from[1], to[1]))
            }
            Self::Polygon { points } => {
                if winds_around(points, x, z) {
                    return 0.0;
                }
                let sides = points.iter().zip(points.iter().cycle().skip(1));
                sides.map(|(a, b)| distance_to_side(*a, *b, x, z)).fold(f64::INFINITY, f64::min)
            }
        }
    }

    /// Whether a point lies inside or on the border.
    pub fn contains(&self, x: f64, z: f64) -> bool {
        self.distance(x, z) == 0.0
    }

    /// The smallest rectangle around the region: its least and its greatest x and z.
    pub fn bounds(&self) -> [[f64; 2]; 2] {
        match self {
            Self::Circle { center, radius } => {
                [center.map(|middle| middle - radius), center.map(|middle| middle + radius)]
            }
            Self::Rectangle { from, to } => {
                [[from[0].min(to[0]), from[1].min(to[1])], [from[0].max(to[0]), from[1].max(to[1])]]
            }
            Self::Polygon { points } => {
                let fold = |pick: fn(f64, f64) -> f64| {
                    points.iter().copied().reduce(|a, b| [pick(a[0], b[0]), pick(a[1], b[1])])
                };
                [fold(f64::min).unwrap_or_default(), fold(f64::max).unwrap_or_default()]
            }
        }
    }
}

/// The even-odd rule: a ray to the east crosses the border an odd number of times.
fn winds_around(points: &[[f64; 2]], x: f64, z: f64) -> bool {
    let mut inside = false;
    for (a, b) in points.iter().zip(points.iter().cycle().skip(1)) {
        let crosses = (a[1] > z) != (b[1] > z);
        if crosses && x < a[0] + (z - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) {
            inside = !inside;
        }
    }
    inside
}

fn distance_to_side(a: [f64; 2], b: [f64; 2], x: f64, z: f64) -> f64 {
    let (along, to) = ([b[0] - a[0], b[1] - a[1]], [x - a[0], z - a[1]]);
    let squared = along[0] * along[0] + along[1] * along[1];
    let share = if squared > 0.0 { (along[0] * to[0] + along[1] * to[1]) / squared } else { 0.0 };
    let share = share.clamp(0.0, 1.0);
    math::length(to[0] - share * along[0], to[1] - share * along[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_is_zero_inside_and_euclidean_outside() {
        let circle = Region::Circle { center: [1.0, 1.0], radius: 2.0 };
        let square = Region::Rectangle { from: [4.0, 4.0], to: [0.0, 0.0] };
        let triangle = Region::Polygon { points: vec![[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]] };
        assert_eq!(circle.distance(1.0, 3.0), 0.0);
        assert_eq!(circle.distance(1.0, 6.0), 3.0);
        assert_eq!(square.distance(7.0, 8.0), 5.0);
        assert!(square.contains(0.0, 4.0));
        assert!(triangle.contains(1.0, 1.0));
        assert!((triangle.distance(4.0, 4.0) - 8.0_f64.sqrt()).abs() < 1e-12);
        assert_eq!(triangle.bounds(), [[0.0, 0.0], [4.0, 4.0]]);
    }
}
