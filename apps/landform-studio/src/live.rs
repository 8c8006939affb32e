//! The terrain that is shown, kept up to date in the background: the newest request wins.

use landform::{Feature, Grid, Lattice, Layer, Terrain};

use crate::evaluate::{StageShare, Update, Work};
use crate::large;
use crate::view3d::Window;
use worker::Worker;

#[cfg(not(target_arch = "wasm32"))]
#[path = "live/threaded.rs"]
mod worker;
#[cfg(target_arch = "wasm32")]
#[path = "live/inline.rs"]
mod worker;

/// What the worker is at: the stage, and which share is done.
pub type Progress = (String, f32);

/// The terrain that is shown.
#[derive(Debug)]
pub struct Live {
    worker: Worker,
    ground: Option<ShownGround>,
    /// Why the newest request could not be evaluated.
    pub error: Option<landform::Error>,
    is_busy: bool,
    is_preview: bool,
}

/// Samples that are shown.
#[derive(Clone, Debug)]
pub struct ShownGround {
    /// Where they sit, from the first of them on.
    pub lattice: Lattice,
    /// The place of the first of them in metres: not 0 for a window of a larger terrain.
    pub origin: [f64; 2],
    /// Which window of a larger terrain they are.
    pub window: Option<large::Window>,
    /// Heights in metres.
    pub heights: Grid,
    /// The other layers, as they were when all was evaluated last.
    pub layers: Vec<(Layer, Grid)>,
    /// Rivers, places and other objects.
    pub features: Vec<Feature>,
    /// What each stage added to the height; nothing if that is not known.
    pub parts: Vec<StageShare>,
    /// Height of the water table in metres.
    pub sea_level: f64,
    /// Counts the changes.
    pub version: u64,
    /// What changed since the version before; all if not said.
    pub changed: Option<Window>,
}

impl Live {
    /// Shows nothing yet; repaints `ctx` when there are news.
    pub fn new(ctx: &eframe::egui::Context) -> Self {
        Self {
            worker: Worker::new(ctx),
            ground: None,
            error: None,
            is_busy: false,
            is_preview: false,
        }
    }

    /// Asks for other work; what was asked for before is no longer wanted.
    pub fn request(&mut self, work: Work) {
        self.is_busy = true;
        self.is_preview = work.is_preview();
        self.worker.request(work);
    }

    /// Stops the work that is under way.
    pub fn cancel(&mut self) {
        self.worker.cancel();
        self.is_busy = false;
    }

    /// Whether work is under way.
    pub fn is_busy(&self) -> bool {
        self.is_busy
    }

    /// Whether only a preview was asked for.
    pub fn is_preview(&self) -> bool {
        self.is_preview
    }

    /// What the worker is at.
    pub fn progress(&self) -> Option<Progress> {
        self.is_busy.then(|| self.worker.progress())
    }

    /// What is shown.
    pub fn ground(&self) -> Option<&ShownGround> {
        self.ground.as_ref()
    }

    /// Forgets what is shown: another document is opened.
    pub fn clear(&mut self) {
        self.ground = None;
        self.error = None;
    }

    /// Takes the news in; once a frame.
    pub fn poll(&mut self) {
        let mut changed: Option<Window> = None;
        let mut is_whole = false;
        while let Some(update) = self.worker.poll() {
            match update {
                Update::Whole(terrain, parts) => {
                    let version = self.ground.as_ref().map_or(0, |ground| ground.version);
                    self.ground =
                        Some(ShownGround { parts, ..ShownGround::new(*terrain, version) });
                    (is_whole, self.error) = (true, None);
                }
                Update::Piece(piece) => {
                    let large::Piece { terrain, origin, window } = *piece;
                    let version = self.ground.as_ref().map_or(0, |ground| ground.version);
                    let ground = ShownGround::new(terrain, version);
                    self.ground = Some(ShownGround { origin, window: Some(window), ..ground });
                    (is_whole, self.error) = (true, None);
                }
                Update::Part(at, part) => {
                    if let Some(ground) = &mut self.ground
                        && let Some(window) = ground.put(at, &part)
                    {
                        changed = Some(changed.map_or(window, |old| union(old, window)));
                    }
                    self.error = None;
                }
                Update::Failed(error) => self.error = Some(error),
                Update::Done => self.is_busy = false,
            }
        }
        if let Some(ground) = &mut self.ground
            && (is_whole || changed.is_some())
        {
            ground.version += 1;
            ground.changed = if is_whole { None } else { changed };
        }
    }
}

