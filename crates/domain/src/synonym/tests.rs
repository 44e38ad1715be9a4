//! 1. Each limit of a group is tested below, at and above it.
//! 2. The type decides whether there is an input, in a new group and in an update.
//! 3. Two groups are duplicates whatever the order, case and accents of their terms, and whatever triggers them.
//! 4. Alternatives are none by default and replaced as a whole; a group without any is returned without the key.

use super::*;
use crate::limits::SYNONYM_CHARACTERS_MAX;
use serde_json::{Value, json};

/// Replaces the analyser: lower case, without the accents used in the tests.
fn normalise(text: &str) -> String {
    let plain = text.to_lowercase().replace('á', "a").replace('é', "e");
    let words = plain.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|w| !w.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn new(value: Value) -> Result<SynonymGroup, Vec<String>> {
    let new: NewSynonym = serde_json::from_value(value).expect("the test's request parses");
    new.check(&normalise).map_err(texts)
}

fn texts(errors: Vec<Invalid>) -> Vec<String> {
    errors.iter().map(|one| one.field.clone()).collect()
}

#[test]
fn limits_are_exact() {
    let many = |count: usize| (0..count).map(|at| format!("t{at}")).collect::<Vec<_>>();
    assert!(new(json!({"terms": many(SYNONYM_TERMS_MAX)})).is_ok());
    assert!(new(json!({"terms": many(SYNONYM_TERMS_MAX + 1)})).is_err());
    assert!(new(json!({"terms": ["a", "ñ".repeat(SYNONYM_CHARACTERS_MAX)]})).is_ok());
    let long = new(json!({"terms": ["a", "ñ".repeat(SYNONYM_CHARACTERS_MAX + 1)]}));
    assert_eq!(long, Err(vec!["terms[1]".to_owned()]));
    assert!(new(json!({"terms": ["a", "b"]})).is_ok());
    assert_eq!(new(json!({"terms": ["a"]})), Err(vec!["terms".to_owned()]));
    assert_eq!(new(json!({"terms": []})), Err(vec!["terms".to_owned()]));
    let same = new(json!({"terms": ["Sofá", "sofa "]}));
    assert_eq!(same, Err(vec!["terms".to_owned()]));
    let empty = new(json!({"terms": [" ", "a", "!"]}));
    assert_eq!(
        empty,
        Err(vec!["terms[0]".to_owned(), "terms[2]".to_owned()])
    );
}

#[test]
fn the_type_decides_whether_there_is_an_input() {
    let one_way = json!({"type": "UNIDIRECTIONAL", "input": " tv ", "terms": ["television"]});
    let group = new(one_way).expect("a group");
    assert_eq!(group.input.as_deref(), Some("tv"));
    let without = new(json!({"type": "UNIDIRECTIONAL", "terms": ["television"]}));
    assert_eq!(without, Err(vec!["input".to_owned()]));
    let with = new(json!({"input": "tv", "terms": ["television", "telly"]}));
    assert_eq!(with, Err(vec!["input".to_owned()]));

    let apply = |patch: Value| {
        let patch: SynonymPatch = serde_json::from_value(patch).expect("a patch");
        patch.apply(&group, &normalise).map_err(texts)
    };
    assert_eq!(apply(json!({})), Ok(group.clone()));
    let both = apply(json!({"type": "BIDIRECTIONAL", "terms": ["tv", "television"]}));
    assert_eq!(both.expect("a group").input, None);
    let alone = apply(json!({"type": "BIDIRECTIONAL"}));
    assert_eq!(alone, Err(vec!["terms".to_owned()]));
    let kept = apply(json!({"type": "BIDIRECTIONAL", "terms": ["a", "b"], "input": "tv"}));
    assert_eq!(kept, Err(vec!["input".to_owned()]));
    assert!(!apply(json!({"active": false})).expect("a group").active);
}

#[test]
fn duplicates_may_differ_in_order_case_and_accents() {
    let likeness = |value: Value| new(value).expect("a group").duplicate_key(&normalise);
    let one = likeness(json!({"terms": ["Sofá", "couch"]}));
    assert_eq!(one, likeness(json!({"terms": ["COUCH", "sofa", "Couch"]})));
    assert_ne!(one, likeness(json!({"terms": ["couch", "sofas"]})));
    let from = |input: &str| {
        likeness(json!({"type": "UNIDIRECTIONAL", "input": input, "terms": ["couch", "sofa"]}))
    };
    assert_ne!(one, from("settee"));
    assert_ne!(from("settee"), from("divan"));
    assert_eq!(from("Séttee"), from("settee"));
}

#[test]
fn alternatives_are_none_by_default() {
    let plain = new(json!({"terms": ["a", "b"]})).expect("a group");
    assert!(json!(plain).get("alternatives").is_none());
    let given = json!({"terms": ["a", "b"], "alternatives": ["typos", "plurals", "typos"]});
    let given = new(given).expect("a group");
    assert_eq!(json!(given)["alternatives"], json!(["plurals", "typos"]));
    assert_eq!(
        plain.duplicate_key(&normalise),
        given.duplicate_key(&normalise)
    );
    let apply = |patch: Value| {
        let patch: SynonymPatch = serde_json::from_value(patch).expect("a patch");
        json!(patch.apply(&given, &normalise).expect("a group"))
    };
    assert_eq!(apply(json!({"active": true})), json!(given));
    assert_eq!(
        apply(json!({"alternatives": ["joined"]}))["alternatives"],
        json!(["joined"])
    );
    assert_eq!(apply(json!({"alternatives": []})), json!(plain));
}

#[test]
fn any_filter_of_a_list_makes_it_a_page() {
    let page = |value: Value| {
        let query: SynonymQuery = serde_json::from_value(value).expect("a query");
        query.page()
    };
    assert_eq!(page(json!({})), None);
    assert_eq!(page(json!({"lang": "en"})), None);
    assert_eq!(page(json!({"page": 3})), Some((3, 20)));
    assert_eq!(page(json!({"limit": 7})), Some((1, 7)));
    for one in [
        json!({"q": ""}),
        json!({"type": "BIDIRECTIONAL"}),
        json!({"active": false}),
    ] {
        assert_eq!(page(one), Some((1, 20)));
    }
}
