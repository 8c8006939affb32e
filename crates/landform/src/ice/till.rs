//! Till: what ice has worn, carried along, and laid down where it melts.
//!
//! ```text
//! L = eroded + Σ inflow                  load of a sample, from the highest surface down
//! released = L·m/(m + Σ q)               m melt, q outflows of ice: till is mixed into the ice
//! ```
//!
//! So till gathers where all ice melts: at the snout and along the margins, as moraines. Meltwater takes a share of it away and all that is
//! more than a moraine holds; ice that leaves by the border carries its load along. Each volume is counted.

use super::bed::Bed;
use super::shallow_ice::{Balance, Flux, Ice};
use super::two_lattices::TwoLattices;
use crate::{Cancelled, Ctx};

/// Most till that a place gets at once, in m.
const MOST: f32 = 3.0;

/// What goes to the ground at each sample of the ice, from its `load`, both as volumes; what leaves by the border is no longer there.
pub(super) fn release(
    ice: &Ice,
    flux: &Flux,
    mut load: Vec<f32>,
    balance: &Balance,
    ctx: &Ctx<'_>,
) -> Result<Vec<f32>, Cancelled> {
    ctx.check()?;
    let surface = ice.surface();
    let takes_part = |&k: &u32| load[k as usize] > 0.0 || ice.thickness[k as usize] > 0.0;
    let mut order: Vec<u32> = (0..surface.len() as u32).filter(takes_part).collect();
    order.sort_unstable_by(|&a, &b| {
        surface[b as usize].total_cmp(&surface[a as usize]).then(a.cmp(&b))
    });
    ctx.check()?;
    let [dx, dz] = ice.spacing;
    let mut released = vec![0.0_f32; surface.len()];
    for k in order.into_iter().map(|k| k as usize) {
        let here = std::mem::take(&mut load[k]);
        if here <= 0.0 {
            continue;
        }
        let ways = ways(ice, flux, k);
        let gone = flux.beyond(ice.size, k, ice.spacing);
        let melt = ice.melt_at(k, balance) * dx * dz;
        let out = ways[0].1 + ways[1].1 + ways[2].1 + ways[3].1;
        let total = melt + out + gone;
        if total <= 0.0 {
            released[k] += here;
            continue;
        }
        released[k] += here * (melt / total);
        for (to, way) in ways {
            let part = here * (way / total);
            // Ground without ice is not visited again.
            if ice.thickness[to] > 0.0 {
                load[to] += part;
            } else {
                released[to] += part;
            }
        }
    }
    Ok(released)
}

/// The neighbours below a sample, and how much ice goes there, in m³/a.
fn ways(ice: &Ice, flux: &Flux, k: usize) -> [(usize, f32); 4] {
    let [width, height] = ice.size;
    let [dx, dz] = ice.spacing;
    let surface = ice.surface();
    let (i, j) = (k % width, k / width);
    let mut ways = [(k, 0.0_f32); 4];
    if i > 0 {
        ways[0] = (k - 1, -flux.east[k - 1] * dz);
    }
    if i + 1 < width {
        ways[1] = (k + 1, flux.east[k] * dz);
    }
    if j > 0 {
        ways[2] = (k - width, -flux.south[k - width] * dx);
    }
    if j + 1 < height {
        ways[3] = (k + width, flux.south[k] * dx);
    }
    for way in &mut ways {
        // Fluxes are means of some steps, the surface is that of now.
        if way.1 <= 0.0 || surface[way.0] >= surface[k] {
            way.1 = 0.0;
        }
    }
    ways
}

/// Lays the share `kept` of volumes of the coarse lattice on the fine one; gives what it has laid down, as a volume.
pub(super) fn lay(lattices: &TwoLattices, mut volumes: Vec<f32>, kept: f32, bed: &mut Bed) -> f64 {
    let mut laid = 0.0;
    lattices.for_each_weight(&mut volumes, |volume, weight| {
        *volume = (kept * *volume / weight).min(MOST);
        laid += f64::from(*volume) * f64::from(weight);
    });
    for samples in [&mut bed.till, &mut bed.height] {
        lattices.refine(&volumes, samples, |_, row, laid| {
            row.iter_mut().zip(laid).for_each(|(sample, laid)| *sample += laid);
        });
    }
    laid
}
