//! The program in a web page: started by the page, and asked by it.
//!
//! `web/page.js` has what only a page can do, `web/worker.js` evaluates long recipes apart from it.

mod mirror;
pub(crate) mod page;
pub mod remote;

use eframe::{egui_wgpu, wgpu};
use wasm_bindgen::prelude::*;

use crate::{Studio, link};

/// Puts a terrain into the page's address, and gives that.
pub(crate) fn link_to(name: &str, text: &str) -> String {
    page::link_with(&link::fragment_of(name, text))
}

/// The program, as the page sees it.
#[wasm_bindgen]
pub struct WebHandle {
    runner: eframe::WebRunner,
}

impl std::fmt::Debug for WebHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WebHandle").finish_non_exhaustive()
    }
}

impl Default for WebHandle {
    fn default() -> Self {
        Self::new()
    }
}

#[wasm_bindgen]
impl WebHandle {
    /// Not yet started.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        eframe::WebLogger::init(log::LevelFilter::Warn).ok();
        Self { runner: eframe::WebRunner::new() }
    }

    /// Starts in a canvas, with the terrain that the fragment of the page's address names, if it names one.
    ///
    /// # Errors
    /// If the browser has no WebGL 2.
    pub async fn start(
        &self,
        canvas: web_sys::HtmlCanvasElement,
        fragment: String,
    ) -> Result<(), JsValue> {
        let mut setup = egui_wgpu::WgpuSetupCreateNew::without_display_handle();
        // One way of drawing for all browsers.
        setup.instance_descriptor.backends = wgpu::Backends::GL;
        let wgpu_options = egui_wgpu::WgpuConfiguration {
            wgpu_setup: egui_wgpu::WgpuSetup::CreateNew(setup),
            ..Default::default()
        };
        let options = eframe::WebOptions { wgpu_options, ..Default::default() };
        let create: eframe::AppCreator<'static> = Box::new(move |cc| {
            cc.egui_ctx.add_plugin(mirror::Mirror::default());
            let mut studio = Studio::new(cc);
            if let Some((name, text)) = link::text_of(&fragment) {
                studio.open_text(&cc.egui_ctx, &name, &text);
            }
            Ok(Box::new(studio))
        });
        self.runner.start(canvas, options, create).await
    }

    /// Opens the terrain that a fragment names.
    pub fn open_link(&self, fragment: &str) {
        let Some((name, text)) = link::text_of(fragment) else { return };
        if let Some(mut studio) = self.runner.app_mut::<Studio>() {
            studio.open_link(&name, &text);
        }
    }

    /// What is open and shown, for tests and for the page.
    pub fn state_json(&self) -> String {
        let Some(studio) = self.runner.app_mut::<Studio>() else { return "{}".to_owned() };
        studio.state().to_string()
    }
}

/// Does nothing but keep this module in the program: the page looks for it.
pub fn keep() {
    std::hint::black_box(WebHandle::state_json as fn(&WebHandle) -> String);
}
