//! Files and pictures made of a terrain, through a [`Sink`](crate::Sink).
//!
//! | function | makes |
//! | --- | --- |
//! | [`bundle()`] | the standard folder: layers, pictures, a mesh, the recipe and the manifest |
//! | [`profile()`] | the folder that another program takes, as a whole or in tiles |
//! | [`heights()`] | one file of heights, or tiles of it: heightmaps and meshes |
//! | [`map()`] | a layer, or a map that follows from the height |
//! | [`vector`], [`uplift`], [`recipe`] | rivers and places, peaks, the recipe as it was run |
//! | [`curves()`] | skylines as numbers |
//! | [`picture()`], [`turntable`], [`frames()`] | pictures |
//! | [`stream`] | stores, cloud-optimized GeoTIFF and map tiles, larger than memory |
//!
//! [`Output`] finds out by its name what a file is to be, from one table of all endings.

mod belts;
mod bundle;
mod curves;
mod frames;
mod heights;
mod map;
mod output;
mod picture;
mod profile;
pub mod stream;
mod texts;

use landform::{Inputs, Recipe, Watch};

pub use belts::written_down as with_belts;
pub use bundle::bundle;
pub use curves::{CurveFormat, CurveTable, NamedCurve, curves};
pub use frames::{FrameStyle, frame_name, frames};
pub use heights::{Heights, check_tile, heights};
pub use map::{MAPS, Map, MapOptions, map, weights};
pub use output::{Ending, Output, VectorFormat, endings};
pub use picture::{Drawing, PLAN_PEAKS, picture, put_image, turntable};
pub use profile::{ExportFolder, Profile, check_profile, fitted, profile, profile_of_store};
pub use texts::{recipe, uplift, vector};

/// Where a terrain comes from, as files that are made of it tell.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The recipe as it was run; nothing for samples that come from none.
    pub recipe: Option<&'a str>,
    /// Its seed.
    pub seed: Option<u64>,
    /// The rasters that it refers to.
    pub inputs: &'a Inputs,
}

impl Origin<'_> {
    /// The range that the recipe declares for 16-bit files.
    fn declared_range(&self) -> Option<[f64; 2]> {
        Recipe::parse(self.recipe?).ok()?.output_range
    }
}

/// A file that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeFile {
    /// Its name in the [`Sink`](crate::Sink).
    pub name: String,
    /// What is in it, for people; nothing if its name says it.
    pub about: Option<String>,
}

impl MadeFile {
    fn new(name: &str, about: impl Into<String>) -> Self {
        Self { name: name.to_owned(), about: Some(about.into()) }
    }
}

/// Tells what comes next, and goes on unless the work is cancelled.
fn begin(watch: &dyn Watch, what: &str) -> Result<(), landform::Cancelled> {
    watch.progress(what, 1.0);
    if watch.is_cancelled() { Err(landform::Cancelled) } else { Ok(()) }
}

/// Lets work be cancelled without its telling of progress.
pub(crate) struct Silent<'a>(pub(crate) &'a dyn Watch);

impl Watch for Silent<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    fn evaluates(&self, samples: usize) {
        self.0.evaluates(samples);
    }
}
