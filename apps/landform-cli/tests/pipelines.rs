//! The real program as a part of scripts: standard input and output, reports for programs, places that outputs may go to.
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

mod shared;

use std::fs;
use std::process::Output;

use serde_json::Value;
use shared::{Folder, SMALL, hash, names};

/// Runs with `input` on standard input.
fn piped(folder: &Folder, args: &[&str], input: &[u8]) -> Output {
    folder.landform(args).write_stdin(input).output().unwrap()
}

fn told(output: &Output) -> Value {
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{talk}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn standard_input_and_output_are_a_minus() {
    let folder = Folder::new();
    folder.ok(&[
        "build",
        "small.toml",
        "-q",
        "-o",
        "a.npy",
        "-o",
        "a.upd",
        "-o",
        "a.png",
        "-o",
        "a.r32",
    ]);
    folder.ok(&["build", "small.toml", "-q", "-o", "a.tif", "-o", "a.exr", "-o", "slope=s.npy"]);
    let npy = folder.read("a.npy");
    // A recipe, an Uplift terrain and heightmaps of metres come in; the same heights go out.
    for name in ["small.toml", "a.upd", "a.npy", "a.tif", "a.exr"] {
        let output = piped(&folder, &["build", "-", "-o", "-.npy"], &folder.read(name));
        let talk = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{name}: {talk}");
        assert!(output.stdout == npy, "{name}");
        // The talk goes beside.
        assert!(talk.contains("65 × 33 samples") && talk.contains("-.npy (NPY)"), "{talk}");
    }
    let raw = ["build", "-", "-q", "-o", "-.npy", "--raw-size", "65x33"];
    assert!(piped(&folder, &raw, &folder.read("a.r32")).stdout == npy);
    let output = piped(&folder, &["inspect", "-", "--json"], &folder.read("a.png"));
    assert_eq!(told(&output)["kind"], "heightmap");
    // Another map, another format, a picture.
    let slope = piped(&folder, &["build", "small.toml", "-q", "-o", "slope=-.npy"], b"");
    assert!(slope.stdout == folder.read("s.npy") && slope.stderr.is_empty());
    for view in ["-", "-.png"] {
        let picture = piped(&folder, &["view", "-", "-o", view], SMALL.as_bytes());
        assert!(picture.stdout.starts_with(b"\x89PNG"), "{view}");
    }
    // New recipes too.
    let preset = folder.ok(&["new", "fbm"]);
    for minus in ["-", "-.toml"] {
        assert_eq!(folder.ok(&["new", "fbm", "-o", minus]), preset);
    }
    assert!(folder.ok(&["new", "uplift", "-o", "-.upd"]).starts_with("1000 1000\n"));
    assert_eq!(folder.names().iter().filter(|name| name.starts_with('-')).count(), 0);
}

#[test]
fn what_one_stream_cannot_take_is_refused() {
    let folder = Folder::new();
    let cases: &[(&[&str], &str)] = &[
        (&["-o", "-"], "name the format too, such as -o -.npy"),
        (&["-o", "-.npy", "-o", "-.png"], "takes one file, but it is named twice"),
        (&["-o", "-.npy", "--json"], "takes one file, but --json tells"),
        (&["-o", "-.npy", "--tiles", "2x2"], "takes one file, but --tiles"),
        (&["-o", "-.zarr"], "needs a file, not standard output"),
    ];
    for (args, expected) in cases {
        let talk = folder.fails(2, &[&["build", "small.toml"], *args].concat());
        assert!(talk.contains(expected), "{args:?}: {talk}");
    }
    let output = piped(&folder, &["build", "-", "-o", "-.npy"], b"\xff\xd8 a photograph");
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && talk.contains("found no recipe"), "{talk}");
    let output = piped(&folder, &["build", "-"], SMALL.replace("peaks", "peeks").as_bytes());
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(talk.contains("did you mean `peaks`") && talk.contains("at -.toml:8:1"), "{talk}");
    assert_eq!(folder.names(), ["small.toml"]);
}

