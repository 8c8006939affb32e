//! The bed of the ice on the fine lattice: it is worn, rounded and undercut.
//!
//! ```text
//! ∂b/∂t = −Ė + ∇·((ℓ·Ė + F)·∇b)          b bed, Ė lowering, ℓ = 60 m, F failure of worn walls steeper than 42°
//! ```
//!
//! Ice wears bumps more than hollows, so the bed is smoothed in proportion to what is worn; without this the notches of rivers stay and no
//! trough forms. Rates come from the coarser lattice of the ice and act where ice covers the bed: what stands out of it is left alone.

use super::alternating_directions::{Faces, diffuse};
use super::ice_erosion::smooth;
use super::shallow_ice::Ice;
use super::two_lattices::TwoLattices;
use crate::{Cancelled, Ctx, par};

/// ℓ in m.
const ROUNDING: f32 = 60.0;
/// Slope of walls that stand.
const STANDS: f32 = 1.1;
/// Largest conductance of walls that fail: more of it at once leaves ripples.
const FAILING: f32 = 0.1;
/// What stands out of the ice by less than this is worn, in m.
const COVERING: f32 = 15.0;
/// Most lowering in a round, in m.
const DEEPEST: f32 = 40.0;

/// How fast a bed is lowered, and how long.
#[derive(Clone, Debug)]
pub(super) struct Wear {
    /// Rates on the lattice of the ice, in m/a.
    pub(super) rates: Vec<f32>,
    pub(super) years: f32,
}

/// Rock and till, and what the ice has taken of them.
#[derive(Clone, Debug)]
pub(super) struct Bed {
    pub(super) spacing: [f32; 2],
    /// Top of rock and till, in m.
    pub(super) height: Vec<f32>,
    /// Till on the rock, in m.
    pub(super) till: Vec<f32>,
    /// What ice has taken since it was last asked for, in m.
    pub(super) load: Vec<f32>,
}

impl Bed {
    pub(super) fn new(height: Vec<f32>, spacing: [f32; 2]) -> Self {
        let none = vec![0.0; height.len()];
        Self { spacing, height, till: none.clone(), load: none }
    }

    /// Wears the bed.
    pub(super) fn wear(
        &mut self,
        ice: &Ice,
        wear: &Wear,
        lattices: &TwoLattices,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        ctx.check()?;
        let width = lattices.fine[0];
        let mut worn = vec![0.0_f32; self.height.len()];
        let (surface, thickness) = (ice.surface(), &ice.thickness);
        let height = &self.height;
        lattices.refine(&wear.rates, &mut worn, |j, row, rates| {
            if rates.iter().all(|&rate| rate == 0.0) {
                return;
            }
            let (mut top, mut depth) = (vec![0.0_f32; width], vec![0.0_f32; width]);
            lattices.refine_row(surface, j, &mut top);
            lattices.refine_row(thickness, j, &mut depth);
            let height = &height[j * width..][..width];
            for (i, worn) in row.iter_mut().enumerate() {
                let cover = top[i] - height[i] + COVERING;
                let share = (cover / (0.5 * depth[i].max(0.0) + COVERING)).clamp(0.0, 1.0);
                *worn = (rates[i] * wear.years).min(DEEPEST) * share;
            }
        });
        ctx.check()?;
        // Rounds the kinks of the linear interpolation.
        let worn = smooth(&worn, lattices.fine);
        ctx.check()?;
        let take = |samples: &mut [f32], f: fn(f32, f32) -> f32| {
            par::for_each_row(samples, width, |j, row| {
                let worn = &worn[j * width..][..width];
                row.iter_mut().zip(worn).for_each(|(sample, &worn)| *sample = f(*sample, worn));
            });
        };
        take(&mut self.height, |height, worn| height - worn);
        take(&mut self.till, |till, worn| (till - worn).max(0.0));
        take(&mut self.load, |load, worn| load + worn);
        ctx.check()?;
        // Frost leaves walls rough: only what lies under ice is rounded.
        let mut rounded = worn;
        lattices.refine(thickness, &mut rounded, |_, row, depth| {
            for (rounded, &depth) in row.iter_mut().zip(depth) {
                let depth = depth.max(0.0);
                // A little is left, which tells walls that ice has reached from others.
                *rounded *= (depth / (depth + COVERING)).max(1e-3);
            }
        });
        let faces = self.faces(&rounded, lattices.fine);
        drop(rounded);
        diffuse(&mut self.height, None, &faces, lattices.fine, ctx)?;
        Ok(())
    }

    /// Conductances that round what has been worn and bring down what stands too steep.
    fn faces(&self, rounded: &[f32], size: [usize; 2]) -> Faces {
        let [width, height] = size;
        let [dx, dz] = self.spacing;
        let scale = self.spacing.map(|step| 0.5 * ROUNDING / (step * step));
        let mut faces = Faces::closed(size);
        let conductance = |scale: f32, smooth: f32, [along, across]: [f32; 2]| {
            if smooth <= 0.0 {
                return 0.0;
            }
            let over = (along * along + across * across) / (STANDS * STANDS) - 1.0;
            scale * smooth + (FAILING * over).clamp(0.0, FAILING)
        };
        let line = |samples, j: usize| -> &[f32] {
            let samples: &[f32] = samples;
            &samples[j.min(height - 1) * width..][..width]
        };
        let levels: &[f32] = &self.height;
        par::for_each_row_of_two(&mut faces.east, &mut faces.south, width, |j, east, south| {
            let (north, here, below) =
                (line(levels, j.saturating_sub(1)), line(levels, j), line(levels, j + 1));
            let (smooth_here, smooth_below) = (line(rounded, j), line(rounded, j + 1));
            for i in 0..width {
                let (west, next) = (i.saturating_sub(1), (i + 1).min(width - 1));
                if i + 1 < width {
                    let z = (below[i] - north[i] + below[next] - north[next]) / (4.0 * dz);
                    let slope = [(here[next] - here[i]) / dx, z];
                    east[i] = conductance(scale[0], smooth_here[i] + smooth_here[next], slope);
                }
                if j + 1 < height {
                    let x = (here[next] - here[west] + below[next] - below[west]) / (4.0 * dx);
                    let slope = [(below[i] - here[i]) / dz, x];
                    south[i] = conductance(scale[1], smooth_here[i] + smooth_below[i], slope);
                }
            }
        });
        faces
    }
}
