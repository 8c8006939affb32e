//! `landform view`

use std::io::Write as _;

use landform::{Layer, Plan, Recipe, Terrain, Topology};
use landform_io::Store;
use landform_project::make::{self, FrameStyle, PLAN_PEAKS};
use landform_project::report::TerrainReport;
use landform_project::{DiskFolder, Observer as _, Project, Sink as _, Watched, memory, window};
use landform_view::{MapProjection, Options, Style};

use crate::args::{Changes, Drawing, View};
use crate::input::{self, Advice, extension, file_name};
use crate::output::{self, Place};
use crate::report::Made;
use crate::running::Monitor;
use crate::{misuse, running, talk};

pub(crate) fn run(args: &View) -> anyhow::Result<()> {
    let is_folder = check_output(args)?;
    let subject = Subject::open(args)?;
    let style = Style::named(&args.style).expect("the argument is one of the styles");
    let options = options(args, subject.recipe())?;
    let known = subject.layers();
    let layers =
        args.layer.iter().map(|name| layer(name, &known)).collect::<anyhow::Result<Vec<_>>>()?;
    if layers.len() > 2 {
        return Err(misuse("--layer: at most two layers are blended"));
    }
    if args.layer.len() > 1 && args.legend {
        return Err(misuse(
            "--legend tells the colours of one layer: draw each of the two alone with it",
        ));
    }
    if let Some(needed) = style.layer().filter(|needed| !known.contains(needed)) {
        return Err(misuse(format!(
            "--style {}: the terrain has no layer {needed}, which the stages of a world make (see `landform new world`)",
            style.name()
        )));
    }
    let scene = style.scene(&options).filter(|_| layers.is_empty());
    refuse_idle_options(args, scene.is_some(), subject.recipe())?;
    if args.drawing.turntable.is_some() && scene.is_none() {
        return Err(misuse("--turntable needs a style that is seen from the side, such as 3d"));
    }
    let name = file_name(&args.output);
    let mut sink = match is_folder {
        true => Place::File(DiskFolder::new(&args.output)),
        false => Place::of(&args.output),
    };
    if args.drawing.frames {
        let Subject::Plan(project, _) = &subject else {
            return Err(misuse("--frames needs a recipe: the steps of plates are not in a store"));
        };
        let written = if is_folder { FrameStyle::Single } else { FrameStyle::Moving(&name) };
        let (recipe, inputs) = (project.recipe(), project.inputs());
        let count = running::run(&args.running, |monitor| {
            make::frames(recipe, inputs, style, &options, written, &mut sink, monitor)
        })??;
        if is_folder {
            remove_frames(&args.output, count)?;
        }
        return tell(args, subject.report(None, args.tile));
    }
    let report = running::run(&args.running, |monitor| -> anyhow::Result<TerrainReport> {
        let terrain = subject.terrain(args, &options, monitor)?;
        input::warn_about(&terrain, monitor);
        let report = subject.report(Some(&terrain).filter(|_| args.json), args.tile);
        if !args.running.quiet {
            tell_reduction(args, &terrain, scene.is_some(), monitor);
        }
        monitor.say("drawing");
        if let (Some(count), Some(scene)) = (args.drawing.turntable, &scene) {
            let size = options.size;
            make::turntable(&terrain, scene, size, count, &name, &mut sink, monitor)?;
            return Ok(report);
        }
        let image = make::picture(terrain, style, &layers, &options)?;
        let mut sink = Watched::new(&mut sink, monitor);
        make::put_image(&mut sink, &name, &image)?;
        sink.finish()?;
        Ok(report)
    })??;
    tell(args, report)
}

/// Refuses a picture that cannot be written, before there is work. Tells whether it is a folder of frames.
fn check_output(args: &View) -> anyhow::Result<bool> {
    let is_folder = args.output.as_os_str().to_string_lossy().ends_with(['/', '\\']);
    let is_picture = extension(&args.output) == "png" || output::is_stdout(&args.output);
    let is_frames = is_folder && args.drawing.frames;
    if !is_picture && !is_frames {
        let path = args.output.display();
        let moves = args.drawing.frames || args.drawing.turntable.is_some();
        let why = match extension(&args.output).as_str() {
            "gif" if moves => ": moving pictures are written as APNG, which browsers show",
            _ => "",
        };
        return Err(misuse(format!("-o {path}: expected a picture that ends in .png{why}")));
    }
    let most = landform_view::MAX_SIDE;
    if let Some([width, height]) = args.picture
        && width.max(height) as usize > most
    {
        return Err(misuse(format!("--picture {width}x{height}: each side may be at most {most}")));
    }
    if output::is_stdout(&args.output) && args.json {
        return Err(misuse("standard output takes one file, but --json tells what was made"));
    }
    output::prepare(&args.output, args.making.mkdir)?;
    Ok(is_folder)
}

