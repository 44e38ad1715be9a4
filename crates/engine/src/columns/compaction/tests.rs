//! 1. Compacted columns have the same content; earlier states are not changed.
//! 2. The estimate of the bytes in use never exceeds the actual bytes.
//! 3. A feed that replaces all interned entries in every batch does not grow without bound.
//! 4. Large ordinals and deleted documents cost no rows.

use super::*;
use crate::columns::{RowChange, View};
use domain::document::price::PriceContext;
use domain::document::{DocType, Document};
use domain::visitor::{DocumentAccess, Visitor};
use proptest::prelude::*;
use serde_json::{Value, json};

fn document(value: Value) -> Document {
    Document::parse(DocType::Products, 0, value).expect("a document")
}

fn with(columns: &Columns, changes: &[(u32, Option<Document>)]) -> Columns {
    columns.with(changes.iter().map(|(ordinal, document)| RowChange {
        ordinal: *ordinal,
        document: document.as_ref(),
        labels_changed: true,
    }))
}

/// A document with some of few values, which others share.
fn few(seed: [u8; 6]) -> Document {
    let [tag, group, price, access, currency, label] = seed;
    document(json!({
        "id": format!("{tag}-{price}"), "name": "x", "tags": [format!("t{tag}"), "common"],
        "features": [{"featureId": group.to_string(), "feature": format!("g{label}"), "id": tag.to_string(),
                      "value": format!("v{label}")}],
        "manufacturer": format!("b{label}"), "manufacturerId": label.to_string(),
        format!("priceInclTax_t{price}"): f64::from(price), format!("priceInclTax_t{}", price / 2): 7,
        "accessGroups": [access.to_string()], "currency": format!("C{currency}"),
    }))
}

/// The content of columns for an ordinal, without numbers of entries.
fn content(columns: &Columns, ordinal: u32) -> String {
    let entries = columns.dictionary().read();
    let values = columns.values(ordinal).map(|(field, values)| {
        let texts = values.iter().map(|value| entries.value(field, *value));
        // They are ordered by their numbers, and a value that was dropped gets a new one when it comes back.
        let mut texts: Vec<_> = texts.collect();
        texts.sort_unstable();
        (entries.field(field), texts)
    });
    let mut values: Vec<String> = values.map(|value| format!("{value:?}")).collect();
    values.sort_unstable();
    let seen = |visitor: Visitor| {
        let view = View::new(columns, &visitor);
        let seen = view.see(ordinal);
        seen.map(|seen| (seen.price(), seen.currency()))
    };
    let by_tier = (0..10).map(|tier| {
        seen(Visitor {
            prices: PriceContext {
                tier: Some(tier.to_string()),
                ..PriceContext::default()
            },
            ..Visitor::default()
        })
    });
    let by_group = (0..6).map(|group: u8| {
        seen(Visitor {
            access: DocumentAccess::Groups([group.to_string()].into()),
            ..Visitor::default()
        })
    });
    let id = columns.id(ordinal);
    let seen: Vec<_> = by_tier.chain(by_group).collect();
    format!("{id} {:?} {values:?} {seen:?}", columns.ordinal(id))
}

fn carried(columns: &Columns) -> Vec<(String, u32)> {
    let entries = columns.dictionary().read();
    let fields = entries.fields();
    let fields = fields.map(|(number, field, _)| (field.to_string(), columns.carriers(number)));
    let mut carried: Vec<_> = fields.filter(|(_, count)| *count > 0).collect();
    carried.sort_unstable();
    carried
}

fn exactly_in_use(columns: &Columns) -> usize {
    columns.shared.only(&columns.find_in_use()).bytes()
}

