//! What the store says of itself: `zarr.json` of groups and arrays, coordinates, attributes.
//!
//! Sources: Zarr 3.1; CF 1.11 for names and units; the Zarr conventions `spatial` and `multiscales`; OME-Zarr 0.5, which
//! napari reads. North is −z, as in our GeoTIFFs: y falls from row to row. A map of a sphere has degrees of longitude and latitude instead.

use landform::topology::{latitude, longitude};
use landform::{Layer, Topology};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::layout::{Layout, Level, Sharding, array};

/// The name of the file that describes a group or array.
pub(super) const FILE_NAME: &str = "zarr.json";
/// Bytes that it has at the most: the root holds the recipe, which may have a million peaks.
pub(super) const LONGEST: u64 = 128 << 20;
/// The attribute of the root that is ours.
const OURS: &str = "landform";

/// What a store was made from, and what came out: the attribute `landform` of its root.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of this description.
    pub version: u32,
    /// The program that wrote it, with its version.
    pub generator: String,
    /// Whether all tiles are there.
    pub complete: bool,
    /// Seed of the recipe; nothing for a terrain that has none.
    pub seed: Option<u64>,
    /// The recipe as it was run.
    pub recipe: String,
    /// SHA-256 of the rasters that the recipe refers to.
    pub inputs: String,
    /// The division.
    pub layout: Layout,
    /// What is known at every sample, as soon as the store is complete.
    pub layers: Vec<LayerSummary>,
}

/// What is read of the root's `zarr.json`.
#[derive(Deserialize)]
struct Root {
    #[serde(default)]
    attributes: Attributes,
}

#[derive(Default, Deserialize)]
struct Attributes {
    landform: Option<Manifest>,
}

/// A layer of a store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LayerSummary {
    /// Its name.
    pub name: String,
    /// Unit of its samples; "1" for plain numbers.
    pub unit: String,
    /// Smallest sample that is a finite number.
    pub min: f64,
    /// Largest sample that is a finite number.
    pub max: f64,
    /// SHA-256 of the hashes of all tiles of level 0, in hexadecimal, row by row. The hash of a tile is the SHA-256 of its samples as
    /// little-endian f32, row by row.
    pub sha256_of_tiles: String,
}

/// The version of the manifest that is written and read.
pub(super) const VERSION: u32 = 2;

impl Manifest {
    /// Whether another is about the same terrain in the same files.
    pub(super) fn is_same_job(&self, other: &Self) -> bool {
        let bare =
            |manifest: &Self| Self { complete: false, layers: Vec::new(), ..manifest.clone() };
        bare(self) == bare(other)
    }

    /// Takes it out of the root's `zarr.json`.
    pub(super) fn from_root(bytes: &[u8]) -> Result<Self, String> {
        // What is not ours is skipped, so that it takes no memory.
        let root: Root = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let Some(manifest) = root.attributes.landform else {
            return Err("a Zarr store of another program".to_owned());
        };
        match manifest.version {
            VERSION if manifest.layout.is_sound() => Ok(manifest),
            version => Err(format!("a store of version {version} that cannot be read")),
        }
    }

    /// The texts of all groups and arrays, the root last, by their place in the store.
    pub(super) fn texts(&self) -> Vec<(String, String)> {
        let layout = &self.layout;
        let mut nodes: Vec<(String, Value)> = Vec::new();
        for k in 0..layout.levels() {
            let level = layout.level(k);
            nodes.push((k.to_string(), group(level_attributes(layout, &level))));
            for layer in layout.layers() {
                nodes.push((array(k, layer.name()), layer_array(layout, &level, &layer)));
            }
            for axis in [Axis::X, Axis::Y] {
                nodes.push((array(k, axis.name()), axis_array(layout, &level, axis)));
            }
        }
        let mut root = group(self.root_attributes());
        let all: Map<String, Value> = nodes.iter().cloned().collect();
        root["consolidated_metadata"] =
            json!({ "kind": "inline", "must_understand": false, "metadata": all });
        nodes.push((String::new(), root));
        let text = |(place, node): (String, Value)| {
            let folder = if place.is_empty() { place } else { format!("{place}/") };
            (format!("{folder}{FILE_NAME}"), format!("{node:#}\n"))
        };
        nodes.into_iter().map(text).collect()
    }

