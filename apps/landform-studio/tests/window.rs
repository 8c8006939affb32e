//! The window, used as a person does: by labels, clicks, drags and keys.

mod common;

use std::time::{Duration, Instant};

use common::Window;
use eframe::egui::accesskit::Role;
use eframe::egui::{Event, Key, Modifiers, pos2, vec2};
use egui_kittest::SnapshotOptions;
use egui_kittest::kittest::Queryable as _;
use landform_studio::files::{Event as FileEvent, Files};
use landform_studio::selection::Selection;

/// Three peaks far from each other, on a ground of 1000 m by 1000 m.
const UPD: &str = "101 101\n10 10\n3\n20 20 900 100\n50 50 1200 250\n80 75 600 120\n";

#[test]
fn a_click_near_a_rim_or_a_centre_selects_and_arrow_keys_move() {
    let mut window = Window::new("three.upd", UPD);
    window.click(window.at(203.0, 200.0), Modifiers::NONE);
    assert_eq!(window.selected(), [0]);
    window.click(window.at(500.0, 751.0), Modifiers::NONE);
    assert_eq!(window.selected(), [1], "the rim of the largest");
    window.keys(Modifiers::NONE, Key::ArrowLeft);
    window.keys(Modifiers::SHIFT, Key::ArrowDown);
    assert_eq!(window.peak(1), (49, 60, 1200.0, 250.0));
    window.keys(Modifiers::COMMAND, Key::Z);
    window.keys(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.peak(1), (50, 50, 1200.0, 250.0));
    window.keys(Modifiers::COMMAND, Key::Y);
    assert_eq!(window.peak(1), (49, 50, 1200.0, 250.0));
    window.click(window.at(30.0, 970.0), Modifiers::NONE);
    assert!(window.selected().is_empty(), "a click into nothing");
    window.keys(Modifiers::NONE, Key::ArrowUp);
    assert_eq!(window.peak(1), (49, 50, 1200.0, 250.0), "without a selection the arrows scroll");
}

#[test]
fn another_document_with_fewer_peaks_takes_the_place_of_one() {
    let mut window = Window::new("three.upd", UPD);
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().open_text(&ctx, "one.upd", "101 101\n10 10\n1\n50 50 500 200\n");
    window.harness.run_steps(8);
    assert_eq!(window.harness.state().session().name, "one.upd");
    window.click(window.at(500.0, 500.0), Modifiers::NONE);
    assert_eq!(window.selected(), [0]);
}

#[test]
fn repeated_clicks_go_through_overlapping_circles() {
    let text = "101 101\n10 10\n3\n50 50 900 200\n50 50 800 200\n50 50 700 200\n";
    let mut window = Window::new("same.upd", text);
    let rim = window.at(700.0, 500.0);
    let picked: Vec<_> = (0..4)
        .map(|_| {
            window.click(rim, Modifiers::NONE);
            // Two clicks in short order would be a double click.
            window.harness.run_steps(4);
            window.selected()[0]
        })
        .collect();
    assert_eq!(picked, [0, 1, 2, 0]);
}

#[test]
fn dragging_moves_widens_raises_and_selects() {
    let mut window = Window::new("three.upd", UPD);
    window.drag(window.at(200.0, 200.0), window.at(300.0, 150.0));
    assert_eq!(window.peak(0), (30, 15, 900.0, 100.0));
    assert_eq!(window.selected(), [0]);
    window.drag(window.at(400.0, 150.0), window.at(500.0, 150.0));
    let (i, j, _, radius) = window.peak(0);
    assert_eq!((i, j), (30, 15));
    assert!((radius - 200.0).abs() < 2.0, "{radius}");
    let handle = window.at(300.0, 150.0) + vec2(0.0, -42.0);
    window.drag(handle, handle + vec2(0.0, -120.0));
    let (.., height, _) = window.peak(0);
    assert!((height - 1800.0).abs() < 20.0, "{height}");
    let steps: Vec<String> = {
        let session = window.harness.state().session();
        session.history().labels().map(str::to_owned).collect()
    };
    assert_eq!(steps, ["Move", "Widen", "Raise"]);
    window.drag(window.at(420.0, 960.0), window.at(990.0, 420.0));
    assert_eq!(window.selected(), [1, 2], "by a rectangle");
    window.drag(window.at(500.0, 500.0), window.at(520.0, 500.0));
    assert_eq!((window.peak(1).0, window.peak(2).0), (52, 82), "together");
}

