//! Natural ground in sun and haze, with water to the horizon.

use landform::math::vector::{self, Vec3, along};
use landform::{Grid, math};

use super::Scene;
use super::air::{Air, develop};
use super::camera::Camera;
use super::field::{Field, Free, Hit};
use super::noise::{GRAIN, grain_at};
use super::relief::Relief;
use super::surface::{Covers, Surface, Zones};
use super::trace::Light;
use crate::color::{Rgb, linear, mix};

/// Length of ground that a range of mountains fills.
const COUNTRY_M: f64 = 120_000.0;

/// Light from ice on the sea.
const SEA_ICE: Rgb = [0.86, 0.92, 0.97];

/// Everything a ray needs to know.
pub(crate) struct Natural<'a> {
    field: &'a Field,
    surface: Surface,
    /// How much of the sea is frozen.
    ice: Option<&'a Grid>,
    air: Air,
    has_sea: bool,
    is_block: bool,
    sea: f64,
    low: f32,
    /// Level of the water, or of the plain that a terrain without sea stands on.
    base: f64,
    /// Depth at which water hides the floor, in exaggerated metres.
    clear: f64,
    longest: f64,
    water_colors: [Rgb; 2],
    side_colors: [Rgb; 2],
    /// Width of a pixel at distance 1, or everywhere.
    pixel: f64,
    is_parallel: bool,
}

impl<'a> Natural<'a> {
    pub(crate) fn new(scene: &Scene, relief: &'a Relief, camera: &Camera, rows: usize) -> Self {
        let field = &relief.field;
        let [gx, gz] = field.ground();
        let longest = gx.max(gz);
        let (sea, low, high) = (relief.sea, relief.low, relief.high);
        let true_relief =
            f64::from(high.max(sea) - low.max(sea)) / f64::from(relief.exaggeration.max(1e-9));
        let true_top = f64::from(high.max(sea) - sea) / f64::from(relief.exaggeration.max(1e-9));
        // The ranges of a planet are as rugged as those of a country.
        let ruggedness = math::smoothstep(0.012, 0.05, true_relief / longest.min(COUNTRY_M))
            * math::smoothstep(100.0, 500.0, true_relief);
        let zones = Zones {
            // Ground that only comes near to the level of a sea has no beaches.
            sea: if relief.has_sea() { sea } else { f32::NEG_INFINITY },
            low: low.max(sea),
            high: high.max(sea),
            ruggedness: ruggedness as f32,
            snow: (ruggedness * math::smoothstep(600.0, 1200.0, true_top)) as f32,
            cover: relief.cover,
        };
        let (sun, azimuth) = scene.sun();
        let middle = [gx / 2.0, relief.base, gz / 2.0];
        let away = vector::dot([0, 1, 2].map(|c| middle[c] - camera.position[c]), camera.forward);
        Self {
            field,
            surface: Surface::natural(
                field,
                &Covers {
                    inland: relief.inland.as_ref(),
                    glaciers: relief.glaciers.as_ref(),
                    tints: relief.world.as_ref().map(|world| &world.tints),
                },
                zones,
                (sun, azimuth),
            ),
            ice: relief.world.as_ref().map(|world| &world.ice),
            air: Air { sun, reach: 4.0 * longest, start: (away - 0.6 * longest).max(0.0) },
            has_sea: relief.has_sea(),
            is_block: relief.is_block,
            sea: f64::from(sea),
            low,
            base: relief.base,
            clear: (0.008 * longest).min(0.25 * f64::from(sea - low)).max(1e-9),
            longest,
            water_colors: [linear(0x4F_9DA2), linear(0x17_4560)],
            side_colors: [linear(0x5E_5146), linear(0x93_8472)],
            pixel: 2.0 * camera.half[1] / rows as f64,
            is_parallel: camera.is_parallel,
        }
    }
    /// Light that comes along a ray, before it is developed.
    fn trace(&self, origin: Vec3, direction: Vec3, free: Free) -> Rgb {
        let hit = self.field.cast(origin, direction, free);
        if self.is_block {
            return self.trace_block(origin, direction, hit);
        }
        let down = direction[1] < 0.0;
        let plane = if down { (self.base - origin[1]) / direction[1] } else { f64::INFINITY };
        if let Some(hit) = hit.filter(|hit| hit.t <= plane) {
            return self.air.haze(self.ground(origin, direction, &hit), direction, hit.t);
        }
        if !plane.is_finite() {
            return self.air.sky(direction);
        }
        let color = if self.has_sea {
            self.water(origin, direction, plane, hit)
        } else {
            self.mist(along(origin, direction, plane))
        };
        self.air.haze(color, direction, plane)
    }

