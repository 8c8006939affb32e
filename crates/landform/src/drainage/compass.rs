//! The eight directions in which water can leave a sample, and how far it is to the next one.
//!
//! Directions are numbered clockwise on the map from the east: 0 east, 1 south-east, … 7 north-east.

use crate::Lattice;

/// The water goes nowhere from here: a pit, or a base level.
pub const NOWHERE: u8 = 8;

/// Columns and rows to go in each direction.
pub const STEPS: [(isize, isize); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The eight directions on a lattice, with what a step in each of them means there.
#[derive(Clone, Copy, Debug)]
pub struct Compass {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// What a step adds to the index of a sample.
    pub offsets: [isize; 8],
    /// How long a step is in metres.
    pub lengths: [f32; 8],
    /// Ground that belongs to a sample, in m².
    pub cell_area: f64,
}

impl Compass {
    /// The directions on `lattice`.
    pub fn new(lattice: &Lattice) -> Self {
        let [width, height] = lattice.size.map(|count| count as usize);
        let [dx, dz] = lattice.spacing;
        let diagonal = (dx * dx + dz * dz).sqrt();
        let lengths = STEPS.map(|(di, dj)| match (di != 0, dj != 0) {
            (true, true) => diagonal as f32,
            (true, false) => dx as f32,
            _ => dz as f32,
        });
        let offsets = STEPS.map(|(di, dj)| dj * width as isize + di);
        Self { width, height, offsets, lengths, cell_area: dx * dz }
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.width * self.height
    }

    /// Always false: a lattice has at least one sample.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The sample that lies in a direction, or the same one for [`NOWHERE`]. It must lie on the lattice.
    #[inline]
    pub fn next(&self, at: usize, direction: u8) -> usize {
        match self.offsets.get(direction as usize) {
            Some(offset) => at.wrapping_add_signed(*offset),
            None => at,
        }
    }

    /// Whether the lattice goes on in a direction from a column and row.
    #[inline]
    pub fn has(&self, i: usize, j: usize, direction: usize) -> bool {
        let (di, dj) = STEPS[direction];
        i.wrapping_add_signed(di) < self.width && j.wrapping_add_signed(dj) < self.height
    }

    /// The samples around one, with their directions.
    pub fn around(&self, at: usize) -> impl Iterator<Item = (u8, usize)> + '_ {
        let (i, j) = (at % self.width, at / self.width);
        (0..8_usize)
            .filter(move |&direction| self.has(i, j, direction))
            .map(move |direction| (direction as u8, self.next(at, direction as u8)))
    }
}

/// The direction back.
#[inline]
pub fn opposite(direction: u8) -> u8 {
    (direction + 4) & 7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_and_the_step_back_end_where_they_began() {
        let compass = Compass::new(&Lattice { size: [5, 4], spacing: [3.0, 4.0] });
        for direction in 0..8 {
            let there = compass.next(7, direction);
            assert_eq!(compass.next(there, opposite(direction)), 7);
        }
        assert_eq!((compass.lengths[0], compass.lengths[1], compass.lengths[2]), (3.0, 5.0, 4.0));
        assert_eq!(compass.around(0).collect::<Vec<_>>(), [(0, 1), (1, 6), (2, 5)]);
        assert_eq!(compass.around(19).count(), 3);
        assert_eq!(compass.next(7, NOWHERE), 7);
    }
}
