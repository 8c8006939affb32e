//! How Landform is built and tested: the same commands for people and for CI.
//!
//! Each file is a group of tasks; [`TASKS`] lists them.
#![expect(clippy::print_stdout, reason = "a task talks to the person who started it")]

mod adversary;
mod arm;
mod bench;
mod blender;
mod command;
mod counts;
mod deny;
mod external;
mod fuzz;
mod gallery;
mod golden;
mod graph;
mod markdown;
mod parity;
mod picture;
mod project;
mod python;
mod serve;
mod setup;
mod source;
mod studio;
mod test;
mod tour;
mod wasm;
mod web;
mod wheel;

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::project::Project;

/// Something that can be asked for by name, with the words that follow its name.
struct Task {
    name: &'static str,
    about: &'static str,
    run: fn(&Project, &[String]) -> Result<()>,
}

const TASKS: &[Task] = &[
    Task {
        name: "test",
        about: "every check, with all set-up it needs; --only STEP[,STEP], --skip STEP[,STEP], --list, --all runs long checks in full",
        run: test::task,
    },
    Task {
        name: "golden",
        about: "renders the recipes and writes down their pictures and hashes; --check compares instead",
        run: golden::task,
    },
    Task {
        name: "gallery",
        about: "renders the pictures of the documentation into docs/gallery",
        run: gallery::task,
    },
    Task {
        name: "graph",
        about: "draws which folders of the core use which; --mermaid, --write puts it into ARCHITECTURE.md",
        run: graph::task,
    },
    Task {
        name: "counts",
        about: "counts names, traits, public items, repeated functions, lines and comments in the source",
        run: counts::task,
    },
    Task {
        name: "wheel",
        about: "builds the Python wheel for this machine; --target T[,T] or --all for every platform",
        run: wheel::task,
    },
    Task {
        name: "blender",
        about: "builds and validates the Blender extension; --all checks it in every Blender, --render draws, \
            --target T[,T] or --platforms bundles wheels for others",
        run: blender::task,
    },
    Task {
        name: "web",
        about: "builds the studio as a web page and serves it; --port N, --build does not serve",
        run: web::task,
    },
    Task {
        name: "stubs",
        about: "writes the Python functions of the stages from their parameters; --check compares",
        run: python::stubs_task,
    },
    Task {
        name: "studio",
        about: "starts the editor; further words are files to open",
        run: studio::task,
    },
    Task {
        name: "bench",
        about: "the benchmarks; further words go to criterion",
        run: bench::task,
    },
    Task {
        name: "adversary",
        about: "runs the program on damaged files, full disks and the like; --seed N, --files N",
        run: adversary::task,
    },
    Task {
        name: "fuzz",
        about: "fuzzes each target; --seconds N, --only TARGET[,TARGET]",
        run: fuzz::task,
    },
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(words: &[String]) -> Result<()> {
    let Some((name, rest)) = words.split_first() else {
        print!("{}", usage());
        return Ok(());
    };
    if ["help", "--help", "-h", "list"].contains(&name.as_str()) {
        print!("{}", usage());
        return Ok(());
    }
    match TASKS.iter().find(|task| task.name == name) {
        Some(task) => (task.run)(&Project::here(), rest),
        None => bail!("no task is called {name}\n\n{}", usage()),
    }
}

fn usage() -> String {
    let mut text = "cargo xtask TASK\n\n".to_owned();
    for Task { name, about, .. } in TASKS {
        text += &format!("  {name:<9} {about}\n");
    }
    text += "\nSteps of test, in order:\n\n";
    for step in test::STEPS {
        text += &format!("  {:<10} {}\n", step.name, step.about);
    }
    text
}

/// Takes `--name VALUE` or `--name=VALUE` out of the words of a task.
fn take_option(words: &mut Vec<String>, name: &str) -> Result<Option<String>> {
    if let Some(at) = words.iter().position(|word| word == name) {
        if at + 1 == words.len() {
            bail!("{name} wants a value");
        }
        words.remove(at);
        return Ok(Some(words.remove(at)));
    }
    let with_equals = format!("{name}=");
    let at = words.iter().position(|word| word.starts_with(&with_equals));
    Ok(at.map(|at| words.remove(at)[with_equals.len()..].to_owned()))
}

/// Takes `--name` out of the words of a task, and says whether it was there.
fn take_flag(words: &mut Vec<String>, name: &str) -> bool {
    let before = words.len();
    words.retain(|word| word != name);
    words.len() < before
}

/// Refuses what a task did not take.
fn refuse_rest(words: &[String]) -> Result<()> {
    match words.first() {
        Some(word) => bail!("unexpected {word}\n\n{}", usage()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_taken_with_a_space_or_with_an_equals_sign() {
        let mut words = ["--only", "fmt", "--seconds=3", "rest"].map(String::from).to_vec();
        assert_eq!(take_option(&mut words, "--only").unwrap().as_deref(), Some("fmt"));
        assert_eq!(take_option(&mut words, "--seconds").unwrap().as_deref(), Some("3"));
        assert_eq!(take_option(&mut words, "--skip").unwrap(), None);
        assert!(refuse_rest(&words).is_err());
        let mut bare = vec!["--only".to_owned()];
        assert!(take_option(&mut bare, "--only").is_err());
    }
}
