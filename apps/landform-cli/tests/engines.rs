//! Files for other programs, through the real program and read back as those programs do.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod shared;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use landform::Grid;
use landform_io::format::{RowOrder, Scale};
use landform_io::profile::Target;
use landform_io::{Format, Manifest, ReadOptions, read};
use shared::{Folder, SMALL, names};

/// Square cells on square ground, which all targets take.
fn even(folder: &Folder) {
    let text = SMALL.replace("[65, 33]", "[65, 65]").replace("[10, 20]", "[10, 10]");
    folder.write("even.toml", &text);
}

/// Column and row from the north-west of the tile that a file of a 2 × 2 export holds.
fn place(target: Target, name: &str) -> [usize; 2] {
    let (stem, _) = name.split_once('.').unwrap();
    let digits: Vec<usize> = stem
        .trim_start_matches("even_")
        .split('_')
        .map(|part| part.trim_start_matches(['x', 'y']).parse().unwrap())
        .collect();
    // Unity counts rows from the south.
    if target == Target::Unity { [digits[0], 1 - digits[1]] } else { [digits[0], digits[1]] }
}

fn heights(folder: &Folder, path: &str, format: Format, options: &ReadOptions) -> Grid {
    read(&folder.read(path), format, options)
        .unwrap_or_else(|error| panic!("{path}: {error}"))
        .heights
}

/// Compares tiles, by column and row, with the whole, which they must cover.
fn assert_together(
    target: Target,
    tiles: &BTreeMap<[usize; 2], Grid>,
    whole: &Grid,
    tolerance: f32,
) {
    let shared = usize::from(target.tiles_share_border());
    let mut covered = BTreeSet::new();
    for ([column, row], tile) in tiles {
        let (left, top) = (column * (tile.width() - shared), row * (tile.height() - shared));
        for j in 0..tile.height() {
            for i in 0..tile.width() {
                let (found, expected) = (tile[(i, j)], whole[(left + i, top + j)]);
                let difference = (found - expected).abs();
                assert!(
                    difference <= tolerance,
                    "{target:?} {column} {row} at {i}, {j}: {found}, not {expected}"
                );
                covered.insert((left + i, top + j));
            }
        }
    }
    assert_eq!(covered.len(), whole.width() * whole.height(), "{target:?}");
}

#[test]
fn tiles_of_every_target_are_the_whole_when_put_together() {
    let folder = Folder::new();
    even(&folder);
    for target in Target::all() {
        let out = target.name();
        folder.ok(&["build", "even.toml", "--for", out, "--tiles", "2x2", "-o", out]);
        let manifest = Manifest::from_json(&folder.read(&format!("{out}/landform.json"))).unwrap();
        let listed: Vec<_> = manifest.files.iter().map(|file| file.name.clone()).collect();
        let mut expected: Vec<_> =
            listed.iter().cloned().chain(["landform.json".to_owned()]).collect();
        expected.sort();
        assert_eq!(names(&folder.path(out)), expected, "{target:?}: each file once");
        let [width, height] = manifest.size;
        let size = format!("{width}x{height}");
        folder.ok(&["build", "even.toml", "--size", &size, "-o", "whole.npy"]);
        let whole = heights(&folder, "whole.npy", Format::Npy, &ReadOptions::default());
        let mut by_ending: BTreeMap<String, BTreeMap<[usize; 2], Grid>> = BTreeMap::new();
        let mut step = 0.0;
        for file in manifest.files.iter().filter(|file| file.layer.is_some()) {
            let (_, ending) = file.name.split_once('.').unwrap();
            let extension = Path::new(&file.name).extension().unwrap().to_str().unwrap();
            let format = match extension {
                "raw" => Format::R16,
                other => Format::from_extension(other).unwrap(),
            };
            if let Some([low, high]) = file.levels {
                step = (high - low) / 65535.0;
            }
            let rows =
                if target == Target::Unity { RowOrder::SouthFirst } else { RowOrder::default() };
            let side_car = manifest.scale_of(&file.name).unwrap();
            let options = ReadOptions { side_car, rows, ..ReadOptions::default() };
            let tile = heights(&folder, &format!("{out}/{}", file.name), format, &options);
            let tiles = by_ending.entry(ending.to_owned()).or_default();
            assert!(tiles.insert(place(target, &file.name), tile).is_none(), "{}", file.name);
        }
        assert_eq!(by_ending.is_empty(), target == Target::Print3d, "{target:?}");
        for (ending, tiles) in &by_ending {
            let tolerance =
                if matches!(ending.as_str(), "exr" | "tif" | "asc") { 0.0 } else { 0.51 * step };
            assert_together(target, tiles, &whole, tolerance as f32);
        }
    }
}

