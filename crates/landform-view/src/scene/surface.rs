//! What the ground is made of and how it is lit, as a texture over the field.
//!
//! Everything that does not depend on the camera is computed once per sample: material, sun with soft
//! shadow, sky light. Rays then only look up, at the level of a mipmap that suits their distance.

use landform::analysis::horizon::horizon;
use landform::math::vector::Vec3;
use landform::{Grid, GroundCover, par};

use super::air::{SKY, SUN};
use super::field::Field;
use super::noise::{GRAIN, SIDE, grain_at};
use crate::color::{Rgb, linear, mix, smoothstep};
use crate::gradient::Slopes;
use crate::ice_cover::ICE;
use crate::sky_light::sky_light;

/// Heights that materials are chosen by, in exaggerated metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Zones {
    pub(crate) sea: f32,
    pub(crate) low: f32,
    pub(crate) high: f32,
    /// 0 for plains to 1 for mountains: plains get no rock and no snow.
    pub(crate) ruggedness: f32,
    /// 0 for land that is too low for snow to 1.
    pub(crate) snow: f32,
    pub(crate) cover: GroundCover,
}

/// What lies over natural ground, at each sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Covers<'a> {
    /// The share that is the water of rivers and lakes.
    pub(crate) inland: Option<&'a Grid>,
    /// The share that is ice.
    pub(crate) glaciers: Option<&'a Grid>,
    /// The colours of a world.
    pub(crate) tints: Option<&'a Grid<Rgb>>,
}

/// Lit ground: linear light at every sample, and at half, a quarter … of them.
#[derive(Debug)]
pub(crate) struct Surface {
    levels: Vec<Grid<Rgb>>,
}

/// Light that falls on each sample.
struct Lighting {
    horizon: Grid,
    sky: Grid,
    sun: Vec3,
}

impl Lighting {
    fn new(field: &Field, sun: Vec3, azimuth: f64) -> Self {
        let cell = field.cell.map(|side| side as f32);
        let horizon = horizon(&field.heights, cell, azimuth);
        Self { horizon, sky: sky_light(&field.heights, cell, 1.0, 12), sun }
    }

    /// Light on a sample with this unit normal.
    #[inline]
    fn at(&self, i: usize, j: usize, normal: [f32; 3]) -> Rgb {
        let sun = self.sun.map(|c| c as f32);
        let facing = (normal[0] * sun[0] + normal[1] * sun[1] + normal[2] * sun[2]).max(0.0);
        let flat = (sun[0] * sun[0] + sun[2] * sun[2]).sqrt().max(1e-6);
        let height = sun[1] / flat;
        // The sun is wider than in nature, for soft edges.
        let open = smoothstep(-0.05, 0.06, height - self.horizon[(i, j)]);
        let sky = self.sky[(i, j)] * (0.6 + 0.4 * normal[1]);
        // Sunlit ground around lights what the sky does not see.
        let bounce = 0.16 * (1.0 - self.sky[(i, j)]) + 0.05;
        [0, 1, 2].map(|c| SUN[c] * facing * open + SKY[c] * sky + SUN[c] * bounce)
    }
}

