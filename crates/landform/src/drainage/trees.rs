//! The trees that water runs along, one after the other, for work that several threads share.
//!
//! Every base level is the root of a tree of all that drains to it, and no tree knows of another. All trees are one list in
//! which a receiver comes before its donors: up one branch to its source, then up the branch that was passed last (the
//! stack of Braun & Willett 2013). So the list is read nearly in a row, what is computed along it can lie in the same
//! order, and pieces of it that are whole trees can be grown and worked on side by side. The pieces do not depend on the number of
//! threads.

use super::compass::{Compass, NOWHERE, STEPS, opposite};
use crate::par;

/// The most pieces: enough to keep many threads busy though trees are not of the same size.
const PIECES: usize = 256;
/// Samples for which a piece is worth its while.
const ENOUGH: usize = 2048;

/// Some trees.
#[derive(Clone, Debug, Default)]
pub struct Trees {
    /// The samples, each after its receiver.
    pub samples: Vec<u32>,
    /// What drains through each of them, its own share included.
    pub area: Vec<f32>,
    /// Where in the list the receiver of each is.
    receivers: Vec<u32>,
}

/// All trees of a lattice.
#[derive(Clone, Debug, Default)]
pub struct Forest {
    pieces: Vec<Trees>,
    /// For each sample one bit for each direction from which water comes.
    donors: Vec<u8>,
}

impl Forest {
    /// Follows the receivers up from wherever water ends, and sums up the rain on the way back, 1 a sample unless given.
    pub fn update(&mut self, directions: &[u8], compass: &Compass, rain: Option<&[f32]>) {
        self.donors.resize(compass.len(), 0);
        update_donors(&mut self.donors, directions, compass);
        let is_root = |at: &usize| directions[*at] == NOWHERE;
        let rows = |band: usize| {
            let first = band * BAND * compass.width;
            first..(first + BAND * compass.width).min(compass.len())
        };
        let bands = compass.height.div_ceil(BAND);
        let roots = par::map(bands, |k| rows(k).filter(is_root).collect::<Vec<_>>()).concat();
        // Which trees are large is not known, but how many there are: neighbours are about alike.
        let most = (compass.len() / ENOUGH).clamp(1, PIECES);
        let share = roots.len().div_ceil(most).max(1);
        self.pieces.resize_with(roots.len().div_ceil(share), Trees::default);
        let donors = &self.donors;
        par::for_each_part(&mut self.pieces, 1, 1, |k, piece| {
            let roots = &roots[k * share..((k + 1) * share).min(roots.len())];
            piece[0].grow(roots, donors, compass);
            piece[0].gather(rain);
        });
    }

    /// The trees in pieces that are about as large as it happens.
    pub fn pieces(&self) -> &[Trees] {
        &self.pieces
    }

    /// All samples, each after everything that flows into it.
    pub fn downstream(&self) -> Vec<u32> {
        let count = self.pieces.iter().map(|piece| piece.samples.len()).sum();
        let mut downstream = Vec::with_capacity(count);
        let pieces = self.pieces.iter();
        pieces.for_each(|piece| downstream.extend(piece.samples.iter().rev().copied()));
        downstream
    }

    /// What drains through each sample of the lattice.
    pub fn area(&self) -> Vec<f32> {
        let mut all = vec![0.0; self.donors.len()];
        for piece in &self.pieces {
            for (&at, &area) in piece.samples.iter().zip(&piece.area) {
                all[at as usize] = area;
            }
        }
        all
    }
}

/// Rows that are looked through together.
const BAND: usize = 64;

impl Trees {
    /// Where in the list the receiver of the sample at a place of the list is; a root is its own.
    #[inline]
    pub fn receiver(&self, place: usize) -> usize {
        self.receivers[place] as usize
    }

