//! Each profile's files and numbers, read back as the target's documentation says it reads them: the same metres.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod shared;

use landform::{Grid, Lattice, Terrain};
use landform_io::profile::{Export, Job, Target};
use landform_io::{Format, Raster, ReadOptions, read};
use shared::rough;

/// A terrain of a size that the target takes, with unequal spacing where it may be.
fn terrain(target: Target) -> Terrain {
    let size = target.fit([100, 80]);
    let is_square = matches!(target, Target::Terrain3d | Target::Minecraft);
    let spacing = if is_square { [2.5, 2.5] } else { [2.5, 4.0] };
    let heights = rough(size[0] as usize, size[1] as usize, 11).map(|height| height - 150.0);
    Terrain::new(Lattice { size, spacing }.whole(), 10.0, heights)
}

fn written(export: &Export, terrain: &Terrain, extension: &str) -> Vec<u8> {
    let file = export.files.iter().find(|file| file.name.ends_with(extension)).unwrap();
    let mut bytes = Vec::new();
    file.format.write(&Raster::height(terrain), &mut bytes, &file.options).unwrap();
    bytes
}

fn number(export: &Export, label: &str) -> f64 {
    export.value(label).unwrap_or_else(|| panic!("no {label}")).parse().unwrap()
}

fn assert_metres(
    target: Target,
    terrain: &Terrain,
    tolerance: f64,
    metres: impl Fn(usize, usize) -> f64,
) {
    let heights = terrain.height();
    for j in 0..heights.height() {
        for i in 0..heights.width() {
            let difference = (metres(i, j) - f64::from(heights[(i, j)])).abs();
            assert!(difference <= tolerance, "{target:?} at {i}, {j}: off by {difference}");
        }
    }
}

fn half_a_level(terrain: &Terrain) -> f64 {
    let (low, high) = terrain.height().range();
    f64::from(high - low) / 65535.0 * 0.5001 + 1e-4
}

fn level_of_png(bytes: &[u8]) -> impl Fn(usize, usize) -> f64 + use<> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(
        (info.color_type, info.bit_depth),
        (png::ColorType::Grayscale, png::BitDepth::Sixteen)
    );
    let width = info.width as usize;
    move |i, j| {
        let at = 2 * (j * width + i);
        f64::from(u16::from_be_bytes([pixels[at], pixels[at + 1]]))
    }
}

/// "Width, height and Windows byte order": least significant byte first.
fn level_of_raw(bytes: Vec<u8>, width: usize) -> impl Fn(usize, usize) -> f64 {
    assert_eq!(bytes.len() % (2 * width), 0);
    move |i, row| {
        let at = 2 * (row * width + i);
        f64::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
    }
}

#[test]
fn unity_gets_the_same_metres() {
    let terrain = terrain(Target::Unity);
    let export = Target::Unity.export(&Job::whole(&terrain, "island")).unwrap();
    let side = number(&export, "Resolution") as usize;
    assert_eq!((side, terrain.height().width()), (129, 129));
    let level = level_of_raw(written(&export, &terrain, ".raw"), side);
    let (height, position) = (number(&export, "Terrain size Y"), number(&export, "Position Y"));
    // Unity's z goes north and its first row is z = 0, the southernmost.
    let metres = |i: usize, j: usize| position + level(i, side - 1 - j) / 65535.0 * height;
    assert_metres(Target::Unity, &terrain, half_a_level(&terrain), metres);
    assert_eq!(number(&export, "Terrain size X"), 128.0 * 2.5);
    assert_eq!(number(&export, "Terrain size Z"), 128.0 * 4.0);
}

#[test]
fn unreal_gets_the_same_metres() {
    let terrain = terrain(Target::Unreal);
    let export = Target::Unreal.export(&Job::whole(&terrain, "island")).unwrap();
    let level = level_of_png(&written(&export, &terrain, ".png"));
    let (scale, location) = (number(&export, "Scale Z"), number(&export, "Location Z"));
    let metres = |i, j| (location + (level(i, j) - 32768.0) / 128.0 * scale) / 100.0;
    assert_metres(Target::Unreal, &terrain, half_a_level(&terrain), metres);
    assert_eq!((number(&export, "Scale X"), number(&export, "Scale Y")), (250.0, 400.0));
    assert_eq!(export.value("Number of Components"), Some("1 x 1"));
}

