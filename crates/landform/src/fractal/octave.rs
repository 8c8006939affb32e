//! The octaves of a fractal sum: noise of one kind at one size, and where the samples of a grid lie in it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lattice::{Key, Position, fade};
use super::{cellular_noise, gradient_noise, simplex_noise, value_noise};
use crate::{Extent, Seed};

/// Columns that are worked on together: as many as fit the nearest cache with the tables of ten octaves.
pub(crate) const BLOCK: usize = 128;

/// One number for each column of a block.
pub(crate) type Row = [f32; BLOCK];

/// The noise that a fractal sum is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Gradient noise on squares (Perlin 2002): natural, and by far the fastest.
    Perlin,
    /// Gradient noise on triangles (Perlin 2001): a little smoother.
    Simplex,
    /// Random heights joined smoothly: rounder and blockier.
    Value,
    /// Hills around scattered points (Worley 1996): cones with creases between them.
    Cellular,
}

impl Basis {
    /// Whether the samples of a grid share work: see [`grid_noise`](super::grid_noise).
    pub(crate) fn is_separable(self) -> bool {
        matches!(self, Self::Perlin | Self::Value)
    }
}

/// Noise of one size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Octave {
    pub(crate) key: Key,
    /// Cells a metre.
    pub(crate) frequency: f64,
    /// Where the ground begins on the lattice. Random, so that the lattices of octaves never line up.
    origin: [f64; 2],
    /// How much of it the output can show: all from two samples a cell on, nothing at one.
    pub(crate) share: f32,
}

impl Octave {
    /// The octaves of a sum whose widest has cells of `wavelength` metres, seen on grid lines that are `spacing` apart.
    pub(crate) fn series(
        seed: Seed,
        (wavelength, lacunarity): (f64, f64),
        count: u32,
        spacing: [f64; 2],
    ) -> Vec<Self> {
        let mut cell = wavelength;
        let mut octaves = Vec::with_capacity(count as usize);
        for k in 0..count {
            let seed = seed.child(&format!("octave {k}"));
            octaves.push(Self {
                key: Key::new(seed),
                frequency: 1.0 / cell,
                origin: [seed.uniform(1), seed.uniform(2)],
                share: (cell / spacing[0].max(spacing[1]) - 1.0).clamp(0.0, 1.0) as f32,
            });
            cell /= lacunarity;
        }
        octaves
    }

    /// The lattice coordinate of a place in metres along an axis.
    fn coordinate(&self, axis: usize, metres: f64) -> f64 {
        metres * self.frequency + self.origin[axis]
    }

    /// Where the columns of `extent` lie.
    pub(crate) fn columns(&self, basis: Basis, extent: &Extent) -> Columns {
        let count = extent.width().next_multiple_of(BLOCK);
        let line = |factor: f64| {
            Line::new((0..count).map(|column| self.coordinate(0, extent.x(column)) * factor))
        };
        match basis {
            Basis::Simplex => {
                Columns { own: line(1.0 + simplex_noise::SKEW), skew: line(simplex_noise::SKEW) }
            }
            _ => Columns { own: line(1.0), skew: Line::default() },
        }
    }

    /// Where a row at `z` metres lies: along its own axis, and for the simplex how far it skews the other.
    pub(crate) fn row(&self, basis: Basis, z: f64) -> [Position; 2] {
        let coordinate = self.coordinate(1, z);
        match basis {
            Basis::Simplex => [
                Position::of(coordinate * (1.0 + simplex_noise::SKEW)),
                Position::of(coordinate * simplex_noise::SKEW),
            ],
            _ => [Position::of(coordinate), Position { cell: 0, fraction: 0.0 }],
        }
    }

    /// The noise at a point in metres, without regard to the resolution.
    pub(crate) fn at(&self, basis: Basis, x: f64, z: f64) -> f32 {
        let (x, z) = (self.coordinate(0, x), self.coordinate(1, z));
        let skew = if basis == Basis::Simplex { (x + z) * simplex_noise::SKEW } else { 0.0 };
        let (x, z) = (Position::of(x + skew), Position::of(z + skew));
        match basis {
            Basis::Perlin => gradient_noise::at(self.key, x, z),
            Basis::Value => value_noise::at(self.key, x, z),
            Basis::Simplex => simplex_noise::at(self.key, x, z),
            Basis::Cellular => cellular_noise::at(self.key, x, z),
        }
    }

    /// The noise at the samples of a row of one block, each moved by some metres.
    #[inline(always)]
    pub(crate) fn fill_moved(
        &self,
        basis: Basis,
        columns: &Columns,
        first: usize,
        row: [Position; 2],
        moved: &[Row; 2],
        out: &mut Row,
    ) {
        match basis {
            Basis::Perlin => self.fill(gradient_noise::at, columns, first, row, moved, out),
            Basis::Value => self.fill(value_noise::at, columns, first, row, moved, out),
            Basis::Cellular => self.fill(cellular_noise::at, columns, first, row, moved, out),
            Basis::Simplex => self.fill_skewed(columns, first, row, moved, out),
        }
    }

    #[inline(always)]
    fn fill(
        &self,
        noise: impl Fn(Key, Position, Position) -> f32,
        columns: &Columns,
        first: usize,
        row: [Position; 2],
        moved: &[Row; 2],
        out: &mut Row,
    ) {
        let (cells, fractions) = columns.own.block(first);
        let frequency = self.frequency as f32;
        for c in 0..BLOCK {
            let x = Position { cell: cells[c], fraction: fractions[c] };
            let (x, z) = (x.moved(moved[0][c] * frequency), row[0].moved(moved[1][c] * frequency));
            out[c] = noise(self.key, x, z);
        }
    }

