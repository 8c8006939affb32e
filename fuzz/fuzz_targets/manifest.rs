//! Any bytes as a manifest; one that is read must read again as the same after it was written.
#![no_main]

use landform_io::Manifest;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(manifest) = Manifest::from_json(bytes) {
        let again =
            Manifest::from_json(manifest.to_json().as_bytes()).expect("it was just written");
        assert_eq!(again.to_json(), manifest.to_json());
        for file in &manifest.files {
            let _ = manifest.scale_of(&file.name);
        }
    }
});
