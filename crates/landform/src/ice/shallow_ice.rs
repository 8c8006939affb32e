//! Ice that flows under its own weight: the shallow-ice approximation.
//!
//! ```text
//! ∂H/∂t = ∇·(D∇s) + a       D = (ρg)³·S²·(f_d·H⁵ + f_s·H³)       a = clamp(β·(s − ELA), −8, most)
//! ```
//!
//! H thickness (m), s surface (m), S its slope, D diffusivity (m²/a), f_d deformation and f_s sliding (Braun et al. 1999), a balance (m/a),
//! ELA the equilibrium line. H in D is that of the higher sample, so bare ground gives no ice. Steps are implicit, one
//! [direction](super::alternating_directions) after the other, and last as long as the fastest ice takes to the next sample.
//!
//! The law is meant for gentle slopes. On mountains three limits keep it sane: S counts up to 0.6, ice moves at 120 m/a at the most, and D
//! is averaged with that of the step before. Ice that the implicit step takes from a sample without any is a debt (H < 0), which the next
//! inflow pays: nothing is clipped, and the volume closes.
//!
//! Beyond the border lies the same slope again: ice leaves where its surface falls outwards, and nothing enters. Ice that would float calves.

use super::alternating_directions::{Faces, diffuse};
use crate::{Cancelled, Ctx, par};

/// (ρg)³·f_d, in 1/(m³·a): f_d = 1.9e−24 /(Pa³·s).
const DEFORMATION: f32 = 4.37e-5;
/// (ρg)³·f_s, in 1/(m·a): f_s = 1.1e−19 m²/(Pa³·s).
const SLIDING: f32 = 2.53;
/// f_s / f_d in m²: the share of sliding in the flow is this over itself plus H².
const SLIDING_OVER_DEFORMATION: f32 = SLIDING / DEFORMATION;
/// Steepest slope of the surface that counts.
const STEEPEST: f32 = 0.6;
/// Fastest ice, in m/a.
const FASTEST: f32 = 120.0;
/// Largest diffusivity, in m²/a.
const MOST_DIFFUSIVE: f32 = 4e5;
/// Thickest ice in the law of flow, in m: more than any on Earth.
const THICKEST: f32 = 5000.0;
/// Most melt, in m/a.
const MOST_MELT: f32 = 8.0;
/// Melt of ice that would float, in m/a.
const CALVING: f32 = 30.0;
/// Density of the sea over that of ice.
const FLOATS: f32 = 1.12;

/// What grows and melts ice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Balance {
    /// Where it snows as much as melts, in m.
    pub(super) line: f32,
    /// β, in 1/a.
    pub(super) gradient: f32,
    /// Most growth, in m/a.
    pub(super) most: f32,
    /// Level of the sea, in m.
    pub(super) sea: f32,
}

impl Balance {
    #[inline]
    fn at(&self, bed: f32, thickness: f32, shade: f32) -> f32 {
        if thickness < FLOATS * (self.sea - bed) {
            return -CALVING;
        }
        (self.gradient * (bed + thickness - self.line + shade)).clamp(-MOST_MELT, self.most)
    }
}

/// Volumes, as depths summed over samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Budget {
    /// What snow has brought.
    pub(super) grown: f64,
    /// What has melted.
    pub(super) melted: f64,
    /// What has left by the border.
    pub(super) left: f64,
}

/// Ice on a bed.
#[derive(Clone, Debug)]
pub(super) struct Ice {
    pub(super) size: [usize; 2],
    pub(super) spacing: [f32; 2],
    pub(super) bed: Vec<f32>,
    /// H; below 0 a debt.
    pub(super) thickness: Vec<f32>,
    /// How much lower the equilibrium line lies, in m.
    pub(super) shade: Vec<f32>,
    pub(super) budget: Budget,
    faces: Faces,
    surface: Vec<f32>,
    /// Sums of the fluxes through the faces to the east and to the south, in m² a step.
    flux: [Vec<f32>; 2],
    /// Steps in these sums.
    steps: u32,
}

impl Ice {
    pub(super) fn new(size: [usize; 2], spacing: [f32; 2], bed: Vec<f32>) -> Self {
        let len = bed.len();
        Self {
            size,
            spacing,
            surface: bed.clone(),
            bed,
            shade: vec![0.0; len],
            thickness: vec![0.0; len],
            budget: Budget::default(),
            faces: Faces::closed(size),
            flux: [vec![0.0; len], vec![0.0; len]],
            steps: 0,
        }
    }

    /// Years of a step.
    pub(super) fn step_years(&self) -> f32 {
        self.spacing[0].min(self.spacing[1]) / FASTEST
    }

    /// The surface of the ice, or the bed where there is none, as [`Self::settle`] has found it.
    pub(super) fn surface(&self) -> &[f32] {
        &self.surface
    }

