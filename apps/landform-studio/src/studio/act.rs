//! What the program does when it is asked to.

use std::sync::Arc;

use eframe::egui;
use landform::{Inputs, Meaning, Raster, Recipe};
use landform_view::Style;

use super::{Before, Studio, Tab};
use crate::autosave::Kept;
use crate::commands::Command;
use crate::dialogs::{Decision, Dialog, ExportDialog, NewDialog, Then, another};
use crate::edits;
use crate::export::{Order, Picture, Wanted};
use crate::live::{Live, ShownGround};
use crate::open;
use crate::options::Layout;
use crate::painting;
use crate::panels::menus::{Choice, is_possible};
use crate::plan::Tool;
use crate::relief::Relief;
use crate::selection::Selection;
use crate::session::Session;
use crate::task::Task;
use crate::theme;

impl Studio {
    /// Does what was chosen in a menu.
    pub(super) fn choose(&mut self, ctx: &egui::Context, choice: Choice) {
        match choice {
            Choice::Command(command) => self.act(ctx, command),
            Choice::Recent(place) => self.files.open(&place),
        }
    }

    /// Does what a command asks for.
    pub(super) fn act(&mut self, ctx: &egui::Context, command: Command) {
        if !is_possible(command, &self.session) {
            return;
        }
        match command {
            Command::New => {
                self.dialog =
                    Some(Dialog::New(NewDialog::new(another(self.session.version() + 5))));
            }
            Command::Open => self.files.ask_open(),
            Command::OpenStore => self.files.ask_open_store(),
            Command::Save | Command::SaveAs if self.session.document().large().is_some() => {
                self.refuse_to_save();
            }
            Command::Save => self.save(),
            Command::SaveAs => self.save_as(),
            #[cfg(target_arch = "wasm32")]
            Command::CopyLink => {
                let document = self.session.document();
                if document.recipe().files().is_empty() {
                    ctx.copy_text(crate::web::link_to(&self.session.name, &document.text()));
                    self.say("Copied a link to this terrain");
                } else {
                    self.say(
                        "A link holds no pictures and heightmaps: save the files and send those",
                    );
                }
            }
            Command::Export => {
                let large = self.session.document().large();
                let size = match large.and_then(|_| self.looked_at()) {
                    Some(ground) => ground.lattice.size,
                    None => self.session.document().recipe().output().size,
                };
                self.dialog = Some(Dialog::Export(ExportDialog::new(size)));
            }
            Command::PicturePlan => self.make_picture(ctx, Style::Plan),
            Command::PictureView => self.make_picture(ctx, Style::View3d),
            Command::Quit => self.ask_then(ctx, Then::Quit),
            Command::Undo => self.session.undo(),
            Command::Redo => self.session.redo(),
            Command::Copy => {
                ctx.copy_text(edits::copied(self.session.document(), &self.session.selection));
            }
            Command::Paste => ctx.send_viewport_cmd(egui::ViewportCommand::RequestPaste),
            Command::Duplicate => self.session.duplicate_selected(),
            Command::Delete => self.session.delete_selected(),
            Command::SelectAll => {
                self.session.selection = (0..self.session.document().items().len()).collect();
            }
            Command::SelectNone => {
                self.session.selection.clear();
                self.plan.tool = Tool::Select;
            }
            Command::SelectInverse => self.invert(),
            Command::AddPeak => self.plan.add_peak(&mut self.session, None),
            Command::Properties => self.options.right_panel = true,
            Command::DrawRiver => self.draw(Tool::River),
            Command::DrawPad => self.draw(Tool::Pad),
            Command::Brush => self.take_brush(),
            Command::Reroll => self.reroll(),
            Command::Compare => self.compare(ctx),
            Command::Fit => {
                self.plan.fit();
                self.view3d.fit();
            }
            Command::FitSelection => self.plan.fit_selection(&self.session, &self.options),
            Command::ZoomIn => self.plan.zoom(1.25),
            Command::ZoomOut => self.plan.zoom(0.8),
            Command::ShowPlan => self.options.layout = Layout::Plan,
            Command::ShowBoth => self.options.layout = Layout::Both,
            Command::ShowView => self.options.layout = Layout::View,
            Command::LeftPanel => self.options.left_panel ^= true,
            Command::RightPanel => self.options.right_panel ^= true,
            Command::Theme => {
                self.options.is_dark ^= true;
                theme::apply(ctx, self.options.is_dark);
            }
            Command::Help => self.dialog = Some(Dialog::Help),
            Command::Tour => self.dialog = Some(Dialog::Tour(0)),
        }
    }

