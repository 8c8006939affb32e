//! `landform new`

use std::io::Write as _;

use anyhow::Context as _;
use landform::preset::{PRESETS, Preset};
use landform::recipe::{self, did_you_mean};
use landform::uplift::Upd;
use landform::{Grid, Inputs, Meaning, Raster, Recipe};

use landform_project::{Sink as _, planet_from_map};

use crate::args::New;
use crate::input::{self, extension, file_name};
use crate::{misuse, output, talk};

pub(crate) fn run(args: &New) -> anyhow::Result<()> {
    let mut stdout = std::io::stdout().lock();
    if args.list {
        let width = PRESETS.iter().map(|preset| preset.name.len()).max().unwrap_or_default() + 1;
        for preset in PRESETS {
            writeln!(stdout, "{:<width$} {}", preset.name, preset.about())?;
        }
        return Ok(());
    }
    let preset = preset(args)?;
    let text = match &args.heightmap {
        Some(heightmap) => {
            let size = args.changes.size;
            let planet = planet_from_map(preset, heightmap, args.output.as_deref(), size)?;
            for warning in &planet.warnings {
                talk::warn(args.quiet, warning);
            }
            planet.text
        }
        None => preset.text.to_owned(),
    };
    let text = changed(text, args)?;
    refuse_unbuildable(&text)?;
    warn_of_grid_lines(preset, args)?;
    let Some(path) = args.output.as_ref().filter(|path| path.as_os_str() != "-") else {
        return Ok(stdout.write_all(text.as_bytes())?);
    };
    let is_stdout = output::is_stdout(path);
    if !is_stdout && path.exists() && !args.force {
        let path = path.display();
        return Err(misuse(format!("{path} is there already: --force writes over it")));
    }
    output::prepare(path, args.making.mkdir)?;
    let text = match extension(path).as_str() {
        "toml" => text,
        "upd" => {
            let upd = Upd::from_recipe(&Recipe::parse(&text)?)
                .with_context(|| format!("cannot write {}", path.display()))?;
            upd.to_text()
        }
        _ => {
            let path = path.display();
            return Err(misuse(format!("-o {path}: expected a file that ends in .toml or .upd")));
        }
    };
    let mut sink = output::Place::of(path);
    sink.put_text(&file_name(path), &text)?;
    sink.finish()?;
    if !args.quiet && !is_stdout {
        writeln!(stdout, "{}", path.display())?;
    }
    Ok(())
}

/// A recipe that `build` would refuse is not written: presets fit together, so what is wrong came from the command line.
fn refuse_unbuildable(text: &str) -> anyhow::Result<()> {
    let wrong = |error: landform::Error| {
        misuse(format!("--set, --seed, --size, --extent or --pads: {error}"))
    };
    let recipe = Recipe::parse(text).map_err(wrong)?;
    // Whether stages fit together does not depend on what the files hold.
    let mut inputs = Inputs::default();
    for file in recipe.files() {
        let samples = Grid::filled(2, 2, 0.0);
        // Brightness goes with and without the metres of black and white.
        inputs.insert(file, Raster { samples, meaning: Meaning::Brightness(None) });
    }
    recipe.resolve(&inputs).map(|_| ()).map_err(wrong)
}

/// Peaks stand on grid lines and simulations run on them: on other lines they are a little different.
fn warn_of_grid_lines(preset: &Preset, args: &New) -> anyhow::Result<()> {
    let recipe = Recipe::parse(preset.text)?;
    let Some([width, height]) = args.changes.size.filter(|size| *size != recipe.size) else {
        return Ok(());
    };
    let has_lines = !recipe.cones()?.is_empty()
        || !recipe.resolve(&Inputs::default())?.simulations().is_empty();
    if has_lines {
        let warning = format!(
            "landforms are laid out anew on {width}x{height} grid lines, and move to the nearest ones; \
             to leave them in place, build with --size {width}x{height} instead"
        );
        talk::warn(args.quiet, warning);
    }
    Ok(())
}

fn preset(args: &New) -> anyhow::Result<&'static Preset> {
    let Some(name) = &args.preset else { return Ok(Preset::default_preset()) };
    Preset::named(name).ok_or_else(|| {
        let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        let near = did_you_mean(name, &names);
        misuse(format!("there is no preset {name:?}{near}, the presets are {}", names.join(", ")))
    })
}

/// In a new recipe, a size lays the landforms out on other grid lines.
fn changed(mut text: String, args: &New) -> anyhow::Result<String> {
    text = input::changes(&args.changes)?.apply_to_design(text)?;
    if let Some(size) = args.changes.size {
        text = recipe::set_size(&text, size).context("--size")?;
    }
    Ok(text)
}
