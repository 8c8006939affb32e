//! The core compiled for the web, and run there by Node.
//!
//! Two targets. `wasm32-unknown-unknown` is what browsers get: a module that imports nothing, asked
//! question by question (`xtask/wasm-probe`). `wasm32-wasip1` has standard output and files, so that the
//! test programs themselves run in it.

use std::path::PathBuf;

use anyhow::{Result, ensure};

use crate::project::Project;
use crate::test::{Outcome, passed_in};
use crate::{golden, setup};

const WEB: &str = "wasm32-unknown-unknown";
const WASI: &str = "wasm32-wasip1";

/// The module for wasm32 gives the hashes that are computed natively, and those on record.
pub(crate) fn probe_step(project: &Project) -> Result<Outcome> {
    setup::node(project)?;
    setup::rust_target(project, WEB)?;
    let module = build_probe(project)?;
    let twin = build_twin(project)?;
    let host = project.root.join("xtask/wasm-probe/run.mjs");
    let in_wasm = || project.cmd("node").arg(&host).arg(&module);
    same("math", &in_wasm().arg("math").read()?, &project.cmd(&twin).arg("math").read()?)?;
    let recipes = golden::recipes(project)?;
    for recipe in &recipes {
        let kind = recipe.extension().unwrap_or_default();
        let wasm = in_wasm().arg(kind).arg(recipe).read()?;
        let name = golden::name(recipe);
        ensure!(!wasm.starts_with("error"), "{name}: {wasm}");
        same(&name, &wasm, &project.cmd(&twin).arg(kind).arg(recipe).read()?)?;
        if let Some(on_record) = golden::on_record(project, &name)? {
            same(&format!("{name} on record"), &wasm, &on_record)?;
        }
    }
    Ok(Outcome::Passed(format!("{} recipes", recipes.len())))
}

/// The tests of the core, compiled for wasm32.
pub(crate) fn unit_step(project: &Project) -> Result<Outcome> {
    setup::node(project)?;
    if setup::rust_target(project, WASI).is_err() {
        return Ok(Outcome::Skipped(format!("rustup cannot add {WASI}")));
    }
    let runner = project.root.join("xtask/wasm-probe/wasi.mjs");
    let runner = format!("node --no-warnings {}", runner.display());
    // No threads: wasm32 has none, and the core promises the same bytes without them.
    let package = ["test", "--package", "landform", "--no-default-features", "--target", WASI];
    let mut passed = 0;
    project
        .cargo(package)
        .args(["--lib", "--tests"])
        .env("CARGO_TARGET_WASM32_WASIP1_RUNNER", runner)
        .tee(|line| passed += passed_in(line))?;
    ensure!(passed > 0, "no test ran");
    Ok(Outcome::Passed(format!("{passed} tests passed")))
}

fn build_probe(project: &Project) -> Result<PathBuf> {
    let build = ["build", "--release", "--lib", "--package", "wasm-probe", "--target", WEB];
    project.cargo(build).run()?;
    Ok(project.target.join(WEB).join("release/wasm_probe.wasm"))
}

fn build_twin(project: &Project) -> Result<PathBuf> {
    project.cargo(["build", "--release", "--bins", "--package", "wasm-probe"]).run()?;
    Ok(project.target.join("release/wasm-probe").with_extension(std::env::consts::EXE_EXTENSION))
}

fn same(what: &str, wasm: &str, native: &str) -> Result<()> {
    let names = native.lines().count();
    ensure!(names > 0, "{what}: there is nothing to compare");
    ensure!(
        wasm.lines().count() == names,
        "{what}: wasm32 gives {} hashes instead of {names}:\n{wasm}",
        wasm.lines().count()
    );
    for (wasm, native) in wasm.lines().zip(native.lines()) {
        ensure!(wasm == native, "{what}: wasm32 gives {wasm} instead of {native}");
    }
    println!("{what}: {names} hashes are the same in wasm32");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_hash_that_differs_or_is_missing_is_a_failure() {
        assert!(same("x", "a 1\nb 2\n", "a 1\nb 2\n").is_ok());
        let error = same("x", "a 1\nb 3\n", "a 1\nb 2\n").unwrap_err();
        assert_eq!(error.to_string(), "x: wasm32 gives b 3 instead of b 2");
        assert!(same("x", "a 1\n", "a 1\nb 2\n").is_err());
        assert!(same("x", "", "").is_err());
    }
}
