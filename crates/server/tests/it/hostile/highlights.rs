//! 1. A page of 100 hits whose names have thousands of words, with a matching synonym, is returned quickly.
//! 2. This holds for names of the maximum length of a text.

use super::meter::{time_max, timed};
use super::target::Target;
use crate::harness::eventually;
use serde_json::{Value, json};
use std::time::Duration;

/// The maximum time of such a search.
const SEARCH_MAX: Duration = time_max(Duration::from_secs(1));
/// Words of a name.
const WORDS: usize = 4_000;

#[test]
fn names_of_thousands_of_words_are_highlighted_quickly() {
    let target = Target::open();
    let group = json!({"terms": ["sandalia", "chancla", "zapatilla"]});
    target.own("POST", "/synonyms").json(&group).send().ok();
    let words = "a b c d ".repeat(WORDS / 4);
    for block in 0..5 {
        let documents: Vec<Value> = (0..20)
            .map(|at| json!({"id": format!("{block}-{at}"), "name": format!("sandalia {words}")}))
            .collect();
        target.bulk(&documents);
    }
    eventually("all are found", || {
        target.attacker.total(target.client(), "sandalia") == 100
    });
    target.with_bystander(|| {
        for q in ["chancla", "sandalia a b", "zapatilla"] {
            let body = json!({"q": q, "types": ["products"], "limit": 100});
            let (reply, took) = timed(|| target.search(&body));
            let hits = reply.ok().data()["products"]["hits"]
                .as_array()
                .map(Vec::len);
            assert_eq!(hits, Some(100), "{q}");
            assert!(took <= SEARCH_MAX, "{q}: {took:?}");
        }
    });
}
