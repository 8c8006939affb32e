//! Any bytes as a shard: its index, and the checksums of its chunks. The first byte says how many chunks there are, and whether
//! the checksum of the index is made right before.
#![no_main]

#[path = "../../crates/landform-io/src/store/shard.rs"]
mod shard;

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&head, bytes)) = bytes.split_first() else { return };
    let chunks = usize::from(head >> 1) % 17;
    let mut bytes = bytes.to_vec();
    let entries = bytes.len().checked_sub(16 * chunks + 4);
    if let Some(start) = entries.filter(|_| head & 1 == 1) {
        let end = bytes.len() - 4;
        let sum = shard::crc32c(&bytes[start..end]);
        bytes[end..].copy_from_slice(&sum.to_le_bytes());
    }
    let mut parts = vec![None; chunks];
    if let Ok((index, _)) = shard::index(&mut Cursor::new(&bytes), chunks) {
        assert_eq!(index.len(), chunks);
        for (part, (offset, length)) in
            parts.iter_mut().zip(index.into_iter().map(Option::unwrap_or_default))
        {
            let chunk = &bytes[offset as usize..][..length];
            *part = shard::checked(chunk).ok().map(<[u8]>::to_vec);
        }
    }
    // Whatever was found is found again.
    let joined = shard::join(&parts);
    let (index, _) = shard::index(&mut Cursor::new(&joined), chunks).expect("it was just joined");
    for (part, place) in parts.iter().zip(index) {
        let chunk = place.map(|(offset, length)| &joined[offset as usize..][..length]);
        assert_eq!(chunk.map(|chunk| shard::checked(chunk).expect("it is sound")), part.as_deref());
    }
});
