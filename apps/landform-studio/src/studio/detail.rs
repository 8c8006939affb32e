//! The part of a terrain larger than memory that is looked at, finer than its overview.

use eframe::egui;

use super::Studio;
use crate::dialogs::Dialog;
use crate::document::Document;
use crate::evaluate::Work;
use crate::large::{Large, Window};
use crate::live::{Live, ShownGround};
use crate::options::Picture;
use crate::relief::{Picture2d, Relief};
use crate::session::Session;

/// What is read of the finer levels.
#[derive(Debug)]
pub(super) struct Detail {
    large: Large,
    pub(super) live: Live,
    pub(super) relief: Relief,
    /// What was asked for last.
    asked: Option<Window>,
    /// Whether the map is so near that the overview is too coarse.
    is_near: bool,
    /// Whether the view in three dimensions shows it, too, rather than all of the ground.
    pub(super) in_view: bool,
    /// What the view showed last.
    viewed: Option<Window>,
}

impl Detail {
    pub(super) fn new(ctx: &egui::Context, large: &Large) -> Self {
        Self {
            large: large.clone(),
            live: Live::new(ctx),
            relief: Relief::default(),
            asked: None,
            is_near: false,
            in_view: true,
            viewed: None,
        }
    }

    /// Asks for the window that the map shows, unless it is there or under way.
    fn follow(&mut self, seen: [[f64; 2]; 2], pixel: f64) {
        let wanted = self.large.window(seen, pixel);
        self.is_near = wanted.is_some();
        let Some(wanted) = wanted else { return };
        let loaded = self.live.ground().and_then(|ground| ground.window);
        // What is under way takes the place of what is there.
        let next = if self.live.is_busy() { self.asked } else { loaded };
        let suffices = next.is_some_and(|next| self.large.suffices(next, wanted, seen));
        // What failed, or was cancelled, is not asked for again until the map has moved.
        if !suffices && self.asked != Some(wanted) {
            self.asked = Some(wanted);
            self.live.request(Work::Large(self.large.clone(), Some(wanted)));
        }
    }

    /// What was read, while the map is near enough.
    pub(super) fn ground(&self) -> Option<&ShownGround> {
        self.live.ground().filter(|_| self.is_near)
    }

    /// Its picture, in the colours of the overview.
    pub(super) fn picture(
        &mut self,
        ctx: &egui::Context,
        overview: &Relief,
        shown: (&Picture, f64),
    ) -> Option<Picture2d> {
        let ground = self.live.ground().filter(|_| self.is_near)?;
        self.relief.match_colors(overview);
        self.relief.texture(ctx, ground, shown, true)
    }

    /// Whether the view must turn to other ground.
    pub(super) fn turns(&mut self) -> bool {
        let shown = self.ground().filter(|_| self.in_view).and_then(|ground| ground.window);
        std::mem::replace(&mut self.viewed, shown) != shown
    }
}

impl Studio {
    /// Opens a terrain that is looked at; the question about unsaved changes has been asked.
    pub(super) fn look_at(&mut self, ctx: &egui::Context, large: &Large) {
        self.options.remember(large.place());
        let document = Document::from_large(large.clone());
        let mut session = Session::new(large.name(), document);
        session.origin = Some(large.place().to_owned());
        self.show_document(ctx, session);
        if large.has_holes() {
            self.say("Some places have no heights yet; they are drawn as the lowest ground");
        }
    }

    /// Opens the recipe that a store was made from, under a name of its own.
    pub(super) fn open_recipe_of(&mut self, ctx: &egui::Context, large: &Large) {
        let Some(manifest) = large.manifest() else { return };
        let stem = large.name().rsplit_once('.').map_or(large.name(), |(stem, _)| stem);
        let bytes = manifest.recipe.clone().into_bytes();
        let name = format!("{stem}.toml");
        // Rasters that it refers to may lie beside the store.
        let place = std::path::Path::new(large.place()).with_file_name(&name);
        let place = Some(place.to_string_lossy().into_owned());
        let opened = crate::files::Opened { name, place, bytes, beside: Vec::new() };
        match crate::open::read(&opened, &self.files) {
            Ok(read) => {
                let mut session = Session::new(&read.name, read.document);
                session.inputs = std::sync::Arc::new(read.inputs);
                self.show_document(ctx, session);
            }
            Err(why) => self.dialog = Some(Dialog::Error("Cannot open its recipe".to_owned(), why)),
        }
    }

    /// Reads what the map shows, if it is finer than what is there.
    pub(super) fn follow(&mut self, ctx: &egui::Context) {
        let Some(detail) = &mut self.detail else { return };
        detail.live.poll();
        if let Some((seen, metres)) = self.plan.seen() {
            detail.follow(seen, metres / f64::from(ctx.pixels_per_point()));
        }
        if detail.turns() {
            self.view3d.fit();
        }
    }
}
