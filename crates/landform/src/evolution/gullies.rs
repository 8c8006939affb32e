//! Gullies without a simulation: a filter that knows only the lie of the ground around a sample.
//!
//! ```text
//! v_k(p) = Σ w(|p − q|)·cos(2π (p − q)·t/λ_k + φ_q) / Σ w      q  random points, one in each square of side λ_k
//! ∇H_k+1 = ∇H_k + a_k·∇v_k                                     t  unit vector along the contour: across ∇H_k
//! s      = Σ a_k (1 − v_k)                                     a_k = depth·λ_k·S/(1 + S/S_0), λ_k+1 = λ_k/2
//! h'     = h − s/(1 + (s/f)⁴)^¼                                f = 0.9 (H(p) − H(p + λ_0/2 downhill))
//! ```
//!
//! Each random point sends out a wave whose crests run straight down the slope where it is looked at: spurs and gullies. The
//! next, finer set runs down the sides of the spurs that the coarser one has made, so gullies branch. The slope that a wave
//! adds is known in closed form, so one look at the ground is enough for all of them, and the result is the same in any
//! tile. Level ground has no gullies, and the ground is only ever lowered.
//!
//! H is the ground [smoothed](super::smoothed_ground) over an eighth of the longest wave: a kink, such as the rim of a cone,
//! neither turns nor deepens gullies at once, and they are the same at every resolution. No gully is cut deeper than the ground
//! falls over the next half wave, so few end in a pit at the foot of a slope.
//!
//! The samples of a row are worked on in blocks, with the random points around each laid out beside it; rows in the same row of
//! squares share them. The compiler makes several samples at once of it, with the same bits at every SIMD width.
//!
//! This is a picture of erosion, not erosion: gullies do not know how much water comes from above, and may still end in a hollow.

use fearless_simd::{Level, dispatch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::smoothed_ground::{Knot, SmoothedGround, Smoothing};
use crate::blend::Blend;
use crate::error::Error;
use crate::stage::{Access, Field, FieldOutput, Operator, Prepared, Reach, Reads, Site};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Extent, Lattice, Seed, math, par};

/// Cuts gullies into slopes: see the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Gullies {
    /// Distance between the largest gullies.
    #[schemars(range(min = 0.1, max = 1e6), extend("unit" = "m"))]
    pub wavelength: f64,
    /// Number of sizes, each half of the one before.
    #[schemars(range(min = 1, max = 12))]
    pub octaves: u32,
    /// Depth of a gully over the distance to the next, on a slope of 45°.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub depth: f64,
    /// How much the slopes of large gullies turn smaller ones: 0 lets all run down the ground as it was.
    #[schemars(range(min = 0.0, max = 3.0))]
    pub branching: f64,
    /// Slope, rise over run, from which on gullies hardly grow deeper.
    #[schemars(range(min = 0.01, max = 10.0))]
    pub steep: f64,
    /// Slope, rise over run, up to which gullies only begin: 0 lets even gentle slopes have them.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub gentle: f64,
}

impl Default for Gullies {
    fn default() -> Self {
        Self { wavelength: 400.0, octaves: 4, depth: 0.12, branching: 1.0, steep: 1.0, gentle: 0.0 }
    }
}

impl Operator for Gullies {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        let smoothing = self.smoothing(&site.design);
        Ok(Prepared::Field(Box::new(Filter { gullies: self.clone(), seed: site.seed, smoothing })))
    }

    fn blend(&self) -> Blend {
        Blend::Lerp
    }

    fn reach(&self, output: &Lattice) -> Reach {
        Reach::Cells(self.smoothing(output).reach(self.downhill(), output))
    }

    fn reach_at(&self, site: &Site<'_>) -> Reach {
        Reach::Cells(self.smoothing(&site.design).reach(self.downhill(), &site.output))
    }

    fn access(&self) -> Access {
        Access { values: Some(Reads::Ground), ..Access::PLAIN }
    }
}