#[test]
fn a_build_tells_programs_what_it_made() {
    let folder = Folder::new();
    let args = ["build", "small.toml", "--json", "-o", "a.npy", "-o", "a.r16", "-o", "out/"];
    let report = told(&folder.landform(&args).output().unwrap());
    let inspected: Value =
        serde_json::from_str(&folder.ok(&["inspect", "small.toml", "--json"])).unwrap();
    // What `inspect` tells has the same form and the same numbers.
    for key in [
        "kind",
        "title",
        "seed",
        "size",
        "spacing",
        "ground",
        "sea_level",
        "stages",
        "statistics",
        "layers",
    ] {
        assert_eq!(report[key], inspected[key], "{key}");
    }
    assert_eq!(report["warnings"], serde_json::json!([]));
    let files = report["files"].as_array().unwrap();
    let paths: Vec<&str> = files.iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert_eq!(paths[..3], ["a.npy", "a.r16", "a.r16.json"]);
    assert!(paths.contains(&"out/landform.json") && paths.contains(&"out/view.png"), "{paths:?}");
    for file in files {
        let path = folder.path(file["path"].as_str().unwrap());
        let (bytes, sha256) = landform_io::regular::sha256(&path).unwrap();
        assert_eq!((&file["bytes"], &file["sha256"]), (&bytes.into(), &sha256.into()));
    }
    // A tile says where it lies; what is clamped is warned of.
    let tile =
        ["build", "small.toml", "--json", "-q", "--tile", "8,4,16,9", "--output-range", "0,1"];
    let report = told(&folder.landform(&[&tile[..], &["-o", "t.r16"]].concat()).output().unwrap());
    assert_eq!(report["origin"], serde_json::json!([8, 4]));
    assert_eq!(report["size"], serde_json::json!([16, 9]));
    assert!(report["warnings"][0].as_str().unwrap().contains("above the range"), "{report}");
    // The folder of another program, and what is made tile by tile.
    folder.write("even.toml", &SMALL.replace("[10, 20]", "[10, 10]"));
    let args = ["build", "even.toml", "--json", "--for", "unity", "-o", "unity/"];
    let report = told(&folder.landform(&args).output().unwrap());
    assert!(report["import"]["numbers"][0][0].is_string(), "{report}");
    assert!(report["files"][0]["sha256"].is_string() && report["statistics"]["max"].is_f64());
    let args = ["build", "small.toml", "--json", "-o", "a.zarr"];
    let report = told(&folder.landform(&args).output().unwrap());
    assert_eq!((&report["kind"], &report["files"][0]["path"]), (&"store".into(), &"a.zarr".into()));
    assert!(report["layers"][0]["sha256_of_tiles"].is_string(), "{report}");
}

#[test]
fn a_picture_tells_programs_what_it_shows() {
    let folder = Folder::new();
    let view = ["view", "small.toml", "--json", "-o", "a.png"];
    let report = told(&folder.landform(&view).output().unwrap());
    assert_eq!(report["files"][0]["path"], "a.png");
    assert_eq!(report["layers"][0]["sha256"], hash(&folder, &["small.toml"]));
    let tile = [&view[..], &["--tile", "20,8,30,20"]].concat();
    let report = told(&folder.landform(&tile).output().unwrap());
    assert_eq!(report["size"], serde_json::json!([30, 20]));
    folder.ok(&["build", "small.toml", "-q", "--tile", "20,8,30,20", "-o", "tile.npy"]);
    assert_eq!(report["layers"][0]["sha256"], hash(&folder, &["tile.npy"]));
    // The same window of a store.
    folder.ok(&["build", "small.toml", "-q", "-o", "a.zarr"]);
    let tile = ["view", "a.zarr", "--json", "-o", "a.png", "--tile", "20,8,30,20"];
    let store = told(&folder.landform(&tile).output().unwrap());
    for key in ["size", "origin", "ground", "statistics", "layers"] {
        assert_eq!(store[key], report[key], "{key}");
    }
}

#[test]
fn a_window_is_drawn_of_recipes_bundles_and_stores() {
    let folder = Folder::new();
    folder.ok(&["build", "small.toml", "-q", "-o", "a/", "-o", "a.zarr"]);
    let draw = |input: &str, more: &[&str]| {
        let view = ["view", input, "-q", "-o", "v.png", "--style", "gray", "--picture", "120x80"];
        folder.ok(&[&view[..], more].concat());
        folder.read("v.png")
    };
    let tile = ["--tile", "20,8,30,20"];
    let expected = draw("small.toml", &tile);
    assert!(expected != draw("small.toml", &[]));
    assert!(expected == draw("a", &tile) && expected == draw("a.zarr", &tile));
    let talk = folder.fails(2, &["view", "small.toml", "-o", "v.png", "--tile", "60,0,9,9"]);
    assert!(talk.contains("does not lie on the terrain"), "{talk}");
}

