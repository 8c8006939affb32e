//! `landform build`

use std::borrow::Cow;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use landform::analysis::material::Materials;
use landform::{Extent, Lattice, Plan, Recipe, Terrain, Watch as _};
use landform_io::format::Setting;
use landform_io::profile::Target;
use landform_io::{Endian, Format, Store, WriteOptions, manifest};
use landform_project::make::stream::{self, Streamed};
use landform_project::make::{self, Heights, MapOptions, Output, VectorFormat};
use landform_project::report::TerrainReport;
use landform_project::{
    DiskFolder, LevelRange, Observer as _, Project, RangeSource, Warning, Watched, window,
};

use crate::args::{Build, Printing};
use crate::input::{self, Advice, default_folder, extension, file_name};
use crate::output::{self, Contents, Place};
use crate::report::Made;
use crate::running::Monitor;
use crate::{export, huge, misuse, running, talk};

/// Where one `-o` goes, and what it asks for.
struct Asked {
    path: PathBuf,
    output: Output,
}

pub(crate) fn run(args: &Build) -> anyhow::Result<()> {
    let Printing { print_width, print_base, print_exaggeration } = &args.printing;
    let is_printing = print_width.is_some() || print_base.is_some() || print_exaggeration.is_some();
    let target = args.target.as_deref().and_then(Target::named);
    if is_printing && !target.is_some_and(Target::takes_print) {
        return Err(misuse(
            "--print-width, --print-base and --print-exaggeration need --for print3d",
        ));
    }
    refuse_idle_range(args, target)?;
    refuse_two_on_stdout(args)?;
    if let Some(target) = target {
        return export::run(args, target);
    }
    if let Some(input) = args.input.as_deref().filter(|input| Store::is_store(input))
        && args.tile.is_none()
        && !args.outputs.is_empty()
        && args.outputs.iter().all(|output| huge::is_converted(output))
    {
        return huge::convert(args, input);
    }
    let (project, tile) = input::opened(args)?;
    input::warn(&project, args.running.quiet);
    let plan = input::plan(args, &project)?;
    let extent = window(&plan, tile)?;
    let is_streamed = |path: &Path| Streamed::needed(path, args.streaming.cog, &extent).is_some();
    let streamed: Vec<&Path> =
        args.outputs.iter().map(PathBuf::as_path).filter(|path| is_streamed(path)).collect();
    let mut asked = all_asked(args)?;
    asked.retain(|asked| !is_streamed(&asked.path));
    refuse_to_overwrite_the_input(args, &asked, &streamed)?;
    if !asked.is_empty() {
        check(args, &project, &plan, &extent, &asked, &streamed)?;
    }
    prepare(args, &asked, &streamed)?;
    let (mut made, mut terrain) = (Made::default(), None);
    if !asked.is_empty() {
        (made, terrain) = in_memory(args, &project, &plan, &extent, &asked)?;
    }
    if !streamed.is_empty() {
        let (manifest, later) = huge::run(args, &project, &plan, &extent, &streamed)?;
        made.extend(later);
        terrain = terrain.or(Some(TerrainReport::of_manifest(&manifest)));
    }
    if args.json {
        return made.print_json(terrain.unwrap_or_default(), None);
    }
    input::tell(args, &made.lines)?;
    if args.input.is_none() && args.outputs.is_empty() && !args.running.quiet {
        std::io::stdout().write_all(NEXT_STEPS.as_bytes())?;
    }
    Ok(())
}

/// Makes what needs the whole terrain at once.
fn in_memory(
    args: &Build,
    project: &Project,
    plan: &Plan,
    extent: &Extent,
    asked: &[Asked],
) -> anyhow::Result<(Made, Option<TerrainReport>)> {
    let materials = input::materials(&args.maps)?;
    running::run(&args.running, |monitor| {
        stream::simulate(project, plan, args.keep.as_deref(), monitor)?;
        let terrain = plan.run(extent, monitor)?;
        input::warn_about(&terrain, monitor);
        let has_levels = asked.iter().any(|asked| asked.output.has_levels());
        let range = match has_levels {
            true => {
                Some(project.level_range(args.placing.output_range, plan, &terrain, monitor)?)
            }
            false => None,
        };
        if let Some(range) = &range {
            tell_range(range, &terrain, monitor);
        }
        let job = Job { args, project, terrain: &terrain, range, materials: &materials };
        let mut made = Made::new(summary(&terrain));
        for asked in asked {
            job.make(asked, &mut made, monitor)?;
        }
        let report = args.json.then(|| TerrainReport::of(project, plan, &terrain));
        Ok((made, report))
    })?
}

