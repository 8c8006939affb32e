//! The size of the ground in nature, through the real program.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod shared;

use landform::preset::PRESETS;
use landform::{Grid, Recipe, Topology};
use landform_io::{Format, Manifest, ReadOptions, read};
use shared::Folder;

fn heights(folder: &Folder, path: &str) -> Grid {
    read(&folder.read(path), Format::Npy, &ReadOptions::default()).unwrap().heights
}

fn said(folder: &Folder, args: &[&str]) -> String {
    let output = folder.landform(args).output().unwrap();
    let talk = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{args:?}: {talk}");
    talk
}

#[test]
fn half_the_extent_gives_half_the_heights_of_every_preset() {
    let folder = Folder::new();
    for preset in PRESETS {
        let recipe = Recipe::parse(preset.text).unwrap();
        // Grid lines of a planet may not be much farther apart.
        let coarser = if recipe.topology == Topology::Plane { 16 } else { 8 };
        let size = recipe.size.map(|side| (side - 1) / coarser + 1);
        let text = landform::recipe::set_size(preset.text, size).unwrap();
        folder.write("a.toml", &text);
        let half = recipe.design().ground().map(|side| 0.5 * side);
        let extent = format!("{}mx{}m", half[0], half[1]);
        folder.ok(&["build", "a.toml", "-q", "-o", "natural.npy"]);
        folder.ok(&["build", "a.toml", "-q", "--extent", &extent, "-o", "half.npy"]);
        let (natural, half) = (heights(&folder, "natural.npy"), heights(&folder, "half.npy"));
        assert_eq!(natural.map(|height| 0.5 * height), half, "{}", preset.name);
    }
}

#[test]
fn all_lengths_are_scaled_in_what_other_programs_read() {
    let folder = Folder::new();
    let text = landform::recipe::set_size(
        landform::preset::Preset::named("river").unwrap().text,
        [65, 65],
    );
    folder.write("a.toml", &text.unwrap());
    folder.ok(&["build", "a.toml", "-q", "-o", "a/", "-o", "a.csv"]);
    folder.ok(&["build", "a.toml", "-q", "--extent", "2km", "-o", "b/", "-o", "b.csv"]);
    let manifest = |name: &str| Manifest::from_json(&folder.read(name)).unwrap();
    let (natural, small) = (manifest("a/landform.json"), manifest("b/landform.json"));
    let scale = 2000.0 / (natural.spacing[0] * 64.0);
    assert!((small.spacing[0] - 31.25).abs() < 1e-12, "{:?}", small.spacing);
    for (a, b) in natural.layers.iter().zip(&small.layers) {
        let factor = match a.unit.as_str() {
            "m" => scale,
            "m²" => scale * scale,
            _ => 1.0,
        };
        assert!((a.max * factor - b.max).abs() <= 1e-6 * b.max.abs(), "{}: {b:?}", a.name);
    }
    // x, z, bed, width, depth and discharge of each point of the rivers.
    let rows = |name: &str| -> Vec<Vec<f64>> {
        let text = folder.text(name);
        let numbers =
            |line: &str| line.split(',').skip(2).map(|word| word.parse().unwrap()).collect();
        text.lines().skip(1).map(numbers).collect()
    };
    let (natural, small) = (rows("a.csv"), rows("b.csv"));
    assert!(natural.len() > 9 && natural.len() == small.len());
    for (a, b) in natural.iter().zip(&small) {
        let factors = [scale, scale, scale, scale, scale, scale * scale];
        for ((a, b), factor) in a.iter().zip(b).zip(factors) {
            // Numbers are written with three digits after the point.
            assert!((a * factor - b).abs() < 1e-3, "{a} {b}");
        }
    }
    // The recipe that lies in the bundle gives the same again.
    folder.ok(&["build", "b/recipe.toml", "-q", "-o", "again.npy"]);
    assert_eq!(heights(&folder, "again.npy"), heights(&folder, "b/height.npy"));
}

#[test]
fn an_extent_of_other_proportions_is_refused_with_what_would_do() {
    let folder = Folder::new();
    folder.ok(&["build", "small.toml", "-q", "--extent", "320mx320m", "-o", "a.npy"]);
    let talk = folder.fails(2, &["build", "small.toml", "--extent", "2kmx1km", "-o", "b.npy"]);
    assert!(
        talk.contains("--extent: extent is [2000.0, 1000.0], but the ground is 640 m by 640 m"),
        "{talk}"
    );
    assert!(talk.contains("1000 m by 1000 m and 2000 m by 2000 m"), "{talk}");
    // `size` changes the proportions.
    let wide = [
        "build",
        "small.toml",
        "-q",
        "--set",
        "size=[65, 17]",
        "--extent",
        "2kmx1km",
        "-o",
        "b.npy",
    ];
    folder.ok(&wide);
    assert!(folder.fails(2, &["build", "--extent", "2 miles"]).contains("such as 2km"));
}

#[test]
fn pads_lie_on_the_ground_as_it_comes_out() {
    let folder = Folder::new();
    let pad =
        r#"[{ "name": "town", "x": 200, "z": 160, "radius": 40, "margin": 10, "level": 33 }]"#;
    folder.write("pads.json", pad);
    let args =
        ["build", "small.toml", "-q", "--extent", "320m", "--pads", "pads.json", "-o", "a.npy"];
    folder.ok(&args);
    let samples = heights(&folder, "a.npy");
    // 5 m and 10 m from sample to sample.
    assert_eq!(samples[(40, 16)], 33.0);
    assert_eq!(samples[(46, 16)], 33.0);
    assert!(samples[(60, 16)] != 33.0);
}

#[test]
fn absurd_ground_is_told_by_every_command() {
    let folder = Folder::new();
    let dense: &[&str] = &["paper_islands", "--set", "spacing=[2, 2]", "--size", "65x65"];
    let expected = "heights go from";
    for command in [
        ["build", "-o", "a.npy"],
        ["build", "-o", "a.zarr"],
        ["view", "-o", "a.png"],
        ["build", "--for", "flax"],
    ] {
        let args = [&command[..1], dense, &command[1..]].concat();
        let talk = said(&folder, &args);
        assert!(talk.contains(expected) && talk.contains("--extent, such as 2km"), "{talk}");
    }
    let talk = said(&folder, &[&["inspect"], dense].concat());
    assert!(talk.contains(expected), "{talk}");
    // One block, six kilometres above the sea.
    let block = ["build", "islands", "--set", "spacing=[2,2]", "--preview=65", "-o", "a.npy"];
    let talk = said(&folder, &block);
    assert!(talk.contains(expected) && talk.contains("--extent, such as 2km"), "{talk}");
    let small = ["build", "paper_islands", "--extent", "2km", "--size", "65x65", "-o", "a.npy"];
    assert!(!said(&folder, &small).contains("warning"));
    let talk = said(&folder, &["build", "small.toml", "--set", "sea_level=3000", "-o", "a.npy"]);
    assert!(talk.contains("there is no land: the highest point is at"), "{talk}");
}