impl Gullies {
    fn smoothing(&self, design: &Lattice) -> Smoothing {
        Smoothing::new(SMOOTHED * self.wavelength, design)
    }

    /// How far down the slope it is looked how deep a gully can be, in metres.
    fn downhill(&self) -> f64 {
        DOWNHILL * self.wavelength
    }
}

/// Distance of the nodes of the ground that gullies follow, in wavelengths.
const SMOOTHED: f64 = 0.125;

/// How far down the slope gullies see, in wavelengths.
const DOWNHILL: f64 = 0.5;

/// The deepest cut, as a share of the fall over that distance.
const DEEPEST: f64 = 0.9;

struct Filter {
    gullies: Gullies,
    seed: Seed,
    smoothing: Smoothing,
}

/// Columns that are worked on together.
const BLOCK: usize = 64;

/// Rows that are worked on together: enough for the points around wide squares to be worth keeping.
const ROWS: usize = 32;

/// One number for each column of a block.
type Lanes = [f64; BLOCK];

/// Waves of one length, and where the columns of an extent lie among their squares; as many as fill whole blocks.
struct Octave {
    points: Seed,
    wavelength: f64,
    squares: Vec<i64>,
    fractions: Vec<f64>,
}

impl Filter {
    fn octaves(&self, extent: &Extent) -> Vec<Octave> {
        let count = extent.width().next_multiple_of(BLOCK);
        let mut wavelength = self.gullies.wavelength;
        let mut octaves = Vec::new();
        for octave in 0..self.gullies.octaves {
            let places = (0..count).map(|column| place(extent.x(column) / wavelength));
            let (squares, fractions) = places.unzip();
            let points = Seed::new(self.seed.bits(u64::from(octave)));
            octaves.push(Octave { points, wavelength, squares, fractions });
            wavelength *= 0.5;
        }
        octaves
    }
}

/// The square in which a point lies along one axis, and where in it.
fn place(at: f64) -> (i64, f64) {
    let square = at.floor();
    (square as i64, at - square)
}

/// The random points of a row of squares around the columns of a block: in the square to the left, in the own one and in
/// the one to the right. Places are relative to the own square, phases in turns.
struct SquareRow {
    /// Which row of squares it is.
    row: Option<i64>,
    x: [[f32; BLOCK]; 3],
    z: [[f32; BLOCK]; 3],
    phase: [[f32; BLOCK]; 3],
}

impl SquareRow {
    fn new() -> Self {
        let zeros = [[0.0; BLOCK]; 3];
        Self { row: None, x: zeros, z: zeros, phase: zeros }
    }

    fn find(&mut self, points: Seed, squares: &[i64], row: i64) {
        if self.row == Some(row) {
            return;
        }
        self.row = Some(row);
        for (c, &square) in squares.iter().enumerate() {
            for side in 0..3 {
                if c > 0 && square == squares[c - 1] {
                    for numbers in [&mut self.x, &mut self.z, &mut self.phase] {
                        numbers[side][c] = numbers[side][c - 1];
                    }
                    continue;
                }
                let bits = points.bits_at(square + side as i64 - 1, row);
                let part = |shift: u32| f32::from((bits >> shift) as u16) / 65_536.0;
                self.x[side][c] = side as f32 - 1.0 + part(0);
                self.z[side][c] = part(16);
                self.phase[side][c] = part(32);
            }
        }
    }
}

/// Windowed waves across `along` at the points of a row of a block, in units of their length.
#[derive(Debug)]
struct Waves {
    value: Lanes,
    /// Slope along `along`.
    turn: Lanes,
}