#[test]
fn a_missing_folder_is_made_only_if_asked() {
    let folder = Folder::new();
    let cases: &[&[&str]] = &[
        &["build", "small.toml", "-o", "no/a.npy"],
        &["build", "small.toml", "-o", "no/out/"],
        &["build", "small.toml", "-o", "slope=no/a.npy"],
        &["build", "small.toml", "-o", "no/a.zarr"],
        &["build", "small.toml", "--for", "blender", "-o", "no/out"],
        &["view", "small.toml", "-o", "no/a.png"],
        &["compare", "small.toml", "-o", "no/a.png"],
        &["skyline", "-o", "no/a.png", "--picture", "80x40"],
        &["new", "fbm", "-o", "no/a.toml"],
    ];
    for args in cases {
        let talk = folder.fails(2, args);
        assert!(talk.contains("there is no folder no: --mkdir makes it"), "{args:?}: {talk}");
        assert_eq!(folder.names(), ["small.toml"]);
        folder.ok(&[*args, &["--mkdir", "-q"]].concat());
        assert_eq!(names(&folder.path("no")).len(), 1, "{args:?}");
        fs::remove_dir_all(folder.path("no")).unwrap();
    }
}

#[test]
fn a_folder_that_build_did_not_make_is_not_written_into() {
    let folder = Folder::new();
    fs::create_dir(folder.path("mine")).unwrap();
    folder.write("mine/map.png", "precious");
    for args in [
        &["build", "small.toml", "-o", "mine/"][..],
        &["build", "small.toml", "--for", "blender", "-o", "mine"],
    ] {
        let talk = folder.fails(2, args);
        assert!(
            talk.contains("files that build did not make") && talk.contains("--force"),
            "{talk}"
        );
        assert_eq!(folder.text("mine/map.png"), "precious");
    }
    // A manifest that is none does not count.
    folder.write("mine/landform.json", "{}");
    folder.fails(2, &["build", "small.toml", "-o", "mine/"]);
    folder.ok(&["build", "small.toml", "-q", "-o", "mine/", "--force"]);
    assert!(folder.read("mine/map.png").starts_with(b"\x89PNG"));
    folder.ok(&["build", "small.toml", "-q", "-o", "mine/"]);
    fs::create_dir(folder.path("mine.tiles")).unwrap();
    folder.write("mine.tiles/notes.txt", "precious");
    let talk = folder.fails(2, &["build", "small.toml", "-o", "mine.tiles"]);
    assert!(talk.contains("it has no tiles.json"), "{talk}");
}

