//! `landform build`

use std::borrow::Cow;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use landform::uplift::Upd;
use landform::{Extent, Lattice, Layer, Plan, Recipe, Terrain, Watch};
use landform_io::profile::Target;
use landform_io::{Endian, Format, Georeference, Kept, Store, WriteOptions, vector};

use crate::args::{Build, Printing};
use crate::maps::Map;
use crate::memory::Advice;
use crate::running::Monitor;
use crate::source::{Source, default_folder, extension, preset_of};
use crate::{belts, export, memory, misuse, output, rasters, running, stream};

/// What one `-o` asks for.
enum Output {
    Bundle(PathBuf),
    Raster(PathBuf, Format),
    Map(Map),
    Vector(PathBuf, Vector),
    Upd(PathBuf),
    Recipe(PathBuf),
}

/// How rivers and places are written.
#[derive(Clone, Copy)]
enum Vector {
    GeoJson,
    Svg,
    Csv,
}

pub(crate) fn run(args: &Build) -> anyhow::Result<()> {
    let Printing { print_width, print_base, print_exaggeration } = &args.printing;
    let is_printing = print_width.is_some() || print_base.is_some() || print_exaggeration.is_some();
    if is_printing && args.target.as_deref() != Some(Target::Print3d.name()) {
        return Err(misuse(
            "--print-width, --print-base and --print-exaggeration need --for print3d",
        ));
    }
    if let Some(target) = &args.target {
        let target = Target::named(target).expect("the argument is one of the targets");
        return export::run(args, target);
    }
    if let Some(input) = args.input.as_deref().filter(|input| Store::is_store(input))
        && args.tile.is_none()
        && !args.outputs.is_empty()
        && args.outputs.iter().all(|output| stream::is_converted(output))
    {
        return stream::convert(args, input);
    }
    let (source, tile) = opened(args)?;
    source.warn(args.running.quiet);
    let plan = source.plan()?;
    let extent = window(&plan, tile)?;
    if args.outputs.iter().any(|path| stream::is_streamed(path, &args.streaming, &extent)) {
        return stream::run(args, &source, &plan, &extent);
    }
    let mut outputs = Vec::new();
    for path in &args.outputs {
        outputs.push(output_of(path)?);
    }
    if outputs.is_empty() {
        outputs.push(Output::Bundle(default_folder(args.input.as_deref())));
    }
    refuse_idle_options(args, &outputs)?;
    for output in &outputs {
        match output {
            Output::Map(map) => map.check(&plan.layers())?,
            // Before there is work, and other files. Tiles are checked when they are cut.
            Output::Raster(path, format) if args.tiles.is_none() => {
                let size = [extent.width() as u32, extent.height() as u32];
                let lattice = Lattice { size, spacing: plan.lattice().spacing };
                format
                    .check(&lattice)
                    .with_context(|| format!("cannot write {}", path.display()))?;
            }
            _ => {}
        }
    }
    warn_of_grid_lines(args, &source.recipe, &outputs);
    let needed = plan.memory(&extent) + made_of(&outputs) * extent.len() as u64;
    memory::check(&args.running, needed, &plan, &Advice::Build)?;
    let report = running::run(&args.running, |monitor| -> anyhow::Result<Vec<String>> {
        simulate(args, &source, &plan, monitor)?;
        let terrain = plan.run(&extent, monitor)?;
        let range = match source.range {
            Some(range) => range,
            None => global_range(&outputs, &plan, &extent, &terrain, monitor)?,
        };
        let [easting, northing] = args.placing.place.unwrap_or_default();
        let place = Georeference { epsg: args.placing.epsg, easting, northing };
        let endian = if args.placing.write_big_endian { Endian::Big } else { Endian::Little };
        let range = Some(range);
        let options = WriteOptions { range, place, endian, ..WriteOptions::default() };
        let mut report = vec![summary(&terrain)];
        for output in &outputs {
            report.extend(write(output, &terrain, (&source, args), &options, monitor)?);
        }
        Ok(report)
    })??;
    if !args.running.quiet {
        let mut stdout = std::io::stdout().lock();
        for line in &report {
            writeln!(stdout, "{line}")?;
        }
        if args.input.is_none() && args.outputs.is_empty() {
            stdout.write_all(NEXT_STEPS.as_bytes())?;
        }
    }
    Ok(())
}

