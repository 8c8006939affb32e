//! The pictures of the documentation, made by the program itself.

use std::fmt::Write as _;

use anyhow::{Context, Result, ensure};

use crate::golden::recipes;
use crate::project::{Project, stem};
use crate::refuse_rest;

const FOLDER: &str = "docs/gallery";

/// Presets whose rivers and roads show on a map, and hardly from the side.
const ON_MAPS: [&str; 2] = ["river", "town"];

/// The pictures of the README and of the tour: file, and the command that draws it.
const SHOWN: &[(&str, &str)] = &[
    ("mountains-3d", "view mountains --style 3d --picture 800x450"),
    ("islands-3d", "view islands --style 3d --picture 800x450"),
    ("islands-seeds", "compare islands --seeds 1,2,3,4 --style 3d"),
    ("highland-3d", "view highland --style 3d --picture 800x450"),
    ("andes-3d", "view andes --style 3d --picture 800x450"),
    ("lowland-3d", "view lowland --style 3d --picture 800x450"),
    ("eroded_hills-3d", "view eroded_hills --style 3d --picture 800x450"),
    ("eroded_hills-flow", "view eroded_hills --layer flow --legend --picture 600x600"),
    ("ridges-3d", "view ridges --style 3d --picture 800x450"),
    ("alpine_range-3d", "view alpine_range --style 3d --picture 800x450"),
    ("glaciated_range-3d", "view glaciated_range --style 3d --picture 800x450"),
    ("natural-3d", "view natural --style 3d --picture 800x450"),
    ("radial_volcano-3d", "view radial_volcano --style 3d --picture 800x450"),
    ("gorge-relief", "view gorge --style relief --picture 600x600"),
    ("uplift-plan", "view uplift --style plan --picture 600x600"),
    (
        "world-globe",
        "view world_rivers --style world --projection globe --azimuth 60 --elevation 20 --picture 600x600",
    ),
    (
        "world-poster",
        "view world_rivers --style world --projection equal-earth --poster --picture 1000x620",
    ),
    ("skyline", "skyline --palette dawn --ranges 5 --picture 1200x450"),
];

/// How a preset is shown on the page of all presets.
const PICTURE: &str = "400x225";

/// Renders the pictures of the README and of the tour, one of every recipe, and the page that shows them.
pub(crate) fn task(project: &Project, words: &[String]) -> Result<()> {
    refuse_rest(words)?;
    let recipes = recipes(project)?;
    ensure!(!recipes.is_empty(), "there is no recipe to show");
    let landform = project.landform()?;
    let folder = project.root.join(FOLDER);
    let presets = folder.join("presets");
    std::fs::create_dir_all(&presets).with_context(|| format!("cannot make {FOLDER}"))?;
    for (name, command) in SHOWN {
        let out = folder.join(name).with_extension("png");
        project.cmd(&landform).args(command.split(' ')).arg("-o").arg(out).run()?;
    }
    let mut page =
        "# The presets\n\n`landform new NAME -o my.toml` writes one of them down, to be \
                    changed. This page is made by `cargo xtask gallery`.\n"
            .to_owned();
    for recipe in &recipes {
        let name = stem(recipe);
        let text = std::fs::read_to_string(recipe)?;
        let value = |key: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(key))?;
            line.trim().strip_prefix('=')?.trim().strip_prefix('"')?.split('"').next()
        };
        let style = match value("topology") {
            Some(_) => "world",
            None if ON_MAPS.contains(&name.as_str()) => "relief",
            None => "3d",
        };
        let out = presets.join(format!("{name}.png"));
        let view = project.cmd(&landform).arg("view").arg(recipe).args(["--style", style]);
        view.args(["--picture", PICTURE, "--quiet", "-o"]).arg(out).run()?;
        let about = value("about").unwrap_or("peaks alone, as a UPD file");
        write!(page, "\n## {name}\n\n![{name}](presets/{name}.png)\n\n{about}\n")?;
    }
    std::fs::write(folder.join("README.md"), page)?;
    Ok(())
}
