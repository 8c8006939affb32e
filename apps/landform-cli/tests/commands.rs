//! The real program, on real files, in a folder of its own.
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

mod shared;

use std::fs;

use shared::{Folder, SMALL, hash, names};

#[test]
fn a_bundle_has_every_file_and_the_manifest_lists_them() {
    let folder = Folder::new();
    let said = folder.ok(&["build", "small.toml", "-o", "out/"]);
    assert!(said.starts_with("65 × 33 samples, 640.0 × 640.0 m"), "{said}");
    let expected = [
        "height.npy",
        "height.png",
        "landform.json",
        "map.png",
        "recipe.toml",
        "terrain.glb",
        "view.png",
    ];
    assert_eq!(names(&folder.path("out")), expected);
    let manifest: serde_json::Value =
        serde_json::from_slice(&folder.read("out/landform.json")).unwrap();
    assert_eq!(manifest["size"], serde_json::json!([65, 33]));
    assert_eq!(manifest["spacing"], serde_json::json!([10.0, 20.0]));
    assert_eq!(manifest["layers"][0]["sha256"], hash(&folder, &["small.toml"]));
    assert_eq!(manifest["files"].as_array().unwrap().len() + 1, expected.len());
    // The recipe as it was run, comments and all.
    assert_eq!(folder.read("out/recipe.toml"), SMALL.as_bytes());
    // The folder itself is an input: the same heights come out of it.
    assert_eq!(hash(&folder, &["out"]), hash(&folder, &["small.toml"]));
}

#[test]
fn building_without_arguments_makes_the_default_terrain_and_says_what_to_try() {
    let folder = Folder::new();
    let said = folder.ok(&["build", "--size", "65x65"]);
    assert!(said.contains("What to try next"), "{said}");
    assert!(folder.path("terrain/landform.json").exists());
}

#[test]
fn the_extension_names_the_format_and_several_may_be_asked_for() {
    let folder = Folder::new();
    let outputs = ["a.npy", "a.png", "a.r16", "a.r32", "a.obj", "a.glb", "a.upd", "a.toml"];
    let mut args = vec!["build", "small.toml", "-q"];
    outputs.iter().for_each(|name| args.extend(["-o", name]));
    assert_eq!(folder.ok(&args), "");
    assert_eq!(folder.read("a.r32").len(), 65 * 33 * 4);
    assert_eq!(folder.read("a.r16").len(), 65 * 33 * 2);
    assert!(folder.read("a.npy").starts_with(b"\x93NUMPY"));
    assert!(folder.read("a.png").starts_with(b"\x89PNG"));
    assert!(folder.read("a.glb").starts_with(b"glTF"));
    assert_eq!(hash(&folder, &["a.npy"]), hash(&folder, &["small.toml"]));
    assert_eq!(hash(&folder, &["a.toml"]), hash(&folder, &["small.toml"]));
}

#[test]
fn a_preview_has_few_samples_and_its_bundle_says_so() {
    let folder = Folder::new();
    let range = "version = 1\nseed = 5\nsize = [97, 65]\nspacing = [40, 40]\nresolution = [193, 129]\n\n\
        [[stage]]\nkind = \"plane\"\nheight = 900\n\n[[stage]]\nkind = \"evolve\"\nrelief = 900\n";
    folder.write("range.toml", range);
    let said = folder.ok(&["build", "range.toml", "--preview=49", "-o", "quick/"]);
    assert!(said.starts_with("49 × 33 samples, 3.8 × 2.6 km"), "{said}");
    let recipe = folder.text("quick/recipe.toml");
    assert!(recipe.contains("preview = 49") && !recipe.contains("resolution"), "{recipe}");
    let quick = hash(&folder, &["range.toml", "--preview=49"]);
    assert_eq!(hash(&folder, &["quick"]), quick);
    assert_ne!(hash(&folder, &["range.toml", "--size", "49x33"]), quick, "that is carved in full");
    // Nothing is left out where there are no more samples, and where nothing is carved only the samples are fewer.
    assert_eq!(hash(&folder, &["small.toml", "--preview"]), hash(&folder, &["small.toml"]));
    let fewer = hash(&folder, &["small.toml", "--size", "33x17"]);
    assert_eq!(hash(&folder, &["small.toml", "--preview=40"]), fewer);
    let said = folder.fails(2, &["build", "range.toml", "--preview=1"]);
    assert!(said.contains("--preview"), "{said}");
}

#[test]
fn an_upd_file_is_the_same_terrain_bit_for_bit() {
    let folder = Folder::new();
    folder.ok(&["build", "small.toml", "-o", "a.upd"]);
    assert_eq!(hash(&folder, &["a.upd"]), hash(&folder, &["small.toml"]));
    folder.ok(&["build", "a.upd", "-o", "b.upd"]);
    assert_eq!(folder.read("a.upd"), folder.read("b.upd"));
}

