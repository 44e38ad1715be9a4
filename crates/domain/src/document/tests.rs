//! 1. A document without a name (title for pages) is rejected with its own code.
//! 2. A code sent as a number is rejected; text keeps leading zeros.
//! 3. Every price field and every unknown field is kept unchanged.
//! 4. A wrong value is rejected with its path.
//! 5. A hash has at most 255 characters, none of them a control character.

use super::*;
use serde_json::json;

fn product(value: Value) -> Result<Document, Rejection> {
    Document::parse(DocType::Products, 3, value)
}

#[test]
fn only_the_product_without_a_name_is_rejected() {
    for value in [
        json!({"id": "1"}),
        json!({"id": "1", "name": "  "}),
        json!({"id": "1", "name": null}),
    ] {
        let rejection = product(value).expect_err("no name");
        assert_eq!((rejection.index, rejection.code), (3, "name_missing"));
        assert_eq!(rejection.id.as_deref(), Some("1"));
    }
    let page =
        Document::parse(DocType::Pages, 0, json!({"id": "1", "name": "x"})).expect_err("no title");
    assert_eq!(page.code, "title_missing");
}

#[test]
fn codes_stay_text() {
    let kept = product(json!({"id": "1", "name": "x", "reference": " 00123 ", "ean13": "1e5"}))
        .expect("valid");
    assert_eq!(kept.codes.reference.as_deref(), Some("00123"));
    assert_eq!(kept.codes.ean13.as_deref(), Some("1e5"));
    for field in ["reference", "ean13", "upc", "mpn", "isbn"] {
        let rejection = product(json!({"id": "1", "name": "x", field: 123})).expect_err("a number");
        assert_eq!(
            (rejection.code, rejection.field.as_deref()),
            ("invalid_document", Some(field))
        );
    }
    let rejection = product(json!({"id": "1", "name": "x", "combinationEans": ["1", 2]}))
        .expect_err("a number");
    assert_eq!(rejection.field.as_deref(), Some("combinationEans[1]"));
}

#[test]
fn everything_that_was_sent_is_kept() {
    let sent = json!({
        "id": "1", "name": "x", "priceInclTax": 12.5, "priceInclTax_USD_t4_cfr": 3,
        "model": {"any": [1, 2]}, "accessGroups": ["none"], "quantity": 2
    });
    let document = product(sent.clone()).expect("valid");
    assert_eq!(Value::Object(document.body.clone()), sent);
    assert_eq!(document.numbers.prices.len(), 2);
    let groups = document.numbers.access_groups.as_deref();
    assert_eq!(groups, Some(&["none".to_owned()][..]));
    let text = Value::Object(document.body.clone()).to_string();
    assert_eq!(
        Document::from_stored(DocType::Products, &text),
        Ok(document)
    );
}

#[test]
fn an_empty_list_of_groups_hides_from_everybody() {
    let groups = |groups: Value| {
        let document = product(json!({"id": "1", "name": "x", "accessGroups": groups}));
        document.expect("valid").numbers.access_groups
    };
    assert_eq!(groups(json!([])), groups(json!(["none"])));
    assert_eq!(groups(json!(["4", "1", "4"])), groups(json!(["1", "4"])));
    assert_eq!(groups(Value::Null), None);
}

#[test]
fn a_wrong_value_is_reported_with_its_path() {
    for (value, field) in [
        (json!({"id": 1, "name": "x"}), "id"),
        (json!({"id": "", "name": "x"}), "id"),
        (
            json!({"id": "1", "name": "x", "priceInclTax": "12"}),
            "priceInclTax",
        ),
        (
            json!({"id": "1", "name": "x", "priceInclTax": -1}),
            "priceInclTax",
        ),
        (
            json!({"id": "1", "name": "x", "url": "javascript:alert(1)"}),
            "url",
        ),
        (json!({"id": "1", "name": "x", "image": "/a.png"}), "image"),
        (json!({"id": "1", "name": "x", "inStock": "yes"}), "inStock"),
        (
            json!({"id": "1", "name": "x", "dateAdd": "yesterday"}),
            "dateAdd",
        ),
        (json!({"id": "1", "name": "x", "tags": "a"}), "tags"),
        (
            json!({"id": "1", "name": "x", "categories": [{"id": "1", "name": 4}]}),
            "categories[0].name",
        ),
    ] {
        let rejection = product(value).expect_err(field);
        assert_eq!(rejection.field.as_deref(), Some(field));
    }
}

#[test]
fn stock_flags_take_precedence_over_quantity() {
    let stock = |value: Value| product(value).expect("valid").numbers;
    assert!(stock(json!({"id": "1", "name": "x", "quantity": 2})).available());
    assert!(!stock(json!({"id": "1", "name": "x", "quantity": 2, "inStock": false})).available());
    let back_order = stock(json!({"id": "1", "name": "x", "inStock": false, "outOfStock": false}));
    assert!(!back_order.hidden_when_out());
    assert!(stock(json!({"id": "1", "name": "x"})).hidden_when_out());
}

#[test]
fn a_hash_is_bounded() {
    for hash in ["", "sha1:00ff", &"ñ".repeat(255)] {
        let document = product(json!({"id": "1", "name": "x", "hash": hash})).expect("valid");
        assert_eq!(document.hash, hash);
    }
    for hash in [
        json!("h".repeat(256)),
        json!("a\nb"),
        json!("\u{7f}"),
        json!(7),
    ] {
        let rejection =
            product(json!({"id": "1", "name": "x", "hash": hash})).expect_err("no hash");
        assert_eq!(
            (rejection.code, rejection.field.as_deref()),
            ("invalid_document", Some("hash"))
        );
    }
}
