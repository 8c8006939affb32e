//! Files in the window: dropped, asked about, remembered, exported.

mod common;

use std::path::Path;

use common::Window;
use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use landform::uplift::Upd;
use landform::{Grid, Inputs};
use landform_io::{Format, ReadOptions};

const UPD: &str = "101 101\n10 10\n3\n20 20 900 100\n50 50 1200 250\n80 75 600 120\n";
const OTHER: &str = "65 65\n10 10\n1\n30 30 400 200\n";

fn written(folder: &Path, name: &str, text: &str) -> std::path::PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a folder of ours");
    path
}

/// Chooses a path in our own dialog, whose field for the name has the keyboard.
fn choose(window: &mut Window<'_>, path: &Path, verb: &str) {
    window.until("the dialog is open", |window| window.has("Name"));
    window.type_in(&path.to_string_lossy());
    window.harness.get_by_role_and_label(Role::Button, verb).click();
    window.harness.run_steps(2);
}

fn heights() -> Grid {
    let recipe = Upd::parse(UPD).expect("it is right").to_recipe();
    let plan = recipe.resolve(&Inputs::default()).expect("it is right");
    plan.run(&plan.lattice().whole(), &()).expect("nobody cancels").height().clone()
}

#[test]
fn exported_heights_are_read_back_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("heights.npy");
    let mut window = Window::new("three.upd", UPD);
    window.keys(Modifiers::COMMAND, Key::E);
    window.press("NPY");
    window.press("Make the files");
    choose(&mut window, &path, "Export");
    window.until("it is written", |_| path.exists());
    let bytes = std::fs::read(&path).unwrap();
    let read = landform_io::read(&bytes, Format::Npy, &ReadOptions::default()).unwrap();
    assert!(read.heights == heights());
}

#[test]
fn an_export_for_a_program_comes_with_its_page_and_the_recipe() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("for-gis");
    let mut window = Window::new("three.upd", UPD);
    window.keys(Modifiers::COMMAND, Key::E);
    window.press("QGIS, GDAL and other GIS");
    window.press("Make the files");
    window.until("the files are made", |window| window.has("Write…"));
    window.press("Write…");
    choose(&mut window, &path, "Export here");
    window.until("the manifest comes last", |_| path.join("landform.json").exists());
    let bytes = std::fs::read(path.join("three.tif")).unwrap();
    let read = landform_io::read(&bytes, Format::Tiff, &ReadOptions::default()).unwrap();
    assert!(read.heights == heights());
    let recipe = std::fs::read_to_string(path.join("recipe.toml")).unwrap();
    assert_eq!(recipe, Upd::parse(UPD).unwrap().to_recipe().to_toml());
}

#[test]
fn pictures_of_both_views_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::new("three.upd", UPD);
    for entry in ["Picture of the map…", "Picture in 3-D…"] {
        let path = folder.path().join(format!("{}.png", entry.len()));
        window.press("File");
        window.press(entry);
        choose(&mut window, &path, "Export");
        window.until("it is written", |_| path.exists());
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 10_000, "{}", bytes.len());
    }
}

#[test]
fn a_dropped_file_is_opened_and_what_is_not_saved_is_asked_about_first() {
    let folder = tempfile::tempdir().unwrap();
    let other = written(folder.path(), "other.upd", OTHER);
    let mut window = Window::new("three.upd", UPD);
    let name = |window: &Window<'_>| window.harness.state().session().name.clone();
    window.click(window.at(500.0, 500.0), Modifiers::NONE);
    window.keys(Modifiers::NONE, Key::ArrowRight);
    window.drop_file(&other);
    assert!(window.has("Save what you have changed?"));
    window.press("Cancel");
    assert_eq!(name(&window), "three.upd");
    assert!(window.harness.state().session().is_dirty());
    window.drop_file(&other);
    window.press("Save…");
    let saved = folder.path().join("moved.upd");
    choose(&mut window, &saved, "Save");
    window.until("the other one is open", |window| name(window) == "other.upd");
    let moved = UPD.replace("50 50 1200", "51 50 1200");
    assert_eq!(std::fs::read_to_string(&saved).unwrap(), moved);
    assert_eq!(window.harness.state().session().document().text(), OTHER);
    window.drop_file(&saved);
    assert_eq!(name(&window), "moved.upd", "nothing to ask about");
    window.click(window.at(510.0, 500.0), Modifiers::NONE);
    window.keys(Modifiers::NONE, Key::Delete);
    window.drop_file(&other);
    window.press("Discard");
    assert_eq!(name(&window), "other.upd");
    let damaged = written(folder.path(), "damaged.upd", "65 65\n10 10\n1\n30 x\n");
    window.drop_file(&damaged);
    assert!(window.has("Cannot open damaged.upd"));
    assert_eq!(name(&window), "other.upd");
}

