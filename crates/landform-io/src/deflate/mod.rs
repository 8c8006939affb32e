//! Deflate in pieces, with as little search for matches as the bytes deserve.
//!
//! Filtered rough terrain has no matches worth finding: a search buys about one per cent of size for nine
//! tenths of the time. There only long runs of a pixel are looked for, at every eighth byte ([`Reach::Runs`]).
//! Smooth terrain is full of short matches and halves with them ([`Reach::Window`]). `estimate` tells which.
//!
//! Source: RFC 1951. Pieces end on a byte, so that they can be made side by side and joined.

mod bits;
mod huffman;
mod window;

use landform::math;

use bits::BitWriter;
use huffman::Code;
use window::{Matcher, Sequence};

/// The symbol that ends a block.
const END: usize = 256;
/// Longest code: four of them and what a flush leaves fit a word.
const LIMIT: usize = 14;
/// Longest run that one match stands for.
const LONGEST: usize = 258;

/// Whether more pieces follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Inner,
    Last,
}

/// Where matches are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// At the pixel before, eight bytes or longer: nearly all bytes are literals.
    Runs,
    /// In the last 32 KiB.
    Window,
}

/// The beginning of a zlib stream: deflate, 32 KiB window, fast.
pub(crate) const ZLIB_HEADER: [u8; 2] = [0x78, 0x01];

/// The largest number of bytes that `length` bytes can become, and what the writer needs beyond.
pub(crate) fn bound(length: usize) -> usize {
    length * LIMIT / 8 + 1024
}

/// Compresses one piece after the other, with memory that serves all of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Compressor {
    matcher: Matcher,
    sequences: Vec<Sequence>,
}

impl Compressor {
    /// Compresses `bytes`, of `pixel` bytes a pixel, to the front of `out`, which has at least [`bound`] bytes,
    /// and tells how many it took.
    pub(crate) fn compress(
        &mut self,
        bytes: &[u8],
        pixel: usize,
        reach: Reach,
        piece: Piece,
        out: &mut [u8],
    ) -> usize {
        let mut histogram = Histogram::default();
        self.split(bytes, reach);
        self.play(bytes, pixel, reach, &mut histogram);
        let literals = Code::for_counts(&histogram.symbols(), LIMIT);
        let distances = Code::for_counts(&histogram.distances, LIMIT);

        let mut bits = BitWriter::new(out);
        huffman::write_header(&mut bits, &literals, &distances, piece == Piece::Last);
        let table = std::array::from_fn(|symbol| {
            u32::from(literals.codes[symbol]) << 8 | u32::from(literals.lengths[symbol])
        });
        let mut emitter = Emitter { bits, table, literals: &literals, distances: &distances };
        self.play(bytes, pixel, reach, &mut emitter);
        let mut bits = emitter.bits;
        literals.put(&mut bits, END);
        bits.flush();
        if piece == Piece::Inner {
            // An empty stored block ends on a byte.
            bits.put(0, 3);
            bits.align();
            bits.put(0xFFFF_0000, 32);
            bits.flush();
        }
        bits.finish()
    }

    /// The number of bits that `bytes` would about take, without the header.
    pub(crate) fn estimate(&mut self, bytes: &[u8], pixel: usize, reach: Reach) -> f64 {
        let mut histogram = Histogram::default();
        self.split(bytes, reach);
        self.play(bytes, pixel, reach, &mut histogram);
        let distances = entropy(&histogram.distances);
        entropy(&histogram.symbols()) + distances + f64::from(histogram.extra_bits)
    }

    fn split(&mut self, bytes: &[u8], reach: Reach) {
        if reach == Reach::Window {
            self.matcher.split(bytes, &mut self.sequences);
        }
    }

    /// Gives the parts of what was split to `sink`.
    fn play(&self, bytes: &[u8], pixel: usize, reach: Reach, sink: &mut impl Sink) {
        match reach {
            Reach::Runs => scan_runs(bytes, pixel, sink),
            Reach::Window => {
                let mut rest = bytes;
                for sequence in &self.sequences {
                    let (literals, tail) = rest.split_at(sequence.literals as usize);
                    let (fours, few) = literals.as_chunks::<4>();
                    fours.iter().for_each(|four| sink.four(four));
                    few.iter().for_each(|&byte| sink.one(byte));
                    if sequence.length > 0 {
                        sink.matched(sequence.length.into(), sequence.distance.into());
                    }
                    rest = &tail[sequence.length.into()..];
                }
            }
        }
    }
}

impl Compressor {
    /// Compresses `bytes` as a whole stream of zlib (RFC 1950) into `out`.
    pub(crate) fn zlib(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let reach = self.choose(bytes);
        self.zlib_by(bytes, reach, out);
    }

