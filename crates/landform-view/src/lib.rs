//! Pictures of terrains, drawn on the CPU.
#![forbid(unsafe_code)]

mod color;
mod draw;
mod gradient;
mod gray;
mod ground;
mod hillshade;
mod horizon;
mod image;
mod plan;
mod relief;
mod resample;
mod scene;
mod sea;
mod skyline;
mod style;

pub use ground::MAX_SIDE;
pub use hillshade::{Hillshade, Light};
pub use image::Image;
pub use plan::Plan;
pub use scene::{Look, Scene};
pub use skyline::{Curves, Disc, Palette, Skyline};
pub use style::{Options, Style, draw};
