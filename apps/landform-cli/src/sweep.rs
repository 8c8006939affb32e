//! `landform sweep`

use std::io::Write as _;
use std::path::{Path, PathBuf};

use landform_project::make::Output;
use landform_project::sweep::{Sweep, Swept};
use landform_project::{Kind, Observer as _};
use landform_view::Style;

use crate::args::{self, Changes};
use crate::input;
use crate::output::{self, Contents};
use crate::{misuse, running, talk};

pub(crate) fn run(args: &args::Sweep) -> anyhow::Result<()> {
    if args.seeds.is_none() && args.set.is_empty() {
        return Err(misuse(
            "nothing varies: give --seeds A..B or --set STAGE.PARAMETER=VALUE,VALUE",
        ));
    }
    let changes = Changes { size: args.size, ..Changes::default() };
    let project = input::open(Some(&args.input), &changes, (&args.reading, &args.running))?;
    if project.kind() != Kind::Recipe {
        let kind = project.kind().name();
        return Err(misuse(format!("a sweep takes a recipe or a preset, not a {kind}")));
    }
    input::warn(&project, args.running.quiet);
    let table = match &args.table {
        Some(table) => table.clone(),
        None => folder_of(&args.outputs[0]).join("sweep.csv"),
    };
    let threads = args.running.threads.map(usize::from);
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let sweep = Sweep {
        project: &project,
        seeds: args.seeds.clone().map(|seeds| seeds.0).unwrap_or_default(),
        set: args.set.iter().map(|(name, text)| (name.clone(), values(text))).collect(),
        outputs: args.outputs.clone(),
        style: args.style.as_deref().and_then(Style::named),
        table,
        memory: args.running.memory,
        side_by_side: threads.unwrap_or_else(cores),
    };
    let planned = sweep.planned()?;
    if !args.force {
        for typed in planned.runs().iter().flat_map(|run| &run.outputs) {
            if let (Output::Bundle, folder) = Output::of(typed)? {
                output::refuse_foreign(folder, Contents::Listed)?;
            }
        }
    }
    for pattern in &args.outputs {
        output::prepare(&folder_of(pattern).join("any"), args.making.mkdir)
            .map_err(|error| error.context(format!("-o {pattern}")))?;
    }
    output::prepare(&sweep.table, args.making.mkdir)?;
    let Swept { made, found, warnings } = running::run(&args.running, |monitor| {
        let swept = planned.run(monitor);
        if swept.is_err() {
            monitor.note("the same command goes on where this one stopped");
        }
        swept
    })??;
    for warning in warnings {
        talk::warn(args.running.quiet, warning);
    }
    if !args.running.quiet {
        let there = if found > 0 { format!(", {found} were there") } else { String::new() };
        let table = sweep.table.display();
        writeln!(std::io::stdout(), "{made} terrains{there}, their numbers are in {table}")?;
    }
    Ok(())
}

/// The folder that all runs of a pattern have in common; a map has its name before the path.
fn folder_of(pattern: &str) -> PathBuf {
    let path = match Output::of(pattern) {
        Ok((_, path)) => path.to_string_lossy().into_owned(),
        Err(_) => pattern.to_owned(),
    };
    let fixed = path.split('{').next().unwrap_or_default();
    match fixed.rfind('/') {
        Some(end) => Path::new(&fixed[..=end]).to_owned(),
        None => PathBuf::new(),
    }
}

/// The values of a parameter: divided by commas that are in no list, table or text.
fn values(text: &str) -> Vec<String> {
    let (mut values, mut depth, mut is_text) = (vec![String::new()], 0, false);
    for c in text.chars() {
        match c {
            '"' => is_text = !is_text,
            '[' | '{' if !is_text => depth += 1,
            ']' | '}' if !is_text => depth -= 1,
            ',' if depth == 0 && !is_text => {
                values.push(String::new());
                continue;
            }
            _ => {}
        }
        values.last_mut().expect("there is at least one").push(c);
    }
    values.iter().map(|value| value.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_divided_by_commas_outside_of_lists() {
        assert_eq!(values("0.7, 0.9"), ["0.7", "0.9"]);
        assert_eq!(values("[1, 2],[3, 4]"), ["[1, 2]", "[3, 4]"]);
        assert_eq!(values("\"a,b\",\"c\""), ["\"a,b\"", "\"c\""]);
        assert_eq!(values("{ kind = \"slope\", from = 3 }"), ["{ kind = \"slope\", from = 3 }"]);
    }

    #[test]
    fn the_folder_of_a_pattern_is_what_comes_before_all_that_varies() {
        assert_eq!(folder_of("runs/{seed}.png"), Path::new("runs/"));
        assert_eq!(folder_of("runs/a-{seed}/"), Path::new("runs/"));
        assert_eq!(folder_of("slope=runs/{seed}.npy"), Path::new("runs/"));
        assert_eq!(folder_of("{seed}.png"), Path::new(""));
    }
}
