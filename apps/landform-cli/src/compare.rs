//! `landform compare`

use std::io::Write as _;
use std::path::Path;

use landform::Terrain;
use landform_project::compare::{CommonScale, Measured};
use landform_project::make::{self, Drawing};
use landform_project::{Project, Sink as _, memory};
use landform_view::{Image, Style};

use crate::args::{Changes, Compare};
use crate::input::{self, Advice, extension, file_name};
use crate::output::{self, Place};
use crate::running::Monitor;
use crate::{misuse, running};

/// Size of one picture before it is laid out.
const SIZE: [usize; 2] = [960, 720];

pub(crate) fn run(args: &Compare) -> anyhow::Result<()> {
    if let Some(path) = &args.output {
        if extension(path) != "png" && !output::is_stdout(path) {
            let path = path.display();
            return Err(misuse(format!("-o {path}: expected a picture that ends in .png")));
        }
        if output::is_stdout(path) && args.json {
            return Err(misuse("standard output takes one file, but --json prints the numbers"));
        }
        output::prepare(path, args.making.mkdir)?;
    }
    let has_numbers = args.json || args.output.is_none();
    let seeds: Vec<Option<u64>> = match args.seeds[..] {
        [] => vec![args.changes.seed],
        _ => args.seeds.iter().copied().map(Some).collect(),
    };
    let count = args.inputs.len() * seeds.len();
    if args.split && count != 2 {
        return Err(misuse(format!("--split shows two terrains in one picture, not {count}")));
    }
    if args.split && args.output.is_none() {
        return Err(misuse("--split is for a picture: name it with -o"));
    }
    let held = if args.output.is_some() { bytes_of_pictures(args, count)? } else { 0 };
    let scale = if args.same_scale { Some(common_scale(args)?) } else { None };
    let mut numbers = Vec::new();
    let mut pictures = Vec::new();
    running::run(&args.running, |monitor| -> anyhow::Result<()> {
        for path in &args.inputs {
            for &seed in &seeds {
                let compared = Compared::open(args, path, seed, scale)?;
                let terrain = compared.terrain(args, held, monitor)?;
                if has_numbers {
                    numbers.push(Measured::of(&compared.name, &terrain));
                }
                if args.output.is_some() {
                    let picture = compared.picture(args, terrain)?;
                    pictures.push((compared.name, picture));
                }
            }
        }
        Ok(())
    })??;
    if let Some(output) = &args.output {
        write_picture(args, output, &pictures)?;
    }
    if has_numbers {
        let text = if args.json {
            serde_json::to_string_pretty(&numbers)? + "\n"
        } else {
            table(&numbers)
        };
        std::io::stdout().lock().write_all(text.as_bytes())?;
    } else if let Some(path) = args.output.as_ref().filter(|path| !output::is_stdout(path))
        && !args.running.quiet
    {
        writeln!(std::io::stdout(), "{}", path.display())?;
    }
    Ok(())
}

/// Bytes of so many pictures, and of the one that they are laid out on. Refuses more than may be used.
fn bytes_of_pictures(args: &Compare, count: usize) -> anyhow::Result<u64> {
    let needed = 2 * 3 * (SIZE[0] * SIZE[1] * count) as u64;
    match args.running.memory.or_else(memory::free) {
        Some(limit) if memory::PROGRAM + needed > limit => anyhow::bail!(
            "pictures of {count} terrains need about {}, but only {} may be used: compare fewer, or their numbers (without -o)",
            memory::shown(memory::PROGRAM + needed),
            memory::shown(limit)
        ),
        _ => Ok(needed),
    }
}

/// The scale that all inputs have in common. Another seed changes neither spacing nor ground.
fn common_scale(args: &Compare) -> anyhow::Result<CommonScale> {
    let from = (&args.reading, &args.running);
    let open = |path| input::open(Some(path), &args.changes, from);
    let projects = args.inputs.iter().map(|path| open(path.as_path()));
    Ok(CommonScale::of(&projects.collect::<anyhow::Result<Vec<_>>>()?)?)
}

/// One of the terrains that are compared.
struct Compared {
    name: String,
    project: Project,
    scale: Option<CommonScale>,
}

impl Compared {
    fn open(
        args: &Compare,
        path: &Path,
        seed: Option<u64>,
        scale: Option<CommonScale>,
    ) -> anyhow::Result<Self> {
        let changes = Changes { seed, ..args.changes.clone() };
        let project = input::open(Some(path), &changes, (&args.reading, &args.running))?;
        input::warn(&project, args.running.quiet);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let name = match seed.filter(|_| !args.seeds.is_empty()) {
            Some(seed) => format!("{stem}, seed {seed}"),
            None => stem.into_owned(),
        };
        let project = match scale {
            Some(scale) => scale.applied_to(project)?,
            None => project,
        };
        Ok(Self { name, project, scale })
    }

