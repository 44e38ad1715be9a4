//! 1. A state of the columns never changes; the next one shares what did not change.
//! 2. Rows that were never written or were deleted are absent.
//! 3. Categories know the names of ancestors, and values are found by id or text.

use super::*;
use domain::document::DocType;
use domain::search::FilterField;
use serde_json::{Value, json};

fn document(value: Value) -> Document {
    Document::parse(DocType::Products, 0, value).expect("a document")
}

fn with(columns: &Columns, ordinal: u32, document: Option<&Document>) -> Columns {
    columns.with([RowChange {
        ordinal,
        document,
        labels_changed: true,
    }])
}

#[test]
fn a_state_never_changes() {
    let cheap = document(json!({"id": "a", "name": "A", "priceInclTax": 5, "rating": 4.6}));
    let dear = document(json!({"id": "a", "name": "A", "priceInclTax": 9}));
    let before = with(&Columns::default(), 2000, Some(&cheap));
    let after = with(&before, 2000, Some(&dear));
    let gone = with(&after, 2000, None);
    let price = |columns: &Columns| columns.numbers(2000).and_then(NumberRow::price);
    assert_eq!(
        (price(&before), price(&after), price(&gone)),
        (Some(5.0), Some(9.0), None)
    );
    assert_eq!(before.numbers(2000).and_then(NumberRow::rating), Some(4.6));
    assert_eq!((before.id(2000), gone.id(2000)), ("a", ""));
}

#[test]
fn new_numbers_copy_no_labels() {
    let cheap = document(json!({"id": "a", "name": "A", "priceInclTax": 5}));
    let dear = document(json!({"id": "a", "name": "A", "priceInclTax": 9}));
    let before = with(&Columns::default(), 7, Some(&cheap));
    let numbers = RowChange {
        ordinal: 7,
        document: Some(&dear),
        labels_changed: false,
    };
    let after = before.with([numbers]);
    assert_eq!(after.numbers(7).and_then(NumberRow::price), Some(9.0));
    assert!(Arc::ptr_eq(&before.labels[0], &after.labels[0]));
    assert_eq!(Columns::default().with([numbers]).id(7), "a");
}

#[test]
fn what_was_never_written_is_absent() {
    let columns = with(
        &Columns::default(),
        1030,
        Some(&document(json!({"id": "a", "name": "A"}))),
    );
    for ordinal in [0, 1029, 1031, 5000] {
        assert!(columns.numbers(ordinal).is_none(), "{ordinal}");
    }
    assert!(columns.numbers(1030).is_some());
}

#[test]
fn values_are_found_by_id_and_by_text() {
    let shirt = document(json!({
        "id": "a", "name": "A", "manufacturer": "Norte", "manufacturerId": "7",
        "categories": [{"id": "4", "name": "Men", "path": ["Clothes", "Men"]}], "categoryIds": ["3", "4"]
    }));
    let columns = with(&Columns::default(), 0, Some(&shirt));
    let find = |field, text: &str| columns.dictionary().find(field, &[text.to_owned()]);
    for text in ["3", "Clothes"] {
        let found = find(FilterField::Categories, text);
        assert_eq!(found.len(), 1, "{text}");
        assert!(columns.categories(0).contains(&found[0]));
    }
    assert_eq!(
        find(FilterField::Manufacturer, "7"),
        find(FilterField::Manufacturer, "Norte")
    );
    assert!(find(FilterField::Manufacturer, "Men").is_empty());
}

#[test]
fn ancestors_are_named_whatever_the_order_of_their_ids() {
    let category = |id: &str, path: [&str; 3]| json!({"id": id, "name": path[2], "path": path});
    let shirts = category("3", ["Clothes", "Men", "Shirts"]);
    let eco = category("6", ["Collections", "Green", "Eco"]);
    for ids in [
        ["1", "2", "3", "4", "5", "6"],
        ["3", "2", "1", "6", "5", "4"],
    ] {
        let shirt = document(json!({
            "id": "a", "name": "A", "categories": [shirts, eco], "categoryIds": ids
        }));
        let columns = with(&Columns::default(), 0, Some(&shirt));
        let labels: BTreeMap<String, String> = columns
            .categories(0)
            .iter()
            .filter_map(|value| columns.dictionary().entry(*value))
            .collect();
        for (id, label) in [
            ("1", "Clothes"),
            ("2", "Men"),
            ("4", "Collections"),
            ("5", "Green"),
        ] {
            assert_eq!(labels[id], label, "{ids:?}");
        }
    }
}
