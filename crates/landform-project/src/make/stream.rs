//! What is larger than memory: made tile by tile, and resumed after an interruption.
//!
//! A store (`.zarr`) is filled. Everything else is made from a store: from one that is the input, or from one that is
//! gathered beside the output, in `FILE.part`, and removed when the output is there.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use landform::{Extent, Layer, Plan, Watch};
use landform_io::store::{self, Builder, Check, Division, Lock, Manifest, Windows};
use landform_io::{Kept, Store, atomic, tiff, web};

use crate::open::files::extension;
use crate::{Error, Observer, Project, Result, Wish, memory};

/// A `.tif` with more samples is cloud-optimized: 8192 × 8192.
const LARGEST_PLAIN: usize = 1 << 26;

/// What is made tile by tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Streamed {
    /// A Zarr store.
    Store,
    /// A cloud-optimized GeoTIFF.
    Cog,
    /// A PMTiles archive.
    PmTiles,
    /// A folder of tiles for maps.
    Tiles,
}

impl Streamed {
    /// What a path stands for, if it can be made tile by tile.
    pub fn of(path: &Path) -> Option<Self> {
        match extension(path).as_str() {
            "zarr" => Some(Self::Store),
            "tif" | "tiff" => Some(Self::Cog),
            "pmtiles" => Some(Self::PmTiles),
            "tiles" => Some(Self::Tiles),
            _ => None,
        }
    }

    /// What a path stands for if it has to be made tile by tile; a GeoTIFF only if it is large or `is_cog`.
    pub fn needed(path: &Path, is_cog: bool, extent: &Extent) -> Option<Self> {
        Self::of(path).filter(|kind| *kind != Self::Cog || is_cog || extent.len() > LARGEST_PLAIN)
    }
}

/// How tiles are made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Streaming<'a> {
    /// How the store is divided.
    pub division: Division,
    /// Bytes that may be used.
    pub memory: Option<u64>,
    /// A folder that caches the results of simulations.
    pub cache: Option<&'a Path>,
    /// How closely the files of a store are looked at that is finished already.
    pub check: Check,
}

/// Runs the simulations of a plan, by way of the folder that caches their results, if there is one.
///
/// # Errors
/// If the folder cannot be made, and by cancellation.
pub fn simulate(
    project: &Project,
    plan: &Plan,
    cache: Option<&Path>,
    observer: &dyn Observer,
) -> Result<()> {
    if let Some(folder) = cache
        && !plan.simulations().is_empty()
    {
        fs::create_dir_all(folder)
            .map_err(|cause| Error::Folder { folder: folder.display().to_string(), cause })?;
        let kept = Kept::new(folder, project.recipe(), project.inputs());
        tell_cached(plan, &plan.simulate(&kept, observer)?, observer);
    }
    Ok(())
}

/// Says which simulations need not run again.
fn tell_cached(plan: &Plan, ran: &[&str], observer: &dyn Observer) {
    let mut cached = plan.simulations();
    cached.retain(|label| !ran.contains(label));
    if !cached.is_empty() {
        observer.note(&format!("cached: {}", cached.join(", ")));
    }
}

/// Waits until no other program fills the store in `folder`.
fn lock(folder: &Path, observer: &dyn Observer) -> Result<Lock> {
    let waiting = || {
        let folder = folder.display();
        observer.note(&format!("{folder} is being filled by another process: waiting for it"));
    };
    Ok(Lock::take(folder, observer, waiting)?)
}

/// Starts the store in `folder`, or joins the same one that was started before. Another program that fills it is waited for.
///
/// # Errors
/// If the division does not fit, or there is another store.
pub fn start(
    project: &Project,
    plan: &Plan,
    (extent, division): (&Extent, &Division),
    folder: &Path,
    observer: &dyn Observer,
) -> Result<Builder> {
    let recipe = (project.text(), Some(project.recipe().seed));
    let manifest = Manifest::new(plan, extent, division, recipe, project.inputs());
    let manifest = manifest.map_err(|error| match error {
        landform_io::Error::Division { .. } => Error::wish(Wish::Division, error.to_string()),
        other => other.into(),
    })?;
    let lock = lock(folder, observer)?;
    Ok(Builder::start(folder, manifest)?.with_lock(lock))
}

