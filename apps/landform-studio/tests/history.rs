//! Whatever a person does, undoing it all gives the very document back, and doing it again the very result.

use landform::uplift::{Peak, Upd};
use landform_studio::document::{Document, Item};
use landform_studio::edits::{self, Rest};
use landform_studio::painting::{Brush, Stroke};
use landform_studio::selection::Selection;
use landform_studio::session::Session;
use proptest::prelude::*;

/// Something that a person does, with numbers that are made to fit when it is done.
#[derive(Clone, Debug)]
enum Deed {
    Select(Vec<usize>),
    Move([i64; 2]),
    Set(usize, f64, f64),
    Add(i64, i64, f64),
    Delete,
    Duplicate,
    Paste,
    Rotate(f64),
    Scale(f64),
    Name(usize, String),
    Keep(bool),
    Close,
    Undo,
    Redo,
    GoTo(usize),
    Seed(u32),
    Switch,
    Paint(f64, f64, bool),
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        prop::collection::vec(0..12_usize, 0..4).prop_map(Deed::Select),
        (any::<i16>(), -30..30_i64).prop_map(|(i, j)| Deed::Move([i.into(), j])),
        (0..12_usize, -1e3..1e3, 0.1..1e3).prop_map(|(k, y, r)| Deed::Set(k, y, r)),
        (-20..60_i64, -20..60_i64, 1.0..900.0).prop_map(|(i, j, y)| Deed::Add(i, j, y)),
        Just(Deed::Delete),
        Just(Deed::Duplicate),
        Just(Deed::Paste),
        (-7.0..7.0).prop_map(Deed::Rotate),
        (0.1..3.0).prop_map(Deed::Scale),
        (0..12_usize, "[a-z ]{0,6}").prop_map(|(k, name)| Deed::Name(k, name)),
        any::<bool>().prop_map(Deed::Keep),
        Just(Deed::Close),
        Just(Deed::Undo),
        Just(Deed::Redo),
        (0..20_usize).prop_map(Deed::GoTo),
        any::<u32>().prop_map(Deed::Seed),
        Just(Deed::Switch),
        (0.0..640.0, 0.0..640.0, any::<bool>())
            .prop_map(|(x, z, erases)| Deed::Paint(x, z, erases)),
    ]
}

fn act(session: &mut Session, deed: &Deed) {
    let lattice = *session.document().lattice();
    let peaks = edits::selected(session.document(), &session.selection);
    match deed {
        Deed::Select(indices) => {
            let count = session.document().items().len();
            session.selection = indices.iter().copied().filter(|&k| k < count).collect();
        }
        Deed::Move(by) => session.move_selected(*by),
        Deed::Set(k, height, radius) => {
            if let Some(item) = session.document().items().get(*k) {
                let peak = Peak { height: *height, radius: *radius, ..item.peak };
                session.act_on_peaks("Set", vec![edits::each(&[(*k, peak)], |peak| peak)]);
            }
        }
        Deed::Add(i, j, height) => {
            let peak = Peak { i: *i, j: *j, height: *height, radius: 50.0 };
            session.add("Add", vec![Item::from(peak)]);
        }
        Deed::Delete => session.delete_selected(),
        Deed::Duplicate => session.duplicate_selected(),
        Deed::Paste => {
            let text = edits::copied(session.document(), &session.selection);
            let items = edits::pasted(session.document(), &text).expect("we wrote it");
            session.add("Paste", items);
        }
        Deed::Rotate(angle) => {
            let change = edits::rotated(&peaks, &lattice, [70.0, 20.0], *angle);
            session.act_on_peaks("Rotate", vec![change]);
        }
        Deed::Scale(factor) => {
            let change = edits::scaled(&peaks, &lattice, [70.0, 20.0], *factor);
            session.act_on_peaks("Scale", vec![change]);
        }
        Deed::Name(k, name) => {
            let names = vec![(*k, [name.clone(), "group".to_owned()])];
            session.act("Name", vec![landform_studio::action::Change::Names(names)]);
        }
        Deed::Keep(keep) => session.rest = if *keep { Rest::Kept } else { Rest::Divided },
        Deed::Close => session.close_step(),
        Deed::Undo => session.undo(),
        Deed::Redo => session.redo(),
        Deed::GoTo(position) => session.go_to(*position),
        Deed::Seed(seed) => {
            let seed = u64::from(*seed);
            let _ = session.edit_text("Seed", |text| landform::recipe::set_seed(text, seed));
        }
        Deed::Switch => {
            let edit = |text: &str| landform::recipe::set(text, "smooth.enabled", "false");
            let _ = session.edit_text("Switch a stage", edit);
        }
        Deed::Paint(x, z, erases) => {
            let brush = Brush { radius: 80.0, strength: 0.6, erases: *erases };
            if let Ok(Some(mut stroke)) = Stroke::begin(session, 1, brush, [*x, *z]) {
                stroke.go_on(session, [*z, *x]);
            }
        }
    }
}

const UPD: &str = "50 40\n5 5\n4\n3 4 500.5 60\n20 20 900 100\n-2 30 300 80\n44 10 250 33.25\n";
const RECIPE: &str = "version = 1\nseed = 3\nsize = [65, 65]\nspacing = [10.0, 10.0]\n[[stage]]\nkind = \"uplift\"\npeaks = 6\n\n# Soft.\n[[stage]]\nkind = \"smooth\"\n";

fn documents() -> [Document; 2] {
    let upd = Document::from_upd(Upd::parse(UPD).expect("it is right"));
    [upd, Document::from_recipe(RECIPE.to_owned()).expect("it is right")]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn undoing_everything_gives_the_exact_document_back(deeds in prop::collection::vec(deed(), 0..24)) {
        for start in documents() {
            let mut session = Session::new("a", start.clone());
            for deed in &deeds {
                act(&mut session, deed);
                session.selection.iter().for_each(|k| assert!(k < session.document().items().len()));
            }
            let end = session.document().clone();
            let steps = session.history().position();
            session.go_to(0);
            prop_assert_eq!(session.document(), &start);
            prop_assert_eq!(session.document().text(), start.text());
            session.go_to(steps);
            prop_assert_eq!(session.document(), &end);
            // What is saved is what is shown.
            let text = end.text();
            let again = if end.is_upd() {
                Document::from_upd(Upd::parse(&text).unwrap())
            } else {
                Document::from_recipe(text).unwrap()
            };
            let peaks = |document: &Document| {
                document.items().iter().map(|item| item.peak).collect::<Vec<_>>()
            };
            prop_assert_eq!(peaks(&again), peaks(&end));
            prop_assert_eq!(again.divisor(), end.divisor());
        }
    }
}

#[test]
fn a_drag_is_one_step_and_the_next_drag_another() {
    let [document, _] = documents();
    let mut session = Session::new("a", document);
    session.selection = Selection::one(1);
    for _ in 0..5 {
        session.move_selected([1, 0]);
    }
    session.close_step();
    session.move_selected([1, 0]);
    assert_eq!(session.history().labels().collect::<Vec<_>>(), ["Move", "Move"]);
    assert_eq!(session.document().items()[1].peak.i, 26);
    session.undo();
    assert_eq!(session.document().items()[1].peak.i, 25);
    session.undo();
    assert_eq!(session.document().items()[1].peak.i, 20);
    assert!(!session.is_dirty());
}
