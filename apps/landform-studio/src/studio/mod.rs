//! The window of the program.

mod act;
mod detail;
mod show;
mod tools;

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui;
use web_time::{Duration, Instant};

use crate::autosave::Autosave;
use crate::commands::Command;
use crate::dialogs::{Dialog, NewDialog, Then};
use crate::document::Document;
use crate::evaluate::Work;
use crate::files::{Event, Files, Opened, Outgoing};
use crate::live::Live;
use crate::open;
use crate::options::Options;
use crate::panels::peaks::PeakList;
use crate::panels::stages::{Filter, StageList};
use crate::plan::{Boundaries, PlanView};
use crate::relief::Relief;
use crate::session::Session;
use crate::task::Task;
use crate::theme;
use crate::view3d::View3d;

/// The name under which the settings are kept.
const SETTINGS: &str = "settings.json";

/// So many belts of a world are shown at first: the largest.
const MOST_BELTS: usize = 200;

/// The editor.
pub struct Studio {
    files: Files,
    session: Session,
    live: Live,
    /// What is being shown: version and filter.
    requested: Option<(u64, Filter)>,
    /// Whether only a preview of that was asked for so far.
    is_whole_due: bool,
    /// The terrain as it was saved, while it is compared, and the version of what was saved.
    before: Option<Before>,
    /// What is read of a terrain that is only looked at.
    detail: Option<detail::Detail>,
    plan: PlanView,
    relief: Relief,
    boundaries: Boundaries,
    view3d: View3d,
    options: Options,
    kept_options: Options,
    tab: Tab,
    peaks: PeakList,
    stages: StageList,
    dialog: Option<Dialog>,
    notice: Option<(String, Instant)>,
    autosave: Autosave,
    /// What happens when the document is saved.
    after_save: Option<Then>,
    /// Files that are being made.
    export: Option<Task>,
    may_close: bool,
    title: String,
    /// Whether heights are yet to be exaggerated so that the new terrain is seen to have some.
    exaggerates: bool,
}

struct Before {
    live: Live,
    relief: Relief,
    saved: Document,
    /// Whether the view shows it, too.
    in_view: bool,
}

/// What the left panel shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Tab {
    #[default]
    Peaks,
    Recipe,
    History,
}

impl std::fmt::Debug for Studio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Studio").field("session", &self.session).finish_non_exhaustive()
    }
}

impl Studio {
    /// Starts with a terrain by chance, and offers to recover what was open if the program did not end well.
    pub fn new(cc: &eframe::CreationContext<'_>) -> Self {
        Self::with_files(cc, Files::new(&cc.egui_ctx))
    }

    /// Starts with these files.
    pub fn open(cc: &eframe::CreationContext<'_>, files: Vec<PathBuf>) -> Self {
        let studio = Self::new(cc);
        if let Some(path) = files.into_iter().next() {
            studio.files.open(&path.to_string_lossy());
        }
        studio
    }

    /// Starts with settings from a certain place.
    pub fn with_files(cc: &eframe::CreationContext<'_>, files: Files) -> Self {
        let settings = files.load(SETTINGS).and_then(|text| serde_json::from_str(&text).ok());
        let options: Options = settings.unwrap_or_default();
        theme::load_fonts(&cc.egui_ctx);
        theme::apply(&cc.egui_ctx, options.is_dark);
        let (autosave, found) = Autosave::new(&files);
        let dialog = match found {
            Some((slot, kept)) => Some(Dialog::Recover(slot, kept)),
            None => (!options.has_seen_tour).then_some(Dialog::Tour(0)),
        };
        let (name, document) = NewDialog::new(11).document().unwrap_or_else(|_| {
            let empty = landform::uplift::Upd {
                lattice: landform::Lattice { size: [257, 257], spacing: [20.0, 20.0] },
                peaks: Vec::new(),
            };
            ("peaks.upd".to_owned(), Document::from_upd(empty))
        });
        Self {
            files,
            session: Session::new(&name, document),
            live: Live::new(&cc.egui_ctx),
            requested: None,
            is_whole_due: false,
            before: None,
            detail: None,
            plan: PlanView::default(),
            relief: Relief::default(),
            boundaries: Boundaries::default(),
            view3d: View3d::new(cc.wgpu_render_state.clone()),
            kept_options: options.clone(),
            options,
            tab: Tab::default(),
            peaks: PeakList::default(),
            stages: StageList::default(),
            dialog,
            notice: None,
            autosave,
            after_save: None,
            export: None,
            may_close: false,
            title: String::new(),
            exaggerates: true,
        }
    }

