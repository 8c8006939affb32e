//! The two worked examples of "Terra Formation Control" (Rankin 2015), followed with mouse and keyboard. The pictures that are
//! compared are those of the documentation.

mod common;

use common::Window;
use eframe::egui::accesskit::Role;
use eframe::egui::{Event, Key, Modifiers};
use egui_kittest::SnapshotOptions;
use egui_kittest::kittest::Queryable as _;
use landform::uplift::Upd;

const BAY: &str = include_str!("../../../docs/studio/bay.upd");
const BAY_EDITED: &str = include_str!("../../../docs/studio/bay-edited.upd");
const VALLEY: &str = include_str!("../../../docs/studio/valley.upd");
const VALLEY_EDITED: &str = include_str!("../../../docs/studio/valley-edited.upd");

/// Opens a terrain with map and view side by side, and the lists out of the way.
fn open(name: &str, text: &str) -> Window<'static> {
    let mut window = Window::sized(name, text, [1280.0, 760.0]);
    window.keys(Modifiers::NONE, Key::F9);
    window.settle();
    window
}

/// Compares with the picture of the documentation. Other drivers draw the view a little differently.
fn picture(window: &mut Window<'_>, name: &str) {
    window.harness.remove_cursor();
    window.settle();
    let options = SnapshotOptions::new().threshold(6.0).max_failed_pixels(40_000);
    let options = options.output_path("../../docs/studio");
    window.harness.snapshot_options(name, &options);
}

fn document(window: &Window<'_>) -> Upd {
    Upd::parse(&window.harness.state().session().document().text()).expect("we wrote it")
}

#[test]
fn a_bay_is_enlarged_by_moving_one_peak() {
    let mut window = open("bay.upd", BAY);
    window.click(window.at(500.0, 620.0), Modifiers::NONE);
    assert_eq!(window.selected(), [6]);
    picture(&mut window, "bay-before");
    for _ in 0..2 {
        window.keys(Modifiers::SHIFT, Key::ArrowUp);
    }
    for _ in 0..5 {
        window.keys(Modifiers::NONE, Key::ArrowUp);
    }
    assert_eq!(document(&window), Upd::parse(BAY_EDITED).unwrap());
    picture(&mut window, "bay-after");
}

#[test]
fn a_mountain_is_moved_left_and_a_valley_opens() {
    let mut window = open("valley.upd", VALLEY);
    // The ground is 100 m wide, and drawn as large as one of 1000 m.
    window.click(window.at(560.0, 580.0), Modifiers::NONE);
    assert_eq!(window.selected(), [18]);
    assert_eq!(window.peak(18), (56, 58, 586.6, 29.3));
    picture(&mut window, "valley-before");
    for _ in 0..18 {
        window.keys(Modifiers::NONE, Key::ArrowLeft);
    }
    for _ in 0..4 {
        window.keys(Modifiers::NONE, Key::ArrowUp);
    }
    for (label, value) in [("y_p", "674"), ("r_p", "33")] {
        window.harness.get_by_role_and_label(Role::SpinButton, label).click();
        window.harness.run_steps(2);
        window.keys(Modifiers::COMMAND, Key::A);
        window.harness.event(Event::Text(value.to_owned()));
        window.keys(Modifiers::NONE, Key::Enter);
    }
    assert_eq!(window.peak(18), (38, 54, 674.0, 33.0));
    assert_eq!(document(&window), Upd::parse(VALLEY_EDITED).unwrap());
    picture(&mut window, "valley-after");
}
