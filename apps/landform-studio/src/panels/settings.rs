//! How the map and the view are shown.

use eframe::egui::{self, Slider};

use crate::live::ShownGround;
use crate::options::{Ground3d, Options};
use crate::relief::pictures;
use crate::session::Session;

/// Draws the settings of the map.
pub(crate) fn map(
    ui: &mut egui::Ui,
    options: &mut Options,
    session: &Session,
    ground: Option<&ShownGround>,
) {
    let count = session.document().items().len();
    grid(ui, "map settings", |ui| {
        if count > 0 {
            circles(ui, options, count);
        }
        row(ui, "Picture", "What lies under the circles", |ui| {
            let choices = pictures(ground);
            let now = choices.iter().find(|(_, picture)| *picture == options.picture);
            let text = now.map_or_else(|| "Relief".to_owned(), |(label, _)| label.clone());
            let combo = egui::ComboBox::from_id_salt("picture").selected_text(text).width(130.0);
            combo
                .show_ui(ui, |ui| {
                    for (label, picture) in choices {
                        ui.selectable_value(&mut options.picture, picture, label);
                    }
                })
                .response
        });
        row(ui, "Opacity", "Of the picture under the circles", |ui| {
            ui.add(
                Slider::new(&mut options.opacity, 0.0..=1.0)
                    .custom_formatter(|n, _| format!("{:.0} %", n * 100.0)),
            )
        });
        if session.document().has_peaks() {
            row(ui, "Snap", "Peaks move by so many grid lines at a time", |ui| {
                ui.add(Slider::new(&mut options.snap, 1..=50).logarithmic(true))
            });
        }
        row(ui, "Grid", "Grid lines, as soon as they do not crowd", |ui| {
            ui.checkbox(&mut options.grid, "Show lines")
        });
        if ground.is_some_and(|ground| ground.layer(&landform::Layer::Plate).is_some()) {
            row(ui, "Plates", "The boundaries of the plates of a world", |ui| {
                ui.checkbox(&mut options.plates, "Show boundaries")
            });
        }
    });
}

/// Which circles are drawn, and how large.
fn circles(ui: &mut egui::Ui, options: &mut Options, count: usize) {
    row(
        ui,
        "Circles",
        "Drawn radii are multiplied by this, so that they do not cover each other",
        |ui| {
            ui.add(
                Slider::new(&mut options.radius_scale, 0.01..=1.0)
                    .logarithmic(true)
                    .custom_formatter(|n, _| format!("× {n:.2}")),
            )
        },
    );
    row(ui, "Largest", "Only so many of the largest peaks are shown", |ui| {
        let mut shown = options.largest.min(count);
        let slider = Slider::new(&mut shown, 0..=count).logarithmic(count > 200);
        let response = ui.add(slider.custom_formatter(move |n, _| format!("{n} of {count}")));
        if response.changed() {
            options.largest = if shown == count { usize::MAX } else { shown };
        }
        response
    });
}

/// Draws the settings of the view.
pub(crate) fn view(ui: &mut egui::Ui, options: &mut Options, is_upd: bool) {
    grid(ui, "view settings", |ui| {
        row(ui, "Ground", "What the ground looks like", |ui| {
            let name = |ground: Ground3d| match ground {
                Ground3d::Natural => "Natural",
                Ground3d::Relief => "Relief",
                Ground3d::Slope => "Slope",
                Ground3d::Map => "Picture of the map",
            };
            let combo = egui::ComboBox::from_id_salt("ground")
                .selected_text(name(options.ground))
                .width(130.0);
            combo
                .show_ui(ui, |ui| {
                    for ground in
                        [Ground3d::Natural, Ground3d::Relief, Ground3d::Slope, Ground3d::Map]
                    {
                        ui.selectable_value(&mut options.ground, ground, name(ground));
                    }
                })
                .response
        });
        row(ui, "Heights", "Vertical exaggeration", |ui| {
            ui.add(
                Slider::new(&mut options.exaggeration, 0.1..=20.0)
                    .logarithmic(true)
                    .custom_formatter(|n, _| format!("× {n:.1}")),
            )
        });
        row(ui, "Sun", "Where it stands, clockwise from north", |ui| {
            ui.add(Slider::new(&mut options.sun_azimuth, 0.0..=360.0).suffix("°").fixed_decimals(0))
        });
        row(ui, "Sun height", "Over the horizon", |ui| {
            ui.add(
                Slider::new(&mut options.sun_elevation, 5.0..=90.0).suffix("°").fixed_decimals(0),
            )
        });
        row(ui, "Water", "Shows the water table", |ui| ui.checkbox(&mut options.water, "Show"));
        if is_upd {
            let about = "UPD has no water table of its own; this one is only shown";
            row(ui, "Water level", about, |ui| {
                ui.add(egui::DragValue::new(&mut options.water_level).speed(0.5).suffix(" m"))
            });
        }
    });
}

fn grid(ui: &mut egui::Ui, salt: &str, contents: impl FnOnce(&mut egui::Ui)) {
    egui::Grid::new(salt).num_columns(2).spacing([12.0, 6.0]).show(ui, contents);
}

fn row(
    ui: &mut egui::Ui,
    label: &str,
    about: &str,
    widget: impl FnOnce(&mut egui::Ui) -> egui::Response,
) {
    let label = ui.label(label).on_hover_text(about);
    widget(ui).labelled_by(label.id).on_hover_text(about);
    ui.end_row();
}
