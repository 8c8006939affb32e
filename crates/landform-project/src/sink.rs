//! Where files go that are made.

use std::io::Write;
use std::path::{Path, PathBuf};

use landform::Watch;
use landform_io::atomic::{self, Batch};
use landform_io::zip;

use crate::{Error, Result};

/// What writes the bytes of a file.
pub type Writer<'a> = dyn FnMut(&mut dyn Write) -> landform_io::Result<()> + 'a;

/// Where files go. They belong together: all are there, or none.
pub trait Sink {
    /// Writes the file `name`, which may lie in folders (`a/b.png`).
    ///
    /// # Errors
    /// Those of `write` and of the place.
    fn put(&mut self, name: &str, write: &mut Writer<'_>) -> Result<()>;

    /// Writes a text that describes other files: it comes last, and an old one goes first.
    ///
    /// # Errors
    /// Those of the place.
    fn put_record(&mut self, name: &str, text: &str) -> Result<()>;

    /// Ends the batch: now all files are there.
    ///
    /// # Errors
    /// Those of the place.
    fn finish(&mut self) -> Result<()>;

    /// Writes a text file.
    ///
    /// # Errors
    /// Those of the place.
    fn put_text(&mut self, name: &str, text: &str) -> Result<()> {
        self.put(name, &mut |out| Ok(out.write_all(text.as_bytes())?))
    }
}

/// A folder on a disk, in which files appear together.
#[derive(Debug)]
pub struct DiskFolder {
    folder: PathBuf,
    batch: Option<Batch>,
}

impl DiskFolder {
    /// Files go to `folder`, which is made with the first one.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), batch: None }
    }

    /// The folder that the file `path` lies in.
    pub fn of_file(path: &Path) -> Self {
        Self::new(path.parent().unwrap_or(Path::new("")))
    }

    fn batch(&mut self) -> Result<&mut Batch> {
        if self.batch.is_none() {
            let batch = Batch::new(&self.folder).map_err(|cause| cannot_make(&self.folder, cause));
            self.batch = Some(batch?);
        }
        Ok(self.batch.as_mut().expect("it has just been made"))
    }
}

fn cannot_make(folder: &Path, cause: std::io::Error) -> Error {
    Error::Folder { folder: folder.display().to_string(), cause }
}

impl Sink for DiskFolder {
    fn put(&mut self, name: &str, write: &mut Writer<'_>) -> Result<()> {
        let path = self.folder.join(name);
        self.batch()?;
        if let Some(parent) = path.parent().filter(|parent| **parent != *self.folder) {
            let made = atomic::make_folders(&self.folder, parent);
            made.map_err(|cause| cannot_make(parent, cause))?;
        }
        self.batch()?.write(&path, write).map_err(|cause| Error::write(&path, cause))
    }

    fn put_record(&mut self, name: &str, text: &str) -> Result<()> {
        let path = self.folder.join(name);
        let written = self.batch()?.write_record(&path, text.as_bytes());
        written.map_err(|cause| Error::write(&path, cause))
    }

    fn finish(&mut self) -> Result<()> {
        let Some(batch) = self.batch.take() else { return Ok(()) };
        batch.finish().map_err(|cause| Error::write(&self.folder, cause))
    }
}

/// Files in memory, in the order in which they came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Buffer {
    /// Name and bytes of each file.
    pub files: Vec<(String, Vec<u8>)>,
}

impl Buffer {
    /// The names of the files.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|(name, _)| name.as_str())
    }
}

impl Sink for Buffer {
    fn put(&mut self, name: &str, write: &mut Writer<'_>) -> Result<()> {
        let mut bytes = Vec::new();
        write(&mut bytes).map_err(|cause| Error::write(Path::new(name), cause))?;
        self.files.push((name.to_owned(), bytes));
        Ok(())
    }

    fn put_record(&mut self, name: &str, text: &str) -> Result<()> {
        self.put_text(name, text)
    }

    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}

/// A zip in memory: one file that a browser can hand over.
#[derive(Debug, Default)]
pub struct Zip {
    zip: zip::Zip<Vec<u8>>,
}

impl Zip {
    /// The bytes of the zip, when it is finished.
    pub fn into_bytes(self) -> Vec<u8> {
        self.zip.into_inner()
    }
}

impl Sink for Zip {
    fn put(&mut self, name: &str, write: &mut Writer<'_>) -> Result<()> {
        let mut bytes = Vec::new();
        let written = write(&mut bytes).and_then(|()| self.zip.add(name, &bytes));
        written.map_err(|cause| Error::write(Path::new(name), cause))
    }

    fn put_record(&mut self, name: &str, text: &str) -> Result<()> {
        self.put_text(name, text)
    }

    fn finish(&mut self) -> Result<()> {
        self.zip.finish().map_err(|cause| Error::write(Path::new("zip"), cause))
    }
}

/// One file that goes to a writer as it is made, such as standard output. What would describe it beside it is left out.
#[derive(Debug)]
pub struct Stream<W> {
    out: W,
    first: Option<String>,
}

