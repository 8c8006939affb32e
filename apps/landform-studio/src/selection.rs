//! Which peaks are selected.

use std::collections::BTreeSet;

/// The selected peaks, by index, and the one that was selected last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    indices: BTreeSet<usize>,
    lead: Option<usize>,
}

impl Selection {
    /// One peak.
    pub fn one(index: usize) -> Self {
        Self { indices: BTreeSet::from([index]), lead: Some(index) }
    }

    /// The selected indices, rising.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.indices.iter().copied()
    }

    /// Number of selected peaks.
    pub fn len(&self) -> usize {
        self.indices.len()
    }

    /// Whether nothing is selected.
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// Whether this peak is selected.
    pub fn contains(&self, index: usize) -> bool {
        self.indices.contains(&index)
    }

    /// The peak that was selected last: the one whose properties are shown.
    pub fn lead(&self) -> Option<usize> {
        self.lead
    }

    /// The only selected peak.
    pub fn single(&self) -> Option<usize> {
        if self.len() == 1 { self.lead } else { None }
    }

    /// Selects nothing.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Adds a peak.
    pub fn add(&mut self, index: usize) {
        self.indices.insert(index);
        self.lead = Some(index);
    }

    /// Adds a peak, or takes it out if it is selected.
    pub fn toggle(&mut self, index: usize) {
        if self.indices.remove(&index) {
            self.lead = self.indices.last().copied();
        } else {
            self.add(index);
        }
    }

    /// Forgets peaks that there are no longer.
    pub fn retain_below(&mut self, count: usize) {
        if self.indices.last().is_some_and(|last| *last >= count) {
            self.indices.retain(|index| *index < count);
        }
        if self.lead.is_some_and(|lead| lead >= count) {
            self.lead = self.indices.last().copied();
        }
    }
}

impl FromIterator<usize> for Selection {
    fn from_iter<I: IntoIterator<Item = usize>>(indices: I) -> Self {
        let indices: BTreeSet<usize> = indices.into_iter().collect();
        let lead = indices.last().copied();
        Self { indices, lead }
    }
}
