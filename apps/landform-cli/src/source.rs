//! What a command works on: a recipe, an Uplift terrain, or a heightmap, from a file or built in.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use landform::preset::{PRESETS, Preset};
use landform::recipe::Entry;
use landform::shape::flatten::Flatten;
use landform::shape::pad::Pad;
use landform::stage::Stage;
use landform::uplift::Upd;
use landform::{
    Grid, GroundCover, Inputs, Lattice, Layer, Meaning, Plan, Raster, Recipe, Terrain, Topology,
    Watch, recipe,
};
use landform_io::{
    Endian, Format, Heightmap, Manifest, ReadOptions, Scale, SideFile, Store, manifest, side_file,
};

use crate::args::{Changes, Reading};
use crate::{memory, misuse, seam};

/// What a command works on.
#[derive(Debug)]
pub(crate) struct Source {
    /// What it is, for people: "recipe", "Uplift terrain", "heightmap".
    pub(crate) kind: &'static str,
    /// The recipe as text, with comments where there were some.
    pub(crate) text: String,
    pub(crate) recipe: Recipe,
    /// The file of a recipe, and what is written there.
    written: Option<(PathBuf, String)>,
    pub(crate) inputs: Inputs,
    /// What a folder that `build` made holds beside heights.
    pub(crate) built: Option<Built>,
    /// The recipe as it was before the changes of the command line.
    unchanged: Option<String>,
    /// What had to be assumed and a user should hear.
    pub(crate) warnings: Vec<String>,
    /// The range in metres that parts of it share; nothing if it is a whole of its own.
    pub(crate) range: Option<[f64; 2]>,
}

/// A terrain that was built before, and the recipe that it was built from.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) terrain: Terrain,
    recipe: Option<Recipe>,
}

impl Source {
    /// Reads `path`, or takes the default recipe, and applies the changes.
    pub(crate) fn open(
        path: Option<&Path>,
        changes: &Changes,
        reading: &Reading,
    ) -> anyhow::Result<Self> {
        let Some(path) = path else {
            return Self::of_text(Preset::default_preset().text.to_owned(), None, changes, reading);
        };
        // A build of a preset goes to a folder of its name: by the bare name the preset is meant, also the second time.
        if let Some(preset) = preset_of(path) {
            return Self::of_text(preset.text.to_owned(), None, changes, reading);
        }
        if Store::is_store(path) {
            return Self::of_store(path, None, changes);
        }
        if path.is_dir() {
            return Self::of_folder(path, changes, reading);
        }
        match extension(path).as_str() {
            "toml" => Self::of_text(read_text(path)?, Some(path), changes, reading),
            "upd" => {
                if changes.seed.is_some() {
                    bail!(misuse("--seed: the peaks of an Uplift terrain come from no seed"));
                }
                let upd = Upd::parse(&read_text(path)?)
                    .map_err(|error| error.in_file(&path.display().to_string()))?;
                let text = upd.to_recipe().to_toml();
                let source = Self::of_text(text, None, changes, reading)?;
                Ok(Self { kind: "Uplift terrain", ..source })
            }
            other if Format::from_extension(other).is_some_and(Format::is_read) => {
                Self::of_heightmap(path, None, changes, reading)
            }
            _ if path.exists() => {
                let readable = readable_extensions().join(", .");
                bail!(misuse(format!(
                    "{} is no kind of input: expected .toml, .upd or a heightmap (.{readable})",
                    path.display()
                )))
            }
            _ => {
                let name = path.to_string_lossy();
                let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
                bail!(
                    "cannot read {name}: there is no such file, and no preset of that name{}",
                    recipe::did_you_mean(&name, &names)
                )
            }
        }
    }

    fn of_text(
        text: String,
        path: Option<&Path>,
        changes: &Changes,
        reading: &Reading,
    ) -> anyhow::Result<Self> {
        let in_file = |error: landform::Error| match path {
            Some(path) => error.in_file(&path.display().to_string()),
            None => error,
        };
        Recipe::parse(&text).map_err(in_file)?;
        let unchanged = Some(text.clone());
        let written = path.map(|path| (path.to_owned(), text.clone()));
        let text = changed(text, changes)?;
        // What was right before and is wrong now came from the command line.
        let recipe = Recipe::parse(&text)
            .map_err(|error| misuse(format!("--set, --seed, --size or --pads: {error}")))?;
        let folder = path.and_then(Path::parent).unwrap_or(Path::new(""));
        let mut inputs = Inputs::default();
        let mut warnings = Vec::new();
        for file in recipe.files() {
            let heightmap = read_heightmap(&folder.join(file), reading, None).map_err(|error| {
                let error = recipe.file_error(file, &format!("{error:#}"));
                // A file that the command line names has no place in the recipe.
                let text =
                    written.as_ref().map(|(_, text)| text).filter(|text| text.contains(file));
                in_file(match text {
                    Some(text) => error.in_recipe(text),
                    None => error,
                })
            })?;
            warnings.extend(seam::warnings(&recipe, file, &heightmap.heights));
            inputs.insert(file, heightmap.into_input());
        }
        if recipe.stages.is_empty() {
            warnings.push("the recipe has no stages: the ground is flat".to_owned());
        }
        let (kind, built, range) = ("recipe", None, None);
        Ok(Self { kind, text, recipe, written, inputs, built, unchanged, warnings, range })
    }

