//! Where the view is taken from.

use landform::math;
use landform::math::vector::{Vec3, add, cross, dot, scale, unit};

/// A camera without roll.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Camera {
    pub(crate) position: Vec3,
    pub(crate) forward: Vec3,
    pub(crate) right: Vec3,
    pub(crate) up: Vec3,
    /// Half the width and half the height of the picture at distance 1.
    pub(crate) half: [f64; 2],
    /// Rays are parallel: `half` is in metres.
    pub(crate) is_parallel: bool,
}

/// Share of the picture's height that stays free over and under the terrain, and of its width beside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Margins {
    pub(crate) top: f64,
    pub(crate) bottom: f64,
    pub(crate) side: f64,
}

impl Camera {
    /// A camera that stands in direction `azimuth` (radians clockwise from north) and looks down by
    /// `pitch`, without a place yet.
    pub(crate) fn looking(azimuth: f64, pitch: f64, half: [f64; 2]) -> Self {
        let level = [-math::sin(azimuth), 0.0, math::cos(azimuth)];
        let forward = unit(add(scale(level, math::cos(pitch)), [0.0, -math::sin(pitch), 0.0]));
        let right = unit(cross(level, [0.0, 1.0, 0.0]));
        let up = cross(right, forward);
        Self { position: [0.0; 3], forward, right, up, half, is_parallel: false }
    }

    /// Moved to where all `points` are just in the picture.
    ///
    /// With the direction fixed, each point bounds the place of the camera linearly, so the nearest
    /// place follows from the extreme points of the four sides.
    pub(crate) fn framing(mut self, points: &[Vec3], margins: Margins) -> Self {
        let (width, height) = (self.half[0] * (1.0 - 2.0 * margins.side), self.half[1]);
        let (above, below) =
            (height * (1.0 - 2.0 * margins.top), height * (1.0 - 2.0 * margins.bottom));
        let far = |axis: Vec3, slope: f64| {
            let reach = |&p: &Vec3| dot(p, axis) - slope * dot(p, self.forward);
            points.iter().map(reach).fold(f64::NEG_INFINITY, f64::max)
        };
        let (left, right) = (far(scale(self.right, -1.0), width), far(self.right, width));
        let (bottom, top) = (far(scale(self.up, -1.0), below), far(self.up, above));
        let back = ((left + right) / (2.0 * width)).max((bottom + top) / (below + above)).max(1e-9);
        let across = (right - left) / 2.0;
        // What is free in height is left to the sky.
        let rise = below * back - bottom;
        self.position =
            add(scale(self.forward, -back), add(scale(self.right, across), scale(self.up, rise)));
        self
    }

    /// The same with parallel rays, in a picture `aspect` times as wide as high.
    pub(crate) fn framing_parallel(
        mut self,
        points: &[Vec3],
        aspect: f64,
        margins: Margins,
    ) -> Self {
        let far =
            |axis: Vec3| points.iter().map(|&p| dot(p, axis)).fold(f64::NEG_INFINITY, f64::max);
        let near = |axis: Vec3| points.iter().map(|&p| dot(p, axis)).fold(f64::INFINITY, f64::min);
        let (left, right) = (near(self.right), far(self.right));
        let (bottom, top) = (near(self.up), far(self.up));
        let free = 1.0 - 2.0 * margins.side - 0.06;
        let tall = ((top - bottom) / (1.0 - margins.top - margins.bottom - 0.04))
            .max((right - left) / (aspect * free));
        self.half = [tall.max(1e-9) / 2.0 * aspect, tall.max(1e-9) / 2.0];
        self.is_parallel = true;
        let back = near(self.forward) - 1.0;
        self.position = add(
            scale(self.forward, back),
            add(scale(self.right, (left + right) / 2.0), scale(self.up, (bottom + top) / 2.0)),
        );
        self
    }

    /// Origin and direction of the ray through a place of a picture of `size`, in pixels.
    #[inline]
    pub(crate) fn ray_through(&self, size: [usize; 2], [x, y]: [f64; 2]) -> (Vec3, Vec3) {
        self.ray(2.0 * x / size[0] as f64 - 1.0, 1.0 - 2.0 * y / size[1] as f64)
    }

    /// Origin and direction of the ray through the point (x, y), −1 to 1 from left to right and from
    /// bottom to top.
    #[inline]
    pub(crate) fn ray(&self, x: f64, y: f64) -> (Vec3, Vec3) {
        let offset = add(scale(self.right, x * self.half[0]), scale(self.up, y * self.half[1]));
        if self.is_parallel {
            (add(self.position, offset), self.forward)
        } else {
            (self.position, unit(add(self.forward, offset)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn framed_points_touch_the_margins_and_stay_inside() {
        let points: Vec<Vec3> = (0..60)
            .map(|k| {
                let k = f64::from(k);
                [k * 37.0 % 100.0, k * 11.0 % 20.0, k * 53.0 % 80.0]
            })
            .collect();
        let margins = Margins { top: 0.1, bottom: 0.05, side: 0.02 };
        let camera = Camera::looking(3.5, 0.4, [0.6, 0.35]).framing(&points, margins);
        let (mut widest, mut highest, mut lowest) = (0.0_f64, -9.0_f64, 9.0_f64);
        for &p in &points {
            let from = [0, 1, 2].map(|c| p[c] - camera.position[c]);
            let depth = dot(from, camera.forward);
            assert!(depth > 0.0);
            widest = widest.max((dot(from, camera.right) / depth / 0.6).abs());
            highest = highest.max(dot(from, camera.up) / depth / 0.35);
            lowest = lowest.min(dot(from, camera.up) / depth / 0.35);
        }
        assert!(widest <= 0.96 + 1e-9 && highest <= 0.8 + 1e-9 && lowest >= -0.9 - 1e-9);
        assert!(lowest < -0.9 + 1e-6 && (widest > 0.96 - 1e-6 || highest > 0.8 - 1e-6));
    }
}
