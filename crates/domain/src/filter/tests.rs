//! 1. Each limit of a filter is tested below, at and above it; each error is reported with its path.
//! 2. A group with unchanged values keeps its key; keys are never shared, nor taken from another filter.
//! 3. A change merges, null unsets, and updating a filter with itself changes nothing.

use super::*;
use serde_json::{Value, json};

/// Keys `k1`, `k2`, … from `start` on.
fn keys(start: u32) -> impl FnMut() -> String {
    let mut next = start;
    move || {
        next += 1;
        format!("k{}", next - 1)
    }
}

fn new(value: Value) -> Result<FilterContent, Vec<Invalid>> {
    let new: NewFilter = serde_json::from_value(value).expect("the test's request parses");
    new.check(7, &mut keys(1))
}

fn fields(value: Value) -> Vec<String> {
    let errors = new(value).err().unwrap_or_default();
    errors.into_iter().map(|one| one.field).collect()
}

fn change(before: &FilterContent, value: Value) -> Result<FilterContent, Vec<Invalid>> {
    let patch: FilterPatch = serde_json::from_value(value).expect("the test's patch parses");
    patch.apply(before, &mut keys(50))
}

fn colours() -> FilterContent {
    new(json!({"field": "attributes.1", "label": {"es": "Color"}, "config": {
        "valueGroups": [{"label": "Warm", "values": ["1", "2"]}, {"values": ["3"]}], "limit": 5, "sort": "alpha"
    }}))
    .expect("a filter")
}

#[test]
fn a_new_filter_has_the_defaults_of_its_field() {
    let price = new(json!({"field": "price"})).expect("a filter");
    assert_eq!(
        (price.kind, price.position, price.active),
        (FilterType::Range, 7, true)
    );
    let written = json!({
        "field": "price", "type": "range", "position": 7, "active": true, "config": {}
    });
    assert_eq!(json!(price), written);
    assert_eq!(
        new(json!({"field": "inStock"})).expect("a filter").kind,
        FilterType::Boolean
    );
    assert!(new(json!({"field": "categories", "type": "tree"})).is_ok());
}

#[test]
fn limits_are_exact() {
    check_limits(&[
        (
            json!({"field": "tags"}),
            json!({"field": "colour"}),
            "field",
        ),
        (
            json!({"field": "tags", "type": "list"}),
            json!({"field": "tags", "type": "tree"}),
            "type",
        ),
        (
            json!({"field": "rating", "type": "range"}),
            json!({"field": "rating", "type": "list"}),
            "type",
        ),
        (
            json!({"field": "tags", "position": 10000}),
            json!({"field": "tags", "position": 10001}),
            "position",
        ),
        (
            json!({"field": "tags", "config": {"limit": 1000}}),
            json!({"field": "tags", "config": {"limit": 1001}}),
            "config.limit",
        ),
        (
            json!({"field": "tags", "config": {"limit": 1}}),
            json!({"field": "tags", "config": {"limit": 0}}),
            "config.limit",
        ),
        (
            json!({"field": "tags", "label": {"es": "n".repeat(255)}}),
            json!({"field": "tags", "label": {"es": "n".repeat(256)}}),
            "label.es",
        ),
        (
            json!({"field": "tags", "label": {}}),
            json!({"field": "tags", "label": {"x": "n"}}),
            "label.x",
        ),
    ]);
}

#[test]
fn limits_of_groups_are_exact() {
    let grouped = |groups: Value| json!({"field": "tags", "config": {"valueGroups": groups}});
    let values = |count: usize| (0..count).map(|at| at.to_string()).collect::<Vec<_>>();
    let groups = |count: usize| {
        let group = |at: usize| json!({"values": [at.to_string()]});
        (0..count).map(group).collect::<Value>()
    };
    check_limits(&[
        (
            grouped(groups(100)),
            grouped(groups(101)),
            "config.valueGroups",
        ),
        (
            grouped(json!([{"values": values(200)}])),
            grouped(json!([{"values": values(201)}])),
            "config.valueGroups[0].values",
        ),
        (
            grouped(json!([])),
            grouped(json!([{"values": []}])),
            "config.valueGroups[0].values",
        ),
        (
            grouped(json!([{"values": ["a", "b"]}, {"values": ["c"]}])),
            grouped(json!([{"values": ["a", "b"]}, {"values": ["c", "a"]}])),
            "config.valueGroups[1].values[1]",
        ),
        (
            json!({"field": "price", "config": {"valueGroups": []}}),
            json!({"field": "price", "config": {"valueGroups": [{"values": ["a"]}]}}),
            "config.valueGroups",
        ),
    ]);
}

/// Each row: a valid filter, an invalid one, and the path of its error.
fn check_limits(rows: &[(Value, Value, &str)]) {
    for (good, bad, path) in rows {
        assert!(new(good.clone()).is_ok(), "{good}");
        assert_eq!(fields(bad.clone()), [*path], "{bad}");
    }
}

#[test]
fn groups_with_unchanged_values_keep_their_keys() {
    let before = colours();
    let keys = |content: &FilterContent| -> Vec<String> {
        let groups = content.config.value_groups.iter().flatten();
        groups.map(|group| group.key.clone()).collect()
    };
    assert_eq!(keys(&before), ["k1", "k2"]);
    let groups = |groups: Value| {
        let changed = change(&before, json!({"config": {"valueGroups": groups}}));
        keys(&changed.expect("a filter"))
    };
    // Another order, another name, no key sent: the values decide.
    assert_eq!(
        groups(json!([{"values": ["3"]}, {"values": ["2", "1"], "label": "Hot"}])),
        ["k2", "k1"]
    );
    assert_eq!(
        groups(json!([{"values": ["3"], "key": "k1"}, {"values": ["1", "2"], "key": "k2"}])),
        ["k2", "k1"]
    );
    // Changed values sent with a key of the filter keep it, once; an unknown key is ignored.
    assert_eq!(
        groups(json!([{"values": ["1", "2", "9"], "key": "k1"}])),
        ["k1"]
    );
    assert_eq!(
        groups(json!([{"values": ["8"], "key": "k1"}, {"values": ["9"], "key": "k1"}])),
        ["k1", "k50"]
    );
    assert_eq!(
        groups(json!([{"values": ["8"], "key": "k2"}, {"values": ["3"]}])),
        ["k50", "k2"]
    );
    assert_eq!(groups(json!([{"values": ["8"], "key": "evil"}])), ["k50"]);
}

#[test]
fn a_change_merges_and_null_unsets() {
    let before = colours();
    let after = |value: Value| change(&before, value).expect("a filter");
    let limit = after(json!({"config": {"limit": 9}}));
    assert_eq!(
        (limit.config.limit, limit.config.sort),
        (Some(9), Some(OptionSort::Alpha))
    );
    assert_eq!(limit.config.value_groups, before.config.value_groups);
    let bare = json!({"label": null, "config": {"valueGroups": null, "sort": null, "limit": null, "hideEmpty": null}});
    let bare = after(bare);
    assert_eq!((bare.label, bare.config), (None, FilterConfig::default()));
    assert_eq!(after(json!({})), before);
    assert_eq!(after(json!(before)), before);
    let read: FilterContent = serde_json::from_value(json!(before)).expect("a filter");
    assert_eq!(read, before);
    let moved =
        change(&before, json!({"field": "attributes.2"})).expect_err("the field cannot change");
    assert_eq!(moved[0].field, "field");
}
