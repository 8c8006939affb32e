//! A file of many chunks: the codec `sharding_indexed` of Zarr 3.
//!
//! ```text
//! chunk … chunk   { offset, length } (u64) for each chunk, row by row   CRC-32C of that index
//! ```
//!
//! A chunk with nothing in it has offset and length 2⁶⁴ − 1. Source: Zarr Enhancement Proposal 2; RFC 3720 for the CRC.

use std::io::{self, Read, Seek, SeekFrom};

const EMPTY: u64 = u64::MAX;

/// Joins chunks into the bytes of a file.
pub(super) fn join(chunks: &[Option<Vec<u8>>]) -> Vec<u8> {
    let mut out = Vec::with_capacity(index_length(chunks.len()) + length(chunks));
    let mut index = Vec::with_capacity(index_length(chunks.len()));
    for chunk in chunks {
        let entry = match chunk {
            Some(bytes) => [out.len() as u64, bytes.len() as u64],
            None => [EMPTY; 2],
        };
        index.extend(entry.iter().flat_map(|number| number.to_le_bytes()));
        out.extend_from_slice(chunk.as_deref().unwrap_or_default());
    }
    index.extend(crc32c(&index).to_le_bytes());
    out.extend(index);
    out
}

fn length(chunks: &[Option<Vec<u8>>]) -> usize {
    chunks.iter().flatten().map(Vec::len).sum()
}

fn index_length(chunks: usize) -> usize {
    16 * chunks + 4
}

/// Where a chunk lies in its file: offset and length; nothing if it is empty.
type ChunkRange = Option<(u64, usize)>;

/// Where the chunks lie in a file that is open; what is wrong with it is an error of invalid data.
pub(super) fn index(file: &mut (impl Read + Seek), chunks: usize) -> io::Result<Vec<ChunkRange>> {
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
    if crc32c(entries).to_le_bytes() != sum {
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
    Ok(places)
}

/// The cyclic redundancy code of Castagnoli.
fn crc32c(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut k = 0;
        while k < 256 {
            let mut crc = k as u32;
            let mut bit = 0;
            while bit < 8 {
                crc = if crc & 1 == 1 { crc >> 1 ^ 0x82F6_3B78 } else { crc >> 1 };
                bit += 1;
            }
            table[k] = crc;
            k += 1;
        }
        table
    };
    let step = |crc: u32, byte: &u8| crc >> 8 ^ TABLE[(crc as u8 ^ byte) as usize];
    !bytes.iter().fold(!0, step)
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
    }

    #[test]
    fn chunks_are_found_again() {
        let chunks = vec![Some(vec![1, 2, 3]), None, Some(vec![9; 40]), None];
        let bytes = join(&chunks);
        let places = index(&mut Cursor::new(&bytes), 4).unwrap();
        assert_eq!(places, [Some((0, 3)), None, Some((3, 40)), None]);
        let mut broken = bytes.clone();
        broken[50] ^= 1;
        assert!(index(&mut Cursor::new(&broken), 4).is_err());
        assert!(index(&mut Cursor::new(&bytes[..60]), 4).is_err());
    }
}
