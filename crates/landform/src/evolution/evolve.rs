//! The stage `evolve`: land rises, rivers carve it while it does, and slopes creep.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::detail::{Detail, DetailLaw};
use super::simulation::{Land, LandscapeEvolution};
use crate::blend::Blend;
use crate::demand::Demand;
use crate::erosion::rock::{Geology, NamedRock, RockBody, RockName, RockTerms, Strata};
use crate::error::Error;
use crate::keep::{self, keep_struct};
use crate::resample::carry::Carried;
use crate::sketch::{Correction, Drawing};
use crate::stage::{
    Access, Field, FieldOutput, Operator, Prepared, Reach, Reads, Simulated, Simulation, Site,
};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Extent, Lattice, Layer, Terrain};

/// Lets the land rise and rivers carve it: see the [module](super).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Evolve {
    /// How fast the ground rises where the layer `lift` is highest; elsewhere in proportion to its height above the sea.
    #[schemars(range(min = 0.0, max = 100.0), extend("unit" = "mm/yr"))]
    pub uplift: f64,
    /// The layer that gives the shape of the uplift.
    #[schemars(length(max = 40), extend("word" = "layer"))]
    pub lift: String,
    /// How much of the height before is there when it begins: 0 begins on a plain at the level of the sea, 1 with the ground
    /// as it is. With 1 and few years little changes.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub start: f64,
    /// Height of the highest summit over the sea once all is in balance: sets `erodibility`, where no `years` are given. Rock
    /// then counts at most a factor of 2, so that hard rock does not stand alone above a plain.
    #[schemars(range(min = 1.0, max = 20_000.0), extend("unit" = "m"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relief: Option<f64>,
    /// K: how fast rivers cut into sandstone, in m^(1−2m)/yr, where there is no `relief`.
    #[schemars(range(min = 1e-10, max = 1.0))]
    pub erodibility: f64,
    /// m: how much the size of a river counts.
    #[schemars(range(min = 0.1, max = 1.5))]
    pub area_exponent: f64,
    /// n: how much its slope counts.
    #[schemars(range(min = 0.3, max = 4.0))]
    pub slope_exponent: f64,
    /// How long it goes on; until uplift and erosion are nearly in balance unless given.
    #[schemars(range(min = 1.0, max = 1e9), extend("unit" = "yr"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub years: Option<f64>,
    /// D: how fast slopes creep.
    #[schemars(range(min = 0.0, max = 10.0), extend("unit" = "m²/yr"))]
    pub diffusivity: f64,
    /// Drainage area below which no stream cuts: larger, and slopes are longer and smoother. 0 lets the smallest streams cut.
    #[schemars(range(min = 0.0, max = 1e9), extend("unit" = "m²"))]
    pub headwaters: f64,
    /// Slope that stands: what rivers leave steeper fails, and creep is the faster the nearer a slope comes to it. 30 to 40 are
    /// the flanks of real mountains; 90 lets every slope stand.
    #[schemars(range(min = 5.0, max = 90.0), extend("unit" = "°"))]
    pub critical_angle: f64,
    /// G: how readily sediment settles: 0 carries all of it away, 1 fills valleys and builds fans, much more buries the valleys
    /// of the mountains too.
    #[schemars(range(min = 0.0, max = 5.0))]
    pub deposition: f64,
    /// How much rivers fill the valleys that they have cut: 0 leaves them as notches, 1 gives floors as wide as in nature, with fans at
    /// the mouths of side valleys.
    #[schemars(range(min = 0.0, max = 5.0))]
    pub floors: f64,
    /// How long rivers have built deltas into the sea of the recipe; it has stood at its level for about 7000 years.
    #[schemars(range(min = 0.0, max = 1e6), extend("unit" = "yr"))]
    pub delta_years: f64,
    /// The rock that everything is made of where nothing else is said.
    pub rock: RockName,
    /// Kinds of rock of the recipe's own, for `rock`, `rocks` and `strata`: `softness` multiplies K,
    /// `creep` multiplies D and `headwaters` the parameter of that name; the other factors do not count.
    #[schemars(length(max = 100))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub named_rocks: Vec<NamedRock>,
    /// Bodies of other rock.
    #[schemars(length(max = 32))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rocks: Vec<RockBody>,
    /// Beds of rock instead of `rock`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strata: Option<Strata>,
    /// The layer that gives the rain, relative to its mean; the same everywhere unless given.
    #[schemars(length(max = 40), extend("word" = "layer"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rain: Option<String>,
    /// Whether the sea of the recipe stays where it is and rivers end there.
    pub sea: bool,
    /// The sides of the ground by which rivers leave.
    pub outlets: Vec<Side>,
    /// How far the land goes on beyond the border, as a share of the ground: it evolves too, and is then cut away, so that
    /// valleys cross the border as if it were not there.
    #[schemars(range(min = 0.0, max = 0.5))]
    pub margin: f64,
    /// How much new valleys wander instead of following those of the coarser lattice.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub wander: f64,
    /// How much the smallest streams cut into the slopes between the rivers, down to the spacing of the output: finer output has finer
    /// streams. 0 leaves slopes smooth.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub detail: f64,
    /// How much `detail` differs from place to place: 0 is the same everywhere, with 1 some slopes have hardly any.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub patchiness: f64,
    /// Number of lattices, each of half the samples of the next: 1 is the finest alone.
    #[schemars(range(min = 1, max = 16))]
    pub levels: u32,
    /// Number of the finest lattices that are left out, for a preview: the large valleys and the highest summit are the same,
    /// the ground is a few percent lower on average, and each makes it about four times faster.
    #[schemars(range(min = 0, max = 6))]
    pub preview: u32,
    /// Steps on each lattice; the coarsest has four times as many, the finest five for every eight.
    #[schemars(range(min = 1, max = 1000))]
    pub steps: u32,
}

