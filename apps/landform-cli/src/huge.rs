//! `landform build` of what is larger than memory: tile by tile, resumed after an interruption.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use landform::{Extent, Plan};
use landform_io::store::{Builder, Check, Division, Manifest, Sharding};
use landform_io::{Error, Store};
use landform_project::make::stream::{self, Streamed, Streaming};
use landform_project::report::TerrainReport;
use landform_project::{Project, Warning, placed};

use crate::args::{self, Build, Changes};
use crate::report::Made;
use crate::running::Monitor;
use crate::{cluster, input, misuse, output, running, talk};

/// Whether an output can be made from a store without reading all of it at once.
pub(crate) fn is_converted(path: &Path) -> bool {
    Streamed::of(path).is_some_and(|kind| kind != Streamed::Store)
}

/// Makes outputs from the store that is the input.
pub(crate) fn convert(args: &Build, input: &Path) -> anyhow::Result<()> {
    if args.changes != Changes::default() {
        return Err(misuse(
            "a store is converted as it is: --seed, --size, --extent, --set and --pads change recipes",
        ));
    }
    let store = Store::open(input)?;
    let args::Placing { epsg, place, .. } = args.placing;
    let place = placed(store.layout().place.as_ref(), epsg, place);
    let store = store.with_place(place);
    if !store.manifest().complete {
        anyhow::bail!("{} is not complete: build it first", input.display());
    }
    for path in &args.outputs {
        prepare(path, args)?;
    }
    running::run(&args.running, |monitor| -> anyhow::Result<()> {
        for path in &args.outputs {
            converted(&store, path, &stream::part_of(path), monitor)?;
        }
        Ok(())
    })??;
    let mut made = Made::default();
    for path in &args.outputs {
        made.lines.push(path.display().to_string());
        made.file(path);
    }
    if args.json {
        return made.print_json(TerrainReport::of_store(&store), None);
    }
    input::tell(args, &made.lines)
}

/// Makes a file other than a store from a store.
fn converted(
    store: &Store,
    path: &Path,
    unfinished: &Path,
    monitor: &Monitor,
) -> anyhow::Result<()> {
    if let Some(Streamed::PmTiles | Streamed::Tiles) = Streamed::of(path)
        && let Some(warning) = Warning::off_the_map(store.layout().place.as_ref())
    {
        monitor.warn(format!("{}: {warning}", path.display()));
    }
    Ok(stream::convert(store, path, unfinished, monitor)?)
}

/// Refuses a place that nothing can be written to tile by tile.
fn prepare(path: &Path, args: &Build) -> anyhow::Result<()> {
    if output::is_stdout(path) {
        return Err(misuse(format!(
            "-o {}: what is written tile by tile needs a file, not standard output",
            path.display()
        )));
    }
    output::prepare(path, args.making.mkdir)?;
    if Streamed::of(path) == Some(Streamed::Tiles) && !args.force {
        output::refuse_foreign(path, output::Contents::Tiles)?;
    }
    Ok(())
}

/// Makes outputs tile by tile: the stores, and everything else from the first of them, or from one that is removed again.
pub(crate) fn run(
    args: &Build,
    project: &Project,
    plan: &Plan,
    extent: &Extent,
    paths: &[&Path],
) -> anyhow::Result<(Manifest, Made)> {
    for path in paths {
        prepare(path, args)?;
    }
    let is_store = |path: &&&Path| Streamed::of(path) == Some(Streamed::Store);
    let mut stores: Vec<PathBuf> =
        paths.iter().filter(is_store).map(|path| path.to_path_buf()).collect();
    let others: Vec<&Path> = paths.iter().filter(|path| !is_store(path)).copied().collect();
    let is_kept = !stores.is_empty();
    if !is_kept {
        stores.extend(others.first().map(|path| stream::part_of(path)));
    }
    let mut first = None;
    // Nobody else may remove what is only there for us.
    let mut held = Vec::new();
    for folder in &stores {
        let path = if is_kept { folder } else { others[0] };
        let (manifest, builder) = fill(args, (project, plan), extent, (folder, path))?;
        first.get_or_insert(manifest);
        held.extend(Some(builder).filter(|_| !is_kept));
    }
    let source = &stores[0];
    running::run(&args.running, |monitor| -> anyhow::Result<()> {
        for path in &others {
            // Beside the output: the next run finds and overwrites what a killed one left.
            let unfinished =
                if is_kept { stream::part_of(path) } else { source.join("unfinished") };
            converted(&Store::open(source)?, path, &unfinished, monitor)?;
        }
        if !is_kept {
            stream::remove(source)?;
        }
        Ok(())
    })?
    .with_context(|| {
        format!(
            "{} is not complete: {RESUME}",
            others.first().map_or_else(String::new, |path| path.display().to_string())
        )
    })?;
    let manifest = first.expect("at least one store is filled");
    // What is also built in memory has been warned of.
    if args.outputs.len() == paths.len() {
        let heights = manifest.layers.first().map_or([0.0; 2], |height| [height.min, height.max]);
        let (sea_level, topology) = (plan.sea_level(), plan.topology());
        for warning in Warning::about_heights(heights, extent, sea_level, topology) {
            talk::warn(args.running.quiet, input::told(&warning));
        }
    }
    let mut made = Made::default();
    made.lines = summary(&manifest, paths);
    paths.iter().for_each(|path| made.file(path));
    Ok((manifest, made))
}