    /// Compresses `bytes` as a whole stream of zlib into `out` if that is smaller, and tells whether it is. Only runs are looked
    /// for, and noise is not even tried: for bytes that come as fast as they can be written.
    pub(crate) fn zlib_if_smaller(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> bool {
        let sample = middle(bytes);
        if self.estimate(sample, 1, Reach::Runs) > 7.8 * sample.len() as f64 {
            return false;
        }
        self.zlib_by(bytes, Reach::Runs, out);
        out.len() < bytes.len()
    }

    /// `bytes` as a file of gzip (RFC 1952).
    pub(crate) fn gzip(&mut self, bytes: &[u8]) -> Vec<u8> {
        // Deflate, no name, no time, no system.
        let mut out = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF];
        let start = out.len();
        out.resize(start + bound(bytes.len()), 0);
        let reach = self.choose(bytes);
        let length = self.compress(bytes, 1, reach, Piece::Last, &mut out[start..]);
        out.truncate(start + length);
        out.extend(crc32fast::hash(bytes).to_le_bytes());
        out.extend((bytes.len() as u32).to_le_bytes());
        out
    }

    /// Where to look for matches.
    fn choose(&mut self, bytes: &[u8]) -> Reach {
        let sample = middle(bytes);
        let by_runs = self.estimate(sample, 1, Reach::Runs);
        let by_window = self.estimate(sample, 1, Reach::Window);
        if by_window < 0.98 * by_runs { Reach::Window } else { Reach::Runs }
    }

    fn zlib_by(&mut self, bytes: &[u8], reach: Reach, out: &mut Vec<u8>) {
        out.resize(2 + bound(bytes.len()), 0);
        out[..2].copy_from_slice(&ZLIB_HEADER);
        let length = self.compress(bytes, 1, reach, Piece::Last, &mut out[2..]);
        out.truncate(2 + length);
        out.extend(simd_adler32::adler32(&bytes).to_be_bytes());
    }
}

/// A sample of bytes by which a choice is made.
fn middle(bytes: &[u8]) -> &[u8] {
    &bytes[bytes.len() / 2..][..(bytes.len() / 2).min(1 << 14)]
}

/// Bits that symbols take which occur `counts` times, at best.
fn entropy(counts: &[u32]) -> f64 {
    let total = f64::from(counts.iter().sum::<u32>());
    let occurring = counts.iter().filter(|&&count| count > 0).map(|&count| f64::from(count));
    let nats: f64 = occurring.map(|count| count * math::ln(total / count)).sum();
    nats / std::f64::consts::LN_2
}

/// What is done with the parts of a piece.
trait Sink {
    fn four(&mut self, bytes: &[u8; 4]);
    fn one(&mut self, byte: u8);
    /// 3 ..= 258 bytes that were `distance` bytes earlier.
    fn matched(&mut self, length: usize, distance: usize);
}

/// Splits `bytes` into literals and runs of a pixel; the same split each time.
fn scan_runs(bytes: &[u8], pixel: usize, sink: &mut impl Sink) {
    let mut at = pixel.min(bytes.len());
    bytes[..at].iter().for_each(|&byte| sink.one(byte));
    while let Some(eight) = bytes[at..].first_chunk::<8>() {
        let before = bytes[at - pixel..].first_chunk::<8>().expect("there are eight later on");
        if eight == before {
            let mut length = repeated(&bytes[at..], &bytes[at - pixel..]);
            at += length;
            while length >= 3 {
                // Leave no rest of one or two.
                let part = if length > LONGEST { LONGEST.min(length - 3) } else { length };
                sink.matched(part, pixel);
                length -= part;
            }
            continue;
        }
        let (fours, _) = eight.as_chunks::<4>();
        fours.iter().for_each(|four| sink.four(four));
        at += 8;
    }
    bytes[at..].iter().for_each(|&byte| sink.one(byte));
}

/// How many bytes of `bytes` equal those of `before`.
fn repeated(bytes: &[u8], before: &[u8]) -> usize {
    let (words, words_before) = (bytes.chunks_exact(8), before.chunks_exact(8));
    let whole = 8 * words.zip(words_before).take_while(|(word, before)| word == before).count();
    let tail = bytes[whole..].iter().zip(&before[whole..]);
    whole + tail.take_while(|(byte, before)| byte == before).count()
}

/// Counts symbols, in four tables so that equal neighbours do not wait for each other.
struct Histogram {
    literals: [[u32; 256]; 4],
    lengths: [u32; 29],
    distances: [u32; 30],
    /// Bits for what the symbols of matches leave open.
    extra_bits: u32,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { literals: [[0; 256]; 4], lengths: [0; 29], distances: [0; 30], extra_bits: 0 }
    }
}

impl Histogram {
    fn symbols(&self) -> Vec<u32> {
        let mut counts: Vec<u32> =
            (0..256).map(|byte| self.literals.iter().map(|table| table[byte]).sum()).collect();
        counts.push(1);
        counts.extend(self.lengths);
        counts
    }
}