    #[inline(always)]
    fn fill_skewed(
        &self,
        columns: &Columns,
        first: usize,
        row: [Position; 2],
        moved: &[Row; 2],
        out: &mut Row,
    ) {
        let (cells, fractions) = columns.own.block(first);
        let (skew_cells, skew_fractions) = columns.skew.block(first);
        let (frequency, skew) = (self.frequency as f32, simplex_noise::SKEW as f32);
        for c in 0..BLOCK {
            let (dx, dz) = (moved[0][c] * frequency, moved[1][c] * frequency);
            let skewed = (dx + dz) * skew;
            let x = Position { cell: cells[c].wrapping_add(row[1].cell), fraction: fractions[c] };
            let z = Position {
                cell: skew_cells[c].wrapping_add(row[0].cell),
                fraction: skew_fractions[c],
            };
            let x = x.moved(row[1].fraction + (dx + skewed));
            let z = z.moved(row[0].fraction + (dz + skewed));
            out[c] = simplex_noise::at(self.key, x, z);
        }
    }
}

/// Where the columns of an extent lie on a lattice.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    pub(crate) own: Line,
    /// How far each column skews the other axis; empty but for the simplex.
    skew: Line,
}

/// Positions along one axis, as many as fill whole blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    cells: Vec<i32>,
    fractions: Vec<f32>,
    fades: Vec<f32>,
}

impl Line {
    fn new(coordinates: impl Iterator<Item = f64>) -> Self {
        let positions: Vec<Position> = coordinates.map(Position::of).collect();
        let fractions: Vec<f32> = positions.iter().map(|position| position.fraction).collect();
        Self {
            cells: positions.iter().map(|position| position.cell).collect(),
            fades: fractions.iter().map(|&t| fade(t)).collect(),
            fractions,
        }
    }

    /// Cells and fractions of the block that begins at column `first`.
    #[inline(always)]
    pub(crate) fn block(&self, first: usize) -> (&[i32; BLOCK], &Row) {
        (part(&self.cells, first), part(&self.fractions, first))
    }

    /// The fades of the fractions of a block.
    #[inline(always)]
    pub(crate) fn fades(&self, first: usize) -> &Row {
        part(&self.fades, first)
    }
}

#[inline(always)]
fn part<T>(all: &[T], first: usize) -> &[T; BLOCK] {
    all[first..].first_chunk().expect("lines are made of whole blocks")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lattice;

    const ALL: [Basis; 4] = [Basis::Perlin, Basis::Simplex, Basis::Value, Basis::Cellular];

    #[test]
    fn a_row_of_samples_is_the_noise_at_its_points() {
        let lattice = Lattice { size: [300, 40], spacing: [3.0, 5.0] };
        let extent = lattice.whole();
        let moved = [[7.5; BLOCK], [-31.0; BLOCK]];
        for octave in Octave::series(Seed::new(5), (400.0, 2.0), 5, lattice.spacing) {
            for basis in ALL {
                let columns = octave.columns(basis, &extent);
                let mut out = [0.0; BLOCK];
                let row = octave.row(basis, extent.z(17));
                octave.fill_moved(basis, &columns, BLOCK, row, &moved, &mut out);
                for c in 0..BLOCK {
                    let n = octave.at(basis, extent.x(BLOCK + c) + 7.5, extent.z(17) - 31.0);
                    assert!((out[c] - n).abs() < 2e-5, "{basis:?} {c}: {} {n}", out[c]);
                }
            }
        }
    }

    #[test]
    fn octaves_fade_where_samples_are_too_far_apart_to_show_them() {
        let shares = |spacing: f64| {
            let octaves = Octave::series(Seed::new(1), (64.0, 2.0), 4, [1.0, spacing]);
            octaves.iter().map(|octave| octave.share).collect::<Vec<_>>()
        };
        assert_eq!(shares(1.0), [1.0, 1.0, 1.0, 1.0]);
        assert_eq!(shares(6.4), [1.0, 1.0, 1.0, 0.25]);
        assert_eq!(shares(64.0), [0.0, 0.0, 0.0, 0.0]);
    }

    /// Mean square difference between points a small step apart, along an angle.
    fn roughness(octave: &Octave, basis: Basis, degrees: f64) -> f64 {
        let angle = degrees.to_radians();
        let (dx, dz) = (0.3 * crate::math::cos(angle), 0.3 * crate::math::sin(angle));
        let square = |k: u32| {
            let (x, z) = (f64::from(k % 400) * 0.618, f64::from(k / 400) * 0.618);
            let step = octave.at(basis, x + dx, z + dz) - octave.at(basis, x, z);
            f64::from(step) * f64::from(step)
        };
        (0..160_000).map(square).sum::<f64>() / 160_000.0
    }

    #[test]
    fn noise_is_as_rough_in_every_direction() {
        let octave = Octave::series(Seed::new(7), (1.0, 2.0), 1, [0.1, 0.1])[0];
        for basis in ALL {
            let rough = [0.0, 30.0, 45.0, 60.0, 90.0, 135.0]
                .map(|degrees| roughness(&octave, basis, degrees));
            let (low, high) =
                rough.iter().fold((f64::MAX, 0.0_f64), |(a, b), &r| (a.min(r), b.max(r)));
            assert!(high / low < 1.06, "{basis:?}: {rough:?}");
        }
    }
}
