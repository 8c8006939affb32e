//! Other programs read what `landform` wrote: the proof that a file is right is that somebody else's code
//! says so.
//!
//! The scripts are in `crates/landform-io/tests/external`, and each is called with a folder. `make_*` write
//! files for us to read; `check_*` read ours. There are these folders: the standard bundle as the program
//! builds it, samples of every format in odd sizes, terrains that are streamed, objects of presets, and exports for
//! engines, whose scripts run. GeoTIFF files that GDAL wrote go through the program and lie where they lay. The numbers of a
//! reference in Python, which unit tests compare with, must be those that it gives.

use std::path::Path;

use anyhow::{Result, ensure};

use crate::project::{Project, stem};
use crate::test::Outcome;
use crate::{golden, parity, setup};

const SCRIPTS: &str = "crates/landform-io/tests/external";
/// The reference of the paper's ways to share water; its numbers lie beside it.
const REFERENCE: &str = "crates/landform/tests/reference/sharing.py";

/// Builds the folders and runs every check over them.
pub(crate) fn step(project: &Project) -> Result<Outcome> {
    let scripts = project.files(SCRIPTS, &["py", "mjs"])?;
    let (makers, checks): (Vec<_>, Vec<_>) =
        scripts.iter().partition(|script| stem(script).starts_with("make_"));
    if checks.is_empty() {
        return Ok(Outcome::Skipped(format!("there is no check in {SCRIPTS} yet")));
    }
    let folder = project.scratch("external")?;
    let (bundle, samples) = (folder.join("bundle"), folder.join("samples"));
    // A slash at its end makes it a folder.
    let build = project.cmd(project.landform()?).args(["build", "--quiet", "-o"]);
    build.arg(bundle.join("")).run()?;
    let streamed = folder.join("streamed");
    stores(project, &streamed)?;
    let exports = folder.join("exports");
    scripted(project, &exports)?;
    let vectors = folder.join("vectors");
    vectors_of_presets(project, &vectors)?;
    for script in makers {
        run(project, script, &samples)?;
    }
    let example = ["run", "--quiet", "--package", "landform-io", "--example", "samples", "--"];
    project.cargo(example).arg(&samples).run()?;
    let mut faults = Vec::new();
    faults.extend(reference(project, &folder).err().map(|error| format!("{error:#}")));
    for script in &checks {
        let folders = match stem(script).as_str() {
            "check_store" => vec![&streamed],
            "check_scripts" => vec![&exports],
            "check_damage" | "check_place" => vec![&folder],
            "check_polygons" | "check_vectors_gdal" => vec![&bundle, &vectors],
            _ => vec![&bundle, &samples],
        };
        let results = folders.into_iter().map(|folder| run(project, script, folder));
        faults.extend(results.filter_map(Result::err).map(|error| format!("{error:#}")));
    }
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    let names: Vec<_> = checks.iter().map(|script| stem(script)).collect();
    Ok(Outcome::Passed(names.join(", ")))
}

/// Exports with scripts, in tiles, and beside them the heights of the whole.
fn scripted(project: &Project, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    // Sizes that the targets take as they are.
    for (target, size) in [("unity", "129x129"), ("unreal", "253x253"), ("terrain3d", "512x512")] {
        let words = ["build", "islands", "--quiet", "--size", size];
        let build = |more: &[&str], out: &str| {
            let command = project.cmd(project.landform()?).args(words).args(more);
            command.arg("-o").arg(folder.join(out)).run()
        };
        build(&[], &format!("{target}.npy"))?;
        build(&["--for", target, "--tiles", "2x2"], target)?;
    }
    Ok(())
}

/// Terrains that are streamed, beside the same in memory.
fn stores(project: &Project, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let build = |more: &[&str]| {
        let words = ["build", "islands", "--quiet", "--size", "700x501", "-o"];
        let (name, more) = more.split_first().expect("there is a name");
        project.cmd(project.landform()?).args(words).arg(folder.join(name)).args(more).run()
    };
    let small = ["--chunk", "64", "--shard", "256"];
    for name in ["shards", "chunks", "streamed", "web"] {
        build(&[&format!("{name}.npy")])?;
    }
    build(&[&["shards.zarr"], small.as_slice()].concat())?;
    build(&[&["chunks.zarr", "--no-shards"], small.as_slice()].concat())?;
    build(&[&["streamed.cog.tif", "--cog"], small.as_slice()].concat())?;
    build(&[&["web.pmtiles"], small.as_slice()].concat())
}

