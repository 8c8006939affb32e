//! Hypsometric tints, bathymetry and shading: the map of an atlas.
//!
//! Land grows lighter with height and water lighter towards the shore, both in steady steps of lightness,
//! so the picture reads without telling red from green (after Imhof's "the higher, the lighter").

use std::sync::LazyLock;

use landform::{Grid, par};

use crate::color::{Ramp, Rgb, encode_with, encoder, linear, mix, smoothstep};
use crate::draw::Canvas;
use crate::ground::Ground;
use crate::hillshade::Hillshade;
use crate::sea::Sea;
use crate::sky_light::sky_light;

/// Land from the shore (0) to the summits (1).
pub(crate) static LAND: LazyLock<Ramp> = LazyLock::new(|| {
    Ramp::new(&[
        (0.0, 0x6E_8F6B),
        (0.10, 0x85_A372),
        (0.25, 0xA9_B681),
        (0.42, 0xC9_C294),
        (0.60, 0xD8_C5A2),
        (0.78, 0xDD_CFBC),
        (0.90, 0xE9_E4DE),
        (1.0, 0xFB_FAF8),
    ])
});

/// Water from the shore (0) to the deepest place (1).
pub(crate) static WATER: LazyLock<Ramp> = LazyLock::new(|| {
    Ramp::new(&[
        (0.0, 0xBF_DDE3),
        (0.12, 0x9C_C8D8),
        (0.35, 0x70_A7C6),
        (0.65, 0x4A_82AE),
        (1.0, 0x2E_5F93),
    ])
});

/// Rivers and lakes.
const INLAND: u32 = 0x4F_8FBF;

/// Where there is no height.
pub(crate) const MISSING: u32 = 0xD9_D6D0;

/// Draws the ground, one pixel per sample.
pub(crate) fn draw(ground: &Ground<'_>, hillshade: &Hillshade, inland: Option<&Grid>) -> Canvas {
    let (width, height) = (ground.heights.width(), ground.heights.height());
    let shader = hillshade.shader(ground);
    let shaded = shader.shade_all(ground);
    let level = shader.level().max(1e-6);
    // Deep valleys see less sky. Half of the exaggeration is enough: hollows must not turn black.
    let sky = sky_light(&ground.heights, ground.cell, 0.5 * shader.exaggeration, 8);
    let sea = Sea::of(ground);
    let tints = Tints::of(ground);
    let table = encoder();
    let mut pixels = Grid::filled(width, height, [0.0_f32; 3]);
    par::for_each_row(pixels.samples_mut(), width, |j, row| {
        for (i, out) in row.iter_mut().enumerate() {
            let light = shaded[(i, j)] / level;
            let at = |grid: &Grid| grid[(i, j)];
            let share = sea.as_ref().map_or(1.0, |sea| at(&sea.land));
            let mut color = [0.0; 3];
            if share > 0.0 {
                color = lit(tints.land(at(&ground.heights)), light, at(&sky));
            }
            if let Some(sea) = sea.as_ref().filter(|_| share < 1.0) {
                // The sea floor is shaded softly, as seen through water.
                let floor = 1.0 + 0.3 * (light - 1.0);
                let water = tints.water(at(&ground.heights), at(&sea.offshore));
                color = mix(lit(water, floor, 1.0), color, share);
            }
            let wet = inland.map_or(0.0, at);
            if wet > 0.0 {
                let water = lit(linear(INLAND), 1.0 + 0.2 * (light - 1.0), 1.0);
                color = mix(color, water, wet * share);
            }
            let missing = ground.missing.as_ref().map_or(0.0, at);
            let color = mix(color, tints.missing, missing);
            *out = color.map(|channel| encode_with(table, channel));
        }
    });
    Canvas::from_grid(pixels)
}

/// A tint in light relative to level ground: cool in the shade, warm in the sun.
#[inline]
pub(crate) fn lit(tint: Rgb, light: f32, sky: f32) -> Rgb {
    let sun = light * (0.55 + 0.45 * sky);
    if sun <= 1.0 {
        let shade = 1.0 - sun;
        [
            tint[0] * (1.0 - 0.98 * shade),
            tint[1] * (1.0 - 0.94 * shade),
            tint[2] * (1.0 - 0.82 * shade),
        ]
    } else {
        // Bright slopes fade towards warm white and never burn out.
        let glow = 1.0 - 1.0 / (1.0 + 1.1 * (sun - 1.0));
        mix(tint, [1.0, 0.985, 0.94], glow)
    }
}

/// The tint of the highest ground, of 1 for snow: hills of 200 m end in the middle of the colours.
pub(crate) fn top_tint((low, high): (f32, f32)) -> f32 {
    0.5 + 0.5 * smoothstep(200.0, 1800.0, high - low)
}

/// Colours by height, scaled to the ground.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tints {
    land: (f32, f32),
    /// The tint of the highest ground: only mountains end in the white of snow.
    top: f32,
    sea: f32,
    deepest: f32,
    missing: Rgb,
    /// How far from the coast the water is paler, in pixels.
    rim: f32,
}

impl Tints {
    pub(crate) fn of(ground: &Ground<'_>) -> Self {
        let longest = ground.heights.width().max(ground.heights.height());
        let land = ground.land_range();
        Self {
            land,
            top: top_tint(land),
            sea: ground.sea,
            deepest: (ground.sea - ground.range.0).max(0.0),
            missing: linear(MISSING),
            rim: 0.036 * longest as f32,
        }
    }

    /// Linear light at this height, on land or far from it.
    pub(crate) fn at(&self, height: f32) -> Rgb {
        if height > self.sea { self.land(height) } else { self.water(height, f32::INFINITY) }
    }

    /// Linear light of land at this height.
    #[inline]
    fn land(&self, height: f32) -> Rgb {
        let (low, high) = self.land;
        let rise = if high > low { (height - low) / (high - low) } else { 0.0 };
        LAND.at(rise * self.top)
    }

    /// Linear light of water over a floor at this height.
    #[inline]
    fn water(&self, height: f32, offshore: f32) -> Rgb {
        // A pale rim along every coast, as on engraved maps.
        let rim = 1.0 - smoothstep(0.0, self.rim, offshore);
        let share = if self.deepest > 0.0 {
            ((self.sea - height) / self.deepest).clamp(0.0, 1.0)
        } else {
            0.5
        };
        // Shelves deserve more colours than the abyss.
        let depth = share.sqrt() * (0.5 + 0.5 * share.sqrt());
        WATER.at(depth * (1.0 - 0.35 * rim * rim))
    }
}
