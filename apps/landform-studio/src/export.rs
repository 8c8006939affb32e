//! Files for other programs, made in memory in the background by the package that all doors share.

use std::sync::Arc;

use landform::uplift::Cone;
use landform::{Inputs, Terrain, Watch};
use landform_io::WriteOptions;
use landform_io::profile::Target;
use landform_project::make::{self, Drawing, Heights, Output, Profile};
use landform_project::{Buffer, Opening, Project, Sink, Warning, Watched};
use landform_view::{PeakMap, Style};
use serde::{Deserialize, Serialize};

use crate::files::Outgoing;

/// What is to be made: plain words and numbers, so that a worker of the browser can be told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Wanted {
    /// The folder that a program takes, by its name, at a size that it takes.
    For(String),
    /// The standard bundle.
    Bundle,
    /// One file, at the size of the recipe, by its extension.
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
    /// The recipe.
    pub(crate) text: String,
    pub(crate) inputs: Arc<Inputs>,
    /// Name of the files without extension.
    pub(crate) name: String,
}

/// Files that were made, and the numbers to type into the import dialog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Made {
    /// What they are called together: a folder, or an archive.
    pub(crate) name: String,
    pub(crate) files: Vec<Outgoing>,
    pub(crate) page: String,
    /// Whether they are the files of a folder, rather than one file with its side-car.
    pub(crate) is_folder: bool,
}

/// Makes the files.
///
/// # Errors
/// What went wrong, for people; nothing useful if `watch` cancelled.
pub(crate) fn make(order: &Order, watch: &dyn Watch) -> Result<Made, String> {
    make_files(order, watch).map_err(|error| error.to_string())
}

fn make_files(order: &Order, watch: &dyn Watch) -> landform_project::Result<Made> {
    let opening = Opening { given: Some(&order.inputs), ..Opening::default() };
    let mut project = Project::of_text(order.text.clone(), None, &opening)?;
    let name = &order.name;
    let target = match &order.wanted {
        Wanted::For(target) => Target::named(target),
        _ => None,
    };
    if let Some(target) = target {
        let size = project.recipe().output().size;
        let fitted = make::fitted(target, size, [1, 1]);
        if fitted != size {
            project = project.with_resolution(fitted)?;
        }
    }
    let plan = project.plan()?;
    let terrain = project.terrain(&plan, watch)?;
    let mut sink = Buffer::default();
    let (origin, range) = (project.origin(), project.range());
    let (mut page, mut folder) = (String::new(), None);
    let mut warnings = Warning::about(&terrain);
    let has_levels = match &order.wanted {
        Wanted::Bundle => true,
        Wanted::As(extension) => {
            Output::of_extension(extension).is_some_and(|output| output.has_levels())
        }
        // A profile tells it on its page.
        Wanted::For(_) | Wanted::Picture(_) => false,
    };
    if let Some(range) = range.filter(|_| has_levels) {
        let (low, high) = terrain.height().range();
        warnings.extend(Warning::outside_range([low.into(), high.into()], range));
    }
    match &order.wanted {
        Wanted::For(wanted) => {
            let target = target.ok_or_else(|| unknown("program", wanted))?;
            let profile = Profile::new(target, name);
            page = make::profile(&terrain, &profile, &origin, range, &mut sink, watch)?.page;
            folder = Some(format!("{name}-{}", target.name()));
        }
        Wanted::Bundle => {
            make::bundle(&terrain, &origin, range, &mut sink, watch)?;
            folder = Some(name.clone());
        }
        Wanted::As(extension) => {
            let file = format!("{name}.{extension}");
            match Output::of_extension(extension) {
                Some(Output::Heights(format)) => {
                    let options = WriteOptions { range, ..WriteOptions::default() };
                    let is_clamped = range.is_some();
                    let heights = Heights { options, is_clamped, ..Heights::new(format) };
                    make::heights(&terrain, &heights, &file, &mut sink, watch)?;
                }
                Some(Output::Vector(format)) => {
                    let mut sink = Watched::new(&mut sink, watch);
                    make::vector(&terrain, format, &file, &mut sink)?;
                }
                _ => return Err(unknown("format", extension)),
            }
        }
        Wanted::Picture(picture) => {
            picture.make(terrain, name, &mut Watched::new(&mut sink, watch))?;
        }
    }
    let notes: String = warnings.iter().map(|warning| format!("Note: {warning}\n")).collect();
    if !notes.is_empty() && page.is_empty() {
        page = sink.names().map(|name| format!("{name}\n")).collect();
    }
    page.insert_str(0, &notes);
    let files = sink.files.into_iter().map(|(name, bytes)| Outgoing { name, bytes }).collect();
    let is_folder = folder.is_some();
    Ok(Made { name: folder.unwrap_or_else(|| name.clone()), files, page, is_folder })
}

fn unknown(what: &str, name: &str) -> landform_project::Error {
    landform_project::Error::Other(format!("there is no {what} {name}"))
}

impl Picture {
    fn make(
        &self,
        terrain: Terrain,
        name: &str,
        sink: &mut dyn Sink,
    ) -> landform_project::Result<()> {
        let style = Style::named(&self.style).ok_or_else(|| unknown("style", &self.style))?;
        let cone = |&[x, z, height, radius]: &[f64; 4]| Cone { x, z, height, radius };
        let drawing = Drawing { exaggeration: self.exaggeration, ..Drawing::default() };
        let mut options = drawing.options(None)?;
        options.plan = PeakMap {
            cones: self.cones.iter().map(cone).collect(),
            selected: self.selected.clone(),
            radius_scale: self.radius_scale,
            largest: self.largest,
        };
        let image = make::picture(terrain, style, &[], &options)?;
        make::put_image(sink, &format!("{name}-{}.png", style.name()), &image)
    }
}
