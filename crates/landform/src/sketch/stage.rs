//! The stage `sketch`: the ground meets drawn lines.
//!
//! Heights on lines are met exactly at any resolution; the ground between them comes from a [diffusion](super::diffusion) over
//! whatever ground there was. Lines that contradict each other are refused: see [`super::contradiction`].

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::contradiction;
use super::course::Ground;
use super::diffusion::Correction;
use super::line::Line;
use super::profile::Drawing;
use crate::blend::Blend;
use crate::demand::{Demand, DemandKind};
use crate::effort::Effort;
use crate::error::Error;
use crate::feature::{Feature, River, RiverPoint};
use crate::keep;
use crate::stage::{
    Access, Field, FieldOutput, Operator, Prepared, Reach, Reads, Simulated, Simulation, Site,
};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Extent, Lattice, Terrain};

/// Ground that meets drawn lines: ridges, rivers, coasts, heights and areas. Later stages keep to them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Sketch {
    /// The lines. None may contradict another one.
    #[schemars(length(max = 10_000))]
    pub lines: Vec<Line>,
    /// Whether lines are smooth curves through their points; straight from point to point otherwise.
    pub curved: bool,
    /// How far from the lines the ground before changes; everywhere between them unless given.
    #[schemars(range(min = 1.0, max = 10_000_000.0), extend("unit" = "m"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spread: Option<f64>,
    /// Whether later stages keep to the lines; the ground beside them is then left to this stage.
    pub lock: bool,
    /// Over which distance from a locked line later stages come back to their full strength.
    #[schemars(range(min = 0.0, max = 1_000_000.0), extend("unit" = "m"))]
    pub margin: f64,
}

impl Default for Sketch {
    fn default() -> Self {
        Self { lines: Vec::new(), curved: true, spread: None, lock: true, margin: 200.0 }
    }
}

impl Sketch {
    /// What the lines demand of ground on this lattice.
    pub(crate) fn demands_on(
        &self,
        lattice: &Lattice,
        sea_level: f64,
    ) -> Result<Vec<Demand>, Error> {
        let ground = Ground { lattice: *lattice, sea_level, curved: self.curved };
        let demands = ground.demands(&self.lines)?;
        contradiction::check(&demands, sea_level)?;
        Ok(demands)
    }
}

impl Operator for Sketch {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        let demands = self.demands_on(&site.design, site.sea_level)?;
        let drawing = Drawing { demands, sea_level: site.sea_level, seed: site.seed };
        let spread = self.spread.unwrap_or(f64::INFINITY);
        let drawing = Arc::new(drawing);
        Ok(Prepared::Simulation(Box::new(Diffusion { drawing, spread, design: site.design })))
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

    fn effort(&self, site: &Site<'_>) -> Option<Effort> {
        let [dx, dz] = site.design.spacing;
        let samples = f64::from(site.design.size[0]) * f64::from(site.design.size[1]);
        let ground =
            Ground { lattice: site.design, sea_level: site.sea_level, curved: self.curved };
        let demands = ground.demands(&self.lines).unwrap_or_default();
        let steps = demands.iter().map(|demand| {
            let [low, high] = demand.bounds();
            let reach = 2.0 * demand.radius.max(10.0 * dx.max(dz));
            let [across, down] = [0, 1].map(|axis| high[axis] - low[axis] + reach);
            let near = (across / dx * down / dz).min(samples);
            near * demand.points.len() as f64
        });
        let points = demands.iter().map(|demand| demand.points.len()).sum::<usize>() as f64;
        Some(Effort { steps: steps.sum::<f64>() + points * points, because: ("lines", points) })
    }

    fn demands(&self, site: &Site<'_>) -> Result<Vec<Demand>, Error> {
        if !self.lock {
            return Ok(Vec::new());
        }
        let demands = self.demands_on(&site.design, site.sea_level)?;
        Ok(demands.into_iter().map(|one| Demand { margin: self.margin, ..one }).collect())
    }

    fn obeys(&self) -> bool {
        true
    }

    fn access(&self) -> Access {
        Access { simulation: Reads::Ground, ..Access::PLAIN }
    }
}

/// The drawing, ready to change the ground.
struct Diffusion {
    drawing: Arc<Drawing>,
    spread: f64,
    design: Lattice,
}

impl Simulation for Diffusion {
    fn run(&self, before: &Terrain, ctx: &Ctx<'_>) -> Result<Box<dyn Simulated>, Cancelled> {
        let lattice = *before.extent().lattice();
        let correction = self.drawing.correction(before.height(), &lattice, self.spread, ctx)?;
        Ok(Box::new(Drawn { drawing: Arc::clone(&self.drawing), correction }))
    }

    fn restore(&self, kept: &[u8]) -> Option<Box<dyn Simulated>> {
        let correction: Correction = keep::thing(kept)?;
        let drawing = Arc::clone(&self.drawing);
        correction
            .fits(&self.design)
            .then(|| -> Box<dyn Simulated> { Box::new(Drawn { drawing, correction }) })
    }

    fn memory(&self, samples: u64) -> u64 {
        Drawing::BYTES * samples
    }

    fn found_memory(&self, samples: u64) -> u64 {
        8 * samples
    }
}

/// The ground with the lines, for any lattice.
struct Drawn {
    drawing: Arc<Drawing>,
    correction: Correction,
}

impl Field for Drawn {
    fn evaluate(
        &self,
        extent: &Extent,
        _view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        match out.values {
            Some(values) => self.correction.apply(&self.drawing, extent, values, ctx),
            None => Ok(()),
        }
    }

    fn features(&self) -> Vec<Feature> {
        let rivers = self.drawing.demands.iter().filter(|one| one.kind == DemandKind::River);
        rivers.map(|river| Feature::River(drawn_river(river))).collect()
    }
}

impl Simulated for Drawn {
    fn keep(&self) -> Vec<u8> {
        keep::bytes(&self.correction)
    }
}

/// A drawn river as an object on the map. Its water is a fifteenth as deep as it is wide.
fn drawn_river(demand: &Demand) -> River {
    let last = demand.points.len() - 1;
    let point = |k: usize| {
        let share = k as f64 / last.max(1) as f64;
        let [x, z] = demand.points[k];
        let width = 2.0 * crate::math::lerp(demand.half_widths[0], demand.half_widths[1], share);
        let discharge = demand.discharge * crate::math::lerp(0.25, 1.0, share);
        RiverPoint { x, z, bed: demand.heights[k], width, depth: width / 15.0, discharge }
    };
    let points = (0..=last).map(point).collect();
    River { name: demand.name.clone(), points, into: demand.into.clone() }
}