#[test]
fn heightmaps_are_written_where_and_as_asked() {
    let folder = Folder::new();
    let args = ["build", "small.toml", "-o", "h.tif", "-o", "h.r32", "--place", "-500,5400000"];
    folder.ok(&[&args[..], &["--epsg", "32632", "--write-big-endian"]].concat());
    folder.ok(&["build", "small.toml", "-o", "little.r32"]);
    let (big, little) = (folder.read("h.r32"), folder.read("little.r32"));
    assert_eq!(big[..4], [little[3], little[2], little[1], little[0]]);
    let tif = folder.read("h.tif");
    for number in [-500.0_f64, 5_400_000.0] {
        assert!(tif.windows(8).any(|bytes| bytes == number.to_le_bytes()), "{number}");
    }
    assert!(tif.windows(2).any(|bytes| bytes == 32632_u16.to_le_bytes()));
    assert!(folder.fails(2, &["build", "-o", "h.tif", "--place", "5"]).contains("--place"));
    let idle =
        ["--simplify 2", "--no-texture", "--epsg 32632", "--place 1,2", "--write-big-endian"];
    for option in idle {
        let args: Vec<&str> = "build -o h.npy".split(' ').chain(option.split(' ')).collect();
        assert!(folder.fails(2, &args).contains(args[3]), "{option}");
    }
    assert!(folder.fails(2, &["build", "-o", "bundle/", "--tiles", "2x2"]).contains("--tiles"));
}

/// The description in a GLB file.
fn description(bytes: &[u8]) -> serde_json::Value {
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).unwrap()
}

#[test]
fn meshes_wear_the_map_and_have_as_few_triangles_as_asked() {
    let folder = Folder::new();
    folder.ok(&["build", "small.toml", "-o", "full.glb", "-o", "plain.obj"]);
    let full = description(&folder.read("full.glb"));
    assert_eq!(full["asset"]["extras"]["triangles"], 2 * 64 * 32);
    assert_eq!(full["images"][0]["mimeType"], "image/png");
    folder.ok(&["build", "small.toml", "-o", "few.glb", "--simplify", "5", "--no-texture"]);
    let few = description(&folder.read("few.glb"));
    assert!(few["asset"]["extras"]["triangles"].as_u64().unwrap() < 1024);
    assert!(few["images"].is_null());
    folder.ok(&[
        "build",
        "small.toml",
        "-o",
        "t.glb",
        "-o",
        "t.r32",
        "--tiles",
        "3x2",
        "--simplify",
        "5",
    ]);
    let names = folder.names();
    for name in ["t_x0_y0.glb", "t_x2_y1.glb", "t_x2_y1.r32"] {
        assert!(names.iter().any(|other| other == name), "{name} is not among {names:?}");
    }
    // 64 cells in three tiles: 22, 22 and 20.
    assert_eq!(folder.read("t_x2_y0.r32").len(), 4 * 21 * 17);
    let tile = description(&folder.read("t_x1_y1.glb"));
    assert_eq!(tile["nodes"][0]["translation"], serde_json::json!([220.0, 0.0, 320.0]));
    assert!(
        folder
            .fails(2, &["build", "small.toml", "-o", "t.glb", "--tiles", "65x1"])
            .contains("65x1")
    );
    assert!(folder.fails(2, &["build", "-o", "a.glb", "--simplify", "0"]).contains("--simplify"));
}

#[test]
fn threads_and_tiles_do_not_change_a_byte() {
    let folder = Folder::new();
    folder.ok(&["build", "small.toml", "-o", "one.r32", "--threads", "1"]);
    folder.ok(&["build", "small.toml", "-o", "many.r32", "--threads", "5"]);
    assert_eq!(folder.read("one.r32"), folder.read("many.r32"));
    folder.ok(&["build", "small.toml", "-o", "tile.r32", "--tile", "7,11,20,9"]);
    let (whole, tile) = (folder.read("one.r32"), folder.read("tile.r32"));
    for row in 0..9 {
        let start = 4 * ((11 + row) * 65 + 7);
        assert_eq!(tile[80 * row..80 * (row + 1)], whole[start..start + 80], "row {row}");
    }
    // 16-bit tiles have the scale of the whole, so they fit together.
    folder.ok(&["build", "small.toml", "-o", "whole.r16"]);
    folder.ok(&["build", "small.toml", "-o", "tile.r16", "--tile", "7,11,20,9"]);
    let (whole, tile) = (folder.read("whole.r16"), folder.read("tile.r16"));
    let start = 2 * (11 * 65 + 7);
    assert_eq!(tile[..40], whole[start..start + 40]);
}

