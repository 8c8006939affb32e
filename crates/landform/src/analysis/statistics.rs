//! The numbers by which terrains are compared: heights, slopes, land.
//!
//! ```text
//! hypsometric integral = (mean − min) / (max − min)      Strahler 1952
//! slope = arctan |∇h|, by central differences
//! ```

use serde::Serialize;

use super::derived;
use crate::Terrain;

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

impl Statistics {
    /// Measures the height of `terrain`.
    pub fn of(terrain: &Terrain) -> Self {
        let height = terrain.height();
        let (min, max) = height.range();
        let (mut count, mut sum, mut land) = (0_u64, 0.0, 0_u64);
        let finite = || height.samples().iter().copied().map(f64::from).filter(|h| h.is_finite());
        for h in finite() {
            count += 1;
            sum += h;
            land += u64::from(h > terrain.sea_level());
        }
        let n = count.max(1) as f64;
        let mean = sum / n;
        let squares: f64 = finite().map(|h| (h - mean) * (h - mean)).sum();
        let (slope_mean, slope_95) = slopes(terrain);
        let relief = f64::from(max) - f64::from(min);
        Self {
            min: min.into(),
            max: max.into(),
            mean,
            deviation: (squares / n).sqrt(),
            land: land as f64 / n,
            hypsometric_integral: if relief > 0.0 { (mean - f64::from(min)) / relief } else { 0.0 },
            slope_mean,
            slope_95,
        }
    }
}

/// The mean and the 95th percentile of the slope in degrees.
fn slopes(terrain: &Terrain) -> (f64, f64) {
    let height = terrain.height();
    let spacing = terrain.extent().lattice().spacing;
    let (width, rows) = (height.width(), height.height());
    let mut bins = vec![0_u64; BINS + 1];
    let (mut count, mut sum) = (0_u64, 0.0);
    for j in 0..rows {
        for i in 0..width {
            let degrees = derived::steepness(derived::gradient(height, spacing, i, j));
            if degrees.is_finite() {
                count += 1;
                sum += degrees;
                bins[(degrees * 10.0) as usize] += 1;
            }
        }
    }
    let wanted = (count as f64 * 0.95).ceil() as u64;
    let mut seen = 0;
    let bin = bins.iter().position(|&in_bin| {
        seen += in_bin;
        seen >= wanted
    });
    (sum / count.max(1) as f64, bin.unwrap_or(0) as f64 / 10.0)
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
    fn one_sample_and_no_numbers_are_measured_too() {
        let lattice = Lattice { size: [1, 1], spacing: [1.0, 1.0] };
        for height in [3.0, f32::NAN] {
            let terrain = Terrain::new(lattice.whole(), 0.0, Grid::filled(1, 1, height));
            let statistics = Statistics::of(&terrain);
            assert!(statistics.mean.is_finite() && statistics.slope_95 == 0.0);
        }
    }
}
