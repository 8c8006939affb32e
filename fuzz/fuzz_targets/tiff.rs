//! Any bytes as a TIFF: an error or a heightmap, as a whole and by windows of each level, never a crash.
#![no_main]

use std::io::Cursor;

use landform_io::tiff::Pyramid;
use landform_io::{Format, Limits, ReadOptions, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { max_samples: 1 << 20 };
    if let Ok(map) = read(bytes, Format::Tiff, &ReadOptions { limits, ..ReadOptions::default() }) {
        assert!(map.heights.samples().len() as u64 <= limits.max_samples);
    }
    if let Ok(mut pyramid) = Pyramid::open(Cursor::new(bytes)) {
        for (level, [width, height]) in pyramid.sizes().collect::<Vec<_>>().into_iter().enumerate()
        {
            let (w, h) = (width.min(64), height.min(64));
            for window in [[0, 0, w, h], [width - w, height - h, w, h]] {
                if let Ok(grid) = pyramid.read(level, window) {
                    assert_eq!((grid.width(), grid.height()), (w as usize, h as usize));
                }
            }
        }
    }
});
