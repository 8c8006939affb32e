//! Rivers: winding lines that are laid out on the ground, fall from source to mouth, and are cut into it.
//!
//! | file | what |
//! | --- | --- |
//! | [`squig`] | squig curves: marked triangles, subdivided |
//! | [`mesh`], [`layout`] | the base triangles, and which of them a river runs through |
//! | [`trace`], [`course`] | from triangles to lines that are rounded and joined |
//! | [`rounding`] | opens tight corners without letting lines cross |
//! | [`profile`] | discharge, width, depth and the falling bed |
//! | `carve` | the valley as an exact function of the line |
//! | [`stage`] | the stage `river` |

pub(crate) mod carve;
pub mod course;
pub mod layout;
pub mod mesh;
pub mod profile;
pub mod rounding;
pub mod squig;
pub mod stage;
pub mod trace;

#[cfg(test)]
mod tests;

pub use stage::{Bed, CourseLine, Rivers};
