//! All that is known of an input, as data.

use landform::analysis::statistics::Statistics;
use landform::analysis::world::WorldStatistics;
use landform::drainage::statistics::Drainage;
use landform::uplift::Cone;
use landform::{Extent, Georeference, Layer, Plan, Recipe, Terrain, Topology, Watch};
use landform_io::manifest::LayerEntry;
use landform_io::store::{Check, LayerSummary, Layout, Survey};
use landform_io::{Manifest, Store};
use serde::Serialize;

use crate::memory::PROGRAM;
use crate::{Project, Result};

/// What is known of a terrain.
#[derive(Clone, Debug, Serialize)]
pub struct Description {
    /// What kind of input it is.
    pub kind: &'static str,
    /// Title of the recipe.
    pub title: String,
    /// Seed of the recipe.
    pub seed: u64,
    /// Number of columns and rows.
    pub size: [u32; 2],
    /// Metres between samples to the east and to the south.
    pub spacing: [f64; 2],
    /// Width and depth of the ground in metres.
    pub ground: [f64; 2],
    /// Where it lies on the Earth, or on its planet; nothing if nobody said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceSummary>,
    /// Height of the water table in metres.
    pub sea_level: f64,
    /// The labels of the stages.
    pub stages: Vec<String>,
    /// The peaks of the Uplift Model, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peaks: Option<PeakSummary>,
    /// Bytes that building it takes.
    pub memory: u64,
    /// Numbers about the heights.
    pub statistics: Statistics,
    /// Numbers about a whole world.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub world: Option<WorldStatistics>,
    /// Numbers about where water runs.
    pub drainage: Drainage,
    /// The layers, with their hashes.
    pub layers: Vec<LayerEntry>,
}

/// Where samples lie on the Earth, or on a planet.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlaceSummary {
    /// The coordinate system, such as `EPSG:32632`.
    pub system: String,
    /// East and north of the first sample: the north-western one, unless the map is turned. Degrees count as longitude and latitude.
    pub first: [f64; 2],
    /// East and north of the last sample.
    pub last: [f64; 2],
}

impl PlaceSummary {
    /// The place of the samples of `extent`, which may be a part of the terrain that `place` is told for.
    pub fn of(place: Option<&Georeference>, extent: &Extent) -> Option<Self> {
        let size = [extent.width() as u32, extent.height() as u32];
        Self::of_window(place?, extent.origin(), size, extent.lattice().spacing).into()
    }

    /// The place of the samples of a store.
    pub(crate) fn of_layout(layout: &Layout) -> Option<Self> {
        let Layout { place, origin, size, spacing, .. } = layout;
        Self::of_window(place.as_ref()?, *origin, *size, *spacing).into()
    }

    fn of_window(
        place: &Georeference,
        origin: [u32; 2],
        size: [u32; 2],
        spacing: [f64; 2],
    ) -> Self {
        let at =
            |beyond: [u32; 2]| {
                place.of_place([0, 1].map(|axis| {
                    (f64::from(origin[axis]) + f64::from(beyond[axis])) * spacing[axis]
                }))
            };
        let last = size.map(|count| count.max(1) - 1);
        Self { system: place.crs.to_string(), first: at([0, 0]), last: at(last) }
    }
}

/// The peaks of the Uplift Model.
#[derive(Clone, Debug, Serialize)]
pub struct PeakSummary {
    /// How many.
    pub count: usize,
    /// The lowest and the highest, in metres.
    pub height: [f64; 2],
    /// The narrowest and the widest, in metres.
    pub radius: [f64; 2],
}

impl PeakSummary {
    fn of(recipe: &Recipe) -> Result<Option<Self>> {
        let cones = recipe.cones()?;
        let range = |of: fn(&Cone) -> f64| {
            let range = [f64::INFINITY, f64::NEG_INFINITY];
            cones.iter().map(of).fold(range, |[low, high], value| [low.min(value), high.max(value)])
        };
        let (height, radius) = (range(|cone| cone.height), range(|cone| cone.radius));
        Ok((!cones.is_empty()).then_some(Self { count: cones.len(), height, radius }))
    }
}

