//! A folder that was built before.

use std::path::Path;

use landform::{Grid, GroundCover, Lattice, Layer, Recipe, Terrain, Topology};
use landform_io::manifest::FileEntry;
use landform_io::{Format, Manifest, manifest};

use super::files::{Files, extension, read_description};
use super::heightmap::{Reading, read_with};
use crate::{Error, Result, Warning, memory};

/// The file of a bundle with its objects.
const FEATURES: &str = "features.geojson";

/// A terrain that was built before, and the recipe that it was built from.
#[derive(Clone, Debug)]
pub(super) struct Built {
    pub(super) terrain: Terrain,
    pub(super) recipe: Option<Recipe>,
    /// A recipe that cannot be read, and layers whose samples are not those of the manifest.
    pub(super) warnings: Vec<Warning>,
}

/// The manifest of a bundle.
pub(super) fn manifest_of(files: &dyn Files, folder: &Path, reading: &Reading) -> Result<Manifest> {
    reading.named.check(files, folder, manifest::FILE_NAME)?;
    let path = folder.join(manifest::FILE_NAME);
    let bytes = read_description(files, &path).map_err(|cause| {
        Error::Other(format!("{} is not a folder that build made: {cause}", folder.display()))
    })?;
    Manifest::from_json(&bytes).map_err(|cause| Error::malformed(&path, cause))
}

/// The file of a bundle that has its heights.
pub(super) fn heights_of<'a>(folder: &Path, manifest: &'a Manifest) -> Result<&'a FileEntry> {
    manifest.heights().ok_or_else(|| {
        let folder = folder.display();
        Error::Other(format!("{folder} holds no heights that can be read, such as height.npy"))
    })
}

impl Built {
    /// Reads the layers and objects of a bundle.
    pub(super) fn read(
        files: &dyn Files,
        folder: &Path,
        manifest: &Manifest,
        reading: &Reading,
    ) -> Result<Self> {
        let heights = heights_of(folder, manifest)?;
        reading.named.check(files, folder, "recipe.toml")?;
        let path = folder.join("recipe.toml");
        reading.check(files, &path, memory::RECIPE)?;
        let text = files.read(&path).ok();
        let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
        let mut warnings = Vec::new();
        let recipe = text.and_then(|text| {
            let unread = |error: landform::Error| error.in_file("recipe.toml").to_string();
            let parsed = Recipe::parse(&text).map_err(unread);
            parsed.map_err(|why| warnings.push(Warning::UnreadRecipe(why))).ok()
        });
        let size = heights.size.unwrap_or(manifest.size);
        let lattice = Lattice { size, spacing: manifest.spacing };
        let mut samples = |file: &FileEntry| -> Result<Grid> {
            reading.named.check(files, folder, &file.name)?;
            let path = folder.join(&file.name);
            let heights = read_with(files, &path, reading, Some(manifest))
                .map_err(|error| reading.named.hidden(error))?
                .heights;
            let found = [heights.width() as u32, heights.height() as u32];
            if found != size {
                let ([w, h], [a, b]) = (found, size);
                return Err(Error::Other(format!(
                    "{} has {w}x{h} samples, but its manifest says {a}x{b}",
                    path.display()
                )));
            }
            warnings.extend(differing(manifest, file, &path, &heights));
            Ok(heights)
        };
        let mut terrain = Terrain::new(lattice.whole(), manifest.sea_level, samples(heights)?);
        for file in manifest.files.iter().filter(|file| file.name.ends_with(".npy")) {
            let layer = file.layer.as_deref().and_then(Layer::named);
            if let Some(layer) = layer.filter(|layer| *layer != Layer::Height) {
                terrain.insert(layer, samples(file)?);
            }
        }
        // A tile of a planet is a piece of ground.
        let is_whole = recipe.as_ref().is_none_or(|recipe| recipe.output().size == size);
        let topology = match recipe.as_ref().filter(|_| is_whole) {
            Some(recipe) => recipe.topology,
            None if is_whole => manifest.topology,
            None => Topology::Plane,
        };
        let cover = recipe.as_ref().map_or(GroundCover::Green, |recipe| recipe.ground);
        let place = manifest.place_of_first();
        let mut terrain = terrain.with_topology(topology).with_cover(cover).with_place(place);
        if is_whole && manifest.files.iter().any(|file| file.name == FEATURES) {
            reading.named.check(files, folder, FEATURES)?;
            let path = folder.join(FEATURES);
            reading.check(files, &path, memory::FEATURES)?;
            let bytes = files.read(&path).map_err(|cause| Error::read(&path, cause))?;
            let features = landform_io::features::from_geojson(&bytes);
            terrain.add_features(features.map_err(|cause| Error::malformed(&path, cause))?);
        }
        Ok(Self { terrain, recipe: recipe.filter(|_| is_whole), warnings })
    }
}

/// A warning if the samples of a file are not those that the manifest tells. Only files that hold the very samples can be
/// compared, not levels and not tiles.
fn differing(
    manifest: &Manifest,
    file: &FileEntry,
    path: &Path,
    samples: &Grid,
) -> Option<Warning> {
    let is_exact = matches!(
        Format::from_extension(&extension(path)),
        Some(Format::Npy | Format::R32 | Format::Tiff | Format::Exr)
    );
    if !is_exact || file.levels.is_some() || file.size.is_some() {
        return None;
    }
    let layer = manifest.layers.iter().find(|layer| Some(&layer.name) == file.layer.as_ref())?;
    let found = manifest::sha256(samples);
    (found != layer.sha256).then(|| Warning::Differs {
        file: path.display().to_string(),
        layer: layer.name.clone(),
        found,
        expected: layer.sha256.clone(),
    })
}