/// Makes all tiles that the store in a folder lacks, here or by a cluster, for the output `path`.
fn fill(
    args: &Build,
    (project, plan): (&Project, &Plan),
    extent: &Extent,
    (folder, path): (&Path, &Path),
) -> anyhow::Result<(Manifest, Builder)> {
    running::run(&args.running, |monitor| {
        let builder = stream::start(project, plan, (extent, &division(args)), folder, monitor)?;
        let filled = match &args.streaming.dask {
            Some(scheduler) => cluster::fill(scheduler, &builder, project, folder, args),
            None => {
                stream::fill(project, plan, &builder, &streaming(args), monitor).map_err(advised)
            }
        };
        let manifest =
            filled.with_context(|| format!("{} is not complete: {RESUME}", path.display()))?;
        Ok((manifest, builder))
    })?
}

const RESUME: &str = "the same command goes on where this one stopped";

/// Fills a store that other files are made from, or resumes it. Nobody else does so while its builder is held.
pub(crate) fn gather(
    args: &Build,
    (project, plan): (&Project, &Plan),
    folder: &Path,
    monitor: &Monitor,
) -> anyhow::Result<(Store, Builder)> {
    let whole = plan.lattice().whole();
    let builder = stream::start(project, plan, (&whole, &division(args)), folder, monitor)?;
    stream::fill(project, plan, &builder, &streaming(args), monitor)
        .map_err(advised)
        .with_context(|| format!("it is not complete: {RESUME}"))?;
    Ok((Store::open(folder)?, builder))
}

fn division(args: &Build) -> Division {
    let sharding = if args.streaming.no_shards { Sharding::Chunks } else { Sharding::Shards };
    Division { chunk: args.streaming.chunk, shard: args.streaming.shard, sharding }
}

fn streaming(args: &Build) -> Streaming<'_> {
    let (memory, cache) = (args.running.memory, args.keep.as_deref());
    let check = if args.streaming.verify { Check::Contents } else { Check::Lengths };
    Streaming { division: division(args), memory, cache, check }
}

/// An error with what to do about it.
fn advised(error: landform_project::Error) -> anyhow::Error {
    let is_memory = matches!(&error, landform_project::Error::File(Error::Memory { .. }));
    let error = anyhow::Error::new(error);
    if is_memory {
        return error.context("give more --memory, or smaller tiles with --shard");
    }
    error
}

/// What was made, a line each.
fn summary(manifest: &Manifest, paths: &[&Path]) -> Vec<String> {
    let layout = &manifest.layout;
    let [width, height] = layout.size;
    let [dx, dz] = layout.spacing;
    let kilometres = |samples: u32, spacing: f64| f64::from(samples - 1) * spacing / 1000.0;
    let mut lines = vec![format!(
        "{width} × {height} samples, {:.1} × {:.1} km, {} levels",
        kilometres(width, dx),
        kilometres(height, dz),
        layout.levels(),
    )];
    lines.extend(paths.iter().map(|path| format!("{}:", path.display())));
    for layer in &manifest.layers {
        lines.push(format!(
            "  {} {} to {} [{}], sha256 of tiles {}",
            layer.name, layer.min, layer.max, layer.unit, layer.sha256_of_tiles
        ));
    }
    lines
}