#[test]
fn terrain3d_and_hterrain_get_the_same_metres() {
    for (target, channels) in [(Target::Terrain3d, 3), (Target::Hterrain, 1)] {
        let terrain = terrain(target);
        let export = target.export(&Job::whole(&terrain, "island")).unwrap();
        let bytes = written(&export, &terrain, ".exr");
        let meta = exr::meta::MetaData::read_from_buffered(std::io::Cursor::new(&bytes[..]), false)
            .unwrap();
        assert_eq!(meta.headers[0].channels.list.len(), channels);
        let heights = read(&bytes, Format::Exr, &ReadOptions::default()).unwrap().heights;
        assert_metres(target, &terrain, 0.0, |i, j| f64::from(heights[(i, j)]));
    }
    let terrain = terrain(Target::Hterrain);
    let export = Target::Hterrain.export(&Job::whole(&terrain, "island")).unwrap();
    let level =
        level_of_raw(written(&export, &terrain, ".raw"), number(&export, "Resolution") as usize);
    let (low, high) = (number(&export, "Min height (RAW)"), number(&export, "Max height (RAW)"));
    let metres = |i, j| low + level(i, j) / 65535.0 * (high - low);
    assert_metres(Target::Hterrain, &terrain, half_a_level(&terrain), metres);
}

#[test]
fn blender_gets_the_same_metres() {
    let terrain = terrain(Target::Blender);
    let export = Target::Blender.export(&Job::whole(&terrain, "island")).unwrap();
    let heights = read(&written(&export, &terrain, ".exr"), Format::Exr, &ReadOptions::default())
        .unwrap()
        .heights;
    let (strength, middle) =
        (number(&export, "Displace Strength"), number(&export, "Displace Midlevel"));
    assert_metres(Target::Blender, &terrain, 0.0, |i, j| {
        (f64::from(heights[(i, j)]) - middle) * strength
    });
    assert_eq!(number(&export, "Plane dimensions Y"), 79.0 * 4.0);
}

#[test]
fn bevy_gets_the_same_metres() {
    let terrain = terrain(Target::Bevy);
    let export = Target::Bevy.export(&Job::whole(&terrain, "island")).unwrap();
    let level = level_of_png(&written(&export, &terrain, ".hmp.png"));
    let (scale, offset) = (number(&export, "Height scale"), number(&export, "Height offset"));
    assert_metres(Target::Bevy, &terrain, half_a_level(&terrain), |i, j| {
        level(i, j) / 65535.0 * scale + offset
    });
    let glb = written(&export, &terrain, ".glb");
    assert_eq!(&glb[..4], b"glTF");
}

#[test]
fn flax_gets_the_same_metres() {
    let terrain = terrain(Target::Flax);
    let export = Target::Flax.export(&Job::whole(&terrain, "island")).unwrap();
    assert_eq!(terrain.height().width(), 509);
    let level = level_of_raw(written(&export, &terrain, ".raw"), 509);
    let (scale, location) = (number(&export, "Heightmap Scale"), number(&export, "Location Y"));
    let metres = |i, j| (location + level(i, j) / 65535.0 * scale) / 100.0;
    assert_metres(Target::Flax, &terrain, half_a_level(&terrain), metres);
}

#[test]
fn gis_gets_the_same_metres() {
    let terrain = terrain(Target::Gis);
    let export = Target::Gis.export(&Job::whole(&terrain, "island")).unwrap();
    let map =
        read(&written(&export, &terrain, ".tif"), Format::Tiff, &ReadOptions::default()).unwrap();
    assert_metres(Target::Gis, &terrain, 0.0, |i, j| f64::from(map.heights[(i, j)]));
    assert_eq!(map.spacing, [2.5, 4.0]);
    // Cells are not square, so there is no ASC, and the user hears of it.
    assert!(export.files.iter().all(|file| !file.name.ends_with(".asc")));
    assert!(export.warnings[0].contains("no ASC was written"));
}

#[test]
fn a_printer_gets_the_height_in_millimetres() {
    let terrain = terrain(Target::Print3d);
    let export = Target::Print3d.export(&Job::whole(&terrain, "island")).unwrap();
    let bytes = written(&export, &terrain, ".stl");
    let corner = |at: usize| f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let count = u32::from_le_bytes(bytes[80..84].try_into().unwrap()) as usize;
    let mut highest = [f32::MIN; 3];
    for triangle in 0..count {
        for number in 0..9 {
            let axis = number % 3;
            highest[axis] = highest[axis].max(corner(84 + 50 * triangle + 12 + 4 * number));
        }
    }
    let expected = ["Width", "Depth", "Height"].map(|label| number(&export, label));
    for axis in 0..3 {
        assert!((f64::from(highest[axis]) - expected[axis]).abs() < 1e-3, "axis {axis}");
    }
    assert_eq!(expected[1], 150.0);
}

