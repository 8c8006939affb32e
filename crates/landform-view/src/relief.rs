//! Hypsometric tints, bathymetry and shading: the map of an atlas.
//!
//! Land grows lighter with height and water lighter towards the shore, both in steady steps of lightness,
//! so the picture reads without telling red from green (after Imhof's "the higher, the lighter").

use std::sync::LazyLock;

use landform::{Grid, Terrain};

use crate::color::{Ramp, Rgb, encode_with, encoder, linear, mix, smoothstep};
use crate::draw::{Canvas, painted_image};
use crate::gradient::Slopes;
use crate::ground::{Ground, finite_range};
use crate::hillshade::{Hillshade, Shader};
use crate::ice_cover::{ICE, ice_cover};
use crate::inland::inland_water;
use crate::legend::{Bar, Legend};
use crate::sea::Sea;
use crate::sky_light::sky_light;
use crate::style::{Draws, GroundMap, StyleEntry};
use crate::{Image, Options};

/// What the table of styles says about it.
pub(crate) static STYLE: StyleEntry = StyleEntry {
    name: "relief",
    doc: "hypsometric tints, sea and shading",
    draws: Draws::Ground(MAP),
};

/// The map itself: what is drawn for a style whose layer a terrain lacks.
pub(crate) const MAP: GroundMap =
    GroundMap { measures: Some("height"), draw: draw_map, alone: Some(draw_alone) };

fn draw_map(
    terrain: &Terrain,
    options: &Options,
    size: [usize; 2],
    legend: &mut Legend<'_>,
) -> Canvas {
    let range = finite_range(terrain.height());
    let tints = Tints::scaled(range, terrain.sea_level() as f32, size[0].max(size[1]));
    let color = move |value: f64| tints.at(value as f32);
    legend.bar = Bar::between(range.0.into(), range.1.into(), "m", color);
    let map = map_of(terrain, &options.hillshade, size);
    Canvas::painted(size, |first, part| map.paint(first, part))
}

fn draw_alone(terrain: &Terrain, options: &Options, size: [usize; 2]) -> Option<Image> {
    let map = map_of(terrain, &options.hillshade, size);
    Some(painted_image(size, |first, part| map.paint(first, part)))
}

fn map_of<'a>(terrain: &'a Terrain, hillshade: &Hillshade, [w, h]: [usize; 2]) -> Map<'a> {
    let inland = inland_water(terrain, w, h);
    let ice = ice_cover(terrain, w, h);
    Map { ice, ..Map::new(Ground::with_sea_floor(terrain, w, h), hillshade, inland) }
}

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

/// A map of the ground, one pixel per sample, ready to be painted.
pub(crate) struct Map<'a> {
    ground: Ground<'a>,
    shader: Shader,
    sky: Grid,
    sea: Option<Sea>,
    tints: Tints,
    inland: Option<Grid>,
    /// The share of each pixel that is ice.
    ice: Option<Grid>,
    table: &'static [f32],
}

impl<'a> Map<'a> {
    pub(crate) fn new(ground: Ground<'a>, hillshade: &Hillshade, inland: Option<Grid>) -> Self {
        let shader = hillshade.shader(&ground);
        // Deep valleys see less sky. Half of the exaggeration is enough: hollows must not turn black.
        let sky = sky_light(&ground.heights, ground.cell, 0.5 * shader.exaggeration, 8);
        let (sea, tints) = (Sea::of(&ground), Tints::of(&ground));
        Self { ground, shader, sky, sea, tints, inland, ice: None, table: encoder() }
    }

    /// Paints the rows from `first` on into `part`.
    pub(crate) fn paint(&self, first: usize, part: &mut [Rgb]) {
        let width = self.ground.heights.width();
        let (mut slopes, mut light) = (Slopes::default(), vec![0.0_f32; width]);
        let level = self.shader.level().max(1e-6);
        let exaggeration = self.shader.exaggeration;
        for (n, row) in part.chunks_exact_mut(width).enumerate() {
            let j = first + n;
            slopes.of_row(&self.ground.heights, j, self.ground.cell, exaggeration);
            self.shader.shade_row(&slopes, &mut light);
            for (i, out) in row.iter_mut().enumerate() {
                *out = self.pixel(i, j, light[i] / level);
            }
        }
    }

    /// The colour of a pixel in light relative to level ground.
    #[inline]
    fn pixel(&self, i: usize, j: usize, light: f32) -> Rgb {
        let (ground, tints) = (&self.ground, &self.tints);
        let at = |grid: &Grid| grid[(i, j)];
        let share = self.sea.as_ref().map_or(1.0, |sea| at(&sea.land));
        let mut color = [0.0; 3];
        if share > 0.0 {
            color = lit(tints.land(at(&ground.heights)), light, at(&self.sky));
        }
        if let Some(sea) = self.sea.as_ref().filter(|_| share < 1.0) {
            // The sea floor is shaded softly, as seen through water.
            let floor = 1.0 + 0.3 * (light - 1.0);
            let water = tints.water(at(&ground.heights), at(&sea.offshore));
            color = mix(lit(water, floor, 1.0), color, share);
        }
        let ice = self.ice.as_ref().map_or(0.0, at);
        if ice > 0.0 {
            color = mix(color, lit(linear(ICE), light, at(&self.sky)), ice);
        }
        let wet = self.inland.as_ref().map_or(0.0, at);
        if wet > 0.0 {
            let water = lit(linear(INLAND), 1.0 + 0.2 * (light - 1.0), 1.0);
            color = mix(color, water, wet * share);
        }
        let missing = ground.missing.as_ref().map_or(0.0, at);
        let color = mix(color, tints.missing, missing);
        color.map(|channel| encode_with(self.table, channel))
    }
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
        Self::scaled(ground.range, ground.sea, longest)
    }

    /// For ground between these heights, drawn with so many pixels along its longer side.
    pub(crate) fn scaled((low, high): (f32, f32), sea: f32, longest: usize) -> Self {
        let land = (low.max(sea), high.max(sea));
        Self {
            land,
            top: top_tint(land),
            sea,
            deepest: (sea - low).max(0.0),
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