/// Presets with lakes that once were wrong.
const SAMPLES: &[&str] = &["natural", "world_rivers", "town"];
/// EPSG codes, and where the ground is put.
const SYSTEMS: &[(&str, &str)] = &[
    ("none", ""),
    ("32632", "500000,5400000"),
    ("3857", "1000000,6000000"),
    ("2154", "700000,6600000"),
    ("5070", "100000,2000000"),
    ("3035", "4300000,3200000"),
    ("3413", "-300000,-1500000"),
];
const SEEDS: std::ops::RangeInclusive<u32> = 1..=3;

/// The objects of a few presets, or of all with three seeds, on small design lattices.
fn vectors_of_presets(project: &Project, folder: &Path) -> Result<()> {
    let program = project.landform()?;
    std::fs::create_dir_all(folder)?;
    for preset in golden::recipes(project)? {
        let name = stem(&preset);
        let name = name.as_str();
        if !project.runs_all && !SAMPLES.contains(&name) {
            continue;
        }
        let is_map =
            std::fs::read_to_string(&preset)?.lines().any(|line| line.starts_with("topology"));
        let size = if is_map { parity::MAP_SIZE } else { parity::SIZE };
        for seed in SEEDS.filter(|seed| project.runs_all || *seed == 1) {
            let recipe = folder.join(format!("{name}-{seed}.toml"));
            let seed = seed.to_string();
            let new = project.cmd(&program).args(["new", name, "--quiet", "--seed", &seed]);
            new.args(["--size", size, "-o"]).arg(&recipe).run()?;
            let build = project.cmd(&program).args(["build", "--quiet"]).arg(&recipe).arg("-o");
            let mut build = build.arg(recipe.with_extension("geojson"));
            // Not of maps that wrap: a planet has none.
            for map in ["catchments", "subcatchments"].iter().filter(|_| !is_map) {
                let file = folder.join(format!("{name}-{seed}-{map}.geojson"));
                build = build.arg("-o").arg(format!("{map}={}", file.display()));
            }
            build.run()?;
        }
    }
    // In systems of each kind of projection, which GDAL turns into degrees too; and in none. At this size there are lakes.
    let recipe = folder.join("placed.toml");
    let new = project.cmd(&program).args(["new", "natural", "--quiet", "--size", "129x129", "-o"]);
    new.arg(&recipe).run()?;
    for (system, place) in SYSTEMS {
        for ending in ["geojson", "fgb"] {
            let build = project.cmd(&program).args(["build", "--quiet"]).arg(&recipe);
            let objects = folder.join(format!("placed-{system}.{ending}"));
            let contours =
                format!("contours={}", folder.join(format!("lines-{system}.{ending}")).display());
            let ground = folder.join(format!("ground-{system}.{ending}"));
            let ground = format!("subcatchments={}", ground.display());
            let build = build.arg("-o").arg(objects).args(["-o", &contours, "-o", &ground]);
            match *system {
                "none" => build.run()?,
                code => build.args(["--epsg", code, "--place", place]).run()?,
            }
        }
    }
    Ok(())
}

/// Runs the reference and compares its numbers with those on record.
fn reference(project: &Project, folder: &Path) -> Result<()> {
    let script = project.root.join(REFERENCE);
    let (made, kept) = (folder.join("sharing.txt"), script.with_extension("txt"));
    project.cmd(setup::python(project)?).arg(&script).arg(&made).run()?;
    let is_same = std::fs::read(&made)? == std::fs::read(&kept)?;
    ensure!(
        is_same,
        "{} is not what {REFERENCE} gives: look at {}",
        kept.display(),
        made.display()
    );
    Ok(())
}

fn run(project: &Project, script: &Path, folder: &Path) -> Result<()> {
    let extension = script.extension().unwrap_or_default();
    match stem(script).as_str() {
        "check_gdal" | "check_place" => setup::gdal(project)?,
        "check_scripts" => setup::mono(project)?,
        _ => {}
    }
    if extension == "py" {
        let check = project.cmd(setup::python(project)?).arg(script).arg(folder);
        // These run the program themselves.
        return match stem(script).as_str() {
            "check_damage" => {
                let count = if project.runs_all { "400" } else { "20" };
                check.arg(count).quiet_env("LANDFORM", project.landform()?).run()
            }
            "check_place" => check.quiet_env("LANDFORM", project.landform()?).run(),
            _ => check.run(),
        };
    }
    ensure!(extension == "mjs", "no program is known that runs {}", script.display());
    setup::node(project)?;
    let packages = setup::node_packages(project)?;
    project.cmd("node").arg(script).arg(folder).env("NODE_PATH", packages).run()
}
