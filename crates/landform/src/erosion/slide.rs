//! One step of sliding: what stands steeper than a limit moves to the lower neighbour.
//!
//! ```text
//! a_v' = a_v + Σ_u k_u·(over(a_u − a_v) − over(a_v − a_u))
//! over(d) = d − 0.99·t_u where d > t_u, else 0              t_u = tan α·|u − v|
//! ```
//!
//! (what slides comes to rest a little below the limit, so it ends after some steps),
//! and for loose material of depth c on top of it, which creeps down any slope,
//!
//! ```text
//! a_v' = … + creep·Σ_u k_u·(min(c_u, max(0, a_u − a_v)) − min(c_v, max(0, a_v − a_u)))
//! ```
//!
//! over the eight neighbours (Musgrave, Kolb & Mace 1989): k is 1/8 for the four nearest and 1/16 for the diagonal
//! ones, so no step overshoots. t_u grows with the distance, also where Δx ≠ Δz, so the limit is a slope and not a
//! difference. What one sample gains its neighbour loses, so the volume is kept. As in [`runoff`](super::runoff)
//! a sample gathers, opposite neighbours are added first, and the bits do not depend on direction, threads or
//! SIMD width.

use fearless_simd::{Level, Simd, dispatch, f32x8, prelude::*};

use super::flux::{Around, LANES, lanes_mut, load, shown, store};
use super::ground::RockLattice;
use crate::{Cancelled, Ctx, math, par};

/// What slides comes to rest at this share of the limit: moves stay larger than rounding, and they end.
const REST: f32 = 0.99;

/// Rows that one task updates.
const BAND: usize = 64;

/// The greatest differences that stand, to neighbours along x, along z and diagonally, in metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits(pub(super) [f32; 3]);

impl Limits {
    /// For a slope given as rise over run.
    pub(super) fn new(slope: f64, [dx, dz]: [f64; 2]) -> Self {
        Self([dx, dz, math::length(dx, dz)].map(|distance| (slope * distance) as f32))
    }
}

/// What slides, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sliding {
    pub(super) limits: Limits,
    /// From 0 to 1.
    pub(super) creep: f32,
}

/// Lets everything slide for one step: changes `change`, and `cover`, the loose part of it.
///
/// # Errors
/// Only by cancellation.
pub(super) fn slide(
    change: &mut [f32],
    cover: &mut [f32],
    ground: &RockLattice<'_>,
    sliding: Sliding,
    ctx: &Ctx<'_>,
) -> Result<(), Cancelled> {
    let simd = Level::new();
    let stride = ground.stride();
    let height = ground.base.height();
    let edges = par::map(height.div_ceil(BAND), |band| {
        let end = ((band + 1) * BAND).min(height);
        [(band * BAND).checked_sub(1), (end < height).then_some(end)].map(|row| {
            let mut shown = Row::new(stride);
            if let Some(j) = row {
                let at = j * stride..(j + 1) * stride;
                shown.show(ground, j, &change[at.clone()], &cover[at]);
            }
            shown
        })
    });
    let length = BAND * stride;
    let mut parts: Vec<_> = change.chunks_mut(length).zip(cover.chunks_mut(length)).collect();
    par::try_for_each_part(&mut parts, 1, 1, |band, part| {
        ctx.check()?;
        let (change, cover) = &mut part[0];
        dispatch!(simd, s => advance(s, change, cover, ground, sliding, band * BAND, &edges[band]));
        Ok(())
    })
}

/// Whether nothing stands steeper than the limits.
pub(super) fn is_settled(
    change: &[f32],
    ground: &RockLattice<'_>,
    Limits([x, z, d]): Limits,
) -> bool {
    let stride = ground.stride();
    let (width, height) = (ground.width, ground.base.height());
    let row_of = |j: usize| -> Vec<f32> {
        let change = &change[j * stride..j * stride + width];
        ground.base.row(j).iter().zip(change).map(|(base, change)| base + change).collect()
    };
    par::map(height, |j| {
        let here = row_of(j);
        let below = if j + 1 < height { row_of(j + 1) } else { here.clone() };
        let steep = |a: &[f32], b: &[f32], limit: f32| {
            a.iter().zip(b).any(|(a, b)| a - b > limit || b - a > limit)
        };
        // Of a row that is its own neighbour every difference is 0, or one along x, and x is below d.
        steep(&here, &here[1..], x)
            || steep(&here, &below, z)
            || steep(&here, &below[1..], d)
            || steep(&here[1..], &below, d)
    })
    .into_iter()
    .all(|is_steep| !is_steep)
}

/// A row as its neighbours see it; one sample more on the left and a group more on the right, of no area.
struct Row {
    altitude: Vec<f32>,
    area: Vec<f32>,
    /// How readily it slides, from 0 to 1.
    mobility: Vec<f32>,
    /// Depth of what creeps.
    cover: Vec<f32>,
}

