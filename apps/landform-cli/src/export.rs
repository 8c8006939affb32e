//! `landform build --for TARGET`: the files, and the page with the numbers to type.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use landform::{Extent, Grid, Inputs, Terrain, Watch as _};
use landform_io::profile::{Export, Job, Target};
use landform_io::{Manifest, Print, Raster, Store};

use crate::args::{Build, Changes};
use crate::running::Monitor;
use crate::source::Source;
use crate::{build, maps, memory, misuse, output, running, stream};

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
    if args.tile.is_some() && !args.input.as_deref().is_some_and(Store::is_store) {
        return Err(misuse(
            "--for takes --tiles COLUMNSxROWS, not --tile, unless the input is a store",
        ));
    }
    let tiles = args.tiles.unwrap_or([1, 1]);
    let order = Order { args, target, name: &name, tiles };
    let report = match order.store()? {
        Some(store) => {
            let given = (store.manifest().recipe.clone(), &Inputs::default());
            running::run(&args.running, |monitor| order.by_store(folder, given, &store, monitor))??
        }
        None => order.by_plan(folder)?,
    };
    if !args.running.quiet {
        let mut stdout = std::io::stdout().lock();
        for line in &report {
            writeln!(stdout, "{line}")?;
        }
    }
    Ok(())
}

/// What is to be made.
struct Order<'a> {
    args: &'a Build,
    target: Target,
    name: &'a str,
    tiles: [u32; 2],
}

impl Order<'_> {
    /// The input, if it is a store that can be cut into tiles as it is, without reading all of it.
    fn store(&self) -> anyhow::Result<Option<Store>> {
        let input = self.args.input.as_deref().filter(|path| Store::is_store(path));
        let Some(input) = input.filter(|_| self.tiles != [1, 1] && self.args.tile.is_none()) else {
            return Ok(None);
        };
        let store = Store::open(input)?;
        let is_fit = fitted(self.target, store.layout().size, self.tiles) == store.layout().size;
        let is_whole = store.manifest().complete && store.layout().origin == [0, 0];
        let is_changed = self.args.changes != Changes::default();
        Ok(Some(store).filter(|_| is_fit && is_whole && !is_changed))
    }

    /// All other inputs: in memory, or by way of a store beside the tiles where they do not fit there.
    fn by_plan(&self, folder: PathBuf) -> anyhow::Result<Vec<String>> {
        let args = self.args;
        let source = sized(args, self.target, self.tiles)?;
        source.warn(args.running.quiet);
        let plan = source.plan()?;
        let whole = plan.lattice().whole();
        let needed = plan.memory(&whole);
        if self.tiles != [1, 1] && memory::limit(&args.running).is_some_and(|limit| needed > limit)
        {
            let part = folder.join("terrain.part");
            return running::run(&args.running, |monitor| {
                let given = (source.text.clone(), &source.inputs);
                let store = stream::gather(args, (&source, &plan, &whole), &part, monitor)?;
                let report = self.by_store(folder, given, &store, monitor)?;
                std::fs::remove_dir_all(&part)
                    .with_context(|| format!("cannot remove {}", part.display()))?;
                Ok(report)
            })?;
        }
        memory::check(&args.running, needed, &plan, &memory::Advice::Export)?;
        running::run(&args.running, |monitor| {
            build::simulate(args, &source, &plan, monitor)?;
            let terrain = plan.run(&whole, monitor)?;
            monitor.say("materials");
            let weights = maps::weights(&terrain, &terrain, &args.maps, &source.inputs)?;
            let range = source.range.unwrap_or(Job::whole(&terrain, self.name).range);
            let manifest = Manifest::of(&terrain, Some(source.recipe.seed));
            let mut folder =
                Folder::new(folder, manifest, range, source.text.clone(), self.target)?;
            for (place, extent) in windows(&whole, self.tiles) {
                folder.put(self, &extent, place, (&terrain, &weights))?;
                check(monitor)?;
            }
            folder.finish()
        })?
    }

    /// One tile after the other.
    fn by_store(
        &self,
        folder: PathBuf,
        (recipe, inputs): (String, &Inputs),
        store: &Store,
        monitor: &Monitor,
    ) -> anyhow::Result<Vec<String>> {
        let layout = store.layout();
        let overview = store.overview(OVERVIEW)?;
        let [min, max] = store.manifest().layers.first().map_or([0.0, 1.0], |h| [h.min, h.max]);
        let seed = store.manifest().seed;
        // The samples of the overview are not those of the tiles: the layers of the store have their own hashes.
        let manifest = Manifest {
            size: layout.size,
            spacing: layout.spacing,
            min,
            max,
            layers: Vec::new(),
            ..Manifest::of(&overview, seed)
        };
        let mut folder = Folder::new(folder, manifest, [min, max], recipe, self.target)?;
        let windows = windows(&layout.lattice().whole(), self.tiles);
        let count = windows.len() as f32;
        for (k, (place, extent)) in windows.into_iter().enumerate() {
            monitor.progress("tiles", k as f32 / count);
            check(monitor)?;
            // Slopes at its border need the samples beyond.
            let around = extent.grown(1);
            let [i, j] = around.origin();
            let terrain = store.window([i, j, around.width() as u32, around.height() as u32])?;
            let maps = &self.args.maps;
            let weights = maps::weights(&terrain, &overview, maps, inputs)?;
            folder.put(self, &extent, place, (&terrain, &weights))?;
        }
        folder.finish()
    }
}

