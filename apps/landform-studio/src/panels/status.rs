//! The line at the bottom: what is under the pointer and why it is that high, and what the program is at.

use eframe::egui::{self, RichText};

use super::peaks::shortly;
use crate::document::Document;
use crate::live::{Ground, Live};

/// Draws the line. Whether the work is to be cancelled.
pub(crate) fn ui(
    ui: &mut egui::Ui,
    live: &Live,
    document: &Document,
    pointer: Option<[f64; 2]>,
    notice: Option<&str>,
) -> bool {
    let mut cancels = false;
    ui.horizontal(|ui| {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if let Some((stage, done)) = live.progress() {
                cancels = ui.small_button("Cancel").clicked();
                let bar = egui::ProgressBar::new(done).desired_width(140.0).desired_height(10.0);
                ui.add(bar.corner_radius(4.0));
                ui.weak(if stage.is_empty() { "Evaluating".to_owned() } else { stage });
            } else if let Some(ground) = live.ground() {
                let [width, height] = ground.lattice.size;
                ui.weak(format!("{width} × {height} samples"));
            }
            if let Some(notice) = notice {
                ui.label(RichText::new(notice).strong());
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                match (live.error.as_ref(), pointer) {
                    (Some(error), _) => {
                        ui.colored_label(ui.visuals().error_fg_color, error.to_string());
                    }
                    (None, Some(place)) => probe(ui, live.ground(), document, place),
                    (None, None) => {
                        ui.weak("Wheel zooms · right button drags the map · double click adds a peak · F1 helps");
                    }
                }
            });
        });
    });
    cancels
}

/// Place, height, slope, and the peaks that make most of it.
fn probe(ui: &mut egui::Ui, ground: Option<&Ground>, document: &Document, place: [f64; 2]) {
    let lattice = document.lattice();
    let middle = lattice.ground().map(|side| side / 2.0);
    let [i, j] = crate::edits::grid_lines(lattice, place);
    let [x, z] = [place[0] - middle[0], place[1] - middle[1]];
    ui.label(format!("x {} m  z {} m", shortly(x), shortly(z)))
        .on_hover_text("Metres from the middle of the ground, to the east and to the south");
    ui.weak(format!("i {i}  j {j}")).on_hover_text("The nearest grid lines");
    let Some((height, slope)) = ground.and_then(|ground| ground.at(place)) else { return };
    ui.separator();
    ui.label(RichText::new(format!("{} m", shortly(height))).strong());
    ui.weak(format!("{:.0}° steep", slope.atan().to_degrees()));
    let (parts, sum) = contributions(document, place);
    if parts.is_empty() {
        return;
    }
    ui.separator();
    let name = |k: usize| {
        let item = &document.items()[k];
        if item.name.is_empty() { format!("peak {k}") } else { item.name.clone() }
    };
    let list: Vec<String> =
        parts.iter().take(3).map(|(k, h)| format!("{} {} m", name(*k), shortly(*h))).collect();
    let more =
        if parts.len() > 3 { format!(" and {} more", parts.len() - 3) } else { String::new() };
    let others = height - sum;
    let stages = document.stages().iter().filter(|entry| entry.joint.enabled).count();
    let rest = if stages > 1 && others.abs() > 0.005 * height.abs().max(1.0) {
        format!(", other stages {} m", shortly(others))
    } else {
        String::new()
    };
    ui.weak(format!("from {}{more}{rest}", list.join(", ")));
}

/// What each peak adds at a place in metres, the most first, and the sum of all.
pub(crate) fn contributions(document: &Document, [x, z]: [f64; 2]) -> (Vec<(usize, f64)>, f64) {
    let (lattice, curve, divisor) = (document.lattice(), document.curve(), document.divisor());
    let part = |(k, item): (usize, &crate::document::Item)| {
        let height = item.peak.cone(lattice).height_at(x, z, curve) / divisor;
        (height != 0.0).then_some((k, height))
    };
    let mut parts: Vec<(usize, f64)> =
        document.items().iter().enumerate().filter_map(part).collect();
    parts.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
    let sum = parts.iter().map(|(_, height)| height).sum();
    (parts, sum)
}
