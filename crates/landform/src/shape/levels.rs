//! Stretches the heights so that the lowest and the highest point are what was asked for.
//!
//! ```text
//! h' = low + (high − low)·((h − h_min) / (h_max − h_min))^gamma
//! ```
//!
//! h_min and h_max are those of the whole ground on the recipe's own lattice. So every tile and every
//! resolution is stretched alike; detail finer than that lattice may lie a little outside of the range.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blend::Blend;
use crate::error::{Error, in_order};
use crate::stage::{
    Access, Field, FieldOutput, Operator, Prepared, Reach, Reads, Simulated, Simulation, Site,
};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Extent, Lattice, Terrain, keep, math, par};

/// Stretches the heights to a range: see the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Levels {
    /// Height of the lowest point.
    #[schemars(range(min = -20_000.0, max = 20_000.0), extend("unit" = "m"))]
    pub low: f64,
    /// Height of the highest point.
    #[schemars(range(min = -20_000.0, max = 20_000.0), extend("unit" = "m"))]
    pub high: f64,
    /// Above 1 widens valleys and sharpens summits, below 1 makes plateaus.
    #[schemars(range(min = 0.1, max = 10.0))]
    pub gamma: f64,
}

impl Default for Levels {
    fn default() -> Self {
        Self { low: 0.0, high: 1000.0, gamma: 1.0 }
    }
}

impl Operator for Levels {
    fn prepare(&self, _site: &Site<'_>) -> Result<Prepared, Error> {
        in_order("low", self.low, "high", self.high)?;
        Ok(Prepared::Simulation(Box::new(self.clone())))
    }

    fn blend(&self) -> Blend {
        Blend::Lerp
    }

    fn reach(&self, _output: &Lattice) -> Reach {
        Reach::Whole
    }

    fn can_preview(&self) -> bool {
        true
    }

    fn access(&self) -> Access {
        Access { simulation: Reads::Ground, ..Access::PLAIN }
    }
}

impl Simulation for Levels {
    fn run(&self, before: &Terrain, _ctx: &Ctx<'_>) -> Result<Box<dyn Simulated>, Cancelled> {
        let (lowest, highest) = before.height().range();
        let (lowest, highest) = (f64::from(lowest), f64::from(highest));
        // Flat ground has no shape to stretch: it becomes the lowest point.
        let share = if highest > lowest { 1.0 / (highest - lowest) } else { 0.0 };
        Ok(Box::new(Stretch { levels: self.clone(), lowest, share }))
    }

    fn restore(&self, kept: &[u8]) -> Option<Box<dyn Simulated>> {
        let (lowest, share) = keep::thing(kept)?;
        Some(Box::new(Stretch { levels: self.clone(), lowest, share }))
    }
}

struct Stretch {
    levels: Levels,
    lowest: f64,
    share: f64,
}

impl Field for Stretch {
    fn evaluate(
        &self,
        extent: &Extent,
        _view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let Some(out) = out.values else { return Ok(()) };
        let Levels { low, high, gamma } = self.levels;
        par::try_for_each_part(out, extent.width(), 16, |_, samples| {
            for sample in samples {
                let t = (f64::from(*sample) - self.lowest) * self.share;
                let t = if gamma == 1.0 { t } else { math::pow(t.max(0.0), gamma) };
                *sample = math::lerp(low, high, t) as f32;
            }
            ctx.check()
        })
    }
}

impl Simulated for Stretch {
    fn keep(&self) -> Vec<u8> {
        keep::bytes(&(self.lowest, self.share))
    }
}
