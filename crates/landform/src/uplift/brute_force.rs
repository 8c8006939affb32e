//! The Uplift Model taken literally: every cone at every sample.
//!
//! [`height_at`] and [`gradient_at`] are the law itself, at any point. [`plain`] and [`culled`] fill a
//! lattice with it; they are what the far field is tested against and measured against.

use fearless_simd::{Level, Simd, dispatch, f32x16, f64x8, prelude::*};

use super::{Cone, Curve};
use crate::{Extent, par};

/// Height of the terrain at a point, in metres.
pub fn height_at(cones: &[Cone], curve: Curve, divisor: f64, x: f64, z: f64) -> f64 {
    cones.iter().fold(0.0, |sum, cone| sum + cone.height_at(x, z, curve)) / divisor
}

/// Slope (∂y/∂x, ∂y/∂z) of the terrain at a point. A cone adds nothing at its apex nor on its rim, where it
/// has no slope of its own.
pub fn gradient_at(cones: &[Cone], curve: Curve, divisor: f64, x: f64, z: f64) -> [f64; 2] {
    let mut sum = [0.0; 2];
    for cone in cones {
        let slope = cone.gradient_at(x, z, curve);
        sum = [sum[0] + slope[0], sum[1] + slope[1]];
    }
    sum.map(|slope| slope / divisor)
}

/// The cones in an order that depends on nothing but the set of them.
pub(super) fn sorted(cones: &[Cone]) -> Vec<Cone> {
    let mut sorted = cones.to_vec();
    sorted.sort_unstable_by(|a, b| {
        a.x.total_cmp(&b.x)
            .then(a.z.total_cmp(&b.z))
            .then(a.height.total_cmp(&b.height))
            .then(a.radius.total_cmp(&b.radius))
    });
    sorted
}

/// Evaluates a row of an extent in f64, eight samples at once. A cone that does not reach the row is
/// skipped: it would add 0.
pub(super) fn fill_row(
    (cones, curve, divisor): (&[Cone], Curve, f64),
    extent: &Extent,
    j: usize,
    row: &mut [f32],
) {
    let z = extent.z(j);
    let reaches = |cone: &&Cone| curve == Curve::InvertedV || (cone.z - z).abs() < cone.radius;
    let cones: Vec<Cone> = cones.iter().filter(reaches).copied().collect();
    let floor = if curve == Curve::Tent { 0.0 } else { f64::NEG_INFINITY };
    for (k, samples) in row.chunks_mut(8).enumerate() {
        let x: [f64; 8] = std::array::from_fn(|lane| extent.x(8 * k + lane));
        let sums = dispatch!(Level::new(), simd => sum_eight(simd, &cones, floor, x, z));
        for (sample, sum) in samples.iter_mut().zip(sums) {
            *sample = (sum / divisor) as f32;
        }
    }
}

fn sum_eight<S: Simd>(simd: S, cones: &[Cone], floor: f64, x: [f64; 8], z: f64) -> [f64; 8] {
    simd.vectorize(
        #[inline(always)]
        || {
            let x = f64x8::simd_from(simd, x);
            let (one, floor) = (f64x8::splat(simd, 1.0), f64x8::splat(simd, floor));
            let mut sum = f64x8::splat(simd, 0.0);
            for cone in cones {
                let (dx, dz) = (x - cone.x, z - cone.z);
                let distance = (dx * dx + dz * dz).sqrt();
                let share = (one - distance * (1.0 / cone.radius)).max(floor);
                sum += share * cone.height;
            }
            sum.to_array()
        },
    )
}

/// Evaluates an extent in f64: the oracle.
pub fn plain(cones: &[Cone], curve: Curve, divisor: f64, extent: &Extent) -> Vec<f64> {
    let width = extent.width();
    let mut heights = vec![0.0; extent.len()];
    par::for_each_row(&mut heights, width, |j, row| {
        for (i, height) in row.iter_mut().enumerate() {
            *height = height_at(cones, curve, divisor, extent.x(i), extent.z(j));
        }
    });
    heights
}

/// Side of the tiles of [`culled`], in samples.
const TILE: usize = 64;

/// Evaluates an extent in f32, sixteen samples at once: in each tile of 64 × 64 samples only the cones that
/// touch it. The best that can be done without approximation, hence the measure for the far field.
/// Tents only.
pub fn culled(cones: &[Cone], divisor: f64, extent: &Extent, out: &mut [f32]) {
    let width = extent.width();
    par::for_each_part(out, width, TILE, |k, rows| {
        let rows_of_tile = extent.rows(k * TILE, rows.len() / width);
        dispatch!(Level::new(), simd => cull_strip(simd, cones, divisor, &rows_of_tile, rows));
    });
}

/// A cone relative to a tile, as f32.
#[derive(Clone, Copy)]
struct Local {
    x: f32,
    z: f32,
    height: f32,
    slope: f32,
}

fn cull_strip<S: Simd>(simd: S, cones: &[Cone], divisor: f64, extent: &Extent, out: &mut [f32]) {
    let width = extent.width();
    let rows = out.len() / width;
    let spacing = extent.lattice().spacing;
    let top = extent.z(0);
    let bottom = extent.z(rows - 1);
    let of_strip: Vec<&Cone> = cones
        .iter()
        .filter(|cone| cone.z + cone.radius > top && cone.z - cone.radius < bottom)
        .collect();
    let mut locals = Vec::new();
    for first in (0..width).step_by(TILE) {
        let columns = TILE.min(width - first);
        let (left, right) = (extent.x(first), extent.x(first + columns - 1));
        locals.clear();
        for cone in &of_strip {
            let dx = (left - cone.x).max(cone.x - right).max(0.0);
            let dz = (top - cone.z).max(cone.z - bottom).max(0.0);
            if dx * dx + dz * dz < cone.radius * cone.radius {
                let height = cone.height / divisor;
                locals.push(Local {
                    x: (left - cone.x) as f32,
                    z: (top - cone.z) as f32,
                    height: height as f32,
                    slope: (height / cone.radius) as f32,
                });
            }
        }
        for j in 0..rows {
            let row = &mut out[j * width + first..j * width + first + columns];
            sum_row(simd, &locals, [spacing[0] as f32, (j as f64 * spacing[1]) as f32], row);
        }
    }
}

/// Sums all cones over one row of a tile, in registers.
fn sum_row<S: Simd>(simd: S, locals: &[Local], [step, down]: [f32; 2], row: &mut [f32]) {
    simd.vectorize(
        #[inline(always)]
        || {
            let zero = f32x16::splat(simd, 0.0);
            let x: [f32x16<S>; 4] = std::array::from_fn(|part| {
                f32x16::from_fn(simd, |k| (16 * part + k) as f32) * step
            });
            let mut sums = [zero; 4];
            for local in locals {
                let z = local.z + down;
                let z2 = z * z;
                for part in 0..4 {
                    let dx = x[part] + local.x;
                    let distance = (dx * dx + z2).sqrt();
                    let height = f32x16::splat(simd, local.height) - distance * local.slope;
                    sums[part] += height.max(zero);
                }
            }
            let mut samples = [0.0; TILE];
            for part in 0..4 {
                sums[part].store_slice(&mut samples[16 * part..16 * part + 16]);
            }
            row.copy_from_slice(&samples[..row.len()]);
        },
    );
}
