//! The Python package: the functions that are made from the declared parameters, and its tests.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use crate::project::Project;
use crate::test::Outcome;
use crate::{refuse_rest, setup, take_flag, wheel};

const FOLDER: &str = "bindings/python";
/// What is made from the parameters.
const STAGES: &str = "bindings/python/python/landform/stages";

/// What the tests import beside the package.
const TEST_PACKAGES: &[&str] = &[
    "numpy",
    "pytest>=8",
    "mypy>=1.13",
    "xarray",
    "pandas",
    "shapely>=2",
    "tqdm",
    "dask[distributed]",
    "zarr>=3",
];

/// `cargo xtask stubs`
pub(crate) fn stubs_task(project: &Project, words: &[String]) -> Result<()> {
    let mut words = words.to_vec();
    let is_check = take_flag(&mut words, "--check");
    refuse_rest(&words)?;
    stubs(project, is_check)
}

/// Writes the functions of the stages from their declared parameters, or compares.
fn stubs(project: &Project, is_check: bool) -> Result<()> {
    let schema = project.cmd(project.landform()?).args(["stages", "--json"]).read()?;
    let scratch = project.scratch("stubs")?;
    let (file, made) = (scratch.join("schema.json"), scratch.join("stages"));
    std::fs::write(&file, schema)?;
    let generate = project.cmd("python3").arg(format!("{FOLDER}/generate.py"));
    generate.arg(&file).arg(&made).run()?;
    let kept = project.root.join(STAGES);
    if is_check {
        let is_same = modules(project, &kept)? == modules(project, &made)?;
        ensure!(is_same, "{STAGES} is not what the stages declare: run cargo xtask stubs");
        return Ok(());
    }
    std::fs::create_dir_all(&kept).context(STAGES)?;
    for (name, _) in modules(project, &kept)? {
        std::fs::remove_file(kept.join(name))?;
    }
    for (name, text) in modules(project, &made)? {
        std::fs::write(kept.join(name), text)?;
    }
    Ok(())
}

/// The Python files of a folder with their texts.
fn modules(project: &Project, folder: &Path) -> Result<Vec<(OsString, String)>> {
    let files = project.files(&folder.to_string_lossy(), &["py"])?;
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).context(STAGES)?;
        Ok((path.file_name().unwrap_or_default().to_owned(), text))
    };
    files.into_iter().map(read).collect()
}

/// The Python of an environment in which the package is installed, with everything that it can work with.
pub(crate) fn with_package(project: &Project) -> Result<PathBuf> {
    let wheel = wheel::here(project)?;
    let python = setup::environment(project, "python-tests", "python3", TEST_PACKAGES)?;
    project.cmd(&python).args(PIP).args(["--no-deps", "--force-reinstall"]).arg(&wheel).run()?;
    Ok(python)
}

const PIP: [&str; 5] = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];

/// Installs the wheel into an environment and runs all tests of the package there.
pub(crate) fn step(project: &Project) -> Result<Outcome> {
    stubs(project, true)?;
    let program = project.landform()?;
    let wheel = wheel::here(project)?;
    // Alone with NumPy, which is all that it asks for.
    let bare = project.scratch("python-bare")?;
    let python = setup::python(project)?;
    project.cmd(&python).args(PIP).args(["--no-deps", "--target"]).arg(&bare).arg(&wheel).run()?;
    let line = "import landform; print(landform.build(size=129))";
    project.cmd(&python).args(["-c", line]).env("PYTHONPATH", &bare).run()?;
    // With everything that it can work with.
    let python = with_package(project)?;
    let stubtest = ["-m", "mypy.stubtest", "landform._core", "--ignore-missing-stub"];
    project.cmd(&python).args(stubtest).run()?;
    let types = ["-m", "mypy", "--strict", "--package", "landform", "--config-file"];
    let types = project.cmd(&python).args(types).arg(format!("{FOLDER}/pyproject.toml"));
    types.arg("--cache-dir").arg(project.target.join("mypy")).run()?;
    let mut last = String::new();
    let tests = ["-m", "pytest", "-q", "--rootdir", FOLDER, "-c", "bindings/python/pyproject.toml"];
    let tests = project.cmd(&python).args(tests).args(["-p", "no:cacheprovider"]);
    let tests =
        tests.args(["bindings/python/tests", "bindings/python/README.md", "--pyargs", "landform"]);
    tests.env("LANDFORM", program).tee(|line| line.clone_into(&mut last))?;
    Ok(Outcome::Passed(last.trim_matches('=').trim().to_owned()))
}
