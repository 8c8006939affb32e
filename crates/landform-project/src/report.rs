//! What a job has made, as data: what `build --json` and `view --json` tell.
//!
//! ```json
//! { "kind": "recipe", "title": "…", "seed": 5, "size": [65, 33], "spacing": [10.0, 20.0], "ground": [640.0, 640.0],
//!   "origin": [0, 0], "sea_level": 0.0, "stages": ["uplift"], "statistics": { … }, "layers": [{ … }],
//!   "files": [{ "path": "island.npy", "bytes": 8708, "sha256": "…", "about": "…" }], "warnings": [] }
//! ```
//!
//! `statistics`, `world` and `layers` are those of [`describe`](crate::describe).

use std::path::Path;

use landform::analysis::statistics::Statistics;
use landform::analysis::world::WorldStatistics;
use landform::{Plan, Terrain};
use landform_io::store;
use landform_io::{Manifest, Store, regular};
use serde::Serialize;

use crate::describe::{PlaceSummary, statistics, world};
use crate::make::ExportFolder;
use crate::{Error, Project, Result};

/// What a job has made.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The terrain that files were made of.
    #[serde(flatten)]
    pub terrain: TerrainReport,
    /// The files, in the order in which they were made.
    pub files: Vec<FileReport>,
    /// What another program wants to hear when it takes the files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub import: Option<ImportReport>,
    /// What the user should hear.
    pub warnings: Vec<String>,
}

/// The terrain that files were made of.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TerrainReport {
    /// What kind of input it comes from.
    pub kind: &'static str,
    /// Title of the recipe.
    pub title: String,
    /// Seed of the recipe; nothing for a terrain that has none.
    pub seed: Option<u64>,
    /// Number of columns and rows.
    pub size: [u32; 2],
    /// Metres between samples to the east and to the south.
    pub spacing: [f64; 2],
    /// Width and depth of the ground in metres.
    pub ground: [f64; 2],
    /// Column and row of the first sample in the whole terrain: not zero for a tile.
    pub origin: [u32; 2],
    /// Where it lies on the Earth, or on its planet; nothing if nobody said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceSummary>,
    /// Height of the water table in metres.
    pub sea_level: f64,
    /// The labels of the stages.
    pub stages: Vec<String>,
    /// Numbers about the heights; nothing for terrain that was made tile by tile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Statistics>,
    /// Numbers about a whole world.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub world: Option<WorldStatistics>,
    /// The layers, with their hashes.
    pub layers: Vec<LayerReport>,
}

/// A layer.
#[derive(Clone, Debug, Serialize)]
pub struct LayerReport {
    /// Its name.
    pub name: String,
    /// Unit of its samples; "1" for plain numbers.
    pub unit: String,
    /// Smallest sample that is a finite number.
    pub min: f64,
    /// Largest sample that is a finite number.
    pub max: f64,
    /// SHA-256 of the samples as little-endian f32, row by row, in hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// SHA-256 of the hashes of all tiles, in a store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256_of_tiles: Option<String>,
}

/// A file, or a folder of many files.
#[derive(Clone, Debug, Serialize)]
pub struct FileReport {
    /// Its path, as the user would type it.
    pub path: String,
    /// Its length; nothing for a folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// SHA-256 of its bytes in hexadecimal; nothing for a folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// What is in it, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
}

/// What another program wants to hear.
#[derive(Clone, Debug, Serialize)]
pub struct ImportReport {
    /// What the import dialog asks for: label and value, those of the last tile.
    pub numbers: Vec<(&'static str, String)>,
    /// What to do with them, a step a line.
    pub steps: Vec<String>,
}

impl ImportReport {
    /// What an export says about its files.
    pub fn of(made: &ExportFolder) -> Self {
        Self { numbers: made.numbers.clone(), steps: made.steps.clone() }
    }
}

impl FileReport {
    /// What was written to `path`.
    ///
    /// # Errors
    /// If it cannot be read back.
    pub fn of(path: &Path, about: Option<String>) -> Result<Self> {
        let shown = path.display().to_string();
        if path.is_dir() {
            return Ok(Self { path: shown, bytes: None, sha256: None, about });
        }
        let (bytes, sha256) = regular::sha256(path).map_err(|cause| Error::read(path, cause))?;
        Ok(Self { path: shown, bytes: Some(bytes), sha256: Some(sha256), about })
    }
}

impl TerrainReport {
    /// What is known before there are samples.
    pub fn of_plan(project: &Project, plan: &Plan) -> Self {
        let recipe = project.made_by();
        Self {
            kind: project.kind().name(),
            title: recipe.title.clone(),
            seed: Some(recipe.seed),
            size: plan.lattice().size,
            spacing: plan.lattice().spacing,
            ground: plan.lattice().ground(),
            place: PlaceSummary::of(plan.place(), &plan.lattice().whole()),
            sea_level: plan.sea_level(),
            stages: recipe.stages.iter().map(|entry| entry.label().to_owned()).collect(),
            ..Self::default()
        }
    }

    /// A terrain that `plan` has made of `project`: all of it, or a tile.
    pub fn of(project: &Project, plan: &Plan, terrain: &Terrain) -> Self {
        Self::of_plan(project, plan).with_samples_of(terrain)
    }

    /// A window of a store.
    pub fn of_window(store: &Store, window: &Terrain) -> Self {
        Self::of_store(store).with_samples_of(window)
    }

    /// The same with what the samples of `terrain` tell.
    fn with_samples_of(self, terrain: &Terrain) -> Self {
        let extent = terrain.extent();
        let size = [extent.width() as u32, extent.height() as u32];
        let spacing = extent.lattice().spacing;
        let world = world(terrain);
        let layers = Manifest::of(terrain, None).layers.into_iter().map(|layer| LayerReport {
            name: layer.name,
            unit: layer.unit,
            min: layer.min,
            max: layer.max,
            sha256: Some(layer.sha256),
            sha256_of_tiles: None,
        });
        Self {
            size,
            spacing,
            ground: [0, 1].map(|axis| f64::from(size[axis] - 1) * spacing[axis]),
            origin: extent.origin(),
            place: PlaceSummary::of(terrain.place(), extent),
            sea_level: terrain.sea_level(),
            statistics: Some(statistics(terrain, world.as_ref())),
            world,
            layers: layers.collect(),
            ..self
        }
    }

    /// A store, by its manifest.
    pub fn of_manifest(manifest: &store::Manifest) -> Self {
        let layout = &manifest.layout;
        let layers = manifest.layers.iter().map(|layer| LayerReport {
            name: layer.name.clone(),
            unit: layer.unit.clone(),
            min: layer.min,
            max: layer.max,
            sha256: None,
            sha256_of_tiles: Some(layer.sha256_of_tiles.clone()),
        });
        let recipe = landform::Recipe::parse(&manifest.recipe).ok();
        let stages = recipe.iter().flat_map(|recipe| &recipe.stages);
        Self {
            kind: "store",
            title: recipe.as_ref().map(|recipe| recipe.title.clone()).unwrap_or_default(),
            seed: manifest.seed,
            size: layout.size,
            spacing: layout.spacing,
            ground: [0, 1].map(|axis| f64::from(layout.size[axis] - 1) * layout.spacing[axis]),
            origin: layout.origin,
            place: PlaceSummary::of_layout(layout),
            sea_level: layout.sea_level,
            stages: stages.map(|entry| entry.label().to_owned()).collect(),
            statistics: None,
            world: None,
            layers: layers.collect(),
        }
    }

    /// A store that was drawn or converted.
    pub fn of_store(store: &Store) -> Self {
        Self::of_manifest(store.manifest())
    }
}
