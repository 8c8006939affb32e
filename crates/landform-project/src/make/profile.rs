//! The folder that another program takes: its files, and the page with the numbers to type.

use landform::analysis::material::Materials;
use landform::drainage::catchments::Catchments;
use landform::{Extent, Feature, Grid, Lattice, Layer, Terrain, Watch};
use landform_io::profile::{Export, Job, Shape, Target};
use landform_io::vector::{self, Coordinates};
use landform_io::{Format, Manifest, Print, Raster, Store, WriteOptions, manifest};

use super::heights::clamped;
use super::map::weights;
use super::texts::layer_name;
use super::{Origin, begin};
use crate::{Result, Sink, Warning, Watched};

/// What is to be exported.
#[derive(Clone, Copy, Debug)]
pub struct Profile<'a> {
    /// The program that takes it.
    pub target: Target,
    /// Name of the files, without extension.
    pub name: &'a str,
    /// Columns and rows of tiles.
    pub tiles: [u32; 2],
    /// Size of a printed block.
    pub print: Print,
    /// The materials of splat maps; those that suit the terrain if not given.
    pub materials: Option<&'a Materials>,
}

impl<'a> Profile<'a> {
    /// All of a terrain for a program.
    pub fn new(target: Target, name: &'a str) -> Self {
        Self { target, name, tiles: [1, 1], print: Print::default(), materials: None }
    }
}

/// What an export made.
#[derive(Clone, Debug)]
pub struct ExportFolder {
    /// The files.
    pub manifest: Manifest,
    /// The page with the numbers to type into the import dialog.
    pub page: String,
    /// The numbers of the last tile: label and value.
    pub numbers: Vec<(&'static str, String)>,
    /// What to do with them, a step a line.
    pub steps: Vec<String>,
    /// What will not be as good as it could be.
    pub warnings: Vec<String>,
}

impl ExportFolder {
    /// The names of all files, the manifest among them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let files = self.manifest.files.iter().map(|file| file.name.as_str());
        files.chain([manifest::FILE_NAME])
    }
}

/// Samples from which the materials of a terrain are chosen that is not read as a whole.
const OVERVIEW: u64 = 2049 * 2049;

/// The size nearest to the wanted one that a target takes in so many tiles, which share their border samples or lie side by side.
pub fn fitted(target: Target, wanted: [u32; 2], tiles: [u32; 2]) -> [u32; 2] {
    let shared = shared_samples(target);
    let side =
        [0, 1].map(|axis| wanted[axis].saturating_sub(shared).div_ceil(tiles[axis]) + shared);
    let fit = target.fit_tile(side, tiles);
    [0, 1].map(|axis| (fit[axis].saturating_sub(shared)) * tiles[axis] + shared)
}

/// Columns or rows that a tile has in common with the next.
fn shared_samples(target: Target) -> u32 {
    u32::from(target.tiles_share_border())
}

/// Checks what can be checked before there are heights, on the lattice of a [fitting size](fitted).
///
/// # Errors
/// If the target cannot take the terrain.
pub fn check_profile(job: &Profile<'_>, lattice: &Lattice) -> Result<()> {
    let shared = shared_samples(job.target);
    let size = [0, 1].map(|axis| (lattice.size[axis] - shared) / job.tiles[axis] + shared);
    let Profile { name, tiles, .. } = *job;
    Ok(job.target.check(&Shape { name, size, spacing: lattice.spacing, tiles })?)
}

/// Makes the folder of a terrain of a [fitting size](fitted). Levels have the scale `range`, or that which the
/// recipe declares, or that of the terrain;
/// heights beyond it are clamped, with a warning.
///
/// # Errors
/// If the target cannot take the terrain, those of the sink, and by cancellation.
pub fn profile(
    terrain: &Terrain,
    job: &Profile<'_>,
    origin: &Origin<'_>,
    range: Option<[f64; 2]>,
    sink: &mut dyn Sink,
    watch: &dyn Watch,
) -> Result<ExportFolder> {
    let sink = &mut Watched::new(sink, watch);
    begin(watch, "materials")?;
    let weights = weights(terrain, terrain, job.materials, origin.inputs)?;
    let heights = Job::whole(terrain, job.name).range;
    let manifest = Manifest::of(terrain, origin.seed);
    let range = range.or(origin.declared_range());
    let mut folder = Folder::new(job, manifest, heights, range, sink);
    for (place, extent) in windows(terrain.extent(), job) {
        begin(watch, job.name)?;
        folder.put(&extent, place, terrain, &weights)?;
    }
    if job.target.takes_layers() {
        folder.put_objects(terrain)?;
    }
    folder.finish(origin.recipe)
}

