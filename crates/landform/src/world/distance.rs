//! Distance to the nearest cell of a set, along the surface: great circles on the sphere, straight lines around the edges
//! of a map that wraps.
//!
//! Every cell learns its nearest source from a neighbour, in the order of distance (a bucket queue: each cell is
//! settled once, so the cost is linear), and the distance is then measured to that source itself, not summed up
//! along the way. A cell whose nearest source is the nearest of none of its eight neighbours gets the second nearest;
//! it is farther by a small part of a cell. On a flat map distances are [exact](super::euclidean).

use super::surface::{DistanceTransform, NONE, Tessellation};
use crate::{Cancelled, Ctx};

/// Buckets a cell width.
const FINENESS: f64 = 2.0;

/// Metres from each cell to the nearest for which `is_source`; infinity if there is none. What is farther away than
/// `limit` need not be found.
pub(crate) fn distance_to<S: DistanceTransform>(
    surface: &S,
    is_source: impl Fn(usize) -> bool,
    limit: f64,
    ctx: &Ctx<'_>,
) -> Result<Vec<f32>, Cancelled> {
    surface.distances(is_source, limit, ctx)
}

/// The same on any surface.
pub(super) fn spread<S: Tessellation>(
    surface: &S,
    is_source: impl Fn(usize) -> bool,
    limit: f64,
    ctx: &Ctx<'_>,
) -> Result<Vec<f32>, Cancelled> {
    let cells = surface.shape().cells();
    let mut distance = vec![f32::INFINITY; cells];
    let mut nearest = vec![NONE; cells];
    let mut buckets: Vec<Vec<u32>> = vec![Vec::new()];
    for cell in (0..cells).filter(|&cell| is_source(cell)) {
        distance[cell] = 0.0;
        nearest[cell] = cell as u32;
    }
    let scale = FINENESS / surface.cell_size();
    for cell in 0..cells {
        // Only sources with a neighbour that is none can be the nearest of another.
        let is_edge = nearest[cell] != NONE
            && surface.neighbours(cell).iter().any(|&n| n != NONE && distance[n as usize] > 0.0);
        if is_edge {
            buckets[0].push(cell as u32);
        }
    }
    let mut turn = 0;
    while turn < buckets.len() && turn as f64 <= limit * scale {
        if turn % 8 == 0 {
            ctx.check()?;
        }
        let mut at = 0;
        while at < buckets[turn].len() {
            let cell = buckets[turn][at] as usize;
            at += 1;
            // Entries that have been improved since are in an earlier bucket too.
            if (f64::from(distance[cell]) * scale) as usize != turn {
                continue;
            }
            let source = surface.point(nearest[cell] as usize);
            for next in surface.neighbours(cell) {
                let next = next as usize;
                // Beyond an edge, a source itself, or with this source already.
                if next >= cells || distance[next] == 0.0 || nearest[next] == nearest[cell] {
                    continue;
                }
                let d = surface.distance(surface.point(next), source) as f32;
                if d < distance[next] {
                    distance[next] = d;
                    nearest[next] = nearest[cell];
                    let bucket = ((f64::from(d) * scale) as usize).max(turn);
                    if bucket >= buckets.len() {
                        buckets.resize(bucket + 1, Vec::new());
                    }
                    buckets[bucket].push(next as u32);
                }
            }
        }
        buckets[turn] = Vec::new();
        turn += 1;
    }
    Ok(distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::sphere::CubeSphere;
    use crate::{Lattice, Seed, world::flat::Flat};

    fn against_brute_force<S: DistanceTransform>(surface: &S) {
        let cells = surface.shape().cells();
        let seed = Seed::new(5);
        let is_source = |cell: usize| seed.below(cell as u64, 97) == 0;
        let found = distance_to(surface, is_source, f64::MAX, &Ctx::new(&(), "")).unwrap();
        let sources: Vec<_> =
            (0..cells).filter(|&c| is_source(c)).map(|c| surface.point(c)).collect();
        let mut worst = 0.0_f64;
        for (cell, &d) in found.iter().enumerate() {
            let p = surface.point(cell);
            let exact = sources.iter().map(|&s| surface.distance(p, s)).fold(f64::MAX, f64::min);
            worst = worst.max((f64::from(d) - exact) / surface.cell_size());
            assert!(f64::from(d) >= exact - 1e-3 * surface.cell_size());
        }
        assert!(worst < 0.1, "{worst}");
    }

    #[test]
    fn distances_are_those_of_brute_force_to_a_tenth_of_a_cell() {
        let lattice = Lattice { size: [65, 33], spacing: [1000.0, 1000.0] };
        against_brute_force(&CubeSphere::new(&lattice));
        against_brute_force(&Flat::new(&lattice, [true, true]));
        against_brute_force(&Flat::new(&lattice, [false, false]));
    }

    #[test]
    fn nothing_is_infinitely_far_away() {
        let flat = Flat::new(&Lattice { size: [4, 4], spacing: [1.0, 1.0] }, [true, true]);
        let found = distance_to(&flat, |_| false, f64::MAX, &Ctx::new(&(), "")).unwrap();
        assert!(found.iter().all(|d| d.is_infinite()));
    }
}
