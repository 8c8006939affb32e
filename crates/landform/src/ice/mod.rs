//! Ice ages: glaciers wear valleys to troughs, and leave cirques, basins and moraines.
//!
//! | file | what |
//! | --- | --- |
//! | [`glaciers`] | the stage `glaciers` |
//! | `glaciation` | an ice age, round by round |
//! | `shallow_ice` | ice that flows under its own weight, grows and melts |
//! | `ice_erosion` | how fast ice and frost wear rock |
//! | `bed` | the bed is worn, rounded and undercut |
//! | `till` | what was worn is carried and laid down |
//! | `alternating_directions` | implicit diffusion with a conductance for every face |
//! | `two_lattices` | the lattice of the ice over that of the ground |

mod alternating_directions;
mod bed;
mod glaciation;
pub mod glaciers;
mod ice_erosion;
mod shallow_ice;
mod till;
mod two_lattices;

pub use glaciers::Glaciers;
