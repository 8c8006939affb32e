//! Plans: recipes that are ready to run, and what comes out.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use landform::{Grid, Inputs, Meaning, Raster, Shelf, par};
use landform_io::{Scale, manifest};
use landform_project::explain::explain;
use landform_project::{Disk, Opening, Project, Reading, Warning, window};
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::error::{self, failed, misuse};
use crate::ground::{Ground, array, grid};
use crate::work;

/// A layer as Python gets it: name, unit, samples.
type Named<'py> = (String, &'static str, Bound<'py, PyArray2<f32>>);

/// What a run gives: layers, the rest of the terrain, and what the user should hear.
type Made<'py> = (Vec<Named<'py>>, Ground, Vec<String>);

/// A recipe that is ready to run.
#[pyclass(frozen, module = "landform._core")]
#[derive(Debug)]
pub(crate) struct Plan {
    project: Project,
    plan: landform::Plan,
}

#[pymethods]
impl Plan {
    /// Checks `text` as a whole. Files that it refers to are looked for in `arrays`, then in `folder`; outside of it only
    /// if that is allowed.
    #[new]
    #[pyo3(signature = (text, folder, arrays, allow_outside=false))]
    fn new(
        text: &str,
        folder: &str,
        arrays: Vec<(String, PyReadonlyArray2<'_, f32>)>,
        allow_outside: bool,
    ) -> PyResult<Self> {
        let mut given = Inputs::default();
        for (file, values) in &arrays {
            let raster = Raster { samples: grid(values)?, meaning: Meaning::Values };
            given.insert(file.as_str(), raster);
        }
        let folder = Some(Path::new(folder));
        use landform_project::Named::{Anywhere, Within};
        let named = if allow_outside { Anywhere } else { Within };
        let reading = Reading { named, ..Reading::default() };
        let opening = Opening { folder, given: Some(&given), reading, ..Opening::default() };
        let project = Project::of_text(text.to_owned(), None, &opening);
        let project = project.map_err(|error| failed(&error))?;
        let plan = project.plan().map_err(|error| failed(&error))?;
        Ok(Self { project, plan })
    }

    /// Number of columns and rows.
    #[getter]
    fn size(&self) -> [u32; 2] {
        self.plan.lattice().size
    }

    /// Metres between samples to the east and to the south.
    #[getter]
    fn spacing(&self) -> [f64; 2] {
        self.plan.lattice().spacing
    }

    /// Height of the water table in metres.
    #[getter]
    fn sea_level(&self) -> f64 {
        self.plan.sea_level()
    }

    /// Names of the layers that a run gives.
    #[getter]
    fn layers(&self) -> Vec<String> {
        self.plan.layers().iter().map(|layer| layer.name().to_owned()).collect()
    }

    /// Bytes that a run holds at the most.
    fn memory(&self, i: u32, j: u32, width: u32, height: u32) -> PyResult<u64> {
        Ok(self.plan.memory(&self.window(i, j, width, height)?))
    }

    /// Why the ground at a place is as high as it is, as JSON.
    fn explain(&self, py: Python<'_>, x: f64, z: f64) -> PyResult<String> {
        let explained = work::run(py, None, |shared| explain(&self.project, [x, z], shared))?;
        let explained = explained.map_err(|error| failed(&error))?;
        Ok(serde_json::to_string(&explained).expect("an explanation is plain data"))
    }

    /// Runs the stages that look at the whole ground, but for those whose findings are in `kept`, and gives what they found out.
    fn simulate<'py>(
        &self,
        py: Python<'py>,
        kept: BTreeMap<String, Vec<u8>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let memory = Memory { kept, found: RefCell::default() };
        let (memory, ran) = work::run(py, None, move |shared| {
            let ran = self.plan.simulate(&memory, shared).map(|_| ());
            (memory, ran)
        })?;
        ran.map_err(|_| error::cancelled())?;
        let found = PyDict::new(py);
        for (label, bytes) in memory.found.into_inner() {
            found.set_item(label, PyBytes::new(py, &bytes))?;
        }
        Ok(found)
    }