#[test]
fn map_tiles_are_made_of_small_terrain_and_beside_other_files() {
    let folder = Folder::new();
    let args = ["build", "small.toml", "-q", "-o", "a.pmtiles", "-o", "a.npy", "-o", "a.png"];
    folder.ok(&args);
    assert!(folder.read("a.pmtiles").starts_with(b"PMTiles\x03"));
    assert_eq!(folder.names(), ["a.npy", "a.pmtiles", "a.png", "small.toml"]);
    // Several that are made tile by tile share one store, which is kept if it was asked for.
    folder.ok(&[
        "build",
        "small.toml",
        "-q",
        "-o",
        "b.pmtiles",
        "-o",
        "b.zarr",
        "-o",
        "b.tif",
        "--cog",
    ]);
    assert!(folder.read("a.pmtiles") == folder.read("b.pmtiles"));
    assert_eq!(hash(&folder, &["b.zarr"]), hash(&folder, &["small.toml"]));
    assert_eq!(hash(&folder, &["b.tif"]), hash(&folder, &["small.toml"]));
    assert!(!folder.names().iter().any(|name| name.contains("part")), "{:?}", folder.names());
    // One sample, one row, one column.
    for size in ["1x1", "9x1", "1x9"] {
        folder.ok(&[
            "build",
            "small.toml",
            "-q",
            "--tile",
            &format!("0,0,{}", size.replace('x', ",")),
            "-o",
            "c.pmtiles",
        ]);
        assert!(folder.read("c.pmtiles").starts_with(b"PMTiles\x03"), "{size}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nobody_need_listen_to_the_talk() {
    let folder = Folder::new();
    folder.write("wrong.toml", "version = 1\nsize = [9, 9]\nspacing = [10, 10]\n");
    let run = |line: &str| {
        let mut command = std::process::Command::new("bash");
        command.current_dir(folder.0.path()).args(["-o", "pipefail", "-c", line]);
        let landform = assert_cmd::cargo::cargo_bin("landform");
        command.env("L", landform).status().unwrap().code()
    };
    // A warning, progress, a note and an error, to a full disk and to a pipe that nobody reads.
    for to in ["2>/dev/full", "2>&-", "2> >(exec true)"] {
        let _ = fs::remove_file(folder.path("a.npy"));
        let line = format!("\"$L\" build wrong.toml -o a.npy >/dev/null {to}");
        assert_eq!(run(&line), Some(0), "{line}");
        assert!(folder.path("a.npy").exists());
        let line = format!("\"$L\" build wrong.toml --for minecraft -o m/ >/dev/null {to}");
        assert_eq!(run(&line), Some(0), "{line}");
        assert_eq!(run(&format!("\"$L\" build none.toml {to}")), Some(1));
        assert_eq!(run(&format!("\"$L\" build --frobnicate {to}")), Some(2));
    }
    // Whoever reads our output may have had enough.
    assert_eq!(run("\"$L\" build small.toml --size 1025x1025 -q -o -.npy | head -c 9 >h"), Some(0));
}

#[test]
fn an_input_is_not_written_over_unless_it_is_a_recipe() {
    let folder = Folder::new();
    folder.ok(&["build", "small.toml", "-q", "-o", "a.tif", "-o", "b/"]);
    let before = folder.read("a.tif");
    for out in ["a.tif", "./a.tif", "b/../a.tif"] {
        let talk = folder.fails(2, &["build", "a.tif", "--size", "9x9", "-o", out]);
        assert!(talk.contains("is what would be read: give another name"), "{talk}");
        assert!(folder.read("a.tif") == before);
    }
    folder.fails(2, &["build", "a.tif", "--cog", "-o", "a.tif"]);
    folder.ok(&["build", "small.toml", "-q", "--seed", "8", "-o", "small.toml"]);
    assert!(folder.text("small.toml").contains("seed = 8"));
}

#[test]
fn options_stand_under_the_heading_that_they_belong_to() {
    let folder = Folder::new();
    let help = folder.ok(&["build", "--help"]);
    let at = |option: &str| help.find(option).unwrap_or_else(|| panic!("{option} is not there"));
    for option in ["--force", "--json", "--mkdir"] {
        assert!(at(&format!("      {option}")) < at("Maps:"), "{option}");
    }
}

#[test]
fn exports_are_quiet_if_asked() {
    let folder = Folder::new();
    folder.write("even.toml", &SMALL.replace("[10, 20]", "[10, 10]"));
    let build = ["build", "even.toml", "--for", "unity", "--output-range", "0,10", "-o", "u/"];
    let loud = folder.landform(&build).output().unwrap();
    assert!(String::from_utf8_lossy(&loud.stderr).contains("warning: heights go"), "{loud:?}");
    let quiet = folder.landform(&[&build[..], &["-q"]].concat()).output().unwrap();
    assert!(quiet.status.success() && quiet.stderr.is_empty() && quiet.stdout.is_empty());
}

/// The rows of a table without its header, and the header.
fn rows(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut rows = text.lines().map(|row| row.split(',').map(str::to_owned).collect::<Vec<_>>());
    (rows.next().unwrap(), rows.collect())
}

#[test]
fn a_sweep_makes_every_terrain_and_a_table_of_them() {
    let folder = Folder::new();
    let sweep = [
        "sweep",
        "small.toml",
        "--seeds",
        "1..3",
        "--set",
        "uplift.peaks=10,20",
        "-o",
        "runs/{seed}-{uplift.peaks}.npy",
        "-o",
        "runs/{seed}-{uplift.peaks}.png",
        "--style",
        "gray",
    ];
    let talk = folder.fails(2, &sweep);
    assert!(talk.contains("--mkdir makes it"), "{talk}");
    let said = folder.ok(&[&sweep[..], &["--mkdir"]].concat());
    assert!(said.contains("6 terrains, their numbers are in runs/sweep.csv"), "{said}");
    let text = folder.text("runs/sweep.csv");
    let (header, table) = rows(&text);
    assert_eq!(header[..4], ["file", "file_2", "seed", "uplift.peaks"]);
    assert_eq!(table.len(), 6);
    // Each is the terrain that a build of its own gives.
    let column = |name: &str| header.iter().position(|other| other == name).unwrap();
    let row = &table[3];
    assert_eq!((&*row[0], &*row[2], &*row[3]), ("runs/2-20.npy", "2", "20"));
    let same = ["small.toml", "--seed", "2", "--set", "uplift.peaks=20"];
    assert_eq!(row[column("sha256")], hash(&folder, &same));
    assert_eq!(row[column("sha256")], hash(&folder, &["runs/2-20.npy"]));
    let told: Value =
        serde_json::from_str(&folder.ok(&[&["inspect", "--json"], &same[..]].concat())).unwrap();
    for key in ["min", "max", "mean", "deviation", "land", "slope_mean"] {
        let number: f64 = row[column(key)].parse().unwrap();
        assert_eq!(told["statistics"][key].as_f64(), Some(number), "{key}");
    }
    folder.ok(&[&["view"], &same[..], &["--style", "gray", "-q", "-o", "v.png"]].concat());
    assert!(folder.read("runs/2-20.png") == folder.read("v.png"));
    // What is there is not made again; what is gone, or of another recipe, is.
    let before = fs::metadata(folder.path("runs/1-10.npy")).unwrap().modified().unwrap();
    fs::remove_file(folder.path("runs/3-20.png")).unwrap();
    let said = folder.ok(&sweep);
    assert!(said.contains("1 terrains, 5 were there"), "{said}");
    assert_eq!(fs::metadata(folder.path("runs/1-10.npy")).unwrap().modified().unwrap(), before);
    assert_eq!(folder.text("runs/sweep.csv"), text);
    // Another recipe replaces the rows of its files.
    folder.write("small.toml", &SMALL.replace("seed = 5", "title = \"other\"\nseed = 5"));
    assert!(folder.ok(&sweep).contains("6 terrains, their"), "another recipe");
    assert_eq!(rows(&folder.text("runs/sweep.csv")).1.len(), 6);
    // Other seeds in the same table add to it.
    let more: Vec<&str> =
        sweep.iter().map(|word| if *word == "1..3" { "4" } else { word }).collect();
    assert!(folder.ok(&more).contains("2 terrains, their"), "other seeds");
    assert_eq!(rows(&folder.text("runs/sweep.csv")).1.len(), 8);
}

#[test]
fn a_sweep_has_the_scale_of_its_recipe_and_warns_of_what_is_absurd() {
    let folder = Folder::new();
    let recipe = SMALL.replace("seed = 5", "seed = 5\noutput_range = [-1000, 9000]");
    folder.write("scaled.toml", &recipe);
    let sweep = ["sweep", "scaled.toml", "--seeds", "5..6", "-o", "{seed}.r16"];
    let talk = folder.landform(&sweep).output().unwrap().stderr;
    assert!(talk.is_empty(), "{}", String::from_utf8_lossy(&talk));
    folder.ok(&["build", "scaled.toml", "-q", "-o", "one.r16"]);
    for name in ["5.r16", "5.r16.json"] {
        assert!(folder.read(name) == folder.read(&name.replace('5', "one")), "{name}");
    }
    let side: Value = serde_json::from_slice(&folder.read("6.r16.json")).unwrap();
    assert_eq!((side["min"].as_f64(), side["max"].as_f64()), (Some(-1000.0), Some(9000.0)));
    // What is beyond the scale, and ground without land, is told once with the number of terrains.
    folder.write("narrow.toml", &recipe.replace("[-1000, 9000]", "[0, 10]"));
    let sweep =
        ["sweep", "narrow.toml", "--seeds", "1..3", "-o", "n{seed}.png", "--table", "n.csv"];
    let talk = String::from_utf8(folder.landform(&sweep).output().unwrap().stderr).unwrap();
    assert_eq!(talk.lines().count(), 1, "{talk}");
    let expected = "warning: n1.png, and of this kind 2 more: heights go";
    assert!(
        talk.starts_with(expected) && talk.contains("above the range of 0 m to 10 m"),
        "{talk}"
    );
    let drowned = ["sweep", "small.toml", "--seeds", "7", "--set", "sea_level=9000", "-o"];
    let drowned = [&drowned[..], &["d{seed}.npy", "--table", "d.csv"]].concat();
    let talk = String::from_utf8(folder.landform(&drowned).output().unwrap().stderr).unwrap();
    assert!(talk.starts_with("warning: d7.npy: there is no land"), "{talk}");
}

#[cfg(unix)]
#[test]
fn piped_progress_is_a_line_in_five_seconds() {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let folder = Folder::new();
    // Longer than anybody waits here.
    folder.write("long.toml", "version = 1\nsize = [513, 513]\nspacing = [10, 10]\n[[stage]]\nkind = \"noise\"\n[[stage]]\nkind = \"hydraulic\"\nsteps = 10000\n");
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("landform"));
    command.current_dir(folder.0.path()).args(["build", "long.toml", "--threads", "1"]);
    let begun = Instant::now();
    let mut child = command.args(["-o", "long.npy"]).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = Vec::new();
    for line in BufReader::new(child.stderr.take().unwrap()).lines() {
        lines.push((begun.elapsed(), line.unwrap()));
        if lines.len() == 2 {
            break;
        }
    }
    let _ = child.kill();
    child.wait().unwrap();
    for (k, (when, line)) in lines.iter().enumerate() {
        assert!(*when >= Duration::from_secs(5 * (k as u64 + 1)), "{lines:?}");
        assert!(line.contains(" %  hydraulic"), "{lines:?}");
    }
    assert_eq!(lines.len(), 2, "{lines:?}");
}

#[test]
fn a_sweep_that_is_killed_goes_on_and_gives_the_same_table() {
    let folder = Folder::new();
    let sweep = |out: &str| -> Vec<String> {
        let words = format!(
            "sweep small.toml --seeds 1..12 --size 401x201 -q --mkdir -o {out}/{{seed}}.npy"
        );
        words.split(' ').map(str::to_owned).collect()
    };
    let run = |out: &str| {
        let words = sweep(out);
        folder.ok(&words.iter().map(String::as_str).collect::<Vec<_>>());
    };
    run("whole");
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("landform"));
    let mut child = command.current_dir(folder.0.path()).args(sweep("cut")).spawn().unwrap();
    while !folder.path("cut/sweep.csv").exists() {
        if child.try_wait().unwrap().is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let _ = child.kill();
    child.wait().unwrap();
    run("cut");
    assert_eq!(names(&folder.path("cut")), names(&folder.path("whole")));
    for seed in 1..=12 {
        let name = format!("{seed}.npy");
        assert!(
            folder.read(&format!("cut/{name}")) == folder.read(&format!("whole/{name}")),
            "{name}"
        );
    }
    // Names and the hashes of runs differ, the numbers do not.
    let numbers = |name: &str| -> Vec<Vec<String>> {
        rows(&folder.text(name)).1.iter().map(|row| row[1..row.len() - 1].to_vec()).collect()
    };
    assert_eq!(numbers("cut/sweep.csv"), numbers("whole/sweep.csv"));
}

#[test]
fn a_sweep_that_cannot_be_is_refused_before_there_is_work() {
    let folder = Folder::new();
    let cases: &[(&str, &str)] = &[
        ("-o {seed}.npy", "nothing varies"),
        ("--seeds 1..3 -o a.npy", "two terrains would be a.npy"),
        ("--seeds 1..3 -o {seed}-{noise.h}.npy", "{noise.h} does not vary: there are {seed}"),
        ("--seeds 3..1 -o {seed}.npy", "expected seeds such as 1..100"),
        ("--seeds 1..3 -o {seed}.zarr", "takes a build of its own"),
        ("--seeds 1..3 -o {seed}.docx", "expected a folder"),
        ("--seeds 1 --set uplift.peaks=5,0 -o {uplift.peaks}.npy", "peaks is 0, but must be"),
        ("--seeds 1..3 -o {seed}.npy --memory 1K", "samples need about"),
        ("--set uplift.peak=1,2 -o no/{uplift.peak}.npy --mkdir", "did you mean `peaks`?"),
        ("--seeds 1..3 -o -.npy", "standard output takes one"),
        ("--seeds 1..3 --set seed=4,5 -o {seed}.npy", "--seeds is enough"),
        (
            "--set uplift.peaks=5 --set uplift.peaks=6 -o {uplift.peaks}.npy",
            "uplift.peaks is given twice",
        ),
    ];
    for (args, expected) in cases {
        let args = format!("sweep small.toml {args}");
        let output = folder.landform(&args.split(' ').collect::<Vec<_>>()).output().unwrap();
        let talk = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && talk.contains(expected), "{args}: {talk}");
        assert!(!talk.contains("goes on where"), "{args}: {talk}");
    }
    assert_eq!(folder.names(), ["small.toml"]);
}