    /// The same ground with samples for each pixel of a map of this size, if it has fewer. Landforms have no
    /// resolution; a heightmap would gain nothing.
    pub(crate) fn refined_to(self, [width, height]: [u32; 2]) -> anyhow::Result<Self> {
        let size = self.recipe.output().size;
        let share = |axis: usize, pixels: u32| f64::from(pixels) / f64::from(size[axis]);
        let factor = share(0, width).max(share(1, height));
        if factor <= 1.0 || matches!(self.kind, "heightmap" | "bundle") {
            return Ok(self);
        }
        let [width, height] = size.map(|count| (f64::from(count) * factor).round() as u32);
        let text = recipe::set(&self.text, "resolution", &format!("[{width}, {height}]"))?;
        Ok(Self { recipe: Recipe::parse(&text)?, text, ..self })
    }

    /// A heightmap as a recipe with one stage.
    fn of_heightmap(
        path: &Path,
        manifest: Option<&Manifest>,
        changes: &Changes,
        reading: &Reading,
    ) -> anyhow::Result<Self> {
        let heightmap = read_heightmap(path, reading, manifest)?;
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut warnings = Vec::new();
        // Heights that are fractions are taken as metres.
        if heightmap.scale_from == landform_io::Source::Assumed
            && let Some(levels) = heightmap.levels
        {
            let [low, high] = levels.range;
            warnings.push(format!(
                "{} does not say what its heights are: assumed {low} m to {high} m (give --range LOW,HIGH)",
                path.display()
            ));
        }
        if heightmap.spacing_from == landform_io::Source::Assumed {
            let [dx, dz] = heightmap.spacing;
            warnings.push(format!(
                "{} does not say how far apart its samples are: assumed {dx} m by {dz} m (give --spacing)",
                path.display()
            ));
        }
        let lattice = heightmap.lattice();
        let sea_level = manifest.map_or(0.0, |manifest| manifest.sea_level);
        let source = Self::of_samples(&file, heightmap.heights, &lattice, sea_level, changes)?;
        Ok(Self { warnings, ..source })
    }

    /// The heights of a store, or of a window of it.
    pub(crate) fn of_store(
        path: &Path,
        window: Option<[u32; 4]>,
        changes: &Changes,
    ) -> anyhow::Result<Self> {
        let store = Store::open(path)?;
        let [width, height] = store.layout().size;
        let [.., columns, rows] = window.unwrap_or([0, 0, width, height]);
        // The samples, the terrain that is made of them, and what is made of that.
        let needed = 12 * u64::from(columns) * u64::from(rows);
        if memory::free().is_some_and(|free| needed > free) {
            bail!(
                "{columns}x{rows} samples of {} need about {}: take a window (--tile), or an output that is streamed (.tif, .pmtiles)",
                path.display(),
                memory::shown(needed)
            );
        }
        let samples = store.read(0, &Layer::HEIGHT, window.unwrap_or([0, 0, width, height]))?;
        let size = [samples.width() as u32, samples.height() as u32];
        let lattice = Lattice { size, spacing: store.layout().spacing };
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let source = Self::of_samples(&file, samples, &lattice, store.layout().sea_level, changes)?;
        let range = store.manifest().layers.first().map(|height| [height.min, height.max]);
        let mut warnings = Vec::new();
        if !store.manifest().complete {
            warnings.push(format!("{} is not complete", path.display()));
        }
        Ok(Self { kind: "store", warnings, range, ..source })
    }

