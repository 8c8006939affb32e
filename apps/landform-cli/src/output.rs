//! Files that are written whole or not at all.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use landform::{Cancelled, Layer, Terrain};
use landform_io::atomic::{self, Batch};
use landform_io::vector::Coordinates;
use landform_io::{Format, Manifest, Raster, SideFile, WriteOptions, manifest, side_file, vector};
use landform_view::{Image, Options, Style};

/// Writes a file through `write`; an old one stays until the new one is whole.
pub(crate) fn file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    make_folder(path)?;
    atomic::write(path, write).with_context(|| format!("cannot write {}", path.display()))
}

/// Makes the folder that a file lies in.
fn make_folder(path: &Path) -> anyhow::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    Ok(())
}

/// A folder whose files are there together, with the manifest that tells of them, or not at all.
pub(crate) struct Folder {
    path: PathBuf,
    batch: Batch,
}

impl Folder {
    pub(crate) fn new(path: &Path) -> anyhow::Result<Self> {
        let batch = Batch::new(&path.join(manifest::FILE_NAME))
            .with_context(|| format!("cannot make the folder {}", path.display()))?;
        Ok(Self { path: path.to_owned(), batch })
    }

    /// Writes the file called `name` through `write`.
    pub(crate) fn file(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let path = self.path.join(name);
        make_folder(&path)?;
        self.batch.write(&path, write).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Writes a text file.
    pub(crate) fn text(&mut self, name: &str, text: &str) -> anyhow::Result<()> {
        self.file(name, |out| Ok(out.write_all(text.as_bytes())?))
    }

    /// Writes one layer, or a mesh.
    pub(crate) fn raster(
        &mut self,
        name: &str,
        format: Format,
        raster: &Raster<'_>,
        options: &WriteOptions<'_>,
    ) -> anyhow::Result<()> {
        self.file(name, |out| Ok(format.write(raster, out, options)?))
    }

    /// Writes the manifest; now all files are there.
    pub(crate) fn finish(self, manifest: &Manifest) -> anyhow::Result<()> {
        let about = || format!("cannot write the files of {}", self.path.display());
        self.batch.finish(manifest.to_json().as_bytes()).with_context(about)
    }
}

/// Writes a text file.
pub(crate) fn text(path: &Path, text: &str) -> anyhow::Result<()> {
    file(path, |out| Ok(out.write_all(text.as_bytes())?))
}

/// Writes a picture.
pub(crate) fn image(path: &Path, image: &Image) -> anyhow::Result<()> {
    file(path, |out| Ok(landform_io::png::encode_rgb8(image.width(), image.pixels(), out)?))
}

/// Writes one layer, or a mesh, by the format that the extension names; beside it what the format cannot say.
pub(crate) fn raster(
    path: &Path,
    format: Format,
    raster: &Raster<'_>,
    options: &WriteOptions<'_>,
) -> anyhow::Result<()> {
    let Some(side) = SideFile::of(raster, format, options) else {
        return file(path, |out| Ok(format.write(raster, out, options)?));
    };
    // An old scale beside new samples would be worse than none.
    let about = || format!("cannot write {}", path.display());
    make_folder(path)?;
    let mut pair = Batch::new(&side_file::path_of(path)).with_context(about)?;
    pair.write(path, |out| format.write(raster, out, options)).with_context(about)?;
    pair.finish(side.to_json().as_bytes()).with_context(about)
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
    let mut files = Folder::new(folder)?;
    let mut put = |name: &str, layer: &Layer, format: Format| -> anyhow::Result<()> {
        begin(name)?;
        let samples = terrain.layer(layer).expect("the layers of the terrain are listed");
        let layer_raster = Raster::new(samples, layer, terrain.extent());
        files.raster(name, format, &layer_raster, options)?;
        manifest.add_raster(name, layer.name(), &layer_raster, format, options);
        Ok(())
    };
    for (layer, _) in terrain.layers() {
        put(&format!("{layer}.npy"), layer, Format::Npy)?;
    }
    put("height.png", &Layer::Height, Format::Png)?;
    let map = (Style::map_of(terrain), Options::default());
    for (name, (style, options)) in [("map.png", map), ("view.png", Style::view_of(terrain))] {
        begin(name)?;
        let image = landform_view::draw(terrain, style, &options);
        files.file(name, |out| {
            Ok(landform_io::png::encode_rgb8(image.width(), image.pixels(), out)?)
        })?;
        manifest.add_file(name);
    }
    begin("terrain.glb")?;
    let height = Raster::height(terrain);
    let texture = crate::rasters::texture(terrain)?;
    let options = WriteOptions { texture: Some(&texture), ..WriteOptions::default() };
    files.raster("terrain.glb", Format::Glb, &height, &options)?;
    manifest.add_file("terrain.glb");
    if !terrain.features().is_empty() {
        files.text(
            "features.geojson",
            &vector::geojson(terrain.features(), Coordinates::of(terrain)),
        )?;
        manifest.add_file("features.geojson");
    }
    files.text("recipe.toml", recipe_text)?;
    manifest.add_file("recipe.toml");
    begin(manifest::FILE_NAME)?;
    files.finish(&manifest)?;
    Ok(manifest)
}
