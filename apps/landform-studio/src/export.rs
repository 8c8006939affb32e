//! Files for other programs, made in memory in the background.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use landform::{Inputs, Recipe};
use landform_io::profile::{Job, Target};
use landform_io::{Format, Raster, WriteOptions};
use landform_view::{Options, Style};

use crate::files::Outgoing;

/// What is to be made.
#[derive(Clone, Debug)]
pub(crate) enum Wanted {
    /// Files for a program, at a size that it takes.
    For(Target),
    /// One file of the heights, at the size of the recipe.
    As(Format),
    /// A picture.
    Picture(Style, Box<Options>),
}

/// The terrain to be exported.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) wanted: Wanted,
    pub(crate) recipe: Recipe,
    pub(crate) text: String,
    pub(crate) inputs: Arc<Inputs>,
    /// Name of the files without extension.
    pub(crate) name: String,
}

/// What was made: files, and the numbers to type into the import dialog.
pub(crate) type Made = Result<(Vec<Outgoing>, String), String>;

/// Starts to make it; the answer comes through the channel.
pub(crate) fn start(order: Order, ctx: &eframe::egui::Context) -> Receiver<Made> {
    let (sender, receiver) = channel();
    let ctx = ctx.clone();
    let work = move || {
        // If nobody waits any more, nobody misses it.
        let _ = sender.send(make(&order));
        ctx.request_repaint();
    };
    #[cfg(not(target_arch = "wasm32"))]
    std::thread::spawn(work);
    #[cfg(target_arch = "wasm32")]
    work();
    receiver
}

/// Makes the files.
pub(crate) fn make(order: &Order) -> Made {
    let mut recipe = order.recipe.clone();
    if let Wanted::For(target) = order.wanted {
        recipe.resolution = Some(target.fit(recipe.output().size));
    }
    let plan = recipe.resolve(&order.inputs).map_err(|error| error.to_string())?;
    let whole = plan.lattice().whole();
    let terrain = plan.run(&whole, &()).map_err(|error| error.to_string())?;
    let raster = Raster::height(&terrain);
    let text = |error: landform_io::Error| error.to_string();
    match &order.wanted {
        Wanted::For(target) => {
            let export = target.export(&Job::whole(&terrain, &order.name)).map_err(text)?;
            let mut files = Vec::new();
            for file in &export.files {
                let mut bytes = Vec::new();
                file.format.write(&raster, &mut bytes, &file.options).map_err(text)?;
                files.push(Outgoing { name: file.name.clone(), bytes });
            }
            let page = export.page();
            files.push(Outgoing { name: target.page_name(), bytes: page.clone().into_bytes() });
            files.push(Outgoing {
                name: "recipe.toml".to_owned(),
                bytes: order.text.clone().into_bytes(),
            });
            Ok((files, page))
        }
        Wanted::As(format) => {
            let mut bytes = Vec::new();
            format.write(&raster, &mut bytes, &WriteOptions::default()).map_err(text)?;
            let name = format!("{}.{}", order.name, format.extension());
            Ok((vec![Outgoing { name, bytes }], String::new()))
        }
        Wanted::Picture(style, options) => {
            let image = landform_view::draw(&terrain, *style, options);
            let mut bytes = Vec::new();
            landform_io::png::encode_rgb8(image.width(), image.pixels(), &mut bytes)
                .map_err(text)?;
            let name = format!("{}-{}.png", order.name, style.name());
            Ok((vec![Outgoing { name, bytes }], String::new()))
        }
    }
}
