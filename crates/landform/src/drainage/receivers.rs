//! The one neighbour that the water of a sample runs to: the steepest (D8, O'Callaghan & Mark 1984), or one that is drawn.
//!
//! ```text
//! steepest:  receiver = the neighbour with the greatest  (h − h_k) / L_k  above 0           L_k distance
//! drawn:     receiver = the neighbour with the greatest  T[b_k]·c_k·(h − h_k) / L_k  above 0
//!            T[b] = (−ln((b + ½)/256))^(−1/p)            b_k a byte of the hash of the sample, p = 1.25
//! ```
//!
//! On an even slope that does not face one of the eight directions the steepest neighbour is always the same one. Parallel
//! straight lines show the lattice, and water advances √2 times as far with a step along a diagonal: slopes that face the
//! diagonals gather less of it and stand steeper. A *race* avoids both: of independent exponential times the one of rate r_k is
//! the least with probability r_k / Σ r, so with r_k = slope^p neighbour k is drawn with a probability proportional to slope^p (Fairfield &
//! Leymarie 1991 draw in this spirit). With p = 1.25 the mean step is the same in all directions to 7 %, and land that evolves along
//! these receivers prefers no direction: see [`aspect`](crate::analysis::aspect). Each sample keeps its bytes for ever, so
//! rivers settle, and water still runs only downhill.
//!
//! Where Δx is not Δz the eight directions do not share the circle evenly. A direction is drawn in proportion to the angle
//! that it stands for, and to 1/L², both relative to those of square cells: c_k^p. The mean step then faces within 2.5° of the
//! slope up to Δz = 2 Δx; without c_k it is up to 28° off.

use std::f64::consts::FRAC_PI_4;

use super::compass::{Compass, NOWHERE, STEPS};
use crate::{Seed, math, par};

/// p: how much slopes count when a receiver is drawn.
const EXPONENT: f64 = 1.25;

/// Draws receivers: see the [module](self).
#[derive(Clone, Debug)]
pub struct Race {
    seed: Seed,
    /// T.
    weights: [f32; 256],
    /// c_k / L_k.
    inverse: [f32; 8],
}

impl Race {
    /// The race on a lattice.
    pub fn new(seed: Seed, compass: &Compass) -> Self {
        let weights = std::array::from_fn(|b| {
            let time = -math::ln((b as f64 + 0.5) / 256.0);
            math::pow(time, -1.0 / EXPONENT) as f32
        });
        Self { seed, weights, inverse: inverse_lengths(compass) }
    }

    /// The weights of a sample, from the eight bytes of one hash.
    #[inline]
    fn weights(&self, at: usize) -> [f32; 8] {
        self.seed.bits(at as u64).to_le_bytes().map(|byte| self.weights[byte as usize])
    }
}

/// c_k / L_k.
fn inverse_lengths(compass: &Compass) -> [f32; 8] {
    let [dx, dz] = [compass.lengths[0], compass.lengths[2]].map(f64::from);
    let diagonal = math::atan2(dz, dx);
    // Half of the way to the directions on both sides: the diagonals have a right angle between them.
    let angles = [diagonal, FRAC_PI_4, std::f64::consts::FRAC_PI_2 - diagonal];
    std::array::from_fn(|k| {
        let (di, dj) = STEPS[k];
        let (angle, square) = match (di != 0, dj != 0) {
            (true, false) => (angles[0], dx * dz),
            (false, _) => (angles[2], dx * dz),
            _ => (angles[1], 2.0 * dx * dz),
        };
        let length = f64::from(compass.lengths[k]);
        let share = angle / FRAC_PI_4 * square / (length * length);
        (math::pow(share, 1.0 / EXPONENT) / length) as f32
    })
}

/// The direction of the receiver of each sample; [`NOWHERE`] for pits and for base levels, which are where `is_base` says. The
/// steepest neighbour unless there is a race.
pub fn receivers(
    heights: &[f32],
    is_base: &[bool],
    compass: &Compass,
    race: Option<&Race>,
) -> Vec<u8> {
    let mut directions = vec![NOWHERE; compass.len()];
    update_receivers(&mut directions, heights, is_base, compass, race);
    directions
}

