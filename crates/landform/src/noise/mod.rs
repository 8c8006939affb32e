//! Noise: smooth random hills of one size, from which fractals, coasts and river banks are made.
//!
//! | file | what | source |
//! | --- | --- | --- |
//! | `lattice` | random numbers on the points of a lattice, and positions between them | Wellons 2018 |
//! | [`gradient_noise`] | a random slope at each point | Perlin 1985, 2002 |
//! | `value_noise` | a random height at each point | |
//! | `simplex_noise` | random slopes on a lattice of triangles | Perlin 2001 |
//! | `cellular_noise` | the distance to the nearest random point | Worley 1996 |
//!
//! [`fractal`](crate::fractal) sums octaves of it.

pub(crate) mod cellular_noise;
pub mod gradient_noise;
pub(crate) mod lattice;
pub(crate) mod simplex_noise;
pub(crate) mod value_noise;
