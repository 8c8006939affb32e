//! The pictures of the documentation, made by the program itself.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::golden::recipes;
use crate::picture::Picture;
use crate::project::{Project, stem};
use crate::refuse_rest;

const FOLDER: &str = "docs/gallery";
/// A page of pictures should open at once, and the repository should stay small.
const LARGEST_BYTES: u64 = 300_000;
/// How each recipe is shown: as a map, and as one would see it.
const STYLES: &[&str] = &["relief", "3d"];

/// Renders every recipe in every style.
pub(crate) fn task(project: &Project, words: &[String]) -> Result<()> {
    refuse_rest(words)?;
    let recipes = recipes(project)?;
    ensure!(!recipes.is_empty(), "there is no recipe to show");
    let landform = project.landform()?;
    let folder = project.root.join(FOLDER);
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {FOLDER}"))?;
    let scratch = project.scratch("gallery")?;
    for recipe in &recipes {
        for style in STYLES {
            let name = format!("{}-{style}.png", stem(recipe));
            let large = scratch.join(&name);
            let view = project.cmd(&landform).arg("view").arg(recipe).arg("-o").arg(&large);
            view.args(["--style", style, "--quiet"]).run()?;
            shrink_into(&Picture::read(&large)?, &folder.join(&name))?;
        }
    }
    Ok(())
}

/// Writes a picture as large as the limit of bytes allows.
fn shrink_into(picture: &Picture, path: &Path) -> Result<()> {
    for factor in 1..=16 {
        picture.shrunk(factor).write(path)?;
        if std::fs::metadata(path)?.len() <= LARGEST_BYTES {
            return Ok(());
        }
    }
    bail!("cannot be made smaller than {LARGEST_BYTES} bytes: {}", path.display())
}
