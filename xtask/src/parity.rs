//! One product through every door: the program, Python and the studio make the same files.
//!
//! Each preset gets a copy with a small design lattice, since simulations run at the design size whatever the output. Every
//! door makes its standard bundle and the folder for one of the export targets, in turn. File lists and bytes must be equal.
//! The page does the same for some presets in `web/tests/page.mjs`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use crate::project::{Project, stem};
use crate::test::Outcome;
use crate::{golden, python, studio};

/// Number of grid lines of a copy; whole maps are twice as wide as high.
pub(crate) const SIZE: &str = "65x65";
pub(crate) const MAP_SIZE: &str = "129x65";

/// A copy of a preset, and the target that it is exported for.
struct Job {
    name: String,
    recipe: PathBuf,
    /// Name and title of the target.
    target: (String, String),
}

pub(crate) fn step(project: &Project) -> Result<Outcome> {
    let program = project.landform()?;
    let python = python::with_package(project)?;
    let root = project.scratch("parity")?;
    let jobs = jobs(project, &program, &python, &root)?;
    by_program(project, &program, &jobs, &root.join("program"))?;
    let script = project.root.join("bindings/python/parity.py");
    project.cmd(&python).arg(script).arg(&root).run()?;
    let mut doors = vec!["python"];
    if studio::can_run(project)? {
        let test = ["test", "--package", "landform-studio", "--test", "parity"];
        project.cargo(test).env("LANDFORM_PARITY", &root).run()?;
        doors.push("studio");
    }
    let mut differences = Vec::new();
    let mut count = 0;
    for door in &doors {
        for job in &jobs {
            for folder in [job.name.clone(), format!("{}-{}", job.name, job.target.0)] {
                let ours = files(&root.join("program").join(&folder))?;
                let theirs = files(&root.join(door).join(&folder))?;
                count += theirs.len();
                let found = compare(&ours, &theirs);
                differences.extend(found.into_iter().map(|what| format!("{door}/{folder}/{what}")));
            }
        }
    }
    ensure!(
        differences.is_empty(),
        "{} files differ from those of the program:\n  {}",
        differences.len(),
        differences.join("\n  ")
    );
    Ok(Outcome::Passed(format!(
        "{} presets, {count} files of {} are those of the program",
        jobs.len(),
        doors.join(" and ")
    )))
}

/// Makes the copies, and a list of them for the other doors.
fn jobs(project: &Project, program: &Path, python: &Path, root: &Path) -> Result<Vec<Job>> {
    let list = "import landform\nfor name, title in landform.targets(): print(name, title)";
    let targets = project.cmd(python).args(["-c", list]).read()?;
    let targets: Vec<(String, String)> = targets
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, title)| (name.to_owned(), title.to_owned()))
        .collect();
    ensure!(!targets.is_empty(), "the package names no target");
    let folder = root.join("recipes");
    std::fs::create_dir_all(&folder)?;
    let mut jobs = Vec::new();
    for (k, preset) in golden::recipes(project)?.iter().enumerate() {
        let name = stem(preset);
        let is_map =
            std::fs::read_to_string(preset)?.lines().any(|line| line.starts_with("topology"));
        let recipe = folder.join(format!("{name}.toml"));
        let size = if is_map { MAP_SIZE } else { SIZE };
        let new = project.cmd(program).args(["new", &name, "--quiet", "--size", size, "-o"]);
        new.arg(&recipe).run()?;
        // Unity takes no more than 10 km of relief, which worlds have.
        let suits = |target: &&(String, String)| !is_map || target.0 != "unity";
        let target = targets.iter().cycle().skip(k % targets.len()).find(suits).cloned();
        jobs.push(Job { name, recipe, target: target.context("no target suits")? });
    }
    let lines: Vec<String> = jobs
        .iter()
        .map(|job| format!("{} {} {}\n", job.name, job.target.0, job.target.1))
        .collect();
    std::fs::write(root.join("jobs.txt"), lines.concat())?;
    Ok(jobs)
}

fn by_program(project: &Project, program: &Path, jobs: &[Job], out: &Path) -> Result<()> {
    std::fs::create_dir_all(out)?;
    for job in jobs {
        let target = job.target.0.as_str();
        // With a slash at its end, it is the folder of a bundle.
        let bundle = project.cmd(program).args(["build", "--quiet"]).arg(&job.recipe).arg("-o");
        bundle.arg(out.join(&job.name).join("")).run()?;
        let export = project.cmd(program).args(["build", "--quiet", "--for", target]);
        let folder = out.join(format!("{}-{target}", job.name));
        export.arg(&job.recipe).arg("-o").arg(folder).run()?;
    }
    Ok(())
}

/// The files of a folder with their bytes.
fn files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let entries = folder.read_dir().with_context(|| format!("cannot list {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        files.insert(name, std::fs::read(entry.path())?);
    }
    Ok(files)
}

/// The files that are missing, too many, or different.
fn compare(ours: &BTreeMap<String, Vec<u8>>, theirs: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let missing = ours.keys().filter(|name| !theirs.contains_key(*name));
    let missing = missing.map(|name| format!("{name} is missing"));
    let others = theirs.iter().filter_map(|(name, bytes)| match ours.get(name) {
        None => Some(format!("{name} is not made by the program")),
        Some(expected) if expected != bytes => Some(format!("{name} has other bytes")),
        Some(_) => None,
    });
    missing.chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_a_further_and_a_changed_file_are_found() {
        let folder = |files: &[(&str, &[u8])]| -> BTreeMap<String, Vec<u8>> {
            files.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect()
        };
        let ours = folder(&[("a", b"1"), ("b", b"2"), ("c", b"3")]);
        assert!(compare(&ours, &ours.clone()).is_empty());
        let theirs = folder(&[("a", b"1"), ("b", b"0"), ("d", b"4")]);
        let found = compare(&ours, &theirs);
        assert_eq!(found, ["c is missing", "b has other bytes", "d is not made by the program"]);
    }
}
