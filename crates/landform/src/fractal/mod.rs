//! Fractals: noise and the curves and surfaces made of it.

pub mod gradient_noise;