#[test]
fn minecraft_gets_the_same_blocks() {
    let terrain = terrain(Target::Minecraft);
    let export = Target::Minecraft.export(&Job::whole(&terrain, "island")).unwrap();
    let level = level_of_png(&written(&export, &terrain, ".png"));
    let low = number(&export, "Minecraft level for image low");
    let high = number(&export, "Minecraft level for image high");
    assert!(low >= -64.0 && high <= 319.0);
    // A block is 2.5 m, the sea (10 m) stands at 62.
    assert!(export.warnings.is_empty(), "{:?}", export.warnings);
    let metres = |i, j| (low + level(i, j) / 65535.0 * (high - low) - 62.0) * 2.5 + 10.0;
    assert_metres(Target::Minecraft, &terrain, 0.02, metres);
}

#[test]
fn every_target_takes_the_size_it_fits_and_says_what_it_would_take_otherwise() {
    for target in Target::all() {
        assert_eq!(Target::named(target.name()), Some(target));
        for wanted in [[1, 1], [100, 80], [1000, 1000], [4096, 2000], [9000, 9000]] {
            let fit = target.fit(wanted);
            assert_eq!(target.fit(fit), fit, "{target:?} {wanted:?}");
        }
        let size = target.fit([60, 60]);
        let lattice = Lattice { size, spacing: [1.0; 2] };
        let flat = Terrain::new(
            lattice.whole(),
            0.0,
            Grid::filled(size[0] as usize, size[1] as usize, 7.0),
        );
        let export = target.export(&Job::whole(&flat, "flat")).unwrap();
        for file in &export.files {
            file.format.write(&Raster::height(&flat), Vec::new(), &file.options).unwrap();
        }
        let page = export.page();
        assert!(
            export
                .numbers
                .iter()
                .all(|(label, value)| page.contains(label) && page.contains(value))
        );
    }
    let lattice = Lattice { size: [100, 100], spacing: [1.0; 2] };
    let terrain = Terrain::new(lattice.whole(), 0.0, Grid::filled(100, 100, 0.0));
    let error = Target::Unity.export(&Job::whole(&terrain, "a")).unwrap_err().to_string();
    assert_eq!(
        error,
        "Unity Terrain: it does not take 100 × 100 samples; the nearest it takes is 129 × 129"
    );
}

#[test]
fn visible_steps_are_warned_of_and_impossible_heights_refused() {
    let terrain = |relief: f32| {
        let heights = Grid::from_fn(33, 33, |i, _| relief * i as f32 / 32.0);
        Terrain::new(Lattice { size: [33, 33], spacing: [10.0; 2] }.whole(), 0.0, heights)
    };
    let warnings =
        |relief| Target::Unity.export(&Job::whole(&terrain(relief), "a")).unwrap().warnings;
    assert!(warnings(600.0).is_empty());
    assert!(warnings(3000.0)[0].contains("one level is 9.2 cm"), "{:?}", warnings(3000.0));
    let error = Target::Unity.export(&Job::whole(&terrain(20_000.0), "a")).unwrap_err().to_string();
    assert!(error.contains("at most 10000 m high"), "{error}");
    let oblong = Terrain::new(
        Lattice { size: [64, 64], spacing: [1.0, 2.0] }.whole(),
        0.0,
        Grid::filled(64, 64, 0.0),
    );
    let error = Target::Terrain3d.export(&Job::whole(&oblong, "a")).unwrap_err().to_string();
    assert!(error.contains("one vertex spacing"), "{error}");
}

#[test]
fn tiles_of_one_terrain_share_their_range_and_border() {
    let size = [65, 33];
    let heights = rough(65, 33, 2);
    let lattice = Lattice { size, spacing: [1.0; 2] };
    let whole = Terrain::new(lattice.whole(), 0.0, heights);
    let range = Job::whole(&whole, "land").range;
    let tiles = [0, 1].map(|k| {
        let tile = whole.crop(&lattice.window(32 * k, 0, 33, 33).unwrap());
        let job = Job { range, tile: Some([k, 0]), ..Job::whole(&tile, "land") };
        let export = Target::Unity.export(&job).unwrap();
        assert_eq!(export.files[0].name, format!("land_{k}_0.raw"));
        level_of_raw(written(&export, &tile, ".raw"), 33)
    });
    for row in 0..33 {
        assert_eq!(tiles[0](32, row), tiles[1](0, row));
    }
}