    fn root_attributes(&self) -> Value {
        let layout = &self.layout;
        let convention = |name: &str, uuid: &str, about: &str| {
            let home = format!("https://github.com/zarr-conventions/{name}/blob/v1/README.md");
            json!({ "name": name, "uuid": uuid, "spec_url": home, "description": about })
        };
        let levels = (0..layout.levels()).map(|k| {
            let mut entry = json!({ "asset": k.to_string() });
            if k > 0 {
                entry["derived_from"] = json!((k - 1).to_string());
                entry["transform"] = json!({ "scale": [2.0, 2.0], "translation": [0.5, 0.5] });
            }
            let spatial = level_attributes(layout, &layout.level(k));
            for key in ["spatial:shape", "spatial:transform"] {
                entry[key] = spatial[key].clone();
            }
            entry
        });
        let levels: Vec<Value> = levels.collect();
        let pictures: Vec<Value> = layout.layers.iter().map(|name| picture(layout, name)).collect();
        json!({
            "Conventions": "CF-1.11",
            "zarr_conventions": [
                convention("multiscales", "d35379db-88df-4056-af3a-620245f8e347", "Multiscale layout of zarr datasets"),
                convention("spatial", "689b58e2-cf7b-45e0-9fff-9cfc0883d6b4", "Spatial coordinate information"),
            ],
            "multiscales": { "layout": levels, "resampling_method": "average" },
            "ome": { "version": "0.5", "multiscales": pictures },
            OURS: self,
        })
    }
}

/// The levels of a layer, as programs for pictures want to hear of them.
fn picture(layout: &Layout, name: &str) -> Value {
    let datasets: Vec<Value> = (0..layout.levels())
        .map(|k| {
            let scale = f64::from(layout.level(k).factor);
            let [dx, dz] = layout.spacing;
            let shift = (scale - 1.0) / 2.0;
            json!({ "path": array(k, name), "coordinateTransformations": [
                { "type": "scale", "scale": [dz * scale, dx * scale] },
                { "type": "translation", "translation": [dz * shift, dx * shift] },
            ] })
        })
        .collect();
    let axis = |name: &str| json!({ "name": name, "type": "space", "unit": "meter" });
    json!({ "name": name, "axes": [axis("y"), axis("x")], "datasets": datasets })
}

fn group(attributes: Value) -> Value {
    json!({ "zarr_format": 3, "node_type": "group", "attributes": attributes })
}

fn level_attributes(layout: &Layout, level: &Level) -> Value {
    let [width, height] = level.size;
    let [x, y] = [Axis::X, Axis::Y].map(|axis| Places::of(layout, level, axis));
    // From the corner of the first cell, as GDAL has it.
    let (west, north) = (x.first - x.step / 2.0, y.first - y.step / 2.0);
    let (east, south) = (west + f64::from(width) * x.step, north + f64::from(height) * y.step);
    let mut attributes = json!({
        "Conventions": "CF-1.11",
        "spatial:dimensions": ["y", "x"],
        "spatial:shape": [height, width],
        "spatial:transform": [x.step, 0.0, west, 0.0, y.step, north],
        "spatial:bbox": [west, south, east, north],
        "spatial:registration": "pixel",
    });
    // The convention `proj`: readers then know the coordinate system.
    let place = layout.place.as_ref().filter(|place| place.is_north_up());
    if let Some(code) = place.and_then(|place| place.crs.epsg()) {
        attributes["proj:code"] = json!(format!("EPSG:{code}"));
    }
    attributes
}

fn layer_array(layout: &Layout, level: &Level, layer: &Layer) -> Value {
    let little = json!({ "name": "bytes", "configuration": { "endian": "little" } });
    let blosc = json!({ "name": "blosc", "configuration": {
        "cname": "zlib", "clevel": 1, "shuffle": "shuffle", "typesize": 4, "blocksize": 0
    } });
    let (side, codecs) = match layout.sharding {
        Sharding::Chunks => (level.chunk, json!([little, blosc])),
        Sharding::Shards => {
            let chunk = [level.chunk; 2];
            let configuration = json!({
                "chunk_shape": chunk,
                "codecs": [little, blosc, { "name": "crc32c" }],
                "index_codecs": [little, { "name": "crc32c" }],
                "index_location": "end",
            });
            let codec = json!({ "name": "sharding_indexed", "configuration": configuration });
            (level.piece, json!([codec]))
        }
    };
    let [width, height] = level.size;
    let mut node = array_node(&[height, width], &[side; 2], "float32", codecs);
    node["fill_value"] = json!("NaN");
    node["dimension_names"] = json!(["y", "x"]);
    let (units, standard_name) = climate_and_forecast(layer);
    let mut attributes = json!({ "long_name": layer.name(), "units": units });
    if let Some(name) = standard_name {
        attributes["standard_name"] = json!(name);
    }
    attributes["cell_methods"] = match layer.sample_kind().has_mean() && level.factor > 1 {
        true => json!("area: mean"),
        false => json!("area: point"),
    };
    node["attributes"] = attributes;
    node
}

