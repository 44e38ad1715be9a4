//! 1. A document within the limits stays as it was sent, byte for byte.
//! 2. A clipped document is within the limits, is not clipped again, and is still a document.
//! 3. Each field has its documented limit, in characters, without markup.
//! 4. Markup that makes a text too long is removed, which is no loss.
//! 5. A code that is too long is dropped; lists keep their first entries.

use super::*;
use domain::Document;
use proptest::prelude::*;
use query::analysis::plain_text;
use serde_json::json;

fn clipped(doc_type: DocType, mut value: Value) -> (Value, bool) {
    let is_cut = clip(doc_type, &mut value);
    (value, is_cut)
}

/// A product with `value` in one field.
fn product(field: &str, value: Value) -> Value {
    let mut product = json!({"id": "1", "name": "x", "rev": 7, "hash": "as it came"});
    product[field] = value;
    product
}

#[test]
fn texts_have_their_limits() {
    let products = DocType::Products;
    for (doc_type, field, max) in [
        (products, "name", 1_000),
        (products, "description", 20_000),
        (products, "short_description", 20_000),
        (products, "ai_description", 20_000),
        (products, "ai_description_manual", 20_000),
        (products, "manufacturer", 255),
        (products, "manufacturerId", 255),
        (products, "supplier", 255),
        (DocType::Categories, "name", 1_000),
        (DocType::Brands, "description", 20_000),
        (DocType::Pages, "title", 1_000),
        (DocType::Pages, "content", 20_000),
        (DocType::Pages, "categoryName", 255),
    ] {
        let whole = product(field, json!("ñ".repeat(max)));
        assert_eq!(clipped(doc_type, whole.clone()), (whole.clone(), false));
        let longer = product(field, json!("ñ".repeat(max + 1)));
        assert_eq!(clipped(doc_type, longer), (whole, true), "{field}");
    }
    // Products have no such field.
    let unknown = product("content", json!("x".repeat(30_000)));
    assert_eq!(clipped(products, unknown.clone()), (unknown, false));
}

#[test]
fn labels_in_lists_have_their_limits() {
    let [long, kept] = [256, 255].map(|characters| "é".repeat(characters));
    for (field, sent, left) in [
        ("tags", json!([long, "b"]), json!([kept, "b"])),
        ("categoryIds", json!(["a", long]), json!(["a", kept])),
        (
            "categories",
            json!([{"id": long, "name": long, "path": ["a", long], "default": true}]),
            json!([{"id": kept, "name": kept, "path": ["a", kept], "default": true}]),
        ),
        (
            "attributes",
            json!([{"groupId": long, "group": long, "id": long, "value": long}]),
            json!([{"groupId": kept, "group": kept, "id": kept, "value": kept}]),
        ),
        (
            "features",
            json!([{"featureId": long, "feature": long, "id": 7, "value": long, "x": long}]),
            json!([{"featureId": kept, "feature": kept, "id": 7, "value": kept, "x": long}]),
        ),
    ] {
        let (document, is_cut) = clipped(DocType::Products, product(field, sent));
        assert_eq!((&document[field], is_cut), (&left, true));
    }
}

#[test]
fn lists_keep_their_first_entries() {
    let entries =
        |count: usize| -> Vec<Value> { (0..count).map(|n| json!(n.to_string())).collect() };
    let value = |n: usize| json!({"group": "g", "value": n.to_string()});
    let values = |count: usize| -> Vec<Value> { (0..count).map(value).collect() };
    for field in LABEL_LISTS.into_iter().chain(CODE_LISTS) {
        let whole = product(field, json!(entries(1_000)));
        assert_eq!(
            clipped(DocType::Products, whole.clone()),
            (whole.clone(), false)
        );
        let longer = product(field, json!(entries(1_001)));
        assert_eq!(clipped(DocType::Products, longer), (whole, true), "{field}");
    }
    for field in ["attributes", "features", "categories"] {
        let whole = product(field, json!(values(1_000)));
        let longer = product(field, json!(values(1_200)));
        assert_eq!(clipped(DocType::Products, longer), (whole, true), "{field}");
    }
    let longer = product("path", json!(entries(1_001)));
    let whole = product("path", json!(entries(1_000)));
    assert_eq!(clipped(DocType::Categories, longer), (whole, true));
}

#[test]
fn a_code_that_is_too_long_is_dropped() {
    let [long, kept] = [256, 255].map(|characters| "7".repeat(characters));
    for field in CODES {
        let within = product(field, json!(format!("  {kept}  ")));
        assert_eq!(clipped(DocType::Products, within.clone()), (within, false));
        let (document, is_cut) = clipped(DocType::Products, product(field, json!(long)));
        let document = Document::parse(DocType::Products, 0, document).expect("a document");
        assert!(is_cut && !document.body.contains_key(field), "{field}");
    }
    for field in CODE_LISTS {
        let (document, is_cut) =
            clipped(DocType::Products, product(field, json!(["a", long, kept])));
        assert_eq!((&document[field], is_cut), (&json!(["a", kept]), true));
    }
}

