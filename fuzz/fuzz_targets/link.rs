//! Any text as the fragment of a link: what it holds is written and read as the same, and opened like a file.
#![no_main]

#[path = "../../apps/landform-studio/src/base64.rs"]
mod base64;
#[path = "../../apps/landform-studio/src/link.rs"]
mod link;

use std::path::Path;

use landform_project::{Memory, Opening, Project};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(fragment) = std::str::from_utf8(bytes) else { return };
    let same = link::text_of(&link::fragment_of(fragment, fragment));
    assert_eq!(same, Some((fragment.to_owned(), fragment.to_owned())));
    if let Some((name, text)) = link::text_of(fragment) {
        let again = link::fragment_of(&name, &text);
        assert_eq!(link::text_of(&again), Some((name.clone(), text.clone())));
        let files = Memory([(name.clone(), text.into_bytes())].into());
        let opening = Opening { files: &files, ..Opening::default() };
        let _ = Project::open(Some(Path::new(&name)), &opening);
    }
});
