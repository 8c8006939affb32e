//! Surfaces made by halving a lattice again and again: what the matrix method, midpoint displacement, diamond-square and
//! random additions share.
//!
//! Pass p halves the cells of the lattice of pass p − 1, fills in the new points from the old ones and displaces points at
//! random by at most the amplitude of the pass. The random number of a point is a hash of (pass, row, column), so a
//! tile needs only the ancestors of its own points: a window of each coarser lattice half as wide, plus a border. It
//! is worked on in strips of rows, each from its own ancestors, so memory stays small and strips run in parallel.
//!
//! Sample i of the output lies at i·step cells of the start. There are as many passes as make the lattice as fine as the
//! output, but no more than asked for, nor more than make it eight times as many points as the output has;
//! between lattice points the surface is bilinear. So any rectangle is covered at any resolution.

use std::borrow::Cow;

use fearless_simd::{Level, dispatch};

use super::interpolation::{Displaced, Interpolation, interpolate};
use crate::noise::lattice::{Key, finish, signed};
use crate::{Cancelled, Ctx, Extent, Grid, Lattice, Seed, par};

/// How a pass fills in new points and which ones it displaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// New points are interpolated; every point is displaced.
    Matrix(Interpolation),
    /// New points are interpolated; only they are displaced.
    Midpoint(Interpolation),
    /// Centres of cells are means of the corners; then points on sides are means of the two corners and the two centres
    /// around them. Only new points are displaced.
    DiamondSquare,
    /// As diamond-square, but after each of the two steps all points there are by then are displaced.
    RandomAdditions,
}

/// The heights that the first pass begins with.
#[derive(Clone, Debug)]
pub(crate) enum Start {
    /// A matrix; beyond it, its border.
    Matrix(Grid),
    /// Random heights of at most this much, up or down.
    Random(f32),
}

/// A surface that is ready to be evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Dyadic {
    pub(crate) rule: Rule,
    pub(crate) start: Start,
    /// Cells of the start between samples of the output, along x and z.
    pub(crate) step: [f64; 2],
    /// How much each pass displaces points, and its keys.
    passes: Vec<Pass>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass {
    pub(crate) amplitude: f32,
    pub(crate) keys: [Key; 2],
}

/// A window of the lattice of one pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) i: i32,
    pub(crate) j: i32,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// What is done with each row that is ready.
pub(crate) type EachRow<'a> = &'a (dyn Fn(&mut [f32]) + Sync);

/// Rows are left as they are.
pub(crate) const KEEP: EachRow<'_> = &|_| ();

/// Where samples lie along one axis of the lattice of the last pass.
struct Places {
    /// The first of the lattice points that are needed, and their number.
    first: i32,
    count: usize,
    /// The lattice point below each sample and how far it is beyond, unless the samples are the points.
    between: Option<Vec<(i32, f32)>>,
}

impl Places {
    fn all(&self) -> Cow<'_, [(i32, f32)]> {
        match &self.between {
            Some(places) => Cow::Borrowed(places),
            None => (0..self.count).map(|k| (self.first + k as i32, 0.0)).collect(),
        }
    }
}

/// The farthest lattice point that is told from the next one. Beyond it, the surface is flat.
const FARTHEST: f64 = (1 << 30) as f64;

/// Rows that are worked on together.
const STRIP: usize = 64;

/// Points for a sample from which on only those around the samples are made.
const SPARSE: usize = 8;

/// The number of passes by which a lattice with these steps is as fine as the output.
pub(crate) fn passes_for(step: [f64; 2], output: &Lattice) -> u32 {
    let samples = output.size.map(f64::from);
    let limit = 8.0 * samples[0] * samples[1] + 1e6;
    let (mut passes, mut step) = (0, step);
    let is_fine = |step: [f64; 2]| (0..2).all(|axis| step[axis] >= 1.0 || samples[axis] < 2.0);
    let points = |step: [f64; 2]| (samples[0] * step[0] + 1.0) * (samples[1] * step[1] + 1.0);
    while !is_fine(step) && points(step.map(|s| 2.0 * s)) <= limit && passes < 30 {
        step = step.map(|s| 2.0 * s);
        passes += 1;
    }
    passes
}

