//! Ground that has been evaluated, as Python passes it around: arrays of NumPy for the samples, and one object for
//! everything else that is known of it.

use landform::{
    Extent, Feature, Georeference, Grid, GroundCover, Lattice, Layer, Recipe, Terrain, Topology,
};
use landform_io::vector::{self, Coordinates};
use numpy::ndarray::Array2;
use numpy::{IntoPyArray as _, PyArray2, PyReadonlyArray2, PyUntypedArrayMethods as _};
use pyo3::prelude::*;

use crate::error::{failed, misuse, wrong};

/// Layers by name, as Python hands them over, the height first.
pub(crate) type Layers<'py> = Vec<(String, PyReadonlyArray2<'py, f32>)>;

/// All that is known of a piece of ground beside its samples: where they sit, the sea, how the edges of the map belong together, what
/// covers the ground, rivers and places.
#[pyclass(frozen, module = "landform._core")]
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    lattice: Lattice,
    origin: [u32; 2],
    sea_level: f64,
    topology: Topology,
    cover: GroundCover,
    place: Option<Georeference>,
    features: Vec<Feature>,
}

/// A river: name, the river that it flows into, and x, z, bed, width, depth and discharge of each point.
type RiverRow = (String, Option<String>, Vec<[f64; 6]>);

#[pymethods]
impl Ground {
    /// Plain ground: size and spacing of the whole, and the height of the sea.
    #[new]
    fn new(size: [u32; 2], spacing: [f64; 2], sea_level: f64) -> PyResult<Self> {
        let is_distance = |step: &f64| step.is_finite() && *step > 0.0;
        if !spacing.iter().all(is_distance) || size.contains(&0) {
            return Err(misuse(format!("size {size:?} and spacing {spacing:?} must be above 0")));
        }
        Ok(Self {
            lattice: Lattice { size, spacing },
            origin: [0, 0],
            sea_level,
            topology: Topology::Plane,
            cover: GroundCover::Green,
            place: None,
            features: Vec::new(),
        })
    }

    /// Metres between samples to the east and to the south.
    #[getter]
    fn spacing(&self) -> (f64, f64) {
        self.lattice.spacing.into()
    }

    /// Column and row of the first sample on the whole ground.
    #[getter]
    fn origin(&self) -> (u32, u32) {
        self.origin.into()
    }

    /// Height of the water table in metres.
    #[getter]
    fn sea_level(&self) -> f64 {
        self.sea_level
    }

    /// How the edges of the map belong together.
    #[getter]
    fn topology(&self) -> String {
        word(&self.topology)
    }

    /// What covers the ground.
    #[getter]
    fn cover(&self) -> String {
        word(&self.cover)
    }

    /// The same with another water table.
    fn with_sea_level(&self, sea_level: f64) -> Self {
        Self { sea_level, ..self.clone() }
    }

    /// The same seen from another first column and row.
    fn at(&self, i: u32, j: u32) -> Self {
        Self { origin: [i, j], ..self.clone() }
    }

    /// The same ground with what a recipe says of it: how its edges belong together, if this is all of it, and what covers it.
    fn of_recipe(&self, text: &str) -> PyResult<Self> {
        let recipe = Recipe::parse(text).map_err(|error| wrong(&error))?;
        let is_whole = recipe.output().size == self.lattice.size;
        let topology = if is_whole { recipe.topology } else { self.topology };
        Ok(Self { topology, cover: recipe.ground, ..self.clone() })
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

    /// Where the whole ground lies on the Earth, or on its planet, as JSON.
    #[getter]
    fn place(&self) -> Option<String> {
        self.place.as_ref().and_then(|place| serde_json::to_string(place).ok())
    }

    /// Rivers and places as GeoJSON, in degrees where it is known where the ground lies, unless metres are asked for.
    #[pyo3(signature = (metres = false))]
    fn geojson(&self, metres: bool) -> PyResult<String> {
        let coordinates = match metres {
            true => Coordinates::metres(),
            false => {
                Coordinates::degrees(self.place.as_ref()).map_err(|error| failed(&error.into()))?
            }
        };
        Ok(vector::geojson(&self.features, &coordinates))
    }
}

/// The word that recipes and manifests use for a value.
fn word(value: &impl serde::Serialize) -> String {
    let json = serde_json::to_value(value).unwrap_or_default();
    json.as_str().unwrap_or_default().to_owned()
}

impl Ground {
    /// What is known of a terrain beside its samples.
    pub(crate) fn of(terrain: &Terrain) -> Self {
        Self {
            lattice: *terrain.extent().lattice(),
            origin: terrain.extent().origin(),
            sea_level: terrain.sea_level(),
            topology: terrain.topology(),
            cover: terrain.cover(),
            place: terrain.place().cloned(),
            features: terrain.features().to_vec(),
        }
    }

    fn extent(&self, grid: &Grid) -> PyResult<Extent> {
        let ([i, j], (width, height)) = (self.origin, (grid.width() as u32, grid.height() as u32));
        let [columns, rows] = self.lattice.size;
        self.lattice.window(i, j, width, height).ok_or_else(|| {
            misuse(format!(
                "{width} × {height} samples from ({i}, {j}) do not lie on a terrain of {columns} × {rows}"
            ))
        })
    }

    /// The terrain with these samples.
    pub(crate) fn terrain(&self, layers: &Layers<'_>) -> PyResult<Terrain> {
        let [(first, height), others @ ..] = layers.as_slice() else {
            return Err(misuse("a terrain has at least its height"));
        };
        if layer(first)? != Layer::Height {
            return Err(misuse("the first layer of a terrain is its height"));
        }
        let height = grid(height)?;
        let size = (height.width(), height.height());
        let mut terrain = Terrain::new(self.extent(&height)?, self.sea_level, height)
            .with_topology(self.topology)
            .with_cover(self.cover)
            .with_place(self.place.clone());
        terrain.add_features(self.features.clone());
        for (name, array) in others {
            let grid = grid(array)?;
            if (grid.width(), grid.height()) != size {
                let (found, expected) = ((grid.width(), grid.height()), size);
                return Err(misuse(format!(
                    "{name} has {} × {} samples, but height has {} × {}",
                    found.0, found.1, expected.0, expected.1
                )));
            }
            terrain.insert(layer(name)?, grid);
        }
        Ok(terrain)
    }
}

/// The samples of a grid as an array, without copying them.
pub(crate) fn array(py: Python<'_>, grid: Grid) -> Bound<'_, PyArray2<f32>> {
    let shape = (grid.height(), grid.width());
    let samples = Array2::from_shape_vec(shape, grid.into_samples());
    samples.expect("a grid has width × height samples").into_pyarray(py)
}

/// A copy of an array as a grid.
pub(crate) fn grid(array: &PyReadonlyArray2<'_, f32>) -> PyResult<Grid> {
    let [height, width] = [array.shape()[0], array.shape()[1]];
    if width == 0 || height == 0 {
        return Err(misuse("an array of heights must have at least one row and one column"));
    }
    let samples = match array.as_slice() {
        Ok(samples) => samples.to_vec(),
        Err(_) => array.as_array().iter().copied().collect(),
    };
    Ok(Grid::from_vec(width, height, samples))
}

/// The layer called `name`.
pub(crate) fn layer(name: &str) -> PyResult<Layer> {
    Layer::named(name).ok_or_else(|| {
        misuse(format!(
            "a layer cannot be called {name:?}: lower-case letters, digits and _, beginning with a letter"
        ))
    })
}
