//! Zip archives, written in one pass.
//!
//! Parts are compressed in pieces, so the length and the checksum of a part follow it, as zip allows. All parts have the
//! same date: the same files give the same bytes. An archive ends at 4 GiB; beyond that zip needs an extension that not
//! every reader has.
//!
//! Source: PKWARE APPNOTE 6.3.

use std::io::{self, Write};

use landform::par;

use crate::Result;
use crate::deflate::{self, Compressor, Piece, Reach};

/// Pieces that are made side by side.
const BATCH: usize = 16;
/// Bytes of a part that is cut into pieces.
const PIECE: usize = 1 << 16;

/// A zip archive on its way.
#[derive(Debug, Default)]
pub struct Zip<W> {
    out: W,
    at: u64,
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    name: String,
    start: u32,
    checksum: u32,
    compressed: u32,
    length: u32,
}

impl Entry {
    /// The fields that a part's header and the directory share: version 2.0, lengths follow, names in UTF-8, deflate,
    /// 1980-01-01.
    fn common(&self, lengths: [u32; 3]) -> Vec<u8> {
        let flags = if self.name.is_ascii() { 0 } else { 8 };
        let mut bytes = vec![20, 0, 8, flags, 8, 0, 0, 0, 0x21, 0];
        bytes.extend(lengths.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend((self.name.len() as u16).to_le_bytes());
        bytes.extend([0, 0]);
        bytes
    }
}

/// A piece of a part, and what it became.
#[derive(Clone, Default)]
struct Compressed {
    text: String,
    compressor: Compressor,
    out: Vec<u8>,
    length: usize,
}

impl Compressed {
    fn compress(&mut self, bytes: &[u8], is_last: bool) {
        self.out.resize(deflate::bound(bytes.len()), 0);
        let piece = if is_last { Piece::Last } else { Piece::Inner };
        self.length = self.compressor.compress(bytes, 1, Reach::Window, piece, &mut self.out);
    }
}

impl<W: Write> Zip<W> {
    /// An empty archive.
    pub fn new(out: W) -> Self {
        Self { out, at: 0, entries: Vec::new() }
    }

    /// Where the archive was written.
    pub fn into_inner(self) -> W {
        self.out
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.at += bytes.len() as u64;
        if self.at > u64::from(u32::MAX) {
            return Err(io::Error::other("a zip ends at 4 GiB").into());
        }
        Ok(self.out.write_all(bytes)?)
    }

    fn begin(&mut self, name: &str) -> Result<Entry> {
        let (name, start) = (name.to_owned(), self.at as u32);
        let entry = Entry { name, start, checksum: 0, compressed: 0, length: 0 };
        self.put(b"PK\x03\x04")?;
        self.put(&entry.common([0; 3]))?;
        self.put(entry.name.as_bytes())?;
        Ok(entry)
    }

    fn end(&mut self, entry: Entry) -> Result<()> {
        self.put(b"PK\x07\x08")?;
        for number in [entry.checksum, entry.compressed, entry.length] {
            self.put(&number.to_le_bytes())?;
        }
        self.entries.push(entry);
        Ok(())
    }

    /// Adds a part.
    ///
    /// # Errors
    /// If the archive would pass 4 GiB, or writing fails.
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let mut entry = self.begin(name)?;
        entry.checksum = crc32fast::hash(bytes);
        entry.length = bytes.len().min(u32::MAX as usize) as u32;
        let pieces: Vec<&[u8]> = match bytes {
            [] => vec![bytes],
            _ => bytes.chunks(PIECE).collect(),
        };
        let count = pieces.len();
        let mut parts = vec![Compressed::default(); count.min(BATCH)];
        for first in (0..count).step_by(BATCH) {
            let batch = &mut parts[..(count - first).min(BATCH)];
            par::for_each_part(batch, 1, 1, |k, part| {
                part[0].compress(pieces[first + k], first + k + 1 == count);
            });
            for part in batch {
                entry.compressed += part.length as u32;
                self.put(&part.out[..part.length])?;
            }
        }
        self.end(entry)
    }

    /// Adds a part whose text `make` gives in `count` pieces.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub(crate) fn add_pieces(
        &mut self,
        name: &str,
        count: usize,
        make: impl Fn(usize, &mut String) + Sync + Send,
    ) -> Result<()> {
        let mut entry = self.begin(name)?;
        let mut checksum = crc32fast::Hasher::new();
        let mut parts = vec![Compressed::default(); count.min(BATCH)];
        for first in (0..count).step_by(BATCH) {
            let batch = &mut parts[..(count - first).min(BATCH)];
            par::for_each_part(batch, 1, 1, |k, part| {
                let part = &mut part[0];
                let mut text = std::mem::take(&mut part.text);
                text.clear();
                make(first + k, &mut text);
                part.compress(text.as_bytes(), first + k + 1 == count);
                part.text = text;
            });
            for part in batch {
                checksum.update(part.text.as_bytes());
                entry.length += part.text.len() as u32;
                entry.compressed += part.length as u32;
                self.put(&part.out[..part.length])?;
            }
        }
        entry.checksum = checksum.finalize();
        self.end(entry)
    }

    /// Writes the directory.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn finish(&mut self) -> Result<()> {
        let start = self.at as u32;
        let entries = std::mem::take(&mut self.entries);
        for entry in &entries {
            self.put(b"PK\x01\x02\x14\0")?;
            self.put(&entry.common([entry.checksum, entry.compressed, entry.length]))?;
            self.put(&[0; 10])?;
            self.put(&entry.start.to_le_bytes())?;
            self.put(entry.name.as_bytes())?;
        }
        let size = self.at as u32 - start;
        let count = (entries.len() as u16).to_le_bytes();
        self.put(b"PK\x05\x06\0\0\0\0")?;
        self.put(&[count, count].concat())?;
        self.put(&size.to_le_bytes())?;
        self.put(&start.to_le_bytes())?;
        self.put(&[0; 2])?;
        Ok(self.out.flush()?)
    }
}
