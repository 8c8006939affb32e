//! Shapes on a canvas: exact-area antialiasing, and the same shapes as SVG.

mod canvas;
mod fill;
mod shape;
mod svg;
mod text;

pub(crate) use canvas::{Canvas, dither, painted_image};
pub(crate) use fill::{Coverage, Point, circle};
pub(crate) use shape::{Drawing, Paint, Shape, Stop};
pub(crate) use text::{Align, text_along, text_rings, text_width};
