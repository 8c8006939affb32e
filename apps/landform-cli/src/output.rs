//! Where an output goes: into a file, a folder, or to standard output.

use std::io::Stdout;
use std::path::Path;

use landform_io::{Manifest, manifest, regular};
use landform_project::make::MadeFile;
use landform_project::{DiskFolder, Result, Sink, Stream, Writer};

use crate::input::file_name;
use crate::misuse;

/// Whether a path stands for standard output: `-` and the ending that names the format, such as `-.npy`. A file of that
/// name is `./-.npy`.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path.to_str().is_some_and(|path| path == "-" || (path.starts_with("-.") && !path.contains('/')))
}

/// A file, or standard output.
pub(crate) enum Place {
    File(DiskFolder),
    Stdout(Stream<Stdout>),
}

impl Place {
    /// Where the file `path` goes.
    pub(crate) fn of(path: &Path) -> Self {
        match is_stdout(path) {
            true => Self::Stdout(Stream::new(std::io::stdout())),
            false => Self::File(DiskFolder::of_file(path)),
        }
    }

    /// What was made and can be told of: what standard output takes is one file.
    pub(crate) fn told(&self, mut made: Vec<MadeFile>) -> Vec<MadeFile> {
        if let Self::Stdout(_) = self {
            made.truncate(1);
        }
        made
    }

    fn sink(&mut self) -> &mut dyn Sink {
        match self {
            Self::File(folder) => folder,
            Self::Stdout(stream) => stream,
        }
    }
}

impl Sink for Place {
    fn put(&mut self, name: &str, write: &mut Writer<'_>) -> Result<()> {
        self.sink().put(name, write)
    }

    fn put_record(&mut self, name: &str, text: &str) -> Result<()> {
        self.sink().put_record(name, text)
    }

    fn finish(&mut self) -> Result<()> {
        self.sink().finish()
    }
}

/// Refuses an output in a folder that is not there; `mkdir` makes the folder.
pub(crate) fn prepare(path: &Path, mkdir: bool) -> anyhow::Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    if is_stdout(path) || folder.as_os_str().is_empty() || folder.exists() {
        return Ok(());
    }
    let shown = folder.display();
    if !mkdir {
        let path = path.display();
        return Err(misuse(format!("-o {path}: there is no folder {shown}: --mkdir makes it")));
    }
    Ok(std::fs::create_dir_all(folder)
        .map_err(|cause| landform_project::Error::Folder { folder: shown.to_string(), cause })?)
}

/// What is to be written into a folder.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Contents {
    /// Files that a manifest lists.
    Listed,
    /// Tiles for maps.
    Tiles,
}

/// Refuses a folder that holds files which `build` did not make: a manifest says which it did.
pub(crate) fn refuse_foreign(folder: &Path, contents: Contents) -> anyhow::Result<()> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(()) };
    let names: Vec<String> =
        entries.flatten().map(|entry| file_name(Path::new(&entry.file_name()))).collect();
    // A process that was killed while it gave the files their names has left the manifest under another one.
    let begun = format!(".{}.landform-", manifest::FILE_NAME);
    let is_listed = || {
        let bytes = regular::read_short(&folder.join(manifest::FILE_NAME), regular::DESCRIPTION);
        let is_begun = |name: &String| name.starts_with(&begun) || name == "terrain.part";
        bytes.is_ok_and(|bytes| Manifest::from_json(&bytes).is_ok()) || names.iter().any(is_begun)
    };
    let (is_ours, mark) = match contents {
        Contents::Listed => (is_listed(), manifest::FILE_NAME),
        Contents::Tiles => {
            let is_mark = |name: &String| name == "tiles.json" || name == ".unfinished";
            (names.iter().any(is_mark), "tiles.json")
        }
    };
    if names.is_empty() || is_ours {
        return Ok(());
    }
    Err(misuse(format!(
        "-o {}: the folder holds files that build did not make (it has no {mark}): give another folder, or --force",
        folder.display(),
    )))
}
