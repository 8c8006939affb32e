//! What the window looks like.

use eframe::egui::{self, RichText};
use landform::GroundCover;

use super::{Studio, Tab};
use crate::edits;
use crate::options::{Ground3d, Layout};
use crate::panels::{history, large as panels_large, menus, properties, settings, status};
use crate::plan::{Pictures, Tool};
use crate::selection::Selection;
use crate::task::Task;
use crate::view3d::{Overlay, PeakMark, Response, Scene, Shading};

/// So many peaks can be picked in the view.
const MOST_MARKS: usize = 300;

impl Studio {
    pub(super) fn show(&mut self, ui: &mut egui::Ui) {
        let ctx = ui.ctx().clone();
        let choice = egui::Panel::top("menus")
            .show(ui, |ui| menus::ui(ui, &self.session, &self.options.recent))
            .inner;
        if let Some(choice) = choice {
            self.choose(&ctx, choice);
        }
        egui::Panel::top("tools").show(ui, |ui| self.tools(ui));
        self.plan.brush.stage = self.stages.open;
        if self.plan.tool == Tool::Brush && self.session.document().is_recipe() {
            egui::Panel::top("brush").show(ui, |ui| self.brush(ui));
        }
        egui::Panel::bottom("status").show(ui, |ui| {
            let notice = self.notice.as_ref().map(|(text, _)| text.as_str());
            let line = status::Line {
                live: &self.live,
                detail: self.detail.as_ref().map(|detail| (&detail.live, detail.ground())),
                document: self.session.document(),
                pointer: self.plan.pointer,
                export: self.export.as_ref().map(Task::progress),
                notice,
            };
            match line.ui(ui) {
                Some(status::Cancel::Work) => {
                    self.live.cancel();
                    if let Some(detail) = &mut self.detail {
                        detail.live.cancel();
                    }
                }
                Some(status::Cancel::Export) => self.export = None,
                None => {}
            }
        });
        if self.options.left_panel {
            egui::Panel::left("lists")
                .default_size(310.0)
                .size_range(220.0..=480.0)
                .show(ui, |ui| self.left(ui));
        }
        if self.options.right_panel {
            egui::Panel::right("settings").default_size(270.0).size_range(240.0..=400.0).show(
                ui,
                |ui| {
                    egui::ScrollArea::vertical()
                        .auto_shrink([false, false])
                        .show(ui, |ui| self.right(ui));
                },
            );
        }
        let frame = egui::Frame::NONE;
        match self.options.layout {
            Layout::Plan => {
                egui::CentralPanel::default().frame(frame).show(ui, |ui| self.map(ui));
                self.view3d.leave();
            }
            Layout::View => {
                egui::CentralPanel::default().frame(frame).show(ui, |ui| self.view(ui));
                self.plan.pointer = None;
            }
            // Side by side, or in a window that is higher than wide one over the other.
            Layout::Both if ui.available_height() > 1.1 * ui.available_width() => {
                let half = ui.available_height() / 2.0;
                egui::Panel::bottom("view below")
                    .frame(frame)
                    .resizable(true)
                    .default_size(half)
                    .size_range(160.0..=4000.0)
                    .show(ui, |ui| self.view(ui));
                egui::CentralPanel::default().frame(frame).show(ui, |ui| self.map(ui));
            }
            Layout::Both => {
                let half = ui.available_width() / 2.0;
                egui::Panel::right("view")
                    .frame(frame)
                    .default_size(half)
                    .size_range(160.0..=4000.0)
                    .show(ui, |ui| self.view(ui));
                egui::CentralPanel::default().frame(frame).show(ui, |ui| self.map(ui));
            }
        }
    }

    /// How the brush paints, and what.
    fn brush(&mut self, ui: &mut egui::Ui) {
        ui.horizontal(|ui| {
            let stage = self.stages.open.and_then(|k| self.session.document().stages().get(k));
            match (stage, &self.plan.brush.error) {
                (_, Some(error)) => {
                    ui.colored_label(ui.visuals().error_fg_color, error);
                }
                (Some(entry), None) => {
                    ui.label("Paints where");
                    ui.strong(crate::relief::titled(entry.label()));
                    ui.label("acts");
                }
                (None, None) => {
                    ui.label("Open a stage in the list at the left, then paint where it acts");
                }
            }
            ui.separator();
            let percent =
                |n: f64, _: std::ops::RangeInclusive<usize>| format!("{:.0} %", n * 100.0);
            let label = ui.label("Size").on_hover_text("Radius, as a share of the ground");
            let size = egui::Slider::new(&mut self.options.brush_size, 0.005..=0.5);
            ui.add(size.logarithmic(true).custom_formatter(percent)).labelled_by(label.id);
            let label = ui.label("Strength").on_hover_text("How much one stroke changes");
            let strength = egui::Slider::new(&mut self.options.brush_strength, 0.05..=1.0);
            ui.add(strength.custom_formatter(percent)).labelled_by(label.id);
            ui.toggle_value(&mut self.options.brush_erases, "Erase")
                .on_hover_text("Takes away instead of adding; so does Shift");
        });
    }

