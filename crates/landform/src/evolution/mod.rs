//! Landscapes that evolve: land rises, rivers carve it while it does, and slopes creep.
//!
//! | file | what |
//! | --- | --- |
//! | [`stream_power`] | rivers cut into rising land, and lay down what they carry |
//! | [`diffusion`] | soil creeps downhill |
//! | `delta` | rivers build land into the sea |
//! | `coarse_to_fine` | from large valleys to small ones |
//! | `relief` | the height of the highest summit |
//! | `floors` | rivers fill the valleys that they have cut |
//! | `frame` | the ground with its margin, and the lattices over both |
//! | `given` | what the recipe gives, on any lattice |
//! | `guide` | where water has to go and where it must not |
//! | `obey` | drawn lines on a lattice |
//! | `time` | how the years are shared among the lattices |
//! | `lead_out` | ways out of depressions at the end |
//! | `detail` | the drainage goes on below the design lattice |
//! | `flow_erosion` | rounds of erosion by multiple flow, on a patch of ground |
//! | `refinement` | from one lattice to one of twice as many samples, in blocks |
//! | `simulation` | lattice by lattice, step by step |
//! | [`evolve`] | the stage `evolve` |
//! | [`gullies`] | a filter that draws gullies without a simulation |
//! | `smoothed_ground` | the ground on a coarser lattice |

mod coarse_to_fine;
mod delta;
mod detail;
pub mod diffusion;
pub mod evolve;
mod floors;
mod flow_erosion;
mod frame;
mod given;
mod guide;
pub mod gullies;
mod lead_out;
mod obey;
mod refinement;
mod relief;
mod simulation;
mod smoothed_ground;
pub mod stream_power;
mod time;

pub use evolve::Evolve;
pub use gullies::Gullies;
