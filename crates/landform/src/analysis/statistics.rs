//! The numbers by which terrains are compared: heights, slopes, land.
//!
//! ```text
//! hypsometric integral = (mean − min) / (max − min)      Strahler 1952
//! slope = arctan |∇h|, by central differences
//! ```

use std::ops::Range;

use serde::Serialize;

use super::derived;
use crate::{Grid, Terrain, par};

/// Numbers about the height of a terrain. Samples that are not numbers do not count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Statistics {
    /// Lowest height in metres.
    pub min: f64,
    /// Highest height in metres.
    pub max: f64,
    /// Mean height in metres.
    pub mean: f64,
    /// Standard deviation of the height in metres.
    pub deviation: f64,
    /// Share of the samples that lie above the water table.
    pub land: f64,
    /// How much of the box around the terrain is filled, 0 to 1.
    pub hypsometric_integral: f64,
    /// Mean slope in degrees.
    pub slope_mean: f64,
    /// Slope in degrees that 95 of 100 samples do not exceed, to a tenth of a degree.
    pub slope_95: f64,
}

/// Slopes are counted in tenths of a degree.
const BINS: usize = 900;

/// Rows that are measured together.
const ROWS: usize = 64;

impl Statistics {
    /// Measures the height of `terrain`.
    pub fn of(terrain: &Terrain) -> Self {
        let height = terrain.height();
        let mut gauge = Gauge::new(terrain.extent().lattice().spacing, terrain.sea_level());
        gauge.measure(height, 0..height.height());
        gauge.statistics()
    }
}

/// Measures a terrain strip by strip, so that it need not be at hand as a whole.
#[derive(Clone, Debug)]
pub struct Gauge {
    spacing: [f64; 2],
    sea_level: f64,
    /// Squares are summed around the first height, which is nearer to the mean than 0 may be.
    pivot: Option<f64>,
    sums: Sums,
}

#[derive(Clone, Debug)]
struct Sums {
    low: f32,
    high: f32,
    count: u64,
    /// Of the heights above the pivot, and of their squares.
    heights: f64,
    squares: f64,
    land: u64,
    slopes: f64,
    slope_count: u64,
    bins: Vec<u64>,
}

impl Sums {
    fn none() -> Self {
        Self {
            low: f32::INFINITY,
            high: f32::NEG_INFINITY,
            count: 0,
            heights: 0.0,
            squares: 0.0,
            land: 0,
            slopes: 0.0,
            slope_count: 0,
            bins: vec![0; BINS + 1],
        }
    }

    fn add(&mut self, other: &Self) {
        (self.low, self.high) = (self.low.min(other.low), self.high.max(other.high));
        self.count += other.count;
        self.heights += other.heights;
        self.squares += other.squares;
        self.land += other.land;
        self.slopes += other.slopes;
        self.slope_count += other.slope_count;
        self.bins.iter_mut().zip(&other.bins).for_each(|(bin, more)| *bin += more);
    }
}

impl Gauge {
    /// A gauge for samples that are `spacing` metres apart.
    pub fn new(spacing: [f64; 2], sea_level: f64) -> Self {
        Self { spacing, sea_level, pivot: None, sums: Sums::none() }
    }

    /// Measures the `rows` of a strip, which also has the rows above and below them where the terrain has some.
    pub fn measure(&mut self, strip: &Grid, rows: Range<usize>) {
        let first = strip.samples().iter().copied().find(|sample| sample.is_finite());
        let pivot = *self.pivot.get_or_insert_with(|| first.map_or(0.0, f64::from));
        let parts = par::map(rows.len().div_ceil(ROWS), |k| {
            let start = rows.start + k * ROWS;
            self.part(strip, start..(start + ROWS).min(rows.end), pivot)
        });
        parts.iter().for_each(|part| self.sums.add(part));
    }

