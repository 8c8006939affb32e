//! What is known of a terrain that is looked at.

use eframe::egui;
use landform::Lattice;

use super::peaks::shortly;
use crate::large::Large;
use crate::live::ShownGround;

/// Draws what is known. Whether its recipe is to be opened.
pub(crate) fn ui(ui: &mut egui::Ui, large: &Large, detail: Option<&ShownGround>) -> bool {
    ui.weak("Larger than memory: it is looked at, and stays as it is.");
    ui.add_space(4.0);
    let Lattice { size: [width, height], spacing: [dx, dz] } = large.lattice();
    let ground = large.lattice().ground().map(crate::camera::length);
    let shown = detail.and_then(|ground| ground.window).unwrap_or(large.overview().window);
    let level = |k: usize| match k {
        0 => "all samples".to_owned(),
        k => {
            let side = 1_u64 << k.min(40);
            format!("means of {side} × {side}")
        }
    };
    let rows = [
        ("Place", large.place().to_owned()),
        ("Samples", format!("{width} × {height}")),
        ("Spacing", format!("{} × {} m", shortly(dx), shortly(dz))),
        ("Ground", format!("{} × {}", ground[0], ground[1])),
        ("Levels", large.sizes().count().to_string()),
        ("Shown", level(shown.level)),
    ];
    egui::Grid::new("large").num_columns(2).spacing([12.0, 6.0]).show(ui, |ui| {
        for (label, text) in rows {
            ui.label(label);
            ui.add(egui::Label::new(text).wrap().selectable(true));
            ui.end_row();
        }
    });
    let Some(manifest) = large.manifest() else { return false };
    ui.separator();
    if !manifest.complete {
        ui.colored_label(ui.visuals().warn_fg_color, "It is still being built.");
    }
    for layer in &manifest.layers {
        let range = format!("{} to {} {}", shortly(layer.min), shortly(layer.max), layer.unit);
        ui.horizontal(|ui| {
            ui.label(crate::relief::titled(&layer.name));
            ui.weak(range);
        });
    }
    ui.separator();
    let opens = ui.button("Open its recipe").on_hover_text("As a document that can be edited");
    let opens = opens.clicked();
    ui.add_space(4.0);
    egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        let text = egui::RichText::new(&manifest.recipe).monospace().small();
        ui.add(egui::Label::new(text).wrap().selectable(true));
    });
    opens
}