    /// What is open.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// What is open, to be changed by a script or a test.
    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    /// The terrain that is shown.
    pub fn live(&self) -> &Live {
        &self.live
    }

    /// The part of it that is shown finer, if it is larger than memory.
    pub fn detail(&self) -> Option<&Live> {
        self.detail.as_ref().map(|detail| &detail.live)
    }

    /// Opens a text that did not come from a file, such as one from a link. A damaged one is told in a dialog.
    pub fn open_text(&mut self, ctx: &egui::Context, name: &str, text: &str) {
        let bytes = text.as_bytes().to_vec();
        self.take(ctx, &Opened { name: name.to_owned(), place: None, bytes, beside: Vec::new() });
    }

    /// Opens another document; the question about unsaved changes has been asked.
    fn show_document(&mut self, ctx: &egui::Context, mut session: Session) {
        session.count_on_from(&self.session);
        self.autosave.forget(&self.files, &session);
        self.session = session;
        self.live = Live::new(ctx);
        (self.requested, self.before) = (None, None);
        self.stages = StageList::default();
        self.relief = Relief::default();
        self.boundaries = Boundaries::default();
        let large = self.session.document().large();
        self.detail = large.map(|large| detail::Detail::new(ctx, large));
        self.plan.fit();
        self.plan.tool = Default::default();
        self.view3d.clear();
        let count = self.session.document().items().len();
        self.options.largest = if count > 1500 { 400 } else { usize::MAX };
        self.options.radius_scale = 1.0;
        self.exaggerates = true;
        self.options.picture = Default::default();
        let document = self.session.document();
        let is_recipe = document.stages().len() > 1 || !document.has_peaks();
        self.tab = if is_recipe { Tab::Recipe } else { Tab::Peaks };
    }

    /// Opens a file that was read. If it is damaged, what is open stays.
    fn take(&mut self, ctx: &egui::Context, opened: &Opened) {
        match open::read(opened, &self.files) {
            Ok(mut read) => {
                let names_file = format!("{}.names", opened.name);
                let names = match &opened.place {
                    Some(place) => {
                        self.options.remember(place);
                        let names = self.files.read_beside(place, &names_file);
                        names.and_then(|bytes| String::from_utf8(bytes).ok())
                    }
                    None => self.files.load(&names_file),
                };
                read.document.set_names(&names.unwrap_or_default());
                let mut session = Session::new(&read.name, read.document);
                session.inputs = Arc::new(read.inputs);
                session.origin = opened.place.clone();
                self.show_document(ctx, session);
                if !read.warnings.is_empty() {
                    self.say(read.warnings.join("; "));
                }
            }
            Err(error) => {
                self.dialog = Some(Dialog::Error(format!("Cannot open {}", opened.name), error));
            }
        }
    }

    fn say(&mut self, text: impl Into<String>) {
        self.notice = Some((text.into(), Instant::now()));
    }