    fn left(&mut self, ui: &mut egui::Ui) {
        ui.add_space(2.0);
        if let Some(large) = self.session.document().large().cloned() {
            let detail = self.detail.as_ref().and_then(|detail| detail.ground());
            if panels_large::ui(ui, &large, detail) {
                self.open_recipe_of(&ui.ctx().clone(), &large);
            }
            return;
        }
        ui.horizontal(|ui| {
            for (tab, label) in
                [(Tab::Peaks, "Peaks"), (Tab::Recipe, "Recipe"), (Tab::History, "History")]
            {
                ui.selectable_value(&mut self.tab, tab, label);
            }
        });
        ui.separator();
        match self.tab {
            Tab::Peaks => {
                if let Some(k) = self.peaks.ui(ui, &mut self.session) {
                    self.session.selection = Selection::one(k);
                    self.plan.fit_selection(&self.session, &self.options);
                }
            }
            Tab::Recipe => self.stages.ui(ui, &mut self.session),
            Tab::History => history::ui(ui, &mut self.session),
        }
    }

    fn right(&mut self, ui: &mut egui::Ui) {
        let is_upd = self.session.document().is_upd();
        if self.session.document().large().is_none() {
            section(ui, "Properties", |ui| properties::ui(ui, &mut self.session));
        }
        section(ui, "Map", |ui| {
            settings::map(ui, &mut self.options, &self.session, self.live.ground());
        });
        section(ui, "3-D view", |ui| settings::view(ui, &mut self.options, is_upd));
    }

    /// The plan.
    fn map(&mut self, ui: &mut egui::Ui) {
        let ctx = ui.ctx().clone();
        let shown = (&self.options.picture, self.water_level());
        let is_dragging = self.plan.is_dragging();
        let ground = self.live.ground();
        let now = ground.and_then(|ground| self.relief.texture(&ctx, ground, shown, is_dragging));
        let before = self.before.as_mut().and_then(|before| {
            let ground = before.live.ground()?;
            before.relief.texture(&ctx, ground, shown, false)
        });
        let detail = match &mut self.detail {
            Some(detail) => detail.picture(&ctx, &self.relief, shown),
            None => None,
        };
        let features = self.live.ground().map_or(&[][..], |ground| &ground.features);
        let ground = self.live.ground().filter(|_| self.options.plates);
        let plates = ground.and_then(|ground| self.boundaries.texture(&ctx, ground));
        let pictures = Pictures { now, before, detail, plates };
        self.plan.ui(ui, &mut self.session, &self.options, (pictures, features));
    }

