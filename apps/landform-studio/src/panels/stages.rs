//! The stages of a recipe with their parameters: switch, order, solo, add and remove.

use std::sync::OnceLock;

use eframe::egui::{self, RichText};
use landform::GroundCover;
use landform::recipe::{self, Entry, Parameter, StageDoc};
use serde_json::Value as Json;

use super::parameter::{self, Edited};
use crate::session::Session;

/// Which stages are shown; changes the picture, not the recipe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Filter {
    #[default]
    All,
    /// Only this one.
    Solo(usize),
    /// This one and those before it.
    UpTo(usize),
}

/// The list of stages.
#[derive(Debug, Default)]
pub(crate) struct StageList {
    pub(crate) filter: Filter,
    /// Why the last edit was refused.
    error: Option<String>,
    /// The stage whose parameters are seen.
    pub(crate) open: Option<usize>,
}

/// A change of the text of a recipe.
type Edit = Box<dyn FnOnce(&str) -> Result<String, landform::Error>>;

/// Something that was asked for.
enum Wish {
    Text(&'static str, Edit),
    EditPeaks(usize),
}

fn catalogue() -> &'static (Vec<StageDoc>, Vec<Parameter>) {
    static CATALOGUE: OnceLock<(Vec<StageDoc>, Vec<Parameter>)> = OnceLock::new();
    CATALOGUE.get_or_init(recipe::catalogue)
}

impl StageList {
    /// Draws the list.
    pub(crate) fn ui(&mut self, ui: &mut egui::Ui, session: &mut Session) {
        if session.document().is_upd() {
            ui.weak("An Uplift terrain (UPD) is peaks alone. As a recipe it can have more stages: rivers, erosion, noise …");
            if ui.button("Make it a recipe").clicked() {
                let text = session.document().recipe().to_toml();
                self.error = match crate::document::Document::from_recipe(text) {
                    Ok(mut document) => {
                        document.set_names(&session.document().names());
                        session.close_step();
                        let change = crate::action::Change::Whole(Box::new(document));
                        session.act("Make it a recipe", vec![change]);
                        session.close_step();
                        session.name = session.name.replace(".upd", ".toml");
                        session.place = None;
                        None
                    }
                    Err(error) => Some(error.to_string()),
                };
            }
            return;
        }
        let mut wish = None;
        egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            wish = whole(ui, session);
            ui.separator();
            let count = session.document().stages().len();
            for k in 0..count {
                wish = self.stage(ui, session, k).or(wish.take());
            }
            ui.add_space(4.0);
            wish = add(ui, session.document().stages()).or(wish.take());
            if let Some(error) = &self.error {
                ui.add_space(4.0);
                ui.colored_label(ui.visuals().error_fg_color, error);
            }
        });
        match wish {
            Some(Wish::Text(label, edit)) => {
                self.error = session.edit_text(label, edit).err().map(|error| error.to_string());
            }
            Some(Wish::EditPeaks(stage)) => session.edit_peaks_of(stage),
            None => {}
        }
    }

    fn stage(&mut self, ui: &mut egui::Ui, session: &Session, k: usize) -> Option<Wish> {
        let entry = &session.document().stages()[k];
        let doc = catalogue().0.iter().find(|doc| doc.kind == entry.stage.kind());
        let label = entry.label().to_owned();
        let mut wish = None;
        let frame =
            egui::Frame::group(ui.style()).inner_margin(6.0).fill(ui.visuals().faint_bg_color);
        frame.show(ui, |ui| {
            ui.horizontal(|ui| {
                let mut on = entry.joint.enabled;
                if ui.checkbox(&mut on, "").on_hover_text("Whether it takes part").changed() {
                    wish = Some(set(&label, "enabled", on.to_string()));
                }
                let is_open = self.open == Some(k);
                let text = RichText::new(crate::relief::titled(&label));
                let text = if on { text.strong() } else { text.weak() };
                let title = ui.add(egui::Button::selectable(is_open, text));
                let about = doc.map_or("", |doc| doc.about.as_str());
                if title.on_hover_text(about).clicked() {
                    self.open = if is_open { None } else { Some(k) };
                }
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    wish = self.tools(ui, session, k).or(wish.take());
                });
            });
            if self.open == Some(k)
                && let Some(doc) = doc
            {
                ui.weak(&doc.about);
                ui.add_space(2.0);
                wish = parameters(ui, entry, &label, doc).or(wish.take());
            }
        });
        wish
    }

    /// The buttons at the right end of a stage, from right to left.
    fn tools(&mut self, ui: &mut egui::Ui, session: &Session, k: usize) -> Option<Wish> {
        let stages = session.document().stages();
        let mut wish = None;
        if ui.small_button("⨯").on_hover_text("Removes the stage").clicked() {
            wish = Some(Wish::Text(
                "Remove a stage",
                Box::new(move |text| recipe::remove_stage(text, k)),
            ));
            self.filter = Filter::All;
        }
        let down = ui.add_enabled(k + 1 < stages.len(), egui::Button::new("⬇").small());
        if down.on_hover_text("Later").clicked() {
            wish = Some(Wish::Text(
                "Move a stage",
                Box::new(move |text| recipe::move_stage(text, k, k + 1)),
            ));
            self.open = self.open.map(|_| k + 1);
        }
        let up = ui.add_enabled(k > 0, egui::Button::new("⬆").small());
        if up.on_hover_text("Earlier").clicked() {
            wish = Some(Wish::Text(
                "Move a stage",
                Box::new(move |text| recipe::move_stage(text, k, k - 1)),
            ));
            self.open = self.open.map(|_| k - 1);
        }
        for (text, filter, about) in [
            ("S", Filter::Solo(k), "Solo: shows this stage alone"),
            ("↥", Filter::UpTo(k), "Shows the terrain after this stage"),
        ] {
            let is_on = self.filter == filter;
            let button = egui::Button::selectable(is_on, text).small();
            if ui.add(button).on_hover_text(about).clicked() {
                self.filter = if is_on { Filter::All } else { filter };
            }
        }
        let has_peaks = crate::document::has_peaks(&stages[k].stage);
        let is_owner = session.document().owner().is_some_and(|owner| owner.stage == k);
        if has_peaks {
            let button = egui::Button::selectable(is_owner, "▲").small();
            if ui.add(button).on_hover_text("Edits the peaks of this stage").clicked() && !is_owner
            {
                wish = Some(Wish::EditPeaks(k));
            }
        }
        wish
    }
}

