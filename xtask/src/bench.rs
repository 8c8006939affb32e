//! The benchmarks.

use anyhow::Result;

use crate::project::Project;

/// Runs every criterion benchmark, or those whose names contain the first word.
pub(crate) fn task(project: &Project, words: &[String]) -> Result<()> {
    // By name, since the test harness of a library does not know criterion's arguments.
    project.cargo(["bench", "--workspace", "--bench", "*", "--"]).args(words).run()
}
