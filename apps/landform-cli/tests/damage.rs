//! Damage to stores is found by whoever reads them, named, and mended by the command that made them.
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

mod shared;

use std::fs;
use std::path::PathBuf;

use shared::{Folder, hash};

/// Shards of 16 chunks, three levels; two layers in all.
const STORE: [&str; 12] = [
    "build",
    "big.toml",
    "-q",
    "-o",
    "big.zarr",
    "--size",
    "300x200",
    "--chunk",
    "32",
    "--shard",
    "128",
    "--threads",
];

const RECIPE: &str = "version = 1\nseed = 5\nsize = [65, 33]\nspacing = [40, 40]\n\n\
    [[stage]]\nkind = \"uplift\"\npeaks = 30\n\n[[stage]]\nkind = \"noise\"\namplitude = 90\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("big.toml", RECIPE);
    folder
}

fn build<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&STORE[..], &["2"], more].concat()
}

/// The files of samples, all levels, with their bytes.
fn samples(folder: &Folder) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut open = vec![folder.path("big.zarr")];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.components().any(|part| part.as_os_str() == "height")
                && path.file_name().unwrap() != "zarr.json"
            {
                found.push((path.clone(), fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_flipped_bit_is_found_by_reading_named_and_mended() {
    for sharding in [&[][..], &["--no-shards"]] {
        let folder = folder();
        folder.ok(&build(sharding));
        let expected = hash(&folder, &["big.zarr"]);
        let files = samples(&folder);
        assert!(files.len() > 6, "{files:?}");
        // A dozen files of all levels.
        let step = files.len().div_ceil(12);
        for (n, (path, bytes)) in files.iter().step_by(step).enumerate() {
            let name =
                path.strip_prefix(folder.path("big.zarr")).unwrap().to_str().unwrap().to_owned();
            let name = name.replace('\\', "/");
            // Somewhere in the middle of each, and of one file at many places.
            let places = if n == 0 { 6 } else { 1 };
            for k in 0..places {
                let mut damaged = bytes.clone();
                let at = (k * bytes.len() / places + bytes.len() / 3) % bytes.len();
                damaged[at] ^= 1 << (k % 8);
                fs::write(path, &damaged).unwrap();
                let talk = folder.fails(1, &["inspect", "big.zarr", "--verify", "-q"]);
                assert!(talk.contains("1 files of big.zarr are damaged"), "{name} {at}: {talk}");
                if name.starts_with("0/") {
                    // Every sample is read: no door gives it away as good.
                    for args in [
                        &["inspect", "big.zarr"][..],
                        &["build", "big.zarr", "-o", "a.npy"],
                        &["build", "big.zarr", "-o", "a.tif", "--cog"],
                    ] {
                        let talk = folder.fails(1, args);
                        assert!(talk.contains(&name), "{args:?} {at}: {talk}");
                    }
                }
            }
            let output = folder.landform(&["inspect", "big.zarr", "--verify"]).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("damaged {name}\n"));
            // Its length is right: only a closer look finds it.
            folder.ok(&build(sharding));
            assert!(fs::read(path).unwrap() != *bytes);
            folder.ok(&build(&[sharding, &["--verify"]].concat()));
            assert!(fs::read(path).unwrap() == *bytes, "{name} is not mended");
        }
        assert_eq!(hash(&folder, &["big.zarr"]), expected);
        assert!(!folder.path("big.zarr/.landform").exists());
    }
}

#[test]
fn lost_cut_and_swapped_files_are_errors_and_are_made_again() {
    let folder = folder();
    folder.ok(&build(&[]));
    let files = samples(&folder);
    let read = |path: &PathBuf| fs::read(path).unwrap();
    for (path, bytes) in files.iter().step_by(3) {
        for cut in [None, Some(bytes.len() / 2), Some(0)] {
            match cut {
                None => fs::remove_file(path).unwrap(),
                Some(length) => fs::write(path, &bytes[..length]).unwrap(),
            }
            let verify = folder.fails(1, &["inspect", "big.zarr", "--verify"]);
            assert!(verify.contains("1 files"), "{path:?} {cut:?}: {verify}");
            if path.starts_with(folder.path("big.zarr/0")) {
                folder.fails(1, &["build", "big.zarr", "-o", "a.npy"]);
            }
            let output = folder
                .landform(
                    &build(&[])[..]
                        .iter()
                        .filter(|word| **word != "-q")
                        .copied()
                        .collect::<Vec<_>>(),
                )
                .output()
                .unwrap();
            let talk = String::from_utf8_lossy(&output.stderr);
            assert!(talk.contains("1 files are damaged and are made again"), "{talk}");
            assert!(read(path) == *bytes, "{path:?} is not made again");
        }
    }
    // Two sound shards in each other's place.
    let ((one, a), (other, b)) = (&files[0], &files[1]);
    fs::write(one, b).unwrap();
    fs::write(other, a).unwrap();
    folder.fails(1, &["build", "big.zarr", "-o", "a.npy"]);
    folder.ok(&build(&["--verify"]));
    assert!(read(one) == *a && read(other) == *b);
    // Coordinates and descriptions, which other programs read.
    for name in ["big.zarr/0/x/c/0", "big.zarr/1/zarr.json", "big.zarr/0/height/zarr.json"] {
        let before = folder.read(name);
        let mut damaged = before.clone();
        damaged[9] ^= 1;
        fs::write(folder.path(name), damaged).unwrap();
        folder.fails(1, &["inspect", "big.zarr", "--verify"]);
        folder.ok(&build(&["--verify"]));
        assert!(folder.read(name) == before, "{name}");
    }
    // Without its checksums nobody can tell: all is made again.
    let sums = folder.read("big.zarr/.checksums");
    fs::write(folder.path("big.zarr/.checksums"), &sums[1..]).unwrap();
    fs::write(&files[0].0, b"nothing").unwrap();
    assert!(folder.fails(1, &["inspect", "big.zarr"]).contains("the command that built it"));
    folder.ok(&build(&[]));
    assert!(samples(&folder) == files && folder.read("big.zarr/.checksums") == sums);
    let talk = folder.fails(2, &["inspect", "big.toml", "--verify"]);
    assert!(talk.contains("--verify is for stores"), "{talk}");
}

#[test]
fn a_layer_with_the_name_of_a_coordinate_is_refused_before_anything_is_written() {
    let folder = folder();
    folder.write("x.toml", &format!("{RECIPE}\n[[stage]]\nkind = \"plane\"\nlayer = \"x\"\n"));
    let talk = folder.fails(1, &["build", "x.toml", "-q", "-o", "x.zarr"]);
    assert!(talk.starts_with("error: zarr.json: found a layer that is called x"), "{talk}");
    assert!(!folder.path("x.zarr").exists());
}

#[test]
fn two_processes_on_one_store_both_succeed() {
    let folder = folder();
    let mut has_waited = false;
    for round in 0..4 {
        let output = if round % 2 == 0 { "two.zarr" } else { "two.pmtiles" };
        let args = [
            "build", "big.toml", "-o", output, "--size", "500x400", "--chunk", "32", "--shard",
            "64",
        ];
        let spawn = || {
            let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("landform"));
            command.current_dir(folder.0.path()).args(args);
            command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped());
            command.spawn().unwrap()
        };
        let both = [spawn(), spawn()].map(|child| child.wait_with_output().unwrap());
        let talk =
            both.each_ref().map(|output| String::from_utf8_lossy(&output.stderr).into_owned());
        assert!(both.iter().all(|output| output.status.success()), "{talk:?}");
        has_waited |= talk.iter().any(|talk| talk.contains("another process: waiting for it"));
        if round % 2 == 0 {
            folder.ok(&["inspect", "two.zarr", "--verify"]);
            assert_eq!(
                hash(&folder, &["two.zarr"]),
                hash(&folder, &["big.toml", "--size", "500x400"])
            );
            assert!(!folder.path("two.zarr/.landform").exists());
            fs::remove_dir_all(folder.path("two.zarr")).unwrap();
        } else {
            assert!(folder.read("two.pmtiles").starts_with(b"PMTiles"));
            assert!(!folder.path("two.pmtiles.part").exists());
            fs::remove_file(folder.path("two.pmtiles")).unwrap();
        }
    }
    assert!(has_waited, "nobody had to wait");
}
