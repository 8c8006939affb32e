//! Shapes on a canvas: exact-area antialiasing, and the same shapes as SVG.

mod canvas;
mod fill;

pub(crate) use canvas::Canvas;
pub(crate) use fill::Coverage;
