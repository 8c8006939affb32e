//! Recipes evaluated and files made in a worker of the browser, and what it tells of them.
//!
//! The worker runs the same program and calls [`work`]. Terrains and files come back as arrays that change hands
//! without a copy. A message is an object, in both directions: `kind`, a text, and arrays.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use eframe::egui;
use landform::feature::{River, RiverPoint, Summit};
use landform::georeference::Placed;
use landform::{
    Feature, Georeference, Grid, Inputs, Lattice, Layer, Meaning, Raster, Recipe, Terrain,
    Topology, Watch,
};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;
use web_time::{Duration, Instant};

use super::page::Evaluator;
use crate::evaluate::{Engine, StageShare, Update, Work};
use crate::export::{self, Made, Order, Wanted};
use crate::files::Outgoing;
use crate::live::Progress;

/// How often progress is told.
const EVERY: Duration = Duration::from_millis(80);

/// What a message says about a terrain besides its samples.
#[derive(Serialize, Deserialize)]
struct Header {
    size: [u32; 2],
    spacing: [f64; 2],
    sea_level: f64,
    topology: Topology,
    layers: Vec<String>,
    /// What stages added: label, width and height of the grid, and its `every`. Their arrays follow those of the layers.
    parts: Vec<(String, [usize; 2], usize)>,
    /// Peaks of belts: name, and x, z, height and radius.
    summits: Vec<(String, [f64; 4])>,
    /// Rivers: name, what they flow into, and the numbers of each point.
    rivers: Vec<(String, Option<String>, Vec<[f64; 6]>)>,
}

/// What the page asks for, besides the samples of the rasters that the recipe refers to.
#[derive(Serialize, Deserialize)]
struct Request {
    recipe: String,
    inputs: Vec<Input>,
    goal: Goal,
}

/// What the recipe is for.
#[derive(Serialize, Deserialize)]
enum Goal {
    /// The terrain is shown.
    Whole,
    /// A preview of it is shown.
    Preview,
    /// Files are made, under this name.
    Make(Wanted, String),
}

/// A raster that the recipe refers to.
#[derive(Serialize, Deserialize)]
struct Input {
    file: String,
    size: [usize; 2],
    /// Whether it is a picture, and the heights of black and white.
    brightness: Option<Option<[f64; 2]>>,
    /// Where its ground lies, and how large it is.
    place: Option<(Georeference, [f64; 2])>,
}

/// The worker, as the page sees it.
pub(crate) struct Remote {
    evaluator: Evaluator,
    news: Rc<RefCell<News>>,
    /// What the evaluator calls; it must live as long.
    _tell: Closure<dyn Fn(JsValue)>,
}

#[derive(Debug, Default)]
struct News {
    updates: VecDeque<Update>,
    made: Option<Result<Made, String>>,
    progress: Progress,
}

impl std::fmt::Debug for Remote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Remote").field("news", &self.news).finish_non_exhaustive()
    }
}

impl Remote {
    pub(crate) fn new(ctx: &egui::Context) -> Self {
        let news = Rc::new(RefCell::new(News::default()));
        let (ctx, heard) = (ctx.clone(), Rc::clone(&news));
        let tell = Closure::<dyn Fn(JsValue)>::new(move |message: JsValue| {
            heard.borrow_mut().hear(&message);
            ctx.request_repaint();
        });
        let evaluator = Evaluator::new(tell.as_ref().unchecked_ref());
        Self { evaluator, news, _tell: tell }
    }

    /// Begins with another recipe.
    pub(crate) fn start(&self, recipe: &Recipe, inputs: &Inputs, is_preview: bool) {
        let goal = if is_preview { Goal::Preview } else { Goal::Whole };
        self.ask(recipe.to_toml(), inputs, goal);
    }

    /// Begins to make files.
    pub(crate) fn make(&self, order: &Order) {
        let goal = Goal::Make(order.wanted.clone(), order.name.clone());
        self.ask(order.text.clone(), &order.inputs, goal);
    }

    fn ask(&self, recipe: String, inputs: &Inputs, goal: Goal) {
        self.forget();
        let parsed = Recipe::parse(&recipe).ok();
        let files = parsed.as_ref().map(Recipe::files).unwrap_or_default();
        let arrays = js_sys::Array::new();
        let mut list = Vec::new();
        for (file, raster) in inputs.iter().filter(|(file, _)| files.contains(file)) {
            arrays.push(&js_sys::Float32Array::from(raster.samples.samples()));
            let size = [raster.samples.width(), raster.samples.height()];
            let brightness = match raster.meaning {
                Meaning::Values => None,
                Meaning::Brightness(range) => Some(range),
            };
            let place = inputs.place(file).cloned().map(|placed| (placed.place, placed.ground));
            list.push(Input { file: file.to_owned(), size, brightness, place });
        }
        let request = Request { recipe, inputs: list, goal };
        let text = serde_json::to_string(&request).unwrap_or_default();
        self.evaluator.start(&message("work", &text, &arrays));
    }

