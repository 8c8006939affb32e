//! Any text as what lies beside a heightmap: `NAME.r16.json`, `NAME.r32.json`, and the manifest of its folder.
#![no_main]

use std::path::Path;

use landform_io::SideFile;
use landform_project::{Memory, Opening, Project, Reading, read_heightmap};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&count, text)) = bytes.split_first() else { return };
    if let Ok(side) = SideFile::from_json(text) {
        let again = SideFile::from_json(side.to_json().as_bytes()).expect("it was just written");
        assert_eq!(again.to_json(), side.to_json());
    }
    let samples: Vec<u8> = (0..count).collect();
    for (name, beside) in [
        ("a.r16", "a.r16.json"),
        ("a.r32", "a.r32.json"),
        ("height.r16", "manifest.json"),
        ("height.npy", "manifest.json"),
    ] {
        let files =
            Memory([(name.to_owned(), samples.clone()), (beside.to_owned(), text.to_vec())].into());
        if let Ok(map) = read_heightmap(&files, Path::new(name), &Reading::default()) {
            assert!(map.heights.samples().len() <= samples.len());
            assert!(map.spacing.iter().all(|&step| step > 0.0 && step.is_finite()));
            assert!(map.place.is_none_or(|place| place.is_sound()));
        }
        let opening = Opening { files: &files, ..Opening::default() };
        if let Ok(project) = Project::open(Some(Path::new(name)), &opening) {
            project.plan().expect("a heightmap that was read can be shown");
        }
    }
});