#[test]
fn a_recipe_of_another_version_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    for (version, why) in [(0, "the first is 1"), (2, "a newer Landform wrote it")] {
        let mut window = Window::new("three.upd", UPD);
        let text = format!("version = {version}\nsize = [9, 9]\nspacing = [1, 1]\n");
        window.drop_file(&written(folder.path(), "other.toml", &text));
        assert!(window.has("Cannot open other.toml"), "version {version}");
        assert!(window.harness.query_by_label_contains(why).is_some(), "version {version}");
        assert_eq!(window.harness.state().session().name, "three.upd");
    }
}

#[test]
fn voids_of_an_elevation_model_are_filled_as_the_stage_shows() {
    let folder = tempfile::tempdir().unwrap();
    let model = "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n5 5 5\n5 -9999 5\n5 5 5\n";
    let path = written(folder.path(), "model.asc", model);
    let mut window = Window::new("three.upd", UPD);
    window.drop_file(&path);
    window.settle();
    let text = window.harness.state().session().document().text();
    assert!(text.contains("voids = \"fill\""), "{text}");
    assert!(!window.has("Cannot open model.asc"));
}

#[test]
fn files_that_were_open_are_offered_again_the_newest_first() {
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("settings");
    let first = written(folder.path(), "first.upd", UPD);
    let second = written(folder.path(), "second.upd", OTHER);
    let mut window = Window::keeping(Some(&settings), None, [1200.0, 800.0]);
    window.press("Skip the tour");
    window.drop_file(&first);
    window.drop_file(&second);
    window.settle();
    drop(window);
    let mut window = Window::keeping(Some(&settings), None, [1200.0, 800.0]);
    window.harness.run_steps(2);
    assert!(!window.has("Skip the tour"), "it has been seen");
    window.press("File");
    window.harness.get_by_label_contains("Open recent").click();
    window.harness.run_steps(2);
    let top = |path: &Path| {
        let label = path.to_string_lossy().into_owned();
        window.harness.get_by_label(&label).rect().top()
    };
    assert!(top(&second) < top(&first));
    let label = first.to_string_lossy().into_owned();
    window.press(&label);
    window.until("it is open", |window| window.harness.state().session().name == "first.upd");
    std::fs::remove_file(&second).unwrap();
    window.press("File");
    window.harness.get_by_label_contains("Open recent").click();
    window.harness.run_steps(2);
    window.press(&second.to_string_lossy());
    window.until("its loss is told", |window| window.has("That did not work"));
    assert_eq!(window.harness.state().session().name, "first.upd");
}

#[test]
fn an_export_runs_in_the_background_and_is_cancelled() {
    let text = "version = 1\nsize = [1025, 1025]\nspacing = [10.0, 10.0]\n\n[[stage]]\nkind = \"noise\"\n\n[[stage]]\nkind = \"hydraulic\"\n";
    let mut window = Window::keeping(None, Some(("long.toml", text)), [1200.0, 800.0]);
    window.press("Skip the tour");
    window.press("Cancel");
    window.keys(Modifiers::COMMAND, Key::E);
    window.press("Make the files");
    window.until("it is under way", |window| window.has("Exporting: hydraulic"));
    assert!(!window.has("Make the files"), "the window is free");
    window.keys(Modifiers::COMMAND, Key::R);
    assert!(window.harness.state().session().is_dirty(), "one can go on editing");
    window.press("Cancel the export");
    assert!(!window.has("Cancel the export"));
}

