//! The surface of a scene: heights at a resolution that suits the picture.

use landform::{Grid, GroundCover, Terrain, par};

use super::field::Field;
use crate::color::Rgb;
use crate::ground::Ground;
use crate::ice_cover::ice_cover;
use crate::inland::inland_water;
use crate::world_map;

/// A terrain as a field of triangles, with its heights exaggerated.
#[derive(Debug)]
pub(crate) struct Relief {
    pub(crate) field: Field,
    pub(crate) exaggeration: f32,
    /// Sea level, lowest and highest sample, in exaggerated metres.
    pub(crate) sea: f32,
    pub(crate) low: f32,
    pub(crate) high: f32,
    /// Level of the water, or of the plain that a terrain without sea stands on.
    pub(crate) base: f64,
    /// Whether water ends at the border of the terrain.
    pub(crate) is_block: bool,
    /// The share of each sample that is the water of rivers and lakes.
    pub(crate) inland: Option<Grid>,
    /// The share of each sample that glaciers cover.
    pub(crate) glaciers: Option<Grid>,
    pub(crate) cover: GroundCover,
    /// The colours of a world, and where its sea is frozen.
    pub(crate) world: Option<WorldCover>,
}

/// What grows and freezes on a world, at each sample of its relief.
#[derive(Debug)]
pub(crate) struct WorldCover {
    pub(crate) tints: Grid<Rgb>,
    /// 0 for open water to 1.
    pub(crate) ice: Grid,
}

impl WorldCover {
    fn of(terrain: &Terrain, size: [usize; 2]) -> Option<Self> {
        let (tints, ice) = world_map::cover(terrain, size)?;
        Some(Self { tints, ice })
    }
}

impl Relief {
    /// `terrain` with its longer side between `least` and `most` samples: few are rounded into hills,
    /// more than a picture shows are averaged.
    pub(crate) fn new(terrain: &Terrain, exaggeration: f32, least: usize, most: usize) -> Self {
        let samples = [terrain.extent().width(), terrain.extent().height()];
        let longest = samples[0].max(samples[1]);
        let side = longest.clamp(least, most);
        // A field has at least one cell.
        let [w, h] = samples.map(|n| (n * side).div_ceil(longest).max(2));
        let ground = Ground::with_sea_floor(terrain, w, h);
        let cell = ground.cell.map(f64::from);
        let mut heights = ground.heights.into_owned();
        let width = heights.width();
        par::for_each_row(heights.samples_mut(), width, |_, row| {
            row.iter_mut().for_each(|h| *h *= exaggeration);
        });
        let [low, high, sea] =
            [ground.range.0, ground.range.1, ground.sea].map(|h| h * exaggeration);
        let field = Field::new(heights, cell);
        let [gx, gz] = field.ground();
        let base = if low <= sea { f64::from(sea) } else { f64::from(low) - 0.03 * gx.max(gz) };
        Self {
            field,
            exaggeration,
            sea,
            low,
            high,
            base,
            is_block: false,
            inland: inland_water(terrain, w, h),
            glaciers: ice_cover(terrain, w, h),
            cover: terrain.cover(),
            world: WorldCover::of(terrain, [w, h]),
        }
    }

    /// Puts the plain under the lowest ground, so that terrain and water are a block that stands on it.
    pub(crate) fn stand_on_block(&mut self) {
        let [gx, gz] = self.field.ground();
        self.base = f64::from(self.low.min(self.sea.max(self.low))) - 0.04 * gx.max(gz);
        self.is_block = true;
    }

    /// Whether any ground lies at or below the sea level.
    pub(crate) fn has_sea(&self) -> bool {
        self.low <= self.sea
    }
}
