//! Worlds in the window: the belts that plates raise are peaks that can be moved, and climate and biomes follow.

mod common;

use common::Window;
use eframe::egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use landform::{Grid, Layer};
use landform_studio::document::Document;

const WORLD: &str = "version = 1\nseed = 7\ntopology = \"sphere\"\nsize = [129, 65]\nspacing = [310000.0, 310000.0]\n\n# Continents.\n[[stage]]\nkind = \"plates\"\nplates = 8\ncontinental_crust = 35\nsteps = 8\n\n[[stage]]\nkind = \"sea_level\"\nocean = 60\n\n[[stage]]\nkind = \"climate\"\n\n[[stage]]\nkind = \"biomes\"\n";

fn document<'a>(window: &'a Window<'_>) -> &'a Document {
    window.harness.state().session().document()
}

/// Where a place in metres is on the screen.
fn at(window: &Window<'_>, place: [f64; 2]) -> Pos2 {
    let map = window.harness.get_by_label("Map of the terrain").rect();
    let ground = document(window).lattice().ground();
    let room = map.size() * 0.86;
    let scale = (f64::from(room.x) / ground[0]).min(f64::from(room.y) / ground[1]);
    let from = [0, 1].map(|axis| ((place[axis] - ground[axis] / 2.0) * scale) as f32);
    map.center() + vec2(from[0], from[1])
}

fn layer(window: &Window<'_>, layer: &Layer) -> Grid {
    let ground = window.harness.state().live().ground().expect("it is there");
    if *layer == Layer::Height {
        ground.heights.clone()
    } else {
        ground.layer(layer).expect("it is there").clone()
    }
}

fn differing(a: &Grid, b: &Grid, by: f32) -> usize {
    a.samples().iter().zip(b.samples()).filter(|(a, b)| (**a - **b).abs() > by).count()
}

/// The mightiest peak that lies far from the poles and from the borders of the map.
fn mightiest(window: &Window<'_>) -> usize {
    let ground = document(window).lattice().ground();
    let items = document(window).items();
    let is_inside = |k: &usize| {
        let (x, z) = (items[*k].peak.i as f64 / ground[0], items[*k].peak.j as f64 / ground[1]);
        (0.2..0.8).contains(&x) && (0.3..0.7).contains(&z)
    };
    let inside = (0..items.len()).filter(is_inside);
    let size = |k: usize| items[k].peak.height * items[k].peak.radius.powi(2);
    inside.max_by(|&a, &b| size(a).total_cmp(&size(b))).expect("it is there")
}

#[test]
fn belts_are_selected_and_moved_and_climate_and_biomes_follow() {
    let mut window = Window::new("world.toml", WORLD);
    window.settle();
    assert!(document(&window).is_raised() && document(&window).items().len() > 50);
    let steps: Vec<&str> = window.harness.state().session().history().labels().collect();
    assert!(steps.is_empty() && !window.harness.state().session().is_dirty(), "{steps:?}");
    assert_eq!(document(&window).text(), WORLD);
    let (heights, rain) = (layer(&window, &Layer::Height), layer(&window, &Layer::Precipitation));
    let k = mightiest(&window);
    let before = document(&window).items()[k].clone();
    assert!(!before.group.is_empty(), "what made it");
    let start = [before.peak.i as f64, before.peak.j as f64];
    window.click(at(&window, start), Modifiers::NONE);
    // Others may lie in the same place.
    for _ in 0..20 {
        if window.selected() == [k] {
            break;
        }
        window.harness.run_steps(4);
        window.click(at(&window, start), Modifiers::NONE);
    }
    assert_eq!(window.selected(), [k]);
    window.keys(Modifiers::SHIFT, Key::ArrowRight);
    window.settle();
    let moved = document(&window).items()[k].peak;
    assert_eq!((moved.i, moved.j), (before.peak.i + 3_100_000, before.peak.j), "ten grid lines");
    assert!(document(&window).is_by_hand());
    let text = document(&window).text();
    assert!(text.contains("# Continents.") && text.contains("belts = ["), "{text}");
    let labels: Vec<&str> = window.harness.state().session().history().labels().collect();
    assert_eq!(labels, ["Write the peaks down", "Move"]);
    let changed = differing(&layer(&window, &Layer::Height), &heights, 3.0);
    assert!(changed > 2 && changed < heights.samples().len() / 4, "only near it: {changed}");
    assert!(differing(&layer(&window, &Layer::Precipitation), &rain, 0.01) > 0, "rain follows");
    let again = Document::from_recipe(text).unwrap();
    let peaks =
        |document: &Document| document.items().iter().map(|item| item.peak).collect::<Vec<_>>();
    assert_eq!(peaks(&again), peaks(document(&window)), "it is read back as it was");
    window.keys(Modifiers::COMMAND, Key::Z);
    window.settle();
    assert!(
        differing(&layer(&window, &Layer::Height), &heights, 2.0) == 0,
        "written down, the same"
    );
    window.keys(Modifiers::COMMAND, Key::Z);
    window.settle();
    assert_eq!(document(&window).text(), WORLD);
    assert!(!window.harness.state().session().is_dirty());
    assert!(layer(&window, &Layer::Height) == heights);
}

#[test]
fn belts_are_deleted_added_and_raised_and_another_seed_has_others() {
    let mut window = Window::new("world.toml", WORLD);
    window.settle();
    let count = document(&window).items().len();
    let first = document(&window).items()[0].peak;
    window.keys(Modifiers::COMMAND, Key::R);
    window.settle();
    assert!(document(&window).is_raised());
    assert_ne!(document(&window).items()[0].peak, first, "another world");
    window.keys(Modifiers::COMMAND, Key::Z);
    window.settle();
    assert_eq!(
        (document(&window).items().len(), document(&window).items()[0].peak),
        (count, first)
    );
    let k = mightiest(&window);
    window.harness.state_mut().session_mut().selection =
        landform_studio::selection::Selection::one(k);
    window.keys(Modifiers::NONE, Key::Delete);
    assert_eq!(document(&window).items().len(), count - 1);
    let peaks = |window: &Window<'_>| {
        document(window).items().iter().map(|item| item.peak.height).collect::<Vec<_>>()
    };
    let rest = peaks(&window);
    window.keys(Modifiers::NONE, Key::A);
    assert_eq!(document(&window).items().len(), count);
    assert_eq!(peaks(&window)[..count - 1], rest[..], "belts are a sum: the others stay");
    window.settle();
    assert!(window.harness.state().live().error.is_none());
}
