//! A store that is being filled, by one program or by many at once, and that survives each of them.
//!
//! A tile is a few files. Each is written under another name first, forced to the disk, and then takes its own; after the last of
//! them the tile gets its *record* in the folder `.landform`: what is recorded is whole, also after a power cut. Two programs that make
//! the same tile write the same bytes, so it does no harm. When all tiles are there, the records are summed up in the manifest, and
//! the folder goes.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use landform::{Extent, Inputs, Layer, Plan, Recipe, Terrain, Watch};
use sha2::{Digest as _, Sha256};

use super::Store;
use super::layout::{Division, Layout};
use super::lock::Lock;
use super::metadata::{self, FILE_NAME, LONGEST, LayerSummary, Manifest};
use super::seals::{self, Check, Damage, Seal, Seals};
use super::tile::{self, Encoded, Patch, Record};
use super::writer::TileWriter;
use crate::atomic::Bulk;
use crate::disk;
use crate::kept::{Kept, hash_of_inputs};
use crate::manifest::hex;
use crate::regular::{self, DESCRIPTION};
use crate::{Error, Result};

/// The folder with what is needed only while a store is filled.
const WORK: &str = ".landform";

/// A store that is being filled.
#[derive(Clone, Debug)]
pub struct Builder {
    root: PathBuf,
    manifest: Manifest,
    /// Held while this program fills it; nothing for the workers of another one.
    lock: Option<Lock>,
}

impl Manifest {
    /// The manifest of a store of `extent` that is to be filled by `plan`, which was made from this recipe and these inputs.
    ///
    /// # Errors
    /// If the store cannot be divided so.
    pub fn new(
        plan: &Plan,
        extent: &Extent,
        division: &Division,
        (recipe, seed): (&str, Option<u64>),
        inputs: &Inputs,
    ) -> Result<Self> {
        // A text that JSON has to escape takes more bytes, at most twice as many.
        if recipe.len() as u64 > LONGEST / 2 {
            let expected = format!("at most {}", LONGEST / 2);
            let found = format!("a recipe of {} bytes", recipe.len());
            return Err(Error::Store { path: FILE_NAME.to_owned(), found, expected });
        }
        Ok(Self {
            version: metadata::VERSION,
            generator: concat!("landform ", env!("CARGO_PKG_VERSION")).to_owned(),
            complete: false,
            seed,
            recipe: recipe.to_owned(),
            inputs: hash_of_inputs(inputs),
            layout: Layout::of(plan, extent, division)?,
            layers: Vec::new(),
        })
    }
}

