//! Drainage: where water runs, where it stands, and what that says about the land.
//!
//! | file | what |
//! | --- | --- |
//! | [`compass`] | the eight directions on a lattice |
//! | [`receivers`] | steepest descent |
//! | [`order`] | upstream before downstream; drainage area and catchments |
//! | [`trees`] | the same catchment by catchment, for many threads |
//! | [`depressions`] | a way out of every pit; breaching |
//! | [`priority_flood`] | filling |
//! | [`multiple_flow`] | water that spreads |
//! | [`catchments`], `areas` | the ground of each stream, as polygons |
//! | [`strahler`], [`stream_order`] | the order of streams, and of rivers that are objects |
//! | [`lakes`], `rivers`, `braids` | water as objects |
//! | `banks` | a cut becomes a valley |
//! | `grooves` | valley floors that go on between the samples |
//! | `seam` | where a map that wraps is cut open |
//! | `wetness` | how wet the ground is |
//! | [`stage`], `drained` | the stage `drainage`, and what it has found |
//! | [`statistics`] | laws of Hack, Flint and Horton |

mod areas;
pub(crate) mod banks;
mod braids;
pub mod catchments;
pub mod compass;
pub mod depressions;
mod drained;
pub(crate) mod grooves;
pub mod lakes;
pub mod multiple_flow;
pub mod order;
pub mod priority_flood;
pub mod receivers;
pub(crate) mod rivers;
mod seam;
pub mod stage;
pub mod statistics;
pub mod strahler;
pub mod stream_order;
pub mod trees;
mod wetness;

pub use stage::DrainageMap;
