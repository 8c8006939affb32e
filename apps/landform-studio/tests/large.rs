//! Terrains larger than memory: opened by their overview, read where the map is near, never changed.

mod common;

use std::io::BufWriter;
use std::path::{Path, PathBuf};

use common::Window;
use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use landform::{Grid, Inputs, Layer, Plan, Recipe};
use landform_io::store::{Builder, Division, MEMORY, Manifest, fill};
use landform_io::{Format, ReadOptions, Store};

const UPD: &str = "101 101\n10 10\n1\n50 50 1200 250\n";
const TEXT: &str = "version = 1\nseed = 5\nsize = [2700, 2200]\nspacing = [10.0, 10.0]\n\n[[stage]]\nkind = \"uplift\"\npeaks = 40\n";

fn plan() -> Plan {
    Recipe::parse(TEXT).expect("it is there").resolve(&Inputs::default()).expect("it is there")
}

fn store(folder: &Path) -> PathBuf {
    let (plan, root) = (plan(), folder.join("big.zarr"));
    let (extent, inputs) = (plan.lattice().whole(), Inputs::default());
    let division = Division::default();
    let manifest =
        Manifest::new(&plan, &extent, &division, (TEXT, Some(5)), &inputs).expect("it is there");
    let builder = Builder::start(&root, manifest).expect("it is there");
    fill(&builder, &plan, MEMORY, &()).expect("it is there");
    root
}

fn whole() -> Grid {
    let plan = plan();
    plan.run(&plan.lattice().whole(), &()).expect("it is there").height().clone()
}

fn name(window: &Window<'_>) -> String {
    window.harness.state().session().name.clone()
}

/// Zooms in until the finest level is there.
fn come_near(window: &mut Window<'_>) {
    for _ in 0..14 {
        window.keys(Modifiers::NONE, Key::Plus);
    }
    window.until("the finest level is read", |window| {
        let detail = window.harness.state().detail().expect("it is there");
        let level = detail.ground().and_then(|ground| ground.window).map(|window| window.level);
        level == Some(0) && !detail.is_busy()
    });
}

fn is_near(window: &Window<'_>, heights: &Grid) {
    let state = window.harness.state();
    let (overview, detail) =
        (state.live().ground().expect("it is there"), state.detail().expect("it is there"));
    assert_eq!((overview.lattice.size, overview.lattice.spacing), ([1350, 1100], [20.0, 20.0]));
    let ground = detail.ground().expect("it is there");
    let [i, j, width, height] =
        ground.window.expect("it is there").samples.map(|side| side as usize);
    assert!(width <= 2048 && height <= 2048 && width * height < 2700 * 2200, "{width} {height}");
    assert!(ground.heights == heights.crop(i, j, width, height), "the samples themselves");
    // A place is as high in the overview as in the window.
    let place = [0, 1].map(|axis| (ground.corners()[0][axis] + ground.corners()[1][axis]) / 2.0);
    let at = heights[((place[0] / 10.0) as usize, (place[1] / 10.0) as usize)];
    let (fine, coarse) =
        (ground.at(place).expect("it is there").0, overview.at(place).expect("it is there").0);
    assert!((fine - f64::from(at)).abs() < 20.0, "{fine} {at}");
    assert!((fine - coarse).abs() < 0.05 * fine.abs().max(10.0), "{fine} {coarse}");
}

