//! Very many files, forced to the disk by the dozen.
//!
//! A disk that is asked to force one file after another waits for each of them: 80 small files take 400 ms on a virtual disk with
//! ext4, but 20 ms if four threads ask, because the journal is then written for several at a time.

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::unfinished::Unfinished;
use super::{folder_of, make_folders_in, shown};
use crate::disk;

/// Threads that wait for the disk. They take no time of processors.
const THREADS: usize = 8;

/// So many bytes or files are enough to be forced.
const BYTES: usize = 64 << 20;
const FILES: usize = 256;

/// Files below one folder that take their names together, forced to the disk.
///
/// Until then they have temporary names, and go again if this is dropped.
#[derive(Debug)]
pub struct Bulk {
    root: PathBuf,
    by_way_of: PathBuf,
    waiting: Vec<(Unfinished, PathBuf)>,
    bytes: usize,
}

impl Bulk {
    /// No files yet: they will lie below `root`, and have their temporary names in its folder `by_way_of`. Both are made, and are on the
    /// disk before anything else.
    ///
    /// # Errors
    /// If the folders cannot be made.
    pub fn new(root: &Path, by_way_of: &Path) -> io::Result<Self> {
        make_folders_in(root, by_way_of)?
            .iter()
            .for_each(|folder| disk::force_folder(shown(folder)));
        let (root, by_way_of) = (root.to_owned(), by_way_of.to_owned());
        Ok(Self { root, by_way_of, waiting: Vec::new(), bytes: 0 })
    }

    /// Writes a file. It has its name after [`Bulk::settle`].
    ///
    /// # Errors
    /// Those of the file system.
    pub fn put(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let (unfinished, mut file) = Unfinished::create(path, &self.by_way_of)?;
        file.write_all(bytes)?;
        self.waiting.push((unfinished, path.to_owned()));
        self.bytes += bytes.len();
        Ok(())
    }

    /// Whether there is enough to be forced.
    pub fn is_due(&self) -> bool {
        self.bytes >= BYTES || self.waiting.len() >= FILES
    }

    /// Forces all files to the disk, then gives them their names, and forces those. Whatever comes after this is on the disk after them.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn settle(&mut self) -> io::Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        self.bytes = 0;
        let paths: Vec<&Path> = waiting.iter().filter_map(|(file, _)| file.path()).collect();
        on_all(&paths, disk::force)?;
        let mut changed = BTreeSet::new();
        for (unfinished, path) in waiting {
            changed.extend(make_folders_in(&self.root, folder_of(&path))?);
            changed.insert(folder_of(&path).to_owned());
            unfinished.take_name(&path)?;
        }
        let changed: Vec<&Path> = changed.iter().map(|folder| shown(folder)).collect();
        on_all(&changed, |folder| {
            disk::force_folder(folder);
            Ok(())
        })
    }
}

/// Does `work` for all paths, by several threads if there are several.
fn on_all(paths: &[&Path], work: fn(&Path) -> io::Result<()>) -> io::Result<()> {
    let share = paths.len().div_ceil(THREADS);
    if paths.len() <= 1 {
        return paths.iter().try_for_each(|path| work(path));
    }
    std::thread::scope(|scope| {
        let part = |paths: &[&Path]| paths.iter().try_for_each(|path| work(path));
        let threads: Vec<_> =
            paths.chunks(share).map(|paths| scope.spawn(move || part(paths))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, io::Result<()>>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        // All of them, before the first error.
        let done: Vec<io::Result<()>> = threads.into_iter().map(join).collect();
        done.into_iter().collect()
    })
}
