//! Terrains larger than memory: stores and TIFFs with overviews, which are looked at and not edited.
//!
//! An overview is read when such a terrain is opened; of finer levels only the window that is looked at. Level k has a sample for
//! a square of f = 2ᵏ samples, the mean of them, so that it lies in the middle of the square:
//!
//! ```text
//! x = (f − 1)/2·Δx + i·f·Δx      f samples of the finest level along a side, i the column
//! ```

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use landform::{Grid, GroundCover, Lattice, Layer, Terrain, Topology, Watch};
use landform_io::Store;
use landform_io::store::Manifest;
use landform_io::tiff::Pyramid;

/// The longest side that is kept in memory, of the overview and of a window.
pub const LONGEST: u32 = 2048;
/// Windows begin and end at multiples of this, so that a small step needs no other one.
const STEP: u32 = 256;
/// So many rows are read before it is asked whether somebody still wants them.
const STRIP: u32 = 512;

/// A terrain that is looked at. Clones are the same one.
#[derive(Clone, Debug)]
pub struct Large(Arc<Contents>);

#[derive(Debug)]
struct Contents {
    name: String,
    place: String,
    source: Source,
    levels: Vec<Level>,
    spacing: [f64; 2],
    sea_level: f64,
    topology: Topology,
    cover: GroundCover,
    layers: Vec<Layer>,
    overview: Piece,
    /// The lowest height of the overview: what is not there yet is drawn so.
    lowest: f32,
    /// Whether there are places without heights.
    has_holes: bool,
}

#[derive(Debug)]
enum Source {
    Store(Box<Store>),
    Tiff(Box<Mutex<Pyramid<BufReader<File>>>>),
}

/// One resolution.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Level {
    size: [u32; 2],
    /// Samples of the finest level along a side of one sample.
    factor: f64,
}

/// A window of a level: first column and row, number of columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The level, 0 the finest.
    pub level: usize,
    /// First column and row, number of columns and rows.
    pub samples: [u32; 4],
}

/// A terrain and where its first sample lies.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The samples.
    pub terrain: Terrain,
    /// Metres to the east and to the south.
    pub origin: [f64; 2],
    /// Which window it is.
    pub window: Window,
}

impl PartialEq for Large {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Large {
    /// Whether `path` may be such a terrain, as far as its name tells.
    pub fn may_be(path: &Path) -> bool {
        path.is_dir() || is_root(path) || is_tiff(path)
    }

    /// Opens a store, or a TIFF that is too large to be read as a whole, with its overview. Nothing if it is another kind of file.
    ///
    /// # Errors
    /// What is wrong, for people.
    pub fn open(path: &Path) -> Result<Option<Self>, String> {
        if path.is_dir() || is_root(path) {
            let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
            let store = Store::open(folder).map_err(|error| error.to_string())?;
            return Self::of_store(folder, store).map(Some);
        }
        if !is_tiff(path) {
            return Ok(None);
        }
        // What is wrong with other TIFFs is told by whoever reads them as a whole.
        let Ok(file) = File::open(path) else { return Ok(None) };
        let Ok(pyramid) = Pyramid::open(BufReader::new(file)) else { return Ok(None) };
        let is_large = pyramid.sizes().next().is_some_and(|size| longest(size) > LONGEST);
        if pyramid.sizes().len() < 2 || !is_large {
            return Ok(None);
        }
        Self::of_tiff(path, pyramid).map(Some)
    }

    fn of_store(path: &Path, store: Store) -> Result<Self, String> {
        let layout = store.layout();
        let level = |k| {
            let level = layout.level(k);
            Level { size: level.size, factor: f64::from(level.factor) }
        };
        let levels: Vec<Level> = (0..layout.levels()).map(level).collect();
        let layers = layout.layers().collect();
        let (spacing, sea_level) = (layout.spacing, layout.sea_level);
        let (topology, cover) = (layout.topology, layout.ground);
        let source = Source::Store(Box::new(store));
        let empty = Contents { topology, cover, ..Contents::new(path, source, levels, spacing) };
        Contents { sea_level, layers, ..empty }.with_overview()
    }

    fn of_tiff(path: &Path, pyramid: Pyramid<BufReader<File>>) -> Result<Self, String> {
        let sizes: Vec<[u32; 2]> = pyramid.sizes().collect();
        let level = |(k, &size): (usize, &[u32; 2])| {
            let halved = sizes[0].map(|side| side.div_ceil(1 << k.min(31)));
            let exact = f64::from(sizes[0][0]) / f64::from(size[0]);
            let factor = if size == halved { f64::from(1_u32 << k.min(31)) } else { exact };
            Level { size, factor }
        };
        let levels = sizes.iter().enumerate().map(level).collect();
        let spacing = pyramid.spacing();
        let source = Source::Tiff(Box::new(Mutex::new(pyramid)));
        Contents::new(path, source, levels, spacing).with_overview()
    }