#[test]
fn changes_on_the_command_line_change_the_recipe() {
    let folder = Folder::new();
    let plain = hash(&folder, &["small.toml"]);
    assert_ne!(hash(&folder, &["small.toml", "--seed", "6"]), plain);
    assert_ne!(hash(&folder, &["small.toml", "--set", "uplift.peaks=21"]), plain);
    assert_eq!(hash(&folder, &["small.toml", "--set", "uplift.peaks=20"]), plain);
    folder.ok(&["build", "small.toml", "-o", "fine.toml", "--size", "129x65", "--seed", "9"]);
    let text = String::from_utf8(folder.read("fine.toml")).unwrap();
    assert!(text.contains("resolution = [129, 65]") && text.contains("seed = 9"), "{text}");
    assert!(text.contains("# the range"), "{text}");
}

#[test]
fn wrong_calls_end_with_2_and_say_what_is_right() {
    let folder = Folder::new();
    let cases: &[(&[&str], &str)] = &[
        (
            &["build", "small.toml", "-o", "a.docx"],
            "expected a folder (ends in /) or a file that ends in .npy",
        ),
        (&["build", "small.toml", "--size", "0x5"], "expected WIDTHxHEIGHT"),
        (
            &["build", "small.toml", "--tile", "60,0,6,1"],
            "does not lie on the terrain, which has 65x33",
        ),
        (&["build", "small.toml", "--tile", "1,2,3"], "expected I,J,W,H"),
        (&["build", "small.toml", "--set", "peaks"], "expected STAGE.PARAMETER=VALUE"),
        (&["view", "small.toml", "-o", "a.png", "--style", "oil"], "[possible values: relief"),
        (&["view", "small.toml", "-o", "a.jpg"], "expected a picture that ends in .png"),
        (&["new", "atlantis"], "there is no preset \"atlantis\", the presets are"),
        (&["build", "small.toml", "--set", "uplift.peaks=0"], "--set uplift.peaks=0"),
        (
            &["build", "small.toml", "--set", "uplift.peaks=0"],
            "peaks is 0, but must be a whole number in 1..=",
        ),
        (
            &["build", "small.toml", "--set", "hills.peaks=5"],
            "names no stage, the stages are `uplift`",
        ),
        (
            &["new", "fbm", "-o", "small.toml"],
            "small.toml is there already: --force writes over it",
        ),
        (
            &["view", "small.toml", "-o", "a.png", "--azimuth", "nan"],
            "expected a number in -360..=360",
        ),
        (&["build", "small.toml", "-o", "a.tif", "--epsg", "4326"], "is in degrees"),
        (
            &["build", "small.toml", "-o", "a.npy", "--set", "uplift.peaks=-1"],
            "peaks is -1, but must be",
        ),
        (&["build", "small.toml", "-o", "a.npy", "--set", "foo.x=1"], "--set foo.x=1: "),
        (&["skyline", "-o", "a.png", "--ruggedness", "nan"], "expected a number in"),
        (&["stages", "magic"], "there is no stage \"magic\", the stages are uplift"),
        (&["frobnicate"], "unrecognized subcommand"),
        (&["new", "mountain"], "(did you mean `mountains`?)"),
        (&["stages", "nois"], "(did you mean `noise`?)"),
        (&["build", "small.toml", "-o", "a.npy", "-o", "a.npy"], "-o a.npy is given twice"),
        (&["build", "small.toml", "-o", "a.npy", "--chunk", "64"], "are for huge terrain"),
        (&["build", "small.toml", "--print-width", "9"], "need --for print3d"),
        (&["build", "small.toml", "--seed", "9223372036854775808"], "is not in 0..="),
        (&["compare", "small.toml", "-o", "a.png", "--columns", "0"], "is not in 1..="),
        (
            &["view", "small.toml", "-o", "a.png", "--projection", "globe"],
            "--projection and --graticule are for maps of planets: this ground is flat",
        ),
        (
            &["view", "small.toml", "-o", "a.png", "--style", "3d", "--legend"],
            "--legend is for maps",
        ),
        (&["view", "small.toml", "-o", "a.png", "--azimuth", "9"], "are for styles that are seen"),
        (&["view", "small.toml", "-o", "a.png", "--largest", "9"], "are for the style plan"),
    ];
    for (args, expected) in cases {
        let talk = folder.fails(2, args);
        assert!(talk.contains(expected), "{args:?}: {talk}");
    }
    assert_eq!(folder.names(), ["small.toml"], "nothing was written");
}

