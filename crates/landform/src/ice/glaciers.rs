//! The stage `glaciers`: ice gathers above the equilibrium line, flows down the valleys, and wears them to troughs.
//!
//! Ice flows by the shallow-ice approximation on a lattice of at least 50 m, twice as coarse as the ground or coarser; it wears its bed
//! where it slides, frost breaks the walls above it, and melting ice lays down till. The years count for erosion alone: ice takes the shape that
//! fits the ground of the moment. Sources and laws are those of `shallow_ice`, `ice_erosion`, `bed` and `till`.
//!
//! The ground is the *bed*, rock and till; ice that is left lies on it as the layer `ice`. The change of height is found on the lattice of the
//! recipe and carried to any other by a cubic. Beyond the border the land goes on with the same slope: ice leaves there and none comes in.
//!
//! Limits: the approximation is meant for gentle ground, so headwalls follow from frost alone; rivers do not run between the advances.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::glaciation::{Glaciated, Glaciation};
use super::ice_erosion::Strength;
use crate::blend::Blend;
use crate::error::Error;
use crate::keep::{self, keep_struct};
use crate::resample::carry::Carried;
use crate::stage::{
    Access, Field, FieldOutput, Operator, Prepared, Reach, Reads, Simulated, Simulation, Site,
};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Extent, Grid, Lattice, Layer, Terrain};

/// Lets glaciers wear the ground: see the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Glaciers {
    /// Altitude at which as much snow falls as melts while the glaciers are largest. A third of the land above the sea lies higher unless
    /// given. Lower makes more and longer glaciers.
    #[schemars(range(min = -10_000.0, max = 20_000.0), extend("unit" = "m"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equilibrium_line: Option<f64>,
    /// How much this line rises until the end of an advance, in steps: glaciers shrink to their cirques and leave moraines on the way. A third of
    /// the height of the highest summit above the line unless given.
    #[schemars(range(min = 0.0, max = 10_000.0), extend("unit" = "m"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rise: Option<f64>,
    /// Equilibrium line of the ice that is there at the end, as the layer `ice`; no ice is left unless given. Summits above it carry glaciers.
    #[schemars(range(min = -10_000.0, max = 20_000.0), extend("unit" = "m"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_line: Option<f64>,
    /// How much the balance of a year grows with altitude, in metres of ice a kilometre. More makes faster glaciers that end sooner.
    #[schemars(range(min = 0.1, max = 50.0), extend("unit" = "m/km"))]
    pub balance_gradient: f64,
    /// Most ice that a year brings, however high. More makes thicker and longer glaciers.
    #[schemars(range(min = 0.01, max = 10.0), extend("unit" = "m/yr"))]
    pub snow: f64,
    /// How much lower the line lies on slopes that face north than on those that face south; below 0 in the south of a planet.
    #[schemars(range(min = -2000.0, max = 2000.0), extend("unit" = "m"))]
    pub aspect: f64,
    /// How long the ice of an advance wears the ground. More makes deeper and wider troughs.
    #[schemars(range(min = 0.0, max = 1e6), extend("unit" = "yr"))]
    pub years: f64,
    /// Number of times that the ice comes and goes.
    #[schemars(range(min = 1, max = 8))]
    pub advances: u32,
    /// How fast ice wears its bed; 1 is usual rock, less is hard rock.
    #[schemars(range(min = 0.0, max = 5.0))]
    pub erosion: f64,
    /// How fast frost breaks the walls above the ice: more makes wider cirques and sharper ridges, 0 leaves valley heads as rivers made them.
    #[schemars(range(min = 0.0, max = 5.0))]
    pub frost: f64,
    /// Share of the till that stays where ice melts; meltwater takes the rest away. 0 leaves no moraines.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub till: f64,
}

impl Default for Glaciers {
    fn default() -> Self {
        Self {
            equilibrium_line: None,
            rise: None,
            last_line: None,
            balance_gradient: 6.0,
            snow: 1.2,
            aspect: 150.0,
            years: 120_000.0,
            advances: 1,
            erosion: 1.0,
            frost: 1.0,
            till: 0.4,
        }
    }
}

