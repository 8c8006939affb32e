//! How fast ice wears its bed, and frost the walls above it.
//!
//! ```text
//! Ė = K·u_0·(u/u_0)^1.25·p(g)            u sliding speed, u_0 = 40 m/a, K·u_0 = 8 mm/a, at most 8 mm/a
//! u = f_s/(f_s + f_d·H²)·q/H             q mean flux of ice (m²/a), slowed softly towards 25 m/a
//! p = 1 + 1.5·g, or 1/(1 + g²/0.1²)      g fall of the bed along the flow: above 0, or below
//! ```
//!
//! Ice plucks steps where its bed falls. Where the bed rises, meltwater freezes and sediment stays, so basins keep a bounded depth
//! (Alley et al. 2003). The speed is the mean of all steps since the last round: single steps flicker. Rates are spread over a sample or two.
//!
//! Frost breaks walls that stand steeply over a glacier, which carries the rock away: walls retreat, cirques widen, and ridges between them sharpen.
//! Without it ice deepens valleys and leaves their heads as rivers made them (MacGregor, Anderson & Waddington 2009).

use super::shallow_ice::{Flux, Ice, sliding_share};
use crate::par;

/// K·u_0 in m/a, and u_0 in m/a.
const RATE: f32 = 8e-3;
const USUAL_SPEED: f32 = 40.0;
/// Most erosion, in m/a.
const MOST: f32 = 8e-3;
/// Speed that sliding comes near to, in m/a: the lower, the more evenly the floor of a trough is worn.
const FASTEST: f32 = 25.0;
/// How much more a bed wears that falls along the flow.
const PLUCKING: f32 = 1.5;
/// Slope of a rising bed that halves erosion.
const ADVERSE: f32 = 0.10;
/// Samples along the border that wear as fast as the ice next to them, as if the land went on.
const MARGIN: usize = 4;
/// Fastest lowering of walls by frost, in m/a; slopes that are not worn, and that are worn the most.
const FROST: f32 = 3e-3;
const GENTLE: f32 = 0.45;
const STEEP: f32 = 1.0;

/// How much ice and frost count; 1 is usual.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strength {
    pub(super) ice: f32,
    pub(super) frost: f32,
}

/// Lowering of the bed on the lattice of the ice, in m/a.
pub(super) fn rates(ice: &Ice, flux: &Flux, strength: Strength) -> Vec<f32> {
    let [width, height] = ice.size;
    let mut rates = vec![0.0_f32; width * height];
    par::for_each_row(&mut rates, width, |j, row| {
        for (i, rate) in row.iter_mut().enumerate() {
            if ice.thickness[j * width + i] > 0.0 {
                *rate = strength.ice * abrasion(ice, flux, [i, j]);
            }
        }
    });
    for _ in 0..2 {
        let spread = smooth(&rates, ice.size);
        let thickness = &ice.thickness;
        par::for_each_row(&mut rates, width, |j, row| {
            for (i, rate) in row.iter_mut().enumerate() {
                *rate = if thickness[j * width + i] > 0.0 { spread[j * width + i] } else { 0.0 };
            }
        });
    }
    continue_to_border(&mut rates, ice.size);
    add_frost(&mut rates, ice, strength.frost);
    rates
}

fn abrasion(ice: &Ice, flux: &Flux, [i, j]: [usize; 2]) -> f32 {
    let k = j * ice.size[0] + i;
    let depth = ice.thickness[k];
    let [x, z] = flux.at(ice.size, [i, j]);
    let amount = (x * x + z * z).sqrt();
    if amount <= 0.0 {
        return 0.0;
    }
    let [slope_x, slope_z] = slopes(&ice.bed, ice, [i, j]);
    let fall = -(slope_x * x + slope_z * z) / amount;
    let speed = sliding_share(depth) * amount / depth.max(10.0) * depth / (depth + 20.0);
    let speed = speed / (1.0 + speed / FASTEST);
    let ratio = speed / USUAL_SPEED;
    // ratio^1.25
    let law = RATE * ratio * ratio.sqrt().sqrt();
    let plucked = if fall > 0.0 {
        1.0 + PLUCKING * fall.min(0.6)
    } else {
        1.0 / (1.0 + fall * fall / (ADVERSE * ADVERSE))
    };
    (law * plucked).min(MOST)
}

/// Slopes of a quantity to the east and to the south.
#[inline]
pub(super) fn slopes(levels: &[f32], ice: &Ice, [i, j]: [usize; 2]) -> [f32; 2] {
    let [width, height] = ice.size;
    let at = |i: usize, j: usize| levels[j * width + i];
    let (west, east) = (i.saturating_sub(1), (i + 1).min(width - 1));
    let (north, south) = (j.saturating_sub(1), (j + 1).min(height - 1));
    let run = |from: usize, to: usize, step: f32| step * (to - from).max(1) as f32;
    [
        (at(east, j) - at(west, j)) / run(west, east, ice.spacing[0]),
        (at(i, south) - at(i, north)) / run(north, south, ice.spacing[1]),
    ]
}

/// Gives a band along the border the rates next to it.
fn continue_to_border(rates: &mut [f32], size: [usize; 2]) {
    let [width, height] = size;
    let inside = |at: usize, count: usize| {
        let margin = MARGIN.min((count - 1) / 2);
        at.clamp(margin, count - 1 - margin)
    };
    for j in 0..height {
        for i in 0..width {
            let (x, z) = (inside(i, width), inside(j, height));
            if (x, z) != (i, j) {
                rates[j * width + i] = rates[z * width + x];
            }
        }
    }
}

/// Adds the retreat of walls, as lowering.
fn add_frost(rates: &mut [f32], ice: &Ice, strength: f32) {
    let [width, _] = ice.size;
    let mut near: Vec<f32> = ice.thickness.iter().map(|depth| depth.clamp(0.0, 100.0)).collect();
    for _ in 0..2 {
        near = smooth(&near, ice.size);
    }
    par::for_each_row(rates, width, |j, row| {
        for (i, rate) in row.iter_mut().enumerate() {
            let k = j * width + i;
            let [x, z] = slopes(&ice.bed, ice, [i, j]);
            let slope = (x * x + z * z).sqrt();
            let steep = ((slope - GENTLE) / (STEEP - GENTLE)).clamp(0.0, 1.0);
            let bare = 1.0 / (1.0 + ice.thickness[k].max(0.0) / 30.0);
            *rate += strength * FROST * steep * bare * near[k] / (near[k] + 20.0);
        }
    });
}

/// A binomial filter over 3 × 3 samples.
pub(super) fn smooth(samples: &[f32], [width, height]: [usize; 2]) -> Vec<f32> {
    let mut out = vec![0.0_f32; samples.len()];
    par::for_each_part(&mut out, width, 8, |part, rows| {
        let mut sums = vec![0.0_f32; width];
        for (k, out) in rows.chunks_mut(width).enumerate() {
            let j = part * 8 + k;
            let row = |j: usize| &samples[j * width..][..width];
            let (north, here, south) =
                (row(j.saturating_sub(1)), row(j), row((j + 1).min(height - 1)));
            for (sum, ((north, here), south)) in
                sums.iter_mut().zip(north.iter().zip(here).zip(south))
            {
                *sum = 0.25 * (north + south) + 0.5 * here;
            }
            for (i, out) in out.iter_mut().enumerate() {
                let (west, east) = (sums[i.saturating_sub(1)], sums[(i + 1).min(width - 1)]);
                *out = 0.25 * (west + east) + 0.5 * sums[i];
            }
        }
    });
    out
}
