//! What `-o MAP=FILE` writes: a layer, or a map that follows from the height.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use landform::analysis::contour;
use landform::analysis::derived::Derived;
use landform::analysis::material::Materials;
use landform::{Grid, Inputs, Layer, Terrain};
use landform_io::splat::Packing;
use landform_io::{Format, Raster, WriteOptions, mesh, vector};

use crate::args::Maps;
use crate::source::{extension, read_text};
use crate::{misuse, output};

/// A map to be written.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    kind: Kind,
    path: PathBuf,
}

#[derive(Clone, Debug)]
enum Kind {
    Layer(Layer, Format),
    Derived(Derived, Format),
    Normal,
    Splat,
    Contours { is_svg: bool },
}

impl Map {
    /// What `MAP=FILE` asks for.
    pub(crate) fn of(name: &str, path: &Path) -> anyhow::Result<Self> {
        let extension = extension(path);
        let wrong = |expected: &str| {
            misuse(format!("-o {name}={}: expected a file that ends in {expected}", path.display()))
        };
        let kind = match (name, extension.as_str()) {
            ("normal", "png") => Kind::Normal,
            ("splat", "png") => Kind::Splat,
            ("normal" | "splat", _) => return Err(wrong(".png")),
            ("contours", "svg") => Kind::Contours { is_svg: true },
            ("contours", "geojson") => Kind::Contours { is_svg: false },
            ("contours", _) => return Err(wrong(".svg or .geojson")),
            _ => {
                let format = Format::from_extension(&extension).filter(|format| format.is_read());
                let format = format.ok_or_else(|| wrong(".npy, .png, .tif, .exr, .r16 or .r32"))?;
                match Derived::named(name) {
                    Some(derived) => Kind::Derived(derived, format),
                    None => {
                        let layer = Layer::named(name)
                            .ok_or_else(|| misuse(format!("-o {name}=…: {name} is no layer")))?;
                        Kind::Layer(layer, format)
                    }
                }
            }
        };
        Ok(Self { kind, path: path.to_owned() })
    }

    /// Checks that a terrain with these layers can give it.
    pub(crate) fn check(&self, layers: &[Layer]) -> anyhow::Result<()> {
        let Kind::Layer(layer, _) = &self.kind else { return Ok(()) };
        if layers.contains(layer) {
            return Ok(());
        }
        let mut names: Vec<&str> = layers.iter().map(Layer::name).collect();
        names.extend(Derived::ALL.map(Derived::name));
        names.extend(["normal", "splat", "contours"]);
        Err(misuse(format!(
            "-o {layer}={}: the terrain has the maps {}",
            self.path.display(),
            names.join(", ")
        )))
    }

    /// Writes it and tells what was written.
    pub(crate) fn write(
        &self,
        terrain: &Terrain,
        args: &Maps,
        inputs: &Inputs,
    ) -> anyhow::Result<Vec<String>> {
        let path = &self.path;
        let shown = path.display();
        match &self.kind {
            Kind::Layer(layer, format) => {
                let grid = terrain.layer(layer).expect("the plan has told its layers");
                output::raster(
                    path,
                    *format,
                    &Raster::new(grid, layer, terrain.extent()),
                    &WriteOptions::default(),
                )?;
                Ok(vec![format!("{shown} ({layer}, {})", layer.unit())])
            }
            Kind::Derived(derived, format) => {
                let grid = derived.of(terrain);
                let layer = Layer::named(derived.name()).expect("it is a word");
                let options = WriteOptions { range: derived.range(), ..WriteOptions::default() };
                let raster = Raster::new(&grid, &layer, terrain.extent());
                output::raster(path, *format, &raster, &options)?;
                Ok(vec![format!("{shown} ({layer}{})", scale(*format, &grid, derived.range()))])
            }
            Kind::Normal => {
                let raster = Raster::height(terrain);
                let pixels = mesh::normal_map(&raster);
                output::file(path, |out| {
                    Ok(landform_io::png::encode_rgb8(raster.samples.width(), &pixels, out)?)
                })?;
                Ok(vec![format!("{shown} (normal: red east, green north, blue up)")])
            }
            Kind::Splat => {
                let weights = weights(terrain, terrain, args, inputs)?;
                let names: Vec<&str> = weights.iter().map(|(name, _)| name.as_str()).collect();
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                let mut lines = Vec::new();
                for file in Packing::Rgba.files(&stem, &names) {
                    let path = path.with_file_name(&file.name);
                    output::file(&path, |out| Ok(file.write(terrain, &weights, out)?))?;
                    lines.push(format!("{} ({})", path.display(), file.materials.join(", ")));
                }
                Ok(lines)
            }
            Kind::Contours { is_svg } => {
                let (low, high) = terrain.height().range();
                let (low, high) = (f64::from(low), f64::from(high));
                let interval = args
                    .contour_interval
                    .unwrap_or_else(|| contour::round_interval(high - low, 25));
                let levels = contour::levels(low, high, interval);
                let contours = contour::contours(terrain.height(), terrain.extent(), &levels);
                let text = if *is_svg {
                    let ground = terrain.extent().lattice().ground();
                    vector::contours_svg(&contours, interval, ground)
                } else {
                    vector::contours_geojson(&contours, vector::Coordinates::of(terrain))
                };
                output::text(path, &text)?;
                Ok(vec![format!("{shown} ({} contours, every {interval} m)", contours.len())])
            }
        }
    }
}

/// The weights of the materials that were asked for, or of those that suit the whole of which `terrain` is a part.
pub(crate) fn weights(
    terrain: &Terrain,
    whole: &Terrain,
    args: &Maps,
    inputs: &Inputs,
) -> anyhow::Result<Vec<(String, Grid)>> {
    let materials = match &args.materials {
        None => Materials::natural(whole),
        Some(path) => Materials::parse(&read_text(path)?)
            .map_err(|error| error.in_file(&path.display().to_string()))?,
    };
    materials.weigh(terrain, inputs).context("the materials do not fit this terrain")
}

fn scale(format: Format, grid: &Grid, range: Option<[f64; 2]>) -> String {
    if !matches!(format, Format::Png | Format::R16) {
        return String::new();
    }
    let (low, high) = grid.range();
    let [low, high] = range.unwrap_or([low.into(), high.into()]);
    format!(", 0 = {low}, 65535 = {high}")
}
