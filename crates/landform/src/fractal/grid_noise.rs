//! Noise on a grid whose axes are those of its lattice: fractal sums at a fraction of the cost.
//!
//! Rows of samples in the same row of cells differ only in how much of the [edge](crate::noise::gradient_noise::Edge) above
//! and below goes into them. So the edges are made once for a row of cells, and kept for as many rows of
//! samples as it has; a sample costs four multiplications and four additions an octave, and no hash. Columns
//! are worked on in blocks, so that the edges of all octaves stay in the nearest cache.
//!
//! The bits are those of [`gradient_noise::at`] times its factor, octave after octave: see the tests.

use fearless_simd::{Simd, prelude::*};

use super::octave::{BLOCK, Columns, Octave, Row};
use crate::noise::gradient_noise::{self, Edge};
use crate::noise::lattice::{Position, finish};

/// The edges of one octave, for the columns of one block and the two lattice rows around a row of samples.
#[derive(Debug)]
pub(crate) struct Edges {
    /// [`Edge::along`] and [`Edge::across`], for the even and for the odd one of the two lattice rows.
    tables: [[Row; 2]; 2],
    /// The lattice row that each table is about.
    rows: [Option<i32>; 2],
    /// The upper one of them.
    above: Option<i32>,
}

/// A row of samples between two lattice rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Between {
    /// The lattice row above.
    cell: i32,
    /// How much of each table goes into the row.
    shares: [[f32; 2]; 2],
}

impl Between {
    /// A row at a position, its noise times `factor`.
    pub(crate) fn new(at: Position, factor: f32) -> Self {
        let [above, below] = gradient_noise::shares(at.fraction, factor);
        let shares = if at.cell & 1 == 0 { [above, below] } else { [below, above] };
        Self { cell: at.cell, shares }
    }
}

impl Edges {
    pub(crate) fn new() -> Self {
        Self { tables: [[[0.0; BLOCK]; 2]; 2], rows: [None; 2], above: None }
    }

    /// Forgets what it knew, to begin another block.
    pub(crate) fn clear(&mut self) {
        (self.rows, self.above) = ([None; 2], None);
    }

    /// Makes the edges that a row of samples needs, unless they are there.
    #[inline(always)]
    pub(crate) fn enter(
        &mut self,
        between: &Between,
        octave: &Octave,
        columns: &Columns,
        first: usize,
    ) {
        if self.above == Some(between.cell) {
            return;
        }
        self.above = Some(between.cell);
        for step in 0..2 {
            let row = between.cell.wrapping_add(step);
            let table = (row & 1) as usize;
            if self.rows[table] != Some(row) {
                self.rows[table] = Some(row);
                make(&mut self.tables[table], octave, row, columns, first);
            }
        }
    }
}

/// The lattice columns that a block can touch: samples are never farther apart than cells are wide.
const TOUCHED: usize = 256;

/// Makes the edges of lattice row `cell`.
#[inline(always)]
fn make(table: &mut [Row; 2], octave: &Octave, cell: i32, columns: &Columns, first: usize) {
    let (cells, fractions) = columns.own.block(first);
    let fades = columns.own.fades(first);
    let touched = (cells[BLOCK - 1].wrapping_sub(cells[0]) as usize + 2).min(TOUCHED);
    let row = octave.key.row(cell);
    let mut gradients = [[0.0; 2]; TOUCHED];
    for (k, made) in gradients[..touched].iter_mut().enumerate() {
        let column = octave.key.column(cells[0].wrapping_add(k as i32));
        *made = gradient_noise::gradient(finish(column, row));
    }
    let [along, across] = table;
    if touched <= BLOCK / 8 {
        // Wide cells: the gradients stay the same from sample to sample.
        let mut start = 0;
        for k in 0..touched - 1 {
            let end = cells.partition_point(|cell| cell.wrapping_sub(cells[0]) <= k as i32);
            for c in start..end {
                let edge = Edge::between(gradients[k], gradients[k + 1], fractions[c], fades[c]);
                (along[c], across[c]) = (edge.along, edge.across);
            }
            start = end;
        }
        return;
    }
    for c in 0..BLOCK {
        let k = cells[c].wrapping_sub(cells[0]) as u8;
        let (left, right) = (gradients[usize::from(k)], gradients[usize::from(k.wrapping_add(1))]);
        let edge = Edge::between(left, right, fractions[c], fades[c]);
        (along[c], across[c]) = (edge.along, edge.across);
    }
}

/// Vectors whose sums are kept in registers.
const GROUP: usize = 8;

