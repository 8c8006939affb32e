//! Ways out of depressions at the end of a lattice: every pit is cut through, as far as rivers come in the time.
//!
//! ```text
//! cut = min(d, K·t·A^m·(d/L)^n)       d what dams the water up (m), t time (yr), A drainage area (m²), L side of a sample (m)
//! ```
//!
//! A step of height d is worn at the rate of the stream-power law: after a short time pits are left, after a long one none is. The
//! banks of a cut lie back.

use super::stream_power::{Landscape, Law};
use crate::drainage::banks::lay_back;
use crate::drainage::depressions::below;
use crate::math::power::power;

/// The least fall of the rivers at the end, rise over run.
const FALL: f32 = 1e-5;

/// Cuts a valley out of every depression, as far as the land can be cut in some `years`; as far as is needed where none are
/// given. What lies loose there goes first.
pub(super) fn lead_out(land: &mut Landscape, sediment: &mut [f32], law: &Law, years: Option<f64>) {
    let before = land.heights.clone();
    cut_out(land, law, years);
    let Landscape { heights, directions, is_base, compass, .. } = land;
    lay_back(heights, directions, &before, is_base, compass);
    for ((depth, now), before) in sediment.iter_mut().zip(&*heights).zip(before) {
        *depth = (*depth - (before - now)).max(0.0);
    }
}

fn cut_out(land: &mut Landscape, law: &Law, years: Option<f64>) {
    let (compass, cell_area) = (land.compass, land.compass.cell_area);
    let (m, n) = (law.area_exponent, law.slope_exponent);
    let per_step = years
        .map(|years| law.erodibility * years * power(cell_area, m) / power(cell_area.sqrt(), n));
    let directions = std::mem::take(&mut land.directions);
    let softness = land.softness.take();
    land.rework(|trees, heights| {
        for k in (0..heights.len()).rev() {
            let receiver = trees.receiver(k);
            if receiver == k {
                continue;
            }
            let direction = directions[trees.samples[k] as usize];
            let most = below(heights[k], FALL * compass.lengths[direction as usize]);
            let dam = heights[receiver] - most;
            if dam <= 0.0 {
                continue;
            }
            let next = trees.samples[receiver] as usize;
            heights[receiver] = match per_step {
                None => most,
                Some(scale) => {
                    let soft = softness.as_ref().map_or(1.0, |softness| f64::from(softness[next]));
                    let area = f64::from(trees.area[receiver]);
                    let cut = scale * soft * power(area, m) * power(f64::from(dam), n);
                    if cut >= f64::from(dam) { most } else { heights[receiver] - cut as f32 }
                }
            };
        }
    });
    (land.directions, land.softness) = (directions, softness);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ctx, Lattice};

    #[test]
    fn a_dam_is_cut_in_proportion_to_the_time_until_it_is_gone() {
        let lattice = Lattice { size: [9, 1], spacing: [10.0, 10.0] };
        let heights = vec![0.0, 2.0, 5.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
        let is_base: Vec<bool> = (0..9).map(|k| k == 0).collect();
        let law =
            Law { erodibility: 1e-5, area_exponent: 0.5, slope_exponent: 1.0, deposition: 0.0 };
        let cut = |years: Option<f64>| {
            let mut land = Landscape::new(&lattice, heights.clone(), vec![0.0; 9], is_base.clone());
            land.route(None, &Ctx::new(&(), "")).unwrap();
            lead_out(&mut land, &mut [0.0; 9], &law, years);
            5.0 - f64::from(land.heights[2])
        };
        // Seven samples of 100 m² drain over a dam of 2 m.
        let rate = 1e-5 * (700.0_f64).sqrt() * 2.0 / 10.0;
        for years in [10.0, 1e3, 1e4] {
            let found = cut(Some(years));
            assert!((found / (rate * years) - 1.0).abs() < 2e-3, "{years}: {found}");
        }
        assert!((cut(Some(1e6)) - 2.0).abs() < 1e-3 && (cut(None) - 2.0).abs() < 1e-3);
    }
}
