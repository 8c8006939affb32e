//! The buttons under the menus.

use eframe::egui;

use super::Studio;
use crate::commands::Command;
use crate::options::Layout;
use crate::panels::menus;
use crate::plan::Tool;
use crate::session::Session;

/// What the menu of the buttons is called for which there is no room.
const MORE: &str = "More…";

impl Studio {
    /// The buttons under the menus. Those for which there is no room are in a menu of their own.
    pub(super) fn tools(&mut self, ui: &mut egui::Ui) {
        let ctx = ui.ctx().clone();
        let (tool, layout) = (self.plan.tool, self.options.layout);
        let mut tools = vec![
            (Command::Undo, "↶ Undo", false),
            (Command::Redo, "↷ Redo", false),
            (Command::AddPeak, "+ Peak", false),
            (Command::Duplicate, "Duplicate", false),
            (Command::Delete, "Delete", false),
            (Command::Fit, "Fit", false),
            (Command::Compare, "Before / after", self.before.is_some()),
        ];
        if self.session.document().is_recipe() {
            tools.extend([
                (Command::Reroll, "Another seed", false),
                (Command::DrawRiver, "River", tool == Tool::River),
                (Command::DrawPad, "Flat place", tool == Tool::Pad),
                (Command::Brush, "Mask brush", tool == Tool::Brush),
            ]);
        }
        // A separator stands before the first of each group.
        let begins =
            |command| matches!(command, Command::AddPeak | Command::Fit | Command::DrawRiver);
        let layouts = [
            (Command::ShowView, "3-D", layout == Layout::View),
            (Command::ShowBoth, "Both", layout == Layout::Both),
            (Command::ShowPlan, "Map", layout == Layout::Plan),
        ];
        let session = &self.session;
        let pressed = ui.horizontal(|ui| {
            let mut pressed = None;
            let width = |ui: &egui::Ui, text: &str| {
                let font = egui::TextStyle::Button.resolve(ui.style());
                let ink = egui::Color32::WHITE;
                let galley = ui.painter().layout_no_wrap(text.to_owned(), font, ink);
                galley.size().x + 2.0 * ui.spacing().button_padding.x + ui.spacing().item_spacing.x
            };
            let reserved = layouts.iter().map(|(_, text, _)| width(ui, text)).sum::<f32>();
            let room = ui.available_width() - reserved;
            let separator = 6.0 + ui.spacing().item_spacing.x;
            let widths: Vec<f32> = tools
                .iter()
                .map(|(command, text, _)| {
                    width(ui, text) + if begins(*command) { separator } else { 0.0 }
                })
                .collect();
            let is_roomy = widths.iter().sum::<f32>() <= room;
            let room = if is_roomy { room } else { room - width(ui, MORE) };
            let (mut used, mut first_left_out) = (0.0, tools.len());
            for (k, (command, text, is_on)) in tools.iter().enumerate() {
                used += widths[k];
                if used > room {
                    first_left_out = k;
                    break;
                }
                if begins(*command) {
                    ui.separator();
                }
                pressed = tool_button(ui, session, *command, (text, *is_on)).or(pressed);
            }
            if first_left_out < tools.len() {
                ui.menu_button(MORE, |ui| {
                    for (command, text, is_on) in &tools[first_left_out..] {
                        pressed = tool_button(ui, session, *command, (text, *is_on)).or(pressed);
                    }
                    if pressed.is_some() {
                        ui.close();
                    }
                });
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                for (command, text, is_on) in layouts {
                    pressed = tool_button(ui, session, command, (text, is_on)).or(pressed);
                }
            });
            pressed
        });
        if let Some(command) = pressed.inner {
            self.act(&ctx, command);
        }
    }
}

/// A button for a command. The command if it was pressed.
fn tool_button(
    ui: &mut egui::Ui,
    session: &Session,
    command: Command,
    (text, is_on): (&str, bool),
) -> Option<Command> {
    let can = menus::is_possible(command, session);
    let keys = command.keys(ui.ctx()).map_or_else(String::new, |keys| format!("  ({keys})"));
    let about = format!("{}: {}{keys}", command.label(), command.about());
    let button = ui.add_enabled(can, egui::Button::selectable(is_on, text));
    button.on_hover_text(about).clicked().then_some(command)
}
