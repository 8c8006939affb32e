//! Where a map that wraps is cut open while water is followed: at the meridian with the least land, mostly none.
//!
//! The samples are turned so that this column comes first, and what has been found is turned back. A river that crosses the
//! edge of the map as it is shown becomes two of the same name: one ends on the edge, the other begins there. So does a lake.

use crate::feature::{Lake, River, RiverPoint};
use crate::polygon::{Polygon, Side};
use crate::{Lattice, Topology, math};

/// The cut through a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seam {
    /// The column that comes first.
    cut: usize,
    width: usize,
}

impl Seam {
    /// The best cut through these heights; none through a map that does not wrap.
    pub(super) fn of(heights: &[f32], sea: f32, topology: Topology, width: usize) -> Self {
        let mut seam = Self { cut: 0, width };
        if topology.wraps()[0] && width > 2 {
            let mut land = vec![0_u32; width - 1];
            for row in heights.chunks(width) {
                for (land, &height) in land.iter_mut().zip(row) {
                    *land += u32::from(height > sea);
                }
            }
            let least = (0..land.len()).min_by_key(|&column| land[column]);
            seam.cut = least.unwrap_or(0);
        }
        seam
    }

    /// The samples with the cut as first and last column.
    pub(super) fn opened<T: Copy>(&self, samples: &[T]) -> Vec<T> {
        self.turned(samples, self.cut)
    }

    /// The samples of the opened map where they were.
    pub(super) fn closed<T: Copy>(&self, samples: Vec<T>) -> Vec<T> {
        if self.cut == 0 { samples } else { self.turned(&samples, self.width - 1 - self.cut) }
    }

    fn turned<T: Copy>(&self, samples: &[T], first: usize) -> Vec<T> {
        if self.cut == 0 {
            return samples.to_vec();
        }
        let mut turned = Vec::with_capacity(samples.len());
        for row in samples.chunks(self.width) {
            // The last column is the first one again.
            let (before, after) = row[..self.width - 1].split_at(first);
            [after, before, &after[..1]]
                .into_iter()
                .for_each(|part| turned.extend_from_slice(part));
        }
        turned
    }

    /// A river of the opened map on the map as it is shown.
    pub(super) fn river(&self, mut river: River, lattice: &Lattice) -> Vec<River> {
        let around = lattice.ground()[0];
        let by = self.cut as f64 * lattice.spacing[0];
        river.points.iter_mut().for_each(|point| point.x += by);
        let mut parts: Vec<Vec<RiverPoint>> = Vec::new();
        for &point in &river.points {
            let beyond = if point.x > around { around } else { 0.0 };
            let own = RiverPoint { x: point.x - beyond, ..point };
            let Some(last) = parts.last_mut().and_then(|part| part.last().copied()) else {
                parts.push(vec![own]);
                continue;
            };
            // The same point of the surface may be half a map away, but two points of a river never are.
            let step = own.x - last.x;
            if step.abs() <= 0.5 * around {
                parts.iter_mut().last().into_iter().for_each(|part| part.push(own));
                continue;
            }
            let (edge, other) = if step < 0.0 { (around, 0.0) } else { (0.0, around) };
            let share = (edge - last.x) / (own.x + edge - other - last.x);
            let crossing = RiverPoint { x: edge, z: math::lerp(last.z, own.z, share), ..own };
            let crossing = RiverPoint { bed: math::lerp(last.bed, own.bed, share), ..crossing };
            parts.iter_mut().last().into_iter().for_each(|part| part.push(crossing));
            parts.push(vec![RiverPoint { x: other, ..crossing }, own]);
        }
        // A river that begins or ends on the edge has nothing beyond.
        for part in &mut parts {
            part.dedup_by(|next, point| (next.x, next.z) == (point.x, point.z));
        }
        parts.retain(|part| part.len() > 1);
        let count = parts.len();
        let part = |(k, points): (usize, Vec<RiverPoint>)| River {
            name: river.name.clone(),
            points,
            into: river.into.clone().filter(|_| k + 1 == count),
        };
        parts.into_iter().enumerate().map(part).collect()
    }