    /// Evaluates a window: its layers, the objects on the whole ground, and what is absurd about it.
    #[expect(clippy::too_many_arguments, reason = "the keyword arguments of a Python function")]
    #[pyo3(signature = (i, j, width, height, *, threads=None, progress=None))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        i: u32,
        j: u32,
        width: u32,
        height: u32,
        threads: Option<usize>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Made<'py>> {
        let extent = self.window(i, j, width, height)?;
        let made = work::run(py, progress, |shared| {
            let run = || self.plan.run(&extent, shared);
            match threads {
                Some(threads) => par::with_threads(threads.clamp(1, 1024), run)
                    .map_err(|error| error.to_string()),
                None => Ok(run()),
            }
        })?;
        let terrain = made.map_err(misuse)?.map_err(|_| error::cancelled())?;
        let ground = Ground::of(&terrain);
        let remarks = Warning::about(&terrain).iter().map(ToString::to_string).collect();
        let layers = terrain.into_layers().into_iter();
        let named = layers
            .map(|(layer, samples)| (layer.name().to_owned(), layer.unit(), array(py, samples)));
        Ok((named.collect(), ground, remarks))
    }
}

impl Plan {
    /// The plan itself.
    pub(crate) fn inner(&self) -> &landform::Plan {
        &self.plan
    }

    /// What it was made from.
    pub(crate) fn project(&self) -> &Project {
        &self.project
    }

    fn window(&self, i: u32, j: u32, width: u32, height: u32) -> PyResult<landform::Extent> {
        window(&self.plan, Some([i, j, width, height])).map_err(|error| failed(&error))
    }
}

/// What stages have found out, in memory.
struct Memory {
    kept: BTreeMap<String, Vec<u8>>,
    found: RefCell<BTreeMap<String, Vec<u8>>>,
}

impl Shelf for Memory {
    fn get(&self, label: &str) -> Option<Vec<u8>> {
        self.kept.get(label).cloned()
    }

    fn put(&self, label: &str, bytes: &[u8]) {
        self.found.borrow_mut().insert(label.to_owned(), bytes.to_vec());
    }
}

/// What a file held: heights in metres, spacing, and what had to be assumed.
type Read<'py> = (Bound<'py, PyArray2<f32>>, [f64; 2], Vec<&'static str>);

/// Reads a heightmap: heights in metres, spacing, and what had to be assumed (`scale`, `spacing`).
#[pyfunction]
#[pyo3(signature = (path, spacing=None, range=None, size=None))]
pub(crate) fn read_heightmap<'py>(
    py: Python<'py>,
    path: &str,
    spacing: Option<[f64; 2]>,
    range: Option<[f64; 2]>,
    size: Option<[u32; 2]>,
) -> PyResult<Read<'py>> {
    let scale = Scale { size, spacing, range };
    let reading = Reading { scale, ..Reading::default() };
    let heightmap = work::run(py, None, |_| {
        landform_project::read_heightmap(&Disk, Path::new(path), &reading)
    })?;
    let heightmap = heightmap.map_err(|error| failed(&error))?;
    // Files of floating-point numbers are taken to hold metres.
    let scale = heightmap.levels.map(|_| ("scale", heightmap.scale_from));
    let numbers = scale.into_iter().chain([("spacing", heightmap.spacing_from)]);
    let assumed = numbers.filter(|(_, from)| *from == landform_io::Source::Assumed);
    let assumed = assumed.map(|(what, _)| what).collect();
    let spacing = heightmap.spacing;
    Ok((array(py, heightmap.heights), spacing, assumed))
}

/// SHA-256 of samples, as manifests and `landform inspect` give it.
#[pyfunction]
pub(crate) fn sha256(py: Python<'_>, samples: PyReadonlyArray2<'_, f32>) -> PyResult<String> {
    let samples: Grid = grid(&samples)?;
    work::run(py, None, move |_| manifest::sha256(&samples))
}
