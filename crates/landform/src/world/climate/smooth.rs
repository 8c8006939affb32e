//! Means over the surroundings of cells of the weather, and slopes, around the map and over the poles.

use std::ops::Range;

use super::air::Air;

/// Means over about `metres` around: boxes, twice, along rows and columns.
pub(super) fn blurred(air: &Air, values: &[f32], metres: f64) -> Vec<f32> {
    let (width, height) = (air.width, air.height);
    let mut across = values.to_vec();
    let mut line = Vec::new();
    for (row, per_metre) in across.chunks_mut(width).zip(&air.columns_per_metre) {
        let reach = reach(metres * per_metre, width);
        let column = |k: isize| match air.wraps() {
            true => k.rem_euclid(width as isize) as usize,
            false => k.clamp(0, width as isize - 1) as usize,
        };
        let (before, after) = beyond(reach, width);
        line.clear();
        line.extend(before.map(|k| row[column(k)]));
        line.extend_from_slice(row);
        line.extend(after.map(|k| row[column(k)]));
        box_means(&mut line, reach);
        box_means(&mut line, reach);
        row.copy_from_slice(&line);
    }
    let reach = reach(metres / air.cell[1], height);
    let mut out = vec![0.0; values.len()];
    for i in 0..width {
        // Over the poles of a sphere a meridian goes on as the opposite one.
        let opposite = if air.is_round() { (i + width / 2) % width } else { i };
        let far = |k: isize| {
            let last = height as isize - 1;
            let row = match (air.is_round(), k < 0) {
                (true, true) => -1 - k,
                (true, false) => 2 * last + 1 - k,
                (false, _) => k,
            };
            across[row.clamp(0, last) as usize * width + opposite]
        };
        let (before, after) = beyond(reach, height);
        line.clear();
        line.extend(before.map(far));
        line.extend((0..height).map(|j| across[j * width + i]));
        line.extend(after.map(far));
        box_means(&mut line, reach);
        box_means(&mut line, reach);
        for (j, &mean) in line.iter().enumerate() {
            out[j * width + i] = mean;
        }
    }
    out
}

/// Cells to each side of a box.
fn reach(cells: f64, count: usize) -> usize {
    (cells.round() as usize).clamp(1, (count / 3).max(1))
}

/// The places before the first and after the last of `count` that two boxes reach.
fn beyond(reach: usize, count: usize) -> (Range<isize>, Range<isize>) {
    let (pad, count) = (2 * reach as isize, count as isize);
    (-pad..0, count..count + pad)
}

/// The mean of each value and those up to `reach` away, without the ends, which lack some.
fn box_means(line: &mut Vec<f32>, reach: usize) {
    let wide = 2 * reach + 1;
    let share = 1.0 / wide as f64;
    let mut sum: f64 = line[..wide].iter().map(|&value| f64::from(value)).sum();
    for k in 0..line.len() - 2 * reach {
        let first = f64::from(line[k]);
        line[k] = (sum * share) as f32;
        sum += line.get(k + wide).map_or(0.0, |&next| f64::from(next)) - first;
    }
    line.truncate(line.len() - 2 * reach);
}

/// How much values grow over so many metres to the east and to the south.
pub(super) fn gradient(air: &Air, values: &[f32], metres: f64) -> Vec<[f32; 2]> {
    let (width, height) = (air.width, air.height);
    let mut slopes = Vec::with_capacity(values.len());
    let down = (metres / air.cell[1]) as f32;
    for j in 0..height {
        let (north, south) = (j.saturating_sub(1), (j + 1).min(height - 1));
        let rows = (south - north).max(1) as f32;
        let columns = 0.5 * (metres * air.columns_per_metre[j]) as f32;
        for i in 0..width {
            let (west, east) = match air.wraps() {
                true => ((i + width - 1) % width, (i + 1) % width),
                false => (i.saturating_sub(1), (i + 1).min(width - 1)),
            };
            let to_east = values[j * width + east] - values[j * width + west];
            let to_south = values[south * width + i] - values[north * width + i];
            slopes.push([columns * to_east, down * to_south / rows]);
        }
    }
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Lattice, Topology};

    #[test]
    fn means_keep_what_is_even_and_reach_over_the_pole() {
        let design = Lattice { size: [65, 33], spacing: [600e3, 600e3] };
        let air = Air::over(&design, Topology::Sphere, [90.0, -90.0]);
        let even = vec![2.5; air.cells()];
        assert!(blurred(&air, &even, 2e6).iter().all(|v| (v - 2.5).abs() < 1e-5));
        let mut spot = vec![0.0; air.cells()];
        spot[air.width + 3] = 1.0;
        let opposite = 3 + air.width / 2;
        assert!(blurred(&air, &spot, 2e6)[opposite] > 1e-4);
    }
}