/// Removes the frames of a longer drift that was there before.
fn remove_frames(folder: &std::path::Path, count: u32) -> anyhow::Result<()> {
    for step in count.. {
        match std::fs::remove_file(folder.join(make::frame_name(step))) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => break,
            removed => removed?,
        }
    }
    Ok(())
}

/// Says what was written.
fn tell(args: &View, report: TerrainReport) -> anyhow::Result<()> {
    if args.json {
        let mut made = Made::default();
        made.file(&args.output);
        return made.print_json(report, None);
    }
    if !args.running.quiet && !output::is_stdout(&args.output) {
        writeln!(std::io::stdout(), "{}", args.output.display())?;
    }
    Ok(())
}

/// Says that a picture has fewer pixels than the samples that were asked for.
fn tell_reduction(args: &View, terrain: &Terrain, is_scene: bool, monitor: &Monitor) {
    let [width, height] = [terrain.extent().width(), terrain.extent().height()];
    let most = 2048;
    let is_map = !is_scene && args.drawing.poster.is_none();
    let is_plain = args.drawing.projection == "equirectangular";
    let is_given = args.changes.size.is_some() && args.picture.is_none();
    if is_given && is_map && is_plain && width.max(height) > most + 1 {
        monitor.note(&format!(
            "note: the longer side of the picture has {most} pixels: --picture {width}x{height} draws every sample"
        ));
    }
}

/// An option that would do nothing is a mistake.
fn refuse_idle_options(args: &View, is_scene: bool, recipe: &Recipe) -> anyhow::Result<()> {
    let Drawing { azimuth, elevation, exaggeration, circle_scale, largest, select, .. } =
        &args.drawing;
    let is_planet = recipe.topology == Topology::Sphere;
    let is_projected = args.drawing.projection != "equirectangular";
    let is_plan = args.style == "plan" && args.layer.is_empty();
    let has_side = is_scene || args.drawing.projection == "globe";
    let has_projection = is_projected || args.drawing.graticule;
    let idle = [
        (is_scene && args.legend, "--legend", "is for maps"),
        (args.tile.is_some() && args.drawing.frames, "--tile", "is not for moving plates"),
        (
            args.tile.is_some() && has_projection,
            "--projection and --graticule",
            "are for maps of whole planets, not for a --tile",
        ),
        ((is_scene || is_plan) && args.drawing.poster.is_some(), "--poster", "is for maps"),
        (
            has_projection && !is_planet,
            "--projection and --graticule",
            "are for maps of planets: this ground is flat",
        ),
        (has_projection && is_scene, "--projection and --graticule", "are for maps"),
        (
            !has_side && (azimuth.is_some() || elevation.is_some()),
            "--azimuth and --elevation",
            "are for styles that are seen from the side, such as 3d, and for a globe",
        ),
        (
            !is_scene && exaggeration.is_some(),
            "--exaggeration",
            "is for styles that are seen from the side, such as 3d",
        ),
        (
            !is_plan && (circle_scale.is_some() || largest.is_some() || !select.is_empty()),
            "--circle-scale, --largest and --select",
            "are for the style plan",
        ),
    ];
    match idle.iter().find(|(is_idle, ..)| *is_idle) {
        Some((_, names, why)) => Err(misuse(format!("{names} {why}"))),
        None => Ok(()),
    }
}

/// What is drawn.
enum Subject {
    Plan(Box<Project>, Plan),
    Store(Store, Box<Recipe>),
}

/// Samples of a store that are drawn when no size of the picture is given.
const OVERVIEW: u64 = 2049 * 2049;

