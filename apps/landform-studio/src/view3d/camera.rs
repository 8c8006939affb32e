//! Where the view is seen from: a camera that turns around a place on the ground.
//!
//! Everything is in metres, heights being exaggerated. On the picture, x runs from −1 (left) to 1 and y from
//! −1 (bottom) to 1. Depth is near / distance: 1 at the near plane and 0 infinitely far away, which spreads
//! the precision of a floating-point depth buffer evenly.

use landform::math;
use landform::math::vector::{Vec3, add, along, cross, dot, length, scale, sub, unit};

/// A camera that looks at `target` from a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Camera {
    pub(super) target: Vec3,
    /// Where the camera stands as seen from the target, in radians clockwise from north.
    pub(super) azimuth: f64,
    /// How steeply it looks down, in radians.
    pub(super) elevation: f64,
    pub(super) distance: f64,
    /// Width of the picture over its height.
    pub(super) aspect: f64,
}

/// Half of the height of the picture, one metre in front of the camera: 40 degrees in all.
const HALF_HEIGHT: f64 = 0.364;
const ELEVATIONS: [f64; 2] = [-0.35, 1.55];
/// Metres in front of the camera where the picture begins, for each metre to the target.
const NEAR: f64 = 0.004;

/// The directions of a camera, all of length 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axes {
    pub(super) right: Vec3,
    pub(super) up: Vec3,
    pub(super) forward: Vec3,
}

impl Camera {
    /// A camera that sees all of `points`, from the south-south-west. In a picture that is higher than wide it looks down more
    /// steeply and more from the south, since the ground would be a narrow strip otherwise.
    pub(super) fn fitting(points: &[Vec3], aspect: f64) -> Self {
        let tall = ((1.35 - aspect) / 0.75).clamp(0.0, 1.0);
        let camera = Self {
            target: [0.0; 3],
            azimuth: (200.0 - 12.0 * tall).to_radians(),
            elevation: (28.0 + 24.0 * tall).to_radians(),
            distance: 1.0,
            aspect,
        };
        camera.fitted(points)
    }

    /// The same look, but from where all of `points` are seen and fill the picture.
    pub(super) fn fitted(mut self, points: &[Vec3]) -> Self {
        let Axes { right, up, forward } = self.axes();
        // In each of two planes, the lines of sight along both borders move in until they touch a point.
        let touch = |side: Vec3, half: f64| {
            let reach = |sign: f64| {
                points
                    .iter()
                    .map(|&p| sign * dot(p, side) - half * dot(p, forward))
                    .fold(f64::NEG_INFINITY, f64::max)
            };
            let (plus, minus) = (reach(1.0), reach(-1.0));
            // The eye at (side s, forward f) sees a point if ±(p·side − s) ≤ half (p·forward − f).
            (0.5 * (plus - minus), -0.5 * (plus + minus) / half)
        };
        let margin = 0.94;
        let (s, f) = touch(right, margin * HALF_HEIGHT * self.aspect);
        let (u, g) = touch(up, margin * HALF_HEIGHT);
        let depth = f.min(g);
        let eye = add(add(scale(right, s), scale(up, u)), scale(forward, depth));
        if !eye.iter().all(|c| c.is_finite()) {
            return self;
        }
        let middle = points.iter().map(|&p| dot(p, forward)).sum::<f64>() / points.len() as f64;
        self.distance = (middle - depth).max(1e-3);
        self.target = along(eye, forward, self.distance);
        self
    }

    /// Its directions.
    pub(super) fn axes(&self) -> Axes {
        let (sin_a, cos_a) = (math::sin(self.azimuth), math::cos(self.azimuth));
        let (sin_e, cos_e) = (math::sin(self.elevation), math::cos(self.elevation));
        let forward = [-sin_a * cos_e, -sin_e, cos_a * cos_e];
        let right = [-cos_a, 0.0, -sin_a];
        Axes { right, up: cross(right, forward), forward }
    }

    /// Where it stands.
    pub(super) fn eye(&self) -> Vec3 {
        along(self.target, self.axes().forward, -self.distance)
    }

