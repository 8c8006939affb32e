//! The real program with files that somebody else made: they do not say where else it reads or writes.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

mod shared;

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use shared::{Folder, SMALL, hash};

/// A folder with a secret, and a folder of a stranger in it.
fn visited() -> Folder {
    let folder = Folder::new();
    folder.write("secret.txt", "root:x:0:0:precious");
    folder.write("secret.npy", "precious samples");
    fs::create_dir(folder.path("theirs")).unwrap();
    folder
}

fn on_image(file: &str) -> String {
    format!("{SMALL}\n[[stage]]\nkind = \"heightmap\"\nfile = \"{file}\"\n")
}

#[test]
fn names_in_recipes_stay_in_their_folder() {
    let folder = visited();
    folder.ok(&["build", "small.toml", "-q", "-o", "outside.npy", "-o", "theirs/inside.npy"]);
    let inspect = |file: &str, more: &[&str]| {
        folder.write("theirs/r.toml", &on_image(file));
        folder.landform(&[&["inspect", "theirs/r.toml"], more].concat()).output().unwrap()
    };
    assert!(inspect("inside.npy", &[]).status.success());
    let absolute = folder.path("outside.npy").display().to_string();
    symlink("../outside.npy", folder.path("theirs/linked.npy")).unwrap();
    for file in ["../outside.npy", &absolute, "linked.npy", "none/../../outside.npy"] {
        let refused = inspect(file, &[]);
        let talk = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{file}: {talk}");
        assert!(
            talk.contains("outside of the folder") && talk.contains("--allow-outside"),
            "{talk}"
        );
        assert!(talk.contains("at theirs/r.toml:12:1"), "{talk}");
    }
    for file in ["../outside.npy", &absolute, "linked.npy"] {
        assert!(inspect(file, &["--allow-outside"]).status.success(), "{file}");
    }
    // What is named on the command line is named by the user.
    folder.write("theirs/r.toml", &on_image("inside.npy"));
    folder.ok(&["inspect", "theirs/r.toml", "--set", "heightmap.file=\"../outside.npy\""]);
    // Nothing is told of the contents of a file that the user did not name.
    folder.write("theirs/notes.npy", "their own diary");
    let talk = inspect("notes.npy", &[]);
    let talk = String::from_utf8_lossy(&talk.stderr);
    assert!(talk.contains("notes.npy") && !talk.contains("diary"), "{talk}");
    assert!(folder.fails(1, &["inspect", "theirs/notes.npy"]).contains("their ow"));
}

#[test]
fn names_in_bundles_stay_in_their_folder() {
    let folder = visited();
    folder.ok(&["build", "small.toml", "-q", "-o", "mine.npy"]);
    folder.ok(&["build", "small.toml", "-q", "-o", "b/"]);
    let manifest = folder.text("b/landform.json");
    let refused = |what: &str| {
        let talk = folder.fails(1, &["inspect", "b"]);
        assert!(
            talk.contains("outside of the folder") && !talk.contains("precious"),
            "{what}: {talk}"
        );
    };
    folder.write("b/landform.json", &manifest.replace("\"height.npy\"", "\"../secret.npy\""));
    refused("a name that leads up");
    folder.write("b/landform.json", &manifest.replace("\"height.npy\"", "\"../mine.npy\""));
    refused("a name that leads up to a heightmap");
    folder.ok(&["inspect", "b", "--allow-outside"]);
    folder.write("b/landform.json", &manifest);
    for name in ["height.npy", "recipe.toml", "landform.json"] {
        let old = folder.read(&format!("b/{name}"));
        fs::remove_file(folder.path(&format!("b/{name}"))).unwrap();
        symlink("../secret.txt", folder.path(&format!("b/{name}"))).unwrap();
        refused(name);
        fs::remove_file(folder.path(&format!("b/{name}"))).unwrap();
        fs::write(folder.path(&format!("b/{name}")), old).unwrap();
    }
    // The scale beside a file that is named.
    folder.ok(&["build", "small.toml", "-q", "-o", "theirs/a.r16"]);
    fs::remove_file(folder.path("theirs/a.r16.json")).unwrap();
    symlink("../secret.txt", folder.path("theirs/a.r16.json")).unwrap();
    let talk = folder.fails(1, &["inspect", "theirs/a.r16"]);
    assert!(talk.contains("outside of the folder") && !talk.contains("precious"), "{talk}");
}

