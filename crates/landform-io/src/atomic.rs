//! Files that are written whole or not at all, alone or together.
//!
//! The bytes go to a file beside the real one, under a name of its own that tells the process: `.NAME.landform-HOME-PID-N.tmp`. What a killed
//! process has left in a folder is removed by the next one that writes there.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

mod bulk;
#[cfg(test)]
mod power_cut;
mod unfinished;

pub use bulk::Bulk;
pub use unfinished::exit;

use crate::disk;
use unfinished::{Unfinished, clean};

/// Writes the file `path` by `write`, whole or not at all.
///
/// The bytes go to a new file in the same folder, are forced to the disk, and only then take the name. So whatever happens
/// before (an error, a full disk, a kill), a file that had the name is still there as it was. A link is replaced, and what
/// it leads to stays as it is: whoever made the folder does not say where else we write. A device such as `/dev/null`,
/// which cannot be replaced, is written directly; a pipe, which would block until somebody reads, is refused.
///
/// # Errors
/// Those of `write`, and of the file system; the unfinished file is removed.
pub fn write<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    match stage(path, write)? {
        Some((unfinished, path)) => {
            unfinished.take_name(&path)?;
            disk::force_folder(shown(folder_of(&path)));
            Ok(())
        }
        None => Ok(()),
    }
}

/// Writes what is to be the file `path`, under a name of its own. Nothing if it was written directly.
fn stage<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<Option<(Unfinished, PathBuf)>, E> {
    let old = fs::symlink_metadata(path).ok().filter(|old| !old.is_symlink());
    if let Some(old) = old.as_ref().filter(|old| !old.is_file()) {
        if old.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory).into());
        }
        if !is_device(old) {
            return Err(io::Error::other("it is a pipe, which no file can replace").into());
        }
        let mut out = BufWriter::new(OpenOptions::new().write(true).open(path)?);
        write(&mut out)?;
        out.flush()?;
        return Ok(None);
    }
    clean(folder_of(path));
    let (unfinished, file) = Unfinished::create(path, folder_of(path))?;
    let mut out = BufWriter::with_capacity(1 << 16, file);
    write(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let Some(old) = old {
        // A file keeps the permissions that its owner gave it.
        file.set_permissions(old.permissions())?;
    }
    file.force()?;
    Ok(Some((unfinished, path.to_owned())))
}

#[cfg(unix)]
fn is_device(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    found.file_type().is_char_device()
}

#[cfg(not(unix))]
fn is_device(_found: &fs::Metadata) -> bool {
    true
}

/// Makes the folders from `root` down to `folder`, which lies in it. A link among them is refused: it may lead elsewhere.
///
/// # Errors
/// If there is a link, and those of the file system.
pub fn make_folders(root: &Path, folder: &Path) -> io::Result<()> {
    make_folders_in(root, folder).map(|_changed| ())
}

/// The same; gives the folders that have another one in them now.
fn make_folders_in(root: &Path, folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut changed = make_missing(root)?;
    let Ok(parts) = folder.strip_prefix(root) else {
        return Err(io::Error::other("it lies in another folder"));
    };
    let mut path = root.to_owned();
    for part in parts {
        let parent = path.clone();
        path.push(part);
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_symlink() => {
                let path = path.display();
                return Err(io::Error::other(format!(
                    "{path} is a link, which may lead elsewhere"
                )));
            }
            Ok(_) => {}
            Err(_) => match disk::make_folder(&path) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => changed.push(parent),
            },
        }
    }
    Ok(changed)
}

/// Makes a folder and those that it lies in, as far as they are missing; gives those that have another one in them now.
fn make_missing(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.is_dir();
    let missing: Vec<&Path> = folder.ancestors().take_while(is_missing).collect();
    for folder in missing.iter().rev() {
        match disk::make_folder(folder) {
            // Somebody else was quicker.
            Err(_) if folder.is_dir() => {}
            made => made?,
        }
    }
    Ok(missing.iter().map(|folder| folder_of(folder).to_owned()).collect())
}

