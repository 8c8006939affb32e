//! The view without a window: drawn by whatever graphics processor or software there is.

use eframe::egui;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::*;

/// A scene of these heights, ten metres apart, without water.
pub(super) fn scene(size: [usize; 2], heights: &[f32]) -> Scene<'_> {
    Scene {
        size,
        spacing: [10.0, 10.0],
        heights,
        version: 1,
        changed: None,
        shading: Shading::Natural,
        overlay: None,
        water: None,
        sun_azimuth_deg: 292.0,
        sun_elevation_deg: 26.0,
        exaggeration: 1.0,
        peaks: &[],
    }
}

#[test]
fn the_shader_is_valid() {
    use eframe::wgpu::naga;
    use eframe::wgpu::naga::valid::{Capabilities, ValidationFlags, Validator};
    let module = naga::front::wgsl::parse_str(include_str!("shader.wgsl")).expect("it parses");
    // No capability that browsers do not have.
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    validator.validate(&module).expect("it is valid");
}

/// A view with what it shows, and what it answered last.
struct Shown {
    view: View3d,
    size: [usize; 2],
    spacing: [f64; 2],
    heights: Vec<f32>,
    version: u64,
    changed: Option<Window>,
    water: Option<f64>,
    shading: Shading,
    overlay: Option<Vec<[u8; 4]>>,
    exaggeration: f64,
    peaks: Vec<PeakMark>,
    answers: Vec<Response>,
}

impl Shown {
    fn preset(name: &str, side: u32) -> Self {
        let text = landform::preset::Preset::named(name).expect("there is one").text;
        let mut recipe = landform::Recipe::parse(text).expect("it is one of ours");
        recipe.resolution = Some([side, side]);
        let plan = recipe.resolve(&landform::Inputs::default()).expect("it is complete");
        let terrain = plan.run(&plan.lattice().whole(), &()).expect("nobody cancels");
        let spacing = plan.lattice().spacing;
        let exaggeration = landform_view::Scene::default().exaggeration(&terrain);
        let water = Some(terrain.sea_level());
        let heights = terrain.height().samples().to_vec();
        let size = [side as usize; 2];
        Self { spacing, water, exaggeration, ..Self::heights(size, heights) }
    }

    fn heights(size: [usize; 2], heights: Vec<f32>) -> Self {
        Self {
            view: View3d::new(None),
            size,
            spacing: [10.0, 10.0],
            heights,
            version: 1,
            changed: None,
            water: None,
            shading: Shading::Natural,
            overlay: None,
            exaggeration: 1.0,
            peaks: Vec::new(),
            answers: Vec::new(),
        }
    }

    fn ui(&mut self, ui: &mut egui::Ui) {
        let scene = Scene {
            spacing: self.spacing,
            version: self.version,
            changed: self.changed,
            water: self.water,
            shading: self.shading,
            overlay: self.overlay.as_ref().map(|colors| Overlay { colors, version: 1 }),
            exaggeration: self.exaggeration,
            peaks: &self.peaks,
            ..scene(self.size, &self.heights)
        };
        self.answers.push(self.view.ui(ui, &scene));
    }

    fn harness(mut self, size: [f32; 2]) -> Harness<'static, Self> {
        let options = egui_wgpu::RendererOptions::PREDICTABLE;
        let setup = egui_kittest::wgpu::default_wgpu_setup();
        let state = egui_kittest::wgpu::create_render_state(setup, options);
        self.view = View3d::new(Some(state.clone()));
        let show = |ui: &mut egui::Ui, shown: &mut Self| shown.ui(ui);
        let renderer = egui_kittest::wgpu::WgpuTestRenderer::from_render_state(state);
        let builder = Harness::builder().with_size(size).renderer(renderer).with_max_steps(300);
        let mut harness = builder.build_ui_state(show, self);
        harness.run();
        harness
    }
}

fn pixels(harness: &mut Harness<'_, Shown>) -> Vec<[u8; 4]> {
    harness.render().expect("it can be drawn").pixels().map(|pixel| pixel.0).collect()
}

/// The mean difference of two pictures, in bytes.
fn difference(a: &[[u8; 4]], b: &[[u8; 4]]) -> f64 {
    let sum: u64 =
        a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / (4 * a.len()) as f64
}

#[test]
fn islands_look_as_on_record() {
    let mut shown = Shown::preset("islands", 257);
    let [gx, gz] = [0, 1].map(|axis| 256.0 * shown.spacing[axis]);
    let mark = |id: usize, x: f64, z: f64, is_selected| PeakMark {
        id,
        place: [x * gx, z * gz],
        radius: 0.1 * gx,
        is_selected,
    };
    shown.peaks = vec![mark(0, 0.3, 0.4, false), mark(1, 0.6, 0.55, true)];
    let mut harness = shown.harness([800.0, 450.0]);
    harness.snapshot("view3d-islands");
}

#[test]
fn mountains_look_as_on_record() {
    let mut harness = Shown::preset("mountains", 257).harness([800.0, 450.0]);
    harness.snapshot("view3d-mountains");
    harness.state_mut().shading = Shading::Relief;
    harness.run();
    harness.snapshot("view3d-mountains-relief");
    harness.state_mut().shading = Shading::Slope;
    harness.run();
    harness.snapshot("view3d-mountains-slope");
}
