//! The numbers of what is selected, as 001's dialog "Properties" has them.

use eframe::egui::{self, DragValue};
use landform::uplift::Peak;

use super::peaks::shortly;
use crate::action::Change;
use crate::edits::{self, HEIGHTS, RADII, Rest};
use crate::session::Session;

/// Draws the properties of the selection.
pub(crate) fn ui(ui: &mut egui::Ui, session: &mut Session) {
    match session.selection.len() {
        0 if session.document().has_peaks() => {
            ui.weak("Nothing is selected. Click a circle or its centre.");
        }
        0 => {
            ui.weak("This recipe has no peaks. Its stages are under Recipe, at the left.");
        }
        1 => one(ui, session),
        count => several(ui, session, count),
    }
    if session.document().has_peaks() && !session.document().has_belts() {
        ui.add_space(4.0);
        let mut keeps = session.rest == Rest::Kept;
        let about = "The height is the sum of all peaks divided by their number, so a new or a missing peak would change it \
                     everywhere. With this on, the others are adjusted so that only the ground under that peak changes.";
        if ui.checkbox(&mut keeps, "Keep the rest of the terrain").on_hover_text(about).changed() {
            session.rest = if keeps { Rest::Kept } else { Rest::Divided };
        }
    }
}

fn one(ui: &mut egui::Ui, session: &mut Session) {
    let Some(k) = session.selection.single() else { return };
    let Some(item) = session.document().items().get(k).cloned() else { return };
    let mut peak = item.peak;
    let (mut name, mut group) = (item.name.clone(), item.group.clone());
    let is_belt = session.document().has_belts();
    egui::Grid::new("properties").num_columns(2).spacing([12.0, 6.0]).show(ui, |ui| {
        let field = |ui: &mut egui::Ui, label: &str, about: &str, widget: DragValue<'_>| {
            let label = ui.label(label).on_hover_text(about);
            ui.add_sized([120.0, 22.0], widget).labelled_by(label.id).on_hover_text(about);
            ui.end_row();
        };
        ui.label("Index").on_hover_text("Its place in the file, counted from 0");
        ui.label(k.to_string());
        ui.end_row();
        let label = ui.label("Name");
        ui.add(egui::TextEdit::singleline(&mut name).desired_width(120.0)).labelled_by(label.id);
        ui.end_row();
        let label = ui.label("Group");
        ui.add(egui::TextEdit::singleline(&mut group).desired_width(120.0)).labelled_by(label.id);
        ui.end_row();
        let far = Peak::FARTHEST;
        let line = |value| DragValue::new(value).range(-far..=far).speed(0.2);
        if is_belt {
            let metres = |value| line(value).speed(1000.0).suffix(" m");
            field(ui, "x", "Metres to the east of the western border", metres(&mut peak.i));
            field(ui, "z", "Metres to the south of the northern border", metres(&mut peak.j));
        } else {
            let about = "Grid line of the centre to the east; may lie off the grid";
            field(ui, "i_p", about, line(&mut peak.i));
            let about = "Grid line of the centre to the south; may lie off the grid";
            field(ui, "j_p", about, line(&mut peak.j));
        }
        let speed = (peak.height.abs() * 0.004).max(0.01);
        let height = DragValue::new(&mut peak.height).range(HEIGHTS[0]..=HEIGHTS[1]);
        let about = match is_belt {
            true => "Height of the mountains before weather; below 0 a trench.",
            false => "Height of the cone; below 0 a hollow. It counts divided by the number of peaks.",
        };
        field(ui, "y_p", about, height.speed(speed).suffix(" m").max_decimals(6));
        let speed = (peak.radius * 0.004).max(0.001);
        let radius = DragValue::new(&mut peak.radius).range(RADII[0]..=RADII[1]);
        field(ui, "r_p", "Radius of its base circle", radius.speed(speed).suffix(" m").max_decimals(6));
        let mut ruggedness = peak.ruggedness();
        let steep = DragValue::new(&mut ruggedness).speed(0.01).range(-1e6..=1e6).max_decimals(4);
        let about = "Ruggedness, y_p / r_p: 1 gives rolling hills, 20 high mountains. Changing it changes the radius.";
        field(ui, "y_p / r_p", about, steep);
        if ruggedness != peak.ruggedness() && ruggedness != 0.0 {
            peak.radius = (peak.height / ruggedness).abs();
        }
    });
    if (&name, &group) != (&item.name, &item.group) {
        session.act("Name", vec![Change::Names(vec![(k, [name, group])])]);
    }
    if peak != item.peak {
        session.act_on_peaks("Properties", vec![edits::each(&[(k, peak)], |peak| peak)]);
    }
    buttons(ui, session);
}

fn several(ui: &mut egui::Ui, session: &mut Session, count: usize) {
    ui.label(format!("{count} peaks"));
    let peaks = edits::selected(session.document(), &session.selection);
    let range = |of: fn(&Peak) -> f64| {
        let values = peaks.iter().map(|(_, peak)| of(peak));
        let low = values.clone().fold(f64::INFINITY, f64::min);
        format!("{} to {} m", shortly(low), shortly(values.fold(f64::NEG_INFINITY, f64::max)))
    };
    egui::Grid::new("ranges").num_columns(2).spacing([12.0, 6.0]).show(ui, |ui| {
        ui.label("y_p");
        ui.label(range(|peak| peak.height));
        ui.end_row();
        ui.label("r_p");
        ui.label(range(|peak| peak.radius));
        ui.end_row();
        for (label, about, change) in [
            ("Heights", "Multiplies the heights", multiply_heights as fn(Peak, f64) -> Peak),
            ("Radii", "Multiplies the radii", multiply_radii),
        ] {
            ui.label(label).on_hover_text(about);
            ui.horizontal(|ui| {
                for (text, factor) in
                    [("× 0.8", 0.8), ("× 0.95", 0.95), ("× 1.05", 1.05), ("× 1.25", 1.25)]
                {
                    if ui.small_button(text).on_hover_text(about).clicked() {
                        let change = edits::each(&peaks, |peak| change(peak, factor));
                        session.close_step();
                        session.act_on_peaks(label, vec![change]);
                        session.close_step();
                    }
                }
            });
            ui.end_row();
        }
    });
    ui.weak("Drag a corner of the frame to scale, its knob to rotate.");
    buttons(ui, session);
}

fn multiply_heights(peak: Peak, factor: f64) -> Peak {
    Peak { height: peak.height * factor, ..peak }
}

fn multiply_radii(peak: Peak, factor: f64) -> Peak {
    Peak { radius: peak.radius * factor, ..peak }
}

fn buttons(ui: &mut egui::Ui, session: &mut Session) {
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        if ui.button("Duplicate").clicked() {
            session.duplicate_selected();
        }
        if ui.button("Delete").clicked() {
            session.delete_selected();
        }
    });
}
