//! The terrain as it would look from a hill nearby: perspective, sun, sky and water.

mod air;
mod camera;
mod field;
mod noise;
mod surface;
mod vector;

use landform::{Grid, Terrain, math, par};

use self::air::{Air, develop};
use self::camera::{Camera, Margins};
use self::field::{Field, Hit};
use self::noise::{GRAIN, grain_at};
use self::surface::{Surface, Zones};
use self::vector::{Vec3, along};
use crate::Image;
use crate::color::{Rgb, encode_with, encoder, linear, mix};
use crate::draw::Canvas;
use crate::ground::{Ground, clamp_size};

/// Options of the three-dimensional view.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Where the camera stands as seen from the terrain, in degrees clockwise from north.
    pub azimuth_deg: f64,
    /// How steeply it looks down, in degrees.
    pub elevation_deg: f64,
    /// How much it takes in from top to bottom, in degrees.
    pub field_of_view_deg: f64,
    /// Heights are multiplied by this; see [`Scene::exaggeration`] for what is chosen if not given.
    pub exaggeration: Option<f64>,
    /// Where the sun stands, in degrees clockwise from north.
    pub sun_azimuth_deg: f64,
    /// How high it stands, in degrees over the horizon.
    pub sun_elevation_deg: f64,
    /// What the surface looks like.
    pub look: Look,
}

/// What the surface of a scene looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// Grass, rock, snow and water in sun and haze.
    #[default]
    Natural,
    /// Two evenly shaded triangles per cell over a blue water table, as in the papers.
    Triangles,
    /// The edges of those triangles.
    Wireframe,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            azimuth_deg: 200.0,
            elevation_deg: 22.0,
            field_of_view_deg: 42.0,
            exaggeration: None,
            sun_azimuth_deg: 292.0,
            sun_elevation_deg: 26.0,
            look: Look::Natural,
        }
    }
}

/// Size of a view whose size is not given.
const SIZE: [usize; 2] = [1600, 900];

impl Scene {
    /// By how much heights are multiplied for `terrain`: as asked, or so that its relief is at least an
    /// eighth and at most 3/10 of its longer side, rounded to two digits.
    pub fn exaggeration(&self, terrain: &Terrain) -> f64 {
        if let Some(given) = self.exaggeration.filter(|given| given.is_finite()) {
            return given;
        }
        let ground = Ground::new(terrain, terrain.extent().width(), terrain.extent().height());
        auto_exaggeration(&ground)
    }

    /// Draws `terrain`.
    pub fn draw(&self, terrain: &Terrain, size: Option<[usize; 2]>) -> Image {
        let size = clamp_size(size.unwrap_or(SIZE));
        let exaggeration = self.exaggeration(terrain) as f32;
        let stage = Stage::new(self, terrain, size, exaggeration);
        stage.draw(size)
    }
}

fn auto_exaggeration(ground: &Ground<'_>) -> f64 {
    let relief = f64::from(ground.range.1 - ground.range.0.max(ground.sea.min(ground.range.1)));
    let [w, h] = [ground.heights.width(), ground.heights.height()].map(|n| n as f64);
    let longest = (w * f64::from(ground.cell[0])).max(h * f64::from(ground.cell[1]));
    let share = relief / longest;
    if share <= 0.0 || !share.is_finite() {
        return 1.0;
    }
    let wanted = share.clamp(0.125, 0.3);
    let factor = (wanted / share).clamp(1e-4, 1e4);
    // Two digits, without a logarithm: scale to 10 … 99 and back.
    let mut unit = 1.0;
    while factor / unit >= 99.5 {
        unit *= 10.0;
    }
    while factor / unit < 9.95 {
        unit /= 10.0;
    }
    (factor / unit).round() * unit
}

/// Everything a ray needs to know.
struct Stage {
    field: Field,
    surface: Surface,
    air: Air,
    camera: Camera,
    zones: Zones,
    has_sea: bool,
    /// Depth at which water hides the floor, in exaggerated metres.
    clear: f64,
    /// Level of the ground beyond the terrain.
    base: f64,
    longest: f64,
    water_colors: [Rgb; 2],
    side_colors: [Rgb; 2],
    /// Width of a pixel at distance 1.
    pixel: f64,
}