    /// A lake of the opened map on the map as it is shown: two of the same name if it crosses the edge.
    pub(super) fn lake(&self, mut lake: Lake, lattice: &Lattice) -> Vec<Lake> {
        let around = lattice.ground()[0];
        let by = self.cut as f64 * lattice.spacing[0];
        lake.outlet =
            lake.outlet.map(|[x, z]| [(x + by) - if x + by > around { around } else { 0.0 }, z]);
        let shift = |parts: &mut [Polygon], by: f64| {
            let shores = parts.iter_mut().flat_map(Polygon::rings_mut).flatten();
            shores.for_each(|point| point[0] += by);
        };
        shift(&mut lake.parts, by);
        let water = |parts: &[Polygon]| parts.iter().map(Polygon::area).sum::<f64>();
        let whole = water(&lake.parts);
        let part = |side: Side| {
            let clip = |part: &Polygon| part.clipped(around, side);
            let mut parts: Vec<Polygon> = lake.parts.iter().flat_map(clip).collect();
            let share = water(&parts) / whole.max(f64::MIN_POSITIVE);
            if side == Side::East {
                shift(&mut parts, -around);
            }
            Lake { parts, area: lake.area * share.min(1.0), ..lake.clone() }
        };
        let parts = [Side::West, Side::East].map(part);
        parts.into_iter().filter(|part| !part.parts.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_opened_and_closed_is_as_it_was() {
        let samples: Vec<f32> = (0..3).flat_map(|_| [3.0, 2.0, -1.0, 5.0, 4.0, 3.0]).collect();
        let seam = Seam::of(&samples, 0.0, Topology::Cylinder, 6);
        assert_eq!(seam.cut, 2);
        let opened = seam.opened(&samples);
        assert_eq!(opened[..6], [-1.0, 5.0, 4.0, 3.0, 2.0, -1.0]);
        assert_eq!(seam.closed(opened), samples);
        assert_eq!(Seam::of(&samples, 0.0, Topology::Plane, 6).cut, 0);
    }

    #[test]
    fn a_river_that_begins_or_ends_on_the_edge_is_one() {
        let lattice = Lattice { size: [11, 5], spacing: [10.0, 10.0] };
        let seam = Seam { cut: 4, width: 11 };
        // The edge is at 60 on the opened map.
        for xs in [[60.0, 65.0, 75.0], [75.0, 65.0, 60.0], [60.0, 55.0, 45.0], [45.0, 55.0, 60.0]] {
            let point =
                |x: f64| RiverPoint { x, z: 5.0, bed: 1.0, width: 1.0, depth: 1.0, discharge: 1.0 };
            let points = xs.map(point).to_vec();
            let river = River { name: "a".into(), points, into: Some("b".into()) };
            let parts = seam.river(river, &lattice);
            assert_eq!((parts.len(), parts[0].points.len()), (1, 3), "{xs:?}: {parts:?}");
            assert_eq!(parts[0].into.as_deref(), Some("b"));
        }
    }

    #[test]
    fn a_river_across_the_edge_is_two() {
        let lattice = Lattice { size: [11, 5], spacing: [10.0, 10.0] };
        let at = |x: f64, bed: f64| RiverPoint {
            x,
            z: bed,
            bed,
            width: 1.0,
            depth: 1.0,
            discharge: 1.0,
        };
        let seam = Seam { cut: 4, width: 11 };
        let points = vec![at(70.0, 8.0), at(55.0, 6.0), at(45.0, 2.0)];
        let river = River { name: "a".into(), points, into: None };
        let parts = seam.river(river, &lattice);
        let xs: Vec<Vec<f64>> =
            parts.iter().map(|part| part.points.iter().map(|p| p.x).collect()).collect();
        assert_eq!(xs, [vec![10.0, 0.0], vec![100.0, 95.0, 85.0]]);
        assert!((parts[0].points[1].bed - 20.0 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn a_lake_across_the_edge_is_two_with_the_same_water() {
        let lattice = Lattice { size: [11, 5], spacing: [10.0, 10.0] };
        let seam = Seam { cut: 4, width: 11 };
        let square = |x: f64, side: f64| {
            vec![[x, 10.0], [x + side, 10.0], [x + side, 10.0 + side], [x, 10.0 + side]]
        };
        let lake = Lake {
            name: "a".into(),
            // A hole turns the other way.
            parts: vec![Polygon {
                outline: square(45.0, 20.0),
                holes: vec![square(62.0, 2.0).into_iter().rev().collect()],
            }],
            level: 1.0,
            depth: 2.0,
            area: 396.0,
            outlet: Some([70.0, 20.0]),
        };
        let parts = seam.lake(lake.clone(), &lattice);
        let span = |part: &Lake| {
            let xs = part.parts[0].outline.iter().map(|point| point[0]);
            (xs.clone().fold(f64::MAX, f64::min), xs.fold(f64::MIN, f64::max))
        };
        assert_eq!(parts.iter().map(span).collect::<Vec<_>>(), [(85.0, 100.0), (0.0, 5.0)]);
        assert_eq!(parts.iter().map(|part| part.area).collect::<Vec<_>>(), [300.0, 96.0]);
        assert!(parts.iter().all(|part| part.outlet == Some([10.0, 20.0]) && part.level == 1.0));
        let holes = |part: &Lake| part.parts[0].holes.len();
        assert_eq!((holes(&parts[0]), holes(&parts[1])), (0, 1));
        let there = Lake { parts: vec![Polygon::of(square(65.0, 20.0))], ..lake.clone() };
        assert_eq!(seam.lake(there, &lattice).iter().map(span).collect::<Vec<_>>(), [(5.0, 25.0)]);
        let here = Seam { cut: 0, width: 11 }.lake(lake.clone(), &lattice);
        assert_eq!(here, [lake]);
    }
}
