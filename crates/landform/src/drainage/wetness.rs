//! How wet the ground is: the water that gathers on it, and how high it lies above the nearest.

use super::compass::{Compass, NOWHERE};
use super::rivers::Streams;
use crate::{math, par};

/// Height above the water that each sample drains to (Rennó et al. 2008).
pub(super) fn depth_to_water(
    streams: &Streams<'_>,
    is_base: &[bool],
    surface: &[f32],
    in_lake: impl Fn(usize) -> bool,
) -> Vec<f32> {
    let Streams { compass, directions, order, discharge, least, .. } = *streams;
    let mut water = vec![0.0_f32; surface.len()];
    for &at in order.iter().rev() {
        let at = at as usize;
        let is_water =
            is_base[at] || directions[at] == NOWHERE || discharge[at] >= least || in_lake(at);
        water[at] = if is_water { surface[at] } else { water[compass.next(at, directions[at])] };
    }
    surface.iter().zip(&water).map(|(&h, &water)| h - water).collect()
}

/// The topographic wetness index (Beven & Kirkby 1979), from the number of samples upstream.
pub(super) fn wetness(upstream: &[f32], surface: &[f32], compass: &Compass) -> Vec<f32> {
    let side = compass.cell_area.sqrt();
    let of = |at: usize| {
        let steepest = compass
            .around(at)
            .map(|(direction, next)| {
                f64::from(surface[at] - surface[next])
                    / f64::from(compass.lengths[direction as usize])
            })
            .fold(1e-4, f64::max);
        math::ln(f64::from(upstream[at]) * side / steepest) as f32
    };
    let mut wetness = vec![0.0; surface.len()];
    par::for_each_row(&mut wetness, compass.width, |j, row| {
        row.iter_mut().enumerate().for_each(|(i, out)| *out = of(j * compass.width + i));
    });
    wetness
}
