//! The laws of the tables: formats and targets keep what their entries promise.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod shared;

use std::collections::HashSet;

use landform::{Grid, Lattice, Terrain};
use landform_io::profile::{Job, Target};
use landform_io::{
    Channels, Crs, Endian, Format, Georeference, Holds, Print, Raster, ReadOptions, RowOrder,
    Scale, Setting, SideFile, Simplify, WriteOptions, read,
};
use shared::rough;

/// Samples that a format can hold: few, or as many as it has to have.
fn grid_for(format: Format, sample: impl Fn(usize, usize) -> f32) -> Grid {
    let sizes = [[9, 7], [1201, 1201]].into_iter();
    let fits = |&size: &[u32; 2]| format.check(&Lattice { size, spacing: [10.0; 2] }, None).is_ok();
    let [width, height] = sizes.into_iter().find(fits).unwrap();
    Grid::from_fn(width as usize, height as usize, sample)
}

fn written(format: Format, samples: &Grid, options: &WriteOptions<'_>) -> Vec<u8> {
    let raster = Raster { samples, spacing: [10.0; 2], origin: [0.0; 2], unit: "m" };
    let mut bytes = Vec::new();
    format.write(&raster, &mut bytes, options).unwrap();
    bytes
}

fn is_a_line(text: &str) -> bool {
    !text.is_empty() && text.trim() == text && !text.contains('\n') && !text.ends_with('.')
}

#[test]
fn every_format_has_its_own_name_and_endings_and_a_line_about_it() {
    let (mut names, mut endings) = (HashSet::new(), HashSet::new());
    for format in Format::all() {
        assert!(names.insert(format.to_string()), "{format} twice");
        assert!(is_a_line(format.doc()), "{format}: {:?}", format.doc());
        assert_eq!(format.extension(), format.extensions()[0]);
        for &ending in format.extensions() {
            assert!(endings.insert(ending), ".{ending} twice");
            assert_eq!(ending, ending.to_ascii_lowercase());
            assert_eq!(Format::from_extension(ending), Some(format));
        }
    }
}

#[test]
fn every_readable_format_reads_what_it_writes() {
    // Whole metres from 0 to 65535 are levels, 16-bit numbers and short texts, so nothing is rounded.
    let range = Some([0.0, 65535.0]);
    for format in Format::all().filter(|format| format.is_read()) {
        assert_eq!(format.holds(), Holds::Heights, "{format}");
        let heights = grid_for(format, |i, j| ((i * 37 + j * 101) % 32768) as f32);
        let bytes = written(format, &heights, &WriteOptions { range, ..WriteOptions::default() });
        let size = Some([heights.width() as u32, heights.height() as u32]);
        let side_car = Scale { size, spacing: Some([10.0; 2]), range };
        let options = ReadOptions { side_car, ..ReadOptions::default() };
        let back = read(&bytes, format, &options).unwrap();
        assert_eq!(back.heights, heights, "{format}");
        assert_eq!(back.levels.is_some(), format.has_levels(), "{format}");
    }
}

#[test]
fn a_setting_changes_the_bytes_of_the_formats_that_use_it_and_of_no_other() {
    let plain = WriteOptions::default();
    for format in Format::all() {
        let heights = grid_for(format, |i, j| ((i * 37 + j * 101) % 500) as f32);
        let colours = heights.map(|_| [10, 20, 30]);
        let usual = written(format, &heights, &plain);
        let moved = Georeference::metres(Crs::Local, [500.0, 0.0]);
        let named = Georeference::metres(Crs::Projected(32632), [0.0; 2]);
        let settings = [
            (Setting::Range, WriteOptions { range: Some([-100.0, 900.0]), ..plain }),
            (Setting::Endian, WriteOptions { endian: Endian::Big, ..plain }),
            (Setting::Rows, WriteOptions { rows: RowOrder::SouthFirst, ..plain }),
            (Setting::Channels, WriteOptions { channels: Channels::Rgb, ..plain }),
            (Setting::Place, WriteOptions { place: Some(&moved), ..plain }),
            (Setting::Epsg, WriteOptions { place: Some(&named), ..plain }),
            (
                Setting::Print,
                WriteOptions { print: Print { base_mm: 9.0, ..Print::default() }, ..plain },
            ),
            (Setting::Colours, WriteOptions { colours: Some(&colours), ..plain }),
            (Setting::Texture, WriteOptions { texture: Some(b"\x89PNG"), ..plain }),
            (
                Setting::Simplify,
                WriteOptions {
                    simplify: Some(Simplify { error: 1000.0, keeps_border: false }),
                    ..plain
                },
            ),
        ];
        for (setting, options) in settings {
            let is_changed = written(format, &heights, &options) != usual;
            assert_eq!(is_changed, format.uses(setting), "{format}: {setting:?}");
        }
    }
}

#[test]
fn a_side_file_lies_beside_the_formats_that_need_one() {
    let samples = rough(4, 3, 1);
    let raster = Raster { samples: &samples, spacing: [1.0; 2], origin: [0.0; 2], unit: "m" };
    for format in Format::all() {
        let side = SideFile::of(&raster, format, &WriteOptions::default());
        assert_eq!(side.map(|side| side.sample), format.side_file(), "{format}");
    }
}

/// A terrain that the target takes.
fn terrain(target: Target) -> Terrain {
    let size = target.fit([60, 60]);
    let heights = rough(size[0] as usize, size[1] as usize, 3);
    Terrain::new(Lattice { size, spacing: [2.0; 2] }.whole(), 0.0, heights)
}

#[test]
fn every_target_has_its_own_name_and_title() {
    let (mut names, mut titles) = (HashSet::new(), HashSet::new());
    for target in Target::all() {
        assert!(names.insert(target.name()), "{target:?} twice");
        assert!(titles.insert(target.title()), "{} twice", target.title());
        assert!(is_a_line(target.title()), "{target:?}");
        assert_eq!(Target::named(target.name()), Some(target));
        assert!(target.name().chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()));
        let export = target.export(&Job::whole(&terrain(target), "land")).unwrap();
        assert_eq!(export.target, target);
        assert!(!export.files.is_empty() && !export.numbers.is_empty() && !export.steps.is_empty());
    }
}

#[test]
fn a_target_takes_what_its_entry_says() {
    for target in Target::all() {
        let terrain = terrain(target);
        let whole = Job::whole(&terrain, "land");
        let page = |job: &Job<'_>| target.export(job).unwrap().page();
        let thick = Job { print: Print { base_mm: 9.0, ..Print::default() }, ..whole };
        assert_eq!(page(&thick) != page(&whole), target.takes_print(), "{target:?}");
        let painted = Job { materials: &["grass", "rock"], ..whole };
        let splat = target.export(&painted).unwrap().splat;
        assert_eq!(!splat.is_empty(), target.takes_splat_maps(), "{target:?}");
        let files = target.export(&whole).unwrap().files;
        let has_levels = files.iter().any(|file| file.format.has_levels());
        assert_eq!(has_levels, target.has_levels(), "{target:?}");
    }
}

#[test]
fn every_tile_has_a_place_of_its_own() {
    let count = [3, 2];
    for target in Target::all() {
        let tiles = (0..count[0]).flat_map(|i| (0..count[1]).map(move |j| [i, j]));
        let places: HashSet<_> = tiles.map(|tile| target.tile_place(tile, count)).collect();
        assert_eq!(places.len(), 6, "{target:?}");
        assert!(places.iter().all(|[i, j]| *i < count[0] && *j < count[1]), "{target:?}");
    }
}
