//! What the real program promises when something is wrong: files whole or not there, nothing left behind, advice that can be followed.
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

mod shared;

use std::fs;

use shared::{Folder, SMALL, hash, names};

/// Runs a line of a shell, in which `$L` is the program, and gives its exit code and what was said.
#[cfg(unix)]
fn shell(folder: &Folder, line: &str) -> (Option<i32>, String) {
    let mut command = std::process::Command::new("bash");
    command.current_dir(folder.0.path()).args(["-c", line]);
    let output = command.env("L", assert_cmd::cargo::cargo_bin("landform")).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Every file of a folder with its bytes.
#[cfg(unix)]
fn contents(folder: &Folder, name: &str) -> Vec<(String, Vec<u8>)> {
    let path = folder.path(name);
    names(&path)
        .into_iter()
        .map(|name| (name.clone(), fs::read(path.join(name)).unwrap()))
        .collect()
}

/// Whether the manifest of a bundle tells the truth about its heights.
#[cfg(unix)]
fn is_consistent(folder: &Folder, name: &str) -> bool {
    let manifest: serde_json::Value =
        serde_json::from_slice(&folder.read(&format!("{name}/landform.json"))).unwrap();
    manifest["layers"][0]["sha256"] == hash(folder, &[&format!("{name}/height.npy")])
}

#[cfg(unix)]
#[test]
fn a_bundle_that_cannot_be_written_leaves_the_old_one_and_nothing_else() {
    let folder = Folder::new();
    folder.ok(&["build", "small.toml", "-o", "mix/"]);
    let before = contents(&folder, "mix");
    // 65 × 33 heights are 9 KB, the mesh is more than 50.
    for target in ["-o mix/", "--for blender -o mix/"] {
        let line = format!("ulimit -f 30; \"$L\" build small.toml --seed 2 {target}");
        let (code, talk) = shell(&folder, &line);
        assert_eq!(code, Some(1), "{talk}");
        assert!(talk.contains("cannot write mix/") && talk.contains("File too large"), "{talk}");
        assert!(contents(&folder, "mix") == before, "{:?}", names(&folder.path("mix")));
    }
    let (code, _) = shell(&folder, "ulimit -f 30; \"$L\" build small.toml -o new/");
    assert_eq!((code, folder.path("new").exists()), (Some(1), false));
}

#[cfg(unix)]
#[test]
fn a_bundle_that_is_killed_is_the_old_one_or_none_and_the_next_run_tidies_up() {
    let folder = Folder::new();
    folder.ok(&["build", "small.toml", "-o", "mix/"]);
    let mut has_litter = false;
    for seed in ["2", "3", "4"] {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("landform"));
        command.current_dir(folder.0.path()).stdout(std::process::Stdio::null());
        command.args([
            "build",
            "small.toml",
            "--size",
            "257x129",
            "-q",
            "-o",
            "mix/",
            "--seed",
            seed,
        ]);
        let mut child = command.spawn().unwrap();
        while !names(&folder.path("mix")).iter().any(|name| name.ends_with(".tmp")) {
            if child.try_wait().unwrap().is_some() {
                break;
            }
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!folder.path("mix/landform.json").exists() || is_consistent(&folder, "mix"));
        has_litter |= names(&folder.path("mix")).iter().any(|name| name.ends_with(".tmp"));
    }
    assert!(has_litter, "it was never killed in time");
    folder.ok(&["build", "small.toml", "-o", "mix/"]);
    assert!(is_consistent(&folder, "mix"));
    assert!(!names(&folder.path("mix")).iter().any(|name| name.ends_with(".tmp")));
}

#[cfg(unix)]
#[test]
fn a_file_that_grows_too_large_is_an_error_and_leaves_nothing() {
    let folder = Folder::new();
    let (code, talk) = shell(&folder, "ulimit -f 50; \"$L\" build uplift --size 257x257 -o a.npy");
    assert_eq!(code, Some(1), "{talk}");
    assert!(talk.contains("cannot write a.npy: File too large"), "{talk}");
    assert_eq!(folder.names(), ["small.toml"]);
}

#[cfg(target_os = "linux")]
#[test]
fn limits_of_the_shell_are_memory_that_is_not_there() {
    let folder = Folder::new();
    let line = "ulimit -v 400000; \"$L\" build uplift --size 9000x9000 --threads 2 -o a.npy";
    let (code, talk) = shell(&folder, line);
    assert_eq!(code, Some(1), "{talk}");
    assert!(talk.contains("9000x9000 samples need about"), "{talk}");
    assert!(talk.contains("-o FILE.zarr") && talk.contains("--tile 0,0,"), "{talk}");
    // Statistics take more than the samples.
    let (code, talk) = shell(&folder, "ulimit -v 400000; \"$L\" inspect uplift --size 3000x3000");
    assert!(code == Some(1) && talk.contains("3000x3000 samples need about"), "{talk}");
}