/// The highest vertex of a binary STL above each place along its side at this x, in micrometres.
fn wall(bytes: &[u8], x: f32) -> BTreeMap<i64, i64> {
    let micrometres = |value: f32| (f64::from(value) * 1000.0).round() as i64;
    let mut wall = BTreeMap::new();
    for triangle in bytes[84..].chunks_exact(50) {
        for corner in triangle[12..48].chunks_exact(12) {
            let value = |k: usize| f32::from_le_bytes(corner[4 * k..4 * k + 4].try_into().unwrap());
            if (value(0) - x).abs() < 1e-4 {
                let highest = wall.entry(micrometres(value(1))).or_insert(0);
                *highest = micrometres(value(2)).max(*highest);
            }
        }
    }
    wall
}

#[test]
fn printed_tiles_meet_at_their_walls() {
    let folder = Folder::new();
    even(&folder);
    folder.ok(&[
        "build",
        "even.toml",
        "--for",
        "print3d",
        "--tiles",
        "2x2",
        "--print-width",
        "100",
        "-o",
        "p",
    ]);
    let west = wall(&folder.read("p/even_x0_y0.stl"), 100.0);
    let east = wall(&folder.read("p/even_x1_y0.stl"), 0.0);
    assert_eq!(west.len(), 33);
    assert_eq!(west, east);
}

#[test]
fn terrain3d_gets_whole_regions_at_their_place_in_the_world() {
    let folder = Folder::new();
    even(&folder);
    folder.ok(&[
        "build",
        "even.toml",
        "--size",
        "513x513",
        "--for",
        "terrain3d",
        "--tiles",
        "2x2",
        "-o",
        "t",
    ]);
    let manifest = Manifest::from_json(&folder.read("t/landform.json")).unwrap();
    assert_eq!(manifest.size, [512, 512]);
    let page = folder.text("t/import-terrain3d.txt");
    let value = |tile: &str, label: &str| {
        let (_, page) = page.split_once(&format!("Tile {tile}:")).unwrap();
        let line = page.lines().find(|line| line.trim_start().starts_with(label)).unwrap();
        line.trim().trim_start_matches(label).trim().to_owned()
    };
    assert_eq!(value("1, 0", "Region Size"), "256");
    let spacing: f64 = value("1, 0", "Vertex Spacing").parse().unwrap();
    assert!((spacing - 640.0 / 511.0).abs() < 1e-12, "{spacing}");
    // Half a sample inside, where no rounding reaches the sample before.
    assert_eq!(value("1, 0", "import_images position"), format!("{} 0", 256.5 * spacing));
    assert_eq!(value("1, 1", "Import Position (later)"), "256 256");
    // Version 1.0 divides by the spacing and rounds down to a region.
    let field = value("0, 1", "Import Position (Terrain3D 1.0)");
    assert_eq!(field, "0 321");
    assert_eq!((321.0 / spacing / 256.0).floor(), 1.0);
}

/// The sample at which Terrain3D begins an image: in single precision, rounded down.
fn placed(position: f64, spacing: f64) -> f32 {
    (position as f32 / spacing as f32).floor()
}

