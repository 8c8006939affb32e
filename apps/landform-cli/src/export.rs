//! `landform build --for TARGET`: the files, and the page with the numbers to type.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use landform::{Extent, Grid, Terrain, Watch as _};
use landform_io::profile::{Export, Job, Target};
use landform_io::{Manifest, Print, Raster, manifest};

use crate::args::Build;
use crate::source::Source;
use crate::{build, maps, memory, misuse, output, running};

pub(crate) fn run(args: &Build, target: Target) -> anyhow::Result<()> {
    let name = match args.input.as_deref().and_then(Path::file_stem) {
        Some(stem) => stem.to_string_lossy().into_owned(),
        None => "terrain".to_owned(),
    };
    let folder = match args.outputs.as_slice() {
        [] => PathBuf::from(format!("{name}-{}", target.name())),
        [folder] => folder.clone(),
        _ => return Err(misuse("--for writes one folder: give -o once")),
    };
    if args.tile.is_some() && !args.input.as_deref().is_some_and(landform_io::Store::is_store) {
        return Err(misuse(
            "--for takes --tiles COLUMNSxROWS, not --tile, unless the input is a store",
        ));
    }
    let tiles = args.tiles.unwrap_or([1, 1]);
    let source = sized(args, target, tiles)?;
    source.warn(args.running.quiet);
    let plan = source.plan()?;
    let whole = plan.lattice().whole();
    memory::check(&args.running, plan.memory(&whole), &plan)?;
    let report = running::run(&args.running, |monitor| -> anyhow::Result<Vec<String>> {
        build::simulate(args, &source, &plan, monitor)?;
        let terrain = plan.run(&whole, monitor)?;
        monitor.say("materials");
        let weights = maps::weights(&terrain, &args.maps, &source.inputs)?;
        let mut folder = Folder::new(folder.clone(), &terrain, &source, target);
        for (place, extent) in windows(&whole, tiles) {
            let tile = (tiles != [1, 1]).then(|| target.tile_place(place, tiles));
            folder.put(args, target, &name, (&extent, tile), (&terrain, &weights))?;
            if monitor.is_cancelled() {
                return Err(landform::Cancelled.into());
            }
        }
        folder.finish()
    })??;
    if !args.running.quiet {
        let mut stdout = std::io::stdout().lock();
        for line in &report {
            writeln!(stdout, "{line}")?;
        }
    }
    Ok(())
}

/// The input at a size that the target takes: tiles share their border samples.
fn sized(args: &Build, target: Target, tiles: [u32; 2]) -> anyhow::Result<Source> {
    let (source, _) = build::opened(args)?;
    let wanted = source.recipe.output().size;
    let side = [0, 1].map(|axis| wanted[axis].saturating_sub(1).div_ceil(tiles[axis]) + 1);
    let fit = target.fit(side);
    let total = [0, 1].map(|axis| (fit[axis].saturating_sub(1)) * tiles[axis] + 1);
    if total == wanted {
        return Ok(source);
    }
    if args.changes.size.is_some() && !args.running.quiet {
        let ([w, h], [width, height]) = (wanted, total);
        let target = target.name();
        eprintln!(
            "warning: {target} takes no terrain of {w}x{h} samples: {width}x{height} are built"
        );
    }
    let mut changes = args.changes.clone();
    changes.size = Some(total);
    match (args.tile, args.input.as_deref()) {
        (Some(_), Some(path)) => Source::of_store(path, args.tile, &changes),
        (_, path) => Source::open(path, &changes, &args.reading),
    }
}

/// The windows of the tiles, with their column and row.
fn windows(whole: &Extent, [columns, rows]: [u32; 2]) -> Vec<([u32; 2], Extent)> {
    let [width, height] = whole.lattice().size;
    let (w, h) = ((width - 1) / columns, (height - 1) / rows);
    let mut windows = Vec::new();
    for j in 0..rows {
        for i in 0..columns {
            let window = whole.lattice().window(i * w, j * h, w + 1, h + 1);
            windows.push(([i, j], window.expect("the tiles divide the terrain")));
        }
    }
    windows
}

/// The folder as it fills.
struct Folder {
    path: PathBuf,
    manifest: Manifest,
    range: Option<[f64; 2]>,
    recipe: String,
    page_name: String,
    page: String,
    warnings: Vec<String>,
}

impl Folder {
    fn new(path: PathBuf, terrain: &Terrain, source: &Source, target: Target) -> Self {
        let manifest = Manifest::of(terrain, Some(source.recipe.seed));
        let (recipe, page_name) = (source.text.clone(), target.page_name());
        let (range, warnings) = (source.range, Vec::new());
        Self { path, manifest, range, recipe, page_name, page: String::new(), warnings }
    }

    /// Writes the files of one tile.
    fn put(
        &mut self,
        args: &Build,
        target: Target,
        name: &str,
        (extent, tile): (&Extent, Option<[u32; 2]>),
        (whole, weights): (&Terrain, &[(String, Grid)]),
    ) -> anyhow::Result<()> {
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
        let print = Print {
            width_mm: args.printing.print_width.unwrap_or(Print::default().width_mm),
            base_mm: args.printing.print_base.unwrap_or(Print::default().base_mm),
            exaggeration: args.printing.print_exaggeration.unwrap_or(1.0),
        };
        let range = self.range.unwrap_or(Job::whole(whole, name).range);
        let job = Job { terrain, name, range, tile, print, materials: &materials };
        let export = target.export(&job)?;
        for file in &export.files {
            let raster = Raster::height(terrain);
            output::raster(&self.path.join(&file.name), file.format, &raster, &file.options)?;
            if file.format.is_read() {
                let layer = landform::Layer::HEIGHT;
                let manifest = &mut self.manifest;
                manifest.add_raster(&file.name, layer.name(), &raster, file.format, &file.options);
            } else {
                self.manifest.add_file(&file.name);
            }
        }
        for file in &export.splat {
            output::file(
                &self.path.join(&file.name),
                |out| Ok(file.write(terrain, weights, out)?),
            )?;
            self.manifest.add_file(&file.name);
        }
        self.note(&export, tile);
        Ok(())
    }

    /// Adds the numbers of a tile to the page.
    fn note(&mut self, export: &Export, tile: Option<[u32; 2]>) {
        if let Some([i, j]) = tile {
            self.page += &format!("Tile {i}, {j}\n\n");
        }
        self.page += &export.page();
        self.page.push('\n');
        for warning in &export.warnings {
            if !self.warnings.contains(warning) {
                self.warnings.push(warning.clone());
            }
        }
    }

    /// Writes the page, the recipe and the manifest, and tells what there is.
    fn finish(mut self) -> anyhow::Result<Vec<String>> {
        output::text(&self.path.join(&self.page_name), &self.page)?;
        self.manifest.add_file(&self.page_name);
        output::text(&self.path.join("recipe.toml"), &self.recipe)?;
        self.manifest.add_file("recipe.toml");
        output::text(&self.path.join(manifest::FILE_NAME), &self.manifest.to_json())?;
        let mut lines = vec![format!("{}:", self.path.display())];
        lines.extend(self.manifest.files.iter().map(|file| format!("  {}", file.name)));
        lines.push("  landform.json".to_owned());
        lines.push(String::new());
        lines.extend(self.page.trim_end().lines().map(str::to_owned));
        for warning in &self.warnings {
            eprintln!("warning: {warning}");
        }
        Ok(lines)
    }
}
