//! `landform build` of what is larger than memory: tile by tile, going on where it was interrupted.
//!
//! A store (`.zarr`) is filled. Everything else is made from a store: from the one that is the input, or from one that is gathered beside the
//! output, in `FILE.part`, and goes when the output is there.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use landform::{Extent, Layer, Plan};
use landform_io::store::{self, Builder, Division, Manifest, Sharding, Windows};
use landform_io::{Georeference, Store, tiff, web};

use crate::args::{Build, Streaming};
use crate::running::Monitor;
use crate::source::{Source, extension};
use crate::{build, cluster, memory, misuse, running};

/// A `.tif` with more samples is cloud-optimized: 8192 × 8192.
const LARGEST_PLAIN: usize = 1 << 26;

/// What is made tile by tile.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Store,
    /// A cloud-optimized GeoTIFF.
    Cog,
    PmTiles,
    /// A folder of tiles for maps.
    Tiles,
}

impl Kind {
    fn of(path: &Path) -> Option<Self> {
        match extension(path).as_str() {
            "zarr" => Some(Self::Store),
            "tif" | "tiff" => Some(Self::Cog),
            "pmtiles" => Some(Self::PmTiles),
            "tiles" => Some(Self::Tiles),
            _ => None,
        }
    }
}

/// Whether an output is written tile by tile.
pub(crate) fn is_streamed(path: &Path, streaming: &Streaming, extent: &Extent) -> bool {
    match Kind::of(path) {
        Some(Kind::Cog) => streaming.cog || extent.len() > LARGEST_PLAIN,
        kind => kind.is_some(),
    }
}

/// Whether an output can be made from a store without reading all of it at once.
pub(crate) fn is_converted(path: &Path) -> bool {
    Kind::of(path).is_some_and(|kind| kind != Kind::Store)
}

/// Makes an output from the store that is the input.
pub(crate) fn convert(args: &Build, input: &Path) -> anyhow::Result<()> {
    let store = Store::open(input)?;
    if !store.manifest().complete {
        anyhow::bail!("{} is not complete: build it first", input.display());
    }
    running::run(&args.running, |monitor| -> anyhow::Result<()> {
        for path in &args.outputs {
            let mut unfinished = path.as_os_str().to_owned();
            unfinished.push(".part");
            write(&store, path, Path::new(&unfinished), monitor)?;
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
    source: &Source,
    plan: &Plan,
    extent: &Extent,
) -> anyhow::Result<()> {
    let [path] = args.outputs.as_slice() else {
        return Err(misuse(
            "a huge terrain is written tile by tile: give one -o, and others in another command",
        ));
    };
    let is_store = Kind::of(path) == Some(Kind::Store);
    let folder = if is_store { path.clone() } else { part(path) };
    let builder = begin(args, (source, plan, extent), &folder)?;
    let manifest = running::run(&args.running, |monitor| -> anyhow::Result<Manifest> {
        let manifest = match &args.streaming.dask {
            Some(scheduler) => cluster::fill(scheduler, &builder, source, &folder, args)?,
            None => {
                build::simulate(args, source, plan, monitor)?;
                fill(args, &builder, plan, monitor)?
            }
        };
        if !is_store {
            // In the store itself, so that whatever is left of a run that was killed is found and overwritten.
            write(&Store::open(&folder)?, path, &folder.join("unfinished"), monitor)?;
            fs::remove_dir_all(&folder)
                .with_context(|| format!("cannot remove {}", folder.display()))?;
        }
        Ok(manifest)
    })?
    .with_context(|| {
        format!(
            "{} is not complete: the same command goes on where this one stopped",
            path.display()
        )
    })?;
    if !args.running.quiet {
        std::io::stdout().write_all(summary(&manifest, path).as_bytes())?;
    }
    Ok(())
}

/// Fills a store that other files are made from, or goes on with it.
pub(crate) fn gather(
    args: &Build,
    (source, plan, extent): (&Source, &Plan, &Extent),
    folder: &Path,
    monitor: &Monitor,
) -> anyhow::Result<Store> {
    let builder = begin(args, (source, plan, extent), folder)?;
    build::simulate(args, source, plan, monitor)?;
    fill(args, &builder, plan, monitor)
        .context("it is not complete: the same command goes on where this one stopped")?;
    Ok(Store::open(folder)?)
}

/// Makes an output other than a store; files by way of `unfinished`.
fn write(store: &Store, path: &Path, unfinished: &Path, monitor: &Monitor) -> anyhow::Result<()> {
    if Kind::of(path) == Some(Kind::Tiles) {
        return Ok(web::write_folder(store, path, monitor)?);
    }
    let about = || format!("cannot write {}", path.display());
    let file = File::create(unfinished).with_context(about)?;
    let mut out = BufWriter::with_capacity(1 << 20, file);
    match Kind::of(path) {
        Some(Kind::PmTiles) => web::write_pmtiles(store, &mut out, monitor)?,
        _ => tiff::write_cog(store, &Layer::Height, &Georeference::default(), &mut out, monitor)?,
    }
    let file = out.into_inner().map_err(std::io::IntoInnerError::into_error).with_context(about)?;
    file.sync_all().with_context(about)?;
    drop(file);
    fs::rename(unfinished, path).with_context(about)
}

/// The folder in which the tiles of a file are gathered.
fn part(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    path.with_file_name(name)
}

/// Begins a store, or goes on with it.
fn begin(
    args: &Build,
    (source, plan, extent): (&Source, &Plan, &Extent),
    folder: &Path,
) -> anyhow::Result<Builder> {
    let sharding = if args.streaming.no_shards { Sharding::Chunks } else { Sharding::Shards };
    let division = Division { chunk: args.streaming.chunk, shard: args.streaming.shard, sharding };
    let recipe = (source.text.as_str(), Some(source.recipe.seed));
    let manifest = Manifest::new(plan, extent, &division, recipe, &source.inputs)
        .map_err(|error| misuse(format!("--chunk and --shard: {error}")))?;
    Ok(Builder::start(folder, manifest)?)
}

fn fill(
    args: &Build,
    builder: &Builder,
    plan: &Plan,
    monitor: &Monitor,
) -> anyhow::Result<Manifest> {
    let limit = args.running.memory.unwrap_or(store::MEMORY);
    let windows = Windows::choose(plan, builder.layout(), limit)
        .context("give more --memory, or smaller tiles with --shard")?;
    if windows.overhead > 1.01 {
        let percent = 100.0 * (windows.overhead - 1.0);
        monitor.note(&format!(
            "stages look {} samples around: {percent:.0} % more work in windows of {} × {} tiles ({})",
            plan.halo(),
            windows.tiles,
            windows.tiles,
            memory::shown(windows.memory)
        ));
    }
    if args.keep.is_none() && !builder.pending(0)?.is_empty() {
        build::tell_kept(plan, &builder.simulate(plan, monitor)?, monitor);
    }
    Ok(store::fill(builder, plan, limit, monitor)?)
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
