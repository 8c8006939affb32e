//! Midpoint displacement (Fournier, Fussell & Carpenter 1982): each side and each cell gets a new point in its middle, the
//! mean of its ends or corners, moved up or down at random.
//!
//! ```text
//! amplitude of pass p = amplitude · 2^(−pH)
//! ```
//!
//! The lattice begins with random heights, `wavelength` metres apart, and goes on beyond the ground: any rectangle is
//! covered, and a finer output is the same terrain with more passes. Old points never move again, which leaves the
//! creases along the sides that this method is known for, unless the interpolation is cubic;
//! [diamond-square](super::diamond_square) has fewer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::dyadic::Rule;
use super::interpolation::Interpolation;
use super::matrix_diamond_square::Raw;
use crate::blend::Blend;
use crate::error::Error;
use crate::stage::{Access, Operator, Prepared, Reach, Site};
use crate::{Lattice, math};

/// Points in the middle of old ones, moved at random: see the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MidpointDisplacement {
    /// Distance of the points that it begins with: the size of the largest hills.
    #[schemars(range(min = 0.001, max = 10_000_000.0), extend("unit" = "m"))]
    pub wavelength: f64,
    /// How far those points are moved, up or down.
    #[schemars(range(min = 0.0, max = 100_000.0), extend("unit" = "m"))]
    pub amplitude: f64,
    /// Scaling exponent H: 0 jagged, 1 smooth.
    #[schemars(range(min = 0.0, max = 2.0))]
    pub h: f64,
    /// How heights between old ones are found: bilinear is the classic rule, cubic is without its creases.
    pub interpolation: Interpolation,
    /// Number of passes; those too fine for the output are left out.
    #[schemars(range(min = 1, max = 24))]
    pub passes: u32,
}

impl Default for MidpointDisplacement {
    fn default() -> Self {
        Self {
            wavelength: 5120.0,
            amplitude: 900.0,
            h: 1.0,
            interpolation: Interpolation::Bilinear,
            passes: 16,
        }
    }
}

impl Operator for MidpointDisplacement {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        let size = (self.wavelength, self.passes);
        let heights = (self.amplitude, math::exp(-self.h * std::f64::consts::LN_2));
        Ok(Prepared::Field(Box::new(Raw(endless(
            Rule::Midpoint(self.interpolation),
            size,
            heights,
            site,
        )))))
    }

    fn blend(&self) -> Blend {
        Blend::Add
    }

    fn reach(&self, _output: &Lattice) -> Reach {
        Reach::Point
    }

    fn access(&self) -> Access {
        Access::PLAIN
    }
}

/// A surface without borders that begins with random heights `wavelength` metres apart.
pub(super) fn endless(
    rule: Rule,
    (wavelength, passes): (f64, u32),
    (amplitude, falloff): (f64, f64),
    site: &Site<'_>,
) -> super::dyadic::Dyadic {
    use super::dyadic::{Dyadic, Start, passes_for};
    let step = site.output.spacing.map(|spacing| spacing / wavelength);
    let passes = passes_for(step, &site.output).min(passes);
    let start = (rule, Start::Random(amplitude as f32));
    Dyadic::new(start, (amplitude * falloff, falloff), site.seed, passes, step)
}
