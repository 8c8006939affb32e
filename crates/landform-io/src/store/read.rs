//! Reading windows of a store: only the chunks that they touch.

use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use landform::{Grid, Lattice, Layer, Terrain, par};

use super::layout::{Layout, Level, Sharding, array, key};
use super::metadata::{FILE_NAME, Manifest};
use super::{blosc, shard};
use crate::{Error, Result, regular};

/// A store that can be read, also while it is still being filled: samples that are not there yet are NaN.
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
    manifest: Manifest,
}

/// The chunks of one file that a window touches, as bytes.
struct Chunk {
    /// Column and row of its first sample on the level.
    at: [u32; 2],
    bytes: Vec<u8>,
}

impl Store {
    /// Opens the store in the folder `root`.
    ///
    /// # Errors
    /// If it is not a store that Landform made.
    pub fn open(root: &Path) -> Result<Self> {
        let unlike = |found: String| Error::Store {
            path: root.display().to_string(),
            found,
            expected: "a Zarr store that landform made".to_owned(),
        };
        let bytes =
            regular::read(&root.join(FILE_NAME)).map_err(|error| unlike(error.to_string()))?;
        let manifest = Manifest::from_root(&bytes).map_err(unlike)?;
        Ok(Self { root: root.to_owned(), manifest })
    }

    pub(super) fn new(root: PathBuf, manifest: Manifest) -> Self {
        Self { root, manifest }
    }

    /// Whether a folder looks like a store.
    pub fn is_store(root: &Path) -> bool {
        root.join(FILE_NAME).is_file()
    }

