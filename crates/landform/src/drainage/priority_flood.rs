//! Filling of depressions by priority flood (Barnes, Lehman & Mulla 2014).
//!
//! Water rises from the base levels inwards: the lowest sample on its edge is taken from a heap, and each neighbour that lies
//! lower is raised to it. Inside of a depression no heap is needed, a plain queue will do: that makes it nearly linear.
//! Two surfaces come of it:
//!
//! ```text
//! spill level(p) = the lowest height to which water at p must rise to reach a base level
//! filled(p)      = the same, a little higher with each sample from the outlet (Garbrecht & Martz 1997, in one pass): no flats
//! ```
//!
//! A lake is where the spill level lies above the ground.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::compass::Compass;

/// A height that sorts, and a sample.
type Key = (u32, u32);

/// A whole number that sorts as the height does.
#[inline]
fn sortable(height: f32) -> u32 {
    let bits = height.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

/// Raises every depression to its spill level: flat. Base levels are where `is_base` says; without any, the lowest sample is
/// one.
pub fn fill(heights: &[f32], is_base: &[bool], compass: &Compass) -> Vec<f32> {
    flood(heights, is_base, compass, |level| level)
}

/// Raises every depression to a surface without pits and flats: each sample lies above one of its neighbours, if only by
/// the smallest number that can be told apart.
pub fn fill_with_fall(heights: &[f32], is_base: &[bool], compass: &Compass) -> Vec<f32> {
    flood(heights, is_base, compass, f32::next_up)
}

fn flood(
    heights: &[f32],
    is_base: &[bool],
    compass: &Compass,
    above: impl Fn(f32) -> f32,
) -> Vec<f32> {
    let mut filled = heights.to_vec();
    let mut is_done = is_base.to_vec();
    let mut open: BinaryHeap<Reverse<Key>> = BinaryHeap::new();
    let mut inside: VecDeque<u32> = VecDeque::new();
    if !is_base.contains(&true) {
        let lowest = (0..heights.len()).min_by(|&a, &b| heights[a].total_cmp(&heights[b]));
        is_done[lowest.unwrap_or(0)] = true;
    }
    for (at, &done) in is_done.iter().enumerate() {
        // A base level in the midst of others touches nothing that is open.
        if done && compass.around(at).any(|(_, next)| !is_done[next]) {
            open.push(Reverse((sortable(filled[at]), at as u32)));
        }
    }
    loop {
        let at = match inside.pop_front() {
            Some(at) => at as usize,
            None => match open.pop() {
                Some(Reverse((_, at))) => at as usize,
                None => break,
            },
        };
        let level = above(filled[at]);
        for (_, next) in compass.around(at) {
            if is_done[next] {
                continue;
            }
            is_done[next] = true;
            if filled[next] > level {
                open.push(Reverse((sortable(filled[next]), next as u32)));
            } else {
                filled[next] = level;
                inside.push_back(next as u32);
            }
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drainage::compass::NOWHERE;
    use crate::drainage::receivers::receivers;
    use crate::{Lattice, Seed};

    #[test]
    fn heights_sort_as_their_keys_do() {
        let heights = [f32::NEG_INFINITY, -5.0, -1e-30, 0.0, 1e-30, 2.0, f32::INFINITY];
        assert!(heights.windows(2).all(|pair| sortable(pair[0]) < sortable(pair[1])));
    }

    #[test]
    fn a_bowl_is_filled_to_its_lowest_pass() {
        let compass = Compass::new(&Lattice { size: [5, 3], spacing: [1.0, 1.0] });
        let heights = [9.0, 9.0, 9.0, 9.0, 0.0, 9.0, 1.0, 3.0, 5.0, 0.0, 9.0, 9.0, 9.0, 9.0, 0.0];
        let is_base: Vec<bool> = (0..15).map(|k| k % 5 == 4).collect();
        let filled = fill(&heights, &is_base, &compass);
        assert_eq!(&filled[5..10], [9.0, 5.0, 5.0, 5.0, 0.0]);
    }

    #[test]
    fn filling_leaves_no_pit_and_no_flat_and_never_lowers() {
        let compass = Compass::new(&Lattice { size: [61, 47], spacing: [1.0, 1.0] });
        let seed = Seed::new(8);
        let heights: Vec<f32> =
            (0..compass.len()).map(|k| seed.below(k as u64, 9) as f32 - 4.0).collect();
        let is_base: Vec<bool> = (0..compass.len()).map(|k| k % 61 == 0).collect();
        let filled = fill_with_fall(&heights, &is_base, &compass);
        let spill = fill(&heights, &is_base, &compass);
        let directions = receivers(&filled, &is_base, &compass, None);
        for at in 0..heights.len() {
            assert!(filled[at] >= heights[at] && filled[at] - spill[at] < 1e-3);
            assert!(is_base[at] || directions[at] != NOWHERE);
        }
        assert_eq!(
            fill(
                &[3.0, 1.0, 2.0],
                &[false; 3],
                &Compass::new(&Lattice { size: [3, 1], spacing: [1.0; 2] })
            ),
            [3.0, 1.0, 2.0]
        );
    }
}
