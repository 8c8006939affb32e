//! Pictures that we encode, read by the `png` crate.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod shared;

use std::io::Cursor;

use landform::Seed;
use landform_io::{Format, ReadOptions, WriteOptions, png as own, read};
use png::{BitDepth, ColorType};
use proptest::prelude::*;
use shared::{heights, rough};

fn decoded(bytes: &[u8]) -> (png::OutputInfo, Vec<u8>) {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.ignore_checksums(false);
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    reader.finish().unwrap();
    (info, pixels)
}

/// Bytes with runs, slopes and noise, so that all filters and codes are met.
fn mixed(length: usize, seed: u64) -> Vec<u8> {
    let seed = Seed::new(seed);
    let mut bytes = Vec::with_capacity(length);
    let mut k = 0;
    while bytes.len() < length {
        let kind = seed.below(k, 4);
        let run = seed.below(k + 1, 1200) as usize;
        let start = seed.bits(k + 2) as u8;
        bytes.extend((0..run).map(|n| match kind {
            0 => start,
            1 => start.wrapping_add(n as u8),
            2 => seed.bits(k + 3 + n as u64) as u8,
            _ => start ^ (n / 300) as u8,
        }));
        k += 2000;
    }
    bytes.truncate(length);
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn pictures_decode_to_their_pixels(seed: u64, width in 1_usize..700, height in 1_usize..40) {
        let bytes = mixed(width * height * 4, seed);
        let count = width * height;
        let mut out = Vec::new();
        own::encode_rgba8(width, bytes.as_chunks::<4>().0, &mut out).unwrap();
        let (info, pixels) = decoded(&out);
        prop_assert_eq!((info.color_type, info.bit_depth), (ColorType::Rgba, BitDepth::Eight));
        prop_assert!(pixels == bytes);

        out.clear();
        own::encode_rgb8(width, &bytes.as_chunks::<3>().0[..count], &mut out).unwrap();
        let (info, pixels) = decoded(&out);
        prop_assert_eq!((info.width as usize, info.height as usize), (width, height));
        prop_assert!(pixels == bytes[..3 * count]);

        out.clear();
        let levels: Vec<u16> = bytes.chunks_exact(2).take(count).map(|b| u16::from_be_bytes([b[0], b[1]])).collect();
        own::encode_gray16(width, &levels, &[("Title", "test".to_owned())], &mut out).unwrap();
        prop_assert!(decoded(&out).1 == bytes[..2 * count]);

        out.clear();
        own::encode_gray8(width, &bytes[..count], &mut out).unwrap();
        prop_assert!(decoded(&out).1 == bytes[..count]);
    }
}

#[test]
fn many_strips_join_to_one_picture() {
    // 700 rows of 1500 pixels are 17 strips, more than one batch.
    let bytes = mixed(1500 * 700 * 4, 9);
    let mut out = Vec::new();
    own::encode_rgba8(1500, bytes.as_chunks::<4>().0, &mut out).unwrap();
    assert!(decoded(&out).1 == bytes);
}

#[test]
fn flat_water_takes_almost_no_room() {
    let mut out = Vec::new();
    own::encode_rgb8(2048, &vec![[20, 60, 120]; 2048 * 2048], &mut out).unwrap();
    assert!(out.len() < 2048 * 2048 * 3 / 400, "{}", out.len());
}

#[test]
fn a_width_that_does_not_divide_is_refused() {
    for (width, count) in [(0, 0), (0, 4), (3, 0), (3, 4)] {
        assert!(own::encode_gray8(width, &vec![0; count], &mut Vec::new()).is_err());
    }
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_threads() {
    let grid = rough(900, 700, 4);
    let encode = || {
        let mut bytes = Vec::new();
        Format::Png.write(&heights(&grid), &mut bytes, &WriteOptions::default()).unwrap();
        bytes
    };
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(encode);
    let seven = rayon::ThreadPoolBuilder::new().num_threads(7).build().unwrap().install(encode);
    assert!(one == seven);
}

/// A picture as another program may write it.
fn foreign(colour: ColorType, depth: BitDepth, pixels: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, 2, 1);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    if colour == ColorType::Indexed {
        encoder.set_palette(vec![0, 0, 0, 255, 255, 255]);
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(pixels).unwrap();
    writer.finish().unwrap();
    out
}

#[test]
fn grey_of_any_kind_is_read_and_its_precision_told() {
    use BitDepth::{Eight, Four, One, Sixteen};
    use ColorType::{Grayscale, GrayscaleAlpha, Indexed, Rgb, Rgba};
    let cases: [(ColorType, BitDepth, &[u8], u32); 8] = [
        (Grayscale, Sixteen, &[0, 0, 255, 255], 16),
        (Grayscale, Eight, &[0, 255], 8),
        (Grayscale, Four, &[0x0f], 4),
        (Grayscale, One, &[0b0100_0000], 1),
        (GrayscaleAlpha, Eight, &[0, 7, 255, 0], 8),
        (Rgb, Eight, &[0, 0, 0, 255, 255, 255], 8),
        (Rgba, Eight, &[0, 0, 0, 1, 255, 255, 255, 2], 8),
        (Indexed, One, &[0b0100_0000], 8),
    ];
    for (colour, depth, pixels, bits) in cases {
        let map =
            read(&foreign(colour, depth, pixels), Format::Png, &ReadOptions::default()).unwrap();
        assert_eq!(map.heights.samples(), [0.0, 1000.0], "{colour:?} {depth:?}");
        assert_eq!(map.levels.unwrap().bits, bits, "{colour:?} {depth:?}");
        assert_eq!(map.scale_from, landform_io::Source::Assumed);
    }
    let coloured = foreign(Rgb, Eight, &[0, 0, 0, 255, 0, 255]);
    let error = read(&coloured, Format::Png, &ReadOptions::default()).unwrap_err().to_string();
    assert!(
        error.contains("found a coloured pixel (255, 0, 255), expected a greyscale"),
        "{error}"
    );
}