#[test]
fn peaks_are_added_deleted_duplicated_and_pasted_and_the_rest_stays() {
    let mut window = Window::new("three.upd", UPD);
    window.settle();
    let height = |window: &Window<'_>, place| {
        let live = window.harness.state().live();
        live.ground().and_then(|ground| ground.at(place)).unwrap().0
    };
    let before = height(&window, [210.0, 200.0]);
    window.click(window.at(800.0, 750.0), Modifiers::NONE);
    window.keys(Modifiers::NONE, Key::Delete);
    window.settle();
    assert_eq!(window.harness.state().session().document().items().len(), 2);
    assert!((height(&window, [210.0, 200.0]) - before).abs() < 1e-3);
    window.keys(Modifiers::COMMAND, Key::A);
    window.keys(Modifiers::COMMAND, Key::D);
    assert_eq!(window.selected(), [2, 3]);
    let upd = "9 9\n10 10\n1\n7 8 300 40\n";
    window.harness.event(Event::Paste(upd.to_owned()));
    window.harness.run_steps(2);
    assert_eq!(window.selected(), [4]);
    assert_eq!((window.peak(4).0, window.peak(4).1), (7, 8));
    for _ in 0..3 {
        window.keys(Modifiers::COMMAND, Key::Z);
    }
    assert_eq!(window.harness.state().session().document().text(), UPD);
    assert!(!window.harness.state().session().is_dirty());
}

#[test]
fn the_properties_of_a_peak_are_typed_in() {
    let mut window = Window::new("three.upd", UPD);
    window.click(window.at(500.0, 500.0), Modifiers::NONE);
    for (label, value) in [("y_p", "674"), ("r_p", "33")] {
        let field = window.harness.get_by_role_and_label(Role::SpinButton, label);
        field.click();
        window.harness.run_steps(2);
        window.keys(Modifiers::COMMAND, Key::A);
        window.harness.event(Event::Text(value.to_owned()));
        window.keys(Modifiers::NONE, Key::Enter);
    }
    assert_eq!(window.peak(1), (50, 50, 674.0, 33.0));
}

#[test]
fn a_damaged_file_is_told_with_its_place_and_what_is_open_stays() {
    let mut window = Window::new("three.upd", UPD);
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().open_text(&ctx, "broken.upd", "10 10\n1 1\n1\n5 five 3 2\n");
    window.harness.run_steps(2);
    let message = window.harness.get_by_label_contains("broken.upd:4:3");
    assert!(message.rect().is_positive());
    assert_eq!(window.harness.state().session().document().text(), UPD);
    window.press("Close");
}

#[test]
fn what_is_saved_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("moved.upd");
    let place = path.to_string_lossy().into_owned();
    let mut window = Window::new("three.upd", UPD);
    window.click(window.at(200.0, 200.0), Modifiers::NONE);
    window.keys(Modifiers::NONE, Key::ArrowRight);
    let text = window.harness.state().session().document().text();
    let mut files = Files::in_folder(&window.harness.ctx, None);
    files.save(&place, text.as_bytes());
    assert!(matches!(files.poll(), Some(FileEvent::Saved { .. })));
    files.open(&place);
    let Some(FileEvent::Opened(opened)) = files.poll() else { panic!("it was written") };
    assert_eq!(String::from_utf8(opened.bytes).unwrap(), UPD.replace("20 20 900", "21 20 900"));
}

