//! Banks: what is cut through the ground is a valley and not a slot, for its sides lie back.
//!
//! ```text
//! h ← min(h, max(bed + s·d, h − (depth − s·d)))      bed and depth of any cut, d the distance from it, s the slope of the banks
//! ```
//!
//! The cut grows shallower with the distance, so beside one that is shallow nothing happens, and a hillside is not worn down
//! as a whole because its foot is cut. The deepest places are taken first from a heap: each sample is touched a few
//! times, and only near the cuts. The ground is only ever lowered, to above the bed it then drains to: no pit can come of it.

use std::collections::BinaryHeap;

use super::compass::{Compass, opposite};

/// A sample and how deep it is cut; depths are not negative, so their bits sort as they do.
type Key = (u32, u32);

/// s, rise over run.
const SLOPE: f32 = 0.3;

/// Lets the banks of all cuts lie back, where `before` are the heights before them. The water of a bank then runs to the
/// cut.
pub(crate) fn lay_back(
    heights: &mut [f32],
    directions: &mut [u8],
    before: &[f32],
    is_base: &[bool],
    compass: &Compass,
) {
    let least = SLOPE * compass.lengths.iter().fold(f32::MAX, |least, &length| least.min(length));
    let key = |depth: f32, at: usize| -> Key { (depth.to_bits(), at as u32) };
    let cuts = heights.iter().zip(before).map(|(&h, &old)| old - h).enumerate();
    let deep = cuts.filter(|&(_, depth)| depth > least).map(|(at, depth)| key(depth, at));
    let mut open: BinaryHeap<Key> = deep.collect();
    while let Some((bits, at)) = open.pop() {
        let (depth, at) = (f32::from_bits(bits), at as usize);
        if before[at] - heights[at] > depth {
            continue;
        }
        for (direction, next) in compass.around(at) {
            let rise = SLOPE * compass.lengths[direction as usize];
            let bank = (heights[at] + rise).max(before[next] - (depth - rise));
            if depth > rise && !is_base[next] && bank < heights[next] {
                heights[next] = bank;
                directions[next] = opposite(direction);
                open.push(key(before[next] - bank, next));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lattice;
    use crate::drainage::compass::NOWHERE;

    #[test]
    fn a_slot_in_a_plain_becomes_a_valley_without_a_pit_and_a_shallow_one_stays() {
        let lattice = Lattice { size: [21, 3], spacing: [10.0, 10.0] };
        let compass = Compass::new(&lattice);
        let before = vec![50.0; compass.len()];
        for (depth, expected) in [(8.0, [42.0, 45.0, 48.0, 50.0]), (2.0, [48.0, 50.0, 50.0, 50.0])]
        {
            let mut heights = before.clone();
            let mut directions = vec![NOWHERE; compass.len()];
            (0..3).for_each(|j| heights[21 * j + 10] = 50.0 - depth);
            lay_back(&mut heights, &mut directions, &before, &[false; 63], &compass);
            assert_eq!(heights[31..35], expected);
            assert_eq!(heights[28..32].iter().rev().copied().collect::<Vec<f32>>(), expected);
            for at in (0..compass.len()).filter(|&at| directions[at] != NOWHERE) {
                assert!(heights[compass.next(at, directions[at])] < heights[at], "{at}");
            }
        }
    }

    #[test]
    fn a_hillside_keeps_its_height_though_its_foot_is_cut() {
        let compass = Compass::new(&Lattice { size: [40, 1], spacing: [10.0, 10.0] });
        let before: Vec<f32> = (0..40).map(|i| 10.0 * i as f32).collect();
        let mut heights = before.clone();
        heights[1] = 1.0;
        lay_back(&mut heights, &mut [NOWHERE; 40], &before, &[false; 40], &compass);
        // A cut of 9 m with banks of 0.3 reaches 30 m.
        assert_eq!(heights[2..5], [14.0, 27.0, 40.0]);
        assert_eq!(heights[4..], before[4..]);
    }
}
