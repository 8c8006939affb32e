//! Erosion: running water, sliding scree, and the rock that resists them.
//!
//! | file | what |
//! | --- | --- |
//! | [`hydraulic`] | rain that runs downhill, digs gullies and leaves fans |
//! | [`thermal`] | cliffs that crumble to the talus angle |
//! | [`rock`] | what wears fast and what stands out: kinds of rock, bodies, strata |
//! | [`in_place`] | the step as the paper has it, for comparison |
//! | `runoff`, `flux`, `slide` | one step of each |
//! | `pyramid` | coarse to fine |

mod flux;
mod ground;
pub mod hydraulic;
pub mod in_place;
#[cfg(test)]
mod laws;
mod pyramid;
pub mod rock;
mod runoff;
mod slide;
pub mod thermal;

pub use ground::Border;
pub use hydraulic::Hydraulic;
pub use rock::{Bed, RockBody, RockKind, Strata};
pub use thermal::Thermal;
