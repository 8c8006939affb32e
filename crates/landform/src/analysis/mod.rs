//! What can be measured on a terrain.

pub mod aspect;
pub mod contour;
pub mod derived;
pub mod horizon;
pub mod material;
pub mod spectrum;
pub mod statistics;
pub mod valley_profile;
pub mod world;
