//! The view without a window: drawn by whatever graphics processor or software there is.

use eframe::egui;
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotOptions};

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

/// Processors draw single pixels differently, since drivers without graphics hardware compile shaders for them.
fn as_drawn_anywhere() -> SnapshotOptions {
    SnapshotOptions::new().max_failed_pixels(100)
}

#[test]
fn islands_look_as_on_record() {
    let mut shown = Shown::preset("paper_islands", 257);
    let [gx, gz] = [0, 1].map(|axis| 256.0 * shown.spacing[axis]);
    let mark = |id: usize, x: f64, z: f64, is_selected| PeakMark {
        id,
        place: [x * gx, z * gz],
        radius: 0.1 * gx,
        is_selected,
    };
    shown.peaks = vec![mark(0, 0.3, 0.4, false), mark(1, 0.6, 0.55, true)];
    let mut harness = shown.harness([800.0, 450.0]);
    harness.snapshot_options("view3d-islands", &as_drawn_anywhere());
}

#[test]
fn mountains_look_as_on_record() {
    let mut harness = Shown::preset("mountains", 257).harness([800.0, 450.0]);
    harness.snapshot_options("view3d-mountains", &as_drawn_anywhere());
    harness.state_mut().shading = Shading::Relief;
    harness.run();
    harness.snapshot_options("view3d-mountains-relief", &as_drawn_anywhere());
    harness.state_mut().shading = Shading::Slope;
    harness.run();
    harness.snapshot_options("view3d-mountains-slope", &as_drawn_anywhere());
}

#[test]
fn bare_ground_is_redder_than_green_ground() {
    let mut harness = Shown::heights([33, 33], rough([33, 33])).harness([160.0, 120.0]);
    let mut red_and_green = |shading: Shading| {
        harness.state_mut().shading = shading;
        harness.run();
        let pixels = pixels(&mut harness);
        let sum = |channel: usize| pixels.iter().map(|pixel| u64::from(pixel[channel])).sum();
        let both: [u64; 2] = [sum(0), sum(1)];
        both
    };
    let [red, green] = red_and_green(Shading::Natural);
    let [bare_red, bare_green] = red_and_green(Shading::Bare);
    assert!(bare_red * green > red * bare_green, "{red} {green}, {bare_red} {bare_green}");
}

fn rough(size: [usize; 2]) -> Vec<f32> {
    let seed = landform::Seed::new(5).child("rough");
    let height = |k: usize| {
        let (i, j) = ((k % size[0]) as i64, (k / size[0]) as i64);
        (120.0 * seed.uniform_at(i, j) + 40.0 * seed.uniform_at(i / 16, j / 16)) as f32
    };
    (0..size[0] * size[1]).map(height).collect()
}

#[test]
fn a_change_of_a_part_is_drawn_like_the_whole() {
    let mut harness = Shown::heights([90, 70], rough([90, 70])).harness([300.0, 200.0]);
    let before = pixels(&mut harness);
    let window = Window { start: [30, 20], end: [60, 50] };
    let shown = harness.state_mut();
    for j in window.rows() {
        for i in window.columns() {
            shown.heights[j * 90 + i] += 300.0;
        }
    }
    (shown.version, shown.changed) = (2, Some(window));
    harness.run();
    let part = pixels(&mut harness);
    assert!(difference(&before, &part) > 1.0, "something changed");
    (harness.state_mut().version, harness.state_mut().changed) = (9, None);
    harness.run();
    assert_eq!(difference(&part, &pixels(&mut harness)), 0.0);
}

#[test]
fn the_ground_has_no_cracks() {
    let size = [700, 700];
    let mut shown = Shown::heights(size, rough(size));
    shown.overlay = Some(vec![[255, 0, 255, 255]; size[0] * size[1]]);
    let mut harness = shown.harness([320.0, 240.0]);
    for distance in [500.0, 1500.0, 4000.0] {
        let view = &mut harness.state_mut().view;
        let camera = view.camera.as_mut().expect("it was drawn");
        (camera.target, camera.distance) = ([3500.0, 80.0, 3500.0], distance);
        camera.elevation = 1.4;
        harness.run();
        let picture = harness.render().expect("it can be drawn");
        let holes = picture.enumerate_pixels().filter(|(x, y, pixel)| {
            let is_inside = (12..308).contains(x) && (12..228).contains(y);
            let [r, g, b, _] = pixel.0.map(i32::from);
            is_inside && (g > r || g > b)
        });
        assert_eq!(holes.count(), 0, "from {distance} m");
    }
}

