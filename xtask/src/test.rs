//! `cargo xtask test`: every check, one named step after the other.
//!
//! A step that fails does not keep the others from running: the summary at the end says what is wrong and
//! how to run that step alone.

use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};

use crate::project::Project;
use crate::{
    adversary, arm, blender, deny, external, fuzz, golden, graph, parity, python, refuse_rest,
    studio, take_flag, take_option, tour, wasm, web,
};

/// One check of the repository.
pub(crate) struct Step {
    /// What it is called on the command line.
    pub(crate) name: &'static str,
    /// What it checks.
    pub(crate) about: &'static str,
    run: fn(&Project) -> Result<Outcome>,
}

/// How a step ended that did not fail.
pub(crate) enum Outcome {
    /// All is well, with what is worth saying about it.
    Passed(String),
    /// This machine cannot run it.
    Skipped(String),
}

impl Outcome {
    /// All is well, and there is nothing to say about it.
    pub(crate) const PASSED: Self = Self::Passed(String::new());
}

/// The steps in the order in which they run: what is quick and fails often comes first.
pub(crate) const STEPS: &[Step] = &[
    Step { name: "fmt", about: "the formatting", run: fmt },
    Step {
        name: "graph",
        about: "the folders of the core use each other one way only",
        run: graph::step,
    },
    Step {
        name: "deny",
        about: "licences, duplicates and bans of what we depend on",
        run: deny::step,
    },
    Step { name: "clippy", about: "the lints, warnings being errors", run: clippy },
    Step {
        name: "unit",
        about: "cargo test: unit, property, command-line and doc tests",
        run: unit,
    },
    Step { name: "doc", about: "the documentation, warnings being errors", run: doc },
    Step { name: "tour", about: "the commands and links of the documentation", run: tour::step },
    Step {
        name: "golden",
        about: "the recipes give the pictures and hashes on record",
        run: golden::step,
    },
    Step {
        name: "external",
        about: "other programs read what landform wrote",
        run: external::step,
    },
    Step {
        name: "wasm",
        about: "the core in wasm32 gives the bytes of the program",
        run: wasm::probe_step,
    },
    Step {
        name: "arm",
        about: "the core on 64-bit ARM gives the bytes of the program",
        run: arm::step,
    },
    Step { name: "web", about: "the studio as a web page, used in a real browser", run: web::step },
    Step {
        name: "studio",
        about: "the editor: its panels, keys and pictures, and the program in a window",
        run: studio::step,
    },
    Step {
        name: "python",
        about: "the Python package, installed from its wheel",
        run: python::step,
    },
    Step {
        name: "parity",
        about: "program, Python and studio make the same files of every preset",
        run: parity::step,
    },
    Step {
        name: "blender",
        about: "the Blender extension, installed and used in a real Blender",
        run: blender::step,
    },
    Step {
        name: "adversary",
        about: "damaged files, kills, full disks, links and pipes: the program ends well",
        run: adversary::step,
    },
    Step { name: "fuzz", about: "a few seconds of fuzzing for each reader", run: fuzz::step },
];

/// Runs the steps that were asked for; all without `--only`.
pub(crate) fn task(project: &Project, words: &[String]) -> Result<()> {
    let mut words = words.to_vec();
    if take_flag(&mut words, "--list") {
        STEPS.iter().for_each(|step| println!("{:<10} {}", step.name, step.about));
        return Ok(());
    }
    let project = &Project { runs_all: take_flag(&mut words, "--all"), ..project.clone() };
    let only = named_steps(take_option(&mut words, "--only")?)?;
    let skip = named_steps(take_option(&mut words, "--skip")?)?.unwrap_or_default();
    refuse_rest(&words)?;
    let wanted = |step: &&Step| {
        only.as_ref().is_none_or(|only| only.contains(&step.name)) && !skip.contains(&step.name)
    };
    let results: Vec<_> = STEPS.iter().filter(wanted).map(|step| time(project, step)).collect();
    report(&results)
}

