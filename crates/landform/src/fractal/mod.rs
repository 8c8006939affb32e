//! Fractals: noise and the curves and surfaces made of it.
//!
//! | stage | what | source |
//! | --- | --- | --- |
//! | [`noise`] | fBm, multiplicative, ridged and billowy sums of noise, warped if wanted | Perlin 1985; Musgrave et al. 1989 |
//! | [`matrix_diamond_square`] | a matrix of heights, refined and shaken | Raj et al. |
//! | [`diamond_square`] | centres, then sides, each moved at random | Fournier et al. 1982 |
//! | [`midpoint_displacement`] | midpoints moved at random | Fournier et al. 1982 |
//! | [`brownian_surface`] | random additions to all points | Voss 1985 |
//! | [`fault_formation`] | half-planes lifted against each other | Krten 1994 |
//! | [`particle_deposition`] | particles that fall and roll | |

pub mod brownian_surface;
pub mod diamond_square;
pub mod fault_formation;
pub mod matrix_diamond_square;
pub mod midpoint_displacement;
pub mod noise;
pub mod particle_deposition;

pub(crate) mod dyadic;
pub(crate) mod fractal_sum;
pub(crate) mod grid_noise;
pub(crate) mod interpolation;
pub(crate) mod noise_field;
pub(crate) mod octave;
