//! Carries a grid from one lattice to another over the same ground, finer or coarser.
//!
//! Enlarged it is interpolated by the cubic of Catmull & Rom (1974), which goes through every sample; reduced it
//! is averaged by the same kernel, widened to the new spacing. So far it is what a heightmap gets, but a rotated
//! or mirrored grid is carried to the rotated or mirrored result *bit for bit*: the weights are whole numbers and
//! so are the samples, in units of a small power of two, and sums of whole numbers below 2⁵³ have no rounding and
//! hence no order.

use super::catmull_rom::catmull_rom;
use crate::keep::Keep;
use crate::math::rounding::nearest;
use crate::{Cancelled, Ctx, Extent, Grid, Lattice, par};

/// Weights are multiples of 1/2048.
const WEIGHT: f64 = 2048.0;

/// The largest sample is this many units: with the weights along x and z, 2²⁸·2¹¹·2¹¹ and a little more for the
/// negative lobes of the kernel, below 2⁵³.
const LARGEST: f64 = (1_u32 << 28) as f64;

/// The weight of a sample by its distance, in samples.
#[derive(Clone, Copy, Debug)]
struct Kernel {
    weight: fn(f64) -> f64,
    /// Beyond this distance the weight is 0.
    reach: f64,
}

/// Goes through every sample, and may leave their range.
const CUBIC: Kernel = Kernel { weight: catmull_rom, reach: 2.0 };

/// Stays within the range of the samples.
const TENT: Kernel = Kernel { weight: |t| (1.0 - t.abs()).max(0.0), reach: 1.0 };

/// Samples that can be had on any lattice over the same ground.
#[derive(Clone, Debug)]
pub(crate) struct Carried {
    samples: Grid,
    /// The unit, a power of two.
    unit: f64,
    kernel: Kernel,
}

impl Keep for Carried {
    fn write(&self, out: &mut Vec<u8>) {
        self.samples.write(out);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        Grid::read(from).map(Self::new)
    }
}

/// The source samples that make one sample, and their weights.
#[derive(Clone, Debug)]
struct Taps {
    first: usize,
    /// Whole numbers.
    weights: Vec<f64>,
    sum: f64,
}

/// The part of a lattice that an extent of another one over the same ground is made from.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    /// Column and row of its first sample.
    pub(crate) origin: [usize; 2],
    /// Number of columns and rows.
    pub(crate) size: [usize; 2],
    columns: Vec<Taps>,
    rows: Vec<Taps>,
}

impl Window {
    /// The part of a lattice of `source` samples.
    pub(crate) fn around(source: [u32; 2], extent: &Extent) -> Self {
        let axis = |axis: usize, count: usize| {
            let all = taps(source[axis] as usize, extent.lattice().size[axis] as usize, CUBIC);
            all[extent.origin()[axis] as usize..][..count].to_vec()
        };
        let (columns, rows) = (axis(0, extent.width()), axis(1, extent.height()));
        let ends = [&columns, &rows].map(|taps: &Vec<Taps>| {
            let first = taps.iter().map(|taps| taps.first).min().unwrap_or(0);
            let end = taps.iter().map(|taps| taps.first + taps.weights.len()).max().unwrap_or(1);
            (first, end - first)
        });
        Self { origin: ends.map(|end| end.0), size: ends.map(|end| end.1), columns, rows }
    }
}

impl Carried {
    pub(crate) fn new(samples: Grid) -> Self {
        let (low, high) = samples.range();
        let largest = f64::from(low.abs().max(high.abs()));
        let mut unit = 1.0;
        while largest > unit * LARGEST {
            unit *= 2.0;
        }
        while largest > 0.0 && largest * 2.0 <= unit * LARGEST && unit > f64::MIN_POSITIVE {
            unit *= 0.5;
        }
        Self { samples, unit, kernel: CUBIC }
    }

    /// Samples that are averaged by a tent instead, so that nothing leaves their range: a steep coast on a coarser lattice is not
    /// below the sea.
    pub(crate) fn averaged(samples: Grid) -> Self {
        Self { kernel: TENT, ..Self::new(samples) }
    }

    /// Whether a lattice has as many samples.
    pub(crate) fn is_on(&self, lattice: &Lattice) -> bool {
        lattice.size.map(|count| count as usize) == [self.samples.width(), self.samples.height()]
    }

    /// Whether a lattice has places between the samples.
    pub(crate) fn is_coarser_than(&self, lattice: &Lattice) -> bool {
        let [width, height] = lattice.size.map(|count| count as usize);
        width > self.samples.width() || height > self.samples.height()
    }

    /// The samples as they were given.
    pub(crate) fn into_samples(self) -> Grid {
        self.samples
    }

    /// The samples as they were given.
    pub(crate) fn samples(&self) -> &Grid {
        &self.samples
    }

