//! What lies beyond the edges of a map: nothing, its other side, or the rest of a planet.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Lattice, math};

/// How the edges of the map belong together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Topology {
    /// A piece of ground: beyond its edges there is nothing.
    #[default]
    Plane,
    /// A whole planet by longitude and latitude: the first and the last column are the same meridian, the
    /// first and the last row are the poles.
    Sphere,
    /// A flat map whose east edge is its west edge.
    Cylinder,
    /// A flat map that wraps both ways.
    Torus,
}

impl Topology {
    /// Whether the map wraps along x and z.
    pub fn wraps(self) -> [bool; 2] {
        match self {
            Self::Plane => [false, false],
            Self::Sphere | Self::Cylinder => [true, false],
            Self::Torus => [true, true],
        }
    }

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plane => "plane",
            Self::Sphere => "sphere",
            Self::Cylinder => "cylinder",
            Self::Torus => "torus",
        }
    }

    /// Whether it is the one of a recipe that says nothing.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    pub(crate) fn is_plane(&self) -> bool {
        *self == Self::Plane
    }

    /// How much ground the samples of each row stand for, relative to one on the equator.
    pub fn row_weights(self, lattice: &Lattice) -> Vec<f64> {
        let rows = lattice.size[1] as usize;
        if self != Self::Sphere || rows < 2 {
            return vec![1.0; rows];
        }
        let step = std::f64::consts::PI / (rows - 1) as f64;
        // The caps of the poles, and the zones between half a row above and half a row below.
        let edge = |j: f64| math::cos((j * step).clamp(0.0, std::f64::consts::PI));
        (0..rows).map(|j| (edge(j as f64 - 0.5) - edge(j as f64 + 0.5)) / step).collect()
    }
}

/// Latitude in degrees of a row at `z` metres on a map from pole to pole.
pub fn latitude(lattice: &Lattice, z: f64) -> f64 {
    let depth = lattice.ground()[1];
    if depth > 0.0 { 90.0 - 180.0 * z / depth } else { 0.0 }
}

/// Longitude in degrees of a column at `x` metres on a map around a planet.
pub fn longitude(lattice: &Lattice, x: f64) -> f64 {
    let width = lattice.ground()[0];
    if width > 0.0 { 360.0 * x / width - 180.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_sphere_weigh_as_much_as_its_surface() {
        let lattice = Lattice { size: [9, 181], spacing: [1.0, 1.0] };
        let weights = Topology::Sphere.row_weights(&lattice);
        let sum: f64 = weights.iter().sum();
        assert!((sum * std::f64::consts::PI / 180.0 - 2.0).abs() < 1e-12);
        assert!((weights[30] - 0.5).abs() < 1e-3 && weights[0] < 0.01);
        assert_eq!(latitude(&lattice, 45.0), 45.0);
        assert_eq!(longitude(&lattice, 8.0), 180.0);
    }
}
