//! The operations on a disk that a power cut undoes, unless they are forced.
//!
//! A disk writes in an order of its own. Until a file is forced, any of its bytes may be missing; until a folder is forced, any
//! change to the names in it may be missing, whatever came later. Everything that this crate writes in the course of a store or a
//! bundle goes through here. In tests all operations are recorded, and the module `power` tells what a power cut may leave of them.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[cfg(test)]
pub(crate) mod power;

/// One operation.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(test), expect(dead_code, reason = "only tests look at what is done"))]
enum Step<'a> {
    Create(&'a Path),
    Write(&'a Path, &'a [u8]),
    Force(&'a Path),
    ForceFolder(&'a Path),
    Rename(&'a Path, &'a Path),
    Remove(&'a Path),
    RemoveAll(&'a Path),
    MakeFolder(&'a Path),
}

#[cfg(test)]
use power::note;

#[cfg(not(test))]
fn note(_step: Step<'_>) {}

/// A file that did not exist before.
#[derive(Debug)]
pub(crate) struct NewFile {
    file: File,
    path: PathBuf,
}

impl NewFile {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        note(Step::Create(path));
        Ok(Self { file, path: path.to_owned() })
    }

    pub(crate) fn set_permissions(&self, permissions: fs::Permissions) -> io::Result<()> {
        self.file.set_permissions(permissions)
    }

    /// Forces its bytes to the disk; its name needs [`force_folder`].
    pub(crate) fn force(&self) -> io::Result<()> {
        note(Step::Force(&self.path));
        sync(&self.file)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        note(Step::Write(&self.path, &bytes[..count]));
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Forces the bytes of a file that was closed.
pub(crate) fn force(path: &Path) -> io::Result<()> {
    note(Step::Force(path));
    // Some systems force only what may be written to.
    sync(&OpenOptions::new().write(true).open(path)?)
}

/// Forces the names in a folder. Not every system lets one ask for that.
pub(crate) fn force_folder(path: &Path) {
    note(Step::ForceFolder(path));
    if let Ok(folder) = File::open(path) {
        let _ = sync(&folder);
    }
}

/// Recorded operations need no real disk behind them, and thousands of them would wait for one.
fn sync(file: &File) -> io::Result<()> {
    if cfg!(test) { Ok(()) } else { file.sync_all() }
}

pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    note(Step::Rename(from, to));
    Ok(())
}

pub(crate) fn remove_file(path: &Path) -> io::Result<()> {
    fs::remove_file(path)?;
    note(Step::Remove(path));
    Ok(())
}

pub(crate) fn remove_folder(path: &Path) -> io::Result<()> {
    fs::remove_dir(path)?;
    note(Step::Remove(path));
    Ok(())
}

/// Removes a folder with all that is in it.
pub(crate) fn remove_all(path: &Path) -> io::Result<()> {
    note(Step::RemoveAll(path));
    fs::remove_dir_all(path)
}

pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir(path)?;
    note(Step::MakeFolder(path));
    Ok(())
}