    /// The samples on the lattice of `extent`, handed to `join` row by row: (row, old samples of `out`, carried).
    pub(crate) fn fill(
        &self,
        extent: &Extent,
        out: &mut [f32],
        ctx: &Ctx<'_>,
        join: impl Fn(&mut f32, f32) + Sync,
    ) -> Result<(), Cancelled> {
        let Lattice { size, .. } = extent.lattice();
        let source = [self.samples.width(), self.samples.height()];
        let is_same = source == size.map(|count| count as usize);
        let [i, j] = extent.origin().map(|first| first as usize);
        // A tile needs only its own taps, but there are as many columns as samples in a row: all are cheap.
        let columns =
            if is_same { Vec::new() } else { taps(source[0], size[0] as usize, self.kernel) };
        let rows =
            if is_same { Vec::new() } else { taps(source[1], size[1] as usize, self.kernel) };
        let source = |row: usize, from: usize, to: usize| &self.samples.row(row)[from..to];
        par::try_for_each_part(out, extent.width(), 8, |part, samples| {
            let mut carried = vec![0.0; extent.width()];
            for (k, old) in samples.chunks_mut(extent.width()).enumerate() {
                let row = j + part * 8 + k;
                if is_same {
                    carried.copy_from_slice(&self.samples.row(row)[i..i + old.len()]);
                } else {
                    self.row(source, (&columns[i..i + old.len()], &rows[row]), &mut carried);
                }
                old.iter_mut().zip(&carried).for_each(|(old, &new)| join(old, new));
            }
            ctx.check()
        })
    }

    /// Samples of another lattice over the same ground, of which `window` are given, on the lattice of `extent`. They are in the units
    /// of these, so every window gives the same.
    pub(crate) fn fill_from(
        &self,
        (window, samples): (&Window, &[f32]),
        extent: &Extent,
        out: &mut [f32],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let [width, _] = window.size;
        let source = |row: usize, from: usize, to: usize| {
            let row = &samples[(row - window.origin[1]) * width..][..width];
            &row[from - window.origin[0]..to - window.origin[0]]
        };
        par::try_for_each_part(out, extent.width(), 8, |part, rows| {
            for (k, row) in rows.chunks_mut(extent.width()).enumerate() {
                self.row(source, (&window.columns, &window.rows[part * 8 + k]), row);
            }
            ctx.check()
        })
    }

    /// The samples on a whole lattice of this size.
    pub(crate) fn to(&self, [width, height]: [u32; 2], ctx: &Ctx<'_>) -> Result<Grid, Cancelled> {
        let lattice = Lattice { size: [width, height], spacing: [1.0, 1.0] };
        let mut out = Grid::filled(width as usize, height as usize, 0.0);
        self.fill(&lattice.whole(), out.samples_mut(), ctx, |sample, new| *sample = new)?;
        Ok(out)
    }

    /// `source` gives the samples from one column to another of a row.
    fn row<'a>(
        &self,
        source: impl Fn(usize, usize, usize) -> &'a [f32],
        (across, down): (&[Taps], &Taps),
        out: &mut [f32],
    ) {
        let (from, to) = match (across.first(), across.last()) {
            (Some(first), Some(last)) => (first.first, last.first + last.weights.len()),
            _ => return,
        };
        let in_units = 1.0 / self.unit;
        let mut columns = vec![0.0; to - from];
        for (k, weight) in down.weights.iter().enumerate() {
            for (sum, &sample) in columns.iter_mut().zip(source(down.first + k, from, to)) {
                *sum += weight * rounded(f64::from(sample) * in_units);
            }
        }
        for (taps, sample) in across.iter().zip(out) {
            let source = &columns[taps.first - from..];
            let sum: f64 = taps.weights.iter().zip(source).map(|(weight, s)| weight * s).sum();
            *sample = (sum / (taps.sum * down.sum) * self.unit) as f32;
        }
    }
}

/// [`f64::round`] for numbers below 2⁵¹, which the compiler can apply to several of them at once.
#[inline]
fn rounded(x: f64) -> f64 {
    let even = nearest(x);
    let is_half = (x - even).abs() == 0.5;
    if is_half { x + 0.5_f64.copysign(x) } else { even }
}

/// How each of `count` samples is made from `source` ones over the same length: the second half is the mirrored
/// first.
fn taps(source: usize, count: usize, kernel: Kernel) -> Vec<Taps> {
    let last = source as f64 - 1.0;
    let step = if count > 1 { last / (count - 1) as f64 } else { 0.0 };
    let widen = step.max(1.0);
    let half = count.div_ceil(2);
    let mut all: Vec<Taps> = (0..half)
        .map(|k| {
            let is_middle = 2 * k + 1 == count;
            let at = if is_middle { last / 2.0 } else { k as f64 * step };
            let first = (at - kernel.reach * widen).ceil().max(0.0);
            let end = (at + kernel.reach * widen).floor().min(last);
            let weights: Vec<f64> = (first as usize..=end as usize)
                .map(|s| (WEIGHT / widen * (kernel.weight)((s as f64 - at) / widen)).round())
                .collect();
            Taps { first: first as usize, sum: weights.iter().sum(), weights }
        })
        .collect();
    for k in half..count {
        let twin = &all[count - 1 - k];
        all.push(Taps {
            first: source - twin.first - twin.weights.len(),
            weights: twin.weights.iter().rev().copied().collect(),
            sum: twin.sum,
        });
    }
    all
}

