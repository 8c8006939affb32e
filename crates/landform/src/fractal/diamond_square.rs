//! Diamond-square (Fournier, Fussell & Carpenter 1982; Miller 1986): the centre of each square is the mean of its corners, then
//! the middle of each side the mean of the two corners and two centres around it, each moved at random.
//!
//! ```text
//! amplitude of pass p = amplitude · 2^(−pH)
//! ```
//!
//! The lattice begins with random heights, `wavelength` metres apart, and goes on beyond the ground. So any rectangle is
//! covered, not only squares of 2ⁿ + 1 samples, and no point is on a border where a neighbour is missing.
//!
//! With `corners` it begins as the textbooks have it: with one cell over the whole ground, whose four heights are given. They
//! keep them to the end. The outermost grid lines are the sides of that cell, so a size of 2ⁿ + 1 samples is refined
//! exactly and any other is read between the points of the next finer lattice. Beyond the
//! ground the corner heights continue: the fourth neighbour of a point on the border is made from them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::dyadic::{Pass, Rule, Window};
use super::matrix_diamond_square::Raw;
use super::midpoint_displacement::{endless, over_ground};
use crate::blend::Blend;
use crate::error::Error;
use crate::noise::lattice::{Key, finish, signed};
use crate::stage::{Access, Operator, Prepared, Reach, Site};
use crate::{Lattice, math};

/// Centres, then sides, each moved at random: see the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DiamondSquare {
    /// Distance of the points that it begins with: the size of the largest hills.
    #[schemars(range(min = 0.001, max = 10_000_000.0), extend("unit" = "m"))]
    pub wavelength: f64,
    /// How far those points are moved, up or down.
    #[schemars(range(min = 0.0, max = 100_000.0), extend("unit" = "m"))]
    pub amplitude: f64,
    /// Scaling exponent H: 0 jagged, 1 smooth.
    #[schemars(range(min = 0.0, max = 2.0))]
    pub h: f64,
    /// Number of passes; those too fine for the output are left out.
    #[schemars(range(min = 1, max = 24))]
    pub passes: u32,
    /// Heights of the four corners of the ground, north-west, north-east, south-west, south-east: one cell is stretched over
    /// the ground and begins with them, and `wavelength` is not used. Without, the start is random.
    #[schemars(inner(range(min = -1e6, max = 1e6)), extend("unit" = "m"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corners: Option<[f64; 4]>,
}

impl Default for DiamondSquare {
    fn default() -> Self {
        Self { wavelength: 5120.0, amplitude: 900.0, h: 1.0, passes: 16, corners: None }
    }
}

impl Operator for DiamondSquare {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        let size = (self.wavelength, self.passes);
        let heights = (self.amplitude, math::exp(-self.h * std::f64::consts::LN_2));
        let rule = Rule::DiamondSquare;
        Ok(Prepared::Field(Box::new(Raw(match self.corners {
            Some(corners) => over_ground(rule, corners, self.passes, heights, site),
            None => endless(rule, size, heights, site),
        }))))
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

/// The points of one pass: the old ones, and the centres between each four of them.
pub(super) struct Squares<'a> {
    pub(super) old: Window,
    pub(super) corners: &'a [f32],
    pub(super) centers: Vec<f32>,
}

impl<'a> Squares<'a> {
    /// The diamond step: each centre is the mean of its corners, moved by at most `amplitude`.
    pub(super) fn new(corners: &'a [f32], old: Window, move_by: impl Fn(i32, i32) -> f32) -> Self {
        let mut centers = vec![0.0; old.width * old.height];
        for row in 0..old.height - 1 {
            let above = &corners[row * old.width..][..old.width];
            let below = &corners[(row + 1) * old.width..][..old.width];
            let j = 2 * (old.j + row as i32) + 1;
            for column in 0..old.width - 1 {
                let sum = (above[column] + above[column + 1]) + (below[column] + below[column + 1]);
                let i = 2 * (old.i + column as i32) + 1;
                centers[row * old.width + column] = 0.25 * sum + move_by(i, j);
            }
        }
        Self { old, corners, centers }
    }

    /// The point (i, j) of the finer lattice before it is moved in the square step.
    #[inline]
    pub(super) fn point(&self, i: i32, j: i32) -> f32 {
        let Window { width, .. } = self.old;
        let (column, row) = ((i >> 1) - self.old.i, (j >> 1) - self.old.j);
        let at = row as usize * width + column as usize;
        match (i & 1, j & 1) {
            (0, 0) => self.corners[at],
            (1, 1) => self.centers[at],
            // The centres of the cells above and below a side, or to its left and right.
            (1, _) => {
                let ends = self.corners[at] + self.corners[at + 1];
                0.25 * (ends + (self.centers[at - width] + self.centers[at]))
            }
            _ => {
                let ends = self.corners[at] + self.corners[at + width];
                0.25 * (ends + (self.centers[at - 1] + self.centers[at]))
            }
        }
    }
}

/// A random number in −1..1 for a point.
#[inline]
pub(super) fn uniform(key: Key, i: i32, j: i32) -> f32 {
    signed(finish(key.column(i), key.row(j)))
}

/// Both steps of one pass.
pub(super) fn refine(pass: &Pass, corners: &[f32], old: Window, window: Window, out: &mut [f32]) {
    let Pass { amplitude, keys: [key, _] } = *pass;
    let squares = Squares::new(corners, old, |i, j| amplitude * uniform(key, i, j));
    for (row, points) in out.chunks_exact_mut(window.width).enumerate() {
        let j = window.j + row as i32;
        for (column, point) in points.iter_mut().enumerate() {
            let i = window.i + column as i32;
            let is_side = (i ^ j) & 1 == 1;
            let by = if is_side { amplitude * uniform(key, i, j) } else { 0.0 };
            *point = squares.point(i, j) + by;
        }
    }
}
