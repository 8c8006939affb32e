//! The core compiled for the web, and run there by Node.
//!
//! `wasm32-unknown-unknown` is what browsers get: a module that imports nothing, asked question by question
//! (`xtask/wasm-probe`).

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use crate::project::Project;
use crate::test::Outcome;
use crate::{golden, setup};

const WEB: &str = "wasm32-unknown-unknown";
/// The recipes that are also compared with the record, at their full size.
const ON_RECORD: [&str; 3] = ["mountains.toml", "fbm.toml", "river.toml"];

/// The module for wasm32 gives the hashes that are computed natively, and those on record.
pub(crate) fn probe_step(project: &Project) -> Result<Outcome> {
    setup::node(project)?;
    setup::rust_target(project, WEB)?;
    let module = build_probe(project)?;
    let twin = build_twin(project)?;
    let host = project.root.join("xtask/wasm-probe/run.mjs");
    let in_wasm = || project.cmd("node").arg(&host).arg(&module);
    let same = |what: &str, theirs: &str, native: &str| same("wasm32", what, theirs, native);
    same("math", &in_wasm().arg("math").read()?, &project.cmd(&twin).arg("math").read()?)?;
    let recipes = golden::recipes(project)?;
    let scratch = project.scratch("wasm")?;
    for recipe in &recipes {
        let kind = recipe.extension().unwrap_or_default();
        let small = golden::small(recipe, &scratch)?;
        let name = golden::name(recipe);
        let hashes_of = |recipe: &Path| -> Result<String> {
            let hashes = in_wasm().arg(kind).arg(recipe).read()?;
            ensure!(!hashes.starts_with("error"), "{name}: {hashes}");
            Ok(hashes)
        };
        same(&name, &hashes_of(&small)?, &project.cmd(&twin).arg(kind).arg(&small).read()?)?;
        // In full only what is quick.
        if ON_RECORD.contains(&name.as_str())
            && let Some(on_record) = golden::on_record(project, &name)?
        {
            same(&format!("{name} on record"), &hashes_of(recipe)?, &on_record)?;
        }
    }
    Ok(Outcome::Passed(format!("{} recipes", recipes.len())))
}

fn build_probe(project: &Project) -> Result<PathBuf> {
    // With the profile of the page, so that the core is compiled for both at once.
    let build = ["build", "--profile", "trial", "--lib", "--package", "wasm-probe"];
    project.cargo(build).args(["--target", WEB]).run()?;
    Ok(project.target.join(WEB).join("trial/wasm_probe.wasm"))
}

/// Builds the native twin of the module and says where it is.
pub(crate) fn build_twin(project: &Project) -> Result<PathBuf> {
    project.cargo(["build", "--release", "--bins", "--package", "wasm-probe"]).run()?;
    Ok(project.target.join("release/wasm-probe").with_extension(std::env::consts::EXE_EXTENSION))
}

/// Compares hashes of another machine with those of this one.
pub(crate) fn same(machine: &str, what: &str, theirs: &str, native: &str) -> Result<()> {
    let names = native.lines().count();
    ensure!(names > 0, "{what}: there is nothing to compare");
    ensure!(
        theirs.lines().count() == names,
        "{what}: {machine} gives {} hashes instead of {names}:\n{theirs}",
        theirs.lines().count()
    );
    for (theirs, native) in theirs.lines().zip(native.lines()) {
        ensure!(theirs == native, "{what}: {machine} gives {theirs} instead of {native}");
    }
    println!("{what}: {names} hashes are the same in {machine}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_hash_that_differs_or_is_missing_is_a_failure() {
        assert!(same("wasm32", "x", "a 1\nb 2\n", "a 1\nb 2\n").is_ok());
        let error = same("wasm32", "x", "a 1\nb 3\n", "a 1\nb 2\n").unwrap_err();
        assert_eq!(error.to_string(), "x: wasm32 gives b 3 instead of b 2");
        assert!(same("wasm32", "x", "a 1\n", "a 1\nb 2\n").is_err());
        assert!(same("wasm32", "x", "", "").is_err());
    }
}