    /// Answers from disks and dialogs.
    fn listen(&mut self, ctx: &egui::Context) {
        while let Some(event) = self.files.poll() {
            match event {
                // A damaged file is no reason to ask about what is open.
                Event::Opened(opened) if open::read(&opened, &self.files).is_ok() => {
                    self.ask_then(ctx, Then::Take(opened));
                }
                Event::Opened(opened) => self.take(ctx, &opened),
                Event::Large(large) => self.ask_then(ctx, Then::Look(large)),
                Event::Chosen(place) => self.save_at(&place),
                Event::Saved { name, place } => {
                    let document = self.session.document();
                    let names_file = format!("{name}.names");
                    match &place {
                        Some(place) => {
                            let names = document.names();
                            self.files.write_beside(place, &names_file, names.as_bytes());
                            for (file, bytes) in document.painted_files() {
                                self.files.write_beside(place, &file, &bytes);
                            }
                            self.copy_inputs(place);
                            self.options.remember(place);
                        }
                        None => {
                            // A page remembers names, and gives the paintings as files of their own.
                            self.files.keep(&names_file, &document.names());
                            for (name, bytes) in document.painted_files() {
                                self.files.ask_export(vec![Outgoing { name, bytes }]);
                            }
                        }
                    }
                    self.say(format!("Saved {name}"));
                    self.session.mark_saved(name, place);
                    self.autosave.forget(&self.files, &self.session);
                    if let Some(then) = self.after_save.take() {
                        self.go_on(ctx, then);
                    }
                }
                Event::Exported(what) => self.say(format!("Wrote {what}")),
                Event::Failed(why) => {
                    self.after_save = None;
                    self.dialog = Some(Dialog::Error("That did not work".to_owned(), why));
                }
                Event::Cancelled => self.after_save = None,
            }
        }
        // What was made waits until nothing else is asked.
        let made = self.export.as_ref().filter(|_| self.dialog.is_none()).and_then(Task::poll);
        if let Some(made) = made {
            self.export = None;
            match made {
                Ok(made) if !made.is_folder => self.files.ask_export(made.files),
                Ok(made) => self.dialog = Some(Dialog::Made(made)),
                Err(why) => self.dialog = Some(Dialog::Error("Cannot export".to_owned(), why)),
            }
        }
    }

    /// Files that were dropped on the window.
    fn dropped(&self, ctx: &egui::Context) {
        let dropped = ctx.input(|input| input.raw.dropped_files.clone());
        if !dropped.is_empty() {
            self.files.open_dropped(&dropped);
        }
    }

    /// Asks for the terrain of the document as it is now.
    fn evaluate(&mut self, ctx: &egui::Context) {
        let wanted = (self.session.version(), self.stages.filter);
        let is_new = self.requested != Some(wanted);
        // While a peak or a slider is held, what it changes is previewed; the whole follows when it is let go.
        let is_held = is_held(ctx);
        if is_new || (self.is_whole_due && !is_held) {
            self.requested = Some(wanted);
            let mut work = self.session.work(self.session.document());
            if let (Work::Recipe(recipe, _), true) = (&mut work, wanted.1 != Filter::All) {
                wanted.1.apply(recipe);
            }
            if is_held {
                work = work.preview();
            }
            self.is_whole_due = work.is_preview();
            self.live.request(work);
        }
        self.live.poll();
        self.take_belts();
        self.follow(ctx);
        if self.exaggerates {
            self.exaggerate();
        }
        if let Some(before) = &mut self.before {
            if before.saved != *self.session.saved() {
                before.saved = self.session.saved().clone();
                before.live.request(self.session.work(&before.saved));
            }
            before.live.poll();
        }
    }

    /// The belts of a world become peaks as soon as the plates have raised them.
    fn take_belts(&mut self) {
        let is_new = self.requested == Some((self.session.version(), Filter::All));
        let Some(ground) = self.live.ground().filter(|_| is_new && !self.live.is_busy()) else {
            return;
        };
        if self.live.error.is_none() && self.session.take_belts(&ground.features) {
            self.requested = Some((self.session.version(), Filter::All));
            let is_crowd = self.session.document().items().len() > MOST_BELTS;
            if is_crowd && self.options.largest == usize::MAX {
                self.options.largest = MOST_BELTS;
            }
        }
    }