impl Stage {
    fn new(scene: &Scene, terrain: &Terrain, size: [usize; 2], exaggeration: f32) -> Self {
        let extent = terrain.extent();
        let samples = [extent.width(), extent.height()];
        let longest = samples[0].max(samples[1]);
        // Few samples are rounded into hills; more than a picture shows are averaged.
        let side = longest.clamp(1024, 2049);
        let [w, h] = samples.map(|n| (n * side).div_ceil(longest).max(8));
        let ground = Ground::with_sea_floor(terrain, w, h);
        let cell = ground.cell.map(f64::from);
        let mut heights = ground.heights.into_owned();
        let width = heights.width();
        par::for_each_row(heights.samples_mut(), width, |_, row| {
            row.iter_mut().for_each(|h| *h *= exaggeration);
        });
        let (low, high) = (ground.range.0 * exaggeration, ground.range.1 * exaggeration);
        let sea = ground.sea * exaggeration;
        let field = Field::new(heights, cell);
        let [gx, gz] = field.ground();
        let longest = gx.max(gz);
        let true_relief = f64::from(high.max(sea) - low.max(sea)) / f64::from(exaggeration);
        let zones = Zones {
            sea,
            low: low.max(sea),
            high: high.max(sea),
            ruggedness: (math::smoothstep(0.012, 0.05, true_relief / longest)
                * math::smoothstep(100.0, 500.0, true_relief)) as f32,
        };
        let (azimuth, height) =
            (scene.sun_azimuth_deg.to_radians(), scene.sun_elevation_deg.to_radians());
        let flat = math::cos(height);
        let sun = [flat * math::sin(azimuth), math::sin(height), -flat * math::cos(azimuth)];
        let surface = Surface::natural(&field, zones, sun, azimuth);
        let has_sea = low <= sea;
        let thickness = 0.03 * longest;
        let base = if has_sea { f64::from(sea) } else { f64::from(low) - thickness };
        let camera = frame(scene, &field, size, base);
        let away = vector::dot(
            [0, 1, 2].map(|c| [gx / 2.0, base, gz / 2.0][c] - camera.position[c]),
            camera.forward,
        );
        Self {
            surface,
            air: Air { sun, reach: 5.0 * longest, start: (away - 0.6 * longest).max(0.0) },
            camera,
            zones,
            has_sea,
            clear: (0.008 * longest).min(0.25 * f64::from(sea - low)).max(1e-9),
            base,
            longest,
            water_colors: [linear(0x4F_9DA2), linear(0x17_4560)],
            side_colors: [linear(0x6B_5A49), linear(0x8A_7763)],
            pixel: 2.0 * camera.half[1] / size[1] as f64,
            field,
        }
    }

    fn draw(&self, [width, height]: [usize; 2]) -> Image {
        let mut pixels = Grid::filled(width, height, [0.0_f32; 3]);
        let table = encoder();
        par::for_each_row(pixels.samples_mut(), width, |y, row| {
            for (x, out) in row.iter_mut().enumerate() {
                let mut sum = [0.0; 3];
                for [dx, dy] in PATTERN {
                    let u = 2.0 * (x as f64 + dx) / width as f64 - 1.0;
                    let v = 1.0 - 2.0 * (y as f64 + dy) / height as f64;
                    let (origin, direction) = self.camera.ray(u, v);
                    let light = develop(self.trace(origin, direction));
                    sum = [0, 1, 2].map(|c| sum[c] + light[c]);
                }
                *out = sum.map(|channel| encode_with(table, channel / PATTERN.len() as f32));
            }
        });
        Canvas::from_grid(pixels).into_dithered_image()
    }

