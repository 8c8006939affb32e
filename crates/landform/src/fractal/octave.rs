//! The octaves of a fractal sum: noise of one kind at one size, and where the samples of a grid lie in it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::noise::lattice::{Key, Position, fade};
use crate::noise::{cellular_noise, gradient_noise, simplex_noise, value_noise};
use crate::{Extent, Seed, math};

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
        self == Self::Perlin
    }

    /// Noise at a position.
    #[inline(always)]
    fn at(self, key: Key, x: Position, z: Position) -> f32 {
        match self {
            Self::Perlin => gradient_noise::at(key, x, z),
            Self::Simplex => simplex_noise::at(key, x, z),
            Self::Value => value_noise::at(key, x, z),
            Self::Cellular => cellular_noise::at(key, x, z),
        }
    }

    /// Lattice coordinates from the ground, turned by an angle, for cells one unit wide.
    ///
    /// Perlin noise is not turned: with gradients in all directions its lattice does not show, and only so
    /// do the samples of a grid share work. Value noise would show it at once. The hills of simplex noise are
    /// small for their cells, so the cells are made larger.
    fn to_lattice(self, angle: f64) -> [[f64; 2]; 2] {
        let (cos, sin) = (math::cos(angle), math::sin(angle));
        match self {
            Self::Perlin => [[1.0, 0.0], [0.0, 1.0]],
            Self::Value | Self::Cellular => [[cos, -sin], [sin, cos]],
            Self::Simplex => {
                let (across, along) =
                    (0.6 * simplex_noise::SKEW, 0.6 * (1.0 + simplex_noise::SKEW));
                [
                    [along * cos + across * sin, across * cos - along * sin],
                    [along * sin + across * cos, along * cos - across * sin],
                ]
            }
        }
    }
}

/// Noise of one size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Octave {
    pub(crate) key: Key,
    basis: Basis,
    /// Lattice coordinates from metres.
    from_ground: [[f64; 2]; 2],
    /// Where the ground begins on the lattice. Random, so that the lattices of octaves never line up.
    origin: [f64; 2],
    /// How far the noise is moved over the ground, in metres.
    translation: [f64; 2],
    /// How much of it the output can show: all from two samples a cell on, nothing at one.
    pub(crate) share: f32,
}

impl Octave {
    /// The octaves of a sum whose widest has cells of `wavelength` metres, seen on grid lines that are `spacing`
    /// apart.
    pub(crate) fn series(
        seed: Seed,
        basis: Basis,
        (wavelength, lacunarity): (f64, f64),
        count: u32,
        spacing: [f64; 2],
    ) -> Vec<Self> {
        let mut cell = wavelength;
        let mut octaves = Vec::with_capacity(count as usize);
        for k in 0..count {
            let seed = seed.child(&format!("octave {k}"));
            let angle = seed.uniform(3) * std::f64::consts::TAU;
            octaves.push(Self {
                key: Key::new(seed),
                basis,
                from_ground: basis.to_lattice(angle).map(|row| row.map(|factor| factor / cell)),
                origin: [seed.uniform(1), seed.uniform(2)],
                translation: [0.0; 2],
                share: (cell / spacing[0].max(spacing[1]) - 1.0).clamp(0.0, 1.0) as f32,
            });
            cell /= lacunarity;
        }
        octaves
    }

    /// The same noise, moved over the ground by some metres.
    ///
    /// Places are moved before they become lattice coordinates: there whole grid lines are exact where a multiple of the
    /// spacing is, and the lattices of all octaves stay where they are to each other.
    pub(crate) fn translated(self, translation: [f64; 2]) -> Self {
        Self { translation, ..self }
    }

    /// Where the columns of `extent` lie.
    pub(crate) fn columns(&self, extent: &Extent) -> Columns {
        let count = extent.width().next_multiple_of(BLOCK);
        let line = |factor: f64, origin: f64| {
            if factor == 0.0 {
                return Line::even(Position::of(origin), count);
            }
            let place = |column| (extent.x(column) - self.translation[0]) * factor + origin;
            Line::new((0..count).map(place))
        };
        let [[own, _], [other, _]] = self.from_ground;
        Columns { own: line(own, self.origin[0]), other: line(other, 0.0) }
    }

    /// Where a row at `z` metres lies: on its own axis, and what it adds on the other.
    pub(crate) fn row(&self, z: f64) -> [Position; 2] {
        let [[_, other], [_, own]] = self.from_ground;
        let z = z - self.translation[1];
        [Position::of(z * own + self.origin[1]), Position::of(z * other)]
    }

    /// The noise at a point in metres, without regard to the resolution.
    pub(crate) fn at(&self, x: f64, z: f64) -> f32 {
        let (x, z) = (x - self.translation[0], z - self.translation[1]);
        let [x, z] = [0, 1].map(|axis| {
            let [from_x, from_z] = self.from_ground[axis];
            Position::of(x * from_x + z * from_z + self.origin[axis])
        });
        self.basis.at(self.key, x, z)
    }

