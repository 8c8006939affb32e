//! What a power cut may leave of recorded operations.
//!
//! The model is as unkind as POSIX allows: until a file is forced, its bytes may be missing, cut off or zeros; until a folder is forced,
//! each change to the names in it may be there or not, in any combination. A rename is one change: both names or none. Source:
//! Pillai et al. 2014, "All file systems are not created equal", whose persistence properties are all taken as absent but that one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Step;

/// One operation that was recorded, with paths below the folder that is looked at.
#[derive(Clone, Debug)]
pub(crate) enum Recorded {
    Create(PathBuf),
    Write(PathBuf, Vec<u8>),
    Force(PathBuf),
    ForceFolder(PathBuf),
    Rename(PathBuf, PathBuf),
    Remove(PathBuf),
    RemoveAll(PathBuf),
    MakeFolder(PathBuf),
}

/// The folders that are looked at, with what was done in them.
static RECORDINGS: Mutex<Vec<(PathBuf, Vec<Recorded>)>> = Mutex::new(Vec::new());

fn recordings() -> MutexGuard<'static, Vec<(PathBuf, Vec<Recorded>)>> {
    RECORDINGS.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn note(step: Step<'_>) {
    let path = match step {
        Step::Create(path)
        | Step::Write(path, _)
        | Step::Force(path)
        | Step::ForceFolder(path)
        | Step::Rename(path, _)
        | Step::Remove(path)
        | Step::RemoveAll(path)
        | Step::MakeFolder(path) => path,
    };
    let mut all = recordings();
    let Some((root, steps)) = all.iter_mut().find(|(root, _)| path.starts_with(root)) else {
        return;
    };
    let below = |path: &Path| path.strip_prefix(&root).unwrap().to_owned();
    steps.push(match step {
        Step::Create(path) => Recorded::Create(below(path)),
        Step::Write(path, bytes) => Recorded::Write(below(path), bytes.to_owned()),
        Step::Force(path) => Recorded::Force(below(path)),
        Step::ForceFolder(path) => Recorded::ForceFolder(below(path)),
        Step::Rename(from, to) => Recorded::Rename(below(from), below(to)),
        Step::Remove(path) => Recorded::Remove(below(path)),
        Step::RemoveAll(path) => Recorded::RemoveAll(below(path)),
        Step::MakeFolder(path) => Recorded::MakeFolder(below(path)),
    });
}

/// All that `work` does to the disk below the folder `root`.
pub(crate) fn record(root: &Path, work: impl FnOnce()) -> Vec<Recorded> {
    recordings().push((root.to_owned(), Vec::new()));
    work();
    let mut all = recordings();
    let at = all.iter().position(|(known, _)| known == root).unwrap();
    all.swap_remove(at).1
}

/// What becomes of that which was not forced.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Loss {
    /// All of it is lost.
    All,
    /// Names are there, bytes are not.
    Bytes,
    /// Names are there, and instead of bytes there are as many zeros.
    Zeros,
    /// Only the newest changes of names are there: the disk took them first.
    Older,
    /// Some of it is lost.
    Some(u64),
}

pub(crate) const LOSSES: [Loss; 5] =
    [Loss::All, Loss::Bytes, Loss::Zeros, Loss::Older, Loss::Some(7)];

/// A file or a folder.
#[derive(Clone, Copy, Debug)]
enum Node {
    File(usize),
    Folder,
}

#[derive(Clone, Debug, Default)]
struct Contents {
    now: Vec<u8>,
    forced: Option<Vec<u8>>,
}

/// A change of names.
#[derive(Clone, Debug)]
enum Change {
    Add(PathBuf, Node),
    Move(PathBuf, PathBuf, Node),
    Remove(PathBuf),
}

impl Change {
    /// The folder that has to be forced for it.
    fn folder(&self) -> &Path {
        let (Self::Add(path, _) | Self::Move(_, path, _) | Self::Remove(path)) = self;
        path.parent().unwrap()
    }