impl Builder {
    /// Begins a store in the folder `root`, or goes on with the same one if it is there already.
    ///
    /// # Errors
    /// If the folder holds anything else, or cannot be written.
    pub fn start(root: &Path, manifest: Manifest) -> Result<Self> {
        let builder = Self { root: root.to_owned(), manifest, lock: None };
        let unlike = |found: &str| Error::Store {
            path: root.display().to_string(),
            found: found.to_owned(),
            expected: "nothing, or this terrain begun: remove it or give another name".to_owned(),
        };
        match regular::read_short(&root.join(FILE_NAME), LONGEST) {
            Ok(bytes) => {
                let there = Manifest::from_root(&bytes).map_err(|found| unlike(&found))?;
                if !there.is_same_job(&builder.manifest) {
                    return Err(unlike(&differing(&there, &builder.manifest)));
                }
                if there.complete && Seals::read(root, &there.layout).is_some() {
                    builder.clear();
                    return Ok(Self { manifest: there, ..builder });
                }
                if there.complete {
                    // Nobody can tell any more which of its files are sound: all are made again.
                    builder.describe()?;
                    return Ok(builder);
                }
                return Ok(Self { manifest: there, ..builder });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(_) if root.is_file() => return Err(unlike("a file")),
            Err(error) => return Err(unlike(&format!("{FILE_NAME}: {error}"))),
        }
        // Only what was killed before it had a description has a work folder and no description.
        let is_ours = root.join(WORK).is_dir();
        let is_empty = fs::read_dir(root).map_or(true, |mut entries| entries.next().is_none());
        if !is_ours && !is_empty {
            return Err(unlike("other files"));
        }
        builder.describe()?;
        Ok(builder)
    }

    /// The same, while no other program may fill the store.
    pub fn with_lock(self, lock: Lock) -> Self {
        Self { lock: Some(lock), ..self }
    }

    /// Whether no other program may fill the store.
    pub fn is_locked(&self) -> bool {
        self.lock.is_some()
    }

    /// The folder of the store.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Joins the filling of a store that another program has begun.
    ///
    /// # Errors
    /// If there is none.
    pub fn join(root: &Path) -> Result<Self> {
        let store = Store::open(root)?;
        Ok(Self { root: root.to_owned(), manifest: store.into_manifest(), lock: None })
    }

    /// What the store was made from.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The division.
    pub fn layout(&self) -> &Layout {
        &self.manifest.layout
    }

    pub(super) fn unfinished(&self) -> PathBuf {
        self.root.join(WORK).join("unfinished")
    }

    pub(super) fn record(&self, base: usize, [i, j]: [u32; 2]) -> PathBuf {
        self.root.join(WORK).join(format!("{base}")).join(format!("{j}.{i}"))
    }

    /// Files of the store that are forced to the disk together.
    pub(super) fn bulk(&self) -> Result<Bulk> {
        let folder = self.unfinished();
        Bulk::new(&self.root, &folder).map_err(|cause| write_error(&folder, cause))
    }

    /// Writes files that are on the disk before whatever comes after them.
    fn put_all(&self, files: &[(String, Vec<u8>)]) -> Result<()> {
        let mut bulk = self.bulk()?;
        for (file, bytes) in files {
            let path = self.root.join(file);
            bulk.put(&path, bytes).map_err(|cause| write_error(&path, cause))?;
        }
        bulk.settle().map_err(|cause| write_error(&self.root, cause))
    }

    /// Runs the stages of `plan` that look at the whole ground, unless another program, or this one before it was interrupted, has
    /// done so: what they find out is kept until the store is complete. Gives the labels of those that had to run.
    ///
    /// # Errors
    /// If `watch` cancels.
    pub fn simulate<'a>(&self, plan: &'a Plan, watch: &dyn Watch) -> Result<Vec<&'a str>> {
        if plan.simulations().is_empty() || self.manifest.complete {
            return Ok(Vec::new());
        }
        // A recipe that another version wrote finds nothing.
        let Ok(recipe) = Recipe::parse(&self.manifest.recipe) else { return Ok(Vec::new()) };
        let folder = self.root.join(WORK).join("kept");
        let kept = Kept::of_hashed(folder, recipe, self.manifest.inputs.clone());
        Ok(plan.simulate(&kept, watch)?)
    }

    /// Writes everything but samples. What the store says of itself comes last.
    fn describe(&self) -> Result<()> {
        self.put_all(&seals::descriptions(&self.manifest))?;
        self.describe_root()
    }

    fn describe_root(&self) -> Result<()> {
        let texts = self.manifest.texts();
        let (file, text) = texts.last().expect("the root comes last");
        self.put_all(&[(file.clone(), text.clone().into_bytes())])
    }

    /// The tiles of a base that are not there yet, row by row.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn pending(&self, base: usize) -> Result<Vec<[u32; 2]>> {
        if self.manifest.complete {
            return Ok(Vec::new());
        }
        let mut done = BTreeSet::new();
        match fs::read_dir(self.root.join(WORK).join(format!("{base}"))) {
            Ok(entries) => {
                for entry in entries {
                    done.insert(entry?.file_name().to_string_lossy().into_owned());
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        let [across, down] = self.layout().tiles(base);
        let all = (0..down).flat_map(|j| (0..across).map(move |i| [i, j]));
        let is_pending = |&[i, j]: &[u32; 2]| {
            !done.contains(&format!("{j}.{i}")) || self.recorded(base, [i, j]).is_none()
        };
        Ok(all.filter(is_pending).collect())
    }

    /// The record of a tile whose files are as long as it says.
    fn recorded(&self, base: usize, tile: [u32; 2]) -> Option<Record> {
        let record: Record = serde_json::from_slice(
            &regular::read_short(&self.record(base, tile), DESCRIPTION).ok()?,
        )
        .ok()?;
        let places = tile::places(self.layout(), base, tile);
        let is_as_long = |(place, seal): (&tile::FilePlace, &Seal)| {
            let found = fs::metadata(self.root.join(place.key(self.layout())));
            found.is_ok_and(|found| found.len() == seal.length)
        };
        let is_whole =
            places.len() == record.files.len() && places.iter().zip(&record.files).all(is_as_long);
        is_whole.then_some(record)
    }

    /// Encodes a tile of level 0, which `terrain` covers.
    pub(super) fn encode(&self, terrain: &Terrain, tile: [u32; 2]) -> Encoded {
        let [x, y, width, height] = self.layout().window(0, tile);
        let ([i, j], [left, top]) = (self.layout().origin, terrain.extent().origin());
        let at = ((i + x - left) as usize, (j + y - top) as usize);
        let (width, height) = (width as usize, height as usize);
        let patch = |layer: Layer| {
            let grid = terrain.layer(&layer).expect("the plan has told its layers");
            (layer, Patch { grid, at, width, height })
        };
        let layers: Vec<_> = self.layout().layers().map(patch).collect();
        tile::encode(self.layout(), 0, tile, &layers)
    }

    /// Makes the overviews that come from tiles of a base other than 0, all of whose samples are in the store.
    ///
    /// # Errors
    /// If the store cannot be read or written, or `watch` cancels.
    pub fn make_overviews(&self, base: usize, tiles: &[[u32; 2]], watch: &dyn Watch) -> Result<()> {
        let mut writer = TileWriter::new(self)?;
        let make = |writer: &mut TileWriter<'_>| {
            for &tile in tiles {
                watch.progress("overviews", 1.0);
                if watch.is_cancelled() {
                    return Err(landform::Cancelled.into());
                }
                writer.write(base, tile, &self.overviews(base, tile)?)?;
            }
            Ok(())
        };
        let made = make(&mut writer);
        made.and(writer.settle())
    }

    fn overviews(&self, base: usize, tile: [u32; 2]) -> Result<Encoded> {
        let store = Store::new(self.root.clone(), self.manifest.clone());
        let window = self.layout().window(base, tile);
        let mut grids = Vec::new();
        for layer in self.layout().layers() {
            let grid = store.read(base, &layer, window)?;
            grids.push((layer, grid));
        }
        let layers: Vec<_> =
            grids.iter().map(|(layer, grid)| (layer.clone(), Patch::whole(grid))).collect();
        Ok(tile::encode(self.layout(), base, tile, &layers))
    }

    /// Looks for damaged files of a finished store.
    ///
    /// # Errors
    /// If `watch` cancels.
    pub fn damage(&self, check: Check, watch: &dyn Watch) -> Result<Damage> {
        match self.manifest.complete {
            true => Store::open(&self.root)?.damage(check, watch),
            false => Ok(Damage::default()),
        }
    }

    /// Makes the damaged files of a finished store again, from the plan that made them.
    ///
    /// # Errors
    /// If a tile is not the same again, the store cannot be written, or `watch` cancels.
    pub fn repair(&self, plan: &Plan, damage: &Damage, watch: &dyn Watch) -> Result<()> {
        let layout = self.layout();
        let store = Store::open(&self.root)?;
        let seals = store.seals().expect("a finished store has checksums");
        let mut descriptions = seals::descriptions(&self.manifest);
        descriptions.retain(|(file, _)| damage.files.contains(file));
        self.put_all(&descriptions)?;
        let mut writer = TileWriter::new(self)?;
        let mut last_base = 0;
        // Tiles of level 0 come first: overviews are made of them.
        for (n, &(base, tile)) in damage.tiles.iter().enumerate() {
            watch.progress("damaged tiles", n as f32 / damage.tiles.len() as f32);
            if base != last_base {
                writer.settle()?;
                last_base = base;
            }
            let encoded = match base {
                0 => self.encode(&plan.run(&self.extent_of(tile), watch)?, tile),
                _ => self.overviews(base, tile)?,
            };
            let places = tile::places(layout, base, tile);
            let is_same =
                |(place, seal): (&tile::FilePlace, &Seal)| seals.get(layout, place) == *seal;
            if !places.iter().zip(&encoded.record.files).all(is_same) {
                return Err(Error::Store {
                    path: self.root.display().to_string(),
                    found: format!(
                        "that tile {}, {} is another one when it is made again",
                        tile[0], tile[1]
                    ),
                    expected: "the same: remove the store and build it anew".to_owned(),
                });
            }
            writer.write_files(&encoded)?;
        }
        writer.settle()?;
        self.clear();
        Ok(())
    }

    /// Where the samples of a tile of level 0 sit.
    fn extent_of(&self, tile: [u32; 2]) -> Extent {
        let ([i, j], [x, y, width, height]) = (self.layout().origin, self.layout().window(0, tile));
        let window = self.layout().lattice().window(i + x, j + y, width, height);
        window.expect("tiles lie on the lattice")
    }

    /// Sums up what there is, if all tiles are there, and removes what only served the filling.
    ///
    /// # Errors
    /// If a tile is missing, or the store cannot be written.
    pub fn finish(&self) -> Result<Manifest> {
        if self.manifest.complete {
            self.clear();
            return Ok(self.manifest.clone());
        }
        let mut seals = Seals::empty(self.layout());
        let mut note = |base: usize, tile: [u32; 2], record: &Record| {
            let places = tile::places(self.layout(), base, tile);
            for (place, seal) in places.iter().zip(&record.files) {
                seals.set(self.layout(), place, *seal);
            }
        };
        for base in self.layout().bases().skip(1) {
            let [across, down] = self.layout().tiles(base);
            for tile in (0..down).flat_map(|j| (0..across).map(move |i| [i, j])) {
                let record = self.recorded(base, tile).ok_or_else(|| self.incomplete(1))?;
                note(base, tile, &record);
            }
        }
        let [across, down] = self.layout().tiles(0);
        let mut sums = vec![(Sha256::new(), None::<[f64; 2]>); self.layout().layers.len()];
        for tile in (0..down).flat_map(|j| (0..across).map(move |i| [i, j])) {
            let record = self.recorded(0, tile).ok_or_else(|| self.incomplete(1))?;
            note(0, tile, &record);
            for ((hash, range), measured) in sums.iter_mut().zip(&record.layers) {
                hash.update(&measured.sha256);
                *range = match (*range, measured.range) {
                    (Some([a, b]), Some([c, d])) => Some([a.min(c), b.max(d)]),
                    (one, other) => one.or(other),
                };
            }
        }
        let summary = |(layer, (hash, range)): (Layer, (Sha256, Option<[f64; 2]>))| {
            let [min, max] = range.unwrap_or_default();
            LayerSummary {
                unit: layer.unit().to_owned(),
                name: layer.name().to_owned(),
                min,
                max,
                sha256_of_tiles: hex(&hash.finalize()),
            }
        };
        let layers = self.layout().layers().zip(sums).map(summary).collect();
        let manifest = Manifest { complete: true, layers, ..self.manifest.clone() };
        let whole = Self { manifest, ..self.clone() };
        whole.put_all(&[(seals::FILE_NAME.to_owned(), seals.to_bytes())])?;
        whole.describe_root()?;
        whole.clear();
        Ok(whole.manifest)
    }

    fn incomplete(&self, missing: usize) -> Error {
        Error::Store {
            path: self.root.display().to_string(),
            found: format!("{missing} tiles missing"),
            expected: "all of them".to_owned(),
        }
    }

    /// Removes the work folder. What is left of it does no harm.
    fn clear(&self) {
        let _ = disk::remove_all(&self.root.join(WORK));
    }
}

pub(super) fn write_error(path: &Path, cause: io::Error) -> Error {
    Error::Write { path: path.display().to_string(), cause }
}

/// What makes one job another.
fn differing(there: &Manifest, wanted: &Manifest) -> String {
    let what = if there.generator != wanted.generator {
        format!("a store of {}", there.generator)
    } else if there.layout != wanted.layout {
        let [width, height] = there.layout.size;
        let Layout { shard, chunk, .. } = there.layout;
        format!("a store of {width} × {height} samples in shards of {shard} and chunks of {chunk}")
    } else {
        "a store of another recipe".to_owned()
    };
    let state = if there.complete { "" } else { ", not complete" };
    format!("{what}{state}")
}
