//! Any text as an Uplift terrain; one that is read must read again as the same after it was written.
#![no_main]

use landform::uplift::Upd;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(upd) = Upd::parse(text) {
        let again = Upd::parse(&upd.to_text()).expect("it was just written");
        assert_eq!(again.to_text(), upd.to_text());
        let _ = upd.to_recipe();
    }
});
