//! One program at a time fills a store: others wait for it.
//!
//! The folder itself is locked, so nothing is left behind: the system frees it when the process ends, however it ends. Where
//! folders cannot be locked, as on some network drives, nobody waits. Workers of a cluster, whom one program sends, need no lock.

use std::fs::{self, File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use landform::Watch;

use crate::{Error, Result};

/// How often a waiting program asks again.
const PAUSE: Duration = Duration::from_millis(50);

/// Held by the program that fills a store.
#[derive(Clone, Debug)]
pub struct Lock {
    _folder: Option<Arc<File>>,
}

impl Lock {
    /// Takes the lock of the store in `root`, which is made if it is not there. If another program has it, `waiting` is told
    /// once.
    ///
    /// # Errors
    /// If the folder cannot be made, or `watch` cancels.
    pub fn take(root: &Path, watch: &dyn Watch, waiting: impl FnOnce()) -> Result<Self> {
        let wrong = |cause| Error::Write { path: root.display().to_string(), cause };
        let mut waiting = Some(waiting);
        loop {
            if watch.is_cancelled() {
                return Err(landform::Cancelled.into());
            }
            if !root.exists() {
                fs::create_dir_all(root).map_err(wrong)?;
            }
            // To open a pipe would wait for its other end.
            if !root.is_dir() {
                return Err(Error::Store {
                    path: root.display().to_string(),
                    found: "a file".to_owned(),
                    expected: "a folder, or nothing: remove it or give another name".to_owned(),
                });
            }
            let Ok(folder) = File::open(root) else { return Ok(Self { _folder: None }) };
            match folder.try_lock() {
                Ok(()) if is_at(&folder, root) => {
                    return Ok(Self { _folder: Some(Arc::new(folder)) });
                }
                // It was removed while we asked, and there may be another.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    if let Some(waiting) = waiting.take() {
                        waiting();
                    }
                    std::thread::sleep(PAUSE);
                }
                Err(TryLockError::Error(_)) => return Ok(Self { _folder: None }),
            }
        }
    }
}

/// Whether an open folder is the one that has this name.
#[cfg(unix)]
fn is_at(folder: &File, root: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let same = |a: fs::Metadata, b: fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
    folder.metadata().is_ok_and(|ours| fs::metadata(root).is_ok_and(|named| same(ours, named)))
}

#[cfg(not(unix))]
fn is_at(_folder: &File, root: &Path) -> bool {
    root.exists()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn the_second_waits_for_the_first_and_hears_of_it() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().join("a.zarr");
        let first = Lock::take(&root, &(), || panic!("nobody else has it")).unwrap();
        let has_waited = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let second = scope.spawn(|| {
                Lock::take(&root, &(), || has_waited.store(true, Ordering::SeqCst)).unwrap()
            });
            while !has_waited.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
            // The folder goes, as that of a file which is made by way of a store does.
            fs::remove_dir_all(&root).unwrap();
            drop(first);
            second.join().unwrap();
        });
        assert!(root.is_dir(), "the second has a folder of its own");
    }
}