#[test]
fn wrong_files_end_with_1_and_name_the_place() {
    let folder = Folder::new();
    folder.write("bad.toml", &SMALL.replace("peaks = 20", "peeks = 20"));
    let unknown = "\n[[stage]]\nkind = \"evolve\"\nlift = \"nothing\"\n";
    folder.write("unknown.toml", &format!("{SMALL}{unknown}"));
    folder.write("bad.upd", "10 10\n1 1\n1\n5 5 nan 3\n");
    folder.write("bad.npy", "this is not an array");
    folder.write("latin.toml", "");
    fs::write(folder.path("latin.toml"), b"title = \"\xe9\"").unwrap();
    let cases: &[(&[&str], &str)] = &[
        (
            &["build", "bad.toml"],
            "stage 1 (uplift): unknown parameter `peeks` (did you mean `peaks`?)",
        ),
        (&["build", "bad.toml"], "at bad.toml:8:1"),
        (&["build", "unknown.toml"], "stage 2 (evolve): lift is \"nothing\", but the layers"),
        (&["build", "unknown.toml"], "at unknown.toml:12:1"),
        (&["build", "mountain"], "(did you mean `mountains`?)"),
        (&["build", "bad.upd"], "found \"nan\", expected y_p, the height of a peak"),
        (&["build", "bad.upd"], "at bad.upd:4:5"),
        (&["inspect", "bad.npy"], "bad.npy"),
        (&["build", "gone.toml"], "cannot read gone.toml"),
        (
            &["build", "latin.toml"],
            "found the byte 0xe9, expected text in UTF-8, at latin.toml:1:10",
        ),
        (&["build", "small.toml", "-o", "small.toml/x.npy"], "cannot make the folder small.toml"),
    ];
    for (args, expected) in cases {
        let talk = folder.fails(1, args);
        assert!(talk.contains(expected), "{args:?}: {talk}");
    }
}

#[test]
fn what_does_not_fit_into_memory_is_refused_with_what_would() {
    let folder = Folder::new();
    let huge = ["build", "small.toml", "--size", "200000x200000"];
    let talk = folder.fails(1, &[&huge[..], &["-o", "a.npy"]].concat());
    assert!(talk.contains("200000x200000 samples need about 163."), "{talk}");
    assert!(talk.contains("--size") && talk.contains("--tile 0,0,4096,4096"), "{talk}");
    // A mesh takes more than the samples.
    assert!(folder.fails(1, &huge).contains("need about 2.0 TiB"));
    let talk = folder.fails(1, &["build", "small.toml", "--size", "2000x2000", "--memory", "1M"]);
    assert!(talk.contains("but only 1.0 MiB may be used"), "{talk}");
    folder.ok(&[
        "build",
        "small.toml",
        "--size",
        "200000x200000",
        "--tile",
        "99000,7,50,50",
        "-o",
        "a.r32",
    ]);
}

#[test]
fn an_old_file_survives_a_failed_write() {
    let folder = Folder::new();
    folder.ok(&["build", "small.toml", "-o", "kept.npy"]);
    let before = folder.read("kept.npy");
    // The recipe has a stage that UPD cannot hold, so the second output fails; the first is whole.
    folder.write("two.toml", &format!("{SMALL}\n[[stage]]\nkind = \"plane\"\n"));
    let talk = folder.fails(1, &["build", "two.toml", "-o", "kept.upd"]);
    assert!(talk.contains("UPD holds peaks only, but the recipe has 2 stages"), "{talk}");
    assert_eq!(folder.read("kept.npy"), before);
    assert!(!folder.path("kept.upd").exists());
}

#[test]
fn every_preset_can_be_listed_written_and_is_right() {
    let folder = Folder::new();
    let list = folder.ok(&["new", "--list"]);
    assert!(list.lines().count() >= 1);
    for line in list.lines() {
        let name = line.split_whitespace().next().unwrap();
        assert!(line.len() > name.len() + 5, "{line}");
        let text = folder.ok(&["new", name]);
        let file = format!("{name}.toml");
        folder.ok(&["new", name, "-o", &file, "--seed", "77", "--size", "65x65"]);
        assert!(text.contains("version = 1"));
        let written = String::from_utf8(folder.read(&file)).unwrap();
        assert!(written.contains("seed = 77") && written.contains("size = [65, 65]"), "{written}");
    }
}

#[test]
fn the_catalogue_names_every_parameter() {
    let folder = Folder::new();
    let all = folder.ok(&["stages"]);
    let one = folder.ok(&["stages", "uplift"]);
    for word in ["ruggedness", "y_max", "a number in 0..=1000000 m, default 6000"] {
        assert!(one.contains(word) && all.contains(word), "{word} in {one}");
    }
    let schema: serde_json::Value =
        serde_json::from_str(&folder.ok(&["stages", "--json"])).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    let stage: serde_json::Value =
        serde_json::from_str(&folder.ok(&["stages", "uplift", "--json"])).unwrap();
    assert_eq!(stage["parameters"][0]["default"], 100);
}

