//! Plans: recipes that are ready to run, and what comes out.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use landform::{Feature, Grid, Inputs, Meaning, Raster, Recipe, Shelf, par};
use landform_io::vector::Coordinates;
use landform_io::{Format, Manifest, ReadOptions, Scale, manifest};
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::error::{self, misuse, wrong};
use crate::ground::{array, grid};
use crate::work;

/// A layer as Python gets it: name, unit, samples.
type Named<'py> = (String, &'static str, Bound<'py, PyArray2<f32>>);

/// A recipe that is ready to run.
#[pyclass(frozen, module = "landform._core")]
#[derive(Debug)]
pub(crate) struct Plan {
    plan: landform::Plan,
    text: String,
    seed: u64,
    inputs: Inputs,
}

#[pymethods]
impl Plan {
    /// Checks `text` as a whole. Files that it refers to are looked for in `arrays`, then in `folder`.
    #[new]
    fn new(
        text: &str,
        folder: &str,
        arrays: Vec<(String, PyReadonlyArray2<'_, f32>)>,
    ) -> PyResult<Self> {
        let recipe = Recipe::parse(text).map_err(|error| wrong(&error))?;
        let mut inputs = Inputs::default();
        for file in recipe.files() {
            let given = arrays.iter().find(|(name, _)| name == file);
            let raster = match given {
                Some((_, values)) => Raster { samples: grid(values)?, meaning: Meaning::Values },
                None => read(&Path::new(folder).join(file), Scale::default())?.into_input(),
            };
            inputs.insert(file, raster);
        }
        let plan = recipe.resolve(&inputs).map_err(|error| wrong(&error.in_recipe(text)))?;
        Ok(Self { plan, text: text.to_owned(), seed: recipe.seed, inputs })
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

    /// Evaluates a window: its layers, and the objects on the whole ground.
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
    ) -> PyResult<(Vec<Named<'py>>, Features)> {
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
        let coordinates = Coordinates::of(&terrain);
        let features = Features { features: terrain.features().to_vec(), coordinates };
        let layers = terrain.into_layers().into_iter();
        let named = layers
            .map(|(layer, samples)| (layer.name().to_owned(), layer.unit(), array(py, samples)));
        Ok((named.collect(), features))
    }
}

impl Plan {
    /// The plan itself.
    pub(crate) fn inner(&self) -> &landform::Plan {
        &self.plan
    }

    /// What it was made from: the recipe, its seed, and the rasters that it refers to.
    pub(crate) fn origin(&self) -> (&str, u64, &Inputs) {
        (&self.text, self.seed, &self.inputs)
    }

    fn window(&self, i: u32, j: u32, width: u32, height: u32) -> PyResult<landform::Extent> {
        let lattice = self.plan.lattice();
        lattice.window(i, j, width, height).ok_or_else(|| {
            let [columns, rows] = lattice.size;
            misuse(format!(
                "tile {i},{j},{width},{height} does not lie on the terrain, which has {columns}x{rows} samples"
            ))
        })
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

/// Rivers and places.
#[pyclass(frozen, module = "landform._core")]
#[derive(Debug)]
pub(crate) struct Features {
    pub(crate) features: Vec<Feature>,
    coordinates: Coordinates,
}

/// A river: name, the river that it flows into, and x, z, bed, width, depth and discharge of each point.
type RiverRow = (String, Option<String>, Vec<[f64; 6]>);

#[pymethods]
impl Features {
    /// No objects.
    #[new]
    fn new() -> Self {
        Self { features: Vec::new(), coordinates: Coordinates::Metres }
    }

    fn __len__(&self) -> usize {
        self.features.len()
    }

    /// The rivers.
    fn rivers(&self) -> Vec<RiverRow> {
        let rivers = self.features.iter().filter_map(Feature::as_river);
        let row = |river: &landform::River| {
            let point = |p: &landform::feature::RiverPoint| {
                [p.x, p.z, p.bed, p.width, p.depth, p.discharge]
            };
            let points = river.points.iter().map(point).collect();
            (river.name.clone(), river.into.clone(), points)
        };
        rivers.map(row).collect()
    }

    /// All of them as GeoJSON, on a planet in degrees unless metres are asked for.
    #[pyo3(signature = (metres = false))]
    fn geojson(&self, metres: bool) -> String {
        let coordinates = if metres { Coordinates::Metres } else { self.coordinates };
        landform_io::vector::geojson(&self.features, coordinates)
    }

    /// All of them as SVG, on ground of this width and depth in metres.
    fn svg(&self, ground: [f64; 2]) -> String {
        landform_io::vector::svg(&self.features, ground)
    }

    /// All of them as a table.
    fn csv(&self) -> String {
        landform_io::vector::csv(&self.features)
    }
}

fn read(path: &Path, given: Scale) -> PyResult<landform_io::Heightmap> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let format = Format::from_extension(&extension).filter(|format| format.is_read());
    let format = format.ok_or_else(|| {
        let readable: Vec<_> =
            Format::all().filter(|format| format.is_read()).map(Format::extension).collect();
        misuse(format!("{} is not a heightmap: expected .{}", path.display(), readable.join(", .")))
    })?;
    let bytes = std::fs::read(path).map_err(|error| {
        error::file(&landform_io::Error::Io(error), &format!("cannot read {}", path.display()))
    })?;
    let side_car = std::fs::read(path.with_file_name(manifest::FILE_NAME))
        .ok()
        .and_then(|bytes| Manifest::from_json(&bytes).ok())
        .and_then(|manifest| manifest.scale_of(&path.file_name()?.to_string_lossy()));
    let side_car = side_car.unwrap_or_default();
    let options = ReadOptions { given, side_car, ..ReadOptions::default() };
    landform_io::read(&bytes, format, &options)
        .map_err(|error| error::file(&error, &path.display().to_string()))
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
    let path = path.to_owned();
    let given = Scale { size, spacing, range };
    let heightmap = work::run(py, None, move |_| read(Path::new(&path), given))??;
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