/// Share of the land that lies above the equilibrium line unless it is given.
const ABOVE: f64 = 1.0 / 3.0;
/// Share of the height of the highest summit above the line by which this rises.
const RISE: f32 = 1.0 / 3.0;
/// Heights beyond this are cut while the ice flows, in m.
const HIGHEST: f32 = 1e6;

impl Operator for Glaciers {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        Ok(Prepared::Simulation(Box::new(IceAge { glaciers: self.clone(), design: site.design })))
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
        Access { simulation: Reads::Ground, layers: vec![Layer::Ice, Layer::Till], ..Access::PLAIN }
    }
}

struct IceAge {
    glaciers: Glaciers,
    design: Lattice,
}

impl IceAge {
    fn glaciation(&self, heights: &[f32], sea: f32) -> Glaciation {
        let glaciers = &self.glaciers;
        let mut land: Vec<f32> = heights.iter().copied().filter(|&height| height > sea).collect();
        let highest = land.iter().copied().fold(sea, f32::max);
        let line = match glaciers.equilibrium_line {
            Some(line) => line as f32,
            None if land.is_empty() => sea,
            None => {
                let at = ((1.0 - ABOVE) * (land.len() - 1) as f64) as usize;
                *land.select_nth_unstable_by(at, f32::total_cmp).1
            }
        };
        let rise = glaciers.rise.map_or(RISE * (highest - line).max(0.0), |rise| rise as f32);
        Glaciation {
            line,
            rise,
            last_line: glaciers.last_line.map(|line| line as f32),
            gradient: (glaciers.balance_gradient / 1000.0) as f32,
            most: glaciers.snow as f32,
            aspect: glaciers.aspect as f32,
            years: glaciers.years as f32,
            advances: glaciers.advances,
            strength: Strength { ice: glaciers.erosion as f32, frost: glaciers.frost as f32 },
            till: glaciers.till as f32,
            sea,
        }
    }
}

impl Simulation for IceAge {
    fn run(&self, before: &Terrain, ctx: &Ctx<'_>) -> Result<Box<dyn Simulated>, Cancelled> {
        let sea = before.sea_level() as f32;
        let level = |&height: &f32| {
            if height.is_finite() { height.clamp(-HIGHEST, HIGHEST) } else { sea }
        };
        let grid = before.height();
        let heights: Vec<f32> = grid.samples().iter().map(level).collect();
        let size = [grid.width(), grid.height()];
        let glaciation = self.glaciation(&heights, sea);
        let glaciated = glaciation.run(heights, size, self.design.spacing, ctx)?;
        let Glaciated { mut height, till, ice, .. } = glaciated;
        height.iter_mut().zip(grid.samples()).for_each(|(new, old)| *new -= level(old));
        let carried = |samples| Grid::from_vec(size[0], size[1], samples);
        Ok(Box::new(Left {
            change: Carried::new(carried(height)),
            till: Carried::new(carried(till)),
            ice: Carried::new(carried(ice)),
        }))
    }

    fn restore(&self, kept: &[u8]) -> Option<Box<dyn Simulated>> {
        Some(Box::new(keep::thing::<Left>(kept)?))
    }

    fn memory(&self, samples: u64) -> u64 {
        BYTES * samples
    }

    fn found_memory(&self, samples: u64) -> u64 {
        12 * samples
    }
}

/// Bytes a sample while the ice flows: the bed and what is worn of it, and the ice on a quarter of the samples.
const BYTES: u64 = 48;

/// What the ice has left, for any lattice over the same ground.
struct Left {
    /// The height, less that of before.
    change: Carried,
    till: Carried,
    ice: Carried,
}

keep_struct!(Left { change, till, ice });

impl Field for Left {
    fn evaluate(
        &self,
        extent: &Extent,
        _view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        if let Some(values) = out.values {
            self.change.fill(extent, values, ctx, |height, change| *height += change)?;
        }
        for (layer, samples) in out.layers {
            let source = match layer {
                Layer::Ice => &self.ice,
                Layer::Till => &self.till,
                other => unreachable!("glaciers give no layer {other}"),
            };
            source.fill(extent, samples, ctx, |sample, depth| *sample = depth.max(0.0))?;
        }
        Ok(())
    }
}

impl Simulated for Left {
    fn keep(&self) -> Vec<u8> {
        keep::bytes(self)
    }
}
