//! Files on a disk, with the dialogs of the system or, where it has none, our own.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

use eframe::egui;
use landform_io::manifest;
use landform_project::{DiskFolder, Sink as _};

use super::{Dropped, Event, Opened, Outgoing, readable};
use crate::browser::{Browser, Purpose};
use crate::large::Large;

/// Reads and writes files. Answers come from [`Files::poll`].
#[derive(Debug)]
pub struct Files {
    ctx: egui::Context,
    sender: Sender<Event>,
    receiver: Receiver<Event>,
    /// Where settings and recovered documents are kept.
    store: Option<PathBuf>,
    /// Our own dialog, while it is open, and what is written when it closes.
    browser: Mutex<Option<(Browser, Vec<Outgoing>)>>,
    has_system_dialogs: bool,
}

impl Files {
    /// Files of the person who runs the program.
    pub fn new(ctx: &egui::Context) -> Self {
        let folder = std::env::var_os("LANDFORM_STUDIO_HOME").map(PathBuf::from).or_else(|| {
            Some(directories::ProjectDirs::from("", "", "landform")?.data_local_dir().to_owned())
        });
        // Linux asks for dialogs over the session's bus; without one nobody would answer.
        let has_bus = std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some();
        Self {
            has_system_dialogs: cfg!(any(windows, target_os = "macos")) || has_bus,
            ..Self::in_folder(ctx, folder)
        }
    }

    /// Files with settings in a certain folder, or without settings, and with our own dialogs.
    pub fn in_folder(ctx: &egui::Context, store: Option<PathBuf>) -> Self {
        let (sender, receiver) = channel();
        let browser = Mutex::new(None);
        Self { ctx: ctx.clone(), sender, receiver, store, browser, has_system_dialogs: false }
    }

    /// The next answer.
    pub fn poll(&mut self) -> Option<Event> {
        self.receiver.try_recv().ok()
    }

    /// Reads the file at `place`.
    pub fn open(&self, place: &str) {
        self.read_soon(Path::new(place));
    }

    /// Reads files that were dropped on the window: the first, since the others lie beside it if it needs them.
    pub fn open_dropped(&self, files: &[Dropped]) {
        let is_text = |file: &&Dropped| file.path().extension().is_some_and(|end| end == "toml");
        if let Some(file) = files.iter().find(is_text).or_else(|| files.first()) {
            self.read_soon(file.path());
        }
    }

    /// Asks which file to open.
    pub fn ask_open(&self) {
        if !self.has_system_dialogs {
            return self.browse(Browser::new(Purpose::Open, ""), Vec::new());
        }
        let dialog = rfd::AsyncFileDialog::new()
            .set_title("Open a terrain")
            .add_filter("Terrains", &readable())
            .add_filter("All files", &["*"])
            .pick_file();
        self.when_chosen(dialog, read);
    }

    /// Asks which store to open.
    pub fn ask_open_store(&self) {
        if !self.has_system_dialogs {
            return self.ask_open();
        }
        let dialog = rfd::AsyncFileDialog::new().set_title("Open a store").pick_folder();
        self.when_chosen(dialog, read);
    }

    /// Writes the document at `place`, whole or not at all.
    pub fn save(&self, place: &str, bytes: &[u8]) {
        self.tell(write_document(Path::new(place), bytes));
    }

    /// Asks where to write the document, for which `name` is suggested.
    pub fn ask_save(&self, name: &str) {
        if !self.has_system_dialogs {
            return self.browse(Browser::new(Purpose::Save, name), Vec::new());
        }
        let dialog = rfd::AsyncFileDialog::new()
            .set_title("Save the terrain as")
            .set_file_name(name)
            .save_file();
        self.when_chosen(dialog, |path| Event::Chosen(place_of(path)));
    }