    /// Samples as a recipe with one stage.
    fn of_samples(
        file: &str,
        samples: Grid,
        lattice: &Lattice,
        sea_level: f64,
        changes: &Changes,
    ) -> anyhow::Result<Self> {
        if changes.seed.is_some() {
            bail!(misuse("--seed: the samples of a heightmap or store come from no seed"));
        }
        let recipe = Recipe::of_heightmap(file, lattice, sea_level);
        let mut inputs = Inputs::default();
        inputs.insert(file, Raster { samples, meaning: Meaning::Values });
        let text = changed(recipe.to_toml(), changes)?;
        let recipe = Recipe::parse(&text)?;
        Ok(Self {
            kind: "heightmap",
            text,
            recipe,
            written: None,
            inputs,
            built: None,
            unchanged: None,
            warnings: Vec::new(),
            range: None,
        })
    }

    /// A folder that `build` made: its layers and objects, with the scale that its manifest gives them. Changes are
    /// made to its heights alone.
    fn of_folder(path: &Path, changes: &Changes, reading: &Reading) -> anyhow::Result<Self> {
        let file = path.join(manifest::FILE_NAME);
        let bytes = std::fs::read(&file)
            .with_context(|| format!("{} is not a folder that build made", path.display()))?;
        let manifest = Manifest::from_json(&bytes).with_context(|| file.display().to_string())?;
        let heights = path.join("height.npy");
        let source = Self::of_heightmap(&heights, Some(&manifest), changes, reading)?;
        if *changes != Changes::default() {
            return Ok(Self { kind: "bundle", ..source });
        }
        let built = Built::read(path, &manifest, reading)?;
        Ok(Self { kind: "bundle", built: Some(built), ..source })
    }

    /// The recipe that the ground comes from, which of a folder is the one that was built.
    pub(crate) fn made_by(&self) -> &Recipe {
        let built = self.built.as_ref().and_then(|built| built.recipe.as_ref());
        built.unwrap_or(&self.recipe)
    }

    /// All of the ground.
    pub(crate) fn terrain(&self, plan: &Plan, watch: &dyn Watch) -> anyhow::Result<Terrain> {
        match &self.built {
            Some(built) => Ok(built.terrain.clone()),
            None => Ok(plan.run(&plan.lattice().whole(), watch)?),
        }
    }

    /// Makes it ready to run.
    pub(crate) fn plan(&self) -> anyhow::Result<Plan> {
        self.recipe.resolve(&self.inputs).map_err(|error| {
            if self.was_right() {
                return misuse(format!("--set, --seed, --size or --pads: {error}"));
            }
            self.placed(error).into()
        })
    }

    /// Whether the recipe was changed on the command line and fits together without that.
    fn was_right(&self) -> bool {
        let Some(text) = self.unchanged.as_ref().filter(|text| **text != self.text) else {
            return false;
        };
        Recipe::parse(text).is_ok_and(|recipe| recipe.resolve(&self.inputs).is_ok())
    }

    /// An error with its place in the file, unless the stage that it is about was changed on the command line.
    fn placed(&self, error: landform::Error) -> landform::Error {
        let Some((path, text)) = &self.written else { return error };
        let place = error.stage.as_ref().map(|(number, _)| number - 1);
        let written = Recipe::parse(text).ok();
        let is_written = written.zip(place).is_some_and(|(written, place)| {
            written.stages.get(place) == self.recipe.stages.get(place)
        });
        let error = if is_written { error.in_recipe(text) } else { error };
        error.in_file(&path.display().to_string())
    }

    /// Says what had to be assumed, unless nothing is to be said.
    pub(crate) fn warn(&self, is_quiet: bool) {
        if !is_quiet {
            self.warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
        }
    }
}

