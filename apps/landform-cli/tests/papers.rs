//! What readers of the papers type: skylines, Uplift files, explanations, other versions.
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

mod shared;

use shared::{Folder, SMALL};

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

#[test]
fn a_skyline_takes_its_spacing_and_its_peaks_and_gives_numbers() {
    let folder = Folder::new();
    let two = "skyline --divisions 10 --spacing 5 --ruggedness 2 --plain -q";
    folder.ok(&words(&format!("{two} --peak 3,20 --peak 7,40,4 -o list.csv")));
    let expected = "x,uplift\n0,0\n5,0\n10,5\n15,10\n20,5\n25,0\n30,10\n35,20\n40,10\n45,0\n50,0\n";
    assert_eq!(folder.text("list.csv"), expected);
    folder.write("peaks.txt", "# i y R\n3 20\n7 40 4\n");
    folder.ok(&words(&format!("{two} --peaks-from peaks.txt -o file.csv")));
    assert_eq!(folder.text("file.csv"), expected);
    folder.ok(&words(&format!("{two} --peaks-from peaks.txt --parts -o parts.json")));
    let json: serde_json::Value = serde_json::from_slice(&folder.read("parts.json")).unwrap();
    let names: Vec<&str> =
        json["curves"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["uplift", "peak 1", "peak 2"]);
    assert_eq!(json["curves"][2]["heights"][6], 20.0);
    assert_eq!(json["peaks"][1], serde_json::json!({ "i": 7, "height": 40.0, "ruggedness": 4.0 }));
    folder.ok(&words("skyline --divisions 99 --ranges 3 -q -o ranges.npy"));
    let header = String::from_utf8_lossy(&folder.read("ranges.npy")[..128]).into_owned();
    assert!(header.contains("(3, 100)"), "{header}");
}

#[test]
fn a_skyline_draws_the_curves_that_it_averages() {
    let folder = Folder::new();
    let tents = "--ruggedness 1 --peak 200,150 --peak 400,250 --divisions 700 -q";
    folder.ok(&words(&format!("skyline -o tents.svg --parts {tents}")));
    folder.ok(&words(&format!("skyline -o vs.png --parts --inverted-v {tents}")));
    let svg = folder.text("tents.svg");
    assert!(svg.contains("#c62828") && svg.contains("#3c6ea5"), "the average and its parts");
    for (args, code, expected) in [
        ("skyline -o a.png --peak 3", 2, "expected a peak: `i_p y_p`"),
        ("skyline -o a.png --peak 3,4 --peaks 9", 2, "cannot be used with"),
        ("skyline -o a.png --peak 3,4 --brownian", 2, "give --plain to draw both curves"),
        ("skyline -o a.txt", 2, "or numbers in .csv, .npy or .json"),
        ("skyline -o a.png --peaks-from small.toml", 1, "at small.toml:1:1"),
    ] {
        let talk = folder.fails(code, &words(args));
        assert!(talk.contains(expected), "{args}: {talk}");
    }
    assert_eq!(folder.names(), ["small.toml", "tents.svg", "vs.png"]);
}

#[test]
fn lines_of_an_uplift_file_that_were_not_edited_keep_their_text() {
    let folder = Folder::new();
    let text = "64 64\n10.0 10.0\n3\n1 2 4000 200.0\n30 40 +500 600\n5 6 4e3 1E2\n";
    folder.write("old.upd", text);
    folder.ok(&words("build old.upd -q -o same.upd"));
    assert_eq!(folder.text("same.upd"), text);
    let peaks = "peaks.peaks=[[1,2,4000,200],[31,40,500,600],[5,6,4000,100]]";
    folder.ok(&["build", "old.upd", "-q", "-o", "new.upd", "--set", peaks]);
    assert_eq!(folder.text("new.upd"), text.replace("30 40 +500 600", "31 40 500 600"));
}

#[test]
fn a_recipe_of_another_version_is_refused_by_every_command_that_opens_it() {
    let folder = Folder::new();
    folder.write("newer.toml", &SMALL.replace("version = 1", "version = 2"));
    folder.write("older.toml", &SMALL.replace("version = 1", "version = 0"));
    for command in ["build newer.toml -o a.png", "view newer.toml -o a.png", "inspect newer.toml"] {
        let talk = folder.fails(1, &words(command));
        let why = "a newer Landform wrote it, so update the program, at newer.toml:1:11";
        assert!(talk.contains(why), "{command}: {talk}");
        let older = command.replace("newer", "older");
        let talk = folder.fails(1, &words(&older));
        assert!(talk.contains("the first is 1: write `version = 1`"), "{older}: {talk}");
    }
}

#[test]
fn inspect_tells_why_a_place_is_so_high() {
    let folder = Folder::new();
    folder.write("two.toml", &format!("{SMALL}\n[[stage]]\nkind = \"plane\"\nheight = -50\n"));
    folder.ok(&words("build two.toml -q --tile 30,12,1,1 -o one.npy"));
    let bytes = folder.read("one.npy");
    let built = f32::from_le_bytes(bytes[bytes.len() - 4..].try_into().unwrap());
    let json = folder.ok(&words("inspect two.toml --at 300,240 --json"));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["height"].as_f64(), Some(f64::from(built)));
    assert_eq!(json["stages"][1]["adds"], -50.0);
    assert_eq!(json["stages"][0]["peaks"]["count"], 20);
    let text = folder.ok(&words("inspect two.toml --at 300,240"));
    assert!(text.starts_with(&format!("{built:.2} m at x 300 m, z 240 m")), "{text}");
    assert!(
        text.contains("uplift") && text.contains("reach it; their sum is divided by 20"),
        "{text}"
    );
    assert!(text.contains("     -50.00 m"), "{text}");
    let talk = folder.fails(2, &words("inspect two.toml --at 641,0"));
    assert!(
        talk.contains("--at 641,0: lies off the ground, which goes from 0,0 to 640,640 m"),
        "{talk}"
    );
}
