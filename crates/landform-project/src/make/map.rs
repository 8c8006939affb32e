//! A layer, or a map that follows from the height.

use std::path::Path;

use landform::analysis::contour::{self, Contour};
use landform::analysis::derived::Derived;
use landform::analysis::material::Materials;
use landform::drainage::catchments::Catchments;
use landform::{Grid, Inputs, Layer, Plan, Terrain, Topology};
use landform_io::splat::Packing;
use landform_io::{Format, Raster, WriteOptions, mesh, vector};

use super::heights::put_raster;
use super::texts::layer_name;
use super::{MadeFile, VectorFormat};
use crate::open::files::extension;
use crate::{Error, Result, Sink, Wish};

/// A map to be written: what it shows, and the format.
#[derive(Clone, Debug, PartialEq)]
pub struct Map(Kind);

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Layer(Layer, Format),
    Derived(Derived, Format),
    Normal,
    Splat,
    Contours(VectorFormat),
    Catchments(Division, VectorFormat),
}

/// Which ground a polygon is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Division {
    /// All that drains to a mouth.
    Mouths,
    /// What drains to a stream before any other.
    Streams,
}

/// How maps are made.
#[derive(Clone, Copy, Debug, Default)]
pub struct MapOptions<'a> {
    /// The materials of splat maps; those that suit the terrain if not given.
    pub materials: Option<&'a Materials>,
    /// Metres between contours; a round number if not given.
    pub contour_interval: Option<f64>,
    /// How a layer is written: range, place on the Earth, byte order.
    pub writing: WriteOptions<'a>,
}

/// Maps that follow from the height.
pub const MAPS: &[&str] = &[
    "slope",
    "aspect",
    "curvature",
    "occlusion",
    "normal",
    "splat",
    "contours",
    "catchments",
    "subcatchments",
];

impl Map {
    /// The map called `name`, in a format that the ending of `file` names.
    ///
    /// # Errors
    /// If there is no such map, or not in that format.
    pub fn of(name: &str, file: &Path) -> Result<Self> {
        let extension = extension(file);
        let wish = || Wish::Output(format!("{name}={}", file.display()));
        let wrong = |expected: &str| {
            Error::wish(wish(), format!("expected a file that ends in {expected}"))
        };
        Ok(Self(match (name, extension.as_str()) {
            ("normal", "png") => Kind::Normal,
            ("splat", "png") => Kind::Splat,
            ("normal" | "splat", _) => return Err(wrong(".png")),
            ("contours", "svg") => Kind::Contours(VectorFormat::Svg),
            ("contours", "geojson") => Kind::Contours(VectorFormat::GeoJson),
            ("contours", "fgb") => Kind::Contours(VectorFormat::FlatGeobuf),
            ("contours", _) => return Err(wrong(".svg, .geojson or .fgb")),
            ("catchments" | "subcatchments", ending) => {
                let division = match name {
                    "catchments" => Division::Mouths,
                    _ => Division::Streams,
                };
                Kind::Catchments(
                    division,
                    match ending {
                        "geojson" => VectorFormat::GeoJson,
                        "fgb" => VectorFormat::FlatGeobuf,
                        _ => return Err(wrong(".geojson or .fgb")),
                    },
                )
            }
            _ => {
                let format = Format::from_extension(&extension).filter(|format| format.is_read());
                let format = format.ok_or_else(|| {
                    let readable = Format::all().filter(|format| format.is_read());
                    let ends: Vec<_> =
                        readable.map(|format| format!(".{}", format.extension())).collect();
                    wrong(&ends.join(", "))
                })?;
                match Derived::named(name) {
                    Some(derived) => Kind::Derived(derived, format),
                    None => {
                        let layer = Layer::named(name)
                            .ok_or_else(|| Error::wish(wish(), format!("{name} is no layer")))?;
                        Kind::Layer(layer, format)
                    }
                }
            }
        }))
    }

