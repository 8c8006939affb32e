//! Prefix codes of limited length, and the block header of deflate that tells them.
//!
//! Sources: Huffman (1952), with two queues (van Leeuwen 1976); RFC 1951, sections 3.2.2 and 3.2.7.

use super::bits::BitWriter;

/// A code for the symbols 0 … n − 1: `lengths[s]` is 0 where symbol s does not occur.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) lengths: Vec<u8>,
    /// The bits of each code, as deflate writes them: first bit lowest.
    pub(super) codes: Vec<u16>,
}

impl Code {
    /// A code for symbols that occur `counts` times, no longer than `limit` bits.
    ///
    /// At least two symbols get a code, since a code with one is not complete.
    pub(super) fn for_counts(counts: &[u32], limit: usize) -> Self {
        let lengths = lengths(counts, limit);
        let mut next = [0_u16; 17];
        for &length in &lengths {
            next[usize::from(length) + 1] += u16::from(length > 0);
        }
        for length in 1..17 {
            next[length] = (next[length] + next[length - 1]) << 1;
        }
        let codes = lengths.iter().map(|&length| {
            if length == 0 {
                return 0;
            }
            let next = &mut next[usize::from(length)];
            let code = next.reverse_bits() >> (16 - length);
            *next = next.wrapping_add(1);
            code
        });
        let codes = codes.collect();
        Self { lengths, codes }
    }

    #[inline]
    pub(super) fn put(&self, bits: &mut BitWriter<'_>, symbol: usize) {
        bits.put(u64::from(self.codes[symbol]), u32::from(self.lengths[symbol]));
    }
}

/// The lengths of an optimal code, cut to `limit` bits where it is longer.
fn lengths(counts: &[u32], limit: usize) -> Vec<u8> {
    let mut symbols: Vec<usize> = (0..counts.len()).filter(|&s| counts[s] > 0).collect();
    for symbol in 0..counts.len() {
        if symbols.len() < 2 && !symbols.contains(&symbol) {
            symbols.push(symbol);
        }
    }
    symbols.sort_by_key(|&symbol| (counts[symbol], symbol));
    let weights: Vec<u64> = symbols.iter().map(|&symbol| u64::from(counts[symbol])).collect();
    let mut per_length = leaves_per_depth(&weights, limit);

    // Codes cut short have taken more than there is (Kraft's sum is above 1): give back one leaf of
    // the last level at a time by hanging it under the deepest leaf above.
    let mut taken: u64 = (1..=limit).map(|length| per_length[length] << (limit - length)).sum();
    while taken > 1 << limit {
        per_length[limit] -= 1;
        let above = (1..limit).rev().find(|&length| per_length[length] > 0);
        let above = above.expect("fewer than 2^limit symbols leave room on a higher level");
        per_length[above] -= 1;
        per_length[above + 1] += 2;
        taken -= 1;
    }

    // The rarest symbols get the longest codes.
    let mut lengths = vec![0; counts.len()];
    let mut rarest_first = symbols.into_iter();
    for length in (1..=limit).rev() {
        for symbol in rarest_first.by_ref().take(per_length[length] as usize) {
            lengths[symbol] = length as u8;
        }
    }
    lengths
}

/// How many leaves the Huffman tree of `weights` (ascending) has at each depth, all deeper than `limit`
/// counted at `limit`.
fn leaves_per_depth(weights: &[u64], limit: usize) -> Vec<u64> {
    let n = weights.len();
    // Nodes 0 … n − 1 are leaves, the others inner nodes in the order they are made, which is ascending.
    let mut weight = weights.to_vec();
    let mut parent = vec![0; 2 * n - 1];
    let (mut leaf, mut inner) = (0, n);
    for made in n..2 * n - 1 {
        let mut take_lightest = || {
            let take_leaf = leaf < n && (inner >= made || weight[leaf] <= weight[inner]);
            let place = if take_leaf { &mut leaf } else { &mut inner };
            *place += 1;
            *place - 1
        };
        let (first, second) = (take_lightest(), take_lightest());
        parent[first] = made;
        parent[second] = made;
        weight.push(weight[first] + weight[second]);
    }
    let mut depth = vec![0_usize; 2 * n - 1];
    let mut per_depth = vec![0; limit + 1];
    for node in (0..2 * n - 2).rev() {
        depth[node] = depth[parent[node]] + 1;
        if node < n {
            per_depth[depth[node].min(limit)] += 1;
        }
    }
    per_depth
}

