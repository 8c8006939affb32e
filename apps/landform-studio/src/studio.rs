//! The window of the program.

use std::path::PathBuf;

use eframe::egui;

use crate::files::Files;

/// The editor.
#[derive(Debug)]
pub struct Studio {
    files: Files,
}

impl Studio {
    /// Starts with what was open when the program ended, or with the tour.
    pub fn new(cc: &eframe::CreationContext<'_>) -> Self {
        Self { files: Files::new(&cc.egui_ctx) }
    }

    /// Starts with these files.
    pub fn open(cc: &eframe::CreationContext<'_>, files: Vec<PathBuf>) -> Self {
        let studio = Self::new(cc);
        if let Some(path) = files.into_iter().next() {
            studio.files.open(&path.to_string_lossy());
        }
        studio
    }

    /// Opens a text that did not come from a file, such as one from a link.
    pub fn open_text(&mut self, name: &str, text: &str) {
        let _ = (name, text);
    }
}

impl eframe::App for Studio {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        while self.files.poll().is_some() {}
        egui::CentralPanel::default().show(ui, |ui| ui.heading("Landform Studio"));
    }
}