impl Waves {
    /// The points are at (x, z) from the corner of their squares, and `rows` are those around.
    #[inline(always)]
    fn new(rows: [&SquareRow; 3], x: &Lanes, z: f64, along: &[Lanes; 2]) -> Self {
        let [mut weights, mut cosines, mut sines] = [[0.0; BLOCK]; 3];
        for (row, down) in rows.into_iter().zip([-1.0, 0.0, 1.0]) {
            for side in 0..3 {
                for c in 0..BLOCK {
                    let px = x[c] - f64::from(row.x[side][c]);
                    let pz = z - (down + f64::from(row.z[side][c]));
                    let near = (1.0 - (px * px + pz * pz) / (1.5 * 1.5)).max(0.0);
                    let weight = near * near * near;
                    let turns = px * along[0][c] + pz * along[1][c] + f64::from(row.phase[side][c]);
                    let [cosine, sine] = math::cos_sin_of_turns(turns);
                    weights[c] += weight;
                    cosines[c] += weight * cosine;
                    sines[c] += weight * sine;
                }
            }
        }
        let mut waves = Self { value: [0.0; BLOCK], turn: [0.0; BLOCK] };
        for c in 0..BLOCK {
            // The point of the own square is never farther than √2.
            let scale = 1.0 / f64::max(weights[c], 1e-12);
            waves.value[c] = (cosines[c] * scale).clamp(-1.0, 1.0);
            waves.turn[c] = -std::f64::consts::TAU * sines[c] * scale;
        }
        waves
    }
}

/// A slope below which ground is level.
const LEVEL: f64 = 1e-9;

impl Gullies {
    /// By how much ground of this lie is lowered in a row of a block, in metres: at most 0. `first` is the first
    /// column of the block and `z` the place of the row.
    #[inline(always)]
    fn cut(
        &self,
        octaves: &[Octave],
        kept: &mut [[SquareRow; 3]],
        (first, z): (usize, f64),
        &Lie { mut gradient, fall }: &Lie,
    ) -> Lanes {
        let (mut sum, mut strength) = ([0.0; BLOCK], [0.0; BLOCK]);
        for c in 0..BLOCK {
            let slope = math::length(gradient[0][c], gradient[1][c]);
            let begun = (slope / self.gentle).min(1.0);
            let steepness = slope * (begun * begun * (3.0 - 2.0 * begun));
            strength[c] = steepness / (1.0 + steepness / self.steep) * (1.0 + 1.0 / self.steep);
        }
        for (octave, rows) in octaves.iter().zip(kept) {
            let (mut slope, mut along) = ([0.0; BLOCK], [[0.0; BLOCK]; 2]);
            for c in 0..BLOCK {
                slope[c] = math::length(gradient[0][c], gradient[1][c]);
                along[0][c] = -gradient[1][c] / slope[c];
                along[1][c] = gradient[0][c] / slope[c];
            }
            if slope.iter().all(|&slope| slope < LEVEL) {
                break;
            }
            let (row, below) = place(z / octave.wavelength);
            let squares = &octave.squares[first..first + BLOCK];
            for row in row - 1..=row + 1 {
                rows[row.rem_euclid(3) as usize].find(octave.points, squares, row);
            }
            let rows = [-1, 0, 1].map(|down| &rows[(row + down).rem_euclid(3) as usize]);
            let fractions = octave.fractions[first..].first_chunk().expect("whole blocks");
            let waves = Waves::new(rows, fractions, below, &along);
            let mut turn = [0.0; BLOCK];
            for c in 0..BLOCK {
                let amplitude = 0.5 * self.depth * octave.wavelength * strength[c];
                let lower = sum[c] + amplitude * (waves.value[c] - 1.0);
                sum[c] = if slope[c] < LEVEL { sum[c] } else { lower };
                turn[c] = self.branching * amplitude / octave.wavelength;
            }
            for (gradient, along) in gradient.iter_mut().zip(&along) {
                for c in 0..BLOCK {
                    let turned = gradient[c] + turn[c] * (waves.turn[c] * along[c]);
                    gradient[c] = if slope[c] < LEVEL { gradient[c] } else { turned };
                }
            }
        }
        for c in 0..BLOCK {
            sum[c] = limited(sum[c], DEEPEST * fall[c]);
        }
        sum
    }
}