impl Surface {
    /// Natural ground: grass, rock, snow, sand.
    pub(crate) fn natural(
        field: &Field,
        covers: &Covers<'_>,
        zones: Zones,
        (sun, sun_azimuth): (Vec3, f64),
    ) -> Self {
        let lighting = Lighting::new(field, sun, sun_azimuth);
        let (width, height) = (field.heights.width(), field.heights.height());
        let materials = Materials::new(zones, width.max(height));
        let cell = field.cell.map(|side| side as f32);
        let mut lit = Grid::filled(width, height, [0.0_f32; 3]);
        let grain = &*GRAIN;
        par::for_each_part(lit.samples_mut(), width, 8, |k, part| {
            let mut slopes = Slopes::default();
            for (n, row) in part.chunks_exact_mut(width).enumerate() {
                let j = 8 * k + n;
                slopes.of_row(&field.heights, j, cell, 1.0);
                for (i, out) in row.iter_mut().enumerate() {
                    let (albedo, bump) = materials.at(
                        grain,
                        [i, j],
                        field.heights[(i, j)],
                        [slopes.x[i], slopes.z[i]],
                        lighting.sky[(i, j)],
                    );
                    let albedo = match covers.tints {
                        Some(tints) => {
                            materials.on_world(albedo, tints[(i, j)], field.heights[(i, j)])
                        }
                        None => albedo,
                    };
                    let ice = covers.glaciers.map_or(0.0, |ice| ice[(i, j)]);
                    let albedo = if ice > 0.0 { mix(albedo, linear(ICE), ice) } else { albedo };
                    let bump = bump.map(|slope| slope * (1.0 - 0.8 * ice));
                    let (p, q) = (slopes.x[i] + bump[0], slopes.z[i] + bump[1]);
                    let shrink = 1.0 / (1.0 + p * p + q * q).sqrt();
                    let light = lighting.at(i, j, [-p * shrink, shrink, -q * shrink]);
                    *out = [0, 1, 2].map(|c| albedo[c] * light[c]);
                    let wet = covers.inland.map_or(0.0, |inland| inland[(i, j)]);
                    if wet > 0.0 {
                        *out = mix(*out, water(lighting.sky[(i, j)]), 0.9 * wet);
                    }
                }
            }
        });
        drop(lighting);
        Self::with_levels(lit)
    }

    fn with_levels(lit: Grid<Rgb>) -> Self {
        let mut levels = vec![lit];
        while levels.len() < 8 {
            let last = &levels[levels.len() - 1];
            let (w, h) = (last.width(), last.height());
            if w < 2 || h < 2 {
                break;
            }
            let mut next = Grid::filled(w / 2, h / 2, [0.0_f32; 3]);
            par::for_each_row(next.samples_mut(), w / 2, |j, row| {
                let (a, b) = (last.row(2 * j), last.row(2 * j + 1));
                for (i, out) in row.iter_mut().enumerate() {
                    let (k, l) = (2 * i, 2 * i + 1);
                    *out = [0, 1, 2].map(|c| 0.25 * (a[k][c] + a[l][c] + b[k][c] + b[l][c]));
                }
            });
            levels.push(next);
        }
        Self { levels }
    }

    /// Light from the place (x, z), in samples, for a ray that is `footprint` samples wide there.
    #[inline]
    pub(crate) fn at(&self, x: f64, z: f64, footprint: f64) -> Rgb {
        let (mut level, mut size) = (0, 1.0);
        while level + 1 < self.levels.len() && footprint >= 2.0 * size {
            level += 1;
            size *= 2.0;
        }
        let fine = self.at_level(level, x, z);
        let share = ((footprint / size - 1.0) as f32).clamp(0.0, 1.0);
        if share == 0.0 || level + 1 == self.levels.len() {
            return fine;
        }
        mix(fine, self.at_level(level + 1, x, z), share)
    }

    #[inline]
    fn at_level(&self, level: usize, x: f64, z: f64) -> Rgb {
        let grid = &self.levels[level];
        let scale = 1.0 / (1_u64 << level) as f64;
        let place = |value: f64, count: usize| {
            let place = ((value + 0.5) * scale - 0.5).clamp(0.0, (count - 1) as f64);
            let k = (place as usize).min(count.saturating_sub(2));
            (k, (k + 1).min(count - 1), (place - k as f64) as f32)
        };
        let (i, k, u) = place(x, grid.width());
        let (j, l, v) = place(z, grid.height());
        let (north, south) = (grid.row(j), grid.row(l));
        mix(mix(north[i], north[k], u), mix(south[i], south[k], u), v)
    }
}

/// Light from a river or a lake: its own colour, and the sky that it mirrors.
fn water(sky: f32) -> Rgb {
    let own = linear(0x22_4A5C);
    [0, 1, 2].map(|c| own[c] + 0.28 * SKY[c] * sky)
}

/// Colours of the ground, chosen by height, slope and grain.
struct Materials {
    zones: Zones,
    /// Steps of the noise per sample: the same patches at every resolution.
    scale: f32,
    forest: Rgb,
    meadow: Rgb,
    heath: Rgb,
    rock: Rgb,
    pale_rock: Rgb,
    snow: Rgb,
    sand: Rgb,
    floor: Rgb,
}

