//! A look at the first directory before the decoder does, which takes memory for what the tags announce.

use crate::{Error, Format, Result};

/// Fails if a tag of the first directory announces more bytes than the file has.
pub(super) fn directory(bytes: &[u8]) -> Result<()> {
    let file = File { bytes, is_big_endian: bytes.starts_with(b"MM") };
    let truncated = |expected: u64| Error::Truncated {
        format: Format::Tiff,
        found: bytes.len() as u64,
        expected,
    };
    let is_big_tiff = file.number(2, 2).ok_or_else(|| truncated(4))? == 43;
    // Size of a word, of the number of tags, and of a tag.
    let (word, count_size, entry) = if is_big_tiff { (8, 8, 20) } else { (4, 2, 12) };
    let start = file.number(if is_big_tiff { 8 } else { 4 }, word).ok_or_else(|| truncated(16))?;
    let count = file.number(start, count_size).ok_or_else(|| truncated(start))?;
    for k in 0..count {
        let at = k.checked_mul(entry).and_then(|at| at.checked_add(start)?.checked_add(count_size));
        let at = at.unwrap_or(u64::MAX - 32);
        let kind = file.number(at + 2, 2).ok_or_else(|| truncated(at))?;
        let length = file.number(at + 4, word).ok_or_else(|| truncated(at))?;
        let size = match kind {
            3 | 8 => 2,
            4 | 9 | 11 | 13 => 4,
            5 | 10 | 12 | 16 | 17 | 18 => 8,
            _ => 1,
        };
        let announced = length.saturating_mul(size);
        if announced > bytes.len() as u64 {
            let found = format!("a tag of {announced} bytes in a file of {}", bytes.len());
            return Err(Error::malformed(Format::Tiff, at, found, "less than the file"));
        }
    }
    Ok(())
}

struct File<'a> {
    bytes: &'a [u8],
    is_big_endian: bool,
}

impl File<'_> {
    /// The number of `size` bytes at an offset, if the file goes that far.
    fn number(&self, at: u64, size: u64) -> Option<u64> {
        let start = usize::try_from(at).ok()?;
        let bytes = self.bytes.get(start..start.checked_add(size as usize)?)?;
        let shift = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        Some(if self.is_big_endian {
            bytes.iter().fold(0, shift)
        } else {
            bytes.iter().rev().fold(0, shift)
        })
    }
}
