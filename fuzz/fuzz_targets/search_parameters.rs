//! Query strings of `GET /search`: whatever comes is a request, or refused with the parameters that are wrong.

#![no_main]

use libfuzzer_sys::fuzz_target;
use server::fuzzing;

fuzz_target!(|input: &[u8]| {
    // An address is ASCII; the server refuses others before anything reads them.
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
