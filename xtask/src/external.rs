//! Other programs read what `landform` wrote: the proof that a file is right is that somebody else's code
//! says so.
//!
//! The checks are scripts in `crates/landform-io/tests/external`; each is called with a folder of files.

use anyhow::Result;

use crate::project::{Project, stem};
use crate::setup;
use crate::test::Outcome;

const CHECKS: &str = "crates/landform-io/tests/external";

/// Builds the standard bundle with the program and runs every check over it.
pub(crate) fn step(project: &Project) -> Result<Outcome> {
    let checks = project.files(CHECKS, &["py", "mjs"])?;
    if checks.is_empty() {
        return Ok(Outcome::Skipped(format!("there is no check in {CHECKS} yet")));
    }
    let landform = project.landform()?;
    let folder = project.scratch("external")?;
    // A slash at its end makes it a folder.
    project.cmd(&landform).args(["build", "--quiet", "-o"]).arg(folder.join("")).run()?;
    let python = setup::python(project)?;
    setup::node(project)?;
    let packages = setup::node_packages(project)?;
    for check in &checks {
        if check.extension().is_some_and(|extension| extension == "py") {
            project.cmd(&python).arg(check).arg(&folder).run()?;
        } else {
            // Node looks for packages in the folders above the script, so it is run from beside them.
            let script = packages.join(check.file_name().unwrap_or_default());
            std::fs::copy(check, &script)?;
            project.cmd("node").arg(script).arg(&folder).run()?;
        }
    }
    let names: Vec<_> = checks.iter().map(|check| stem(check)).collect();
    Ok(Outcome::Passed(names.join(", ")))
}
