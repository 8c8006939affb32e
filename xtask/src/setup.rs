//! What the tests need beyond Rust, Node and Python, fetched once and kept under `target`.
//!
//! Everything here may be called again and again: what is there already is left alone.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::project::Project;

/// What the checks in Python read our files with.
const PYTHON_PACKAGES: &[&str] = &[
    "numpy>=1.26",
    "pillow>=10",
    "OpenEXR>=3.3",
    "zarr>=3",
    "rasterio>=1.4",
    "rio-cogeo>=5",
    "pmtiles>=3.4",
    "gdtoolkit>=4.3",
    "shapely>=2",
];
/// What the checks in Node read our files with.
const NODE_PACKAGES: &[&str] = &["gltf-validator@2.0.0-dev.3.10", "playwright-core@1.65.0"];
/// The fuzzer's front end.
const CARGO_FUZZ: &str = "cargo-fuzz@0.13.2";

/// Whether the standard library for `target` is there or could be fetched.
pub(crate) fn rust_target(project: &Project, target: &str) -> Result<()> {
    let libraries = project.cmd("rustc").args(["--print", "target-libdir", "--target", target]);
    if Path::new(libraries.read()?.trim()).is_dir() {
        return Ok(());
    }
    project.cmd("rustup").args(["target", "add", target]).run()
}

/// A Python with the packages that the checks import.
pub(crate) fn python(project: &Project) -> Result<PathBuf> {
    environment(project, "python", "python3", PYTHON_PACKAGES)
}

/// A Python of this version, such as `3.13`: on the path, or kept by pyenv or uv.
pub(crate) fn interpreter(project: &Project, version: &str) -> Option<PathBuf> {
    let program = PathBuf::from(format!("python{version}"));
    let is_there = |program: &PathBuf| project.cmd(program).arg("--version").succeeds();
    if is_there(&program) {
        return Some(program);
    }
    let home = project.cmd("pyenv").args(["prefix", version]).try_read();
    let by_pyenv = home.map(|home| PathBuf::from(home.trim()).join("bin").join(&program));
    let by_uv = || {
        let path = project.cmd("uv").args(["python", "find", version]).try_read();
        path.map(|path| PathBuf::from(path.trim()))
    };
    by_pyenv.or_else(by_uv).filter(is_there)
}

/// A Python environment of that name with these packages, made by `program`.
pub(crate) fn environment(
    project: &Project,
    name: &str,
    program: impl AsRef<Path>,
    packages: &[&str],
) -> Result<PathBuf> {
    let home = project.target.join(name);
    let python = home.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let wanted = packages.join("\n");
    if is_done(&home, &wanted) {
        return Ok(python);
    }
    let venv = || project.cmd(&program).args(["-m", "venv", "--clear"]).arg(&home);
    // Debian keeps the part of the standard library that fills a new environment in a package of its own.
    if venv().run().is_err() {
        system_package(project, "python3-venv")?;
        venv().run()?;
    }
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    project.cmd(&python).args(pip).args(packages).run()?;
    mark_done(&home, &wanted)?;
    Ok(python)
}

/// The linker for Windows.
pub(crate) fn mingw(project: &Project) -> Result<()> {
    if project.cmd("x86_64-w64-mingw32-gcc").arg("--version").succeeds() {
        return Ok(());
    }
    system_package(project, "gcc-mingw-w64-x86-64")
}

/// What runs programs for 64-bit ARM.
pub(crate) fn qemu(project: &Project) -> Result<()> {
    if project.cmd("qemu-aarch64-static").arg("--version").succeeds() {
        return Ok(());
    }
    system_package(project, "qemu-user-static")
}

/// The programs of GDAL, which are not to be had from Python's package index.
pub(crate) fn gdal(project: &Project) -> Result<()> {
    if project.cmd("gdalinfo").arg("--version").succeeds() {
        return Ok(());
    }
    system_package(project, "gdal-bin")
}

/// A compiler of C#, and what runs its programs.
pub(crate) fn mono(project: &Project) -> Result<()> {
    if project.cmd("mcs").arg("--version").succeeds()
        && project.cmd("mono").arg("--version").succeeds()
    {
        return Ok(());
    }
    system_package(project, "mono-mcs")?;
    system_package(project, "mono-runtime")
}

/// The folder of the packages that the checks for Node ask for; they look there if `NODE_PATH` says so.
pub(crate) fn node_packages(project: &Project) -> Result<PathBuf> {
    let home = project.target.join("node");
    let wanted = NODE_PACKAGES.join("\n");
    if !is_done(&home, &wanted) {
        std::fs::create_dir_all(&home)?;
        // A manifest of its own, or npm would look for one in the folders above.
        std::fs::write(home.join("package.json"), "{ \"private\": true }\n")?;
        let install = ["install", "--no-audit", "--no-fund", "--loglevel=error"];
        project.cmd("npm").args(install).arg("--prefix").arg(&home).args(NODE_PACKAGES).run()?;
        mark_done(&home, &wanted)?;
    }
    Ok(home.join("node_modules"))
}

/// Says so if Node is missing or has no WASI that we can use.
pub(crate) fn node(project: &Project) -> Result<()> {
    let version =
        project.cmd("node").arg("--version").read().context("Node 20 or newer is needed")?;
    let major = version.trim().trim_start_matches('v').split('.').next().unwrap_or_default();
    let recent = major.parse::<u32>().is_ok_and(|major| major >= 20);
    ensure!(recent, "Node 20 or newer is needed, and this is {}", version.trim());
    Ok(())
}

/// The browser that the page is tried in.
pub(crate) fn chromium(project: &Project) -> Result<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let find = || {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let folders: Vec<_> = std::env::split_paths(&paths).collect();
        names
            .iter()
            .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
            .find(|path| path.is_file())
    };
    if let Some(program) = find() {
        return Ok(program);
    }
    system_package(project, "chromium")?;
    find().context("Debian's chromium is not on the path")
}

/// `cargo fuzz`, and the C++ compiler that it builds its run-time library with.
pub(crate) fn cargo_fuzz(project: &Project) -> Result<()> {
    if !project.cmd("c++").arg("--version").succeeds() {
        system_package(project, "g++")?;
    }
    if !project.cargo(["fuzz", "--version"]).succeeds() {
        let install = project.cargo(["install", "--locked", CARGO_FUZZ, "--root"]);
        install.arg(project.tools()).run()?;
    }
    Ok(())
}

/// Installs a package of Debian.
pub(crate) fn system_package(project: &Project, package: &str) -> Result<()> {
    if !project.cmd("apt-get").arg("--version").succeeds() {
        bail!("please install the equivalent of Debian's package {package}");
    }
    let apt = |args: &[&str]| {
        let quietly = project.cmd("apt-get").quiet_env("DEBIAN_FRONTEND", "noninteractive");
        quietly.args(args).run()
    };
    let hint = || format!("as root: apt-get install {package}");
    apt(&["update", "-q"]).with_context(hint)?;
    apt(&["install", "-q", "-y", "--no-install-recommends", package]).with_context(hint)
}

/// The mark is written last, so a set-up that broke off is begun again.
fn mark_done(home: &Path, wanted: &str) -> Result<()> {
    std::fs::write(home.join("landform.done"), wanted)
        .with_context(|| format!("cannot write to {}", home.display()))
}

fn is_done(home: &Path, wanted: &str) -> bool {
    std::fs::read_to_string(home.join("landform.done")).is_ok_and(|done| done == wanted)
}
