//! Erosion: running water, sliding scree, and the rock that resists them.
//!
//! | file | what |
//! | --- | --- |
//! | [`hydraulic`] | rain that runs downhill, digs gullies and leaves fans |
//! | [`thermal`] | cliffs that crumble to the talus angle |
//! | [`rock`] | what wears fast and what stands out: kinds of rock, bodies, strata |
//! | [`sharing`] | how water is shared: our scheme, and those of the paper |
//! | `runoff`, `flux`, `slide` | one step of each |
//! | `in_order`, `at_once` | one step of the paper's schemes |
//! | `pyramid` | coarse to fine |

mod at_once;
mod flux;
mod ground;
pub mod hydraulic;
mod in_order;
#[cfg(test)]
mod laws;
mod pyramid;
pub mod rock;
mod runoff;
pub mod sharing;
mod slide;
pub mod thermal;

pub use ground::Border;
pub use hydraulic::Hydraulic;
pub use rock::{Bed, NamedRock, RockBody, RockKind, RockName, Strata};
pub use sharing::Sharing;
pub use thermal::Thermal;
