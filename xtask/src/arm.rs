//! The core compiled for 64-bit ARM, and run there by an emulator.
//!
//! The program is the native twin of the module for wasm32 (`xtask/wasm-probe`), linked against a C library that Rust brings
//! along, so that neither a second compiler nor its libraries are needed. QEMU emulates NEON bit by bit; it is some ten times
//! slower, so recipes are laid out on few grid lines, and only what is quick is compared with the record in full. With
//! `--all`, everything is.

use std::path::PathBuf;

use anyhow::{Result, ensure};

use crate::project::Project;
use crate::test::Outcome;
use crate::wasm::{build_twin, same};
use crate::{golden, setup};

const ARM: &str = "aarch64-unknown-linux-musl";
const EMULATOR: &str = "qemu-aarch64-static";
/// How many times fewer grid lines a side: 65 instead of 1025.
const TIMES: f64 = 16.0;
/// The same for whole maps: 65 instead of 513.
const TIMES_OF_MAPS: f64 = 8.0;
/// The recipes that are also compared with the record, at their full size.
const ON_RECORD: [&str; 2] = ["fbm.toml", "river.toml"];

/// The program for ARM gives the hashes that are computed natively, and those on record.
pub(crate) fn step(project: &Project) -> Result<Outcome> {
    if cfg!(target_arch = "aarch64") {
        return Ok(Outcome::Skipped("this machine is an ARM: golden says it all".to_owned()));
    }
    setup::qemu(project)?;
    setup::rust_target(project, ARM)?;
    let (probe, twin) = (build(project)?, build_twin(project)?);
    let on_arm = || project.cmd(EMULATOR).arg(&probe);
    let simd = on_arm().arg("simd").read()?;
    ensure!(simd.starts_with("Neon"), "the kernels for ARM use {simd} instead of Neon");
    let same = |what: &str, theirs: &str, native: &str| same("ARM", what, theirs, native);
    same("math", &on_arm().arg("math").read()?, &project.cmd(&twin).arg("math").read()?)?;
    let recipes = golden::recipes(project)?;
    let scratch = project.scratch("arm")?;
    let mut in_full = 0;
    for recipe in &recipes {
        let kind = recipe.extension().unwrap_or_default();
        let name = golden::name(recipe);
        let is_map =
            std::fs::read_to_string(recipe)?.lines().any(|line| line.starts_with("topology"));
        let times = if is_map { TIMES_OF_MAPS } else { TIMES };
        let small = golden::thinned(recipe, &scratch, times)?;
        let native = project.cmd(&twin).arg(kind).arg(&small).read()?;
        ensure!(!native.starts_with("error"), "{name} with few samples: {native}");
        same(&name, &on_arm().arg(kind).arg(&small).read()?, &native)?;
        if (project.runs_all || ON_RECORD.contains(&name.as_str()))
            && let Some(on_record) = golden::on_record(project, &name)?
        {
            let hashes = on_arm().arg(kind).arg(recipe).read()?;
            same(&format!("{name} on record"), &hashes, &on_record)?;
            in_full += 1;
        }
    }
    Ok(Outcome::Passed(format!("{} recipes, {in_full} of them in full", recipes.len())))
}

fn build(project: &Project) -> Result<PathBuf> {
    let build = ["build", "--release", "--bins", "--package", "wasm-probe", "--target", ARM];
    // Rust has its own copy of LLVM's linker.
    project.cargo(build).env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER", "rust-lld").run()?;
    Ok(project.target.join(ARM).join("release/wasm-probe"))
}