fn named_steps(list: Option<String>) -> Result<Option<Vec<&'static str>>> {
    let find = |name: &str| match STEPS.iter().find(|step| step.name == name) {
        Some(step) => Ok(step.name),
        None => bail!("no step is called {name}; cargo xtask test --list names them"),
    };
    list.map(|list| list.split(',').map(find).collect()).transpose()
}

struct Timed {
    step: &'static Step,
    result: Result<Outcome>,
    took: Duration,
}

fn time(project: &Project, step: &'static Step) -> Timed {
    println!("\n── {}: {}", step.name, step.about);
    let start = Instant::now();
    let result = (step.run)(project);
    if let Err(error) = &result {
        eprintln!("{} failed: {error:#}", step.name);
    }
    Timed { step, result, took: start.elapsed() }
}

fn report(results: &[Timed]) -> Result<()> {
    let total: Duration = results.iter().map(|timed| timed.took).sum();
    println!("\n── summary");
    for Timed { step, result, took } in results {
        let (word, note) = match result {
            Ok(Outcome::Passed(note)) => ("ok", note.clone()),
            Ok(Outcome::Skipped(why)) => ("SKIPPED", why.clone()),
            Err(error) => ("FAILED", format!("{error:#}")),
        };
        let line = format!("{:<10} {:>7.1} s  {word:<7}  {note}", step.name, took.as_secs_f64());
        println!("{}", line.trim_end());
    }
    println!("{:<10} {:>7.1} s", "all", total.as_secs_f64());
    let failed: Vec<_> = results.iter().filter(|timed| timed.result.is_err()).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = failed.iter().map(|timed| timed.step.name).collect();
    bail!("{} failed; repeat with: cargo xtask test --only {}", names.join(", "), names.join(","))
}

fn fmt(project: &Project) -> Result<Outcome> {
    project.cargo(["fmt", "--all", "--check"]).run()?;
    if fuzz::is_there(project) {
        // The fuzz targets are a workspace of their own.
        project.cargo(["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"]).run()?;
    }
    Ok(Outcome::PASSED)
}

fn clippy(project: &Project) -> Result<Outcome> {
    let args = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    project.cargo(args).run()?;
    Ok(Outcome::PASSED)
}

fn unit(project: &Project) -> Result<Outcome> {
    let mut passed = 0;
    // The studio needs a screen and drivers, which its own step sees to.
    let args = ["test", "--workspace", "--exclude", "landform-studio", "--no-fail-fast"];
    let test = project.cargo(args);
    test.tee(|line| passed += passed_in(line))?;
    ensure!(passed > 0, "cargo test ran no test");
    Ok(Outcome::Passed(format!("{passed} tests passed")))
}

fn doc(project: &Project) -> Result<Outcome> {
    let doc = project.cargo(["doc", "--workspace", "--no-deps", "--document-private-items"]);
    doc.env("RUSTDOCFLAGS", "-D warnings").run()?;
    Ok(Outcome::PASSED)
}

/// How many tests passed, if this is the line that sums up a test program's run.
pub(crate) fn passed_in(line: &str) -> usize {
    let passed = line.strip_prefix("test result: ok. ");
    passed.and_then(|rest| rest.split_once(" passed")?.0.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passed_tests_are_counted_from_the_line_that_sums_up() {
        let line = "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";
        assert_eq!(passed_in(line), 12);
        assert_eq!(passed_in("test result: FAILED. 3 passed; 1 failed"), 0);
        assert_eq!(passed_in("running 12 tests"), 0);
    }

    #[test]
    fn an_unknown_step_is_refused() {
        assert_eq!(named_steps(Some("fmt,doc".into())).unwrap(), Some(vec!["fmt", "doc"]));
        assert!(named_steps(Some("fmt,nothing".into())).is_err());
    }
}
