//! Query strings of `GET /search`: every input is parsed, or rejected with the invalid parameters.

#![no_main]

use libfuzzer_sys::fuzz_target;
use server::fuzzing;

fuzz_target!(|input: &[u8]| {
    // A URL is ASCII; the server rejects others before they are parsed.
    let Ok(query) = str::from_utf8(input) else {
        return;
    };
    if let Err(wrong) = fuzzing::search_parameters(query) {
        assert!(!wrong.is_empty());
        for invalid in wrong {
            assert!(!invalid.reason.is_empty());
            assert!(invalid.field.starts_with("query"), "{}", invalid.field);
        }
    }
});
