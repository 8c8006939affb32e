//! Export profiles: files that arrive right in a certain program.
//!
//! A [`Target`] knows which sizes are legal ([`Target::fit`]: the landforms are evaluated at that size, a picture is never
//! resampled), which files the program takes, in which bit depth, row order and scale, and which numbers its import dialog asks for. [`Target::export`]
//! tells all that; writing the files is a loop:
//!
//! ```
//! # use landform::{Grid, Lattice, Terrain};
//! use landform_io::{Raster, profile::{Job, Target}};
//!
//! let target = Target::named("unity").expect("it is a target");
//! let size = target.fit([500, 500]);
//! assert_eq!(size, [513, 513]);
//! # let lattice = Lattice { size, spacing: [2.0, 2.0] };
//! # let terrain = Terrain::new(lattice.whole(), 0.0, Grid::from_fn(513, 513, |i, j| (i + j) as f32));
//! let export = target.export(&Job::whole(&terrain, "island"))?;
//! for file in &export.files {
//!     let mut bytes = Vec::new();
//!     file.format.write(&Raster::height(&terrain), &mut bytes, &file.options)?;
//! }
//! assert!(export.page().contains("Byte order"));
//! # Ok::<(), landform_io::Error>(())
//! ```
//!
//! Tiles of one terrain share their lowest and highest height ([`Job::range`]), never one for each tile, and their border
//! samples, unless the target puts tiles side by side ([`Target::tiles_share_border`]). Where 16 bits make steps that can be seen (more than 2 cm), the export warns.
//!
//! A target is a file in this folder that declares an `TargetEntry` called `TARGET`, and a line in the table below.

mod bevy;
mod blender;
mod flax;
mod gis;
mod hterrain;
mod minecraft;
mod print3d;
mod script;
mod terrain3d;
mod unity;
mod unreal;

use landform::Terrain;
pub use script::Script;

use crate::splat::{Packing, SplatFile};
use crate::{Error, Format, Print, Result, WriteOptions};

/// The largest step between two levels that is not seen, in metres.
pub const LARGEST_STEP: f64 = 0.02;

/// What a target is and takes. Its own file declares it.
struct TargetEntry {
    /// What users type.
    name: &'static str,
    /// What it is called in print.
    title: &'static str,
    /// The legal size of a tile nearest to the wanted one, of so many columns and rows of tiles.
    fit: fn([u32; 2], [u32; 2]) -> [u32; 2],
    tiles: Tiles,
    /// How it takes the weights of materials, and the step that tells the user what to do with them; nothing
    /// if it takes none.
    splat: Option<(Packing, &'static str)>,
    /// Whether a file of it has 16-bit levels, so that [`Job::range`] is its scale.
    has_levels: bool,
    /// Whether [`Job::print`] matters.
    takes_print: bool,
    /// Writes the script that imports all tiles, if the program runs scripts.
    script: Option<fn(&str, &[Export]) -> Script>,
    /// Why it does not take such a terrain, if it does not.
    refuses: fn(&Shape<'_>) -> Option<String>,
    /// Called with a size that fits and heights that are a range.
    export: fn(&Job<'_>) -> Result<Export>,
}

/// How a target counts tiles.
struct Tiles {
    /// The place of a tile that is in this column and row from the north-west, of so many.
    place: fn([u32; 2], [u32; 2]) -> [u32; 2],
    /// What the names of the files of a tile at such a place end in.
    suffix: fn([u32; 2]) -> String,
    /// Whether the last samples of a tile are the first of the next.
    shares_border: bool,
}

impl Tiles {
    /// Columns from the west and rows from the north, as `_x0_y0`.
    const BY_COLUMN_AND_ROW: Self =
        Self { place: |tile, _| tile, suffix: |[i, j]| format!("_x{i}_y{j}"), shares_border: true };
}

/// The step for programs that take splat maps only from a script.
const BY_SCRIPT: &str = "Splat map: one material a channel in the order above; row 0 is the north";

macro_rules! targets {
    ($($target:ident => $module:ident,)+) => {
        /// A program that takes terrains. Each is declared by its file; [`Target::title`] says what it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Target {
            $(#[doc = concat!("`", stringify!($module), "`")] $target,)+
        }

        impl Target {
            const ALL: &[Self] = &[$(Self::$target),+];

            fn entry(self) -> &'static TargetEntry {
                match self { $(Self::$target => &$module::TARGET,)+ }
            }
        }
    };
}

// The order in which they are listed to users.
targets! {
    Unity => unity,
    Unreal => unreal,
    Terrain3d => terrain3d,
    Hterrain => hterrain,
    Blender => blender,
    Bevy => bevy,
    Flax => flax,
    Gis => gis,
    Print3d => print3d,
    Minecraft => minecraft,
}

/// What is to be exported.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The terrain, or one tile of it.
    pub terrain: &'a Terrain,
    /// Name of the files, without extension.
    pub name: &'a str,
    /// Lowest and highest height in metres of the whole terrain, of which this may be a tile.
    pub range: [f64; 2],
    /// Column and row of the tile; nothing for a whole terrain.
    pub tile: Option<[u32; 2]>,
    /// Columns and rows of tiles that the whole terrain has.
    pub tiles: [u32; 2],
    /// Size of a printed block.
    pub print: Print,
    /// Names of the [materials](landform::analysis::material) whose weights go with it.
    pub materials: &'a [&'a str],
}

