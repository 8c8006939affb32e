//! Noise on a grid whose axes are those of its lattice: fractal sums at a fraction of the cost.
//!
//! Rows of samples in the same row of cells differ only in how much of the [edge](super::gradient_noise::Edge) above
//! and below goes into them. So the edges are made once for a row of cells, and kept for as many rows of
//! samples as it has; a sample costs four multiplications and four additions an octave, and no hash. Columns
//! are worked on in blocks, so that the edges of all octaves stay in the nearest cache.
//!
//! The bits are those of [`gradient_noise::at`] times its factor, octave after octave: see the tests.

use fearless_simd::{Simd, f32x8, prelude::*};

use super::gradient_noise::{self, Edge};
use super::lattice::{Position, finish, lerp, signed};
use super::octave::{BLOCK, Basis, Columns, Octave, Row};

/// The edges of one octave, for the columns of one block and the two lattice rows around a row of samples.
#[derive(Debug)]
pub(crate) struct Edges {
    /// [`Edge::along`] and [`Edge::across`], for the even and for the odd one of the two lattice rows.
    tables: [[Row; 2]; 2],
    /// The lattice row that each table is about.
    rows: [Option<i32>; 2],
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
        Self { tables: [[[0.0; BLOCK]; 2]; 2], rows: [None; 2] }
    }

    /// Forgets what it knew, to begin another block.
    pub(crate) fn clear(&mut self) {
        self.rows = [None; 2];
    }

    /// Makes the edges that a row of samples needs, unless they are there.
    #[inline(always)]
    pub(crate) fn enter(
        &mut self,
        between: &Between,
        octave: &Octave,
        basis: Basis,
        columns: &Columns,
        first: usize,
    ) {
        for cell in [between.cell, between.cell.wrapping_add(1)] {
            let table = (cell & 1) as usize;
            if self.rows[table] != Some(cell) {
                self.rows[table] = Some(cell);
                match basis {
                    Basis::Value => values(&mut self.tables[table], octave, cell, columns, first),
                    _ => gradients(&mut self.tables[table], octave, cell, columns, first),
                }
            }
        }
    }
}

/// The lattice columns that a block can touch: samples are never farther apart than cells are wide.
const TOUCHED: usize = 256;

/// What `of` gives for the lattice points of row `cell` around a block.
#[inline(always)]
fn points<T: Copy + Default>(
    octave: &Octave,
    cell: i32,
    cells: &[i32; BLOCK],
    of: impl Fn(u32) -> T,
) -> [T; TOUCHED] {
    let row = octave.key.row(cell);
    let touched = (cells[BLOCK - 1].wrapping_sub(cells[0]) as usize + 2).min(TOUCHED);
    let mut made = [T::default(); TOUCHED];
    for (k, made) in made[..touched].iter_mut().enumerate() {
        *made = of(finish(octave.key.column(cells[0].wrapping_add(k as i32)), row));
    }
    made
}

#[inline(always)]
fn gradients(table: &mut [Row; 2], octave: &Octave, cell: i32, columns: &Columns, first: usize) {
    let (cells, fractions) = columns.own.block(first);
    let fades = columns.own.fades(first);
    let gradients = points(octave, cell, cells, gradient_noise::gradient);
    let [along, across] = table;
    for c in 0..BLOCK {
        let k = cells[c].wrapping_sub(cells[0]) as u8;
        let [left, right] = [k, k.wrapping_add(1)].map(|k| gradients[usize::from(k)]);
        let edge = Edge::between(left, right, fractions[c], fades[c]);
        (along[c], across[c]) = (edge.along, edge.across);
    }
}

#[inline(always)]
fn values(table: &mut [Row; 2], octave: &Octave, cell: i32, columns: &Columns, first: usize) {
    let (cells, _) = columns.own.block(first);
    let fades = columns.own.fades(first);
    let values = points(octave, cell, cells, signed);
    for c in 0..BLOCK {
        let k = cells[c].wrapping_sub(cells[0]) as u8;
        let [left, right] = [k, k.wrapping_add(1)].map(|k| values[usize::from(k)]);
        table[0][c] = lerp(left, right, fades[c]);
    }
}

/// Columns whose sums are kept in registers.
const GROUP: usize = 32;