impl Dyadic {
    /// `amplitude` is that of the first pass; each further one has `falloff` times the one before.
    pub(crate) fn new(
        (rule, start): (Rule, Start),
        (amplitude, falloff): (f64, f64),
        seed: Seed,
        passes: u32,
        step: [f64; 2],
    ) -> Self {
        let mut amplitude = amplitude;
        let mut made = Vec::new();
        // The first keys are for a random start.
        for pass in 0..=passes {
            let seed = seed.child(&format!("pass {pass}"));
            let keys = [Key::new(seed.child("corners")), Key::new(seed.child("sides"))];
            made.push(Pass { amplitude: amplitude as f32, keys });
            if pass > 0 {
                amplitude *= falloff;
            }
        }
        Self { rule, start, step, passes: made }
    }

    /// Writes the heights at the samples of `extent`. `each_row` is called with each row of them as soon as it is there, while
    /// it is in the nearest cache.
    pub(crate) fn fill(
        &self,
        extent: &Extent,
        out: &mut [f32],
        each_row: EachRow<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let level = Level::new();
        let [i, j] = extent.origin();
        let columns = self.places(0, i, extent.width());
        par::try_for_each_part(out, extent.width(), STRIP, |k, part| {
            ctx.check()?;
            let first = j + (k * STRIP) as u32;
            let rows = self.places(1, first, part.len() / extent.width());
            self.fill_strip(level, &columns, &rows, part, each_row);
            Ok(())
        })
    }

    /// Where samples lie on the lattice of the last pass.
    fn places(&self, axis: usize, first: u32, count: usize) -> Places {
        let fineness = f64::from(1_u32 << (self.passes.len() - 1));
        let step = self.step[axis] * fineness;
        if step == 1.0 {
            return Places { first: first as i32, count, between: None };
        }
        let place = |k: usize| {
            let at = ((f64::from(first) + k as f64) * step).min(FARTHEST);
            // Never negative, so this is the whole number below.
            let whole = at as i32;
            (whole, (at - f64::from(whole)) as f32)
        };
        let places: Vec<_> = (0..count).map(place).collect();
        let first = places.first().map_or(0, |place| place.0);
        // The next point is needed only if some sample lies between points.
        let between = i32::from(places.iter().any(|place| place.1 > 0.0));
        let last = places.last().map_or(0, |place| place.0) + between;
        Places { first, count: (last - first + 1) as usize, between: Some(places) }
    }

    fn fill_strip(
        &self,
        level: Level,
        columns: &Places,
        rows: &Places,
        part: &mut [f32],
        each_row: EachRow<'_>,
    ) {
        let (i, width) = (columns.first, columns.count);
        let (j, height) = (rows.first, rows.count);
        let window = Window { i, j, width, height };
        if columns.between.is_none() && rows.between.is_none() {
            self.make(level, self.passes.len() - 1, window, part, each_row);
            return;
        }
        // With samples far apart, few of the points between them are needed, and there may be more than memory holds.
        if self.passes.len() == 1 && width * height > SPARSE * part.len() {
            return self.fill_sparsely(&columns.all(), &rows.all(), part, each_row);
        }
        let mut points = vec![0.0; width * height];
        self.make(level, self.passes.len() - 1, window, &mut points, KEEP);
        let point =
            |row: usize, column: usize| points[row.min(height - 1) * width + column.min(width - 1)];
        let (columns, rows) = (columns.all(), rows.all());
        for (samples, &(row, v)) in part.chunks_exact_mut(columns.len()).zip(&*rows) {
            let row = (row - j) as usize;
            for (sample, &(column, u)) in samples.iter_mut().zip(&*columns) {
                let column = (column - i) as usize;
                let across = |row: usize| {
                    let left = point(row, column);
                    left + u * (point(row, column + 1) - left)
                };
                let (above, below) = (across(row), across(row + 1));
                *sample = above + v * (below - above);
            }
            each_row(samples);
        }
    }

