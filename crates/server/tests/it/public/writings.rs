//! 1. What is written joined, split, with signs or with other forms of characters is found by its other writings.
//! 2. Decimals and thousands are one number, and a decimal is not the number without its separator.
//! 3. Codes are found as they are pasted, those of variants too.
//! 4. Two writings of a label are one value in facets and filters; a blank value is none.
//! 5. A filter by id selects the value with this id, not one with this label.
//! 6. Half an emoji mends its own text; a number out of range rejects its document alone; so does a blank name.

use crate::harness::Shop;
use serde_json::{Value, json};

fn ids(shop: &Shop, request: &Value) -> Vec<String> {
    let found = shop.search(request).ok().data().clone();
    let hits = found["products"]["hits"].as_array().cloned();
    let ids = hits.into_iter().flatten();
    ids.filter_map(|hit| hit["id"].as_str().map(str::to_owned))
        .collect()
}

fn named(names: &[&str]) -> Value {
    let numbered = names.iter().enumerate();
    let documents = numbered.map(|(at, name)| json!({"id": at.to_string(), "name": name}));
    documents.collect()
}

/// Asserts that each query finds the product with its number first.
fn assert_finds_first(language: &str, names: &[&str], queries: &[(&str, usize)]) {
    let shop = Shop::with_products(language, &named(names));
    for (q, at) in queries {
        let found = ids(&shop, &json!({"q": q, "lang": language}));
        assert_eq!(
            found.first(),
            Some(&at.to_string()),
            "{language} {q:?}: {found:?}"
        );
    }
}

#[test]
fn sizes_and_models_are_found_however_they_are_spaced() {
    let names = [
        "Hex bolt M8 x 40",
        "Hex bolt M8 x 50",
        "Processor 5800 X3D",
        "Trainers Air Max 90",
        "Camera EOS R6 body",
        "Phone 15 Pro Max",
        "Wire 3x1.5mm grey",
        "Charging cord 3in1",
        "Bolt 40",
    ];
    assert_finds_first(
        "en",
        &names,
        &[
            ("m8x40", 0),
            ("m8x50", 1),
            ("bolt m8 x40", 0),
            ("5800x3d", 2),
            ("airmax90", 3),
            ("eosr6", 4),
            ("phone15promax", 5),
            ("3 x 1.5 mm", 6),
            ("wire 3 x 1.5mm", 6),
            ("3 in 1", 7),
        ],
    );
    let shop = Shop::with_products("en", &named(&names));
    let found = ids(&shop, &json!({"q": "m8x40", "lang": "en"}));
    assert_eq!(found, ["0"], "parts that stand elsewhere are no size");
}

#[test]
fn other_writings_are_found() {
    let names = [
        "Heavy duty snow shovel",
        "Power bank 20000mAh",
        "Walkie\u{2011}Talkie set",
        "P!nk live concert",
        "Rock&Roll shirt",
        "Levi´s belt",
        "Pipe Ø 3\u{2044}4 inch",
        "Rug 6 m²",
        "Bottle 750㎖",
        "Filter:charcoal",
        "Cord\u{ad}less \u{2067}lamp\u{2069}",
        "O.K. stamp",
        "Galaxy A52 cover",
        "Board 30x40 cm",
    ];
    assert_finds_first(
        "en",
        &names,
        &[
            ("snowshovel", 0),
            ("power bank 20000 mah", 1),
            ("walkietalkie", 2),
            ("walkie talkie", 2),
            ("rocknroll shirt", 4),
            ("rock roll", 4),
            ("levi's belt", 5),
            ("3/4 inch pipe", 6),
            ("rug 6m2", 7),
            ("750ml bottle", 8),
            ("charcoal", 9),
            ("cordless lamp", 10),
            ("ok stamp", 11),
            ("galaxy a 52", 12),
            ("board 30 x 40", 13),
            ("30×40", 13),
        ],
    );
    assert_finds_first(
        "it",
        &["Olio dell'Etna", "Zaino D'Amico"],
        &[("d amico", 1), ("damico", 1), ("etna", 0)],
    );
    assert_finds_first("ja", &["テント 二人用"], &[("てんと", 0)]);
    assert_finds_first("he", &["כבל 2 מ״מ"], &[("מ\"מ", 0)]);
}

