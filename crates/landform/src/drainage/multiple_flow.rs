//! Multiple flow: the water of a sample is shared among all neighbours that lie lower (Freeman 1991; Quinn et al. 1991).
//!
//! ```text
//! share of a neighbour = c·S^p / Σ c·S^p        S slope to it, c width of the contour it is seen under (½ or √2/4), p = 1.1
//! ```
//!
//! On slopes water spreads as on a cone or a plane, without the straight lines of steepest descent; in valleys it gathers as
//! there. The ground must have no pits and no flats: see [`priority_flood`](super::priority_flood).

use super::compass::Compass;
use crate::math::power::power_single;
use crate::par;

/// How strongly steep directions are preferred (Freeman 1991).
const EXPONENT: f32 = 1.1;

/// The widths of the contour along the axes and across the corners.
const WIDTHS: [f32; 2] = [0.5, 0.354];

/// The samples from the highest to the lowest: a counting sort, linear in their number.
pub fn highest_first(heights: &[f32]) -> Vec<u32> {
    let key = |height: f32| {
        let bits = height.to_bits();
        // Numbers that sort against the heights.
        if bits >> 31 == 1 { bits } else { !(bits | 1 << 31) }
    };
    let mut from: Vec<u32> = (0..heights.len() as u32).collect();
    let mut to = vec![0; heights.len()];
    for shift in [0, 11, 22] {
        let digit = |at: u32| (key(heights[at as usize]) >> shift) as usize & 2047;
        let mut places = vec![0_usize; 2049];
        from.iter().for_each(|&at| places[digit(at) + 1] += 1);
        (0..2048).for_each(|k| places[k + 1] += places[k]);
        for &at in &from {
            let place = &mut places[digit(at)];
            to[*place] = at;
            *place += 1;
        }
        std::mem::swap(&mut from, &mut to);
    }
    from
}

/// Samples whose shares are found at once, and by one task.
const CHUNK: usize = 1 << 16;
const TASK: usize = 1 << 10;

/// Adds to each sample its share of what all higher samples have. Water that reaches a base level stays there.
pub fn accumulate_multiple(
    values: &mut [f32],
    heights: &[f32],
    is_base: &[bool],
    compass: &Compass,
) {
    let order = highest_first(heights);
    let mut shares = vec![[0.0; 8]; CHUNK.min(order.len())];
    for part in order.chunks(CHUNK) {
        let shares = &mut shares[..part.len()];
        par::for_each_part(shares, 1, TASK, |task, shares| {
            for (shares, &at) in shares.iter_mut().zip(&part[TASK * task..]) {
                let is_base = is_base[at as usize];
                *shares = if is_base { [0.0; 8] } else { shares_at(at as usize, heights, compass) };
            }
        });
        for (&at, shares) in part.iter().zip(&*shares) {
            let value = values[at as usize];
            for (&share, &offset) in shares.iter().zip(&compass.offsets) {
                if share > 0.0 {
                    values[(at as usize).wrapping_add_signed(offset)] += value * share;
                }
            }
        }
    }
}

/// What each neighbour gets of the water of a sample.
fn shares_at(at: usize, heights: &[f32], compass: &Compass) -> [f32; 8] {
    let mut slopes = [0.0; 8];
    for (direction, next) in compass.around(at) {
        let k = direction as usize;
        slopes[k] = (heights[at] - heights[next]) / compass.lengths[k];
    }
    let mut shares: [f32; 8] =
        std::array::from_fn(|k| WIDTHS[k & 1] * power_single(slopes[k], EXPONENT));
    let sum: f32 = shares.iter().sum();
    if sum > 0.0 {
        shares.iter_mut().for_each(|share| *share /= sum);
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Lattice, Seed};

    #[test]
    fn samples_are_sorted_from_the_highest() {
        let seed = Seed::new(2);
        let heights: Vec<f32> =
            (0..5000).map(|k| (1e4 * (seed.uniform(k) - 0.5)) as f32).chain([0.0, -0.0]).collect();
        let order = highest_first(&heights);
        assert!(
            order.windows(2).all(|pair| heights[pair[0] as usize] >= heights[pair[1] as usize])
        );
    }

    #[test]
    fn on_a_plane_all_samples_of_a_contour_get_the_same_and_all_water_arrives() {
        let compass = Compass::new(&Lattice { size: [41, 30], spacing: [1.0, 1.0] });
        let heights: Vec<f32> = (0..compass.len()).map(|k| 30.0 - (k / 41) as f32).collect();
        let is_base: Vec<bool> = (0..compass.len()).map(|k| k / 41 == 29).collect();
        let mut values = vec![1.0; compass.len()];
        accumulate_multiple(&mut values, &heights, &is_base, &compass);
        let arrived: f32 = values[29 * 41..].iter().sum();
        assert!((arrived - 41.0 * 30.0).abs() < 0.05, "{arrived}");
        assert!((values[10 * 41 + 20] - 11.0).abs() < 0.01);
    }
}
