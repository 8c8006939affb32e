//! Any bytes without a name: a recipe, an Uplift terrain or a heightmap, told by how they begin.
#![no_main]

use landform_project::{Memory, Opening, Project, Reading};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let files = Memory::default();
    let reading = Reading { memory: Some(64 << 20), ..Reading::default() };
    let opening = Opening { files: &files, reading, ..Opening::default() };
    if let Ok(project) = Project::of_bytes(bytes.to_vec(), &opening) {
        let _ = project.plan();
    }
});
