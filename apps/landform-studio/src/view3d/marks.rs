//! Marks of the peaks over the picture: dots, and a handle at each that is selected.

use eframe::egui;

use super::camera::Camera;
use super::scene::{PeakMark, Scene};
use super::steer::Surroundings;

/// Only so many of the largest peaks that are not selected get a dot.
const MOST_DOTS: usize = 40;
/// Only so many selected ones get a handle.
const MOST_HANDLES: usize = 64;
/// How near the pointer must be, in points.
const REACH: f32 = 12.0;
/// Height of a handle over its place, in points.
const POLE: f32 = 30.0;

const RED: egui::Color32 = egui::Color32::from_rgb(255, 77, 51);
const GREEN: egui::Color32 = egui::Color32::from_rgb(110, 220, 110);

/// A peak on the screen.
#[derive(Clone, Copy, Debug)]
struct Spot {
    id: usize,
    foot: egui::Pos2,
    /// Where it is grabbed.
    head: egui::Pos2,
}

/// Where the ground of a peak is.
pub(super) fn place_of(world: &Surroundings<'_>, peak: &PeakMark) -> [f64; 3] {
    let [x, z] = peak.place;
    let level = world.water.map_or(f64::NEG_INFINITY, |level| level * world.ground.exaggeration);
    [x, world.ground.height_at(x, z).max(level), z]
}

/// The peak that is seen at a place of the screen.
pub(super) fn peak_at(
    world: &Surroundings<'_>,
    camera: &Camera,
    scene: &Scene<'_>,
    at: egui::Pos2,
) -> Option<usize> {
    let spots = scene.peaks.iter().filter_map(|peak| {
        let spot = spot_of(world, camera, peak)?;
        let distance = spot.head.distance(at).min(spot.foot.distance(at));
        (distance <= REACH).then_some((peak, distance))
    });
    let mut near: Vec<_> = spots.collect();
    // What is selected has its handle in front.
    near.sort_by(|(a, near), (b, far)| b.is_selected.cmp(&a.is_selected).then(near.total_cmp(far)));
    let seen = |peak: &PeakMark| peak.is_selected || !is_hidden(world, camera, peak);
    near.iter().take(8).find(|(peak, _)| seen(peak)).map(|(peak, _)| peak.id)
}

/// Draws dots and handles.
pub(super) fn draw(
    world: &Surroundings<'_>,
    camera: &Camera,
    scene: &Scene<'_>,
    painter: &egui::Painter,
    hovered: Option<usize>,
) {
    let outline = egui::Stroke::new(1.0, egui::Color32::from_black_alpha(140));
    let dots = scene.peaks.iter().filter(|peak| !peak.is_selected);
    let extra = dots.clone().skip(MOST_DOTS).filter(|peak| Some(peak.id) == hovered);
    for peak in dots.take(MOST_DOTS).chain(extra) {
        let Some(spot) = spot_of(world, camera, peak) else { continue };
        if !is_hidden(world, camera, peak) {
            let radius = if hovered == Some(spot.id) { 5.0 } else { 3.0 };
            painter.circle(spot.foot, radius, GREEN, outline);
        }
    }
    for peak in scene.peaks.iter().filter(|peak| peak.is_selected).take(MOST_HANDLES) {
        let Some(spot) = spot_of(world, camera, peak) else { continue };
        let shadow = egui::Stroke::new(4.0, egui::Color32::from_black_alpha(90));
        painter.line_segment([spot.foot, spot.head], shadow);
        painter.line_segment([spot.foot, spot.head], egui::Stroke::new(2.0, RED));
        painter.circle(spot.foot, 2.5, RED, outline);
        let radius = if hovered == Some(spot.id) { 9.0 } else { 7.0 };
        painter.circle(spot.head, radius, RED, egui::Stroke::new(1.5, egui::Color32::WHITE));
    }
}

fn spot_of(world: &Surroundings<'_>, camera: &Camera, peak: &PeakMark) -> Option<Spot> {
    let foot = world.on_screen(camera.project(place_of(world, peak))?);
    let lift = if peak.is_selected { POLE } else { 0.0 };
    Some(Spot { id: peak.id, foot, head: foot - egui::vec2(0.0, lift) })
}

/// Whether a ridge is in front.
fn is_hidden(world: &Surroundings<'_>, camera: &Camera, peak: &PeakMark) -> bool {
    let place = place_of(world, peak);
    let Some(at) = camera.project(place) else { return true };
    let distance = camera.distance_to(place);
    world
        .seen_at(camera, at)
        .is_some_and(|seen| camera.distance_to(seen) < 0.985 * distance - world.ground.spacing[0])
}
