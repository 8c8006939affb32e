//! A quick search for matches in the last 32 KiB.
//!
//! Smooth slopes repeat short patterns of steps, which one code for all bytes of a strip cannot tell apart from
//! those of other slopes; matches can. The last two places where the next four bytes began are tried and
//! the longer match is taken at once: half as good as a patient search, and many times quicker.

/// Distance beyond which deflate cannot look back.
const WINDOW: usize = 1 << 15;
/// Shortest match that is looked for.
const SHORTEST: usize = 4;
/// Longest match that deflate has.
const LONGEST: usize = 258;
const BUCKET_BITS: u32 = 13;

/// Some bytes as they are, then a match; `length` 0 stands for no match, at the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sequence {
    pub(super) literals: u32,
    pub(super) length: u16,
    pub(super) distance: u16,
}

/// The last two places of each kind of four bytes, as places plus one; 0 is none.
#[derive(Clone, Debug)]
pub(super) struct Matcher {
    buckets: Vec<[u32; 2]>,
}

impl Default for Matcher {
    fn default() -> Self {
        Self { buckets: vec![[0; 2]; 1 << BUCKET_BITS] }
    }
}

impl Matcher {
    /// Splits `bytes`, fewer than 2³², into `sequences`.
    pub(super) fn split(&mut self, bytes: &[u8], sequences: &mut Vec<Sequence>) {
        sequences.clear();
        self.buckets.fill([0; 2]);
        let (mut at, mut literals) = (0, 0);
        while let Some(next) = bytes[at..].first_chunk::<SHORTEST>() {
            let places = self.note(next, at);
            let (length, place) = longest(bytes, at, places);
            if length == 0 {
                at += 1;
                literals += 1;
                continue;
            }
            let distance = (at - place) as u16;
            sequences.push(Sequence { literals, length: length as u16, distance });
            literals = 0;
            let end = at + length;
            at += 1;
            while at < end
                && let Some(next) = bytes[at..].first_chunk::<SHORTEST>()
            {
                self.note(next, at);
                at += 1;
            }
            at = end;
        }
        literals += (bytes.len() - at) as u32;
        sequences.push(Sequence { literals, length: 0, distance: 0 });
    }

    /// Remembers that `next` begins at `at`, and tells where it did before.
    #[inline]
    fn note(&mut self, next: &[u8; SHORTEST], at: usize) -> [u32; 2] {
        // Multiplicative hashing by 2³² over the golden ratio.
        let hash = u32::from_le_bytes(*next).wrapping_mul(0x9E37_79B1) >> (32 - BUCKET_BITS);
        let bucket = &mut self.buckets[hash as usize];
        let before = *bucket;
        *bucket = [at as u32 + 1, before[0]];
        before
    }
}

/// The longest match at `at` with one of `places`; length 0 if there is none.
#[inline]
fn longest(bytes: &[u8], at: usize, places: [u32; 2]) -> (usize, usize) {
    let mut best = (0, 0);
    for place in places {
        let Some(place) = (place as usize).checked_sub(1) else { break };
        if at - place >= WINDOW {
            break;
        }
        let length = common(&bytes[place..], &bytes[at..]);
        if length >= SHORTEST && length > best.0 {
            best = (length, place);
        }
    }
    best
}

/// How many bytes, at most [`LONGEST`], the two begin with alike.
#[inline]
fn common(earlier: &[u8], later: &[u8]) -> usize {
    let later = &later[..later.len().min(LONGEST)];
    let mut length = 0;
    while let (Some(a), Some(b)) =
        (earlier[length..].first_chunk::<8>(), later[length..].first_chunk::<8>())
    {
        let differing = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if differing != 0 {
            return length + differing.trailing_zeros() as usize / 8;
        }
        length += 8;
    }
    let tail = earlier[length..].iter().zip(&later[length..]);
    length + tail.take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rebuilt(bytes: &[u8]) -> (Vec<u8>, usize) {
        let mut sequences = Vec::new();
        Matcher::default().split(bytes, &mut sequences);
        let (mut back, mut at) = (Vec::new(), 0);
        for sequence in &sequences {
            back.extend(&bytes[at..at + sequence.literals as usize]);
            for _ in 0..sequence.length {
                back.push(back[back.len() - usize::from(sequence.distance)]);
            }
            at = back.len();
        }
        (back, sequences.len())
    }

    #[test]
    fn literals_and_matches_put_the_bytes_back() {
        for length in [0, 1, 3, 4, 5, 300, 70_000] {
            let flat = vec![7; length];
            assert_eq!(rebuilt(&flat).0, flat);
            let pattern: Vec<u8> = (0..length).map(|k| (k * k / 900 % 7) as u8).collect();
            let (back, sequences) = rebuilt(&pattern);
            assert_eq!(back, pattern);
            assert!(length < 1000 || sequences < length / 8, "{sequences}");
        }
    }
}