#[test]
fn a_painted_mask_is_saved_beside_the_recipe_and_acts_when_it_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let text = "version = 1\nsize = [101, 101]\nspacing = [10.0, 10.0]\n\n[[stage]]\nkind = \"noise\"\namplitude = 300\n";
    let original = written(folder.path(), "hills.toml", text);
    let mut window = Window::new("three.upd", UPD);
    window.drop_file(&original);
    window.settle();
    window.press("Noise");
    window.keys(Modifiers::NONE, Key::M);
    window.drag(window.at(300.0, 300.0), window.at(700.0, 300.0));
    window.click(window.at(500.0, 700.0), Modifiers::NONE);
    window.settle();
    let labels: Vec<String> =
        window.harness.state().session().history().labels().map(str::to_owned).collect();
    assert_eq!(labels, ["Paint a mask", "Paint a mask"]);
    let ground =
        |window: &Window<'_>| window.harness.state().live().ground().unwrap().heights.clone();
    let painted = ground(&window);
    assert!(
        painted[(2, 2)] == 0.0 && painted[(95, 50)] == 0.0,
        "nothing where nothing was painted"
    );
    assert!(painted.samples().iter().any(|height| *height != 0.0));
    window.keys(Modifiers::COMMAND, Key::S);
    let saved = folder.path().join("hills-edited.toml");
    choose(&mut window, &saved, "Save");
    let mask = folder.path().join("hills-edited-noise-mask.png");
    window.until("the mask is there, too", |_| mask.exists());
    assert_eq!(std::fs::read_to_string(&original).unwrap(), text, "what was opened stays");
    let mut again = Window::new("three.upd", UPD);
    again.drop_file(&saved);
    again.settle();
    assert!(ground(&again) == painted);
    window.keys(Modifiers::COMMAND, Key::Z);
    window.keys(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.harness.state().session().document().text(), text);
    std::fs::remove_file(&mask).unwrap();
    again.drop_file(&saved);
    assert!(again.has("Cannot open hills-edited.toml"));
}

#[test]
fn a_document_under_another_name_has_a_mask_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let text = "version = 1\nsize = [101, 101]\nspacing = [10.0, 10.0]\n\n[[stage]]\nkind = \"noise\"\namplitude = 300\n";
    let original = written(folder.path(), "hills.toml", text);
    let mut window = Window::new("three.upd", UPD);
    window.drop_file(&original);
    window.press("Noise");
    window.keys(Modifiers::NONE, Key::M);
    window.drag(window.at(300.0, 300.0), window.at(700.0, 300.0));
    window.keys(Modifiers::COMMAND, Key::S);
    let first = folder.path().join("first.toml");
    choose(&mut window, &first, "Save");
    let mask = folder.path().join("first-noise-mask.png");
    window.until("its mask is there", |_| mask.exists());
    let old = std::fs::read(&mask).unwrap();
    assert!(std::fs::read_to_string(&first).unwrap().contains("first-noise-mask.png"));
    let other = folder.path().join("elsewhere");
    std::fs::create_dir(&other).unwrap();
    let second = other.join("second.toml");
    window.keys(Modifiers { shift: true, ..Modifiers::COMMAND }, Key::S);
    choose(&mut window, &second, "Save");
    let own = other.join("second-noise-mask.png");
    window.until("the other has one, too", |_| own.exists());
    assert_eq!(std::fs::read(&own).unwrap(), old);
    window.drag(window.at(300.0, 700.0), window.at(700.0, 700.0));
    window.keys(Modifiers::COMMAND, Key::S);
    window.until("it is painted on", |_| std::fs::read(&own).unwrap() != old);
    assert_eq!(std::fs::read(&mask).unwrap(), old, "the first document keeps its mask");
    assert!(!window.harness.state().session().is_dirty());
    // A mask that was painted on another day goes along as well.
    window.drop_file(&first);
    window.settle();
    let third = other.join("third.toml");
    window.keys(Modifiers { shift: true, ..Modifiers::COMMAND }, Key::S);
    choose(&mut window, &third, "Save");
    let own = other.join("third-noise-mask.png");
    window.until("the third has one, too", |_| own.exists());
    window.drop_file(&third);
    window.settle();
    assert!(!window.has("Cannot open third.toml"));
    assert_eq!(window.harness.state().session().name, "third.toml");
}

