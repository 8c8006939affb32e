//! The program among files and machines that mean it harm: damaged files of every format, kills, full disks, a second process,
//! links, pipes and devices.
//!
//! The law is short. The program ends by itself, within its time and memory, with 0, 1 or 2; whatever it calls done is what an
//! undisturbed run gives. Everything follows from a seed, so a run can be repeated, and what is bad is shown with the command.

mod damage;
mod interrupted;
mod random;
mod strangers;
mod trial;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};

use crate::project::Project;
use crate::test::Outcome;
use crate::{refuse_rest, take_option};
use random::Random;
use trial::Arena;

/// How much is tried.
#[derive(Clone, Copy, Debug)]
struct Amount {
    files: usize,
    kills: usize,
    disks: usize,
    pairs: usize,
}

/// In `cargo xtask test`.
const SAMPLE: Amount = Amount { files: 150, kills: 4, disks: 4, pairs: 2 };
/// In `cargo xtask adversary` and `cargo xtask test --all`.
const MUCH: Amount = Amount { files: 6000, kills: 60, disks: 40, pairs: 10 };

/// What one kind of harm did.
#[derive(Debug)]
struct Tally {
    what: String,
    runs: usize,
    bad: Vec<String>,
}

/// `cargo xtask adversary`
pub(crate) fn task(project: &Project, words: &[String]) -> Result<()> {
    let mut words = words.to_vec();
    let mut number = |name: &str, default: u64| -> Result<u64> {
        let given = take_option(&mut words, name)?;
        given.map_or(Ok(default), |given| {
            given.parse().with_context(|| format!("{name} is {given}, but must be a number"))
        })
    };
    let seed = number("--seed", 1)?;
    let files = number("--files", MUCH.files as u64)?;
    refuse_rest(&words)?;
    // Half as many files, half as much of the rest.
    let share = |count: usize| (count as u64 * files / MUCH.files as u64).max(1) as usize;
    let amount = Amount {
        files: files.max(1) as usize,
        kills: share(MUCH.kills),
        disks: share(MUCH.disks),
        pairs: share(MUCH.pairs),
    };
    run(project, seed, amount).map(|note| println!("{note}"))
}

/// A sample, or all of it.
pub(crate) fn step(project: &Project) -> Result<Outcome> {
    if !cfg!(unix) {
        return Ok(Outcome::Skipped("limits, pipes and links are those of Unix".to_owned()));
    }
    run(project, 1, if project.runs_all { MUCH } else { SAMPLE }).map(Outcome::Passed)
}

fn run(project: &Project, seed: u64, amount: Amount) -> Result<String> {
    let arena = Arena { program: program(project)?, folder: project.scratch("adversary")? };
    let random = Random::new(seed);
    let start = Instant::now();
    let mut tallies = damage::run(&arena, &random.child(1), amount.files)?;
    tallies.push(interrupted::kills(&arena, &mut random.child(2), amount.kills)?);
    tallies.push(interrupted::full_disks(&arena, &mut random.child(3), amount.disks)?);
    tallies.push(interrupted::pairs(&arena, amount.pairs)?);
    tallies.push(strangers::links(&arena)?);
    tallies.push(strangers::no_files(&arena)?);
    tallies.push(strangers::deaf_ears(&arena)?);
    println!("{:<28} {:>6} {:>5}", "harm", "runs", "bad");
    for Tally { what, runs, bad } in &tallies {
        println!("{what:<28} {runs:>6} {:>5}", bad.len());
    }
    let bad: Vec<_> = tallies.iter().flat_map(|tally| tally.bad.clone()).collect();
    ensure!(bad.is_empty(), "seed {seed}: {} runs are bad:\n{}", bad.len(), bad.join("\n"));
    let runs: usize = tallies.iter().map(|tally| tally.runs).sum();
    Ok(format!("seed {seed}: {runs} runs in {:.0} s, none bad", start.elapsed().as_secs_f64()))
}

fn program(project: &Project) -> Result<PathBuf> {
    project.landform()
}