impl<W: Write> Stream<W> {
    /// The file goes to `out`.
    pub fn new(out: W) -> Self {
        Self { out, first: None }
    }
}

impl<W: Write> Sink for Stream<W> {
    fn put(&mut self, name: &str, write: &mut Writer<'_>) -> Result<()> {
        if let Some(first) = &self.first {
            return Err(Error::Other(format!(
                "{first} is not all: {name} is a second file, which one stream cannot take"
            )));
        }
        self.first = Some(name.to_owned());
        let mut out = std::io::BufWriter::with_capacity(1 << 16, &mut self.out);
        let written = write(&mut out).and_then(|()| Ok(out.flush()?));
        written.map_err(|cause| Error::write(Path::new(name), cause))
    }

    fn put_record(&mut self, _name: &str, _text: &str) -> Result<()> {
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        let name = self.first.clone().unwrap_or_default();
        self.out.flush().map_err(|cause| Error::write(Path::new(&name), cause))
    }
}

/// A place for files whose writing stops when the work is cancelled: after 64 KiB at the latest.
pub struct Watched<'a> {
    sink: &'a mut dyn Sink,
    watch: &'a dyn Watch,
}

impl std::fmt::Debug for Watched<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watched").finish_non_exhaustive()
    }
}

impl<'a> Watched<'a> {
    /// Files go to `sink` until `watch` cancels.
    pub fn new(sink: &'a mut dyn Sink, watch: &'a dyn Watch) -> Self {
        Self { sink, watch }
    }

    fn go_on(&self) -> Result<()> {
        if self.watch.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }
}

impl Sink for Watched<'_> {
    fn put(&mut self, name: &str, write: &mut Writer<'_>) -> Result<()> {
        self.go_on()?;
        let watch = self.watch;
        self.sink.put(name, &mut |out| {
            let mut out = Asking { out, watch, is_stopped: false };
            match write(&mut out) {
                // Encoders tell of a file that cannot be written, in words of their own.
                Err(_) if out.is_stopped => Err(landform::Cancelled.into()),
                result => result,
            }
        })
    }

    fn put_record(&mut self, name: &str, text: &str) -> Result<()> {
        self.go_on()?;
        self.sink.put_record(name, text)
    }

    fn finish(&mut self) -> Result<()> {
        self.go_on()?;
        self.sink.finish()
    }
}

/// Bytes that are written without asking.
const PART: usize = 1 << 16;

/// Asks before each part whether to go on.
struct Asking<'a> {
    out: &'a mut dyn Write,
    watch: &'a dyn Watch,
    is_stopped: bool,
}

impl Write for Asking<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.is_stopped |= self.watch.is_cancelled();
        if self.is_stopped {
            return Err(std::io::Error::other(landform::Cancelled));
        }
        self.out.write(&bytes[..bytes.len().min(PART)])
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_takes_one_file_and_nothing_beside_it() {
        let mut bytes = Vec::new();
        let mut stream = Stream::new(&mut bytes);
        stream.put_text("-.r16", "samples").unwrap();
        stream.put_record("-.r16.json", "scale").unwrap();
        let second = stream.put_text("-_x1.r16", "more").unwrap_err().to_string();
        assert!(second.contains("-_x1.r16 is a second file"), "{second}");
        stream.finish().unwrap();
        assert_eq!(bytes, b"samples");
    }

    fn fill(sink: &mut dyn Sink) {
        sink.put_text("a.txt", "first").unwrap();
        sink.put_text("b/c.txt", "second").unwrap();
        sink.put_record("list.json", "{}").unwrap();
        sink.finish().unwrap();
    }

    #[test]
    fn all_places_get_the_same_files() {
        let folder = tempfile::tempdir().unwrap();
        fill(&mut DiskFolder::new(folder.path().join("out")));
        let mut buffer = Buffer::default();
        fill(&mut buffer);
        assert_eq!(buffer.names().collect::<Vec<_>>(), ["a.txt", "b/c.txt", "list.json"]);
        for (name, bytes) in &buffer.files {
            assert_eq!(&std::fs::read(folder.path().join("out").join(name)).unwrap(), bytes);
        }
        let mut zip = Zip::default();
        fill(&mut zip);
        let bytes = zip.into_bytes();
        assert!(bytes.starts_with(b"PK\x03\x04"));
        assert!(bytes.windows(7).any(|part| part == b"b/c.txt"));
    }

    #[test]
    fn a_batch_that_fails_leaves_no_folder() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let mut sink = DiskFolder::new(&out);
        sink.put_text("a.txt", "first").unwrap();
        let failed = sink.put("b.txt", &mut |_| Err(std::io::Error::other("full").into()));
        assert_eq!(
            failed.unwrap_err().to_string(),
            format!("cannot write {}: full", out.join("b.txt").display())
        );
        drop(sink);
        assert!(!out.exists());
    }
}