    /// Asks where to write something that is not the document, such as a picture. Further files are its side-cars.
    pub fn ask_export(&self, files: Vec<Outgoing>) {
        let name = files.first().map(|file| file.name.clone()).unwrap_or_default();
        if !self.has_system_dialogs {
            return self.browse(Browser::new(Purpose::Export, &name), files);
        }
        let dialog =
            rfd::AsyncFileDialog::new().set_title("Export").set_file_name(&name).save_file();
        self.when_chosen(dialog, move |path| write_one(path, &files));
    }

    /// Asks for a folder and writes files into it; `name` is what they are called together.
    pub fn ask_export_folder(&self, _name: &str, files: Vec<Outgoing>) {
        if !self.has_system_dialogs {
            return self.browse(Browser::new(Purpose::Folder, ""), files);
        }
        let dialog = rfd::AsyncFileDialog::new().set_title("Export into the folder").pick_folder();
        self.when_chosen(dialog, move |folder| write_all(folder, &files));
    }

    /// Draws our own dialog while it is open.
    pub fn ui(&self, ui: &mut egui::Ui) {
        let mut open = self.browser.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let Some(chosen) = open.as_mut().and_then(|(browser, _)| browser.ui(ui)) else { return };
        let Some((browser, files)) = open.take() else { return };
        let Some(path) = chosen else { return self.tell(Event::Cancelled) };
        // Exports may be large, and the window goes on meanwhile.
        let (sender, ctx) = (self.sender.clone(), self.ctx.clone());
        std::thread::spawn(move || {
            let event = match (browser.purpose(), &files[..]) {
                (Purpose::Open, _) => read(&path),
                (Purpose::Save, _) => Event::Chosen(place_of(&path)),
                (Purpose::Export, files) => write_one(&path, files),
                (Purpose::Folder, files) => write_all(&path, files),
            };
            // The window may be gone.
            let _ = sender.send(event);
            ctx.request_repaint();
        });
    }

    /// A file that lies beside the document at `place`.
    pub fn read_beside(&self, place: &str, file: &str) -> Option<Vec<u8>> {
        // A name in a recipe is not the user's: it stays in the folder.
        let folder = Path::new(place).parent().unwrap_or(Path::new(""));
        if !landform_io::regular::is_within(folder, Path::new(file)) {
            return None;
        }
        landform_io::regular::read(&folder.join(file)).ok()
    }

    /// Writes a small file beside the document at `place`, or removes it if there is nothing to write.
    pub fn write_beside(&self, place: &str, file: &str, bytes: &[u8]) {
        let path = Path::new(place).with_file_name(file);
        if bytes.is_empty() {
            // It may not be there.
            let _ = std::fs::remove_file(path);
        } else if let Err(Event::Failed(why)) = write(&path, bytes) {
            self.tell(Event::Failed(why));
        }
    }

    /// What was kept under `key`.
    pub fn load(&self, key: &str) -> Option<String> {
        std::fs::read_to_string(self.store.as_ref()?.join(key)).ok()
    }

    /// Keeps `text` under `key`, which is a plain word with a dot. Settings that cannot be kept are lost, which is no error.
    pub fn keep(&self, key: &str, text: &str) {
        let Some(store) = &self.store else { return };
        let kept = std::fs::create_dir_all(store).and_then(|()| {
            landform_io::atomic::write(&store.join(key), |out| out.write_all(text.as_bytes()))
        });
        if let Err(error) = kept {
            log::warn!("cannot keep {key}: {error}");
        }
    }

    /// Forgets what was kept under `key`.
    pub fn forget(&self, key: &str) {
        if let Some(store) = &self.store {
            // It may not be there.
            let _ = std::fs::remove_file(store.join(key));
        }
    }

    /// Reads a file; what may be large is read while the window goes on.
    fn read_soon(&self, path: &Path) {
        if !Large::may_be(path) {
            return self.tell(read(path));
        }
        let (sender, ctx, path) = (self.sender.clone(), self.ctx.clone(), path.to_owned());
        std::thread::spawn(move || {
            // The window may be gone.
            let _ = sender.send(read(&path));
            ctx.request_repaint();
        });
    }

    fn tell(&self, event: Event) {
        // The receiver lives as long as this.
        let _ = self.sender.send(event);
        self.ctx.request_repaint();
    }

