//! The studio makes the files that every other door makes: the standard bundle, and a folder for another program.
//!
//! `cargo xtask test --only parity` names a folder by `LANDFORM_PARITY`, with recipes and a list of jobs, and compares all doors. Without
//! it, some presets are compared with the package that all doors use.
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

mod common;

use std::path::{Path, PathBuf};

use common::Window;
use eframe::egui::{Key, Modifiers};
use landform::preset::Preset;
use landform::recipe;
use landform_project::{Buffer, Opening, Project, make};

/// What a person asks for in the export dialog, and writes to a folder.
fn export(window: &mut Window<'_>, choice: &str, folder: &Path) {
    window.keys(Modifiers::COMMAND, Key::E);
    window.press(choice);
    window.press("Make the files");
    window.until("the files are made", |window| window.has("Write…"));
    window.press("Write…");
    window.until("the dialog is open", |window| window.has("Name"));
    window.type_in(&folder.to_string_lossy());
    window.press("Export here");
    let manifest = folder.join("landform.json");
    window.until("the manifest is written, which comes last", |_| manifest.exists());
}

/// Opens a recipe, as if it was dropped on the window.
fn open(window: &mut Window<'_>, recipe: &Path) {
    window.drop_file(recipe);
    let name = recipe.file_name().unwrap().to_string_lossy().into_owned();
    window.until("it is open", |window| window.harness.state().session().name == name);
}

#[test]
fn the_files_are_those_of_every_other_door() {
    let Some(root) = std::env::var_os("LANDFORM_PARITY").map(PathBuf::from) else {
        return compare_with_the_package();
    };
    let jobs = std::fs::read_to_string(root.join("jobs.txt")).unwrap();
    let mut window = Window::new("empty.toml", EMPTY);
    for line in jobs.lines() {
        let mut words = line.splitn(3, ' ');
        let (name, target) = (words.next().unwrap(), words.next().unwrap());
        open(&mut window, &root.join("recipes").join(format!("{name}.toml")));
        let out = root.join("studio");
        export(&mut window, "Standard bundle", &out.join(name));
        export(&mut window, words.next().unwrap(), &out.join(format!("{name}-{target}")));
    }
}

const EMPTY: &str = "version = 1\nsize = [5, 5]\nspacing = [1.0, 1.0]\n";

fn compare_with_the_package() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::new("empty.toml", EMPTY);
    for name in ["fbm", "river", "badlands"] {
        let text = recipe::set_size(Preset::named(name).unwrap().text, [65, 65]).unwrap();
        let path = folder.path().join(format!("{name}.toml"));
        std::fs::write(&path, &text).unwrap();
        open(&mut window, &path);
        let out = folder.path().join(name);
        export(&mut window, "Standard bundle", &out);
        let project = Project::open(Some(&path), &Opening::default()).unwrap();
        let plan = project.plan().unwrap();
        let terrain = project.terrain(&plan, &()).unwrap();
        let mut expected = Buffer::default();
        make::bundle(&terrain, &project.origin(), None, &mut expected, &()).unwrap();
        assert_eq!(std::fs::read_dir(&out).unwrap().count(), expected.files.len());
        for (file, bytes) in &expected.files {
            assert!(&std::fs::read(out.join(file)).unwrap() == bytes, "{name}/{file}");
        }
    }
}
