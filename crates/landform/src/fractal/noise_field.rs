//! The evaluation of [fractal noise](super::noise) over an extent.

use fearless_simd::{Level, Simd, dispatch};

use super::fractal_sum::{Growing, Sum, Terms};
use super::grid_noise::{self, Between, Edges};
use super::octave::{BLOCK, Basis, Columns, Octave, Row};
use crate::noise::lattice::Position;
use crate::stage::{Field, FieldOutput};
use crate::terrain_view::TerrainView;
use crate::varying::ResolvedVarying;
use crate::{Cancelled, Ctx, Extent, math, par};

/// Rows that are worked on together: enough for the edges of wide cells to be worth making.
const ROWS: usize = 128;

/// Fractal noise that is ready to be evaluated.
#[derive(Clone, Debug)]
pub(crate) struct NoiseField {
    pub(crate) terms: Terms,
    pub(crate) basis: Basis,
    pub(crate) octaves: Vec<Octave>,
    pub(crate) log_lacunarity: f64,
    pub(crate) amplitude: ResolvedVarying,
    pub(crate) h: ResolvedVarying,
    pub(crate) offset: ResolvedVarying,
    pub(crate) warp: Option<Warp>,
}

/// Noise that moves the places at which noise is looked up.
#[derive(Clone, Debug)]
pub(crate) struct Warp {
    /// The octaves along x and along z.
    pub(crate) octaves: [Vec<Octave>; 2],
    pub(crate) strength: ResolvedVarying,
}

impl Field for NoiseField {
    fn evaluate(
        &self,
        extent: &Extent,
        view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let Some(out) = out.values else { return Ok(()) };
        self.fill_on(Level::new(), extent, view, out, ctx)
    }
}

impl NoiseField {
    /// Fills with vectors of a certain width; the bits are the same for all.
    fn fill_on(
        &self,
        level: Level,
        extent: &Extent,
        view: &TerrainView<'_>,
        out: &mut [f32],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let layers = self.layers(extent);
        par::try_for_each_part(out, extent.width(), ROWS, |k, part| {
            let rows = Rows { first: k * ROWS, count: part.len() / extent.width() };
            let given = Given::new(self, view, extent, &rows);
            let placed: Vec<_> = layers.iter().map(|layer| layer.place(extent, &rows)).collect();
            let mut edges: Vec<Vec<Edges>> = layers.iter().map(Layered::edges).collect();
            for first in (0..extent.width()).step_by(BLOCK) {
                ctx.check()?;
                edges.iter_mut().flatten().for_each(Edges::clear);
                let block =
                    Block { first, width: extent.width(), layers: &layers, placed: &placed };
                dispatch!(level, simd => self.fill_block(simd, &block, &given, &mut edges, part));
            }
            Ok(())
        })
    }

    /// The sums of octaves that are needed: the height, and the two directions of the warp.
    fn layers(&self, extent: &Extent) -> Vec<Layered> {
        let gain = math::exp(-self.h.even().unwrap_or(0.0) * self.log_lacunarity);
        let mut factor = f64::from(self.terms.scale) * self.amplitude.even().unwrap_or(1.0);
        let mut height = Layered::default();
        for octave in &self.octaves {
            height.push(*octave, extent, (factor * f64::from(octave.share)) as f32);
            factor *= gain;
        }
        let mut layers = vec![height];
        for octaves in self.warp.iter().flat_map(|warp| &warp.octaves) {
            let mut layer = Layered::default();
            let mut factor = 1.0;
            for octave in octaves {
                layer.push(*octave, extent, factor * octave.share);
                factor *= 0.5;
            }
            layers.push(layer);
        }
        layers
    }

    /// Where a sum whose octaves are only added up, each with one factor, begins.
    fn start(&self) -> Option<f32> {
        let is_sum = self.terms.sum == Sum::Fbm && self.basis.is_separable() && self.warp.is_none();
        let (amplitude, offset) = (self.amplitude.even()?, self.offset.even()?);
        let gain = math::exp(-self.h.even()? * self.log_lacunarity);
        let mut power = f64::from(self.terms.shift) * f64::from(self.terms.scale);
        let mut start = offset;
        for _ in &self.octaves {
            start += power;
            power *= gain;
        }
        is_sum.then_some((start * amplitude) as f32)
    }

