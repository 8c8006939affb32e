//! What the shader is told about a frame, besides textures.

use bytemuck::{Pod, Zeroable};
use landform::math;
use landform::math::vector::{dot, scale, sub};
use landform_view::palette;

use super::camera::{Axes, Camera};
use super::ground::HeightSurface;
use super::lod::MORPH_FROM;
use super::scene::{Scene, Shading};

/// As many peaks can be marked.
pub(super) const MARKS: usize = 16;
/// The walls and the plain below a terrain without sea go down by this share of its longer side.
const SOCKET: f64 = 0.03;

/// The twin of `Frame` in the shader, where the parts are explained.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Frame {
    matrix: [[f32; 4]; 4],
    eye: [f32; 4],
    right: [f32; 4],
    up: [f32; 4],
    forward: [f32; 4],
    ground: [f32; 4],
    grid: [f32; 4],
    zones: [f32; 4],
    sun: [f32; 4],
    air: [f32; 4],
    look: [f32; 4],
    tints: [f32; 4],
    peaks: [[f32; 4]; MARKS],
}

/// Heights in exaggerated metres that the look of a scene depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Levels {
    pub(super) low: f64,
    pub(super) high: f64,
    /// Level of the water, if it covers anything.
    pub(super) sea: Option<f64>,
    /// Bottom of the walls.
    pub(super) base: f64,
    pub(super) longest: f64,
}

impl Levels {
    pub(super) fn of(scene: &Scene<'_>, ground: &HeightSurface<'_>) -> Self {
        let [low, high] = ground.range.map(|h| f64::from(h) * scene.exaggeration);
        let sides = ground.sides();
        let longest = sides[0].max(sides[1]);
        let sea = scene.water.map(|level| level * scene.exaggeration).filter(|&sea| low <= sea);
        let base = sea.map_or(low, |sea| sea.min(low)) - SOCKET * longest;
        Self { low, high, sea, base, longest }
    }
}

/// What else a frame depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) ground: &'a HeightSurface<'a>,
    pub(super) camera: &'a Camera,
    /// Texels of the height texture, and samples per texel.
    pub(super) texels: [usize; 2],
    pub(super) stride: usize,
    /// Rows of the picture.
    pub(super) rows: u32,
    /// Height of the eye over the ground.
    pub(super) over: f64,
}

impl Frame {
    pub(super) fn new(setting: &Setting<'_>) -> Self {
        let Setting { scene, ground, camera, texels, stride, rows, over } = *setting;
        let levels = Levels::of(scene, ground);
        let Axes { right, up, forward } = camera.axes();
        let [w, h] = camera.half();
        let [gx, gz] = ground.sides();
        let eye = camera.eye();
        let cell = ground.spacing.map(|side| side * stride as f64);
        let (sea, has_sea) =
            levels.sea.map_or((levels.low - levels.longest, 0.0), |sea| (sea, 1.0));
        let (land_low, land_high) = (levels.low.max(sea), levels.high.max(sea));
        let unexaggerated = 1.0 / scene.exaggeration.abs().max(1e-9);
        let relief = (land_high - land_low) * unexaggerated;
        let ruggedness = math::smoothstep(0.012, 0.05, relief / levels.longest)
            * math::smoothstep(100.0, 500.0, relief);
        let summit = land_high * unexaggerated - scene.water.unwrap_or(0.0);
        let snow = ruggedness * math::smoothstep(600.0, 1200.0, summit);
        let clear = (0.008 * levels.longest).min(0.25 * (sea - levels.low)).max(1e-9);
        let middle = [0.5 * gx, levels.sea.unwrap_or(levels.base), 0.5 * gz];
        let away = dot(sub(middle, eye), forward);
        let shading = match scene.shading {
            Shading::Natural | Shading::Bare => 0.0,
            Shading::Relief => 1.0,
            Shading::Slope => 2.0,
        };
        let top = palette::highest_rise(
            (land_low * unexaggerated) as f32,
            (land_high * unexaggerated) as f32,
        );
        let mut peaks = [[0.0; 4]; MARKS];
        let marked = scene.peaks.iter().filter(|peak| peak.is_selected).take(MARKS);
        let mut count = 0;
        for (out, peak) in peaks.iter_mut().zip(marked) {
            *out = [peak.place[0], peak.place[1], peak.radius, 0.0].map(|v| v as f32);
            count += 1;
        }
        let vec4 = |v: [f64; 3], w: f64| [v[0], v[1], v[2], w].map(|c| c as f32);
        Self {
            matrix: camera.matrix(),
            eye: vec4(eye, scene.exaggeration),
            right: vec4(scale(right, w), 0.0),
            up: vec4(scale(up, h), 0.0),
            forward: vec4(forward, f64::from(u8::from(scene.shading == Shading::Bare))),
            ground: [cell[0], cell[1], gx, gz].map(|v| v as f32),
            grid: [texels[0] as f64, texels[1] as f64, over, MORPH_FROM].map(|v| v as f32),
            zones: [sea, land_low, land_high, ruggedness].map(|v| v as f32),
            sun: vec4(sun_direction(scene), snow),
            air: [
                (away - 0.6 * levels.longest).max(0.0),
                4.0 * levels.longest,
                levels.longest,
                levels.base,
            ]
            .map(|v| v as f32),
            look: [shading, has_sea, f64::from(u8::from(scene.overlay.is_some())), clear]
                .map(|v| v as f32),
            tints: [
                top,
                (sea - levels.low).max(0.0) as f32,
                (2.0 * h / f64::from(rows.max(1))) as f32,
                count as f32,
            ],
            peaks,
        }
    }
}

/// Unit vector to the sun.
fn sun_direction(scene: &Scene<'_>) -> [f64; 3] {
    let azimuth = scene.sun_azimuth_deg.to_radians();
    let height = scene.sun_elevation_deg.clamp(0.5, 89.5).to_radians();
    let flat = math::cos(height);
    [flat * math::sin(azimuth), math::sin(height), -flat * math::cos(azimuth)]
}