    /// `held` are the bytes of all pictures.
    fn terrain(&self, args: &Compare, held: u64, monitor: &Monitor) -> anyhow::Result<Terrain> {
        let plan = self.project.plan()?;
        let window = self.scale.map_or_else(|| plan.lattice().whole(), |scale| scale.window(&plan));
        let measured = memory::STATISTICS * window.len() as u64;
        let drawn = memory::MAP * (SIZE[0] * SIZE[1]) as u64;
        let needed = self.project.memory(&plan, &window) + measured.max(drawn) + held;
        input::check_memory(&args.running, needed, &plan, &Advice::View)?;
        match self.scale {
            Some(_) => Ok(plan.run(&window, monitor)?),
            None => Ok(self.project.terrain(&plan, monitor)?),
        }
    }

    fn picture(&self, args: &Compare, terrain: Terrain) -> anyhow::Result<Image> {
        let style = Style::named(&args.style).expect("the argument is one of the styles");
        let exaggeration = self.scale.map(|_| 1.0);
        let drawing = Drawing { size: Some(SIZE), exaggeration, ..Drawing::default() };
        let mut options = drawing.options(Some(self.project.made_by()))?;
        options.hillshade.exaggeration = exaggeration;
        Ok(make::picture(terrain, style, &[], &options)?)
    }
}

fn write_picture(
    args: &Compare,
    output: &Path,
    pictures: &[(String, Image)],
) -> anyhow::Result<()> {
    let image = match (args.split, pictures) {
        (true, [before, after]) => {
            landform_view::split((&before.0, &before.1), (&after.0, &after.1))
        }
        _ => {
            landform_view::Compare { columns: args.columns.map(usize::from), ..Default::default() }
                .draw(pictures)
        }
    };
    let mut sink = Place::of(output);
    make::put_image(&mut sink, &file_name(output), &image)?;
    Ok(sink.finish()?)
}

/// A row of the table: what is measured, and how it is shown.
type Row = (&'static str, fn(&Measured) -> Option<f64>, usize);

/// The rows of the table, with the number of decimals.
const ROWS: &[Row] = &[
    ("lowest, m", |m| Some(m.statistics.min), 1),
    ("highest, m", |m| Some(m.statistics.max), 1),
    ("mean, m", |m| Some(m.statistics.mean), 1),
    ("deviation, m", |m| Some(m.statistics.deviation), 1),
    ("hypsometric integral", |m| Some(m.statistics.hypsometric_integral), 3),
    ("mean slope, °", |m| Some(m.statistics.slope_mean), 1),
    ("slope of 95 %, °", |m| Some(m.statistics.slope_95), 1),
    ("pits in 10,000", |m| Some(m.drainage.pits), 2),
    ("the same upside down", |m| Some(m.drainage.inverted_pits), 2),
    ("channels, km/km²", |m| Some(m.drainage.drainage_density), 2),
    ("Hack exponent", |m| m.drainage.hack, 3),
    ("concavity", |m| m.drainage.concavity, 3),
    ("area exponent", |m| m.drainage.area_exponent, 3),
    ("bifurcation ratio", |m| m.drainage.bifurcation_ratio, 2),
    ("length ratio", |m| m.drainage.length_ratio, 2),
    ("spectral slope, short", |m| m.drainage.spectral_slope_short, 2),
    ("spectral slope, long", |m| m.drainage.spectral_slope_long, 2),
];

/// A column for each terrain, a row for each number.
fn table(all: &[Measured]) -> String {
    let mut rows = vec![vec![String::new()], vec!["samples".into()], vec!["spacing, m".into()]];
    for Measured { name, size: [width, height], spacing: [dx, dz], .. } in all {
        rows[0].push(name.clone());
        rows[1].push(format!("{width}x{height}"));
        rows[2].push(if dx == dz { format!("{dx:.2}") } else { format!("{dx:.2} x {dz:.2}") });
    }
    for (name, value, decimals) in ROWS {
        let shown = |m| value(m).map_or_else(|| "–".to_owned(), |v| format!("{v:.decimals$}"));
        rows.push(std::iter::once((*name).to_owned()).chain(all.iter().map(shown)).collect());
    }
    let length = |text: &String| text.chars().count();
    let widths: Vec<usize> = (0..=all.len())
        .map(|column| rows.iter().map(|row| length(&row[column])).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for row in &rows {
        let name = &row[0];
        text.push_str(&format!("{name:<width$}", width = widths[0]));
        for (cell, width) in row.iter().zip(&widths).skip(1) {
            text.push_str(&format!("  {cell:>width$}"));
        }
        text.push('\n');
    }
    text
}
