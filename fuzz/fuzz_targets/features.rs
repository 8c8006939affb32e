//! Any bytes as the objects of a folder; those that are read can be written and read again.
#![no_main]

use landform_io::{features, vector};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(objects) = features::from_geojson(bytes) {
        let again = features::from_geojson(
            vector::geojson(&objects, &vector::Coordinates::metres()).as_bytes(),
        );
        assert_eq!(again.expect("it was just written").len(), objects.len());
    }
});
