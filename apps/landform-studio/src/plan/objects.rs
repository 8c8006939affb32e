//! Rivers and flat places under the pointer.

use eframe::egui::{self, PointerButton};

use super::{PlanView, Tool};
use crate::hit::REACH;
use crate::objects::{self, Handle};
use crate::session::Session;

/// A drag of an object.
#[derive(Clone, Debug)]
pub(super) enum ObjectDrag {
    /// A point of one that is there.
    Move(Handle),
    /// A new one.
    Draw { tool: Tool, from: [f64; 2], to: [f64; 2] },
}

impl PlanView {
    /// Lets the person drag and draw objects. Whether the pointer is busy with that.
    pub(super) fn objects(
        &mut self,
        ui: &egui::Ui,
        response: &egui::Response,
        session: &mut Session,
    ) -> bool {
        let (Some(camera), window) = (self.camera, response.rect) else { return false };
        if !session.document().is_recipe() {
            return false;
        }
        if response.drag_started_by(PointerButton::Primary)
            && let Some(start) = ui.input(|input| input.pointer.press_origin())
        {
            let world = camera.to_world(window, start);
            let near = objects::handles(session.document())
                .into_iter()
                .find(|handle| camera.to_screen(window, handle.place).distance(start) < REACH);
            self.object = match (near, self.tool) {
                (Some(handle), _) => Some(ObjectDrag::Move(handle)),
                (None, Tool::Select) => None,
                (None, tool) => Some(ObjectDrag::Draw { tool, from: world, to: world }),
            };
        }
        let Some(drag) = &mut self.object else { return false };
        if let Some(at) = response.interact_pointer_pos() {
            let world = camera.to_world(window, at);
            match drag {
                ObjectDrag::Move(handle) => {
                    if handle.place != world {
                        let moved = |text: &str| objects::moved(text, handle, world);
                        // What cannot be written stays where it is.
                        let _ = session.edit_text("Move an object", moved);
                        handle.place = world;
                    }
                }
                ObjectDrag::Draw { to, .. } => *to = world,
            }
        }
        if response.drag_stopped() {
            if let Some(ObjectDrag::Draw { tool, from, to }) = self.object.take() {
                let whole = |place: [f64; 2]| place.map(f64::round);
                let (from, to) = (whole(from), whole(to));
                let radius = (to[0] - from[0]).hypot(to[1] - from[1]).round().max(1.0);
                let _ = match tool {
                    Tool::Pad => session.edit_text("Draw a flat place", |text| {
                        objects::add_pad(text, from, radius)
                    }),
                    _ => {
                        session.edit_text("Draw a river", |text| objects::add_river(text, from, to))
                    }
                };
                self.tool = Tool::Select;
            }
            self.object = None;
            session.close_step();
        }
        true
    }
}