    /// Light that comes along a ray.
    fn trace(&self, origin: Vec3, direction: Vec3) -> Rgb {
        let hit = self.field.cast(origin, direction);
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

    /// Light from the surface or a side of the block.
    fn ground(&self, origin: Vec3, direction: Vec3, hit: &Hit) -> Rgb {
        if hit.is_side {
            return self.side(along(origin, direction, hit.t));
        }
        let (x, z) = (hit.cell[0] as f64 + hit.place[0], hit.cell[1] as f64 + hit.place[1]);
        // Seen at a slant a pixel covers more of the ground; half of that keeps detail.
        let footprint = hit.t * self.pixel / self.field.cell[0];
        self.surface.at(x, z, 0.8 * footprint)
    }

    /// Light from the cut ground at the border of the terrain.
    fn side(&self, place: Vec3) -> Rgb {
        let depth = (place[1] / self.longest * 90.0) as f32;
        let grain =
            grain_at(&GRAIN, ((place[0] + place[2]) / self.longest * 300.0) as f32, depth * 7.0);
        let stripe = 0.5 + 0.5 * math::sin(f64::from(depth * 2.0 + 0.4 * grain)) as f32;
        mix(self.side_colors[0], self.side_colors[1], 0.5 * stripe + 0.2 * grain)
    }

    /// Light from the water, whose surface the ray meets at `t` and the floor at `hit`.
    fn water(&self, origin: Vec3, direction: Vec3, t: f64, hit: Option<Hit>) -> Rgb {
        let place = along(origin, direction, t);
        let scale = 520.0 / self.longest;
        let (wx, wz) = ((place[0] * scale) as f32, (place[2] * scale) as f32);
        let grain = &*GRAIN;
        // Waves fade with distance, where a pixel holds many.
        let calm = 1.0 / (1.0 + (t * self.pixel * scale * 0.9) as f32);
        let here = grain_at(grain, wx * 1.3, wz * 2.1);
        let tilt = [
            0.05 * calm * (grain_at(grain, wx * 1.3 + 1.0, wz * 2.1) - here),
            0.05 * calm * (grain_at(grain, wx * 1.3, wz * 2.1 + 1.0) - here),
        ];
        let [shallow, deep] = self.water_colors;
        let below = hit.map_or(f64::INFINITY, |hit| (hit.t - t) * -direction[1]);
        let depth = below + self.offshore(place) * self.clear;
        let murk = (1.0 - 1.0 / (1.0 + depth / self.clear * (1.0 + depth / self.clear))) as f32;
        let mut color = mix(shallow, deep, murk.sqrt());
        if let Some(hit) = hit.filter(|_| murk < 0.98) {
            let floor = self.ground(origin, direction, &hit);
            // Red goes first.
            let clear = [1.0 - murk.sqrt().sqrt(), 1.0 - murk.sqrt(), 1.0 - 0.9 * murk.sqrt()];
            color = [0, 1, 2]
                .map(|c| color[c] + (floor[c] * [0.75, 0.9, 0.95][c] - color[c]) * clear[c]);
        }
        let up = (-direction[1]) as f32;
        let grazing = 1.0 - up;
        let fresnel = 0.02 + 0.6 * grazing * grazing * grazing * grazing * grazing;
        let mirrored = vector::unit([
            direction[0] + f64::from(tilt[0]),
            -direction[1],
            direction[2] + f64::from(tilt[1]),
        ]);
        let reflected = match self.field.cast(along(place, mirrored, 1e-4 * self.longest), mirrored)
        {
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
        [0.86, 0.87, 0.88].map(|channel| channel * (1.0 - 0.45 * contact))
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

/// Four places in a pixel, no two in a row or a column: a rotated grid.
const PATTERN: [[f64; 2]; 4] = [[0.125, 0.625], [0.375, 0.125], [0.625, 0.875], [0.875, 0.375]];

/// Places the camera so that the terrain stands at the bottom of the picture and fills it, seen from
/// `elevation_deg` above; the sky has what is left.
fn frame(scene: &Scene, field: &Field, size: [usize; 2], base: f64) -> Camera {
    let half = math::tan((scene.field_of_view_deg.clamp(1.0, 120.0) / 2.0).to_radians());
    let half = [half * size[0] as f64 / size[1] as f64, half];
    let azimuth = scene.azimuth_deg.to_radians();
    let wanted = scene.elevation_deg.clamp(1.0, 90.0).to_radians();
    let [gx, gz] = field.ground();
    let mut points = Vec::new();
    for ([x0, z0], [x1, z1], top) in field.blocks(48) {
        let top = top.max(base);
        points.extend([[x0, top, z0], [x1, top, z0], [x0, top, z1], [x1, top, z1]]);
    }
    for (x, z) in [(0.0, 0.0), (gx, 0.0), (0.0, gz), (gx, gz)] {
        points.push([x, base, z]);
    }
    let margins = Margins { top: 0.06, bottom: 0.035, side: 0.0 };
    let placed = |pitch: f64| Camera::looking(azimuth, pitch, half).framing(&points, margins);
    let elevation = |camera: &Camera| {
        let [x, y, z] = camera.position;
        math::atan2(y - base, math::length(x - gx / 2.0, z - gz / 2.0))
    };
    // The axis points less far down than the terrain lies, and by how much depends on the frame.
    let (mut low, mut high) = (-0.3, std::f64::consts::FRAC_PI_2);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if elevation(&placed(middle)) < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    placed(high)
}
