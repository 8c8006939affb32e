//! The look of the papers: two evenly shaded triangles per cell over a blue water table, or their edges.

use landform::math::vector::{Vec3, add, along, cross, dot, scale, unit};

use super::camera::Camera;
use super::field::{Field, Free, Hit};
use super::relief::Relief;
use super::trace::Light;
use super::{Look, Scene};
use crate::color::{Rgb, linear, mix, smoothstep};
use crate::relief::{LAND, top_tint};

/// Everything a ray needs to know.
pub(crate) struct Plain<'a> {
    field: &'a Field,
    sun: Vec3,
    look: Look,
    sea: Option<f64>,
    base: f64,
    low: f32,
    high: f32,
    /// The tint of the highest ground.
    top: f32,
    water: Rgb,
    line: Rgb,
    sheet: [Rgb; 2],
    side: Rgb,
    /// The vectors of one pixel to the right and up at distance 1.
    pixel: [Vec3; 2],
}

impl<'a> Plain<'a> {
    pub(crate) fn new(scene: &Scene, relief: &'a Relief, camera: &Camera, rows: usize) -> Self {
        let step = 2.0 * camera.half[1] / rows as f64;
        let (low, high) = (relief.low.max(relief.sea), relief.high.max(relief.sea));
        let metres = 1.0 / relief.exaggeration.max(1e-9);
        Self {
            field: &relief.field,
            sun: scene.sun().0,
            look: scene.look,
            sea: relief.has_sea().then_some(relief.base),
            base: relief.base,
            low,
            high,
            top: top_tint((low * metres, high * metres)),
            water: linear(0x4A_83B5),
            line: linear(0x2A_3A4D),
            sheet: [linear(0xF7_F5F0), linear(0xDD_E4EA)],
            side: linear(0x9A_8B78),
            pixel: [scale(camera.right, step), scale(camera.up, step)],
        }
    }

    /// Corners of the triangle that was hit, and its unit normal.
    fn triangle(&self, hit: &Hit) -> ([f32; 3], Vec3) {
        let [i, j] = hit.cell;
        let h = |di: usize, dj: usize| self.field.heights[(i + di, j + dj)];
        let (a, b, c, d) = (h(0, 0), h(1, 0), h(0, 1), h(1, 1));
        let [cx, cz] = self.field.cell;
        let (corners, rise) = if hit.place[0] >= hit.place[1] {
            ([a, b, d], [f64::from(b - a) / cx, f64::from(d - b) / cz])
        } else {
            ([a, c, d], [f64::from(d - c) / cx, f64::from(c - a) / cz])
        };
        (corners, unit([-rise[0], 1.0, -rise[1]]))
    }

    fn ground(&self, direction: Vec3, hit: &Hit) -> Rgb {
        if hit.is_side {
            return self.side;
        }
        let (corners, normal) = self.triangle(hit);
        let facing = dot(normal, self.sun).max(0.0) as f32;
        let level = (self.sun[1] as f32).max(0.05);
        let shade = 0.30 + 0.70 * (facing / level).min(1.7);
        let mean = (corners[0] + corners[1] + corners[2]) / 3.0;
        let rise =
            if self.high > self.low { (mean - self.low) / (self.high - self.low) } else { 0.0 };
        let tint = LAND.at(rise * self.top).map(|channel| (channel * shade).min(1.0));
        if self.look == Look::Triangles {
            return tint;
        }
        let face = mix([1.0; 3], tint, 0.35);
        mix(face, self.line, 0.85 * self.edge(direction, hit, normal))
    }

    /// How much of the pixel the edges of the triangles cover.
    fn edge(&self, direction: Vec3, hit: &Hit, normal: Vec3) -> f32 {
        // Where the next pixels to the right and up meet the plane of the triangle.
        let slant = dot(normal, direction).min(-0.02);
        let [right, up] = self.pixel.map(|step| {
            let step = scale(step, hit.t);
            add(step, scale(direction, -dot(normal, step) / slant))
        });
        let [u, v] = hit.place;
        let [cx, cz] = self.field.cell;
        let span = |x: f64, y: f64| (x * x + y * y).sqrt().max(1e-9);
        let across_u = span(right[0] / cx, up[0] / cx);
        let across_v = span(right[2] / cz, up[2] / cz);
        let across_d = span(right[0] / cx - right[2] / cz, up[0] / cx - up[2] / cz);
        let cover = |distance: f64, across: f64, width: f64| {
            let covered = (0.5 * width + 0.5 - distance / across).clamp(0.0, 1.0);
            // Lines closer than pixels fade into a tone instead of flickering.
            covered * (0.5 / across).min(1.0)
        };
        let sides = cover(u.min(1.0 - u), across_u, 0.9).max(cover(v.min(1.0 - v), across_v, 0.9));
        sides.max(0.55 * cover((u - v).abs(), across_d, 0.7)) as f32
    }
}

impl Light for Plain<'_> {
    fn along(&self, origin: Vec3, direction: Vec3, free: Free) -> Rgb {
        // Below its base, which is the water table if there is one, nothing is drawn.
        let is_cut = |hit: &Hit| origin[1] + direction[1] * hit.t < self.base;
        let hit = self.field.cast(origin, direction, free).filter(|hit| !is_cut(hit));
        if let Some(sea) = self.sea.filter(|_| direction[1] < 0.0) {
            let t = (sea - origin[1]) / direction[1];
            let place = along(origin, direction, t);
            let [gx, gz] = self.field.ground();
            let inside = (0.0..=gx).contains(&place[0]) && (0.0..=gz).contains(&place[2]);
            if inside && hit.is_none_or(|hit| t < hit.t) {
                let far = cross(direction, [0.0, 1.0, 0.0]);
                let slant = smoothstep(0.0, 1.0, dot(far, far) as f32);
                return mix(self.water, self.sheet[1], 0.25 * slant);
            }
        }
        match hit {
            Some(hit) => self.ground(direction, &hit),
            None => mix(self.sheet[0], self.sheet[1], smoothstep(-0.5, 0.3, direction[1] as f32)),
        }
    }
}