/// Writes `bytes` to the file `path`, whole or not at all, by way of the folder `by_way_of` on the same disk.
///
/// It is not forced to the disk: after a kill it is whole or not there, but after a power cut it may be cut off, which the caller must
/// be able to notice. Many files that are forced go through [`Bulk`].
///
/// # Errors
/// Those of the file system; the unfinished file is removed.
pub fn put(path: &Path, by_way_of: &Path, bytes: &[u8]) -> io::Result<()> {
    let (unfinished, mut file) = Unfinished::create(path, by_way_of)?;
    file.write_all(bytes)?;
    drop(file);
    unfinished.take_name(path)
}

/// Gives a file that was forced to the disk another name in the same folder, and forces that.
///
/// # Errors
/// Those of the file system.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    disk::rename(from, to)?;
    disk::force_folder(shown(folder_of(to)));
    Ok(())
}

/// Files that belong together: all of them are written, or none.
///
/// They are written under temporary names first. Only when the last one is complete do they take their real names. Where
/// records such as a manifest describe other files, the old records go first and the new ones come last: wherever that is
/// cut off, by a kill or a power cut, a record that is there is true.
#[derive(Debug)]
pub struct Batch {
    // Dropped in this order: the folder goes after what is in it.
    files: Vec<(Unfinished, PathBuf)>,
    records: Vec<(Unfinished, PathBuf)>,
    made: Option<Unfinished>,
    folder: PathBuf,
    /// The folders that `folder` and those around it were made in.
    changed: Vec<PathBuf>,
}

impl Batch {
    /// No files yet. `folder` is made if it does not exist, and goes again if nothing is written.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let is_there = folder.as_os_str().is_empty() || folder.is_dir();
        let changed = make_missing(folder)?;
        let made = (!is_there).then(|| Unfinished::folder(folder));
        let folder = folder.to_owned();
        Ok(Self { files: Vec::new(), records: Vec::new(), made, folder, changed })
    }

    /// Writes one of the files, which has its name only when all are complete.
    ///
    /// # Errors
    /// As [`write()`].
    pub fn write<E: From<io::Error>>(
        &mut self,
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<(), E> {
        self.files.extend(stage(path, write)?);
        Ok(())
    }

    /// Writes a file that describes others of the batch.
    ///
    /// # Errors
    /// As [`write()`].
    pub fn write_record(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.records.extend(stage(path, |out| out.write_all(bytes))?);
        Ok(())
    }

    /// Gives all files their names.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn finish(mut self) -> io::Result<()> {
        let folders = self.folders();
        let force_all = || folders.iter().for_each(|folder| disk::force_folder(shown(folder)));
        // Held to the end: a process that is told to end now does so when all have their names.
        let mut all = unfinished::all();
        for (_, path) in &self.records {
            match disk::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        if !self.records.is_empty() {
            force_all();
        }
        for (unfinished, path) in &mut self.files {
            unfinished.take_name_in(&mut all, path)?;
        }
        force_all();
        for (unfinished, path) in &mut self.records {
            unfinished.take_name_in(&mut all, path)?;
        }
        if !self.records.is_empty() {
            force_all();
        }
        drop(all);
        // It has files now, and stays.
        drop(self.made);
        Ok(())
    }

    /// The folders whose names change: those of the files, those between them and the folder of the batch, and where that was made.
    fn folders(&self) -> BTreeSet<PathBuf> {
        let mut folders: BTreeSet<PathBuf> = self.changed.iter().cloned().collect();
        for (_, path) in self.files.iter().chain(&self.records) {
            let around = folder_of(path).ancestors();
            let within = around.take_while(|folder| folder.starts_with(&self.folder));
            folders.extend(within.map(Path::to_owned));
            folders.insert(folder_of(path).to_owned());
        }
        folders
    }
}

