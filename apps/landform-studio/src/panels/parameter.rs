//! A widget for a parameter, made from what the stage declares of it: slider, choice, switch, or text for what is more than that.

use eframe::egui::{self, Slider};
use landform::recipe::{Choice, Parameter, ValueKind};
use serde_json::Value as Json;

/// What became of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Edited {
    /// It has this value, written as TOML.
    Set(String),
    /// It has its default.
    Unset,
}

/// Draws a widget for `parameter`, whose value is `value` or, if that is null, its default.
pub(super) fn ui(ui: &mut egui::Ui, parameter: &Parameter, value: &Json) -> Option<Edited> {
    let about = if parameter.allowed.is_empty() {
        parameter.about.clone()
    } else {
        format!("{}\n\n{}", parameter.about, parameter.allowed)
    };
    let name = crate::relief::titled(&parameter.name);
    let label = ui.add(egui::Label::new(name).truncate()).on_hover_text(&about);
    let now = if value.is_null() { &parameter.default } else { value };
    let edited = ui
        .horizontal(|ui| {
            let is_number = parameter.minimum.is_some() || parameter.maximum.is_some();
            let is_choice = parameter.value == ValueKind::Choice;
            match now {
                Json::Bool(on) => switch(ui, *on, label.id),
                Json::String(word) if is_choice => choice(ui, parameter, word, label.id),
                Json::Null if is_choice => choice(ui, parameter, "", label.id),
                Json::Number(number) => {
                    number_widget(ui, parameter, number.as_f64().unwrap_or(0.0), label.id)
                }
                Json::Null if is_number => {
                    let start = parameter
                        .minimum
                        .unwrap_or(1.0)
                        .max(1.0)
                        .min(parameter.maximum.unwrap_or(f64::MAX));
                    let button = ui
                        .button("Set")
                        .labelled_by(label.id)
                        .on_hover_text("Not given; gives it a value");
                    button.clicked().then(|| Edited::Set(written(&number(parameter, start))))
                }
                other => text(ui, parameter, other, label.id),
            }
        })
        .inner;
    let is_optional = parameter.default.is_null() && !value.is_null();
    let mut reset = None;
    if is_optional || (!value.is_null() && *value != parameter.default) {
        let button = ui.small_button("↺").on_hover_text("Back to the default");
        reset = button.clicked().then_some(Edited::Unset);
    } else {
        ui.label("");
    }
    ui.end_row();
    edited.or(reset)
}

fn switch(ui: &mut egui::Ui, mut on: bool, label: egui::Id) -> Option<Edited> {
    let response = ui.checkbox(&mut on, "").labelled_by(label);
    response.changed().then(|| Edited::Set(on.to_string()))
}

fn choice(ui: &mut egui::Ui, parameter: &Parameter, now: &str, label: egui::Id) -> Option<Edited> {
    let mut chosen = now.to_owned();
    let combo = egui::ComboBox::from_id_salt(&parameter.name).selected_text(now).width(140.0);
    let shown = combo.show_ui(ui, |ui| {
        for Choice { word, about } in &parameter.choices {
            ui.selectable_value(&mut chosen, word.clone(), word).on_hover_text(about);
        }
    });
    shown.response.labelled_by(label);
    (chosen != now).then(|| Edited::Set(format!("{chosen:?}")))
}

fn number_widget(
    ui: &mut egui::Ui,
    parameter: &Parameter,
    old: f64,
    label: egui::Id,
) -> Option<Edited> {
    let mut value = old;
    let is_whole = parameter.value == ValueKind::Whole;
    let low = parameter.minimum.unwrap_or(-1e9);
    let high = parameter.maximum.unwrap_or(1e9);
    let unit =
        if parameter.unit.is_empty() { String::new() } else { format!(" {}", parameter.unit) };
    let span = high - low;
    let response = if low >= 0.0 && span > 2000.0 && parameter.maximum.is_some() {
        let slider = Slider::new(&mut value, low..=high).logarithmic(true).suffix(unit);
        let slider = slider.smallest_positive(if is_whole { 1.0 } else { (high * 1e-7).max(1e-3) });
        ui.add(if is_whole { slider.integer() } else { slider.max_decimals(3) })
    } else if span <= 2000.0 {
        let slider = Slider::new(&mut value, low..=high).suffix(unit);
        ui.add(if is_whole { slider.integer() } else { slider.max_decimals(3) })
    } else {
        let speed = (old.abs() * 0.005).max(if is_whole { 0.2 } else { 0.01 });
        let drag = egui::DragValue::new(&mut value).range(low..=high).speed(speed).suffix(unit);
        ui.add(if is_whole { drag.fixed_decimals(0) } else { drag.max_decimals(3) })
    };
    response.labelled_by(label);
    let is_changed = value != old && value.is_finite();
    is_changed.then(|| Edited::Set(written(&number(parameter, value))))
}

fn number(parameter: &Parameter, value: f64) -> Json {
    match parameter.value {
        ValueKind::Whole => Json::from(value.round() as i64),
        _ => Json::from(value),
    }
}

/// Lists, tables and masks as the text that a recipe has.
fn text(ui: &mut egui::Ui, parameter: &Parameter, value: &Json, label: egui::Id) -> Option<Edited> {
    let id = ui.scope_id().with(("text", &parameter.name));
    let shown = if value.is_null() { String::new() } else { written(value) };
    let mut typed = ui.data(|data| data.get_temp::<String>(id)).unwrap_or_else(|| shown.clone());
    let field = egui::TextEdit::singleline(&mut typed)
        .desired_width(150.0)
        .font(egui::TextStyle::Monospace);
    let response = ui.add(field.hint_text("none")).labelled_by(label);
    if response.changed() {
        ui.data_mut(|data| data.insert_temp(id, typed.clone()));
    }
    if response.lost_focus() {
        ui.data_mut(|data| data.remove::<String>(id));
        if typed.trim() != shown {
            let typed = typed.trim();
            return Some(if typed.is_empty() {
                Edited::Unset
            } else {
                Edited::Set(typed.to_owned())
            });
        }
    }
    None
}

/// A value as TOML in one line.
pub(crate) fn written(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(written).collect();
            format!("[{}]", items.join(", "))
        }
        Json::Object(entries) => {
            let entries = entries.iter().filter(|(_, value)| !value.is_null());
            let entries: Vec<String> =
                entries.map(|(key, value)| format!("{key} = {}", written(value))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        Json::String(word) => format!("{word:?}"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_written_as_toml() {
        let value = json!({ "kind": "slope", "from": 3.5, "by": [1, 2.0], "none": null });
        assert_eq!(written(&value), "{ kind = \"slope\", from = 3.5, by = [1, 2.0] }");
    }
}