/// An Uplift terrain has the grid lines of its peaks, whatever number of samples was asked for.
fn warn_of_grid_lines(args: &Build, recipe: &Recipe, outputs: &[Output]) {
    let ([width, height], [columns, rows]) = (recipe.output().size, recipe.size);
    for output in outputs {
        if let Output::Upd(path) = output
            && [width, height] != [columns, rows]
            && !args.running.quiet
        {
            eprintln!(
                "warning: {} has the {columns}x{rows} grid lines on which the peaks stand, not {width}x{height}: give --size where it is built",
                path.display()
            );
        }
    }
}

/// Runs the stages that look at the whole ground, by way of the folder that keeps what they find out, if there is one.
pub(crate) fn simulate(
    args: &Build,
    source: &Source,
    plan: &Plan,
    monitor: &Monitor,
) -> anyhow::Result<()> {
    if let Some(folder) = &args.keep
        && !plan.simulations().is_empty()
    {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot keep anything in {}", folder.display()))?;
        let kept = Kept::new(folder, &source.recipe, &source.inputs);
        tell_kept(plan, &plan.simulate(&kept, monitor)?, monitor);
    }
    Ok(())
}

/// Says which stages need not run again.
pub(crate) fn tell_kept(plan: &Plan, ran: &[&str], monitor: &Monitor) {
    let mut kept = plan.simulations();
    kept.retain(|label| !ran.contains(label));
    if !kept.is_empty() {
        monitor.note(&format!("kept from before: {}", kept.join(", ")));
    }
}

/// The input, and the window of it that is to be built. Of a store, only that window is read.
pub(crate) fn opened(args: &Build) -> anyhow::Result<(Source, Option<[u32; 4]>)> {
    match &args.input {
        Some(path) if args.tile.is_some() && Store::is_store(path) => {
            Ok((Source::of_store(path, args.tile, &args.changes)?, None))
        }
        path => Ok((Source::open(path.as_deref(), &args.changes, &args.reading)?, args.tile)),
    }
}

/// Bytes a sample that the largest of the outputs takes beside the terrain.
fn made_of(outputs: &[Output]) -> u64 {
    let has_mesh =
        |output: &Output| matches!(output, Output::Bundle(_) | Output::Raster(_, Format::Glb));
    if outputs.iter().any(has_mesh) { memory::MESH } else { 0 }
}

/// An option that would do nothing is a mistake.
fn refuse_idle_options(args: &Build, outputs: &[Output]) -> anyhow::Result<()> {
    let has = |formats: &[Format]| {
        outputs.iter().any(|output| match output {
            Output::Raster(_, format) => formats.contains(format),
            _ => false,
        })
    };
    let twice = args.outputs.iter().enumerate().find(|(k, path)| args.outputs[..*k].contains(path));
    if let Some((_, path)) = twice {
        return Err(misuse(format!("-o {} is given twice", path.display())));
    }
    let streaming = &args.streaming;
    let is_huge = streaming.chunk.is_some()
        || streaming.shard.is_some()
        || streaming.no_shards
        || streaming.dask.is_some();
    if is_huge {
        return Err(misuse(
            "--chunk, --shard, --no-shards and --dask are for huge terrain: -o FILE.zarr, .pmtiles, .tiles or a .tif with --cog",
        ));
    }
    let has_recipe = |output: &Output| matches!(output, Output::Recipe(_) | Output::Bundle(_));
    if args.belts && !outputs.iter().any(has_recipe) {
        return Err(misuse("--belts writes into a recipe: give -o FILE.toml or a folder"));
    }
    let read = args.input.as_deref().filter(|input| preset_of(input).is_none() && input.is_dir());
    for output in outputs {
        if let (Output::Bundle(folder), Some(input)) = (output, read)
            && folder
                .canonicalize()
                .is_ok_and(|to| input.canonicalize().is_ok_and(|from| from == to))
        {
            return Err(misuse(format!(
                "{} is what would be read: give another folder with -o",
                folder.display()
            )));
        }
    }
    let other = |output: &Output| !matches!(output, Output::Raster(..));
    if args.tiles.is_some() && outputs.iter().any(other) {
        return Err(misuse(
            "--tiles divides heightmaps and meshes, and nothing else: give -o FILE.EXT",
        ));
    }
    let options = [
        (
            args.meshes.simplify.is_some(),
            "--simplify",
            &[Format::Glb, Format::Obj, Format::Ply][..],
        ),
        (args.meshes.no_texture, "--no-texture", &[Format::Glb]),
        (args.placing.epsg.is_some(), "--epsg", &[Format::Tiff]),
        (args.placing.place.is_some(), "--place", &[Format::Tiff, Format::Asc]),
        (args.placing.write_big_endian, "--write-big-endian", &[Format::R16, Format::R32]),
    ];
    for (is_given, name, formats) in options {
        if is_given && !has(formats) {
            let ends: Vec<_> =
                formats.iter().map(|format| format!(".{}", format.extension())).collect();
            return Err(misuse(format!("{name} is for files that end in {}", ends.join(" or "))));
        }
    }
    Ok(())
}