impl<'a> Job<'a> {
    /// All of a terrain.
    pub fn whole(terrain: &'a Terrain, name: &'a str) -> Self {
        let (low, high) = terrain.height().range();
        let range = [f64::from(low), f64::from(high)];
        let print = Print::default();
        Self { terrain, name, range, tile: None, tiles: [1, 1], print, materials: &[] }
    }

    fn size(&self) -> [u32; 2] {
        [self.terrain.extent().width() as u32, self.terrain.extent().height() as u32]
    }

    fn spacing(&self) -> [f64; 2] {
        self.terrain.extent().lattice().spacing
    }

    /// Width and depth in metres.
    fn ground(&self) -> [f64; 2] {
        [0, 1].map(|axis| f64::from(self.size()[axis] - 1) * self.spacing()[axis])
    }

    /// The range, widened to a metre where the ground is flat, since no dialog takes a height of 0.
    fn range(&self) -> [f64; 2] {
        let [low, high] = self.range;
        if high > low { self.range } else { [low, low + 1.0] }
    }
}

/// What is known of an export before there are heights.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'a> {
    /// Name of the files, without extension.
    pub name: &'a str,
    /// Samples of a tile.
    pub size: [u32; 2],
    /// Metres between samples.
    pub spacing: [f64; 2],
    /// Columns and rows of tiles.
    pub tiles: [u32; 2],
}

/// A file to be written, of the height of the terrain.
#[derive(Clone, Debug)]
pub struct ExportFile {
    /// Its name.
    pub name: String,
    /// Its format.
    pub format: Format,
    /// How it is written.
    pub options: WriteOptions<'static>,
}

/// What a target needs.
#[derive(Clone, Debug)]
pub struct Export {
    /// The target.
    pub target: Target,
    /// The files.
    pub files: Vec<ExportFile>,
    /// Files with the weights of the materials.
    pub splat: Vec<SplatFile>,
    /// What the import dialog asks for: label and value, in its own words.
    pub numbers: Vec<(&'static str, String)>,
    /// What to do with them, a step a line.
    pub steps: Vec<String>,
    /// What will not be as good as it could be, and why.
    pub warnings: Vec<String>,
    /// Column and row of the tile, as the target counts them; zeros for a whole terrain.
    pub place: [u32; 2],
}

impl Export {
    fn new(target: Target) -> Self {
        let (files, splat, numbers, steps, warnings) = Default::default();
        Self { target, files, splat, numbers, steps, warnings, place: [0, 0] }
    }

    /// Adds a file. Its name is that of the job, with its tile, and this ending.
    fn file(&mut self, ending: &str, format: Format, options: WriteOptions<'static>) {
        self.files.push(ExportFile { name: ending.to_owned(), format, options });
    }

    fn number(&mut self, label: &'static str, value: impl ToString) {
        self.numbers.push((label, value.to_string()));
    }

    fn step(&mut self, step: impl Into<String>) {
        self.steps.push(step.into());
    }

    /// Warns where the step between two levels would be seen.
    fn check_step(&mut self, step: f64, remedy: &str) {
        if step > LARGEST_STEP {
            self.warnings.push(format!(
                "one level is {:.1} cm, so gentle slopes will show steps: {remedy}",
                step * 100.0
            ));
        }
    }

    /// The value that goes with a label.
    pub fn value(&self, label: &str) -> Option<&str> {
        let found = self.numbers.iter().find(|(known, _)| *known == label);
        found.map(|(_, value)| value.as_str())
    }

    /// A page for the user: which numbers go where.
    pub fn page(&self) -> String {
        let mut page = format!("{}\n\n", self.target.title());
        for file in &self.files {
            page += &format!("  file  {}\n", file.name);
        }
        for file in &self.splat {
            page += &format!("  file  {}  ({})\n", file.name, file.materials.join(", "));
        }
        page += "\nNumbers for the import:\n\n";
        let width = self.numbers.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
        for (label, value) in &self.numbers {
            page += &format!("  {label:width$}  {value}\n");
        }
        if !self.steps.is_empty() {
            page += "\nSteps:\n\n";
        }
        for (k, step) in self.steps.iter().enumerate() {
            page += &format!("  {}. {step}\n", k + 1);
        }
        for warning in &self.warnings {
            page += &format!("\nNote: {warning}\n");
        }
        page
    }
}

impl Target {
    /// All targets.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied()
    }