impl Row {
    /// A row that takes no part.
    fn new(stride: usize) -> Self {
        let zeros = || vec![0.0; shown(stride)];
        Self { altitude: zeros(), area: zeros(), mobility: zeros(), cover: zeros() }
    }

    #[inline(always)]
    fn show(&mut self, ground: &RockLattice<'_>, j: usize, change: &[f32], cover: &[f32]) {
        let width = ground.width;
        let base = &ground.base.row(j)[..width];
        let area_z = ground.area_z[j];
        let (change, area_x) = (&change[..width], &ground.area_x[..width]);
        let (altitude, area) = (&mut self.altitude[1..=width], &mut self.area[1..=width]);
        for i in 0..width {
            altitude[i] = base[i] + change[i];
            area[i] = area_x[i] * area_z;
        }
        self.cover[1..=width].copy_from_slice(&cover[..width]);
        ground.fill_mobility(j, &mut self.mobility[1..=width]);
    }
}

#[inline(always)]
fn advance<S: Simd>(
    simd: S,
    change: &mut [f32],
    cover: &mut [f32],
    ground: &RockLattice<'_>,
    sliding: Sliding,
    first: usize,
    [top, bottom]: &[Row; 2],
) {
    let stride = ground.stride();
    let rows = change.len() / stride;
    let [mut above, mut here, mut below] = [(); 3].map(|()| Row::new(stride));
    here.show(ground, first, &change[..stride], &cover[..stride]);
    for j in 0..rows {
        let next = if j + 1 < rows {
            let at = (j + 1) * stride..(j + 2) * stride;
            below.show(ground, first + j + 1, &change[at.clone()], &cover[at]);
            &below
        } else {
            bottom
        };
        let at = j * stride..(j + 1) * stride;
        let around = [if j == 0 { top } else { &above }, &here, next];
        update(simd, &mut change[at.clone()], &mut cover[at], around, sliding);
        std::mem::swap(&mut above, &mut here);
        std::mem::swap(&mut here, &mut below);
    }
}

/// Samples at one offset from those of a row: altitude, mobility, cover and area.
type Side<S> = [f32x8<S>; 4];

#[inline(always)]
fn update<S: Simd>(
    simd: S,
    change: &mut [f32],
    cover: &mut [f32],
    [above, here, below]: [&Row; 3],
    Sliding { limits: Limits(limits), creep }: Sliding,
) {
    let count = change.len() / LANES;
    let altitude = Around::new([&above.altitude, &here.altitude, &below.altitude], count);
    let mobility = Around::new([&above.mobility, &here.mobility, &below.mobility], count);
    let loose = Around::new([&above.cover, &here.cover, &below.cover], count);
    let area = Around::new([&above.area, &here.area, &below.area], count);
    let (change, cover) = (lanes_mut(change, 0, count), lanes_mut(cover, 0, count));
    let [limit_x, limit_z, limit_d] = limits.map(|limit| f32x8::splat(simd, limit));
    let (near, far) = (f32x8::splat(simd, 0.125), f32x8::splat(simd, 0.0625));
    let creep = f32x8::splat(simd, creep);
    for k in 0..count {
        // Written out: what is not inlined here, such as `map`, has narrower vectors.
        let (altitude, mobility) = (altitude.at(simd, k), mobility.at(simd, k));
        let (loose, area) = (loose.at(simd, k), area.at(simd, k));
        let side = |row: usize, column: usize| -> Side<S> {
            [altitude[row][column], mobility[row][column], loose[row][column], area[row][column]]
        };
        let [altitude, mobility, loose, _] = side(1, 1);
        let own = [altitude, mobility, loose, creep];
        let across = arriving(own, side(1, 0), limit_x) + arriving(own, side(1, 2), limit_x);
        let down = arriving(own, side(0, 1), limit_z) + arriving(own, side(2, 1), limit_z);
        let falling = arriving(own, side(0, 0), limit_d) + arriving(own, side(2, 2), limit_d);
        let rising = arriving(own, side(0, 2), limit_d) + arriving(own, side(2, 0), limit_d);
        let gain = near * (across + down) + far * (falling + rising);
        store(load(simd, &change[k]) + gain, &mut change[k]);
        store((load(simd, &cover[k]) + gain).max(0.0), &mut cover[k]);
    }
}

/// What arrives from a neighbour, or leaves to it.
#[inline(always)]
fn arriving<S: Simd>(
    [altitude, mobility, cover, creep]: [f32x8<S>; 4],
    side: Side<S>,
    limit: f32x8<S>,
) -> f32x8<S> {
    let simd = altitude.simd;
    let rise = side[0] - altitude;
    let fall = -rise;
    let zero = f32x8::splat(simd, 0.0);
    let rest = limit * REST;
    let risen = rise.simd_gt(limit).select(rise - rest, zero) * side[1];
    let fallen = fall.simd_gt(limit).select(fall - rest, zero) * mobility;
    let gain = risen + creep * rise.max(zero).min(side[2]);
    let loss = fallen + creep * fall.max(zero).min(cover);
    (gain - loss) * side[3]
}
