//! What can be measured on a terrain.

pub mod contour;
pub mod statistics;
