//! Convergence (section 2.4.2): where plates overlap, the lower ones lose the ground to the one on top, and it rises.
//!
//! ```text
//! h = h_max + 1.1 (depth − 1) (c − 1)      c plates over the pixel, h_max the highest of their heights
//! ```
//!
//! The depth of an overlap is the "distance to the nearest non-overlapping point", in pixels: 1 at its edge. How the height is "based
//! on" it is open. As in the report's program the edge does not rise, so that narrow overlaps leave no walls; but the second row of
//! pixels does, which in the program lags by one.

use crate::world::euclidean::{self, Cells};
use crate::{Cancelled, Ctx};

use super::movement::Cover;
use crate::world::raster::Raster;

/// How much an overlap rises for each pixel between its edge and a place in it, in units.
const RISE: f32 = 1.1;

/// Writes the heights of all pixels that are covered.
pub(super) fn converge(
    raster: &Raster,
    cover: &Cover,
    heights: &mut [f32],
    ctx: &Ctx<'_>,
) -> Result<(), Cancelled> {
    heights.copy_from_slice(&cover.highest);
    if cover.count.iter().all(|&count| count < 2) {
        return Ok(());
    }
    let cells = Cells { size: raster.size(), cell: [1.0, 1.0], wrap: raster.wrap() };
    let depths = euclidean::distances(&cells, |cell| cover.count[cell] < 2, f64::MAX, ctx)?;
    for ((height, depth), &count) in heights.iter_mut().zip(depths).zip(&cover.count) {
        // Plates have no more pixels than the map: some are no overlap, so every depth is finite.
        if count > 1 {
            *height += RISE * (depth - 1.0) * f32::from(count - 1);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lattice;
    use crate::math::length;

    #[test]
    fn overlaps_rise_by_their_depth_over_the_highest_plate() {
        // A block of plate 1, 9 by 6 pixels, moves five pixels west onto plate 0.
        let raster = Raster::new([true, true], &Lattice { size: [33, 17], spacing: [1.0, 1.0] });
        let is_one =
            |cell: usize| (12..21).contains(&(cell % 32)) && (5..11).contains(&(cell / 32));
        let owner: Vec<u16> = (0..raster.cells()).map(|cell| u16::from(is_one(cell))).collect();
        let mut heights: Vec<f32> = owner.iter().map(|&plate| 2.0 - f32::from(plate)).collect();
        let cover = Cover::of(&raster, (&owner, &heights), &[[0, 0], [-5, 0]]);
        assert_eq!(cover.collisions, [[0, 1]]);
        let overlap: Vec<usize> =
            (0..raster.cells()).filter(|&cell| cover.count[cell] == 2).collect();
        assert_eq!(overlap.len(), 5 * 6);
        assert!(overlap.iter().all(|&cell| cover.top[cell] == 1), "the last plate is on top");
        converge(&raster, &cover, &mut heights, &Ctx::new(&(), "")).unwrap();
        for cell in (0..raster.cells()).filter(|&cell| cover.count[cell] > 0) {
            let way = |other: usize| {
                let [dx, dz] = [(cell % 32).abs_diff(other % 32), (cell / 32).abs_diff(other / 32)];
                length(dx as f64, dz as f64)
            };
            let others = (0..raster.cells()).filter(|other| cover.count[*other] != 2);
            let depth = others.map(way).fold(f64::MAX, f64::min);
            let rise = if cover.count[cell] == 2 { 1.1 * (depth - 1.0) } else { 0.0 };
            let expected = f64::from(cover.highest[cell]) + rise;
            assert!((f64::from(heights[cell]) - expected).abs() < 1e-5, "{cell}");
        }
    }
}
