//! Patches (section 2.2, after Gainey 2014): the plates, and the pieces of continents.
//!
//! ```text
//! n random points enter the queue, each with its patch
//! while there are points in the queue: remove a random one
//!     if it is marked: nothing;  else mark it with its patch, and its unmarked neighbours enter the queue with that patch
//! ```
//!
//! The report marks points when they leave the queue, its program when they enter it. So a point may wait in the queue more than
//! once, and is likelier to be the next the more of its neighbours are marked. The last point of the queue takes the place of the
//! removed one: a removal takes the same time for any length, where the array list of the report shifts all that follow.

use crate::world::frontier::FREE;
use crate::world::plates::Layout;
use crate::world::voronoi;
use crate::{Cancelled, Ctx, Seed};

use crate::world::raster::Raster;

/// How a map is divided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patches {
    pub(super) layout: Layout,
    /// Number of patches; fewer if there are not as many pixels.
    pub(super) count: usize,
}

impl Patches {
    /// The patch of each pixel.
    pub(super) fn lay_out(
        &self,
        raster: &Raster,
        starts: &[u32],
        seed: Seed,
        ctx: &Ctx<'_>,
    ) -> Result<Vec<u16>, Cancelled> {
        match self.layout {
            Layout::Frontier => grow(raster, starts, seed, ctx),
            Layout::Voronoi => Ok(voronoi::nearest(&raster.flat(), starts)),
        }
    }
}

/// `count` different pixels, all as likely; all of them if there are not as many.
pub(super) fn draw_starts(raster: &Raster, count: usize, seed: Seed) -> Vec<u32> {
    let mut pixels: Vec<u32> = (0..raster.cells() as u32).collect();
    let count = count.min(pixels.len());
    for k in 0..count {
        let left = (pixels.len() - k) as u64;
        pixels.swap(k, k + seed.below(k as u64, left) as usize);
    }
    pixels.truncate(count);
    pixels
}

/// Grows a patch from each of `starts`.
fn grow(raster: &Raster, starts: &[u32], seed: Seed, ctx: &Ctx<'_>) -> Result<Vec<u16>, Cancelled> {
    let mut marks = vec![FREE; raster.cells()];
    let mut queue: Vec<(u32, u16)> = starts.iter().copied().zip(0..).collect();
    let mut draw = 0;
    while !queue.is_empty() {
        if draw % (1 << 16) == 0 {
            ctx.check()?;
        }
        let (point, patch) = queue.swap_remove(seed.below(draw, queue.len() as u64) as usize);
        draw += 1;
        let point = point as usize;
        if marks[point] == FREE {
            marks[point] = patch;
            let free = raster.four(point).filter(|&next| marks[next] == FREE);
            queue.extend(free.map(|next| (next as u32, patch)));
        }
    }
    Ok(marks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lattice;

    #[test]
    fn every_pixel_belongs_to_one_connected_patch() {
        let lattice = Lattice { size: [65, 33], spacing: [1000.0, 1000.0] };
        for wrap in [[true, true], [true, false], [false, false]] {
            let raster = Raster::new(wrap, &lattice);
            let starts = draw_starts(&raster, 7, Seed::new(1));
            let marks = grow(&raster, &starts, Seed::new(2), &Ctx::new(&(), "")).unwrap();
            let mut reached = vec![false; marks.len()];
            let mut stack: Vec<usize> = starts.iter().map(|&start| start as usize).collect();
            while let Some(cell) = stack.pop() {
                if !std::mem::replace(&mut reached[cell], true) {
                    stack.extend(raster.four(cell).filter(|&next| marks[next] == marks[cell]));
                }
            }
            assert!(reached.iter().all(|&is_reached| is_reached), "{wrap:?}");
            assert!((0..7).all(|patch| marks[starts[patch] as usize] == patch as u16));
        }
    }

    #[test]
    fn starts_are_different_and_there_are_no_more_than_pixels() {
        let raster = Raster::new([true, true], &Lattice { size: [5, 4], spacing: [1.0, 1.0] });
        let mut all = draw_starts(&raster, 50, Seed::new(9));
        all.sort_unstable();
        assert_eq!(all, (0..12).collect::<Vec<u32>>());
    }
}
