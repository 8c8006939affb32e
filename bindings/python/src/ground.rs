//! Arrays of NumPy to grids and back.

use landform::{Grid, Lattice, Layer, Terrain};
use numpy::ndarray::Array2;
use numpy::{IntoPyArray as _, PyArray2, PyReadonlyArray2, PyUntypedArrayMethods as _};
use pyo3::prelude::*;

use crate::error::misuse;

/// Layers by name, as Python hands them over.
pub(crate) type Layers<'py> = Vec<(String, PyReadonlyArray2<'py, f32>)>;

/// Where the samples of a terrain sit: size and spacing of the lattice, first column and row, sea level.
pub(crate) type Frame = ([u32; 2], [f64; 2], [u32; 2], f64);

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

/// A terrain made of arrays.
pub(crate) fn terrain(layers: &Layers<'_>, frame: Frame) -> PyResult<Terrain> {
    let (size, spacing, [i, j], sea_level) = frame;
    let is_distance = |step: &f64| step.is_finite() && *step > 0.0;
    if !spacing.iter().all(is_distance) || size.contains(&0) {
        return Err(misuse(format!("size {size:?} and spacing {spacing:?} must be above 0")));
    }
    let mut terrain: Option<Terrain> = None;
    for (name, array) in layers {
        let layer = layer(name)?;
        let grid = grid(array)?;
        match &mut terrain {
            None => {
                let (width, height) = (grid.width() as u32, grid.height() as u32);
                let extent = Lattice { size, spacing }.window(i, j, width, height);
                let extent = extent.ok_or_else(|| {
                    misuse(format!(
                        "{width} × {height} samples from ({i}, {j}) do not lie on a terrain of {} × {}",
                        size[0], size[1]
                    ))
                })?;
                if layer != Layer::Height {
                    return Err(misuse("the first layer of a terrain is its height"));
                }
                terrain = Some(Terrain::new(extent, sea_level, grid));
            }
            Some(terrain) => {
                let extent = terrain.extent();
                if (grid.width(), grid.height()) != (extent.width(), extent.height()) {
                    return Err(misuse(format!(
                        "{name} has {} × {} samples, but height has {} × {}",
                        grid.width(),
                        grid.height(),
                        extent.width(),
                        extent.height()
                    )));
                }
                terrain.insert(layer, grid);
            }
        }
    }
    terrain.ok_or_else(|| misuse("a terrain has at least its height"))
}

/// The layer called `name`.
pub(crate) fn layer(name: &str) -> PyResult<Layer> {
    Layer::named(name).ok_or_else(|| {
        misuse(format!(
            "a layer cannot be called {name:?}: lower-case letters, digits and _, beginning with a letter"
        ))
    })
}
