//! Bits into bytes, first bit lowest.

/// Collects bits in a word and writes whole bytes of it to a buffer that is long enough.
#[derive(Debug)]
pub(super) struct BitWriter<'a> {
    out: &'a mut [u8],
    at: usize,
    word: u64,
    count: u32,
}

impl<'a> BitWriter<'a> {
    /// Writes to `out` from its start; it needs 8 bytes more than will be used.
    pub(super) fn new(out: &'a mut [u8]) -> Self {
        Self { out, at: 0, word: 0, count: 0 }
    }

    /// Adds the `count` lowest bits. At most 56 between two [flushes](Self::flush).
    #[inline]
    pub(super) fn put(&mut self, bits: u64, count: u32) {
        debug_assert!(self.count + count < 64 && bits >> count == 0);
        self.word |= bits << self.count;
        self.count += count;
    }

    /// Writes the whole bytes.
    #[inline]
    pub(super) fn flush(&mut self) {
        // All eight bytes are written, those beyond the whole ones again later: it saves a loop.
        self.out[self.at..self.at + 8].copy_from_slice(&self.word.to_le_bytes());
        let bytes = self.count / 8;
        self.at += bytes as usize;
        self.word >>= 8 * bytes;
        self.count %= 8;
    }

    /// Fills the last byte with zeros and tells how many bytes there are.
    pub(super) fn finish(mut self) -> usize {
        self.count = self.count.next_multiple_of(8);
        self.flush();
        self.at
    }

    /// Fills the last byte with zeros.
    pub(super) fn align(&mut self) {
        self.count = self.count.next_multiple_of(8);
        self.flush();
    }
}
