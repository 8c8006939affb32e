//! Readers meet files that were cut, changed or made up: they say so, and take no memory for what is not there.
#![allow(clippy::unwrap_used, reason = "a test may stop")]
#![expect(unsafe_code, reason = "an allocator is the only witness of how much memory is asked for")]

mod shared;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::OnceLock;

use landform_io::{Format, Limits, Manifest, ReadOptions, Scale, WriteOptions, read};
use proptest::prelude::*;
use shared::{rough, square};

/// Keeps the largest request of each thread.
struct Witness;

thread_local! {
    static LARGEST: Cell<usize> = const { Cell::new(0) };
}

fn witness(layout: Layout) {
    let _ = LARGEST.try_with(|largest| largest.set(largest.get().max(layout.size())));
}

// SAFETY: all requests go to the system's allocator as they came.
unsafe impl GlobalAlloc for Witness {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        witness(layout);
        // SAFETY: the caller keeps the contract of the trait.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        witness(layout);
        // SAFETY: the caller keeps the contract of the trait.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of the trait.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static WITNESS: Witness = Witness;

/// Reads `bytes` as every format and as a manifest. Nothing may panic, nor ask for more memory than the file can
/// account for: 1032 samples of four bytes for each byte of a PNG, and what decoders need to start.
fn read_as_all(bytes: &[u8], size: Option<[u32; 2]>) {
    LARGEST.with(|largest| largest.set(0));
    let scale = Scale { size, ..Scale::default() };
    for format in Format::all() {
        for options in [
            ReadOptions::default(),
            ReadOptions { given: scale, ..ReadOptions::default() },
            ReadOptions { limits: Limits { max_samples: 100 }, ..ReadOptions::default() },
        ] {
            let outcome = read(bytes, format, &options);
            if let Ok(map) = outcome {
                assert!(map.heights.samples().len() as u64 <= options.limits.max_samples);
                assert!(map.spacing.iter().all(|&step| step > 0.0 && step.is_finite()));
            }
        }
    }
    let _ = Manifest::from_json(bytes);
    let most = bytes.len() * 1032 * 4 + (1 << 20);
    let largest = LARGEST.with(Cell::get);
    assert!(largest <= most, "{largest} bytes were asked for, {} were there", bytes.len());
}

/// One small whole file of each readable format.
fn whole_files() -> &'static [(Format, Vec<u8>)] {
    static FILES: OnceLock<Vec<(Format, Vec<u8>)>> = OnceLock::new();
    FILES.get_or_init(make_files)
}

fn make_files() -> Vec<(Format, Vec<u8>)> {
    let grid = rough(9, 7, 1);
    let write = |format: Format| {
        let mut bytes = Vec::new();
        format.write(&square(&grid), &mut bytes, &WriteOptions::default()).unwrap();
        (format, bytes)
    };
    // HGT has only sizes that are too large to be cut everywhere.
    let formats = Format::all().filter(|format| format.is_read() && *format != Format::Hgt);
    formats.map(write).collect()
}

#[test]
fn a_file_cut_anywhere_is_an_error_or_a_smaller_one() {
    for &(format, ref bytes) in whole_files() {
        for length in 0..bytes.len() {
            read_as_all(&bytes[..length], Some([9, 7]));
            let given = Scale { size: Some([9, 7]), ..Scale::default() };
            let options = ReadOptions { given, ..ReadOptions::default() };
            // What is cut off may hold no sample: the end of a PNG, the rest of a tile.
            if let Ok(map) = read(&bytes[..length], format, &options) {
                let whole = read(bytes, format, &options).unwrap();
                // The last digits of a text may go unnoticed.
                let (last, heights) = (9 * 7 - 1, map.heights.samples());
                let last = if format == Format::Asc { last } else { last + 1 };
                assert_eq!(
                    heights[..last],
                    whole.heights.samples()[..last],
                    "{format} cut to {length}"
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn changed_bytes_do_no_harm(
        file in 0_usize..64,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        size in prop::option::of([any::<u32>(), any::<u32>()]),
    ) {
        let files = whole_files();
        let (_, mut bytes) = files[file % files.len()].clone();
        for (index, byte) in changes {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        read_as_all(&bytes, size);
    }

    #[test]
    fn any_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..400), size: Option<[u32; 2]>) {
        read_as_all(&bytes, size);
    }

    #[test]
    fn any_header_of_numpy_does_no_harm(
        version in 0_u8..5,
        length in prop::option::of(any::<u16>()),
        text in "\\{('descr': '[<>|=][fui][1248]', )?('fortran_order': (True|False), )?('shape': \\(([0-9]{1,20}, ?){0,4}\\), )?.{0,9}\\}?",
        samples in prop::collection::vec(any::<u8>(), 0..64),
    ) {
        let mut bytes = b"\x93NUMPY".to_vec();
        bytes.extend([version, 0]);
        bytes.extend(length.unwrap_or(text.len() as u16).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.extend(samples);
        read_as_all(&bytes, None);
    }
}

/// A PNG chunk with its checksum.
fn chunk(name: [u8; 4], data: &[u8]) -> Vec<u8> {
    let body = [&name[..], data].concat();
    let length = (data.len() as u32).to_be_bytes();
    [&length[..], &body, &crc32fast::hash(&body).to_be_bytes()].concat()
}

#[test]
fn no_bit_of_a_picture_changes_unnoticed() {
    let (_, whole) = whole_files().iter().find(|(format, _)| *format == Format::Png).unwrap();
    let options = ReadOptions::default();
    let sound = read(whole, Format::Png, &options).unwrap();
    for bit in 0..8 * whole.len() {
        let mut damaged = whole.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        // The scale is in chunks of text: without it, heights would be other ones.
        if let Ok(map) = read(&damaged, Format::Png, &options) {
            assert_eq!(map.heights, sound.heights, "bit {bit}");
            assert_eq!(map.spacing, sound.spacing, "bit {bit}");
        }
    }
}

#[test]
fn a_picture_larger_than_its_bytes_can_hold_is_refused() {
    for (width, height) in [(30_000_u32, 30_000_u32), (u32::MAX, 1), (1 << 31, 1 << 31), (0, 5)] {
        let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[16, 0, 0, 0, 0]].concat();
        let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
        bytes.extend(chunk(*b"IHDR", &header));
        bytes.extend(chunk(*b"IDAT", &[0x78, 0x01, 0x03, 0x00, 0, 0, 0, 1]));
        bytes.extend(chunk(*b"IEND", &[]));
        read_as_all(&bytes, None);
        assert!(read(&bytes, Format::Png, &ReadOptions::default()).is_err());
    }
}

#[test]
fn the_saved_corpus_of_the_fuzzer_does_no_harm() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus");
    let mut count = 0;
    for target in std::fs::read_dir(folder).expect("the corpus is in the repository") {
        for file in std::fs::read_dir(target.unwrap().path()).unwrap() {
            read_as_all(&std::fs::read(file.unwrap().path()).unwrap(), Some([4, 3]));
            count += 1;
        }
    }
    assert!(count >= 16, "only {count} files");
}