#[test]
fn terrain3d_puts_every_tile_where_it_belongs_in_single_precision() {
    let folder = Folder::new();
    // 10.1 m times 192 over 10.1 m is 191.99998 in single precision; of 3.1 m so is what the importer of later versions makes.
    for (spacing, is_lost) in [(10.1, false), (3.1, true), (4.0, false)] {
        let recipe = format!(
            "version = 1\nsize = [832, 64]\nspacing = [{spacing}, {spacing}]\n[[stage]]\nkind = \"plane\"\nheight = 5\n"
        );
        folder.write("long.toml", &recipe);
        let args = ["build", "long.toml", "--for", "terrain3d", "--tiles", "13x1", "-o", "long"];
        let talk = said(&folder, &args);
        assert_eq!(talk.contains("is rounded to the sample before"), is_lost, "{spacing}: {talk}");
        let script = folder.text("long/import_terrain3d.gd");
        assert!(script.contains("const REGION_SIZE := 64"), "{script}");
        let places =
            script.lines().filter_map(|line| line.trim().strip_prefix("\"position\": Vector3("));
        let places: Vec<f64> =
            places.map(|line| line.split(',').next().unwrap().parse().unwrap()).collect();
        let samples: Vec<f32> = places.iter().map(|&place| placed(place, spacing)).collect();
        let expected: Vec<f32> = (0..13_u8).map(|tile| 64.0 * f32::from(tile)).collect();
        assert_eq!(samples, expected, "{spacing}");
        let page = folder.text("long/import-terrain3d.txt");
        let typed = page.lines().filter_map(|line| {
            line.trim().strip_prefix("Import Position (Terrain3D 1.0)")?.split_whitespace().next()
        });
        let regions: Vec<f32> =
            typed.map(|typed| (placed(typed.parse().unwrap(), spacing) / 64.0).floor()).collect();
        assert_eq!(regions, (0..13_u8).map(f32::from).collect::<Vec<_>>(), "{spacing}");
    }
}

#[test]
fn what_a_target_cannot_take_is_refused_before_there_is_work() {
    let folder = Folder::new();
    even(&folder);
    folder.write("17x9.toml", &SMALL.replace("[10, 20]", "[10, 10]"));
    let cases: &[(&[&str], &str)] = &[
        (&["even.toml", "--for", "terrain3d", "--tiles", "40x2"], "40x2 tiles are more than 31x31"),
        (
            &["even.toml", "--for", "terrain3d", "--size", "128x64"],
            "take a size with the proportions",
        ),
        (&["even.toml", "--for", "unity", "--extent", "200km"], "at most 100000 m wide"),
        (&["17x9.toml", "--for", "unreal"], "the name 17x9 would be read as the place of a tile"),
    ];
    for (args, expected) in cases {
        // The work would be refused for want of memory.
        let talk = folder.fails(1, &[&["build", "-o", "out", "--memory", "1K"], *args].concat());
        assert!(talk.contains(expected), "{talk}");
        assert!(!folder.path("out").exists());
    }
}

/// Runs and gives what was said on stderr.
fn said(folder: &Folder, args: &[&str]) -> String {
    let output = folder.landform(args).output().unwrap();
    let talk = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{args:?}: {talk}");
    talk
}

