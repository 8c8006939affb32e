//! The Blender extension: its zip, checked by Blender's own tools, and its use in a real Blender.
//!
//! Blender is the module `bpy` from Python's package index, which needs no display.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use crate::project::Project;
use crate::test::Outcome;
use crate::wheel::{self, Wanted};
use crate::{refuse_rest, setup, take_flag};

const FOLDER: &str = "bindings/blender";

/// A Blender, and the only Python that its module runs in.
struct Blender {
    package: &'static str,
    python: &'static str,
}

/// From the oldest that the extension supports to the newest. The first is the one of the tests.
const BLENDERS: &[Blender] = &[
    Blender { package: "bpy==4.2.23", python: "3.11" },
    Blender { package: "bpy==4.5.15", python: "3.11" },
    Blender { package: "bpy==5.2.3", python: "3.13" },
];

/// `cargo xtask blender`
pub(crate) fn task(project: &Project, words: &[String]) -> Result<()> {
    let mut words = words.to_vec();
    let is_all = take_flag(&mut words, "--all");
    let is_render = take_flag(&mut words, "--render");
    let is_everywhere = take_flag(&mut words, "--platforms");
    let wanted = if is_everywhere { Wanted::all() } else { wheel::wanted(&mut words)? };
    refuse_rest(&words)?;
    let first = environment(project, &BLENDERS[0])?;
    let zip = zip(project, &first, &wanted)?;
    if is_all {
        for blender in BLENDERS {
            check(project, &environment(project, blender)?, &zip)?;
        }
        println!(
            "checked in {}",
            BLENDERS.iter().map(|b| b.package).collect::<Vec<_>>().join(", ")
        );
    }
    if is_render {
        let script = format!("{FOLDER}/gallery/render.py");
        project.cmd(&first).arg(script).arg(&zip).arg("docs/gallery").run()?;
    }
    println!("{}", zip.display());
    Ok(())
}

/// The Debian packages that the module `bpy` links to.
const LIBRARIES: [&str; 10] = [
    "libx11-6",
    "libxrender1",
    "libxfixes3",
    "libxi6",
    "libxkbcommon0",
    "libsm6",
    "libice6",
    "libgl1",
    "libxxf86vm1",
    "libgomp1",
];

/// Builds the extension and uses it in one Blender.
pub(crate) fn step(project: &Project) -> Result<Outcome> {
    let blender = &BLENDERS[0];
    if setup::interpreter(project, blender.python).is_none() {
        let why = format!("Python {} is needed for {}", blender.python, blender.package);
        return Ok(Outcome::Skipped(why));
    }
    let python = environment(project, blender)?;
    let is_there = || project.cmd(&python).args(["-c", "import bpy"]).succeeds();
    if !is_there() {
        for library in LIBRARIES {
            // What still lacks shows in the next line.
            let _ = setup::system_package(project, library);
        }
        if !is_there() {
            let why = format!("{} needs the libraries {}", blender.package, LIBRARIES.join(", "));
            return Ok(Outcome::Skipped(why));
        }
    }
    let zip = zip(project, &python, &Wanted::Here)?;
    Ok(Outcome::Passed(check(project, &python, &zip)?))
}

fn environment(project: &Project, blender: &Blender) -> Result<PathBuf> {
    let name = blender.package.replace("==", "-");
    let python = setup::interpreter(project, blender.python)
        .with_context(|| format!("Python {} is needed for {}", blender.python, blender.package))?;
    setup::environment(project, &name, &python, &[blender.package])
}

/// The zip that is dragged into Blender, with the wheels inside.
fn zip(project: &Project, blender: &Path, wanted: &Wanted) -> Result<PathBuf> {
    let wheels = wanted.build(project)?;
    let folder = project.scratch("blender")?;
    let source = folder.join("landform");
    let package = project.cmd("python3").arg(format!("{FOLDER}/package.py"));
    package.arg(&source).args(&wheels).run()?;
    // Blender's own program for extensions comes with its module.
    let find = "import glob, sysconfig; \
        print(glob.glob(sysconfig.get_path('purelib') + '/bpy/*/scripts/addons_core/bl_pkg/cli/blender_ext.py')[0])";
    let tool = project.cmd(blender).args(["-c", find]).read()?;
    let tool = || project.cmd(blender).arg(tool.trim());
    tool().arg("validate").arg(&source).run()?;
    tool().args(["build", "--source-dir"]).arg(&source).arg("--output-dir").arg(&folder).run()?;
    let zips = project.files(&folder.to_string_lossy(), &["zip"])?;
    ensure!(zips.len() == 1, "Blender made {} zips instead of one", zips.len());
    tool().arg("validate").arg(&zips[0]).run()?;
    Ok(zips[0].clone())
}

/// Installs the zip and uses it; gives what was found.
fn check(project: &Project, python: &Path, zip: &Path) -> Result<String> {
    let script = format!("{FOLDER}/tests/check_blender.py");
    let folder = project.scratch("blender-files")?;
    let mut last = String::new();
    let run = project.cmd(python).arg(script).arg(zip).arg(folder);
    run.tee(|line| line.clone_into(&mut last))?;
    Ok(last)
}
