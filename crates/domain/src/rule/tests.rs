//! 1. Each limit of a rule is tested below, at and above it; each error is reported with its path.
//! 2. `actions` has exactly the key of its type, and each mode of a boost exactly its keys.
//! 3. A rule is deserialised as it was serialised, and updating a rule with itself changes nothing.
//! 4. The status follows from `active`, the time window and the current time.
//! 5. Only http and https URLs and paths of the shop are valid.
//! 6. A banner has a picture or a text.

mod zones;

use super::time_window::{DateOrTime, End};
use super::*;
use crate::form::Address;
use crate::invalid::Invalid;
use serde_json::{Map, Value, json};

fn new(value: Value) -> Result<RuleContent, Vec<Invalid>> {
    let new: NewRule = serde_json::from_value(value).expect("the test's request parses");
    new.check()
}

fn rule(kind: &str, actions: Value, more: Value) -> Value {
    let mut rule = json!({
        "name": "n", "type": kind, "actions": actions, "trigger": {"query": "sofa", "match": "exact"}
    });
    let entries = more.as_object().cloned().unwrap_or_default();
    rule.as_object_mut().expect("an object").extend(entries);
    rule
}

fn fields(value: Value) -> Vec<String> {
    let errors = new(value).err().unwrap_or_default();
    errors.into_iter().map(|one| one.field).collect()
}

fn pin(more: Value) -> Value {
    rule("PIN", json!({"pin": ["1"]}), more)
}

fn boost(entry: Value) -> Value {
    rule("BOOST", json!({"boost": [entry]}), json!({}))
}

fn every_type() -> [Value; 8] {
    let boosts = json!([
        {"field": "manufacturer", "value": "Nike", "weight": 2},
        {"mode": "value", "field": "sales_count", "factor": 1.5, "modifier": "log1p", "missing": 0},
        {"mode": "value", "field": "rating"},
        {"mode": "range", "field": "price", "min": 10, "max": 20, "weight": 0.5},
        {"field": "attributes.value", "value": "Rojo", "weight": 2},
    ]);
    let window =
        json!({"startDate": "2026-11-20", "endDate": "2026-11-30T10:00:00+01:00", "priority": 7});
    [
        rule("BOOST", json!({"boost": boosts}), window),
        pin(json!({"active": false, "language": "en-gb"})),
        rule("HIDE", json!({"hide": ["1", "2"]}), json!({})),
        rule(
            "REDIRECT",
            json!({"redirect": "/sale?x=1"}),
            json!({"endDate": "2026-11-30"}),
        ),
        rule(
            "BANNER",
            json!({"banner": {"imageUrl": "https://a/b.png", "link": "/x", "position": "bottom"}}),
            json!({}),
        ),
        rule(
            "BANNER",
            json!({"banner": {"imageUrl": "/b.png"}}),
            json!({}),
        ),
        rule(
            "FILTER",
            json!({"filter": {"manufacturer": "Nike", "tags": ["a", "b"], "inStock": true}}),
            json!({}),
        ),
        rule(
            "FILTER",
            json!({"filter": {"price": {"max": 50}, "features.1": ["x"]}}),
            json!({}),
        ),
    ]
}

