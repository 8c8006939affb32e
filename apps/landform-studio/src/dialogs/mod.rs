//! Questions and pages that stand before the window.

mod export;
mod help;
mod new;

use eframe::egui;

use crate::autosave::Kept;
use crate::document::Document;
use crate::theme;
pub(crate) use export::ExportDialog;
pub(crate) use new::{NewDialog, another};

/// What is open before the window.
#[derive(Debug)]
pub(crate) enum Dialog {
    New(NewDialog),
    Export(ExportDialog),
    /// Files that are ready to be written.
    Made(crate::export::Made),
    /// Something went wrong: a title and what.
    Error(String, String),
    /// There is something to save.
    Unsaved(Then),
    /// Something was left by a program that did not end well.
    Recover(String, Kept),
    Help,
    Tour(usize),
}

/// What happens after the question about unsaved changes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Then {
    Quit,
    New(String, Box<Document>),
    Take(crate::files::Opened),
    Look(crate::large::Large),
}

/// What was decided.
#[derive(Debug)]
pub(crate) enum Decision {
    Close,
    Save(Then),
    Discard(Then),
    Create(String, Box<Document>),
    Recover(String, Kept),
    Forget(String),
    Export(crate::export::Wanted),
    Write(crate::export::Made),
    TourStep(usize),
}

impl Dialog {
    /// Draws the dialog. Something if it was decided.
    pub(crate) fn ui(&mut self, ui: &egui::Ui) -> Option<Decision> {
        let mut decision = None;
        let modal = egui::Modal::new(egui::Id::unique("dialog"));
        let modal = modal.frame(egui::Frame::window(&ui.global_style()).inner_margin(18.0));
        let shown = modal.show(ui.ctx(), |ui| {
            decision = match self {
                Self::New(new) => new.ui(ui),
                Self::Export(export) => export.ui(ui),
                Self::Made(made) => export::made(ui, made),
                Self::Error(title, message) => error(ui, title, message),
                Self::Unsaved(then) => unsaved(ui, then),
                Self::Recover(slot, kept) => recover(ui, slot, kept),
                Self::Help => help::keys(ui),
                Self::Tour(step) => help::tour(ui, *step),
            };
        });
        if shown.should_close() && decision.is_none() && !matches!(self, Self::Recover(..)) {
            decision = Some(Decision::Close);
        }
        decision
    }
}

fn error(ui: &mut egui::Ui, title: &str, message: &str) -> Option<Decision> {
    ui.set_width(460.0);
    ui.heading(title);
    ui.add_space(6.0);
    ui.add(egui::Label::new(message).selectable(true));
    ui.add_space(10.0);
    ui.add(theme::primary("Close")).clicked().then_some(Decision::Close)
}

fn unsaved(ui: &mut egui::Ui, then: &Then) -> Option<Decision> {
    ui.set_width(420.0);
    ui.heading("Save what you have changed?");
    ui.add_space(6.0);
    ui.label("There are changes that no file has yet.");
    ui.add_space(10.0);
    ui.horizontal(|ui| {
        let save = ui.add(theme::primary("Save…")).clicked().then(|| Decision::Save(then.clone()));
        let discard = ui.button("Discard").clicked().then(|| Decision::Discard(then.clone()));
        let close = ui.button("Cancel").clicked().then_some(Decision::Close);
        save.or(discard).or(close)
    })
    .inner
}

fn recover(ui: &mut egui::Ui, slot: &str, kept: &Kept) -> Option<Decision> {
    ui.set_width(440.0);
    ui.heading("Recover unsaved work?");
    ui.add_space(6.0);
    ui.label(format!(
        "The studio did not end well, or is open in another window. Changes of {} that were not saved are still there.",
        kept.name
    ));
    ui.add_space(10.0);
    ui.horizontal(|ui| {
        let take = ui.add(theme::primary("Recover")).clicked();
        let take = take.then(|| Decision::Recover(slot.to_owned(), kept.clone()));
        let forget = ui.button("Throw away").clicked().then(|| Decision::Forget(slot.to_owned()));
        let later = ui.button("Later").clicked().then_some(Decision::Close);
        take.or(forget).or(later)
    })
    .inner
}