#[test]
fn a_store_is_shown_by_its_overview_and_read_where_the_map_is_near() {
    let folder = tempfile::tempdir().unwrap();
    let root = store(folder.path());
    let mut window = Window::new("three.upd", UPD);
    window.drop_file(&root);
    window.until("it is open", |window| name(window) == "big.zarr");
    window.settle();
    assert!(window.harness.state().detail().unwrap().ground().is_none(), "the overview suffices");
    assert!(window.has("2700 × 2200 samples") && window.has("means of 2 × 2"));
    come_near(&mut window);
    is_near(&window, &whole());
    window.keys(Modifiers::COMMAND, Key::E);
    window.press("NPY");
    window.press("Make the files");
    let path = folder.path().join("seen.npy");
    window.until("the dialog is open", |window| window.has("Name"));
    window.type_in(&path.to_string_lossy());
    window.harness.get_by_role_and_label(Role::Button, "Export").click();
    window.until("it is written", |_| path.exists());
    let bytes = std::fs::read(&path).unwrap();
    let read = landform_io::read(&bytes, Format::Npy, &ReadOptions::default()).unwrap();
    let detail = window.harness.state().detail().unwrap();
    assert!(read.heights == detail.ground().unwrap().heights, "what is looked at is exported");
    window.keys(Modifiers::NONE, Key::Num2);
    window.harness.run_steps(4);
    window.press("All");
    window.keys(Modifiers::NONE, Key::F);
    assert!(!window.has("All"), "from afar there is one ground");
    window.press("Open its recipe");
    window.settle();
    assert_eq!(name(&window), "big.toml");
    assert_eq!(window.harness.state().session().document().text(), TEXT);
}

#[test]
fn what_is_looked_at_is_not_saved_nor_edited() {
    let folder = tempfile::tempdir().unwrap();
    let root = store(folder.path());
    let mut window = Window::new("three.upd", UPD);
    // The description of a store stands for it.
    window.drop_file(&root.join("zarr.json"));
    window.until("it is open", |window| name(window) == "big.zarr");
    for key in [Key::A, Key::M, Key::B] {
        window.keys(Modifiers::NONE, key);
    }
    window.keys(Modifiers::COMMAND, Key::R);
    assert!(!window.harness.state().session().is_dirty());
    assert_eq!(window.harness.state().session().history().position(), 0);
    for modifiers in [Modifiers::COMMAND, Modifiers { shift: true, ..Modifiers::COMMAND }] {
        window.keys(modifiers, Key::S);
        assert!(window.has("There is nothing to save"));
        window.press("Close");
    }
    window.keys(Modifiers::COMMAND, Key::O);
    window.until("the dialog is open", |window| window.has("Name"));
    window.type_in(&root.to_string_lossy());
    window.harness.get_by_role_and_label(Role::Button, "Open").click();
    window.until("a store is chosen, not entered", |window| !window.has("Name"));
    assert_eq!(name(&window), "big.zarr");
}

#[test]
fn a_tiff_with_overviews_is_looked_at_as_a_store_is() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&store(folder.path())).unwrap();
    let path = folder.path().join("big.tif");
    let mut out = BufWriter::new(std::fs::File::create(&path).unwrap());
    landform_io::tiff::write_cog(&store, &Layer::Height, &mut out, &()).unwrap();
    drop(out);
    let mut window = Window::new("three.upd", UPD);
    window.drop_file(&path);
    window.until("it is open", |window| name(window) == "big.tif");
    window.settle();
    come_near(&mut window);
    is_near(&window, &whole());
}

#[test]
fn a_damaged_store_is_told_in_a_dialog_and_what_is_open_stays() {
    let folder = tempfile::tempdir().unwrap();
    let root = store(folder.path());
    let mut window = Window::new("three.upd", UPD);
    let mut tell = |path: &Path, what: &str| {
        window.drop_file(path);
        window.until(what, |window| window.has("That did not work"));
        window.press("Close");
        assert_eq!(name(&window), "three.upd");
        assert_eq!(window.harness.state().session().document().text(), UPD);
    };
    tell(folder.path(), "a folder that is no store");
    let shard = root.join("1/height/c/0/0");
    let bytes = std::fs::read(&shard).unwrap();
    std::fs::write(&shard, &bytes[..bytes.len() / 2]).unwrap();
    tell(&root, "half a file");
    for level in 0..16 {
        // Levels that there are.
        let _ = std::fs::remove_dir_all(root.join(format!("{level}/height/c")));
    }
    tell(&root, "nothing built yet");
    std::fs::write(root.join("zarr.json"), "{").unwrap();
    tell(&root, "no description");
}
