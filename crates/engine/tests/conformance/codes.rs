//! A pasted code comes first, whatever the texts and sales of other products; a breakdown shows it after a label, too.

use super::fixture::{Engines, apply, folder, keeps_snapshots, open, put, runner, search};
use engine::Request;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A product: letters and number of its codes, the product whose code is in its name, and its numbers.
type Draft = (String, u32, Option<usize>, u32, bool, bool);

/// The codes of the product with index `at`, one of each kind, as people write them.
fn codes(at: usize, (letters, number, ..): &Draft) -> Vec<(&'static str, String)> {
    let digits = format!("{:06}", at * 1013 + *number as usize % 1000);
    vec![
        ("reference", format!("{letters}-{number}.{at}")),
        ("ean13", format!("0040{digits}{at:03}")),
        ("upc", format!("0{digits}{at:05}")),
        ("mpn", format!("{number}/{letters} {at}")),
        ("combinationReferences", format!("{letters}-{number}-{at}X")),
        ("combinationEans", format!("41{digits}{at:05}")),
        ("combinationMpns", format!("V{number}{letters}/{at}")),
    ]
}

fn body(at: usize, shop: &[Draft]) -> Value {
    let draft = &shop[at];
    let (_, _, named, sales, in_stock, reduced) = draft;
    let mut body =
        json!({"id": format!("p{at}"), "name": format!("Item {at}"), "inStock": in_stock});
    for (field, code) in codes(at, draft) {
        body[field] = if field.starts_with("combination") {
            json!([format!("{at}-other-{field}"), code])
        } else {
            json!(code)
        };
    }
    if let Some(other) = named {
        let other = other % shop.len();
        let (_, code) = &codes(other, &shop[other])[0];
        body["name"] = json!(format!("Case for {code}"));
        body["tags"] = json!([code]);
    }
    body["sales_count"] = json!(sales);
    body["rating"] = json!(5);
    body["priceInclTax"] = json!(10);
    if *reduced {
        body["originalPriceInclTax"] = json!(20);
    }
    body
}

fn spellings(code: &str) -> Vec<String> {
    let joined: String = code.chars().filter(|c| c.is_alphanumeric()).collect();
    vec![
        code.to_owned(),
        code.to_lowercase(),
        code.replace(['.', '/', '-'], " "),
        joined.to_lowercase(),
        joined,
    ]
}

pub fn a_pasted_code_comes_first(engines: Engines<'_>) {
    let draft = (
        "[A-Z]{2,4}",
        100u32..100_000,
        prop_oneof![Just(None), (0usize..100).prop_map(Some)],
        prop_oneof![Just(0u32), 0u32..1_000_000],
        any::<bool>(),
        any::<bool>(),
    );
    let shops = vec(draft, 2..40);
    let proved = runner(6, 7).run(&shops, |shop| {
        let folder = folder();
        let index = open(engines, &folder);
        let changes = (0..shop.len()).map(|at| put(at as u32, body(at, &shop)));
        apply(index.as_ref(), 1, changes.collect());
        let snapshot = index.snapshot();
        let request = Request {
            limit: 1,
            ..Request::default()
        };
        // A search on another machine takes some requests, so that fewer are tried there.
        let step = if keeps_snapshots(index.as_ref()) {
            1
        } else {
            13
        };
        for (at, draft) in shop.iter().enumerate().step_by(step) {
            for (field, code) in codes(at, draft) {
                for spelling in spellings(&code) {
                    let found = search(snapshot.as_ref(), &spelling, &request);
                    let first = found.hits.first().map(|hit| hit.id.clone());
                    prop_assert_eq!(first, Some(format!("p{at}")), "{} {}", field, spelling);
                }
            }
        }
        Ok(())
    });
    proved.unwrap_or_else(|counterexample| panic!("{counterexample}"));
}

pub fn a_code_after_a_label_is_explained(engines: Engines<'_>) {
    let folder = folder();
    let index = open(engines, &folder);
    let body = json!({"id": "p1", "name": "Case", "reference": "KT1200"});
    apply(index.as_ref(), 1, vec![put(1, body)]);
    let request = Request {
        limit: 1,
        explain: true,
        ..Request::default()
    };
    // Both parts without the label and the whole text may be the code.
    for text in ["KT-1200", "SKU KT-1200", "SKU: KT 1200"] {
        let found = search(index.snapshot().as_ref(), text, &request);
        let breakdown = found.hits[0].breakdown.as_ref().expect("a breakdown");
        let bonus = breakdown.text.exact_reference.as_ref();
        let field = bonus.map(|bonus| bonus.field.name());
        assert_eq!(field, Some("reference"), "{text}");
    }
}
