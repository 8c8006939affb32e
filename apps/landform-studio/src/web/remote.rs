//! Recipes evaluated in a worker of the browser, and what it tells of them.
//!
//! The worker runs the same program and calls [`evaluate`]. Terrains come back as arrays that change hands
//! without a copy. A message is an object: `kind`, a text, and arrays of samples.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use eframe::egui;
use landform::{Grid, Inputs, Lattice, Layer, Recipe, Terrain, Topology, Watch};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;
use web_time::{Duration, Instant};

use super::page::Evaluator;
use crate::evaluate::{Engine, Update, Work};
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
    pub(crate) fn start(&self, recipe: &Recipe) {
        self.forget();
        self.evaluator.start(&recipe.to_toml());
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
                let samples = js_sys::Array::from(&part("samples"));
                if let Some(terrain) = terrain_of(&text, &samples) {
                    self.updates.push_back(Update::Whole(Box::new(terrain)));
                }
            }
            "failed" => self.updates.push_back(Update::Failed(landform::Error::new(text))),
            _ => self.updates.push_back(Update::Done),
        }
    }
}

fn terrain_of(header: &str, samples: &js_sys::Array) -> Option<Terrain> {
    let header: Header = serde_json::from_str(header).ok()?;
    let lattice = Lattice { size: header.size, spacing: header.spacing };
    let [width, height] = header.size.map(|side| side as usize);
    let mut terrain: Option<Terrain> = None;
    for (name, samples) in header.layers.iter().zip(samples.iter()) {
        let samples = js_sys::Float32Array::new(&samples).to_vec();
        if samples.len() != width * height {
            return None;
        }
        let grid = Grid::from_vec(width, height, samples);
        match &mut terrain {
            // The height comes first.
            None => terrain = Some(Terrain::new(lattice.whole(), header.sea_level, grid)),
            Some(terrain) => terrain.insert(Layer::named(name)?, grid),
        }
    }
    Some(terrain?.with_topology(header.topology))
}

thread_local! {
    /// Whom the worker tells.
    static POST: RefCell<Option<js_sys::Function>> = const { RefCell::new(None) };
    static LAST_TOLD: RefCell<Option<Instant>> = const { RefCell::new(None) };
}

/// Called in the worker: evaluates a recipe and tells `post` what comes of it.
#[wasm_bindgen]
pub fn evaluate(recipe: &str, post: js_sys::Function) {
    POST.set(Some(post));
    match Recipe::parse(recipe) {
        Ok(recipe) => {
            let work = Work::Recipe(Box::new(recipe), Arc::new(Inputs::default()));
            Engine::default().run(&work, &Teller, &mut tell);
        }
        Err(error) => {
            tell(Update::Failed(error));
            tell(Update::Done);
        }
    }
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
    let none = js_sys::Array::new();
    match update {
        Update::Whole(terrain) => tell_terrain(*terrain),
        // Only peaks alone change in parts, and those are not evaluated here.
        Update::Part(..) => {}
        Update::Failed(error) => post("failed", &error.to_string(), &none),
        Update::Done => post("done", "", &none),
    }
}

fn tell_terrain(terrain: Terrain) {
    let lattice = *terrain.extent().lattice();
    let (sea_level, topology) = (terrain.sea_level(), terrain.topology());
    let mut layers = terrain.into_layers();
    layers.sort_by_key(|(layer, _)| *layer != Layer::HEIGHT);
    let samples = js_sys::Array::new();
    for (_, grid) in &layers {
        samples.push(&js_sys::Float32Array::from(grid.samples()));
    }
    let header = Header {
        size: lattice.size,
        spacing: lattice.spacing,
        sea_level,
        topology,
        layers: layers.iter().map(|(layer, _)| layer.name().to_owned()).collect(),
    };
    post("terrain", &serde_json::to_string(&header).unwrap_or_default(), &samples);
}

fn post(kind: &str, text: &str, samples: &js_sys::Array) {
    let message = js_sys::Object::new();
    for (name, part) in
        [("kind", kind.into()), ("text", text.into()), ("samples", JsValue::from(samples))]
    {
        // Setting a part of a new object cannot fail.
        let _ = js_sys::Reflect::set(&message, &name.into(), &part);
    }
    let buffers = js_sys::Array::new();
    for array in samples.iter() {
        buffers.push(&js_sys::Float32Array::new(&array).buffer());
    }
    POST.with_borrow(|post| {
        if let Some(post) = post {
            // The page may be gone.
            let _ = post.call2(&JsValue::NULL, &message, &buffers);
        }
    });
}
