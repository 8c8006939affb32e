//! Where samples sit on the ground.

/// The grid lines of a whole terrain: sample (i, j) is at x = i·Δx, z = j·Δz.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// Number of samples along x and z, each at least 1.
    pub size: [u32; 2],
    /// Δx and Δz in metres, each above 0.
    pub spacing: [f64; 2],
}

impl Lattice {
    /// Width and depth of the ground from the first to the last grid line, in metres.
    pub fn ground(&self) -> [f64; 2] {
        [0, 1].map(|axis| f64::from(self.size[axis] - 1) * self.spacing[axis])
    }

    /// The same ground with another number of samples. An axis with one sample, before or after, keeps
    /// its spacing.
    pub fn resampled(&self, size: [u32; 2]) -> Self {
        let spacing = [0, 1].map(|axis| {
            if size[axis] == self.size[axis] || size[axis] == 1 || self.size[axis] == 1 {
                self.spacing[axis]
            } else {
                self.ground()[axis] / f64::from(size[axis] - 1)
            }
        });
        Self { size, spacing }
    }

    /// The same ground with half of the intervals, and half of those, until no side has more than `most` samples.
    pub fn halved_to(&self, most: u32) -> Self {
        let mut lattice = *self;
        while lattice.size.iter().any(|&count| count > most.max(2)) {
            lattice = lattice.halved();
        }
        lattice
    }

    /// The same ground with half of the intervals.
    pub(crate) fn halved(&self) -> Self {
        self.resampled(self.size.map(|count| (count - 1).div_ceil(2) + 1))
    }

    /// All of the lattice.
    pub fn whole(&self) -> Extent {
        Extent { lattice: *self, i: 0, j: 0, width: self.size[0], height: self.size[1] }
    }

    /// The window of `width` × `height` samples whose first is (i, j), or nothing if it is empty or does not
    /// lie on the lattice.
    pub fn window(&self, i: u32, j: u32, width: u32, height: u32) -> Option<Extent> {
        let fits = |first: u32, count: u32, size: u32| {
            count > 0 && first.checked_add(count).is_some_and(|end| end <= size)
        };
        (fits(i, width, self.size[0]) && fits(j, height, self.size[1])).then_some(Extent {
            lattice: *self,
            i,
            j,
            width,
            height,
        })
    }
}

/// A window of a lattice: the whole, or one tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    lattice: Lattice,
    i: u32,
    j: u32,
    width: u32,
    height: u32,
}

impl Extent {
    /// The lattice that this is a window of.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The same samples of another lattice, which has as many.
    pub(crate) fn on(&self, lattice: Lattice) -> Self {
        debug_assert_eq!(lattice.size, self.lattice.size);
        Self { lattice, ..*self }
    }

    /// Column and row of the first sample on the lattice.
    pub fn origin(&self) -> [u32; 2] {
        [self.i, self.j]
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width as usize
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.height as usize
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.width() * self.height()
    }

    /// Always false: an extent has at least one sample.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// x in metres of a column of this extent.
    #[inline]
    pub fn x(&self, column: usize) -> f64 {
        (f64::from(self.i) + column as f64) * self.lattice.spacing[0]
    }

    /// z in metres of a row of this extent.
    #[inline]
    pub fn z(&self, row: usize) -> f64 {
        (f64::from(self.j) + row as f64) * self.lattice.spacing[1]
    }

    /// This extent with `cells` more samples on each side, as far as the lattice goes.
    pub fn grown(&self, cells: u32) -> Self {
        let grow = |first: u32, count: u32, size: u32| {
            let start = first.saturating_sub(cells);
            let end = (first + count).saturating_add(cells).min(size);
            (start, end - start)
        };
        let (i, width) = grow(self.i, self.width, self.lattice.size[0]);
        let (j, height) = grow(self.j, self.height, self.lattice.size[1]);
        Self { lattice: self.lattice, i, j, width, height }
    }

    /// The rows `first .. first + count` of this extent.
    pub fn rows(&self, first: usize, count: usize) -> Self {
        debug_assert!(count > 0 && first + count <= self.height());
        Self { j: self.j + first as u32, height: count as u32, ..*self }
    }

    /// Column and row in this extent of the first sample of `inner`, which lies inside.
    pub fn offset_of(&self, inner: &Self) -> (usize, usize) {
        debug_assert!(inner.i >= self.i && inner.j >= self.j);
        ((inner.i - self.i) as usize, (inner.j - self.j) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATTICE: Lattice = Lattice { size: [11, 5], spacing: [10.0, 2.0] };

    #[test]
    fn another_size_covers_the_same_ground() {
        let fine = LATTICE.resampled([41, 17]);
        assert_eq!(fine.spacing, [2.5, 0.5]);
        assert_eq!(fine.ground(), LATTICE.ground());
        assert_eq!(LATTICE.resampled([1, 5]).spacing, LATTICE.spacing);
    }

    #[test]
    fn a_window_must_lie_on_the_lattice() {
        assert!(LATTICE.window(10, 4, 1, 1).is_some());
        assert!(LATTICE.window(10, 4, 2, 1).is_none());
        assert!(LATTICE.window(0, 0, 0, 1).is_none());
        assert!(LATTICE.window(u32::MAX, 0, 2, 1).is_none());
    }

    #[test]
    fn a_halo_stops_at_the_edge_of_the_lattice() {
        let tile = LATTICE.window(1, 1, 3, 2).unwrap();
        let grown = tile.grown(2);
        assert_eq!((grown.origin(), grown.width(), grown.height()), ([0, 0], 6, 5));
        assert_eq!(grown.offset_of(&tile), (1, 1));
        assert_eq!(tile.x(0), 10.0);
    }
}