    fn part(&self, strip: &Grid, rows: Range<usize>, pivot: f64) -> Sums {
        let mut sums = Sums::none();
        for j in rows {
            for (i, &sample) in strip.row(j).iter().enumerate() {
                let height = f64::from(sample);
                (sums.low, sums.high) = (sums.low.min(sample), sums.high.max(sample));
                if height.is_finite() {
                    sums.count += 1;
                    sums.heights += height - pivot;
                    sums.squares += (height - pivot) * (height - pivot);
                    sums.land += u64::from(height > self.sea_level);
                }
                let degrees = derived::steepness(derived::gradient(strip, self.spacing, i, j));
                if degrees.is_finite() {
                    sums.slope_count += 1;
                    sums.slopes += degrees;
                    sums.bins[(degrees * 10.0) as usize] += 1;
                }
            }
        }
        sums
    }

    /// The numbers of all that was measured.
    pub fn statistics(&self) -> Statistics {
        let Sums { low, high, count, heights, squares, land, slopes, slope_count, ref bins } =
            self.sums;
        let (min, max) = if low <= high { (f64::from(low), f64::from(high)) } else { (0.0, 0.0) };
        let n = count.max(1) as f64;
        let above = heights / n;
        let mean = self.pivot.unwrap_or(0.0) + above;
        let relief = max - min;
        let wanted = (slope_count as f64 * 0.95).ceil() as u64;
        let mut seen = 0;
        let bin = bins.iter().position(|&in_bin| {
            seen += in_bin;
            seen >= wanted
        });
        Statistics {
            min,
            max,
            mean,
            deviation: (squares / n - above * above).max(0.0).sqrt(),
            land: land as f64 / n,
            hypsometric_integral: if relief > 0.0 { (mean - min) / relief } else { 0.0 },
            slope_mean: slopes / slope_count.max(1) as f64,
            slope_95: bin.unwrap_or(0) as f64 / 10.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grid, Lattice};

    #[test]
    fn a_tilted_plane_has_its_closed_form_numbers() {
        let lattice = Lattice { size: [101, 51], spacing: [10.0, 20.0] };
        let plane = Grid::from_fn(101, 51, |i, _| i as f32 * 10.0);
        let statistics = Statistics::of(&Terrain::new(lattice.whole(), 250.0, plane));
        assert_eq!((statistics.min, statistics.max, statistics.mean), (0.0, 1000.0, 500.0));
        assert_eq!(statistics.hypsometric_integral, 0.5);
        assert!((statistics.slope_mean - 45.0).abs() < 1e-9);
        assert!((statistics.slope_95 - 45.0).abs() < 0.11);
        assert!((statistics.land - 75.0 / 101.0).abs() < 1e-12);
        // A uniform law over 101 points.
        let deviation = ((101.0 * 101.0 - 1.0) / 12.0_f64).sqrt() * 10.0;
        assert!((statistics.deviation - deviation).abs() < 1e-9);
    }

    #[test]
    fn strips_are_measured_like_the_whole() {
        let lattice = Lattice { size: [40, 300], spacing: [10.0, 20.0] };
        let height = |i: usize, j: usize| 4000.0 + ((i * i + 7 * j * j) % 311) as f32;
        let whole = Grid::from_fn(40, 300, height);
        let mut gauge = Gauge::new(lattice.spacing, 4100.0);
        gauge.measure(&whole.crop(0, 0, 40, 101), 0..100);
        gauge.measure(&whole.crop(0, 99, 40, 151), 1..150);
        gauge.measure(&whole.crop(0, 248, 40, 52), 1..52);
        let (strips, all) =
            (gauge.statistics(), Statistics::of(&Terrain::new(lattice.whole(), 4100.0, whole)));
        assert_eq!((strips.min, strips.max, strips.slope_95), (all.min, all.max, all.slope_95));
        assert_eq!(strips.land, all.land);
        assert!((strips.mean - all.mean).abs() < 1e-9);
        assert!((strips.deviation - all.deviation).abs() < 1e-9);
        assert!((strips.slope_mean - all.slope_mean).abs() < 1e-9);
    }

    #[test]
    fn one_sample_and_no_numbers_are_measured_too() {
        let lattice = Lattice { size: [1, 1], spacing: [1.0, 1.0] };
        for height in [3.0, f32::NAN] {
            let terrain = Terrain::new(lattice.whole(), 0.0, Grid::filled(1, 1, height));
            let statistics = Statistics::of(&terrain);
            assert!(statistics.mean.is_finite() && statistics.slope_95 == 0.0);
        }
    }
}
