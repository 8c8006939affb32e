//! The table of a sweep: a CSV file (RFC 4180) that is written whole, and read again by the sweep that goes on.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::Path;

use landform_io::regular;

use crate::open::files::file_name;
use crate::{DiskFolder, Error, Result, Sink as _};

/// The rows of a sweep, and those of others in the same file.
#[derive(Debug)]
pub(super) struct Table {
    header: Vec<String>,
    /// Rows that were there.
    old: Vec<Vec<String>>,
    /// Their last columns.
    known: BTreeSet<String>,
    rows: BTreeMap<usize, Vec<String>>,
    /// Rows that are not in the file yet.
    unwritten: usize,
}

impl Table {
    /// The table at `path`, or an empty one.
    pub(super) fn open(path: &Path, header: Vec<String>) -> Result<Self> {
        let text = match regular::read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(cause) => return Err(Error::read(path, cause)),
        };
        let mut old = parse(&text);
        if !old.is_empty() && old.remove(0) != header {
            return Err(Error::Other(format!(
                "{} is no table of this sweep: remove it, or name another one",
                path.display()
            )));
        }
        old.retain(|row| row.len() == header.len());
        let known = old.iter().filter_map(|row| row.last().cloned()).collect();
        Ok(Self { header, old, known, rows: BTreeMap::new(), unwritten: 0 })
    }

    /// Whether there is a row of this run, whose files are there.
    pub(super) fn holds(&self, key: &str, is_there: impl Fn() -> bool) -> bool {
        self.known.contains(key) && is_there()
    }

    /// Takes over the old rows of these runs, in their order, and forgets what is said of files that other runs will make.
    pub(super) fn begin(&mut self, keys: &[String], files: &BTreeSet<String>) {
        let places: BTreeMap<&str, usize> =
            keys.iter().enumerate().map(|(k, key)| (key.as_str(), k)).collect();
        for row in std::mem::take(&mut self.old) {
            match row.last().and_then(|key| places.get(key.as_str())) {
                Some(&k) => {
                    self.rows.insert(k, row);
                }
                None if files.contains(&row[0]) => {}
                None => self.old.push(row),
            }
        }
    }

    /// Adds the row of the run `k`.
    pub(super) fn insert(&mut self, k: usize, row: Vec<String>) {
        self.rows.insert(k, row);
        self.unwritten += 1;
    }

    /// Whether writing it costs little beside the work that it saves: it is written as a whole.
    pub(super) fn is_worth_writing(&self) -> bool {
        self.unwritten * 50 >= self.rows.len()
    }

    /// Writes it, whole or not at all.
    pub(super) fn write(&mut self, path: &Path) -> Result<()> {
        let rows = [&self.header].into_iter().chain(&self.old).chain(self.rows.values());
        let text: String = rows.map(|row| line(row)).collect();
        let mut sink = DiskFolder::of_file(path);
        sink.put_text(&file_name(path), &text)?;
        sink.finish()?;
        self.unwritten = 0;
        Ok(())
    }
}

fn line(row: &[String]) -> String {
    let quoted = |cell: &String| match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.clone(),
    };
    row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

fn parse(text: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let (mut row, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !is_quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            '\r' if !is_quoted => {}
            c => cell.push(c),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_read_back_whatever_is_in_their_cells() {
        let rows: Vec<Vec<String>> = [["a", "b,c", "d\"e"], ["", "two\nlines", "ü"]]
            .iter()
            .map(|row| row.iter().map(|cell| (*cell).to_owned()).collect())
            .collect();
        let text: String = rows.iter().map(|row| line(row)).collect();
        assert_eq!(parse(&text), rows);
        // A row that was cut off is none.
        assert_eq!(parse("a,b\nc,"), [["a", "b"]]);
    }
}