    /// Finds the surface again.
    pub(super) fn settle(&mut self) {
        let (bed, thickness) = (&self.bed, &self.thickness);
        let width = self.size[0];
        par::for_each_row(&mut self.surface, width, |j, row| {
            let (bed, thickness) = (&bed[j * width..], &thickness[j * width..]);
            for ((surface, bed), depth) in row.iter_mut().zip(bed).zip(thickness) {
                *surface = bed + depth.max(0.0);
            }
        });
    }

    /// Some steps. The surface is then settled.
    pub(super) fn flow(
        &mut self,
        steps: u32,
        balance: &Balance,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        for step in 0..steps {
            ctx.progress(step as f32 / steps as f32)?;
            self.step(balance, ctx)?;
        }
        self.settle();
        Ok(())
    }

    fn step(&mut self, balance: &Balance, ctx: &Ctx<'_>) -> Result<(), Cancelled> {
        self.settle();
        self.conduct();
        self.border();
        let mut surface = std::mem::take(&mut self.surface);
        let left = diffuse(&mut surface, Some(&mut self.thickness), &self.faces, self.size, ctx)?;
        self.surface = surface;
        self.budget.left += left;
        self.gather_flux();
        self.melt_and_grow(balance);
        Ok(())
    }

    /// Conductances of the faces.
    fn conduct(&mut self) {
        let [width, height] = self.size;
        let [dx, dz] = self.spacing;
        let years = self.step_years();
        let (surface, thickness) = (&self.surface, &self.thickness);
        let at = |i: usize, j: usize| surface[j * width + i];
        let face = |own: Spot, other: Spot, along: f32, across: f32, step: f32| {
            let squared = (along * along + across * across).min(STEEPEST * STEEPEST);
            let upper = if own.surface >= other.surface { own } else { other };
            let depth = upper.thickness.clamp(0.0, THICKEST);
            let cubed = depth * depth * depth;
            let law = squared * cubed * (DEFORMATION * depth * depth + SLIDING);
            let limit = FASTEST * depth / squared.sqrt().max(1e-4);
            law.min(limit).min(MOST_DIFFUSIVE) * (years / (step * step))
        };
        let spot = |k: usize| Spot { surface: surface[k], thickness: thickness[k] };
        par::for_each_row_of_two(
            &mut self.faces.east,
            &mut self.faces.south,
            width,
            |j, east, south| {
                let (north, below) = (j.saturating_sub(1), (j + 1).min(height - 1));
                for i in 0..width {
                    let (west, next) = (i.saturating_sub(1), (i + 1).min(width - 1));
                    let k = j * width + i;
                    let own = spot(k);
                    if i + 1 < width {
                        let other = spot(k + 1);
                        let mut new = 0.0;
                        if own.thickness > 0.0 || other.thickness > 0.0 {
                            let across =
                                at(i, below) - at(i, north) + at(next, below) - at(next, north);
                            let along = (other.surface - own.surface) / dx;
                            new = face(own, other, along, across / (4.0 * dz), dx);
                        }
                        east[i] = 0.5 * (east[i] + new);
                    }
                    if j + 1 < height {
                        let other = spot(k + width);
                        let mut new = 0.0;
                        if own.thickness > 0.0 || other.thickness > 0.0 {
                            let across =
                                at(next, j) - at(west, j) + at(next, below) - at(west, below);
                            let along = (other.surface - own.surface) / dz;
                            new = face(own, other, along, across / (4.0 * dx), dz);
                        }
                        south[i] = 0.5 * (south[i] + new);
                    }
                }
            },
        );
    }

    /// What the border takes: ice leaves as fast as it comes from the last face inside.
    fn border(&mut self) {
        let [width, height] = self.size;
        let Self { faces, surface, thickness, .. } = self;
        let share = |edge: usize, inner: usize, face: f32| {
            let drop = surface[inner] - surface[edge];
            let depth = thickness[edge];
            if drop > 0.0 && depth > 0.0 { (face * drop / depth).min(1.0) } else { 0.0 }
        };
        if width > 1 {
            for j in 0..height {
                let row = j * width;
                faces.border[0][j] = share(row, row + 1, faces.east[row]);
                let last = row + width - 1;
                faces.border[1][j] = share(last, last - 1, faces.east[last - 1]);
            }
        }
        if height > 1 {
            let last = (height - 1) * width;
            for i in 0..width {
                faces.border[2][i] = share(i, i + width, faces.south[i]);
                faces.border[3][i] =
                    share(last + i, last + i - width, faces.south[last + i - width]);
            }
        }
    }

