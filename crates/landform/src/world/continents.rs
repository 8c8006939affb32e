//! The first continents: patches of frontier growth, some of which are continental crust (Baker 2018, section 2.3).

use super::frontier::{Growth, grow, starts, touching};
use super::refine::{Refined, coarse_to_fine};
use super::surface::{NONE, Tessellation};
use crate::{Cancelled, Ctx, Seed};

/// How continents are laid out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Continents {
    /// Share of the surface that is continental crust, 0 to 1.
    pub(crate) share: f64,
    /// Number of patches of which continents are made.
    pub(crate) pieces: u32,
    /// How likely the next patch touches those before, 0 to 1.
    pub(crate) clustering: f64,
    /// 4 or 8 neighbours.
    pub(crate) connectivity: usize,
}

impl Continents {
    /// Which cells are continental crust: 1, the others 0. Their share is the asked one, to a cell.
    pub(crate) fn lay_out<S: Tessellation>(
        &self,
        surface: &S,
        seed: Seed,
        ctx: &Ctx<'_>,
    ) -> Result<Vec<u8>, Cancelled> {
        let growth = Growth { connectivity: self.connectivity, seed: seed.child("growth") };
        let chosen = |surface: &S| self.choose(surface, (seed, growth), ctx);
        let Refined { mut labels, order } = coarse_to_fine(surface, growth, ctx, &chosen)?;
        if !order.is_empty() {
            let (all, land) = match surface.even_area() {
                Some(area) => {
                    let land = labels.iter().filter(|&&label| label == LAND).count();
                    (area * labels.len() as f64, area * land as f64)
                }
                None => {
                    labels.iter().enumerate().fold((0.0, 0.0), |(all, land), (cell, &label)| {
                        let area = surface.area(cell);
                        (all + area, land + if label == LAND { area } else { 0.0 })
                    })
                }
            };
            trim(surface, &mut labels, &order, land - self.share * all);
        }
        Ok(labels)
    }

    /// The patches that become continents. The last one is only taken as far as it had grown by then.
    fn choose<S: Tessellation>(
        &self,
        surface: &S,
        (seed, growth): (Seed, Growth),
        ctx: &Ctx<'_>,
    ) -> Result<Vec<u8>, Cancelled> {
        let cells = surface.shape().cells();
        let wanted = self.share * (0..cells).map(|cell| surface.area(cell)).sum::<f64>();
        let count = (self.pieces as usize).clamp(1, cells);
        let seeds = starts(surface, count, seed.child("starts"));
        let patches = grow(surface, &seeds, growth, ctx)?;
        let mut sizes = vec![0.0; count];
        let mut cell = 0;
        for stretch in patches.labels.chunk_by(|a, b| a == b) {
            let size = &mut sizes[stretch[0] as usize];
            *size =
                (cell..cell + stretch.len()).fold(*size, |size, cell| size + surface.area(cell));
            cell += stretch.len();
        }
        let near = touching(surface, &patches.labels, count);
        let draws = seed.child("draw");
        let mut is_land = vec![false; count];
        let mut last = None;
        let mut sum = 0.0;
        for draw in 0..count as u64 {
            let free = |patch: &usize| !is_land[*patch];
            let touches = |patch: &usize| near[*patch].iter().any(|&other| is_land[other as usize]);
            let beside: Vec<usize> = (0..count).filter(free).filter(touches).collect();
            let apart: Vec<usize> = (0..count).filter(free).filter(|p| !touches(p)).collect();
            let wants_beside = draws.uniform(3 * draw) < self.clustering;
            let pool = match (beside.is_empty(), apart.is_empty()) {
                (true, _) => &apart,
                (_, true) => &beside,
                _ if wants_beside => &beside,
                _ => &apart,
            };
            let patch = pool[draws.below(3 * draw + 1, pool.len() as u64) as usize];
            if sum + sizes[patch] >= wanted {
                last = Some(patch as u16);
                break;
            }
            is_land[patch] = true;
            sum += sizes[patch];
        }
        let mut land: Vec<u8> =
            patches.labels.iter().map(|&label| u8::from(is_land[label as usize])).collect();
        for &cell in &patches.order {
            let cell = cell as usize;
            if Some(patches.labels[cell]) == last {
                let area = surface.area(cell);
                if sum + 0.5 * area < wanted {
                    land[cell] = LAND;
                    sum += area;
                }
            }
        }
        Ok(land)
    }
}

/// The label of continental crust.
const LAND: u8 = 1;

/// Takes away the m² by which there is too much land, or adds those that are missing, cell by cell along the coasts: first
/// where they came to be last.
fn trim<S: Tessellation>(surface: &S, labels: &mut [u8], order: &[u32], mut excess: f64) {
    let surplus = if excess > 0.0 { LAND } else { 1 - LAND };
    for &cell in order.iter().rev() {
        let cell = cell as usize;
        let area = surface.area(cell);
        if excess.abs() <= 0.5 * area {
            break;
        }
        let around = surface.neighbours(cell);
        let is_other = |&n: &u32| n != NONE && labels[n as usize] != surplus;
        if labels[cell] == surplus && around[..4].iter().any(is_other) {
            labels[cell] = 1 - surplus;
            excess -= if surplus == LAND { area } else { -area };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lattice;
    use crate::world::sphere::CubeSphere;

    #[test]
    fn the_share_is_the_asked_one_to_a_cell() {
        let small = CubeSphere::new(&Lattice { size: [129, 65], spacing: [1e5, 1e5] });
        let fine = CubeSphere::new(&Lattice { size: [1025, 513], spacing: [1e5, 1e5] });
        let cases = [0.0, 0.2, 0.5, 1.0].map(|share| (&small, share, 1e-3));
        for (surface, share, off) in cases.into_iter().chain([(&fine, 0.3, 1e-5)]) {
            let continents = Continents { share, pieces: 30, clustering: 0.5, connectivity: 4 };
            let land = continents.lay_out(surface, Seed::new(8), &Ctx::new(&(), "")).unwrap();
            let area = |is: &dyn Fn(usize) -> bool| {
                (0..land.len()).filter(|&c| is(c)).map(|c| surface.area(c)).sum::<f64>()
            };
            let found = area(&|cell| land[cell] > 0) / area(&|_| true);
            assert!((found - share).abs() < off, "{share} {found}");
        }
    }
}
