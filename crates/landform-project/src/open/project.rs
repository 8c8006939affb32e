//! What a job works on: a recipe, an Uplift terrain, or samples, from a file or built in.

use std::fmt;
use std::path::{Path, PathBuf};

use landform::georeference::Placed;
use landform::preset::{PRESETS, Preset};
use landform::uplift::Upd;
use landform::{
    Extent, Grid, Inputs, Lattice, Layer, Meaning, Plan, Raster, Recipe, Terrain, Watch, recipe,
};
use landform_io::{Format, Manifest, Store};

use super::bundle::{self, Built};
use super::changes::{Changes, set_resolution};
use super::files::{Disk, Entry, Files, Memory, extension, file_name, read_text};
use super::heightmap::{self, Named, Reading, read_with};
use super::{seam, sniff};
use crate::make::Origin;
use crate::{Error, Result, Warning, Wish, memory};

/// How an input is opened.
#[derive(Clone, Copy)]
pub struct Opening<'a> {
    /// Changes to its recipe.
    pub changes: &'a Changes,
    /// What a heightmap does not say of itself.
    pub reading: Reading,
    /// Where files are read from.
    pub files: &'a dyn Files,
    /// Where the files lie that a text without a path of its own names.
    pub folder: Option<&'a Path>,
    /// Rasters that are there already, with the places where they lie, by the names that the recipe uses for them: they are not
    /// read.
    pub given: Option<&'a Inputs>,
}

impl fmt::Debug for Opening<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Opening");
        shown.field("changes", &self.changes).field("reading", &self.reading);
        shown.finish_non_exhaustive()
    }
}

impl Default for Opening<'_> {
    fn default() -> Self {
        const UNCHANGED: &Changes = &Changes {
            seed: None,
            size: None,
            preview: None,
            extent: None,
            set: Vec::new(),
            pads: Vec::new(),
        };
        let (reading, folder, given) = (Reading::default(), None, None);
        Self { changes: UNCHANGED, reading, files: &Disk, folder, given }
    }
}

/// What kind of input was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A recipe, from a file or built in.
    Recipe,
    /// A UPD file.
    Uplift,
    /// A file of heights.
    Heightmap,
    /// A folder that was built before.
    Bundle,
    /// A Zarr store, or a window of it.
    Store,
}

impl Kind {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Recipe => "recipe",
            Self::Uplift => "Uplift terrain",
            Self::Heightmap => "heightmap",
            Self::Bundle => "bundle",
            Self::Store => "store",
        }
    }
}

/// An input that was opened: always a recipe, with the rasters that it needs.
#[derive(Clone, Debug)]
pub struct Project {
    kind: Kind,
    text: String,
    recipe: Recipe,
    /// The file of a recipe, and its text before the changes.
    written: Option<(PathBuf, String)>,
    inputs: Inputs,
    built: Option<Built>,
    /// The recipe before the changes.
    unchanged: Option<String>,
    /// The text of an Uplift terrain as it was read.
    upd: Option<String>,
    warnings: Vec<Warning>,
    range: Option<[f64; 2]>,
}

/// Heights that come from no recipe.
struct Samples<'a> {
    /// The name by which a recipe calls them.
    file: &'a str,
    heights: Grid,
    /// Where they lie, if that is known.
    placed: Option<Placed>,
    sea_level: f64,
}

