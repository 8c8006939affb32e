//! Pictures of terrains, drawn on the CPU.
//!
//! # A tour
//!
//! [`draw()`] turns a terrain into an [`Image`] in one of the [`Style`]s, with [`Options`]:
//!
//! ```
//! use landform::{Grid, Lattice, Terrain};
//! use landform_view::{Options, Style, draw};
//!
//! let extent = Lattice { size: [64, 48], spacing: [20.0, 20.0] }.whole();
//! let height = Grid::from_fn(64, 48, |i, j| (i as f32 - 20.0) * j as f32 / 10.0);
//! let terrain = Terrain::new(extent, 0.0, height);
//! let options = Options { size: Some([320, 240]), legend: true, ..Options::default() };
//! let image = draw(&terrain, Style::Relief, &options);
//! assert_eq!((image.width(), image.height()), (320, 240));
//! ```
//!
//! | part | what |
//! | --- | --- |
//! | [`Style`], [`Options`] | maps: relief, hillshade, gray, contours, slope, aspect, normal; plan; views |
//! | [`MapProjection`] | planets in equal-area projections and as globes |
//! | [`LayerMap`], [`ColorMap`] | any layer in perceptual colours |
//! | [`Scene`] | perspective and block diagram, sun, sky, water; the papers' triangles and wires; turntable |
//! | [`PeakMap`] | peaks and their circles over the terrain |
//! | [`LiveRelief`] | the relief of ground that changes, part by part, for editors |
//! | [`palette`] | colours and grain, for programs that draw with a graphics processor |
//! | [`Skyline`], [`Curves`] | mountain ranges as finished scenes, and as plain curves; PNG pixels or SVG |
//! | [`Compare`], [`split`], [`captioned`] | pictures beside each other, and with words on them |
//!
//! # Invariants
//!
//! - **Every terrain has a picture.** One sample, one row, no relief, missing or infinite heights: the
//!   functions are total. Sides beyond [`MAX_SIDE`] are cut down.
//! - **Same terrain, same bytes**, on every machine and for any number of threads: mathematics from
//!   [`landform::math`], threads from [`landform::par`], dither and grain from hashes.
//! - **No paths, no codecs.** An [`Image`] is bytes in memory; `landform-io` writes files.
#![forbid(unsafe_code)]

mod color;
mod colormap;
mod contours;
mod derived;
mod draw;
mod gradient;
mod graticule;
mod gray;
mod ground;
mod hillshade;
mod ice_cover;
mod image;
mod inland;
mod layer_map;
mod legend;
mod live;
mod map_projection;
pub mod palette;
mod plan;
mod plate_numbers;
mod poster;
mod relief;
mod resample;
mod scene;
mod sea;
mod sheet;
mod sky_light;
mod skyline;
mod style;
mod world_map;

pub use colormap::ColorMap;
pub use ground::MAX_SIDE;
pub use hillshade::{Hillshade, Light};
pub use image::Image;
pub use layer_map::LayerMap;
pub use live::LiveRelief;
pub use map_projection::MapProjection;
pub use plan::PeakMap;
pub use scene::{Look, Projection, Scene};
pub use sheet::{Compare, captioned, split};
pub use skyline::{Curves, Disc, Palette, Panel, Skyline};
pub use style::{Options, Style, TEXTURE_SIDE, draw, draw_owned, texture};
