//! 1. A list of codes finds every product that has one, in the order of the list, and reports the missing ones.
//! 2. Article numbers of 8, 12, 13 and 14 digits match with and without leading zeros; other codes match exactly.
//! 3. Codes of products and variants match in any case and with any separators.
//! 4. A code that is a stop word is found as part of a query.

use crate::harness::Shop;
use serde_json::{Value, json};

fn found(shop: &Shop, q: &str) -> Value {
    let request = json!({"q": q, "lang": "en", "limit": 100});
    shop.search(&request).ok().data().clone()
}

fn ids(shop: &Shop, q: &str) -> Vec<String> {
    let found = found(shop, q);
    let hits = found["products"]["hits"].as_array().cloned();
    let ids = hits.into_iter().flatten();
    ids.filter_map(|hit| hit["id"].as_str().map(str::to_owned))
        .collect()
}

#[test]
fn a_list_finds_all_its_codes_and_reports_missing_ones() {
    let coded = |at: u32| json!({"id": format!("p{at}"), "name": "Item", "reference": format!("LT-{at}00")});
    let mut documents: Vec<Value> = (1..=8).map(coded).collect();
    documents
        .push(json!({"id": "p9", "name": "LT-100 LT-200", "combinationEans": ["4006381333931"]}));
    let shop = Shop::with_products("en", &Value::Array(documents));
    let list = "LT-800, lt-100,LT999 LT.300  4006381333931\nLT-500 LT-600 LT-7000 LT-200 LT-400";
    let expected = ["p8", "p1", "p3", "p9", "p5", "p6", "p2", "p4"];
    assert_eq!(ids(&shop, list), expected);
    let response = found(&shop, list);
    assert_eq!(response["products"]["total"], expected.len());
    let words = response["words"].as_array().expect("a list");
    let missing = words.iter().filter(|word| word["found"] == false);
    let missing: Vec<&Value> = missing.map(|word| &word["text"]).collect();
    assert_eq!(missing, ["LT999", "LT-7000"]);
    assert_eq!(words.len(), 10);

    let cutoff = json!({"searchSettings": {"scoreCutoff": 100, "minMatchLong": "100%"}});
    shop.own("PUT", "/relevance").json(&cutoff).send().ok();
    assert_eq!(ids(&shop, list), expected);
    // One known code makes no list, and one that no product has is no code.
    let alone = found(&shop, "LT-100 LT-9999");
    assert_eq!(alone["words"].as_array().map(Vec::len), Some(2));
}

#[test]
fn leading_zeros_are_significant_in_other_codes_only() {
    let shop = Shop::with_products(
        "en",
        &json!([
            {"id": "upc", "name": "Item", "upc": "012345678905"},
            {"id": "ean", "name": "Item", "ean13": "0098765432109"},
            {"id": "eight", "name": "Item", "combinationEans": ["00054321"]},
            {"id": "short", "name": "Item", "ean13": "0777"},
            {"id": "reference", "name": "Item", "reference": "00123", "mpn": "012345670000"},
        ]),
    );
    for (q, id) in [
        ("012345678905", "upc"),
        ("12345678905", "upc"),
        ("0012345678905", "upc"),
        ("00012345678905", "upc"),
        ("98765432109", "ean"),
        ("098765432109", "ean"),
        ("0-098765-432109", "ean"),
        ("54321", "eight"),
        ("0777", "short"),
        ("00123", "reference"),
        ("012345670000", "reference"),
    ] {
        assert_eq!(ids(&shop, q), [id], "{q}");
    }
    for q in ["777", "123", "0000123", "12345670000", "0012345670000"] {
        assert_eq!(ids(&shop, q), [""; 0], "{q}");
    }
}

#[test]
fn spellings_do_not_matter() {
    let shop = Shop::with_products(
        "en",
        &json!([
            {"id": "product", "name": "Item", "reference": "KT-1200/B", "mpn": "ab.77 x"},
            {"id": "variant", "name": "Item", "combinationReferences": ["VR-31-S", "VR-31-M"]},
        ]),
    );
    for (q, id) in [
        ("KT-1200/B", "product"),
        ("kt1200b", "product"),
        ("kt 1200 b", "product"),
        ("KT.1200.B", "product"),
        ("AB77X", "product"),
        ("ab-77-x", "product"),
        ("vr31m", "variant"),
        ("VR 31 S", "variant"),
    ] {
        assert_eq!(ids(&shop, q)[0], id, "{q}");
    }
}

#[test]
fn a_stop_word_may_be_a_code() {
    let shop = Shop::with_products(
        "en",
        &json!([
            {"id": "coded", "name": "Item", "reference": "FOR"},
            {"id": "named", "name": "Cable for lamps"},
        ]),
    );
    assert_eq!(ids(&shop, "for cable"), ["named", "coded"]);
    let off = json!({"boosts": {"reference": 0}});
    shop.own("PUT", "/relevance").json(&off).send().ok();
    assert_eq!(ids(&shop, "for cable"), ["named"]);
}
