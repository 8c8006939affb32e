//! Fuzzing of every reader: `fuzz/` holds the targets and a corpus to start from.
//!
//! The nightly features that the fuzzer needs are switched on in the stable compiler, so that no second
//! toolchain has to be fetched. What a run finds beyond the saved corpus goes under `target`: a test does
//! not change the repository.

use anyhow::{Context, Result, ensure};

use crate::command::Cmd;
use crate::project::Project;
use crate::test::Outcome;
use crate::{refuse_rest, setup, take_option};

/// How long each target is fuzzed in `cargo xtask test`.
const TEST_SECONDS: u32 = 10;

/// `cargo xtask fuzz`: as long as asked for.
pub(crate) fn task(project: &Project, words: &[String]) -> Result<()> {
    let mut words = words.to_vec();
    let seconds = take_option(&mut words, "--seconds")?;
    let seconds = seconds.map_or(Ok(60), |seconds| {
        seconds.parse().with_context(|| format!("--seconds is {seconds}, but must be a number"))
    })?;
    let only = take_option(&mut words, "--only")?;
    refuse_rest(&words)?;
    let known = targets(project)?;
    let wanted = match &only {
        Some(list) => list.split(',').map(str::to_owned).collect(),
        None => known.clone(),
    };
    for target in &wanted {
        ensure!(
            known.contains(target),
            "no target is called {target}; there are {}",
            known.join(", ")
        );
    }
    fuzz(project, &wanted, seconds)
}

/// A bounded run of all targets.
pub(crate) fn step(project: &Project) -> Result<Outcome> {
    if !is_there(project) {
        return Ok(Outcome::Skipped("there is no fuzz/ yet".to_owned()));
    }
    let targets = targets(project)?;
    ensure!(!targets.is_empty(), "fuzz/ has no target");
    fuzz(project, &targets, TEST_SECONDS)?;
    Ok(Outcome::Passed(format!("{} targets, {TEST_SECONDS} s each", targets.len())))
}

/// Whether the repository has fuzz targets.
pub(crate) fn is_there(project: &Project) -> bool {
    project.root.join("fuzz/Cargo.toml").is_file()
}

fn targets(project: &Project) -> Result<Vec<String>> {
    setup::cargo_fuzz(project)?;
    let list = cargo_fuzz(project, "list").read()?;
    Ok(list.split_whitespace().map(str::to_owned).collect())
}

/// Two targets at a time: each takes one core.
fn fuzz(project: &Project, targets: &[String], seconds: u32) -> Result<()> {
    let sanitizer = sanitizer(project)?;
    cargo_fuzz(project, "build").args(["--sanitizer", sanitizer]).run()?;
    for pair in targets.chunks(2) {
        std::thread::scope(|scope| {
            let runs: Vec<_> = pair
                .iter()
                .map(|target| scope.spawn(|| fuzz_one(project, sanitizer, target, seconds)))
                .collect();
            runs.into_iter()
                .try_for_each(|run| run.join().expect("a run of a target does not panic"))
        })?;
    }
    Ok(())
}

fn fuzz_one(project: &Project, sanitizer: &str, target: &str, seconds: u32) -> Result<()> {
    let found = project.target.join("fuzz-corpus").join(target);
    std::fs::create_dir_all(&found)?;
    let saved = project.root.join("fuzz/corpus").join(target);
    // The fuzzer writes to the first corpus and only reads the others.
    let mut run = cargo_fuzz(project, "run").args(["--sanitizer", sanitizer, target]).arg(found);
    if saved.is_dir() {
        run = run.arg(saved);
    }
    // Stores are folders, which a run damages; they go with what else is under `target`.
    let scratch = project.target.join("fuzz-scratch").join(target);
    if scratch.is_dir() {
        std::fs::remove_dir_all(&scratch)?;
    }
    std::fs::create_dir_all(&scratch)?;
    let limit = format!("-max_total_time={seconds}");
    let run = run.quiet_env("TMPDIR", scratch).quiet_env("RAYON_NUM_THREADS", "1");
    run.args([
        "--",
        &limit,
        "-timeout=10",
        "-rss_limit_mb=2048",
        "-verbosity=0",
        "-print_final_stats=1",
    ])
    .run()
}

/// The address sanitiser, if this toolchain has its run-time library. Without it a panic is still found.
fn sanitizer(project: &Project) -> Result<&'static str> {
    let libraries = project.cmd("rustc").args(["--print", "target-libdir"]).read()?;
    let names = std::path::Path::new(libraries.trim()).read_dir()?;
    let has_it =
        names.flatten().any(|entry| entry.file_name().to_string_lossy().contains("rt.asan"));
    Ok(if has_it { "address" } else { "none" })
}

fn cargo_fuzz(project: &Project, verb: &str) -> Cmd {
    let folder = project.target.join("fuzz");
    let cmd = project.cargo(["fuzz", verb, "--fuzz-dir", "fuzz"]).env("RUSTC_BOOTSTRAP", "1");
    cmd.quiet_env("CARGO_TARGET_DIR", folder)
}
