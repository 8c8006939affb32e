//! The pictures of the documentation, made by the program itself.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::golden::recipes;
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
    for recipe in &recipes {
        for style in STYLES {
            let picture = folder.join(format!("{}-{style}.png", stem(recipe)));
            let view = project.cmd(&landform).arg("view").arg(recipe).arg("-o").arg(&picture);
            view.args(["--style", style]).run()?;
            check_size(&picture)?;
        }
    }
    Ok(())
}

fn check_size(picture: &Path) -> Result<()> {
    let bytes = std::fs::metadata(picture)?.len();
    let name = picture.display();
    ensure!(
        bytes <= LARGEST_BYTES,
        "{bytes} bytes are too many, {LARGEST_BYTES} are allowed: {name}"
    );
    Ok(())
}
