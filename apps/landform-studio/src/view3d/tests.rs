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
    use wgpu::naga;
    use wgpu::naga::valid::{Capabilities, ValidationFlags, Validator};
    let module = naga::front::wgsl::parse_str(include_str!("shader.wgsl")).expect("it parses");
    // No capability that browsers do not have.
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    validator.validate(&module).expect("it is valid");
}
