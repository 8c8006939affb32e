//! `landform skyline`

use std::io::Write as _;

use landform::Seed;
use landform::recipe;
use landform::uplift::{self, Curve, SkylinePeak, skyline};
use landform_project::make::{CurveFormat, CurveTable, NamedCurve};
use landform_project::{Disk, Sink as _, make, read_text};
use landform_view::{Curves, Image, Palette, Panel, Skyline as Scene};

use crate::args::Skyline;
use crate::input::{extension, file_name};
use crate::misuse;
use crate::output::{self, Place};

/// What an output is.
#[derive(Clone, Copy)]
enum Kind {
    Svg,
    Png,
    Numbers(CurveFormat),
}

pub(crate) fn run(args: &Skyline) -> anyhow::Result<()> {
    let kind = kind(args)?;
    output::prepare(&args.output, args.making.mkdir)?;
    let size = Some(args.picture.map(|side| side as usize));
    let most = landform_view::MAX_SIDE;
    if size.is_some_and(|size| size.iter().any(|&side| side > most)) {
        return Err(misuse(format!("--picture: each side may be at most {most}")));
    }
    let is_plain = args.plain || args.parts;
    let table = if is_plain { compared(args)? } else { ranges(args)? };
    let mut sink = Place::of(&args.output);
    let name = file_name(&args.output);
    if let Kind::Numbers(format) = kind {
        make::curves(&table, format, &name, &mut sink)?;
    } else if is_plain {
        let curves = Curves { panels: panels(args, table) };
        put(&mut sink, kind, &name, (|| curves.to_svg(size), || curves.draw(size)))?;
    } else {
        let scene = scene(args, table);
        put(&mut sink, kind, &name, (|| scene.to_svg(size), || scene.draw(size)))?;
    }
    if !args.quiet && !output::is_stdout(&args.output) {
        writeln!(std::io::stdout(), "{}", args.output.display())?;
    }
    Ok(())
}

/// Writes a picture as SVG or as pixels.
fn put(
    sink: &mut Place,
    kind: Kind,
    name: &str,
    (svg, image): (impl FnOnce() -> String, impl FnOnce() -> Image),
) -> anyhow::Result<()> {
    match kind {
        Kind::Svg => sink.put_text(name, &svg())?,
        _ => make::put_image(sink, name, &image())?,
    }
    Ok(sink.finish()?)
}

fn kind(args: &Skyline) -> anyhow::Result<Kind> {
    let extension = extension(&args.output);
    Ok(match (extension.as_str(), CurveFormat::of_extension(&extension)) {
        ("svg", _) => Kind::Svg,
        ("png", _) => Kind::Png,
        (_, Some(format)) => Kind::Numbers(format),
        _ => {
            let path = args.output.display();
            return Err(misuse(format!(
                "-o {path}: expected a picture that ends in .png or .svg, or numbers in .csv, .npy or .json"
            )));
        }
    })
}

/// The model, checked.
fn model(args: &Skyline) -> anyhow::Result<uplift::Skyline> {
    let model = uplift::Skyline {
        divisions: args.divisions,
        peaks: args.peaks,
        y_min: args.y_min,
        y_max: args.y_max,
        ruggedness: args.ruggedness,
        spacing: args.spacing,
        curve: if args.inverted_v { Curve::InvertedV } else { Curve::Tent },
    };
    recipe::check(&model).map_err(|error| misuse(format!("--{error}").replace('_', "-")))?;
    if args.y_min > args.y_max {
        return Err(misuse(format!(
            "--y-min is {}, but must not be above --y-max, which is {}",
            args.y_min, args.y_max
        )));
    }
    Ok(model)
}

/// The peaks that were given, if any were.
fn given(args: &Skyline) -> anyhow::Result<Option<Vec<SkylinePeak>>> {
    if let Some(path) = &args.peaks_from {
        let peaks = SkylinePeak::list(&read_text(&Disk, path)?);
        return Ok(Some(peaks.map_err(|error| error.in_file(&path.display().to_string()))?));
    }
    Ok((!args.given.is_empty()).then(|| args.given.clone()))
}

/// A Brownian step that gives a range of about this height.
fn amplitude(args: &Skyline, highest: f64) -> f64 {
    highest / (2.0 * f64::from(args.divisions).sqrt())
}

/// The ranges of a scene, the farthest first.
fn ranges(args: &Skyline) -> anyhow::Result<CurveTable> {
    let model = model(args)?;
    let seed = Seed::new(args.seed);
    let named = |name: String, heights: Vec<f32>| NamedCurve { name, heights };
    if let Some(peaks) = given(args)? {
        if args.brownian {
            return Err(misuse("--brownian has no peaks: give --plain to draw both curves"));
        }
        let curves = vec![named("range 1".to_owned(), model.average(&peaks))];
        return Ok(CurveTable { spacing: args.spacing, peaks, curves });
    }
    let range = |range: u32| -> anyhow::Result<NamedCurve> {
        let seed = seed.child(&format!("range {range}"));
        let heights = match args.brownian {
            true => skyline::brownian_curve(seed, args.divisions, amplitude(args, args.y_max)),
            false => model.heights(seed)?,
        };
        Ok(named(format!("range {}", range + 1), heights))
    };
    let curves = (0..args.ranges).map(range).collect::<anyhow::Result<_>>()?;
    Ok(CurveTable { spacing: args.spacing, peaks: Vec::new(), curves })
}

/// The curve of the Uplift Model, the curves that it averages, and the Brownian one, as far as they are asked for.
fn compared(args: &Skyline) -> anyhow::Result<CurveTable> {
    let model = model(args)?;
    let seed = Seed::new(args.seed);
    let highest_of =
        |peaks: &[SkylinePeak]| peaks.iter().map(|peak| peak.height).fold(1e-6, f64::max);
    let (peaks, highest) = match given(args)? {
        Some(peaks) => (peaks.clone(), highest_of(&peaks)),
        None => (model.generate(seed)?, args.y_max),
    };
    let named = |name: &str, heights| NamedCurve { name: name.to_owned(), heights };
    let mut curves = vec![named("uplift", model.average(&peaks))];
    if args.brownian {
        let step = amplitude(args, highest);
        let curve = skyline::brownian_curve(seed.child("brownian"), args.divisions, step);
        curves.push(named("brownian", curve));
    }
    if args.parts {
        let part = |(k, peak)| named(&format!("peak {}", k + 1), model.influence(peak));
        curves.extend(peaks.iter().enumerate().map(part));
    }
    Ok(CurveTable { spacing: args.spacing, peaks, curves })
}

/// The panels of a plain picture.
fn panels(args: &Skyline, table: CurveTable) -> Vec<Panel> {
    let mut heights = table.curves.into_iter().map(|curve| curve.heights);
    let uplift = heights.next().unwrap_or_default();
    let brownian = if args.brownian { heights.next() } else { None };
    let first = Panel { heights: uplift, parts: heights.collect() };
    std::iter::once(first).chain(brownian.map(Panel::from)).collect()
}

fn scene(args: &Skyline, table: CurveTable) -> Scene {
    let palette = Palette::named(&args.palette).expect("the argument is one of the palettes");
    Scene {
        ranges: table.curves.into_iter().map(|curve| curve.heights).collect(),
        palette,
        stars: args.stars,
        clouds: args.clouds,
        trees: args.trees,
        river: args.river.unwrap_or(0.0),
        buildings: args.buildings.unwrap_or(0.0),
        seed: args.seed,
        ..Scene::default()
    }
}