#[test]
fn limits_are_exact() {
    let none: Vec<String> = Vec::new();
    for (good, bad, path) in [
        (
            pin(json!({"priority": 1000})),
            pin(json!({"priority": 1001})),
            "priority",
        ),
        (
            pin(json!({"name": "n".repeat(255)})),
            pin(json!({"name": "n".repeat(256)})),
            "name",
        ),
        (pin(json!({})), pin(json!({"name": " "})), "name"),
        (
            boost(json!({"field": "tags", "value": "x", "weight": 0.1})),
            boost(json!({"field": "tags", "value": "x", "weight": 0.09})),
            "actions.boost[0].weight",
        ),
        (
            boost(json!({"field": "tags", "value": "x", "weight": 100})),
            boost(json!({"field": "tags", "value": "x", "weight": 100.1})),
            "actions.boost[0].weight",
        ),
        (
            boost(json!({"mode": "value", "field": "price", "factor": 0})),
            boost(json!({"mode": "value", "field": "price", "factor": -0.1})),
            "actions.boost[0].factor",
        ),
        (
            boost(json!({"mode": "range", "field": "price", "min": 2, "max": 2, "weight": 1})),
            boost(json!({"mode": "range", "field": "price", "min": 3, "max": 2, "weight": 1})),
            "actions.boost[0].min",
        ),
        (
            pin(json!({"startDate": "2026-11-20T00:00:00Z", "endDate": "2026-11-20T00:00:00Z"})),
            pin(json!({"startDate": "2026-11-20T00:00:01Z", "endDate": "2026-11-20T00:00:00Z"})),
            "endDate",
        ),
        (
            pin(json!({"trigger": {"query": "q".repeat(500), "match": "exact"}})),
            pin(json!({"trigger": {"query": "q".repeat(501), "match": "exact"}})),
            "trigger.query",
        ),
        (
            pin(json!({"trigger": {"query": "s", "match": "exact", "alternatives": ["typos"]}})),
            pin(json!({"trigger": {"query": "s", "match": "regex", "alternatives": ["typos"]}})),
            "trigger.alternatives",
        ),
        (
            pin(json!({"trigger": {"query": "", "match": "contains"}})),
            pin(json!({"trigger": {"query": "", "match": "starts_with"}})),
            "trigger.query",
        ),
    ] {
        assert_eq!(fields(good.clone()), none, "{good}");
        assert_eq!(fields(bad.clone()), [path], "{bad}");
    }
}

#[test]
fn lists_of_products_and_boosts_have_a_length() {
    let ids = |count: usize| (0..count).map(|at| at.to_string()).collect::<Vec<_>>();
    for (kind, part) in [("PIN", "pin"), ("HIDE", "hide")] {
        let of = |ids: Vec<String>| fields(rule(kind, json!({ (part): ids }), json!({})));
        assert!(of(ids(200)).is_empty() && of(ids(1)).is_empty());
        let path = format!("actions.{part}");
        assert_eq!(of(ids(201)), [path.as_str()]);
        assert_eq!(of(ids(0)), [path.as_str()]);
        let twice = vec!["1".to_owned(), "2".to_owned(), "1".to_owned()];
        assert_eq!(of(twice), [format!("{path}[2]")]);
        let long = vec!["x".repeat(256)];
        assert_eq!(of(long), [format!("{path}[0]")]);
    }
    let entry = json!({"field": "tags", "value": "x", "weight": 1});
    let of = |count: usize| {
        fields(rule(
            "BOOST",
            json!({"boost": vec![entry.clone(); count]}),
            json!({}),
        ))
    };
    assert!(of(100).is_empty());
    assert_eq!(of(101), ["actions.boost"]);
    assert_eq!(of(0), ["actions.boost"]);
}

#[test]
fn a_rule_has_the_action_of_its_type_and_no_other() {
    let parts = json!({
        "boost": [{"field": "tags", "value": "x", "weight": 1}], "pin": ["1"], "hide": ["1"], "redirect": "/x",
        "banner": {"imageUrl": "/x"}, "filter": {"tags": "x"}
    });
    for kind in RuleType::ALL {
        for (part, value) in parts.as_object().expect("an object") {
            let mut actions = Map::new();
            actions.insert(part.clone(), value.clone());
            let errors = fields(rule(kind.as_str(), Value::Object(actions), json!({})));
            let expected = if part == kind.key() { 0 } else { 2 };
            assert_eq!(errors.len(), expected, "{part} of {kind:?}: {errors:?}");
        }
        let none = fields(rule(kind.as_str(), json!({}), json!({})));
        assert_eq!(none, [format!("actions.{}", kind.key())]);
    }
}