/// A side of the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// z = 0.
    North,
    /// The greatest x.
    East,
    /// The greatest z.
    South,
    /// x = 0.
    West,
}

impl Default for Evolve {
    fn default() -> Self {
        Self {
            uplift: 1.0,
            lift: Layer::Height.name().to_owned(),
            start: 0.0,
            relief: None,
            erodibility: 5e-6,
            area_exponent: 0.45,
            slope_exponent: 1.0,
            years: None,
            diffusivity: 0.03,
            headwaters: 0.0,
            critical_angle: 90.0,
            deposition: 0.2,
            floors: 0.0,
            delta_years: 0.0,
            rock: RockName::default(),
            named_rocks: Vec::new(),
            rocks: Vec::new(),
            strata: None,
            rain: None,
            sea: true,
            outlets: vec![Side::North, Side::East, Side::South, Side::West],
            margin: 0.1,
            wander: 1.0,
            detail: 1.0,
            patchiness: 0.0,
            levels: 8,
            preview: 0,
            steps: 8,
        }
    }
}

impl Operator for Evolve {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        Layer::among(site.layers, "lift", &self.lift)?;
        if let Some(layer) = &self.rain {
            Layer::among(site.layers, "rain", layer)?;
        }
        let terms = RockTerms {
            rock: &self.rock,
            strata: self.strata.as_ref(),
            bodies: &self.rocks,
            named: &self.named_rocks,
        };
        let geology = Geology::new(terms, site)?;
        Ok(Prepared::Simulation(Box::new(LandscapeEvolution {
            evolve: self.clone(),
            geology,
            seed: site.seed,
            design: site.design,
            drawing: drawing(site).map(Arc::new),
        })))
    }

    fn blend(&self) -> Blend {
        Blend::Lerp
    }

    fn reach(&self, _output: &Lattice) -> Reach {
        Reach::Whole
    }

    fn files(&self) -> Vec<&str> {
        self.rocks.iter().flat_map(|body| body.mask.files()).collect()
    }

    fn can_preview(&self) -> bool {
        true
    }

    fn obeys(&self) -> bool {
        true
    }

    fn access(&self) -> Access {
        Access {
            simulation: Reads::Layers,
            layers: vec![Layer::Sediment, Layer::Flow],
            ..Access::PLAIN
        }
    }
}

impl Simulation for LandscapeEvolution {
    fn run(&self, before: &Terrain, ctx: &Ctx<'_>) -> Result<Box<dyn Simulated>, Cancelled> {
        let Some(drawing) = &self.drawing else {
            let evolved = Evolved::of(self.evolve(before, ctx)?, None);
            return Ok(Box::new(OnLines { evolved, drawing: None }));
        };
        let land = self.evolve(before, &ctx.share(0.0, 0.95))?;
        // What the lines still lack once the land is done.
        let mut height = land.height.clone();
        let kept = before.height().samples().iter().map(|&h| if h.is_finite() { h } else { 0.0 });
        let all = height.samples_mut().iter_mut().zip(kept);
        all.for_each(|(height, before)| *height += land.kept as f32 * before);
        let lattice = before.extent().lattice();
        let spread = FINISH * lattice.spacing[0].max(lattice.spacing[1]);
        let ctx = ctx.share(0.95, 1.0);
        let correction = drawing.correction(&height, lattice, spread, &ctx)?;
        let evolved = Evolved::of(land, Some(correction));
        Ok(Box::new(OnLines { evolved, drawing: Some(Arc::clone(drawing)) }))
    }

    fn restore(&self, kept: &[u8]) -> Option<Box<dyn Simulated>> {
        let evolved: Evolved = keep::thing(kept)?;
        let drawing = self.drawing.clone();
        let fits = match (&evolved.correction, &drawing) {
            (Some(correction), Some(_)) => correction.fits(&self.design),
            (correction, drawing) => correction.is_none() && drawing.is_none(),
        };
        fits.then(|| -> Box<dyn Simulated> { Box::new(OnLines { evolved, drawing }) })
    }