    /// Adds the fluxes of this step to the sums.
    fn gather_flux(&mut self) {
        let [width, height] = self.size;
        let (surface, faces) = (&self.surface, &self.faces);
        let [east, south] = &mut self.flux;
        par::for_each_row_of_two(east, south, width, |j, east, south| {
            let row = j * width;
            for i in 0..width - 1 {
                let k = row + i;
                east[i] += faces.east[k] * (surface[k] - surface[k + 1]);
            }
            if j + 1 < height {
                for i in 0..width {
                    let k = row + i;
                    south[i] += faces.south[k] * (surface[k] - surface[k + width]);
                }
            }
        });
        self.steps += 1;
    }

    fn melt_and_grow(&mut self, balance: &Balance) {
        let years = self.step_years();
        let width = self.size[0];
        let (bed, shade) = (&self.bed, &self.shade);
        let tallies = par::map_parts(&mut self.thickness, width, 16, |part, rows| {
            let (mut grown, mut melted) = (0.0_f64, 0.0_f64);
            for (line, row) in rows.chunks_mut(width).enumerate() {
                let first = (part * 16 + line) * width;
                // Sums of a row in f32 would lose the volume's last digits.
                for (i, depth) in row.iter_mut().enumerate() {
                    let change =
                        years * balance.at(bed[first + i], depth.max(0.0), shade[first + i]);
                    let old = *depth;
                    *depth =
                        if change >= 0.0 { old + change } else { (old + change).max(old.min(0.0)) };
                    let real = f64::from(*depth) - f64::from(old);
                    grown += real.max(0.0);
                    melted -= real.min(0.0);
                }
            }
            (grown, melted)
        });
        for (grown, melted) in tallies {
            self.budget.grown += grown;
            self.budget.melted += melted;
        }
    }

    /// Mean fluxes since the last call.
    pub(super) fn take_flux(&mut self) -> Flux {
        let years = self.step_years();
        let scale = 1.0 / (self.steps.max(1) as f32 * years);
        self.steps = 0;
        let mut taken = |axis: usize, step: f32| {
            let sums = &mut self.flux[axis];
            let mean = sums.iter().map(|sum| sum * scale * step).collect();
            sums.fill(0.0);
            mean
        };
        let [dx, dz] = self.spacing;
        Flux { east: taken(0, dx), south: taken(1, dz) }
    }

    /// Melt of a sample, in m/a; 0 where ice grows.
    pub(super) fn melt_at(&self, k: usize, balance: &Balance) -> f32 {
        (-balance.at(self.bed[k], self.thickness[k].max(0.0), self.shade[k])).max(0.0)
    }

    /// Sum of the thickness, with debts.
    pub(super) fn volume(&self) -> f64 {
        self.thickness.iter().map(|&depth| f64::from(depth)).sum()
    }
}

/// Mean fluxes through the faces of some steps, in m²/a.
#[derive(Clone, Debug)]
pub(super) struct Flux {
    pub(super) east: Vec<f32>,
    pub(super) south: Vec<f32>,
}

impl Flux {
    /// The flux at a sample: the mean of the faces on both sides. At the border that of the one inside.
    #[inline]
    pub(super) fn at(&self, [width, height]: [usize; 2], [i, j]: [usize; 2]) -> [f32; 2] {
        let k = j * width + i;
        let mean =
            |faces: &[f32], before: Option<usize>, after: Option<usize>| match (before, after) {
                (Some(before), Some(after)) => 0.5 * (faces[before] + faces[after]),
                (Some(one), None) | (None, Some(one)) => faces[one],
                (None, None) => 0.0,
            };
        [
            mean(&self.east, (i > 0).then(|| k - 1), (i + 1 < width).then_some(k)),
            mean(&self.south, (j > 0).then(|| k - width), (j + 1 < height).then_some(k)),
        ]
    }

    /// What leaves by the border from a sample, in m³/a: as much as comes from the last face inside.
    pub(super) fn beyond(&self, size: [usize; 2], k: usize, [dx, dz]: [f32; 2]) -> f32 {
        let [width, height] = size;
        let (i, j) = (k % width, k / width);
        let [x, z] = self.at(size, [i, j]);
        let mut out = 0.0;
        if i == 0 {
            out += dz * (-x).max(0.0);
        }
        if i + 1 == width {
            out += dz * x.max(0.0);
        }
        if j == 0 {
            out += dx * (-z).max(0.0);
        }
        if j + 1 == height {
            out += dx * z.max(0.0);
        }
        out
    }
}

/// The share of the flow that slides over the bed.
#[inline]
pub(super) fn sliding_share(depth: f32) -> f32 {
    SLIDING_OVER_DEFORMATION / (SLIDING_OVER_DEFORMATION + depth * depth)
}

#[derive(Clone, Copy)]
struct Spot {
    surface: f32,
    thickness: f32,
}
