//! What the user typed, as the package that opens inputs takes it.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use landform::analysis::material::Materials;
use landform::shape::pad::Pad;
use landform::{Lattice, Plan, Terrain};
use landform_io::{Scale, Store};
use landform_project::{
    Changes, Disk, Error, Named, Opening, Project, Warning, Wish, memory, placed, read_text,
};

use crate::args::{self, Running};
use crate::running::Monitor;
use crate::{output, talk};

/// Reads `path`, or takes the default recipe, and applies the changes.
pub(crate) fn open(
    path: Option<&Path>,
    changes: &args::Changes,
    (reading, running): (&args::Reading, &Running),
) -> anyhow::Result<Project> {
    let changes = self::changes(changes)?;
    let reading = self::reading(reading, running);
    let opening = Opening { changes: &changes, reading, ..Opening::default() };
    if path.is_some_and(is_stdin) {
        let limit = reading.memory.unwrap_or(u64::MAX);
        let mut bytes = Vec::new();
        let mut stdin = std::io::stdin().lock().take(limit.saturating_add(1));
        stdin.read_to_end(&mut bytes).context("cannot read standard input")?;
        if bytes.len() as u64 > limit {
            let limit = memory::shown(limit);
            anyhow::bail!("standard input has more bytes than the {limit} that may be used");
        }
        return fitting(Project::of_bytes(bytes, &opening)?, &reading);
    }
    fitting(Project::open(path, &opening)?, &reading)
}

/// Refuses an input whose rasters do not fit on the lattice of the terrain.
fn fitting(project: Project, reading: &landform_project::Reading) -> anyhow::Result<Project> {
    if project.inputs().iter().next().is_some() {
        memory::check(project.recipe().output().size, project.memory_of_plan(), reading.memory)?;
    }
    Ok(project)
}

/// Whether an input stands for standard input. A file of that name is `./-`.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The changes that were typed.
pub(crate) fn changes(typed: &args::Changes) -> anyhow::Result<Changes> {
    let pads = |path: &PathBuf| -> anyhow::Result<Vec<Pad>> {
        let read = Pad::list_from_json(&read_text(&Disk, path)?);
        Ok(read.map_err(|error| error.in_file(&path.display().to_string()))?)
    };
    let args::Changes { seed, size, preview, extent, set, pads: files } = typed;
    let pads = files.iter().map(pads).collect::<anyhow::Result<_>>()?;
    let (seed, size, preview, extent) = (*seed, *size, *preview, *extent);
    Ok(Changes { seed, size, preview, extent, set: set.clone(), pads })
}

fn reading(typed: &args::Reading, running: &Running) -> landform_project::Reading {
    let args::Reading { range, spacing, raw_size, big_endian, allow_outside } = *typed;
    let scale = Scale { size: raw_size, spacing, range };
    let named = if allow_outside { Named::Anywhere } else { Named::Within };
    let memory = running.memory.or_else(memory::free);
    landform_project::Reading { scale, is_big_endian: big_endian, named, memory }
}

/// The input, and the window of it that is to be built. Of a store, only that window is read.
pub(crate) fn opened(args: &args::Build) -> anyhow::Result<(Project, Option<[u32; 4]>)> {
    match &args.input {
        Some(path) if args.tile.is_some() && Store::is_store(path) => {
            Ok((Project::of_store(path, args.tile, &changes(&args.changes)?)?, None))
        }
        path => {
            let from = (&args.reading, &args.running);
            Ok((open(path.as_deref(), &args.changes, from)?, args.tile))
        }
    }
}

/// The plan of a project, at the place that was asked for.
pub(crate) fn plan(args: &args::Build, project: &Project) -> anyhow::Result<Plan> {
    let plan = project.plan()?;
    let args::Placing { epsg, place, .. } = args.placing;
    let place = placed(plan.place(), epsg, place);
    Ok(plan.with_place(place))
}

/// The materials that were asked for.
pub(crate) fn materials(maps: &args::Maps) -> anyhow::Result<Option<Materials>> {
    let Some(path) = &maps.materials else { return Ok(None) };
    let materials = Materials::parse(&read_text(&Disk, path)?);
    Ok(Some(materials.map_err(|error| error.in_file(&path.display().to_string()))?))
}

