//! Where the terrain goes: a program, or a file format; and what was made for it.

use eframe::egui;
use landform_io::profile::Target;
use landform_project::make;

use super::Decision;
use crate::export::{Made, Wanted};
use crate::theme;

/// The question.
#[derive(Debug)]
pub(crate) struct ExportDialog {
    choice: Choice,
    size: [u32; 2],
}

/// What is made.
#[derive(Clone, Debug, PartialEq)]
enum Choice {
    For(Target),
    Bundle,
    As(&'static str),
}

impl ExportDialog {
    pub(crate) fn new(size: [u32; 2]) -> Self {
        Self { choice: Choice::For(Target::Unity), size }
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
                    ui.selectable_value(&mut self.choice, Choice::For(target), target.title());
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
        match &self.choice {
            Choice::For(target) => Wanted::For(target.name().to_owned()),
            Choice::Bundle => Wanted::Bundle,
            Choice::As(extension) => Wanted::As((*extension).to_owned()),
        }
    }

    fn details(&mut self, ui: &mut egui::Ui) {
        ui.strong("As a folder of everything");
        ui.selectable_value(&mut self.choice, Choice::Bundle, "Standard bundle").on_hover_text(
            "All layers, pictures, a textured mesh, rivers, the recipe and a manifest",
        );
        ui.add_space(8.0);
        for (group, title) in [
            ("heights", "As a file of heights"),
            ("meshes", "As a mesh"),
            ("blocks for a 3-D printer", "As a block for a 3-D printer"),
            ("rivers and places", "Rivers and places"),
        ] {
            ui.strong(title);
            ui.horizontal_wrapped(|ui| {
                for ending in make::endings().iter().filter(|ending| ending.group == group) {
                    let choice = Choice::As(ending.extensions[0]);
                    let name = ending.extensions[0].to_uppercase();
                    ui.selectable_value(&mut self.choice, choice, name);
                }
            });
            ui.add_space(8.0);
        }
        let target = match self.choice {
            Choice::For(target) => Some(target),
            Choice::Bundle | Choice::As(_) => None,
        };
        let [width, height] = target.map_or(self.size, |target| target.fit(self.size));
        ui.label(format!("{width} × {height} samples"));
        if [width, height] != self.size {
            let [own_width, own_height] = self.size;
            ui.weak(format!(
                "The nearest size that it takes. The landforms are evaluated at that size; nothing is resampled from {own_width} × {own_height}."
            ));
        }
        if let Some(target) = target {
            ui.weak("Comes with a page of the numbers that the import dialog asks for.");
            if target.takes_splat_maps() {
                ui.weak("Comes with splat maps: how much grass, sand, rock and snow there is at every sample.");
            }
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
        let write = write.then(|| Decision::Write(made.clone()));
        write.or(ui.button("Cancel").clicked().then_some(Decision::Close))
    })
    .inner
}