#[test]
fn pictures_are_pictures() {
    let folder = Folder::new();
    let stages = ["plates\"\nplates = 5\nsteps = 3", "sea_level\"", "climate\"", "biomes\""];
    let stages: String = stages.map(|stage| format!("[[stage]]\nkind = \"{stage}\n")).concat();
    let start = "version = 1\nsize = [65, 33]\nspacing = [600000, 600000]\ntopology = \"sphere\"\n";
    folder.write("world.toml", &format!("{start}{stages}"));
    for style in landform_view::Style::ALL {
        let name = format!("{}.png", style.name());
        folder.ok(&[
            "view",
            if style.layer().is_some() { "world.toml" } else { "small.toml" },
            "-o",
            &name,
            "--style",
            style.name(),
            "--picture",
            "120x80",
        ]);
        let bytes = folder.read(&name);
        assert_eq!(
            (&bytes[..4], &bytes[16..24]),
            (&b"\x89PNG"[..], &[0, 0, 0, 120, 0, 0, 0, 80][..])
        );
    }
    let two = ["view", "world.toml", "-o", "two.png", "--layer", "temperature,precipitation"];
    folder.ok(&two);
    assert!(folder.fails(2, &[&two[..], &["--legend"]].concat()).contains("--legend"));
    let halves = ["compare", "small.toml", "world.toml", "-o", "halves.png", "--split"];
    folder.ok(&halves);
    assert_eq!(folder.read("halves.png")[16..24], [0, 0, 3, 192, 0, 0, 2, 208]);
    assert!(folder.fails(2, &[&halves[..], &["fbm"]].concat()).contains("not 3"));
}

#[test]
fn a_recipe_is_written_over_only_by_force() {
    let folder = Folder::new();
    folder.ok(&["new", "fbm", "-o", "mine.toml"]);
    folder.fails(2, &["new", "islands", "-o", "mine.toml"]);
    assert!(!folder.text("mine.toml").contains("island"));
    folder.ok(&["new", "islands", "-o", "mine.toml", "--force"]);
    assert!(folder.text("mine.toml").contains("island"));
}

#[test]
fn a_preset_is_built_twice_into_the_folder_of_its_name() {
    let folder = Folder::new();
    let build = ["build", "fbm", "--size", "65x65", "--quiet"];
    folder.ok(&build);
    let first = (folder.text("fbm/recipe.toml"), folder.text("fbm/landform.json"));
    folder.ok(&build);
    assert_eq!((folder.text("fbm/recipe.toml"), folder.text("fbm/landform.json")), first);
    folder.ok(&[&build[..], &["--seed", "5"]].concat());
    assert!(folder.text("fbm/recipe.toml").contains("seed = 5"));
    // The folder itself has a name with a slash, and is not written over by what was read from it.
    let talk = folder.fails(2, &["build", "fbm/", "-o", "fbm/"]);
    assert!(talk.contains("fbm/ is what would be read"), "{talk}");
    assert!(folder.fails(2, &["build", "./fbm"]).contains("is what would be read"));
    folder.ok(&["build", "./fbm", "-o", "other/", "--quiet"]);
}

#[test]
fn belts_are_written_into_recipes_and_bundles_and_nowhere_else() {
    let folder = Folder::new();
    folder.write(
        "small.toml",
        "version = 1\nsize = [65, 33]\nspacing = [600000, 600000]\ntopology = \"sphere\"\n\
         [[stage]]\nkind = \"plates\"\nplates = 4\nsteps = 3\n",
    );
    let talk = folder.fails(2, &["build", "small.toml", "--belts", "-o", "small.npy"]);
    assert!(talk.contains("--belts writes into a recipe"), "{talk}");
    folder.ok(&["build", "small.toml", "--belts", "-o", "small/", "--quiet"]);
    assert!(folder.text("small/recipe.toml").contains("belts = ["));
}

#[test]
fn a_recipe_that_cannot_be_built_is_not_written() {
    let folder = Folder::new();
    let values = ["--set", "uplift.y_min=5000", "--set", "uplift.y_max=100"];
    let refused =
        |words: &[&str], out: &str| folder.fails(2, &[words, &values[..], &["-o", out]].concat());
    let written = refused(&["new", "uplift"], "mine.toml");
    assert!(written.contains("y_min is 5000, but must not be above `y_max`"), "{written}");
    assert!(!folder.path("mine.toml").exists(), "it was written");
    // The same words as those of `build`.
    assert_eq!(written, refused(&["build", "uplift"], "mine.npy"));
    let upd = refused(&["new", "uplift"], "mine.upd");
    assert_eq!(written, upd);
    // What a file holds does not matter here: black and white without metres are given some.
    folder.ok(&["view", "fbm", "--style", "gray", "--picture", "65x65", "-o", "plain.png"]);
    folder.ok(&["new", "world", "--heightmap", "plain.png", "-o", "plain.toml"]);
    assert!(folder.text("plain.toml").contains("high = 6000"), "metres of white");
}

#[test]
fn tiles_for_engines_know_their_place() {
    let folder = Folder::new();
    folder.ok(&["build", "small.toml", "--for", "unity", "--tiles", "2x2", "-o", "u/"]);
    let page = folder.text("u/import-unity.txt");
    assert!(page.contains("Position X") && page.contains("Position Z"), "{page}");
}