fn output_of(path: &Path) -> anyhow::Result<Output> {
    let typed = path.as_os_str().to_string_lossy();
    if typed.ends_with(['/', '\\']) {
        return Ok(Output::Bundle(path.to_owned()));
    }
    if path.is_dir() {
        let ending = extension(path);
        let is_file = Format::from_extension(&ending).is_some()
            || ["upd", "toml", "geojson", "svg", "csv"].contains(&ending.as_str());
        if is_file {
            return Err(misuse(format!(
                "-o {typed} is a folder: write {typed}/ for the bundle, or name a file"
            )));
        }
        return Ok(Output::Bundle(path.to_owned()));
    }
    // A path with an = in it can be written as ./a=b.png.
    if let Some((name, file)) = typed.split_once('=')
        && Layer::named(name).is_some()
    {
        return Ok(Output::Map(Map::of(name, Path::new(file))?));
    }
    match extension(path).as_str() {
        "upd" => Ok(Output::Upd(path.to_owned())),
        "toml" => Ok(Output::Recipe(path.to_owned())),
        "geojson" => Ok(Output::Vector(path.to_owned(), Vector::GeoJson)),
        "svg" => Ok(Output::Vector(path.to_owned(), Vector::Svg)),
        "csv" => Ok(Output::Vector(path.to_owned(), Vector::Csv)),
        other => match Format::from_extension(other) {
            Some(format) => Ok(Output::Raster(path.to_owned(), format)),
            None => {
                let known: Vec<_> =
                    Format::all().map(|format| format!(".{}", format.extension())).collect();
                Err(misuse(format!(
                    "-o {typed}: expected a folder (ends in /) or a file that ends in {}, .geojson, .svg, .csv, .upd or .toml",
                    known.join(", ")
                )))
            }
        },
    }
}

fn window(plan: &Plan, tile: Option<[u32; 4]>) -> anyhow::Result<Extent> {
    let lattice = plan.lattice();
    let Some([i, j, width, height]) = tile else { return Ok(lattice.whole()) };
    let [columns, rows] = lattice.size;
    lattice.window(i, j, width, height).ok_or_else(|| {
        misuse(format!(
            "--tile {i},{j},{width},{height} does not lie on the terrain, which has {columns}x{rows} samples"
        ))
    })
}

/// The range that 16-bit files are scaled to: that of the whole terrain, so that tiles fit together.
fn global_range(
    outputs: &[Output],
    plan: &Plan,
    extent: &Extent,
    terrain: &Terrain,
    monitor: &Monitor,
) -> anyhow::Result<[f64; 2]> {
    let (mut low, mut high) = terrain.height().range();
    let whole = plan.lattice().whole();
    let has_levels = outputs.iter().any(|output| {
        matches!(output, Output::Bundle(_) | Output::Raster(_, Format::Png | Format::R16))
    });
    if *extent != whole && has_levels {
        let rows = (1_usize << 22).div_ceil(whole.width()).clamp(1, whole.height());
        for first in (0..whole.height()).step_by(rows) {
            monitor.progress("range of the whole", first as f32 / whole.height() as f32);
            let part = whole.rows(first, rows.min(whole.height() - first));
            let (lowest, highest) = plan.run(&part, &Silent(monitor))?.height().range();
            (low, high) = (low.min(lowest), high.max(highest));
        }
    }
    Ok([low.into(), high.into()])
}