/// Writes the header of a block with codes of its own.
pub(super) fn write_header(
    bits: &mut BitWriter<'_>,
    literals: &Code,
    distances: &Code,
    is_last: bool,
) {
    const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    let used = literals.lengths.iter().rposition(|&length| length > 0).map_or(0, |last| last + 1);
    let used = used.max(257);
    let mut lengths = literals.lengths[..used].to_vec();
    lengths.extend(&distances.lengths);
    let symbols = runs(&lengths);
    let mut counts = [0; 19];
    symbols.iter().for_each(|&(symbol, _, _)| counts[symbol] += 1);
    let code = Code::for_counts(&counts, 7);
    let told =
        ORDER.iter().rposition(|&symbol| code.lengths[symbol] > 0).map_or(0, |last| last + 1);
    let told = told.max(4);

    bits.put(u64::from(is_last), 1);
    bits.put(2, 2);
    bits.put(used as u64 - 257, 5);
    bits.put(distances.lengths.len() as u64 - 1, 5);
    bits.put(told as u64 - 4, 4);
    bits.flush();
    for &symbol in &ORDER[..told] {
        bits.put(u64::from(code.lengths[symbol]), 3);
        bits.flush();
    }
    for (symbol, extra, extra_bits) in symbols {
        code.put(bits, symbol);
        bits.put(extra, extra_bits);
        bits.flush();
    }
}

/// The lengths with their runs shortened: symbol, extra value, number of extra bits.
fn runs(lengths: &[u8]) -> Vec<(usize, u64, u32)> {
    let mut symbols = Vec::new();
    let mut at = 0;
    while at < lengths.len() {
        let length = lengths[at];
        let mut run = lengths[at..].iter().take_while(|&&next| next == length).count();
        at += run;
        if length > 0 {
            symbols.push((usize::from(length), 0, 0));
            run -= 1;
        }
        while run >= 3 {
            let (symbol, least, most, extra_bits) = match (length, run) {
                (0, 11..) => (18, 11, 138, 7),
                (0, _) => (17, 3, 10, 3),
                _ => (16, 3, 6, 2),
            };
            let taken = run.min(most);
            symbols.push((symbol, (taken - least) as u64, extra_bits));
            run -= taken;
        }
        symbols.extend(std::iter::repeat_n((usize::from(length), 0, 0), run));
    }
    symbols
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kraft(lengths: &[u8]) -> f64 {
        lengths
            .iter()
            .filter(|&&length| length > 0)
            .map(|&length| 0.5_f64.powi(length.into()))
            .sum()
    }

    #[test]
    fn common_symbols_have_short_codes() {
        let code = Code::for_counts(&[8, 1, 0, 2, 4, 1], 15);
        assert_eq!(code.lengths, [1, 4, 0, 3, 2, 4]);
        assert_eq!(code.codes, [0b0, 0b0111, 0, 0b011, 0b01, 0b1111]);
    }

    #[test]
    fn codes_are_complete_and_within_their_limit() {
        let fibonacci: Vec<u32> = (0..40)
            .scan((1, 1), |(a, b), _| {
                (*a, *b) = (*b, *a + *b);
                Some(*a)
            })
            .collect();
        for limit in [6, 7, 9, 14, 15] {
            let lengths = lengths(&fibonacci, limit);
            assert!(lengths.iter().all(|&length| usize::from(length) <= limit && length > 0));
            assert_eq!(kraft(&lengths), 1.0, "{limit}");
        }
        assert_eq!(kraft(&lengths(&[0, 0, 5, 0], 7)), 1.0);
        assert_eq!(kraft(&lengths(&[0, 0, 0, 0], 7)), 1.0);
    }
}