#[test]
fn a_large_map_of_landforms_has_samples_for_its_pixels() {
    let folder = Folder::new();
    let map = |name: &str, more: &[&str]| {
        let args = ["view", "small.toml", "-o", name, "--picture", "260x130", "--style", "gray"];
        folder.ok(&[&args[..], more].concat());
        folder.read(name)
    };
    let fine = map("a.png", &[]);
    assert!(fine == map("b.png", &["--size", "260x132"]));
    assert!(fine != map("c.png", &["--size", "65x33"]));
}

#[test]
fn completions_and_manual_pages_are_written() {
    let folder = Folder::new();
    assert!(folder.ok(&["completions", "bash"]).contains("landform"));
    folder.ok(&["man", "-o", "man"]);
    assert!(names(&folder.path("man")).contains(&"landform-build.1".to_owned()));
    for command in ["new", "build", "view", "skyline", "inspect", "stages"] {
        assert!(folder.ok(&[command, "--help"]).contains("Example"), "{command}");
    }
}

#[test]
fn every_target_gets_its_files_and_its_page() {
    let folder = Folder::new();
    folder.write("even.toml", &SMALL.replace("[10, 20]", "[10, 10]"));
    let targets = "unity unreal terrain3d hterrain blender bevy flax gis print3d minecraft";
    for target in targets.split(' ') {
        let said = folder.ok(&["build", "even.toml", "--for", target, "-o", target]);
        let page =
            String::from_utf8(folder.read(&format!("{target}/import-{target}.txt"))).unwrap();
        assert!(page.contains("Numbers for the import"), "{target}: {page}");
        let manifest = String::from_utf8(folder.read(&format!("{target}/landform.json"))).unwrap();
        let json: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        for file in json["files"].as_array().unwrap() {
            let name = file["name"].as_str().unwrap();
            assert!(folder.path(&format!("{target}/{name}")).is_file(), "{target}: {name}");
            assert!(said.contains(name), "{target}: {said}");
        }
    }
    // 129 samples a side are what Unity takes; it counts z from the south.
    folder.ok(&["build", "even.toml", "--for", "unity", "--size", "250x250", "--tiles", "2x2"]);
    for name in ["even_0_0.raw", "even_1_0.raw", "even_0_1.raw", "even_1_1.raw"] {
        assert_eq!(folder.read(&format!("even-unity/{name}")).len(), 129 * 129 * 2, "{name}");
    }
    let west = folder.read("even-unity/even_0_0.raw");
    let east = folder.read("even-unity/even_1_0.raw");
    for row in 0..129 {
        let (last, first) = (2 * (row * 129 + 128), 2 * row * 129);
        assert_eq!(west[last..last + 2], east[first..first + 2], "the border is shared");
    }
    let south = &folder.read("even-unity/even_0_1.raw")[..2 * 129];
    assert_eq!(&west[2 * 129 * 128..], south, "the border is shared");
    assert!(folder.fails(2, &["build", "--for", "unity", "--tile", "0,0,5,5"]).contains("--tiles"));
}

#[test]
fn maps_beside_the_height_are_written() {
    let folder = Folder::new();
    folder.write(
        "mine.toml",
        "[[material]]\nname = \"soil\"\n[[material]]\nname = \"scree\"\nmask = { kind = \"slope\", from = 20 }\n",
    );
    let outputs = "slope=s.exr aspect=a.png curvature=c.npy occlusion=o.png normal=n.png splat=p.png contours=l.svg \
                   contours=l.geojson height=h.npy";
    let mut args =
        vec!["build", "small.toml", "--materials", "mine.toml", "--contour-interval", "7.5"];
    outputs.split_whitespace().for_each(|output| args.extend(["-o", output]));
    let said = folder.ok(&args);
    for output in outputs.split_whitespace() {
        assert!(!folder.read(output.split_once('=').unwrap().1).is_empty(), "{output}");
    }
    assert!(said.contains("soil, scree") && said.contains("every 7.5 m"), "{said}");
    let geojson: serde_json::Value = serde_json::from_slice(&folder.read("l.geojson")).unwrap();
    let level = geojson["features"][0]["properties"]["level"].as_f64().unwrap();
    assert_eq!(level % 7.5, 0.0);
    let talk = folder.fails(2, &["build", "small.toml", "-o", "mud=m.npy"]);
    assert!(talk.contains("height, slope"), "{talk}");
    folder.write(
        "wrong.toml",
        "[[material]]\nname = \"a\"\nmask = { kind = \"slope\", from = 200 }\n",
    );
    let args = ["build", "small.toml", "-o", "splat=p.png", "--materials", "wrong.toml"];
    let talk = folder.fails(1, &args);
    assert!(talk.contains("wrong.toml:3") && talk.contains("200"), "{talk}");
}

