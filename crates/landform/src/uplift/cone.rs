//! The influence of one uplift: a cone that stands on the ground.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Scale, math};

/// An uplift in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Centre, metres to the east.
    pub x: f64,
    /// Centre, metres to the south.
    pub z: f64,
    /// Height of the apex in metres. Below 0 it is a hollow.
    pub height: f64,
    /// Radius of the base circle in metres, above 0.
    pub radius: f64,
}

/// How the influence of an uplift goes on beyond its base circle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Curve {
    /// Clamped to the ground: y·max(0, 1 − d/r).
    #[default]
    Tent,
    /// Falls for ever: y·(1 − d/r). The paper shows it to be worse; here for comparison.
    InvertedV,
}

impl Cone {
    /// The uplift on ground that is so much larger.
    #[must_use]
    pub fn scaled(&self, scale: &Scale) -> Self {
        let ([x, z], length) = (scale.point([self.x, self.z]), scale.length());
        Self { x, z, height: self.height * length, radius: self.radius * length }
    }

    /// Height of this uplift alone at a point.
    pub fn height_at(&self, x: f64, z: f64, curve: Curve) -> f64 {
        let d = math::length(x - self.x, z - self.z);
        let share = 1.0 - d / self.radius;
        match curve {
            Curve::Tent => self.height * share.max(0.0),
            Curve::InvertedV => self.height * share,
        }
    }

    /// Slope (∂y/∂x, ∂y/∂z) of this uplift alone at a point; 0 at the apex and outside a tent.
    pub fn gradient_at(&self, x: f64, z: f64, curve: Curve) -> [f64; 2] {
        let (dx, dz) = (x - self.x, z - self.z);
        let d = math::length(dx, dz);
        if d == 0.0 || (curve == Curve::Tent && d >= self.radius) {
            return [0.0, 0.0];
        }
        let fall = -self.height / (self.radius * d);
        [fall * dx, fall * dz]
    }
}
