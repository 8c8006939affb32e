//! `landform man`

use clap::CommandFactory as _;

use landform_project::{DiskFolder, Sink};

use crate::args::{Cli, Man};

pub(crate) fn run(args: &Man) -> anyhow::Result<()> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let mut sink = DiskFolder::new(&args.output);
    write(&command, &mut sink)?;
    Ok(sink.finish()?)
}

fn write(command: &clap::Command, sink: &mut dyn Sink) -> anyhow::Result<()> {
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        write(inner, sink)?;
    }
    let page = clap_mangen::Man::new(command.clone());
    let mut bytes = Vec::new();
    page.render(&mut bytes)?;
    let text = with_examples(&String::from_utf8(bytes)?);
    Ok(sink.put_text(&page.get_filename(), &text)?)
}

/// What stands after the options are examples: under a heading that says so, each on its line.
fn with_examples(page: &str) -> String {
    let mut lines = Vec::new();
    let mut is_example = false;
    for line in page.lines() {
        if is_example && line.starts_with(".SH") {
            lines.push(".fi");
            is_example = false;
        }
        match line {
            ".SH EXTRA" => {
                lines.extend([".SH EXAMPLES", ".nf"]);
                is_example = true;
            }
            // Not needed where lines stay lines, and the heading says it already.
            "Examples:" | "Example:" | ".br" if is_example => {}
            _ => lines.push(line),
        }
    }
    if is_example {
        lines.push(".fi");
    }
    lines.join("\n") + "\n"
}
