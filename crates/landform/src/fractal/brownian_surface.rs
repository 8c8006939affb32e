//! A Brownian surface: height differences grow with the square root of the distance, in every direction alike. The surface
//! whose profile is the Brownian curve.
//!
//! ```text
//! E (h(p) − h(q))² ~ |p − q|^(2H),   H = ½
//! ```
//!
//! Made by successive random additions (Voss 1985, Saupe 1988): as [diamond-square](super::diamond_square), but after each
//! of the two steps of a pass *all* points are moved, by normal random numbers whose deviation falls by 2^(−H/2) a
//! step. Moving all points is what makes the surface stationary, without the creases of its relatives.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::diamond_square::Squares;
use super::dyadic::{Pass, Rule, Window};
use super::matrix_diamond_square::Raw;
use super::midpoint_displacement::endless;
use crate::Lattice;
use crate::blend::Blend;
use crate::error::Error;
use crate::noise::lattice::{Key, finish};
use crate::stage::{Access, Operator, Prepared, Reach, Site};

/// A surface whose profiles are Brownian curves: see the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BrownianSurface {
    /// Distance up to which differences grow: the size of the largest hills.
    #[schemars(range(min = 0.001, max = 10_000_000.0), extend("unit" = "m"))]
    pub wavelength: f64,
    /// Height of the largest hills.
    #[schemars(range(min = 0.0, max = 100_000.0), extend("unit" = "m"))]
    pub amplitude: f64,
    /// Number of passes; those too fine for the output are left out.
    #[schemars(range(min = 1, max = 24))]
    pub passes: u32,
}

impl Default for BrownianSurface {
    fn default() -> Self {
        Self { wavelength: 5120.0, amplitude: 300.0, passes: 16 }
    }
}

/// 2^(−H/2) for H = ½: how the deviation falls from step to step, two steps a pass.
const STEP: f64 = 0.840_896_415_253_714_6;

impl Operator for BrownianSurface {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        let size = (self.wavelength, self.passes);
        let heights = (self.amplitude, STEP * STEP);
        Ok(Prepared::Field(Box::new(Raw(endless(Rule::RandomAdditions, size, heights, site)))))
    }

    fn blend(&self) -> Blend {
        Blend::Add
    }

    fn reach(&self, _output: &Lattice) -> Reach {
        Reach::Point
    }

    fn access(&self) -> Access {
        Access::PLAIN
    }
}

/// A random number with mean 0 and deviation 1/√3, that of the uniform law in −1..1, and all but normal: the sum of the
/// four bytes of a hash.
#[inline]
fn normal(key: Key, i: i32, j: i32) -> f32 {
    let bits = finish(key.column(i), key.row(j));
    let sum = (bits & 0xFF) + (bits >> 8 & 0xFF) + (bits >> 16 & 0xFF) + (bits >> 24);
    (sum as f32 - 510.0) * (1.0 / 256.0)
}

/// Both steps of one pass.
pub(super) fn refine(pass: &Pass, corners: &[f32], old: Window, window: Window, out: &mut [f32]) {
    let Pass { amplitude: second, keys: [corner_key, side_key] } = *pass;
    let first = second / STEP as f32;
    let mut squares = Squares::new(corners, old, |i, j| first * normal(corner_key, i, j));
    // The corners move only after the centres have been made from them.
    let moved: Vec<f32> = corners
        .iter()
        .enumerate()
        .map(|(at, height)| {
            let (column, row) = ((at % old.width) as i32, (at / old.width) as i32);
            height + first * normal(corner_key, 2 * (old.i + column), 2 * (old.j + row))
        })
        .collect();
    squares.corners = &moved;
    for (row, points) in out.chunks_exact_mut(window.width).enumerate() {
        let j = window.j + row as i32;
        for (column, point) in points.iter_mut().enumerate() {
            let i = window.i + column as i32;
            *point = squares.point(i, j) + second * normal(side_key, i, j);
        }
    }
}