#[test]
fn a_turntable_moves() {
    let folder = Folder::new();
    let args = "view small.toml -o turn.png --style 3d --picture 64x36 --turntable 3";
    folder.ok(&args.split(' ').collect::<Vec<_>>());
    let bytes = folder.read("turn.png");
    let count = |name: &[u8]| bytes.windows(4).filter(|four| *four == name).count();
    assert_eq!((count(b"acTL"), count(b"fcTL"), count(b"fdAT")), (1, 3, 2));
    let map = "view small.toml -o turn.png --style relief --turntable 3";
    assert!(folder.fails(2, &map.split(' ').collect::<Vec<_>>()).contains("3d"));
}

#[test]
fn a_map_of_what_the_terrain_has_not_is_refused() {
    let folder = Folder::new();
    let talk = folder.fails(2, &["view", "small.toml", "-o", "b.png", "--style", "biomes"]);
    assert!(talk.contains("biome") && talk.contains("landform new world"), "{talk}");
}

#[cfg(unix)]
#[test]
fn drawing_ends_at_ctrl_c_and_leaves_nothing() {
    let folder = Folder::new();
    let args = "view small.toml -o huge.png --style 3d --picture 6000x4000";
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("landform"));
    command.current_dir(folder.0.path()).args(args.split(' '));
    let mut child = command.stderr(std::process::Stdio::null()).spawn().unwrap();
    // The terrain takes a moment, its picture most of a minute.
    std::thread::sleep(std::time::Duration::from_secs(3));
    let id = child.id().to_string();
    let begun = std::time::Instant::now();
    let kill = std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(kill.success() && child.wait().unwrap().code() == Some(1));
    // It takes a few milliseconds; another test may have both cores.
    assert!(begun.elapsed().as_millis() < 600, "{:?}", begun.elapsed());
    assert_eq!(folder.names(), ["small.toml"]);
}

#[test]
fn quiet_commands_say_nothing() {
    let folder = Folder::new();
    assert_eq!(folder.ok(&["new", "fbm", "-q", "-o", "mine.toml"]), "");
    assert_eq!(folder.ok(&["skyline", "-q", "-o", "range.svg"]), "");
    assert_eq!(folder.names(), ["mine.toml", "range.svg", "small.toml"]);
}

const PLANET: &str = "version = 1\ntitle = \"P\"\nseed = 4\ntopology = \"sphere\"\nsize = [65, 33]\nspacing = [625000, 625000]\n\n\
    [[stage]]\nkind = \"plates\"\nplates = 6\nsteps = 2\n\n[[stage]]\nkind = \"sea_level\"\nocean = 60\n\n\
    [[stage]]\nkind = \"climate\"\n\n[[stage]]\nkind = \"biomes\"\n\n\
    [[stage]]\nkind = \"drainage\"\nrain_layer = \"precipitation\"\nsource = 1000\n";

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

#[test]
fn a_folder_that_build_made_is_the_world_that_was_built() {
    let folder = Folder::new();
    folder.write("planet.toml", PLANET);
    folder.ok(&words("build planet.toml -o built/ -q"));
    for style in ["world", "plates", "relief"] {
        folder.ok(&words(&format!("view planet.toml -o a.png --style {style} --legend -q")));
        folder.ok(&words(&format!("view built -o b.png --style {style} --legend -q")));
        assert!(folder.read("a.png") == folder.read("b.png"), "{style}");
    }
    folder
        .ok(&words("view built -o globe.png --style world --projection globe --picture 80x60 -q"));
    let told = |input: &str| -> serde_json::Value {
        serde_json::from_str(&folder.ok(&["inspect", input, "--json", "-q"])).unwrap()
    };
    let (recipe, built) = (told("planet.toml"), told("built"));
    for key in ["title", "seed", "stages", "world", "layers", "statistics", "sea_level"] {
        assert_eq!(recipe[key], built[key], "{key}");
    }
    assert_eq!((recipe["kind"].as_str(), built["kind"].as_str()), (Some("recipe"), Some("bundle")));
    assert_eq!(built["statistics"]["land"], built["world"]["land"]);
}

#[test]
fn what_is_set_wrongly_is_a_wrong_call() {
    let folder = Folder::new();
    folder.write("planet.toml", PLANET);
    let belt = "plates.belts=[[0,0,100,0]]";
    let talk = folder.fails(2, &["view", "planet.toml", "-o", "p.png", "--set", belt]);
    assert!(talk.contains("radius 0") && talk.contains("--set"), "{talk}");
    let talk =
        folder.fails(2, &words("inspect planet.toml --set plates.plates=1000 --set size=[9,5]"));
    assert!(talk.contains("no more plates"), "{talk}");
    // What is wrong in the file itself is not the fault of the call.
    folder.write("wrong.toml", &PLANET.replace("steps = 2", "steps = 2\nbelts = [[0, 0, 100, 0]]"));
    folder.fails(1, &words("inspect wrong.toml --set plates.steps=1"));
}