/// A cut that is hardly changed as long as it is less deep than `deepest`, and never deeper.
#[inline(always)]
fn limited(cut: f64, deepest: f64) -> f64 {
    let share = cut / deepest.max(LEVEL);
    let square = share * share;
    cut / (1.0 + square * square).sqrt().sqrt()
}

/// How the ground lies at the points of a row of a block.
#[derive(Debug)]
struct Lie {
    gradient: [Lanes; 2],
    /// Metres that it falls over [`Gullies::downhill`]; 0 where it rises.
    fall: Lanes,
}

impl Filter {
    /// `columns` are the places of the columns of the block.
    fn lie(&self, ground: &SmoothedGround, columns: &[(f64, Knot)], z: f64) -> Lie {
        let mut lie = Lie { gradient: [[0.0; BLOCK]; 2], fall: [0.0; BLOCK] };
        let row = ground.knot(1, z);
        for (c, (x, column)) in columns.iter().enumerate() {
            let here = ground.height_and_gradient(column, &row);
            [lie.gradient[0][c], lie.gradient[1][c]] = here.1;
            lie.fall[c] = ground.fall([*x, z], here, self.gullies.downhill()).max(0.0);
        }
        lie
    }
}

impl Field for Filter {
    fn evaluate(
        &self,
        extent: &Extent,
        view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let Some(out) = out.values else { return Ok(()) };
        let level = Level::new();
        let octaves = self.octaves(extent);
        let ground = SmoothedGround::new(self.smoothing, self.gullies.downhill(), extent, view);
        let columns: Vec<(f64, Knot)> = (0..extent.width())
            .map(|column| (extent.x(column), ground.knot(0, extent.x(column))))
            .collect();
        par::try_for_each_part(out, extent.width(), ROWS, |part, samples| {
            for first in (0..extent.width()).step_by(BLOCK) {
                ctx.check()?;
                let count = BLOCK.min(extent.width() - first);
                let mut kept: Vec<_> =
                    octaves.iter().map(|_| [(); 3].map(|()| SquareRow::new())).collect();
                for (k, samples) in samples.chunks_mut(extent.width()).enumerate() {
                    let row = ROWS * part + k;
                    let place = (first, extent.z(row));
                    let lie = self.lie(&ground, &columns[first..first + count], place.1);
                    let cuts = dispatch!(level, _simd => {
                        self.gullies.cut(&octaves, &mut kept, place, &lie)
                    });
                    for (sample, cut) in samples[first..first + count].iter_mut().zip(cuts) {
                        if cut.is_finite() {
                            *sample += cut as f32;
                        }
                    }
                }
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lattice;

    /// The equations of the module at one point: by how much it is lowered.
    fn plain(filter: &Filter, [x, z]: [f64; 2], mut gradient: [f64; 2]) -> f64 {
        let gullies = &filter.gullies;
        let (mut sum, mut wavelength) = (0.0, gullies.wavelength);
        let slope = math::length(gradient[0], gradient[1]);
        let deepest = DEEPEST * (slope * gullies.downhill());
        let steepness = slope * math::smoothstep(0.0, gullies.gentle, slope);
        let strength = steepness / (1.0 + steepness / gullies.steep) * (1.0 + 1.0 / gullies.steep);
        for octave in 0..gullies.octaves {
            let slope = math::length(gradient[0], gradient[1]);
            let along = [-gradient[1] / slope, gradient[0] / slope];
            let amplitude = 0.5 * gullies.depth * wavelength * strength;
            let points = Seed::new(filter.seed.bits(u64::from(octave)));
            let ((i, x), (j, z)) = (place(x / wavelength), place(z / wavelength));
            let (mut weights, mut cosines, mut sines) = (0.0, 0.0, 0.0);
            for (row, column) in (0..3).flat_map(|row| (0..3).map(move |column| (row, column))) {
                let bits = points.bits_at(i + column - 1, j + row - 1);
                let part = |shift: u32| f64::from((bits >> shift) as u16) / 65_536.0;
                let px = x - (column as f64 - 1.0 + part(0));
                let pz = z - (row as f64 - 1.0 + part(16));
                let near = (1.0 - (px * px + pz * pz) / (1.5 * 1.5)).max(0.0);
                let weight = near * near * near;
                let turns = px * along[0] + pz * along[1] + part(32);
                let [cosine, sine] = math::cos_sin_of_turns(turns);
                weights += weight;
                cosines += weight * cosine;
                sines += weight * sine;
            }
            let scale = 1.0 / weights;
            let turn = -std::f64::consts::TAU * sines * scale;
            sum += amplitude * ((cosines * scale).clamp(-1.0, 1.0) - 1.0);
            for axis in 0..2 {
                gradient[axis] += gullies.branching * amplitude / wavelength * (turn * along[axis]);
            }
            wavelength *= 0.5;
        }
        limited(sum, deepest)
    }

    fn filter(octaves: u32) -> Filter {
        let gullies = Gullies { octaves, gentle: 0.8, ..Gullies::default() };
        let smoothing = gullies.smoothing(&LATTICE);
        Filter { gullies, seed: Seed::new(3), smoothing }
    }

    const LATTICE: Lattice = Lattice { size: [300, 100], spacing: [7.0, 7.0] };

    /// Cuts along a row that begins at column 64·`block`, where samples are 7 m apart.
    fn cuts(level: Level, filter: &Filter, block: usize, row: usize, gradient: [f64; 2]) -> Lanes {
        let extent = LATTICE.whole();
        let octaves = filter.octaves(&extent);
        let mut kept: Vec<_> = octaves.iter().map(|_| [(); 3].map(|()| SquareRow::new())).collect();
        let place = |row| (BLOCK * block, extent.z(row));
        let fall = math::length(gradient[0], gradient[1]) * filter.gullies.downhill();
        let lie = Lie { gradient: gradient.map(|slope| [slope; BLOCK]), fall: [fall; BLOCK] };
        dispatch!(level, _simd => {
            // What is kept from other rows does not matter.
            filter.gullies.cut(&octaves, &mut kept, place(row / 2), &lie);
            filter.gullies.cut(&octaves, &mut kept, place(row), &lie)
        })
    }

    #[test]
    fn gullies_only_lower_the_ground_and_leave_the_level_alone() {
        let filter = filter(4);
        let deepest = DEEPEST * filter.gullies.downhill();
        for row in 0..100 {
            for cut in cuts(Level::new(), &filter, row % 4, row, [0.6, -0.8]) {
                assert!(cut <= 0.0 && cut >= -deepest, "{cut}");
            }
            assert_eq!(cuts(Level::new(), &filter, 0, row, [0.0, 0.0]), [0.0; BLOCK]);
        }
    }

    #[test]
    fn a_row_has_the_cuts_of_its_points_at_every_simd_width() {
        // The finest waves are shorter than the distance of samples.
        let filter = filter(8);
        for (block, row) in (0..4).flat_map(|block| [0, 1, 57, 99].map(|row| (block, row))) {
            for gradient in [[0.5, 0.1], [-0.02, 1.7]] {
                let expected: Lanes = std::array::from_fn(|c| {
                    let place = [(BLOCK * block + c) as f64 * 7.0, row as f64 * 7.0];
                    plain(&filter, place, gradient)
                });
                for level in [Level::new(), Level::baseline()] {
                    assert_eq!(cuts(level, &filter, block, row, gradient), expected);
                }
            }
        }
    }

    /// Cones on a plain, and gullies on them, with so many samples.
    fn cones(size: u32, gullies: &str) -> crate::Terrain {
        let text = format!(
            "version = 1\nseed = 3\nsize = [129, 129]\nspacing = [20, 20]\nresolution = [{size}, {size}]\n[[stage]]\nkind = \"uplift\"\npeaks = 300\ny_min = 200\ny_max = 2000\nruggedness = 1\nruggedness_max = 4\ndivisor = 12\n{gullies}"
        );
        let plan = crate::Recipe::parse(&text).unwrap().resolve(&crate::Inputs::default()).unwrap();
        plan.run(&plan.lattice().whole(), &()).unwrap()
    }

    const ON_CONES: &str = "[[stage]]\nkind = \"gullies\"\nwavelength = 600\ndepth = 0.19\n";

    #[test]
    fn finer_samples_show_the_same_gullies() {
        let [coarse, fine] = [129, 513].map(|size| cones(size, ON_CONES));
        let (low, high) = coarse.height().range();
        let off = (0..129 * 129).map(|k| {
            let (i, j) = (k % 129, k / 129);
            (coarse.height()[(i, j)] - fine.height()[(4 * i, 4 * j)]).abs()
        });
        let off = off.fold(0.0, f32::max);
        assert!(off < 1e-4 * (high - low), "{off} m of {low} to {high}");
    }

    #[test]
    fn samples_between_grid_lines_show_nearly_the_same_gullies() {
        let [coarse, fine] = [129, 193].map(|size| cones(size, ON_CONES));
        let (low, high) = coarse.height().range();
        let off = (0..65 * 65).map(|k| {
            let (i, j) = (k % 65, k / 65);
            (coarse.height()[(2 * i, 2 * j)] - fine.height()[(3 * i, 3 * j)]).abs()
        });
        let off = off.fold(0.0, f32::max);
        assert!(off < 0.005 * (high - low), "{off} m of {low} to {high}");
    }

    fn pits(terrain: &crate::Terrain) -> usize {
        let height = terrain.height();
        let inner =
            (1..height.height() - 1).flat_map(|j| (1..height.width() - 1).map(move |i| (i, j)));
        let is_pit = |&(i, j): &(usize, usize)| {
            let around = (0..9).filter(|k| *k != 4).map(|k| (i + k % 3 - 1, j + k / 3 - 1));
            around.into_iter().all(|place| height[place] > height[(i, j)])
        };
        inner.filter(is_pit).count()
    }

    #[test]
    fn hardly_any_gully_ends_in_a_pit() {
        let [without, with] = ["", ON_CONES].map(|gullies| pits(&cones(257, gullies)));
        assert!(with <= without + 60, "{without} pits without gullies, {with} with them");
    }

    #[test]
    fn a_kink_of_the_ground_is_no_line_in_the_gullies() {
        // A slope that becomes gentler at once. Where it does, gullies may not change from one sample to the next.
        let lattice = Lattice { size: [101, 101], spacing: [10.0, 10.0] };
        let whole = lattice.whole();
        let kinked = crate::Grid::from_fn(101, 101, |_, j| {
            let z = 10.0 * j as f32;
            if z < 500.0 { 1000.0 - 0.5 * z } else { 775.0 - 0.05 * z }
        });
        let terrain = crate::Terrain::new(whole, 0.0, kinked.clone());
        let mut filter = filter(1);
        filter.smoothing = filter.gullies.smoothing(&lattice);
        let mut out = kinked.samples().to_vec();
        let (view, ctx) = (TerrainView::of(&terrain), Ctx::new(&(), ""));
        filter.evaluate(&whole, &view, FieldOutput::of_values(&mut out), &ctx).unwrap();
        let cut = |i: usize, j: usize| kinked[(i, j)] - out[j * 101 + i];
        let most = (0..101).map(|i| (cut(i, 49) - cut(i, 51)).abs()).fold(0.0, f32::max);
        let deepest = (0..101).map(|i| cut(i, 35)).fold(0.0, f32::max);
        assert!(
            deepest > 5.0 && most < 0.4 * deepest,
            "{most} m at the kink, {deepest} m above it"
        );
    }
}
