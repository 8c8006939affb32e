//! `landform build` of what is larger than memory: tile by tile, resumed after an interruption.

use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use landform::{Extent, Plan};
use landform_io::store::{Division, Manifest, Sharding};
use landform_io::{Error, Store};
use landform_project::Project;
use landform_project::make::stream::{self, Streamed, Streaming};

use crate::args::Build;
use crate::running::Monitor;
use crate::{cluster, misuse, running};

/// Whether an output can be made from a store without reading all of it at once.
pub(crate) fn is_converted(path: &Path) -> bool {
    Streamed::of(path).is_some_and(|kind| kind != Streamed::Store)
}

/// Makes outputs from the store that is the input.
pub(crate) fn convert(args: &Build, input: &Path) -> anyhow::Result<()> {
    let store = Store::open(input)?;
    if !store.manifest().complete {
        anyhow::bail!("{} is not complete: build it first", input.display());
    }
    running::run(&args.running, |monitor| -> anyhow::Result<()> {
        for path in &args.outputs {
            stream::convert(&store, path, &stream::part_of(path), monitor)?;
        }
        Ok(())
    })??;
    for path in args.outputs.iter().filter(|_| !args.running.quiet) {
        writeln!(std::io::stdout(), "{}", path.display())?;
    }
    Ok(())
}

pub(crate) fn run(
    args: &Build,
    project: &Project,
    plan: &Plan,
    extent: &Extent,
) -> anyhow::Result<()> {
    let [path] = args.outputs.as_slice() else {
        return Err(misuse(
            "a huge terrain is written tile by tile: give one -o, and others in another command",
        ));
    };
    let is_store = Streamed::of(path) == Some(Streamed::Store);
    let folder = if is_store { path.clone() } else { stream::part_of(path) };
    let builder = stream::start(project, plan, extent, &division(args), &folder)?;
    let manifest = running::run(&args.running, |monitor| -> anyhow::Result<Manifest> {
        let manifest = match &args.streaming.dask {
            Some(scheduler) => cluster::fill(scheduler, &builder, project, &folder, args)?,
            None => {
                let filled = stream::fill(project, plan, &builder, &streaming(args), monitor);
                filled.map_err(advised)?
            }
        };
        if !is_store {
            // In the store itself: the next run finds and overwrites what a killed one left.
            let unfinished = folder.join("unfinished");
            stream::convert(&Store::open(&folder)?, path, &unfinished, monitor)?;
            stream::remove(&folder)?;
        }
        Ok(manifest)
    })?
    .with_context(|| format!("{} is not complete: {RESUME}", path.display()))?;
    if !args.running.quiet {
        std::io::stdout().write_all(summary(&manifest, path).as_bytes())?;
    }
    Ok(())
}

const RESUME: &str = "the same command goes on where this one stopped";

/// Fills a store that other files are made from, or resumes it.
pub(crate) fn gather(
    args: &Build,
    (project, plan): (&Project, &Plan),
    folder: &Path,
    monitor: &Monitor,
) -> anyhow::Result<Store> {
    let whole = plan.lattice().whole();
    let builder = stream::start(project, plan, &whole, &division(args), folder)?;
    stream::fill(project, plan, &builder, &streaming(args), monitor)
        .map_err(advised)
        .with_context(|| format!("it is not complete: {RESUME}"))?;
    Ok(Store::open(folder)?)
}

fn division(args: &Build) -> Division {
    let sharding = if args.streaming.no_shards { Sharding::Chunks } else { Sharding::Shards };
    Division { chunk: args.streaming.chunk, shard: args.streaming.shard, sharding }
}

fn streaming(args: &Build) -> Streaming<'_> {
    let (memory, cache) = (args.running.memory, args.keep.as_deref());
    Streaming { division: division(args), memory, cache }
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

fn summary(manifest: &Manifest, path: &Path) -> String {
    let layout = &manifest.layout;
    let [width, height] = layout.size;
    let [dx, dz] = layout.spacing;
    let kilometres = |samples: u32, spacing: f64| f64::from(samples - 1) * spacing / 1000.0;
    let mut text = format!(
        "{width} × {height} samples, {:.1} × {:.1} km, {} levels\n{}:\n",
        kilometres(width, dx),
        kilometres(height, dz),
        layout.levels(),
        path.display()
    );
    for layer in &manifest.layers {
        text += &format!(
            "  {} {} to {} [{}], sha256 of tiles {}\n",
            layer.name, layer.min, layer.max, layer.unit, layer.sha256_of_tiles
        );
    }
    text
}