    /// What the store was made from, and what came out.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    pub(super) fn into_manifest(self) -> Manifest {
        self.manifest
    }

    /// The division.
    pub fn layout(&self) -> &Layout {
        &self.manifest.layout
    }

    /// The samples of a layer in a window of a level: first column and row, number of columns and rows.
    ///
    /// # Errors
    /// If there is no such layer, level or window, or a file is damaged.
    pub fn read(&self, level: usize, layer: &Layer, window: [u32; 4]) -> Result<Grid> {
        let [x, y, width, height] = window;
        let wrong = |found: String| Error::Store {
            path: self.root.display().to_string(),
            found,
            expected: format!(
                "one of {} levels of {}",
                self.layout().levels(),
                self.layout().layers.join(", ")
            ),
        };
        if level >= self.layout().levels() || !self.layout().layers().any(|known| known == *layer) {
            return Err(wrong(format!("level {level} of {layer}")));
        }
        let division = self.layout().level(level);
        // A lattice knows which windows lie on it.
        let lattice = Lattice { size: division.size, spacing: [1.0; 2] };
        if lattice.window(x, y, width, height).is_none() {
            return Err(wrong(format!("the window {x},{y},{width},{height} of level {level}")));
        }
        let mut grid = Grid::filled(width as usize, height as usize, f32::NAN);
        let side = match self.layout().sharding {
            Sharding::Shards => division.piece,
            Sharding::Chunks => division.chunk,
        };
        for j in y / side..(y + height).div_ceil(side) {
            for i in x / side..(x + width).div_ceil(side) {
                let path = self.root.join(key(&array(level, layer.name()), [i, j]));
                let chunks = self.chunks(&path, [i * side, j * side], &division, window)?;
                join(&path, chunks, division.chunk, window, &mut grid)?;
            }
        }
        Ok(grid)
    }

    /// Reads the chunks that the window touches from one file whose first sample is `at`.
    fn chunks(
        &self,
        path: &Path,
        at: [u32; 2],
        level: &Level,
        window: [u32; 4],
    ) -> Result<Vec<Chunk>> {
        let mut file = match regular::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(damaged(path, &error.to_string())),
        };
        let unreadable = |error: io::Error| damaged(path, &error.to_string());
        if self.layout().sharding == Sharding::Chunks {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(unreadable)?;
            return Ok(vec![Chunk { at, bytes }]);
        }
        let across = level.piece / level.chunk;
        let index = shard::index(&mut file, (across * across) as usize).map_err(unreadable)?;
        let mut chunks = Vec::new();
        for (k, place) in (0..).zip(index) {
            let at = [at[0] + k % across * level.chunk, at[1] + k / across * level.chunk];
            let touches = |axis: usize| {
                at[axis] < window[axis] + window[axis + 2] && window[axis] < at[axis] + level.chunk
            };
            let Some((offset, length)) = place.filter(|_| touches(0) && touches(1)) else {
                continue;
            };
            let mut bytes = vec![0; length];
            file.seek(SeekFrom::Start(offset)).map_err(unreadable)?;
            file.read_exact(&mut bytes).map_err(unreadable)?;
            chunks.push(Chunk { at, bytes });
        }
        Ok(chunks)
    }

    /// The terrain in a window of level 0, with all its layers.
    ///
    /// # Errors
    /// As [`Store::read`].
    pub fn window(&self, window: [u32; 4]) -> Result<Terrain> {
        let [i, j] = self.layout().origin;
        let [x, y, width, height] = window;
        let place = self.layout().lattice().window(i + x, j + y, width, height);
        let extent =
            place.ok_or_else(|| damaged(&self.root, "a window that does not lie on it"))?;
        let mut terrain =
            Terrain::new(extent, self.layout().sea_level, self.read(0, &Layer::Height, window)?);
        for layer in self.layout().layers().skip(1) {
            let grid = self.read(0, &layer, window)?;
            terrain.insert(layer, grid);
        }
        Ok(terrain.with_topology(self.layout().topology).with_cover(self.layout().ground))
    }

    /// The whole terrain on the finest level with at most so many samples, with all its layers.
    ///
    /// # Errors
    /// As [`Store::read`].
    pub fn overview(&self, most_samples: u64) -> Result<Terrain> {
        let layout = self.layout();
        let samples = |k: usize| layout.level(k).size.map(u64::from).iter().product::<u64>();
        let k = (0..layout.levels()).find(|&k| samples(k) <= most_samples);
        let k = k.unwrap_or(layout.levels() - 1);
        let Level { size, factor, .. } = layout.level(k);
        let spacing = layout.spacing.map(|step| step * f64::from(factor));
        let extent = Lattice { size, spacing }.whole();
        let all = [0, 0, size[0], size[1]];
        let mut terrain =
            Terrain::new(extent, layout.sea_level, self.read(k, &Layer::Height, all)?);
        for layer in layout.layers().skip(1) {
            let grid = self.read(k, &layer, all)?;
            terrain.insert(layer, grid);
        }
        Ok(terrain.with_topology(layout.topology).with_cover(layout.ground))
    }
}

/// Decompresses chunks and copies what the window has of them.
fn join(
    path: &Path,
    chunks: Vec<Chunk>,
    side: u32,
    window: [u32; 4],
    grid: &mut Grid,
) -> Result<()> {
    let side_length = side as usize;
    let decoded = par::map(chunks.len(), |k| {
        let mut samples = vec![0.0; side_length * side_length];
        blosc::decode(&chunks[k].bytes, &mut samples).map(|()| samples)
    });
    let [x, y, width, height] = window;
    for (chunk, samples) in chunks.iter().zip(decoded) {
        let samples = samples.map_err(|found| damaged(path, found))?;
        let [left, top] = chunk.at;
        let (first, end) = (left.max(x), (left + side).min(x + width));
        let columns = (first - left) as usize..(end - left) as usize;
        for j in top.max(y)..(top + side).min(y + height) {
            let row = &samples[(j - top) as usize * side_length..][..side_length];
            grid.row_mut((j - y) as usize)[(first - x) as usize..(end - x) as usize]
                .copy_from_slice(&row[columns.clone()]);
        }
    }
    Ok(())
}

fn damaged(path: &Path, found: &str) -> Error {
    Error::Store {
        path: path.display().to_string(),
        found: found.to_owned(),
        expected: "a file of a store that landform made".to_owned(),
    }
}
