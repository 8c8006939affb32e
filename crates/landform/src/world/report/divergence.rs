//! Divergence (section 2.4.3): gaps between plates are filled from their rims, pixel by pixel, and fall towards a minimum.
//!
//! ```text
//! h' = h − 0.417 ln(1 + h − h_min)      h the pixel before, h_min the minimum; h_min where h lies below it
//! ```
//!
//! The report: the height decreases "based on the height of the previous cell. The decrease is logarithmic towards a global minimum
//! value set by the user". It has no formula, and its program takes h' = h_min + 0.9 (h − h_min) instead. The factor 0.417 = 1 / ln 11
//! makes both fall by a unit from the height 0 with the minimum −10 of that program. Neither ever crosses the minimum.

use std::collections::VecDeque;

use crate::math;
use crate::world::frontier::FREE;

use crate::world::raster::Raster;

/// How fast the floor falls.
const FALL: f64 = 0.417;

/// The height of the pixel after one of this height, in units.
fn fallen(height: f32, minimum: f64) -> f32 {
    let above = (f64::from(height) - minimum).max(0.0);
    (minimum + above - FALL * math::ln(1.0 + above)) as f32
}

/// Fills all gaps. At least one pixel belongs to a plate.
pub(super) fn diverge(raster: &Raster, (owner, heights): (&mut [u16], &mut [f32]), minimum: f64) {
    // All edges of the gaps, each with the plate beside it.
    let beside = |owner: &[u16], cell: usize| raster.four(cell).find(|&next| owner[next] != FREE);
    let edges = (0..owner.len()).filter(|&cell| owner[cell] == FREE);
    let edges: Vec<(usize, usize)> =
        edges.filter_map(|cell| Some((cell, beside(owner, cell)?))).collect();
    let mut queue: VecDeque<usize> = VecDeque::with_capacity(edges.len());
    let mut fill = |owner: &mut [u16], cell: usize, from: usize| {
        owner[cell] = owner[from];
        heights[cell] = fallen(heights[from], minimum);
    };
    for (cell, from) in edges {
        fill(owner, cell, from);
        queue.push_back(cell);
    }
    while let Some(cell) = queue.pop_front() {
        for next in raster.four(cell) {
            if owner[next] == FREE {
                fill(owner, next, cell);
                queue.push_back(next);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lattice;

    #[test]
    fn gaps_fall_logarithmically_from_both_rims_and_never_below_the_minimum() {
        let raster = Raster::new([false, false], &Lattice { size: [40, 1], spacing: [1.0, 1.0] });
        for (rim, minimum) in
            [(2.0, -10.0), (20.0, -10.0), (-9.99, -10.0), (-3.0, -3.0), (1.5, 0.0)]
        {
            let (mut owner, mut heights) = (vec![FREE; 40], vec![99.0; 40]);
            for (cell, plate) in [(0, 3), (39, 5)] {
                (owner[cell], heights[cell]) = (plate, rim);
            }
            diverge(&raster, (&mut owner, &mut heights), minimum);
            let expected = |height: f32| {
                let above = f64::from(height) - minimum;
                f64::from(height) - 0.417 * math::ln(1.0 + above)
            };
            for k in 1..20 {
                assert!((f64::from(heights[k]) - expected(heights[k - 1])).abs() < 1e-5, "{k}");
                assert_eq!((owner[k], owner[39 - k]), (3, 5));
                assert_eq!(heights[k], heights[39 - k]);
                assert!(f64::from(heights[k]) >= minimum);
            }
        }
    }

    #[test]
    fn new_ground_beside_ground_below_the_minimum_has_the_minimum() {
        assert_eq!(fallen(-12.0, -10.0), -10.0);
        let mut height = 8.0;
        for _ in 0..10_000 {
            let next = fallen(height, -10.0);
            assert!(next <= height && next >= -10.0);
            height = next;
        }
        assert!(height < -9.999, "{height}");
    }
}