    fn memory(&self, samples: u64) -> u64 {
        let share = 1.0 + 2.0 * self.evolve.margin;
        let all = samples as f64 * share * share;
        let beds = if self.evolve.strata.is_some() { 8.0 } else { 0.0 };
        let fields = if self.evolve.headwaters > 0.0 { 8.0 } else { 0.0 };
        let rocks = 4.0 * self.geology.bodies() as f64 + beds + fields;
        let lines = if self.drawing.is_some() { LINES_BYTES } else { 0.0 };
        let most = ((RUN_BYTES + lines + rocks) * all) as u64;
        let most =
            if self.drawing.is_some() { most.max((Drawing::BYTES + 24) * samples) } else { most };
        if self.evolve.preview > 0 {
            return most;
        }
        // At the end the smallest streams are worn in, block by block.
        let side = all.sqrt() as usize;
        let law =
            DetailLaw { spacing: [1.0; 2], strength: 1.0, patchiness: 0.0, sea: 0.0, seed: 0 };
        most.max(((WEAR_BYTES + rocks) * all) as u64 + law.memory_of_wear([side; 2]))
    }

    fn found_memory(&self, samples: u64) -> u64 {
        // Height, sediment, flow and water; the land, if something of the ground before is kept in it.
        let land = if self.evolve.start > 0.0 { 4 } else { 0 };
        let lines = if self.drawing.is_some() { 8 } else { 0 };
        (16 + land + lines) * samples
    }

    fn field_memory(&self, design: &Lattice, extent: &Extent) -> u64 {
        if self.evolve.preview > 0 {
            return 0;
        }
        let more = if self.evolve.start > 0.0 { 4 * extent.len() as u64 } else { 0 };
        more + Detail::memory(&self.detail(design, 0.0), design, extent)
    }
}

/// Bytes a sample of the ground with its margin, while it evolves.
const RUN_BYTES: f64 = 60.0;
/// As many more where it is steered to meet lines.
const LINES_BYTES: f64 = 160.0;
/// The same while its smallest streams are worn in.
const WEAR_BYTES: f64 = 48.0;

/// Samples over which the finished land comes to meet drawn lines.
const FINISH: f64 = 40.0;

/// The lines that the land meets. Their flanks are what the rivers make of them.
fn drawing(site: &Site<'_>) -> Option<Drawing> {
    let plain = |demand: &Demand| Demand { radius: 0.0, roughness: 0.0, ..demand.clone() };
    let demands: Vec<Demand> = site.demands.iter().map(plain).collect();
    let (sea_level, seed) = (site.sea_level, site.seed);
    (!demands.is_empty()).then_some(Drawing { demands, sea_level, seed })
}

/// The land with the lines that it meets.
struct OnLines {
    evolved: Evolved,
    drawing: Option<Arc<Drawing>>,
}

/// The land at the end, for any lattice over the same ground.
struct Evolved {
    /// How much of the ground before is left, with all that is smaller than the lattice.
    kept: f32,
    /// The height, less what is kept.
    height: Carried,
    sediment: Carried,
    flow: Carried,
    /// What finer lattices have more; nothing of a preview.
    detail: Option<Detail>,
    /// What drawn lines still lacked.
    correction: Option<Correction>,
}

keep_struct!(Evolved { kept, height, sediment, flow, detail, correction });

impl Evolved {
    fn of(land: Land, correction: Option<Correction>) -> Self {
        Self {
            kept: land.kept as f32,
            height: Carried::new(land.height),
            sediment: Carried::new(land.sediment),
            flow: Carried::new(land.flow),
            detail: land.detail,
            correction,
        }
    }
}

impl Field for OnLines {
    fn evaluate(
        &self,
        extent: &Extent,
        _view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let land = &self.evolved;
        if let Some(values) = out.values {
            let kept = land.kept;
            match &land.detail {
                Some(detail) if kept == 0.0 => detail.fill(&land.height, extent, values, ctx)?,
                detail => {
                    land.height.fill(extent, values, ctx, |height, new| {
                        let is_left = kept > 0.0 && height.is_finite();
                        *height = if is_left { kept * *height + new } else { new };
                    })?;
                    detail.iter().try_for_each(|detail| detail.add(extent, values, ctx))?;
                }
            }
            if let (Some(correction), Some(drawing)) = (&land.correction, &self.drawing) {
                correction.apply(drawing, extent, values, ctx)?;
            }
        }
        for (layer, samples) in out.layers {
            let source = match layer {
                Layer::Sediment => &land.sediment,
                Layer::Flow => &land.flow,
                other => unreachable!("evolution gives no layer {other}"),
            };
            source.fill(extent, samples, ctx, |sample, value| *sample = value.max(0.0))?;
        }
        Ok(())
    }
}

impl Simulated for OnLines {
    fn keep(&self) -> Vec<u8> {
        keep::bytes(&self.evolved)
    }
}