/// The same from a store, one tile after the other.
///
/// # Errors
/// As [`profile`], and if the store cannot be read.
pub fn profile_of_store(
    store: &Store,
    job: &Profile<'_>,
    origin: &Origin<'_>,
    range: Option<[f64; 2]>,
    sink: &mut dyn Sink,
    watch: &dyn Watch,
) -> Result<ExportFolder> {
    let sink = &mut Watched::new(sink, watch);
    let layout = store.layout();
    let overview = store.overview(OVERVIEW)?;
    let [min, max] = store.manifest().layers.first().map_or([0.0, 1.0], |h| [h.min, h.max]);
    // The samples of the overview are not those of the tiles: the layers of the store have their own hashes.
    let manifest = Manifest {
        size: layout.size,
        spacing: layout.spacing,
        min,
        max,
        layers: Vec::new(),
        ..Manifest::of(&overview, store.manifest().seed)
    };
    let range = range.or(origin.declared_range());
    let mut folder = Folder::new(job, manifest, [min, max], range, sink);
    let windows = windows(&layout.lattice().whole(), job);
    let count = windows.len() as f32;
    for (k, (place, extent)) in windows.into_iter().enumerate() {
        watch.progress("tiles", k as f32 / count);
        if watch.is_cancelled() {
            return Err(landform::Cancelled.into());
        }
        // Slopes at its border need the samples beyond.
        let around = extent.grown(1);
        let [i, j] = around.origin();
        let terrain = store.window([i, j, around.width() as u32, around.height() as u32])?;
        let weights = weights(&terrain, &overview, job.materials, origin.inputs)?;
        folder.put(&extent, place, &terrain, &weights)?;
    }
    folder.finish(origin.recipe)
}

/// The windows of the tiles, with their column and row.
fn windows(whole: &Extent, job: &Profile<'_>) -> Vec<([u32; 2], Extent)> {
    let ([columns, rows], shared) = (job.tiles, shared_samples(job.target));
    let [left, top] = whole.origin();
    let size = [whole.width(), whole.height()].map(|side| side as u32 - shared);
    let (w, h) = (size[0] / columns, size[1] / rows);
    let mut windows = Vec::new();
    for j in 0..rows {
        for i in 0..columns {
            let (left, top) = (left + i * w, top + j * h);
            let window = whole.lattice().window(left, top, w + shared, h + shared);
            windows.push(([i, j], window.expect("the tiles divide the terrain")));
        }
    }
    windows
}

/// The folder as it fills.
struct Folder<'a> {
    job: &'a Profile<'a>,
    sink: &'a mut dyn Sink,
    range: [f64; 2],
    tiles: Vec<Export>,
    made: ExportFolder,
}

impl<'a> Folder<'a> {
    /// An empty folder for a terrain with these lowest and highest heights, whose levels have the scale `range`.
    fn new(
        job: &'a Profile<'a>,
        manifest: Manifest,
        heights: [f64; 2],
        range: Option<[f64; 2]>,
        sink: &'a mut dyn Sink,
    ) -> Self {
        let (page, numbers, steps) = Default::default();
        let range = range.unwrap_or(heights);
        let outside = Warning::outside_range(heights, range).filter(|_| job.target.has_levels());
        let warnings = outside.iter().map(Warning::to_string).collect();
        let made = ExportFolder { manifest, page, numbers, steps, warnings };
        Self { job, sink, range, tiles: Vec::new(), made }
    }

    /// Writes the files of one tile, which is all of `whole` or a part of it.
    fn put(
        &mut self,
        extent: &Extent,
        place: [u32; 2],
        whole: &Terrain,
        weights: &[(String, Grid)],
    ) -> Result<()> {
        let Profile { target, name, tiles, print, .. } = *self.job;
        let tile = (tiles != [1, 1]).then(|| target.tile_place(place, tiles));
        let part;
        let mut parts = Vec::new();
        let (terrain, weights) = if tile.is_some() {
            part = whole.crop(extent);
            let (i, j) = whole.extent().offset_of(extent);
            let crop = |grid: &Grid| grid.crop(i, j, extent.width(), extent.height());
            parts.extend(weights.iter().map(|(name, grid)| (name.clone(), crop(grid))));
            (&part, parts.as_slice())
        } else {
            (whole, weights)
        };
        let materials: Vec<&str> = weights.iter().map(|(name, _)| name.as_str()).collect();
        let job =
            Job { terrain, name, range: self.range, tile, tiles, print, materials: &materials };
        let export = target.export(&job)?;
        let manifest = &mut self.made.manifest;
        for file in &export.files {
            let raster = Raster::height(terrain);
            let options = &WriteOptions { place: terrain.place(), ..file.options };
            let range = options.range.filter(|_| file.format.has_levels());
            let within = range.and_then(|range| clamped(raster.samples, range));
            let raster = Raster { samples: within.as_ref().unwrap_or(raster.samples), ..raster };
            self.sink.put(&file.name, &mut |out| file.format.write(&raster, out, options))?;
            if file.format.is_read() {
                let layer = Layer::Height;
                manifest.add_raster(&file.name, layer.name(), &raster, file.format, options);
            } else {
                manifest.add_file(&file.name);
            }
        }
        for file in &export.splat {
            self.sink.put(&file.name, &mut |out| file.write(terrain, weights, out))?;
            manifest.add_file(&file.name);
        }
        if target.takes_layers() {
            self.put_layers(terrain, name, tile)?;
        }
        self.note(export, tile, extent);
        Ok(())
    }