impl Built {
    fn read(folder: &Path, manifest: &Manifest, reading: &Reading) -> anyhow::Result<Self> {
        let recipe = std::fs::read_to_string(folder.join("recipe.toml")).ok();
        let recipe = recipe.and_then(|text| Recipe::parse(&text).ok());
        let lattice = Lattice { size: manifest.size, spacing: manifest.spacing };
        let samples = |name: &str| -> anyhow::Result<Grid> {
            let path = folder.join(name);
            let heights = read_heightmap(&path, reading, Some(manifest))?.heights;
            let size = [heights.width() as u32, heights.height() as u32];
            if size != manifest.size {
                let ([w, h], [a, b]) = (size, manifest.size);
                bail!("{} has {w}x{h} samples, but its manifest says {a}x{b}", path.display());
            }
            Ok(heights)
        };
        let whole = lattice.whole();
        let mut terrain = Terrain::new(whole, manifest.sea_level, samples("height.npy")?);
        for file in manifest.files.iter().filter(|file| file.name.ends_with(".npy")) {
            let layer = file.layer.as_deref().and_then(Layer::named);
            if let Some(layer) = layer.filter(|layer| *layer != Layer::HEIGHT) {
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
        let objects = "features.geojson";
        if is_whole && manifest.files.iter().any(|file| file.name == objects) {
            let path = folder.join(objects);
            let bytes =
                std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let features = landform_io::features::from_geojson(&bytes);
            terrain.add_features(features.with_context(|| path.display().to_string())?);
        }
        let recipe = recipe.filter(|_| is_whole);
        Ok(Self { terrain, recipe })
    }
}

/// Applies what was asked for on the command line. There, a size is a resolution: the landforms stay where
/// they are.
fn changed(text: String, changes: &Changes) -> anyhow::Result<String> {
    let mut text = edited(text, changes)?;
    if let Some([width, height]) = changes.size {
        text = recipe::set(&text, "resolution", &format!("[{width}, {height}]"))?;
    }
    Ok(text)
}

/// Applies what means the same for a new recipe and for one that is built.
pub(crate) fn edited(mut text: String, changes: &Changes) -> anyhow::Result<String> {
    for (path, value) in &changes.set {
        text = recipe::set(&text, path, value)
            .map_err(|error| misuse(format!("--set {path}={value}: {error}")))?;
    }
    if let Some(seed) = changes.seed {
        text = recipe::set_seed(&text, seed).with_context(|| format!("--seed {seed}"))?;
    }
    for (index, path) in changes.pads.iter().enumerate() {
        let pads = Pad::list_from_json(&read_text(path)?)
            .map_err(|error| error.in_file(&path.display().to_string()))?;
        let mut entry = Entry::new(Stage::Flatten(Flatten { pads, ..Flatten::default() }));
        entry.joint.label = Some(format!("pads {}", index + 1));
        text = recipe::append(&text, &entry).context("--pads")?;
    }
    Ok(text)
}

pub(crate) fn read_heightmap(
    path: &Path,
    reading: &Reading,
    manifest: Option<&Manifest>,
) -> anyhow::Result<Heightmap> {
    let format = Format::from_extension(&extension(path)).filter(|format| format.is_read());
    let Some(format) = format else {
        let readable = readable_extensions().join(", .");
        bail!("{} is not a heightmap: expected .{readable}", path.display());
    };
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let given = Scale { size: reading.raw_size, spacing: reading.spacing, range: reading.range };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let side = match (manifest, format) {
        (None, Format::R16 | Format::R32) => side_file(path)?,
        _ => None,
    };
    let beside = match (manifest, &side) {
        (Some(manifest), _) => manifest.scale_of(&name),
        (None, Some(side)) => Some(side.scale()),
        (None, None) => side_car(path).and_then(|manifest| manifest.scale_of(&name)),
    };
    let endian = side.as_ref().map_or(Endian::Little, |side| side.byte_order);
    let options = ReadOptions {
        given,
        side_car: beside.unwrap_or_default(),
        endian: if reading.big_endian { Endian::Big } else { endian },
        rows: side.as_ref().map_or_else(Default::default, |side| side.row_order),
        ..ReadOptions::default()
    };
    landform_io::read(&bytes, format, &options).with_context(|| path.display().to_string())
}

/// What is said beside a file without a header, if anything is.
fn side_file(path: &Path) -> anyhow::Result<Option<SideFile>> {
    let path = side_file::path_of(path);
    let Ok(bytes) = std::fs::read(&path) else { return Ok(None) };
    Ok(Some(SideFile::from_json(&bytes).with_context(|| path.display().to_string())?))
}

/// The manifest beside a file, if there is one that can be read.
fn side_car(path: &Path) -> Option<Manifest> {
    let bytes = std::fs::read(path.with_file_name(manifest::FILE_NAME)).ok()?;
    Manifest::from_json(&bytes).ok()
}

pub(crate) fn read_text(path: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    String::from_utf8(bytes).map_err(|error| {
        let bytes = error.as_bytes();
        let at = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&bytes[..at]);
        let line = before.split('\n').count();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let (byte, path) = (bytes[at], path.display());
        anyhow::anyhow!(
            "found the byte {byte:#04x}, expected text in UTF-8, at {path}:{line}:{column}"
        )
    })
}

/// The extension of a path in lower case, without the dot.
pub(crate) fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

fn readable_extensions() -> Vec<&'static str> {
    Format::all().filter(|format| format.is_read()).map(Format::extension).collect()
}

/// The preset that an input names.
pub(crate) fn preset_of(path: &Path) -> Option<&'static Preset> {
    path.to_str().and_then(Preset::named)
}

/// The folder that a build of `path` goes to unless another is named.
pub(crate) fn default_folder(path: Option<&Path>) -> PathBuf {
    match path.and_then(Path::file_stem) {
        Some(stem) => PathBuf::from(stem),
        None => PathBuf::from("terrain"),
    }
}