/// The folder that a file lies in; empty for the current one.
fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// A folder by a name that can be opened.
fn shown(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

#[cfg(test)]
mod tests {
    use super::unfinished::process;
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
    fn a_batch_is_there_as_a_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join("bundle").join(name);
        let stage = |batch: &mut Batch, bytes: &[u8]| {
            for name in ["a", "b"] {
                batch.write(&path(name), |out| out.write_all(bytes)).unwrap();
            }
        };
        // Given up: not even the folder stays.
        let mut batch = Batch::new(&folder.path().join("bundle")).unwrap();
        stage(&mut batch, b"new");
        assert_eq!(names(&folder.path().join("bundle")).len(), 2);
        drop(batch);
        assert_eq!(names(folder.path()), [""; 0]);

        let mut batch = Batch::new(&folder.path().join("bundle")).unwrap();
        stage(&mut batch, b"old");
        batch.write_record(&path("list"), b"old").unwrap();
        batch.finish().unwrap();
        assert_eq!(names(&folder.path().join("bundle")), ["a", "b", "list"]);

        let mut batch = Batch::new(&folder.path().join("bundle")).unwrap();
        stage(&mut batch, b"new");
        let failed = batch.write(&path("c"), |_| Err(io::Error::other("disk full")));
        assert!(failed.is_err());
        drop(batch);
        assert_eq!(names(&folder.path().join("bundle")), ["a", "b", "list"]);
        assert_eq!(fs::read(path("a")).unwrap(), b"old");

        let mut batch = Batch::new(&folder.path().join("bundle")).unwrap();
        stage(&mut batch, b"new");
        batch.write_record(&path("list"), b"new").unwrap();
        batch.finish().unwrap();
        assert_eq!(names(&folder.path().join("bundle")), ["a", "b", "list"]);
        assert!(["a", "b", "list"].iter().all(|name| fs::read(path(name)).unwrap() == b"new"));
    }

    #[test]
    fn a_batch_that_is_cut_off_between_two_names_has_no_manifest() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("list"), b"old").unwrap();
        let mut batch = Batch::new(folder.path()).unwrap();
        for name in ["a", "b", "c"] {
            batch.write(&path(name), |out| out.write_all(b"new")).unwrap();
        }
        // A folder with something in it is in the way of the second one.
        fs::create_dir_all(path("b/in the way")).unwrap();
        batch.write_record(&path("list"), b"new").unwrap();
        assert!(batch.finish().is_err());
        assert_eq!(names(folder.path()), ["a", "b"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_killed_process_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let (home, own) = process().split_once('-').unwrap();
        let gone = "4294967295";
        let names_of = |list: &[String]| {
            let mut list = list.to_vec();
            list.sort();
            list
        };
        let left = [
            format!(".a.landform-{home}-{gone}-0.tmp"),
            format!(".b.c.landform-{home}-{own}-7.tmp"),
        ];
        let kept = [
            format!(".a.landform-{home}-1-0.tmp"),
            format!(".a.landform-00000000-{gone}-0.tmp"),
            format!("a.landform-{home}-{gone}-0.tmp"),
            format!(".a.landform-{home}-{gone}-x.tmp"),
            ".a.0.tmp".to_owned(),
            "new".to_owned(),
        ];
        for name in left.iter().chain(&kept) {
            fs::write(folder.path().join(name), b"").unwrap();
        }
        write(&folder.path().join("new"), |out| out.write_all(b"")).unwrap();
        assert_eq!(names(folder.path()), names_of(&kept));
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
    fn links_are_replaced_and_devices_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, b"old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(&link, |out| out.write_all(b"new")).unwrap();
        assert_eq!(
            (fs::read(&file).unwrap(), fs::read(&link).unwrap()),
            (b"old".into(), b"new".into())
        );
        assert!(fs::symlink_metadata(&link).unwrap().is_file());
        // Nor are folders that are links.
        let (root, other) = (folder.path().join("root"), folder.path().join("other"));
        make_folders(&root, &root.join("a/b")).unwrap();
        fs::create_dir(&other).unwrap();
        std::os::unix::fs::symlink(&other, root.join("a/c")).unwrap();
        let error = make_folders(&root, &root.join("a/c/d")).unwrap_err().to_string();
        assert!(error.contains("a/c is a link"), "{error}");
        assert!(make_folders(&root, &other).is_err());
        assert_eq!(names(&other), [""; 0]);
        write(Path::new("/dev/null"), |out| out.write_all(b"gone")).unwrap();
        let full =
            write(Path::new("/dev/full"), |out| out.write_all(b"more than there is room for"));
        assert!(full.is_err());
    }
}
