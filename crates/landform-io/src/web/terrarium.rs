//! One tile: heights between the samples of a store, as colours.

use landform::Layer;

use super::mercator::MercatorFrame;
use super::{SIDE, Tile};
use crate::{Result, Store, png};

/// The PNG of a tile.
pub(super) fn tile(store: &Store, place: &MercatorFrame, tile: Tile) -> Result<Vec<u8>> {
    let heights = heights(store, place, tile)?;
    let pixels: Vec<[u8; 3]> = heights.iter().map(|&height| colour(height)).collect();
    let mut png = Vec::new();
    png::encode_rgb8(SIDE, &pixels, &mut png)?;
    Ok(png)
}

/// The colour that stands for a height, to the nearest 1/256 m.
pub(super) fn colour(height: f32) -> [u8; 3] {
    let steps = ((f64::from(height) + 32_768.0) * 256.0).round();
    // What is not a number becomes 0 steps by the cast.
    let steps = if steps.is_nan() { 1 << 23 } else { steps.clamp(0.0, 16_777_215.0) as u32 };
    [(steps >> 16) as u8, (steps >> 8) as u8, steps as u8]
}

/// Heights at the middles of the pixels; 0 beyond the ground.
fn heights(store: &Store, place: &MercatorFrame, Tile { zoom, x, y }: Tile) -> Result<Vec<f32>> {
    let layout = store.layout();
    let step = 1.0 / (SIDE << zoom) as f64;
    let at = |tile: u32, pixel: usize| ((tile as usize * SIDE + pixel) as f64 + 0.5) * step;
    // Columns depend on u alone, rows on v.
    let columns: Vec<f64> = (0..SIDE).map(|i| place.sample([at(x, i), 0.5])[0]).collect();
    let rows: Vec<f64> = (0..SIDE).map(|j| place.sample([0.5, at(y, j)])[1]).collect();
    // The level whose samples are about as far apart as the pixels.
    let apart = (columns[SIDE - 1] - columns[0]).abs() / (SIDE - 1) as f64;
    let level = (0..layout.levels()).rev().find(|&k| f64::from(layout.level(k).factor) <= apart);
    let level = level.unwrap_or(0);
    let division = layout.level(level);
    let factor = f64::from(division.factor);
    // From samples of level 0 to those of the level, and where they are beyond the ground.
    let on_level = |places: &[f64], axis: usize| -> Vec<Option<f64>> {
        let end = f64::from(layout.size[axis] - 1);
        let last = f64::from(division.size[axis] - 1);
        let place = |&at: &f64| {
            let is_ground = (-0.5..=end + 0.5).contains(&at);
            is_ground.then(|| ((at - (factor - 1.0) / 2.0) / factor).clamp(0.0, last))
        };
        places.iter().map(place).collect()
    };
    let (columns, rows) = (on_level(&columns, 0), on_level(&rows, 1));
    let span = |places: &[Option<f64>], size: u32| {
        let first = places.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        let last = places.iter().flatten().copied().fold(0.0, f64::max);
        first.is_finite().then(|| {
            let (first, last) = (first as u32, (last as u32 + 1).min(size - 1));
            (first, last - first + 1)
        })
    };
    let (Some((left, width)), Some((top, height))) =
        (span(&columns, division.size[0]), span(&rows, division.size[1]))
    else {
        return Ok(vec![0.0; SIDE * SIDE]);
    };
    let grid = store.read(level, &Layer::Height, [left, top, width, height])?;
    let between = |at: f64, first: u32, count: usize| {
        let at = at - f64::from(first);
        let below = (at as usize).min(count - 1);
        (below, (below + 1).min(count - 1), (at - below as f64) as f32)
    };
    let mut heights = Vec::with_capacity(SIDE * SIDE);
    for row in &rows {
        for column in &columns {
            let (Some(row), Some(column)) = (row, column) else {
                heights.push(0.0);
                continue;
            };
            let (north, south, v) = between(*row, top, grid.height());
            let (west, east, u) = between(*column, left, grid.width());
            let upper = grid[(west, north)] * (1.0 - u) + grid[(east, north)] * u;
            let lower = grid[(west, south)] * (1.0 - u) + grid[(east, south)] * u;
            heights.push(upper * (1.0 - v) + lower * v);
        }
    }
    Ok(heights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_stand_for_heights() {
        let height = |[r, g, b]: [u8; 3]| {
            f64::from(r) * 256.0 + f64::from(g) + f64::from(b) / 256.0 - 32_768.0
        };
        for metres in [0.0, 8848.86, -10_994.0, 1234.567, 0.002] {
            assert!((height(colour(metres)) - f64::from(metres)).abs() <= 0.5 / 256.0 + 1e-3);
        }
        assert_eq!(colour(0.0), [128, 0, 0]);
        assert_eq!(colour(f32::NAN), [128, 0, 0]);
        assert_eq!(colour(1e9), [255, 255, 255]);
    }
}
