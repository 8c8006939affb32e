//! `--memory` is a limit: every command refuses before it takes more, and what it does not refuse fits. The addresses of the
//! process are limited from outside, so a command that takes too much fails. Threads reserve addresses, so there is one.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

mod shared;

use std::fmt::Write as _;
use std::fs;

use shared::Folder;

/// Kilobytes of addresses that the program reserves before it does anything, with its debug information.
const PROGRAM: u64 = 300_000;

/// Runs a command with addresses for `megabytes` beside the program, and gives its exit code and what was said.
fn within(folder: &Folder, megabytes: u64, line: &str) -> (Option<i32>, String) {
    let addresses = PROGRAM + 1024 * megabytes;
    let line = format!("ulimit -v {addresses}; exec \"$L\" {line}");
    let mut command = std::process::Command::new("bash");
    command.current_dir(folder.0.path()).args(["-c", &line]).env("MALLOC_ARENA_MAX", "1");
    let output = command.env("L", assert_cmd::cargo::cargo_bin("landform")).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Refused, with the reason, and nothing is left.
fn is_refused(folder: &Folder, megabytes: u64, line: &str) -> String {
    let before = folder.names();
    let (code, talk) = within(folder, megabytes, line);
    assert_eq!(code, Some(1), "{line}: {talk}");
    assert!(talk.contains("may be used"), "{line}: {talk}");
    assert_eq!(folder.names(), before, "{line}");
    talk
}

/// A black PNG of so many samples, which deflates to nearly nothing.
fn black_png(side: u32) -> Vec<u8> {
    let rows = vec![0_u8; (1 + 2 * side as usize) * 64];
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, side, side);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    let mut writer = encoder.write_header().unwrap();
    let mut stream = writer.stream_writer().unwrap();
    let mut left = 2 * u64::from(side) * u64::from(side);
    while left > 0 {
        let part = left.min(rows.len() as u64) as usize;
        std::io::Write::write_all(&mut stream, &rows[..part]).unwrap();
        left -= part as u64;
    }
    stream.finish().unwrap();
    drop(writer);
    out
}

#[test]
fn a_small_file_with_many_samples_is_refused_before_they_are_decoded() {
    let folder = Folder::new();
    fs::write(folder.path("black.png"), black_png(8000)).unwrap();
    assert!(folder.read("black.png").len() < 1_000_000);
    for line in [
        "build black.png --memory 100M --threads 1 -o a.npy",
        "inspect black.png --memory 100M --threads 1",
        "view black.png --memory 100M --threads 1 -o a.png",
        "compare black.png --memory 100M --threads 1",
        "build - --memory 100M --threads 1 -o a.npy < black.png",
    ] {
        let talk = is_refused(&folder, 100, line);
        assert!(talk.contains("8000x8000 samples"), "{talk}");
    }
    // One that a recipe names.
    folder.write(
        "named.toml",
        "version = 1\nsize = [65, 65]\nspacing = [10, 10]\n[[stage]]\nkind = \"heightmap\"\nfile = \"black.png\"\n",
    );
    is_refused(&folder, 100, "build named.toml --memory 100M --threads 1 -o a.npy");
}

#[test]
fn pictures_that_do_not_fit_are_refused_before_they_are_drawn() {
    let folder = Folder::new();
    for style in ["relief", "hillshade", "gray", "3d", "plan"] {
        let line = format!(
            "view small.toml --style {style} --picture 12000x12000 --memory 200M --threads 1 -o a.png"
        );
        let talk = is_refused(&folder, 200, &line);
        assert!(talk.contains("--picture ") || talk.contains("--size "), "{talk}");
    }
    let seeds: Vec<String> = (1..=3000).map(|seed: u32| seed.to_string()).collect();
    let seeds = seeds.join(",");
    let line = format!("compare small.toml --seeds {seeds} --memory 500M --threads 1 -o a.png");
    assert!(is_refused(&folder, 500, &line).contains("compare fewer"));
    // Half of the pixels of what would fit are drawn.
    let line = "view small.toml --picture 1500x750 --memory 100M --threads 1 -o a.png";
    let (code, talk) = within(&folder, 100, line);
    assert_eq!(code, Some(0), "{talk}");
}