#[test]
fn every_error_of_a_boost_is_reported_with_its_path() {
    let list = json!([
        {"field": "tags", "value": "x", "weight": 2},
        {"mode": "value", "field": "manufacturer", "weight": 3},
        {"mode": "range", "field": "price"},
        {"field": "price", "value": "10", "weight": 2, "min": 3},
        {"field": "colour"},
    ]);
    let errors = new(rule("BOOST", json!({"boost": list}), json!({}))).expect_err("errors");
    let fields: Vec<&str> = errors.iter().map(|one| one.field.as_str()).collect();
    assert_eq!(
        fields,
        [
            "actions.boost[1].field",
            "actions.boost[1].weight",
            "actions.boost[2].min",
            "actions.boost[2].weight",
            "actions.boost[3].field",
            "actions.boost[3].min",
            "actions.boost[4].field",
            "actions.boost[4].value",
            "actions.boost[4].weight",
        ]
    );
    let reason = "is not numeric in the index; the numeric fields are price, sales_count, rating, ratingCount, feature_num";
    assert_eq!(errors[0].reason, reason);
}

#[test]
fn filters_accept_the_fields_and_values_of_a_search() {
    let of = |filter: Value| fields(rule("FILTER", json!({"filter": filter}), json!({})));
    assert!(
        of(json!({"discount": ["true"], "categories": ["1", "2"], "rating": {"min": 3}}))
            .is_empty()
    );
    assert_eq!(of(json!({})), ["actions.filter"]);
    for (field, bad) in [
        ("colour", json!("x")),
        ("inStock", json!("yes")),
        ("tags", json!(true)),
        ("tags", json!([])),
        ("tags", json!("")),
        ("price", json!("10")),
        ("price", json!({})),
        ("tags", json!({"min": 1})),
    ] {
        assert_eq!(
            of(json!({ (field): bad })),
            [format!("actions.filter.{field}")]
        );
    }
}

#[test]
fn errors_of_patterns_have_a_position_and_patterns_stay_small() {
    let of = |query: &str| {
        let trigger = json!({"trigger": {"query": query, "match": "regex"}});
        new(pin(trigger))
            .map(|_| ())
            .map_err(|errors| errors[0].to_string())
    };
    for good in ["^sof[aá]s?$", "(?i)x", r"\bnike\b.{0,20}", r"\d{3}", "é|ñ"] {
        assert_eq!(of(good), Ok(()), "{good}");
    }
    let prefix = "trigger.query: is not a regular expression; at character";
    assert_eq!(of("éa(b"), Err(format!("{prefix} 3: unclosed group")));
    assert!(of(r"(a)\1").is_err_and(|reason| reason.starts_with(&format!("{prefix} 4"))));
    assert!(of("a{1000}{1000}").is_err_and(|reason| reason.contains("too large")));
    assert!(of(r"\w{400}").is_err_and(|reason| reason.contains("too large")));
}

#[test]
fn updating_a_rule_with_itself_changes_nothing() {
    for value in every_type() {
        let content = new(value).expect("a rule");
        let written = json!(content);
        let read: RuleContent = serde_json::from_value(written.clone()).expect("a rule");
        assert_eq!(read, content);
        let patch: RulePatch = serde_json::from_value(written).expect("its keys are writable");
        assert_eq!(patch.apply(&content), Ok(content));
    }
}

#[test]
fn an_update_keeps_what_it_leaves_out_and_null_unsets_a_date() {
    let before = new(every_type()[0].clone()).expect("a rule");
    let apply = |patch: Value| {
        let patch: RulePatch = serde_json::from_value(patch).expect("a patch");
        patch.apply(&before)
    };
    assert_eq!(apply(json!({})), Ok(before.clone()));
    let open = apply(json!({"endDate": null, "priority": 9})).expect("a rule");
    assert_eq!((open.end_date, open.priority), (None, 9));
    assert_eq!(open.start_date, before.start_date);
    for (bad, path) in [
        (json!({"type": "PIN"}), "type"),
        (json!({"actions": {"pin": ["1"]}}), "actions.boost"),
        (json!({"startDate": "2027-01-01"}), "endDate"),
        (json!({"endDate": "soon"}), "endDate"),
    ] {
        let errors = apply(bad.clone()).expect_err("is invalid");
        assert_eq!(errors[0].field, path, "{bad}");
    }
}