/// Sums the octaves in a row of samples, from the first to the last.
#[inline(always)]
pub(crate) fn sum<S: Simd>(simd: S, edges: &[Edges], between: &[Between], out: &mut Row) {
    for first in (0..BLOCK).step_by(GROUP) {
        let mut sums = [f32x8::splat(simd, 0.0); GROUP / 8];
        for (edges, between) in edges.iter().zip(between) {
            let shares = between.shares.map(|pair| pair.map(|share| f32x8::splat(simd, share)));
            for (k, sum) in sums.iter_mut().enumerate() {
                let at = first + 8 * k;
                let part = |table: usize| {
                    let [along, across] = &edges.tables[table];
                    let along = f32x8::from_slice(simd, &along[at..at + 8]);
                    let across = f32x8::from_slice(simd, &across[at..at + 8]);
                    shares[table][0] * along + shares[table][1] * across
                };
                *sum += part(0) + part(1);
            }
        }
        for (k, sum) in sums.iter().enumerate() {
            let at = first + 8 * k;
            sum.store_slice(&mut out[at..at + 8]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Extent, Lattice, Seed};
    use fearless_simd::{Level, dispatch};

    fn grid(level: Level, basis: Basis, octaves: &[Octave], extent: &Extent) -> Vec<Row> {
        let columns: Vec<_> = octaves.iter().map(|octave| octave.columns(basis, extent)).collect();
        let mut edges: Vec<_> = octaves.iter().map(|_| Edges::new()).collect();
        let row = |j: usize| {
            let between: Vec<_> = octaves
                .iter()
                .map(|octave| Between::new(octave.row(basis, extent.z(j))[0], octave.share))
                .collect();
            for (k, octave) in octaves.iter().enumerate() {
                edges[k].enter(&between[k], octave, basis, &columns[k], BLOCK);
            }
            let mut out = [0.0; BLOCK];
            dispatch!(level, simd => sum(simd, &edges, &between, &mut out));
            out
        };
        (0..extent.height()).map(row).collect()
    }

    /// A plain loop over points.
    fn plain(basis: Basis, octaves: &[Octave], extent: &Extent) -> Vec<Row> {
        let point = |c: usize, j: usize| {
            let mut sum = 0.0;
            for octave in octaves {
                let mut n = 0.0;
                let x = octave.columns(basis, extent).own;
                let (cells, fractions) = x.block(BLOCK);
                let z = octave.row(basis, extent.z(j))[0];
                let u = fractions[c];
                let [above, below] = gradient_noise::shares(z.fraction, octave.share);
                for (dj, share) in [(0, above), (1, below)] {
                    let bits = [0, 1].map(|di| octave.key.bits(cells[c] + di, z.cell + dj));
                    let fade = super::super::lattice::fade(u);
                    let edge = match basis {
                        Basis::Value => Edge {
                            along: lerp(signed(bits[0]), signed(bits[1]), fade),
                            across: 0.0,
                        },
                        _ => {
                            let [left, right] = bits.map(gradient_noise::gradient);
                            Edge::between(left, right, u, fade)
                        }
                    };
                    n += share[0] * edge.along + share[1] * edge.across;
                }
                sum += n;
            }
            sum
        };
        (0..extent.height()).map(|j| std::array::from_fn(|c| point(c, j))).collect()
    }

    #[test]
    fn every_simd_width_gives_the_bits_of_a_plain_loop() {
        let lattice = Lattice { size: [300, 23], spacing: [7.0, 9.0] };
        let octaves = Octave::series(Seed::new(5), (900.0, 2.1), 6, lattice.spacing);
        for basis in [Basis::Perlin, Basis::Value] {
            let expected = plain(basis, &octaves, &lattice.whole());
            assert!(grid(Level::baseline(), basis, &octaves, &lattice.whole()) == expected);
            assert!(grid(Level::new(), basis, &octaves, &lattice.whole()) == expected);
        }
    }

    #[test]
    fn the_grid_form_is_the_noise_at_its_points() {
        let lattice = Lattice { size: [300, 23], spacing: [7.0, 9.0] };
        let octaves = Octave::series(Seed::new(5), (900.0, 2.0), 3, lattice.spacing);
        let extent = lattice.whole();
        for basis in [Basis::Perlin, Basis::Value] {
            let rows = grid(Level::new(), basis, &octaves, &extent);
            for (j, row) in rows.iter().enumerate() {
                for (c, n) in row.iter().enumerate() {
                    let (x, z) = (extent.x(BLOCK + c), extent.z(j));
                    let at: f32 = octaves.iter().map(|octave| octave.at(basis, x, z)).sum();
                    assert!((n - at).abs() < 1e-6, "{basis:?}: {n} {at}");
                }
            }
        }
    }
}
