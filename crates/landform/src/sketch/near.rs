//! What of a line lies nearest to each sample of a row.

use crate::demand::Demand;
use crate::{Extent, math};

/// The place on a line nearest to a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Near {
    /// Metres from the sample; infinite if the line is farther away than was asked for.
    pub(super) distance: f64,
    /// How far the sample lies beside the straight continuation of the segment, to the left below 0.
    beside: f64,
    /// Height of the line there.
    pub(super) height: f64,
    /// Half its width there.
    pub(super) half_width: f64,
    /// x and z.
    pub(super) at: [f64; 2],
    /// Whether the sample lies to the right of the line, or outside of a closed one.
    pub(super) is_right: bool,
    /// Whether the place is an end of an open line: nothing of it lies beside the sample.
    pub(super) is_end: bool,
}

impl Near {
    const FAR: Self = Self {
        distance: f64::INFINITY,
        beside: 0.0,
        height: 0.0,
        half_width: 0.0,
        at: [0.0; 2],
        is_right: true,
        is_end: true,
    };

    /// Distance from the edge of the line, 0 on it.
    pub(super) fn beyond(&self) -> f64 {
        (self.distance - self.half_width).max(0.0)
    }
}

/// The nearest places of a line for the samples of a row, as far as `reach` metres from it.
pub(super) fn nearest(demand: &Demand, extent: &Extent, row: usize, reach: f64) -> Vec<Near> {
    let mut out = vec![Near::FAR; extent.width()];
    let z = extent.z(row);
    let spacing = extent.lattice().spacing[0];
    let column = |x: f64| x / spacing - f64::from(extent.origin()[0]);
    let count = demand.points.len();
    for [a, b] in demand.segments() {
        let (from, to) = (demand.points[a], demand.points[b]);
        let reach = reach + demand.half_widths[1].max(demand.half_widths[0]);
        if z < from[1].min(to[1]) - reach || z > from[1].max(to[1]) + reach {
            continue;
        }
        let first = column(from[0].min(to[0]) - reach).floor().max(0.0) as usize;
        let end = (column(from[0].max(to[0]) + reach).ceil() + 1.0).max(0.0) as usize;
        let length = math::length(to[0] - from[0], to[1] - from[1]).max(f64::MIN_POSITIVE);
        for (k, near) in out.iter_mut().enumerate().take(end).skip(first) {
            let p = [extent.x(k), z];
            let (at, share) = foot(from, to, p);
            let distance = math::length(at[0] - p[0], at[1] - p[1]);
            let cross = (to[0] - from[0]) * (p[1] - from[1]) - (to[1] - from[1]) * (p[0] - from[0]);
            let beside = cross / length;
            // Beyond a corner both segments are as near; the one that the sample lies beside tells the side.
            let is_nearer = distance < near.distance * (1.0 - 1e-12);
            let is_beside =
                distance <= near.distance * (1.0 + 1e-12) && beside.abs() > near.beside.abs();
            if is_nearer || is_beside {
                let height = math::lerp(demand.heights[a], demand.heights[b], share);
                let along = (a as f64 + share) / count.max(2).saturating_sub(1) as f64;
                let half_width =
                    math::lerp(demand.half_widths[0], demand.half_widths[1], along.min(1.0));
                let is_end =
                    !demand.is_closed && (a == 0 && share == 0.0 || b + 1 == count && share == 1.0);
                let is_right = beside > 0.0;
                *near = Near { distance, beside, height, half_width, at, is_right, is_end };
            }
        }
    }
    if demand.is_closed {
        let inside = inside(demand, extent, row);
        out.iter_mut().zip(inside).for_each(|(near, inside)| near.is_right = !inside);
    }
    for near in &mut out {
        if near.beyond() > reach {
            near.distance = f64::INFINITY;
        }
    }
    out
}

/// Whether the samples of a row lie inside of a closed line: the even-odd rule.
pub(super) fn inside(demand: &Demand, extent: &Extent, row: usize) -> Vec<bool> {
    let z = extent.z(row);
    let mut crossed: Vec<f64> = Vec::new();
    for [a, b] in demand.segments() {
        let (from, to) = (demand.points[a], demand.points[b]);
        if (from[1] > z) != (to[1] > z) {
            crossed.push(from[0] + (z - from[1]) / (to[1] - from[1]) * (to[0] - from[0]));
        }
    }
    crossed.sort_by(f64::total_cmp);
    let mut next = 0;
    let sample = |k: usize| {
        while next < crossed.len() && crossed[next] < extent.x(k) {
            next += 1;
        }
        next % 2 == 1
    };
    (0..extent.width()).map(sample).collect()
}

/// The point between a and b nearest to p, and its share of the way.
pub(super) fn foot(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> ([f64; 2], f64) {
    let along = [b[0] - a[0], b[1] - a[1]];
    let squared = along[0] * along[0] + along[1] * along[1];
    let share = (p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1];
    let share = if squared > 0.0 { (share / squared).clamp(0.0, 1.0) } else { 0.0 };
    ([a[0] + share * along[0], a[1] + share * along[1]], share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lattice;
    use crate::region::Region;
    use crate::sketch::line::Line;
    use crate::sketch::stage::Sketch;

    #[test]
    fn distance_side_and_inside_are_those_of_a_polygon() {
        let points =
            vec![[100.0, 100.0], [700.0, 150.0], [400.0, 300.0], [600.0, 600.0], [150.0, 500.0]];
        let line = Line::Contour {
            name: String::new(),
            points: points.clone(),
            height: 5.0,
            closed: true,
        };
        let sketch = Sketch { lines: vec![line], curved: false, ..Sketch::default() };
        let lattice = Lattice { size: [41, 37], spacing: [20.0, 20.0] };
        let demands = sketch.demands_on(&lattice, 0.0).unwrap();
        let region = Region::Polygon { points };
        let whole = lattice.whole();
        for row in 0..37 {
            for (k, near) in nearest(&demands[0], &whole, row, 1e6).iter().enumerate() {
                let (x, z) = (whole.x(k), whole.z(row));
                let outside = region.distance(x, z);
                // A sample on the line is on neither side.
                assert!(near.distance < 1e-9 || near.is_right == (outside > 0.0), "{x} {z}");
                assert!(!near.is_right || (near.distance - outside).abs() < 1e-9, "{x} {z}");
            }
        }
    }
}
