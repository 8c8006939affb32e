//! Steepest descent: the one neighbour that the water of a sample runs to (D8, O'Callaghan & Mark 1984).
//!
//! ```text
//! receiver = the neighbour with the greatest  w·(h − h_neighbour) / distance  above 0
//! ```
//!
//! On an even slope that does not face one of the eight directions the steepest neighbour is always the same one, and
//! parallel straight lines show the lattice. With `sway` each of the eight has a weight w of its own, random in
//! 1 − sway … 1 + sway and the same for ever: neighbours are chosen about as often as the slope faces them (in the
//! spirit of Fairfield & Leymarie 1991), and water still only runs downhill.

use super::compass::{Compass, NOWHERE};
use crate::{Seed, par};

/// How neighbours are weighed against each other.
#[derive(Clone, Copy, Debug)]
pub struct Sway {
    /// Where the weights come from.
    pub seed: Seed,
    /// How far they are from 1, 0 to 1.
    pub strength: f32,
}

/// The direction of the receiver of each sample; [`NOWHERE`] for pits and for base levels, which are where `is_base` says.
pub fn receivers(
    heights: &[f32],
    is_base: &[bool],
    compass: &Compass,
    sway: Option<Sway>,
) -> Vec<u8> {
    let mut directions = vec![NOWHERE; compass.len()];
    update_receivers(&mut directions, heights, is_base, compass, sway);
    directions
}

/// The same into a buffer.
pub fn update_receivers(
    directions: &mut [u8],
    heights: &[f32],
    is_base: &[bool],
    compass: &Compass,
    sway: Option<Sway>,
) {
    let width = compass.width;
    let inverse = compass.lengths.map(|length| 1.0 / length);
    par::for_each_part(directions, width, 16, |part, directions| {
        let mut block = Block::default();
        for (k, row) in directions.chunks_mut(width).enumerate() {
            let j = 16 * part + k;
            let first = j * width;
            let mut edge = |i: usize| {
                let weights = sway.map(|sway| weights(sway, first + i));
                row[i] = at_the_edge(heights, first + i, compass, &inverse, weights.as_ref());
            };
            if j == 0 || j + 1 == compass.height || width < 3 {
                (0..width).for_each(edge);
            } else {
                edge(0);
                edge(width - 1);
                for from in (1..width - 1).step_by(BLOCK) {
                    let to = (from + BLOCK).min(width - 1);
                    block.fill(heights, first + from, to - from, compass, &inverse, sway);
                    let found = row[from..to].iter_mut().zip(&block.direction);
                    found.for_each(|(out, &direction)| *out = direction as u8);
                }
            }
            let bases = &is_base[first..first + width];
            row.iter_mut().zip(bases).filter(|(_, base)| **base).for_each(|(d, _)| *d = NOWHERE);
        }
    });
}

/// The eight weights of a sample, from the eight bytes of one hash.
#[inline]
fn weights(sway: Sway, at: usize) -> [f32; 8] {
    let bits = sway.seed.bits(at as u64);
    std::array::from_fn(|k| weight((bits >> (8 * k)) as u32, sway.strength))
}

/// A weight from the lowest byte of some bits.
#[inline]
fn weight(bits: u32, strength: f32) -> f32 {
    let signed = (bits & 255).cast_signed();
    1.0 - strength + signed as f32 * (strength * (2.0 / 255.0))
}

/// Samples of a row that are worked on together, direction by direction.
const BLOCK: usize = 128;

/// A piece of a row: what is known when some directions have been looked at.
struct Block {
    steepest: [f32; BLOCK],
    direction: [u32; BLOCK],
    /// The bytes of the hashes, those of the first four directions and of the others.
    bytes: [[u32; BLOCK]; 2],
}

impl Default for Block {
    fn default() -> Self {
        Self { steepest: [0.0; BLOCK], direction: [0; BLOCK], bytes: [[0; BLOCK]; 2] }
    }
}

