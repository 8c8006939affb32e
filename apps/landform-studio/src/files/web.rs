//! Files in a browser: chosen, downloaded, and kept in its storage.

use std::sync::mpsc::{Receiver, Sender, channel};

use eframe::egui;
use landform_project::{Sink as _, Zip};
use wasm_bindgen_futures::spawn_local;

use super::{Dropped, Event, Opened, Outgoing, readable};
use crate::web::page;

/// Reads and writes files. Answers come from [`Files::poll`].
#[derive(Debug)]
pub struct Files {
    ctx: egui::Context,
    sender: Sender<Event>,
    receiver: Receiver<Event>,
}

/// Begins the names of what is kept in the browser's storage, which all pages of a site share.
const PREFIX: &str = "landform/";

impl Files {
    /// Files of the person who looks at the page.
    pub fn new(ctx: &egui::Context) -> Self {
        let (sender, receiver) = channel();
        Self { ctx: ctx.clone(), sender, receiver }
    }

    /// The next answer.
    pub fn poll(&mut self) -> Option<Event> {
        self.receiver.try_recv().ok()
    }

    /// Reads the file at `place`; in a browser there is none.
    pub fn open(&self, _place: &str) {}

    /// Takes a file that has been read already.
    pub(crate) fn take(&self, opened: Opened) {
        self.tell(Event::Opened(opened));
    }

    /// Reads files that were dropped on the window.
    pub fn open_dropped(&self, files: &[Dropped]) {
        let files = files.to_vec();
        self.answer_later(async move {
            let mut read = Vec::new();
            for file in files {
                let name = file.path().to_string_lossy().into_owned();
                match file.bytes_async().await {
                    Ok(bytes) => read.push(Outgoing { name, bytes }),
                    Err(why) => return Event::Failed(format!("Cannot read {name}: {why}")),
                }
            }
            Opened::together(read).map_or(Event::Cancelled, Event::Opened)
        });
    }

    /// Asks which files to open: a recipe and the pictures that it needs are chosen together.
    pub fn ask_open(&self) {
        let dialog = rfd::AsyncFileDialog::new().add_filter("Terrains", &readable()).pick_files();
        self.answer_later(async {
            let mut read = Vec::new();
            for file in dialog.await.unwrap_or_default() {
                read.push(Outgoing { name: file.file_name(), bytes: file.read().await });
            }
            Opened::together(read).map_or(Event::Cancelled, Event::Opened)
        });
    }

    /// Says that a page cannot open stores: they are folders of many files.
    pub fn ask_open_store(&self) {
        self.tell(Event::Failed(super::NO_STORES.to_owned()));
    }

    /// Gives the document as a download, under a name.
    pub fn save(&self, name: &str, bytes: &[u8]) {
        page::download(name, bytes);
        self.tell(Event::Saved { name: name.to_owned(), place: None });
    }

    /// Asks where to write the document; a browser takes the name that is suggested.
    pub fn ask_save(&self, name: &str) {
        self.tell(Event::Chosen(name.to_owned()));
    }

    /// Gives something that is not the document as a download; a file with side-cars as a zip.
    pub fn ask_export(&self, mut files: Vec<Outgoing>) {
        if files.len() > 1 {
            let name = files[0].name.clone();
            return self.ask_export_folder(&name, files);
        }
        if let Some(file) = files.pop() {
            page::download(&file.name, &file.bytes);
            self.tell(Event::Exported(file.name));
        }
    }

    /// Gives files as a download: a zip called `name`.
    pub fn ask_export_folder(&self, name: &str, files: Vec<Outgoing>) {
        let mut zip = Zip::default();
        let put = |file: &Outgoing| zip.put(&file.name, &mut |out| Ok(out.write_all(&file.bytes)?));
        match files.iter().try_for_each(put).and_then(|()| zip.finish()) {
            Ok(()) => {
                let name = format!("{name}.zip");
                page::download(&name, &zip.into_bytes());
                self.tell(Event::Exported(format!("{name} with {} files", files.len())));
            }
            Err(error) => self.tell(Event::Failed(error.to_string())),
        }
    }

    /// Draws our own dialog while it is open; browsers have theirs.
    pub fn ui(&self, _ui: &mut egui::Ui) {}

    /// A file that lies beside the document at `place`; in a browser there is none.
    pub fn read_beside(&self, _place: &str, _file: &str) -> Option<Vec<u8>> {
        None
    }

    /// Writes a small file beside the document at `place`; in a browser there is no such place.
    pub fn write_beside(&self, _place: &str, _file: &str, _bytes: &[u8]) {}

    /// What was kept under `key`.
    pub fn load(&self, key: &str) -> Option<String> {
        storage()?.get_item(&format!("{PREFIX}{key}")).ok()?
    }

    /// Keeps `text` under `key`, if there is room for it.
    pub fn keep(&self, key: &str, text: &str) {
        let kept = storage().map(|storage| storage.set_item(&format!("{PREFIX}{key}"), text));
        if !matches!(kept, Some(Ok(()))) {
            log::warn!("the browser does not keep {key}");
        }
    }

    /// Forgets what was kept under `key`.
    pub fn forget(&self, key: &str) {
        if let Some(storage) = storage() {
            // What is not there need not be removed.
            let _ = storage.remove_item(&format!("{PREFIX}{key}"));
        }
    }

    fn tell(&self, event: Event) {
        // This end of the channel lives as long as the other.
        let _ = self.sender.send(event);
        self.ctx.request_repaint();
    }

    fn answer_later(&self, event: impl Future<Output = Event> + 'static) {
        let (sender, ctx) = (self.sender.clone(), self.ctx.clone());
        spawn_local(async move {
            // The program may have ended meanwhile.
            let _ = sender.send(event.await);
            ctx.request_repaint();
        });
    }
}

/// The browser's storage; some visitors have switched it off.
fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}
