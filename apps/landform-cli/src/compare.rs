//! `landform compare`

use std::io::Write as _;

use landform_project::make::{self, Drawing};
use landform_project::{DiskFolder, Sink as _};
use landform_view::{Image, Style};

use crate::args::{Changes, Compare};
use crate::input::{self, Advice, extension, file_name};
use crate::{misuse, running};

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
                    let project = input::open(Some(path), &changes, &args.reading)?;
                    input::warn(&project, args.running.quiet);
                    let plan = project.plan()?;
                    let needed = plan.memory(&plan.lattice().whole());
                    input::check_memory(&args.running, needed, &plan, &Advice::View)?;
                    let terrain = project.terrain(&plan, monitor)?;
                    let drawing = Drawing { size: Some(SIZE), ..Drawing::default() };
                    let options = drawing.options(Some(project.made_by()))?;
                    let name = path.file_stem().unwrap_or_default().to_string_lossy();
                    let label = match seed.filter(|_| !args.seeds.is_empty()) {
                        Some(seed) => format!("{name}, seed {seed}"),
                        None => name.into_owned(),
                    };
                    pictures.push((label, make::picture(terrain, style, &[], &options)?));
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
    let mut sink = DiskFolder::of_file(&args.output);
    make::put_image(&mut sink, &file_name(&args.output), &image)?;
    sink.finish()?;
    if !args.running.quiet {
        writeln!(std::io::stdout(), "{}", args.output.display())?;
    }
    Ok(())
}