    fn grow(&mut self, roots: &[usize], donors: &[u8], compass: &Compass) {
        let Self { samples, receivers, .. } = self;
        samples.clear();
        receivers.clear();
        // Branches that wait, and where their receivers are.
        let mut waiting: Vec<(u32, u32)> = Vec::new();
        for &root in roots {
            waiting.push((root as u32, samples.len() as u32));
            while let Some((start, start_receiver)) = waiting.pop() {
                let (mut at, mut receiver) = (start as usize, start_receiver);
                loop {
                    let here = samples.len() as u32;
                    samples.push(at as u32);
                    receivers.push(receiver);
                    let mut from = donors[at];
                    if from == 0 {
                        break;
                    }
                    let up = compass.next(at, from.trailing_zeros() as u8);
                    from &= from - 1;
                    while from != 0 {
                        let branch = compass.next(at, from.trailing_zeros() as u8);
                        waiting.push((branch as u32, here));
                        from &= from - 1;
                    }
                    (at, receiver) = (up, here);
                }
            }
        }
        // Lists grow by doubling, and there are as many samples in them as on the lattice.
        samples.shrink_to_fit();
        receivers.shrink_to_fit();
    }

    fn gather(&mut self, rain: Option<&[f32]>) {
        let Self { samples, receivers, area } = self;
        area.clear();
        area.shrink_to(samples.len());
        area.reserve_exact(samples.len());
        match rain {
            Some(rain) => area.extend(samples.iter().map(|&at| rain[at as usize])),
            None => area.resize(samples.len(), 1.0),
        }
        for k in (0..area.len()).rev() {
            let receiver = receivers[k] as usize;
            if receiver != k {
                area[receiver] += area[k];
            }
        }
    }
}

/// Which neighbours of each sample have it for their receiver.
fn update_donors(donors: &mut [u8], directions: &[u8], compass: &Compass) {
    let width = compass.width;
    par::for_each_part(donors, width, 16, |part, rows| {
        for (k, row) in rows.chunks_mut(width).enumerate() {
            row.fill(0);
            let j = 16 * part + k;
            for (direction, &(di, dj)) in STEPS.iter().enumerate() {
                let other = j.wrapping_add_signed(dj);
                if other >= compass.height {
                    continue;
                }
                let back = opposite(direction as u8);
                let source = &directions[other * width..(other + 1) * width];
                let (from, to) = match di {
                    1 => (&source[1..], &mut row[..width - 1]),
                    -1 => (&source[..width - 1], &mut row[1..]),
                    _ => (source, &mut *row),
                };
                for (bits, &direction_there) in to.iter_mut().zip(from) {
                    *bits |= u8::from(direction_there == back) << direction;
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drainage::order::{accumulate, downstream};
    use crate::drainage::receivers::receivers;
    use crate::{Lattice, Seed};

    #[test]
    fn trees_have_every_sample_once_after_its_receiver_and_the_same_area_as_the_order() {
        for size in [[37, 23], [1, 9], [9, 1], [300, 200]] {
            let compass = Compass::new(&Lattice { size, spacing: [2.0, 3.0] });
            let seed = Seed::new(9);
            let heights: Vec<f32> =
                (0..compass.len()).map(|k| seed.uniform(k as u64) as f32).collect();
            let directions = receivers(&heights, &vec![false; heights.len()], &compass, None);
            let mut forest = Forest::default();
            for _ in 0..2 {
                forest.update(&directions, &compass, None);
            }
            let mut seen = vec![false; compass.len()];
            for trees in forest.pieces() {
                for (k, &at) in trees.samples.iter().enumerate() {
                    let (at, receiver) = (at as usize, trees.receiver(k));
                    assert!(!std::mem::replace(&mut seen[at], true));
                    let next = compass.next(at, directions[at]);
                    assert_eq!(trees.samples[receiver] as usize, next);
                    assert!(receiver < k || directions[at] == NOWHERE);
                }
            }
            assert!(seen.iter().all(|&seen| seen));
            let mut area = vec![1.0; compass.len()];
            accumulate(&mut area, &downstream(&directions, &compass), &directions, &compass);
            assert_eq!(forest.area(), area);
            assert_eq!(forest.downstream().len(), area.len());
        }
    }
}
