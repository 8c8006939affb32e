//! Builds that are killed, run out of disk, or meet each other. The same command is then given again, and the files are those of
//! an undisturbed run.

use std::collections::BTreeMap;
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Result, ensure};

use super::Tally;
use super::random::Random;
use super::trial::{Arena, files, remove};

const RECIPE: &str = "version = 1\nseed = 5\nsize = [129, 129]\nspacing = [40.0, 40.0]\n\n[[stage]]\nkind = \"uplift\"\npeaks = 200\n\n\
    [[stage]]\nkind = \"hydraulic\"\nsteps = 40\n";

/// A store in shards of tiles, whose simulation is kept.
const STORE: &[&str] = &[
    "build", "big.toml", "-q", "--size", "1025x769", "--chunk", "64", "--shard", "256", "-o",
    "s.zarr",
];
/// A folder of files that belong together.
const BUNDLE: &[&str] = &["build", "big.toml", "-q", "--force", "-o", "bundle/"];

/// A command, what it makes, and how long it takes.
struct Job {
    words: &'static [&'static str],
    out: &'static str,
    expected: BTreeMap<String, Vec<u8>>,
    took: Duration,
}

/// A folder with the recipe, and what undisturbed runs make there.
struct Reference {
    arena: Arena,
    jobs: [Job; 2],
}

impl Reference {
    fn new(arena: &Arena, name: &str) -> Result<Self> {
        let arena = arena.inside(name)?;
        arena.write("big.toml", RECIPE)?;
        let made = |words: &'static [&'static str], out: &'static str| -> Result<Job> {
            let took = arena.ok(words)?;
            let expected = files(&arena.path(out))?;
            ensure!(!expected.is_empty(), "{out} is empty");
            remove(&arena.path(out))?;
            Ok(Job { words, out, expected, took })
        };
        let jobs = [made(STORE, "s.zarr")?, made(BUNDLE, "bundle")?];
        Ok(Self { arena, jobs })
    }

    /// Gives the command once more and compares; then clears up.
    fn resumed(&self, job: &Job, what: &str) -> Result<Option<String>> {
        let Job { words, out, expected, .. } = job;
        let end = self.arena.run(words)?;
        let mut fault = (end.code != Some(0)).then(|| format!("{what}, then {}", end.shown(words)));
        if fault.is_none() && files(&self.arena.path(out))? != *expected {
            fault = Some(format!("{what}: {out} is not what an undisturbed run gives"));
        }
        remove(&self.arena.path(out))?;
        Ok(fault)
    }
}

/// Kills at random moments.
pub(super) fn kills(arena: &Arena, random: &mut Random, count: usize) -> Result<Tally> {
    let reference = Reference::new(arena, "killed")?;
    let mut bad = Vec::new();
    for number in 0..count {
        let job = &reference.jobs[number % 2];
        let mut child = reference.arena.start(job.words, None)?;
        let moment = job.took.mul_f64(random.share());
        sleep(moment);
        child.kill()?;
        child.wait()?;
        let what = format!("{} killed after {} ms", job.out, moment.as_millis());
        bad.extend(reference.resumed(job, &what)?);
    }
    Ok(Tally { what: "killed, then resumed".to_owned(), runs: count, bad })
}

/// Files that cannot grow beyond a random length, as on a disk that is full.
pub(super) fn full_disks(arena: &Arena, random: &mut Random, count: usize) -> Result<Tally> {
    let reference = Reference::new(arena, "full")?;
    let mut bad = Vec::new();
    for number in 0..count {
        let job = &reference.jobs[number % 2];
        let Job { words, out, expected, .. } = job;
        let longest = expected.values().map(Vec::len).max().unwrap_or_default();
        let blocks = random.below(longest / 512 + 1) as u64;
        let end = reference.arena.wait(reference.arena.start(words, Some(blocks))?, words)?;
        let what = format!("{out} with no file over {blocks} blocks");
        if !end.is_good() {
            bad.push(format!("{what}: {}", end.shown(words)));
        }
        bad.extend(reference.resumed(job, &what)?);
    }
    Ok(Tally { what: "full disk, then resumed".to_owned(), runs: count, bad })
}

/// Two processes that fill one store.
pub(super) fn pairs(arena: &Arena, count: usize) -> Result<Tally> {
    let reference = Reference::new(arena, "pairs")?;
    // Other words for the same, so that each has its own file for what it says.
    let second = [STORE, &["--threads", "1"]].concat();
    let mut bad = Vec::new();
    for _ in 0..count {
        let children = [reference.arena.start(STORE, None)?, reference.arena.start(&second, None)?];
        for (child, words) in children.into_iter().zip([STORE, &second]) {
            let end = reference.arena.wait(child, words)?;
            if end.code != Some(0) {
                bad.push(format!("two at a time: {}", end.shown(words)));
            }
        }
        bad.extend(reference.resumed(&reference.jobs[0], "two at a time")?);
    }
    Ok(Tally { what: "two processes, one store".to_owned(), runs: count, bad })
}
