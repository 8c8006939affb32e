//! Random frontier growth (Baker 2018, section 2.2, after Gainey 2014): uneven patches that fill a surface.
//!
//! From each of N cells a patch grows: as long as the frontier is not empty a random cell of it is taken out, and its
//! free neighbours join its patch and the frontier. The report removes from an array list, which shifts all that follow
//! and makes the fill n√n; here the last element takes the place of the removed one: O(1), the same process, n in all.

use std::ops::{BitOr, BitXor};

use super::surface::{NONE, Tessellation};
use crate::{Cancelled, Ctx, Seed};

/// No patch.
pub(crate) const FREE: u16 = u16::MAX;

/// The number of a patch.
pub(crate) trait Label:
    Copy + Default + Eq + Into<usize> + BitXor<Output = Self> + BitOr<Output = Self>
{
    /// No patch.
    const FREE: Self;
}

impl Label for u16 {
    const FREE: Self = FREE;
}

/// For few patches.
impl Label for u8 {
    const FREE: Self = Self::MAX;
}

/// How patches grow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growth {
    /// By way of this many neighbours: 4 across edges, 8 all.
    pub(crate) connectivity: usize,
    pub(crate) seed: Seed,
}

/// A surface in patches.
#[derive(Clone, Debug)]
pub(crate) struct Patches {
    /// The patch of each cell.
    pub(crate) labels: Vec<u16>,
    /// The cells in the order in which they were reached.
    pub(crate) order: Vec<u32>,
}

/// `count` different cells, all as likely. There are at least as many cells.
pub(crate) fn starts<S: Tessellation>(surface: &S, count: usize, seed: Seed) -> Vec<u32> {
    let cells = surface.shape().cells();
    let mut taken: Vec<u32> = Vec::with_capacity(count);
    let mut tries = 0;
    while taken.len() < count.min(cells) {
        let point = surface.random_point(seed.uniform(2 * tries), seed.uniform(2 * tries + 1));
        let mut cell = surface.locate(point);
        if tries > 100 * count as u64 {
            // Nearly all cells are taken: the next that is free.
            cell = (0..cells as u32).find(|cell| !taken.contains(cell)).unwrap_or(0);
        }
        tries += 1;
        if cell != NONE && !taken.contains(&cell) {
            taken.push(cell);
        }
    }
    taken
}

/// Grows a patch from each of `starts`.
pub(crate) fn grow<S: Tessellation>(
    surface: &S,
    starts: &[u32],
    growth: Growth,
    ctx: &Ctx<'_>,
) -> Result<Patches, Cancelled> {
    let cells = surface.shape().cells();
    let mut labels = vec![FREE; cells];
    let mut order = Vec::with_capacity(cells);
    for (patch, &cell) in starts.iter().enumerate() {
        labels[cell as usize] = patch as u16;
    }
    spread(surface, &mut labels, starts.to_vec(), growth, ctx, |cell| order.push(cell))?;
    Ok(Patches { labels, order })
}

/// Grows the patches of the cells in `frontier` until no neighbour is free; `leave` is told of each cell that leaves it.
pub(crate) fn spread<S: Tessellation, L: Label>(
    surface: &S,
    labels: &mut [L],
    mut frontier: Vec<u32>,
    Growth { connectivity, seed }: Growth,
    ctx: &Ctx<'_>,
    mut leave: impl FnMut(u32),
) -> Result<(), Cancelled> {
    let mut draw = 0;
    while !frontier.is_empty() {
        let at = seed.below(draw, frontier.len() as u64) as usize;
        if draw % (1 << 16) == 0 {
            ctx.check()?;
        }
        draw += 1;
        let cell = frontier.swap_remove(at);
        leave(cell);
        let patch = labels[cell as usize];
        for &next in &surface.neighbours(cell as usize)[..connectivity] {
            if next != NONE && labels[next as usize] == L::FREE {
                labels[next as usize] = patch;
                frontier.push(next);
            }
        }
    }
    Ok(())
}

/// Which patches touch: for each the others, in the order of their numbers.
pub(crate) fn touching<S: Tessellation>(
    surface: &S,
    labels: &[u16],
    count: usize,
) -> Vec<Vec<u16>> {
    let mut pairs = vec![false; count * count];
    for (cell, &label) in labels.iter().enumerate() {
        // Each pair of neighbours once: to the east and to the south.
        let around = surface.neighbours(cell);
        for next in [around[0], around[2]] {
            if next != NONE && labels[next as usize] != label {
                let other = labels[next as usize];
                pairs[label as usize * count + other as usize] = true;
                pairs[other as usize * count + label as usize] = true;
            }
        }
    }
    let row = |a: usize| (0..count).filter(|&b| pairs[a * count + b]).map(|b| b as u16).collect();
    (0..count).map(row).collect()
}

/// Joins patches to `count` groups of uneven size by the same growth, patch by patch: some groups grow faster.
pub(crate) fn merged(touching: &[Vec<u16>], count: usize, seed: Seed) -> Vec<u16> {
    let mut groups = vec![FREE; touching.len()];
    (0..count.min(touching.len())).for_each(|group| groups[group] = group as u16);
    let speed: Vec<f64> = (0..count as u64)
        .map(|group| {
            let u = seed.child("speed").uniform(group);
            0.05 + u * u * u
        })
        .collect();
    for draw in 0.. {
        // All patches at the border of a group, weighted by the speed of the group.
        let mut sum = 0.0;
        let mut border = Vec::new();
        for (patch, &group) in groups.iter().enumerate().filter(|(_, group)| **group != FREE) {
            for &next in &touching[patch] {
                if groups[next as usize] == FREE {
                    sum += speed[group as usize];
                    border.push((sum, next, group));
                }
            }
        }
        let wanted = seed.uniform(draw) * sum;
        let Some(&(_, patch, group)) =
            border.iter().find(|(sum, ..)| *sum > wanted).or(border.last())
        else {
            break;
        };
        groups[patch as usize] = group;
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::sphere::CubeSphere;
    use crate::{Lattice, world::flat::Flat};

    fn check<S: Tessellation>(surface: &S) {
        let ctx = Ctx::new(&(), "");
        let seeds = starts(surface, 7, Seed::new(3));
        let patches =
            grow(surface, &seeds, Growth { connectivity: 4, seed: Seed::new(4) }, &ctx).unwrap();
        assert!(patches.labels.iter().all(|&label| label < 7));
        assert_eq!(patches.order.len(), surface.shape().cells());
        // Connected: every cell but the first of a patch was reached from one of its own.
        for &cell in &patches.order {
            let own = patches.labels[cell as usize];
            let around = surface.neighbours(cell as usize);
            let has_own =
                around[..4].iter().any(|&n| n != NONE && patches.labels[n as usize] == own);
            assert!(has_own || seeds.contains(&cell));
        }
    }

    #[test]
    fn every_cell_belongs_to_exactly_one_connected_patch() {
        let lattice = Lattice { size: [65, 33], spacing: [1000.0, 1000.0] };
        check(&CubeSphere::new(&lattice));
        check(&Flat::new(&lattice, [true, true]));
        check(&Flat::new(&lattice, [false, false]));
    }

    #[test]
    fn as_many_starts_as_cells_take_every_cell() {
        let lattice = Lattice { size: [5, 4], spacing: [1.0, 1.0] };
        let mut all = starts(&Flat::new(&lattice, [true, true]), 12, Seed::new(9));
        all.sort_unstable();
        assert_eq!(all, (0..12).collect::<Vec<u32>>());
    }
}