/// Sums the octaves in a row of samples, from the first to the last, beginning with `start`.
#[inline(always)]
pub(crate) fn sum<S: Simd>(
    simd: S,
    edges: &[Edges],
    between: &[Between],
    start: f32,
    out: &mut Row,
) {
    let lanes = S::f32s::LEN;
    for first in (0..BLOCK).step_by(GROUP * lanes) {
        let mut sums = [S::f32s::splat(simd, start); GROUP];
        for (edges, between) in edges.iter().zip(between) {
            // Written out: what is not inlined here, such as `map`, has narrower vectors.
            let [[even_along, even_across], [odd_along, odd_across]] = between.shares;
            let even_along = S::f32s::splat(simd, even_along);
            let even_across = S::f32s::splat(simd, even_across);
            let odd_along = S::f32s::splat(simd, odd_along);
            let odd_across = S::f32s::splat(simd, odd_across);
            let [even, odd] = &edges.tables;
            for (k, sum) in sums.iter_mut().enumerate() {
                let at = first + lanes * k;
                let load = |row: &Row| S::f32s::from_slice(simd, &row[at..at + lanes]);
                let even = even_along * load(&even[0]) + even_across * load(&even[1]);
                let odd = odd_along * load(&odd[0]) + odd_across * load(&odd[1]);
                *sum += even + odd;
            }
        }
        for (k, sum) in sums.iter().enumerate() {
            let at = first + lanes * k;
            sum.store_slice(&mut out[at..at + lanes]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fractal::octave::Basis;
    use crate::noise::lattice::fade;
    use crate::{Extent, Lattice, Seed};
    use fearless_simd::{Level, dispatch};

    const LATTICE: Lattice = Lattice { size: [300, 23], spacing: [7.0, 9.0] };

    fn octaves(lacunarity: f64, count: u32) -> Vec<Octave> {
        let size = (900.0, lacunarity);
        Octave::series(Seed::new(5), Basis::Perlin, size, count, LATTICE.spacing)
    }

    /// The second block of columns of an extent.
    fn grid(level: Level, octaves: &[Octave], extent: &Extent) -> Vec<Row> {
        let columns: Vec<_> = octaves.iter().map(|octave| octave.columns(extent)).collect();
        let mut edges: Vec<_> = octaves.iter().map(|_| Edges::new()).collect();
        let row = |j: usize| {
            let between: Vec<_> = octaves
                .iter()
                .map(|octave| Between::new(octave.row(extent.z(j))[0], octave.share))
                .collect();
            for (k, octave) in octaves.iter().enumerate() {
                edges[k].enter(&between[k], octave, &columns[k], BLOCK);
            }
            let mut out = [0.0; BLOCK];
            dispatch!(level, simd => sum(simd, &edges, &between, 0.0, &mut out));
            out
        };
        (0..extent.height()).map(row).collect()
    }

    /// The same by a plain loop over points.
    fn plain(octaves: &[Octave], extent: &Extent) -> Vec<Row> {
        let columns: Vec<_> = octaves.iter().map(|octave| octave.columns(extent)).collect();
        let point = |c: usize, j: usize| {
            let mut sum = 0.0;
            for (octave, columns) in octaves.iter().zip(&columns) {
                let (cells, fractions) = columns.own.block(BLOCK);
                let (u, z) = (fractions[c], octave.row(extent.z(j))[0]);
                let edges = [0, 1].map(|dj| {
                    let bits = [0, 1].map(|di| octave.key.bits(cells[c] + di, z.cell + dj));
                    let [left, right] = bits.map(gradient_noise::gradient);
                    Edge::between(left, right, u, fade(u))
                });
                let shares = gradient_noise::shares(z.fraction, octave.share);
                sum += gradient_noise::join(edges, shares);
            }
            sum
        };
        (0..extent.height()).map(|j| std::array::from_fn(|c| point(c, j))).collect()
    }

    #[test]
    fn every_simd_width_gives_the_bits_of_a_plain_loop() {
        let (octaves, extent) = (octaves(2.1, 6), LATTICE.whole());
        let expected = plain(&octaves, &extent);
        assert!(grid(Level::baseline(), &octaves, &extent) == expected);
        assert!(grid(Level::new(), &octaves, &extent) == expected);
    }

    #[test]
    fn the_grid_form_is_the_noise_at_its_points() {
        let (octaves, extent) = (octaves(2.0, 3), LATTICE.whole());
        for (j, row) in grid(Level::new(), &octaves, &extent).iter().enumerate() {
            for (c, n) in row.iter().enumerate() {
                let (x, z) = (extent.x(BLOCK + c), extent.z(j));
                let at: f32 = octaves.iter().map(|octave| octave.at(x, z)).sum();
                assert!((n - at).abs() < 1e-6, "{n} {at}");
            }
        }
    }
}
