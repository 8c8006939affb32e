//! What a stage sees of the terrain while one of its layers is being rewritten.

use crate::{Extent, Layer, Terrain};

/// The layers before a stage: those that stay, and the old samples of the one that it changes.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The layers that stay.
    pub(crate) others: &'a Terrain,
    /// The layer that changes.
    pub(crate) target: &'a Layer,
    /// Its old samples, row-major over `old_extent`.
    pub(crate) old: &'a [f32],
    pub(crate) old_extent: Extent,
}

impl View<'_> {
    /// The sample of `layer` at a column and row of `extent`; 0 for a layer that there is not.
    ///
    /// The column and row may lie beyond `extent`, as far as the stage said that it looks; beyond the lattice
    /// the sample on its edge is taken.
    pub fn sample(&self, layer: &Layer, extent: &Extent, column: isize, row: isize) -> f32 {
        let Some((samples, held)) = self.held(layer) else {
            return 0.0;
        };
        let place = |axis: usize, at: isize, count: usize| {
            let first = extent.origin()[axis] as isize - held.origin()[axis] as isize;
            (first + at).clamp(0, count as isize - 1) as usize
        };
        let (i, j) = (place(0, column, held.width()), place(1, row, held.height()));
        samples.get(j * held.width() + i).copied().unwrap_or(0.0)
    }

    /// Slope (∂/∂x, ∂/∂z) of `layer`, by central differences; one-sided on the edge of the lattice.
    pub fn gradient(&self, layer: &Layer, extent: &Extent, column: usize, row: usize) -> [f64; 2] {
        let (column, row) = (column as isize, row as isize);
        let lattice = extent.lattice();
        [0, 1].map(|axis| {
            let at = extent.origin()[axis] as isize + if axis == 0 { column } else { row };
            let back = isize::from(at > 0);
            let ahead = isize::from(at + 1 < lattice.size[axis] as isize);
            if back + ahead == 0 {
                return 0.0;
            }
            let sample = |step: isize| {
                let (di, dj) = if axis == 0 { (step, 0) } else { (0, step) };
                f64::from(self.sample(layer, extent, column + di, row + dj))
            };
            (sample(ahead) - sample(-back)) / ((back + ahead) as f64 * lattice.spacing[axis])
        })
    }

    /// The [gradients](Self::gradient) at the columns of a row from `first` on: along x, and along z.
    pub(crate) fn fill_gradients(
        &self,
        layer: &Layer,
        extent: &Extent,
        (first, row): (usize, usize),
        [along_x, along_z]: [&mut [f64]; 2],
    ) {
        let Some((samples, held)) = self.held(layer).filter(|(all, held)| all.len() == held.len())
        else {
            along_x.fill(0.0);
            along_z.fill(0.0);
            return;
        };
        let spacing = extent.lattice().spacing;
        // The samples before and after a place on the lattice, as places where they are held, and how far they are apart.
        let around = |axis: usize, at: usize| {
            let place = extent.origin()[axis] as usize + at;
            let last = extent.lattice().size[axis] as usize - 1;
            let count = [held.width(), held.height()][axis];
            let at =
                |place: usize| place.saturating_sub(held.origin()[axis] as usize).min(count - 1);
            let (back, ahead) = (place.saturating_sub(1), (place + 1).min(last));
            (at(back), at(place), at(ahead), (ahead - back) as f64 * spacing[axis])
        };
        let (above, here, below, down) = around(1, row);
        let line = |row: usize| &samples[row * held.width()..][..held.width()];
        let (above, here, below) = (line(above), line(here), line(below));
        let difference = |before: f32, after: f32, run: f64| {
            if run == 0.0 { 0.0 } else { (f64::from(after) - f64::from(before)) / run }
        };
        for (c, (x, z)) in along_x.iter_mut().zip(along_z).enumerate() {
            let (back, own, ahead, across) = around(0, first + c);
            *x = difference(here[back], here[ahead], across);
            *z = difference(above[own], below[own], down);
        }
    }

    /// The samples of a layer and where they lie.
    fn held(&self, layer: &Layer) -> Option<(&[f32], &Extent)> {
        if layer == self.target {
            return Some((self.old, &self.old_extent));
        }
        Some((self.others.layer(layer)?.samples(), self.others.extent()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grid, Lattice};

    #[test]
    fn the_gradients_of_a_row_are_those_of_its_samples() {
        let lattice = Lattice { size: [9, 7], spacing: [2.0, 3.0] };
        let whole = lattice.whole();
        let grid = Grid::from_fn(9, 7, |i, j| ((i * i + 5 * j * i) % 11) as f32);
        let terrain = Terrain::new(whole, 0.0, grid);
        let other = Layer::SEDIMENT;
        let view = View { others: &terrain, target: &other, old: &[], old_extent: whole };
        for extent in [whole, lattice.window(2, 1, 5, 4).unwrap()] {
            for (layer, row) in [&Layer::HEIGHT, &other]
                .into_iter()
                .flat_map(|layer| (0..extent.height()).map(move |row| (layer, row)))
            {
                let count = extent.width() - 1;
                let (mut x, mut z) = (vec![7.0; count], vec![7.0; count]);
                view.fill_gradients(layer, &extent, (1, row), [&mut x, &mut z]);
                for c in 0..count {
                    assert_eq!([x[c], z[c]], view.gradient(layer, &extent, c + 1, row));
                }
            }
        }
    }
}
