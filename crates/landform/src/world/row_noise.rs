//! [Noise](super::noise) along the rows of a flat map, at a fraction of its cost point by point.
//!
//! The points of a row lie between two rows of the lattice of an octave, and all rows of a map have the same columns. So what
//! each column has of the corners to its left and right is found once for a row of the lattice, and kept for as many rows of
//! points as it has:
//!
//! ```text
//! n = A₀ (1 − w) + C₀ v (1 − w) + A₁ w + C₁ (v − 1) w      v place between the lattice rows, w = fade(v)
//! A = lerp(x u, x' (u − 1), fade(u))                      u place between the lattice columns, (x, z) slope of the left
//! C = lerp(z, z', fade(u))                                corner, (x', z') of the right one
//! ```
//!
//! This is the noise of [`Octaves::fbm`] but for rounding. On a sphere rows have nothing in common: there it is that.

use std::ops::Range;

use fearless_simd::{Level, dispatch};

use super::noise::{FLAT_GAIN, Octaves, corner_bits, slope};
use super::surface::{Point, Tessellation};
use crate::noise::lattice::{fade, lerp};
use crate::par;

/// Rows that share their edges.
pub(crate) const ROWS: usize = 16;

/// Where the columns of a flat map lie on the lattice of an octave.
#[derive(Debug)]
struct Line {
    /// What each lattice column has to do with the random bits of its corners, from the leftmost on.
    bits: Vec<u32>,
    /// Of each column: lattice columns from the leftmost.
    steps: Vec<u32>,
    fractions: Vec<f32>,
    fades: Vec<f32>,
    /// The columns between the same lattice columns, if these are many.
    stretches: Vec<Range<usize>>,
}

/// As many columns between two lattice columns are made side by side.
const MANY: usize = 8;

/// Octaves, and where the columns of a map lie on their lattices.
#[derive(Debug)]
pub(crate) struct Columns<'a> {
    octaves: &'a Octaves,
    /// None on a sphere.
    lines: Vec<Line>,
}

impl<'a> Columns<'a> {
    /// The columns that the points of every row have.
    pub(crate) fn new(octaves: &'a Octaves, row: &[Point]) -> Self {
        let line = |k: usize| {
            let places = row.iter().map(|p| octaves.place(0, p[0], k));
            let (cells, fractions): (Vec<i32>, Vec<f32>) = places.unzip();
            let first = cells.iter().copied().min().unwrap_or(0);
            let steps: Vec<u32> = cells.iter().map(|cell| (cell - first) as u32).collect();
            let touched = steps.iter().max().map_or(0, |&most| most as usize + 2);
            let fades = fractions.iter().map(|&u| fade(u)).collect();
            let bits = |step: usize| octaves.column_bits(k, first.wrapping_add(step as i32));
            let bits: Vec<u32> = (0..touched).map(bits).collect();
            let mut stretches = Vec::new();
            if steps.len() > MANY * bits.len() {
                let mut start = 0;
                for stretch in steps.chunk_by(|a, b| a == b) {
                    stretches.push(start..start + stretch.len());
                    start += stretch.len();
                }
            }
            Line { bits, steps, fractions, fades, stretches }
        };
        let count = if octaves.is_flat() { octaves.weights().len() } else { 0 };
        Self { octaves, lines: (0..count).map(line).collect() }
    }

    /// Noise along some rows, one after the other.
    pub(crate) fn rows(&self) -> Rows<'_> {
        let edges = self.lines.iter().map(|_| Edges::default()).collect();
        Rows { columns: self, edges, slopes: Vec::new() }
    }
}

/// What the columns have of a row of the lattice: A and C, and the number of that row.
#[derive(Clone, Debug, Default)]
struct Edge {
    row: Option<i32>,
    along: Vec<f32>,
    across: Vec<f32>,
}

/// The edges above and below a row of points, the one of an even lattice row first.
#[derive(Clone, Debug, Default)]
struct Edges([Edge; 2]);

/// Noise along rows that have the same columns.
#[derive(Debug)]
pub(crate) struct Rows<'a> {
    columns: &'a Columns<'a>,
    edges: Vec<Edges>,
    /// The slopes of the corners of a row of the lattice.
    slopes: Vec<[f32; 2]>,
}

impl Rows<'_> {
    /// The plain sum at the points of a row. On a flat map the first tells where the row is: the others need not be there.
    pub(crate) fn fbm(&mut self, points: &[Point], out: &mut [f32]) {
        let octaves = self.columns.octaves;
        if !octaves.is_flat() {
            octaves.fbm(points, out);
            return;
        }
        out.fill(0.0);
        let Some(&[_, _, z]) = points.first() else { return };
        for (k, line) in self.columns.lines.iter().enumerate() {
            let Edges(edges) = &mut self.edges[k];
            let (cell, v) = octaves.place(2, z, k);
            for row in [cell, cell.wrapping_add(1)] {
                let edge = &mut edges[(row & 1) as usize];
                if edge.row != Some(row) {
                    edge.row = Some(row);
                    let bits = octaves.row_bits(k, row);
                    dispatch!(Level::new(), _simd => line.make(bits, &mut self.slopes, edge));
                }
            }
            let (w, factor) = (fade(v), FLAT_GAIN * octaves.weights()[k]);
            let above = [factor * (1.0 - w), factor * v * (1.0 - w)];
            let below = [factor * w, factor * (v - 1.0) * w];
            let shares = if cell & 1 == 0 { [above, below] } else { [below, above] };
            dispatch!(Level::new(), _simd => add(edges, shares, out));
        }
    }
}