/// Refuses places that nothing can be written to, before there is work.
fn prepare(args: &Build, asked: &[Asked], streamed: &[&Path]) -> anyhow::Result<()> {
    let paths = asked.iter().map(|asked| asked.path.as_path()).chain(streamed.iter().copied());
    for path in paths {
        output::prepare(path, args.making.mkdir)?;
    }
    let bundles = asked.iter().filter(|asked| asked.output == Output::Bundle);
    let bundles = bundles.map(|asked| (asked.path.as_path(), Contents::Listed));
    let tiles = streamed.iter().filter(|path| Streamed::of(path) == Some(Streamed::Tiles));
    let folders = bundles.chain(tiles.map(|path| (*path, Contents::Tiles)));
    for (folder, contents) in folders.filter(|_| !args.force) {
        output::refuse_foreign(folder, contents)?;
    }
    Ok(())
}

/// Standard output takes one file, and nothing beside it.
fn refuse_two_on_stdout(args: &Build) -> anyhow::Result<()> {
    let is_stdout = |path: &Path| {
        let typed = path.as_os_str().to_string_lossy();
        output::is_stdout(Path::new(typed.split_once('=').map_or(&*typed, |(_, file)| file)))
    };
    let count = args.outputs.iter().filter(|path| is_stdout(path)).count();
    let what = match count {
        0 => return Ok(()),
        1 if args.json => "--json tells what was made",
        1 if args.tiles.is_some() => "--tiles makes several files",
        1 if args.target.is_some() => "--for makes several files",
        1 => return Ok(()),
        _ => "it is named twice",
    };
    Err(misuse(format!("standard output takes one file, but {what}")))
}

/// Says which scale 16-bit files have, unless it is the usual one, and whether heights leave it.
fn tell_range(range: &LevelRange, terrain: &Terrain, monitor: &Monitor) {
    let LevelRange { ends: [low, high], source } = *range;
    if source != RangeSource::Whole {
        monitor.note(&format!("levels of 16-bit files go from {low} m to {high} m: {source}"));
    }
    let (lowest, highest) = terrain.height().range();
    if let Some(warning) = Warning::outside_range([lowest.into(), highest.into()], range.ends) {
        monitor.warn(input::told(&warning));
    }
}

/// What every `-o` asks for; the standard bundle without one.
fn all_asked(args: &Build) -> anyhow::Result<Vec<Asked>> {
    if args.outputs.is_empty() {
        let path = default_folder(args.input.as_deref());
        return Ok(vec![Asked { path, output: Output::Bundle }]);
    }
    let twice = args.outputs.iter().enumerate().find(|(k, path)| args.outputs[..*k].contains(path));
    if let Some((_, path)) = twice {
        return Err(misuse(format!("-o {} is given twice", path.display())));
    }
    args.outputs.iter().map(|path| asked(path)).collect()
}

fn asked(path: &Path) -> anyhow::Result<Asked> {
    let typed = path.as_os_str().to_string_lossy();
    if typed == "-" {
        return Err(misuse("-o - is standard output: name the format too, such as -o -.npy"));
    }
    if !typed.ends_with(['/', '\\']) && path.is_dir() {
        match Output::of_extension(&extension(path)) {
            None => return Ok(Asked { path: path.to_owned(), output: Output::Bundle }),
            // Stores and tiles for maps are folders, which are continued.
            Some(Output::Streamed(_)) => {}
            Some(_) => {
                return Err(misuse(format!(
                    "-o {typed} is a folder: write {typed}/ for the bundle, or name a file"
                )));
            }
        }
    }
    let (output, path) = Output::of(&typed)?;
    Ok(Asked { path: path.to_owned(), output })
}

/// Refuses what cannot be made, before there is work and other files.
fn check(
    args: &Build,
    project: &Project,
    plan: &Plan,
    extent: &Extent,
    asked: &[Asked],
    streamed: &[&Path],
) -> anyhow::Result<()> {
    refuse_idle_options(args, asked, streamed)?;
    for Asked { path, output } in asked {
        match output {
            Output::Map(_) | Output::Vector(_) => output.check(plan)?,
            // Tiles are checked when they are cut.
            Output::Heights(format) if args.tiles.is_none() => {
                let size = [extent.width() as u32, extent.height() as u32];
                let lattice = Lattice { size, spacing: plan.lattice().spacing };
                let cannot = || format!("cannot write {}", path.display());
                format.check(&lattice, plan.place()).with_context(cannot)?;
                make::check_tile(*format, &file_name(path), plan.place(), extent)
                    .with_context(cannot)?;
            }
            _ => {}
        }
    }
    warn_of_grid_lines(args, project.recipe(), asked);
    let beside = asked.iter().map(|asked| asked.output.memory()).max().unwrap_or_default();
    let needed = project.memory(plan, extent) + beside * extent.len() as u64;
    input::check_memory(&args.running, needed, plan, &Advice::Build)
}