    /// Writes all layers but the height as GeoTIFF.
    fn put_layers(&mut self, terrain: &Terrain, name: &str, tile: Option<[u32; 2]>) -> Result<()> {
        let options = WriteOptions { place: terrain.place(), ..WriteOptions::default() };
        let suffix = tile.map_or_else(String::new, |[i, j]| format!("_x{i}_y{j}"));
        for (layer, samples) in terrain.layers().filter(|(layer, _)| **layer != Layer::Height) {
            let file = format!("{name}_{layer}{suffix}.tif");
            let raster = Raster::new(samples, layer, terrain.extent());
            self.sink.put(&file, &mut |out| Format::Tiff.write(&raster, out, &options))?;
            let manifest = &mut self.made.manifest;
            manifest.add_raster(&file, layer.name(), &raster, Format::Tiff, &options);
        }
        Ok(())
    }

    /// Writes the objects, contours and catchments in the system of the terrain, a layer a kind, and all objects in degrees.
    fn put_objects(&mut self, terrain: &Terrain) -> Result<()> {
        let name = self.job.name;
        let place = terrain.place();
        let mut kinds: Vec<(&str, Vec<Feature>)> = Vec::new();
        for feature in terrain.features() {
            let kind = vector::kind(feature);
            match kinds.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, list)) => list.push(feature.clone()),
                None => kinds.push((kind, vec![feature.clone()])),
            }
        }
        for (kind, features) in &kinds {
            let file = format!("{name}_{kind}s.fgb");
            let layer = layer_name(&file);
            self.sink.put(&file, &mut |out| vector::flatgeobuf(features, layer, place, out))?;
            self.made.manifest.add_file(&file);
        }
        let (contours, _) = super::map::contours(terrain, None);
        let file = format!("{name}_contours.fgb");
        let layer = layer_name(&file);
        self.sink
            .put(&file, &mut |out| vector::contours_flatgeobuf(&contours, layer, place, out))?;
        self.made.manifest.add_file(&file);
        let Catchments { whole, parts } = Catchments::of(terrain);
        for (kind, list) in [("catchments", &whole), ("subcatchments", &parts)] {
            if !list.is_empty() {
                let file = format!("{name}_{kind}.fgb");
                let layer = layer_name(&file);
                self.sink.put(&file, &mut |out| {
                    vector::catchments_flatgeobuf(list, layer, place, out)
                })?;
                self.made.manifest.add_file(&file);
            }
        }
        match Coordinates::degrees(place) {
            Ok(degrees) if !terrain.features().is_empty() => {
                let file = format!("{name}.geojson");
                self.sink.put_text(&file, &vector::geojson(terrain.features(), &degrees))?;
                self.made.manifest.add_file(&file);
            }
            Ok(_) => {}
            Err(error) => self.made.warnings.push(format!("no GeoJSON was written: {error}")),
        }
        Ok(())
    }

    /// Adds the numbers of a tile to the page.
    fn note(&mut self, export: Export, tile: Option<[u32; 2]>, extent: &Extent) {
        if let Some([i, j]) = tile {
            let ([x, z], [dx, dz]) = (extent.origin(), extent.lattice().spacing);
            self.made.page += &format!(
                "Tile {i}, {j}: its first sample is {x} samples ({} m) east and {z} samples ({} m) south of the terrain's\n\n",
                f64::from(x) * dx,
                f64::from(z) * dz
            );
        }
        self.made.page += &export.page();
        self.made.page.push('\n');
        for warning in &export.warnings {
            if !self.made.warnings.contains(warning) {
                self.made.warnings.push(warning.clone());
            }
        }
        (self.made.numbers, self.made.steps) = (export.numbers.clone(), export.steps.clone());
        self.tiles.push(export);
    }

    /// Writes the page, the recipe and the manifest.
    fn finish(self, recipe: Option<&str>) -> Result<ExportFolder> {
        let Self { job, sink, tiles, mut made, .. } = self;
        if let Some(script) = job.target.script(job.name, &tiles) {
            sink.put_text(&script.name, &script.text)?;
            made.manifest.add_file(&script.name);
            made.page += &format!("{}\n", script.step);
            made.steps.push(script.step);
        }
        let page_name = job.target.page_name();
        sink.put_text(&page_name, &made.page)?;
        made.manifest.add_file(&page_name);
        if let Some(recipe) = recipe {
            sink.put_text("recipe.toml", recipe)?;
            made.manifest.add_file("recipe.toml");
        }
        sink.put_record(manifest::FILE_NAME, &made.manifest.to_json())?;
        sink.finish()?;
        Ok(made)
    }
}