impl Materials {
    fn new(zones: Zones, longest: usize) -> Self {
        // Bare ground has dark and pale soil where woods and meadows would be, and rock of warm colours.
        let [forest, meadow, heath, rock, pale_rock] = match zones.cover {
            GroundCover::Green => [0x38_472F, 0x76_7B52, 0x92_866A, 0x74_6A60, 0x9B_9084],
            GroundCover::Bare => [0x8B_7057, 0xB0_977A, 0xA8_8465, 0x8A_6B54, 0xB9_A48A],
        }
        .map(linear);
        Self {
            zones,
            scale: 1024.0 / longest as f32,
            forest,
            meadow,
            heath,
            rock,
            pale_rock,
            snow: linear(0xF3_F6FA),
            sand: linear(0xD6_C59B),
            floor: linear(0x8C_9A83),
        }
    }

    /// The albedo on a world whose biomes tell the colour of the land: that of grain and rock shows a little.
    #[inline]
    fn on_world(&self, albedo: Rgb, tint: Rgb, height: f32) -> Rgb {
        if height < self.zones.sea { albedo } else { mix(tint, albedo, 0.12) }
    }

    /// Albedo, and slopes of the grain to be added to the slope of the ground.
    #[inline]
    fn at(
        &self,
        grain: &Grid,
        [i, j]: [usize; 2],
        height: f32,
        slope: [f32; 2],
        sky: f32,
    ) -> (Rgb, [f32; 2]) {
        let zones = self.zones;
        let (a, b) = (i % SIDE, j % SIDE);
        let fine = grain[(a, b)];
        let bump = [grain[((a + 1) % SIDE, b)] - fine, grain[(a, (b + 1) % SIDE)] - fine];
        let (x, z) = (i as f32 * self.scale, j as f32 * self.scale);
        let broad = grain_at(grain, 0.21 * x + 77.0, 0.21 * z + 13.0);
        let patch = grain_at(grain, 0.55 * x + 300.0, 0.55 * z + 210.0);
        let relief = (zones.high - zones.low).max(1e-6);
        let rise = (height - zones.low) / relief;
        let steep = (slope[0] * slope[0] + slope[1] * slope[1]).sqrt();
        let rugged = zones.ruggedness;

        let wild = rise + 0.09 * broad + 0.05 * fine;
        let dry = smoothstep(0.2, 0.7, wild) * (0.4 + 0.6 * rugged);
        let mut color = mix(self.meadow, self.heath, (dry + 0.25 * patch).clamp(0.0, 1.0));
        // Woods in patches, denser in hollows, thinning out towards the tree line.
        let woods = smoothstep(0.0, 0.5, patch + 0.5 * fine + 2.0 * (1.0 - sky) - 0.2)
            * (1.0 - smoothstep(0.45, 0.65, wild));
        color = mix(color, self.forest, 0.85 * woods);
        // Rock where nothing holds: on steep slopes, and bare summits.
        let stone = mix(self.rock, self.pale_rock, smoothstep(-0.8, 1.0, fine + 0.6 * broad));
        let bare = smoothstep(0.62, 0.95, steep + 0.14 * fine + 0.3 * (rise - 0.4));
        let bare = (bare + smoothstep(0.58, 0.80, wild)).min(1.0) * rugged;
        color = mix(color, stone, bare);
        // Snow lies high, not on walls, and longer in hollows.
        let lies = wild + 0.25 * (1.0 - sky) - 0.16 * (steep - 0.5).max(0.0);
        let snow = smoothstep(0.74, 0.84, lies) * (1.0 - smoothstep(1.3, 2.0, steep)) * zones.snow;
        color = mix(color, self.snow, snow);
        if zones.sea > zones.low - relief {
            // A beach where the shore is gentle, and the sea floor below.
            let over = (height - zones.sea) / relief;
            let beach = (1.0 - smoothstep(0.004, 0.016, over + 0.004 * fine))
                * (1.0 - smoothstep(0.5, 0.9, steep));
            color = mix(color, self.sand, beach);
            color = mix(color, self.floor, 1.0 - smoothstep(-0.06, -0.01, over));
        }
        let shade = 1.0 + 0.10 * fine + 0.08 * broad;
        let rough = (0.06 + 0.22 * bare + 0.25 * woods) * (1.0 - 0.7 * snow);
        (color.map(|channel| channel * shade), bump.map(|slope| slope * rough))
    }
}
