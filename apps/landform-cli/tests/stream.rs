//! Terrain larger than memory: the real program, interrupted in every way that a program can be.
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use tempfile::TempDir;

const RECIPE: &str = "version = 1\nseed = 5\nsize = [257, 129]\nspacing = [40, 40]\n\n\
    [[stage]]\nkind = \"uplift\"\npeaks = 60\n\n[[stage]]\nkind = \"noise\"\namplitude = 90\n\n\
    [[stage]]\nkind = \"smooth\"\nradius = 60\n";

/// A store of many small tiles.
const STORE: [&str; 6] = ["--size", "1601x1003", "--chunk", "32", "--shard", "64"];

fn landform(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_landform"));
    command.current_dir(folder).args(words).stdin(Stdio::null());
    command
}

fn run(folder: &Path, words: &[&str]) -> Output {
    landform(folder, words).output().unwrap()
}

fn ok(folder: &Path, words: &[&str]) -> String {
    let output = run(folder, words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn fails(folder: &Path, code: i32, words: &[&str]) -> String {
    let output = run(folder, words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{words:?}: {said}");
    said
}

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("big.toml"), RECIPE).unwrap();
    folder
}

fn build(output: &str) -> Vec<&str> {
    [&["build", "big.toml", "-q", "-o", output], STORE.as_slice()].concat()
}

fn spawn(folder: &Path, words: &[&str]) -> Child {
    landform(folder, words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// All files below a folder, with their bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found
                    .insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(path).unwrap());
            }
        }
    }
    found
}

/// The beginning of the hash of heights that are built in memory, as the program tells it.
fn hash_in_memory(folder: &Path, words: &[&str]) -> String {
    let said = ok(folder, &[&["build", "-o", "memory.npy"], words].concat());
    said.split("sha256 ").nth(1).unwrap()[..16].to_owned()
}

/// The beginning of the hash of a store, from all its samples.
fn hash(folder: &Path, words: &[&str]) -> String {
    let report = ok(folder, &[&["inspect", "--json", "-q"], words].concat());
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    report["layers"][0]["sha256"].as_str().unwrap()[..16].to_owned()
}

#[test]
fn a_store_has_the_samples_of_a_build_in_memory() {
    let home = folder();
    let here = home.path();
    ok(here, &build("big.zarr"));
    let expected = hash_in_memory(here, &["big.toml", "--size", "1601x1003"]);
    assert_eq!(hash(here, &["big.zarr"]), expected);
    // One file a chunk, another division, and little memory: the same samples.
    let division = ["--size", "1601x1003", "--no-shards", "--shard", "256", "--memory", "30M"];
    ok(here, &[&["build", "big.toml", "-q", "-o", "files.zarr"], division.as_slice()].concat());
    assert_eq!(hash(here, &["files.zarr"]), expected);
    // A finished one is left as it is.
    let before = fs::metadata(here.join("big.zarr/zarr.json")).unwrap().modified().unwrap();
    ok(here, &build("big.zarr"));
    assert_eq!(fs::metadata(here.join("big.zarr/zarr.json")).unwrap().modified().unwrap(), before);
    // A window of it is that window.
    let tile = ["--tile", "700,300,301,222", "-q", "-o"];
    ok(here, &[&["build", "big.zarr"], tile.as_slice(), &["of_store.npy"]].concat());
    let size = ["--size", "1601x1003"];
    ok(here, &[&["build", "big.toml"], size.as_slice(), &tile, &["of_recipe.npy"]].concat());
    let read = |name: &str| fs::read(here.join(name)).unwrap();
    assert_eq!(read("of_store.npy"), read("of_recipe.npy"));
    ok(here, &["view", "big.zarr", "-q", "-o", "picture.png", "--picture", "400x200"]);
    assert!(read("picture.png").len() > 10_000);
}

#[test]
fn layers_of_simulations_are_stored_too() {
    let home = folder();
    let here = home.path();
    let words = ["eroded_hills", "--size", "300x200", "--set", "size=[129, 97]", "-q"];
    ok(here, &[&["build", "-o", "n.zarr", "--chunk", "32", "--shard", "64"], &words[..]].concat());
    let report = |words: &[&str]| -> Vec<(String, String)> {
        let report = ok(here, &[&["inspect", "--json"], words].concat());
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        let layers = report["layers"].as_array().unwrap().clone();
        let text = |layer: &serde_json::Value, key: &str| layer[key].as_str().unwrap().to_owned();
        layers.iter().map(|layer| (text(layer, "name"), text(layer, "sha256"))).collect()
    };
    let stored = report(&["n.zarr", "-q"]);
    assert!(stored.len() > 3, "{stored:?}");
    assert_eq!(stored, report(&words));
}

