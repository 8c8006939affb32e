//! Files for other programs, made in memory in the background.

use std::sync::Arc;

use landform::analysis::material::Materials;
use landform::uplift::Cone;
use landform::{Inputs, Recipe, Terrain, Watch};
use landform_io::profile::{Job, Target};
use landform_io::{Format, Raster, WriteOptions};
use landform_view::{Options, PeakMap, Style};
use serde::{Deserialize, Serialize};

use crate::files::Outgoing;

/// What is to be made: plain words and numbers, so that a worker of the browser can be told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Wanted {
    /// Files for a program, at a size that it takes.
    For {
        /// The name of the program.
        target: String,
        /// Whether splat maps of the natural materials go with it.
        splat: bool,
    },
    /// One file of the heights, at the size of the recipe, by its extension.
    As(String),
    /// A picture.
    Picture(Picture),
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Picture {
    /// The name of its style.
    pub(crate) style: String,
    /// x, z, height and radius of the peaks.
    pub(crate) cones: Vec<[f64; 4]>,
    pub(crate) selected: Vec<usize>,
    pub(crate) radius_scale: f64,
    pub(crate) largest: Option<usize>,
    pub(crate) exaggeration: Option<f64>,
}

/// The terrain to be exported.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) wanted: Wanted,
    pub(crate) recipe: Recipe,
    pub(crate) text: String,
    pub(crate) inputs: Arc<Inputs>,
    /// Name of the files without extension.
    pub(crate) name: String,
}

/// Files that were made, and the numbers to type into the import dialog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Made {
    pub(crate) files: Vec<Outgoing>,
    pub(crate) page: String,
}

/// Makes the files.
///
/// # Errors
/// What went wrong, for people; nothing useful if `watch` cancelled.
pub(crate) fn make(order: &Order, watch: &dyn Watch) -> Result<Made, String> {
    let mut recipe = order.recipe.clone();
    let target = match &order.wanted {
        Wanted::For { target, .. } => {
            Some(Target::named(target).ok_or_else(|| format!("there is no program {target}"))?)
        }
        Wanted::As(_) | Wanted::Picture(_) => None,
    };
    if let Some(target) = target {
        recipe.resolution = Some(target.fit(recipe.output().size));
    }
    let plan = recipe.resolve(&order.inputs).map_err(|error| error.to_string())?;
    let terrain =
        plan.run(&plan.lattice().whole(), watch).map_err(|cancelled| cancelled.to_string())?;
    watch.progress("writing", 0.0);
    match (&order.wanted, target) {
        (Wanted::For { splat, .. }, Some(target)) => {
            made_for(order, &terrain, target, *splat, watch)
        }
        (Wanted::As(extension), _) => {
            let format = Format::from_extension(extension)
                .ok_or_else(|| format!("there is no format .{extension}"))?;
            let bytes = heights(&terrain, format, &WriteOptions::default())?;
            Ok(Made::one(format!("{}.{extension}", order.name), bytes))
        }
        (Wanted::Picture(picture), _) => {
            let (name, bytes) = picture.draw(&terrain)?;
            Ok(Made::one(format!("{}-{name}.png", order.name), bytes))
        }
        (Wanted::For { .. }, None) => Err("there is no such program".to_owned()),
    }
}

impl Made {
    fn one(name: String, bytes: Vec<u8>) -> Self {
        Self { files: vec![Outgoing { name, bytes }], page: String::new() }
    }
}

fn made_for(
    order: &Order,
    terrain: &Terrain,
    target: Target,
    splat: bool,
    watch: &dyn Watch,
) -> Result<Made, String> {
    let weights = if splat {
        let materials = Materials::natural(terrain).weigh(terrain, &order.inputs);
        materials.map_err(|error| error.to_string())?
    } else {
        Vec::new()
    };
    let materials: Vec<&str> = weights.iter().map(|(name, _)| name.as_str()).collect();
    let job = Job { materials: &materials, ..Job::whole(terrain, &order.name) };
    let export = target.export(&job).map_err(|error| error.to_string())?;
    let count = export.files.len() + export.splat.len();
    let mut files = Vec::new();
    let mut put = |name: &str, bytes: Vec<u8>| {
        files.push(Outgoing { name: name.to_owned(), bytes });
        watch.progress("writing", files.len() as f32 / count.max(1) as f32);
        if watch.is_cancelled() { Err(landform::Cancelled.to_string()) } else { Ok(()) }
    };
    for file in &export.files {
        put(&file.name, heights(terrain, file.format, &file.options)?)?;
    }
    for file in &export.splat {
        let mut bytes = Vec::new();
        file.write(terrain, &weights, &mut bytes).map_err(|error| error.to_string())?;
        put(&file.name, bytes)?;
    }
    let page = export.page();
    put(&target.page_name(), page.clone().into_bytes())?;
    put("recipe.toml", order.text.clone().into_bytes())?;
    Ok(Made { files, page })
}

fn heights(
    terrain: &Terrain,
    format: Format,
    options: &WriteOptions<'_>,
) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let written = format.write(&Raster::height(terrain), &mut bytes, options);
    written.map(|()| bytes).map_err(|error| error.to_string())
}

impl Picture {
    /// The name of the style and the bytes of a PNG.
    fn draw(&self, terrain: &Terrain) -> Result<(&'static str, Vec<u8>), String> {
        let style = Style::named(&self.style);
        let style = style.ok_or_else(|| format!("there is no style {}", self.style))?;
        let cone = |&[x, z, height, radius]: &[f64; 4]| Cone { x, z, height, radius };
        let plan = PeakMap {
            cones: self.cones.iter().map(cone).collect(),
            selected: self.selected.clone(),
            radius_scale: self.radius_scale,
            largest: self.largest,
        };
        let mut options = Options { plan, ..Options::default() };
        if self.exaggeration.is_some() {
            options.scene.exaggeration = self.exaggeration;
        }
        let image = landform_view::draw(terrain, style, &options);
        let mut bytes = Vec::new();
        let written = landform_io::png::encode_rgb8(image.width(), image.pixels(), &mut bytes);
        written.map(|()| (style.name(), bytes)).map_err(|error| error.to_string())
    }
}