#[test]
fn the_status_follows_from_active_window_and_time() {
    let window = json!({"startDate": "2026-11-20T10:00:00Z", "endDate": "2026-11-30"});
    let mut content = new(pin(window)).expect("a rule");
    let at = |text: &str| Timestamp::parse(text).expect("a time");
    for (now, status) in [
        ("2026-11-20T09:59:59.999Z", RuleStatus::Scheduled),
        ("2026-11-20T10:00:00Z", RuleStatus::Active),
        ("2026-11-30T23:59:59.999Z", RuleStatus::Active),
        ("2026-12-01T00:00:00Z", RuleStatus::Expired),
    ] {
        assert_eq!(content.status(at(now)), status, "{now}");
    }
    content.active = false;
    assert_eq!(
        content.status(at("2026-12-01T00:00:00Z")),
        RuleStatus::Inactive
    );
}

#[test]
fn dates_are_parsed_in_all_usual_formats() {
    let at = |text: &str, end| DateOrTime::parse(text).map(|date| date.at(end, None).to_string());
    let start = |text: &str| at(text, End::Start);
    assert_eq!(start("2026-11-20"), Ok("2026-11-20T00:00:00Z".to_owned()));
    assert_eq!(
        start("2026-11-20T15:00:00"),
        Ok("2026-11-20T15:00:00Z".to_owned())
    );
    assert_eq!(
        start("2026-11-20T15:00:00+02:00"),
        Ok("2026-11-20T13:00:00Z".to_owned())
    );
    assert_eq!(
        start("2026-11-20T15:00:00.5Z"),
        Ok("2026-11-20T15:00:00.5Z".to_owned())
    );
    let finish = |text: &str| at(text, End::Finish);
    for day in ["2026-11-20", "20261120"] {
        assert_eq!(finish(day), Ok("2026-11-20T23:59:59.999Z".to_owned()));
    }
    // Dates that mean "forever" become the last instant that can be represented, which is valid as well.
    let last = "9999-12-30T22:00:00Z";
    for late in [
        "9999-12-31",
        "9999-12-31T23:59:59",
        "9999-12-31T23:59:59Z",
        last,
    ] {
        assert_eq!(finish(late), Ok(last.to_owned()), "{late}");
    }
    for bad in [
        "",
        "soon",
        "2026-11-20T24:00:00Z",
        "2026-13-01",
        "2026-11-20T25:00:00Z",
        "20/11/2026",
        "1732000000",
    ] {
        assert!(start(bad).is_err(), "{bad}");
    }
}

#[test]
fn only_web_urls_and_paths_are_addresses() {
    for good in [
        "/",
        "/sale",
        "/a?b=c#d",
        "https://shop.example/x",
        "http://a",
    ] {
        assert!(Address::parse(good).is_ok(), "{good}");
    }
    for bad in [
        "",
        "sale",
        "//evil.example",
        "/\\evil.example",
        "\\/evil",
        "javascript:alert(1)",
        "data:text/html,x",
        "/a\nb",
        "/a\tb",
        "https://",
        " /x",
        "ftp://a",
    ] {
        assert!(Address::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_banner_has_a_picture_or_a_text() {
    let banner = |banner: Value| fields(rule("BANNER", json!({ "banner": banner }), json!({})));
    for good in [
        json!({"text": "Sale"}),
        json!({"text": "s".repeat(200), "imageUrl": "/x.png"}),
    ] {
        assert!(banner(good.clone()).is_empty(), "{good}");
    }
    assert_eq!(banner(json!({"link": "/x"})), ["actions.banner.imageUrl"]);
    for bad in ["", " ", "two\nlines", &"s".repeat(201)] {
        assert_eq!(banner(json!({ "text": bad })), ["actions.banner.text"]);
    }
}
