//! Our own dialog for choosing a file, for systems that have none to offer.

use std::path::{Path, PathBuf};

use eframe::egui;

use landform_io::Store;

use crate::files::readable;
use crate::theme;

/// What the file is chosen for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Open,
    Save,
    Export,
    Folder,
}

/// The dialog while it is open.
#[derive(Debug)]
pub(crate) struct Browser {
    purpose: Purpose,
    folder: PathBuf,
    entries: Vec<Entry>,
    name: String,
    /// The name of a file that would be written over; asked about once.
    doubt: Option<String>,
    /// Whether the field for the name has had the keyboard.
    was_focused: bool,
}

#[derive(Debug)]
struct Entry {
    name: String,
    is_folder: bool,
}

impl Browser {
    pub(crate) fn new(purpose: Purpose, name: &str) -> Self {
        let folder = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
        let entries = list(&folder, purpose);
        Self { purpose, folder, entries, name: name.to_owned(), doubt: None, was_focused: false }
    }

    pub(crate) fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// Draws the dialog. Something when it closes: the chosen path, or nothing if it was cancelled.
    pub(crate) fn ui(&mut self, ui: &egui::Ui) -> Option<Option<PathBuf>> {
        let (title, verb) = match self.purpose {
            Purpose::Open => ("Open a terrain", "Open"),
            Purpose::Save => ("Save the terrain as", "Save"),
            Purpose::Export => ("Export", "Export"),
            Purpose::Folder => ("Export into the folder", "Export here"),
        };
        let mut result = None;
        let modal = egui::Modal::new(egui::Id::unique("browser")).show(ui.ctx(), |ui| {
            ui.set_width(520.0);
            ui.heading(title);
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                if ui.button("↑ Up").on_hover_text("To the folder above").clicked()
                    && let Some(parent) = self.folder.parent()
                {
                    self.go(parent.to_owned());
                }
                ui.weak(self.folder.display().to_string());
            });
            ui.add_space(4.0);
            let (mut go, mut is_chosen) = (None, false);
            egui::ScrollArea::vertical().max_height(280.0).min_scrolled_height(280.0).show(
                ui,
                |ui| {
                    ui.set_min_width(ui.available_width());
                    for entry in &self.entries {
                        let end = if entry.is_folder { "/" } else { "" };
                        let label = format!("{}{end}", entry.name);
                        let row = ui.selectable_label(self.name == entry.name, label);
                        if row.clicked() && entry.is_folder {
                            go = Some(self.folder.join(&entry.name));
                        } else if row.clicked() {
                            self.name.clone_from(&entry.name);
                        }
                        is_chosen |= row.double_clicked() && !entry.is_folder;
                    }
                },
            );
            if let Some(folder) = go {
                self.go(folder);
            } else if is_chosen {
                result = self.choose();
            }
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                let label = ui.label("Name");
                let field = egui::TextEdit::singleline(&mut self.name).desired_width(f32::INFINITY);
                let field = ui.add(field).labelled_by(label.id);
                if !self.was_focused {
                    field.request_focus();
                    self.was_focused = true;
                }
                if field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter)) {
                    result = self.choose();
                }
            });
            if self.doubt.is_some() {
                let text = "There is a file of that name. Once more to write over it.";
                ui.colored_label(ui.visuals().warn_fg_color, text);
            }
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                if ui.add(theme::primary(verb)).clicked() {
                    result = self.choose();
                }
                if ui.button("Cancel").clicked() {
                    result = Some(None);
                }
            });
        });
        if modal.should_close() && result.is_none() {
            result = Some(None);
        }
        result
    }

    fn go(&mut self, folder: PathBuf) {
        self.entries = list(&folder, self.purpose);
        self.folder = folder;
    }

    /// What was typed or clicked, if that can be chosen; a folder is entered.
    fn choose(&mut self) -> Option<Option<PathBuf>> {
        let name = self.name.trim();
        let path = self.folder.join(name);
        if self.purpose == Purpose::Folder {
            return Some(Some(path));
        }
        if name.is_empty() {
            return None;
        }
        if path.is_dir() && !(self.purpose == Purpose::Open && Store::is_store(&path)) {
            self.name.clear();
            self.go(path);
            return None;
        }
        let writes = self.purpose != Purpose::Open;
        if writes && path.exists() && self.doubt.as_deref() != Some(name) {
            self.doubt = Some(name.to_owned());
            return None;
        }
        Some(Some(path))
    }
}

/// What is in a folder: folders first, then files that can be opened.
fn list(folder: &Path, purpose: Purpose) -> Vec<Entry> {
    let Ok(found) = std::fs::read_dir(folder) else { return Vec::new() };
    let readable = readable();
    let entries = found.filter_map(|entry| {
        let entry = entry.ok()?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // A store is opened as one thing.
        let is_store = purpose == Purpose::Open && Store::is_store(&entry.path());
        let is_folder = entry.path().is_dir() && !is_store;
        let extension = entry.path().extension().map(|e| e.to_string_lossy().to_lowercase());
        let is_read = extension.is_some_and(|extension| readable.contains(&extension.as_str()));
        let is_shown = is_folder || is_store || (is_read && purpose != Purpose::Folder);
        (is_shown && !name.starts_with('.')).then_some(Entry { name, is_folder })
    });
    let mut entries: Vec<Entry> = entries.collect();
    entries.sort_by(|a, b| b.is_folder.cmp(&a.is_folder).then(a.name.cmp(&b.name)));
    entries
}
