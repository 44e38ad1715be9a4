//! 1. A query string has at most 100 parameters: more are 400, with any key or none.
//! 2. Parsing one with very many parameters costs at most 5 ms of processor time more than one of the same length with
//!    a single parameter.
//! 3. Duplicate parameters are reported as briefly as duplicate keys.

use super::bodies::assert_bounded;
use super::meter::{cheapest, time_max};
use super::target::Target;
use std::fmt::Write;
use std::time::Duration;

/// The maximum cost of a query string.
const COST_MAX: Duration = time_max(Duration::from_millis(5));
/// Distinct names of up to four characters: as many as fit into the longest request line.
const NAMES: usize = 13_000;

fn names(count: usize) -> String {
    let mut query = String::new();
    for at in 0..count {
        let separator = if at == 0 { "" } else { "&" };
        write!(query, "{separator}{at:x}").expect("memory takes it");
    }
    query
}

#[test]
fn very_many_parameters_cost_no_more_than_one() {
    let target = Target::open();
    let many = names(NAMES / 4);
    let one = format!("q={}", "x".repeat(many.len() - 2));
    let send = |path: &str, query: &str| {
        let path = format!("/api/v1{path}?{query}");
        target.client().call("GET", path).send();
    };
    let cost = |path: &str, query: &str| cheapest(target.pid, 7, || send(path, query));
    for path in ["/me", "/search", "/stores"] {
        let (alone, together) = (cost(path, &one), cost(path, &many));
        assert!(
            together <= alone + COST_MAX,
            "{path}: {together:?}, with one parameter {alone:?}"
        );
        target.with_bystander(|| send(path, &many));
    }
}

#[test]
fn a_query_string_has_at_most_100_parameters() {
    let target = Target::open();
    let key = &target.attacker.public;
    let of = |query: &str| target.api("GET", &format!("/search?{query}"), key).send();
    assert_bounded(&of(&names(100)), "unknown parameters");
    assert_bounded(&of(&names(101)), "101 parameters");
    assert_bounded(&of(&names(NAMES)), "very many parameters");
    assert_bounded(
        &of(&vec!["q=a"; 8_000].join("&")),
        "one parameter again and again",
    );
    let call = target
        .client()
        .call("GET", format!("/api/v1/me?{}", names(101)));
    assert_bounded(&call.send(), "101 parameters without a key");
    let sent = of("q=bota&limit=1&lang=es");
    assert_eq!(sent.status, 200, "{sent:?}");
}