#[test]
fn outputs_replace_links_and_follow_none() {
    let folder = visited();
    folder.ok(&["build", "small.toml", "-q", "-o", "theirs/"]);
    let names = ["map.png", "height.npy", "landform.json", "recipe.toml"];
    for name in names {
        fs::remove_file(folder.path(&format!("theirs/{name}"))).unwrap();
        symlink("../secret.txt", folder.path(&format!("theirs/{name}"))).unwrap();
    }
    folder.ok(&["build", "small.toml", "-q", "-o", "theirs/", "--force"]);
    for name in names {
        let found = fs::symlink_metadata(folder.path(&format!("theirs/{name}"))).unwrap();
        assert!(found.is_file(), "{name} is still a link");
    }
    symlink("secret.txt", folder.path("a.npy")).unwrap();
    symlink("secret.txt", folder.path("a.pmtiles.part")).unwrap();
    folder.ok(&["build", "small.toml", "-q", "-o", "a.npy", "-o", "s.zarr"]);
    folder.ok(&["build", "s.zarr", "-q", "-o", "a.pmtiles"]);
    assert!(folder.read("a.npy").starts_with(b"\x93NUMPY"));
    assert!(folder.read("a.pmtiles").starts_with(b"PMTiles"));
    assert_eq!(folder.text("secret.txt"), "root:x:0:0:precious");
    // A store whose folder leads elsewhere is not filled there.
    fs::create_dir_all(folder.path("t.zarr/.landform")).unwrap();
    fs::create_dir(folder.path("elsewhere")).unwrap();
    symlink("../elsewhere", folder.path("t.zarr/0")).unwrap();
    let talk = folder.fails(1, &["build", "small.toml", "-o", "t.zarr"]);
    assert!(talk.contains("is a link"), "{talk}");
    assert_eq!(shared::names(&folder.path("elsewhere")), [""; 0]);
}

#[test]
fn pipes_and_devices_are_no_files() {
    let folder = visited();
    let pipe = |name: &str| {
        let _ = fs::remove_file(folder.path(name));
        assert!(Command::new("mkfifo").arg(folder.path(name)).status().unwrap().success());
    };
    // Each of these would wait for ever, or read until memory ends.
    for name in ["p.toml", "p.npy", "p.upd", "p.r16"] {
        pipe(name);
        let talk = folder.fails(1, &["inspect", name]);
        assert!(talk.contains("only regular files are read"), "{talk}");
        fs::remove_file(folder.path(name)).unwrap();
        symlink("/dev/zero", folder.path(name)).unwrap();
        let talk = folder.fails(1, &["inspect", name]);
        assert!(talk.contains("only regular files are read"), "{talk}");
        fs::remove_file(folder.path(name)).unwrap();
    }
    folder.ok(&["build", "small.toml", "-q", "-o", "b/"]);
    pipe("b/map.png");
    let talk = folder.fails(1, &["build", "small.toml", "-o", "b/"]);
    assert!(talk.contains("b/map.png") && talk.contains("a pipe"), "{talk}");
    fs::remove_file(folder.path("b/map.png")).unwrap();
    pipe("b/height.npy");
    assert!(folder.fails(1, &["inspect", "b"]).contains("only regular files are read"));
    folder.ok(&["build", "small.toml", "-q", "-o", "s.zarr"]);
    pipe("s.zarr/0/height/c/0/0");
    assert!(folder.fails(1, &["inspect", "s.zarr"]).contains("only regular files are read"));
    pipe("s.zarr/zarr.json");
    let talk = folder.fails(1, &["build", "small.toml", "-o", "s.zarr"]);
    assert!(talk.contains("s.zarr: found zarr.json: it is a pipe"), "{talk}");
    pipe("t.zarr");
    let talk = folder.fails(1, &["build", "small.toml", "-o", "t.zarr"]);
    assert!(talk.contains("t.zarr: found a file, expected a folder"), "{talk}");
}

