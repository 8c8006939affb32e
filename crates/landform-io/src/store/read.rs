//! Reading windows of a store: only the chunks that they touch.

use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use landform::{Grid, Lattice, Layer, Terrain, par};

use super::layout::{Layout, Level, Sharding};
use super::metadata::{FILE_NAME, LONGEST, Manifest};
use super::seals::{self, Seals};
use super::tile::FilePlace;
use super::{blosc, shard};
use crate::{Error, Result, regular};

/// A store that can be read, also while it is still being filled: samples that are not there yet are NaN.
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
    manifest: Manifest,
    /// What its files are, as soon as it is complete.
    seals: Option<Arc<Seals>>,
}

/// The chunks of one file that a window touches, as bytes.
struct Chunk {
    /// Column and row of its first sample on the level.
    at: [u32; 2],
    bytes: Vec<u8>,
    /// Whether its checksum is at its end.
    is_summed: bool,
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
        let bytes = regular::read_short(&root.join(FILE_NAME), LONGEST)
            .map_err(|error| unlike(error.to_string()))?;
        let manifest = Manifest::from_root(&bytes).map_err(unlike)?;
        if !manifest.complete {
            return Ok(Self::new(root.to_owned(), manifest));
        }
        let seals = Seals::read(root, &manifest.layout).ok_or_else(|| Error::Store {
            path: root.join(seals::FILE_NAME).display().to_string(),
            found: "nothing, or a damaged file".to_owned(),
            expected: "the checksums of the store: the command that built it makes it again"
                .to_owned(),
        })?;
        Ok(Self { root: root.to_owned(), manifest, seals: Some(Arc::new(seals)) })
    }

    /// A store whose files are not all known yet.
    pub(super) fn new(root: PathBuf, manifest: Manifest) -> Self {
        Self { root, manifest, seals: None }
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn seals(&self) -> Option<&Seals> {
        self.seals.as_deref()
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
        let index = self.layout().layers().position(|known| known == *layer);
        let Some(index) = index.filter(|_| level < self.layout().levels()) else {
            return Err(wrong(format!("level {level} of {layer}")));
        };
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
                let place = FilePlace { level, layer: index, at: [i, j] };
                let path = self.root.join(place.key(self.layout()));
                let chunks = self.chunks(&path, &place, &division, window)?;
                join(&path, &chunks, division.chunk, window, &mut grid)?;
            }
        }
        Ok(grid)
    }

    /// Reads the chunks that the window touches from one file.
    fn chunks(
        &self,
        path: &Path,
        place: &FilePlace,
        level: &Level,
        window: [u32; 4],
    ) -> Result<Vec<Chunk>> {
        let mut file = match regular::open(path) {
            Ok(file) => file,
            // Its tile is not made yet.
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.seals.is_none() => {
                return Ok(Vec::new());
            }
            Err(error) => return Err(damaged(path, &error.to_string())),
        };
        let seal = self.seals.as_ref().map(|seals| seals.get(self.layout(), place));
        let unreadable = |error: io::Error| damaged(path, &error.to_string());
        let length = file.metadata().map_err(unreadable)?.len();
        if seal.is_some_and(|seal| seal.length != length) {
            return Err(damaged(path, "a file of another length"));
        }
        let most = blosc::most_bytes(level.chunk);
        if self.layout().sharding == Sharding::Chunks {
            if length > most {
                return Err(damaged(path, "a chunk that is too long"));
            }
            let at = place.at.map(|index| index * level.chunk);
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(unreadable)?;
            if seal.is_some_and(|seal| seal.whole != shard::crc32c(&bytes)) {
                return Err(damaged(path, "a chunk whose checksum is wrong"));
            }
            return Ok(vec![Chunk { at, bytes, is_summed: false }]);
        }
        let across = level.piece / level.chunk;
        let count = (across * across) as usize;
        let (index, sum) = shard::index(&mut file, count).map_err(unreadable)?;
        if seal.is_some_and(|seal| seal.index != sum) {
            return Err(damaged(path, "another shard than the one that was written"));
        }
        let at = place.at.map(|index| index * level.piece);
        let mut chunks = Vec::new();
        for (k, place) in (0..).zip(index) {
            let at = [at[0] + k % across * level.chunk, at[1] + k / across * level.chunk];
            let touches = |axis: usize| {
                at[axis] < window[axis] + window[axis + 2] && window[axis] < at[axis] + level.chunk
            };
            let Some((offset, length)) = place.filter(|_| touches(0) && touches(1)) else {
                continue;
            };
            // Many of them may share the bytes of one file, so its length is no limit.
            if length as u64 > most + shard::SUM as u64 {
                return Err(damaged(path, "a chunk that is too long"));
            }
            let mut bytes = vec![0; length];
            file.seek(SeekFrom::Start(offset)).map_err(unreadable)?;
            file.read_exact(&mut bytes).map_err(unreadable)?;
            chunks.push(Chunk { at, bytes, is_summed: true });
        }
        Ok(chunks)
    }

    /// The same store for readers who know better where it lies. The files stay as they are.
    #[must_use]
    pub fn with_place(mut self, place: Option<landform::Georeference>) -> Self {
        self.manifest.layout.place = place;
        self
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
        Ok(terrain
            .with_topology(self.layout().topology)
            .with_cover(self.layout().ground)
            .with_place(self.layout().place.clone()))
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
        Ok(terrain
            .with_topology(layout.topology)
            .with_cover(layout.ground)
            .with_place(layout.place.clone()))
    }
}

