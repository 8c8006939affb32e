//! Shaded relief, lit by several suns.
//!
//! ```text
//! s = Σ w max(0, n·l)      n the unit normal, l the unit vector to a sun, w its weight; Σ w = 1
//! ```
//!
//! One sun hides the ridges that run towards it; cartographers add weaker ones from the sides (Mark 1992).
//! The weights differ on the two sides, so no direction of ridge is blind. Slopes are exaggerated so that
//! plains and alps both read.

use landform::{Grid, Terrain, math, par};

use crate::color::{byte, mix, srgb};
use crate::contours::number;
use crate::draw::Canvas;
use crate::gradient::{Slopes, typical_slope};
use crate::ground::Ground;
use crate::legend::Legend;
use crate::relief::MISSING;
use crate::style::{Draws, GroundMap, StyleEntry};
use crate::{Image, Options};

/// What the table of styles says about it.
pub(crate) static STYLE: StyleEntry = StyleEntry {
    name: "hillshade",
    doc: "shaded by several suns",
    draws: Draws::Ground(GroundMap { measures: None, draw: draw_map, alone: Some(draw_alone) }),
};

/// A sun of the hillshade.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Where it stands, in degrees clockwise from north.
    pub azimuth_deg: f64,
    /// How high it stands, in degrees over the horizon.
    pub elevation_deg: f64,
    /// Its share of the light.
    pub weight: f64,
}

/// Options of the hillshade.
#[derive(Clone, Debug, PartialEq)]
pub struct Hillshade {
    /// The suns. Their weights are scaled to sum to 1.
    pub lights: Vec<Light>,
    /// Heights are multiplied by this; chosen from the slopes of the terrain if it is not given.
    pub exaggeration: Option<f64>,
}

impl Default for Hillshade {
    fn default() -> Self {
        let light =
            |azimuth_deg, elevation_deg, weight| Light { azimuth_deg, elevation_deg, weight };
        Self {
            lights: vec![
                light(315.0, 45.0, 0.50),
                light(270.0, 40.0, 0.22),
                light(0.0, 40.0, 0.14),
                light(225.0, 40.0, 0.14),
            ],
            exaggeration: None,
        }
    }
}

/// A light as the weighted vector to it.
#[derive(Clone, Copy, Debug)]
struct Ray {
    east: f32,
    up: f32,
    south: f32,
}

/// Suns and exaggeration, ready to shade.
#[derive(Clone, Debug)]
pub(crate) struct Shader {
    rays: Vec<Ray>,
    pub(crate) exaggeration: f32,
}

impl Hillshade {
    /// Chooses what is left to choose.
    pub(crate) fn shader(&self, ground: &Ground<'_>) -> Shader {
        let sum: f64 = self.lights.iter().map(|light| light.weight).sum();
        let rays = self.lights.iter().filter(|_| sum > 0.0).map(|light| {
            let (azimuth, elevation) =
                (light.azimuth_deg.to_radians(), light.elevation_deg.to_radians());
            let (weight, flat) = (light.weight / sum, math::cos(elevation));
            Ray {
                east: (weight * flat * math::sin(azimuth)) as f32,
                up: (weight * math::sin(elevation)) as f32,
                south: (-weight * flat * math::cos(azimuth)) as f32,
            }
        });
        let exaggeration = self.exaggeration.map_or_else(
            || auto_exaggeration(typical_slope(&ground.heights, ground.cell)),
            |given| given as f32,
        );
        Shader { rays: rays.collect(), exaggeration }
    }
}

/// Brings the steeper quarter of the ground to about 30 degrees.
fn auto_exaggeration(typical_slope: f32) -> f32 {
    if typical_slope > 0.0 { (0.6 / typical_slope).clamp(1e-3, 1e4) } else { 1.0 }
}

impl Shader {
    /// Brightness of level ground.
    pub(crate) fn level(&self) -> f32 {
        self.rays.iter().map(|ray| ray.up.max(0.0)).sum()
    }

