//! Samples on another lattice over the same ground, and between the samples.
//!
//! | file | what |
//! | --- | --- |
//! | `carry` | refines or coarsens what a stage computed: a turned grid gives the turned result, bit for bit |
//! | `raster` | stretches a raster that the user brought over the ground |
//! | `ground` | the height at a point |
//! | `catmull_rom` | the kernel of the first two |

pub(crate) mod carry;
pub(crate) mod catmull_rom;
pub(crate) mod ground;
pub(crate) mod raster;
#[cfg(test)]
pub(crate) mod symmetry;
