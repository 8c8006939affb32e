//! Thermal weathering: what stands steeper than the talus angle crumbles and comes to rest below.
//!
//! Steps of [sliding](super::slide) (Musgrave, Kolb & Mace 1989) until nothing slides any more: then every sample and its
//! eight neighbours lie below the angle. With fewer steps than that takes, cliffs keep standing above the scree at their
//! feet. Material moves by a sample in a step; with `levels` it slides on coarser lattices first.
//!
//! The volume is kept; nothing leaves the map. It runs on the lattice of the recipe, and its difference is carried to
//! other resolutions, where slopes between the samples may be a little steeper.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ground::{Border, Rock, RockLattice};
use super::pyramid::{Moved, Rung, climb, rungs};
use super::runoff::{restored, spread};
use super::slide::{Limits, Sliding, is_settled, slide};
use crate::blend::Blend;
use crate::error::Error;
use crate::keep::{self, keep_struct};
use crate::resample::carry::Carried;
use crate::stage::{
    Access, Field, FieldOutput, Operator, Prepared, Reach, Reads, Simulated, Simulation, Site,
};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Extent, Grid, Lattice, Layer, Terrain, math};

/// Steps between two looks at whether all has settled.
const LOOK: u32 = 16;

/// Where something slides it slides to a little less than the angle, so that what is refined and rounded afterwards
/// stays below it.
const MARGIN: f64 = 0.997;

/// Lets cliffs crumble to scree: see the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Thermal {
    /// Steepest slope that stands.
    #[schemars(range(min = 1.0, max = 89.0), extend("unit" = "°"))]
    pub talus_angle: f64,
    /// Most steps on each of the lattices from coarse to fine; it ends sooner when nothing slides any more.
    #[schemars(range(min = 1, max = 100_000))]
    pub steps: u32,
    /// Number of lattices, each of half the samples of the next: 1 is the finest alone. More of them bring down whole
    /// mountainsides in few steps.
    #[schemars(range(min = 1, max = 16))]
    pub levels: u32,
}

impl Default for Thermal {
    fn default() -> Self {
        Self { talus_angle: 34.0, steps: 200, levels: 1 }
    }
}

impl Operator for Thermal {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        Ok(Prepared::Simulation(Box::new(Crumbling { thermal: self.clone(), design: site.design })))
    }

    fn blend(&self) -> Blend {
        Blend::Lerp
    }

    fn reach(&self, _output: &Lattice) -> Reach {
        Reach::Whole
    }

    fn access(&self) -> Access {
        Access { simulation: Reads::Ground, layers: vec![Layer::Scree], ..Access::PLAIN }
    }
}

struct Crumbling {
    thermal: Thermal,
    design: Lattice,
}

impl Simulation for Crumbling {
    fn run(&self, before: &Terrain, ctx: &Ctx<'_>) -> Result<Box<dyn Simulated>, Cancelled> {
        let rungs = rungs(&self.design, self.design, self.thermal.levels);
        let work = |rung: &Rung, base: &Grid, moved: Option<Moved>, ctx: &Ctx<'_>| {
            Ok((self.thermal.settle(rung, base, moved, ctx)?, ()))
        };
        let (Moved { change, cover }, ()) = climb(before.height(), &rungs, ctx, work)?;
        Ok(Box::new(Scree { change: Carried::new(change), cover: Carried::new(cover) }))
    }

    fn restore(&self, kept: &[u8]) -> Option<Box<dyn Simulated>> {
        Some(Box::new(keep::thing::<Scree>(kept)?))
    }

    fn memory(&self, samples: u64) -> u64 {
        12 * samples
    }

    fn found_memory(&self, samples: u64) -> u64 {
        8 * samples
    }
}

impl Thermal {
    fn settle(
        &self,
        rung: &Rung,
        base: &Grid,
        moved: Option<Moved>,
        ctx: &Ctx<'_>,
    ) -> Result<Moved, Cancelled> {
        let ground = RockLattice::new(base, Border::Closed, &rung.areas, Rock::Uniform([0.0; 3]));
        let slope = math::tan(self.talus_angle.to_radians());
        let standing = Limits::new(slope, rung.lattice.spacing);
        let limits = Limits::new(slope * MARGIN, rung.lattice.spacing);
        let size = (base.width(), base.height());
        let flat = || Grid::filled(size.0, size.1, 0.0);
        let Moved { change, cover } =
            moved.unwrap_or_else(|| Moved { change: flat(), cover: flat() });
        let (mut change, mut cover) = (spread(change), spread(cover));
        let sliding = Sliding { limits, creep: 0.0 };
        if is_settled(&change, &ground, standing) {
            return Ok(Moved { change: restored(change, size), cover: restored(cover, size) });
        }
        for step in 0..self.steps {
            if step % LOOK == 0 && is_settled(&change, &ground, limits) {
                break;
            }
            ctx.progress(step as f32 / self.steps as f32)?;
            slide(&mut change, &mut cover, &ground, sliding, ctx)?;
        }
        Ok(Moved { change: restored(change, size), cover: restored(cover, size) })
    }
}

struct Scree {
    change: Carried,
    cover: Carried,
}

keep_struct!(Scree { change, cover });

impl Field for Scree {
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
        out.layers.into_iter().try_for_each(|(_, scree)| {
            self.cover.fill(extent, scree, ctx, |sample, depth| *sample = depth.max(0.0))
        })
    }
}

impl Simulated for Scree {
    fn keep(&self) -> Vec<u8> {
        keep::bytes(self)
    }
}
