//! Pictures as arrays of bytes: rows, columns, red, green and blue.

use landform::uplift::{self, Curve, SkylinePeak, skyline as model};
use landform::{Recipe, Seed, recipe};
use landform_project::make::{self, Drawing};
use landform_view::{Image, MAX_SIDE, MapProjection, Palette, Skyline, Style};
use numpy::ndarray::Array3;
use numpy::{IntoPyArray as _, PyArray3, PyReadonlyArray3, PyUntypedArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::{failed, misuse, wrong};
use crate::ground::{Ground, Layers, layer};
use crate::work;

/// Draws the ground in a style, or one of its layers in colours.
#[pyfunction]
#[pyo3(signature = (
    ground, layers, style, *, recipe=None, layer_name=None, size=None, legend=false, azimuth=None, elevation=None,
    exaggeration=None, projection=None, graticule=false, poster=None, largest=None,
))]
#[expect(clippy::too_many_arguments, reason = "the keyword arguments of a Python function")]
pub(crate) fn draw<'py>(
    py: Python<'py>,
    ground: &Ground,
    layers: Layers<'py>,
    style: &str,
    recipe: Option<&str>,
    layer_name: Option<&str>,
    size: Option<[usize; 2]>,
    legend: bool,
    azimuth: Option<f64>,
    elevation: Option<f64>,
    exaggeration: Option<f64>,
    projection: Option<&str>,
    graticule: bool,
    poster: Option<String>,
    largest: Option<usize>,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let style = Style::named(style).ok_or_else(|| {
        misuse(format!("no style is called {style:?}, expected one of {}", styles().join(", ")))
    })?;
    check(size)?;
    let projection = projection.map_or(Ok(MapProjection::default()), |name| {
        let known = MapProjection::named(name);
        known.ok_or_else(|| misuse(format!("no projection is called {name:?}")))
    })?;
    let terrain = ground.terrain(&layers)?;
    let layers: Vec<_> = layer_name.map(layer).transpose()?.into_iter().collect();
    let recipe = recipe.map(Recipe::parse).transpose().map_err(|error| wrong(&error))?;
    let drawing = Drawing {
        size,
        legend,
        azimuth_deg: azimuth,
        elevation_deg: elevation,
        exaggeration,
        projection,
        graticule,
        poster,
        largest,
        ..Drawing::default()
    };
    let options = drawing.options(recipe.as_ref()).map_err(|error| failed(&error))?;
    let image = work::run(py, None, move |_| make::picture(terrain, style, &layers, &options))?;
    Ok(pixels(py, &image.map_err(|error| failed(&error))?))
}

fn check(size: Option<[usize; 2]>) -> PyResult<()> {
    match size {
        Some(size) if size.iter().any(|side| !(1..=MAX_SIDE).contains(side)) => {
            Err(misuse(format!("each side of a picture must be in 1..={MAX_SIDE}")))
        }
        _ => Ok(()),
    }
}

fn pixels<'py>(py: Python<'py>, image: &Image) -> Bound<'py, PyArray3<u8>> {
    let shape = (image.height(), image.width(), 3);
    let bytes = image.pixels().as_flattened().to_vec();
    Array3::from_shape_vec(shape, bytes).expect("an image has three bytes a pixel").into_pyarray(py)
}

/// The names of the styles.
#[pyfunction]
pub(crate) fn styles() -> Vec<&'static str> {
    Style::ALL.iter().map(|style| style.name()).collect()
}

/// A picture as the bytes of a PNG file.
#[pyfunction]
pub(crate) fn png<'py>(
    py: Python<'py>,
    picture: PyReadonlyArray3<'py, u8>,
) -> PyResult<Bound<'py, PyBytes>> {
    let shape = picture.shape();
    if shape[2] != 3 || shape.contains(&0) {
        return Err(misuse("a picture is an array of rows, columns and three colours"));
    }
    let width = shape[1];
    let bytes: Vec<u8> = picture.as_array().iter().copied().collect();
    let encoded = work::run(py, None, move |_| {
        let (triples, _) = bytes.as_chunks::<3>();
        let mut out = Vec::new();
        landform_io::png::encode_rgb8(width, triples, &mut out).map(|()| out)
    })?;
    let encoded = encoded.map_err(|error| misuse(error.to_string()))?;
    Ok(PyBytes::new(py, &encoded))
}

/// A peak of a skyline: its division, its height, and its steepness if that is its own.
type SkylineRow = (i64, f64, Option<f64>);

/// Mountain ranges on the horizon by the two-dimensional Uplift Model: heights of each range, or with `parts` the average of the
/// peaks and the curve of each.
#[pyfunction]
#[pyo3(signature = (
    *, seed=0, ranges=1, divisions=1000, peaks=100, y_min=0.0, y_max=100.0, ruggedness=1.0, spacing=1.0, inverted_v=false,
    given=None, parts=false,
))]
#[expect(clippy::too_many_arguments, reason = "the keyword arguments of a Python function")]
pub(crate) fn skyline_heights(
    seed: u64,
    ranges: u32,
    divisions: u32,
    peaks: u32,
    y_min: f64,
    y_max: f64,
    ruggedness: f64,
    spacing: f64,
    inverted_v: bool,
    given: Option<Vec<SkylineRow>>,
    parts: bool,
) -> PyResult<Vec<Vec<f32>>> {
    let curve = if inverted_v { Curve::InvertedV } else { Curve::Tent };
    let skyline = uplift::Skyline { divisions, peaks, y_min, y_max, ruggedness, spacing, curve };
    recipe::check(&skyline).map_err(|error| wrong(&error))?;
    let of = |(i, height, ruggedness)| SkylinePeak { i, height, ruggedness };
    let given: Option<Vec<SkylinePeak>> = given.map(|rows| rows.into_iter().map(of).collect());
    let seed = Seed::new(seed);
    let mut all = Vec::new();
    for range in 0..if given.is_some() { 1 } else { ranges.min(1000) } {
        let seed = seed.child(&format!("range {range}"));
        let peaks = match &given {
            Some(peaks) => peaks.clone(),
            None => skyline.generate(seed).map_err(|error| wrong(&error))?,
        };
        all.push(skyline.average(&peaks));
        if parts {
            all.extend(peaks.iter().map(|peak| skyline.influence(peak)));
        }
    }
    Ok(all)
}

/// The Brownian curve that the Uplift Model is compared with.
#[pyfunction]
pub(crate) fn brownian_curve(seed: u64, divisions: u32, amplitude: f64) -> Vec<f32> {
    model::brownian_curve(Seed::new(seed), divisions, amplitude)
}

/// A picture of mountain ranges on the horizon, the farthest first.
#[pyfunction]
#[pyo3(signature = (ranges, *, palette="dusk", size=None, seed=0))]
pub(crate) fn draw_skyline<'py>(
    py: Python<'py>,
    ranges: Vec<Vec<f32>>,
    palette: &str,
    size: Option<[usize; 2]>,
    seed: u64,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    check(size)?;
    let palette = Palette::named(palette).ok_or_else(|| {
        let known: Vec<_> = Palette::ALL.iter().map(|palette| palette.name()).collect();
        misuse(format!("no palette is called {palette:?}, expected one of {}", known.join(", ")))
    })?;
    let scene = Skyline { ranges, palette, seed, ..Skyline::default() };
    let image = work::run(py, None, move |_| scene.draw(size))?;
    Ok(pixels(py, &image))
}
