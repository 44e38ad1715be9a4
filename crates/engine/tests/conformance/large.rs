//! Documents that far exceed today's limits: their cost, and the texts of their hits.

use super::fixture::{Engines, apply, document, folder, named, open, put, search};
use domain::Document;
use engine::{DocumentChange, Request};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Documents with `count` parts, one for each kind of part that is processed one by one.
fn shapes(count: usize) -> Vec<(&'static str, Document)> {
    let text = |at: usize| format!("w{at}");
    let list = |of: &dyn Fn(usize) -> Value| -> Value { (0..count).map(of).collect() };
    let with = |field: &str, value: Value| {
        let mut body = named("1", "x");
        body[field] = value;
        document(body)
    };
    let mut categories = named("1", "x");
    categories["categoryIds"] = list(&|at| json!(text(at)));
    categories["categories"] =
        list(&|at| json!({"id": "w0", "name": "n", "path": vec!["p"; at % 50]}));
    vec![
        ("categories", document(categories)),
        ("tags", with("tags", list(&|at| json!(text(at))))),
        (
            "values of one text",
            with(
                "features",
                list(&|at| json!({"feature": "f", "id": text(at), "value": "same"})),
            ),
        ),
        (
            "groups",
            with(
                "attributes",
                list(&|at| json!({"group": text(at), "value": "v"})),
            ),
        ),
        (
            "codes",
            with("combinationReferences", list(&|at| json!(text(at)))),
        ),
        (
            "access groups",
            with("accessGroups", list(&|at| json!(text(at)))),
        ),
        ("words", with("description", json!("word ".repeat(count)))),
        ("a chain", with("description", json!("a-".repeat(count)))),
        (
            "tags of HTML",
            with("description", json!("<b".repeat(count))),
        ),
        ("entities", with("description", json!("&amp".repeat(count)))),
        ("letters in pairs", with("name", json!("充".repeat(count)))),
        ("a long name", with("name", json!("word ".repeat(count)))),
    ]
}

#[expect(clippy::disallowed_methods, reason = "it measures durations")]
pub fn the_cost_of_a_document_is_linear(engines: Engines<'_>) {
    let (small, large) = (shapes(1_000), shapes(16_000));
    for ((name, small), (_, large)) in small.into_iter().zip(large) {
        let takes = |document: &Document| {
            let once = || {
                let folder = folder();
                let index = open(engines, &folder);
                let change = DocumentChange {
                    ordinal: 1,
                    document: Some(document.clone()),
                    texts_changed: true,
                };
                let started = Instant::now();
                apply(&*index, 1, vec![change]);
                started.elapsed()
            };
            once().min(once())
        };
        let (small, large) = (takes(&small), takes(&large));
        // 16 times the size; at quadratic cost it would take 256 times as long.
        let bound = small * 80 + Duration::from_millis(500);
        assert!(large < bound, "{name}: {small:?} and {large:?}");
    }
}

pub fn the_texts_of_a_large_hit_are_clipped(engines: Engines<'_>) {
    let folder = folder();
    let index = open(engines, &folder);
    let long = "word ".repeat(100_000);
    let body = json!({
        "id": "1", "name": long, "manufacturer": long, "reference": long, "tags": [long],
        "features": [{"feature": "Size", "value": long}], "priceInclTax": 3,
    });
    apply(&*index, 1, vec![put(1, body)]);
    let request = Request {
        limit: 10,
        facets: true,
        ..Request::default()
    };
    let found = search(&*index.snapshot(), "word", &request);
    let hit = &found.hits[0];
    let characters = |text: &str| text.chars().count();
    assert_eq!(characters(hit.card.name()), 1_000);
    assert_eq!(characters(hit.card.manufacturer()), 255);
    assert_eq!(characters(hit.card.reference()), 255);
    assert!(!found.facets.is_empty());
    let all = format!("{:?}", found.facets);
    assert!(all.len() < 6_000, "{}", all.len());
}