/// An Uplift terrain has the grid lines of its peaks, whatever number of samples was asked for.
fn warn_of_grid_lines(args: &Build, recipe: &Recipe, asked: &[Asked]) {
    let ([width, height], [columns, rows]) = (recipe.output().size, recipe.size);
    for Asked { path, output } in asked {
        if *output == Output::Uplift && [width, height] != [columns, rows] {
            let warning = format!(
                "{} has the {columns}x{rows} grid lines on which the peaks stand, not {width}x{height}: give --size where it is built",
                path.display()
            );
            talk::warn(args.running.quiet, warning);
        }
    }
}

/// An option that would do nothing is a mistake.
fn refuse_idle_options(args: &Build, asked: &[Asked], streamed: &[&Path]) -> anyhow::Result<()> {
    let streaming = &args.streaming;
    let is_huge = streaming.chunk.is_some()
        || streaming.shard.is_some()
        || streaming.no_shards
        || streaming.verify
        || streaming.dask.is_some();
    if is_huge && streamed.is_empty() {
        return Err(misuse(
            "--chunk, --shard, --no-shards, --verify and --dask are for huge terrain: -o FILE.zarr, .pmtiles, .tiles or a .tif with --cog",
        ));
    }
    let has_recipe = |asked: &Asked| matches!(asked.output, Output::Recipe | Output::Bundle);
    if args.belts && !asked.iter().any(has_recipe) {
        return Err(misuse("--belts writes into a recipe: give -o FILE.toml or a folder"));
    }
    let is_other = |asked: &Asked| !matches!(asked.output, Output::Heights(_));
    if args.tiles.is_some() && asked.iter().any(is_other) {
        return Err(misuse(
            "--tiles divides heightmaps and meshes, and nothing else: give -o FILE.EXT",
        ));
    }
    let has = |setting: Setting| {
        let is_place = matches!(setting, Setting::Place | Setting::Epsg);
        asked.iter().any(|asked| match &asked.output {
            Output::Heights(format) => format.uses(setting),
            Output::Vector(VectorFormat::Svg) => false,
            Output::Vector(_) | Output::Map(_) | Output::Bundle => is_place,
            _ => false,
        })
    };
    let options = [
        (args.meshes.simplify.is_some(), "--simplify", Setting::Simplify),
        (args.meshes.no_texture, "--no-texture", Setting::Texture),
        (args.placing.epsg.is_some(), "--epsg", Setting::Epsg),
        (args.placing.place.is_some(), "--place", Setting::Place),
        (args.placing.write_big_endian, "--write-big-endian", Setting::Endian),
    ];
    for (is_given, name, setting) in options {
        if is_given && !has(setting) {
            let formats = Format::all().filter(|format| format.uses(setting));
            let ends: Vec<_> = formats.map(|format| format!(".{}", format.extension())).collect();
            let objects = match setting {
                Setting::Place | Setting::Epsg => ", for objects and contours, and for folders",
                _ => "",
            };
            let ends = ends.join(" or ");
            return Err(misuse(format!("{name} is for files that end in {ends}{objects}")));
        }
    }
    Ok(())
}

/// A range that is the scale of no output is a mistake.
fn refuse_idle_range(args: &Build, target: Option<Target>) -> anyhow::Result<()> {
    if args.placing.output_range.is_none() {
        return Ok(());
    }
    if let Some(target) = target.filter(|target| !target.has_levels()) {
        return Err(misuse(format!(
            "--output-range is the scale of 16-bit files: those for {} hold metres",
            target.name()
        )));
    }
    let is_used = match target {
        Some(_) => true,
        None => all_asked(args)?.iter().any(|asked| asked.output.has_levels()),
    };
    if !is_used {
        let formats = Format::all().filter(|format| format.has_levels());
        let ends: Vec<_> = formats.map(|format| format!(".{}", format.extension())).collect();
        return Err(misuse(format!(
            "--output-range is the scale of 16-bit files: give -o FOLDER/ or a file that ends in {}",
            ends.join(" or ")
        )));
    }
    Ok(())
}