/// Lets a run be cancelled without its telling of progress.
struct Silent<'a>(&'a Monitor);

impl Watch for Silent<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

fn write(
    output: &Output,
    terrain: &Terrain,
    (source, args): (&Source, &Build),
    options: &WriteOptions<'_>,
    monitor: &Monitor,
) -> anyhow::Result<Vec<String>> {
    if monitor.is_cancelled() {
        return Err(landform::Cancelled.into());
    }
    monitor.draws();
    Ok(match output {
        Output::Map(map) => map.write(terrain, &args.maps, &source.inputs)?,
        Output::Bundle(folder) => {
            let begin = |what: &str| {
                let is_cancelled = monitor.is_cancelled();
                monitor.say(what);
                if is_cancelled { Err(landform::Cancelled) } else { Ok(()) }
            };
            let seed = Some(source.recipe.seed);
            let text = recipe_text(terrain, source, args)?;
            let manifest = output::bundle(folder, terrain, &text, seed, options, &begin)?;
            let mut lines = vec![format!("{}:", folder.display())];
            let names = manifest.files.iter().map(|file| file.name.as_str());
            lines.extend(names.chain(["landform.json"]).map(|name| format!("  {name}")));
            lines
        }
        Output::Raster(path, format) => {
            rasters::write((path, *format), terrain, args, options, monitor)?
        }
        Output::Vector(path, kind) => {
            let features = terrain.features();
            let text = match kind {
                Vector::GeoJson => vector::geojson(features, vector::Coordinates::of(terrain)),
                Vector::Svg => vector::svg(features, terrain.extent().lattice().ground()),
                Vector::Csv => vector::csv(features),
            };
            output::text(path, &text)?;
            vec![format!("{} ({} objects)", path.display(), features.len())]
        }
        Output::Upd(path) => {
            let upd = match belts::upd(terrain, &source.recipe) {
                Some(upd) => upd,
                None => Upd::from_recipe(&source.recipe),
            };
            let upd = upd.with_context(|| format!("cannot write {}", path.display()))?;
            output::text(path, &upd.to_text())?;
            vec![format!("{} ({} peaks)", path.display(), upd.peaks.len())]
        }
        Output::Recipe(path) => {
            output::text(path, &recipe_text(terrain, source, args)?)?;
            vec![format!("{}", path.display())]
        }
    })
}

/// The recipe as it was run, with its belts written down if that was asked for.
fn recipe_text<'a>(
    terrain: &Terrain,
    source: &'a Source,
    args: &Build,
) -> anyhow::Result<Cow<'a, str>> {
    Ok(match args.belts {
        true => belts::written_down(terrain, source)?.into(),
        false => source.text.as_str().into(),
    })
}

fn summary(terrain: &Terrain) -> String {
    let extent = terrain.extent();
    let [dx, dz] = extent.lattice().spacing;
    let (low, high) = terrain.height().range();
    let kilometres = |samples: usize, spacing: f64| (samples - 1) as f64 * spacing / 1000.0;
    format!(
        "{} × {} samples, {:.1} × {:.1} km, heights {low:.1} to {high:.1} m, sha256 {}",
        extent.width(),
        extent.height(),
        kilometres(extent.width(), dx),
        kilometres(extent.height(), dz),
        &landform_io::manifest::sha256(terrain.height())[..16],
    )
}

const NEXT_STEPS: &str = "
What to try next:
  landform build --seed 2                       another terrain of the same character
  landform new --list                           recipes to start from
  landform new islands -o my.toml               one of them, to edit
  landform build my.toml --size 2049x2049       the same ground, finer
  landform view my.toml -o my.png --style 3d    a picture of it
  landform stages uplift                        every parameter
";
