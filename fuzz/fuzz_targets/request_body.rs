//! Bodies of requests: whatever comes is typed or refused with the fields that are wrong, in a small response.
//!
//! The first byte picks the request. What the strict reader accepts, the ordinary one reads alike.

#![no_main]

use domain::limits::{ERROR_BYTES_MAX, ERRORS_MAX};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use server::fuzzing;

/// First bytes from this one on have the body unpacked too.
const PACKED: u8 = 0xC0;

fuzz_target!(|input: &[u8]| {
    let Some((kind, body)) = input.split_first() else {
        return;
    };
    if *kind >= PACKED {
        fuzzing::unpacked(body);
    }
    if let Err(refused) = fuzzing::request_body(*kind, body) {
        let first = refused.errors.first().expect("what is wrong");
        assert!(!first.reason.is_empty());
        let message = refused.message;
        assert!(message.starts_with(&first.to_string()), "{message}");
        assert!(refused.errors.len() <= ERRORS_MAX);
        assert!(refused.response.len() <= ERROR_BYTES_MAX);
    }
    if let Some(value) = fuzzing::strict_json(body) {
        let ordinary: Value = serde_json::from_slice(body).expect("the strict reader accepts less");
        assert_eq!(value, ordinary);
    }
});
