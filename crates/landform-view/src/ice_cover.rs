//! Ice on the ground: which share of each pixel it covers, and its surface.

use landform::{Grid, Layer, Terrain};

use crate::color::smoothstep;
use crate::resample::resample;

/// Thickness of ice in metres: thinner than the first it does not show, thicker than the second it hides the ground.
const SHOWS: [f32; 2] = [2.0, 12.0];

/// Colour of ice on maps and in views.
pub(crate) const ICE: u32 = 0xE4_EFF5;

/// The share of each pixel, 0 to 1, that is ice. Nothing if there is none.
pub(crate) fn ice_cover(terrain: &Terrain, width: usize, height: usize) -> Option<Grid> {
    let ice = terrain.layer(&Layer::Ice)?;
    let covers = |&depth: &f32| smoothstep(SHOWS[0], SHOWS[1], depth);
    if ice.samples().iter().all(|depth| covers(depth) == 0.0) {
        return None;
    }
    Some(resample(&ice.map(covers), width, height))
}

/// Adds the ice to the heights of its bed; `false` if there is none.
pub(crate) fn raise_by_ice(terrain: &Terrain, height: &mut Grid) -> bool {
    let Some(ice) = terrain.layer(&Layer::Ice) else { return false };
    let is_there = ice.samples().iter().any(|&depth| depth > 0.0);
    if is_there {
        height.samples_mut().iter_mut().zip(ice.samples()).for_each(|(h, &depth)| *h += depth);
    }
    is_there
}