#[test]
fn stages_are_switched_and_set_by_widgets() {
    let text = "version = 1\nsize = [129, 129]\nspacing = [10.0, 10.0]\n\n# Hills.\n[[stage]]\nkind = \"uplift\"\npeaks = 30\n\n[[stage]]\nkind = \"noise\"\namplitude = 20\n";
    let mut window = Window::new("hills.toml", text);
    window.press("Noise");
    let slider = Role::Slider;
    window.harness.get_by_role_and_label(slider, "Octaves").set_value_accesskit(3.0);
    window.harness.run_steps(3);
    assert!(window.harness.state().session().document().text().contains("octaves = 3"));
    window.keys(Modifiers::COMMAND, Key::Z);
    window.press("Noise");
    window.settle();
    let heights =
        |window: &Window<'_>| window.harness.state().live().ground().unwrap().heights.clone();
    let before = heights(&window);
    window.keys(Modifiers::COMMAND, Key::R);
    window.settle();
    assert!(heights(&window) != before, "another seed, another terrain");
    assert!(window.harness.state().session().document().text().contains("# Hills."));
    window.keys(Modifiers::COMMAND, Key::Z);
    window.settle();
    assert!(heights(&window) == before);
    assert_eq!(window.harness.state().session().document().text(), text);
}

#[test]
fn the_ground_is_made_bare_and_green_again() {
    let text =
        "version = 1\nsize = [65, 65]\nspacing = [10.0, 10.0]\n\n[[stage]]\nkind = \"noise\"\n";
    let mut window = Window::new("hills.toml", text);
    let heights =
        |window: &Window<'_>| window.harness.state().live().ground().unwrap().heights.clone();
    let before = heights(&window);
    window.press("Bare");
    window.settle();
    let document = window.harness.state().session().document();
    assert!(document.text().contains("\nground = \"bare\"\n"), "{}", document.text());
    assert_eq!(document.cover(), landform::GroundCover::Bare);
    assert!(heights(&window) == before, "it only looks otherwise");
    window.keys(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.harness.state().session().document().text(), text);
}

#[test]
fn one_stage_is_seen_alone_and_the_recipe_stays() {
    let text = "version = 1\nsize = [101, 101]\nspacing = [10.0, 10.0]\n\n[[stage]]\nkind = \"uplift\"\npeaks = 30\n\n[[stage]]\nkind = \"noise\"\n";
    let mut window = Window::new("hills.toml", text);
    let heights =
        |window: &Window<'_>| window.harness.state().live().ground().unwrap().heights.clone();
    let alone = |kind: &str| {
        let mut recipe = landform::Recipe::parse(text).unwrap();
        recipe.stages.retain(|entry| entry.label() == kind);
        let plan = recipe.resolve(&landform::Inputs::default()).unwrap();
        plan.run(&plan.lattice().whole(), &()).unwrap().height().clone()
    };
    let all = heights(&window);
    for (k, kind) in ["uplift", "noise"].into_iter().enumerate() {
        let press = |window: &mut Window<'_>| {
            window.harness.get_all_by_label("S").nth(k).unwrap().click();
            window.settle();
        };
        press(&mut window);
        assert!(heights(&window) == alone(kind), "{kind} alone");
        press(&mut window);
        assert!(heights(&window) == all);
    }
    assert_eq!(window.harness.state().session().document().text(), text);
}

#[test]
fn the_probe_names_what_each_stage_adds() {
    let text = "version = 1\nsize = [101, 101]\nspacing = [10.0, 10.0]\n\n[[stage]]\nkind = \"uplift\"\npeaks = 30\n\n[[stage]]\nkind = \"noise\"\namplitude = 200\n\n[[stage]]\nkind = \"plane\"\nheight = 40\n";
    let mut window = Window::new("hills.toml", text);
    let ground = window.harness.state().live().ground().unwrap();
    for place in [[130.0, 420.0], [605.0, 333.0], [999.0, 1000.0]] {
        let parts = ground.parts_at(place);
        let labels: Vec<&str> = parts.iter().map(|(label, _)| *label).collect();
        assert_eq!(labels, ["uplift", "noise", "plane"]);
        assert!((parts[2].1 - 40.0).abs() < 1e-3, "{parts:?}");
        let sum: f64 = parts.iter().map(|(_, part)| part).sum();
        assert!((sum - ground.at(place).unwrap().0).abs() < 1e-3);
    }
    window.harness.event(Event::PointerMoved(window.at(350.0, 420.0)));
    window.harness.run_steps(2);
    assert!(window.harness.query_by_label_contains("plane 40.0 m").is_some());
}

