//! The program `landform`: what was typed, turned into work of the core.
#![warn(clippy::print_stderr)]

mod args;
mod build;
mod cluster;
mod compare;
mod export;
mod huge;
mod input;
mod inspect;
mod man;
mod new;
mod output;
mod report;
mod running;
mod skyline;
mod stages;
mod sweep;
mod talk;
mod view;

use std::io::Write as _;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, error::ErrorKind};

use args::{Cli, Command};

/// The call was wrong, in a way that only showed when its parts were looked at together.
#[derive(Debug)]
pub(crate) struct Misuse(String);

impl std::fmt::Display for Misuse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misuse {}

/// The error of a wrong call.
pub(crate) fn misuse(message: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(Misuse(message.into()))
}

/// A file that grows beyond `ulimit -f` is an error like a full disk, and does not end the process where it stands.
#[cfg(unix)]
fn keep_file_size_signals() {
    use nix::sys::signal::{SigSet, Signal};
    // Threads that are started later have it too. Where it cannot be done, things are as they were.
    let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
}

#[cfg(not(unix))]
fn keep_file_size_signals() {}

fn main() -> ExitCode {
    keep_file_size_signals();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            let is_asked_for =
                matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            return ExitCode::from(if is_asked_for { 0 } else { 2 });
        }
    };
    match run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if is_closed(&error) {
                return ExitCode::SUCCESS;
            }
            let (text, code) = told(&error);
            talk::say(format_args!("error: {text}"));
            ExitCode::from(code)
        }
    }
}

/// Whether the reader of our standard output has had enough.
fn is_closed(error: &anyhow::Error) -> bool {
    use landform_project::Error::Write;
    let io = match error.downcast_ref() {
        Some(Write { cause: landform_io::Error::Io(io), .. }) => Some(io),
        _ => error.downcast_ref::<std::io::Error>(),
    };
    io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

/// An error as the user hears it, and the exit code: 2 if the call was wrong.
fn told(error: &anyhow::Error) -> (String, u8) {
    if let Some(landform_project::Error::Wish { wish, message }) = error.downcast_ref() {
        let option = input::option(wish).map(|option| format!("{option}: ")).unwrap_or_default();
        return (format!("{option}{message}"), 2);
    }
    (format!("{error:#}"), if error.is::<Misuse>() { 2 } else { 1 })
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::New(args) => new::run(&args),
        Command::Build(args) => build::run(&args),
        Command::View(args) => view::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Sweep(args) => sweep::run(&args),
        Command::Skyline(args) => skyline::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Stages(args) => stages::run(&args),
        Command::Completions(args) => {
            let mut script = Vec::new();
            clap_complete::generate(args.shell, &mut Cli::command(), "landform", &mut script);
            Ok(std::io::stdout().write_all(&script)?)
        }
        Command::Man(args) => man::run(&args),
    }
}
