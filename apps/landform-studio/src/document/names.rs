//! Names and groups of peaks, which stand in a file of their own.

use super::Document;

impl Document {
    /// The same document with what its text cannot hold: names, groups and paintings.
    pub(super) fn with_names_of(mut self, other: &Self) -> Self {
        self.paintings.clone_from(&other.paintings);
        if self.items.len() == other.items.len() {
            for (item, old) in self.items.iter_mut().zip(&other.items) {
                item.name.clone_from(&old.name);
                item.group.clone_from(&old.group);
            }
        }
        self
    }

    /// Names and groups as lines `index⇥name⇥group`, for what neither UPD nor recipes can hold.
    pub fn names(&self) -> String {
        if self.is_raised() {
            return String::new();
        }
        let named = self
            .items
            .iter()
            .enumerate()
            .filter(|(_, item)| !item.name.is_empty() || !item.group.is_empty());
        let word = |text: &str| text.replace(['\t', '\n', '\r'], " ");
        named
            .map(|(k, item)| format!("{k}\t{}\t{}\n", word(&item.name), word(&item.group)))
            .collect()
    }

    /// Takes names and groups from what [`Document::names`] wrote; lines that do not fit are left out.
    pub fn set_names(&mut self, names: &str) {
        for line in names.lines() {
            let mut parts = line.split('\t');
            let index = parts.next().and_then(|index| index.parse::<usize>().ok());
            if let (Some(index), Some(name), Some(group)) = (index, parts.next(), parts.next())
                && let Some(item) = self.items.get_mut(index)
            {
                (item.name, item.group) = (name.to_owned(), group.to_owned());
            }
        }
    }
}