#[test]
fn a_long_stage_is_cancelled_and_the_next_request_is_not_delayed() {
    let text = "version = 1\nsize = [1025, 1025]\nspacing = [10.0, 10.0]\n\n[[stage]]\nkind = \"noise\"\n\n[[stage]]\nkind = \"hydraulic\"\n";
    let mut window = Window::keeping(None, Some(("long.toml", text)), [1200.0, 800.0]);
    window.press("Skip the tour");
    window.until("the simulation runs", |window| {
        let progress = window.harness.state().live().progress();
        progress.is_some_and(|(stage, _)| stage == "hydraulic")
    });
    window.press("Cancel");
    assert!(!window.harness.state().live().is_busy());
    assert!(!window.has("Cancel"));
    let ctx = window.harness.ctx.clone();
    let start = Instant::now();
    window.harness.state_mut().open_text(&ctx, "three.upd", UPD);
    window.settle();
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn peaks_are_found_by_name_group_and_number() {
    let mut window = Window::new("three.upd", UPD);
    let names =
        vec![(0, ["Old Man".to_owned(), String::new()]), (2, [String::new(), "Coast".to_owned()])];
    let change = landform_studio::action::Change::Names(names);
    window.harness.state_mut().session_mut().act("Name", vec![change]);
    for (word, found) in [("old m", "Old Man · 0"), ("coast", "Peak 2  [Coast]"), ("1", "Peak 1")]
    {
        window.harness.get_by_label("Search").click();
        window.harness.run_steps(2);
        window.type_in(word);
        assert!(window.has("1 of 3 peaks"), "{word}");
        window.harness.get_by_label_contains(found).click();
        window.harness.run_steps(2);
        assert_eq!(window.selected().len(), 1, "{word}");
    }
    assert_eq!(window.selected(), [1]);
}

#[test]
fn the_help_page_lists_the_keys_and_closes() {
    let mut window = Window::new("three.upd", UPD);
    window.keys(Modifiers::NONE, Key::F1);
    for text in ["Keys and mouse", "Ctrl+Z", "Drag a rim"] {
        assert!(window.has(text), "{text}");
    }
    window.keys(Modifiers::NONE, Key::ArrowRight);
    window.keys(Modifiers::NONE, Key::Escape);
    assert!(!window.has("Drag a rim"));
}

#[test]
fn flat_places_are_dragged_and_rivers_drawn_on_the_map() {
    let text = "version = 1\nsize = [101, 101]\nspacing = [10.0, 10.0]\n\n[[stage]]\nkind = \"noise\"\n\n# The town.\n[[stage]]\nkind = \"flatten\"\npads = [{ name = \"town\", x = 300, z = 400, radius = 80, margin = 40 }]\n";
    let mut window = Window::new("town.toml", text);
    window.drag(window.at(300.0, 400.0), window.at(600.0, 500.0));
    let now = |window: &Window<'_>| window.harness.state().session().document().text();
    assert!(now(&window).contains("# The town."));
    let handles = |window: &Window<'_>| {
        let session = window.harness.state().session();
        landform_studio::objects::handles(session.document())
    };
    let [x, z] = handles(&window)[0].place;
    assert!((x - 600.0).abs() < 3.0 && (z - 500.0).abs() < 3.0, "{x} {z}");
    window.press("River");
    window.drag(window.at(100.0, 50.0), window.at(850.0, 900.0));
    assert_eq!(handles(&window).len(), 4, "{}", now(&window));
    window.keys(Modifiers::COMMAND, Key::Z);
    window.keys(Modifiers::COMMAND, Key::Z);
    assert_eq!(now(&window), text);
}