fn union(a: Window, b: Window) -> Window {
    Window {
        start: [0, 1].map(|axis| a.start[axis].min(b.start[axis])),
        end: [0, 1].map(|axis| a.end[axis].max(b.end[axis])),
    }
}

impl ShownGround {
    fn new(terrain: Terrain, version: u64) -> Self {
        let (lattice, sea_level) = (*terrain.extent().lattice(), terrain.sea_level());
        let features = terrain.features().to_vec();
        let mut layers = terrain.into_layers();
        let place = layers.iter().position(|(layer, _)| *layer == Layer::Height);
        let (_, heights) = layers.swap_remove(place.expect("a terrain has its height"));
        let parts = Vec::new();
        Self {
            lattice,
            origin: [0.0; 2],
            window: None,
            heights,
            layers,
            features,
            parts,
            sea_level,
            version,
            changed: None,
        }
    }

    /// Puts new heights in the place of some; nothing if they do not fit.
    fn put(&mut self, at: [usize; 2], part: &Grid) -> Option<Window> {
        let end = [at[0] + part.width(), at[1] + part.height()];
        if end[0] > self.heights.width() || end[1] > self.heights.height() {
            return None;
        }
        for j in 0..part.height() {
            self.heights.row_mut(at[1] + j)[at[0]..end[0]].copy_from_slice(part.row(j));
        }
        Some(Window { start: at, end })
    }

    /// The places of the first and the last sample in metres.
    pub fn corners(&self) -> [[f64; 2]; 2] {
        let ground = self.lattice.ground();
        [self.origin, [self.origin[0] + ground[0], self.origin[1] + ground[1]]]
    }

    /// A layer by name.
    pub fn layer(&self, layer: &Layer) -> Option<&Grid> {
        self.layers.iter().find(|(known, _)| known == layer).map(|(_, grid)| grid)
    }

    /// Height and slope (rise over run) at a place in metres; nothing off the ground.
    pub fn at(&self, [x, z]: [f64; 2]) -> Option<(f64, f64)> {
        let [dx, dz] = self.lattice.spacing;
        let (u, v) = ((x - self.origin[0]) / dx, (z - self.origin[1]) / dz);
        let (last_u, last_v) = (self.heights.width() - 1, self.heights.height() - 1);
        if !(u >= 0.0 && v >= 0.0 && u <= last_u as f64 && v <= last_v as f64) {
            return None;
        }
        let (height, [rise_x, rise_z]) = bilinear(&self.heights, u, v);
        Some((height, (rise_x / dx).hypot(rise_z / dz)))
    }

    /// What each stage added to the height at a place in metres.
    pub fn parts_at(&self, [x, z]: [f64; 2]) -> Vec<(&str, f64)> {
        let [dx, dz] = self.lattice.spacing;
        let at = |part: &StageShare| {
            let every = part.every.max(1) as f64;
            bilinear(&part.heights, (x / dx / every).max(0.0), (z / dz / every).max(0.0)).0
        };
        self.parts.iter().map(|part| (part.label.as_str(), at(part))).collect()
    }
}

/// The value between samples, and how much it rises from one column and from one row to the next. Beyond the last sample it is that.
fn bilinear(grid: &Grid, u: f64, v: f64) -> (f64, [f64; 2]) {
    let (last_u, last_v) = (grid.width() - 1, grid.height() - 1);
    let (i, j) = ((u as usize).min(last_u), (v as usize).min(last_v));
    let (k, l) = ((i + 1).min(last_u), (j + 1).min(last_v));
    let (a, b) = ((u - i as f64).min(1.0), (v - j as f64).min(1.0));
    let h = |i, j| f64::from(grid[(i, j)]);
    let north = h(i, j) + a * (h(k, j) - h(i, j));
    let south = h(i, l) + a * (h(k, l) - h(i, l));
    let rise_x = (1.0 - b) * (h(k, j) - h(i, j)) + b * (h(k, l) - h(i, l));
    (north + b * (south - north), [rise_x, south - north])
}