    /// Fills the columns of a block in all rows of a part.
    #[inline(always)]
    fn fill_block<S: Simd>(
        &self,
        simd: S,
        block: &Block<'_>,
        given: &Given,
        edges: &mut [Vec<Edges>],
        part: &mut [f32],
    ) {
        let count = BLOCK.min(block.width - block.first);
        for (row, samples) in part.chunks_exact_mut(block.width).enumerate() {
            let samples = &mut samples[block.first..block.first + count];
            let mut heights = [0.0; BLOCK];
            if let Some(start) = given.start {
                match samples.as_mut_array() {
                    Some(samples) => block.sum(simd, 0, row, &mut edges[0], start, samples),
                    None => block.sum(simd, 0, row, &mut edges[0], start, &mut heights),
                }
                if count == BLOCK {
                    continue;
                }
            } else {
                let at = row * block.width + block.first;
                let offset = given.offset.row(at, count);
                heights = self.grow(simd, block, given, row, edges, &offset);
                let amplitude = given.amplitude.row(at, count);
                for c in 0..BLOCK {
                    heights[c] *= amplitude[c];
                }
            }
            samples.copy_from_slice(&heights[..count]);
        }
    }

    /// The sums in a row of a block, octave after octave.
    #[inline(always)]
    fn grow<S: Simd>(
        &self,
        simd: S,
        block: &Block<'_>,
        given: &Given,
        row: usize,
        edges: &mut [Vec<Edges>],
        offset: &Row,
    ) -> Row {
        let at = row * block.width + block.first;
        let count = BLOCK.min(block.width - block.first);
        let gain = given.gain.row(at, count);
        let mut moved = [[0.0; BLOCK]; 2];
        if self.warp.is_some() {
            let strength = given.warp.row(at, count);
            for (axis, moved) in moved.iter_mut().enumerate() {
                block.sum(simd, axis + 1, row, &mut edges[axis + 1], 0.0, moved);
                for c in 0..BLOCK {
                    moved[c] *= strength[c];
                }
            }
        }
        let is_on_grid = self.warp.is_none() && self.basis.is_separable();
        let mut growing = Growing::new(offset);
        let mut noise = [0.0; BLOCK];
        let mut shown = 0;
        for (k, octave) in self.octaves.iter().enumerate() {
            if octave.share > 0.0 {
                if is_on_grid {
                    block.octave(simd, shown, row, &mut edges[0][shown], &mut noise);
                } else {
                    let columns = &block.layers[0].columns[shown];
                    let row = block.placed[0].positions[row][shown];
                    octave.fill_moved(columns, block.first, row, &moved, &mut noise);
                }
                shown += 1;
            }
            growing.add(&self.terms, k, octave.share, &noise, &gain);
        }
        growing.height
    }
}

/// Rows of an extent.
struct Rows {
    first: usize,
    count: usize,
}

/// The octaves of one sum that the output can show, and where the columns of the extent lie in each.
#[derive(Default)]
struct Layered {
    octaves: Vec<Octave>,
    columns: Vec<Columns>,
    factors: Vec<f32>,
}

/// Where the rows of a part lie in each octave of a sum.
struct Placed {
    positions: Vec<Vec<[Position; 2]>>,
    /// With the factor of each octave, for sums.
    between: Vec<Vec<Between>>,
    /// Whether a row lies in the same cells of all octaves as the row before.
    is_same: Vec<bool>,
}

impl Layered {
    fn push(&mut self, octave: Octave, extent: &Extent, factor: f32) {
        if octave.share > 0.0 {
            self.columns.push(octave.columns(extent));
            self.octaves.push(octave);
            self.factors.push(factor);
        }
    }

    /// Room for the edges of each octave.
    fn edges(&self) -> Vec<Edges> {
        self.octaves.iter().map(|_| Edges::new()).collect()
    }