#[test]
fn markup_is_not_counted() {
    let picture = format!(
        "<img src=\"data:image/png;base64,{}\">",
        "A".repeat(1_000_000)
    );
    let sent = format!("<p>A tent</p>{picture}<p>of canvas &amp; rope</p>");
    let (document, is_cut) = clipped(DocType::Products, product("description", json!(sent)));
    let plain = json!("A tent of canvas & rope");
    assert_eq!((&document["description"], is_cut), (&plain, false));
    let sent = format!("{}{}", "<b>x</b> ".repeat(10_000), "y".repeat(100));
    let (document, is_cut) = clipped(DocType::Products, product("description", json!(sent)));
    let plain = "x ".repeat(10_000);
    assert_eq!(
        (&document["description"], is_cut),
        (&json!(plain.trim_end()), true)
    );
}

#[test]
fn values_of_a_wrong_type_stay() {
    for value in [json!(7), json!({"a": 1}), json!(null), json!([[], 3])] {
        for field in ["name", "tags", "reference", "categories", "combinationEans"] {
            let sent = product(field, value.clone());
            assert_eq!(clipped(DocType::Products, sent.clone()), (sent, false));
        }
    }
    assert_eq!(clipped(DocType::Products, json!([1])), (json!([1]), false));
}

/// Texts of all lengths around the limits, with markup and without.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("<b>".to_owned()),
        Just("</p>".to_owned()),
        Just("<script".to_owned()),
        Just("<!-- ".to_owned()),
        Just("&lt;".to_owned()),
        Just("&amp;".to_owned()),
        Just("  ".to_owned()),
        "\\PC{0,6}",
    ];
    (proptest::collection::vec(piece, 0..8), 0_usize..3_000)
        .prop_map(|(pieces, times)| pieces.concat().repeat(times))
        .prop_map(|text| first_characters(&text, 40_000).to_owned())
}

fn labels() -> impl Strategy<Value = Vec<String>> {
    ("\\PC{0,4}", 0_usize..80, 0_usize..1_400)
        .prop_map(|(piece, times, count)| vec![piece.repeat(times); count % 1_200])
}

fn documents() -> impl Strategy<Value = Value> {
    let values = labels().prop_map(|labels| -> Vec<Value> {
        let value = |label: &String| json!({"groupId": label, "group": "g", "value": label});
        labels.iter().map(value).collect()
    });
    (texts(), texts(), labels(), labels(), values).prop_map(
        |(name, description, tags, codes, attributes)| {
            json!({
                "id": "1", "name": name, "description": description, "reference": name, "tags": tags,
                "combinationEans": codes, "attributes": attributes, "manufacturer": description,
                "categories": [{"id": name, "name": name, "path": tags}], "unknown": description,
            })
        },
    )
}

fn is_within(document: &Value) -> bool {
    let short = |value: &Value, max: usize| value.as_str().is_none_or(|t| t.chars().count() <= max);
    let list = |value: &Value, max: usize| {
        let entries = value.as_array().map_or(&[][..], Vec::as_slice);
        entries.len() <= 1_000 && entries.iter().all(|entry| short(entry, max))
    };
    let of_group = |value: &Value| {
        ["groupId", "group", "id", "value"]
            .iter()
            .all(|l| short(&value[l], 255))
    };
    let category = &document["categories"][0];
    short(&document["name"], 1_000)
        && short(&document["description"], 20_000)
        && short(&document["manufacturer"], 255)
        && document["reference"]
            .as_str()
            .is_none_or(|code| code.trim().chars().count() <= 255)
        && list(&document["tags"], 255)
        && list(&document["attributes"], 0)
        && document["attributes"]
            .as_array()
            .is_none_or(|all| all.iter().all(of_group))
        && document["combinationEans"].as_array().is_none_or(|codes| {
            let code = |code: &Value| {
                code.as_str()
                    .is_none_or(|c| c.trim().chars().count() <= 255)
            };
            codes.len() <= 1_000 && codes.iter().all(code)
        })
        && short(&category["id"], 255)
        && short(&category["name"], 255)
        && list(&category["path"], 255)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_clipped_document_is_within_the_limits_and_stays(sent in documents()) {
        let (once, is_cut) = clipped(DocType::Products, sent.clone());
        prop_assert!(is_within(&once));
        prop_assert_eq!(clipped(DocType::Products, once.clone()), (once.clone(), false));
        prop_assert_eq!(&once["unknown"], &sent["unknown"]);
        if is_within(&sent) {
            prop_assert!(!is_cut);
            prop_assert_eq!(once.to_string(), sent.to_string());
        }
    }

    #[test]
    fn nothing_but_markup_is_lost_without_a_report(text in texts()) {
        let sent = product("description", json!(text));
        let (once, is_cut) = clipped(DocType::Products, sent);
        let left = once["description"].as_str().expect("a text");
        let plain = plain_text(&text);
        if is_cut {
            prop_assert!(left.chars().count() <= 20_000);
        } else if left != text {
            prop_assert_eq!(left, &*plain);
        }
    }
}
