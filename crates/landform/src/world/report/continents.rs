//! The initial heights (section 2.3): some patches are land, the others ocean.
//!
//! ```text
//! land    h =  (d + 1)^⅕     d pixels to the nearest one at the coast, counted along x and z
//! ocean   h = −(d + 1)^½
//! ```
//!
//! So the coast is a step from −1 to 1. The report leaves the shares of land and ocean open. Its program draws patches for land until
//! they have the share that the *ocean* is to have: the sea then covers the rims of the continents, as shelves.

use crate::{Cancelled, Ctx, Seed, math};

use super::growth::{Patches, draw_starts};
use crate::world::raster::Raster;

/// The roots of the report's program.
const LAND_ROOT: f64 = 0.2;
const OCEAN_ROOT: f64 = 0.5;

/// Heights of a map of which at least `share` is land, the last patch of it as a whole.
pub(super) fn initial_heights(
    raster: &Raster,
    patches: Patches,
    share: f64,
    seed: Seed,
    ctx: &Ctx<'_>,
) -> Result<Vec<f32>, Cancelled> {
    let starts = draw_starts(raster, patches.count, seed.child("starts"));
    let labels = patches.lay_out(raster, &starts, seed.child("growth"), ctx)?;
    let wanted = share * raster.cells() as f64;
    let is_land = drawn(&labels, starts.len(), wanted, seed.child("draw"));
    let land: Vec<bool> = labels.into_iter().map(|label| is_land[label as usize]).collect();
    ctx.check()?;
    Ok(root_heights(raster, &land))
}

/// The patches that are drawn, one after the other, until together they have this many pixels.
fn drawn(labels: &[u16], count: usize, wanted: f64, seed: Seed) -> Vec<bool> {
    let mut sizes = vec![0_u32; count];
    labels.iter().for_each(|&label| sizes[label as usize] += 1);
    let mut left: Vec<usize> = (0..count).collect();
    let (mut is_drawn, mut sum) = (vec![false; count], 0.0);
    for draw in 0..count as u64 {
        if sum >= wanted {
            break;
        }
        let patch = left.remove(seed.below(draw, left.len() as u64) as usize);
        is_drawn[patch] = true;
        sum += f64::from(sizes[patch]);
    }
    is_drawn
}

/// The root functions; zeros where there is no coast at all, as in the report's program.
fn root_heights(raster: &Raster, land: &[bool]) -> Vec<f32> {
    let mut heights = vec![0.0; land.len()];
    let mut is_reached = vec![false; land.len()];
    let is_coast = |cell: usize| raster.four(cell).any(|next| land[next] != land[cell]);
    let mut ring: Vec<usize> = (0..land.len()).filter(|&cell| is_coast(cell)).collect();
    ring.iter().for_each(|&cell| is_reached[cell] = true);
    let mut depth = 0.0;
    while !ring.is_empty() {
        let [high, deep] = [LAND_ROOT, OCEAN_ROOT].map(|root| math::pow(depth + 1.0, root) as f32);
        let mut next_ring = Vec::with_capacity(ring.len());
        for cell in ring {
            heights[cell] = if land[cell] { high } else { -deep };
            for next in raster.four(cell) {
                if !std::mem::replace(&mut is_reached[next], true) {
                    next_ring.push(next);
                }
            }
        }
        ring = next_ring;
        depth += 1.0;
    }
    heights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lattice;
    use crate::world::plates::Layout;

    const LATTICE: Lattice = Lattice { size: [65, 33], spacing: [1000.0, 1000.0] };

    fn heights(share: f64, layout: Layout, count: usize) -> Vec<f32> {
        let raster = Raster::new([true, true], &LATTICE);
        let patches = Patches { layout, count };
        initial_heights(&raster, patches, share, Seed::new(4), &Ctx::new(&(), "")).unwrap()
    }

    #[test]
    fn land_has_the_asked_share_and_no_whole_patch_more() {
        for layout in [Layout::Frontier, Layout::Voronoi] {
            for share in [0.2, 0.4, 0.6] {
                let heights = heights(share, layout, 200);
                let land = heights.iter().filter(|&&height| height > 0.0).count();
                let found = land as f64 / heights.len() as f64;
                assert!((share..share + 0.05).contains(&found), "{layout:?}: {found}");
            }
        }
    }

    #[test]
    fn heights_are_roots_of_the_distance_to_the_coast() {
        let raster = Raster::new([true, true], &LATTICE);
        let heights = heights(0.5, Layout::Frontier, 12);
        let land: Vec<bool> = heights.iter().map(|&height| height > 0.0).collect();
        // Steps along x and z between two pixels, around the map.
        let way = |a: usize, b: usize, count: usize| a.abs_diff(b).min(count - a.abs_diff(b));
        let steps = |a: usize, b: usize| way(a % 64, b % 64, 64) + way(a / 64, b / 64, 32);
        for cell in (0..raster.cells()).step_by(7) {
            let others = (0..raster.cells()).filter(|&other| land[other] != land[cell]);
            let nearest = others.map(|other| steps(cell, other)).min().unwrap() as f64;
            let expected = if land[cell] { math::pow(nearest, 0.2) } else { -nearest.sqrt() };
            assert!((f64::from(heights[cell]) - expected).abs() < 1e-6, "{cell}");
        }
    }

    #[test]
    fn a_map_without_a_coast_is_flat() {
        for (share, count) in [(0.0, 50), (1.0, 50), (0.6, 1)] {
            assert!(heights(share, Layout::Frontier, count).iter().all(|&height| height == 0.0));
        }
    }
}
