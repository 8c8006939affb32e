//! Light that falls on the ground: sunlight behind ridges, and how much of the sky is seen.
//!
//! Both come from horizons, one direction after the other, on a coarse copy of the heights. While the ground
//! is being changed a very coarse one is enough; when it rests, the finer one is made a few directions a
//! frame, so that no frame takes long.

use landform::Grid;
use landform::analysis::horizon::horizon;
use web_time::{Duration, Instant};

use super::pyramid::Pyramid;
use super::scene::Scene;

/// Directions in which the sky is looked for.
const DIRECTIONS: usize = 10;
/// Texels on the longer side, at rest and while the ground changes.
const SIDES: [usize; 2] = [512, 128];
/// How long a frame may be held up.
const SLICE: Duration = Duration::from_millis(5);

/// A finished map of light.
#[derive(Debug)]
pub(super) struct LightMap {
    pub(super) size: [usize; 2],
    /// The sun's share and the sky's share of each texel.
    pub(super) texels: Vec<[u8; 2]>,
}

/// What light depends on besides the heights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sun {
    azimuth: f64,
    /// Tangent of its elevation.
    height: f32,
    exaggeration: f32,
}

impl Sun {
    pub(super) fn of(scene: &Scene<'_>) -> Self {
        let elevation = scene.sun_elevation_deg.clamp(0.5, 89.5).to_radians();
        Self {
            azimuth: scene.sun_azimuth_deg.to_radians(),
            height: landform::math::tan(elevation) as f32,
            exaggeration: scene.exaggeration as f32,
        }
    }
}

/// A map of light in the making.
#[derive(Debug)]
pub(super) struct Lighting {
    heights: Grid,
    cell: [f32; 2],
    sun: Sun,
    sky: Vec<f32>,
    /// Directions of the sky that are done.
    done: usize,
}

/// How fine a map of light is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quality {
    /// As good as it gets.
    Resting,
    /// Good enough while the ground changes.
    Moving,
}

impl Lighting {
    /// Begins a map.
    pub(super) fn new(scene: &Scene<'_>, pyramid: &Pyramid, quality: Quality) -> Self {
        let most = SIDES[usize::from(quality == Quality::Moving)];
        let heights = match pyramid.at_most(most) {
            Some((size, heights)) if scene.size[0].max(scene.size[1]) > most => {
                Grid::from_vec(size[0], size[1], heights.to_vec())
            }
            _ => {
                let low = pyramid.range()[0];
                let filled = |&height: &f32| if height.is_finite() { height } else { low };
                Grid::from_vec(
                    scene.size[0],
                    scene.size[1],
                    scene.heights.iter().map(filled).collect(),
                )
            }
        };
        let count = [heights.width(), heights.height()];
        let cell = [0, 1].map(|axis| {
            (scene.spacing[axis] * scene.size[axis] as f64 / count[axis] as f64) as f32
        });
        let sky = vec![0.0; count[0] * count[1]];
        Self { heights, cell, sun: Sun::of(scene), sky, done: 0 }
    }

    /// Works for a while, or until it is done if all is `Moving`, and gives the map when it is finished.
    pub(super) fn advance(&mut self, quality: Quality) -> Option<LightMap> {
        let start = Instant::now();
        while self.done < DIRECTIONS {
            self.look_around();
            if quality == Quality::Resting && start.elapsed() > SLICE {
                return None;
            }
        }
        let tangents = horizon(&self.heights, self.cell, self.sun.azimuth);
        let texel = |(&sky, &tangent): (&f32, &f32)| {
            // The sun is wider than in nature, for soft edges.
            let over = self.sun.height - tangent * self.sun.exaggeration;
            let open = ((over + 0.05) / 0.11).clamp(0.0, 1.0);
            let open = open * open * (3.0 - 2.0 * open);
            [open, sky].map(|share| (255.0 * share.clamp(0.0, 1.0) + 0.5) as u8)
        };
        let texels = self.sky.iter().zip(tangents.samples()).map(texel).collect();
        Some(LightMap { size: [self.heights.width(), self.heights.height()], texels })
    }

    fn look_around(&mut self) {
        let azimuth = (self.done as f64 + 0.5) / DIRECTIONS as f64 * std::f64::consts::TAU;
        let tangents = horizon(&self.heights, self.cell, azimuth);
        for (sky, tangent) in self.sky.iter_mut().zip(tangents.samples()) {
            let tangent = tangent * self.sun.exaggeration;
            *sky += 1.0 / (DIRECTIONS as f32 * (1.0 + tangent * tangent));
        }
        self.done += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view3d::scene::Window;
    use crate::view3d::tests::scene;

    #[test]
    fn a_wall_in_the_west_casts_a_shadow_when_the_sun_is_there() {
        let heights: Vec<f32> =
            (0..64 * 64).map(|k| if k % 64 == 20 { 300.0 } else { 0.0 }).collect();
        let scene =
            Scene { sun_azimuth_deg: 270.0, sun_elevation_deg: 30.0, ..scene([64, 64], &heights) };
        let mut pyramid = Pyramid::new(&scene, 4096);
        pyramid.update(&scene, Window::whole(scene.size));
        let mut lighting = Lighting::new(&scene, &pyramid, Quality::Resting);
        let map = loop {
            if let Some(map) = lighting.advance(Quality::Resting) {
                break map;
            }
        };
        let at = |i: usize| map.texels[32 * 64 + i];
        assert!(at(15)[0] > 240 && at(25)[0] < 15, "{:?} {:?}", at(15), at(25));
        assert!(at(25)[1] < at(60)[1], "the wall hides a part of the sky");
    }
}