    fn place(&self, extent: &Extent, rows: &Rows) -> Placed {
        let each = rows.first..rows.first + rows.count;
        let positions: Vec<Vec<[Position; 2]>> =
            each.map(|row| self.octaves.iter().map(|o| o.row(extent.z(row))).collect()).collect();
        let between = positions
            .iter()
            .map(|row| {
                let pairs = row.iter().zip(&self.factors);
                pairs.map(|(position, &factor)| Between::new(position[0], factor)).collect()
            })
            .collect();
        let cells = |row: usize| positions[row].iter().map(|position| position[0].cell);
        let is_same = (0..rows.count).map(|row| row > 0 && cells(row).eq(cells(row - 1))).collect();
        Placed { positions, between, is_same }
    }
}

/// The columns of an extent that are worked on together.
struct Block<'a> {
    /// The first column.
    first: usize,
    /// Number of columns of the whole extent.
    width: usize,
    layers: &'a [Layered],
    placed: &'a [Placed],
}

impl Block<'_> {
    /// `start` and the octaves of a layer, each times its factor.
    #[inline(always)]
    fn sum<S: Simd>(
        &self,
        simd: S,
        layer: usize,
        row: usize,
        edges: &mut [Edges],
        start: f32,
        out: &mut Row,
    ) {
        let Layered { octaves, columns, .. } = &self.layers[layer];
        let Placed { between, is_same, .. } = &self.placed[layer];
        let between = &between[row];
        if !is_same[row] {
            for (k, edges) in edges.iter_mut().enumerate() {
                edges.enter(&between[k], &octaves[k], &columns[k], self.first);
            }
        }
        grid_noise::sum(simd, edges, between, start, out);
    }

    /// The noise of one octave of the first layer.
    #[inline(always)]
    fn octave<S: Simd>(&self, simd: S, k: usize, row: usize, edges: &mut Edges, out: &mut Row) {
        let Layered { octaves, columns, .. } = &self.layers[0];
        let between = Between::new(self.placed[0].positions[row][k][0], 1.0);
        edges.enter(&between, &octaves[k], &columns[k], self.first);
        grid_noise::sum(simd, std::slice::from_ref(edges), &[between], 0.0, out);
    }
}

/// The parameters over the rows of a part.
struct Given {
    /// See [`NoiseField::start`]: then nothing else is needed.
    start: Option<f32>,
    amplitude: Values,
    offset: Values,
    gain: Values,
    warp: Values,
}

/// One number, or one for each sample of a part.
enum Values {
    Even(f32),
    Each(Vec<f32>),
}

impl Given {
    fn new(field: &NoiseField, view: &TerrainView<'_>, extent: &Extent, rows: &Rows) -> Self {
        let values = |varying: &ResolvedVarying| match varying.even() {
            Some(value) => Values::Even(value as f32),
            None => {
                let mut each = vec![0.0; rows.count * extent.width()];
                for (row, values) in each.chunks_exact_mut(extent.width()).enumerate() {
                    varying.fill_row(view, extent, rows.first + row, values);
                }
                Values::Each(each)
            }
        };
        let gain = |h: f64| math::exp(-h * field.log_lacunarity) as f32;
        Self {
            start: field.start(),
            amplitude: values(&field.amplitude),
            offset: values(&field.offset),
            gain: match field.h.even() {
                Some(h) => Values::Even(gain(h)),
                None => match values(&field.h) {
                    Values::Each(mut each) => {
                        each.iter_mut().for_each(|h| *h = gain(f64::from(*h)));
                        Values::Each(each)
                    }
                    even => even,
                },
            },
            warp: field.warp.as_ref().map_or(Values::Even(0.0), |warp| values(&warp.strength)),
        }
    }
}

