//! The stages: a closed list. A new algorithm is its own file, one line here, and a recipe.

use std::fmt;

use schemars::{JsonSchema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::blend::Blend;
use crate::demand::Demand;
use crate::drainage::DrainageMap;
use crate::effort::Effort;
use crate::erosion::{Hydraulic, Thermal};
use crate::error::Error;
use crate::evolution::{Evolve, Gullies};
use crate::feature::Feature;
use crate::fractal::{
    brownian_surface::BrownianSurface, diamond_square::DiamondSquare,
    fault_formation::FaultFormation, matrix_diamond_square::MatrixDiamondSquare,
    midpoint_displacement::MidpointDisplacement, noise::Noise,
    particle_deposition::ParticleDeposition,
};
use crate::ice::Glaciers;
use crate::inputs::Inputs;
use crate::river::Rivers;
use crate::shape::{
    flatten::Flatten, heightmap::Heightmap, levels::Levels, plane::Plane, smooth::Smooth,
};
use crate::sketch::Sketch;
use crate::terrain_view::TerrainView;
use crate::uplift::{Peaks, Uplift};
use crate::world::{Biomes, Climate, Plates, SeaLevel};
use crate::{Cancelled, Ctx, Extent, Lattice, Layer, Seed, Terrain, Topology};

/// How far a stage looks: what it must know of the ground around a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Nothing: any sample can be evaluated alone.
    Point,
    /// This many samples on each side.
    Cells(u32),
    /// Everything: it runs once on the recipe's own lattice and is then refined by a fixed rule.
    Whole,
}

/// What a stage is told when a recipe becomes a plan.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// The random numbers of this stage.
    pub seed: Seed,
    /// The lattice of the recipe, on which landforms are laid out and simulations run.
    pub design: Lattice,
    /// The lattice on which the terrain is asked for: the same ground, perhaps at another resolution.
    pub output: Lattice,
    /// The rasters that the recipe refers to.
    pub inputs: &'a Inputs,
    /// The layers that there are before this stage.
    pub layers: &'a [Layer],
    /// How the edges of the map belong together.
    pub topology: Topology,
    /// Height of the water table in metres.
    pub sea_level: f64,
    /// Lines that the ground meets before this stage.
    pub demands: &'a [Demand],
    /// Share of the ground that a stage `sea_level` puts below the sea, in percent.
    pub ocean: Option<f64>,
}

/// An algorithm that a recipe can name: parameters that have become something that runs.
pub trait Operator: Send + Sync {
    /// Checks what no single parameter can tell, and gets ready: makes the random landforms, fetches the
    /// inputs. After this nothing can fail but by cancellation.
    ///
    /// # Errors
    /// The parameter that does not fit, and why.
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error>;

    /// How the values join the terrain unless the recipe says otherwise.
    fn blend(&self) -> Blend;

    /// How far it looks when samples are this far apart.
    fn reach(&self, output: &Lattice) -> Reach;

    /// How far it looks, where that depends on the lattice of the recipe too.
    fn reach_at(&self, site: &Site<'_>) -> Reach {
        self.reach(&site.output)
    }

    /// Whether a simulation finds the same land on fewer grid lines, but for its detail: a preview then runs it on these.
    fn can_preview(&self) -> bool {
        false
    }

    /// How much work it is, where that does not go by the number of samples alone.
    fn effort(&self, site: &Site<'_>) -> Option<Effort> {
        let _ = site;
        None
    }

    /// The lines that the ground meets after it, and that later stages keep to.
    ///
    /// # Errors
    /// The line that does not fit, and why.
    fn demands(&self, site: &Site<'_>) -> Result<Vec<Demand>, Error> {
        let _ = site;
        Ok(Vec::new())
    }

    /// Whether it keeps to the [demands](Terrain::demands) of the terrain before by itself. The plan keeps all others off the ground
    /// beside them.
    fn obeys(&self) -> bool {
        false
    }

    /// The files that it needs.
    fn files(&self) -> Vec<&str> {
        Vec::new()
    }

    /// What it reads of the terrain before it, and what it writes.
    fn access(&self) -> Access;
}

/// What a stage reads of the terrain before it, and what it writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// What its simulation reads while it runs, on the whole ground.
    pub simulation: Reads,
    /// What its field makes the new values from; `None` if the stage leaves them as they are.
    pub values: Option<Reads>,
    /// The layers that its field writes beside the one that the stage changes, such as the sediment that erosion leaves.
    pub layers: Vec<Layer>,
    /// What its field makes these layers from: the terrain after the new values have joined it.
    pub layers_from: Reads,
}

impl Access {
    /// New values, each from its coordinates and the old value alone.
    pub const PLAIN: Self = Self {
        simulation: Reads::Nothing,
        values: Some(Reads::Nothing),
        layers: Vec::new(),
        layers_from: Reads::Nothing,
    };

    /// Whether the simulation or the values need layers other than the height. Layers that are made from them do not count: whoever
    /// asks for those asks for all.
    pub(crate) fn needs_layers(&self) -> bool {
        self.simulation == Reads::Layers || self.values == Some(Reads::Layers)
    }
}

/// How much of a terrain something is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// Nothing but the coordinates, and the sample in the same place.
    Nothing,
    /// The height, the layer that the stage changes, and the objects on the map.
    Ground,
    /// Any layer.
    Layers,
}