    fn apply(&self, names: &mut BTreeMap<PathBuf, Node>) {
        match self {
            Self::Add(path, node) => {
                names.insert(path.clone(), *node);
            }
            Self::Move(from, to, node) => {
                names.remove(from);
                names.insert(to.clone(), *node);
            }
            Self::Remove(path) => names.retain(|name, _| !name.starts_with(path)),
        }
    }
}

/// A disk below one folder: what programs see, and what is certain.
#[derive(Debug, Default)]
pub(crate) struct Disk {
    files: Vec<Contents>,
    now: BTreeMap<PathBuf, Node>,
    forced: BTreeMap<PathBuf, Node>,
    pending: Vec<Change>,
}

impl Disk {
    fn file(&mut self, path: &Path) -> &mut Contents {
        match self.now.get(path) {
            Some(Node::File(file)) => &mut self.files[*file],
            other => panic!("{path:?} is {other:?}"),
        }
    }

    fn change(&mut self, change: Change) {
        change.apply(&mut self.now);
        self.pending.push(change);
    }

    pub(crate) fn step(&mut self, step: &Recorded) {
        match step {
            Recorded::Create(path) => {
                self.files.push(Contents::default());
                self.change(Change::Add(path.clone(), Node::File(self.files.len() - 1)));
            }
            Recorded::Write(path, bytes) => {
                let file = self.file(path);
                file.now.extend_from_slice(bytes);
                file.forced = None;
            }
            Recorded::Force(path) => {
                let file = self.file(path);
                file.forced = Some(file.now.clone());
            }
            Recorded::ForceFolder(path) => {
                let (done, left) = std::mem::take(&mut self.pending)
                    .into_iter()
                    .partition(|change| change.folder() == path);
                self.pending = left;
                let done: Vec<Change> = done;
                done.iter().for_each(|change| change.apply(&mut self.forced));
            }
            Recorded::Rename(from, to) => {
                let node = self.now[from];
                self.change(Change::Move(from.clone(), to.clone(), node));
            }
            Recorded::Remove(path) | Recorded::RemoveAll(path) => {
                // Entry by entry, as a system does it.
                let all: Vec<PathBuf> =
                    self.now.keys().rev().filter(|name| name.starts_with(path)).cloned().collect();
                all.into_iter().for_each(|name| self.change(Change::Remove(name)));
            }
            Recorded::MakeFolder(path) => self.change(Change::Add(path.clone(), Node::Folder)),
        }
    }

    /// What is there after a power cut: files with their bytes, folders without.
    pub(crate) fn after(&self, loss: Loss) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut draw = match loss {
            Loss::Some(seed) => seed,
            _ => 1,
        };
        // A linear congruential generator (Knuth's MMIX); its high bits are random enough.
        let mut random = |below: u64| {
            draw = draw
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (draw >> 33) % below
        };
        let mut names = self.forced.clone();
        for (k, change) in self.pending.iter().enumerate() {
            let is_there = match loss {
                Loss::All => false,
                Loss::Bytes | Loss::Zeros => true,
                Loss::Older => k + 3 >= self.pending.len(),
                Loss::Some(_) => random(2) == 0,
            };
            if is_there {
                change.apply(&mut names);
            }
        }
        let mut found = BTreeMap::new();
        for (path, node) in &names {
            // A name in a folder that is not there is nowhere.
            let is_around = |folder: &Path| {
                folder.as_os_str().is_empty() || matches!(names.get(folder), Some(Node::Folder))
            };
            if !path.ancestors().skip(1).all(is_around) {
                continue;
            }
            let bytes = match node {
                Node::Folder => None,
                Node::File(file) => {
                    let Contents { now, forced } = &self.files[*file];
                    let lost = || match loss {
                        Loss::All | Loss::Bytes => Vec::new(),
                        Loss::Zeros => vec![0; now.len()],
                        Loss::Older => now[..now.len() / 2].to_vec(),
                        Loss::Some(_) => now[..random(now.len() as u64 + 1) as usize].to_vec(),
                    };
                    Some(forced.clone().unwrap_or_else(lost))
                }
            };
            found.insert(path.clone(), bytes);
        }
        found
    }
}

