//! The chunks of a PNG, compressed in strips on all cores and written in order.
//!
//! Only a batch of strips is in memory at a time, each about 256 KiB before compression.

use std::io::Write;

use landform::par;

use super::strip::{Rows, Strip, StripPlan};
use crate::deflate::{Piece, ZLIB_HEADER};
use crate::{Error, Format, Result};

/// Bytes of a strip before compression, about: small enough for the cache of a core, large enough that the
/// header of its block (about 100 bytes) does not count.
const STRIP: usize = 256 << 10;
/// Strips that are compressed side by side.
const BATCH: usize = 16;

/// What the samples of a pixel are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pixel {
    Gray8,
    Gray16,
    Rgb8,
    Rgba8,
}

impl Pixel {
    fn bytes(self) -> usize {
        match self {
            Self::Gray8 => 1,
            Self::Gray16 => 2,
            Self::Rgb8 => 3,
            Self::Rgba8 => 4,
        }
    }

    /// Bit depth and colour type as the header has them.
    fn code(self) -> [u8; 2] {
        match self {
            Self::Gray8 => [8, 0],
            Self::Gray16 => [16, 0],
            Self::Rgb8 => [8, 2],
            Self::Rgba8 => [8, 6],
        }
    }
}

/// Writes a picture whose rows `fill(j, bytes)` gives, in the byte order of PNG.
pub(super) fn encode(
    [width, height]: [usize; 2],
    pixel: Pixel,
    text: &[(&str, String)],
    out: &mut (impl Write + ?Sized),
    fill: impl Fn(usize, &mut [u8]) + Sync + Send,
) -> Result<()> {
    write_header([width, height], pixel, out)?;
    for (keyword, value) in text {
        write_chunk(out, *b"tEXt", &[keyword.as_bytes(), &[0], value.as_bytes()])?;
    }
    compress([width, height], pixel, fill, |parts| write_chunk(out, *b"IDAT", parts))?;
    write_chunk(out, *b"IEND", &[])?;
    Ok(())
}

/// Writes the signature and the header.
pub(super) fn write_header(
    [width, height]: [usize; 2],
    pixel: Pixel,
    out: &mut (impl Write + ?Sized),
) -> Result<()> {
    let side = |count: usize| u32::try_from(count).ok().filter(|&count| count < 1 << 31);
    let (Some(columns), Some(rows)) = (side(width), side(height)) else {
        let reason = "a side has at most 2147483647 samples".to_owned();
        return Err(Error::Unfit { format: Format::Png, width, height, reason });
    };
    out.write_all(b"\x89PNG\r\n\x1a\n")?;
    let mut header = [columns.to_be_bytes(), rows.to_be_bytes()].concat();
    header.extend(pixel.code());
    header.extend([0, 0, 0]);
    write_chunk(out, *b"IHDR", &[&header])?;
    Ok(())
}

/// Compresses the rows that `fill(j, bytes)` gives and hands the stream to `emit` in pieces.
pub(super) fn compress(
    [width, height]: [usize; 2],
    pixel: Pixel,
    fill: impl Fn(usize, &mut [u8]) + Sync + Send,
    mut emit: impl FnMut(&[&[u8]]) -> std::io::Result<()>,
) -> Result<()> {
    let stride = width * pixel.bytes();
    let rows_per_strip = (STRIP / stride).clamp(1, height);
    let count = height.div_ceil(rows_per_strip);
    let rows = Rows { stride, pixel: pixel.bytes(), height, fill: &fill };
    let plan = StripPlan::for_picture(&rows);
    let mut strips = vec![Strip::default(); count.min(BATCH)];
    let mut checksum = Adler::default();
    for first in (0..count).step_by(BATCH) {
        let batch = &mut strips[..(count - first).min(BATCH)];
        par::for_each_part(batch, 1, 1, |k, strip| {
            let start = (first + k) * rows_per_strip;
            let end = (start + rows_per_strip).min(height);
            let piece = if end == height { Piece::Last } else { Piece::Inner };
            strip[0].make(&rows, start..end, plan, piece);
        });
        for (k, strip) in batch.iter().enumerate() {
            let (sum, length) = strip.checksum();
            checksum.join(sum, length);
            let head: &[u8] = if first + k == 0 { &ZLIB_HEADER } else { &[] };
            let sum = checksum.value().to_be_bytes();
            let tail: &[u8] = if first + k + 1 == count { &sum } else { &[] };
            emit(&[head, strip.compressed(), tail])?;
        }
    }
    Ok(())
}

pub(super) fn write_chunk(
    out: &mut (impl Write + ?Sized),
    name: [u8; 4],
    parts: &[&[u8]],
) -> std::io::Result<()> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut sum = crc32fast::Hasher::new();
    sum.update(&name);
    out.write_all(&(length as u32).to_be_bytes())?;
    out.write_all(&name)?;
    for part in parts {
        sum.update(part);
        out.write_all(part)?;
    }
    out.write_all(&sum.finalize().to_be_bytes())
}

/// The checksum of zlib over pieces (RFC 1950): a is 1 plus the sum of the bytes, b the sum of all a.
struct Adler {
    a: u64,
    b: u64,
}

impl Default for Adler {
    fn default() -> Self {
        Self { a: 1, b: 0 }
    }
}

impl Adler {
    const MODULUS: u64 = 65521;

    /// Adds a piece of `length` bytes that has the checksum `sum` by itself.
    fn join(&mut self, sum: u32, length: usize) {
        let (a, b) = (u64::from(sum & 0xFFFF), u64::from(sum >> 16));
        let length = length as u64 % Self::MODULUS;
        // The piece's own a began at 1, so every one of its `length` sums is short by a − 1.
        self.b = (self.b + b + length * (self.a + Self::MODULUS - 1)) % Self::MODULUS;
        self.a = (self.a + a + Self::MODULUS - 1) % Self::MODULUS;
    }

    fn value(&self) -> u32 {
        (self.b << 16 | self.a) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_of_pieces_join_to_that_of_the_whole() {
        let bytes: Vec<u8> = (0..200_000_u32).map(|k| (k.wrapping_mul(k) >> 7) as u8).collect();
        let mut joined = Adler::default();
        for piece in bytes.chunks(70_001) {
            joined.join(simd_adler32::adler32(&piece), piece.len());
        }
        assert_eq!(joined.value(), simd_adler32::adler32(&bytes.as_slice()));
    }
}