/// A stage that is ready to run.
pub enum Prepared {
    /// For the reaches `Point` and `Cells`.
    Field(Box<dyn Field>),
    /// For the reach `Whole`.
    Simulation(Box<dyn Simulation>),
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Field(_) => "Field",
            Self::Simulation(_) => "Simulation",
        })
    }
}

/// Values and layers that can be evaluated for any extent alone.
pub trait Field: Send + Sync {
    /// Writes what `out` asks for, at the samples of `extent`. `view` shows as much of the terrain as the stage [declared](Access),
    /// with as many samples around `extent` as it reaches.
    ///
    /// # Errors
    /// Only by cancellation.
    fn evaluate(
        &self,
        extent: &Extent,
        view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled>;

    /// Bytes that it holds as long as the plan.
    fn bytes(&self) -> u64 {
        0
    }

    /// Bytes that it holds while it writes the samples of `extent`, beside these.
    fn memory(&self, extent: &Extent) -> u64 {
        let _ = extent;
        0
    }

    /// The objects that it adds to the map, such as rivers: those of the whole ground, whatever the extent.
    fn features(&self) -> Vec<Feature> {
        Vec::new()
    }
}

/// Where a [`Field`] writes, row by row. It asks for some of what the stage [declared](Access): what nobody needs is left out.
#[derive(Debug)]
pub struct FieldOutput<'a> {
    /// The layer that the stage changes. It holds the old values.
    pub values: Option<&'a mut [f32]>,
    /// Layers beside it. They hold 0.
    pub layers: Vec<(&'a Layer, &'a mut [f32])>,
}

impl<'a> FieldOutput<'a> {
    /// Asks for the values alone.
    pub fn of_values(values: &'a mut [f32]) -> Self {
        Self { values: Some(values), layers: Vec::new() }
    }
}

/// What a [`Simulation`] has found out: a field that can be kept as bytes.
pub trait Simulated: Field {
    /// What [`Simulation::restore`] makes the same field from.
    fn keep(&self) -> Vec<u8>;
}

/// Work that needs the whole ground once.
pub trait Simulation: Send + Sync {
    /// Runs on the terrain as it is before this stage, on the whole of the recipe's own lattice, and gives the
    /// rule by which the result is had at any extent of any lattice over the same ground. It runs once for
    /// all of them, so the rule must go by the coordinates of the extent that it is asked for.
    ///
    /// # Errors
    /// Only by cancellation.
    fn run(&self, before: &Terrain, ctx: &Ctx<'_>) -> Result<Box<dyn Simulated>, Cancelled>;

    /// The rule again, from what it [kept](Simulated::keep); nothing if these bytes cannot be that.
    fn restore(&self, kept: &[u8]) -> Option<Box<dyn Simulated>>;

    /// Bytes that it holds at the most while it runs, its result included, beside the terrain before, which has this many samples.
    fn memory(&self, samples: u64) -> u64 {
        let _ = samples;
        0
    }

    /// Bytes of its result, which stays as long as the plan.
    fn found_memory(&self, samples: u64) -> u64 {
        let _ = samples;
        0
    }

    /// Bytes that its field holds while it writes the samples of `extent`, beside these, when it has run on `design`.
    fn field_memory(&self, design: &Lattice, extent: &Extent) -> u64 {
        let _ = (design, extent);
        0
    }
}

/// Declares the closed list of stages.
macro_rules! stages {
    ($($name:ident => $kind:literal),+ $(,)?) => {
        /// One of the algorithms, with its parameters.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "kind")]
        pub enum Stage {
            $(#[doc = concat!("`", $kind, "`")] #[serde(rename = $kind)] $name($name),)+
        }

        impl Stage {
            /// The words that recipes use for the stages, in the order of the catalogue.
            pub const KINDS: &[&str] = &[$($kind),+];

            /// The word that recipes use for it.
            pub fn kind(&self) -> &'static str {
                match self { $(Self::$name(_) => $kind,)+ }
            }

            /// The algorithm.
            pub fn operator(&self) -> &dyn Operator {
                match self { $(Self::$name(stage) => stage,)+ }
            }

            /// The kind and the schema of the parameters of each stage.
            pub(crate) fn schemas(generator: &mut SchemaGenerator) -> Vec<(&'static str, Json)> {
                vec![$(($kind, $name::json_schema(generator).to_value())),+]
            }
        }
    };
}

stages! {
    Uplift => "uplift",
    Peaks => "peaks",
    Noise => "noise",
    MatrixDiamondSquare => "matrix_diamond_square",
    DiamondSquare => "diamond_square",
    MidpointDisplacement => "midpoint_displacement",
    BrownianSurface => "brownian_surface",
    FaultFormation => "fault_formation",
    ParticleDeposition => "particle_deposition",
    Plane => "plane",
    Heightmap => "heightmap",
    Smooth => "smooth",
    Levels => "levels",
    Rivers => "river",
    Flatten => "flatten",
    Sketch => "sketch",
    Hydraulic => "hydraulic",
    Thermal => "thermal",
    Plates => "plates",
    SeaLevel => "sea_level",
    Climate => "climate",
    Biomes => "biomes",
    Evolve => "evolve",
    DrainageMap => "drainage",
    Gullies => "gullies",
    Glaciers => "glaciers",
}