    /// Gives up what is under way.
    pub(crate) fn stop(&self) {
        self.evaluator.stop();
        self.forget();
    }

    pub(crate) fn progress(&self) -> Progress {
        self.news.borrow().progress.clone()
    }

    /// The next news.
    pub(crate) fn poll(&self) -> Option<Update> {
        self.news.borrow_mut().updates.pop_front()
    }

    /// What came of files that were to be made, once.
    pub(crate) fn poll_made(&self) -> Option<Result<Made, String>> {
        self.news.borrow_mut().made.take()
    }

    fn forget(&self) {
        *self.news.borrow_mut() = News::default();
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.evaluator.close();
    }
}

impl News {
    fn hear(&mut self, message: &JsValue) {
        let part = |name: &str| js_sys::Reflect::get(message, &name.into()).unwrap_or_default();
        let text = part("text").as_string().unwrap_or_default();
        match part("kind").as_string().unwrap_or_default().as_str() {
            "progress" => self.progress = serde_json::from_str(&text).unwrap_or_default(),
            "terrain" => {
                let arrays = js_sys::Array::from(&part("arrays"));
                if let Some((terrain, parts)) = terrain_of(&text, &arrays) {
                    self.updates.push_back(Update::Whole(Box::new(terrain), parts));
                }
            }
            "made" => {
                let arrays = js_sys::Array::from(&part("arrays"));
                let bytes = arrays.iter().map(|array| js_sys::Uint8Array::new(&array).to_vec());
                let (name, is_folder, names, page): (String, bool, Vec<String>, String) =
                    serde_json::from_str(&text).unwrap_or_default();
                let files = names.into_iter().zip(bytes);
                let files = files.map(|(name, bytes)| Outgoing { name, bytes }).collect();
                self.made = Some(Ok(Made { name, files, page, is_folder }));
            }
            "failed" => {
                self.made = Some(Err(text.clone()));
                self.updates.push_back(Update::Failed(landform::Error::new(text)));
            }
            _ => self.updates.push_back(Update::Done),
        }
    }
}

fn terrain_of(header: &str, arrays: &js_sys::Array) -> Option<(Terrain, Vec<StageShare>)> {
    let header: Header = serde_json::from_str(header).ok()?;
    let lattice = Lattice { size: header.size, spacing: header.spacing };
    let size = header.size.map(|side| side as usize);
    let mut arrays = arrays.iter();
    let mut terrain: Option<Terrain> = None;
    for name in &header.layers {
        let grid = grid_of(&arrays.next()?, size)?;
        match &mut terrain {
            // The height comes first.
            None => terrain = Some(Terrain::new(lattice.whole(), header.sea_level, grid)),
            Some(terrain) => terrain.insert(Layer::named(name)?, grid),
        }
    }
    let mut parts = Vec::new();
    for (label, size, every) in header.parts {
        parts.push(StageShare { label, heights: grid_of(&arrays.next()?, size)?, every });
    }
    let mut terrain = terrain?.with_topology(header.topology);
    let summit = |(name, [x, z, height, radius]): (String, [f64; 4])| {
        Feature::Summit(Summit { name, x, z, height, radius })
    };
    terrain.add_features(header.summits.into_iter().map(summit).collect());
    let point = |[x, z, bed, width, depth, discharge]: [f64; 6]| RiverPoint {
        x,
        z,
        bed,
        width,
        depth,
        discharge,
    };
    let river = |(name, into, points): (String, _, Vec<[f64; 6]>)| {
        Feature::River(River { name, into, points: points.into_iter().map(point).collect() })
    };
    terrain.add_features(header.rivers.into_iter().map(river).collect());
    Some((terrain, parts))
}

fn grid_of(array: &JsValue, [width, height]: [usize; 2]) -> Option<Grid> {
    let samples = js_sys::Float32Array::new(array).to_vec();
    (samples.len() == width * height).then(|| Grid::from_vec(width, height, samples))
}

thread_local! {
    /// Whom the worker tells.
    static POST: RefCell<Option<js_sys::Function>> = const { RefCell::new(None) };
    /// What the worker keeps from one recipe to the next.
    static ENGINE: RefCell<Engine> = RefCell::new(Engine::default());
    static LAST_TOLD: RefCell<Option<Instant>> = const { RefCell::new(None) };
}

/// Called in the worker: does what a message asks for and tells `tell_page` what comes of it.
#[wasm_bindgen]
pub fn work(message: &JsValue, tell_page: js_sys::Function) {
    POST.set(Some(tell_page));
    let part = |name: &str| js_sys::Reflect::get(message, &name.into()).unwrap_or_default();
    let text = part("text").as_string().unwrap_or_default();
    if let Err(why) = answer(&text, &js_sys::Array::from(&part("arrays"))) {
        post("failed", &why, &js_sys::Array::new());
    }
    post("done", "", &js_sys::Array::new());
}

