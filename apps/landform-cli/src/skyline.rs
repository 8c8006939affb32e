//! `landform skyline`

use std::io::Write as _;

use landform::Seed;
use landform::recipe;
use landform::uplift::{self, Curve, skyline};
use landform_view::{Palette, Skyline as Scene};

use landform_project::{Sink as _, make};

use crate::args::Skyline;
use crate::input::{extension, file_name};
use crate::misuse;
use crate::output::{self, Place};

pub(crate) fn run(args: &Skyline) -> anyhow::Result<()> {
    let format = extension(&args.output);
    if !["png", "svg"].contains(&format.as_str()) {
        let path = args.output.display();
        return Err(misuse(format!("-o {path}: expected a picture that ends in .png or .svg")));
    }
    output::prepare(&args.output, args.making.mkdir)?;
    let size = Some(args.picture.map(|side| side as usize));
    let most = landform_view::MAX_SIDE;
    if size.is_some_and(|size| size.iter().any(|&side| side > most)) {
        return Err(misuse(format!("--picture: each side may be at most {most}")));
    }
    let ranges = ranges(args)?;
    let is_svg = format == "svg";
    if args.plain {
        let curves = landform_view::Curves { curves: ranges };
        return write(args, is_svg, || curves.to_svg(size), || curves.draw(size));
    }
    let palette = Palette::named(&args.palette).expect("the argument is one of the palettes");
    let scene = Scene {
        ranges,
        palette,
        stars: args.stars,
        clouds: args.clouds,
        trees: args.trees,
        seed: args.seed,
        ..Scene::default()
    };
    write(args, is_svg, || scene.to_svg(size), || scene.draw(size))
}

/// The heights of each range, the farthest first.
fn ranges(args: &Skyline) -> anyhow::Result<Vec<Vec<f32>>> {
    let model = uplift::Skyline {
        divisions: args.divisions,
        peaks: args.peaks,
        y_min: args.y_min,
        y_max: args.y_max,
        ruggedness: args.ruggedness,
        curve: if args.inverted_v { Curve::InvertedV } else { Curve::Tent },
        ..uplift::Skyline::default()
    };
    recipe::check(&model).map_err(|error| misuse(format!("--{error}").replace('_', "-")))?;
    if args.y_min > args.y_max {
        return Err(misuse(format!(
            "--y-min is {}, but must not be above --y-max, which is {}",
            args.y_min, args.y_max
        )));
    }
    let seed = Seed::new(args.seed);
    // A Brownian step that gives a range of about the height of the peaks.
    let amplitude = args.y_max / (2.0 * f64::from(args.divisions).sqrt());
    let brownian = |seed| skyline::brownian_curve(seed, args.divisions, amplitude);
    if args.plain {
        let uplift = model.heights(seed)?;
        let both = args.brownian.then(|| brownian(seed.child("brownian")));
        return Ok(std::iter::once(uplift).chain(both).collect());
    }
    (0..args.ranges)
        .map(|range| {
            let seed = seed.child(&format!("range {range}"));
            Ok(if args.brownian { brownian(seed) } else { model.heights(seed)? })
        })
        .collect()
}

fn write(
    args: &Skyline,
    is_svg: bool,
    svg: impl FnOnce() -> String,
    image: impl FnOnce() -> landform_view::Image,
) -> anyhow::Result<()> {
    let mut sink = Place::of(&args.output);
    let name = file_name(&args.output);
    if is_svg {
        sink.put_text(&name, &svg())?;
    } else {
        make::put_image(&mut sink, &name, &image())?;
    }
    sink.finish()?;
    if !args.quiet && !output::is_stdout(&args.output) {
        writeln!(std::io::stdout(), "{}", args.output.display())?;
    }
    Ok(())
}
