//! Any bytes as an ASC: an error or a heightmap, never a crash.
#![no_main]

use landform_io::{Format, Limits, ReadOptions, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { max_samples: 1 << 20 };
    if let Ok(map) = read(bytes, Format::Asc, &ReadOptions { limits, ..ReadOptions::default() }) {
        assert!(map.heights.samples().len() as u64 <= limits.max_samples);
    }
});