/// Calls `look` with each state that a power cut may leave after each of the operations, from the one with number `first` on.
/// States that follow each other and are the same are told once.
pub(crate) fn for_each_cut(
    steps: &[Recorded],
    first: usize,
    mut look: impl FnMut(&str, &BTreeMap<PathBuf, Option<Vec<u8>>>),
) {
    let mut disk = Disk::default();
    let mut last: [BTreeMap<PathBuf, Option<Vec<u8>>>; LOSSES.len()] = Default::default();
    for (k, step) in steps.iter().enumerate() {
        disk.step(step);
        if k < first {
            continue;
        }
        // Each operation with one kind of loss, and with that of all: every kind with every operation would take five times as long.
        for (n, (loss, last)) in LOSSES.iter().zip(&mut last).enumerate() {
            if n > 0 && k % (LOSSES.len() - 1) != n - 1 {
                continue;
            }
            let loss = match loss {
                Loss::Some(seed) => Loss::Some(seed + k as u64),
                loss => *loss,
            };
            let state = disk.after(loss);
            if state != *last {
                look(
                    &format!("power cut after operation {k} ({step:.60?}), losing {loss:?}"),
                    &state,
                );
                *last = state;
            }
        }
    }
}

/// What is certain when all is done.
pub(crate) fn certain(steps: &[Recorded]) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut disk = Disk::default();
    steps.iter().for_each(|step| disk.step(step));
    disk.after(Loss::All)
}

/// A folder to try states in, in memory if there is such a place: thousands of small files wait long for a disk.
pub(crate) fn scratch() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// Puts a state on a real disk.
pub(crate) fn write_state(root: &Path, state: &BTreeMap<PathBuf, Option<Vec<u8>>>) {
    for (path, bytes) in state {
        match bytes {
            None => fs::create_dir(root.join(path)).unwrap(),
            Some(bytes) => fs::write(root.join(path), bytes).unwrap(),
        }
    }
}

/// All files below a folder, with their bytes.
pub(crate) fn read_state(root: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_owned();
            if path.is_dir() {
                found.insert(name, None);
                open.push(path);
            } else {
                found.insert(name, Some(fs::read(path).unwrap()));
            }
        }
    }
    found
}

mod tests {
    use super::*;

    #[test]
    fn only_what_was_forced_is_certain() {
        let path = |name: &str| PathBuf::from(name);
        let mut disk = Disk::default();
        for step in [
            Recorded::MakeFolder(path("a")),
            Recorded::Create(path("a/t")),
            Recorded::Write(path("a/t"), b"abc".to_vec()),
            Recorded::Rename(path("a/t"), path("a/b")),
            Recorded::ForceFolder(path("a")),
        ] {
            disk.step(&step);
        }
        // The folder itself is not in the one around it.
        assert!(disk.after(Loss::All).is_empty());
        let zeros = disk.after(Loss::Zeros);
        assert_eq!(zeros[Path::new("a/b")], Some(vec![0; 3]));
        assert_eq!(zeros.len(), 2);
        disk.step(&Recorded::ForceFolder(path("")));
        assert_eq!(disk.after(Loss::All)[Path::new("a/b")], Some(Vec::new()));
        disk.step(&Recorded::Force(path("a/b")));
        assert_eq!(disk.after(Loss::All)[Path::new("a/b")], Some(b"abc".to_vec()));
        disk.step(&Recorded::Remove(path("a/b")));
        assert!(!disk.after(Loss::Bytes).contains_key(Path::new("a/b")));
        assert!(disk.after(Loss::All).contains_key(Path::new("a/b")));
    }
}
