//! A document that is open: with its history, its selection, its file, and as it was when it was saved.

use std::sync::Arc;

use landform::Inputs;

use crate::action::Change;
use crate::document::Document;
use crate::edits::{self, Rest};
use crate::evaluate::Work;
use crate::history::History;
use crate::selection::Selection;

/// An open document.
#[derive(Debug)]
pub struct Session {
    /// What people call it: the name of its file.
    pub name: String,
    /// Where it was last saved; nothing if it never was. An opened file is not written over unasked.
    pub place: Option<String>,
    /// Where it was opened from.
    pub origin: Option<String>,
    /// The rasters that a recipe refers to.
    pub inputs: Arc<Inputs>,
    /// What is selected.
    pub selection: Selection,
    /// Whether the rest of the terrain stays when the number of peaks changes.
    pub rest: Rest,
    document: Document,
    history: History,
    saved: Document,
    /// Counts the changes.
    version: u64,
    is_dirty: bool,
}

impl Session {
    /// Opens a document.
    pub fn new(name: &str, document: Document) -> Self {
        Self {
            name: name.to_owned(),
            place: None,
            origin: None,
            inputs: Arc::default(),
            selection: Selection::default(),
            rest: Rest::Kept,
            saved: document.clone(),
            document,
            history: History::default(),
            version: 0,
            is_dirty: false,
        }
    }

    /// What is edited.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The document as it was opened or last saved.
    pub fn saved(&self) -> &Document {
        &self.saved
    }

    /// What was done.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Counts the changes: the same number means the same document.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Whether there is something to save.
    pub fn is_dirty(&self) -> bool {
        self.is_dirty
    }

    /// Marks the document as not saved, as one that was recovered.
    pub fn mark_dirty(&mut self) {
        self.is_dirty = true;
    }

    /// Counts on from where `other` is, so that nothing made for one is taken for the other.
    pub(crate) fn count_on_from(&mut self, other: &Self) {
        self.version = other.version + 1;
    }

    /// Counts as a change, so that what was recovered is kept again.
    pub fn touch(&mut self) {
        self.version += 1;
    }

    /// The name under which it is saved unless the person says another: never that of what was opened.
    pub fn suggested_name(&self) -> String {
        let extension = self.document.extension();
        let stem = self.name.rsplit_once('.').map_or(self.name.as_str(), |(stem, _)| stem);
        let is_other = self.origin.is_none() || stem.ends_with("-edited");
        if is_other { format!("{stem}.{extension}") } else { format!("{stem}-edited.{extension}") }
    }

    /// Remembers that the document as it is was saved.
    pub fn mark_saved(&mut self, name: String, place: Option<String>) {
        (self.name, self.place) = (name, place);
        self.saved = self.document.clone();
        self.is_dirty = false;
    }

    /// Makes changes as a step called `label`.
    pub fn act(&mut self, label: &str, changes: Vec<Change>) {
        if changes.is_empty() {
            return;
        }
        self.history.make(&mut self.document, &self.selection, label, changes);
        self.changed();
    }

    /// Makes changes to peaks as a step. Peaks by chance are first written down. Changes that are already made are left out: a
    /// pointer held still must not ask for a new preview in each frame.
    pub fn act_on_peaks(&mut self, label: &str, mut changes: Vec<Change>) {
        changes.retain(|change| !change.is_made(&self.document));
        if !changes.is_empty() && self.ensure_by_hand() {
            self.act(label, changes);
        }
    }

    /// Writes peaks by chance down, so that they can be edited. Whether peaks can be edited now.
    pub fn ensure_by_hand(&mut self) -> bool {
        if self.document.is_by_hand() {
            return true;
        }
        match self.document.by_hand() {
            Ok(document) if document.is_by_hand() => {
                self.history.close();
                self.act("Write the peaks down", vec![Change::Whole(Box::new(document))]);
                self.history.close();
                true
            }
            _ => false,
        }
    }

    /// Edits the text of a recipe, or of UPD, as a step.
    ///
    /// # Errors
    /// What would be wrong with it; the document is then as it was.
    pub fn edit_text(
        &mut self,
        label: &str,
        edit: impl FnOnce(&str) -> Result<String, landform::Error>,
    ) -> Result<(), landform::Error> {
        let document = self.document.with_text(edit(&self.document.text())?)?;
        if document != self.document {
            self.act(label, vec![Change::Whole(Box::new(document))]);
        }
        Ok(())
    }

    /// Shows the peaks of another stage.
    pub fn edit_peaks_of(&mut self, stage: usize) {
        if let Ok(document) = self.document.with_owner(stage) {
            self.selection.clear();
            self.history.close();
            self.act("Edit the peaks of another stage", vec![Change::Whole(Box::new(document))]);
            self.history.close();
        }
    }

    /// Takes the belts that plates have raised, which is no change of the document. Whether they are others than before.
    pub(crate) fn take_belts(&mut self, features: &[landform::Feature]) -> bool {
        let is_new = self.document.take_belts(features);
        if is_new {
            self.version += 1;
            self.selection.retain_below(self.document.items().len());
        }
        is_new
    }

    /// Ends the step that is under way.
    pub fn close_step(&mut self) {
        self.history.close();
    }

    /// Takes the last step back.
    pub fn undo(&mut self) {
        if self.history.undo(&mut self.document, &mut self.selection) {
            self.changed();
        }
    }

    /// Makes the step again that was undone last.
    pub fn redo(&mut self) {
        if self.history.redo(&mut self.document, &mut self.selection) {
            self.changed();
        }
    }

    /// Goes to the state after so many steps.
    pub fn go_to(&mut self, position: usize) {
        while self.history.position() > position && self.history.last().is_some() {
            self.undo();
        }
        while self.history.position() < position && self.history.next().is_some() {
            self.redo();
        }
    }

    /// Moves the selected peaks by whole grid lines.
    pub fn move_selected(&mut self, by: [i64; 2]) {
        let peaks = edits::selected(&self.document, &self.selection);
        if !peaks.is_empty() {
            self.act_on_peaks("Move", vec![edits::moved(&peaks, by)]);
        }
    }

    /// Removes the selected peaks.
    pub fn delete_selected(&mut self) {
        if self.selection.is_empty() || !self.ensure_by_hand() {
            return;
        }
        let changes = edits::delete(&self.document, &self.selection, self.rest);
        self.history.close();
        self.act("Delete", changes);
        self.history.close();
        self.selection.clear();
    }

    /// Copies the selected peaks beside themselves.
    pub fn duplicate_selected(&mut self) {
        if self.selection.is_empty() || !self.ensure_by_hand() {
            return;
        }
        let (changes, selection) = edits::duplicate(&self.document, &self.selection, self.rest);
        self.add_step("Duplicate", changes, selection);
    }

    /// Adds peaks and selects them.
    pub fn add(&mut self, label: &str, new: Vec<crate::document::Item>) {
        if new.is_empty() || !self.ensure_by_hand() {
            return;
        }
        let (changes, selection) = edits::add(&self.document, new, self.rest);
        self.add_step(label, changes, selection);
    }

    fn add_step(&mut self, label: &str, changes: Vec<Change>, selection: Selection) {
        self.history.close();
        self.act(label, changes);
        self.history.close();
        self.selection = selection;
    }

    /// What must be evaluated to show a document of this session.
    pub fn work(&self, document: &Document) -> Work {
        Work::of(document, &self.inputs)
    }

    fn changed(&mut self) {
        self.version += 1;
        self.selection.retain_below(self.document.items().len());
        self.is_dirty = self.document != self.saved;
    }
}