impl Subject {
    fn open(args: &View) -> anyhow::Result<Self> {
        if Store::is_store(&args.input) {
            let store = Store::open(&args.input)?;
            if !store.manifest().complete {
                let warning = format!("{} is not complete", args.input.display());
                talk::warn(args.running.quiet, warning);
            }
            if args.changes != Changes::default() {
                return Err(misuse(
                    "a store is drawn as it is: --seed, --size, --preview, --extent, --set and --pads change recipes",
                ));
            }
            let recipe = Recipe::parse(&store.manifest().recipe)?;
            return Ok(Self::Store(store, Box::new(recipe)));
        }
        let from = (&args.reading, &args.running);
        let mut project = input::open(Some(&args.input), &args.changes, from)?;
        input::warn(&project, args.running.quiet);
        let own = project.recipe().output().size;
        // The window is one of the samples that there are.
        let picture = map_size(args, project.recipe()).filter(|_| args.tile.is_none());
        if let (Some(picture), None, None) = (picture, args.changes.size, args.changes.preview) {
            project = project.refined_to(picture)?;
        }
        let plan = project.plan()?;
        let is_refined = plan.lattice().size != own;
        let pixels = |[width, height]: [u32; 2]| u64::from(width) * u64::from(height);
        let is_large = |picture: &[u32; 2]| is_refined || pixels(*picture) > pixels(own);
        let advice = args.picture.filter(is_large).map_or(Advice::View, Advice::Picture);
        let extent = window(&plan, args.tile)?;
        let needed = project.memory(&plan, &extent) + drawing_memory(args, extent.len() as u64);
        input::check_memory(&args.running, needed, &plan, &advice)?;
        Ok(Self::Plan(Box::new(project), plan))
    }

    fn recipe(&self) -> &Recipe {
        match self {
            Self::Plan(project, _) => project.made_by(),
            Self::Store(_, recipe) => recipe,
        }
    }

    fn layers(&self) -> Vec<Layer> {
        match self {
            Self::Plan(project, plan) => project.layers(plan),
            Self::Store(store, _) => store.layout().layers().collect(),
        }
    }

    /// What the report tells: all that is known of the terrain that is drawn. Of a store that is all of it, unless a window was asked for.
    fn report(&self, terrain: Option<&Terrain>, tile: Option<[u32; 4]>) -> TerrainReport {
        match (self, terrain) {
            (Self::Plan(project, plan), Some(terrain)) => TerrainReport::of(project, plan, terrain),
            (Self::Plan(project, plan), None) => TerrainReport::of_plan(project, plan),
            (Self::Store(store, _), Some(window)) if tile.is_some() => {
                TerrainReport::of_window(store, window)
            }
            (Self::Store(store, _), _) => TerrainReport::of_store(store),
        }
    }

    /// The window that was asked for, or all of a plan; of a store, the overview that suits the picture.
    fn terrain(
        &self,
        args: &View,
        options: &Options,
        monitor: &Monitor,
    ) -> anyhow::Result<Terrain> {
        match self {
            Self::Plan(project, plan) => match args.tile {
                Some(_) => Ok(project.window(plan, &window(plan, args.tile)?, monitor)?),
                None => Ok(project.terrain(plan, monitor)?),
            },
            Self::Store(store, _) => {
                if let Some(tile @ [.., width, height]) = args.tile {
                    let samples = u64::from(width) * u64::from(height);
                    let layers = store.layout().layers.len() as u64 + 2;
                    let needed =
                        memory::PROGRAM + 4 * layers * samples + drawing_memory(args, samples);
                    memory::check([width, height], needed, args.running.memory)?;
                    return Ok(store.window(tile)?);
                }
                let pixels = options.size.map(|[width, height]| (width * height) as u64);
                let wanted = pixels.map_or(OVERVIEW, |pixels| OVERVIEW.max(4 * pixels));
                Ok(store.overview(wanted.min(fitting_overview(args, store)?))?)
            }
        }
    }
}