#[test]
fn run_options_change_no_byte() {
    let folder = Folder::new();
    let build = |name: &str, options: &[&str]| {
        let output = format!("{name}/");
        folder.ok(&[&["build", "eroded_hills", "-o", &output], SMALL_HILLS, options].concat());
        let path = folder.path(name);
        names(&path)
            .into_iter()
            .map(|name| (name.clone(), fs::read(path.join(name)).unwrap()))
            .collect::<Vec<_>>()
    };
    let plain = build("plain", &[]);
    assert!(plain.len() > 6, "{}", plain.len());
    for (k, options) in [
        &["--threads", "1", "-q"][..],
        &["--threads", "7", "--memory", "900M"],
        &["--keep", "kept"],
        &["--keep", "kept", "--json"],
    ]
    .into_iter()
    .enumerate()
    {
        assert!(build(&format!("other{k}"), options) == plain, "{options:?} change a file");
    }
}

/// A simulation on few samples.
const SMALL_HILLS: &[&str] = &["--size", "90x70", "--set", "size=[65,65]"];

#[test]
fn advice_about_memory_names_options_that_the_command_has() {
    let folder = Folder::new();
    let talk = folder.fails(2, &["view", "uplift", "-o", "a.png", "--picture", "1000000x1000000"]);
    assert!(talk.contains("--picture 1000000x1000000: each side may be at most"), "{talk}");
    let view = ["view", "uplift", "-o", "a.png", "--memory", "1M"];
    let talk = folder.fails(1, &[&view[..], &["--picture", "4000x4000"]].concat());
    assert!(talk.contains("(--picture ") && !talk.contains("--tile"), "{talk}");
    for args in [&view[..], &["inspect", "uplift", "--memory", "1M"]] {
        let talk = folder.fails(1, args);
        assert!(talk.contains("--size") && talk.contains("FILE.zarr"), "{talk}");
        assert!(!talk.contains("--tile"), "{talk}");
    }
    let talk = folder.fails(1, &["build", "uplift", "--for", "unity", "--memory", "1M"]);
    assert!(talk.contains("--tiles COLUMNSxROWS"), "{talk}");
}