/// What is read is not written over: only a recipe or an Uplift terrain may be, by itself.
fn refuse_to_overwrite_the_input(
    args: &Build,
    asked: &[Asked],
    streamed: &[&Path],
) -> anyhow::Result<()> {
    let is_there = |input: &&Path| Project::preset(input).is_none() && input.exists();
    let Some(input) = args.input.as_deref().filter(is_there) else { return Ok(()) };
    let is_other = |asked: &&Asked| !matches!(asked.output, Output::Recipe | Output::Uplift);
    let paths = asked.iter().filter(is_other).map(|asked| asked.path.as_path());
    for path in paths.chain(streamed.iter().copied()) {
        let is_same =
            path.canonicalize().is_ok_and(|to| input.canonicalize().is_ok_and(|from| from == to));
        if is_same {
            return Err(misuse(format!(
                "{} is what would be read: give another name with -o",
                path.display()
            )));
        }
    }
    Ok(())
}

/// What outputs are made from.
struct Job<'a> {
    args: &'a Build,
    project: &'a Project,
    terrain: &'a Terrain,
    range: Option<LevelRange>,
    materials: &'a Option<Materials>,
}

impl Job<'_> {
    /// Makes one output.
    fn make(&self, asked: &Asked, told: &mut Made, monitor: &Monitor) -> anyhow::Result<()> {
        let Self { args, project, terrain, range, .. } = *self;
        if monitor.is_cancelled() {
            return Err(landform::Cancelled.into());
        }
        let path = &asked.path;
        if asked.output == Output::Bundle {
            let text = self.recipe()?;
            let origin = make::Origin { recipe: Some(&text), ..project.origin() };
            let mut sink = DiskFolder::new(path);
            let made =
                make::bundle(terrain, &origin, range.map(|range| range.ends), &mut sink, monitor)?;
            let names = made.files.iter().map(|file| file.name.as_str());
            told.folder(path, names.chain([manifest::FILE_NAME]));
            return Ok(());
        }
        let name = file_name(path);
        let mut sink = Place::of(path);
        let mut watched = Watched::new(&mut sink, monitor);
        let made = match &asked.output {
            Output::Heights(format) => {
                make::heights(terrain, &self.heights(*format), &name, &mut watched, monitor)?
            }
            Output::Map(map) => {
                let options = MapOptions {
                    materials: self.materials.as_ref(),
                    contour_interval: args.maps.contour_interval,
                    ..MapOptions::default()
                };
                make::map(terrain, map, &options, project.inputs(), &name, &mut watched)?
            }
            Output::Vector(format) => vec![make::vector(terrain, *format, &name, &mut watched)?],
            Output::Uplift => {
                let made = {
                    let original = project.upd_text();
                    make::uplift(terrain, project.recipe(), original, &name, &mut watched)
                };
                vec![made.with_context(|| format!("cannot write {}", path.display()))?]
            }
            Output::Recipe => vec![make::recipe(&self.recipe()?, &name, &mut watched)?],
            Output::Bundle | Output::Streamed(_) => Vec::new(),
        };
        told.beside(path, sink.told(made));
        Ok(())
    }

    fn heights(&self, format: Format) -> Heights<'static> {
        let args = self.args;
        let endian = if args.placing.write_big_endian { Endian::Big } else { Endian::Little };
        let options = WriteOptions {
            range: self.range.map(|range| range.ends),
            endian,
            ..WriteOptions::default()
        };
        Heights {
            format,
            tiles: args.tiles,
            simplify: args.meshes.simplify,
            is_textured: !args.meshes.no_texture,
            is_clamped: self.range.is_some_and(|range| range.may_clamp()),
            options,
        }
    }

    /// The recipe as it was run, with its belts written down if that was asked for.
    fn recipe(&self) -> anyhow::Result<Cow<'_, str>> {
        let Self { args, project, terrain, .. } = self;
        Ok(match args.belts {
            true => make::with_belts(terrain, project.recipe(), project.text())?.into(),
            false => project.text().into(),
        })
    }
}

fn summary(terrain: &Terrain) -> String {
    let extent = terrain.extent();
    let [dx, dz] = extent.lattice().spacing;
    let (low, high) = terrain.height().range();
    let [width, depth] = [(extent.width(), dx), (extent.height(), dz)]
        .map(|(samples, spacing)| (samples - 1) as f64 * spacing);
    let ground = match width.max(depth) {
        0.0..1000.0 => format!("{width:.1} × {depth:.1} m"),
        _ => format!("{:.1} × {:.1} km", width / 1000.0, depth / 1000.0),
    };
    format!(
        "{} × {} samples, {ground}, heights {low:.1} to {high:.1} m, sha256 {}",
        extent.width(),
        extent.height(),
        &manifest::sha256(terrain.height())[..16],
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
