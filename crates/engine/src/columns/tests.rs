//! 1. A state of the columns is immutable; the next one shares what did not change.
//! 2. Rows that were never written or were deleted are absent.
//! 3. Categories have the names of ancestors, and values are found by id or label.
//! 4. Documents are counted by field and visibility after any history.

use super::*;
use domain::document::DocType;
use domain::search::FilterField;
use domain::visitor::{DocumentAccess, Visitor};
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

fn price(columns: &Columns, ordinal: u32) -> Option<f64> {
    let view = View::new(columns, &Visitor::default());
    view.see(ordinal).and_then(|seen| seen.price())
}

fn find(columns: &Columns, field: &FilterField, text: &str) -> Vec<ValueId> {
    columns.dictionary().read().find(field, text)
}

#[test]
fn a_state_never_changes() {
    let cheap = document(json!({"id": "a", "name": "A", "priceInclTax": 5, "rating": 4.6}));
    let dear = document(json!({"id": "a", "name": "A", "priceInclTax": 9}));
    let before = with(&Columns::default(), 2000, Some(&cheap));
    let after = with(&before, 2000, Some(&dear));
    let gone = with(&after, 2000, None);
    let prices = [&before, &after, &gone].map(|columns| price(columns, 2000));
    assert_eq!(prices, [Some(5.0), Some(9.0), None]);
    let rating = before.numbers(2000).and_then(NumberRow::rating);
    assert_eq!(rating, Some(4.6));
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
    assert_eq!(price(&after, 7), Some(9.0));
    assert!(Arc::ptr_eq(&before.labels[0], &after.labels[0]));
    assert_eq!(Columns::default().with([numbers]).id(7), "a");
}

#[test]
fn rows_never_written_are_absent() {
    let only = document(json!({"id": "a", "name": "A", "priceInclTax_USD": 3}));
    let columns = with(&Columns::default(), 130, Some(&only));
    for ordinal in [0, 129, 131, 5000] {
        assert!(columns.numbers(ordinal).is_none(), "{ordinal}");
        assert_eq!(price(&columns, ordinal), None);
    }
    assert!(columns.numbers(130).is_some());
}

#[test]
fn values_are_found_by_id_and_by_label() {
    let shirt = document(json!({
        "id": "a", "name": "A", "manufacturer": "Norte", "manufacturerId": "7",
        "categories": [{"id": "4", "name": "Men", "path": ["Clothes", "Men"]}], "categoryIds": ["3", "4"]
    }));
    let columns = with(&Columns::default(), 0, Some(&shirt));
    for text in ["3", "Clothes"] {
        let found = find(&columns, &FilterField::Categories, text);
        assert_eq!(found.len(), 1, "{text}");
        assert!(
            columns
                .values(0)
                .any(|(_, values)| values.contains(&found[0]))
        );
    }
    let brand = |text: &str| find(&columns, &FilterField::Manufacturer, text);
    assert_eq!(brand("7"), brand("Norte"));
    assert_eq!((brand("7").len(), brand("Men").len()), (1, 0));
}

#[test]
fn a_group_goes_by_its_id_or_by_its_name() {
    let value =
        |id: &str, value: &str| json!({"groupId": "1", "group": "Size", "id": id, "value": value});
    let shirt = document(json!({
        "id": "a", "name": "A", "attributes": [value("2", "M"), value("3", "L"), value("2", "M")],
        "features": [{"feature": "Composition", "value": "Cotton"}, {"value": "of no group"}]
    }));
    let columns = with(&Columns::default(), 0, Some(&shirt));
    let size = FilterField::Attributes("1".to_owned());
    let composition = FilterField::Features("Composition".to_owned());
    assert_eq!(find(&columns, &size, "2"), find(&columns, &size, "M"));
    assert_eq!(find(&columns, &composition, "Cotton").len(), 1);
    let values: Vec<usize> = columns.values(0).map(|(_, own)| own.len()).collect();
    assert_eq!(values, [2, 1]);
    let entries = columns.dictionary().read();
    let carried = entries
        .fields()
        .filter(|(number, ..)| columns.carriers(*number) > 0);
    let carried: Vec<(&FilterField, &str)> =
        carried.map(|(_, field, group)| (field, group)).collect();
    assert_eq!(
        carried,
        [
            (&FilterField::InStock, ""),
            (&size, "Size"),
            (&composition, "Composition")
        ]
    );
}

