//! The list of peaks, with their names and groups, and a search.

use eframe::egui::{self, RichText};

use crate::action::Change;
use crate::document::Item;
use crate::selection::Selection;
use crate::session::Session;

/// What is typed into the list's fields.
#[derive(Debug, Default)]
pub(crate) struct PeakList {
    search: String,
    group: String,
    by_height: bool,
    found: Found,
}

/// The peaks that fit the search, kept until something changes.
#[derive(Debug, Default)]
struct Found {
    key: Option<(u64, String, bool)>,
    indices: Vec<usize>,
}

impl PeakList {
    /// Draws the list. Something if a peak was double-clicked and is to be shown.
    pub(crate) fn ui(&mut self, ui: &mut egui::Ui, session: &mut Session) -> Option<usize> {
        ui.horizontal(|ui| {
            let label = ui.label("Search");
            let field = egui::TextEdit::singleline(&mut self.search)
                .hint_text("name, group or number")
                .desired_width(ui.available_width() - 74.0);
            ui.add(field).labelled_by(label.id);
            let about = "The highest first, rather than in the order of the file";
            ui.toggle_value(&mut self.by_height, "Highest").on_hover_text(about);
        });
        self.find(session);
        let count = session.document().items().len();
        ui.weak(if self.found.indices.len() == count {
            format!("{count} peaks, {} selected", session.selection.len())
        } else {
            format!("{} of {count} peaks", self.found.indices.len())
        });
        let document = session.document();
        if document.is_raised() {
            ui.weak(match count {
                0 => "The mountain belts appear here when the plates have moved.",
                _ => "Raised by the plates; the first edit writes them into the recipe.",
            });
        } else if !document.is_by_hand() && document.has_peaks() {
            ui.weak("Made by chance; the first edit writes them into the recipe.");
        }
        ui.separator();
        let mut wanted = None;
        let height = ui.spacing().interact_size.y;
        let room = (ui.available_height() - 76.0).max(120.0);
        let scroll = egui::ScrollArea::vertical().auto_shrink([false, false]).max_height(room);
        scroll.show_rows(ui, height, self.found.indices.len(), |ui, rows| {
            for &k in &self.found.indices[rows] {
                let Some(item) = session.document().items().get(k) else { continue };
                let is_selected = session.selection.contains(k);
                let numbers = RichText::new(numbers(item, session.document().has_belts())).small();
                let numbers = if is_selected {
                    numbers.color(ui.visuals().selection.stroke.color)
                } else {
                    numbers.weak()
                };
                let row = ui.add_sized(
                    [ui.available_width(), height],
                    egui::Button::selectable(is_selected, title(k, item)).right_text(numbers),
                );
                let modifiers = ui.input(|input| input.modifiers);
                if row.double_clicked() {
                    wanted = Some(k);
                } else if row.clicked() && modifiers.shift && session.selection.lead().is_some() {
                    let lead = session.selection.lead().unwrap_or(k);
                    (lead.min(k)..=lead.max(k)).for_each(|k| session.selection.add(k));
                } else if row.clicked() && modifiers.command {
                    session.selection.toggle(k);
                } else if row.clicked() {
                    session.selection = Selection::one(k);
                }
            }
        });
        ui.separator();
        self.groups(ui, session);
        wanted
    }

    /// Puts the selection into a group, or selects a group.
    fn groups(&mut self, ui: &mut egui::Ui, session: &mut Session) {
        ui.horizontal(|ui| {
            let field =
                egui::TextEdit::singleline(&mut self.group).hint_text("Group").desired_width(110.0);
            ui.add(field);
            let can = !session.selection.is_empty();
            let put = ui.add_enabled(can, egui::Button::new("Put into"));
            if put.on_hover_text("Puts the selected peaks into this group").clicked() {
                let items = session.document().items();
                let names = session.selection.iter().filter_map(|k| {
                    Some((k, [items.get(k)?.name.clone(), self.group.trim().to_owned()]))
                });
                let names = names.collect();
                session.close_step();
                session.act("Group", vec![Change::Names(names)]);
                session.close_step();
            }
            let select = ui.button("Select").on_hover_text("Selects the peaks of this group");
            if select.clicked() {
                let items = session.document().items().iter().enumerate();
                let inside = items.filter(|(_, item)| item.group == self.group.trim());
                session.selection = inside.map(|(k, _)| k).collect();
            }
        });
    }

    fn find(&mut self, session: &Session) {
        let key = (session.version(), self.search.trim().to_lowercase(), self.by_height);
        if self.found.key.as_ref() == Some(&key) {
            return;
        }
        let items = session.document().items();
        let word = &key.1;
        let fits = |&k: &usize| {
            word.is_empty()
                || items[k].name.to_lowercase().contains(word)
                || items[k].group.to_lowercase().contains(word)
                || k.to_string() == *word
        };
        let mut indices: Vec<usize> = (0..items.len()).filter(fits).collect();
        if self.by_height {
            let height = |k: usize| items[k].peak.height.abs();
            indices.sort_by(|&a, &b| height(b).total_cmp(&height(a)).then(a.cmp(&b)));
        }
        self.found = Found { key: Some(key), indices };
    }
}

fn title(k: usize, item: &Item) -> String {
    let group = if item.group.is_empty() { String::new() } else { format!("  [{}]", item.group) };
    if item.name.is_empty() {
        format!("Peak {k}{group}")
    } else {
        format!("{} · {k}{group}", item.name)
    }
}

fn numbers(item: &Item, is_belt: bool) -> String {
    let peak = &item.peak;
    if is_belt {
        return format!("{}, {} km   {} m", peak.i / 1000, peak.j / 1000, shortly(peak.height));
    }
    format!("{}, {}   {} m", peak.i, peak.j, shortly(peak.height))
}

/// A number for people: four digits.
pub(crate) fn shortly(value: f64) -> String {
    let size = value.abs();
    if size >= 1e7 || (size < 0.01 && size > 0.0) {
        format!("{value:.3e}")
    } else if size >= 1000.0 {
        format!("{value:.0}")
    } else if size >= 10.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.2}")
    }
}
