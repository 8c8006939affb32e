//! Land from drawn lines: ridges, rivers, coasts and heights that the ground meets, and that later stages obey.
//!
//! | file | what |
//! | --- | --- |
//! | [`mod@line`] | a line as people write it; what it asks for is a [`demand`](crate::demand) |
//! | `course` | lines as courses: smooth curves, rivers that end where they meet water |
//! | [`contradiction`] | lines that cannot all be met |
//! | `near` | what lies nearest to each sample of a row |
//! | `profile` | the ground beside lines, at any resolution |
//! | [`multigrid`] | the screened Poisson equation |
//! | `diffusion` | the ground between the lines |
//! | `reserve` | ground beside lines that later stages leave alone |
//! | [`stage`] | the stage `sketch` |

pub mod contradiction;
mod course;
mod diffusion;
pub mod line;
pub mod multigrid;
mod near;
mod profile;
mod reserve;
pub mod stage;

pub use crate::demand::{Demand, DemandKind};
pub(crate) use diffusion::Correction;
pub use line::Line;
pub(crate) use profile::Drawing;
pub(crate) use reserve::Reserve;
pub use stage::Sketch;
