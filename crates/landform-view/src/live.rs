//! The relief of ground that changes while somebody looks at it: parts of it can be drawn alone.
//!
//! Simpler than [`Style::Relief`](crate::Style::Relief): no sky light and no pale rims along coasts, which would need the whole
//! map. Light and colours are chosen once for the whole ground, so that parts drawn at different times fit together.

use std::borrow::Cow;

use landform::{Grid, par};

use crate::color::{byte, encode_with, encoder};
use crate::ground::Ground;
use crate::hillshade::{Hillshade, Shader};
use crate::relief::{Tints, lit};

/// Light and colours for one ground.
#[derive(Clone, Debug)]
pub struct LiveRelief {
    shader: Shader,
    tints: Tints,
    cell: [f32; 2],
    sea: f32,
}

impl LiveRelief {
    /// Chooses light and colours for `heights`, whose samples are `spacing` metres apart.
    pub fn new(heights: &Grid, spacing: [f64; 2], sea_level: f64, hillshade: &Hillshade) -> Self {
        let (cell, sea) = (spacing.map(|metres| metres as f32), sea_level as f32);
        let ground = Ground {
            heights: Cow::Borrowed(heights),
            missing: None,
            cell,
            sea,
            range: heights.range(),
        };
        Self { shader: hillshade.shader(&ground), tints: Tints::of(&ground), cell, sea }
    }

    /// The same light and colours for the same ground with samples this far apart.
    #[must_use]
    pub fn at_spacing(&self, spacing: [f64; 2]) -> Self {
        Self { cell: spacing.map(|metres| metres as f32), ..self.clone() }
    }

    /// The pixels of every `step`-th column and row of `heights` from (i, j) on, `width` × `height` of them.
    ///
    /// # Panics
    /// If they do not lie on the grid.
    pub fn draw(
        &self,
        heights: &Grid,
        [i, j]: [usize; 2],
        [width, height]: [usize; 2],
        step: usize,
    ) -> Vec<[u8; 3]> {
        let level = self.shader.level().max(1e-6);
        let table = encoder();
        let scale = self.cell.map(|cell| self.shader.exaggeration / cell);
        let (last_i, last_j) = (heights.width() - 1, heights.height() - 1);
        let mut pixels = vec![[0; 3]; width * height];
        par::for_each_row(&mut pixels, width, |row, out| {
            let j = j + row * step;
            let (above, below) = (j.saturating_sub(1), (j + 1).min(last_j));
            let (north, south, own) = (heights.row(above), heights.row(below), heights.row(j));
            let down = scale[1] / (below - above).max(1) as f32;
            for (column, pixel) in out.iter_mut().enumerate() {
                let i = i + column * step;
                let (left, right) = (i.saturating_sub(1), (i + 1).min(last_i));
                let across = scale[0] / (right - left).max(1) as f32;
                let slope_x = (own[right] - own[left]) * across;
                let slope_z = (south[i] - north[i]) * down;
                let light = self.shader.shade(slope_x, slope_z) / level;
                let tint = self.tints.at(own[i]);
                // The sea floor is shaded softly, as seen through water.
                let light = if own[i] > self.sea { light } else { 1.0 + 0.3 * (light - 1.0) };
                *pixel = lit(tint, light, 1.0).map(|channel| byte(encode_with(table, channel)));
            }
        });
        pixels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_the_pixels_that_it_has_in_the_whole() {
        let heights = Grid::from_fn(40, 30, |i, j| ((i * i) as f32 - 12.0 * j as f32) / 3.0);
        let relief = LiveRelief::new(&heights, [5.0, 7.0], 2.0, &Hillshade::default());
        let whole = relief.draw(&heights, [0, 0], [40, 30], 1);
        let part = relief.draw(&heights, [8, 6], [10, 5], 1);
        for (k, pixel) in part.iter().enumerate() {
            assert_eq!(*pixel, whole[(6 + k / 10) * 40 + 8 + k % 10]);
        }
        let coarse = relief.draw(&heights, [0, 0], [20, 15], 2);
        assert_eq!(coarse[21], whole[2 * 40 + 2]);
        assert!(whole.iter().any(|pixel| *pixel != whole[0]));
    }

    #[test]
    fn a_single_sample_has_a_colour() {
        let heights = Grid::filled(1, 1, f32::NAN);
        let relief = LiveRelief::new(&heights, [1.0, 1.0], 0.0, &Hillshade::default());
        assert_eq!(relief.draw(&heights, [0, 0], [1, 1], 1).len(), 1);
    }
}
