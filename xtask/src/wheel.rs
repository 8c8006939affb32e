//! Wheels of the Python package: for this machine, and for every platform that Python and Blender have users on.
//!
//! One wheel serves every Python from 3.10 on. Those for other platforms are cross-compiled, with zig as the linker, which also
//! brings the C library of an older Linux, so that what is built here runs there; for Windows with that of MinGW.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};

use crate::project::Project;
use crate::{refuse_rest, setup, take_flag, take_option};

/// What builds wheels.
const MATURIN: &str = "maturin==1.16.0";
/// The linker for other platforms.
const ZIG: &str = "ziglang==0.14.1";

/// The platforms: as Rust names them, and the C library that a Linux must at least have.
const PLATFORMS: &[(&str, Option<&str>)] = &[
    ("x86_64-unknown-linux-gnu", Some("manylinux_2_17")),
    ("aarch64-unknown-linux-gnu", Some("manylinux_2_17")),
    ("x86_64-pc-windows-gnu", None),
    ("aarch64-apple-darwin", None),
    ("x86_64-apple-darwin", None),
];

/// `cargo xtask wheel`
pub(crate) fn task(project: &Project, words: &[String]) -> Result<()> {
    let mut words = words.to_vec();
    let wanted = if take_flag(&mut words, "--all") { Wanted::all() } else { wanted(&mut words)? };
    refuse_rest(&words)?;
    for wheel in wanted.build(project)? {
        println!("{}", wheel.display());
    }
    Ok(())
}

/// Takes `--target T[,T]` out of the words of a task.
pub(crate) fn wanted(words: &mut Vec<String>) -> Result<Wanted> {
    let Some(list) = take_option(words, "--target")? else {
        return Ok(Wanted::Here);
    };
    let names: Vec<_> = list.split(',').map(str::to_owned).collect();
    let known = || PLATFORMS.iter().map(|(target, _)| *target);
    if let Some(name) = names.iter().find(|name| !known().any(|target| target == *name)) {
        bail!("no wheel is made for {name}, but for {}", known().collect::<Vec<_>>().join(", "));
    }
    Ok(Wanted::Targets(names))
}

/// Which wheels are wanted.
#[derive(Debug)]
pub(crate) enum Wanted {
    /// The one for this machine, as it is: quickly built, for the tests.
    Here,
    /// Those for platforms, as they are given to others.
    Targets(Vec<String>),
}

impl Wanted {
    /// Those for every platform.
    pub(crate) fn all() -> Self {
        Self::Targets(PLATFORMS.iter().map(|(target, _)| (*target).to_owned()).collect())
    }

    /// Builds the wheels and checks that each holds what its name says.
    pub(crate) fn build(&self, project: &Project) -> Result<Vec<PathBuf>> {
        match self {
            Self::Here => Ok(vec![here(project)?]),
            Self::Targets(targets) => {
                let folder = project.scratch("wheels")?;
                targets.iter().map(|target| cross(project, target, &folder)).collect()
            }
        }
    }
}

/// Builds the wheel for this machine.
pub(crate) fn here(project: &Project) -> Result<PathBuf> {
    build(project, &project.scratch("wheel")?, &[])
}

/// Builds the wheel for a platform into a folder of all.
fn cross(project: &Project, target: &str, folder: &Path) -> Result<PathBuf> {
    setup::rust_target(project, target)?;
    let mut words = vec!["--target", target];
    if target.contains("windows") {
        // zig's linker refuses the list of exported names that maturin hands over.
        setup::mingw(project)?;
    } else {
        words.push("--zig");
    }
    let known = PLATFORMS.iter().find(|(name, _)| *name == target);
    if let Some((_, Some(oldest))) = known {
        words.extend(["--compatibility", oldest]);
    }
    let wheel = build(project, &project.scratch("wheel-cross")?, &words)?;
    let kept = folder.join(wheel.file_name().unwrap_or_default());
    std::fs::copy(&wheel, &kept)?;
    project.cmd("python3").arg("bindings/python/inspect_wheel.py").arg(&kept).run()?;
    Ok(kept)
}

fn build(project: &Project, folder: &Path, words: &[&str]) -> Result<PathBuf> {
    let (name, packages): (_, &[&str]) =
        if words.is_empty() { ("maturin", &[MATURIN]) } else { ("maturin-zig", &[MATURIN, ZIG]) };
    let python = setup::environment(project, name, "python3", packages)?;
    let build = ["-m", "maturin", "build", "--release", "--quiet", "--manifest-path"];
    let build = project.cmd(&python).args(build).arg("bindings/python/Cargo.toml");
    // zig is a module of that environment, which maturin finds by its Python.
    let build = build.quiet_env("CARGO_ZIGBUILD_PYTHON_PATH", &python);
    build.arg("--out").arg(folder).args(words).run()?;
    let wheels = project.files(&folder.to_string_lossy(), &["whl"])?;
    ensure!(wheels.len() == 1, "maturin made {} wheels instead of one", wheels.len());
    Ok(wheels[0].clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_that_no_wheel_is_made_for_is_refused_with_those_that_are() {
        let mut words = vec!["--target=riscv64,x86_64-apple-darwin".to_owned()];
        let error = wanted(&mut words).unwrap_err().to_string();
        assert!(
            error.starts_with("no wheel is made for riscv64, but for x86_64-unknown-"),
            "{error}"
        );
    }
}
