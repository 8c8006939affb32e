//! Terrain as a list of landforms, evaluated at any resolution, tile by tile, with the same bytes everywhere.
#![forbid(unsafe_code)]

pub mod extent;
pub mod grid;
pub mod layer;
pub mod math;
pub mod par;
pub mod seed;
pub mod terrain;
pub mod uplift;
pub mod watch;

pub use extent::{Extent, Lattice};
pub use grid::Grid;
pub use layer::Layer;
pub use seed::Seed;
pub use terrain::Terrain;
pub use watch::{Cancelled, Ctx, Watch};