    /// The same for a block that stands on a plain, its water cut off at the border.
    fn trace_block(&self, origin: Vec3, direction: Vec3, hit: Option<Hit>) -> Rgb {
        let plane = (self.base - origin[1]) / direction[1].min(-1e-9);
        let [gx, gz] = self.field.ground();
        if self.has_sea {
            let t = (self.sea - origin[1]) / direction[1].min(-1e-9);
            let place = along(origin, direction, t);
            let inside = (0.0..=gx).contains(&place[0]) && (0.0..=gz).contains(&place[2]);
            if inside && hit.is_none_or(|hit| t < hit.t) {
                return self.water(origin, direction, t, hit);
            }
            // Through a cut side of the water.
            let [t, out] = pass(origin, direction, [gx, gz]);
            if t > 0.0 && t < out {
                let height = origin[1] + direction[1] * t;
                let floor = hit.is_none_or(|hit| hit.t > t + 1e-6 * self.longest && hit.t < plane);
                if height < self.sea && height > f64::from(self.low) && floor {
                    let depth = hit.map_or(self.longest, |hit| hit.t - t);
                    let murk = (1.0 - 1.0 / (1.0 + depth / (2.0 * self.clear))) as f32;
                    let bright = 0.75
                        + 0.25
                            * ((height - f64::from(self.low)) / (self.sea - f64::from(self.low)))
                                as f32;
                    let [shallow, deep] = self.water_colors;
                    let water = mix(shallow, deep, 0.35 + 0.5 * murk).map(|c| 1.25 * c * bright);
                    let behind = hit.map_or(water, |hit| self.ground(origin, direction, &hit));
                    return mix(behind, water, 0.45 + 0.55 * murk);
                }
            }
        }
        match hit.filter(|hit| hit.t <= plane) {
            Some(hit) => self.ground(origin, direction, &hit),
            None => self.mist(along(origin, direction, plane)),
        }
    }

    /// Light from the surface or a side of the block.
    fn ground(&self, origin: Vec3, direction: Vec3, hit: &Hit) -> Rgb {
        if hit.is_side {
            return self.side(along(origin, direction, hit.t));
        }
        let (x, z) = (hit.cell[0] as f64 + hit.place[0], hit.cell[1] as f64 + hit.place[1]);
        // Seen at a slant a pixel covers more of the ground; half of that keeps detail.
        let footprint = self.width_at(hit.t) / self.field.cell[0];
        self.surface.at(x, z, 0.8 * footprint)
    }

    /// The value of a grid over the field at a place; 0 beyond it.
    fn at_place(&self, grid: &Grid, place: Vec3) -> f32 {
        let at = [place[0] / self.field.cell[0], place[2] / self.field.cell[1]].map(f64::round);
        let [i, j] = at.map(|k| k.max(0.0) as usize);
        let is_over = at.iter().all(|&k| k >= 0.0) && i < grid.width() && j < grid.height();
        if is_over { grid[(i, j)] } else { 0.0 }
    }

    /// Width of a pixel in metres at a distance.
    fn width_at(&self, t: f64) -> f64 {
        if self.is_parallel { self.pixel } else { t * self.pixel }
    }

    /// Light from the cut ground at the border of the terrain: beds of rock, warped a little.
    fn side(&self, place: Vec3) -> Rgb {
        let scale = 1.0 / self.longest;
        let along = ((place[0] + place[2]) * scale) as f32;
        let depth = (place[1] * scale) as f32;
        let warp = 0.012 * grain_at(&GRAIN, 90.0 * along, 40.0 * depth);
        // One row of the noise is a random sequence of beds.
        let bed = grain_at(&GRAIN, 700.0 * (depth + warp), 33.0);
        let grit = grain_at(&GRAIN, 900.0 * along, 900.0 * depth);
        let tint = (0.45 + 0.28 * bed + 0.10 * grit).clamp(0.0, 1.0);
        // The side to the sun is lighter.
        let [gx, _] = self.field.ground();
        let is_west_or_east = place[0] < 1e-3 * gx || place[0] > 0.999 * gx;
        let facing = if is_west_or_east { self.air.sun[0].abs() } else { self.air.sun[2].abs() };
        mix(self.side_colors[0], self.side_colors[1], tint).map(|c| c * (0.7 + 0.7 * facing as f32))
    }

