//! Moving plates: a picture of the world after each step.

use std::io::Write;
use std::path::Path;

use anyhow::Context as _;
use landform::stage::Stage;
use landform::world::Plates;
use landform::{Recipe, Watch};
use landform_io::atomic::Batch;
use landform_io::png::Animation;
use landform_view::{Image, Options, Style, captioned};

use crate::running::Monitor;
use crate::source::Source;
use crate::{misuse, output};

/// Draws the world after 0, 1, 2 … steps, into one moving picture or into a folder.
pub(crate) fn draw(
    source: &Source,
    style: Style,
    options: &Options,
    (path, is_folder): (&Path, bool),
    monitor: &Monitor,
) -> anyhow::Result<()> {
    let is_plates = |stage: &Stage| matches!(stage, Stage::Plates(_));
    let found = source.recipe.stages.iter().position(|entry| is_plates(&entry.stage));
    let Some(index) = found else {
        return Err(misuse("--frames needs a recipe with a stage `plates`"));
    };
    let Stage::Plates(plates) = &source.recipe.stages[index].stage else { return Ok(()) };
    let count = plates.steps + 1;
    let frame = |step: u32| -> anyhow::Result<Image> {
        monitor.progress("steps of the plates", step as f32 / count as f32);
        let mut recipe: Recipe = source.recipe.clone();
        recipe.stages[index].stage = Stage::Plates(Plates { steps: step, ..plates.clone() });
        let plan = recipe.resolve(&source.inputs)?;
        let terrain = plan.run(&plan.lattice().whole(), &Quiet(monitor))?;
        monitor.draws();
        let image = landform_view::draw(&terrain, style, options);
        Ok(captioned(&image, &age(f64::from(step) * plates.step)))
    };
    if is_folder {
        return into_folder(path, count, frame);
    }
    output::file(path, |out| {
        let first = frame(0)?;
        let mut animation = Animation::new(out, [first.width(), first.height()], count, 200)?;
        animation.add(first.pixels())?;
        for step in 1..count {
            animation.add(frame(step)?.pixels())?;
        }
        Ok(animation.finish()?)
    })
}

/// Writes `count` frames as `step-000.png` and so on, all of them or none. Frames of a longer drift that was there before go.
fn into_folder(
    folder: &Path,
    count: u32,
    frame: impl Fn(u32) -> anyhow::Result<Image>,
) -> anyhow::Result<()> {
    let name = |step: u32| folder.join(format!("step-{step:03}.png"));
    let encode = |image: &Image, out: &mut dyn Write| -> anyhow::Result<()> {
        Ok(landform_io::png::encode_rgb8(image.width(), image.pixels(), out)?)
    };
    let about = || format!("cannot write the frames in {}", folder.display());
    let last = count - 1;
    let mut frames = Batch::new(&name(last)).with_context(about)?;
    for step in 0..last {
        let image = frame(step)?;
        frames.write(&name(step), |out| encode(&image, out)).with_context(about)?;
    }
    let mut bytes = Vec::new();
    encode(&frame(last)?, &mut bytes)?;
    frames.finish(&bytes).with_context(about)?;
    for step in count.. {
        match std::fs::remove_file(name(step)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => break,
            removed => removed.with_context(about)?,
        }
    }
    Ok(())
}

/// "0 million years", "7.5 million years".
fn age(million: f64) -> String {
    format!("{} million years", (million * 10.0).round() / 10.0)
}

/// Lets a frame be cancelled without its own progress.
struct Quiet<'a>(&'a Monitor);

impl Watch for Quiet<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}
