//! `landform view`

use std::io::Write as _;

use landform::{Layer, Plan};
use landform_view::{LayerMap, Options, Style};

use crate::args::View;
use crate::source::{Source, extension};
use crate::{memory, misuse, output, running};

pub(crate) fn run(args: &View) -> anyhow::Result<()> {
    if extension(&args.output) != "png" {
        let path = args.output.display();
        return Err(misuse(format!("-o {path}: expected a picture that ends in .png")));
    }
    let source = Source::open(Some(&args.input), &args.changes, &args.reading)?;
    source.warn(args.running.quiet);
    let style = Style::named(&args.style).expect("the argument is one of the styles");
    let options = options(args, &source)?;
    let plan = source.plan()?;
    let whole = plan.lattice().whole();
    memory::check(&args.running, plan.memory(&whole), &plan)?;
    let layer = args.layer.as_deref().map(|name| layer(name, &plan)).transpose()?;
    running::run(&args.running, |monitor| -> anyhow::Result<()> {
        let terrain = plan.run(&whole, monitor)?;
        monitor.say("drawing");
        let image = match &layer {
            Some(layer) => LayerMap::default()
                .draw(&terrain, layer, &options)
                .expect("the plan has told its layers"),
            None => landform_view::draw(&terrain, style, &options),
        };
        output::image(&args.output, &image)
    })??;
    if !args.running.quiet {
        writeln!(std::io::stdout(), "{}", args.output.display())?;
    }
    Ok(())
}

fn options(args: &View, source: &Source) -> anyhow::Result<Options> {
    let mut options = Options { legend: args.legend, ..Options::default() };
    if let Some([width, height]) = args.picture {
        let most = landform_view::MAX_SIDE;
        if width as usize > most || height as usize > most {
            return Err(misuse(format!(
                "--picture {width}x{height}: each side may be at most {most}"
            )));
        }
        options.size = Some([width as usize, height as usize]);
    }
    let scene = &mut options.scene;
    if let Some(azimuth) = args.drawing.azimuth {
        scene.azimuth_deg = azimuth;
    }
    if let Some(elevation) = args.drawing.elevation {
        scene.elevation_deg = elevation;
    }
    scene.exaggeration = args.drawing.exaggeration.or(scene.exaggeration);
    let plan = &mut options.plan;
    plan.cones = source.recipe.cones()?;
    plan.largest = args.drawing.largest;
    plan.radius_scale = args.drawing.circle_scale.unwrap_or(plan.radius_scale);
    let count = plan.cones.len();
    if let Some(wrong) = args.drawing.select.iter().find(|&&index| index >= count) {
        return Err(misuse(format!(
            "--select {wrong}: the terrain has {count} peaks, counted from 0"
        )));
    }
    plan.selected.clone_from(&args.drawing.select);
    Ok(options)
}

/// The layer called `name`, which the terrain will have.
fn layer(name: &str, plan: &Plan) -> anyhow::Result<Layer> {
    let layers = plan.layers();
    layers.iter().find(|layer| layer.name() == name).cloned().ok_or_else(|| {
        let names: Vec<&str> = layers.iter().map(Layer::name).collect();
        misuse(format!("--layer {name}: the terrain has the layers {}", names.join(", ")))
    })
}
