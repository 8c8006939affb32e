//! The line at the bottom: what is under the pointer and why it is that high, and what the program is at.

use eframe::egui::{self, RichText};

use super::peaks::shortly;
use crate::document::Document;
use crate::live::{Live, Progress, ShownGround};

/// What the line tells.
#[derive(Clone, Debug)]
pub(crate) struct Line<'a> {
    pub(crate) live: &'a Live,
    /// What is read of a terrain larger than memory, and what of it is shown.
    pub(crate) detail: Option<(&'a Live, Option<&'a ShownGround>)>,
    pub(crate) document: &'a Document,
    pub(crate) pointer: Option<[f64; 2]>,
    /// How far an export is, while there is one.
    pub(crate) export: Option<Progress>,
    pub(crate) notice: Option<&'a str>,
}

/// What is to be cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cancel {
    Work,
    Export,
}

impl Line<'_> {
    /// Draws the line.
    pub(crate) fn ui(&self, ui: &mut egui::Ui) -> Option<Cancel> {
        let mut cancels = None;
        ui.horizontal(|ui| {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if let Some(done) = &self.export
                    && progress(ui, done, "Exporting", "Cancel the export")
                {
                    cancels = Some(Cancel::Export);
                }
                let reading = self.detail.and_then(|(live, _)| live.progress());
                let what = if reading.is_some() { "Loading" } else { "Evaluating" };
                if let Some(done) = self.live.progress().or(reading) {
                    if progress(ui, &done, what, "Cancel") {
                        cancels = Some(Cancel::Work);
                    }
                } else if let Some(ground) = self.live.ground() {
                    let [width, height] = self
                        .document
                        .large()
                        .map_or(ground.lattice.size, |large| large.lattice().size);
                    let kind = if self.live.is_preview() { "preview, " } else { "" };
                    ui.weak(format!("{kind}{width} × {height} samples"));
                }
                if let Some(notice) = self.notice {
                    ui.label(RichText::new(notice).strong());
                }
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    self.talk(ui);
                });
            });
        });
        cancels
    }

    fn talk(&self, ui: &mut egui::Ui) {
        let finer = self.detail.and_then(|(_, ground)| ground);
        let of_detail = self.detail.and_then(|(live, _)| live.error.as_ref());
        match (self.live.error.as_ref().or(of_detail), self.pointer) {
            (Some(error), _) => {
                ui.colored_label(ui.visuals().error_fg_color, error.to_string());
            }
            (None, Some(place)) => {
                let ground = finer.filter(|ground| ground.at(place).is_some());
                probe(ui, ground.or_else(|| self.live.ground()), self.document, place);
            }
            (None, None) if self.document.large().is_some() => {
                ui.weak(
                    "Wheel zooms, and finer ground is read · right button drags the map · F1 helps",
                );
            }
            (None, None) => {
                ui.weak("Wheel zooms · right button drags the map · double click adds a peak · F1 helps");
            }
        }
    }
}

/// A bar with its stage. Whether it is to be cancelled.
fn progress(ui: &mut egui::Ui, (stage, done): &Progress, what: &str, cancel: &str) -> bool {
    let cancels = ui.small_button(cancel).clicked();
    let bar = egui::ProgressBar::new(*done).desired_width(140.0).desired_height(10.0);
    ui.add(bar.corner_radius(4.0));
    ui.weak(if stage.is_empty() { what.to_owned() } else { format!("{what}: {stage}") });
    cancels
}

/// Place, height, slope, and the peaks that make most of it.
fn probe(ui: &mut egui::Ui, ground: Option<&ShownGround>, document: &Document, place: [f64; 2]) {
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
    let reasons = reasons(ground, document, place, height);
    if !reasons.is_empty() {
        ui.separator();
        ui.add(
            egui::Label::new(RichText::new(format!("from {}", reasons.join(", "))).weak())
                .truncate(),
        );
    }
}

/// Why the ground is that high: the peaks that make most of it, and what each other stage adds.
fn reasons(
    ground: Option<&ShownGround>,
    document: &Document,
    place: [f64; 2],
    height: f64,
) -> Vec<String> {
    let name = |k: usize| {
        let item = &document.items()[k];
        if item.name.is_empty() { format!("peak {k}") } else { item.name.clone() }
    };
    let (peaks, sum) = contributions(document, place);
    let mut list: Vec<String> =
        peaks.iter().take(3).map(|(k, h)| format!("{} {} m", name(*k), shortly(*h))).collect();
    if peaks.len() > 3 {
        list.push(format!("{} more peaks", peaks.len() - 3));
    }
    let least = 0.005 * height.abs().max(1.0);
    let owner = document.owner().and_then(|owner| document.stages().get(owner.stage));
    let owner = owner.map(landform::recipe::Entry::label);
    let parts = ground.map(|ground| ground.parts_at(place)).unwrap_or_default();
    for (label, part) in parts {
        // Its peaks are named already, unless it is masked or joined in another way.
        let is_named = owner == Some(label) && (part - sum).abs() <= least.max(0.02 * sum.abs());
        if !is_named && part.abs() > least {
            list.push(format!("{label} {} m", shortly(part)));
        }
    }
    list
}

/// What each peak adds at a place in metres, the most first, and the sum of all.
pub(crate) fn contributions(document: &Document, place: [f64; 2]) -> (Vec<(usize, f64)>, f64) {
    // Belts are weathered by the plates' own rules, so what one of them adds is not known.
    if document.has_belts() {
        return (Vec::new(), 0.0);
    }
    let lattice = document.lattice();
    let cones = document.items().iter().map(|item| item.peak.cone(lattice));
    let parts = landform::uplift::contributions(cones, document.curve(), document.divisor(), place);
    let sum = parts.iter().map(|part| part.adds).sum();
    (parts.into_iter().map(|part| (part.index, part.adds)).collect(), sum)
}