/// Samples from which the materials of a terrain are chosen that is not read as a whole.
const OVERVIEW: u64 = 2049 * 2049;

fn check(monitor: &Monitor) -> Result<(), landform::Cancelled> {
    if monitor.is_cancelled() { Err(landform::Cancelled) } else { Ok(()) }
}

/// The size nearest to the wanted one that a target takes in so many tiles.
fn fitted(target: Target, wanted: [u32; 2], tiles: [u32; 2]) -> [u32; 2] {
    let side = [0, 1].map(|axis| wanted[axis].saturating_sub(1).div_ceil(tiles[axis]) + 1);
    let fit = target.fit(side);
    [0, 1].map(|axis| (fit[axis].saturating_sub(1)) * tiles[axis] + 1)
}

/// The input at a size that the target takes: tiles share their border samples.
fn sized(args: &Build, target: Target, tiles: [u32; 2]) -> anyhow::Result<Source> {
    let (source, _) = build::opened(args)?;
    let wanted = source.recipe.output().size;
    let total = fitted(target, wanted, tiles);
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
    files: output::Folder,
    manifest: Manifest,
    range: [f64; 2],
    recipe: String,
    page_name: String,
    page: String,
    warnings: Vec<String>,
}

impl Folder {
    fn new(
        path: PathBuf,
        manifest: Manifest,
        range: [f64; 2],
        recipe: String,
        target: Target,
    ) -> anyhow::Result<Self> {
        let (files, page_name) = (output::Folder::new(&path)?, target.page_name());
        let (page, warnings) = (String::new(), Vec::new());
        Ok(Self { path, files, manifest, range, recipe, page_name, page, warnings })
    }

    /// Writes the files of one tile, which is all of `whole` or a part of it.
    fn put(
        &mut self,
        order: &Order<'_>,
        extent: &Extent,
        place: [u32; 2],
        (whole, weights): (&Terrain, &[(String, Grid)]),
    ) -> anyhow::Result<()> {
        let Order { args, target, name, tiles } = *order;
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
        let print = Print {
            width_mm: args.printing.print_width.unwrap_or(Print::default().width_mm),
            base_mm: args.printing.print_base.unwrap_or(Print::default().base_mm),
            exaggeration: args.printing.print_exaggeration.unwrap_or(1.0),
        };
        let job = Job { terrain, name, range: self.range, tile, print, materials: &materials };
        let export = target.export(&job)?;
        for file in &export.files {
            let raster = Raster::height(terrain);
            self.files.raster(&file.name, file.format, &raster, &file.options)?;
            if file.format.is_read() {
                let layer = landform::Layer::Height;
                let manifest = &mut self.manifest;
                manifest.add_raster(&file.name, layer.name(), &raster, file.format, &file.options);
            } else {
                self.manifest.add_file(&file.name);
            }
        }
        for file in &export.splat {
            self.files.file(&file.name, |out| Ok(file.write(terrain, weights, out)?))?;
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
        self.files.text(&self.page_name, &self.page)?;
        self.manifest.add_file(&self.page_name);
        self.files.text("recipe.toml", &self.recipe)?;
        self.manifest.add_file("recipe.toml");
        self.files.finish(&self.manifest)?;
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
