//! Files that are written whole or not at all, alone or together.
//!
//! The bytes go to a file beside the real one, under a name of its own that tells the process: `.NAME.landform-HOME-PID-N.tmp`. What a killed
//! process has left in a folder is removed by the next one that writes there.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use sha2::{Digest as _, Sha256};

use crate::manifest::hex;

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
            force(folder_of(&path));
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
    file.sync_all()?;
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
    fs::create_dir_all(shown(root))?;
    let Ok(parts) = folder.strip_prefix(root) else {
        return Err(io::Error::other("it lies in another folder"));
    };
    let mut path = root.to_owned();
    for part in parts {
        path.push(part);
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_symlink() => {
                let path = path.display();
                return Err(io::Error::other(format!(
                    "{path} is a link, which may lead elsewhere"
                )));
            }
            Ok(_) => {}
            Err(_) => match fs::create_dir(&path) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            },
        }
    }
    Ok(())
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

/// Files that belong together: all of them are written, or none.
///
/// They are written under temporary names first. Only when the last one is complete do they take their real names. Where
/// records such as a manifest describe other files, the old records go first and the new ones come last: wherever that is
/// cut off, a record that is there is true.
#[derive(Debug)]
pub struct Batch {
    // Dropped in this order: the folder goes after what is in it.
    files: Vec<(Unfinished, PathBuf)>,
    records: Vec<(Unfinished, PathBuf)>,
    _folder: Option<Unfinished>,
}

impl Batch {
    /// No files yet. `folder` is made if it does not exist, and goes again if nothing is written.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let made = if folder.as_os_str().is_empty() || folder.is_dir() {
            None
        } else {
            let mut all = unfinished();
            fs::create_dir_all(folder)?;
            all.push(folder.to_owned());
            Some(Unfinished { path: Some(folder.to_owned()) })
        };
        Ok(Self { files: Vec::new(), records: Vec::new(), _folder: made })
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
        let all = self.files.iter().chain(&self.records);
        let folders: BTreeSet<PathBuf> = all.map(|(_, path)| folder_of(path).to_owned()).collect();
        let force_all = || folders.iter().for_each(|folder| force(folder));
        // Held to the end: a process that is told to end now does so when all have their names.
        let mut all = unfinished();
        for (_, path) in &self.records {
            match fs::remove_file(path) {
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
        Ok(())
    }
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
    all.iter().rev().for_each(|path| remove(path));
    std::process::exit(code)
}

/// Removes an unfinished file, or a folder that was made for some and has nothing else in it.
fn remove(path: &Path) {
    if fs::remove_file(path).is_err() {
        let _ = fs::remove_dir(path);
    }
}

/// The folder that a file lies in; empty for the current one.
fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// A name is on the disk only when its folder is. Not every system lets one ask for that.
fn force(folder: &Path) {
    if let Ok(folder) = File::open(shown(folder)) {
        let _ = folder.sync_all();
    }
}

/// A folder by a name that can be opened.
fn shown(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// What unfinished files of every process have in their names.
const MARK: &str = ".landform-";
const END: &str = ".tmp";

/// Where nobody can tell whether a process still runs, an unfinished file that was not written to for so long is nobody's.
const OLD: Duration = Duration::from_secs(24 * 3600);

/// This process, as a word for file names: `HOME-PID`. The home is what the number is unique in: a container of a machine that was not
/// started again since. Others may share the folder.
fn process() -> &'static str {
    static PROCESS: OnceLock<String> = OnceLock::new();
    PROCESS.get_or_init(|| {
        let started = fs::read("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let container = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
        let mut hash = Sha256::new();
        hash.update(started);
        hash.update(container.as_os_str().as_encoded_bytes());
        // There are no processes in a browser.
        let number = if cfg!(target_family = "wasm") { 0 } else { std::process::id() };
        format!("{}-{number}", &hex(&hash.finalize())[..8])
    })
}

/// The process that an unfinished file of this name belongs to.
fn owner(name: &OsStr) -> Option<&str> {
    let (start, rest) = name.to_str()?.strip_suffix(END)?.rsplit_once(MARK)?;
    let (process, attempt) = rest.rsplit_once('-')?;
    let is_ours = start.starts_with('.') && attempt.parse::<u32>().is_ok();
    is_ours.then_some(process)
}

/// Removes what processes that are no more have left in `folder`; once is enough.
fn clean(folder: &Path) {
    static CLEANED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if !CLEANED.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned()) {
        return;
    }
    // A folder that cannot be listed is left as it is.
    for entry in fs::read_dir(shown(folder)).into_iter().flatten().flatten() {
        if owner(&entry.file_name()).is_some_and(|process| is_left_behind(process, &entry)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether the process that was writing an unfinished file is no more.
fn is_left_behind(owner: &str, entry: &fs::DirEntry) -> bool {
    // A number is given again.
    if owner == process() {
        let name = entry.file_name();
        return !unfinished().iter().any(|path| path.file_name() == Some(&name));
    }
    let here = process().split_once('-').map(|(home, _)| home);
    let there = owner.split_once('-');
    let running = Path::new("/proc/self").exists();
    match there {
        Some((home, number)) if Some(home) == here && running => {
            !Path::new("/proc").join(number).exists()
        }
        _ => {
            let changed = entry.metadata().and_then(|metadata| metadata.modified());
            changed.is_ok_and(|changed| changed.elapsed().is_ok_and(|age| age > OLD))
        }
    }
}

/// A file under a name of its own, removed unless it gets its real name.
#[derive(Debug)]
struct Unfinished {
    path: Option<PathBuf>,
}

impl Unfinished {
    fn create(path: &Path, folder: &Path) -> io::Result<(Self, File)> {
        let name = path.file_name().ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, "the path does not name a file")
        })?;
        for attempt in 0..10_000 {
            let mut temporary = OsString::from(".");
            temporary.push(name);
            temporary.push(format!("{MARK}{}-{attempt}{END}", process()));
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
        let mut all = unfinished();
        let result = self.take_name_in(&mut all, to);
        // Dropping it takes the list again.
        drop(all);
        result
    }

    fn take_name_in(&mut self, all: &mut Vec<PathBuf>, to: &Path) -> io::Result<()> {
        if let Some(path) = &self.path {
            fs::rename(path, to)?;
            all.retain(|other| other != path);
        }
        self.path = None;
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(path) = self.path.take() {
            remove(&path);
            unfinished().retain(|other| *other != path);
        }
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
