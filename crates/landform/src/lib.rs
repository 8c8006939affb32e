//! Terrain as a list of landforms, evaluated at any resolution, tile by tile, with the same bytes everywhere.
#![forbid(unsafe_code)]

pub mod extent;
pub mod grid;
pub mod math;
pub mod par;
pub mod seed;
pub mod uplift;
pub mod watch;

pub use extent::{Extent, Lattice};
pub use grid::Grid;
pub use seed::Seed;
pub use watch::{Cancelled, Ctx, Watch};
