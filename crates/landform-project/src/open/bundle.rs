//! A folder that was built before.

use std::path::Path;

use landform::{Grid, GroundCover, Lattice, Layer, Recipe, Terrain, Topology};
use landform_io::{Manifest, manifest};

use super::files::Files;
use super::heightmap::{Reading, read_with};
use crate::{Error, Result};

/// The file of a bundle with its objects.
const FEATURES: &str = "features.geojson";

/// A terrain that was built before, and the recipe that it was built from.
#[derive(Clone, Debug)]
pub(super) struct Built {
    pub(super) terrain: Terrain,
    pub(super) recipe: Option<Recipe>,
}

/// The manifest of a bundle.
pub(super) fn manifest_of(files: &dyn Files, folder: &Path) -> Result<Manifest> {
    let path = folder.join(manifest::FILE_NAME);
    let bytes = files.read(&path).map_err(|cause| {
        Error::Other(format!("{} is not a folder that build made: {cause}", folder.display()))
    })?;
    Manifest::from_json(&bytes).map_err(|cause| Error::malformed(&path, cause))
}

impl Built {
    /// Reads the layers and objects of a bundle.
    pub(super) fn read(
        files: &dyn Files,
        folder: &Path,
        manifest: &Manifest,
        reading: &Reading,
    ) -> Result<Self> {
        let recipe = files.read(&folder.join("recipe.toml")).ok();
        let recipe = recipe.and_then(|bytes| Recipe::parse(str::from_utf8(&bytes).ok()?).ok());
        let lattice = Lattice { size: manifest.size, spacing: manifest.spacing };
        let samples = |name: &str| -> Result<Grid> {
            let path = folder.join(name);
            let heights = read_with(files, &path, reading, Some(manifest))?.heights;
            let size = [heights.width() as u32, heights.height() as u32];
            if size != manifest.size {
                let ([w, h], [a, b]) = (size, manifest.size);
                return Err(Error::Other(format!(
                    "{} has {w}x{h} samples, but its manifest says {a}x{b}",
                    path.display()
                )));
            }
            Ok(heights)
        };
        let mut terrain = Terrain::new(lattice.whole(), manifest.sea_level, samples("height.npy")?);
        for file in manifest.files.iter().filter(|file| file.name.ends_with(".npy")) {
            let layer = file.layer.as_deref().and_then(Layer::named);
            if let Some(layer) = layer.filter(|layer| *layer != Layer::Height) {
                terrain.insert(layer, samples(&file.name)?);
            }
        }
        // A tile of a planet is a piece of ground.
        let is_whole = recipe.as_ref().is_none_or(|recipe| recipe.output().size == manifest.size);
        let topology = match recipe.as_ref().filter(|_| is_whole) {
            Some(recipe) => recipe.topology,
            None if is_whole => manifest.topology,
            None => Topology::Plane,
        };
        let cover = recipe.as_ref().map_or(GroundCover::Green, |recipe| recipe.ground);
        let mut terrain = terrain.with_topology(topology).with_cover(cover);
        if is_whole && manifest.files.iter().any(|file| file.name == FEATURES) {
            let path = folder.join(FEATURES);
            let bytes = files.read(&path).map_err(|cause| Error::read(&path, cause))?;
            let features = landform_io::features::from_geojson(&bytes);
            terrain.add_features(features.map_err(|cause| Error::malformed(&path, cause))?);
        }
        Ok(Self { terrain, recipe: recipe.filter(|_| is_whole) })
    }
}