    /// The noise at the samples of a row of one block, each moved by some metres.
    #[inline(always)]
    pub(crate) fn fill_moved(
        &self,
        columns: &Columns,
        first: usize,
        row: [Position; 2],
        moved: &[Row; 2],
        out: &mut Row,
    ) {
        match self.basis {
            Basis::Perlin => self.fill(Basis::Perlin, columns, first, row, moved, out),
            Basis::Simplex => self.fill(Basis::Simplex, columns, first, row, moved, out),
            Basis::Value => self.fill(Basis::Value, columns, first, row, moved, out),
            Basis::Cellular => self.fill(Basis::Cellular, columns, first, row, moved, out),
        }
    }

    /// As [`Octave::fill_moved`]; the basis is its own argument so that each gets its own loop.
    #[inline(always)]
    fn fill(
        &self,
        basis: Basis,
        columns: &Columns,
        first: usize,
        row: [Position; 2],
        moved: &[Row; 2],
        out: &mut Row,
    ) {
        let (cells, fractions) = columns.own.block(first);
        let (other_cells, other_fractions) = columns.other.block(first);
        let [[xx, xz], [zx, zz]] = self.from_ground;
        let (xx, xz, zx, zz) = (xx as f32, xz as f32, zx as f32, zz as f32);
        for c in 0..BLOCK {
            let (dx, dz) = (moved[0][c], moved[1][c]);
            let x = Position { cell: cells[c].wrapping_add(row[1].cell), fraction: fractions[c] };
            let z = Position {
                cell: other_cells[c].wrapping_add(row[0].cell),
                fraction: other_fractions[c],
            };
            let x = x.moved(row[1].fraction + (dx * xx + dz * xz));
            let z = z.moved(row[0].fraction + (dx * zx + dz * zz));
            out[c] = basis.at(self.key, x, z);
        }
    }
}

/// Where the columns of an extent lie on a lattice.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    pub(crate) own: Line,
    /// What each column adds on the other axis.
    other: Line,
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

    /// The same position `count` times.
    fn even(Position { cell, fraction }: Position, count: usize) -> Self {
        Self {
            cells: vec![cell; count],
            fractions: vec![fraction; count],
            fades: vec![fade(fraction); count],
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
        for basis in ALL {
            for octave in Octave::series(Seed::new(5), basis, (400.0, 2.0), 5, lattice.spacing) {
                let columns = octave.columns(&extent);
                let mut out = [0.0; BLOCK];
                let row = octave.row(extent.z(17));
                octave.fill_moved(&columns, BLOCK, row, &moved, &mut out);
                for c in 0..BLOCK {
                    let n = octave.at(extent.x(BLOCK + c) + 7.5, extent.z(17) - 31.0);
                    assert!((out[c] - n).abs() < 2e-5, "{basis:?} {c}: {} {n}", out[c]);
                }
            }
        }
    }

    #[test]
    fn octaves_fade_where_samples_are_too_far_apart_to_show_them() {
        let shares = |spacing: f64| {
            let octaves =
                Octave::series(Seed::new(1), Basis::Value, (64.0, 2.0), 4, [1.0, spacing]);
            octaves.iter().map(|octave| octave.share).collect::<Vec<_>>()
        };
        assert_eq!(shares(1.0), [1.0, 1.0, 1.0, 1.0]);
        assert_eq!(shares(6.4), [1.0, 1.0, 1.0, 0.25]);
        assert_eq!(shares(64.0), [0.0, 0.0, 0.0, 0.0]);
    }

    /// Mean square difference between points a small step apart, along an angle.
    fn roughness(octave: &Octave, degrees: f64) -> f64 {
        let angle = degrees.to_radians();
        let (dx, dz) = (0.3 * math::cos(angle), 0.3 * math::sin(angle));
        let square = |k: u32| {
            let (x, z) = (f64::from(k % 400) * 0.618, f64::from(k / 400) * 0.618);
            let step = octave.at(x + dx, z + dz) - octave.at(x, z);
            f64::from(step) * f64::from(step)
        };
        (0..160_000).map(square).sum::<f64>() / 160_000.0
    }

    #[test]
    fn noise_is_as_rough_in_every_direction() {
        for basis in ALL {
            let octave = Octave::series(Seed::new(7), basis, (1.0, 2.0), 1, [0.1, 0.1])[0];
            let rough =
                [0.0, 30.0, 45.0, 60.0, 90.0, 135.0].map(|degrees| roughness(&octave, degrees));
            let (low, high) =
                rough.iter().fold((f64::MAX, 0.0_f64), |(a, b), &r| (a.min(r), b.max(r)));
            assert!(high / low < 1.06, "{basis:?}: {rough:?}");
        }
    }
}