fn answer(request: &str, arrays: &js_sys::Array) -> Result<(), String> {
    let request: Request = serde_json::from_str(request).map_err(|error| error.to_string())?;
    let mut inputs = Inputs::default();
    for (input, array) in request.inputs.into_iter().zip(arrays.iter()) {
        if let Some(samples) = grid_of(&array, input.size) {
            let meaning = input.brightness.map_or(Meaning::Values, Meaning::Brightness);
            if let Some((place, ground)) = input.place {
                inputs.insert_place(input.file.as_str(), Placed { place, ground });
            }
            inputs.insert(input.file, Raster { samples, meaning });
        }
    }
    let inputs = Arc::new(inputs);
    let Goal::Make(wanted, name) = request.goal else {
        let recipe = Recipe::parse(&request.recipe).map_err(|error| error.to_string())?;
        let whole = Work::Recipe(Box::new(recipe), inputs);
        let work = if matches!(request.goal, Goal::Preview) { whole.preview() } else { whole };
        ENGINE.with_borrow_mut(|engine| engine.run(&work, &Teller, &mut tell));
        return Ok(());
    };
    let order = Order { wanted, text: request.recipe, inputs, name };
    let made = export::make(&order, &Teller)?;
    let arrays = js_sys::Array::new();
    for file in &made.files {
        arrays.push(&js_sys::Uint8Array::from(&file.bytes[..]));
    }
    let names: Vec<&str> = made.files.iter().map(|file| file.name.as_str()).collect();
    let told = (made.name, made.is_folder, names, made.page);
    post("made", &serde_json::to_string(&told).unwrap_or_default(), &arrays);
    Ok(())
}

/// Tells how far the work is.
struct Teller;

impl Watch for Teller {
    fn progress(&self, stage: &str, done: f32) {
        let is_time = LAST_TOLD.with_borrow(|last| last.is_none_or(|last| last.elapsed() > EVERY));
        if is_time {
            LAST_TOLD.set(Some(Instant::now()));
            let text = serde_json::to_string(&(stage, done)).unwrap_or_default();
            post("progress", &text, &js_sys::Array::new());
        }
    }
}

fn tell(update: Update) {
    match update {
        Update::Whole(terrain, parts) => tell_terrain(*terrain, parts),
        // Only peaks alone change in parts, and those are not evaluated here; the end is told by `work`.
        Update::Part(..) | Update::Piece(_) | Update::Done => {}
        Update::Failed(error) => post("failed", &error.to_string(), &js_sys::Array::new()),
    }
}

fn tell_terrain(terrain: Terrain, parts: Vec<StageShare>) {
    let lattice = *terrain.extent().lattice();
    let (sea_level, topology) = (terrain.sea_level(), terrain.topology());
    let summits = terrain.features().iter().filter_map(Feature::as_summit);
    let summits = summits.map(|s| (s.name.clone(), [s.x, s.z, s.height, s.radius])).collect();
    let numbers = |p: &RiverPoint| [p.x, p.z, p.bed, p.width, p.depth, p.discharge];
    let rivers = terrain.features().iter().filter_map(Feature::as_river);
    let rivers = rivers
        .map(|r| (r.name.clone(), r.into.clone(), r.points.iter().map(numbers).collect()))
        .collect();
    let mut layers = terrain.into_layers();
    layers.sort_by_key(|(layer, _)| *layer != Layer::Height);
    let arrays = js_sys::Array::new();
    let grids = layers.iter().map(|(_, grid)| grid);
    for grid in grids.chain(parts.iter().map(|part| &part.heights)) {
        arrays.push(&js_sys::Float32Array::from(grid.samples()));
    }
    let size = |part: &StageShare| [part.heights.width(), part.heights.height()];
    let header = Header {
        size: lattice.size,
        spacing: lattice.spacing,
        sea_level,
        topology,
        layers: layers.iter().map(|(layer, _)| layer.name().to_owned()).collect(),
        parts: parts.iter().map(|part| (part.label.clone(), size(part), part.every)).collect(),
        summits,
        rivers,
    };
    post("terrain", &serde_json::to_string(&header).unwrap_or_default(), &arrays);
}

/// A message of either side.
fn message(kind: &str, text: &str, arrays: &js_sys::Array) -> js_sys::Object {
    let message = js_sys::Object::new();
    for (name, part) in
        [("kind", kind.into()), ("text", text.into()), ("arrays", JsValue::from(arrays))]
    {
        // Setting a part of a new object cannot fail.
        let _ = js_sys::Reflect::set(&message, &name.into(), &part);
    }
    message
}

fn post(kind: &str, text: &str, arrays: &js_sys::Array) {
    let buffers = js_sys::Array::new();
    for array in arrays.iter() {
        // Each of them is a typed array, which has one.
        buffers.push(&js_sys::Reflect::get(&array, &"buffer".into()).unwrap_or_default());
    }
    POST.with_borrow(|post| {
        if let Some(post) = post {
            // The page may be gone.
            let _ = post.call2(&JsValue::NULL, &message(kind, text, arrays), &buffers);
        }
    });
}
