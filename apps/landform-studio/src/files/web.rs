//! Files in a browser: chosen, downloaded, and kept in its storage.

use eframe::egui;

use super::{Dropped, Event, Outgoing};

/// Reads and writes files. Answers come from [`Files::poll`].
#[derive(Debug)]
pub struct Files {}

impl Files {
    /// Files of the person who looks at the page.
    pub fn new(_ctx: &egui::Context) -> Self {
        Self {}
    }

    /// The next answer.
    pub fn poll(&mut self) -> Option<Event> {
        None
    }

    /// Reads the file at `place`; in a browser there is none.
    pub fn open(&self, _place: &str) {}

    /// Reads a file that was dropped on the window.
    pub fn open_dropped(&self, _file: Dropped) {}

    /// Asks which file to open.
    pub fn ask_open(&self) {}

    /// Writes the document at `place`; in a browser there is none.
    pub fn save(&self, _place: &str, _bytes: &[u8]) {}

    /// Gives the document as a download.
    pub fn ask_save(&self, _file: Outgoing) {}

    /// Gives something that is not the document as a download.
    pub fn ask_export(&self, _file: Outgoing) {}

    /// Gives files as downloads.
    pub fn ask_export_folder(&self, _files: Vec<Outgoing>) {}

    /// Draws our own dialog while it is open; browsers have theirs.
    pub fn ui(&self, _ui: &mut egui::Ui) {}

    /// A file that lies beside the document at `place`; in a browser there is none.
    pub fn read_beside(&self, _place: &str, _file: &str) -> Option<Vec<u8>> {
        None
    }

    /// Writes a small file beside the document at `place`; in a browser there is no such place.
    pub fn write_beside(&self, _place: &str, _file: &str, _text: &str) {}

    /// What was kept under `key`.
    pub fn load(&self, _key: &str) -> Option<String> {
        None
    }

    /// Keeps `text` under `key`.
    pub fn keep(&self, _key: &str, _text: &str) {}

    /// Forgets what was kept under `key`.
    pub fn forget(&self, _key: &str) {}
}