#[test]
fn numbers_are_numbers() {
    assert_finds_first(
        "es",
        &["Tubo 2,5 cm", "Tubo 25 cm", "Lote de 2.000 clavos"],
        &[
            ("tubo 2.5", 0),
            ("tubo 25", 1),
            ("2000 clavos", 2),
            ("2 000 clavos", 2),
        ],
    );
    let shop = Shop::with_products("es", &named(&["Tubo 2,5 cm", "Tubo 25 cm"]));
    assert_eq!(ids(&shop, &json!({"q": "25", "lang": "es"})), ["1"]);
}

#[test]
fn codes_are_found_as_they_are_pasted() {
    let documents = json!([
        {"id": "0", "name": "Saw", "reference": "ZX-4410"},
        {"id": "1", "name": "Vice", "combinationReferences": ["VC-77/B"]},
        {"id": "2", "name": "File"},
    ]);
    let shop = Shop::with_products("en", &documents);
    for (q, id) in [
        ("[ZX-4410]", "0"),
        ("“ZX-4410”", "0"),
        ("*ZX-4410*", "0"),
        ("No. ZX-4410", "0"),
        ("Referencia: ZX-4410", "0"),
        ("SKU:VC-77/B", "1"),
        ("(vc 77 b)", "1"),
        ("\u{202d}ZX–4410\u{202c}", "0"),
    ] {
        assert_eq!(ids(&shop, &json!({"q": q, "lang": "en"})), [id], "{q}");
    }
}

#[test]
fn two_writings_of_a_label_are_one_value() {
    let material = |id: &str, value: &str| json!([{"groupId": "1", "group": "Material", "id": id, "value": value}]);
    let documents = json!([
        {"id": "0", "name": "Bowl", "manufacturer": "Ro\u{308}sle", "attributes": material("7", " \u{a0}")},
        {"id": "1", "name": "Bowl", "manufacturer": "R\u{f6}sle ", "attributes": material("8", "Oak &amp; ash")},
        {"id": "2", "name": "Bowl", "manufacturer": "Fox", "attributes": material("9", "8")},
    ]);
    let shop = Shop::with_products("en", &documents);
    let response = shop
        .search(&json!({"q": "", "lang": "en", "facets": true}))
        .ok()
        .data()
        .clone();
    let facets = response["facets"].as_array().expect("facets").clone();
    let labels = |field: &str| -> Vec<(String, u64)> {
        let facet = facets
            .iter()
            .find(|facet| facet["field"] == field)
            .expect(field);
        let values = facet["values"].as_array().expect("values").iter();
        let label = |value: &Value| value["label"].as_str().unwrap_or_default().to_owned();
        values
            .map(|value| (label(value), value["count"].as_u64().unwrap_or(0)))
            .collect()
    };
    assert_eq!(
        labels("manufacturer"),
        [("R\u{f6}sle".to_owned(), 2), ("Fox".to_owned(), 1)]
    );
    assert_eq!(
        labels("attributes.1"),
        [("8".to_owned(), 1), ("Oak & ash".to_owned(), 1)]
    );
    let by = |field: &str, value: &str| {
        let mut found = ids(
            &shop,
            &json!({"q": "", "lang": "en", "filters": {field: [value]}}),
        );
        found.sort();
        found
    };
    assert_eq!(by("manufacturer", "Ro\u{308}sle"), ["0", "1"]);
    assert_eq!(
        by("attributes.1", "8"),
        ["1"],
        "the id comes before the label"
    );
    assert_eq!(by("attributes.1", "Oak & ash"), ["1"]);
}

#[test]
fn one_bad_document_is_alone() {
    let shop = Shop::open();
    let block = r#"{"language": "en", "documents": [{"id": "0", "name": "Mug \ud83e"}, {"id": "1", "name": "Mug", "x": 1e999},
        {"id": "2", "name": "<b> </b>"}, {"id": "3", "name": "Mug"}]}"#;
    let reply = shop
        .feed("POST", "/feed/products/bulk")
        .raw_json(block)
        .send();
    let reply = reply.ok().data().clone();
    let rejected = reply["rejected"].as_array().expect("a list").iter();
    let rejected: Vec<&Value> = rejected.map(|one| &one["index"]).collect();
    assert_eq!(rejected, [1, 2]);
    shop.until_found("en", &["0", "3"]);
    let half = r#"{"q": "mug \ud83d", "lang": "en"}"#;
    let call = shop.api("POST", "/search").key(&shop.public).raw_json(half);
    assert_eq!(call.send().ok().data()["products"]["total"], 2);
}
