//! What was done, so that it can be undone and done again: without limit, and as a list that people can read.

use crate::action::Change;
use crate::document::Document;
use crate::selection::Selection;

/// One step of a person.
#[derive(Clone, Debug)]
struct Step {
    label: String,
    /// What takes the document to the other side of this step, to be made from the last to the first.
    changes: Vec<Change>,
    /// What was selected on the other side.
    selection: Selection,
}

/// The steps that led to a document, and those that were undone.
#[derive(Clone, Debug, Default)]
pub struct History {
    past: Vec<Step>,
    future: Vec<Step>,
    /// Whether further changes of the same name belong to the last step: a drag that goes on.
    is_open: bool,
}

impl History {
    /// Makes `changes` as a step called `label`. While a step of the same name is open, they join it.
    pub fn make(
        &mut self,
        document: &mut Document,
        selection: &Selection,
        label: &str,
        changes: Vec<Change>,
    ) {
        self.future.clear();
        let inverses = changes.into_iter().map(|change| change.make(document));
        let joins = self.is_open && self.past.last().is_some_and(|step| step.label == label);
        if !joins {
            let (label, selection) = (label.to_owned(), selection.clone());
            self.past.push(Step { label, changes: Vec::new(), selection });
        }
        let step = self.past.last_mut().expect("one was pushed if there was none");
        for inverse in inverses {
            if !step.changes.last().is_some_and(|last| last.covers(&inverse)) {
                step.changes.push(inverse);
            }
        }
        self.is_open = true;
    }

    /// Ends the last step: what comes next is another.
    pub fn close(&mut self) {
        self.is_open = false;
    }

    /// Takes the last step back. Whether there was one.
    pub fn undo(&mut self, document: &mut Document, selection: &mut Selection) -> bool {
        self.is_open = false;
        turn(&mut self.past, &mut self.future, document, selection)
    }

    /// Makes the step again that was undone last. Whether there was one.
    pub fn redo(&mut self, document: &mut Document, selection: &mut Selection) -> bool {
        self.is_open = false;
        turn(&mut self.future, &mut self.past, document, selection)
    }

    /// The names of the steps, the oldest first; those that were undone follow.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        let steps = self.past.iter().chain(self.future.iter().rev());
        steps.map(|step| step.label.as_str())
    }

    /// How many steps have been made and not undone.
    pub fn position(&self) -> usize {
        self.past.len()
    }

    /// How many steps can be made again.
    pub fn undone(&self) -> usize {
        self.future.len()
    }

    /// The name of the step that would be undone.
    pub fn last(&self) -> Option<&str> {
        self.past.last().map(|step| step.label.as_str())
    }

    /// The name of the step that would be made again.
    pub fn next(&self) -> Option<&str> {
        self.future.last().map(|step| step.label.as_str())
    }
}

fn turn(
    from: &mut Vec<Step>,
    to: &mut Vec<Step>,
    document: &mut Document,
    selection: &mut Selection,
) -> bool {
    let Some(step) = from.pop() else { return false };
    let back = step.changes.into_iter().rev().map(|change| change.make(document));
    let changes: Vec<Change> = back.collect();
    let before = std::mem::replace(selection, step.selection);
    to.push(Step { label: step.label, changes, selection: before });
    true
}
