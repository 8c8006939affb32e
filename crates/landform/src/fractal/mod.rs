//! Fractals: noise and the curves and surfaces made of it.
//!
//! | stage | what | source |
//! | --- | --- | --- |
//! | [`noise`] | fBm, multiplicative, ridged and billowy sums of noise, warped if wanted | Perlin 1985; Musgrave et al. 1989 |

pub mod gradient_noise;
pub mod noise;

pub(crate) mod cellular_noise;
pub(crate) mod fractal_sum;
pub(crate) mod grid_noise;
pub(crate) mod lattice;
pub(crate) mod noise_field;
pub(crate) mod octave;
pub(crate) mod simplex_noise;
pub(crate) mod value_noise;
