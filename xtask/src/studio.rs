//! The editor: started for people, and tested as people use it.

use anyhow::{Result, ensure};

use crate::project::Project;
use crate::setup;
use crate::test::{Outcome, passed_in};

/// What a machine without a screen and a graphics processor needs to draw the window, each with a file that tells that it is there.
const PACKAGES: &[(&str, &str)] = &[
    ("mesa-vulkan-drivers", "/usr/share/vulkan/icd.d"),
    ("libxkbcommon-x11-0", "/usr/lib/x86_64-linux-gnu/libxkbcommon-x11.so.0"),
    ("libxcursor1", "/usr/lib/x86_64-linux-gnu/libXcursor.so.1"),
    ("libxi6", "/usr/lib/x86_64-linux-gnu/libXi.so.6"),
    ("libxrandr2", "/usr/lib/x86_64-linux-gnu/libXrandr.so.2"),
    ("xvfb", "/usr/bin/Xvfb"),
    ("xauth", "/usr/bin/xauth"),
    ("xdotool", "/usr/bin/xdotool"),
    ("imagemagick", "/usr/bin/import"),
];

/// Starts the studio; the words are files to open.
pub(crate) fn task(project: &Project, words: &[String]) -> Result<()> {
    project.cargo(["run", "--release", "--package", "landform-studio", "--"]).args(words).run()
}

/// Whether its tests can run here; installs what they need.
pub(crate) fn can_run(project: &Project) -> Result<bool> {
    if !cfg!(target_os = "linux") {
        return Ok(false);
    }
    for (package, file) in PACKAGES {
        // Elsewhere libraries are in other folders: installing what is there does nothing.
        if !std::path::Path::new(file).exists() {
            setup::system_package(project, package)?;
        }
    }
    Ok(true)
}

/// Its tests: panels, keys and pictures without a screen, and the program itself on one that nobody sees.
pub(crate) fn step(project: &Project) -> Result<Outcome> {
    if !can_run(project)? {
        return Ok(Outcome::Skipped("the screen that nobody sees is an X server".into()));
    }
    let mut passed = 0;
    let test = project.cargo(["test", "--package", "landform-studio", "--no-fail-fast"]);
    test.tee(|line| passed += passed_in(line))?;
    ensure!(passed > 0, "cargo test ran no test");
    Ok(Outcome::Passed(format!("{passed} tests passed")))
}
