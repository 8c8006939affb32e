//! Files, dialogs and the small store for settings: the only part that knows on which kind of machine it runs.
//!
//! Everything is asked for and answered later by an [`Event`], because a browser cannot do otherwise. `native.rs` and `web.rs`
//! have the same functions.

#[cfg(not(target_arch = "wasm32"))]
mod native;
#[cfg(target_arch = "wasm32")]
mod web;

#[cfg(not(target_arch = "wasm32"))]
pub use native::Files;
#[cfg(target_arch = "wasm32")]
pub use web::Files;

/// A file that was dropped on the window.
pub type Dropped = eframe::egui::DroppedFileHandle;

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// Its name without folder.
    pub name: String,
    /// Where it can be written back and opened again; nothing where that is not possible, as in a browser.
    pub place: Option<String>,
    /// What is in it.
    pub bytes: Vec<u8>,
    /// Files that were chosen together with it.
    pub beside: Vec<Outgoing>,
}

impl Opened {
    /// Files that were chosen together: the recipe, or else the first, is opened, and the others lie beside it.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn together(mut files: Vec<Outgoing>) -> Option<Self> {
        let is_text = |file: &Outgoing| file.name.ends_with(".toml") || file.name.ends_with(".upd");
        let first = files.iter().position(is_text).unwrap_or(0);
        if files.is_empty() {
            return None;
        }
        let Outgoing { name, bytes } = files.remove(first);
        Some(Self { name, place: None, bytes, beside: files })
    }
}

/// The answer to something that was asked of [`Files`].
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A file was chosen and read.
    Opened(Opened),
    /// A terrain larger than memory was chosen; it stays where it is.
    Large(crate::large::Large),
    /// A place for the document was chosen; [`Files::save`] writes it there.
    Chosen(String),
    /// The document was written, under this name and at this place.
    Saved {
        /// The name of the file without folder.
        name: String,
        /// Where it is, if it can be written again without asking.
        place: Option<String>,
    },
    /// Files that are not the document were written; says where, for people.
    Exported(String),
    /// Something could not be read or written: what and why, for people.
    Failed(String),
    /// The person closed the dialog.
    Cancelled,
}

/// What is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// Name of the file without folder; what a dialog suggests.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Extensions of files that can be opened: recipes, Uplift terrains and heightmaps.
pub fn readable() -> Vec<&'static str> {
    let heightmaps = landform_io::Format::all().filter(|format| format.is_read());
    let heightmaps = heightmaps.flat_map(|format| format.extensions().iter().copied());
    ["toml", "upd"].into_iter().chain(heightmaps).collect()
}

/// Why a page opens no stores.
#[cfg(target_arch = "wasm32")]
pub(crate) const NO_STORES: &str = "A store (.zarr) is a folder of many files, which a page cannot open. The desktop program opens it.";
