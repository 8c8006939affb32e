//! Distances and directions between points, and the map on which the points lie.

use fearless_simd::Simd;

use super::Point;

/// A peak, ready to be summed: height · max(0, 1 − distance / radius).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tent {
    /// [Settled](Geometry::settled).
    pub(crate) at: Point,
    pub(crate) height: f64,
    pub(crate) radius: f64,
}

/// Distances and directions between points of a surface.
pub(crate) trait Geometry: Send + Sync {
    /// The square of the straight way from a to b, in m²: never longer than along the surface.
    fn chord_squared(&self, a: Point, b: Point) -> f64;

    /// The way from a to b in metres.
    fn distance(&self, a: Point, b: Point) -> f64;

    /// Back onto the surface after a turn: into the map, or to unit length.
    fn settled(&self, p: Point) -> Point;

    /// Whether a point is not beyond an edge.
    fn holds(&self, p: Point) -> bool;

    /// The unit vector along the surface from `p` towards `q`; zeros if they are the same.
    fn towards(&self, p: Point, q: Point) -> [f64; 3];

    /// The point this many metres from `p` in a direction along the surface.
    fn ahead(&self, p: Point, direction: [f64; 3], metres: f64) -> Point;

    /// A point for which all of the surface is as likely.
    fn random_point(&self, u: f64, v: f64) -> Point;

    /// Metres that a plate with a velocity of length 1 moves at the most.
    fn velocity_scale(&self) -> f64;

    /// Adds tents to the sums at points, all of which are [settled](Self::settled).
    #[inline(always)]
    fn raise<V: Simd>(&self, _simd: V, tents: &[Tent], points: &[Point], sums: &mut [f64]) {
        for (&p, sum) in points.iter().zip(sums) {
            for tent in tents {
                if self.chord_squared(p, tent.at) < tent.radius * tent.radius {
                    let share = 1.0 - self.distance(p, tent.at) / tent.radius;
                    *sum += if share > 0.0 { tent.height * share } else { 0.0 };
                }
            }
        }
    }
}

/// The map of a surface, and the points on it.
pub(crate) trait MapCoordinates: Send + Sync {
    /// What all points of a map at this share of its width have in common.
    fn column(&self, share: f64) -> [f64; 2];

    /// What all points of a map at this share of its depth have in common.
    fn row(&self, share: f64) -> [f64; 2];

    /// The point where a column and a row meet.
    fn crossing(&self, column: [f64; 2], row: [f64; 2]) -> Point;

    /// The point of a map at these shares of its width and depth.
    fn on_map(&self, [x, z]: [f64; 2]) -> Point {
        self.crossing(self.column(x), self.row(z))
    }

    /// The shares of the width and depth of the map.
    fn to_map(&self, p: Point) -> [f64; 2];
}
