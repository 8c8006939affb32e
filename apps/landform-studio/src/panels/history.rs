//! The steps that were made; a click goes to the state after one.

use eframe::egui;

use crate::session::Session;

/// Draws the list.
pub(crate) fn ui(ui: &mut egui::Ui, session: &mut Session) {
    let position = session.history().position();
    let mut go = None;
    let labels: Vec<String> = std::iter::once(format!("Opened {}", session.name))
        .chain(session.history().labels().map(str::to_owned))
        .collect();
    let height = ui.spacing().interact_size.y;
    let scroll = egui::ScrollArea::vertical().auto_shrink([false, false]).stick_to_bottom(true);
    scroll.show_rows(ui, height, labels.len(), |ui, rows| {
        for k in rows {
            let text = egui::RichText::new(format!("{k}.  {}", labels[k]));
            let text = if k > position { text.weak().italics() } else { text };
            let row = ui.add_sized(
                [ui.available_width(), height],
                egui::Button::selectable(k == position, text),
            );
            if row.on_hover_text("Go to the state after this step").clicked() {
                go = Some(k);
            }
        }
    });
    if let Some(position) = go {
        session.go_to(position);
    }
}
