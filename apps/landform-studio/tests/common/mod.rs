//! The window and a hand for it: clicks, drags and keys at places on the ground.
#![allow(dead_code, reason = "each file of tests uses a part of it")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use eframe::egui::{DroppedFile, Event, Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use landform_studio::Studio;
use landform_studio::files::Files;

/// A file in the hand of a person.
#[derive(Debug)]
struct File(PathBuf);

impl DroppedFile for File {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

/// The window.
pub(crate) struct Window<'a> {
    pub(crate) harness: Harness<'a, Studio>,
}

impl Window<'_> {
    /// The window with a document, showing the map alone, so that places can be computed.
    pub(crate) fn new(name: &str, text: &str) -> Self {
        let mut window = Self::sized(name, text, [1200.0, 800.0]);
        window.harness.key_press(Key::Num1);
        window.settle();
        window
    }

    /// The window as it opens.
    pub(crate) fn sized(name: &str, text: &str, size: [f32; 2]) -> Self {
        let mut window = Self::keeping(None, Some((name, text)), size);
        window.press("Skip the tour");
        window.settle();
        window
    }

    /// The window of a person whose settings are kept in a folder, with its tour, if it has yet to be seen.
    pub(crate) fn keeping(
        settings: Option<&Path>,
        open: Option<(&str, &str)>,
        size: [f32; 2],
    ) -> Self {
        let harness = Harness::builder().with_size(size).wgpu().build_eframe(|cc| {
            let files = Files::in_folder(&cc.egui_ctx, settings.map(Path::to_owned));
            let mut studio = Studio::with_files(cc, files);
            if let Some((name, text)) = open {
                studio.open_text(&cc.egui_ctx, name, text);
            }
            studio
        });
        Self { harness }
    }

    /// Goes on until something is so.
    pub(crate) fn until(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let start = Instant::now();
        while !is_so(self) {
            let is_patient = start.elapsed() < Duration::from_secs(60);
            assert!(is_patient, "waited in vain until {what}; there is {:?}", self.labels());
            std::thread::sleep(Duration::from_millis(5));
            self.harness.step();
        }
        self.harness.run_steps(2);
    }

    fn labels(&self) -> Vec<String> {
        let nodes = self.harness.query_all_by(|_| true);
        nodes.filter_map(|node| node.accesskit_node().label()).collect()
    }

    /// Whether there is something with this label.
    pub(crate) fn has(&self, label: &str) -> bool {
        self.harness.query_all_by_label(label).next().is_some()
    }

    /// Types into the field that has the keyboard, in the place of what is there.
    pub(crate) fn type_in(&mut self, text: &str) {
        self.keys(Modifiers::COMMAND, Key::A);
        self.harness.event(Event::Text(text.to_owned()));
        self.harness.run_steps(2);
    }

    /// Drops a file on the window.
    pub(crate) fn drop_file(&mut self, path: &Path) {
        self.harness.input_mut().dropped_files.push(Arc::new(File(path.to_owned())));
        self.harness.run_steps(3);
    }

    /// Waits until the terrain is evaluated.
    pub(crate) fn settle(&mut self) {
        let start = Instant::now();
        self.harness.run_steps(3);
        while self.harness.state().live().is_busy() {
            assert!(start.elapsed() < Duration::from_secs(60), "the terrain takes too long");
            std::thread::sleep(Duration::from_millis(5));
            self.harness.step();
        }
        self.harness.run_steps(2);
    }

    /// Presses what has this label.
    pub(crate) fn press(&mut self, label: &str) {
        // A dialog finds its size and its place in the first frames.
        self.harness.run_steps(4);
        self.harness.get_by_label(label).click();
        self.harness.run_steps(2);
    }

    /// Where a place in metres is on the screen: the map, of 1000 m by 1000 m, is fitted to its window.
    pub(crate) fn at(&self, x: f32, z: f32) -> Pos2 {
        let map = self.harness.get_by_label("Map of the terrain").rect();
        let scale = (map.width().min(map.height())) * 0.86 / 1000.0;
        map.center() + vec2(x - 500.0, z - 500.0) * scale
    }

    fn button(&mut self, pos: Pos2, pressed: bool, modifiers: Modifiers) {
        let button = PointerButton::Primary;
        self.harness.event(Event::PointerButton { pos, button, pressed, modifiers });
        self.harness.step();
    }

    /// Clicks.
    pub(crate) fn click(&mut self, pos: Pos2, modifiers: Modifiers) {
        self.harness.event(Event::PointerMoved(pos));
        self.harness.step();
        self.button(pos, true, modifiers);
        self.button(pos, false, modifiers);
        self.harness.step();
    }

    /// Drags from one place to another.
    pub(crate) fn drag(&mut self, from: Pos2, to: Pos2) {
        self.harness.event(Event::PointerMoved(from));
        self.harness.step();
        self.button(from, true, Modifiers::NONE);
        for k in 1..=4 {
            self.harness.event(Event::PointerMoved(from + (to - from) * (k as f32 / 4.0)));
            self.harness.step();
        }
        self.button(to, false, Modifiers::NONE);
        self.harness.run_steps(2);
    }

    /// What is selected.
    pub(crate) fn selected(&self) -> Vec<usize> {
        self.harness.state().session().selection.iter().collect()
    }

    /// The numbers of a peak: grid lines, height and radius.
    pub(crate) fn peak(&self, k: usize) -> (i64, i64, f64, f64) {
        let peak = self.harness.state().session().document().items()[k].peak;
        (peak.i, peak.j, peak.height, peak.radius)
    }

    /// Presses a key.
    pub(crate) fn keys(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.harness.run_steps(2);
    }
}
