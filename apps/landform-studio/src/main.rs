//! The editor of Landform.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> eframe::Result {
    env_logger::init();
    let files: Vec<_> = std::env::args_os().skip(1).map(Into::into).collect();
    let viewport = eframe::egui::ViewportBuilder::default()
        .with_app_id("landform-studio")
        .with_title("Landform Studio")
        .with_inner_size([1440.0, 900.0])
        .with_min_inner_size([640.0, 420.0]);
    let options = eframe::NativeOptions { viewport, ..Default::default() };
    eframe::run_native(
        "landform-studio",
        options,
        Box::new(move |cc| Ok(Box::new(landform_studio::Studio::open(cc, files)))),
    )
}

/// The page starts the program: see `web.rs`.
#[cfg(target_arch = "wasm32")]
fn main() {
    landform_studio::web::keep();
}