const ORDINALS: u32 = 140;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn compaction_changes_no_content(
        batches in proptest::collection::vec(
            proptest::collection::btree_map(120..ORDINALS, proptest::option::of(any::<[u8; 6]>()), 1..12), 1..12,
        ),
    ) {
        let mut plain = Columns::default();
        let mut compacted = Columns::default();
        for batch in batches {
            let of = |seed: [u8; 6]| few(seed.map(|byte| byte % 6));
            let changes: Vec<_> =
                batch.into_iter().map(|(ordinal, seed)| (ordinal, seed.map(of))).collect();
            plain = with(&plain, &changes);
            let next = with(&compacted, &changes).compacted_beyond(0);
            prop_assert!(next.in_use <= exactly_in_use(&next));
            prop_assert!(plain.in_use <= exactly_in_use(&plain));
            prop_assert!(exactly_in_use(&next) >= next.shared.bytes() / 2);
            for ordinal in 0..ORDINALS {
                prop_assert_eq!(content(&next, ordinal), content(&plain, ordinal));
            }
            prop_assert_eq!(carried(&next), carried(&plain));
            compacted = next;
        }
    }
}

/// A document with values of its own in every batch.
fn new_in(block: u32, ordinal: u32) -> Document {
    let own = |at: u32| format!("{block}-{ordinal}-{at} {}", "x".repeat(100));
    let tags: Vec<String> = (0..10).map(own).collect();
    document(json!({
        "id": ordinal.to_string(), "name": "x", "tags": tags, "currency": own(0),
        "features": [{"feature": own(1), "value": own(2)}], "accessGroups": [own(3), own(4)],
        format!("priceInclTax_t{block}{ordinal:03}"): 1,
    }))
}

#[test]
fn replacing_everything_does_not_grow_without_bound() {
    let documents = |block: u32| -> Vec<_> {
        let own = |ordinal: u32| (ordinal, Some(new_in(block, ordinal)));
        (0..300).map(own).collect()
    };
    let mut columns = with(&Columns::default(), &documents(0)).compacted();
    let one_block = columns.shared.bytes();
    let (first, before) = (columns.clone(), content(&columns, 7));
    let mut compactions = 0;
    for block in 1..40 {
        let next = with(&columns, &documents(block)).compacted();
        compactions += u32::from(!next.numbers_as(&columns));
        let bound = 3 * one_block + SLACK_BYTES;
        assert!(
            next.shared.bytes() < bound,
            "{} in block {block}",
            next.shared.bytes()
        );
        columns = next;
    }
    assert!((5..30).contains(&compactions), "{compactions}");
    assert_eq!(content(&first, 7), before);
    let gone: Vec<_> = (0..300).map(|ordinal| (ordinal, None)).collect();
    let empty = with(&columns, &gone).compacted();
    assert!(
        empty.shared.bytes() <= SLACK_BYTES,
        "{}",
        empty.shared.bytes()
    );
}

#[test]
fn unchanged_entries_are_never_scanned_for() {
    let documents: Vec<_> = (0..300).map(|at| (at, Some(new_in(0, at)))).collect();
    let mut columns = with(&Columns::default(), &documents);
    let held = columns.shared.bytes();
    for _ in 0..20 {
        columns = with(&columns, &documents);
        assert_eq!(
            (columns.in_use, columns.shared.bytes()),
            (columns.in_use.max(held - 4_096), held)
        );
    }
}

#[test]
fn far_ordinals_and_deleted_documents_cost_no_rows() {
    let far = 10_000_000;
    let columns = with(
        &Columns::default(),
        &[(far, Some(new_in(0, 1))), (3, Some(new_in(0, 2)))],
    );
    let written = |columns: &Columns| {
        let chunks = columns.numbers.iter();
        chunks.filter(|chunk| !numbers::is_empty(chunk)).count()
    };
    assert_eq!((written(&columns), columns.id(far)), (2, "1"));
    let columns = with(&columns, &[(far, None)]);
    assert_eq!(
        (written(&columns), columns.id(3), columns.id(far)),
        (1, "2", "")
    );
    let view = View::new(&columns, &Visitor::default());
    assert_eq!(
        view.all().map(|seen| seen.ordinal).collect::<Vec<u32>>(),
        [3]
    );
    let everyone = with(
        &columns,
        &[(4, Some(document(json!({"id": "a", "name": "A"}))))],
    );
    let view = View::new(&everyone, &Visitor::default());
    assert_eq!(
        view.all().map(|seen| seen.ordinal).collect::<Vec<_>>(),
        [3, 4]
    );
}