#[test]
fn a_recipe_that_is_saved_in_another_folder_takes_its_rasters_along() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = Vec::new();
    let terrain = landform::Terrain::new(
        landform::Lattice { size: [101, 101], spacing: [10.0, 10.0] }.whole(),
        0.0,
        heights(),
    );
    let raster = landform_io::Raster::height(&terrain);
    Format::Npy.write(&raster, &mut bytes, &landform_io::WriteOptions::default()).unwrap();
    std::fs::write(folder.path().join("ground.npy"), &bytes).unwrap();
    let mut window = Window::new("three.upd", UPD);
    window.drop_file(&folder.path().join("ground.npy"));
    window.settle();
    let saved = folder.path().join("there").join("ground.toml");
    std::fs::create_dir(saved.parent().unwrap()).unwrap();
    window.keys(Modifiers::COMMAND, Key::S);
    choose(&mut window, &saved, "Save");
    let copy = saved.with_file_name("ground.npy");
    window.until("the raster is there, too", |_| copy.exists());
    assert_eq!(std::fs::read(copy).unwrap(), bytes);
    window.drop_file(&saved);
    assert_eq!(window.harness.state().session().name, "ground.toml");
    assert!(!window.has("Cannot open ground.toml"));
}

#[test]
fn splat_maps_go_with_an_export_for_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("for-unity");
    let mut window = Window::new("three.upd", UPD);
    window.keys(Modifiers::COMMAND, Key::E);
    window.press("Unity Terrain");
    window.press("Make the files");
    window.until("the files are made", |window| window.has("Write…"));
    window.press("Write…");
    choose(&mut window, &path, "Export here");
    window.until("the manifest comes last", |_| path.join("landform.json").exists());
    let names: Vec<String> = std::fs::read_dir(&path)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    let splat: Vec<&String> = names.iter().filter(|name| name.contains("splat")).collect();
    assert!(!splat.is_empty(), "{names:?}");
    let bytes = std::fs::read(path.join(splat[0])).unwrap();
    assert!(bytes.len() > 1000, "{}", bytes.len());
}

#[test]
fn a_raw_file_is_exported_with_its_scale_and_opened_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.r16");
    let mut window = Window::new("three.upd", UPD);
    window.keys(Modifiers::COMMAND, Key::E);
    window.press("R16");
    window.press("Make the files");
    choose(&mut window, &path, "Export");
    let beside = folder.path().join("mine.r16.json");
    window.until("its scale is written", |_| beside.exists());
    window.drop_file(&path);
    window.settle();
    assert!(!window.has("Cannot open mine.r16"));
    let document = window.harness.state().session().document();
    assert_eq!(
        document.recipe().output().size,
        [heights().width() as u32, heights().height() as u32]
    );
    assert_eq!(document.recipe().spacing, Upd::parse(UPD).unwrap().lattice.spacing);
}

#[test]
fn a_bundle_is_opened_by_its_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bundle");
    let mut window = Window::new("three.upd", UPD);
    window.keys(Modifiers::COMMAND, Key::E);
    window.press("Standard bundle");
    window.press("Make the files");
    window.until("the files are made", |window| window.has("Write…"));
    window.press("Write…");
    choose(&mut window, &path, "Export here");
    let manifest = path.join("landform.json");
    window.until("the manifest comes last", |_| manifest.exists());
    window.drop_file(&manifest);
    let is_open = |window: &Window<'_>| window.harness.state().session().name == "recipe.toml";
    window.until("its recipe is open", is_open);
}

#[test]
fn names_and_groups_of_peaks_are_there_when_the_file_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::new("three.upd", UPD);
    window.click(window.at(500.0, 500.0), Modifiers::NONE);
    for (label, text) in [("Name", "Old Man"), ("Group", "north")] {
        window.harness.get_by_role_and_label(Role::TextInput, label).focus();
        window.harness.run_steps(2);
        window.type_in(text);
    }
    window.click(window.at(30.0, 970.0), Modifiers::NONE);
    window.keys(Modifiers::COMMAND, Key::S);
    let saved = folder.path().join("named.upd");
    choose(&mut window, &saved, "Save");
    window.until("it is saved", |window| !window.harness.state().session().is_dirty());
    assert_eq!(std::fs::read_to_string(&saved).unwrap(), UPD, "UPD has no room for names");
    let mut again = Window::new("other.upd", OTHER);
    again.drop_file(&saved);
    let item = &again.harness.state().session().document().items()[1];
    assert_eq!((item.name.as_str(), item.group.as_str()), ("Old Man", "north"));
    assert!(!again.harness.state().session().is_dirty());
}
