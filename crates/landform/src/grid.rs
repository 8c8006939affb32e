//! A rectangle of samples, row by row.

use std::ops::{Index, IndexMut};

/// Samples of one quantity: column i to the east, row j to the south, row-major.
///
/// A grid has at least one sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid<T = f32> {
    width: usize,
    height: usize,
    samples: Vec<T>,
}

impl<T: Clone> Grid<T> {
    /// A grid that is `value` everywhere.
    pub fn filled(width: usize, height: usize, value: T) -> Self {
        Self::from_vec(width, height, vec![value; width * height])
    }

    /// The `width` × `height` samples whose first is (i, j).
    pub fn crop(&self, i: usize, j: usize, width: usize, height: usize) -> Self {
        let mut samples = Vec::with_capacity(width * height);
        (j..j + height).for_each(|j| samples.extend_from_slice(&self.row(j)[i..i + width]));
        Self::from_vec(width, height, samples)
    }
}

impl<T> Grid<T> {
    /// Takes `samples` in row-major order.
    ///
    /// # Panics
    /// If there are none, or not `width` × `height` of them.
    pub fn from_vec(width: usize, height: usize, samples: Vec<T>) -> Self {
        assert!(width > 0 && height > 0, "a grid has at least one sample");
        assert_eq!(samples.len(), width * height, "a grid has width × height samples");
        Self { width, height, samples }
    }

    /// Computes each sample from its column i and row j.
    pub fn from_fn(width: usize, height: usize, mut f: impl FnMut(usize, usize) -> T) -> Self {
        let samples = (0..width * height).map(|k| f(k % width, k / width)).collect();
        Self::from_vec(width, height, samples)
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// All samples, row-major.
    pub fn samples(&self) -> &[T] {
        &self.samples
    }

    /// All samples, row-major.
    pub fn samples_mut(&mut self) -> &mut [T] {
        &mut self.samples
    }

    /// All samples, row-major.
    pub fn into_samples(self) -> Vec<T> {
        self.samples
    }

    /// Row j.
    pub fn row(&self, j: usize) -> &[T] {
        &self.samples[j * self.width..(j + 1) * self.width]
    }

    /// Row j.
    pub fn row_mut(&mut self, j: usize) -> &mut [T] {
        &mut self.samples[j * self.width..(j + 1) * self.width]
    }

    /// The rows from north to south.
    pub fn rows(&self) -> std::slice::ChunksExact<'_, T> {
        self.samples.chunks_exact(self.width)
    }

    /// Computes each sample of a new grid from one of this.
    pub fn map<U>(&self, f: impl FnMut(&T) -> U) -> Grid<U> {
        Grid::from_vec(self.width, self.height, self.samples.iter().map(f).collect())
    }
}

impl Grid<f32> {
    /// The smallest and the largest sample that is a number; (0, 0) if none is.
    pub fn range(&self) -> (f32, f32) {
        // Eight lanes, so that the compiler may compare eight samples at once.
        let mut low = [f32::INFINITY; 8];
        let mut high = [f32::NEG_INFINITY; 8];
        for eight in self.samples.chunks(8) {
            for (lane, &sample) in eight.iter().enumerate() {
                low[lane] = if sample < low[lane] { sample } else { low[lane] };
                high[lane] = if sample > high[lane] { sample } else { high[lane] };
            }
        }
        let low = low.into_iter().fold(f32::INFINITY, f32::min);
        let high = high.into_iter().fold(f32::NEG_INFINITY, f32::max);
        if low <= high { (low, high) } else { (0.0, 0.0) }
    }
}

impl<T> Index<(usize, usize)> for Grid<T> {
    type Output = T;

    /// The sample in column i and row j.
    fn index(&self, (i, j): (usize, usize)) -> &T {
        &self.row(j)[i]
    }
}

impl<T> IndexMut<(usize, usize)> for Grid<T> {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut T {
        &mut self.row_mut(j)[i]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_row_major_and_cropping_keeps_their_places() {
        let grid = Grid::from_fn(4, 3, |i, j| 10 * j + i);
        assert_eq!(grid.samples()[5], 11);
        assert_eq!(grid[(3, 2)], 23);
        assert_eq!(grid.crop(1, 1, 2, 2).samples(), [11, 12, 21, 22]);
    }

    #[test]
    fn the_range_ignores_what_is_not_a_number() {
        assert_eq!(Grid::from_vec(3, 1, vec![2.0, f32::NAN, -1.0]).range(), (-1.0, 2.0));
        assert_eq!(Grid::from_vec(1, 1, vec![f32::NAN]).range(), (0.0, 0.0));
    }
}