impl Line {
    /// Makes the edge of a lattice row.
    #[inline(always)]
    fn make(&self, row_bits: u32, slopes: &mut Vec<[f32; 2]>, edge: &mut Edge) {
        let count = self.steps.len();
        edge.along.resize(count, 0.0);
        edge.across.resize(count, 0.0);
        slopes.resize(self.bits.len(), [0.0; 2]);
        for (slope_at, &bits) in slopes.iter_mut().zip(&self.bits) {
            *slope_at = slope(corner_bits(bits, row_bits));
        }
        for own in &self.stretches {
            let step = self.steps[own.start] as usize;
            let ([x, z], [next_x, next_z]) = (slopes[step], slopes[step + 1]);
            let (fractions, fades) = (&self.fractions[own.clone()], &self.fades[own.clone()]);
            let along = &mut edge.along[own.clone()];
            let across = &mut edge.across[own.clone()];
            for i in 0..own.len() {
                along[i] = lerp(x * fractions[i], next_x * (fractions[i] - 1.0), fades[i]);
                across[i] = lerp(z, next_z, fades[i]);
            }
        }
        if !self.stretches.is_empty() {
            return;
        }
        let columns = self.steps.iter().zip(self.fractions.iter().zip(&self.fades));
        let edges = edge.along.iter_mut().zip(&mut edge.across);
        for ((&step, (&u, &fade)), (along, across)) in columns.zip(edges) {
            let ([x, z], [next_x, next_z]) = (slopes[step as usize], slopes[step as usize + 1]);
            *along = lerp(x * u, next_x * (u - 1.0), fade);
            *across = lerp(z, next_z, fade);
        }
    }
}

/// Adds shares of two edges.
#[inline(always)]
fn add([even, odd]: &[Edge; 2], shares: [[f32; 2]; 2], out: &mut [f32]) {
    let count = out.len();
    let (even_along, even_across) = (&even.along[..count], &even.across[..count]);
    let (odd_along, odd_across) = (&odd.along[..count], &odd.across[..count]);
    let [[a, b], [c, d]] = shares;
    for i in 0..count {
        let even = a * even_along[i] + b * even_across[i];
        let odd = c * odd_along[i] + d * odd_across[i];
        out[i] += even + odd;
    }
}

/// The plain sums at the middles of all cells of a surface.
pub(crate) fn fbm_of_cells<S: Tessellation>(octaves: &Octaves, surface: &S) -> Vec<f32> {
    let shape = surface.shape();
    let row_at = |first: usize| (first..first + shape.width).map(|cell| surface.point(cell));
    let columns = Columns::new(octaves, &row_at(0).collect::<Vec<_>>());
    let mut sums = vec![0.0; shape.cells()];
    par::for_each_part(&mut sums, shape.width, ROWS, |part, sums| {
        let mut rows = columns.rows();
        let mut points = Vec::with_capacity(shape.width);
        for (k, sums) in sums.chunks_mut(shape.width).enumerate() {
            points.clear();
            let needed = if octaves.is_flat() { 1 } else { shape.width };
            points.extend(row_at((part * ROWS + k) * shape.width).take(needed));
            rows.fbm(&points, sums);
        }
    });
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::flat::Flat;
    use crate::world::sphere::CubeSphere;
    use crate::{Lattice, Seed, Topology};

    #[test]
    fn the_noise_of_rows_is_that_of_their_points() {
        let lattice = Lattice { size: [65, 33], spacing: [100.0, 100.0] };
        for topology in [Topology::Plane, Topology::Cylinder, Topology::Torus] {
            let octaves = Octaves::new((topology, &lattice), (900.0, 90.0), 0.8, 9, Seed::new(5));
            let flat = Flat::new(&lattice, topology.wraps());
            let sums = fbm_of_cells(&octaves, &flat);
            for (cell, &sum) in sums.iter().enumerate() {
                let alone = octaves.fbm_at(flat.point(cell));
                assert!((alone - sum).abs() < 1e-5, "{topology:?} {cell}: {alone} {sum}");
            }
        }
        let octaves =
            Octaves::new((Topology::Sphere, &lattice), (900.0, 90.0), 0.8, 9, Seed::new(5));
        let sphere = CubeSphere::new(&lattice);
        for (cell, sum) in fbm_of_cells(&octaves, &sphere).into_iter().enumerate() {
            assert_eq!(octaves.fbm_at(sphere.point(cell)), sum);
        }
    }

    #[test]
    fn a_row_has_the_same_noise_whichever_was_before_it() {
        let lattice = Lattice { size: [65, 33], spacing: [100.0, 100.0] };
        let octaves =
            Octaves::new((Topology::Torus, &lattice), (900.0, 90.0), 0.8, 9, Seed::new(5));
        let row = |z: f64| (0..65).map(|i| [f64::from(i) * 100.0, 0.0, z]).collect::<Vec<_>>();
        let columns = Columns::new(&octaves, &row(0.0));
        let mut rows = columns.rows();
        let (mut sums, mut alone) = (vec![0.0; 65], vec![0.0; 65]);
        for z in [0.0, 3200.0, 100.0, 1700.0, 1600.0, 2500.0] {
            rows.fbm(&row(z), &mut sums);
            columns.rows().fbm(&row(z), &mut alone);
            assert_eq!(sums, alone);
        }
        let part = row(1700.0)[20..41].to_vec();
        let mut tile = vec![0.0; 21];
        Columns::new(&octaves, &part).rows().fbm(&part, &mut tile);
        rows.fbm(&row(1700.0), &mut sums);
        assert_eq!(tile, sums[20..41]);
    }
}