    /// The next drag on the map draws something, or selects again.
    fn draw(&mut self, tool: Tool) {
        self.plan.tool = if self.plan.tool == tool { Tool::Select } else { tool };
    }

    /// Takes the brush into the hand, with the list in which its stage is opened, or puts it back.
    fn take_brush(&mut self) {
        self.draw(Tool::Brush);
        if self.plan.tool == Tool::Brush {
            self.tab = Tab::Recipe;
            self.options.left_panel = true;
            if self.session.document().stages().len() == 1 {
                self.stages.open = Some(0);
            }
        }
    }

    fn invert(&mut self) {
        let old = &self.session.selection;
        let count = self.session.document().items().len();
        let inverse: Selection = (0..count).filter(|&k| !old.contains(k)).collect();
        self.session.selection = inverse;
    }

    fn reroll(&mut self) {
        let seed = another(self.session.document().recipe().seed);
        self.session.close_step();
        let set = |text: &str| landform::recipe::set_seed(text, seed);
        if let Err(error) = self.session.edit_text("Another seed", set) {
            self.say(error.to_string());
        }
        self.session.close_step();
    }

    fn compare(&mut self, ctx: &egui::Context) {
        if self.before.take().is_some() {
            return;
        }
        let saved = self.session.saved().clone();
        let mut live = Live::new(ctx);
        live.request(self.session.work(&saved));
        self.before = Some(Before { live, relief: Relief::default(), saved, in_view: false });
    }

    /// What is looked at stays as it is.
    fn refuse_to_save(&mut self) {
        let name = &self.session.name;
        let text = format!(
            "{name} is only looked at: it is what a recipe gave, not a recipe, and stays as it is. Its recipe can be opened \
             from the panel at the left, and what is shown can be exported."
        );
        self.dialog = Some(Dialog::Error("There is nothing to save".to_owned(), text));
    }

    /// The finest ground that is there of a terrain that is looked at.
    fn looked_at(&self) -> Option<&ShownGround> {
        let detail = self.detail.as_ref().and_then(|detail| detail.ground());
        detail.or_else(|| self.live.ground())
    }

    /// Saves where it was saved before; the first time under another name than what was opened.
    fn save(&self) {
        match &self.session.place {
            Some(place) => self.files.save(place, self.session.document().text().as_bytes()),
            None => self.save_as(),
        }
    }

    fn save_as(&self) {
        self.files.ask_save(&self.session.suggested_name());
    }

    /// Writes the document at a place that was chosen. Its masks are named after it, so that two documents do not share one.
    pub(super) fn save_at(&mut self, place: &str) {
        let name = place.rsplit(['/', '\\']).next().unwrap_or(place);
        if let Err(error) = painting::name_masks_after(&mut self.session, name) {
            self.say(error.to_string());
        }
        self.files.save(place, self.session.document().text().as_bytes());
    }

    /// Copies what the recipe refers to, besides its paintings, to another folder that it was saved in.
    pub(super) fn copy_inputs(&self, to: &str) {
        let session = &self.session;
        let Some(from) = session.place.as_ref().or(session.origin.as_ref()) else { return };
        let document = session.document();
        for file in document.recipe().files() {
            let is_missing = !document.paintings().contains_key(file)
                && self.files.read_beside(to, file).is_none();
            if let Some(bytes) = self.files.read_beside(from, file).filter(|_| is_missing) {
                self.files.write_beside(to, file, &bytes);
            }
        }
    }

    /// Copy and paste of peaks, unless somebody types.
    pub(super) fn clipboard(&mut self, ctx: &egui::Context) {
        if ctx.text_edit_focused() {
            return;
        }
        let events = ctx.input(|input| input.events.clone());
        for event in events {
            match event {
                egui::Event::Copy if !self.session.selection.is_empty() => {
                    self.act(ctx, Command::Copy);
                }
                egui::Event::Cut if !self.session.selection.is_empty() => {
                    self.act(ctx, Command::Copy);
                    self.session.delete_selected();
                }
                egui::Event::Paste(text) if self.session.document().has_peaks() => {
                    match edits::pasted(self.session.document(), &text) {
                        Ok(items) => self.session.add("Paste", items),
                        Err(error) => self.say(format!("Not UPD: {error}")),
                    }
                }
                _ => {}
            }
        }
    }