/// Prints what was made, unless nothing is to be said. Where standard output is taken by an output, it goes beside.
pub(crate) fn tell(args: &args::Build, report: &[String]) -> anyhow::Result<()> {
    if args.running.quiet || args.json {
        return Ok(());
    }
    if args.outputs.iter().any(|path| output::is_stdout(path)) {
        report.iter().for_each(talk::say);
        return Ok(());
    }
    let mut stdout = std::io::stdout().lock();
    for line in report {
        writeln!(stdout, "{line}")?;
    }
    Ok(())
}

/// Says what had to be assumed, unless nothing is to be said.
pub(crate) fn warn(project: &Project, is_quiet: bool) {
    for warning in project.warnings() {
        talk::warn(is_quiet, told(warning));
    }
}

/// Says what is absurd about a terrain.
pub(crate) fn warn_about(terrain: &Terrain, monitor: &Monitor) {
    for warning in Warning::about(terrain) {
        monitor.warn(told(&warning));
    }
}

/// A warning, with the option that helps.
pub(crate) fn told(warning: &Warning) -> String {
    let option = match warning {
        Warning::AssumedRange { .. } => " (give --range LOW,HIGH)",
        Warning::AssumedSpacing { .. } => " (give --spacing)",
        Warning::Misplaced { .. } => " (or say it by --epsg and --place)",
        Warning::Towering { .. } => " (give --extent, such as 2km)",
        Warning::OutsideRange { .. } => " (give --output-range LOW,HIGH)",
        _ => "",
    };
    format!("{warning}{option}")
}

/// The options by which a wish is typed; nothing for the input, which has none.
pub(crate) fn option(wish: &Wish) -> Option<String> {
    Some(match wish {
        Wish::Input => return None,
        Wish::Changes => "--set, --seed, --size, --extent or --pads".to_owned(),
        Wish::Output(output) => format!("-o {output}"),
        Wish::Sweep => "--seeds and --set".to_owned(),
        Wish::Division => "--chunk and --shard".to_owned(),
        other => format!("--{other}"),
    })
}

/// What to do instead of what does not fit.
pub(crate) enum Advice {
    Build,
    Export,
    /// A map whose pixels were asked for, and are samples.
    Picture([u32; 2]),
    View,
    Inspect,
}

/// Refuses `needed` bytes above the limit, and tells what would fit.
pub(crate) fn check_memory(
    running: &Running,
    needed: u64,
    plan: &Plan,
    advice: &Advice,
) -> anyhow::Result<()> {
    let Lattice { size, .. } = *plan.lattice();
    let Err(error) = memory::check(size, needed, running.memory) else { return Ok(()) };
    let Error::Memory { limit, .. } = error else { return Err(error.into()) };
    let fitting = |size: [u32; 2]| {
        let [width, height] = memory::fitting(size, needed, limit);
        format!("{width}x{height}")
    };
    let smaller = fitting(size);
    let instead = match advice {
        Advice::Build => {
            let [width, height] = memory::fitting(size, needed, limit).map(|side| side.min(4096));
            format!(
                "build it smaller (--size {smaller}), tile by tile into a store (-o FILE.zarr), \
                 or tiles that share the same bytes (--tile 0,0,{width},{height})"
            )
        }
        Advice::Export => format!(
            "build it smaller (--size {smaller}), or as several tiles, one after the other (--tiles COLUMNSxROWS)"
        ),
        Advice::Picture(pixels) => {
            format!("draw a smaller picture (--picture {})", fitting(*pixels))
        }
        Advice::View => format!(
            "draw it with fewer samples (--size {smaller}), or build a store (landform build -o FILE.zarr) and draw that"
        ),
        Advice::Inspect => format!(
            "inspect it with fewer samples (--size {smaller}), or build a store (landform build -o FILE.zarr) and inspect that"
        ),
    };
    anyhow::bail!("{error}: {instead}")
}

/// The folder that a build of `path` goes to unless another is named.
pub(crate) fn default_folder(path: Option<&Path>) -> PathBuf {
    match path.and_then(Path::file_stem) {
        Some(stem) if stem != "-" => PathBuf::from(stem),
        _ => PathBuf::from("terrain"),
    }
}

/// The extension of a path in lower case, without the dot.
pub(crate) fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

/// The last part of a path.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
