//! Pictures of terrains, drawn on the CPU.
#![forbid(unsafe_code)]

mod color;
mod colormap;
mod contours;
mod derived;
mod draw;
mod gradient;
mod gray;
mod ground;
mod hillshade;
mod horizon;
mod image;
mod layer_map;
mod legend;
mod plan;
mod relief;
mod resample;
mod scene;
mod sea;
mod sheet;
mod skyline;
mod style;

pub use colormap::ColorMap;
pub use ground::MAX_SIDE;
pub use hillshade::{Hillshade, Light};
pub use image::Image;
pub use layer_map::LayerMap;
pub use plan::Plan;
pub use scene::{Look, Projection, Scene};
pub use sheet::{Compare, split};
pub use skyline::{Curves, Disc, Palette, Skyline};
pub use style::{Options, Style, draw};