    /// The target called `name`, in lower case.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|target| target.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The name of the file with the [page](Export::page).
    pub fn page_name(self) -> String {
        format!("import-{}.txt", self.name())
    }

    /// What it is.
    pub fn title(self) -> &'static str {
        self.entry().title
    }

    /// The legal size nearest to the wanted one, at which the terrain is to be evaluated.
    pub fn fit(self, wanted: [u32; 2]) -> [u32; 2] {
        self.fit_tile(wanted, [1, 1])
    }

    /// The legal size of a tile nearest to the wanted one, where the terrain has so many columns and rows of tiles.
    pub fn fit_tile(self, wanted: [u32; 2], tiles: [u32; 2]) -> [u32; 2] {
        (self.entry().fit)(wanted, tiles)
    }

    /// Whether the last samples of a tile are the first of the next, as for most targets.
    pub fn tiles_share_border(self) -> bool {
        self.entry().tiles.shares_border
    }

    /// How the target counts a tile that is in this column and row from the north-west, of so many.
    pub fn tile_place(self, tile: [u32; 2], count: [u32; 2]) -> [u32; 2] {
        (self.entry().tiles.place)(tile, count)
    }

    /// Checks what can be checked before there are heights: [`export`](Self::export) does it too.
    ///
    /// # Errors
    /// If the target cannot take such a terrain, with the reason and what would do.
    pub fn check(self, shape: &Shape<'_>) -> Result<()> {
        (self.entry().refuses)(shape).map_or(Ok(()), |reason| Err(self.refuse(reason)))
    }

    /// What is to be written for this target, and what the user must know.
    ///
    /// # Errors
    /// If the target cannot take such a terrain, with the reason and what would do.
    pub fn export(self, job: &Job<'_>) -> Result<Export> {
        let size = job.size();
        let fit = self.fit_tile(size, job.tiles);
        if fit != size {
            return Err(self.refuse(format!(
                "it does not take {} × {} samples; the nearest it takes is {} × {}",
                size[0], size[1], fit[0], fit[1]
            )));
        }
        if !job.range.iter().all(|height| height.is_finite()) || job.range[0] > job.range[1] {
            let [low, high] = job.range;
            return Err(self.refuse(format!("heights of {low} … {high} m are no range")));
        }
        let Job { name, tiles, .. } = *job;
        self.check(&Shape { name, size, spacing: job.spacing(), tiles })?;
        let entry = self.entry();
        let tile = job.tile.map_or_else(String::new, entry.tiles.suffix);
        let name = format!("{}{tile}", job.name);
        let mut export = (entry.export)(job)?;
        export.place = job.tile.unwrap_or_default();
        for file in &mut export.files {
            file.name.insert_str(0, &name);
        }
        if let Some((packing, step)) = entry.splat
            && !job.materials.is_empty()
        {
            let word = if packing == Packing::Control { "control" } else { "splat" };
            export.splat = packing.files(&format!("{name}_{word}"), job.materials);
            export.step(step);
        }
        Ok(export)
    }

    /// Whether it takes the weights of materials.
    pub fn takes_splat_maps(self) -> bool {
        self.entry().splat.is_some()
    }

    /// Whether it takes all layers and objects beside the height.
    pub fn takes_layers(self) -> bool {
        self == Self::Gis
    }

    /// Whether a file of it has 16-bit levels, so that the [range](Job::range) is its scale.
    pub fn has_levels(self) -> bool {
        self.entry().has_levels
    }

    /// Whether the [size of a printed block](Job::print) matters to it.
    pub fn takes_print(self) -> bool {
        self.entry().takes_print
    }

    fn refuse(self, reason: String) -> Error {
        Error::Target { target: self.title(), reason }
    }
}

/// For targets that take every shape of ground.
fn any_shape(_: &Shape<'_>) -> Option<String> {
    None
}

/// For targets that take every size.
fn any_size(wanted: [u32; 2], _: [u32; 2]) -> [u32; 2] {
    wanted.map(|count| count.max(1))
}

/// The legal side nearest to the wanted one.
fn nearest(sides: &[u32], wanted: u32) -> u32 {
    sides.iter().copied().min_by_key(|side| side.abs_diff(wanted)).unwrap_or(wanted)
}
