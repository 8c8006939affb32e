//! The menu bar.

use eframe::egui::{self, Button};

use crate::commands::Command;
use crate::session::Session;

/// What was chosen.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    Command(Command),
    Recent(String),
}

/// Draws the menus. What was chosen, if anything was.
pub(crate) fn ui(ui: &mut egui::Ui, session: &Session, recent: &[String]) -> Option<Choice> {
    let mut choice = None;
    let mut put = |chosen: Option<Command>| {
        if let Some(command) = chosen {
            choice = Some(Choice::Command(command));
        }
    };
    use Command as C;
    let mut reopened = None;
    egui::MenuBar::new().ui(ui, |ui| {
        ui.menu_button("File", |ui| {
            put(entries(ui, session, &[C::New, C::Open, C::OpenStore]));
            ui.menu_button("Open recent", |ui| {
                if recent.is_empty() {
                    ui.weak("Nothing yet");
                }
                for place in recent {
                    if ui.button(place).clicked() {
                        reopened = Some(place.clone());
                    }
                }
            });
            ui.separator();
            put(entries(ui, session, &[C::Save, C::SaveAs]));
            #[cfg(target_arch = "wasm32")]
            put(entries(ui, session, &[C::CopyLink]));
            ui.separator();
            put(entries(ui, session, &[C::Export, C::PicturePlan, C::PictureView]));
            if cfg!(not(target_arch = "wasm32")) {
                ui.separator();
                put(entries(ui, session, &[C::Quit]));
            }
        });
        ui.menu_button("Edit", |ui| {
            put(entries(ui, session, &[C::Undo, C::Redo]));
            ui.separator();
            put(entries(ui, session, &[C::Copy, C::Paste, C::Duplicate, C::Delete]));
            ui.separator();
            put(entries(ui, session, &[C::SelectAll, C::SelectNone, C::SelectInverse]));
        });
        ui.menu_button("Terrain", |ui| {
            put(entries(ui, session, &[C::AddPeak, C::Properties]));
            ui.separator();
            put(entries(ui, session, &[C::DrawRiver, C::DrawPad, C::Brush]));
            ui.separator();
            put(entries(ui, session, &[C::Reroll, C::Compare]));
        });
        ui.menu_button("View", |ui| {
            put(entries(ui, session, &[C::Fit, C::FitSelection, C::ZoomIn, C::ZoomOut]));
            ui.separator();
            put(entries(ui, session, &[C::ShowPlan, C::ShowBoth, C::ShowView]));
            ui.separator();
            put(entries(ui, session, &[C::LeftPanel, C::RightPanel, C::Theme]));
        });
        ui.menu_button("Help", |ui| put(entries(ui, session, &[C::Help, C::Tour])));
        let title =
            if session.is_dirty() { format!("{} •", session.name) } else { session.name.clone() };
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.strong(title).on_hover_text(if session.document().large().is_some() {
                "Looked at, not edited"
            } else if session.is_dirty() {
                "There is something to save"
            } else {
                "Saved"
            });
        });
    });
    choice.or(reopened.map(Choice::Recent))
}

fn entries(ui: &mut egui::Ui, session: &Session, commands: &[Command]) -> Option<Command> {
    let mut chosen = None;
    for &command in commands {
        let mut label = command.label().to_owned();
        let step = match command {
            Command::Undo => session.history().last(),
            Command::Redo => session.history().next(),
            _ => None,
        };
        if let Some(step) = step {
            label = format!("{label}: {step}");
        }
        let mut button = Button::new(label);
        if let Some(keys) = command.keys(ui.ctx()) {
            button = button.shortcut_text(keys);
        }
        let can = is_possible(command, session);
        if ui.add_enabled(can, button).on_hover_text(command.about()).clicked() {
            chosen = Some(command);
            ui.close();
        }
    }
    chosen
}

/// Whether there is something for the command to do.
pub(crate) fn is_possible(command: Command, session: &Session) -> bool {
    match command {
        Command::Undo => session.history().last().is_some(),
        Command::Redo => session.history().next().is_some(),
        Command::Copy
        | Command::Duplicate
        | Command::Delete
        | Command::FitSelection
        | Command::Properties => !session.selection.is_empty(),
        Command::AddPeak | Command::Paste => session.document().has_peaks(),
        Command::Reroll | Command::DrawRiver | Command::DrawPad | Command::Brush => {
            session.document().is_recipe()
        }
        Command::Compare => session.document().large().is_none(),
        _ => true,
    }
}