    /// Writes samples between points of the start, each from the four around it.
    fn fill_sparsely(
        &self,
        columns: &[(i32, f32)],
        rows: &[(i32, f32)],
        part: &mut [f32],
        each_row: EachRow<'_>,
    ) {
        for (samples, &(j, v)) in part.chunks_exact_mut(columns.len()).zip(rows) {
            for (sample, &(i, u)) in samples.iter_mut().zip(columns) {
                let across = |j: i32| {
                    let left = self.first_height(i, j);
                    left + u * (self.first_height(i + 1, j) - left)
                };
                let (above, below) = (across(j), across(j + 1));
                *sample = above + v * (below - above);
            }
            each_row(samples);
        }
    }

    /// The height of a point of the start.
    fn first_height(&self, i: i32, j: i32) -> f32 {
        match &self.start {
            Start::Matrix(matrix) => {
                let inside = |at: i32, count: usize| at.clamp(0, count as i32 - 1) as usize;
                matrix[(inside(i, matrix.width()), inside(j, matrix.height()))]
            }
            Start::Random(height) => {
                let key = self.passes[0].keys[0];
                height * signed(finish(key.column(i), key.row(j)))
            }
        }
    }

    /// Writes the points of a window after `pass` passes, and calls `each_row` with each row.
    fn make(
        &self,
        level: Level,
        pass: usize,
        window: Window,
        out: &mut [f32],
        each_row: EachRow<'_>,
    ) {
        if pass == 0 {
            self.begin(window, out);
            return out.chunks_exact_mut(window.width).for_each(each_row);
        }
        // Points on the last odd row or column lie between two old ones; all but the bilinear rules look one point
        // farther.
        let is_bilinear = matches!(
            self.rule,
            Rule::Matrix(Interpolation::Bilinear) | Rule::Midpoint(Interpolation::Bilinear)
        );
        let border = i32::from(!is_bilinear);
        let span = |first: i32, count: usize| {
            let from = (first >> 1) - border;
            let to = ((first + count as i32) >> 1) + border;
            (from, (to - from + 1) as usize)
        };
        let ((i, width), (j, height)) =
            (span(window.i, window.width), span(window.j, window.height));
        let old = Window { i, j, width, height };
        let mut points = vec![0.0; width * height];
        self.make(level, pass - 1, old, &mut points, KEEP);
        let pass = &self.passes[pass];
        let (by, displaced) = match self.rule {
            Rule::Matrix(by) => (by, Displaced::All),
            Rule::Midpoint(by) => (by, Displaced::New),
            Rule::DiamondSquare => {
                super::diamond_square::refine(pass, &points, old, window, out);
                return out.chunks_exact_mut(window.width).for_each(each_row);
            }
            Rule::RandomAdditions => {
                super::brownian_surface::refine(pass, &points, old, window, out);
                return out.chunks_exact_mut(window.width).for_each(each_row);
            }
        };
        dispatch!(level, simd => {
            interpolate(simd, pass, (by, displaced), (&points, old), window, (out, each_row));
        });
    }

