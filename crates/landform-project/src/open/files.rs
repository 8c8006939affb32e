//! Where inputs are read from.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use landform_io::{Store, regular};

use crate::{Error, Result};

/// Where inputs are read from: a disk, or files that were chosen together in a browser.
pub trait Files {
    /// What a path leads to; nothing if there is nothing.
    fn entry(&self, path: &Path) -> Option<Entry>;

    /// The bytes of a file.
    ///
    /// # Errors
    /// Those of the system.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Number of the bytes of a file, where that is known before it is read.
    fn length(&self, path: &Path) -> Option<u64> {
        let _ = path;
        None
    }

    /// Whether the file `folder`/`name` lies in `folder`: a name in a recipe or manifest is not the user's.
    fn is_within(&self, folder: &Path, name: &Path) -> bool {
        let _ = folder;
        regular::is_below(name)
    }
}

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A folder that is a Zarr store.
    Store,
}

/// The disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn entry(&self, path: &Path) -> Option<Entry> {
        if Store::is_store(path) {
            Some(Entry::Store)
        } else if path.is_dir() {
            Some(Entry::Folder)
        } else {
            path.exists().then_some(Entry::File)
        }
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        regular::read(path)
    }

    fn length(&self, path: &Path) -> Option<u64> {
        std::fs::metadata(path).ok().map(|found| found.len())
    }

    fn is_within(&self, folder: &Path, name: &Path) -> bool {
        regular::is_within(folder, name)
    }
}

/// Files in memory, by their names.
#[derive(Clone, Debug, Default)]
pub struct Memory(pub BTreeMap<String, Vec<u8>>);

impl Memory {
    fn get(&self, path: &Path) -> Option<&Vec<u8>> {
        self.0.get(path.to_str()?)
    }
}

impl Files for Memory {
    fn entry(&self, path: &Path) -> Option<Entry> {
        self.get(path).map(|_| Entry::File)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// A file that describes others, which is short: a long one is not read.
///
/// # Errors
/// If it is longer than such a file can be, and those of the system.
pub(super) fn read_description(files: &dyn Files, path: &Path) -> io::Result<Vec<u8>> {
    regular::check_length(files.length(path).unwrap_or(0), regular::DESCRIPTION)?;
    files.read(path)
}

/// A file that must be text.
///
/// # Errors
/// If it cannot be read, or is not UTF-8.
pub fn read_text(files: &dyn Files, path: &Path) -> Result<String> {
    let bytes = files.read(path).map_err(|cause| Error::read(path, cause))?;
    String::from_utf8(bytes).map_err(|error| {
        let bytes = error.as_bytes();
        let at = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&bytes[..at]);
        let line = before.split('\n').count();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let (byte, path) = (bytes[at], path.display());
        Error::Other(format!(
            "found the byte {byte:#04x}, expected text in UTF-8, at {path}:{line}:{column}"
        ))
    })
}

/// The extension of a path in lower case, without the dot.
pub(crate) fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

/// The last part of a path.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