    /// Half of the width and of the height of the picture, one metre in front of it.
    pub(super) fn half(&self) -> [f64; 2] {
        [HALF_HEIGHT * self.aspect, HALF_HEIGHT]
    }

    /// Direction through a place of the picture, of length 1.
    pub(super) fn ray(&self, [x, y]: [f64; 2]) -> Vec3 {
        let Axes { right, up, forward } = self.axes();
        let [w, h] = self.half();
        unit(add(forward, add(scale(right, x * w), scale(up, y * h))))
    }

    /// Where a point appears in the picture; nothing if it lies behind the camera.
    pub(super) fn project(&self, point: Vec3) -> Option<[f64; 2]> {
        let Axes { right, up, forward } = self.axes();
        let from_eye = sub(point, self.eye());
        let depth = dot(from_eye, forward);
        let [w, h] = self.half();
        (depth > self.near())
            .then(|| [dot(from_eye, right) / (w * depth), dot(from_eye, up) / (h * depth)])
    }

    /// Distance of the near plane.
    pub(super) fn near(&self) -> f64 {
        NEAR * self.distance
    }

    /// Columns of the matrix from places relative to the eye to the picture.
    pub(super) fn matrix(&self) -> [[f32; 4]; 4] {
        let Axes { right, up, forward } = self.axes();
        let [w, h] = self.half();
        let column = |c: usize| [right[c] / w, up[c] / h, 0.0, forward[c]].map(|v| v as f32);
        [column(0), column(1), column(2), [0.0, 0.0, self.near() as f32, 0.0]]
    }

    /// Turns around the target; both in radians.
    pub(super) fn orbit(&mut self, clockwise: f64, upwards: f64) {
        self.azimuth = (self.azimuth + clockwise).rem_euclid(std::f64::consts::TAU);
        self.elevation = (self.elevation + upwards).clamp(ELEVATIONS[0], ELEVATIONS[1]);
    }

    /// Comes `factor` times as close to `anchor`, which stays where it is in the picture.
    pub(super) fn zoom(&mut self, factor: f64, anchor: Vec3, limits: [f64; 2]) {
        let distance = (self.distance / factor).clamp(limits[0], limits[1]);
        let share = distance / self.distance;
        self.target = along(anchor, sub(self.target, anchor), share);
        self.distance = distance;
    }

    /// Moves over the ground so that what is seen at `from` is seen at `to`, as far as it lies as high as
    /// `level`.
    pub(super) fn pan(&mut self, from: [f64; 2], to: [f64; 2], level: f64) {
        let eye = self.eye();
        let hit = |place| {
            let ray = self.ray(place);
            let t = (level - eye[1]) / ray[1];
            // Towards the horizon a small step would go very far.
            let t = if t > 0.0 { t.min(4.0 * self.distance) } else { 4.0 * self.distance };
            along(eye, ray, t)
        };
        let moved = sub(hit(from), hit(to));
        self.target = [self.target[0] + moved[0], self.target[1], self.target[2] + moved[2]];
    }

    /// Flies to the right, up and forward along the ground, in metres.
    pub(super) fn fly(&mut self, [right, up, forward]: Vec3) {
        let axes = self.axes();
        let ahead = unit([axes.forward[0], 0.0, axes.forward[2]]);
        let moved = add(scale(axes.right, right), scale(ahead, forward));
        self.target = add(self.target, [moved[0], up, moved[2]]);
    }

    /// Looks down more steeply until the eye is at `floor(x, z)` or above.
    pub(super) fn stay_above(&mut self, floor: impl Fn(f64, f64) -> f64) {
        for _ in 0..90 {
            let [x, y, z] = self.eye();
            if y >= floor(x, z) || self.elevation >= ELEVATIONS[1] {
                break;
            }
            self.elevation = (self.elevation + 0.02).min(ELEVATIONS[1]);
        }
    }

