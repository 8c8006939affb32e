//! A file of many chunks: the codec `sharding_indexed` of Zarr 3.
//!
//! ```text
//! chunk CRC-32C … chunk CRC-32C   { offset, length } (u64) for each chunk, row by row   CRC-32C of that index
//! ```
//!
//! A chunk with nothing in it has offset and length 2⁶⁴ − 1. A length counts the chunk and its CRC, the codec `crc32c`. Source: Zarr Enhancement Proposal 2; RFC 3720 for the CRC.

use std::io::{self, Read, Seek, SeekFrom};

const EMPTY: u64 = u64::MAX;
/// Bytes of the checksum of a chunk.
pub(super) const SUM: usize = 4;

/// Joins chunks into the bytes of a file.
pub(super) fn join(chunks: &[Option<Vec<u8>>]) -> Vec<u8> {
    let mut out = Vec::with_capacity(index_length(chunks.len()) + length(chunks));
    let mut index = Vec::with_capacity(index_length(chunks.len()));
    for chunk in chunks {
        let entry = match chunk {
            Some(bytes) => [out.len() as u64, (bytes.len() + SUM) as u64],
            None => [EMPTY; 2],
        };
        index.extend(entry.iter().flat_map(|number| number.to_le_bytes()));
        if let Some(bytes) = chunk {
            out.extend_from_slice(bytes);
            out.extend(crc32c(bytes).to_le_bytes());
        }
    }
    index.extend(crc32c(&index).to_le_bytes());
    out.extend(index);
    out
}

fn length(chunks: &[Option<Vec<u8>>]) -> usize {
    chunks.iter().flatten().map(|bytes| bytes.len() + SUM).sum()
}

fn index_length(chunks: usize) -> usize {
    16 * chunks + 4
}

/// Where a chunk lies in its file: offset and length; nothing if it is empty.
type ChunkRange = Option<(u64, usize)>;

/// A chunk without its checksum, if that is right.
pub(super) fn checked(bytes: &[u8]) -> Result<&[u8], &'static str> {
    let (chunk, sum) = bytes.split_last_chunk::<SUM>().ok_or("a chunk that is cut off")?;
    match crc32c(chunk).to_le_bytes() == *sum {
        true => Ok(chunk),
        false => Err("a chunk whose checksum is wrong"),
    }
}

/// Where the chunks lie in a file that is open, and the checksum of that; what is wrong with it is an error of invalid data.
pub(super) fn index(
    file: &mut (impl Read + Seek),
    chunks: usize,
) -> io::Result<(Vec<ChunkRange>, u32)> {
    let invalid = |found: &'static str| io::Error::new(io::ErrorKind::InvalidData, found);
    let size = file.seek(SeekFrom::End(0))?;
    let length = index_length(chunks) as u64;
    if size < length {
        return Err(invalid("a shard that is cut off"));
    }
    file.seek(SeekFrom::Start(size - length))?;
    let mut bytes = vec![0; length as usize];
    file.read_exact(&mut bytes)?;
    let (entries, sum) = bytes.split_at(16 * chunks);
    let found = crc32c(entries);
    if found.to_le_bytes() != sum {
        return Err(invalid("a shard whose index is damaged"));
    }
    let mut places = Vec::with_capacity(chunks);
    for [offset, length] in entries.as_chunks::<8>().0.as_chunks::<2>().0 {
        let (offset, length) = (u64::from_le_bytes(*offset), u64::from_le_bytes(*length));
        if (offset, length) == (EMPTY, EMPTY) {
            places.push(None);
        } else if offset.checked_add(length).is_some_and(|end| end <= size) {
            places.push(Some((offset, length as usize)));
        } else {
            return Err(invalid("a chunk beyond the end of its shard"));
        }
    }
    Ok((places, found))
}

/// The cyclic redundancy code of Castagnoli.
pub(super) fn crc32c(bytes: &[u8]) -> u32 {
    let mut crc = Crc::default();
    crc.add(bytes);
    crc.sum()
}

/// The same of bytes that come in parts.
pub(super) struct Crc(u32);

impl Default for Crc {
    fn default() -> Self {
        Self(!0)
    }
}

impl Crc {
    /// Eight bytes at a time: `TABLES[k]` is what a byte becomes `k` bytes later.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        static TABLES: [[u32; 256]; 8] = tables();
        let (eights, rest) = bytes.as_chunks::<8>();
        let mut crc = self.0;
        for [a, b, c, d, e, f, g, h] in eights {
            let low = crc ^ u32::from_le_bytes([*a, *b, *c, *d]);
            let [a, b, c, d] = low.to_le_bytes();
            let bytes = [*h, *g, *f, *e, d, c, b, a];
            crc = (0..8).fold(0, |sum, k| sum ^ TABLES[k][usize::from(bytes[k])]);
        }
        let step = |crc: u32, byte: &u8| crc >> 8 ^ TABLES[0][usize::from(crc as u8 ^ byte)];
        self.0 = rest.iter().fold(crc, step);
    }

    pub(super) fn sum(&self) -> u32 {
        !self.0
    }
}

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut k = 0;
    while k < 256 {
        let mut crc = k as u32;
        let mut bit = 0;
        while bit < 64 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0x82F6_3B78 } else { crc >> 1 };
            bit += 1;
            if bit % 8 == 0 {
                tables[bit / 8 - 1][k] = crc;
            }
        }
        k += 1;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn the_code_is_that_of_the_rfc() {
        // RFC 3720, appendix B.4: 32 bytes of zeros, and 32 of ones.
        assert_eq!(crc32c(&[0; 32]), 0x8A91_36AA);
        assert_eq!(crc32c(&[0xFF; 32]), 0x62A8_AB43);
        let rising: Vec<u8> = (0..32).collect();
        assert_eq!(crc32c(&rising), 0x46DD_794E);
        // "123456789", whose length is no multiple of eight: the check value of the code.
        assert_eq!(crc32c(b"123456789"), 0xE306_9283);
    }

    #[test]
    fn chunks_are_found_again() {
        let chunks = vec![Some(vec![1, 2, 3]), None, Some(vec![9; 40]), None];
        let bytes = join(&chunks);
        let (places, sum) = index(&mut Cursor::new(&bytes), 4).unwrap();
        assert_eq!(places, [Some((0, 7)), None, Some((7, 44)), None]);
        assert_eq!(sum.to_le_bytes(), bytes[bytes.len() - 4..]);
        assert_eq!(checked(&bytes[..7]), Ok(&[1, 2, 3][..]));
        assert!(checked(&bytes[1..8]).is_err() && checked(&bytes[..3]).is_err());
        let mut broken = bytes.clone();
        broken[60] ^= 1;
        assert!(index(&mut Cursor::new(&broken), 4).is_err());
        assert!(index(&mut Cursor::new(&bytes[..60]), 4).is_err());
    }
}
