//! Files that are written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Writes the file `path` by `write`, whole or not at all.
///
/// The bytes go to a new file in the same folder, are forced to the disk, and only then take the name. So whatever happens
/// before (an error, a full disk, a kill), a file that had the name is still there as it was. A link is followed; a
/// device or pipe, which cannot be replaced, is written directly.
///
/// # Errors
/// Those of `write`, and of the file system; the unfinished file is removed.
pub fn write<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(&path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file() && !old.is_dir()) {
        let mut out = BufWriter::new(OpenOptions::new().write(true).open(&path)?);
        write(&mut out)?;
        return Ok(out.flush()?);
    }
    let (unfinished, file) = Unfinished::create(&path, path.parent().unwrap_or(Path::new("")))?;
    let mut out = BufWriter::with_capacity(1 << 16, file);
    write(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let Some(old) = old {
        // A file keeps the permissions that its owner gave it.
        file.set_permissions(old.permissions())?;
    }
    file.sync_all()?;
    drop(file);
    Ok(unfinished.rename(&path)?)
}

/// Writes `bytes` to the file `path`, whole or not at all, by way of the folder `by_way_of` on the same disk.
///
/// For files of which there are very many: they are not forced to the disk one by one. After a kill they are whole or not there;
/// after a power cut they may be cut off, which the caller must be able to notice.
///
/// # Errors
/// Those of the file system; the unfinished file is removed.
pub fn put(path: &Path, by_way_of: &Path, bytes: &[u8]) -> io::Result<()> {
    let (unfinished, mut file) = Unfinished::create(path, by_way_of)?;
    file.write_all(bytes)?;
    drop(file);
    unfinished.take_name(path)
}

/// The unfinished files of this process: one that is about to end has no other way to know them.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the process with `code`, in the middle of whatever its threads do, without leaving unfinished files behind.
pub fn exit(code: i32) -> ! {
    // Held to the end: no thread can begin another file.
    let all = unfinished();
    for path in &*all {
        let _ = fs::remove_file(path);
    }
    std::process::exit(code)
}

/// A file under a name of its own, removed unless it gets its real name.
struct Unfinished {
    path: Option<PathBuf>,
}

impl Unfinished {
    fn create(path: &Path, folder: &Path) -> io::Result<(Self, File)> {
        let name = path.file_name().ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, "the path does not name a file")
        })?;
        for attempt in 0..10_000 {
            let mut temporary = std::ffi::OsString::from(".");
            temporary.push(name);
            temporary.push(format!(".{attempt}.tmp"));
            let temporary = folder.join(temporary);
            let mut all = unfinished();
            match OpenOptions::new().write(true).create_new(true).open(&temporary) {
                Ok(file) => {
                    all.push(temporary.clone());
                    return Ok((Self { path: Some(temporary) }, file));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "too many unfinished files in the folder"))
    }

    fn take_name(mut self, to: &Path) -> io::Result<()> {
        if let Some(path) = &self.path {
            fs::rename(path, to)?;
        }
        self.forget();
        Ok(())
    }

    /// It has its real name, or is gone.
    fn forget(&mut self) {
        if let Some(path) = self.path.take() {
            unfinished().retain(|other| *other != path);
        }
    }

    fn rename(self, to: &Path) -> io::Result<()> {
        self.take_name(to)?;
        // The name itself is on the disk only when the folder is. Not every system lets one ask for that.
        if let Some(folder) = to.parent().filter(|folder| !folder.as_os_str().is_empty())
            && let Ok(folder) = File::open(folder)
        {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            let _ = fs::remove_file(path);
        }
        self.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("height.npy");
        write(&path, |out| out.write_all(b"old")).unwrap();
        let failed = write(&path, |out| {
            out.write_all(&[0; 100_000])?;
            Err(io::Error::other("disk full"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "disk full");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["height.npy"]);
        write(&path, |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn a_panic_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("height.npy");
        write(&path, |out| out.write_all(b"old")).unwrap();
        let panicked = std::panic::catch_unwind(|| write::<io::Error>(&path, |_| panic!("stop")));
        assert!(panicked.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["height.npy"]);
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none/height.npy");
        assert!(write(&path, |out| out.write_all(b"")).is_err());
        assert!(write(folder.path(), |out| out.write_all(b"")).is_err());
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_devices_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, b"old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(&link, |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        write(Path::new("/dev/null"), |out| out.write_all(b"gone")).unwrap();
        let full =
            write(Path::new("/dev/full"), |out| out.write_all(b"more than there is room for"));
        assert!(full.is_err());
    }
}
