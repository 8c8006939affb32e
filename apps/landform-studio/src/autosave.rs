//! Keeps what is edited, every few seconds, so that a crash or a power cut loses next to nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use web_time::{Duration, Instant};

use crate::base64;
use crate::document::Document;
use crate::files::Files;
use crate::painting::Painting;
use crate::session::Session;

/// How often at the most.
const EVERY: Duration = Duration::from_secs(2);
/// So many windows can be open at once without sharing a slot.
const SLOTS: usize = 8;

/// A document as it was kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub(crate) name: String,
    pub(crate) place: Option<String>,
    #[serde(default)]
    pub(crate) origin: Option<String>,
    pub(crate) is_upd: bool,
    pub(crate) text: String,
    pub(crate) names: String,
    /// Painted masks by the name of their file: PNG in base 64.
    #[serde(default)]
    pub(crate) paintings: BTreeMap<String, String>,
}

impl Kept {
    /// The document, unless what was kept is damaged.
    pub(crate) fn document(&self) -> Result<Document, landform::Error> {
        let mut document = if self.is_upd {
            Document::from_upd_text(&self.text)?
        } else {
            Document::from_recipe(self.text.clone())?
        };
        document.set_names(&self.names);
        for (file, text) in &self.paintings {
            let painting = base64::decoded(text).and_then(|bytes| Painting::from_png(&bytes));
            if let Some(painting) = painting {
                document.paintings.insert(file.clone(), Arc::new(painting));
            }
        }
        Ok(document)
    }
}

/// Keeps the open document.
#[derive(Debug)]
pub(crate) struct Autosave {
    slot: String,
    kept_version: u64,
    last: Instant,
}

impl Autosave {
    /// Takes a free slot. What was found in another, left by a program that did not end well, comes with it.
    pub(crate) fn new(files: &Files) -> (Self, Option<(String, Kept)>) {
        let mut found = None;
        let mut free = None;
        for slot in (0..SLOTS).map(|k| format!("recovery-{k}.json")) {
            match files.load(&slot) {
                Some(text) => {
                    if found.is_none() {
                        found = serde_json::from_str(&text).ok().map(|kept| (slot, kept));
                    }
                }
                None => free = free.or(Some(slot)),
            }
        }
        let slot = free.unwrap_or_else(|| "recovery-0.json".to_owned());
        (Self { slot, kept_version: 0, last: Instant::now() }, found)
    }

    /// Keeps the document if it has changed and it is time. How long until it must be asked again.
    pub(crate) fn tick(&mut self, files: &Files, session: &Session) -> Option<Duration> {
        if session.version() == self.kept_version {
            return None;
        }
        if !session.is_dirty() {
            self.forget(files, session);
            return None;
        }
        let waited = self.last.elapsed();
        if waited < EVERY {
            return Some(EVERY - waited);
        }
        self.keep(files, session);
        None
    }

    fn keep(&mut self, files: &Files, session: &Session) {
        let document = session.document();
        let kept = Kept {
            name: session.name.clone(),
            place: session.place.clone(),
            origin: session.origin.clone(),
            is_upd: document.is_upd(),
            text: document.text(),
            names: document.names(),
            paintings: document
                .painted_files()
                .into_iter()
                .map(|(file, bytes)| (file, base64::encoded(&bytes)))
                .collect(),
        };
        if let Ok(text) = serde_json::to_string(&kept) {
            files.keep(&self.slot, &text);
        }
        (self.kept_version, self.last) = (session.version(), Instant::now());
    }

    /// Forgets what was kept: it is saved, or thrown away on purpose.
    pub(crate) fn forget(&mut self, files: &Files, session: &Session) {
        files.forget(&self.slot);
        self.kept_version = session.version();
    }
}
