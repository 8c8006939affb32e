//! Simple shapes and changes of the whole ground.

pub mod heightmap;
pub mod levels;
pub mod plane;
pub mod smooth;