    /// Light from the water, whose surface the ray meets at `t` and the floor at `hit`.
    fn water(&self, origin: Vec3, direction: Vec3, t: f64, hit: Option<Hit>) -> Rgb {
        let place = along(origin, direction, t);
        let scale = 520.0 / self.longest;
        let (wx, wz) = ((place[0] * scale) as f32, (place[2] * scale) as f32);
        let grain = &*GRAIN;
        // Waves fade with distance, where a pixel holds many.
        let calm = 1.0 / (1.0 + (self.width_at(t) * scale * 0.9) as f32);
        let here = grain_at(grain, wx * 1.3, wz * 2.1);
        let tilt = [
            0.05 * calm * (grain_at(grain, wx * 1.3 + 1.0, wz * 2.1) - here),
            0.05 * calm * (grain_at(grain, wx * 1.3, wz * 2.1 + 1.0) - here),
        ];
        let [shallow, deep] = self.water_colors;
        let below = match hit {
            Some(hit) => (hit.t - t) * -direction[1],
            // Out through the far side of a block.
            None if self.is_block => {
                let [_, out] = pass(origin, direction, self.field.ground());
                (out - t).max(0.0) * -direction[1]
            }
            None => f64::INFINITY,
        };
        let beyond = if self.is_block { 0.0 } else { self.offshore(place) };
        let depth = below + beyond * self.clear;
        let murk = (1.0 - 1.0 / (1.0 + depth / self.clear * (1.0 + depth / self.clear))) as f32;
        let mut color = mix(shallow, deep, murk.sqrt());
        if let Some(hit) = hit.filter(|_| murk < 0.98) {
            let floor = self.ground(origin, direction, &hit);
            // Red goes first.
            let clear = [1.0 - murk.sqrt().sqrt(), 1.0 - murk.sqrt(), 1.0 - 0.9 * murk.sqrt()];
            color = [0, 1, 2]
                .map(|c| color[c] + (floor[c] * [0.75, 0.9, 0.95][c] - color[c]) * clear[c]);
        }
        let frozen = self.ice.map_or(0.0, |ice| self.at_place(ice, place));
        if frozen > 0.0 {
            color = mix(color, SEA_ICE, frozen);
        }
        let up = (-direction[1]) as f32;
        let grazing = 1.0 - up;
        let fresnel = 0.02 + 0.6 * grazing * grazing * grazing * grazing * grazing;
        let mirrored = vector::unit([
            direction[0] + f64::from(tilt[0]),
            -direction[1],
            direction[2] + f64::from(tilt[1]),
        ]);
        let lifted = along(place, mirrored, 1e-4 * self.longest);
        let reflected = match self.field.cast(lifted, mirrored, Free::NONE) {
            Some(hit) => self.ground(place, mirrored, &hit),
            None => self.air.sky(mirrored),
        };
        mix(color, reflected, fresnel)
    }

    /// Light from the plain around a terrain without sea: mist, darker where the block stands on it.
    fn mist(&self, place: Vec3) -> Rgb {
        let [gx, gz] = self.field.ground();
        let (dx, dz) =
            ((-place[0]).max(place[0] - gx).max(0.0), (-place[2]).max(place[2] - gz).max(0.0));
        let away = math::length(dx, dz) / self.longest;
        let contact = 1.0 / (1.0 + 40.0 * away) as f32;
        [0.60, 0.70, 0.80].map(|channel| channel * (1.0 - 0.5 * contact))
    }

    /// How far a place is beyond the border, 0 well inside to a large number outside: there the sea is
    /// deep, and a soft step hides where the terrain ends.
    fn offshore(&self, place: Vec3) -> f64 {
        let [gx, gz] = self.field.ground();
        let inside = place[0].min(gx - place[0]).min(place[2].min(gz - place[2]));
        let share = 1.0 - math::smoothstep(0.0, 0.14 * self.longest, inside);
        8.0 * share * share * share
    }
}

/// When a ray comes over the rectangle of the ground and when it leaves it.
fn pass(origin: Vec3, direction: Vec3, [gx, gz]: [f64; 2]) -> [f64; 2] {
    let (mut start, mut end) = (0.0_f64, f64::INFINITY);
    for (place, step, side) in [(origin[0], direction[0], gx), (origin[2], direction[2], gz)] {
        let (a, b) = (-place / step, (side - place) / step);
        (start, end) = (start.max(a.min(b)), end.min(a.max(b)));
    }
    [start, end]
}

impl Light for Natural<'_> {
    fn along(&self, origin: Vec3, direction: Vec3, free: Free) -> Rgb {
        develop(self.trace(origin, direction, free))
    }
}