impl Sink for Histogram {
    #[inline]
    fn four(&mut self, bytes: &[u8; 4]) {
        for lane in 0..4 {
            self.literals[lane][usize::from(bytes[lane])] += 1;
        }
    }

    #[inline]
    fn one(&mut self, byte: u8) {
        self.literals[0][usize::from(byte)] += 1;
    }

    #[inline]
    fn matched(&mut self, length: usize, distance: usize) {
        let (symbol, _, length_bits) = length_symbol(length);
        self.lengths[symbol - END - 1] += 1;
        let (symbol, _, distance_bits) = distance_symbol(distance);
        self.distances[symbol] += 1;
        self.extra_bits += length_bits + distance_bits;
    }
}

struct Emitter<'a> {
    bits: BitWriter<'a>,
    /// Code and length of each literal in one word.
    table: [u32; 256],
    literals: &'a Code,
    distances: &'a Code,
}

impl Sink for Emitter<'_> {
    #[inline]
    fn four(&mut self, bytes: &[u8; 4]) {
        for &byte in bytes {
            let entry = self.table[usize::from(byte)];
            self.bits.put(u64::from(entry >> 8), entry & 0xFF);
        }
        self.bits.flush();
    }

    #[inline]
    fn one(&mut self, byte: u8) {
        let entry = self.table[usize::from(byte)];
        self.bits.put(u64::from(entry >> 8), entry & 0xFF);
        self.bits.flush();
    }

    #[inline]
    fn matched(&mut self, length: usize, distance: usize) {
        let (symbol, extra, extra_bits) = length_symbol(length);
        self.literals.put(&mut self.bits, symbol);
        self.bits.put(extra, extra_bits);
        let (symbol, extra, extra_bits) = distance_symbol(distance);
        self.distances.put(&mut self.bits, symbol);
        self.bits.put(extra, extra_bits);
        self.bits.flush();
    }
}

/// The symbol for a length, its extra value and the number of extra bits.
#[inline]
fn length_symbol(length: usize) -> (usize, u64, u32) {
    if length == LONGEST {
        return (285, 0, 0);
    }
    let over = length - 3;
    if over < 8 {
        return (257 + over, 0, 0);
    }
    // From 11 on there are four symbols for each doubling.
    let extra_bits = over.ilog2() - 2;
    let symbol = 257 + 4 * extra_bits as usize + (over >> extra_bits);
    (symbol, (over & ((1 << extra_bits) - 1)) as u64, extra_bits)
}

/// The symbol for a distance, its extra value and the number of extra bits.
#[inline]
fn distance_symbol(distance: usize) -> (usize, u64, u32) {
    let over = distance - 1;
    if over < 4 {
        return (over, 0, 0);
    }
    // From 5 on there are two symbols for each doubling.
    let extra_bits = over.ilog2() - 1;
    let symbol = 2 * extra_bits as usize + (over >> extra_bits);
    (symbol, (over & ((1 << extra_bits) - 1)) as u64, extra_bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_the_symbols_of_the_rfc() {
        assert_eq!(length_symbol(3), (257, 0, 0));
        assert_eq!(length_symbol(10), (264, 0, 0));
        assert_eq!(length_symbol(11), (265, 0, 1));
        assert_eq!(length_symbol(18), (268, 1, 1));
        assert_eq!(length_symbol(19), (269, 0, 2));
        assert_eq!(length_symbol(257), (284, 30, 5));
        assert_eq!(length_symbol(258), (285, 0, 0));
    }

    #[test]
    fn distances_have_the_symbols_of_the_rfc() {
        assert_eq!(distance_symbol(1), (0, 0, 0));
        assert_eq!(distance_symbol(4), (3, 0, 0));
        assert_eq!(distance_symbol(6), (4, 1, 1));
        assert_eq!(distance_symbol(7), (5, 0, 1));
        assert_eq!(distance_symbol(24577), (29, 0, 13));
        assert_eq!(distance_symbol(32768), (29, 8191, 13));
    }

    #[test]
    fn a_zlib_stream_is_whole() {
        for length in [0, 1, 100, 100_000] {
            let bytes: Vec<u8> = (0..length).map(|k: usize| (k * k / 700) as u8).collect();
            let mut out = Vec::new();
            Compressor::default().zlib(&bytes, &mut out);
            assert_eq!(fdeflate::decompress_to_vec(&out).unwrap(), bytes);
        }
    }

    #[test]
    fn long_runs_take_almost_nothing() {
        let bytes = vec![0; 1 << 20];
        let mut out = vec![0; bound(bytes.len())];
        for reach in [Reach::Runs, Reach::Window] {
            let length = Compressor::default().compress(&bytes, 1, reach, Piece::Last, &mut out);
            assert!(length < bytes.len() / 500, "{length}");
        }
    }
}
