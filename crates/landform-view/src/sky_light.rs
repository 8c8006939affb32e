//! Sky light for pictures.

use landform::Grid;
use landform::analysis::horizon;

use crate::resample::resample;

/// The [share of the sky](horizon::sky_view) that each sample sees.
///
/// Sky light is soft: it is computed on at most 640 samples a side and enlarged.
pub(crate) fn sky_light(
    heights: &Grid,
    cell: [f32; 2],
    exaggeration: f32,
    directions: usize,
) -> Grid {
    let (width, height) = (heights.width(), heights.height());
    let longest = width.max(height);
    if longest <= SIDE {
        return horizon::sky_view(heights, cell, exaggeration, directions);
    }
    let small = [width, height].map(|side| (side * SIDE).div_ceil(longest));
    let coarse = resample(heights, small[0], small[1]);
    let cell =
        [cell[0] * width as f32 / small[0] as f32, cell[1] * height as f32 / small[1] as f32];
    resample(&horizon::sky_view(&coarse, cell, exaggeration, directions), width, height)
}

const SIDE: usize = 640;