    /// Checks that a plan can give it, before there is work.
    ///
    /// # Errors
    /// If it cannot.
    pub fn check_plan(&self, plan: &Plan) -> Result<()> {
        let is_planet = plan.topology() == Topology::Sphere;
        if let (Kind::Catchments(..), true) = (&self.0, is_planet) {
            let message = "catchments are found on flat ground, and this is a planet";
            return Err(Error::wish(Wish::Output("catchments".to_owned()), message));
        }
        if let Kind::Contours(format) | Kind::Catchments(_, format) = &self.0 {
            format.check(plan.place())?;
        }
        self.check(&plan.layers())
    }

    /// Checks that a terrain with these layers can give it.
    ///
    /// # Errors
    /// If it cannot.
    pub fn check(&self, layers: &[Layer]) -> Result<()> {
        let Kind::Layer(layer, _) = &self.0 else { return Ok(()) };
        if layers.contains(layer) {
            return Ok(());
        }
        let mut names: Vec<&str> = layers.iter().map(Layer::name).collect();
        names.extend(MAPS);
        let message = format!("the terrain has the maps {}", names.join(", "));
        Err(Error::wish(Wish::Output(layer.name().to_owned()), message))
    }
}

/// Writes a map as `name`; splat maps of many materials as several files.
///
/// # Errors
/// If the terrain has not that layer, or a material does not fit it; those of the sink.
pub fn map(
    terrain: &Terrain,
    map: &Map,
    options: &MapOptions<'_>,
    inputs: &Inputs,
    name: &str,
    sink: &mut dyn Sink,
) -> Result<Vec<MadeFile>> {
    let mut made = Vec::new();
    match &map.0 {
        Kind::Layer(layer, format) => {
            map.check(&terrain.layers().map(|(layer, _)| layer.clone()).collect::<Vec<_>>())?;
            let grid = terrain.layer(layer).expect("the terrain has just been asked for it");
            let raster = Raster::new(grid, layer, terrain.extent());
            let writing = WriteOptions { place: terrain.place(), ..options.writing };
            let side = put_raster(sink, name, *format, &raster, &writing)?;
            made.push(MadeFile::new(name, format!("{layer}, {}", layer.unit())));
            made.extend(side);
        }
        Kind::Derived(derived, format) => {
            let grid = derived.of(terrain);
            let layer = Layer::named(derived.name()).expect("it is a word");
            let place = terrain.place();
            let options = WriteOptions { range: derived.range(), place, ..options.writing };
            let raster = Raster::new(&grid, &layer, terrain.extent());
            let side = put_raster(sink, name, *format, &raster, &options)?;
            let scale = scale(*format, &grid, derived.range());
            made.push(MadeFile::new(name, format!("{layer}{scale}")));
            made.extend(side);
        }
        Kind::Normal => {
            let raster = Raster::height(terrain);
            let (width, pixels) = (raster.samples.width(), mesh::normal_map(&raster));
            sink.put(name, &mut |out| landform_io::png::encode_rgb8(width, &pixels, out))?;
            made.push(MadeFile::new(name, "normal: red east, green north, blue up"));
        }
        Kind::Splat => {
            let weights = weights(terrain, terrain, options.materials, inputs)?;
            let names: Vec<&str> = weights.iter().map(|(name, _)| name.as_str()).collect();
            let stem = name.strip_suffix(".png").unwrap_or(name);
            for file in Packing::Rgba.files(stem, &names) {
                sink.put(&file.name, &mut |out| file.write(terrain, &weights, out))?;
                made.push(MadeFile::new(&file.name, file.materials.join(", ")));
            }
        }
        Kind::Contours(format) => {
            let (contours, interval) = contours(terrain, options.contour_interval);
            put_contours(terrain, (&contours, interval), *format, name, sink)?;
            let count = contours.len();
            made.push(MadeFile::new(name, format!("{count} contours, every {interval} m")));
        }
        Kind::Catchments(division, format) => {
            let count = put_catchments(terrain, *division, *format, name, sink)?;
            made.push(MadeFile::new(name, format!("{count} polygons")));
        }
    }
    sink.finish()?;
    Ok(made)
}

