//! A tilted plane: lifts, sinks or tilts the ground.
//!
//! ```text
//! h(x, z) = height + slope_x·x + slope_z·z
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blend::Blend;
use crate::error::Error;
use crate::stage::{Access, Field, FieldOutput, Operator, Prepared, Reach, Site};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Extent, Lattice, par};

/// Lifts, sinks or tilts the ground: see the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Plane {
    /// Height at the first sample, the north-west corner.
    #[schemars(range(min = -20_000.0, max = 20_000.0), extend("unit" = "m"))]
    pub height: f64,
    /// Rise to the east, metres a metre.
    #[schemars(range(min = -10.0, max = 10.0))]
    pub slope_x: f64,
    /// Rise to the south, metres a metre.
    #[schemars(range(min = -10.0, max = 10.0))]
    pub slope_z: f64,
}

impl Default for Plane {
    fn default() -> Self {
        Self { height: 100.0, slope_x: 0.0, slope_z: 0.0 }
    }
}

impl Operator for Plane {
    fn prepare(&self, _site: &Site<'_>) -> Result<Prepared, Error> {
        Ok(Prepared::Field(Box::new(self.clone())))
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

impl Field for Plane {
    fn evaluate(
        &self,
        extent: &Extent,
        _view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        _ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let Some(out) = out.values else { return Ok(()) };
        par::for_each_row(out, extent.width(), |row, samples| {
            let start = self.height + self.slope_z * extent.z(row);
            for (column, sample) in samples.iter_mut().enumerate() {
                *sample = (start + self.slope_x * extent.x(column)) as f32;
            }
        });
        Ok(())
    }
}
