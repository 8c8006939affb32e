//! Compressed blocks in formats whose table of blocks comes first.
//!
//! Where each block begins is known only when all are compressed. Rather than keep them, which would be a second
//! copy of the grid, they are made twice: once to be measured, once to be written.

use std::io::Write;

use landform::par;

use crate::Result;
use crate::deflate::Compressor;

/// Blocks that are made side by side.
const BATCH: usize = 16;

/// A block on its way, with buffers that serve many blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    /// The bytes before compression.
    pub(crate) raw: Vec<u8>,
    /// Another buffer, for what stands between.
    pub(crate) shuffled: Vec<u8>,
    /// The bytes as the file has them.
    pub(crate) out: Vec<u8>,
    pub(crate) compressor: Compressor,
}

/// Makes blocks 0 … `count` − 1 by `make` and gives the bytes of each, in order, to `take`.
pub(crate) fn for_each(
    count: usize,
    make: &(dyn Fn(usize, &mut Block) + Sync),
    mut take: impl FnMut(usize, &[u8]) -> Result<()>,
) -> Result<()> {
    let mut blocks = vec![Block::default(); count.min(BATCH)];
    for first in (0..count).step_by(BATCH) {
        let batch = &mut blocks[..(count - first).min(BATCH)];
        par::for_each_part(batch, 1, 1, |k, block| make(first + k, &mut block[0]));
        for (k, block) in batch.iter().enumerate() {
            take(first + k, &block.out)?;
        }
    }
    Ok(())
}

/// The lengths of all blocks.
pub(crate) fn lengths(count: usize, make: &(dyn Fn(usize, &mut Block) + Sync)) -> Result<Vec<u64>> {
    let mut lengths = Vec::with_capacity(count);
    for_each(count, make, |_, bytes| {
        lengths.push(bytes.len() as u64);
        Ok(())
    })?;
    Ok(lengths)
}

/// Writes all blocks one after the other.
pub(crate) fn write(
    count: usize,
    make: &(dyn Fn(usize, &mut Block) + Sync),
    out: &mut (impl Write + ?Sized),
) -> Result<()> {
    for_each(count, make, |_, bytes| Ok(out.write_all(bytes)?))
}
