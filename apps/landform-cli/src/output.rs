//! Files that are written whole or not at all.

use std::io::Write;
use std::path::Path;

use anyhow::Context as _;
use landform::{Cancelled, Layer, Terrain};
use landform_io::{Format, Manifest, Raster, WriteOptions, atomic, manifest, vector};
use landform_view::{Image, Style};

/// Writes a file through `write`; an old one stays until the new one is whole.
pub(crate) fn file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    atomic::write(path, write).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a text file.
pub(crate) fn text(path: &Path, text: &str) -> anyhow::Result<()> {
    file(path, |out| Ok(out.write_all(text.as_bytes())?))
}

/// Writes a picture.
pub(crate) fn image(path: &Path, image: &Image) -> anyhow::Result<()> {
    file(path, |out| Ok(landform_io::png::encode_rgb8(image.width(), image.pixels(), out)?))
}

/// Writes one layer, or a mesh, by the format that the extension names.
pub(crate) fn raster(
    path: &Path,
    format: Format,
    raster: &Raster<'_>,
    options: &WriteOptions<'_>,
) -> anyhow::Result<()> {
    file(path, |out| Ok(format.write(raster, out, options)?))
}

/// The standard bundle: all layers, a mesh, pictures, the recipe and the manifest. `begin` is asked before each file.
pub(crate) fn bundle(
    folder: &Path,
    terrain: &Terrain,
    recipe_text: &str,
    seed: Option<u64>,
    options: &WriteOptions<'_>,
    begin: &dyn Fn(&str) -> Result<(), Cancelled>,
) -> anyhow::Result<Manifest> {
    let mut manifest = Manifest::of(terrain, seed);
    let mut put = |name: &str, layer: &Layer, format: Format| -> anyhow::Result<()> {
        begin(name)?;
        let samples = terrain.layer(layer).expect("the layers of the terrain are listed");
        let layer_raster = Raster::new(samples, layer, terrain.extent());
        raster(&folder.join(name), format, &layer_raster, options)?;
        manifest.add_raster(name, layer.name(), &layer_raster, format, options);
        Ok(())
    };
    for (layer, _) in terrain.layers() {
        put(&format!("{layer}.npy"), layer, Format::Npy)?;
    }
    put("height.png", &Layer::HEIGHT, Format::Png)?;
    for (name, style) in [("map.png", Style::Relief), ("view.png", Style::View3d)] {
        begin(name)?;
        let options = landform_view::Options::default();
        image(&folder.join(name), &landform_view::draw(terrain, style, &options))?;
        manifest.add_file(name);
    }
    begin("terrain.glb")?;
    let height = Raster::height(terrain);
    let texture = crate::rasters::texture(terrain)?;
    let options = WriteOptions { texture: Some(&texture), ..WriteOptions::default() };
    raster(&folder.join("terrain.glb"), Format::Glb, &height, &options)?;
    manifest.add_file("terrain.glb");
    if !terrain.features().is_empty() {
        text(&folder.join("features.geojson"), &vector::geojson(terrain.features()))?;
        manifest.add_file("features.geojson");
    }
    text(&folder.join("recipe.toml"), recipe_text)?;
    manifest.add_file("recipe.toml");
    text(&folder.join(manifest::FILE_NAME), &manifest.to_json())?;
    Ok(manifest)
}
