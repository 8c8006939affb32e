//! The eight symmetries of the square, for the tests of erosion: nothing in it may prefer a direction.

use crate::Grid;

/// Whether to swap x and z, then whether to mirror along each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symmetry {
    pub(crate) is_transposed: bool,
    is_mirrored: [bool; 2],
}

/// The rotations and the mirrorings.
pub(crate) const SYMMETRIES: [Symmetry; 8] = {
    let mut all = [Symmetry { is_transposed: false, is_mirrored: [false, false] }; 8];
    let mut k = 0;
    while k < 8 {
        all[k] = Symmetry { is_transposed: k & 4 != 0, is_mirrored: [k & 1 != 0, k & 2 != 0] };
        k += 1;
    }
    all
};

/// A rotated or mirrored grid.
pub(crate) fn turned(grid: &Grid, symmetry: Symmetry) -> Grid {
    let (width, height) = match symmetry.is_transposed {
        true => (grid.height(), grid.width()),
        false => (grid.width(), grid.height()),
    };
    let [across, down] = symmetry.is_mirrored;
    Grid::from_fn(width, height, |i, j| {
        let i = if across { width - 1 - i } else { i };
        let j = if down { height - 1 - j } else { j };
        if symmetry.is_transposed { grid[(j, i)] } else { grid[(i, j)] }
    })
}