    fn browse(&self, browser: Browser, files: Vec<Outgoing>) {
        *self.browser.lock().unwrap_or_else(std::sync::PoisonError::into_inner) =
            Some((browser, files));
    }

    fn when_chosen(
        &self,
        dialog: impl Future<Output = Option<rfd::FileHandle>> + Send + 'static,
        act: impl FnOnce(&Path) -> Event + Send + 'static,
    ) {
        let (sender, ctx) = (self.sender.clone(), self.ctx.clone());
        std::thread::spawn(move || {
            let chosen = block_on(dialog);
            let event = chosen.map_or(Event::Cancelled, |file| act(file.path()));
            let _ = sender.send(event);
            ctx.request_repaint();
        });
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn place_of(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).to_string_lossy().into_owned()
}

fn read(path: &Path) -> Event {
    match Large::open(path) {
        Ok(Some(large)) => return Event::Large(large),
        Ok(None) => {}
        Err(why) => return Event::Failed(why),
    }
    let inside = in_bundle(path);
    let path = inside.as_deref().unwrap_or(path);
    match std::fs::read(path) {
        Ok(bytes) => {
            let (name, place) = (name_of(path), Some(place_of(path)));
            Event::Opened(Opened { name, place, bytes, beside: Vec::new() })
        }
        Err(error) => Event::Failed(format!("cannot read {}: {error}", path.display())),
    }
}

/// What is opened of a folder that was built before, or of its manifest: the recipe, or the heights if it has none.
fn in_bundle(path: &Path) -> Option<PathBuf> {
    let is_manifest = path.file_name().is_some_and(|name| name == manifest::FILE_NAME);
    let folder = if is_manifest { path.parent()? } else { path };
    let is_bundle = folder.join(manifest::FILE_NAME).is_file();
    let inside = ["recipe.toml", "height.npy"].map(|name| folder.join(name));
    inside.into_iter().find(|file| is_bundle && file.is_file())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Event> {
    landform_io::atomic::write(path, |out| out.write_all(bytes))
        .map_err(|error| Event::Failed(format!("cannot write {}: {error}", path.display())))
}

fn write_document(path: &Path, bytes: &[u8]) -> Event {
    match write(path, bytes) {
        Ok(()) => Event::Saved { name: name_of(path), place: Some(place_of(path)) },
        Err(failed) => failed,
    }
}

/// Writes a file under the name that was chosen, and its side-cars beside it.
fn write_one(path: &Path, files: &[Outgoing]) -> Event {
    let Some(first) = files.first() else { return Event::Cancelled };
    let chosen = name_of(path);
    let named = |file: &Outgoing| file.name.replacen(&first.name, &chosen, 1);
    let mut sink = DiskFolder::of_file(path);
    match put_all(&mut sink, files, named) {
        Ok(()) => Event::Exported(path.display().to_string()),
        Err(error) => Event::Failed(error.to_string()),
    }
}

fn write_all(folder: &Path, files: &[Outgoing]) -> Event {
    let mut sink = DiskFolder::new(folder);
    match put_all(&mut sink, files, |file| file.name.clone()) {
        Ok(()) => Event::Exported(format!("{} files in {}", files.len(), folder.display())),
        Err(error) => Event::Failed(error.to_string()),
    }
}

/// Writes all files or none. Side-cars and manifests, which describe the others, come last.
fn put_all(
    sink: &mut DiskFolder,
    files: &[Outgoing],
    named: impl Fn(&Outgoing) -> String,
) -> landform_project::Result<()> {
    for file in files {
        match str::from_utf8(&file.bytes).ok().filter(|_| file.name.ends_with(".json")) {
            Some(text) => sink.put_record(&named(file), text)?,
            None => sink.put(&named(file), &mut |out| Ok(out.write_all(&file.bytes)?))?,
        }
    }
    sink.finish()
}

/// Waits for a dialog, on a thread that has nothing else to do.
fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(std::thread::Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = std::pin::pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => std::thread::park(),
        }
    }
}