fn array_node(shape: &[u32], chunk: &[u32], data_type: &str, codecs: Value) -> Value {
    json!({
        "zarr_format": 3,
        "node_type": "array",
        "shape": shape,
        "data_type": data_type,
        "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": chunk } },
        "chunk_key_encoding": { "name": "default", "configuration": { "separator": "/" } },
        "fill_value": 0,
        "codecs": codecs,
        "attributes": {},
    })
}

/// What the CF conventions call a layer: its unit as udunits writes it, and its standard name if it has one.
fn climate_and_forecast(layer: &Layer) -> (&'static str, Option<&'static str>) {
    match layer {
        Layer::Height => ("m", Some("surface_altitude")),
        Layer::Sediment
        | Layer::Erosion
        | Layer::Deposition
        | Layer::Scree
        | Layer::WaterDepth
        | Layer::RiverDistance
        | Layer::DepthToWater
        | Layer::Till => ("m", None),
        Layer::Ice => ("m", Some("land_ice_thickness")),
        Layer::Flow => ("m2", None),
        Layer::CrustAge => ("1e6 year", None),
        Layer::Temperature => ("degC", Some("air_temperature")),
        Layer::Precipitation => ("cm year-1", None),
        Layer::WindX => ("m s-1", Some("eastward_wind")),
        // It points to the south; the standard names only wind to the north.
        Layer::WindZ => ("m s-1", None),
        Layer::River
        | Layer::Plate
        | Layer::Crust
        | Layer::Biome
        | Layer::Lake
        | Layer::Wetness
        | Layer::Custom(_) => ("1", None),
    }
}

/// A coordinate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    X,
    Y,
}

impl Axis {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
        }
    }
}

/// The coordinates of the samples of a level: `first` + k · `step`.
struct Places {
    first: f64,
    step: f64,
}

impl Places {
    fn of(layout: &Layout, level: &Level, axis: Axis) -> Self {
        let factor = f64::from(level.factor);
        let lattice = layout.lattice();
        let (index, scale) = match axis {
            Axis::X => (0, 1.0),
            Axis::Y => (1, -1.0),
        };
        let step = layout.spacing[index];
        // The middle of the samples of level 0 that one sample stands for.
        let first = f64::from(layout.origin[index]) * step + (factor - 1.0) / 2.0 * step;
        if layout.topology == Topology::Sphere {
            let at = |metres: f64| match axis {
                Axis::X => longitude(&lattice, metres),
                Axis::Y => latitude(&lattice, metres),
            };
            return Self { first: at(first), step: at(first + step * factor) - at(first) };
        }
        // Rows of a map that is turned have no coordinate of their own: they are metres on it.
        if let Some(place) = layout.place.as_ref().filter(|place| place.is_north_up()) {
            let scale = [place.x_axis[0], place.z_axis[1]][index];
            let first = place.origin[index] + first * scale;
            return Self { first, step: step * factor * scale };
        }
        // Zero has no sign here.
        Self { first: scale * first + 0.0, step: scale * step * factor }
    }
}

fn axis_array(layout: &Layout, level: &Level, axis: Axis) -> Value {
    let count = level.size[axis as usize];
    let little = json!([{ "name": "bytes", "configuration": { "endian": "little" } }]);
    let mut node = array_node(&[count], &[count], "float64", little);
    node["dimension_names"] = json!([axis.name()]);
    let place = layout.place.as_ref().filter(|place| place.is_north_up());
    let is_degrees = place.is_some_and(|place| place.crs.is_degrees());
    let (standard_name, long_name, units) = match (is_degrees, axis) {
        (true, Axis::X) => ("longitude", "longitude", "degrees_east"),
        (true, Axis::Y) => ("latitude", "latitude", "degrees_north"),
        (_, Axis::X) => ("projection_x_coordinate", "distance to the east", "m"),
        (_, Axis::Y) => ("projection_y_coordinate", "distance to the north", "m"),
    };
    node["attributes"] = json!({
        "standard_name": standard_name,
        "long_name": long_name,
        "units": units,
        "axis": axis.name().to_uppercase(),
    });
    node
}

/// The bytes of the only chunk of a coordinate.
pub(super) fn axis_bytes(layout: &Layout, level: &Level, axis: Axis) -> Vec<u8> {
    axis_numbers(layout, level, axis).flatten().collect()
}

/// The same, number by number: a store from elsewhere may have more of them than fit into memory.
pub(super) fn axis_numbers(
    layout: &Layout,
    level: &Level,
    axis: Axis,
) -> impl Iterator<Item = [u8; 8]> + use<> {
    let places = Places::of(layout, level, axis);
    let place = move |k: u32| (places.first + f64::from(k) * places.step).to_le_bytes();
    (0..level.size[axis as usize]).map(place)
}
