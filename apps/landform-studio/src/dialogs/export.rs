//! Where the terrain goes: a program, or a file format; and what was made for it.

use eframe::egui;
use landform_io::Format;
use landform_io::profile::Target;

use super::Decision;
use crate::export::{Made, Wanted};
use crate::theme;

/// The question.
#[derive(Debug)]
pub(crate) struct ExportDialog {
    target: Option<Target>,
    format: Format,
    size: [u32; 2],
    splat: bool,
}

impl ExportDialog {
    pub(crate) fn new(size: [u32; 2]) -> Self {
        Self { target: Some(Target::Unity), format: Format::Png, size, splat: false }
    }

    pub(super) fn ui(&mut self, ui: &mut egui::Ui) -> Option<Decision> {
        ui.set_width(600.0);
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
            // A separator here would be as high as the screen, and so would the dialog.
            ui.add_space(12.0);
            ui.vertical(|ui| self.details(ui));
        });
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            let make = ui.add(theme::primary("Make the files")).clicked();
            let cancel = ui.button("Cancel").clicked();
            let make = make.then(|| Decision::Export(self.wanted()));
            make.or(cancel.then_some(Decision::Close))
        })
        .inner
    }

    fn wanted(&self) -> Wanted {
        match self.target {
            Some(target) => Wanted::For {
                target: target.name().to_owned(),
                splat: self.splat && target.takes_splat_maps(),
            },
            None => Wanted::As(self.format.extension().to_owned()),
        }
    }

    fn details(&mut self, ui: &mut egui::Ui) {
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
        if let Some(target) = self.target {
            ui.weak("Comes with a page of the numbers that the import dialog asks for.");
            ui.add_space(8.0);
            let about = "How much grass, sand, rock and snow there is at every sample, packed as the program takes it";
            let can = target.takes_splat_maps();
            ui.add_enabled_ui(can, |ui| ui.checkbox(&mut self.splat, "With splat maps"))
                .response
                .on_hover_text(about);
        }
    }
}

/// Files that are ready to be written.
pub(super) fn made(ui: &mut egui::Ui, made: &Made) -> Option<Decision> {
    ui.set_width(600.0);
    ui.heading("Ready");
    ui.add_space(6.0);
    let names = || made.files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>().join("\n");
    let text = if made.page.is_empty() { names() } else { made.page.clone() };
    egui::ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
        ui.add(egui::Label::new(egui::RichText::new(text).monospace()).selectable(true));
    });
    ui.add_space(10.0);
    ui.horizontal(|ui| {
        let write = ui.add(theme::primary("Write…")).clicked();
        let write = write.then(|| Decision::Write(made.files.clone()));
        write.or(ui.button("Cancel").clicked().then_some(Decision::Close))
    })
    .inner
}