    /// Brightness, 0 to 1, of ground with these slopes.
    #[inline]
    pub(crate) fn shade(&self, slope_x: f32, slope_z: f32) -> f32 {
        let shrink = 1.0 / (1.0 + slope_x * slope_x + slope_z * slope_z).sqrt();
        let mut sum = 0.0;
        for ray in &self.rays {
            let lit = ray.up - ray.east * slope_x - ray.south * slope_z;
            sum += if lit > 0.0 { lit } else { 0.0 };
        }
        sum * shrink
    }

    /// Writes the brightness of a row of slopes.
    pub(crate) fn shade_row(&self, slopes: &Slopes, out: &mut [f32]) {
        // The default has four suns: known at compile time, their loop is unrolled and vectorised.
        if let [a, b, c, d] = self.rays[..] {
            let rays = [a, b, c, d];
            for (out, (&x, &z)) in out.iter_mut().zip(slopes.x.iter().zip(&slopes.z)) {
                let mut sum = 0.0;
                for ray in &rays {
                    let lit = ray.up - ray.east * x - ray.south * z;
                    sum += if lit > 0.0 { lit } else { 0.0 };
                }
                *out = sum * (1.0 / (1.0 + x * x + z * z).sqrt());
            }
        } else {
            for (out, (&x, &z)) in out.iter_mut().zip(slopes.x.iter().zip(&slopes.z)) {
                *out = self.shade(x, z);
            }
        }
    }

    /// Brightness of all the ground.
    pub(crate) fn shade_all(&self, ground: &Ground<'_>) -> Grid {
        let (width, height) = (ground.heights.width(), ground.heights.height());
        let mut shaded = Grid::filled(width, height, 0.0_f32);
        par::for_each_part(shaded.samples_mut(), width, 16, |k, part| {
            let mut slopes = Slopes::default();
            for (n, row) in part.chunks_exact_mut(width).enumerate() {
                slopes.of_row(&ground.heights, 16 * k + n, ground.cell, self.exaggeration);
                self.shade_row(&slopes, row);
            }
        });
        shaded
    }
}

fn draw_map(
    terrain: &Terrain,
    options: &Options,
    [width, height]: [usize; 2],
    legend: &mut Legend<'_>,
) -> Canvas {
    let ground = Ground::new(terrain, width, height);
    let shader = options.hillshade.shader(&ground);
    let exaggeration = f64::from(shader.exaggeration);
    legend.note = format!("heights × {}", number((exaggeration * 100.0).round() / 100.0));
    let mut pixels = shader.shade_all(&ground).map(|&light| [light; 3]);
    if let Some(missing) = &ground.missing {
        for (pixel, &missing) in pixels.samples_mut().iter_mut().zip(missing.samples()) {
            *pixel = mix(*pixel, srgb(MISSING), missing);
        }
    }
    Canvas::from_grid(pixels)
}

/// A hillshade that lacks nothing.
fn draw_alone(terrain: &Terrain, options: &Options, [width, height]: [usize; 2]) -> Option<Image> {
    let ground = Ground::new(terrain, width, height);
    if ground.missing.is_some() {
        return None;
    }
    let shader = options.hillshade.shader(&ground);
    let mut pixels = vec![[0_u8; 3]; width * height];
    par::for_each_part(&mut pixels, width, 16, |k, part| {
        let (mut slopes, mut light) = (Slopes::default(), vec![0.0_f32; width]);
        for (n, row) in part.chunks_exact_mut(width).enumerate() {
            slopes.of_row(&ground.heights, 16 * k + n, ground.cell, shader.exaggeration);
            shader.shade_row(&slopes, &mut light);
            for (out, &light) in row.iter_mut().zip(&light) {
                *out = [byte(light); 3];
            }
        }
    });
    Some(Image::from_pixels(width, height, pixels))
}
