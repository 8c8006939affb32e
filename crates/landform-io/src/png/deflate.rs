//! Deflate with prefix codes and runs, but without a search for other matches.
//!
//! Filtered terrain has no repeats worth finding: a search buys about one per cent of size for nine tenths of
//! the time. What it does have is flat water, which is runs of one byte. So runs are written as matches at
//! distance 1, looked for at every eighth byte, and all else as literals.
//!
//! Source: RFC 1951. Pieces end on a byte, so that they can be made side by side and joined.

use super::bits::BitWriter;
use super::huffman::{self, Code};

/// The symbol that ends a block.
const END: usize = 256;
/// Longest code: four of them and what a flush leaves fit a word.
const LIMIT: usize = 14;
/// Longest run that one match stands for.
const LONGEST: usize = 258;

/// Whether more pieces follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Inner,
    Last,
}

/// The largest number of bytes that `length` bytes can become, and what the writer needs beyond.
pub(super) fn bound(length: usize) -> usize {
    length * LIMIT / 8 + 1024
}

/// Compresses `bytes` to the front of `out`, which has at least [`bound`] bytes, and tells how many it took.
pub(super) fn compress(bytes: &[u8], piece: Piece, out: &mut [u8]) -> usize {
    let mut histogram = Histogram::default();
    scan(bytes, &mut histogram);
    let literals = Code::for_counts(&histogram.counts(), LIMIT);
    // Both distances always have a code of one bit, which is complete whether used or not.
    let distances = Code::for_counts(&[1, 1], 1);

    let mut bits = BitWriter::new(out);
    huffman::write_header(&mut bits, &literals, &distances, piece == Piece::Last);
    let table = std::array::from_fn(|symbol| {
        u32::from(literals.codes[symbol]) << 8 | u32::from(literals.lengths[symbol])
    });
    let mut emitter = Emitter { bits, table, literals: &literals };
    scan(bytes, &mut emitter);
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

/// What is done with the parts of a piece.
trait Sink {
    fn eight(&mut self, bytes: &[u8; 8]);
    fn one(&mut self, byte: u8);
    /// A run of 3 ..= 258 bytes equal to the one before.
    fn run(&mut self, length: usize);
}

/// Splits `bytes` into literals and runs; the same split each time.
fn scan(bytes: &[u8], sink: &mut impl Sink) {
    let Some((&first, _)) = bytes.split_first() else { return };
    sink.one(first);
    let mut at = 1;
    while let Some(eight) = bytes[at..].first_chunk::<8>() {
        let before = bytes[at - 1];
        if *eight != [before; 8] {
            sink.eight(eight);
            at += 8;
            continue;
        }
        let rest = &bytes[at..];
        let words = rest.chunks_exact(8).take_while(|word| *word == [before; 8]).count();
        let tail = rest[8 * words..].iter().take_while(|&&byte| byte == before).count();
        let mut length = 8 * words + tail;
        at += length;
        while length >= 3 {
            // Leave no rest of one or two.
            let part = if length > LONGEST { LONGEST.min(length - 3) } else { length };
            sink.run(part);
            length -= part;
        }
    }
    bytes[at..].iter().for_each(|&byte| sink.one(byte));
}

/// Counts symbols, in four tables so that equal neighbours do not wait for each other.
struct Histogram {
    literals: [[u32; 256]; 4],
    runs: [u32; 29],
}

impl Default for Histogram {
    fn default() -> Self {
        Self { literals: [[0; 256]; 4], runs: [0; 29] }
    }
}

impl Histogram {
    fn counts(&self) -> Vec<u32> {
        let mut counts: Vec<u32> =
            (0..256).map(|byte| self.literals.iter().map(|table| table[byte]).sum()).collect();
        counts.push(1);
        counts.extend(self.runs);
        counts
    }
}

impl Sink for Histogram {
    #[inline]
    fn eight(&mut self, bytes: &[u8; 8]) {
        for lane in 0..4 {
            self.literals[lane][usize::from(bytes[lane])] += 1;
            self.literals[lane][usize::from(bytes[lane + 4])] += 1;
        }
    }

    fn one(&mut self, byte: u8) {
        self.literals[0][usize::from(byte)] += 1;
    }

    fn run(&mut self, length: usize) {
        self.runs[run_symbol(length).0 - END - 1] += 1;
    }
}

struct Emitter<'a> {
    bits: BitWriter<'a>,
    /// Code and length of each literal in one word.
    table: [u32; 256],
    literals: &'a Code,
}

impl Sink for Emitter<'_> {
    #[inline]
    fn eight(&mut self, bytes: &[u8; 8]) {
        for four in [&bytes[..4], &bytes[4..]] {
            for &byte in four {
                let entry = self.table[usize::from(byte)];
                self.bits.put(u64::from(entry >> 8), entry & 0xFF);
            }
            self.bits.flush();
        }
    }

    fn one(&mut self, byte: u8) {
        self.literals.put(&mut self.bits, usize::from(byte));
        self.bits.flush();
    }

    fn run(&mut self, length: usize) {
        let (symbol, extra, extra_bits) = run_symbol(length);
        self.literals.put(&mut self.bits, symbol);
        self.bits.put(extra, extra_bits);
        // Distance 1 is symbol 0, whose code is a single 0.
        self.bits.put(0, 1);
        self.bits.flush();
    }
}

/// The symbol for a length, its extra value and the number of extra bits.
fn run_symbol(length: usize) -> (usize, u64, u32) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_the_symbols_of_the_rfc() {
        assert_eq!(run_symbol(3), (257, 0, 0));
        assert_eq!(run_symbol(10), (264, 0, 0));
        assert_eq!(run_symbol(11), (265, 0, 1));
        assert_eq!(run_symbol(18), (268, 1, 1));
        assert_eq!(run_symbol(19), (269, 0, 2));
        assert_eq!(run_symbol(257), (284, 30, 5));
        assert_eq!(run_symbol(258), (285, 0, 0));
    }

    #[test]
    fn long_runs_take_almost_nothing() {
        let bytes = vec![0; 1 << 20];
        let mut out = vec![0; bound(bytes.len())];
        let length = compress(&bytes, Piece::Last, &mut out);
        assert!(length < bytes.len() / 500, "{length}");
    }
}
