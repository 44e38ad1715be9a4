//! Request bodies: every input is parsed, or rejected with the invalid fields in a small response.
//!
//! The first byte selects the request. What the strict parser accepts, serde_json parses to the same value.

#![no_main]

use domain::limits::{ERROR_BYTES_MAX, ERRORS_MAX};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use server::fuzzing;

/// With first bytes from this one on, the body is decompressed too.
const COMPRESSED: u8 = 0xC0;

fuzz_target!(|input: &[u8]| {
    let Some((kind, body)) = input.split_first() else {
        return;
    };
    if *kind >= COMPRESSED {
        fuzzing::decompressed(body);
    }
    if let Err(rejected) = fuzzing::request_body(*kind, body) {
        let first = rejected.errors.first().expect("what is wrong");
        assert!(!first.reason.is_empty());
        let message = rejected.message;
        assert!(message.starts_with(&first.to_string()), "{message}");
        assert!(rejected.errors.len() <= ERRORS_MAX);
        assert!(rejected.response.len() <= ERROR_BYTES_MAX);
    }
    if let Some(value) = fuzzing::strict_json(body) {
        let ordinary: Value = serde_json::from_slice(body).expect("the strict parser accepts less");
        assert_eq!(value, ordinary);
    }
});
