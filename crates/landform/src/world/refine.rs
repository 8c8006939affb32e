//! Patches on a surface of very many cells, laid out coarse to fine.
//!
//! [Random growth](super::frontier) has no large forms of its own but those of its first cells: on a lattice twice as fine its
//! borders are as rough, in cells, and so half as rough on the map; and it jumps about in all of the memory. So patches are laid out on a surface
//! of few enough cells, and then refined, each time to half the width of a cell: what lies within a patch belongs to it, and
//! along the borders patches grow anew, cell by cell, until they meet. So borders are rough at all sizes, and only they cost.
//! Patches only a few cells wide change their size by this; none is lost.

use super::frontier::{Growth, Label, spread};
use super::surface::{NONE, Tessellation};
use crate::{Cancelled, Ctx};

/// Patches are laid out on at most so many cells.
const MOST_CELLS: usize = 100_000;

/// Patches of which the borders have been refined.
#[derive(Clone, Debug)]
pub(crate) struct Refined<L> {
    /// The patch of each cell.
    pub(crate) labels: Vec<L>,
    /// The cells along the borders in the order in which they had grown; none if nothing had to be refined.
    pub(crate) order: Vec<u32>,
}

/// What `lay_out` gives for the surface, or for a coarser one of few enough cells, refined.
pub(crate) fn coarse_to_fine<S: Tessellation, L: Label>(
    surface: &S,
    growth: Growth,
    ctx: &Ctx<'_>,
    lay_out: &dyn Fn(&S) -> Result<Vec<L>, Cancelled>,
) -> Result<Refined<L>, Cancelled> {
    if surface.shape().cells() <= MOST_CELLS {
        return Ok(Refined { labels: lay_out(surface)?, order: Vec::new() });
    }
    let growth = Growth { seed: growth.seed.child("finer"), ..growth };
    let coarse = surface.coarser();
    let labels = coarse_to_fine(&coarse, growth, ctx, lay_out)?.labels;
    refine((surface, &coarse), labels, growth, ctx)
}

/// Brings the patches of a surface with cells of twice the width to another.
fn refine<S: Tessellation, L: Label>(
    (fine, coarse): (&S, &S),
    mut inner: Vec<L>,
    growth: Growth,
    ctx: &Ctx<'_>,
) -> Result<Refined<L>, Cancelled> {
    let (shape, above) = (fine.shape(), coarse.shape());
    let border = borders(coarse, &inner);
    for &cell in &border {
        inner[cell as usize] = L::FREE;
    }
    let mut labels = Vec::with_capacity(shape.cells());
    let mut line = vec![L::FREE; shape.width];
    for row in 0..shape.faces * shape.height {
        let (face, j) = (row / shape.height, row % shape.height);
        // Two rows have the same parents.
        if j % 2 == 0 {
            let parents = &inner[(face * above.height + j / 2) * above.width..];
            let (pairs, last) = line.as_chunks_mut::<2>();
            pairs.iter_mut().zip(parents).for_each(|(pair, &label)| *pair = [label; 2]);
            last.fill(parents[pairs.len().min(parents.len() - 1)]);
        }
        labels.extend_from_slice(&line);
    }
    drop(inner);
    ctx.check()?;
    let mut frontier = Vec::new();
    for &cell in &border {
        let (row, i) = (cell as usize / above.width, cell as usize % above.width);
        let (face, j) = (row / above.height, row % above.height);
        for (di, dj) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let (i, j) = (2 * i + di, 2 * j + dj);
            if i < shape.width && j < shape.height {
                let own = (face * shape.height + j) * shape.width + i;
                let around = fine.neighbours(own).into_iter().take(growth.connectivity);
                frontier.extend(around.filter(|&n| n != NONE && labels[n as usize] != L::FREE));
            }
        }
    }
    let mut order = Vec::with_capacity(4 * border.len());
    spread(fine, &mut labels, frontier, growth, ctx, |cell| order.push(cell))?;
    Ok(Refined { labels, order })
}

/// The cells that touch another patch; but not those of a patch that has no others.
fn borders<S: Tessellation, L: Label>(surface: &S, labels: &[L]) -> Vec<u32> {
    let mut has_inner = vec![false; L::FREE.into() + 1];
    let mut border = Vec::new();
    let (width, height) = (surface.shape().width, surface.shape().height);
    let mut others = vec![L::default(); width];
    for (row, own) in labels.chunks(width).enumerate() {
        let (first, j) = (row * width, row % height);
        // Away from the edges of its face, the cells around one are those of three rows, which are compared side by side.
        let is_inner = j > 0 && j + 1 < height && width > 2;
        if is_inner {
            let (above, below) = (&labels[first - width..first], &labels[first + width..]);
            for i in 1..width - 1 {
                let differing =
                    |row: &[L]| (row[i - 1] ^ own[i]) | (row[i] ^ own[i]) | (row[i + 1] ^ own[i]);
                others[i] = differing(above) | differing(own) | differing(&below[..width]);
            }
        }
        for i in 0..width {
            let touches = if is_inner && i > 0 && i + 1 < width {
                others[i] != L::default()
            } else {
                let around = surface.neighbours(first + i);
                around.iter().any(|&n| n != NONE && labels[n as usize] != own[i])
            };
            if touches {
                border.push((first + i) as u32);
            } else {
                has_inner[own[i].into()] = true;
            }
        }
    }
    border.retain(|&cell| has_inner[labels[cell as usize].into()]);
    border
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::flat::Flat;
    use crate::world::frontier::{grow, starts};
    use crate::world::sphere::CubeSphere;
    use crate::{Lattice, Seed};

    fn check<S: Tessellation>(surface: &S, count: usize) {
        let ctx = Ctx::new(&(), "");
        let growth = Growth { connectivity: 4, seed: Seed::new(4) };
        let lay_out = |surface: &S| {
            let seeds = starts(surface, count, Seed::new(3));
            grow(surface, &seeds, growth, &ctx).map(|patches| patches.labels)
        };
        let coarse = surface.coarser();
        let before = lay_out(&coarse).unwrap();
        let after = refine((surface, &coarse), before.clone(), growth, &ctx).unwrap();
        // Every cell has a patch, and was reached from its own.
        assert!(after.labels.iter().all(|&label| usize::from(label) < count));
        for &cell in &after.order {
            let around = surface.neighbours(cell as usize);
            let own = after.labels[cell as usize];
            assert!(around[..4].iter().any(|&n| n != NONE && after.labels[n as usize] == own));
        }
        // No patch is lost, however small, and all together are about as large as before.
        let share = |labels: &[u16], patch: u16| {
            labels.iter().filter(|&&label| label == patch).count() as f64 / labels.len() as f64
        };
        let mut moved = 0.0;
        for patch in 0..count as u16 {
            let (old, new) = (share(&before, patch), share(&after.labels, patch));
            assert!(new > 0.0, "{patch}: {old} {new}");
            moved += 0.5 * (new - old).abs();
        }
        assert!(moved < 0.15, "{moved}");
    }

    #[test]
    fn refined_patches_fill_the_surface_and_stay_where_they_are() {
        let lattice = Lattice { size: [150, 76], spacing: [1000.0, 1000.0] };
        for count in [8, 40] {
            check(&Flat::new(&lattice, [true, true]), count);
            check(&Flat::new(&lattice, [false, false]), count);
            check(&CubeSphere::new(&lattice), count);
        }
    }
}