#[test]
fn masks_regions_and_blends_are_told_with_all_their_kinds() {
    let folder = Folder::new();
    let mask = folder.ok(&["stages", "mask"]);
    for word in [
        "kind = \"height\"",
        "kind = \"noise\"",
        "a number in 0.001..=10000000 m, must be given",
        "a number in 0..=90 °, default 90.0",
        "a number in 0..=1, default 0.5",
        "kind = \"any\"",
    ] {
        assert!(mask.contains(word), "{word} in {mask}");
    }
    let region = folder.ok(&["stages", "region"]);
    assert!(
        region.contains("kind = \"polygon\"") && region.contains("a list of 3 to 10000"),
        "{region}"
    );
    let blend = folder.ok(&["stages", "blend"]);
    assert!(blend.contains("multiply  old·(1 + w·(new − 1))"), "{blend}");
    let uplift = folder.ok(&["stages", "uplift"]);
    assert!(uplift.contains("default none (see `landform stages region`)"), "{uplift}");
    let all = folder.ok(&["stages"]);
    for text in [mask, region, blend] {
        assert!(all.contains(&text), "{text}");
    }
    for default in
        ["true or false, default true", "a text, default \"height\"", "in -100..=100, default 1.0"]
    {
        assert!(all.contains(default), "{default}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&folder.ok(&["stages", "mask", "--json"])).unwrap();
    assert_eq!(json["kinds"][4]["parameters"][0]["is_required"], true);
    assert!(folder.fails(2, &["stages", "maks"]).contains("did you mean `mask`?"));
}

#[test]
fn a_file_without_a_header_has_its_scale_beside_it() {
    let folder = Folder::new();
    let said = folder.ok(&["build", "small.toml", "-o", "a.r16", "-o", "b.r32"]);
    assert!(said.contains("\na.r16.json\n") && said.ends_with("\nb.r32.json\n"), "{said}");
    let side: serde_json::Value = serde_json::from_str(&folder.text("a.r16.json")).unwrap();
    assert_eq!(side["size"], serde_json::json!([65, 33]));
    assert_eq!(side["spacing"], serde_json::json!([10.0, 20.0]));
    assert_eq!((&side["type"], &side["byte_order"]), (&"uint16".into(), &"little".into()));
    // All is known, so nothing is asked for and nothing assumed; floats are the same bits.
    assert_eq!(hash(&folder, &["b.r32"]), hash(&folder, &["small.toml"]));
    let output = folder.landform(&["inspect", "a.r16", "--json"]).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["layers"][0]["max"], side["max"]);
    folder.ok(&["build", "small.toml", "-o", "c.r16", "--write-big-endian"]);
    assert_eq!(hash(&folder, &["c.r16"]), hash(&folder, &["a.r16"]));
    folder.write("a.r16.json", "{}");
    assert!(folder.fails(1, &["inspect", "a.r16"]).contains("a.r16.json"));
}

#[cfg(unix)]
#[test]
fn samples_and_the_scale_beside_them_change_together() {
    let folder = Folder::new();
    folder.ok(&["build", "small.toml", "-o", "a.r16"]);
    let before = [folder.read("a.r16"), folder.read("a.r16.json")];
    let (code, _) = shell(&folder, "ulimit -f 3; \"$L\" build small.toml --seed 2 -o a.r16");
    assert_eq!(code, Some(1));
    assert_eq!([folder.read("a.r16"), folder.read("a.r16.json")], before);
    assert_eq!(folder.names(), ["a.r16", "a.r16.json", "small.toml"]);
    folder.ok(&["build", "small.toml", "--seed", "2", "-o", "a.r16"]);
    assert!(folder.read("a.r16") != before[0] && folder.read("a.r16.json") != before[1]);
}

#[test]
fn an_uplift_terrain_says_what_it_cannot_follow() {
    let folder = Folder::new();
    let output =
        folder.landform(&["build", "small.toml", "--size", "200x100", "-o", "s.upd"]).output();
    let talk = String::from_utf8(output.unwrap().stderr).unwrap();
    assert!(talk.contains("warning: s.upd has the 65x33 grid lines"), "{talk}");
    let talk = folder.fails(2, &["build", "s.upd", "--seed", "5", "-o", "s.npy"]);
    assert!(talk.contains("--seed: the peaks of an Uplift terrain come from no seed"), "{talk}");
    let output = folder.landform(&["new", "uplift", "--size", "2000x2000"]).output().unwrap();
    let talk = String::from_utf8(output.stderr).unwrap();
    assert!(talk.contains("warning: landforms are laid out anew on 2000x2000"), "{talk}");

    let told = folder.ok(&["inspect", "s.upd"]);
    let line = told.lines().find(|line| line.starts_with("  peaks ")).unwrap();
    assert!(line.contains("20, heights ") && line.contains(" m, radii "), "{line}");
    let report: serde_json::Value =
        serde_json::from_str(&folder.ok(&["inspect", "s.upd", "--json"])).unwrap();
    assert_eq!(report["peaks"]["count"], 20);

    let cases: [(&[u8], &str); 3] = [
        (b"", "found nothing, expected an Uplift terrain: `N_x N_z`"),
        (b"9 9\n1 1\n1\n1 \xff 1 1\n", "found the byte 0xff, expected text in UTF-8, at w.upd:4:3"),
        (b"9 9\n1 1\n1200000\n", "a whole number in 0..=1e6, at w.upd:3:1"),
    ];
    for (bytes, expected) in cases {
        fs::write(folder.path("w.upd"), bytes).unwrap();
        let talk = folder.fails(1, &["inspect", "w.upd"]);
        assert!(talk.contains(expected), "{talk}");
    }
}

#[test]
fn moving_plates_tell_their_file() {
    let folder = Folder::new();
    folder.write(
        "world.toml",
        "version = 1\nsize = [65, 33]\nspacing = [600000, 600000]\ntopology = \"sphere\"\n\
         [[stage]]\nkind = \"plates\"\nplates = 4\nsteps = 1\n",
    );
    let view = ["view", "world.toml", "--frames", "--picture", "64x32"];
    assert_eq!(folder.ok(&[&view[..], &["-o", "drift.png"]].concat()), "drift.png\n");
    assert_eq!(folder.ok(&[&view[..], &["-o", "drift/"]].concat()), "drift/\n");
    assert_eq!(names(&folder.path("drift")), ["step-000.png", "step-001.png"]);
    // A shorter drift leaves no frame of the longer one.
    folder.ok(&[&view[..], &["--set", "plates.steps=0", "-o", "drift/"]].concat());
    assert_eq!(names(&folder.path("drift")), ["step-000.png"]);
}

#[test]
fn examples_of_manual_pages_stay_on_their_lines() {
    let folder = Folder::new();
    folder.ok(&["man", "-o", "man"]);
    for name in names(&folder.path("man")) {
        let page = folder.text(&format!("man/{name}"));
        assert!(!page.contains(".SH EXTRA") && !page.contains("Examples:"), "{name}");
    }
    let page = folder.text("man/landform-build.1");
    let (_, examples) = page.split_once(".SH EXAMPLES\n.nf\n").unwrap();
    let (examples, _) = examples.split_once("\n.fi").unwrap();
    assert!(examples.lines().count() > 5, "{examples}");
    assert!(examples.lines().all(|line| line.contains("landform build")), "{examples}");
}

#[test]
fn what_cannot_be_written_is_refused_before_there_is_work() {
    let folder = Folder::new();
    let talk = folder.fails(2, &["skyline", "-o", "range.png", "--y-min", "10", "--y-max", "5"]);
    assert!(talk.contains("--y-min is 10, but must not be above --y-max, which is 5"), "{talk}");
    fs::create_dir(folder.path("isdir.npy")).unwrap();
    let talk = folder.fails(2, &["build", "small.toml", "-o", "isdir.npy"]);
    assert!(talk.contains("-o isdir.npy is a folder"), "{talk}");
    folder.ok(&["build", "small.toml", "-o", "isdir.npy/"]);
    // Cells of 10 × 20 m: no file of the call is written.
    let talk = folder.fails(1, &["build", "small.toml", "-o", "a.npy", "-o", "a.asc"]);
    assert!(talk.contains("cannot write a.asc") && talk.contains("10 × 20 m"), "{talk}");
    assert_eq!(folder.names(), ["isdir.npy", "small.toml"]);
}

#[test]
fn mistakes_in_recipes_are_told_with_line_stage_and_parameter() {
    let folder = Folder::new();
    let start = SMALL.split("[[stage]]").next().unwrap();
    let cases = [
        (
            "[[stage]]\nkind = \"plane\"\nmask = { kind = \"image\", file = \"no.png\" }\n",
            "stage 1 (plane): mask.file is \"no.png\", but cannot read no.png",
            "at r.toml:8:26",
        ),
        (
            "[[stage]]\nkind = \"heightmap\"\nfile = \"no.png\"\n",
            "stage 1 (heightmap): file is \"no.png\", but cannot read no.png",
            "at r.toml:8:1",
        ),
        (
            "[[stage]]\nkind = \"uplift\"\npeaks = 3\ny_max = 100\n",
            "y_min is 500, but must not be above `y_max`",
            "at r.toml:9:1",
        ),
        (
            "[[stage]]\nkind = \"peaks\"\npeaks = [\n  [1, 1, 5, 5],\n  [1.5, 1, 5, 5],\n]\n",
            "stage 1 (peaks): peaks[1] is at 1.5, 1",
            "at r.toml:10:3",
        ),
        ("[[stage]]\nheight = 3\n", "stage 1: needs `kind`", "at r.toml:6:1"),
    ];
    for (stage, expected, place) in cases {
        folder.write("r.toml", &format!("{start}{stage}"));
        let talk = folder.fails(1, &["inspect", "r.toml"]);
        assert!(talk.contains(expected) && talk.trim_end().ends_with(place), "{talk}");
    }
    folder.write("r.toml", &start.replace("seed = 5", "seed = 18446744073709551615"));
    assert!(folder.fails(1, &["inspect", "r.toml"]).contains("go up to 9223372036854775807"));
}

#[test]
fn a_plan_of_thousands_of_peaks_shows_the_highest() {
    let folder = Folder::new();
    folder.write("many.toml", &SMALL.replace("peaks = 20", "peaks = 3000"));
    let view = ["view", "many.toml", "--style", "plan", "--picture", "200x100"];
    let output = folder.landform(&[&view[..], &["-o", "usual.png"]].concat()).output().unwrap();
    let talk = String::from_utf8(output.stderr).unwrap();
    assert!(talk.contains("the 200 highest of 3000 peaks are drawn: --largest 3000"), "{talk}");
    folder.ok(&[&view[..], &["-o", "same.png", "--largest", "200"]].concat());
    assert_eq!(folder.read("usual.png"), folder.read("same.png"));
    folder.ok(&[&view[..], &["-o", "all.png", "--largest", "3000"]].concat());
    assert!(folder.read("usual.png") != folder.read("all.png"));
}

#[test]
fn progress_in_a_log_is_a_line_every_five_seconds_at_most() {
    let folder = Folder::new();
    let start = std::time::Instant::now();
    // A few seconds of work in many steps.
    let output = folder
        .landform(&["build", "islands", "--size", "1025x1025", "-o", "out/"])
        .output()
        .unwrap();
    let most = start.elapsed().as_secs() / 5;
    let talk = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{talk}");
    let lines = talk.lines().filter(|line| line.contains(" %  ")).count() as u64;
    assert!(lines <= most, "{lines} lines, not {most}: {talk}");
}