    fn begin(&self, window: Window, out: &mut [f32]) {
        for (row, points) in out.chunks_exact_mut(window.width).enumerate() {
            let j = window.j + row as i32;
            for (column, point) in points.iter_mut().enumerate() {
                *point = self.first_height(window.i + column as i32, j);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATRIX: Rule = Rule::Matrix(Interpolation::Bilinear);

    fn start() -> Grid {
        Grid::from_fn(3, 2, |i, j| [100.0, 40.0, 70.0, 10.0, 90.0, 0.0][j * 3 + i])
    }

    /// A surface on a lattice of `size` samples, over a start of 3 × 2 heights.
    fn surface(rule: Rule, size: [u32; 2], passes: u32) -> (Dyadic, Lattice) {
        let lattice = Lattice { size, spacing: [1.0, 1.0] };
        let step = [2.0 / f64::from(size[0] - 1), 1.0 / f64::from(size[1] - 1)];
        let kind = (rule, Start::Matrix(start()));
        (Dyadic::new(kind, (50.0, 0.5), Seed::new(3), passes, step), lattice)
    }

    fn run(surface: &Dyadic, extent: &Extent) -> Grid {
        let mut grid = Grid::filled(extent.width(), extent.height(), 0.0);
        surface.fill(extent, grid.samples_mut(), KEEP, &Ctx::new(&(), "")).unwrap();
        grid
    }

    /// The listing of the paper, with matrices in double precision.
    fn listing(surface: &Dyadic) -> Vec<Vec<f64>> {
        let start = start();
        let mut terr: Vec<Vec<f64>> = (0..start.height())
            .map(|j| start.row(j).iter().map(|&height| f64::from(height)).collect())
            .collect();
        let mut height = 50.0;
        for pass in &surface.passes[1..] {
            let (rows, columns) = (2 * terr.len() - 1, 2 * terr[0].len() - 1);
            let mut fine = vec![vec![0.0; columns]; rows];
            for (j, row) in fine.iter_mut().enumerate() {
                for (i, point) in row.iter_mut().enumerate() {
                    let old = |i: usize, j: usize| terr[j][i];
                    let (i0, j0, i1, j1) = (i / 2, j / 2, i.div_ceil(2), j.div_ceil(2));
                    let mean = (old(i0, j0) + old(i1, j0) + old(i0, j1) + old(i1, j1)) / 4.0;
                    let random = signed(pass.keys[0].bits(i as i32, j as i32));
                    *point = mean + height * f64::from(random);
                }
            }
            (terr, height) = (fine, height / 2.0);
        }
        terr
    }

    #[test]
    fn the_matrix_method_is_the_listing_of_the_paper() {
        let (surface, lattice) = surface(MATRIX, [65, 33], 5);
        let grid = run(&surface, &lattice.whole());
        for (j, row) in listing(&surface).iter().enumerate() {
            for (i, height) in row.iter().enumerate() {
                assert!((f64::from(grid[(i, j)]) - height).abs() < 1e-4, "at {i}, {j}");
            }
        }
    }

    #[test]
    fn every_rule_gives_tiles_that_are_windows_of_the_whole() {
        let rules = [
            MATRIX,
            Rule::Matrix(Interpolation::Cubic),
            Rule::Midpoint(Interpolation::Bilinear),
            Rule::Midpoint(Interpolation::Cubic),
            Rule::DiamondSquare,
            Rule::RandomAdditions,
        ];
        for rule in rules {
            for size in [[129, 65], [150, 77]] {
                let (surface, lattice) = surface(rule, size, 6);
                let whole = run(&surface, &lattice.whole());
                for (i, j, width, height) in [(0, 0, 1, 1), (31, 3, 40, 62), (90, 64, 39, 1)] {
                    let tile = run(&surface, &lattice.window(i, j, width, height).unwrap());
                    let [i, j, width, height] = [i, j, width, height].map(|n| n as usize);
                    assert!(tile == whole.crop(i, j, width, height), "{rule:?} {size:?}");
                }
            }
        }
    }

    #[test]
    fn samples_far_apart_are_the_points_around_them_read_alone() {
        let lattice = Lattice { size: [25, 13], spacing: [1.0, 1.0] };
        let heights = (Rule::DiamondSquare, Start::Random(90.0));
        let surface = Dyadic::new(heights, (50.0, 0.5), Seed::new(3), 0, [20_000.3, 30_000.7]);
        let sparse = run(&surface, &lattice.whole());
        let point = |i: i32, j: i32| surface.first_height(i, j);
        let (u, v) = ((20_000.3_f64 * 7.0).fract() as f32, (30_000.7_f64 * 5.0).fract() as f32);
        let (i, j) = (140_002, 150_003);
        let across = |j| point(i, j) + u * (point(i + 1, j) - point(i, j));
        assert_eq!(sparse[(7, 5)], across(j) + v * (across(j + 1) - across(j)));
        // Both ways give the same bits.
        let near = Dyadic { step: [2.9, 2.9], ..surface.clone() };
        let dense = run(&near, &lattice.whole());
        let places = [0, 1].map(|axis| near.places(axis, 0, lattice.size[axis] as usize));
        let mut again = Grid::filled(25, 13, 0.0);
        near.fill_sparsely(&places[0].all(), &places[1].all(), again.samples_mut(), KEEP);
        assert!(dense == again);
    }

    #[test]
    fn midpoint_displacement_leaves_old_points_where_they_are() {
        for rule in [Rule::Midpoint(Interpolation::Bilinear), Rule::DiamondSquare] {
            let (fine, coarse) = (surface(rule, [65, 33], 5), surface(rule, [17, 9], 3));
            let fine = run(&fine.0, &fine.1.whole());
            let coarse = run(&coarse.0, &coarse.1.whole());
            for (i, j) in (0..17).flat_map(|i| (0..9).map(move |j| (i, j))) {
                assert_eq!(fine[(4 * i, 4 * j)], coarse[(i, j)], "{rule:?} at {i}, {j}");
            }
            assert_eq!(fine[(32, 0)], 40.0);
        }
    }

    #[test]
    fn passes_end_where_the_lattice_is_as_fine_as_the_output() {
        let lattice = |width, height| Lattice { size: [width, height], spacing: [1.0, 1.0] };
        assert_eq!(passes_for([1.0 / 512.0, 1.0 / 512.0], &lattice(513, 513)), 9);
        assert_eq!(passes_for([1.0 / 512.0, 1.0 / 513.0], &lattice(513, 514)), 10);
        assert_eq!(passes_for([3.0, 3.0], &lattice(9, 9)), 0);
        // A start that is stretched out of shape does not ask for a lattice without bounds.
        assert!(passes_for([1.0, 1e-6], &lattice(10, 1_000_000)) <= 12);
        assert_eq!(passes_for([0.0, 0.25], &lattice(1, 9)), 2);
    }

    /// Mean square of height differences along a step.
    fn variogram(grid: &Grid, (di, dj): (usize, usize)) -> f64 {
        let (width, height) = (grid.width() - di, grid.height() - dj);
        let mut sum = 0.0;
        for (i, j) in (0..width).flat_map(|i| (0..height).map(move |j| (i, j))) {
            let step = f64::from(grid[(i + di, j + dj)] - grid[(i, j)]);
            sum += step * step;
        }
        sum / (width * height) as f64
    }

    #[test]
    fn a_brownian_surface_has_h_one_half_in_every_direction() {
        let lattice = Lattice { size: [513, 513], spacing: [1.0, 1.0] };
        let mut sums = [0.0; 4];
        for seed in 0..6 {
            let kind = (Rule::RandomAdditions, Start::Random(100.0));
            let heights = (100.0 / 2.0_f64.sqrt(), 1.0 / 2.0_f64.sqrt());
            let step = [1.0 / 256.0; 2];
            let grid = run(&Dyadic::new(kind, heights, Seed::new(seed), 8, step), &lattice.whole());
            for (sum, step) in sums.iter_mut().zip([(4, 0), (32, 0), (0, 32), (23, 23)]) {
                *sum += variogram(&grid, step);
            }
        }
        let h = crate::math::ln(sums[1] / sums[0]) / crate::math::ln(8.0) / 2.0;
        assert!((h - 0.5).abs() < 0.07, "{h}");
        for other in [sums[2], sums[3]] {
            assert!((other / sums[1] - 1.0).abs() < 0.15, "{sums:?}");
        }
    }
}