#[test]
fn a_fixed_range_keeps_the_scale_after_an_edit() {
    let folder = Folder::new();
    even(&folder);
    let wide = "--output-range=-1000,9000";
    for (seed, out) in [("1", "a"), ("2", "b")] {
        let args = ["build", "even.toml", "--seed", seed, wide, "--for", "unity", "-o", out];
        assert!(!said(&folder, &args).contains("the range of"));
    }
    let page = folder.text("a/import-unity.txt");
    assert_eq!(page, folder.text("b/import-unity.txt"));
    assert!(
        page.lines().any(|line| line.trim().ends_with("10000") && line.contains("size Y")),
        "{page}"
    );
    folder.ok(&["build", "even.toml", wide, "-o", "c/", "-o", "c.r16", "-o", "c.npy"]);
    let bundle = Manifest::from_json(&folder.read("c/landform.json")).unwrap();
    let png = bundle.files.iter().find(|file| file.name == "height.png").unwrap();
    assert_eq!(png.levels, Some([-1000.0, 9000.0]));
    let whole = heights(&folder, "c.npy", Format::Npy, &ReadOptions::default());
    let given = Scale { size: Some([65, 65]), range: Some([-1000.0, 9000.0]), ..Scale::default() };
    let options = ReadOptions { given, ..ReadOptions::default() };
    let levels = heights(&folder, "c.r16", Format::R16, &options);
    for (level, height) in levels.samples().iter().zip(whole.samples()) {
        assert!((level - height).abs() < 0.08, "{level} is not {height}");
    }
}

#[test]
fn heights_beyond_a_fixed_range_are_clamped_with_a_warning() {
    let folder = Folder::new();
    even(&folder);
    folder.ok(&["build", "even.toml", "-o", "whole.npy"]);
    let whole = heights(&folder, "whole.npy", Format::Npy, &ReadOptions::default());
    let (low, high) = whole.range();
    let range = [f64::from(low) + 4.0, f64::from(high) - 16.0];
    let option = format!("--output-range={},{}", range[0], range[1]);
    let expected = "heights go 4 m below and 16 m above the range of";
    let talk = said(&folder, &["build", "even.toml", &option, "-o", "low.png"]);
    assert!(talk.contains(expected), "{talk}");
    let clamped = heights(&folder, "low.png", Format::Png, &ReadOptions::default());
    let (lowest, highest) = clamped.range();
    assert_eq!([f64::from(lowest), f64::from(highest)], range.map(|end| f64::from(end as f32)));
    let talk = said(&folder, &["build", "even.toml", &option, "--for", "flax", "-o", "flax"]);
    assert!(talk.contains(" above the range of"), "{talk}");
    for idle in [&["-o", "a.npy"][..], &["-o", "a.zarr"], &["--for", "terrain3d"]] {
        let talk = folder.fails(2, &[&["build", "even.toml", &option], idle].concat());
        assert!(talk.contains("--output-range is the scale of 16-bit files"), "{talk}");
    }
    assert!(folder.fails(2, &["build", "--output-range", "5,5"]).contains("LOW below HIGH"));
}

#[test]
fn a_recipe_keeps_the_scale_of_16_bit_files() {
    let folder = Folder::new();
    even(&folder);
    let text =
        folder.text("even.toml").replace("seed = 5", "seed = 5\noutput_range = [-1000, 9000]");
    folder.write("even.toml", &text);
    folder.ok(&["build", "even.toml", "--for", "unity", "-o", "a", "-q"]);
    folder.ok(&["build", "even.toml", "--for", "unity", "--seed", "9", "-o", "b", "-q"]);
    assert_eq!(folder.text("a/import-unity.txt"), folder.text("b/import-unity.txt"));
    let talk = said(&folder, &["build", "even.toml", "-o", "c/", "-o", "c.png"]);
    assert!(talk.contains("from -1000 m to 9000 m: the output_range of the recipe"), "{talk}");
    let bundle = Manifest::from_json(&folder.read("c/landform.json")).unwrap();
    let png = bundle.files.iter().find(|file| file.name == "height.png").unwrap();
    assert_eq!(png.levels, Some([-1000.0, 9000.0]));
    // What is typed goes before what is written, and heights that leave the range are told.
    let low = "--output-range=0,10";
    for args in [&["-o", "c.r16"][..], &["--for", "flax", "-o", "f"]] {
        let talk = said(&folder, &[&["build", "even.toml", low], args].concat());
        assert!(talk.contains("above the range of 0 m to 10 m"), "{talk}");
    }
    let narrow = folder.text("even.toml").replace("[-1000, 9000]", "[0, 10]");
    folder.write("narrow.toml", &narrow);
    for args in [&["-o", "c.r16"][..], &["-o", "n/"], &["--for", "unreal", "-o", "u"]] {
        let talk = said(&folder, &[&["build", "narrow.toml"], args].concat());
        assert!(talk.contains("above the range of 0 m to 10 m"), "{talk}");
    }
    folder.write("wrong.toml", &narrow.replace("[0, 10]", "[10, 0]"));
    let talk = folder.fails(1, &["build", "wrong.toml"]);
    assert!(talk.contains("output_range is [10.0, 0.0], but must be the lower height"), "{talk}");
}