impl Project {
    /// Opens a file, a folder or a preset; nothing stands for the default preset.
    ///
    /// # Errors
    /// If it cannot be read, or the changes do not fit.
    pub fn open(path: Option<&Path>, opening: &Opening<'_>) -> Result<Self> {
        let Some(path) = path else {
            return Self::of_text(Preset::default_preset().text.to_owned(), None, opening);
        };
        // A build of a preset goes to a folder of its name. The bare name means the preset, also the second time.
        if let Some(preset) = Self::preset(path) {
            return Self::of_text(preset.text.to_owned(), None, opening);
        }
        let entry = opening.files.entry(path);
        match entry {
            Some(Entry::Store) => return Self::of_store(path, None, opening.changes),
            Some(Entry::Folder) => return Self::of_bundle(path, opening),
            Some(Entry::File) | None => {}
        }
        match extension(path).as_str() {
            "toml" => {
                opening.reading.check(opening.files, path, memory::RECIPE)?;
                let text = read_text(opening.files, path)?;
                Self::of_text(text, Some(path), opening)
            }
            "upd" => {
                if opening.changes.seed.is_some() {
                    let why = "the peaks of an Uplift terrain come from no seed";
                    return Err(Error::wish(Wish::Seed, why));
                }
                opening.reading.check(opening.files, path, memory::UPD)?;
                let text = read_text(opening.files, path)?;
                let upd = Upd::parse(&text)
                    .map_err(|error| error.in_file(&path.display().to_string()))?;
                let recipe = upd.to_recipe();
                drop(upd);
                let written = recipe.to_toml();
                drop(recipe);
                let project = Self::of_text(written, None, opening)?;
                Ok(Self { kind: Kind::Uplift, upd: Some(text), ..project })
            }
            other if Format::from_extension(other).is_some_and(Format::is_read) => {
                Self::of_heightmap(path, None, opening)
            }
            _ if entry.is_some() => {
                let readable = heightmap::readable_extensions().join(", .");
                let message = format!(
                    "{} is no kind of input: expected .toml, .upd or a heightmap (.{readable})",
                    path.display()
                );
                Err(Error::wish(Wish::Input, message))
            }
            _ => {
                let name = path.to_string_lossy();
                let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
                let near = recipe::did_you_mean(&name, &names);
                Err(Error::Other(format!(
                    "cannot read {name}: there is no such file, and no preset of that name{near}"
                )))
            }
        }
    }

    /// Opens bytes without a name, such as those of standard input: a recipe, an Uplift terrain, or a heightmap that can be
    /// told by how it begins. Messages call them `-.toml`, `-.npy` and so on; files that a recipe names are looked for in
    /// the folder of the opening, or the current one.
    ///
    /// # Errors
    /// If they are nothing of these, and as [`Self::open`].
    pub fn of_bytes(bytes: Vec<u8>, opening: &Opening<'_>) -> Result<Self> {
        let Some(extension) = sniff::extension_of(&bytes, &opening.reading) else {
            let message = "found no recipe, no Uplift terrain and no heightmap that says what it is \
                           (a file without a header needs the number of its samples)";
            return Err(Error::wish(Wish::Input, message));
        };
        let name = format!("-.{extension}");
        let path = PathBuf::from(&name);
        let memory = Memory([(name, bytes)].into());
        match extension {
            "toml" => Self::of_text(read_text(&memory, &path)?, Some(&path), opening),
            _ => Self::open(Some(&path), &Opening { files: &memory, ..*opening }),
        }
    }

