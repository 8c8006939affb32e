//! A new terrain: by chance with the parameters of the Uplift Model, or from a preset.

use eframe::egui::{self, Slider};
use landform::preset::PRESETS;
use landform::recipe::Entry;
use landform::stage::Stage;
use landform::uplift::{Upd, Uplift};
use landform::{Recipe, Seed};

use super::Decision;
use crate::document::Document;
use crate::theme;

/// What is chosen so far.
#[derive(Debug)]
pub(crate) struct NewDialog {
    preset: Option<usize>,
    abouts: Vec<String>,
    size: u32,
    spacing: f64,
    seed: u64,
    uplift: Uplift,
    error: Option<String>,
}

impl NewDialog {
    pub(crate) fn new(seed: u64) -> Self {
        let uplift = Uplift {
            peaks: 100,
            y_min: 1000.0,
            y_max: 12_000.0,
            ruggedness: 6.0,
            ..Uplift::default()
        };
        Self {
            preset: None,
            abouts: PRESETS.iter().map(landform::preset::Preset::about).collect(),
            size: 513,
            spacing: 20.0,
            seed,
            uplift,
            error: None,
        }
    }

    pub(super) fn ui(&mut self, ui: &mut egui::Ui) -> Option<Decision> {
        ui.set_width(620.0);
        ui.heading("A new terrain");
        ui.add_space(6.0);
        ui.horizontal_top(|ui| {
            ui.vertical(|ui| {
                ui.set_width(190.0);
                egui::ScrollArea::vertical()
                    .id_salt("presets")
                    .max_height(330.0)
                    .auto_shrink([false, false])
                    .show(ui, |ui| {
                        ui.selectable_value(&mut self.preset, None, "Peaks by chance");
                        ui.separator();
                        for (k, preset) in PRESETS.iter().enumerate() {
                            let title = crate::relief::titled(preset.name);
                            ui.selectable_value(&mut self.preset, Some(k), title)
                                .on_hover_text(&self.abouts[k]);
                        }
                    });
            });
            ui.separator();
            ui.vertical(|ui| match self.preset {
                Some(k) => {
                    ui.strong(crate::relief::titled(PRESETS[k].name));
                    ui.label(&self.abouts[k]);
                    ui.add_space(6.0);
                    ui.weak("A recipe. All its stages and parameters can be changed.");
                    ui.add_space(6.0);
                    self.seed_row(ui);
                }
                None => self.chance(ui),
            });
        });
        if let Some(error) = &self.error {
            ui.colored_label(ui.visuals().error_fg_color, error);
        }
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            if ui.add(theme::primary("Create")).clicked() {
                match self.document() {
                    Ok((name, document)) => {
                        return Some(Decision::Create(name, Box::new(document)));
                    }
                    Err(error) => self.error = Some(error.to_string()),
                }
            }
            ui.button("Cancel").clicked().then_some(Decision::Close)
        })
        .inner
    }

    fn seed_row(&mut self, ui: &mut egui::Ui) {
        ui.horizontal(|ui| {
            let label = ui.label("Seed");
            let drag = egui::DragValue::new(&mut self.seed).range(0..=i64::MAX as u64);
            ui.add(drag).labelled_by(label.id);
            if ui.button("Another").clicked() {
                self.seed = another(self.seed);
            }
        });
    }

    /// The parameters of the Uplift Model.
    fn chance(&mut self, ui: &mut egui::Ui) {
        ui.label("Random peaks by the Uplift Model, saved as a short UPD file.");
        ui.add_space(4.0);
        egui::Grid::new("chance").num_columns(2).spacing([12.0, 8.0]).show(ui, |ui| {
            let row = |ui: &mut egui::Ui, name: &str, about: &str, slider: Slider<'_>| {
                let label = ui.label(name).on_hover_text(about);
                ui.add(slider).labelled_by(label.id).on_hover_text(about);
                ui.end_row();
            };
            let uplift = &mut self.uplift;
            row(
                ui,
                "Peaks N_p",
                "More peaks, smoother and lower ground",
                Slider::new(&mut uplift.peaks, 1..=10_000).logarithmic(true),
            );
            row(
                ui,
                "Lowest Y_min",
                "Height of the lowest peak",
                Slider::new(&mut uplift.y_min, 0.0..=20_000.0)
                    .logarithmic(true)
                    .suffix(" m")
                    .max_decimals(0),
            );
            row(
                ui,
                "Highest Y_max",
                "Height of the highest peak",
                Slider::new(&mut uplift.y_max, 1.0..=50_000.0)
                    .logarithmic(true)
                    .suffix(" m")
                    .max_decimals(0),
            );
            row(
                ui,
                "Ruggedness R",
                "Steepness of the peaks: 1 gives hills, 20 the Andes",
                Slider::new(&mut uplift.ruggedness, 0.05..=50.0).logarithmic(true).max_decimals(2),
            );
            row(
                ui,
                "Grid lines",
                "Samples along each side",
                Slider::new(&mut self.size, 17..=8193).logarithmic(true),
            );
            row(
                ui,
                "Spacing",
                "Metres between grid lines",
                Slider::new(&mut self.spacing, 0.1..=500.0)
                    .logarithmic(true)
                    .suffix(" m")
                    .max_decimals(1),
            );
        });
        uplift_order(&mut self.uplift);
        self.seed_row(ui);
    }

    /// The document that is created.
    pub(crate) fn document(&self) -> Result<(String, Document), landform::Error> {
        if let Some(preset) = self.preset.map(|k| &PRESETS[k]) {
            let text = landform::recipe::set_seed(preset.text, self.seed)?;
            return Ok((format!("{}.toml", preset.name), Document::from_recipe(text)?));
        }
        let empty = Upd {
            lattice: landform::Lattice { size: [self.size; 2], spacing: [self.spacing; 2] },
            peaks: Vec::new(),
        };
        let entry = Entry::new(Stage::Uplift(self.uplift.clone()));
        let recipe = Recipe { seed: self.seed, stages: vec![entry], ..empty.to_recipe() };
        let peaks = self.uplift.generate(Seed::new(self.seed).child("uplift"), &recipe.design())?;
        Ok(("peaks.upd".to_owned(), Document::from_upd(Upd { peaks, ..empty })))
    }
}

/// The lowest peak is not above the highest.
fn uplift_order(uplift: &mut Uplift) {
    uplift.y_max = uplift.y_max.max(uplift.y_min);
}

/// Another seed that a person can read.
pub(crate) fn another(seed: u64) -> u64 {
    Seed::new(seed).child("another").below(0, 1_000_000)
}