/// The same into a buffer.
pub fn update_receivers(
    directions: &mut [u8],
    heights: &[f32],
    is_base: &[bool],
    compass: &Compass,
    race: Option<&Race>,
) {
    let width = compass.width;
    let inverse = race.map_or(compass.lengths.map(|length| 1.0 / length), |race| race.inverse);
    par::for_each_part(directions, width, 16, |part, directions| {
        let mut block = Block::default();
        for (k, row) in directions.chunks_mut(width).enumerate() {
            let j = 16 * part + k;
            let first = j * width;
            let mut edge = |i: usize| {
                let weights = race.map(|race| race.weights(first + i));
                row[i] = at_the_edge(heights, first + i, compass, &inverse, weights.as_ref());
            };
            if j == 0 || j + 1 == compass.height || width < 3 {
                (0..width).for_each(edge);
            } else {
                edge(0);
                edge(width - 1);
                for from in (1..width - 1).step_by(BLOCK) {
                    let to = (from + BLOCK).min(width - 1);
                    block.fill(heights, first + from, to - from, compass, &inverse, race);
                    let found = row[from..to].iter_mut().zip(&block.direction);
                    found.for_each(|(out, &direction)| *out = direction as u8);
                }
            }
            let bases = &is_base[first..first + width];
            row.iter_mut().zip(bases).filter(|(_, base)| **base).for_each(|(d, _)| *d = NOWHERE);
        }
    });
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
        race: Option<&Race>,
    ) {
        self.steepest[..count].fill(0.0);
        self.direction[..count].fill(u32::from(NOWHERE));
        if let Some(race) = race {
            let [low, high] = &mut self.bytes;
            for (k, (low, high)) in low.iter_mut().zip(high).take(count).enumerate() {
                let bits = race.seed.bits((first + k) as u64);
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
            if let Some(race) = race {
                let bytes = &self.bytes[k / 4];
                for (((best, direction), (here, there)), bytes) in pairs.zip(bytes) {
                    let weight = race.weights[(bytes >> (8 * (k % 4))) as usize & 255];
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
    fn a_block_of_samples_finds_what_each_of_them_finds_alone() {
        let compass = Compass::new(&Lattice { size: [300, 5], spacing: [20.0, 30.0] });
        let height = |at: u64| Seed::new(2).below(at, 1000) as f32;
        let heights: Vec<f32> = (0..1500).map(height).collect();
        let race = Race::new(Seed::new(7), &compass);
        let together = receivers(&heights, &[false; 1500], &compass, Some(&race));
        let alone =
            |at| at_the_edge(&heights, at, &compass, &race.inverse, Some(&race.weights(at)));
        assert!((0..1500).map(alone).eq(together));
    }

    /// A plane that falls in a direction, and the mean step that water takes on it.
    fn mean_step(fall: [f32; 2], spacing: [f64; 2]) -> [f64; 2] {
        let compass = Compass::new(&Lattice { size: [101, 101], spacing });
        let [dx, dz] = spacing.map(|step| step as f32);
        let heights: Vec<f32> = (0..101 * 101)
            .map(|k| -fall[0] * dx * (k % 101) as f32 - fall[1] * dz * (k / 101) as f32)
            .collect();
        let race = Race::new(Seed::new(5), &compass);
        let directions = receivers(&heights, &vec![false; heights.len()], &compass, Some(&race));
        let mut step = [0.0; 2];
        for at in (1..100).flat_map(|j| 101 * j + 1..101 * j + 100) {
            let (di, dj) = STEPS[directions[at] as usize];
            step = [step[0] + di as f64 * spacing[0], step[1] + dj as f64 * spacing[1]];
        }
        step.map(|sum| sum / (99.0 * 99.0))
    }

    #[test]
    fn a_race_leaves_an_even_slope_in_the_direction_that_it_faces_and_as_fast_in_all() {
        for spacing in [[1.0, 1.0], [25.0, 31.0], [60.0, 30.0]] {
            let mut advances = Vec::new();
            for degrees in (0..=90).step_by(5) {
                let angle = f64::from(degrees).to_radians();
                let fall = [math::cos(angle), math::sin(angle)];
                let [x, z] = mean_step(fall.map(|fall| fall as f32), spacing);
                let off = math::atan2(z, x).to_degrees() - f64::from(degrees);
                assert!(off.abs() < 3.5, "{spacing:?} {degrees}°: {off}");
                advances.push(x * fall[0] + z * fall[1]);
            }
            let least = advances.iter().copied().fold(f64::MAX, f64::min);
            let most = advances.iter().copied().fold(0.0, f64::max);
            assert!(spacing[0] != spacing[1] || most / least < 1.09, "{least} {most}");
        }
    }

    #[test]
    fn a_race_is_won_in_proportion_to_a_power_of_the_slope() {
        // Water on a spur can leave to the east or to the south.
        let size = [401, 3];
        let compass = Compass::new(&Lattice { size, spacing: [1.0, 1.0] });
        let race = Race::new(Seed::new(11), &compass);
        for ratio in [0.25_f64, 0.5, 1.0] {
            let drawn = (0..20_000).filter(|&at| {
                let weights = race.weights(at);
                weights[2] * ratio as f32 > weights[0]
            });
            let expected = math::pow(ratio, EXPONENT) / (1.0 + math::pow(ratio, EXPONENT));
            let found = drawn.count() as f64 / 20_000.0;
            assert!((found - expected).abs() < 0.015, "{ratio}: {found} {expected}");
        }
    }
}
