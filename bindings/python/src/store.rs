//! Stores: terrains larger than memory, filled by one program or by many.

use std::path::PathBuf;

use landform::Layer;
use landform_io::store::{self, Builder, Division, Sharding};
use landform_project::make::stream::{self, Streaming};
use numpy::PyArray2;
use pyo3::prelude::*;

use crate::error::{self, misuse};
use crate::ground::array;
use crate::plan::Plan;
use crate::work;

/// A store that can be read, and filled.
#[pyclass(frozen, module = "landform._core")]
#[derive(Debug)]
pub(crate) struct Store {
    store: landform_io::Store,
    root: PathBuf,
}

fn failed(error: landform_io::Error) -> PyErr {
    error::failed(&error.into())
}

#[pymethods]
impl Store {
    /// Opens a store.
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        let store = landform_io::Store::open(&path).map_err(failed)?;
        Ok(Self { store, root: path })
    }

    /// What it was made from, and what came out, as JSON.
    #[getter]
    fn manifest(&self) -> String {
        serde_json::to_string(self.store.manifest()).expect("a manifest is plain data")
    }

    /// Number of columns and rows of each level.
    #[getter]
    fn levels(&self) -> Vec<[u32; 2]> {
        let layout = self.store.layout();
        (0..layout.levels()).map(|k| layout.level(k).size).collect()
    }

    /// The samples of a layer in a window of a level.
    fn read<'py>(
        &self,
        py: Python<'py>,
        level: usize,
        layer: &str,
        window: [u32; 4],
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let layer =
            Layer::named(layer).ok_or_else(|| misuse(format!("no layer is called {layer:?}")))?;
        let grid = work::run(py, None, |_| self.store.read(level, &layer, window))?;
        Ok(array(py, grid.map_err(failed)?))
    }

    /// The levels from which others are made: 0 from the plan, the others from the store.
    #[getter]
    fn bases(&self) -> Vec<usize> {
        self.store.layout().bases().collect()
    }

    /// The tiles of a base that are not there yet, column and row.
    fn pending(&self, base: usize) -> PyResult<Vec<[u32; 2]>> {
        self.builder()?.pending(base).map_err(failed)
    }

    /// Makes tiles of level 0 by a plan, and writes them.
    #[pyo3(signature = (plan, tiles, *, threads=None))]
    fn write(
        &self,
        py: Python<'_>,
        plan: &Plan,
        tiles: Vec<[u32; 2]>,
        threads: Option<usize>,
    ) -> PyResult<()> {
        let builder = self.builder()?;
        let [across, down] = builder.layout().tiles(0);
        if let Some([i, j]) = tiles.iter().find(|[i, j]| *i >= across || *j >= down) {
            return Err(misuse(format!("tile {i},{j} is not one of {across} × {down}")));
        }
        if plan.inner().lattice() != &builder.layout().lattice() {
            return Err(misuse("the plan is not the one of the store"));
        }
        let made = work::run(py, None, |shared| {
            let write = || store::write_tiles(&builder, plan.inner(), &tiles, shared);
            match threads {
                Some(threads) => landform::par::with_threads(threads.clamp(1, 1024), write)
                    .map_err(landform_io::Error::Io)
                    .flatten(),
                None => write(),
            }
        })?;
        made.map_err(failed)
    }

    /// Runs the stages of a plan that look at the whole ground, unless what they find out is in the store already. Gives the labels of
    /// those that had to run.
    fn simulate(&self, py: Python<'_>, plan: &Plan) -> PyResult<Vec<String>> {
        let builder = self.builder()?;
        let ran = work::run(py, None, |shared| {
            let ran = builder.simulate(plan.inner(), shared)?;
            Ok(ran.into_iter().map(str::to_owned).collect())
        })?;
        ran.map_err(failed)
    }

    /// Makes the overviews that come from a tile of another base than 0.
    fn make_overviews(&self, py: Python<'_>, base: usize, tile: [u32; 2]) -> PyResult<()> {
        let builder = self.builder()?;
        if base == 0 || !builder.layout().bases().any(|known| known == base) {
            return Err(misuse(format!("level {base} is not one from which overviews are made")));
        }
        let [across, down] = builder.layout().tiles(base);
        if tile[0] >= across || tile[1] >= down {
            return Err(misuse(format!(
                "tile {},{} is not one of {across} × {down}",
                tile[0], tile[1]
            )));
        }
        work::run(py, None, |_| builder.make_overviews(base, &[tile], &()))?.map_err(failed)
    }

    /// Sums up, if all tiles are there.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        let builder = self.builder()?;
        work::run(py, None, |_| builder.finish().map(|_| ()))?.map_err(failed)
    }
}

impl Store {
    fn builder(&self) -> PyResult<Builder> {
        Builder::join(&self.root).map_err(failed)
    }
}

/// Begins a store, or goes on with the same one.
#[pyfunction]
#[pyo3(signature = (path, plan, *, chunk=None, shard=None, shards=true))]
pub(crate) fn create_store(
    path: PathBuf,
    plan: &Plan,
    chunk: Option<u32>,
    shard: Option<u32>,
    shards: bool,
) -> PyResult<Store> {
    let sharding = if shards { Sharding::Shards } else { Sharding::Chunks };
    let division = Division { chunk, shard, sharding };
    let whole = plan.inner().lattice().whole();
    stream::start(plan.project(), plan.inner(), (&whole, &division), &path, &())
        .map_err(|error| error::failed(&error))?;
    Store::new(path)
}

/// Makes all that is missing of a store, within so many bytes of memory.
#[pyfunction]
#[pyo3(signature = (store, plan, *, memory=None, threads=None, progress=None))]
pub(crate) fn fill_store(
    py: Python<'_>,
    store: &Store,
    plan: &Plan,
    memory: Option<u64>,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let builder = store.builder()?;
    let streaming = Streaming { memory, ..Streaming::default() };
    let filled = work::run(py, progress, |shared| {
        let fill =
            || stream::fill(plan.project(), plan.inner(), &builder, &streaming, shared).map(|_| ());
        match threads {
            Some(threads) => landform::par::with_threads(threads.clamp(1, 1024), fill)
                .map_err(|error| landform_io::Error::Io(error).into())
                .flatten(),
            None => fill(),
        }
    })?;
    filled.map_err(|error| error::failed(&error))
}