#[test]
fn fields_without_documents_are_not_counted() {
    let fields = |body: Value| -> Vec<String> {
        let before = document(json!({
            "id": "a", "name": "A", "priceInclTax_t4": 1, "originalPriceInclTax_t4": 2, "rating": 4,
            "feature_num": 1, "tags": ["x", "y"], "supplier": "z", "manufacturer": "m"
        }));
        let after = document(body);
        let columns = with(&Columns::default(), 3, Some(&before));
        let columns = with(&columns, 3, Some(&after));
        let entries = columns.dictionary().read();
        let carried = entries
            .fields()
            .filter(|(number, ..)| columns.carriers(*number) > 0);
        carried.map(|(_, field, _)| field.to_string()).collect()
    };
    assert_eq!(fields(json!({"id": "a", "name": "A"})), ["inStock"]);
    assert_eq!(
        fields(json!({"id": "a", "name": "A", "tags": ["x"], "priceExclTax": 1})),
        ["price", "inStock", "tags"]
    );
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
        let entries = columns.dictionary().read();
        let values = columns.values(0);
        let values = values.flat_map(|(field, own)| own.iter().map(move |value| (field, *value)));
        let labels: BTreeMap<&str, &str> = values
            .map(|(field, value)| entries.value(field, value))
            .map(|(id, label)| (&**id, &**label))
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

#[test]
fn every_price_of_many_is_found() {
    let mut many = json!({"id": "b", "name": "B"});
    for tier in 0..900 {
        many[format!("priceInclTax_t{tier}")] = json!(tier);
    }
    // The field that is interned first is in the middle of the others.
    let first = document(json!({"id": "a", "name": "A", "priceInclTax_t500": 500}));
    let columns = with(&Columns::default(), 0, Some(&first));
    let columns = with(&columns, 1, Some(&document(many)));
    let price = |ordinal: u32, tier: usize| {
        let mut visitor = Visitor::default();
        visitor.prices.tier = Some(tier.to_string());
        let view = View::new(&columns, &visitor);
        view.see(ordinal).and_then(|seen| seen.price())
    };
    for tier in (0..900).step_by(7).chain([500]) {
        assert_eq!(price(1, tier), Some(tier as f64));
    }
    assert_eq!(
        (price(0, 500), price(0, 501), price(1, 901)),
        (Some(500.0), None, None)
    );
}

#[test]
fn group_sets_added_later_are_admitted_too() {
    let mut columns = Columns::default();
    for set in 0..40_u32 {
        let groups = json!([(set % 20).to_string(), format!("of {set}")]);
        let own = document(json!({"id": set.to_string(), "name": "x", "accessGroups": groups}));
        columns = with(&columns, set, Some(&own));
        // More visitors than are cached, and each again after sets were added.
        for group in 0..20_u32 {
            let access = domain::visitor::DocumentAccess::Groups([group.to_string()].into());
            let visitor = Visitor {
                access,
                ..Visitor::default()
            };
            let seen: Vec<u32> = View::new(&columns, &visitor)
                .all()
                .map(|seen| seen.ordinal)
                .collect();
            let expected: Vec<u32> = (0..=set).filter(|set| set % 20 == group).collect();
            assert_eq!(seen, expected, "{group} of {set}");
        }
    }
}

#[test]
fn a_value_is_found_by_its_current_label_only() {
    let tagged = |label: &str| {
        document(json!({"id": "a", "name": "A", "manufacturer": label, "manufacturerId": "7"}))
    };
    let columns = with(&Columns::default(), 0, Some(&tagged("Norte")));
    let columns = with(&columns, 0, Some(&tagged("Sur")));
    let columns = with(&columns, 0, Some(&tagged("Norte")));
    let brand = |text: &str| find(&columns, &FilterField::Manufacturer, text).len();
    assert_eq!((brand("Norte"), brand("Sur"), brand("7")), (1, 0, 1));
}

#[test]
fn labels_and_keys_are_clipped() {
    let long = "é".repeat(10_000);
    let own = document(json!({
        "id": "a", "name": long, "manufacturer": long, "tags": [long], "currency": long,
        "features": [{"feature": long, "value": long}], "categories": [{"id": long, "name": long}],
    }));
    let columns = with(&Columns::default(), 0, Some(&own));
    assert_eq!(columns.name_key(0).chars().count(), 255);
    let entries = columns.dictionary().read();
    for (field, values) in columns.values(0) {
        let (name, group) = entries.field(field);
        assert!(group.chars().count() <= 255 && name.to_string().chars().count() < 300);
        for value in values {
            let (id, label) = entries.value(field, *value);
            assert!(id.chars().count() <= 255 && label.chars().count() <= 255);
        }
    }
}

#[test]
fn fields_are_counted_by_visibility() {
    let columns = |groups: Option<&str>, before: &Columns, labels_changed| {
        let size = json!({"groupId": "1", "group": "Size", "id": "2", "value": "M"});
        let mut shirt = json!({"id": "a", "name": "A", "attributes": [size]});
        if let Some(group) = groups {
            shirt["accessGroups"] = json!([group]);
        }
        let document = document(shirt);
        before.with([RowChange {
            ordinal: 0,
            document: Some(&document),
            labels_changed,
        }])
    };
    let carriers = |columns: &Columns, groups: &[&str]| {
        let visitor = Visitor {
            access: DocumentAccess::Groups(groups.iter().map(|own| (*own).to_owned()).collect()),
            ..Visitor::default()
        };
        let size = FilterField::Attributes("1".to_owned());
        let size = columns.dictionary().read().number(&size).expect("known");
        let view = View::new(columns, &visitor);
        (columns.carriers(size), view.all_carriers()[size as usize])
    };
    let closed = columns(Some("vip"), &Columns::default(), true);
    assert_eq!(carriers(&closed, &[]), (1, 0));
    assert_eq!(carriers(&closed, &["vip"]), (1, 1));
    // The visibility of a document can change while its labels stay.
    let open = columns(None, &closed, false);
    assert_eq!(carriers(&open, &[]), (1, 1));
    let other = columns(Some("staff"), &open, true);
    assert_eq!(carriers(&other, &["vip"]), (1, 0));
    let gone = other.with([RowChange {
        ordinal: 0,
        document: None,
        labels_changed: true,
    }]);
    assert_eq!(carriers(&gone, &["staff"]), (0, 0));
}
