//! The terrain as it would look from a hill nearby: perspective, sun, sky and water.

mod air;
pub(crate) mod block;
mod camera;
mod field;
mod natural;
mod noise;
mod plain;
mod relief;
mod surface;
mod trace;
pub(crate) mod triangles;
pub(crate) mod view3d;
pub(crate) mod wireframe;

use landform::math::vector::Vec3;
use landform::{Terrain, math};

use self::camera::{Camera, Margins};
use self::field::Field;
use self::natural::Natural;
pub(crate) use self::noise::GRAIN;
use self::plain::Plain;
use self::relief::Relief;
use crate::Image;
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
    /// How distance shows.
    pub projection: Projection,
}

/// How distance shows in a scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Projection {
    /// Far things are smaller and hazy; the sea goes on to the horizon.
    #[default]
    Perspective,
    /// Parallel rays, as in a block diagram: the terrain and its water are cut out of the ground.
    Parallel,
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
            elevation_deg: 24.0,
            field_of_view_deg: 40.0,
            exaggeration: None,
            sun_azimuth_deg: 292.0,
            sun_elevation_deg: 26.0,
            look: Look::Natural,
            projection: Projection::Perspective,
        }
    }
}

/// Size of a view whose size is not given.
const SIZE: [usize; 2] = [1600, 900];

impl Scene {
    /// By how much heights are multiplied for `terrain`: as asked, or so that its relief is at least an
    /// eighth and at most 3/10 of its longer side, rounded to two digits, and at most 5, so that flat land stays flat.
    /// Ground beyond 500 km, up to planets, whose ranges would be less than a pixel high, is multiplied by more in proportion, until
    /// its relief is 1/50 of the longer side.
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
        let relief = self.relief(terrain, size);
        let camera = frame(self, &relief, size, Framing::Terrain);
        self.draw_from(&relief, &camera, size)
    }

    /// The same picture; the samples of `terrain` are let go before rays are cast.
    pub(crate) fn draw_owned(&self, terrain: Terrain, size: Option<[usize; 2]>) -> Image {
        let size = clamp_size(size.unwrap_or(SIZE));
        let relief = self.relief(&terrain, size);
        drop(terrain);
        let camera = frame(self, &relief, size, Framing::Terrain);
        self.draw_from(&relief, &camera, size)
    }

    /// Draws `terrain` from `frames` directions all around it, the first from where the camera stands.
    /// The pictures follow each other smoothly and the last leads to the first.
    pub fn turntable(
        &self,
        terrain: &Terrain,
        size: Option<[usize; 2]>,
        frames: usize,
    ) -> impl Iterator<Item = Image> + use<'_> {
        let size = clamp_size(size.unwrap_or(SIZE));
        let relief = self.relief(terrain, size);
        let turned = move |k: usize| {
            let azimuth_deg = self.azimuth_deg + 360.0 * k as f64 / frames as f64;
            let scene = Self { azimuth_deg, ..self.clone() };
            let camera = frame(&scene, &relief, size, Framing::Cylinder);
            scene.draw_from(&relief, &camera, size)
        };
        (0..frames).map(turned)
    }

    fn relief(&self, terrain: &Terrain, size: [usize; 2]) -> Relief {
        let exaggeration = self.exaggeration(terrain) as f32;
        // A texel of the surface is about a pixel of the picture.
        let side = size[0].max(size[1]);
        let (least, most) = match self.look {
            Look::Natural => (side.clamp(16, 1024), (side * 3 / 2).clamp(16, 2049)),
            Look::Triangles => (2, 1025),
            // More lines than that run together.
            Look::Wireframe => (2, 129),
        };
        let mut relief = Relief::new(terrain, exaggeration, least, most);
        if self.projection == Projection::Parallel {
            relief.stand_on_block();
        }
        relief
    }

    fn draw_from(&self, relief: &Relief, camera: &Camera, size: [usize; 2]) -> Image {
        match self.look {
            Look::Natural => {
                let natural = Natural::new(self, relief, camera, size[1]);
                trace::draw(&natural, &relief.field, camera, size)
            }
            Look::Triangles | Look::Wireframe => {
                let plain = Plain::new(self, relief, camera, size[1]);
                trace::draw(&plain, &relief.field, camera, size)
            }
        }
    }

    /// Unit vector to the sun, and its azimuth in radians.
    fn sun(&self) -> (Vec3, f64) {
        let (azimuth, height) =
            (self.sun_azimuth_deg.to_radians(), self.sun_elevation_deg.to_radians());
        let flat = math::cos(height);
        ([flat * math::sin(azimuth), math::sin(height), -flat * math::cos(azimuth)], azimuth)
    }
}