    /// What people call it.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Where it is.
    pub fn place(&self) -> &str {
        &self.0.place
    }

    /// The grid lines of the finest level.
    pub fn lattice(&self) -> Lattice {
        Lattice { size: self.0.levels[0].size, spacing: self.0.spacing }
    }

    /// Height of the water table in metres.
    pub fn sea_level(&self) -> f64 {
        self.0.sea_level
    }

    /// What the ground is covered with in views of it.
    pub fn cover(&self) -> GroundCover {
        self.0.cover
    }

    /// What is known at every sample.
    pub fn layers(&self) -> &[Layer] {
        &self.0.layers
    }

    /// Number of columns and rows of each level, the finest first.
    pub fn sizes(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        self.0.levels.iter().map(|level| level.size)
    }

    /// What a store was made from; nothing for a TIFF.
    pub fn manifest(&self) -> Option<&Manifest> {
        match &self.0.source {
            Source::Store(store) => Some(store.manifest()),
            Source::Tiff(_) => None,
        }
    }

    /// Whether there are places without heights, such as those that are yet to be built.
    pub fn has_holes(&self) -> bool {
        self.0.has_holes
    }

    /// All of the ground, coarse.
    pub fn overview(&self) -> &Piece {
        &self.0.overview
    }

    /// The window that shows a part of the ground, from one corner to the other in metres, with samples no farther apart than `pixel`
    /// metres if there are such. Nothing if the overview is as fine.
    pub fn window(&self, [from, to]: [[f64; 2]; 2], pixel: f64) -> Option<Window> {
        let contents = &*self.0;
        let spacing = contents.spacing[0].max(contents.spacing[1]);
        let enough = |k: &usize| contents.levels[*k].factor * spacing <= pixel;
        let first = (0..contents.overview_level()).rev().find(enough).unwrap_or(0);
        (first..contents.overview_level()).find_map(|level| {
            let Level { size, factor } = contents.levels[level];
            let span = |axis: usize| {
                let step = factor * contents.spacing[axis];
                let start = (factor - 1.0) / 2.0 * contents.spacing[axis];
                let column =
                    |metres: f64| ((metres - start) / step).clamp(0.0, f64::from(size[axis] - 1));
                let (low, high) = (column(from[axis]).floor(), column(to[axis]).ceil());
                // A little more than is seen, so that a small step to the side needs nothing new.
                let margin = (high - low) / 8.0;
                let low = ((low - margin).max(0.0) as u32) / STEP * STEP;
                let high = ((high + margin) as u32 + 1).next_multiple_of(STEP).min(size[axis]);
                (low, high.max(low + 1) - low)
            };
            let ((x, width), (y, height)) = (span(0), span(1));
            let fits = width.max(height) <= LONGEST;
            fits.then_some(Window { level, samples: [x, y, width, height] })
        })
    }

    /// Whether `loaded` shows that part of the ground as well as `wanted` does.
    pub fn suffices(&self, loaded: Window, wanted: Window, [from, to]: [[f64; 2]; 2]) -> bool {
        let [low, high] = self.0.corners(loaded);
        let ground = self.lattice().ground();
        let is_inside = |axis: usize| {
            let step = self.0.levels[loaded.level].factor * self.0.spacing[axis];
            low[axis] - step <= from[axis].max(0.0)
                && high[axis] + step >= to[axis].min(ground[axis])
        };
        loaded.level == wanted.level && is_inside(0) && is_inside(1)
    }

    /// Reads a window; nothing if nobody wants it any more.
    ///
    /// # Errors
    /// What is wrong, for people.
    pub fn read(&self, window: Window, watch: &dyn Watch) -> Result<Option<Piece>, String> {
        self.0.read(window, watch)
    }
}

impl Contents {
    /// A terrain with its height alone, whose overview is yet to be read.
    fn new(path: &Path, source: Source, levels: Vec<Level>, spacing: [f64; 2]) -> Self {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let nothing = Lattice { size: [1, 1], spacing: [1.0; 2] };
        let nothing = Terrain::new(nothing.whole(), 0.0, Grid::filled(1, 1, 0.0));
        Self {
            name: absolute.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            place: absolute.to_string_lossy().into_owned(),
            source,
            levels,
            spacing,
            sea_level: 0.0,
            topology: Topology::Plane,
            cover: GroundCover::Green,
            layers: vec![Layer::Height],
            overview: Piece {
                terrain: nothing,
                origin: [0.0; 2],
                window: Window { level: 0, samples: [0, 0, 1, 1] },
            },
            lowest: 0.0,
            has_holes: false,
        }
    }