/// Samples of an overview that fits into memory beside the picture.
fn fitting_overview(args: &View, store: &Store) -> anyhow::Result<u64> {
    let limit = args.running.memory.or_else(memory::free).unwrap_or(u64::MAX);
    // The layers, and a shard that is decoded.
    let layers = store.layout().layers.len() as u64;
    let shard = 2 * 4 * u64::from(store.layout().shard).pow(2);
    let drawing = memory::PROGRAM + shard + drawing_memory(args, OVERVIEW);
    let Some(left) = limit.checked_sub(drawing) else {
        anyhow::bail!(
            "the picture needs about {}, but only {} may be used: draw a smaller one (--picture)",
            memory::shown(drawing),
            memory::shown(limit)
        );
    };
    Ok(left / (4 * (layers + 2)))
}

/// Bytes that drawing takes beside a terrain of so many samples.
fn drawing_memory(args: &View, samples: u64) -> u64 {
    let is_scene =
        Style::named(&args.style).is_some_and(|s| s.scene(&Options::default()).is_some());
    let usual = match (is_scene, args.drawing.poster.is_some()) {
        (true, _) => SCENE_PIXELS,
        (false, true) => POSTER_PIXELS,
        (false, false) => samples.min(MAP_PIXELS),
    };
    let pixels = args.picture.map_or(usual, |[width, height]| u64::from(width) * u64::from(height));
    pixels * if is_scene { memory::SCENE } else { memory::MAP }
}

/// Pixels of pictures whose size is not given: at the most of a map.
const MAP_PIXELS: u64 = 2049 * 2049;
const POSTER_PIXELS: u64 = 2400 * 1600;
const SCENE_PIXELS: u64 = 1600 * 1200;

/// The size that the ground has in pixels, if it is drawn as a map of a given size.
fn map_size(args: &View, recipe: &Recipe) -> Option<[u32; 2]> {
    let is_flat = args.drawing.projection == "equirectangular";
    let is_poster = args.drawing.poster.is_some();
    // Without a size, projections of a planet are 1600 pixels wide, and posters more.
    let usual = if is_poster { [2400, 1600] } else { [1600, 800] };
    let usual = (!is_flat || is_poster).then_some(usual);
    let [width, height] = args.picture.or(usual)?;
    let style = Style::named(&args.style)?;
    if style.scene(&Options::default()).is_some() || args.drawing.frames {
        return None;
    }
    let is_globe = args.drawing.projection == "globe";
    if is_poster {
        // Title, legend and frame take their part; the ground keeps its proportions in what is left.
        let room = [0.93 * f64::from(width), 0.70 * f64::from(height)];
        let size = recipe.output().size.map(f64::from);
        let globe = [std::f64::consts::PI * room[1], 0.5 * std::f64::consts::PI * room[1]];
        let scale = (room[0] / size[0]).min(room[1] / size[1]);
        let map = if is_globe { globe } else { size.map(|count| count * scale) };
        return Some(map.map(|side| side.round() as u32));
    }
    // A globe shows half of the planet.
    Some(if is_globe { [2 * width, width] } else { [width, height] })
}

fn options(args: &View, recipe: &Recipe) -> anyhow::Result<Options> {
    let typed = &args.drawing;
    let projection = MapProjection::named(&typed.projection);
    let drawing = make::Drawing {
        size: args.picture.map(|size| size.map(|side| side as usize)),
        legend: args.legend,
        azimuth_deg: typed.azimuth,
        elevation_deg: typed.elevation,
        exaggeration: typed.exaggeration,
        projection: projection.expect("the argument is one of the projections"),
        graticule: typed.graticule,
        poster: typed.poster.clone(),
        circle_scale: typed.circle_scale,
        largest: typed.largest,
        selected: typed.select.clone(),
    };
    let options = drawing.options(Some(recipe))?;
    let count = options.plan.cones.len();
    let is_plan = args.style == "plan" && args.layer.is_empty();
    if is_plan && count > PLAN_PEAKS && typed.largest.is_none() && !args.running.quiet {
        talk::say(format_args!(
            "the {PLAN_PEAKS} highest of {count} peaks are drawn: --largest {count} draws all"
        ));
    }
    Ok(options)
}

/// The layer called `name`, which the terrain will have.
fn layer(name: &str, layers: &[Layer]) -> anyhow::Result<Layer> {
    layers.iter().find(|layer| layer.name() == name).cloned().ok_or_else(|| {
        let names: Vec<&str> = layers.iter().map(Layer::name).collect();
        misuse(format!("--layer {name}: the terrain has the layers {}", names.join(", ")))
    })
}
