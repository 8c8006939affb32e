//! Files under a name of their own, which they have until they are complete: `.NAME.landform-HOME-PID-N.tmp`.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use sha2::{Digest as _, Sha256};

use super::shown;
use crate::disk::{self, NewFile};
use crate::manifest::hex;

/// The unfinished files of this process: one that is about to end has no other way to know them.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

pub(super) fn all() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the process with `code`, in the middle of whatever its threads do, without leaving unfinished files behind.
pub fn exit(code: i32) -> ! {
    // Held to the end: no thread can begin another file.
    let all = all();
    all.iter().rev().for_each(|path| remove(path));
    std::process::exit(code)
}

/// Removes an unfinished file, or a folder that was made for some and has nothing else in it.
fn remove(path: &Path) {
    if disk::remove_file(path).is_err() {
        let _ = disk::remove_folder(path);
    }
}

/// What unfinished files of every process have in their names.
const MARK: &str = ".landform-";
const END: &str = ".tmp";

/// Where nobody can tell whether a process still runs, an unfinished file that was not written to for so long is nobody's.
const OLD: Duration = Duration::from_secs(24 * 3600);

/// This process, as a word for file names: `HOME-PID`. The home is what the number is unique in: a container of a machine that was not
/// started again since. Others may share the folder.
pub(super) fn process() -> &'static str {
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
pub(super) fn clean(folder: &Path) {
    static CLEANED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if !CLEANED.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned()) {
        return;
    }
    // A folder that cannot be listed is left as it is.
    for entry in fs::read_dir(shown(folder)).into_iter().flatten().flatten() {
        if owner(&entry.file_name()).is_some_and(|process| is_left_behind(process, &entry)) {
            let _ = disk::remove_file(&entry.path());
        }
    }
}

/// Whether the process that was writing an unfinished file is no more.
fn is_left_behind(owner: &str, entry: &fs::DirEntry) -> bool {
    // A number is given again.
    if owner == process() {
        let name = entry.file_name();
        return !all().iter().any(|path| path.file_name() == Some(&name));
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
pub(super) struct Unfinished {
    path: Option<PathBuf>,
}

impl Unfinished {
    /// A folder that goes again unless it gets files.
    pub(super) fn folder(path: &Path) -> Self {
        all().push(path.to_owned());
        Self { path: Some(path.to_owned()) }
    }

    /// The name that it has so far.
    pub(super) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    pub(super) fn create(path: &Path, folder: &Path) -> io::Result<(Self, NewFile)> {
        let name = path.file_name().ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, "the path does not name a file")
        })?;
        for attempt in 0..10_000 {
            let mut temporary = OsString::from(".");
            temporary.push(name);
            temporary.push(format!("{MARK}{}-{attempt}{END}", process()));
            let temporary = folder.join(temporary);
            let mut all = all();
            match NewFile::create(&temporary) {
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

    pub(super) fn take_name(mut self, to: &Path) -> io::Result<()> {
        let mut all = all();
        let result = self.take_name_in(&mut all, to);
        // Dropping it takes the list again.
        drop(all);
        result
    }

    pub(super) fn take_name_in(&mut self, all: &mut Vec<PathBuf>, to: &Path) -> io::Result<()> {
        if let Some(path) = &self.path {
            disk::rename(path, to)?;
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
            all().retain(|other| *other != path);
        }
    }
}
