//! Changes of a document as values: each gives, when it is made, the change that undoes it.

use std::sync::Arc;

use landform::uplift::Peak;

use crate::document::{Document, Item};
use crate::painting::Painting;

/// One change.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Puts these peaks in the place of those with the same index.
    Peaks(Vec<(usize, Peak)>),
    /// Gives these peaks a name and a group.
    Names(Vec<(usize, [String; 2])>),
    /// Inserts peaks; the indices rise and are those that the peaks have afterwards.
    Insert(Vec<(usize, Item)>),
    /// Removes the peaks with these indices, which rise.
    Remove(Vec<usize>),
    /// Sets what the sum of the peaks is divided by.
    Divisor(Option<f64>),
    /// Puts a painting under the name of its file, or takes it away.
    Paint(String, Option<Arc<Painting>>),
    /// Puts another document in the place of this one.
    Whole(Box<Document>),
}

impl Change {
    /// Makes the change. Gives the one that undoes it. Indices that there are not are left out.
    pub fn make(self, document: &mut Document) -> Self {
        let items = &mut document.items;
        match self {
            Self::Peaks(mut peaks) => {
                peaks.retain(|(k, _)| *k < items.len());
                // In reverse, so that an index that is named twice is undone to what it was first.
                for (k, peak) in &mut peaks {
                    std::mem::swap(&mut items[*k].peak, peak);
                }
                peaks.reverse();
                Self::Peaks(peaks)
            }
            Self::Names(mut names) => {
                names.retain(|(k, _)| *k < items.len());
                for (k, [name, group]) in &mut names {
                    std::mem::swap(&mut items[*k].name, name);
                    std::mem::swap(&mut items[*k].group, group);
                }
                names.reverse();
                Self::Names(names)
            }
            Self::Insert(new) => {
                let count = items.len() + new.len();
                let mut old = std::mem::take(items).into_iter();
                let mut new = new.into_iter().peekable();
                let mut indices = Vec::new();
                items.reserve(count);
                while items.len() < count {
                    let is_new = new.peek().is_some_and(|(at, _)| *at <= items.len());
                    let item = if is_new { new.next().map(|(_, item)| item) } else { old.next() };
                    if is_new || item.is_none() {
                        indices.push(items.len());
                    }
                    // Those that lie beyond the end come at the end.
                    items.extend(item.or_else(|| new.next().map(|(_, item)| item)));
                }
                Self::Remove(indices)
            }
            Self::Remove(indices) => {
                let mut gone = Vec::with_capacity(indices.len());
                let mut indices = indices.into_iter().peekable();
                let mut kept = Vec::with_capacity(items.len());
                for (k, item) in std::mem::take(items).into_iter().enumerate() {
                    if indices.next_if_eq(&k).is_some() {
                        gone.push((k, item));
                    } else {
                        kept.push(item);
                    }
                }
                *items = kept;
                Self::Insert(gone)
            }
            Self::Divisor(divisor) => {
                Self::Divisor(std::mem::replace(&mut document.divisor, divisor))
            }
            Self::Paint(file, painting) => {
                let old = match painting {
                    Some(painting) => document.paintings.insert(file.clone(), painting),
                    None => document.paintings.remove(&file),
                };
                Self::Paint(file, old)
            }
            Self::Whole(mut other) => {
                std::mem::swap(document, &mut *other);
                Self::Whole(other)
            }
        }
    }

    /// Whether peaks already are as this change would make them.
    pub(crate) fn is_made(&self, document: &Document) -> bool {
        let is_there = |(k, peak): &(usize, Peak)| {
            document.items.get(*k).is_some_and(|item| item.peak == *peak)
        };
        matches!(self, Self::Peaks(peaks) if peaks.iter().all(is_there))
    }

    /// Whether undoing `self` also undoes `later`, which was made after it.
    pub(crate) fn covers(&self, later: &Self) -> bool {
        match (self, later) {
            (Self::Peaks(old), Self::Peaks(new)) => covers(old, new),
            (Self::Names(old), Self::Names(new)) => covers(old, new),
            (Self::Paint(old, _), Self::Paint(new, _)) => old == new,
            (Self::Divisor(_), Self::Divisor(_)) | (Self::Whole(_), _) => true,
            _ => false,
        }
    }
}

fn covers<T>(old: &[(usize, T)], new: &[(usize, T)]) -> bool {
    let is_same = old.len() == new.len() && old.iter().zip(new).all(|(a, b)| a.0 == b.0);
    is_same || new.iter().all(|(k, _)| old.iter().any(|(known, _)| known == k))
}
