//! The page with all keys, and the tour.

use eframe::egui;

use super::Decision;
use crate::commands::Command;
use crate::theme;

const MOUSE: &[(&str, &str)] = &[
    (
        "Click",
        "Selects the circle whose rim or centre is nearest; again at the same place: the next one",
    ),
    ("Shift or Ctrl click", "Adds to the selection, or takes out of it"),
    ("Drag a centre", "Moves the selected peaks, grid line by grid line; Shift: along one axis"),
    ("Drag a rim", "Changes the radius"),
    ("Drag the diamond", "Changes the height"),
    ("Drag over nothing", "Selects by a rectangle; Shift adds"),
    ("Corners and knob", "Scale and rotate several peaks; Shift: in steps of 15°"),
    ("Double click", "Adds a peak"),
    ("Wheel, pinch", "Zooms"),
    ("Right or middle drag", "Scrolls; so do Space and drag, and the bars"),
    (
        "Arrow keys",
        "Move the selection by one grid step, with Shift by ten; without a selection they scroll",
    ),
    ("Mask brush", "Paints where the open stage acts; Shift erases. One stroke is one step"),
    ("3-D: drag", "Turns the view; with the right button or Shift it moves over the ground"),
    ("3-D: drag a dot or handle", "Moves the peak over the ground"),
    ("3-D: wheel, pinch", "Comes closer to what is under the pointer"),
    ("3-D: W A S D, Q E", "Fly over the ground, down and up; with Shift faster"),
    ("3-D: double click, Home", "Shows everything"),
];

/// Draws the page.
pub(super) fn keys(ui: &mut egui::Ui) -> Option<Decision> {
    ui.set_width(640.0);
    ui.heading("Keys and mouse");
    ui.add_space(6.0);
    egui::ScrollArea::vertical().max_height(460.0).auto_shrink([false, true]).show(ui, |ui| {
        let row = |ui: &mut egui::Ui, keys: &str, about: &str| {
            ui.label(egui::RichText::new(keys).strong());
            ui.add(egui::Label::new(about).wrap());
            ui.end_row();
        };
        egui::Grid::new("mouse").num_columns(2).striped(true).spacing([16.0, 6.0]).show(ui, |ui| {
            for (keys, about) in MOUSE {
                row(ui, keys, about);
            }
            for command in Command::all() {
                if let Some(keys) = command.keys(ui.ctx()) {
                    let label = command.label().trim_end_matches('…');
                    row(ui, &keys, &format!("{label}. {}", command.about()));
                }
            }
        });
    });
    ui.add_space(8.0);
    ui.add(theme::primary("Close")).clicked().then_some(Decision::Close)
}

const TOUR: &[(&str, &str)] = &[
    (
        "A terrain is a list of mountains",
        "Each circle on the map is the foot of a peak, the green point its summit. The ground is the average of them all. Click a circle: it turns red, and it is yours.",
    ),
    (
        "Move mountains",
        "Drag the centre, or press the arrow keys, and the ground follows at once. The rim changes how wide a peak is, the diamond above it how high. Exact numbers are at the right.",
    ),
    (
        "Nothing is lost",
        "Every step can be undone, in any number; the history lists them. Saving asks for a new name, so what you opened stays as it was. B compares before and after.",
    ),
    (
        "More than peaks",
        "A recipe adds stages: rivers, erosion, noise, whole planets. Under Recipe each has its sliders. When it is right, Export writes files for your engine with the numbers to type.",
    ),
];

/// Draws a page of the tour.
pub(super) fn tour(ui: &mut egui::Ui, step: usize) -> Option<Decision> {
    ui.set_width(440.0);
    let (title, text) = TOUR[step.min(TOUR.len() - 1)];
    ui.heading(title);
    ui.add_space(8.0);
    ui.label(text);
    ui.add_space(14.0);
    ui.horizontal(|ui| {
        ui.weak(format!("{} of {}", step + 1, TOUR.len()));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let is_last = step + 1 >= TOUR.len();
            let next = ui.add(theme::primary(if is_last { "Begin" } else { "Next" })).clicked();
            let skip = !is_last && ui.button("Skip the tour").clicked();
            if next && !is_last {
                Some(Decision::TourStep(step + 1))
            } else {
                (next || skip).then_some(Decision::Close)
            }
        })
        .inner
    })
    .inner
}