fn set(label: &str, name: &str, value: String) -> Wish {
    let path = format!("{label}.{name}");
    Wish::Text("Set a parameter", Box::new(move |text| recipe::set(text, &path, &value)))
}

/// What belongs to the recipe as a whole.
fn whole(ui: &mut egui::Ui, session: &Session) -> Option<Wish> {
    let recipe = session.document().recipe();
    let mut wish = None;
    let mut put = |label: &'static str, path: &'static str, value: String| {
        wish = Some(Wish::Text(label, Box::new(move |text| recipe::set(text, path, &value))));
    };
    if !recipe.about.is_empty() {
        ui.weak(&recipe.about);
    }
    egui::Grid::new("recipe").num_columns(2).spacing([12.0, 6.0]).show(ui, |ui| {
        let label = ui
            .label("Seed")
            .on_hover_text("Another seed gives another terrain of the same character");
        ui.horizontal(|ui| {
            let mut seed = recipe.seed;
            let drag = egui::DragValue::new(&mut seed).range(0..=i64::MAX as u64);
            if ui.add(drag).labelled_by(label.id).changed() {
                put("Set the seed", "seed", seed.to_string());
            }
        });
        ui.end_row();
        let label = ui.label("Water table").on_hover_text("Height of the sea");
        let mut level = recipe.sea_level;
        let drag =
            egui::DragValue::new(&mut level).range(-20_000.0..=20_000.0).speed(1.0).suffix(" m");
        if ui.add(drag).labelled_by(label.id).changed() {
            put("Set the water table", "sea_level", format!("{level:?}"));
        }
        ui.end_row();
        let about = "What covers it in views: no height changes";
        ui.label("Ground").on_hover_text(about);
        ui.horizontal(|ui| {
            for (cover, name, text) in
                [(GroundCover::Green, "green", "Green"), (GroundCover::Bare, "bare", "Bare")]
            {
                let is_on = recipe.ground == cover;
                if ui.selectable_label(is_on, text).clicked() && !is_on {
                    put("Set what covers the ground", "ground", format!("\"{name}\""));
                }
            }
        });
        ui.end_row();
        let about = "Samples along x and z on which landforms are laid out";
        let label = ui.label("Grid lines").on_hover_text(about);
        let mut size = recipe.size;
        ui.horizontal(|ui| {
            for side in &mut size {
                let drag = egui::DragValue::new(side).range(2..=65_536).speed(1.0);
                // What is there stays, until somebody drags it.
                ui.add(drag.clamp_existing_to_range(false)).labelled_by(label.id);
            }
        });
        if size != recipe.size {
            put("Set the grid lines", "size", format!("[{}, {}]", size[0], size[1]));
        }
        ui.end_row();
        let label = ui.label("Spacing").on_hover_text("Metres between grid lines along x and z");
        let mut spacing = recipe.spacing;
        ui.horizontal(|ui| {
            for metres in &mut spacing {
                let drag = egui::DragValue::new(metres).range(1e-3..=1e6).speed(0.1).suffix(" m");
                ui.add(drag.max_decimals(4).clamp_existing_to_range(false)).labelled_by(label.id);
            }
        });
        if spacing != recipe.spacing {
            put("Set the spacing", "spacing", format!("[{:?}, {:?}]", spacing[0], spacing[1]));
        }
        ui.end_row();
    });
    wish
}