#[test]
fn ten_thousand_peaks_are_pleasant() {
    let peak = |k: u64| {
        let (i, j) = (k * 7919 % 1025, k * 104_729 % 1025);
        format!("{i} {j} {} {}\n", 300 + k % 900, 40 + k % 300)
    };
    let text = format!("1025 1025\n10 10\n10000\n{}", (0..10_000).map(peak).collect::<String>());
    let mut window = Window::new("many.upd", &text);
    window.settle();
    // The quickest of several frames: the machine may have other things to do.
    let frame = |k: u8| {
        let start = Instant::now();
        window.harness.event(Event::PointerMoved(pos2(500.0 + f32::from(k), 400.0)));
        window.harness.step();
        start.elapsed()
    };
    let quickest = (0..20).map(frame).min().unwrap();
    assert!(quickest < Duration::from_millis(60), "a frame takes {quickest:?}");
}

#[test]
fn the_window_looks_as_on_record() {
    let mut window = Window::new("three.upd", UPD);
    window.click(window.at(500.0, 500.0), Modifiers::NONE);
    window.harness.event(Event::PointerMoved(window.at(350.0, 420.0)));
    window.settle();
    let options = SnapshotOptions::new().threshold(1.5).max_failed_pixels(1500);
    window.harness.snapshot_options("window", &options);
}

#[test]
fn the_view_shows_the_terrain_as_saved_and_as_it_is_now() {
    let mut window = Window::sized("three.upd", UPD, [1200.0, 800.0]);
    window.harness.state_mut().session_mut().selection = Selection::one(1);
    (0..3).for_each(|_| window.keys(Modifiers::SHIFT, Key::ArrowRight));
    window.keys(Modifiers::NONE, Key::Escape);
    window.settle();
    window.keys(Modifiers::NONE, Key::B);
    window.harness.run_steps(4);
    let view = window.harness.get_by_role_and_label(Role::Image, "3-D view").rect();
    let mut picture = |word: &str| {
        window.press(word);
        window.settle();
        // Below the words, which change their colour.
        let image = window.harness.render().unwrap();
        let (left, top) = (view.left() as u32 + 4, view.top() as u32 + 60);
        let (width, height) = (view.width() as u32 - 8, view.height() as u32 - 64);
        let pixels = (0..height).flat_map(|j| (0..width).map(move |i| (left + i, top + j)));
        pixels.map(|(i, j)| image.get_pixel(i, j).0).collect::<Vec<[u8; 4]>>()
    };
    let (saved, now, again) = (picture("As saved"), picture("Now"), picture("As saved"));
    let differing = |a: &[[u8; 4]], b: &[[u8; 4]]| a.iter().zip(b).filter(|(a, b)| a != b).count();
    assert!(differing(&saved, &now) > saved.len() / 50, "{}", differing(&saved, &now));
    assert!(differing(&saved, &again) < saved.len() / 1000, "{}", differing(&saved, &again));
}

#[test]
fn tools_without_room_are_in_a_menu_and_none_cover_each_other() {
    let text =
        "version = 1\nsize = [65, 65]\nspacing = [10.0, 10.0]\n\n[[stage]]\nkind = \"noise\"\n";
    let tools = ["↶ Undo", "Before / after", "Another seed", "River", "Flat place", "Mask brush"];
    for (width, is_roomy) in [(700.0, false), (1000.0, false), (1280.0, true), (1920.0, true)] {
        let mut window = Window::sized("hills.toml", text, [width, 700.0]);
        assert_eq!(window.has("More…"), !is_roomy, "{width}");
        let first_layout = window.harness.get_by_role_and_label(Role::Button, "Both").rect().left();
        for label in tools.into_iter().filter(|label| window.has(label)) {
            let right = window.harness.get_by_label(label).rect().right();
            assert!(right <= first_layout, "{label} at {width}");
        }
        if !is_roomy {
            window.press("More…");
        }
        window.press("Mask brush");
        window.harness.run_steps(4);
        assert!(window.has("Strength"), "the brush is in the hand at {width}");
    }
}