/// Makes all tiles that a store lacks, or that are damaged.
///
/// # Errors
/// If a tile does not fit into memory, those of the disk, and by cancellation: the store can then be resumed.
pub fn fill(
    project: &Project,
    plan: &Plan,
    builder: &Builder,
    streaming: &Streaming<'_>,
    observer: &dyn Observer,
) -> Result<Manifest> {
    let joined;
    let builder = if builder.is_locked() {
        builder
    } else {
        let lock = lock(builder.root(), observer)?;
        // Another program may have gone on while we waited.
        joined = Builder::join(builder.root())?.with_lock(lock);
        &joined
    };
    if builder.manifest().complete {
        let damage = builder.damage(streaming.check, observer)?;
        if !damage.is_empty() {
            let (count, files) = (damage.files.len(), damage.shown());
            observer.note(&format!("{count} files are damaged and are made again: {files}"));
            simulate(project, plan, streaming.cache, observer)?;
            builder.repair(plan, &damage, observer)?;
        }
        return Ok(builder.manifest().clone());
    }
    let limit = streaming.memory.unwrap_or(store::MEMORY);
    let windows = Windows::choose(plan, builder.layout(), limit)?;
    simulate(project, plan, streaming.cache, observer)?;
    if windows.overhead > 1.01 {
        let percent = 100.0 * (windows.overhead - 1.0);
        let tiles = windows.tiles;
        observer.note(&format!(
            "stages look {} samples around: {percent:.0} % more work in windows of {tiles} × {tiles} tiles ({})",
            plan.halo(),
            memory::shown(windows.memory)
        ));
    }
    if streaming.cache.is_none() && !builder.pending(0)?.is_empty() {
        tell_cached(plan, &builder.simulate(plan, observer)?, observer);
    }
    Ok(store::fill(builder, plan, limit, observer)?)
}

/// Makes a file other than a store from a store, by way of `unfinished` on the same disk.
///
/// # Errors
/// If the store is not complete, those of the disk, and by cancellation.
pub fn convert(store: &Store, path: &Path, unfinished: &Path, watch: &dyn Watch) -> Result<()> {
    if !store.manifest().complete {
        return Err(Error::Other("the store is not complete: build it first".to_owned()));
    }
    if Streamed::of(path) == Some(Streamed::Tiles) {
        return Ok(web::write_folder(store, path, watch)?);
    }
    let written = write_file(store, path, unfinished, watch);
    if written.is_err() {
        let _ = fs::remove_file(unfinished);
    }
    written
}

fn write_file(store: &Store, path: &Path, unfinished: &Path, watch: &dyn Watch) -> Result<()> {
    let wrong = |cause: io::Error| Error::write(path, cause);
    // Never what somebody else has put there, such as a link.
    match fs::remove_file(unfinished) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(wrong(error)),
        _ => {}
    }
    let file = File::create_new(unfinished).map_err(wrong)?;
    let mut out = BufWriter::with_capacity(1 << 20, file);
    match Streamed::of(path) {
        Some(Streamed::PmTiles) => web::write_pmtiles(store, &mut out, watch)?,
        _ => tiff::write_cog(store, &Layer::Height, &mut out, watch)?,
    }
    let file = out.into_inner().map_err(|error| wrong(error.into_error()))?;
    file.sync_all().map_err(wrong)?;
    drop(file);
    atomic::rename(unfinished, path).map_err(wrong)
}

/// The folder in which the tiles of a file are gathered: `FILE.part`.
pub fn part_of(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    path.with_file_name(name)
}

/// Removes a store that other files were made from.
///
/// # Errors
/// Those of the disk.
pub fn remove(folder: &Path) -> Result<()> {
    fs::remove_dir_all(folder)
        .map_err(|cause| Error::Other(format!("cannot remove {}: {cause}", folder.display())))
}