fn parameters(ui: &mut egui::Ui, entry: &Entry, label: &str, doc: &StageDoc) -> Option<Wish> {
    let json = serde_json::to_value(entry).unwrap_or(Json::Null);
    let mut wish = None;
    let mut masked = None;
    let mut show = |ui: &mut egui::Ui, parameter: &Parameter| {
        let edited = parameter::ui(ui, parameter, &json[parameter.name.as_str()]);
        let path = format!("{label}.{}", parameter.name);
        match edited {
            Some(Edited::Set(value)) => wish = Some(set(label, &parameter.name, value)),
            Some(Edited::Unset) => {
                wish = Some(Wish::Text(
                    "Reset a parameter",
                    Box::new(move |text| recipe::unset(text, &path)),
                ));
            }
            None => {}
        }
    };
    egui::Grid::new(("parameters", label))
        .num_columns(3)
        .spacing([8.0, 5.0])
        .max_col_width(210.0)
        .show(ui, |ui| {
            for parameter in &doc.parameters {
                let is_peaks = parameter.name == "peaks" && entry.stage.kind() == "peaks";
                let counts = parameter
                    .only_with
                    .as_ref()
                    .is_none_or(|only| only.holds(&json[only.parameter.as_str()]));
                // One that is set stays in sight: it has to go before the recipe is right again.
                if !is_peaks && (counts || json[parameter.name.as_str()] != parameter.default) {
                    show(ui, parameter);
                }
            }
        });
    egui::CollapsingHeader::new("Where and how it acts").id_salt(("joint", label)).show(ui, |ui| {
        egui::Grid::new(("joint", label)).num_columns(3).spacing([8.0, 5.0]).show(ui, |ui| {
            let shared = catalogue().1.iter();
            for parameter in
                shared.filter(|parameter| parameter.name != "enabled" && parameter.name != "label")
            {
                show(ui, parameter);
            }
        });
        masked = masks(ui, label);
    });
    masked.or(wish)
}

/// Masks to begin with.
fn masks(ui: &mut egui::Ui, label: &str) -> Option<Wish> {
    let mut wish = None;
    ui.horizontal_wrapped(|ui| {
        ui.weak("Mask:");
        for (name, text) in [
            ("steep ground", "{ kind = \"slope\", from = 30, fade = 10 }"),
            ("high ground", "{ kind = \"height\", from = 500, fade = 100 }"),
            ("patches", "{ kind = \"noise\", wavelength = 2000 }"),
        ] {
            if ui.small_button(name).clicked() {
                wish = Some(set(label, "mask", text.to_owned()));
            }
        }
    });
    wish
}

/// Adds a stage of a kind.
fn add(ui: &mut egui::Ui, stages: &[Entry]) -> Option<Wish> {
    let mut wish = None;
    ui.menu_button("Add a stage", |ui| {
        egui::ScrollArea::vertical().max_height(420.0).show(ui, |ui| {
            for doc in &catalogue().0 {
                if ui.button(crate::relief::titled(&doc.kind)).on_hover_text(&doc.about).clicked() {
                    wish = entry_of(&doc.kind, stages).map(|entry| {
                        let at = stages.len();
                        Wish::Text(
                            "Add a stage",
                            Box::new(move |text| recipe::insert_stage(text, at, &entry)),
                        )
                    });
                    ui.close();
                }
            }
        });
    });
    wish
}

/// A stage of a kind with its defaults, under a name that no other has.
fn entry_of(kind: &str, stages: &[Entry]) -> Option<Entry> {
    let mut entry: Entry = serde_json::from_value(serde_json::json!({ "kind": kind })).ok()?;
    let is_taken = |label: &str| stages.iter().any(|other| other.label() == label);
    if is_taken(kind) {
        let label = (2..).map(|n| format!("{kind} {n}")).find(|label| !is_taken(label));
        entry.joint.label = label;
    }
    Some(entry)
}

impl Filter {
    /// The recipe of which only the stages that are to be seen take part.
    pub(crate) fn apply(self, recipe: &mut landform::Recipe) {
        for (k, entry) in recipe.stages.iter_mut().enumerate() {
            let is_seen = match self {
                Self::All => true,
                Self::Solo(only) => k == only,
                Self::UpTo(last) => k <= last,
            };
            entry.joint.enabled &= is_seen;
        }
    }
}