#[test]
fn a_picture_smaller_than_its_samples_says_so() {
    let folder = Folder::new();
    let said = |args: &str| {
        let output = folder.landform(&words(args)).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let talk = said("view small.toml -o a.png --style gray --size 2561x33");
    assert!(talk.contains("2048 pixels") && talk.contains("--picture 2561x33"), "{talk}");
    assert_eq!(said("view small.toml -o a.png --style gray --size 2561x33 -q"), "");
    assert_eq!(said("view small.toml -o a.png --style gray --size 257x33"), "");
}

#[test]
fn posters_are_as_fine_as_their_pixels() {
    let folder = Folder::new();
    folder.ok(&words("view small.toml -o fine.png --poster --picture 500x400"));
    folder.ok(&words("view small.toml -o coarse.png --poster --picture 500x400 --size 65x33"));
    assert!(folder.read("fine.png") != folder.read("coarse.png"));
    let talk = folder.fails(2, &words("view small.toml -o p.png --style plan --poster"));
    assert!(talk.contains("--poster is for maps"), "{talk}");
}

#[test]
fn frames_tell_the_time() {
    let folder = Folder::new();
    folder.write("planet.toml", PLANET);
    let still =
        "view planet.toml -o steps/ --frames --style gray --picture 120x60 --set plates.speed=0 -q";
    folder.ok(&words(still));
    assert_eq!(names(&folder.path("steps")).len(), 3);
    assert!(folder.read("steps/step-000.png") != folder.read("steps/step-001.png"));
    let talk = folder.fails(2, &words("view planet.toml -o drift.gif --frames"));
    assert!(talk.contains("APNG"), "{talk}");
}

#[test]
fn a_map_of_ones_own_becomes_a_planet() {
    let folder = Folder::new();
    folder.write("planet.toml", PLANET);
    folder.ok(&words("build planet.toml -o mine.npy -q"));
    folder.ok(&words("new world --heightmap mine.npy -o mine.toml -q"));
    let recipe = folder.text("mine.toml");
    assert!(recipe.contains("file = \"mine.npy\"") && !recipe.contains("plates\""), "{recipe}");
    assert!(!recipe.contains("sea_level"), "heights below 0 say where the sea is: {recipe}");
    let small = "view mine.toml -o mine.png --style biomes --size 65x33 --set size=[65,33] --set spacing=[625000,625000]";
    let output = folder.landform(&words(small)).output().unwrap();
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !talk.contains("warning"), "{talk}");
    let talk = folder.fails(2, &words("new mountains --heightmap mine.npy"));
    assert!(talk.contains("has none"), "{talk}");

    // Rough ground that is no planet has a seam, and poles that are not one place.
    folder.ok(&words("build small.toml -o rough.png -q"));
    let output = folder.landform(&words("new world --heightmap rough.png")).output().unwrap();
    let (text, talk) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && text.contains("kind = \"sea_level\""), "{text}");
    assert!(talk.contains("the first and the last column differ"), "{talk}");
    assert!(talk.contains("the row of the north pole varies"), "{talk}");
}

#[test]
fn terrains_are_compared_by_numbers_on_one_scale() {
    let folder = Folder::new();
    // Heights that say how far apart their samples are, finer than those of the recipe.
    folder.ok(&["build", "fbm", "--size", "201x201", "--set", "spacing=[3, 3]", "-o", "dem.tif"]);
    folder.write("wide.toml", &SMALL.replace("[65, 33]", "[99, 99]").replace("[10, 20]", "[8, 8]"));
    let inputs = ["compare", "wide.toml", "dem.tif"];
    let own: serde_json::Value =
        serde_json::from_str(&folder.ok(&[&inputs[..], &["--json"]].concat())).unwrap();
    assert_ne!(own[0]["spacing"], own[1]["spacing"]);
    assert_eq!(own[0]["size"], serde_json::json!([99, 99]));
    let same = [&inputs[..], &["--same-scale"]].concat();
    let one: serde_json::Value =
        serde_json::from_str(&folder.ok(&[&same[..], &["--json"]].concat())).unwrap();
    assert_eq!(one[0]["size"], one[1]["size"]);
    for terrain in 0..2 {
        let spacing = one[terrain]["spacing"][0].as_f64().unwrap();
        assert!((spacing / one[0]["spacing"][0].as_f64().unwrap() - 1.0).abs() < 0.01, "{one}");
        assert!(one[terrain]["statistics"]["slope_mean"].as_f64().unwrap() > 0.0, "{one}");
    }
    let table = folder.ok(&same);
    assert!(table.lines().next().unwrap().contains("dem"), "{table}");
    assert!(table.contains("spectral slope, short") && table.contains("mean slope"), "{table}");
    let sheet = [&same[..], &["-o", "sheet.png", "--style", "hillshade", "-q"]].concat();
    assert_eq!(folder.ok(&sheet), "");
    assert!(folder.fails(2, &[&inputs[..], &["--split"]].concat()).contains("-o"));
    let far = folder.fails(1, &["compare", "wide.toml", "world", "--same-scale"]);
    assert!(far.contains("at least 33 samples"), "{far}");
}