    /// Low ground is drawn higher so that its relief is seen, and needles lower so that they are not all there is.
    fn exaggerate(&mut self) {
        let Some(ground) = self.live.ground() else { return };
        let [width, depth] = ground.lattice.ground();
        let (low, high) = ground.heights.range();
        let share = f64::from(high - low) / width.max(depth).max(1.0);
        let wanted = share.clamp(0.12, 0.35) / share;
        self.options.exaggeration = match wanted {
            _ if share <= 0.0 => 1.0,
            more if more >= 1.0 => more.min(10.0).round(),
            less => (less * 10.0).round().max(1.0) / 10.0,
        };
        self.exaggerates = false;
    }

    fn water_level(&self) -> f64 {
        let document = self.session.document();
        if document.is_upd() { self.options.water_level } else { document.sea_level() }
    }
}

/// Whether a button of the mouse or a key is down.
fn is_held(ctx: &egui::Context) -> bool {
    ctx.input(|input| input.pointer.any_down() || !input.keys_down.is_empty())
}

impl eframe::App for Studio {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        if let Some(wait) = self.autosave.tick(&self.files, &self.session) {
            ctx.request_repaint_after(wait);
        }
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        self.listen(&ctx);
        self.dropped(&ctx);
        if ctx.input(|input| input.viewport().close_requested())
            && self.session.is_dirty()
            && !self.may_close
        {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.dialog = Some(Dialog::Unsaved(Then::Quit));
        }
        if self.dialog.is_none() {
            for command in Command::pressed(&ctx) {
                // Over the 3-D view that key flies.
                if command != Command::AddPeak || !self.view3d.has_pointer() {
                    self.act(&ctx, command);
                }
            }
            self.clipboard(&ctx);
        }
        self.evaluate(&ctx);
        self.show(ui);
        let decision = self.dialog.as_mut().and_then(|dialog| dialog.ui(ui));
        if let Some(decision) = decision {
            self.decide(&ctx, decision);
        }
        self.files.ui(ui);
        // A step goes on while the pointer is down or keys follow each other.
        let is_idle = !is_held(&ctx);
        if is_idle {
            self.session.close_step();
        }
        if self.options != self.kept_options && is_idle {
            self.kept_options = self.options.clone();
            if let Ok(text) = serde_json::to_string_pretty(&self.options) {
                self.files.keep(SETTINGS, &text);
            }
        }
        if let Some((_, since)) = &self.notice {
            let left = Duration::from_secs(5).saturating_sub(since.elapsed());
            if left.is_zero() {
                self.notice = None;
            } else {
                ctx.request_repaint_after(left);
            }
        }
        let title = format!(
            "{}{} – Landform Studio",
            self.session.name,
            if self.session.is_dirty() { " •" } else { "" }
        );
        if title != self.title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }

    fn on_exit(&mut self) {
        if !self.session.is_dirty() || self.may_close {
            self.autosave.forget(&self.files, &self.session);
        }
    }

    #[cfg(target_arch = "wasm32")]
    fn as_any_mut(&mut self) -> Option<&mut dyn std::any::Any> {
        Some(self)
    }
}

/// What only the page asks for.
#[cfg(target_arch = "wasm32")]
impl Studio {
    /// Opens a terrain from a link, after the question about unsaved changes.
    pub(crate) fn open_link(&mut self, name: &str, text: &str) {
        let bytes = text.as_bytes().to_vec();
        self.files.take(Opened { name: name.to_owned(), place: None, bytes, beside: Vec::new() });
    }

    /// What is open and shown.
    pub(crate) fn state(&self) -> serde_json::Value {
        let document = self.session.document();
        let ground = self.live.ground();
        serde_json::json!({
            "name": self.session.name,
            "is_dirty": self.session.is_dirty(),
            "is_busy": self.live.is_busy(),
            "is_preview": self.live.is_preview(),
            "text": document.text(),
            "peaks": document.items().len(),
            "size": ground.map(|ground| ground.lattice.size),
            "version": ground.map(|ground| ground.version),
            "hash": ground.map(|ground| landform_io::manifest::sha256(&ground.heights)),
        })
    }
}
