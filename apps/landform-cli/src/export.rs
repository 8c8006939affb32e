//! `landform build --for TARGET`: the files, and the page with the numbers to type.

use std::path::{Path, PathBuf};

use landform::Inputs;
use landform_io::profile::Target;
use landform_io::{Print, Store};
use landform_project::make::{self, ExportFolder, Origin, Profile, stream};
use landform_project::report::{ImportReport, TerrainReport};
use landform_project::{DiskFolder, Project, memory};

use crate::args::{Build, Changes};
use crate::input::{self, Advice};
use crate::output::{self, Contents};
use crate::report::Made;
use crate::{huge, misuse, running, talk};

pub(crate) fn run(args: &Build, target: Target) -> anyhow::Result<()> {
    let stem = input::default_folder(args.input.as_deref());
    let name = stem.to_string_lossy();
    let folder = match args.outputs.as_slice() {
        [] => PathBuf::from(format!("{name}-{}", target.name())),
        [folder] => folder.clone(),
        _ => return Err(misuse("--for writes one folder: give -o once")),
    };
    if args.tile.is_some() && !args.input.as_deref().is_some_and(Store::is_store) {
        return Err(misuse(
            "--for takes --tiles COLUMNSxROWS, not --tile, unless the input is a store",
        ));
    }
    output::prepare(&folder, args.making.mkdir)?;
    if !args.force {
        output::refuse_foreign(&folder, Contents::Listed)?;
    }
    let materials = input::materials(&args.maps)?;
    let print = Print {
        width_mm: args.printing.print_width.unwrap_or(Print::default().width_mm),
        base_mm: args.printing.print_base.unwrap_or(Print::default().base_mm),
        exaggeration: args.printing.print_exaggeration.unwrap_or(1.0),
        lowest: None,
    };
    let tiles = args.tiles.unwrap_or([1, 1]);
    let range = args.placing.output_range;
    let profile = Profile { target, name: &name, tiles, print, materials: materials.as_ref() };
    let (made, terrain) = match store(args, &profile)? {
        Some(store) => {
            let report = TerrainReport::of_store(&store);
            let text = store.manifest().recipe.clone();
            let seed = store.manifest().seed;
            let origin = Origin { recipe: Some(&text), seed, inputs: &Inputs::default() };
            let mut sink = DiskFolder::new(&folder);
            let made = running::run(&args.running, |monitor| {
                make::profile_of_store(&store, &profile, &origin, range, &mut sink, monitor)
            })??;
            (made, report)
        }
        None => by_plan(args, &profile, &folder)?,
    };
    for warning in &made.warnings {
        talk::warn(args.running.quiet, warning);
    }
    let mut told = Made::default();
    told.folder(&folder, made.names());
    if args.json {
        return told.print_json(terrain, Some(ImportReport::of(&made)));
    }
    told.lines.push(String::new());
    told.lines.extend(made.page.trim_end().lines().map(str::to_owned));
    input::tell(args, &told.lines)
}

/// The input, if it is a store that can be cut into tiles as it is, without reading all of it.
fn store(args: &Build, profile: &Profile<'_>) -> anyhow::Result<Option<Store>> {
    let input = args.input.as_deref().filter(|path| Store::is_store(path));
    let Some(input) = input.filter(|_| profile.tiles != [1, 1] && args.tile.is_none()) else {
        return Ok(None);
    };
    let store = Store::open(input)?;
    let size = store.layout().size;
    let is_fit = make::fitted(profile.target, size, profile.tiles) == size;
    let is_whole = store.manifest().complete && store.layout().origin == [0, 0];
    let is_changed = args.changes != Changes::default();
    Ok(Some(store).filter(|_| is_fit && is_whole && !is_changed))
}

/// All other inputs: in memory, or by way of a store beside the tiles where they do not fit there.
fn by_plan(
    args: &Build,
    profile: &Profile<'_>,
    folder: &Path,
) -> anyhow::Result<(ExportFolder, TerrainReport)> {
    let project = sized(args, profile)?;
    input::warn(&project, args.running.quiet);
    let plan = input::plan(args, &project)?;
    make::check_profile(profile, plan.lattice())?;
    let whole = plan.lattice().whole();
    let needed = project.memory(&plan, &whole);
    let limit = args.running.memory.or_else(memory::free);
    let range = args.placing.output_range;
    let mut sink = DiskFolder::new(folder);
    if profile.tiles != [1, 1] && limit.is_some_and(|limit| needed > limit) {
        let part = folder.join("terrain.part");
        return running::run(&args.running, |monitor| {
            let (store, _held) = huge::gather(args, (&project, &plan), &part, monitor)?;
            let origin = project.origin();
            let made = make::profile_of_store(&store, profile, &origin, range, &mut sink, monitor)?;
            let report = TerrainReport::of_store(&store);
            stream::remove(&part)?;
            Ok((made, report))
        })?;
    }
    input::check_memory(&args.running, needed, &plan, &Advice::Export)?;
    running::run(&args.running, |monitor| {
        stream::simulate(&project, &plan, args.keep.as_deref(), monitor)?;
        let terrain = plan.run(&whole, monitor)?;
        input::warn_about(&terrain, monitor);
        let origin = project.origin();
        let range = range.or(project.range());
        let made = make::profile(&terrain, profile, &origin, range, &mut sink, monitor)?;
        let report = match args.json {
            true => TerrainReport::of(&project, &plan, &terrain),
            false => TerrainReport::default(),
        };
        Ok((made, report))
    })?
}

/// The input at a size that the target takes.
fn sized(args: &Build, profile: &Profile<'_>) -> anyhow::Result<Project> {
    let (project, _) = input::opened(args)?;
    let wanted = project.recipe().output().size;
    let total = make::fitted(profile.target, wanted, profile.tiles);
    if total == wanted {
        return Ok(project);
    }
    if args.changes.size.is_some() {
        let ([w, h], [width, height]) = (wanted, total);
        let target = profile.target.name();
        let warning =
            format!("{target} takes no terrain of {w}x{h} samples: {width}x{height} are built");
        talk::warn(args.running.quiet, warning);
    }
    Ok(project.with_resolution(total)?)
}
