//! The Python package: its wheel, the functions that are made from the declared parameters, and its tests.

use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};

use crate::project::Project;
use crate::test::Outcome;
use crate::{refuse_rest, setup, take_flag};

const FOLDER: &str = "bindings/python";
/// What is made from the parameters.
const STAGES: &str = "bindings/python/python/landform/stages.py";

/// What builds wheels.
const MATURIN: &str = "maturin==1.16.0";
/// A linker that makes what runs with older systems' libraries.
const ZIG: &str = "ziglang==0.14.1";
/// The oldest C library that Blender runs with.
const OLDEST: &str = "manylinux_2_28";
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

/// `cargo xtask wheel`
pub(crate) fn wheel_task(project: &Project, words: &[String]) -> Result<()> {
    let mut words = words.to_vec();
    let is_portable = take_flag(&mut words, "--portable");
    refuse_rest(&words)?;
    let wheel = wheel(project, is_portable)?;
    println!("{}", wheel.display());
    Ok(())
}

/// Builds the wheel: for this machine, or for every Linux that Blender runs on.
pub(crate) fn wheel(project: &Project, is_portable: bool) -> Result<PathBuf> {
    let packages: &[&str] = if is_portable { &[MATURIN, ZIG] } else { &[MATURIN] };
    let name = if is_portable { "maturin-zig" } else { "maturin" };
    let python = setup::environment(project, name, "python3", packages)?;
    let folder = project.scratch("wheel")?;
    let build = ["-m", "maturin", "build", "--release", "--quiet", "--manifest-path"];
    let build = project.cmd(&python).args(build).arg(format!("{FOLDER}/Cargo.toml"));
    let build = build.arg("--out").arg(&folder);
    // zig is a module of that environment, which is found by its python.
    let build = if is_portable { build.args(["--zig", "--compatibility", OLDEST]) } else { build };
    build.run()?;
    let wheels = project.files(&folder.to_string_lossy(), &["whl"])?;
    ensure!(wheels.len() == 1, "maturin made {} wheels instead of one", wheels.len());
    Ok(wheels[0].clone())
}

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
    let file = project.scratch("stubs")?.join("schema.json");
    std::fs::write(&file, schema)?;
    let generate = project.cmd("python3").arg(format!("{FOLDER}/generate.py")).arg(&file);
    let text = generate.read()?;
    let path = project.root.join(STAGES);
    if is_check {
        let old = std::fs::read_to_string(&path).context(STAGES)?;
        ensure!(old == text, "{STAGES} is not what the stages declare: run cargo xtask stubs");
        return Ok(());
    }
    std::fs::write(path, text).context(STAGES)
}

/// Installs the wheel into an environment and runs all tests of the package there.
pub(crate) fn step(project: &Project) -> Result<Outcome> {
    stubs(project, true)?;
    let program = project.landform()?;
    let wheel = wheel(project, false)?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    // Alone with NumPy, which is all that it asks for.
    let bare = project.scratch("python-bare")?;
    let python = setup::python(project)?;
    project.cmd(&python).args(pip).args(["--no-deps", "--target"]).arg(&bare).arg(&wheel).run()?;
    let line = "import landform; print(landform.build(size=129))";
    project.cmd(&python).args(["-c", line]).env("PYTHONPATH", &bare).run()?;
    // With everything that it can work with.
    let python = setup::environment(project, "python-tests", "python3", TEST_PACKAGES)?;
    let again = ["--no-deps", "--force-reinstall"];
    project.cmd(&python).args(pip).args(again).arg(&wheel).run()?;
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
