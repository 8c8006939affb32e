//! The mask brush on the plan.

use std::sync::Arc;

use eframe::egui::{
    self, Color32, ColorImage, Key, Pos2, Rect, Stroke as Pen, TextureOptions, Vec2,
};

use super::paint::Canvas;
use crate::camera::Camera;
use crate::options::Options;
use crate::painting::{self, Brush, Painting, Stroke};
use crate::session::Session;
use crate::theme::PLACE;

/// The brush: which stage it paints, the stroke under way, and the picture of the mask.
#[derive(Default)]
pub(crate) struct Brushwork {
    /// The stage whose mask is painted: the one that is open in the list.
    pub(crate) stage: Option<usize>,
    stroke: Option<Stroke>,
    shown: Option<(Arc<Painting>, egui::TextureHandle)>,
    /// Why the last stroke was not possible.
    pub(crate) error: Option<String>,
}

impl std::fmt::Debug for Brushwork {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Brushwork").field("stage", &self.stage).finish_non_exhaustive()
    }
}

impl Brushwork {
    pub(super) fn is_painting(&self) -> bool {
        self.stroke.is_some()
    }

    /// Paints while the first button is down.
    pub(super) fn paint(
        &mut self,
        ui: &egui::Ui,
        response: &egui::Response,
        session: &mut Session,
        (camera, options): (Camera, &Options),
    ) {
        let (is_down, is_space, is_shift) = ui.input(|input| {
            let is_down = input.pointer.primary_down();
            (is_down, input.key_down(Key::Space), input.modifiers.shift)
        });
        let is_painting = is_down && !is_space && response.is_pointer_button_down_on();
        let at = response.interact_pointer_pos().filter(|_| is_painting);
        let at = at.map(|at| camera.to_world(response.rect, at));
        match (at, &mut self.stroke, self.stage) {
            (Some(at), Some(stroke), _) => stroke.go_on(session, at),
            (Some(at), None, Some(stage)) => {
                let brush = Brush {
                    radius: radius(session, options),
                    strength: f64::from(options.brush_strength),
                    erases: options.brush_erases != is_shift,
                };
                match Stroke::begin(session, stage, brush, at) {
                    Ok(stroke) => (self.stroke, self.error) = (stroke, None),
                    Err(error) => self.error = Some(error.to_string()),
                }
            }
            (None, Some(_), _) => {
                self.stroke = None;
                session.close_step();
            }
            _ => {}
        }
    }

    /// The mask over the ground, and the brush under the pointer.
    pub(super) fn draw(
        &mut self,
        ui: &egui::Ui,
        canvas: &Canvas,
        session: &Session,
        options: &Options,
    ) {
        let document = session.document();
        let file = self.stage.and_then(|stage| document.stages().get(stage));
        let file = file.and_then(painting::file_of);
        let now = file.and_then(|file| painting::painting_of(document, &session.inputs, file));
        if let Some(now) = now {
            self.show(ui, &now);
        } else {
            self.shown = None;
        }
        if let Some((_, texture)) = &self.shown {
            let ground = canvas.camera.ground(canvas.window, document.lattice());
            let half = Vec2::splat(0.5) / texture.size_vec2();
            let uv = Rect::from_min_max(half.to_pos2(), (Vec2::splat(1.0) - half).to_pos2());
            canvas.painter.image(texture.id(), ground, uv, Color32::WHITE);
        }
        let at = ui.input(|input| input.pointer.latest_pos());
        if let Some(at) = at.filter(|at: &Pos2| canvas.window.contains(*at)) {
            let points = (radius(session, options) * canvas.camera.scale) as f32;
            canvas.painter.circle_stroke(at, points, Pen::new(3.0, Color32::from_black_alpha(120)));
            canvas.painter.circle_stroke(at, points, Pen::new(1.5, Color32::WHITE));
        }
    }

    fn show(&mut self, ui: &egui::Ui, now: &Arc<Painting>) {
        if self.shown.as_ref().is_some_and(|(shown, _)| shown == now) {
            return;
        }
        let color = |&level: &u8| PLACE.gamma_multiply(f32::from(level) / 255.0 * 0.55);
        let image = ColorImage::new(now.size(), now.levels().iter().map(color).collect());
        match &mut self.shown {
            Some((shown, texture)) => {
                texture.set(image, TextureOptions::LINEAR);
                *shown = Arc::clone(now);
            }
            None => {
                let texture = ui.ctx().load_texture("mask", image, TextureOptions::LINEAR);
                self.shown = Some((Arc::clone(now), texture));
            }
        }
    }
}

/// The radius of the brush in metres.
fn radius(session: &Session, options: &Options) -> f64 {
    let [width, depth] = session.document().lattice().ground();
    f64::from(options.brush_size) * width.max(depth).max(1e-6)
}
