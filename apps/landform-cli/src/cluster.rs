//! `landform build --dask`: the workers of a Dask cluster fill the store, by the Python package.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail, ensure};
use landform_io::Store;
use landform_io::store::{Builder, Manifest};
use landform_project::Project;

use crate::args::Build;
use crate::input::extension;
use crate::misuse;

/// Names the Python that has the packages `landform` and `dask`.
const PYTHON: &str = "LANDFORM_PYTHON";

/// Lets the cluster at `scheduler` fill the store that was begun in `folder`.
pub(crate) fn fill(
    scheduler: &str,
    builder: &Builder,
    project: &Project,
    folder: &Path,
    args: &Build,
) -> anyhow::Result<Manifest> {
    if builder.manifest().complete {
        return Ok(builder.manifest().clone());
    }
    let recipes = args.input.as_deref().filter(|path| extension(path) == "toml");
    if project.inputs().iter().next().is_some() && recipes.is_none() {
        return Err(misuse("--dask takes a recipe, not a heightmap: name it in a recipe"));
    }
    let python = std::env::var(PYTHON).unwrap_or_else(|_| "python3".to_owned());
    let mut command = Command::new(&python);
    command.args(["-m", "landform.dask", "--scheduler", scheduler, "--go-on"]).arg(folder);
    if let Some(recipes) = recipes.and_then(Path::parent) {
        command.arg("--inputs").arg(recipes);
    }
    if args.reading.allow_outside {
        command.arg("--allow-outside");
    }
    if args.running.quiet {
        command.arg("--quiet");
    }
    let status = command.status().with_context(|| {
        format!("--dask needs Python with the packages landform and dask: cannot run {python} ({PYTHON} names another)")
    })?;
    if !status.success() {
        bail!(
            "{python} -m landform.dask failed ({status}); {PYTHON} names another Python with the packages landform and dask"
        );
    }
    let store = Store::open(folder)?;
    ensure!(store.manifest().complete, "the workers have not made all tiles");
    Ok(store.manifest().clone())
}
