//! Mouse, touch and keys, as movements of the camera.
//!
//! | input | movement |
//! | --- | --- |
//! | drag | turns around what is looked at |
//! | drag with the right or middle button, or with Shift | moves over the ground |
//! | wheel, pinch | comes closer to what is under the pointer |
//! | W A S D, Q E | flies: forward, left, back, right, down, up; with Shift faster |
//! | two fingers | move over the ground |
//! | double click, Home | shows everything |

use eframe::egui;

use super::camera::Camera;
use super::ground::HeightSurface;

/// How far the camera may be from what it looks at, in sides of the terrain.
const FARTHEST: f64 = 8.0;

/// What the camera needs to know about the world to move in it.
#[derive(Debug)]
pub(super) struct Surroundings<'a> {
    pub(super) ground: &'a HeightSurface<'a>,
    /// Level of the water in metres, if any.
    pub(super) water: Option<f64>,
    pub(super) rect: egui::Rect,
}

impl Surroundings<'_> {
    /// A place on the screen as the camera counts it.
    pub(super) fn in_picture(&self, place: egui::Pos2) -> [f64; 2] {
        let from_middle = place - self.rect.center();
        let half = 0.5 * self.rect.size();
        [f64::from(from_middle.x / half.x), f64::from(-from_middle.y / half.y)]
    }

    /// The place on the screen of a place in the picture.
    pub(super) fn on_screen(&self, [x, y]: [f64; 2]) -> egui::Pos2 {
        let half = 0.5 * self.rect.size();
        self.rect.center() + egui::vec2(x as f32 * half.x, -y as f32 * half.y)
    }

    /// What is seen at a place of the picture.
    pub(super) fn seen_at(&self, camera: &Camera, place: [f64; 2]) -> Option<[f64; 3]> {
        self.ground.cast(camera.eye(), camera.ray(place), self.water)
    }

    /// Turns, moves and flies as the user asks. Says whether the camera moved.
    pub(super) fn steer(&self, camera: &mut Camera, response: &egui::Response) -> bool {
        let before = *camera;
        let sides = self.ground.sides();
        let longest = sides[0].max(sides[1]);
        let closest = 2.0 * self.ground.spacing[0].min(self.ground.spacing[1]);
        let shift = response.ctx.input(|input| input.modifiers.shift);
        let touches = response.ctx.input(egui::InputState::multi_touch);
        let motion = response.drag_delta();
        let pans = response.dragged_by(egui::PointerButton::Secondary)
            || response.dragged_by(egui::PointerButton::Middle)
            || (shift && response.dragged_by(egui::PointerButton::Primary));
        if let Some(touch) = touches.filter(|_| response.contains_pointer()) {
            let place = touch.center_pos;
            self.pan(camera, place - touch.translation_delta, place);
        } else if pans {
            if let Some(place) = response.interact_pointer_pos() {
                self.pan(camera, place - motion, place);
            }
        } else if response.dragged_by(egui::PointerButton::Primary) {
            let turn = std::f32::consts::PI / self.rect.height().max(200.0);
            camera.orbit(f64::from(turn * motion.x), f64::from(turn * motion.y));
        }
        if let Some(place) = response.hover_pos() {
            let (wheel, pinch) =
                response.ctx.input(|input| (input.smooth_scroll_delta.y, input.zoom_delta()));
            let factor = landform::math::exp(f64::from(wheel) * 0.003) * f64::from(pinch);
            if (factor - 1.0).abs() > 1e-6 {
                let anchor = self.seen_at(camera, self.in_picture(place));
                let anchor = anchor.unwrap_or(camera.target);
                camera.zoom(factor, anchor, [closest, FARTHEST * longest]);
            }
        }
        if response.contains_pointer() || response.has_focus() {
            self.fly(camera, &response.ctx);
        }
        self.keep_in_reach(camera, longest);
        *camera != before
    }

    fn pan(&self, camera: &mut Camera, from: egui::Pos2, to: egui::Pos2) {
        let (from, to) = (self.in_picture(from), self.in_picture(to));
        let level = self.seen_at(camera, from).map_or(camera.target[1], |seen| seen[1]);
        camera.pan(from, to, level);
    }

    fn fly(&self, camera: &mut Camera, ctx: &egui::Context) {
        use egui::Key;
        if ctx.egui_wants_keyboard_input() {
            return;
        }
        let (moved, seconds) = ctx.input(|input| {
            if input.modifiers.command || input.modifiers.alt {
                return ([0.0; 3], 0.0);
            }
            let axis = |more: Key, less: Key| {
                f64::from(u8::from(input.key_down(more)))
                    - f64::from(u8::from(input.key_down(less)))
            };
            let fast = if input.modifiers.shift { 3.0 } else { 1.0 };
            let moved = [axis(Key::D, Key::A), axis(Key::E, Key::Q), axis(Key::W, Key::S)];
            (moved.map(|step| fast * step), f64::from(input.stable_dt.min(0.1)))
        });
        if moved != [0.0; 3] {
            camera.fly(moved.map(|step| step * 0.7 * camera.distance * seconds));
            ctx.request_repaint();
        }
    }

    /// The target stays near the terrain and the eye above it.
    fn keep_in_reach(&self, camera: &mut Camera, longest: f64) {
        let [gx, gz] = self.ground.sides();
        let margin = 0.5 * longest;
        camera.target[0] = camera.target[0].clamp(-margin, gx + margin);
        camera.target[2] = camera.target[2].clamp(-margin, gz + margin);
        let high = f64::from(self.ground.range[1]) * self.ground.exaggeration;
        let low = f64::from(self.ground.range[0]) * self.ground.exaggeration;
        camera.target[1] = camera.target[1].clamp(low - 0.1 * longest, high + longest);
        let water = self.water.map_or(f64::NEG_INFINITY, |level| level * self.ground.exaggeration);
        let gap = 3.0 * camera.near();
        let floor = |x: f64, z: f64| {
            let inside = (0.0..=gx).contains(&x) && (0.0..=gz).contains(&z);
            let ground = if inside { self.ground.height_at(x, z) } else { low };
            ground.max(water) + gap
        };
        camera.stay_above(floor);
    }
}