    /// The finest level that is kept in memory as a whole.
    fn overview_level(&self) -> usize {
        let fits = |level: &Level| longest(level.size) <= LONGEST;
        self.levels.iter().position(fits).unwrap_or(self.levels.len() - 1)
    }

    fn with_overview(mut self) -> Result<Large, String> {
        let level = self.overview_level();
        let size = self.levels[level].size;
        if longest(size) > 4 * LONGEST {
            let [width, height] = size;
            return Err(format!(
                "{} has no overview: its coarsest level has {width} × {height} samples",
                self.name
            ));
        }
        let samples = [0, 0, size[0], size[1]];
        let heights = self.grid(level, &Layer::Height, samples)?;
        let known = || heights.samples().iter().copied().filter(|height| height.is_finite());
        if known().next().is_none() {
            return Err(format!(
                "{} has no overview yet: it is still being built. `landform build` with the same words goes on with it",
                self.name
            ));
        }
        self.lowest = known().fold(f32::INFINITY, f32::min);
        self.has_holes = known().count() < heights.samples().len();
        let window = Window { level, samples };
        if let Some(overview) = self.read(window, &())? {
            self.overview = overview;
        }
        Ok(Large(Arc::new(self)))
    }

    /// The places of the first and of the last sample, in metres.
    fn corners(&self, window: Window) -> [[f64; 2]; 2] {
        let factor = self.levels[window.level].factor;
        let [x, y, width, height] = window.samples.map(f64::from);
        let place = |axis: usize, sample: f64| {
            ((factor - 1.0) / 2.0 + sample * factor) * self.spacing[axis]
        };
        [[place(0, x), place(1, y)], [place(0, x + width - 1.0), place(1, y + height - 1.0)]]
    }

    fn read(&self, window: Window, watch: &dyn Watch) -> Result<Option<Piece>, String> {
        let Window { level, samples: [x, y, width, height] } = window;
        let factor = self.levels.get(level).map_or(1.0, |level| level.factor);
        let strips = height.div_ceil(STRIP) as usize * self.layers.len();
        let (mut grids, mut done) = (Vec::new(), 0);
        for layer in &self.layers {
            let mut grid = Grid::filled(width as usize, height as usize, f32::NAN);
            for first in (0..height).step_by(STRIP as usize) {
                if watch.is_cancelled() {
                    return Ok(None);
                }
                watch.progress("reading", done as f32 / strips as f32);
                let rows = STRIP.min(height - first);
                let strip = self.grid(level, layer, [x, y + first, width, rows])?;
                for row in 0..strip.height() {
                    grid.row_mut(first as usize + row).copy_from_slice(strip.row(row));
                }
                done += 1;
            }
            grids.push((layer.clone(), grid));
        }
        let mut grids = grids.into_iter();
        let Some((_, mut heights)) = grids.next() else { return Ok(None) };
        let holes = heights.samples_mut().iter_mut().filter(|height| !height.is_finite());
        holes.for_each(|height| *height = self.lowest);
        let spacing = self.spacing.map(|step| step * factor);
        let extent = Lattice { size: [width, height], spacing }.whole();
        let mut terrain = Terrain::new(extent, self.sea_level, heights);
        grids.for_each(|(layer, grid)| terrain.insert(layer, grid));
        let terrain = terrain.with_topology(self.topology).with_cover(self.cover);
        Ok(Some(Piece { terrain, origin: self.corners(window)[0], window }))
    }

    fn grid(&self, level: usize, layer: &Layer, window: [u32; 4]) -> Result<Grid, String> {
        let grid = match &self.source {
            Source::Store(store) => store.read(level, layer, window),
            Source::Tiff(pyramid) => {
                pyramid.lock().unwrap_or_else(PoisonError::into_inner).read(level, window)
            }
        };
        grid.map_err(|error| error.to_string())
    }
}

/// Whether it is the description of a store, which stands for the folder around it.
fn is_root(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "zarr.json")
}

fn is_tiff(path: &Path) -> bool {
    let end = path.extension().map(|end| end.to_string_lossy().to_lowercase());
    end.is_some_and(|end| end == "tif" || end == "tiff")
}

fn longest([width, height]: [u32; 2]) -> u32 {
    width.max(height)
}
