//! Which part of the ground the plan shows: x to the right, z down.

use eframe::egui::{Pos2, Rect, Vec2, pos2, vec2};
use landform::Lattice;

/// The place in the middle of the window, and how large the ground is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    /// Metres to the east and to the south of the first sample.
    pub(crate) center: [f64; 2],
    /// Points on the screen for each metre.
    pub(crate) scale: f64,
}

impl Camera {
    /// Shows all of the ground with a margin.
    pub(crate) fn fitting(lattice: &Lattice, window: Rect) -> Self {
        let ground = lattice.ground();
        let side = |axis: usize| ground[axis].max(lattice.spacing[axis]);
        let room = window.size() * 0.86;
        let scale = (f64::from(room.x) / side(0)).min(f64::from(room.y) / side(1));
        Self { center: ground.map(|length| length / 2.0), scale: scale.max(1e-9) }
    }

    pub(crate) fn to_screen(self, window: Rect, [x, z]: [f64; 2]) -> Pos2 {
        let at = |place: f64, middle: f64| ((place - middle) * self.scale) as f32;
        window.center() + vec2(at(x, self.center[0]), at(z, self.center[1]))
    }

    pub(crate) fn to_world(self, window: Rect, at: Pos2) -> [f64; 2] {
        let from = at - window.center();
        [
            self.center[0] + f64::from(from.x) / self.scale,
            self.center[1] + f64::from(from.y) / self.scale,
        ]
    }

    /// Moves the ground by so many points on the screen.
    pub(crate) fn pan(&mut self, by: Vec2) {
        self.center[0] -= f64::from(by.x) / self.scale;
        self.center[1] -= f64::from(by.y) / self.scale;
    }

    /// Zooms; what lies at `fixed` on the screen stays there.
    pub(crate) fn zoom(&mut self, window: Rect, fixed: Pos2, factor: f64) {
        let before = self.to_world(window, fixed);
        self.scale = (self.scale * factor).clamp(1e-9, 1e6);
        let after = self.to_world(window, fixed);
        for axis in 0..2 {
            self.center[axis] += before[axis] - after[axis];
        }
    }

    /// The rectangle of the ground on the screen.
    pub(crate) fn ground(self, window: Rect, lattice: &Lattice) -> Rect {
        let [width, depth] = lattice.ground();
        Rect::from_min_max(
            self.to_screen(window, [0.0, 0.0]),
            self.to_screen(window, [width, depth]),
        )
    }
}

/// A round length in metres that is drawn about `points` long, and how long that is.
pub(crate) fn scale_bar(camera: Camera, points: f32) -> (f64, f32) {
    let wanted = f64::from(points) / camera.scale;
    let power = 10f64.powf(wanted.log10().floor());
    let step = [5.0, 2.0, 1.0].into_iter().find(|step| step * power <= wanted).unwrap_or(1.0);
    let metres = step * power;
    (metres, (metres * camera.scale) as f32)
}

/// A length for people.
pub(crate) fn length(metres: f64) -> String {
    if metres >= 1000.0 {
        format!("{} km", metres / 1000.0)
    } else if metres >= 1.0 {
        format!("{metres} m")
    } else {
        format!("{metres:.3} m")
    }
}

/// The two corners of a rectangle that is dragged, in any direction.
pub(crate) fn spanned(a: Pos2, b: Pos2) -> Rect {
    Rect::from_min_max(pos2(a.x.min(b.x), a.y.min(b.y)), pos2(a.x.max(b.x), a.y.max(b.y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_screen_and_the_ground_go_into_each_other() {
        let window = Rect::from_min_size(pos2(10.0, 20.0), vec2(400.0, 300.0));
        let lattice = Lattice { size: [101, 51], spacing: [10.0, 10.0] };
        let mut camera = Camera::fitting(&lattice, window);
        assert_eq!(camera.to_screen(window, [500.0, 250.0]), window.center());
        assert!(window.contains_rect(camera.ground(window, &lattice)));
        let fixed = pos2(77.0, 99.0);
        let before = camera.to_world(window, fixed);
        camera.zoom(window, fixed, 3.0);
        let after = camera.to_world(window, fixed);
        assert!((before[0] - after[0]).abs() < 1e-9 && (before[1] - after[1]).abs() < 1e-9);
        let (metres, points) = scale_bar(camera, 120.0);
        assert!(points <= 120.0 && points > 40.0 && metres > 0.0);
    }
}