#[test]
fn a_bundle_whose_samples_changed_is_named() {
    let folder = Folder::new();
    let said = |args: &[&str]| {
        let output = folder.landform(args).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    folder.ok(&[
        "build",
        "hard_core",
        "--size",
        "65x65",
        "--set",
        "size=[65,65]",
        "-q",
        "-o",
        "b/",
    ]);
    assert_eq!(said(&["inspect", "b"]), (Some(0), String::new()));
    let damage = |name: &str| {
        let mut bytes = folder.read(name);
        let at = bytes.len() - 400;
        bytes[at] ^= 1;
        fs::write(folder.path(name), bytes).unwrap();
    };
    damage("b/sediment.npy");
    let (code, talk) = said(&["inspect", "b"]);
    assert_eq!(code, Some(1), "{talk}");
    assert!(talk.contains("warning: b/sediment.npy: the samples of sediment are not"), "{talk}");
    assert!(!talk.contains("height.npy"), "{talk}");
    for args in [&["build", "b", "-o", "c.npy"][..], &["view", "b", "-o", "v.png"]] {
        let (code, talk) = said(args);
        assert_eq!(code, Some(0), "{talk}");
        assert!(talk.contains("b/sediment.npy: the samples of sediment are not"), "{talk}");
    }
    damage("b/height.npy");
    let (code, talk) = said(&["inspect", "b", "--size", "33x33"]);
    assert!(code == Some(1) && talk.contains("b/height.npy: the samples of height"), "{talk}");
}

#[test]
fn the_folder_of_an_export_is_inspected_by_its_manifest() {
    let folder = Folder::new();
    folder
        .write("even.toml", &SMALL.replace("[65, 33]", "[65, 65]").replace("[10, 20]", "[10, 10]"));
    let expected = |size: [u64; 2]| {
        let size = format!("{}x{}", size[0], size[1]);
        let told = folder.ok(&["inspect", "even.toml", "--size", &size, "--json", "-q"]);
        serde_json::from_str::<serde_json::Value>(&told).unwrap()
    };
    for target in
        ["unity", "unreal", "terrain3d", "hterrain", "blender", "bevy", "flax", "gis", "minecraft"]
    {
        folder.ok(&["build", "even.toml", "-q", "--for", target, "-o", target]);
        let output = folder.landform(&["inspect", target, "--json", "-q"]).output().unwrap();
        let talk = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{target}: {talk}");
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let manifest: serde_json::Value =
            serde_json::from_str(&folder.text(&format!("{target}/landform.json"))).unwrap();
        assert_eq!(told["size"], manifest["size"], "{target}");
        let number = |key: &str| told["statistics"][key].as_f64().unwrap();
        let size = [0, 1].map(|axis| told["size"][axis].as_u64().unwrap());
        let whole = expected(size);
        // 16-bit levels are near; south and north are where they were.
        for key in ["min", "max", "mean", "slope_mean"] {
            let want = whole["statistics"][key].as_f64().unwrap();
            assert!((number(key) - want).abs() < 0.5, "{target} {key}: {} {want}", number(key));
        }
    }
    // Heights of Unity have the south first; the bytes of a build of that folder have the north first.
    folder.ok(&["build", "unity", "-q", "-o", "u.r16"]);
    let (theirs, ours) = (folder.read("unity/even.raw"), folder.read("u.r16"));
    let width = (theirs.len() as f64 / 2.0).sqrt() as usize;
    let last = &theirs[2 * width * (width - 1)..];
    let level =
        |bytes: &[u8], k: usize| i32::from(u16::from_le_bytes([bytes[2 * k], bytes[2 * k + 1]]));
    assert!((0..width).all(|k| (level(last, k) - level(&ours, k)).abs() <= 1), "the first row");
    let talk = folder.fails(1, &["inspect", "small.toml/x"]);
    assert!(!talk.is_empty());
    folder.ok(&["build", "even.toml", "-q", "--for", "print3d", "-o", "p"]);
    assert!(folder.fails(1, &["inspect", "p"]).contains("holds no heights that can be read"));
    assert_ne!(hash(&folder, &["gis"]), "");
}
