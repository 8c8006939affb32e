//! Where the terrain goes: a program, or a file format.

use std::sync::mpsc::{Receiver, TryRecvError};

use eframe::egui;
use landform_io::Format;
use landform_io::profile::Target;

use super::Decision;
use crate::export::{Made, Wanted};
use crate::files::Outgoing;
use crate::theme;

/// The dialog, from the question to the files.
#[derive(Debug)]
pub(crate) struct ExportDialog {
    target: Option<Target>,
    format: Format,
    size: [u32; 2],
    work: Option<Receiver<Made>>,
    made: Option<(Vec<Outgoing>, String)>,
    error: Option<String>,
}

impl ExportDialog {
    pub(crate) fn new(size: [u32; 2]) -> Self {
        let (target, format) = (Some(Target::Unity), Format::Png);
        Self { target, format, size, work: None, made: None, error: None }
    }

    /// Waits for files that are being made.
    pub(crate) fn wait(&mut self, work: Receiver<Made>) {
        (self.work, self.error) = (Some(work), None);
    }

    pub(super) fn ui(&mut self, ui: &mut egui::Ui) -> Option<Decision> {
        ui.set_width(600.0);
        match self.work.as_ref().map(Receiver::try_recv) {
            Some(Ok(Ok(made))) => (self.work, self.made) = (None, Some(made)),
            Some(Ok(Err(error))) => (self.work, self.error) = (None, Some(error)),
            Some(Err(TryRecvError::Disconnected)) => {
                (self.work, self.error) =
                    (None, Some("the work ended without a result".to_owned()));
            }
            Some(Err(TryRecvError::Empty)) | None => {}
        }
        if let Some((files, page)) = &self.made {
            ui.heading("Ready");
            ui.add_space(6.0);
            let text = if page.is_empty() { files[0].name.clone() } else { page.clone() };
            egui::ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
                ui.add(egui::Label::new(egui::RichText::new(text).monospace()).selectable(true));
            });
            ui.add_space(10.0);
            return ui
                .horizontal(|ui| {
                    let write = ui
                        .add(theme::primary("Write…"))
                        .clicked()
                        .then(|| Decision::Write(files.clone()));
                    write.or(ui.button("Cancel").clicked().then_some(Decision::Close))
                })
                .inner;
        }
        ui.heading("Export");
        ui.add_space(6.0);
        ui.horizontal_top(|ui| {
            ui.vertical(|ui| {
                ui.set_width(230.0);
                ui.strong("For a program");
                for target in Target::all() {
                    ui.selectable_value(&mut self.target, Some(target), target.title());
                }
            });
            ui.separator();
            ui.vertical(|ui| {
                ui.strong("As a file of heights");
                ui.horizontal_wrapped(|ui| {
                    for format in Format::all() {
                        let is_on = self.target.is_none() && self.format == format;
                        if ui.selectable_label(is_on, format.extension().to_uppercase()).clicked() {
                            (self.target, self.format) = (None, format);
                        }
                    }
                });
                ui.add_space(8.0);
                let [width, height] = self.target.map_or(self.size, |target| target.fit(self.size));
                ui.label(format!("{width} × {height} samples"));
                if [width, height] != self.size {
                    let [own_width, own_height] = self.size;
                    ui.weak(format!(
                        "The nearest size that it takes. The landforms are evaluated at that size; nothing is resampled from {own_width} × {own_height}."
                    ));
                }
                if self.target.is_some() {
                    ui.weak("Comes with a page of the numbers that the import dialog asks for.");
                }
            });
        });
        if let Some(error) = &self.error {
            ui.colored_label(ui.visuals().error_fg_color, error);
        }
        ui.add_space(10.0);
        let is_busy = self.work.is_some();
        ui.horizontal(|ui| {
            let make = ui.add_enabled(!is_busy, theme::primary("Make the files")).clicked();
            let cancel = ui.button("Cancel").clicked();
            if is_busy {
                ui.spinner();
                ui.weak("Evaluating …");
            }
            let wanted = || self.target.map_or(Wanted::As(self.format), Wanted::For);
            let make = make.then(|| Decision::Export(wanted()));
            make.or(cancel.then_some(Decision::Close))
        })
        .inner
    }
}
