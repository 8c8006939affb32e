//! The surface on which plates move: cells of about equal size, on a sphere or on a flat map.
//!
//! One set of algorithms runs on all of them. A surface is made of faces of `width` × `height` cells, row by
//! row: six on the [sphere](super::sphere), one on a [flat map](super::flat). Points are unit vectors on the sphere and
//! (x, 0, z) in metres on a flat map; a plate turns by a rotation on the one and by a shift on the other, both
//! of which are a [`Turn`].
//!
//! Each algorithm asks for as much of a surface as it needs: [`Geometry`] for distances, [`Tessellation`] for cells and their
//! neighbours, [`Kinematics`] for plates that move, [`CellInterpolation`] for values between cells, [`MapCoordinates`] for the map.

mod geometry;
mod interpolation;
mod kinematics;
mod tessellation;

pub(crate) use geometry::{Geometry, MapCoordinates, Tent};
pub(crate) use interpolation::{Around, CellInterpolation, Stencil, TOGETHER, spline};
pub(crate) use kinematics::{Kinematics, Turn};
pub(crate) use tessellation::{
    AROUND, DistanceTransform, NONE, Shape, Tessellation, block_neighbours, block_side,
    inner_neighbours,
};

use super::flat::Flat;
use super::sphere::CubeSphere;
use crate::Lattice;
use crate::topology::Topology;

/// A place on a surface.
pub(crate) type Point = [f64; 3];

/// All that plates need: to move, and to be read as a map.
pub(crate) trait Surface:
    DistanceTransform + Kinematics + CellInterpolation + MapCoordinates
{
}

impl<S: DistanceTransform + Kinematics + CellInterpolation + MapCoordinates> Surface for S {}

/// The surface of a map.
#[derive(Clone, Debug)]
pub(crate) enum AnySurface {
    Sphere(CubeSphere),
    Flat(Flat),
}

impl AnySurface {
    /// The surface of the ground of `lattice`, with cells as far apart as its grid lines.
    pub(crate) fn new(topology: Topology, lattice: &Lattice) -> Self {
        match topology {
            Topology::Sphere => Self::Sphere(CubeSphere::new(lattice)),
            _ => Self::Flat(Flat::new(lattice, topology.wraps())),
        }
    }
}

/// Calls a function that is generic over the surface.
macro_rules! on_surface {
    ($any:expr, $surface:ident => $body:expr) => {
        match $any {
            $crate::world::surface::AnySurface::Sphere($surface) => $body,
            $crate::world::surface::AnySurface::Flat($surface) => $body,
        }
    };
}
pub(crate) use on_surface;
