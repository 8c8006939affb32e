//! The container of Blosc, around deflate: how a chunk of samples is compressed.
//!
//! ```text
//! 2 1 flags typesize  nbytes blocksize cbytes (u32)  start of the block (u32)  { length (u32), bytes } for each plane
//! ```
//!
//! A chunk is one block. Its samples are split into planes of bytes of the same weight. The low bytes of heights are
//! noise and are kept as they are, which costs nothing; the high ones hardly change and shrink. Everybody who reads
//! Zarr reads Blosc, and the only thing that it needs beside these lines is the deflate that PNG and TIFF use too.
//!
//! Source: c-blosc 1, README_CHUNK_FORMAT; RFC 1950.

use crate::deflate::Compressor;

/// Bytes of a sample.
const TYPESIZE: usize = 4;
const HEADER: usize = 16;
const SHUFFLED: u8 = 0x01;
const COPIED: u8 = 0x02;
const ZLIB: u8 = 3 << 5;
/// Blosc does not split blocks with fewer samples than this.
const FEWEST: usize = 128;

/// Bytes that a chunk with so many samples along a side has at the most: planes that do not shrink are kept as they are.
pub(super) fn most_bytes(side: u32) -> u64 {
    let planes = TYPESIZE as u64 * u64::from(side) * u64::from(side);
    HEADER as u64 + 4 + 4 * TYPESIZE as u64 + planes
}

/// Compresses samples.
pub(super) fn encode(samples: &[f32]) -> Vec<u8> {
    let length = TYPESIZE * samples.len();
    if samples.len() < FEWEST {
        let mut out = header(COPIED | ZLIB, length);
        samples.iter().for_each(|sample| out.extend(sample.to_le_bytes()));
        return closed(out);
    }
    let mut out = header(SHUFFLED | ZLIB, length);
    out.extend((HEADER as u32 + 4).to_le_bytes());
    let mut compressor = Compressor::default();
    let mut plane = vec![0; samples.len()];
    let mut small = Vec::new();
    for shift in [0, 8, 16, 24] {
        for (byte, sample) in plane.iter_mut().zip(samples) {
            *byte = (sample.to_bits() >> shift) as u8;
        }
        // A plane of its old length is taken to be as it was.
        let bytes = match compressor.zlib_if_smaller(&plane, &mut small) {
            true => &small,
            false => &plane,
        };
        out.extend((bytes.len() as u32).to_le_bytes());
        out.extend_from_slice(bytes);
    }
    closed(out)
}

fn header(flags: u8, length: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(HEADER + 4 + length);
    out.extend([2, 1, flags, TYPESIZE as u8]);
    out.extend((length as u32).to_le_bytes());
    out.extend((length as u32).to_le_bytes());
    out.extend([0; 4]);
    out
}

/// Writes the length of all into the header.
fn closed(mut out: Vec<u8>) -> Vec<u8> {
    let length = out.len() as u32;
    out[12..HEADER].copy_from_slice(&length.to_le_bytes());
    out
}

/// Decompresses into `samples`; says what is wrong with the bytes if they are not that many samples.
pub(super) fn decode(bytes: &[u8], samples: &mut [f32]) -> Result<(), &'static str> {
    let number = |at: usize| -> Result<usize, &'static str> {
        let four = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>());
        four.map(|four| u32::from_le_bytes(*four) as usize).ok_or("a chunk that is cut off")
    };
    if number(12)? != bytes.len() || number(4)? != TYPESIZE * samples.len() {
        return Err("a chunk of another length");
    }
    let flags = bytes[2];
    if flags & COPIED != 0 {
        let plain = bytes.get(HEADER..HEADER + TYPESIZE * samples.len());
        let fours = plain.ok_or("a chunk that is cut off")?.as_chunks::<4>().0;
        samples.iter_mut().zip(fours).for_each(|(out, four)| *out = f32::from_le_bytes(*four));
        return Ok(());
    }
    let is_ours = flags == SHUFFLED | ZLIB && usize::from(bytes[3]) == TYPESIZE;
    if !is_ours || number(8)? != number(4)? || samples.len() < FEWEST {
        return Err("a chunk that another program has compressed");
    }
    let mut bits = vec![0_u32; samples.len()];
    let mut at = number(HEADER)?;
    for shift in [0, 8, 16, 24] {
        let length = number(at)?;
        let end = at.checked_add(4 + length).ok_or("a chunk that is cut off")?;
        let part = bytes.get(at + 4..end).ok_or("a chunk that is cut off")?;
        at = end;
        let inflated;
        let plane = if length == samples.len() {
            part
        } else {
            inflated = fdeflate::decompress_to_vec_bounded(part, samples.len())
                .map_err(|_| "a chunk that cannot be decompressed")?;
            &inflated
        };
        if plane.len() != samples.len() {
            return Err("a plane of another length");
        }
        bits.iter_mut().zip(plane).for_each(|(bits, &byte)| *bits |= u32::from(byte) << shift);
    }
    samples.iter_mut().zip(bits).for_each(|(out, bits)| *out = f32::from_bits(bits));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hills(count: usize) -> Vec<f32> {
        (0..count).map(|k| 900.0 + (k % 256) as f32 * 0.37 + (k * k % 1009) as f32 * 1e-3).collect()
    }

    #[test]
    fn samples_come_back_bit_for_bit() {
        let odd = vec![f32::NAN, f32::INFINITY, -0.0, f32::MIN_POSITIVE, 1e-45];
        for samples in [hills(65_536), hills(200), hills(127), odd, vec![7.5; 4096]] {
            let bytes = encode(&samples);
            let mut back = vec![0.0; samples.len()];
            decode(&bytes, &mut back).unwrap();
            let bits = |samples: &[f32]| samples.iter().map(|s| s.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&back), bits(&samples));
        }
    }

    #[test]
    fn no_chunk_is_longer_than_the_longest() {
        // Random bits do not shrink.
        let noise = |k: u64| f32::from_bits(landform::Seed::new(3).below(k, 1 << 32) as u32);
        for side in [1, 11, 12, 64] {
            let samples: Vec<f32> = (0..side * side).map(noise).collect();
            let (length, most) = (encode(&samples).len() as u64, most_bytes(side as u32));
            assert!(length <= most && most <= length + 20, "{side}: {length} of {most}");
        }
    }

    #[test]
    fn heights_shrink_and_constants_vanish() {
        assert!(encode(&hills(65_536)).len() < 200_000);
        assert!(encode(&vec![7.5; 65_536]).len() < 1000);
    }

    #[test]
    fn broken_bytes_are_refused() {
        let whole = encode(&hills(1000));
        let mut back = vec![0.0; 1000];
        for length in 0..whole.len().min(300) {
            assert!(decode(&whole[..length], &mut back).is_err());
        }
        for at in 0..whole.len().min(64) {
            let mut broken = whole.clone();
            broken[at] ^= 0x55;
            let _ = decode(&broken, &mut back);
        }
        assert!(decode(&whole, &mut [0.0; 999]).is_err());
    }
}