    /// The view in three dimensions.
    fn view(&mut self, ui: &mut egui::Ui) {
        let shown = self.plan.shown(&self.session, &self.options);
        let document = self.session.document();
        let lattice = document.grid();
        let mark = |&id: &usize| {
            let cone = document.items()[id].peak.cone(&lattice);
            let is_selected = self.session.selection.contains(id);
            PeakMark { id, place: [cone.x, cone.z], radius: cone.radius, is_selected }
        };
        let is_marked = |(place, id): &(usize, &usize)| {
            *place < MOST_MARKS || self.session.selection.contains(**id)
        };
        let before = self.before.as_ref().filter(|before| before.in_view);
        let before = before.and_then(|before| Some((before.live.ground()?, &before.relief)));
        let mut marks: Vec<PeakMark> =
            shown.iter().enumerate().filter(is_marked).map(|(_, id)| mark(id)).collect();
        if before.is_some() {
            // They stand where they are now.
            marks.clear();
        }
        let now = self.live.ground().map(|ground| (ground, &self.relief));
        let detail = self.detail.as_ref().filter(|detail| detail.in_view);
        let detail = detail.and_then(|detail| Some((detail.ground()?, &detail.relief)));
        let Some((ground, relief)) = before.or(detail).or(now) else {
            ui.painter().rect_filled(ui.max_rect(), 0.0, ui.visuals().extreme_bg_color);
            ui.centered_and_justified(|ui| ui.spinner());
            return;
        };
        let is_map = self.options.ground == Ground3d::Map
            && relief.colors.len() == ground.heights.samples().len();
        // The versions of the one are not those of the other.
        let count_from = match (before, detail) {
            (Some(_), _) => 1 << 62,
            (None, Some(_)) => 1 << 61,
            (None, None) => 0,
        };
        let origin = ground.origin;
        let overlay = is_map.then_some(Overlay {
            colors: &relief.colors,
            version: count_from + relief.colors_version,
        });
        let corner = ui.max_rect().left_top() + egui::vec2(12.0, 12.0);
        let response = self.view3d.ui(
            ui,
            &Scene {
                size: [ground.heights.width(), ground.heights.height()],
                spacing: ground.lattice.spacing,
                heights: ground.heights.samples(),
                version: count_from + ground.version,
                changed: ground.changed,
                shading: match self.options.ground {
                    Ground3d::Natural => match document.cover() {
                        GroundCover::Green => Shading::Natural,
                        GroundCover::Bare => Shading::Bare,
                    },
                    Ground3d::Relief | Ground3d::Map => Shading::Relief,
                    Ground3d::Slope => Shading::Slope,
                },
                overlay,
                water: self.options.water.then(|| self.water_surface(&ground.heights)),
                sun_azimuth_deg: self.options.sun_azimuth,
                sun_elevation_deg: self.options.sun_elevation,
                exaggeration: self.options.exaggeration,
                peaks: &marks,
            },
        );
        self.answer(&response, origin);
        if let Some(before) = &mut self.before {
            switch(ui, corner, &mut before.in_view, ["As saved", "Now"]);
        }
        if let Some(detail) = self.detail.as_mut().filter(|detail| detail.ground().is_some()) {
            switch(ui, corner, &mut detail.in_view, ["As on the map", "All"]);
        }
    }

    /// Where the water is drawn. Ground that is level with it, as between the islands of the Uplift Model, lies under it.
    fn water_surface(&self, heights: &landform::Grid) -> f64 {
        let level = self.water_level();
        let (low, high) = heights.range();
        let relief = f64::from(high - low);
        let is_level = (f64::from(low) - level).abs() <= 1e-3 * relief;
        if is_level { level + 0.006 * relief } else { level }
    }

    /// What the person did in the view.
    fn answer(&mut self, response: &Response, origin: [f64; 2]) {
        if let Some([x, z]) = response.ground {
            self.plan.pointer = Some([x + origin[0], z + origin[1]]);
        }
        if let Some(click) = response.click {
            match click.peak {
                Some(peak) if click.is_additive => self.session.selection.toggle(peak),
                Some(peak) => self.session.selection = Selection::one(peak),
                None if !click.is_additive => self.session.selection.clear(),
                None => {}
            }
        }
        if let Some(drag) = response.drag {
            if !self.session.selection.contains(drag.peak) {
                self.session.selection = Selection::one(drag.peak);
            }
            let document = self.session.document();
            if let Some(item) = document.items().get(drag.peak) {
                let [i, j] = edits::grid_lines(&document.grid(), drag.to);
                let by = [i - item.peak.i, j - item.peak.j];
                if by != [0, 0] {
                    self.session.move_selected(by);
                }
            }
            if drag.is_done {
                self.session.close_step();
            }
        }
    }
}

/// Two words in a corner of the view, of which one is chosen.
fn switch(ui: &mut egui::Ui, corner: egui::Pos2, is_first: &mut bool, words: [&str; 2]) {
    let place = egui::Rect::from_min_size(corner, egui::vec2(170.0, 34.0));
    ui.scope_builder(egui::UiBuilder::new().max_rect(place), |ui| {
        egui::Frame::popup(ui.style()).inner_margin(3.0).show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.selectable_value(is_first, true, words[0]);
                ui.selectable_value(is_first, false, words[1]);
            });
        });
    });
}

fn section(ui: &mut egui::Ui, title: &str, contents: impl FnOnce(&mut egui::Ui)) {
    let header =
        egui::CollapsingHeader::new(RichText::new(title).strong().size(14.5)).default_open(true);
    header.show(ui, |ui| {
        ui.add_space(2.0);
        contents(ui);
        ui.add_space(6.0);
    });
}
