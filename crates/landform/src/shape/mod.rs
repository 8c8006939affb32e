//! Simple shapes and changes of the whole ground.

pub mod flatten;
pub mod heightmap;
pub mod levels;
pub mod pad;
pub mod plane;
pub mod smooth;
mod voids;
