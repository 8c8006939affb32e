//! Any bytes as a tile of SRTM, under any name, as they are and repeated to the length of one.
#![no_main]

use std::path::Path;

use landform_io::{Format, ReadOptions, hgt, read};
use landform_project::{Memory, Reading, read_heightmap};
use libfuzzer_sys::fuzz_target;

const LENGTH: usize = 2 * 1201 * 1201;

fuzz_target!(|bytes: &[u8]| {
    let _ = read(bytes, Format::Hgt, &ReadOptions::default());
    let Some((name, rest)) = bytes.split_first_chunk::<7>() else { return };
    let Ok(name) = std::str::from_utf8(name) else { return };
    let corner = hgt::corner_of(name);
    if corner.is_none() || rest.is_empty() {
        return;
    }
    let tile: Vec<u8> = rest.iter().copied().cycle().take(LENGTH).collect();
    let name = format!("{name}.hgt");
    let files = Memory([(name.clone(), tile)].into());
    let map = read_heightmap(&files, Path::new(&name), &Reading::default());
    let map = map.expect("a tile of the right length");
    assert!(map.spacing.iter().all(|&step| step > 0.0 && step.is_finite()), "{name}");
    assert!(map.place.is_some_and(|place| place.is_sound()), "{name}");
    let levels = rest.iter().copied().cycle().take(2).collect::<Vec<_>>();
    let first = f32::from(i16::from_be_bytes([levels[0], levels[1]]));
    let height = map.heights[(0, 0)];
    assert!(height == first || first == -32768.0 && height.is_nan());
});