#[test]
fn one_tile_of_a_huge_terrain_as_levels_does_not_build_the_rest() {
    let folder = Folder::new();
    // All of it would be four billion samples.
    let huge = ["build", "fbm", "--size", "65537x65537", "--tile"];
    let tile = |place: &str, out: &str| said(&folder, &[&huge[..], &[place, "-o", out]].concat());
    let talk = tile("1000,2000,129,129", "a.png");
    assert!(talk.contains("an estimate, the same for all tiles: 252x252 samples"), "{talk}");
    tile("1128,2000,129,129", "b.png");
    tile("1000,2000,129,129", "a.npy");
    tile("1000,2000,129,129", "a.r16");
    let options = ReadOptions::default();
    let [a, b] = ["a.png", "b.png"].map(|name| heights(&folder, name, Format::Png, &options));
    let exact = heights(&folder, "a.npy", Format::Npy, &options);
    // The last column of one tile is the first of the next.
    for j in 0..129 {
        assert_eq!(a[(128, j)], b[(0, j)]);
        assert!((a[(5, j)] - exact[(5, j)]).abs() < 0.05, "{}", a[(5, j)] - exact[(5, j)]);
    }
    let side: serde_json::Value = serde_json::from_slice(&folder.read("a.r16.json")).unwrap();
    let ends = ["min", "max"].map(|key| side[key].as_f64().unwrap());
    let [low, high] = ends;
    assert!(talk.contains(&format!("from {low} m to {high} m")), "{talk} {side}");
}

/// The number that the page of an export gives after a label.
fn number(page: &str, label: &str) -> f64 {
    let line = page.lines().find(|line| line.trim_start().starts_with(label));
    let line = line.unwrap_or_else(|| panic!("{label} is not on the page: {page}"));
    line.trim_start().trim_start_matches(label).trim().parse().unwrap()
}

/// The engine's own formula: metres of a level, from what is typed into its dialog.
fn metres(target: Target, page: &str) -> Option<impl Fn(f32) -> f64> {
    let linear = |low: f64, high: f64| (low, (high - low) / 65535.0);
    let (low, step) = match target {
        // Transform.position.y + level / 65535 · TerrainData.size.y
        Target::Unity => {
            let low = number(page, "Position Y");
            linear(low, low + number(page, "Terrain size Y"))
        }
        // (level − 32768) / 128 · Z scale in centimetres, above the location
        Target::Unreal => {
            let step = number(page, "Scale Z") / 12800.0;
            (number(page, "Location Z") / 100.0 - 32768.0 * step, step)
        }
        Target::Hterrain => {
            linear(number(page, "Min height (RAW)"), number(page, "Max height (RAW)"))
        }
        // bevy_heightmap gives 0 … 1, which the transform scales and moves.
        Target::Bevy => {
            let low = number(page, "Height offset");
            linear(low, low + number(page, "Height scale"))
        }
        // Centimetres.
        Target::Flax => {
            let low = number(page, "Location Y") / 100.0;
            linear(low, low + number(page, "Heightmap Scale") / 100.0)
        }
        _ => return None,
    };
    Some(move |level: f32| low + f64::from(level) * step)
}

