//! Any bytes as a chunk of samples, and any samples as a chunk that reads back bit for bit.
#![no_main]

#[path = "../../crates/landform-io/src/store/blosc.rs"]
#[allow(dead_code, reason = "the reader of stores needs more")]
mod blosc;
#[allow(dead_code, reason = "shared with PNG and TIFF")]
#[path = "../../crates/landform-io/src/deflate/mod.rs"]
mod deflate;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for count in [1, 16, 127, 128, 256, 1024] {
        let _ = blosc::decode(bytes, &mut vec![0.0; count]);
    }
    let sample = |four: &[u8; 4]| f32::from_bits(u32::from_le_bytes(*four));
    let samples: Vec<f32> = bytes.as_chunks::<4>().0.iter().map(sample).collect();
    let mut back = vec![0.0; samples.len()];
    blosc::decode(&blosc::encode(&samples), &mut back).expect("it was just encoded");
    assert!(samples.iter().zip(&back).all(|(a, b)| a.to_bits() == b.to_bits()));
});