#[test]
fn killed_twenty_times_it_gives_the_same_bytes() {
    let home = folder();
    let here = home.path();
    ok(here, &build("whole.zarr"));
    let whole = files(&here.join("whole.zarr"));
    let (mut kills, mut finished) = (0_u64, 0);
    while kills < 20 {
        let mut child = spawn(here, &build("big.zarr"));
        std::thread::sleep(Duration::from_millis(15 + kills * 37 % 90));
        if child.try_wait().unwrap().is_none() {
            kills += 1;
        } else {
            finished += 1;
            assert_eq!(files(&here.join("big.zarr")), whole);
            fs::remove_dir_all(here.join("big.zarr")).unwrap();
        }
        let _ = child.kill();
        child.wait().unwrap();
        assert!(finished < 40, "too quick to be killed");
    }
    ok(here, &build("big.zarr"));
    assert!(files(&here.join("big.zarr")) == whole);
}

#[test]
fn simulations_run_once_whatever_happens() {
    let home = folder();
    let here = home.path();
    let simulated = RECIPE.to_owned()
        + "\n[[stage]]\nkind = \"thermal\"\n\n[[stage]]\nkind = \"river\"\n\n[[stage]]\nkind = \"drainage\"\n";
    fs::write(here.join("big.toml"), simulated).unwrap();
    let size = ["--size", "801x603"];
    let build = |output: &'static str| -> Vec<&str> {
        let words = ["build", "big.toml", "-o", output, "--chunk", "32", "--shard", "64"];
        [words.as_slice(), &size].concat()
    };
    let quiet = |output: &'static str| [build(output).as_slice(), &["-q"]].concat();
    ok(here, &quiet("whole.zarr"));
    let whole = files(&here.join("whole.zarr"));
    let kept = here.join("big.zarr/.landform/kept");
    // Whole files: what is just being written has another name.
    let whole_files = || {
        let all = fs::read_dir(&kept).into_iter().flatten().map(|entry| entry.unwrap().path());
        all.filter(|path| path.extension().is_none_or(|end| end != "tmp")).collect::<Vec<_>>()
    };
    let count = || whole_files().len();
    let mut child = spawn(here, &quiet("big.zarr"));
    while count() < 3 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(count(), 3);
    let said = |output: Output| String::from_utf8(output.stderr).unwrap();
    // One file is damaged, as by a power cut: only that stage runs again.
    let first = &whole_files()[0];
    fs::write(first, &fs::read(first).unwrap()[..100]).unwrap();
    let output = run(here, &build("big.zarr"));
    assert!(output.status.success());
    let told = said(output);
    let line = told.lines().find_map(|line| line.strip_prefix("cached: ")).unwrap();
    assert_eq!(line.split(", ").count(), 2, "{told}");
    assert!(!kept.exists() && files(&here.join("big.zarr")) == whole);
    // Tiles and other sizes share a folder.
    let tile = |words: &[&str]| {
        run(here, &[&["build", "big.toml", "--keep", "found", "-o", "t.npy"], words].concat())
    };
    assert!(
        !said(tile(&[size.as_slice(), &["--tile", "0,0,65,65"]].concat())).contains("cached: ")
    );
    let again = said(tile(&[size.as_slice(), &["--tile", "500,300,301,222"]].concat()));
    assert!(again.contains("cached: thermal, river, drainage"), "{again}");
    ok(here, &["build", "whole.zarr", "--tile", "500,300,301,222", "-q", "-o", "s.npy"]);
    assert_eq!(fs::read(here.join("t.npy")).unwrap(), fs::read(here.join("s.npy")).unwrap());
    assert!(said(tile(&[])).contains("cached: "));
    assert!(!said(tile(&["--seed", "8"])).contains("cached: "));
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_it_and_it_goes_on() {
    let home = folder();
    let here = home.path();
    let mut child = landform(here, &build("big.zarr")).stderr(Stdio::piped()).spawn().unwrap();
    // Interrupted when some tiles are there.
    for _ in 0..500 {
        let done = fs::read_dir(here.join("big.zarr/.landform/0")).map_or(0, Iterator::count);
        if done > 5 {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success()
    );
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(1));
    assert!(here.join("big.zarr/.landform").is_dir());
    ok(here, &build("big.zarr"));
    ok(here, &build("whole.zarr"));
    assert!(files(&here.join("big.zarr")) == files(&here.join("whole.zarr")));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_what_can_be_continued() {
    let home = folder();
    let here = home.path();
    let small = here.join("small");
    fs::create_dir(&small).unwrap();
    let mount = |options: &str| {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(&small).stderr(Stdio::null());
        mount.status().is_ok_and(|status| status.success())
    };
    if !mount("size=3m") {
        eprintln!("skipped: a small disk needs the right to mount one");
        return;
    }
    let said = fails(here, 1, &build("small/big.zarr"));
    assert!(said.contains("No space left") && said.contains("goes on"), "{said}");
    let tiles = fs::read_dir(small.join("big.zarr/.landform/0")).unwrap().count();
    assert!(tiles > 0 && mount("remount,size=100m"));
    ok(here, &build("small/big.zarr"));
    ok(here, &build("whole.zarr"));
    let same = files(&small.join("big.zarr")) == files(&here.join("whole.zarr"));
    assert!(Command::new("umount").arg(&small).status().unwrap().success());
    assert!(same);
}

#[test]
fn a_cloud_optimized_geotiff_has_the_same_samples() {
    let home = folder();
    let here = home.path();
    ok(here, &[build("big.tif").as_slice(), &["--cog"]].concat());
    assert!(!here.join("big.tif.part").exists());
    let expected = hash_in_memory(here, &["big.toml", "--size", "1601x1003"]);
    assert_eq!(hash_in_memory(here, &["big.tif"]), expected);
}

#[test]
fn what_cannot_be_is_refused_with_its_reason() {
    let home = folder();
    let here = home.path();
    ok(here, &build("big.zarr"));
    let other = [build("big.zarr").as_slice(), &["--seed", "9"]].concat();
    assert!(fails(here, 1, &other).contains("found a store of another recipe, expected nothing"));
    let other = ["build", "big.toml", "-q", "-o", "big.zarr", "--size", "300x200"];
    assert!(fails(here, 1, &other).contains("found a store of 1601 × 1003 samples"));
    let wrong = ["build", "big.toml", "-q", "-o", "x.zarr", "--shard", "100"];
    assert!(fails(here, 2, &wrong).contains("a power of two in 16..=16384"));
    let little = [build("x.zarr").as_slice(), &["--memory", "10K"]].concat();
    assert!(fails(here, 1, &little).contains("give more --memory"));
    fs::create_dir(here.join("mine.zarr")).unwrap();
    fs::write(here.join("mine.zarr/notes.txt"), "precious").unwrap();
    assert!(fails(here, 1, &build("mine.zarr")).contains("found other files"));
    fs::write(here.join("big.zarr/0/height/c/3/4"), b"damaged").unwrap();
    assert!(
        fails(here, 1, &["inspect", "big.zarr"]).contains("c/3/4: found a file of another length")
    );
}

#[test]
fn tiles_for_an_engine_are_the_same_in_memory_and_from_a_store() {
    let folder = folder();
    let build = |input: &str, output: &str, more: &[&str]| {
        let words = ["build", input, "-q", "--for", "unity", "--tiles", "4x2", "-o", output];
        ok(folder.path(), &[&words[..], more].concat());
        let mut found = files(&folder.path().join(output));
        // The names of inputs, and hashes of layers that a store counts by tiles, differ.
        found.retain(|path, _| path.extension().is_some_and(|end| end == "raw" || end == "png"));
        assert!(found.len() >= 8, "{:?}", found.keys());
        found.into_values().collect::<Vec<_>>()
    };
    let size = ["--size", "1025x513"];
    let whole = build("big.toml", "whole", &size);
    let little = ["--memory", "16M", "--chunk", "32", "--shard", "64"];
    let streamed = build("big.toml", "streamed", &[&size[..], &little].concat());
    assert!(whole == streamed, "by way of a store beside them");
    assert!(!folder.path().join("streamed/terrain.part").exists());
    let store = ["build", "big.toml", "-q", "-o", "big.zarr", "--size", "1025x513"];
    ok(folder.path(), &store);
    assert!(whole == build("big.zarr", "cut", &[]), "from a store that is the input");
}

#[test]
fn a_store_of_bare_ground_is_drawn_bare() {
    let home = folder();
    let here = home.path();
    fs::write(here.join("bare.toml"), RECIPE.replace("seed", "ground = \"bare\"\nseed")).unwrap();
    let draw = |from: &str| {
        ok(here, &["view", from, "-q", "-o", "v.png", "--style", "3d", "--picture", "96x64"]);
        fs::read(here.join("v.png")).unwrap()
    };
    let bare = draw("bare.toml");
    assert!(bare != draw("big.toml"));
    ok(here, &["build", "bare.toml", "-q", "-o", "bare.zarr"]);
    assert!(bare == draw("bare.zarr"));
}