#[test]
fn what_is_typed_into_a_dialog_gives_the_heights() {
    let folder = Folder::new();
    even(&folder);
    let mut count = 0;
    for target in Target::all().filter(|target| target.has_levels()) {
        let out = target.name();
        folder.ok(&["build", "even.toml", "--for", out, "-o", out]);
        let page = folder.text(&format!("{out}/{}", target.page_name()));
        let manifest = Manifest::from_json(&folder.read(&format!("{out}/landform.json"))).unwrap();
        let Some(metres) = metres(target, &page) else { continue };
        let [width, height] = manifest.size;
        folder.ok(&["build", "even.toml", "--size", &format!("{width}x{height}"), "-o", "w.npy"]);
        let whole = heights(&folder, "w.npy", Format::Npy, &ReadOptions::default());
        let file = manifest.files.iter().find(|file| file.levels.is_some()).unwrap();
        let format = if file.name.ends_with(".raw") { Format::R16 } else { Format::Png };
        let range = Some([0.0, 65535.0]);
        let given = Scale { size: Some(manifest.size), range, ..Scale::default() };
        let rows = if target == Target::Unity { RowOrder::SouthFirst } else { RowOrder::default() };
        let options = ReadOptions { given, rows, ..ReadOptions::default() };
        let levels = heights(&folder, &format!("{out}/{}", file.name), format, &options);
        let (low, high) = whole.range();
        let tolerance = 0.51 * f64::from(high - low) / 65535.0 + 1e-3;
        for (level, expected) in levels.samples().iter().zip(whole.samples()) {
            let found = metres(*level);
            let off = (found - f64::from(*expected)).abs();
            assert!(off < tolerance, "{target:?}: {found} is not {expected}");
        }
        assert_eq!((levels.width(), levels.height()), (whole.width(), whole.height()));
        count += 1;
    }
    assert_eq!(count, 5);
}

#[test]
fn minecraft_has_a_block_a_metre_and_the_sea_at_its_level() {
    let folder = Folder::new();
    let text = SMALL
        .replace("[10, 20]", "[1, 1]")
        .replace("peaks = 20", "peaks = 20\ny_min = 20\ny_max = 80");
    folder.write("blocks.toml", &text);
    folder.ok(&["build", "blocks.toml", "--for", "minecraft", "-o", "m"]);
    let page = folder.text("m/import-minecraft.txt");
    let manifest = Manifest::from_json(&folder.read("m/landform.json")).unwrap();
    let level = |end: &str| number(&page, &format!("Minecraft level for image {end}"));
    assert!((level("low") - 62.0 - manifest.min).abs() < 0.01, "{page}");
    assert!((level("high") - 62.0 - manifest.max).abs() < 0.01, "{page}");
}

#[test]
fn three_engines_get_a_script_with_the_numbers_of_the_page() {
    let folder = Folder::new();
    even(&folder);
    for (target, script, label) in [
        ("unity", "LandformImport_even.cs", "Terrain size Y"),
        ("unreal", "place_in_unreal.py", "Scale Z"),
        ("terrain3d", "import_terrain3d.gd", "Vertex Spacing"),
    ] {
        folder.ok(&["build", "even.toml", "--for", target, "--tiles", "2x2", "-o", target]);
        let text = folder.text(&format!("{target}/{script}"));
        let page = folder.text(&format!("{target}/import-{target}.txt"));
        let value = number(&page, label).to_string();
        assert!(text.contains(&value), "{value} is not in {text}");
        assert!(page.to_lowercase().contains("script"), "{page}");
        // No place of the template is left.
        let has_place = text
            .split('@')
            .skip(1)
            .step_by(2)
            .any(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_uppercase()));
        assert!(!has_place, "{text}");
        let manifest =
            Manifest::from_json(&folder.read(&format!("{target}/landform.json"))).unwrap();
        assert!(manifest.files.iter().any(|file| file.name == script));
        for file in manifest.files.iter().filter(|file| file.levels.is_some()) {
            assert!(text.contains(&format!("\"{}\"", file.name)), "{}: {text}", file.name);
        }
    }
}