    /// Distance from the eye.
    pub(super) fn distance_to(&self, point: Vec3) -> f64 {
        length(sub(point, self.eye()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUBE: [Vec3; 8] = [
        [0.0, 0.0, 0.0],
        [900.0, 0.0, 0.0],
        [0.0, 0.0, 700.0],
        [900.0, 0.0, 700.0],
        [0.0, 300.0, 0.0],
        [900.0, 300.0, 0.0],
        [0.0, 300.0, 700.0],
        [900.0, 300.0, 700.0],
    ];

    #[test]
    fn all_of_a_fitted_box_is_seen_and_fills_the_picture() {
        for aspect in [0.5, 1.0, 2.2] {
            for turn in 0..12 {
                let mut camera = Camera::fitting(&CUBE, aspect);
                camera.orbit(f64::from(turn) * 0.55, 0.05 * f64::from(turn));
                let camera = camera.fitted(&CUBE);
                let places = CUBE.map(|p| camera.project(p).expect("it is in front"));
                let most = |axis: usize| places.iter().map(|p| p[axis].abs()).fold(0.0, f64::max);
                assert!(most(0) <= 0.96 && most(1) <= 0.96, "{aspect} {turn}: {places:?}");
                assert!(most(0).max(most(1)) > 0.9, "{aspect} {turn}: {places:?}");
            }
        }
    }

    #[test]
    fn a_ray_leads_to_what_is_projected_there() {
        let camera = Camera::fitting(&CUBE, 1.6);
        for place in [[0.0, 0.0], [-0.7, 0.4], [0.9, -0.8]] {
            let point = along(camera.eye(), camera.ray(place), 1234.0);
            let back = camera.project(point).unwrap();
            assert!((0..2).all(|c| (back[c] - place[c]).abs() < 1e-9), "{back:?}");
        }
    }

    #[test]
    fn the_matrix_is_the_projection() {
        let camera = Camera::fitting(&CUBE, 1.6);
        let (matrix, point) = (camera.matrix(), [120.0, 80.0, 444.0]);
        let from_eye = sub(point, camera.eye());
        let row = |r: usize| {
            (0..3).map(|c| f64::from(matrix[c][r]) * from_eye[c]).sum::<f64>()
                + f64::from(matrix[3][r])
        };
        let want = camera.project(point).unwrap();
        assert!(
            (row(0) / row(3) - want[0]).abs() < 1e-4 && (row(1) / row(3) - want[1]).abs() < 1e-4
        );
        let depth = dot(from_eye, camera.axes().forward);
        assert!((row(2) / row(3) - camera.near() / depth).abs() < 1e-6);
    }

    #[test]
    fn east_is_on_the_right_of_a_camera_in_the_south() {
        let mut camera = Camera::fitting(&CUBE, 1.0);
        camera.azimuth = std::f64::consts::PI;
        let [x, _] = camera.project(add(camera.target, [10.0, 0.0, 0.0])).unwrap();
        assert!(x > 0.0);
        let [_, y] = camera.project(add(camera.target, [0.0, 10.0, 0.0])).unwrap();
        assert!(y > 0.0);
    }

    #[test]
    fn what_is_zoomed_at_or_panned_stays_under_the_pointer() {
        let mut camera = Camera::fitting(&CUBE, 1.5);
        let anchor = [200.0, 0.0, 300.0];
        let before = camera.project(anchor).unwrap();
        camera.zoom(3.0, anchor, [1.0, 1e6]);
        let after = camera.project(anchor).unwrap();
        assert!((0..2).all(|c| (before[c] - after[c]).abs() < 1e-9), "{before:?} {after:?}");
        let to = [before[0] + 0.2, before[1] - 0.1];
        camera.pan(before, to, 0.0);
        let after = camera.project(anchor).unwrap();
        assert!((0..2).all(|c| (to[c] - after[c]).abs() < 1e-9), "{to:?} {after:?}");
    }

    #[test]
    fn the_eye_stays_above_the_floor() {
        let mut camera = Camera::fitting(&CUBE, 1.5);
        camera.orbit(0.0, -9.0);
        camera.stay_above(|_, _| 20.0);
        assert!(camera.eye()[1] >= 20.0);
    }
}