#[test]
fn ground_at_the_level_of_the_sea_is_sea() {
    let height = |k: usize| if k % 61 < 30 { 0.0 } else { 400.0 };
    let mut shown = Shown::heights([61, 61], (0..61 * 61).map(height).collect());
    shown.water = Some(0.0);
    let mut harness = shown.harness([300.0, 200.0]);
    let camera = harness.state_mut().view.camera.as_mut().expect("it was drawn");
    (camera.target, camera.distance) = ([120.0, 0.0, 300.0], 200.0);
    camera.elevation = 1.0;
    harness.run();
    let picture = harness.render().expect("it can be drawn");
    let middle = picture
        .enumerate_pixels()
        .filter(|(x, y, _)| (90..210).contains(x) && (60..140).contains(y));
    assert_eq!(
        middle.filter(|(_, _, pixel)| pixel.0[2] <= pixel.0[0]).count(),
        0,
        "all of it is blue"
    );
}

#[test]
fn a_peak_is_picked_and_dragged_over_the_ground() {
    let mut shown = Shown::heights([101, 101], vec![100.0; 101 * 101]);
    let mark = |id, x, z| PeakMark { id, place: [x, z], radius: 100.0, is_selected: false };
    shown.peaks = vec![mark(7, 500.0, 500.0), mark(8, 200.0, 700.0)];
    let mut harness = shown.harness([400.0, 300.0]);
    let spot = |harness: &Harness<'_, Shown>, place: [f64; 3]| {
        let rect = harness.get_by_label("3-D view").rect();
        let [x, y] = harness.state().view.camera.unwrap().project(place).unwrap();
        let half = 0.5 * rect.size();
        rect.center() + egui::vec2(x as f32 * half.x, -y as f32 * half.y)
    };
    let at = spot(&harness, [200.0, 100.0, 700.0]);
    harness.drag_at(at);
    harness.run();
    harness.drop_at(at);
    harness.run();
    let click = harness.state().answers.iter().find_map(|answer| answer.click);
    assert_eq!(click, Some(Click { peak: Some(8), is_additive: false }));

    let (from, to) = (spot(&harness, [500.0, 100.0, 500.0]), spot(&harness, [560.0, 100.0, 430.0]));
    harness.state_mut().answers.clear();
    harness.drag_at(from);
    harness.run();
    harness.hover_at(from + 0.5 * (to - from));
    harness.run();
    harness.hover_at(to);
    harness.run();
    harness.drop_at(to);
    harness.run();
    let drags: Vec<Drag> =
        harness.state().answers.iter().filter_map(|answer| answer.drag).collect();
    let last = drags.last().expect("it was dragged");
    assert_eq!((last.peak, last.is_done), (7, true));
    assert!((last.to[0] - 560.0).abs() < 6.0 && (last.to[1] - 430.0).abs() < 6.0, "{last:?}");
    harness.hover_at(to);
    harness.run();
    let ground = harness.state().answers.last().and_then(|answer| answer.ground);
    let [x, z] = ground.expect("the pointer is over the ground");
    assert!((x - 560.0).abs() < 6.0 && (z - 430.0).abs() < 6.0, "{x} {z}");
}

#[test]
fn dragging_over_nothing_turns_the_view() {
    let mut harness = Shown::heights([60, 60], rough([60, 60])).harness([300.0, 200.0]);
    let before = harness.state().view.camera.unwrap();
    harness.drag_at(egui::pos2(100.0, 150.0));
    harness.run();
    harness.hover_at(egui::pos2(160.0, 150.0));
    harness.run();
    harness.drop_at(egui::pos2(160.0, 150.0));
    harness.run();
    let after = harness.state().view.camera.unwrap();
    assert!((after.azimuth - before.azimuth).abs() > 0.3, "{before:?} {after:?}");
    assert_eq!(after.target, before.target);
    harness.hover_at(egui::pos2(160.0, 150.0));
    harness.run();
    harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, 120.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: egui::Modifiers::NONE,
    });
    harness.run();
    assert!(harness.state().view.camera.unwrap().distance < 0.95 * after.distance);
}

#[test]
fn every_terrain_can_be_shown() {
    let flat =
        |size: [usize; 2], height: f32| Shown::heights(size, vec![height; size[0] * size[1]]);
    let mut holes = Shown::heights([20, 20], rough([20, 20]));
    holes.heights[5..60].fill(f32::NAN);
    holes.water = Some(60.0);
    let mut deep = flat([9, 9], -50.0);
    deep.water = Some(0.0);
    // Wider than a texture can be.
    let wide = flat([9001, 3], 10.0);
    let mut squeezed = Shown::heights([30, 30], rough([30, 30]));
    squeezed.exaggeration = 0.0;
    for shown in [flat([1, 1], 5.0), flat([2, 1], f32::NAN), holes, deep, wide, squeezed] {
        let size = shown.size;
        let mut harness = shown.harness([120.0, 80.0]);
        let picture = pixels(&mut harness);
        assert!(picture.iter().any(|pixel| *pixel != picture[picture.len() / 2]), "{size:?}");
    }
}