impl Block {
    /// Finds the receivers of `count` samples in a row, none of them at the edge.
    fn fill(
        &mut self,
        heights: &[f32],
        first: usize,
        count: usize,
        compass: &Compass,
        inverse: &[f32; 8],
        sway: Option<Sway>,
    ) {
        self.steepest[..count].fill(0.0);
        self.direction[..count].fill(u32::from(NOWHERE));
        if let Some(sway) = sway {
            let [low, high] = &mut self.bytes;
            for (k, (low, high)) in low.iter_mut().zip(high).take(count).enumerate() {
                let bits = sway.seed.bits((first + k) as u64);
                (*low, *high) = (bits as u32, (bits >> 32) as u32);
            }
        }
        let here = &heights[first..first + count];
        for (k, &inverse) in inverse.iter().enumerate() {
            let start = first.wrapping_add_signed(compass.offsets[k]);
            let there = &heights[start..start + count];
            let found = self.steepest.iter_mut().zip(&mut self.direction);
            let pairs = found.zip(here.iter().zip(there));
            let take = |best: &mut f32, direction: &mut u32, slope: f32| {
                // As masks: the compiler would make branches of conditions, and which way they go cannot be foretold.
                let more = u32::from(slope > *best).wrapping_neg();
                *best = f32::from_bits((slope.to_bits() & more) | (best.to_bits() & !more));
                *direction = (k as u32 & more) | (*direction & !more);
            };
            if let Some(Sway { strength, .. }) = sway {
                let bytes = &self.bytes[k / 4];
                for (((best, direction), (here, there)), bytes) in pairs.zip(bytes) {
                    let weight = weight(bytes >> (8 * (k % 4)), strength);
                    take(best, direction, (here - there) * inverse * weight);
                }
            } else {
                for ((best, direction), (here, there)) in pairs {
                    take(best, direction, (here - there) * inverse);
                }
            }
        }
    }
}

fn at_the_edge(
    heights: &[f32],
    at: usize,
    compass: &Compass,
    inverse: &[f32; 8],
    weights: Option<&[f32; 8]>,
) -> u8 {
    let mut slopes = [0.0_f32; 8];
    for (direction, neighbour) in compass.around(at) {
        let k = direction as usize;
        slopes[k] = (heights[at] - heights[neighbour]) * inverse[k] * weights.map_or(1.0, |w| w[k]);
    }
    steepest(&slopes)
}

/// The direction of the greatest slope above 0, the first of equal ones.
fn steepest(slopes: &[f32; 8]) -> u8 {
    let (mut best, mut direction) = (0.0, NOWHERE);
    for (k, &slope) in slopes.iter().enumerate() {
        if slope > best {
            (best, direction) = (slope, k as u8);
        }
    }
    direction
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lattice;

    fn drawn(heights: &[f32], width: u32) -> String {
        let size = [width, heights.len() as u32 / width];
        let compass = Compass::new(&Lattice { size, spacing: [1.0, 1.0] });
        let directions = receivers(heights, &vec![false; heights.len()], &compass, None);
        directions
            .iter()
            .map(|&d| ['>', '\\', 'v', '/', '<', '`', '^', '~', 'o'][d as usize])
            .collect()
    }

    #[test]
    fn water_runs_into_the_bottom_of_a_bowl() {
        let bowl = [2.0, 1.0, 2.0, 1.0, 0.0, 1.0, 2.0, 1.0, 2.0];
        assert_eq!(drawn(&bowl, 3), "\\v/>o<~^`");
        assert_eq!(drawn(&[0.0; 4], 2), "oooo");
        assert_eq!(drawn(&[f32::NAN, 1.0, 0.0, 5.0], 4), "o>o<");
    }

    #[test]
    fn with_sway_an_even_slope_is_left_in_the_direction_that_it_faces() {
        let compass = Compass::new(&Lattice { size: [101, 101], spacing: [1.0, 1.0] });
        let (east, south) = (0.9_f32, 0.35_f32);
        let heights: Vec<f32> =
            (0..101 * 101).map(|k| -east * (k % 101) as f32 - south * (k / 101) as f32).collect();
        let sway = Sway { seed: Seed::new(5), strength: 0.5 };
        let directions = receivers(&heights, &vec![false; heights.len()], &compass, Some(sway));
        let (mut x, mut z) = (0.0, 0.0);
        for j in 1..100 {
            for i in 1..100 {
                let (di, dj) = super::super::compass::STEPS[directions[j * 101 + i] as usize];
                (x, z) = (x + di as f64, z + dj as f64);
            }
        }
        assert!((z / x - 0.35 / 0.9).abs() < 0.1, "{}", z / x);
    }
}
