//! Tiles on their way to the disk: their files are forced before the records that declare them.
//!
//! A disk takes as long for one file as for many, so tiles wait for each other, though not for long: what waits when the
//! program is killed is made again.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::builder::{Builder, write_error};
use super::tile::Encoded;
use crate::atomic::Bulk;
use crate::{Result, atomic};

/// No tile waits longer, as long as others come.
const PATIENCE: Duration = Duration::from_millis(500);

/// Writes tiles of a store.
#[derive(Debug)]
pub(super) struct TileWriter<'a> {
    builder: &'a Builder,
    files: Bulk,
    /// What is to be declared when the files are on the disk.
    records: Vec<(PathBuf, Vec<u8>)>,
    settled: Instant,
}

impl<'a> TileWriter<'a> {
    pub(super) fn new(builder: &'a Builder) -> Result<Self> {
        let (files, records) = (builder.bulk()?, Vec::new());
        Ok(Self { builder, files, records, settled: Instant::now() })
    }

    /// Writes the files of a tile. They count after [`TileWriter::settle`].
    pub(super) fn write(&mut self, base: usize, tile: [u32; 2], encoded: &Encoded) -> Result<()> {
        self.write_files(encoded)?;
        let record = serde_json::to_vec(&encoded.record).expect("a record is plain data");
        self.records.push((self.builder.record(base, tile), record));
        if self.files.is_due() || self.settled.elapsed() >= PATIENCE {
            self.settle()?;
        }
        Ok(())
    }

    /// The same without a record.
    pub(super) fn write_files(&mut self, encoded: &Encoded) -> Result<()> {
        for (file, bytes) in &encoded.files {
            let path = self.builder.root().join(file);
            self.files.put(&path, bytes).map_err(|cause| write_error(&path, cause))?;
        }
        Ok(())
    }

    /// Forces what waits to the disk, then declares it.
    ///
    /// The records are not forced: one that a power cut takes or damages is no record, and its tile is made again.
    pub(super) fn settle(&mut self) -> Result<()> {
        let root = self.builder.root();
        self.files.settle().map_err(|cause| write_error(root, cause))?;
        for (path, record) in std::mem::take(&mut self.records) {
            let put = || {
                atomic::make_folders(root, path.parent().unwrap_or(root))?;
                atomic::put(&path, &self.builder.unfinished(), &record)
            };
            put().map_err(|cause| write_error(&path, cause))?;
        }
        self.settled = Instant::now();
        Ok(())
    }
}
