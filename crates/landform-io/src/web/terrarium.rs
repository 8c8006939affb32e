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

/// Columns and rows of level 0 at the middles of the pixels, row by row.
fn samples(place: &MercatorFrame, Tile { zoom, x, y }: Tile) -> Vec<[f64; 2]> {
    let step = 1.0 / (SIDE << zoom) as f64;
    let at = |tile: u32, pixel: usize| ((tile as usize * SIDE + pixel) as f64 + 0.5) * step;
    let pixels = 0..SIDE * SIDE;
    if !place.is_separable() {
        return pixels.map(|k| place.sample([at(x, k % SIDE), at(y, k / SIDE)])).collect();
    }
    let columns: Vec<f64> = (0..SIDE).map(|i| place.sample([at(x, i), 0.5])[0]).collect();
    let rows: Vec<f64> = (0..SIDE).map(|j| place.sample([0.5, at(y, j)])[1]).collect();
    pixels.map(|k| [columns[k % SIDE], rows[k / SIDE]]).collect()
}

/// Heights at the middles of the pixels; 0 beyond the ground.
fn heights(store: &Store, place: &MercatorFrame, tile: Tile) -> Result<Vec<f32>> {
    let layout = store.layout();
    let samples = samples(place, tile);
    // The level whose samples are about as far apart as the pixels.
    let [dx, dz] = [0, 1].map(|axis| samples[SIDE - 1][axis] - samples[0][axis]);
    let apart = (dx * dx + dz * dz).sqrt() / (SIDE - 1) as f64;
    let level = (0..layout.levels()).rev().find(|&k| f64::from(layout.level(k).factor) <= apart);
    let level = level.unwrap_or(0);
    let division = layout.level(level);
    let factor = f64::from(division.factor);
    // From samples of level 0 to those of the level, where they are not beyond the ground.
    let on_level = |at: &[f64; 2]| -> Option<[f64; 2]> {
        let is_ground =
            |axis: usize| (-0.5..=f64::from(layout.size[axis] - 1) + 0.5).contains(&at[axis]);
        (is_ground(0) && is_ground(1)).then(|| {
            [0, 1].map(|axis| {
                let last = f64::from(division.size[axis] - 1);
                ((at[axis] - (factor - 1.0) / 2.0) / factor).clamp(0.0, last)
            })
        })
    };
    let places: Vec<Option<[f64; 2]>> = samples.iter().map(on_level).collect();
    let span = |axis: usize| {
        let places = || places.iter().flatten().map(|place| place[axis]);
        let first = places().fold(f64::INFINITY, f64::min);
        let last = places().fold(0.0, f64::max);
        first.is_finite().then(|| {
            let (first, last) = (first as u32, (last as u32 + 1).min(division.size[axis] - 1));
            (first, last - first + 1)
        })
    };
    let (Some((left, width)), Some((top, height))) = (span(0), span(1)) else {
        return Ok(vec![0.0; SIDE * SIDE]);
    };
    let grid = store.read(level, &Layer::Height, [left, top, width, height])?;
    let between = |at: f64, first: u32, count: usize| {
        let at = at - f64::from(first);
        let below = (at as usize).min(count - 1);
        (below, (below + 1).min(count - 1), (at - below as f64) as f32)
    };
    let height = |place: &Option<[f64; 2]>| {
        let Some([column, row]) = *place else { return 0.0 };
        let (north, south, v) = between(row, top, grid.height());
        let (west, east, u) = between(column, left, grid.width());
        let upper = grid[(west, north)] * (1.0 - u) + grid[(east, north)] * u;
        let lower = grid[(west, south)] * (1.0 - u) + grid[(east, south)] * u;
        upper * (1.0 - v) + lower * v
    };
    Ok(places.iter().map(height).collect())
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
