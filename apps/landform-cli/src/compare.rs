//! `landform compare`

use std::io::Write as _;

use landform_view::{Image, Options, Style};

use crate::args::{Changes, Compare};
use crate::memory::Advice;
use crate::source::{Source, extension};
use crate::{memory, misuse, output, running, view};

/// Size of one picture before it is laid out.
const SIZE: [usize; 2] = [960, 720];

pub(crate) fn run(args: &Compare) -> anyhow::Result<()> {
    if extension(&args.output) != "png" {
        let path = args.output.display();
        return Err(misuse(format!("-o {path}: expected a picture that ends in .png")));
    }
    let style = Style::named(&args.style).expect("the argument is one of the styles");
    let seeds: Vec<Option<u64>> = match args.seeds[..] {
        [] => vec![args.changes.seed],
        _ => args.seeds.iter().copied().map(Some).collect(),
    };
    let count = args.inputs.len() * seeds.len();
    if args.split && count != 2 {
        return Err(misuse(format!("--split shows two terrains in one picture, not {count}")));
    }
    let pictures =
        running::run(&args.running, |monitor| -> anyhow::Result<Vec<(String, Image)>> {
            let mut pictures = Vec::new();
            for path in &args.inputs {
                for &seed in &seeds {
                    let changes = Changes { seed, ..args.changes.clone() };
                    let source = Source::open(Some(path), &changes, &args.reading)?;
                    source.warn(args.running.quiet);
                    let plan = source.plan()?;
                    let whole = plan.lattice().whole();
                    memory::check(&args.running, plan.memory(&whole), &plan, &Advice::View)?;
                    let terrain = plan.run(&whole, monitor)?;
                    let mut options = Options { size: Some(SIZE), ..Options::default() };
                    options.plan.cones = source.recipe.cones()?;
                    options.plan.largest = Some(view::PLAN_PEAKS);
                    let name = path.file_stem().unwrap_or_default().to_string_lossy();
                    let label = match seed.filter(|_| !args.seeds.is_empty()) {
                        Some(seed) => format!("{name}, seed {seed}"),
                        None => name.into_owned(),
                    };
                    pictures.push((label, landform_view::draw(&terrain, style, &options)));
                }
            }
            Ok(pictures)
        })??;
    let image = match (args.split, pictures.as_slice()) {
        (true, [before, after]) => {
            landform_view::split((&before.0, &before.1), (&after.0, &after.1))
        }
        _ => {
            landform_view::Compare { columns: args.columns.map(usize::from), ..Default::default() }
                .draw(&pictures)
        }
    };
    output::image(&args.output, &image)?;
    if !args.running.quiet {
        writeln!(std::io::stdout(), "{}", args.output.display())?;
    }
    Ok(())
}