/// How much each of `source` samples counts for the sum of the finer ones that are carried from them, when those
/// count `fine`: relative to one in the middle of a large ground. With these as the areas of the coarse
/// samples a volume that is kept on the coarse lattice is kept on the fine one.
pub(crate) fn areas(source: usize, fine: &[f32]) -> Vec<f32> {
    let mut areas = vec![0.0; source];
    for (taps, &area) in taps(source, fine.len(), CUBIC).iter().zip(fine) {
        for (k, weight) in taps.weights.iter().enumerate() {
            areas[taps.first + k] += f64::from(area) * weight / taps.sum;
        }
    }
    let share = if source > 1 && fine.len() > 1 {
        (source - 1) as f64 / (fine.len() - 1) as f64
    } else {
        source as f64 / fine.len() as f64
    };
    let mut areas: Vec<f32> = areas.iter().map(|area| (area * share) as f32).collect();
    // The sums above are in one order: the second half is the mirrored first here too.
    for k in 0..source / 2 {
        areas[source - 1 - k] = areas[k];
    }
    areas
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resample::symmetry::{SYMMETRIES, turned};

    fn rough(width: usize, height: usize) -> Grid {
        let seed = crate::Seed::new(4);
        Grid::from_fn(width, height, |i, j| {
            (1000.0 * seed.uniform_at(i as i64, j as i64) - 300.0) as f32
        })
    }

    #[test]
    fn halves_are_rounded_away_from_zero() {
        for k in -40..=40 {
            for off in [0.0, 1e-9, -1e-9, 0.1] {
                let x = f64::from(k) * 0.25 + off;
                assert_eq!(rounded(x), x.round(), "{x}");
            }
        }
        assert_eq!(rounded(LARGEST - 0.5), (LARGEST - 0.5).round());
        assert_eq!(rounded(-0.499_999_999_999_999_94), 0.0);
    }

    #[test]
    fn the_same_size_gives_the_same_samples_and_a_plane_stays_a_plane() {
        let ctx = Ctx::new(&(), "");
        let source = rough(7, 5);
        assert_eq!(Carried::new(source.clone()).to([7, 5], &ctx).unwrap(), source);
        let plane = Grid::from_fn(9, 9, |i, j| 2.0 * i as f32 - j as f32);
        let fine = Carried::new(plane.clone()).to([33, 33], &ctx).unwrap();
        assert!((fine[(14, 18)] - (2.0 * 3.5 - 4.5)).abs() < 1e-2);
        let back = Carried::new(fine).to([9, 9], &ctx).unwrap();
        assert!((back[(4, 4)] - plane[(4, 4)]).abs() < 1e-2);
    }

    #[test]
    fn what_is_averaged_stays_within_the_range_of_its_samples() {
        let ctx = Ctx::new(&(), "");
        let step = Grid::from_fn(65, 65, |i, _| if i < 30 { 0.0 } else { 1000.0 });
        for size in [[33, 33], [17, 9], [9, 40]] {
            let (low, high) = Carried::averaged(step.clone()).to(size, &ctx).unwrap().range();
            assert!(low >= 0.0 && high <= 1000.0, "{size:?}: {low} {high}");
            let (low, _) = Carried::new(step.clone()).to(size, &ctx).unwrap().range();
            assert!(low < -1.0, "the cubic undershoots: {low}");
        }
    }

    #[test]
    fn a_turned_grid_is_carried_to_the_turned_result_bit_for_bit() {
        let ctx = Ctx::new(&(), "");
        for (from, to) in [([41, 30], [83, 77]), ([41, 30], [12, 15]), ([8, 9], [8, 30])] {
            let source = rough(from[0], from[1]);
            let result = Carried::new(source.clone()).to(to.map(|n| n as u32), &ctx).unwrap();
            for symmetry in SYMMETRIES {
                let expected = turned(&result, symmetry);
                let size = [expected.width() as u32, expected.height() as u32];
                let found = Carried::new(turned(&source, symmetry)).to(size, &ctx).unwrap();
                assert!(found == expected, "{symmetry:?} {from:?} {to:?}");
            }
        }
    }

    #[test]
    fn the_areas_of_coarse_samples_keep_the_volume() {
        let ctx = Ctx::new(&(), "");
        for fine in [41_usize, 40, 21, 22] {
            let coarse = rough(21, 1);
            let areas = areas(21, &vec![1.0; fine]);
            let carried = Carried::new(coarse.clone()).to([fine as u32, 1], &ctx).unwrap();
            let sum: f64 = carried.samples().iter().map(|&s| f64::from(s)).sum();
            let ratio = (fine - 1) as f64 / 20.0;
            let product = coarse.samples().iter().zip(&areas).map(|(&s, &a)| f64::from(s * a));
            let expected: f64 = product.sum::<f64>() * ratio;
            assert!((sum - expected).abs() < 1e-6 * expected.abs(), "{fine}: {sum} {expected}");
        }
    }
}
