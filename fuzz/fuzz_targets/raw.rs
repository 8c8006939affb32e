//! Any bytes as samples without a header, the first twelve as the options they are read with.
#![no_main]

use landform_io::{Endian, Format, ReadOptions, RowOrder, Scale, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((head, samples)) = bytes.split_first_chunk::<12>() else { return };
    let number = |k: usize| u32::from_le_bytes([head[k], head[k + 1], head[k + 2], head[k + 3]]);
    let is_set = |bit: u32| head[8] >> bit & 1 == 1;
    let range = [f64::from(f32::from_bits(number(0))), f64::from(f32::from_bits(number(4)))];
    let given = Scale {
        size: is_set(0).then(|| [number(0) >> 16, number(4) >> 16]),
        spacing: is_set(1).then_some(range),
        range: is_set(2).then_some(range),
    };
    let endian = if is_set(3) { Endian::Big } else { Endian::Little };
    let rows = if is_set(4) { RowOrder::SouthFirst } else { RowOrder::NorthFirst };
    let options = ReadOptions { given, endian, rows, ..ReadOptions::default() };
    for format in [Format::R16, Format::R32] {
        if let Ok(map) = read(samples, format, &options) {
            assert!(map.heights.samples().len() <= samples.len());
        }
    }
});