/// The contours of a terrain, and the metres between them: a round number if not given.
pub(super) fn contours(terrain: &Terrain, interval: Option<f64>) -> (Vec<Contour>, f64) {
    let (low, high) = terrain.height().range();
    let (low, high) = (f64::from(low), f64::from(high));
    let interval = interval.unwrap_or_else(|| contour::round_interval(high - low, 25));
    let levels = contour::levels(low, high, interval);
    (contour::contours(terrain.height(), terrain.extent(), &levels), interval)
}

fn put_contours(
    terrain: &Terrain,
    (contours, interval): (&[Contour], f64),
    format: VectorFormat,
    name: &str,
    sink: &mut dyn Sink,
) -> Result<()> {
    let place = terrain.place();
    match format {
        VectorFormat::FlatGeobuf => {
            let layer = layer_name(name);
            sink.put(name, &mut |out| vector::contours_flatgeobuf(contours, layer, place, out))
        }
        VectorFormat::Svg => {
            let ground = terrain.extent().lattice().ground();
            sink.put_text(name, &vector::contours_svg(contours, interval, ground))
        }
        VectorFormat::GeoJson | VectorFormat::Csv => {
            let coordinates = vector::Coordinates::degrees(place)?;
            sink.put_text(name, &vector::contours_geojson(contours, &coordinates))
        }
    }
}

/// Writes catchments; gives how many there are.
fn put_catchments(
    terrain: &Terrain,
    division: Division,
    format: VectorFormat,
    name: &str,
    sink: &mut dyn Sink,
) -> Result<usize> {
    let place = terrain.place();
    let Catchments { whole, parts } = Catchments::of(terrain);
    let catchments = match division {
        Division::Mouths => whole,
        Division::Streams => parts,
    };
    match format {
        VectorFormat::FlatGeobuf => {
            let layer = layer_name(name);
            sink.put(name, &mut |out| {
                vector::catchments_flatgeobuf(&catchments, layer, place, out)
            })?;
        }
        VectorFormat::GeoJson | VectorFormat::Csv | VectorFormat::Svg => {
            let coordinates = vector::Coordinates::degrees(place)?;
            sink.put_text(name, &vector::catchments_geojson(&catchments, &coordinates))?;
        }
    }
    Ok(catchments.len())
}

/// The weights of the materials that are given, or of those that suit the whole of which `terrain` is a part.
///
/// # Errors
/// If a material does not fit the terrain.
pub fn weights(
    terrain: &Terrain,
    whole: &Terrain,
    materials: Option<&Materials>,
    inputs: &Inputs,
) -> Result<Vec<(String, Grid)>> {
    let natural;
    let materials = match materials {
        Some(materials) => materials,
        None => {
            natural = Materials::natural(whole);
            &natural
        }
    };
    materials
        .weigh(terrain, inputs)
        .map_err(|error| Error::Other(format!("the materials do not fit this terrain: {error}")))
}

fn scale(format: Format, grid: &Grid, range: Option<[f64; 2]>) -> String {
    if !format.has_levels() {
        return String::new();
    }
    let (low, high) = grid.range();
    let [low, high] = range.unwrap_or([low.into(), high.into()]);
    format!(", 0 = {low}, 65535 = {high}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_derived_map_is_listed() {
        assert!(Derived::ALL.iter().all(|derived| MAPS.contains(&derived.name())));
        for name in MAPS {
            let file = match *name {
                "contours" => "a.svg",
                "catchments" | "subcatchments" => "a.fgb",
                _ => "a.png",
            };
            assert!(Map::of(name, Path::new(file)).is_ok(), "{name}");
        }
    }
}