/// Ground longer than this is a map of continents.
const LAND_M: f64 = 500_000.0;

fn auto_exaggeration(ground: &Ground<'_>) -> f64 {
    let relief = f64::from(ground.range.1 - ground.range.0.max(ground.sea.min(ground.range.1)));
    let [w, h] = [ground.heights.width(), ground.heights.height()].map(|n| n as f64);
    let longest = (w * f64::from(ground.cell[0])).max(h * f64::from(ground.cell[1]));
    let share = relief / longest;
    if share <= 0.0 || !share.is_finite() {
        return 1.0;
    }
    // Islands take up little of the map: as high as a land of the whole width they would be needles.
    let samples = ground.heights.samples();
    let is_land = |height: &&f32| **height >= ground.sea;
    let land = samples.iter().filter(is_land).count() as f64 / samples.len().max(1) as f64;
    let wanted = share.clamp(0.125 * land.sqrt().max(0.4), 0.3);
    let factor = (wanted / share).clamp(1e-4, 5.0);
    let most = 5.0 * (longest / LAND_M).max(1.0);
    let factor = if longest > LAND_M { factor.max((0.02 / share).min(most)) } else { factor };
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

/// What the picture must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Framing {
    /// The terrain as it is seen.
    Terrain,
    /// The cylinder that it turns in, so that turning does not change its size.
    Cylinder,
}

impl Framing {
    fn points(self, field: &Field, base: f64) -> Vec<Vec3> {
        let [gx, gz] = field.ground();
        let blocks = field.blocks(48);
        let mut points = Vec::new();
        match self {
            Self::Terrain => {
                for ([x0, z0], [x1, z1], top) in blocks {
                    let top = top.max(base);
                    points.extend([[x0, top, z0], [x1, top, z0], [x0, top, z1], [x1, top, z1]]);
                }
                let corners = [(0.0, 0.0), (gx, 0.0), (0.0, gz), (gx, gz)];
                points.extend(corners.map(|(x, z)| [x, base, z]));
            }
            Self::Cylinder => {
                let top = blocks.iter().map(|block| block.2).fold(base, f64::max);
                let radius = math::length(gx, gz) / 2.0;
                for k in 0..64 {
                    let angle = f64::from(k) / 64.0 * std::f64::consts::TAU;
                    let x = gx / 2.0 + radius * math::cos(angle);
                    let z = gz / 2.0 + radius * math::sin(angle);
                    points.extend([[x, base, z], [x, base + 0.5 * (top - base), z]]);
                }
            }
        }
        points
    }
}

/// Places the camera so that the terrain stands at the bottom of the picture and fills it, seen from
/// `elevation_deg` above; the sky has what is left.
fn frame(scene: &Scene, relief: &Relief, size: [usize; 2], framing: Framing) -> Camera {
    let (field, base) = (&relief.field, relief.base);
    let half = math::tan((scene.field_of_view_deg.clamp(1.0, 120.0) / 2.0).to_radians());
    let half = [half * size[0] as f64 / size[1] as f64, half];
    let azimuth = scene.azimuth_deg.to_radians();
    let wanted = scene.elevation_deg.clamp(1.0, 90.0).to_radians();
    let [gx, gz] = field.ground();
    let points = framing.points(field, base);
    let margins = Margins { top: 0.06, bottom: 0.035, side: 0.0 };
    if scene.projection == Projection::Parallel {
        // A block diagram is looked at more from above.
        let pitch = (wanted + 0.10).min(std::f64::consts::FRAC_PI_2);
        let aspect = half[0] / half[1];
        return Camera::looking(azimuth + 0.45, pitch, half)
            .framing_parallel(&points, aspect, margins);
    }
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
