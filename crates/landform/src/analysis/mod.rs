//! What can be measured on a terrain.

pub mod statistics;