    fn order(&self, wanted: Wanted) -> Order {
        let document = self.session.document();
        let mut recipe = document.recipe();
        if document.is_upd() && matches!(wanted, Wanted::Picture(..)) {
            recipe.sea_level = self.options.water_level;
        }
        let name = &self.session.name;
        let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem).to_owned();
        let mut inputs = document.inputs(&self.session.inputs);
        // Peaks alone are a recipe like any other.
        let mut text = if document.is_upd() { recipe.to_toml() } else { document.text() };
        if let (Some(large), Some(ground)) = (document.large(), self.looked_at()) {
            // What is there is exported as a heightmap of its own.
            recipe = Recipe::of_heightmap(large.name(), &ground.lattice, large.sea_level());
            let raster = Raster { samples: ground.heights.clone(), meaning: Meaning::Values };
            let mut shown = Inputs::default();
            shown.insert(large.name().to_owned(), raster);
            (text, inputs) = (recipe.to_toml(), Arc::new(shown));
        }
        Order { wanted, text, inputs, name: stem }
    }

    fn make_picture(&mut self, ctx: &egui::Context, style: Style) {
        let cones = self.session.document().cones();
        let picture = Picture {
            style: style.name().to_owned(),
            cones: cones.iter().map(|cone| [cone.x, cone.z, cone.height, cone.radius]).collect(),
            selected: self.session.selection.iter().collect(),
            radius_scale: f64::from(self.options.radius_scale),
            largest: (self.options.largest != usize::MAX).then_some(self.options.largest),
            exaggeration: (self.options.exaggeration != 1.0).then_some(self.options.exaggeration),
        };
        self.export(ctx, Wanted::Picture(picture));
    }

    /// Begins to make files, one export at a time.
    fn export(&mut self, ctx: &egui::Context, wanted: Wanted) {
        if self.export.is_some() {
            self.say("Another export is under way");
        } else {
            self.export = Some(Task::start(self.order(wanted), ctx));
        }
    }

    /// Asks about unsaved changes if there are some, then goes on.
    pub(super) fn ask_then(&mut self, ctx: &egui::Context, then: Then) {
        if self.session.is_dirty() {
            self.dialog = Some(Dialog::Unsaved(then));
        } else {
            self.go_on(ctx, then);
        }
    }

    pub(super) fn go_on(&mut self, ctx: &egui::Context, then: Then) {
        match then {
            Then::Quit => {
                self.may_close = true;
                ctx.send_viewport_cmd(egui::ViewportCommand::Close);
            }
            Then::New(name, document) => self.show_document(ctx, Session::new(&name, *document)),
            Then::Take(opened) => self.take(ctx, &opened),
            Then::Look(large) => self.look_at(ctx, &large),
        }
    }

    /// Does what was decided in a dialog.
    pub(super) fn decide(&mut self, ctx: &egui::Context, decision: Decision) {
        let dialog = self.dialog.take();
        if matches!(dialog, Some(Dialog::Tour(_))) {
            self.options.has_seen_tour = true;
        }
        match decision {
            Decision::Close => {}
            Decision::TourStep(step) => self.dialog = Some(Dialog::Tour(step)),
            Decision::Save(then) => {
                self.after_save = Some(then);
                self.save();
            }
            Decision::Discard(then) => {
                self.autosave.forget(&self.files, &self.session);
                self.go_on(ctx, then);
            }
            Decision::Create(name, document) => self.ask_then(ctx, Then::New(name, document)),
            Decision::Recover(slot, kept) => self.recover(ctx, &slot, &kept),
            Decision::Forget(slot) => self.files.forget(&slot),
            Decision::Export(wanted) => self.export(ctx, wanted),
            Decision::Write(made) => self.files.ask_export_folder(&made.name, made.files),
        }
    }

    fn recover(&mut self, ctx: &egui::Context, slot: &str, kept: &Kept) {
        match kept.document() {
            Ok(document) => {
                let mut session = Session::new(&kept.name, document);
                session.place.clone_from(&kept.place);
                session.origin.clone_from(&kept.origin);
                if let Some(place) = kept.place.as_ref().or(kept.origin.as_ref()) {
                    session.inputs =
                        Arc::new(open::inputs_beside(session.document(), place, &self.files));
                }
                session.mark_dirty();
                self.show_document(ctx, session);
                self.session.touch();
                self.files.forget(slot);
                self.tab = Tab::Peaks;
            }
            Err(error) => {
                let text = format!("What was kept is damaged: {error}");
                self.dialog = Some(Dialog::Error("Cannot recover".to_owned(), text));
            }
        }
    }
}