impl Values {
    /// The values at `count` samples of a row, from the sample at `first` on.
    #[inline(always)]
    fn row(&self, first: usize, count: usize) -> Row {
        match self {
            Self::Even(value) => [*value; BLOCK],
            Self::Each(each) => {
                let mut row = [0.0; BLOCK];
                row[..count].copy_from_slice(&each[first..first + count]);
                row
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fractal::noise::Noise;
    use crate::mask::Mask;
    use crate::stage::Site;
    use crate::varying::Varying;
    use crate::{Grid, Inputs, Lattice, Layer, Seed, Terrain};

    /// The noise over a lattice, with vectors of a certain width.
    fn run_on(level: Level, noise: &Noise, seed: u64, lattice: Lattice) -> Grid {
        let (inputs, layers) = (Inputs::default(), [Layer::Height]);
        let seed = Seed::new(seed);
        let site = Site {
            seed,
            design: lattice,
            output: lattice,
            inputs: &inputs,
            layers: &layers,
            topology: crate::Topology::Plane,
            sea_level: 0.0,
            demands: &[],
            ocean: None,
        };
        let field = noise.ready(&site).unwrap();
        let extent = lattice.whole();
        let mut grid = Grid::filled(extent.width(), extent.height(), 0.0);
        let terrain = Terrain::new(extent, 0.0, grid.clone());
        let view = TerrainView::of(&terrain);
        let ctx = Ctx::new(&(), "noise");
        field.fill_on(level, &extent, &view, grid.samples_mut(), &ctx).unwrap();
        grid
    }

    fn run(noise: &Noise, seed: u64, lattice: Lattice) -> Grid {
        run_on(Level::new(), noise, seed, lattice)
    }

    fn blended(from: f64, to: f64) -> Varying {
        let by = Mask::Gradient { from: [0.0, 0.0], to: [500.0, 900.0] };
        Varying::Blended { from, to, by: Box::new(by) }
    }

    const SUMS: [Sum; 4] = [Sum::Fbm, Sum::Multiplicative, Sum::Ridged, Sum::Billow];
    const BASES: [Basis; 4] = [Basis::Perlin, Basis::Simplex, Basis::Value, Basis::Cellular];

    #[test]
    fn every_simd_width_gives_the_same_bits() {
        let lattice = Lattice { size: [150, 140], spacing: [8.0, 11.0] };
        let plain = Noise { wavelength: 700.0, octaves: 7, ..Noise::default() };
        for sum in SUMS {
            for basis in BASES {
                let even = Noise { sum, basis, shift: 0.1, scale: 0.9, ..plain.clone() };
                let varied = Noise {
                    amplitude: blended(100.0, 900.0),
                    h: blended(0.3, 1.5),
                    warp: blended(0.0, 200.0),
                    ..even.clone()
                };
                for noise in [even, varied] {
                    let narrow = run_on(Level::baseline(), &noise, 3, lattice);
                    assert!(run(&noise, 3, lattice) == narrow, "{noise:?}");
                    assert!(narrow.samples().iter().all(|sample| sample.is_finite()));
                }
            }
        }
    }

    #[test]
    fn varying_parameters_that_do_not_vary_change_nothing_to_speak_of() {
        let lattice = Lattice { size: [140, 30], spacing: [8.0, 11.0] };
        for (sum, basis) in SUMS.into_iter().zip(BASES) {
            let even = Noise { sum, basis, h: 0.8.into(), wavelength: 500.0, ..Noise::default() };
            let almost = |value: f64| blended(value, value * (1.0 + 1e-9));
            let varied = Noise {
                h: almost(0.8),
                amplitude: almost(600.0),
                warp: almost(1e-9),
                ..even.clone()
            };
            let (a, b) = (run(&even, 1, lattice), run(&varied, 1, lattice));
            for (a, b) in a.samples().iter().zip(b.samples()) {
                assert!((a - b).abs() < 0.02, "{sum:?} {basis:?}: {a} {b}");
            }
        }
    }

    /// Mean square difference of samples `step` columns (and as many rows) apart.
    fn variogram(grid: &Grid, step: usize) -> f64 {
        let (width, height) = (grid.width(), grid.height());
        let mut sum = 0.0;
        for (i, j) in (0..width - step).flat_map(|i| (0..height - step).map(move |j| (i, j))) {
            for other in [grid[(i + step, j)], grid[(i, j + step)]] {
                sum += f64::from(other - grid[(i, j)]) * f64::from(other - grid[(i, j)]);
            }
        }
        sum / (2 * (width - step) * (height - step)) as f64
    }

    #[test]
    fn differences_of_fbm_grow_with_the_power_h_of_the_distance() {
        let lattice = Lattice { size: [512, 512], spacing: [1.0, 1.0] };
        for h in [0.3, 0.5, 0.7] {
            let noise = Noise { wavelength: 256.0, h: h.into(), octaves: 9, ..Noise::default() };
            let mean = |step: usize| {
                (0..4).map(|seed| variogram(&run(&noise, seed, lattice), step)).sum::<f64>()
            };
            // Var(d) ~ d^2H between the finest and the widest octave.
            let slope = math::ln(mean(32) / mean(4)) / math::ln(8.0) / 2.0;
            assert!((slope - h).abs() < 0.1, "H {h}: {slope}");
        }
    }

    fn square(t: f64) -> f64 {
        t * t
    }

    fn faded(t: f64) -> f64 {
        f64::from(crate::noise::lattice::fade(t as f32))
    }

    #[test]
    fn the_variance_of_fbm_is_the_sum_of_those_of_its_octaves() {
        let lattice = Lattice { size: [600, 600], spacing: [1.0, 1.0] };
        let variance = |octaves: u32| {
            let noise =
                Noise { wavelength: 40.0, octaves, amplitude: 1.0.into(), ..Noise::default() };
            let grid = run(&noise, 6, lattice);
            grid.samples().iter().map(|&s| f64::from(s) * f64::from(s)).sum::<f64>() / 360_000.0
        };
        let (one, four) = (variance(1), variance(4));
        // The components of a gradient have variance 1, so it is 8 ∫s² ∫s²t² with s the fade of 1 − t.
        let integral =
            |f: fn(f64) -> f64| (0..1000).map(|k| f((f64::from(k) + 0.5) / 1e3)).sum::<f64>() / 1e3;
        let law =
            8.0 * integral(|t| square(faded(1.0 - t))) * integral(|t| square(faded(1.0 - t) * t));
        assert!((one / law - 1.0).abs() < 0.1, "{one} {law}");
        let expected = one * (1.0 + 0.25 + 0.0625 + 0.015_625);
        assert!((four / expected - 1.0).abs() < 0.06, "{four} {expected}");
    }

    /// A stage of noise in a recipe, and its plan.
    fn plan(stage: &str) -> crate::Plan {
        let text = format!(
            "version = 1\nseed = 3\nsize = [150, 140]\nspacing = [8, 11]\n\
             [[stage]]\nkind = \"noise\"\nwavelength = 700\n{stage}\n"
        );
        crate::Recipe::parse(&text).unwrap().resolve(&Inputs::default()).unwrap()
    }

    #[test]
    fn noise_moved_by_whole_grid_lines_is_the_moved_window_bit_for_bit() {
        let bases = ["perlin", "simplex", "value", "cellular"].map(|b| format!("basis = \"{b}\""));
        let sums = ["fbm", "multiplicative", "ridged", "billow"].map(|s| format!("sum = \"{s}\""));
        let stages = bases.iter().flat_map(|b| sums.iter().map(move |s| format!("{b}\n{s}")));
        for stage in stages.flat_map(|stage| [format!("{stage}\nwarp = 150"), stage]) {
            let still = plan(&stage);
            let still = still.run(&still.lattice().whole(), &()).unwrap();
            for (di, dj) in [(17_u32, 40_u32), (130, 0), (0, 139)] {
                // 8 and 11 m: multiples are exact.
                let by = [di * 8, dj * 11];
                let moved = plan(&format!("{stage}\ntranslate = {by:?}"));
                let (width, height) = (150 - di, 140 - dj);
                let [i, j, w, h] = [di, dj, width, height].map(|n| n as usize);
                let expected = still.height().crop(0, 0, w, h);
                let whole = moved.run(&moved.lattice().whole(), &()).unwrap();
                assert!(whole.height().crop(i, j, w, h) == expected, "{stage} by {by:?}");
                // A tile of its own begins other blocks of columns and rows.
                let window = moved.lattice().window(di, dj, width, height).unwrap();
                let tile = moved.run(&window, &()).unwrap();
                assert!(tile.height() == &expected, "{stage} by {by:?}, as a tile");
            }
        }
    }

    #[test]
    fn noise_moved_by_any_distance_is_the_same_noise_to_rounding() {
        let lattice = Lattice { size: [150, 140], spacing: [8.0, 11.0] };
        for (sum, basis) in SUMS.into_iter().zip(BASES) {
            let still = Noise { sum, basis, warp: 40.0.into(), octaves: 5, ..Noise::default() };
            // Thousandths of a metre off whole grid lines, to both sides, and back.
            let moved = Noise { translate: [-240.001, 330.001], ..still.clone() };
            let (still, moved) = (run(&still, 3, lattice), run(&moved, 3, lattice));
            assert!(still != moved);
            for (i, j) in (0..120).flat_map(|i| (0..110).map(move |j| (i, j))) {
                let difference = moved[(i, j + 30)] - still[(i + 30, j)];
                assert!(difference.abs() < 0.1, "{basis:?} at {i}, {j}: {difference}");
            }
        }
    }

    #[test]
    fn noise_moved_far_away_is_another_region_of_the_same_character() {
        let lattice = Lattice { size: [300, 300], spacing: [10.0, 10.0] };
        let still = Noise { wavelength: 200.0, amplitude: 1.0.into(), ..Noise::default() };
        let moved = Noise { translate: [-1e9, 3e8], ..still.clone() };
        let (still, moved) = (run(&still, 6, lattice), run(&moved, 6, lattice));
        let product = |a: &Grid, b: &Grid| {
            let pairs = a.samples().iter().zip(b.samples());
            pairs.map(|(&a, &b)| f64::from(a) * f64::from(b)).sum::<f64>() / 90_000.0
        };
        let (own, other) = (product(&still, &still), product(&moved, &moved));
        let likeness = product(&still, &moved) / (own * other).sqrt();
        assert!(likeness.abs() < 0.25, "{likeness}");
        assert!((own / other - 1.0).abs() < 0.4, "{own} {other}");
    }

    #[test]
    fn fbm_is_as_rough_along_the_diagonals_as_along_the_axes() {
        let lattice = Lattice { size: [400, 400], spacing: [1.0, 1.0] };
        let noise = Noise { wavelength: 50.0, octaves: 4, ..Noise::default() };
        let (mut along, mut across) = (0.0, 0.0);
        for seed in 0..3 {
            let grid = run(&noise, seed, lattice);
            // (5, 0) and (3, 4) are as long.
            for (i, j) in (0..390).flat_map(|i| (0..390).map(move |j| (i, j))) {
                let square = |a: usize, b: usize| {
                    let step = f64::from(grid[(i + a, j + b)] - grid[(i, j)]);
                    step * step
                };
                along += square(5, 0) + square(0, 5);
                across += square(3, 4) + square(4, 3);
            }
        }
        assert!((along / across - 1.0).abs() < 0.03, "{}", along / across);
    }

    #[test]
    fn a_coarser_output_is_the_same_terrain_with_less_detail() {
        let fine = Lattice { size: [257, 257], spacing: [10.0, 10.0] };
        let coarse = Lattice { size: [65, 65], spacing: [40.0, 40.0] };
        for sum in SUMS {
            let noise =
                Noise { sum, shift: 0.3, octaves: 8, wavelength: 1500.0, ..Noise::default() };
            let (fine, coarse) = (run(&noise, 4, fine), run(&noise, 4, coarse));
            let (mut square, mut difference) = (0.0, 0.0);
            for (i, j) in (0..65).flat_map(|i| (0..65).map(move |j| (i, j))) {
                let error = f64::from(fine[(4 * i, 4 * j)] - coarse[(i, j)]);
                square += error * error;
                difference += error;
            }
            let (rms, mean) = ((square / 4225.0).sqrt(), (difference / 4225.0).abs());
            assert!(rms < 20.0 && mean < 2.5, "{sum:?}: {rms} {mean}");
        }
    }
}
