//! Moving plates: a picture of the world after each step.

use landform::stage::Stage;
use landform::world::Plates;
use landform::{Inputs, Recipe, Watch};
use landform_io::png::Animation;
use landform_view::{Image, Options, Style, captioned};

use super::Silent;
use super::picture::put_image;
use crate::{Error, Result, Sink, Watched, Wish};

/// How frames are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameStyle<'a> {
    /// One moving picture of this name (APNG).
    Moving(&'a str),
    /// `step-000.png` and so on.
    Single,
}

/// Draws a world after 0, 1, 2 … steps of its plates, and gives the number of frames.
///
/// # Errors
/// If the recipe has no plates, those of the sink, and by cancellation.
pub fn frames(
    recipe: &Recipe,
    inputs: &Inputs,
    style: Style,
    options: &Options,
    written: FrameStyle<'_>,
    sink: &mut dyn Sink,
    watch: &dyn Watch,
) -> Result<u32> {
    let sink = &mut Watched::new(sink, watch);
    let plates = recipe.stages.iter().enumerate().find_map(|(index, entry)| match &entry.stage {
        Stage::Plates(plates) => Some((index, plates)),
        _ => None,
    });
    let Some((index, plates)) = plates else {
        return Err(Error::wish(Wish::Frames, "needs a recipe with a stage `plates`"));
    };
    let count = plates.steps + 1;
    let frame = |step: u32| -> Result<Image> {
        watch.progress("steps of the plates", step as f32 / count as f32);
        let mut recipe: Recipe = recipe.clone();
        recipe.stages[index].stage = Stage::Plates(Plates { steps: step, ..plates.clone() });
        let plan = recipe.resolve(inputs)?;
        let terrain = plan.run(&plan.lattice().whole(), &Silent(watch))?;
        let image = landform_view::draw(&terrain, style, options);
        Ok(captioned(&image, &age(f64::from(step) * plates.step)))
    };
    match written {
        FrameStyle::Single => {
            for step in 0..count {
                put_image(sink, &frame_name(step), &frame(step)?)?;
            }
        }
        FrameStyle::Moving(name) => {
            let first = frame(0)?;
            // An error of a frame is not one of the file.
            let mut failed = None;
            let put = sink.put(name, &mut |out| {
                let size = [first.width(), first.height()];
                let mut animation = Animation::new(out, size, count, 200)?;
                animation.add(first.pixels())?;
                for step in 1..count {
                    match frame(step) {
                        Ok(image) => animation.add(image.pixels())?,
                        Err(error) => {
                            failed = Some(error);
                            return Err(landform::Cancelled.into());
                        }
                    }
                }
                animation.finish()
            });
            if let Some(error) = failed {
                return Err(error);
            }
            put?;
        }
    }
    sink.finish()?;
    Ok(count)
}

/// The name of the file of a frame.
pub fn frame_name(step: u32) -> String {
    format!("step-{step:03}.png")
}

/// "0 million years", "7.5 million years".
fn age(million: f64) -> String {
    format!("{} million years", (million * 10.0).round() / 10.0)
}
