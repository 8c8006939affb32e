//! The stages: a closed list. A new algorithm is its own file, one line here, and a recipe.

use std::fmt;

use schemars::{JsonSchema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::blend::Blend;
use crate::drainage::DrainageMap;
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
use crate::inputs::Inputs;
use crate::river::Rivers;
use crate::shape::{
    flatten::Flatten, heightmap::Heightmap, levels::Levels, plane::Plane, smooth::Smooth,
};
use crate::uplift::{Peaks, Uplift};
use crate::view::View;
use crate::world::{Biomes, Climate, Plates, SeaLevel};
use crate::{Cancelled, Ctx, Extent, Grid, Lattice, Layer, Seed, Terrain, Topology};

/// How far a stage looks: what it must know of the ground around a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Nothing: any sample can be evaluated alone.
    Point,
    /// This many samples on each side.
    Cells(u32),
    /// Everything: it runs once on the recipe's own lattice and is then refined by a fixed rule.
    World,
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

    /// The files that it needs.
    fn files(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Layers that it gives beside the one that it changes, such as the sediment that erosion leaves.
    fn extra_layers(&self) -> Vec<Layer> {
        Vec::new()
    }
}

/// A stage that is ready to run.
pub enum Prepared {
    /// For the reaches `Point` and `Cells`.
    Field(Box<dyn Field>),
    /// For the reach `World`.
    World(Box<dyn World>),
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Field(_) => "Field",
            Self::World(_) => "World",
        })
    }
}

/// Values that can be had for any extent alone.
pub trait Field: Send + Sync {
    /// Writes the new values at the samples of `extent` into `out`, row by row, which holds the old values of
    /// the layer that the stage changes. `view` shows the terrain before, with as many samples around
    /// `extent` as the stage reaches. A stage that only gives extra layers leaves the values as they are.
    ///
    /// # Errors
    /// Only by cancellation.
    fn fill(
        &self,
        extent: &Extent,
        view: &View<'_>,
        out: &mut [f32],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let _ = (extent, view, out, ctx);
        Ok(())
    }

    /// Whether [`fill`](Self::fill) looks at `view`: else nothing has to be copied for it.
    fn reads_view(&self) -> bool {
        true
    }

    /// Writes one of the [extra layers](Operator::extra_layers) at the samples of `extent` into `out`.
    ///
    /// # Errors
    /// Only by cancellation.
    fn fill_extra(
        &self,
        layer: &Layer,
        extent: &Extent,
        out: &mut [f32],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let _ = (extent, out, ctx);
        unreachable!("a stage that declares {layer} writes it")
    }

    /// Writes all extra layers, over the extent of the terrain as it is now. A stage whose layers depend on that terrain, or have work
    /// in common, does it here; others write them one by one.
    ///
    /// # Errors
    /// Only by cancellation.
    fn fill_layers(
        &self,
        layers: &[Layer],
        now: &Terrain,
        out: &mut [Grid],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        for (layer, grid) in layers.iter().zip(out) {
            self.fill_extra(layer, now.extent(), grid.samples_mut(), ctx)?;
        }
        Ok(())
    }

    /// Whether values and extra layers have work in common, which [`fill_together`](Self::fill_together) does once.
    fn has_common_work(&self) -> bool {
        false
    }

    /// Writes the values, as [`fill`](Self::fill) does of a stage that looks at nothing else, and all extra layers.
    ///
    /// # Errors
    /// Only by cancellation.
    fn fill_together(
        &self,
        extent: &Extent,
        out: &mut [f32],
        layers: (&[Layer], &mut [Grid]),
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let _ = (extent, out, layers, ctx);
        unreachable!("a stage that has common work does it")
    }

    /// The objects that it adds to the map, such as rivers: those of the whole ground, whatever the extent.
    fn features(&self) -> Vec<Feature> {
        Vec::new()
    }

    /// What a [`World`] has found out, for [`World::restore`]; nothing for other fields.
    fn keep(&self) -> Vec<u8> {
        Vec::new()
    }
}

/// Work that needs the whole ground once.
pub trait World: Send + Sync {
    /// Runs on the terrain as it is before this stage, on the whole of the recipe's own lattice, and gives the
    /// rule by which the result is had at any extent of any lattice over the same ground. It runs once for
    /// all of them, so the rule must go by the coordinates of the extent that it is asked for.
    ///
    /// # Errors
    /// Only by cancellation.
    fn run(&self, before: &Terrain, ctx: &Ctx<'_>) -> Result<Box<dyn Field>, Cancelled>;

    /// The rule again, from what it [kept](Field::keep); nothing if these bytes cannot be that.
    fn restore(&self, kept: &[u8]) -> Option<Box<dyn Field>>;

    /// Whether it looks at other layers than the height while it runs, or for its values. What its own layers need is there when
    /// somebody looks at them.
    fn reads_layers(&self) -> bool {
        true
    }

    /// Bytes that it holds at the most while it runs, beside the terrain before, which has this many samples.
    fn memory(&self, samples: u64) -> u64 {
        8 * samples
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
    Hydraulic => "hydraulic",
    Thermal => "thermal",
    Plates => "plates",
    SeaLevel => "sea_level",
    Climate => "climate",
    Biomes => "biomes",
    Evolve => "evolve",
    DrainageMap => "drainage",
    Gullies => "gullies",
}
