//! Drainage: where water runs, where it stands, and what that says about the land.
//!
//! | file | what |
//! | --- | --- |
//! | [`compass`] | the eight directions on a lattice |
//! | [`receivers`] | steepest descent |
//! | [`order`] | upstream before downstream; drainage area and catchments |
//! | [`depressions`] | a way out of every pit; breaching |

pub mod compass;
pub mod depressions;
pub mod order;
pub mod receivers;