#[test]
fn a_long_list_of_peaks_is_compact() {
    let folder = Folder::new();
    let count = 100_000_u64;
    let mut text = format!("500 500\n10 10\n{count}\n");
    for k in 0..count {
        let (i, j) = (k * 7919 % 500, k * 104_729 % 500);
        let _ = writeln!(text, "{i} {j} {}.5 {}.25", 500 + k % 5000, 50 + k % 400);
    }
    folder.write("many.upd", &text);
    // 2 GB for a million is 200 MB for these.
    let line = "build many.upd --memory 60M --threads 1 -o a.npy -o again.upd -o a.toml";
    let (code, talk) = within(&folder, 60, line);
    assert_eq!(code, Some(0), "{talk}");
    assert!(folder.text("again.upd") == text, "what is not edited keeps its text");
    // The recipe says the same, and so does one in which something else is changed.
    let (code, talk) =
        within(&folder, 60, "build a.toml --size 501x501 --memory 60M --threads 1 -o b.npy");
    assert_eq!(code, Some(0), "{talk}");
    is_refused(&folder, 60, "build many.upd --memory 20M --threads 1 -o c.npy");
}

#[test]
fn what_is_not_refused_fits() {
    let folder = Folder::new();
    // A little more than each says that it needs.
    for line in [
        "build fbm --size 2000x2000 -o a.npy",
        "build lowland --size 1500x1500 -o a.npy",
        "build river --set river.depth=9 -o a.npy",
        "build world_torus -o a.npy",
        "view fbm --size 1000x1000 -o a.png",
        "inspect fbm --size 1500x1500",
        "build uplift --size 3000x3000 -o a.zarr",
    ] {
        let (code, talk) = within(&folder, 2000, &format!("{line} --memory 1M --threads 1"));
        assert_eq!(code, Some(1), "{line}: {talk}");
        let needed = needed_megabytes(&talk);
        let line = format!("{line} --memory {}M --threads 1", needed + 1);
        let (code, talk) = within(&folder, needed * 13 / 10 + 8, &line);
        assert_eq!(code, Some(0), "{line}: {talk}");
    }
}

/// Makes a file as long as asked for, with a hole at its end that takes no disk.
fn lengthen(folder: &Folder, name: &str) {
    let file = fs::OpenOptions::new().append(true).create(true).open(folder.path(name)).unwrap();
    file.set_len(2 << 30).unwrap();
}

#[test]
fn descriptions_of_any_length_take_no_memory() {
    let folder = Folder::new();
    let prepare = |what: &str, long: &str| {
        let _ = fs::remove_dir_all(folder.path(what));
        folder.ok(&["build", "small.toml", "-q", "-o", what]);
        lengthen(&folder, long);
    };
    fs::write(folder.path("a.r16"), [0; 8]).unwrap();
    lengthen(&folder, "a.r16.json");
    let mut lines = vec!["inspect a.r16"];
    prepare("b/", "b/landform.json");
    lines.extend(["inspect b", "view b -o v.png"]);
    prepare("c/", "c/recipe.toml");
    lines.push("inspect c");
    prepare("a.zarr", "a.zarr/zarr.json");
    lines.extend(["inspect a.zarr", "view a.zarr -o v.png", "build small.toml -o a.zarr"]);
    prepare("b.zarr", "b.zarr/.checksums");
    lines.push("inspect b.zarr");
    prepare("c.zarr", "c.zarr/0/height/c/0/0");
    lines.extend(["inspect c.zarr", "inspect c.zarr --verify"]);
    prepare("d.zarr", "d.zarr/0/x/c/0");
    lines.push("inspect d.zarr --verify");
    for line in lines {
        let (code, talk) = within(&folder, 100, &format!("{line} --memory 100M --threads 1"));
        assert_eq!(code, Some(1), "{line}: {talk}");
        assert!(!talk.contains("memory allocation"), "{line}: {talk}");
    }
}

#[test]
fn a_wide_store_is_inspected_within_memory_or_refused() {
    let folder = Folder::new();
    folder.ok(&["build", "small.toml", "-q", "--size", "30000x40", "-o", "a.zarr"]);
    is_refused(&folder, 60, "inspect a.zarr --memory 20M --threads 1");
    let (code, talk) = within(&folder, 60, "inspect a.zarr --memory 60M --threads 1");
    assert_eq!(code, Some(0), "{talk}");
}

/// The number in "need about 38.2 MiB, but", rounded up.
fn needed_megabytes(talk: &str) -> u64 {
    let (_, rest) = talk.split_once("about ").unwrap_or_else(|| panic!("{talk}"));
    let mut words = rest.split([' ', ',']);
    let (number, unit) = (words.next().unwrap(), words.next().unwrap());
    assert_eq!(unit, "MiB", "{talk}");
    number.parse::<f64>().unwrap().ceil() as u64
}
