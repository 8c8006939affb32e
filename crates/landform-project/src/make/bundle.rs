//! The standard bundle.

use landform::{Layer, Terrain, Watch};
use landform_io::vector::{self, Coordinates};
use landform_io::{Format, Manifest, Raster, WriteOptions, manifest};
use landform_view::{Options, Style};

use super::heights::{clamped, texture};
use super::picture::put_image;
use super::{Origin, begin};
use crate::{Result, Sink, Watched};

/// Makes the standard bundle: all layers, a mesh, pictures, the recipe and the manifest, which is returned. 16-bit files
/// have the scale `range`, or that which the recipe declares, or that of the terrain; heights beyond it are clamped.
///
/// # Errors
/// Those of the sink, and by cancellation.
pub fn bundle(
    terrain: &Terrain,
    origin: &Origin<'_>,
    range: Option<[f64; 2]>,
    sink: &mut dyn Sink,
    watch: &dyn Watch,
) -> Result<Manifest> {
    let sink = &mut Watched::new(sink, watch);
    let mut manifest = Manifest::of(terrain, origin.seed);
    let (low, high) = terrain.height().range();
    let range = range.or(origin.declared_range()).unwrap_or([low.into(), high.into()]);
    let place = terrain.place();
    let options = WriteOptions { range: Some(range), place, ..WriteOptions::default() };
    let mut put = |name: &str, layer: &Layer, format: Format| -> Result<()> {
        begin(watch, name)?;
        let samples = terrain.layer(layer).expect("the layers of the terrain are listed");
        let within = if format.has_levels() { clamped(samples, range) } else { None };
        let samples = within.as_ref().unwrap_or(samples);
        let raster = Raster::new(samples, layer, terrain.extent());
        sink.put(name, &mut |out| format.write(&raster, out, &options))?;
        manifest.add_raster(name, layer.name(), &raster, format, &options);
        Ok(())
    };
    for (layer, _) in terrain.layers() {
        put(&format!("{layer}.npy"), layer, Format::Npy)?;
    }
    put("height.png", &Layer::Height, Format::Png)?;
    let map = (Style::map_of(terrain), Options::default());
    for (name, (style, options)) in [("map.png", map), ("view.png", Style::view_of(terrain))] {
        begin(watch, name)?;
        put_image(sink, name, &landform_view::draw(terrain, style, &options))?;
        manifest.add_file(name);
    }
    begin(watch, "terrain.glb")?;
    let texture = texture(terrain)?;
    let options = WriteOptions { texture: Some(&texture), ..WriteOptions::default() };
    let height = Raster::height(terrain);
    sink.put("terrain.glb", &mut |out| Format::Glb.write(&height, out, &options))?;
    manifest.add_file("terrain.glb");
    if !terrain.features().is_empty() {
        // A bundle is read again by this program: metres do where degrees cannot be had.
        let coordinates =
            Coordinates::degrees(terrain.place()).unwrap_or_else(|_| Coordinates::metres());
        let text = vector::geojson(terrain.features(), &coordinates);
        sink.put_text("features.geojson", &text)?;
        manifest.add_file("features.geojson");
    }
    if let Some(text) = origin.recipe {
        sink.put_text("recipe.toml", text)?;
        manifest.add_file("recipe.toml");
    }
    begin(watch, manifest::FILE_NAME)?;
    sink.put_record(manifest::FILE_NAME, &manifest.to_json())?;
    sink.finish()?;
    Ok(manifest)
}
