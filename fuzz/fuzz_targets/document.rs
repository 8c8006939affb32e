//! Any text as a document of the studio, and any edits of its text: what is saved reads again as the same document, and undoing
//! gives the old one back.
//!
//! The model of the studio knows nothing of windows, so that it is compiled here without them.
#![no_main]
#![allow(dead_code, reason = "the studio needs more of its model than this target")]

#[path = "../../apps/landform-studio/src"]
mod model {
    pub mod action;
    pub mod document;
    pub mod edits;
    pub mod evaluate;
    pub mod history;
    pub mod large;
    pub mod painting;
    pub mod selection;
    pub mod session;
}

use libfuzzer_sys::fuzz_target;
// Its files name each other from the root.
use model::{action, document, edits, evaluate, history, large, painting, selection, session};

use document::Document;
use session::Session;

fn read(text: &str, is_upd: bool) -> Option<Document> {
    match is_upd {
        true => Document::from_upd_text(text).ok(),
        false => Document::from_recipe(text.to_owned()).ok(),
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    // A text, the names of its peaks, and another text.
    let mut parts = text.split('\0');
    let (text, names) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    for is_upd in [false, true] {
        let Some(mut document) = read(text, is_upd) else { continue };
        document.set_names(names);
        if document.items().len() > 2000 || document.lattice().size.iter().any(|&n| n > 1 << 20) {
            continue;
        }
        let saved = read(&document.text(), is_upd).expect("what is saved can be read");
        assert_eq!(saved.items().len(), document.items().len());
        if let Some(other) = parts.clone().next() {
            let _ = document.with_text(other.to_owned());
        }
        change(document, is_upd);
    }
});

/// Moves, deletes and doubles peaks, and undoes it all.
fn change(document: Document, is_upd: bool) {
    let mut session = Session::new("fuzz", document);
    session.ensure_by_hand();
    let before = session.document().clone();
    let position = session.history().position();
    (0..session.document().items().len()).for_each(|index| session.selection.add(index));
    session.move_selected([3, -2]);
    session.close_step();
    session.duplicate_selected();
    session.close_step();
    session.delete_selected();
    session.close_step();
    assert!(read(&session.document().text(), is_upd).is_some(), "an edited document can be read");
    session.go_to(position);
    assert!(*session.document() == before, "undone is not the same");
}