/// Decompresses chunks and copies what the window has of them.
fn join(path: &Path, chunks: &[Chunk], side: u32, window: [u32; 4], grid: &mut Grid) -> Result<()> {
    let side_length = side as usize;
    let decoded = par::map(chunks.len(), |k| {
        let Chunk { bytes, is_summed, .. } = &chunks[k];
        let chunk = if *is_summed { shard::checked(bytes)? } else { bytes };
        let mut samples = vec![0.0; side_length * side_length];
        blosc::decode(chunk, &mut samples).map(|()| samples)
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

#[cfg(test)]
mod tests {
    use super::super::{Builder, Division, write_tiles};
    use super::*;
    use landform::{Inputs, Recipe};

    #[test]
    fn chunks_that_share_the_bytes_of_a_shard_take_no_memory() {
        const RECIPE: &str = "version = 1\nsize = [256, 256]\nspacing = [10, 10]\n\
            [[stage]]\nkind = \"noise\"\n";
        let home = tempfile::tempdir().unwrap();
        let plan = Recipe::parse(RECIPE).unwrap().resolve(&Inputs::default()).unwrap();
        let division = Division { chunk: Some(16), shard: Some(256), ..Division::default() };
        let (whole, recipe) = (plan.lattice().whole(), (RECIPE, None));
        let manifest = Manifest::new(&plan, &whole, &division, recipe, &Inputs::default()).unwrap();
        let builder = Builder::start(&home.path().join("a.zarr"), manifest).unwrap();
        write_tiles(&builder, &plan, &[[0, 0]], &()).unwrap();
        let store = Store::open(builder.root()).unwrap();
        let read = || store.read(0, &Layer::Height, [0, 0, 256, 256]);
        assert!(read().is_ok());
        // Each of 256 chunks says that it is all of a long file: 2 TiB in all.
        let length = 8_u64 << 30;
        let entry = [0, length].map(u64::to_le_bytes).concat();
        let index = entry.repeat(256);
        let path = builder.root().join("0/height/c/0/0");
        let mut file = std::fs::File::create(&path).unwrap();
        file.set_len(length).unwrap();
        file.seek(SeekFrom::End(0)).unwrap();
        io::Write::write_all(&mut file, &index).unwrap();
        io::Write::write_all(&mut file, &shard::crc32c(&index).to_le_bytes()).unwrap();
        let told = read().unwrap_err().to_string();
        assert!(told.contains("a chunk that is too long"), "{told}");
    }
}