    /// The preset that an input names.
    pub fn preset(path: &Path) -> Option<&'static Preset> {
        path.to_str().and_then(Preset::named)
    }

    /// A recipe that is text already. Files that it names lie beside `path`, where errors are said to be.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn of_text(text: String, path: Option<&Path>, opening: &Opening<'_>) -> Result<Self> {
        let in_file = |error: landform::Error| match path {
            Some(path) => error.in_file(&path.display().to_string()),
            None => error,
        };
        let mut recipe = Recipe::parse(&text).map_err(in_file)?;
        let is_changed = !opening.changes.is_empty();
        let unchanged = is_changed.then(|| text.clone());
        let written = path.map(|path| (path.to_owned(), text.clone()));
        let mut text = text;
        if is_changed {
            text = opening.changes.apply(text)?;
            // The recipe was right before: the changes made it wrong.
            recipe = Recipe::parse(&text)
                .map_err(|error| Error::wish(Wish::Changes, error.to_string()))?;
        }
        let folder = path.and_then(Path::parent).or(opening.folder).unwrap_or(Path::new(""));
        let mut inputs = Inputs::default();
        let mut warnings = Vec::new();
        for file in recipe.files() {
            if let Some((given, raster)) = opening.given.and_then(|all| Some((all, all.get(file)?)))
            {
                inputs.insert(file, raster.clone());
                if let Some(placed) = given.place(file) {
                    inputs.insert_place(file, placed.clone());
                }
                continue;
            }
            // What the changes name is named by the user.
            let is_theirs = !opening.changes.names(file);
            let named = if is_theirs { opening.reading.named } else { Named::Anywhere };
            let heightmap = named.check(opening.files, folder, file).and_then(|()| {
                let read = read_with(opening.files, &folder.join(file), &opening.reading, None);
                read.map_err(|error| named.hidden(error))
            });
            let heightmap = heightmap.map_err(|error| {
                let error = recipe.file_error(file, &error.to_string());
                // A file that only the changes name has no place in the text.
                let text =
                    written.as_ref().map(|(_, text)| text).filter(|text| text.contains(file));
                in_file(match text {
                    Some(text) => error.in_recipe(text),
                    None => error,
                })
            })?;
            let seams = seam::warnings(&recipe, file, &heightmap.heights);
            warnings.extend(seams.into_iter().map(Warning::Seam));
            if let Some(placed) = heightmap.placed() {
                inputs.insert_place(file, placed);
            }
            inputs.insert(file, heightmap.into_input());
        }
        warnings.extend(Warning::misplaced(&recipe, &inputs));
        if recipe.stages.is_empty() {
            warnings.push(Warning::NoStages);
        }
        let (kind, built, range, upd) = (Kind::Recipe, None, None, None);
        Ok(Self { kind, text, recipe, written, inputs, built, unchanged, upd, warnings, range })
    }

    /// A heightmap as a recipe with one stage.
    fn of_heightmap(
        path: &Path,
        manifest: Option<&Manifest>,
        opening: &Opening<'_>,
    ) -> Result<Self> {
        let heightmap = read_with(opening.files, path, &opening.reading, manifest)?;
        let warnings = heightmap::assumptions(path, &heightmap);
        let lattice = heightmap.lattice();
        let sea_level = manifest.map_or(0.0, |manifest| manifest.sea_level);
        let samples = Samples {
            file: &file_name(path),
            placed: heightmap.placed(),
            heights: heightmap.heights,
            sea_level,
        };
        let project = Self::of_samples(samples, &lattice, opening.changes)?;
        let mut warnings = warnings;
        warnings.extend(Warning::misplaced(&project.recipe, &project.inputs));
        Ok(Self { warnings, ..project })
    }

    /// The heights of a store, or of a window of it (column, row, width and height).
    ///
    /// # Errors
    /// If it cannot be read, or does not fit into memory.
    pub fn of_store(path: &Path, window: Option<[u32; 4]>, changes: &Changes) -> Result<Self> {
        let store = Store::open(path)?;
        let [width, height] = store.layout().size;
        let window = window.unwrap_or([0, 0, width, height]);
        let [.., columns, rows] = window;
        // The samples, the terrain that is made of them, and what is made of that.
        let needed = 12 * u64::from(columns) * u64::from(rows);
        if memory::free().is_some_and(|free| needed > free) {
            return Err(Error::Other(format!(
                "{columns}x{rows} samples of {} need about {}: take a window of it, or an output that is written tile by tile (.tif, .pmtiles)",
                path.display(),
                memory::shown(needed)
            )));
        }
        let samples = store.read(0, &Layer::Height, window)?;
        let size = [samples.width() as u32, samples.height() as u32];
        let lattice = Lattice { size, spacing: store.layout().spacing };
        let sea_level = store.layout().sea_level;
        let [x, z] = [0, 1].map(|axis| {
            f64::from(store.layout().origin[axis] + window[axis]) * lattice.spacing[axis]
        });
        let place = store.layout().place.as_ref().map(|place| place.moved([x, z]));
        let samples = Samples {
            file: &file_name(path),
            placed: place.map(|place| Placed { place, ground: lattice.ground() }),
            heights: samples,
            sea_level,
        };
        let project = Self::of_samples(samples, &lattice, changes)?;
        let range = store.manifest().layers.first().map(|height| [height.min, height.max]);
        let is_complete = store.manifest().complete;
        let incomplete = (!is_complete).then(|| Warning::Incomplete(path.display().to_string()));
        Ok(Self { kind: Kind::Store, warnings: incomplete.into_iter().collect(), range, ..project })
    }

    /// Samples as a recipe with one stage.
    fn of_samples(samples: Samples<'_>, lattice: &Lattice, changes: &Changes) -> Result<Self> {
        let Samples { file, heights, placed, sea_level } = samples;
        if changes.seed.is_some() {
            let why = "the samples of a heightmap or store come from no seed";
            return Err(Error::wish(Wish::Seed, why));
        }
        let recipe = Recipe::of_heightmap(file, lattice, sea_level);
        let mut inputs = Inputs::default();
        inputs.insert(file, Raster { samples: heights, meaning: Meaning::Values });
        if let Some(placed) = placed {
            inputs.insert_place(file, placed);
        }
        let text = changes.apply(recipe.to_toml())?;
        let recipe = Recipe::parse(&text)?;
        Ok(Self {
            kind: Kind::Heightmap,
            text,
            recipe,
            written: None,
            inputs,
            built: None,
            unchanged: None,
            upd: None,
            warnings: Vec::new(),
            range: None,
        })
    }

    /// A folder that was built before: its layers and objects, with the scale of its manifest. Changes apply to its
    /// heights alone.
    fn of_bundle(path: &Path, opening: &Opening<'_>) -> Result<Self> {
        let manifest = bundle::manifest_of(opening.files, path, &opening.reading)?;
        let mut built = Built::read(opening.files, path, &manifest, &opening.reading)?;
        let heights = path.join(&bundle::heights_of(path, &manifest)?.name);
        let mut project = Self::of_heightmap(&heights, Some(&manifest), opening)?;
        project.warnings.append(&mut built.warnings);
        let built = Some(built).filter(|_| opening.changes.is_empty());
        Ok(Self { kind: Kind::Bundle, built, ..project })
    }

    /// What kind of input it was.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The recipe as text, with its comments.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of an Uplift terrain as it was read; nothing for other inputs.
    pub fn upd_text(&self) -> Option<&str> {
        self.upd.as_deref()
    }

    /// The recipe that runs.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The rasters that the recipe refers to.
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// What the user should hear.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The range of the store that the samples come from, of which they may be a part.
    pub(crate) fn range_of_store(&self) -> Option<[f64; 2]> {
        self.range
    }

    /// The range in metres that was declared for 16-bit files: by the recipe, or by the store that the samples come from.
    pub fn range(&self) -> Option<[f64; 2]> {
        self.recipe.output_range.or(self.range)
    }

    /// The recipe that the ground comes from: of a bundle, the one that was built.
    pub fn made_by(&self) -> &Recipe {
        let built = self.built.as_ref().and_then(|built| built.recipe.as_ref());
        built.unwrap_or(&self.recipe)
    }

    /// What files that are made of it say about where they come from.
    pub fn origin(&self) -> Origin<'_> {
        Origin { recipe: Some(&self.text), seed: Some(self.recipe.seed), inputs: &self.inputs }
    }

    /// Bytes that [`Self::terrain`] and [`Self::window`] take, and what they are made from.
    pub fn memory(&self, plan: &Plan, extent: &Extent) -> u64 {
        let copied = |built: &Built| {
            let layers = built.terrain.layers().count() as u64;
            4 * layers * (built.terrain.extent().len() + extent.len()) as u64
        };
        let texts = (self.text.len() + self.upd.as_ref().map_or(0, String::len)) as u64;
        memory::of_run(plan, extent) + texts + self.built.as_ref().map_or(0, copied)
    }

    /// Bytes that [`Self::plan`] takes: rasters are laid on the lattice of the terrain.
    pub fn memory_of_plan(&self) -> u64 {
        let rasters: u64 =
            self.inputs.iter().map(|(_, raster)| 4 * raster.samples.samples().len() as u64).sum();
        let [width, height] = self.recipe.output().size.map(u64::from);
        let laid = 4 * width * height * self.inputs.iter().count() as u64;
        memory::PROGRAM + rasters + laid
    }

    /// The layers that [`Self::terrain`] will have.
    pub fn layers(&self, plan: &Plan) -> Vec<Layer> {
        match &self.built {
            Some(built) => built.terrain.layers().map(|(layer, _)| layer.clone()).collect(),
            None => plan.layers(),
        }
    }

    /// All of the ground.
    ///
    /// # Errors
    /// Only by cancellation.
    pub fn terrain(&self, plan: &Plan, watch: &dyn Watch) -> Result<Terrain> {
        match &self.built {
            Some(built) => Ok(built.terrain.clone()),
            None => Ok(plan.run(&plan.lattice().whole(), watch)?),
        }
    }

    /// The same recipe with other changes; rasters are not read again.
    ///
    /// # Errors
    /// The change that cannot be made.
    pub fn changed(&self, changes: &Changes) -> Result<Self> {
        let path = self.written.as_ref().map(|(path, _)| path.as_path());
        let opening = Opening { changes, given: Some(&self.inputs), ..Opening::default() };
        Self::of_text(self.text.clone(), path, &opening)
    }

    /// A window of the ground.
    ///
    /// # Errors
    /// Only by cancellation.
    pub fn window(&self, plan: &Plan, extent: &Extent, watch: &dyn Watch) -> Result<Terrain> {
        match &self.built {
            Some(built) => Ok(built.terrain.crop(extent)),
            None => Ok(plan.run(extent, watch)?),
        }
    }

    /// The same ground with another number of samples. A bundle is then no more than its heights.
    ///
    /// # Errors
    /// If the recipe cannot have that size.
    pub fn with_resolution(self, size: [u32; 2]) -> Result<Self> {
        let text = set_resolution(&self.text, size)
            .map_err(|error| Error::wish(Wish::Size, error.to_string()))?;
        let recipe =
            Recipe::parse(&text).map_err(|error| Error::wish(Wish::Size, error.to_string()))?;
        Ok(Self { recipe, text, built: None, ..self })
    }

    /// The same ground with a sample for each pixel of a map of this size, if it has fewer. Landforms have no
    /// resolution; a heightmap would gain nothing.
    ///
    /// # Errors
    /// As [`Self::with_resolution`].
    pub fn refined_to(self, [width, height]: [u32; 2]) -> Result<Self> {
        let size = self.recipe.output().size;
        let share = |axis: usize, pixels: u32| f64::from(pixels) / f64::from(size[axis]);
        let factor = share(0, width).max(share(1, height));
        if factor <= 1.0 || matches!(self.kind, Kind::Heightmap | Kind::Bundle) {
            return Ok(self);
        }
        self.with_resolution(size.map(|count| (f64::from(count) * factor).round() as u32))
    }

    /// Makes it ready to run.
    ///
    /// # Errors
    /// What does not fit together, with its place in the file.
    pub fn plan(&self) -> Result<Plan> {
        self.recipe.resolve(&self.inputs).map_err(|error| {
            if self.was_right() {
                return Error::wish(Wish::Changes, error.to_string());
            }
            self.placed(error).into()
        })
    }

    /// Whether the recipe was changed, and fits together without that.
    fn was_right(&self) -> bool {
        let Some(text) = self.unchanged.as_ref().filter(|text| **text != self.text) else {
            return false;
        };
        Recipe::parse(text).is_ok_and(|recipe| recipe.resolve(&self.inputs).is_ok())
    }

    /// An error with its place in the file, unless a change made the stage that it is about.
    fn placed(&self, error: landform::Error) -> landform::Error {
        let Some((path, text)) = &self.written else { return error };
        let index = error.stage.as_ref().map(|(number, _)| number - 1);
        let written = Recipe::parse(text).ok();
        let is_written = written.zip(index).is_some_and(|(written, index)| {
            written.stages.get(index) == self.recipe.stages.get(index)
        });
        let error = if is_written { error.in_recipe(text) } else { error };
        error.in_file(&path.display().to_string())
    }
}

/// The window of a terrain (column, row, width and height), or all of it.
///
/// # Errors
/// If the window does not lie on the terrain.
pub fn window(plan: &Plan, tile: Option<[u32; 4]>) -> Result<Extent> {
    let lattice = plan.lattice();
    let Some(tile @ [i, j, width, height]) = tile else { return Ok(lattice.whole()) };
    let [columns, rows] = lattice.size;
    lattice.window(i, j, width, height).ok_or_else(|| {
        let message = "the window does not lie on the terrain, which has";
        Error::wish(Wish::Tile(tile), format!("{message} {columns}x{rows} samples"))
    })
}