/// Describes a terrain that `plan` has made of `project`.
///
/// # Errors
/// If the peaks of the recipe cannot be made.
pub fn describe(project: &Project, plan: &Plan, terrain: &Terrain) -> Result<Description> {
    let recipe = project.made_by();
    let world = world(terrain);
    Ok(Description {
        kind: project.kind().name(),
        title: recipe.title.clone(),
        seed: recipe.seed,
        size: plan.lattice().size,
        spacing: plan.lattice().spacing,
        ground: plan.lattice().ground(),
        place: PlaceSummary::of(terrain.place(), terrain.extent()),
        sea_level: terrain.sea_level(),
        stages: recipe.stages.iter().map(|entry| entry.label().to_owned()).collect(),
        peaks: PeakSummary::of(recipe)?,
        memory: project.memory(plan, &plan.lattice().whole()),
        statistics: statistics(terrain, world.as_ref()),
        world,
        drainage: Drainage::of(terrain),
        layers: Manifest::of(terrain, Some(recipe.seed)).layers,
    })
}

/// Numbers about a whole map that has more to say than its heights.
pub(crate) fn world(terrain: &Terrain) -> Option<WorldStatistics> {
    let is_world = terrain.topology() != Topology::Plane || terrain.layer(&Layer::Biome).is_some();
    is_world.then(|| WorldStatistics::of(terrain))
}

/// Numbers about the heights of a terrain, which may be a world.
pub(crate) fn statistics(terrain: &Terrain, world: Option<&WorldStatistics>) -> Statistics {
    let statistics = Statistics::of(terrain);
    // On a sphere samples stand for more or less ground: the share of land is that of the ground.
    Statistics { land: world.map_or(statistics.land, |world| world.land), ..statistics }
}

/// What is known of a store.
#[derive(Clone, Debug, Serialize)]
pub struct StoreDescription {
    /// What kind of input it is.
    pub kind: &'static str,
    /// Whether all tiles are there.
    pub complete: bool,
    /// Seed of the recipe.
    pub seed: Option<u64>,
    /// Number of columns and rows.
    pub size: [u32; 2],
    /// Metres between samples to the east and to the south.
    pub spacing: [f64; 2],
    /// Where it lies on the Earth, or on its planet; nothing if nobody said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceSummary>,
    /// Height of the water table in metres.
    pub sea_level: f64,
    /// Number of levels of detail.
    pub levels: usize,
    /// Samples along a side of a shard.
    pub shard: u32,
    /// Samples along a side of a chunk.
    pub chunk: u32,
    /// Numbers about the heights.
    pub statistics: Statistics,
    /// The layers, with their hashes.
    pub layers: Vec<StoreLayer>,
}

/// A layer of a store.
#[derive(Clone, Debug, Serialize)]
pub struct StoreLayer {
    /// What was found in the tiles.
    #[serde(flatten)]
    pub summary: LayerSummary,
    /// Hash of all samples row by row, the same as for a terrain that was built in memory.
    pub sha256: String,
    /// What the manifest says, where that is something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<LayerSummary>,
}

/// What a closer look at a store has found.
#[derive(Clone, Debug, Serialize)]
pub struct StoreDamage {
    /// What kind of input it is.
    pub kind: &'static str,
    /// The files that are not as they were written, by their names in the store.
    pub damaged: Vec<String>,
}

/// Looks at every byte of a store.
///
/// # Errors
/// If it is not complete, and by cancellation.
pub fn verify_store(store: &Store, watch: &dyn Watch) -> Result<StoreDamage> {
    if !store.manifest().complete {
        let message = "the store is not complete: only a finished one can be verified";
        return Err(crate::Error::Other(message.to_owned()));
    }
    let damage = store.damage(Check::Contents, watch)?;
    Ok(StoreDamage { kind: "store", damaged: damage.files })
}

/// Bytes that [`describe_store`] takes.
pub fn memory_of_store(store: &Store) -> u64 {
    PROGRAM + store.survey_memory()
}

/// Describes a store, in one pass over its samples.
///
/// # Errors
/// If the store cannot be read, and by cancellation.
pub fn describe_store(store: &Store, watch: &dyn Watch) -> Result<StoreDescription> {
    let Survey { statistics, layers, sha256 } = store.survey(watch)?;
    let (manifest, layout) = (store.manifest(), store.layout());
    let layers = layers.into_iter().zip(sha256).enumerate().map(|(k, (summary, sha256))| {
        let told = manifest.layers.get(k);
        let expected = told.filter(|told| **told != summary).cloned();
        StoreLayer { summary, sha256, expected }
    });
    Ok(StoreDescription {
        kind: "store",
        complete: manifest.complete,
        seed: manifest.seed,
        size: layout.size,
        spacing: layout.spacing,
        place: PlaceSummary::of_layout(layout),
        sea_level: layout.sea_level,
        levels: layout.levels(),
        shard: layout.shard,
        chunk: layout.chunk,
        statistics,
        layers: layers.collect(),
    })
}
