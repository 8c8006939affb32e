//! A peak of carved land that is dragged: previews follow, and the whole when it is let go.

#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

mod common;

use common::Window;
use eframe::egui::{Event, Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use landform::preset::Preset;
use landform_studio::selection::Selection;

const SIDE: u32 = 513;

/// The default terrain on half of its grid lines, for the tests are to be quick.
fn mountains() -> String {
    let text = Preset::named("mountains").unwrap().text;
    text.replace("[1025, 1025]", "[513, 513]").replace("[20.0, 20.0]", "[40.0, 40.0]")
}

/// Where a grid line is on the screen: the map is fitted to its window.
fn place(window: &Window<'_>, [i, j]: [i64; 2]) -> Pos2 {
    let map = window.harness.get_by_label("Map of the terrain").rect();
    let scale = map.width().min(map.height()) * 0.86 / (SIDE - 1) as f32;
    let middle = f64::from(SIDE - 1) / 2.0;
    map.center() + vec2((i as f64 - middle) as f32, (j as f64 - middle) as f32) * scale
}

fn shown(window: &Window<'_>) -> (u32, u64) {
    let ground = window.harness.state().live().ground().unwrap();
    (ground.lattice.size[0], ground.version)
}

fn heights(window: &Window<'_>) -> landform::Grid {
    window.harness.state().live().ground().unwrap().heights.clone()
}

fn move_to(window: &mut Window<'_>, pos: Pos2) {
    window.harness.event(Event::PointerMoved(pos));
    // What a frame changes is asked for by the next.
    window.harness.run_steps(3);
}

fn button(window: &mut Window<'_>, pos: Pos2, pressed: bool) {
    let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
    window.harness.event(Event::PointerButton { pos, button, pressed, modifiers });
    window.harness.step();
}

#[test]
fn previews_follow_a_peak_and_the_whole_comes_when_it_is_let_go() {
    let text = mountains();
    let mut window = Window::new("mountains.toml", &text);
    assert_eq!(shown(&window).0, SIDE);
    let before = heights(&window);
    let items = window.harness.state().session().document().items();
    let inside = |at: i64| (60..i64::from(SIDE) - 60).contains(&at);
    let peaks = items.iter().map(|item| item.peak).filter(|peak| inside(peak.i) && inside(peak.j));
    let peak = peaks.max_by(|a, b| a.height.total_cmp(&b.height)).unwrap();
    let from = place(&window, [peak.i, peak.j]);
    move_to(&mut window, from);
    button(&mut window, from, true);

    // Each time that the pointer rests, a preview of what is there now comes, and nothing else.
    let mut seen = Vec::new();
    for k in 1..=3_u8 {
        move_to(&mut window, from + vec2(20.0, 12.0) * f32::from(k));
        window.until("a preview", |window| !window.harness.state().live().is_busy());
        assert!(window.harness.state().live().is_preview());
        assert_eq!(shown(&window).0, 257);
        let now = heights(&window);
        assert!(seen.iter().all(|old| *old != now), "the land follows");
        seen.push(now);
    }
    assert_ne!(window.harness.state().session().document().text(), text);
    // However fast it moves, what is asked for in the meantime is not made.
    let (_, version) = shown(&window);
    let mut last = from;
    for k in 0..40_u8 {
        last = from + vec2(60.0 + f32::from(k), 36.0 - f32::from(k));
        move_to(&mut window, last);
    }
    button(&mut window, last, false);
    window.until("the whole", |window| !window.harness.state().live().is_busy());
    assert!(!window.harness.state().live().is_preview());
    assert_eq!(shown(&window).0, SIDE);
    assert!(shown(&window).1 < version + 40, "{} {version}", shown(&window).1);
    let document = window.harness.state().session().document();
    let plan = document.recipe().resolve(&landform::Inputs::default()).unwrap();
    assert!(&heights(&window) == plan.run(&plan.lattice().whole(), &()).unwrap().height());

    // One step moves it, and one wrote the peaks down.
    for _ in 0..2 {
        window.keys(Modifiers::COMMAND, Key::Z);
    }
    window.settle();
    assert_eq!(window.harness.state().session().document().text(), text);
    assert!(heights(&window) == before);
}

#[test]
fn what_is_under_way_is_given_up_when_a_peak_is_moved_again() {
    let mut window = Window::new("mountains.toml", &mountains());
    let peak = window.harness.state().session().document().items()[0].peak;
    let from = place(&window, [peak.i.clamp(60, 450), peak.j.clamp(60, 450)]);
    window.harness.state_mut().session_mut().selection = Selection::one(0);
    window.keys(Modifiers::NONE, Key::ArrowRight);
    assert!(window.harness.state().live().is_busy(), "the whole is under way");
    move_to(&mut window, from);
    button(&mut window, from, true);
    window.harness.state_mut().session_mut().selection = Selection::one(0);
    window.harness.state_mut().session_mut().move_selected([5, 5]);
    window.harness.run_steps(3);
    // What is asked for now is the preview alone; the end of the whole is no longer news.
    window.until("a preview", |window| !window.harness.state().live().is_busy());
    assert!(window.harness.state().live().is_preview());
    assert_eq!(shown(&window).0, 257);
    button(&mut window, from, false);
    window.settle();
    assert_eq!(shown(&window).0, SIDE);
}
