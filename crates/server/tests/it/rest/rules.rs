//! 1. Rules of all six types are created, read, updated and deleted; what a read returned can be put back.
//! 2. The list has one language or all, in the order in which rules apply; the status follows the clock.
//! 3. All errors are reported at once with their paths; each limit holds below, at and above it.
//! 4. Each write checks the precondition, is audited with its fields before and after, and advances the revision if it
//!    changes any.
//! 5. A date without an offset is in the rule's `timeZone`, which is returned; an unknown zone is rejected with the nearest.

use crate::harness::{Reply, Shop, TestClock};
use domain::Timestamp;
use serde_json::{Value, json};

fn rule(kind: &str, actions: Value) -> Value {
    json!({"name": "n", "type": kind, "actions": actions, "trigger": {"query": "Sofá", "match": "exact"}})
}

fn with(mut rule: Value, more: Value) -> Value {
    let more = more.as_object().cloned().unwrap_or_default();
    rule.as_object_mut().expect("an object").extend(more);
    rule
}

fn create(shop: &Shop, body: &Value) -> Reply {
    shop.own("POST", "/rules").json(body).send()
}

fn path_of(reply: &Reply) -> String {
    format!("/rules/{}", reply.data()["id"].as_str().expect("an id"))
}

fn latest_audit(shop: &Shop) -> Value {
    shop.audit(1)[0].clone()
}

/// A rule of each type with its `actions` as sent and as returned.
fn types() -> [(&'static str, Value, Value); 6] {
    let boost = |full: bool| {
        let mut term = json!({"field": "manufacturer", "value": "Nike", "weight": 2.5});
        let mut value = json!({"mode": "value", "field": "sales_count"});
        if full {
            term["mode"] = json!("term");
            value = with(value, json!({"factor": 1.0, "modifier": "none"}));
        }
        let range = json!({"mode": "range", "field": "price", "max": 50.0, "weight": 3.0});
        let missing = json!({"mode": "value", "field": "rating", "factor": 2.0, "modifier": "ln1p", "missing": 1.5});
        json!({"boost": [term, value, range, missing]})
    };
    let same = |kind, actions: Value| (kind, actions.clone(), actions);
    [
        ("BOOST", boost(false), boost(true)),
        same("PIN", json!({"pin": ["7", "3"]})),
        same("HIDE", json!({"hide": ["7"]})),
        same("REDIRECT", json!({"redirect": "/rebajas?x=1"})),
        (
            "BANNER",
            json!({"banner": {"imageUrl": "https://a.example/b.png", "link": "/x"}}),
            json!({"banner": {"imageUrl": "https://a.example/b.png", "link": "/x", "position": "top"}}),
        ),
        (
            "FILTER",
            json!({"filter": {"manufacturer": "Nike", "inStock": true, "price": {"min": 5.0}}}),
            json!({"filter": {"manufacturer": ["Nike"], "inStock": ["true"], "price": {"min": 5.0}}}),
        ),
    ]
}

#[test]
fn rules_of_every_type_are_created_read_put_back_and_deleted() {
    let shop = Shop::open();
    for (kind, sent, returned) in types() {
        let created = create(&shop, &rule(kind, sent)).ok();
        assert_eq!(created.status, 201);
        let record = created.data().clone();
        assert_eq!(record["actions"], returned);
        for (key, value) in [
            ("language", json!("es")),
            ("type", json!(kind)),
            ("priority", json!(0)),
            ("active", json!(true)),
            ("status", json!("active")),
            ("trigger", json!({"query": "Sofá", "match": "exact"})),
        ] {
            assert_eq!(record[key], value, "{key} of {kind}");
        }
        assert!(record.get("startDate").is_none() && record.get("endDate").is_none());
        let path = path_of(&created);
        let read = shop.own("GET", &path).send().ok();
        assert_eq!(
            (read.data(), read.header("etag")),
            (&record, created.header("etag"))
        );

        let mut writable = record.as_object().cloned().expect("an object");
        for key in ["id", "createdAt", "updatedAt", "status"] {
            writable.remove(key);
        }
        let back = shop
            .own("PUT", &path)
            .json(&Value::Object(writable))
            .send()
            .ok();
        assert_eq!(back.data(), &record);
        assert_eq!(
            back.header("x-config-revision"),
            created.header("x-config-revision")
        );

        let deleted = shop.own("DELETE", &path).send().ok();
        assert_eq!(deleted.data(), &json!({"id": record["id"]}));
        shop.own("GET", &path).send().error(404, "not_found");
    }
}

#[test]
fn an_update_keeps_omitted_fields_and_null_unsets_a_date() {
    let shop = Shop::open();
    let window = json!({"startDate": "2026-11-20", "endDate": "2026-11-30T10:00:00+01:00", "language": "en"});
    let created = create(&shop, &with(rule("PIN", json!({"pin": ["1"]})), window)).ok();
    let path = path_of(&created);
    let put = |body: Value| shop.own("PUT", &path).json(&body).send();
    assert_eq!(created.data()["startDate"], "2026-11-20T00:00:00Z");
    assert_eq!(created.data()["endDate"], "2026-11-30T09:00:00Z");
    let saved = put(json!({"priority": 5.0, "endDate": null, "active": false})).ok();
    let data = saved.data();
    assert_eq!((&data["priority"], data.get("endDate")), (&json!(5), None));
    assert_eq!(data["startDate"], "2026-11-20T00:00:00Z");
    assert_eq!(
        (&data["actions"], &data["language"]),
        (&json!({"pin": ["1"]}), &json!("en"))
    );
    assert_eq!(data["status"], "inactive");
    put(json!({"type": "PIN", "language": "es", "name": "m"})).ok();
    for (body, field) in [
        (json!({"type": "HIDE"}), "type"),
        (json!({"actions": {"hide": ["1"]}}), "actions.hide"),
        (json!({"name": null}), "name"),
        (json!({"trigger": {"query": "x"}}), "trigger.match"),
        (json!({"status": "active"}), "status"),
        (json!({"endDate": "2026-11-19"}), "endDate"),
        (json!({"endDate": 5}), "endDate"),
        (json!({"priority": 1.5}), "priority"),
    ] {
        let reply = put(body.clone()).error(400, "invalid_request");
        assert!(reply.fields().contains(&field), "{body}: {reply:?}");
    }
    let reason = put(json!({"endDate": 5})).error(400, "invalid_request");
    assert_eq!(reason.message(), "endDate: must be text or null, got 5");
}

#[test]
fn the_list_is_in_order_of_application_and_the_status_follows_the_clock() {
    let start = Timestamp::parse("2026-11-20T12:00:00Z").expect("a time");
    let shop = Shop::open_at(TestClock::fixed(start));
    let pin = |name: &str, more: Value| {
        let named = with(rule("PIN", json!({"pin": ["1"]})), json!({"name": name}));
        create(&shop, &with(named, more)).ok();
        shop.clock.advance_ms(1);
    };
    pin("old", json!({}));
    pin("young", json!({"endDate": "2026-11-20"}));
    pin(
        "high",
        json!({"priority": 9, "startDate": "2026-11-20T13:00:00Z"}),
    );
    pin("english", json!({"language": "en", "active": false}));
    let shown = |query: &str| -> Vec<String> {
        let list = shop.own("GET", &format!("/rules{query}")).send().ok();
        let rules = list.data().as_array().expect("a list");
        let text = |rule: &Value, key: &str| rule[key].as_str().expect("text").to_owned();
        rules
            .iter()
            .map(|rule| format!("{} {}", text(rule, "name"), text(rule, "status")))
            .collect()
    };
    assert_eq!(
        shown(""),
        [
            "high scheduled",
            "old active",
            "young active",
            "english inactive"
        ]
    );
    assert_eq!(shown("?lang=en"), ["english inactive"]);
    shop.clock.advance_ms(12 * 3_600_000);
    assert_eq!(
        shown("?lang=es"),
        ["high active", "old active", "young expired"]
    );
    let list = shop.own("GET", "/rules").send().ok();
    assert_eq!(list.message(), "4 rules.");
    assert!(!list.header("x-config-revision").is_empty() && list.json.get("meta").is_none());
    for bad in ["lang=x", "page=1", "type=PIN"] {
        let reply = shop.own("GET", &format!("/rules?{bad}")).send();
        reply.error(400, "invalid_request");
    }
}

#[test]
fn every_error_is_reported_with_its_path() {
    let boost = |entries: Value| rule("BOOST", json!({ "boost": entries }));
    let good = json!({"field": "tags", "value": "x", "weight": 1});
    assert_errors(&[
        (json!({}), vec!["actions", "name", "trigger", "type"]),
        (
            with(
                rule("PIN", json!({"pin": ["1"]})),
                json!({"priority": 1001}),
            ),
            vec!["priority"],
        ),
        (
            with(
                rule("PIN", json!({"pin": ["1"]})),
                json!({"name": "", "activ": true}),
            ),
            vec!["activ", "name"],
        ),
        (
            rule("PIN", json!({"hide": ["1"]})),
            vec!["actions.hide", "actions.pin"],
        ),
        (rule("PIN", json!({"pin": []})), vec!["actions.pin"]),
        (
            rule("HIDE", json!({"hide": ["1", "1"]})),
            vec!["actions.hide[1]"],
        ),
        (
            boost(json!([good, good, {"field": "tags", "value": "x", "weight": 101}])),
            vec!["actions.boost[2].weight"],
        ),
        (
            boost(json!([{"field": "tags", "weight": 1}])),
            vec!["actions.boost[0].value"],
        ),
        (
            boost(json!([{"mode": "value", "field": "tags"}])),
            vec!["actions.boost[0].field"],
        ),
        (
            boost(json!([{"mode": "value", "field": "price", "modifier": "log"}])),
            vec!["actions.boost[0].modifier"],
        ),
    ]);
}

#[test]
fn invalid_addresses_filters_and_patterns_are_reported_with_their_paths() {
    assert_errors(&[
        (
            rule("REDIRECT", json!({"redirect": "javascript:alert(1)"})),
            vec!["actions.redirect"],
        ),
        (
            rule("REDIRECT", json!({"redirect": "//evil.example"})),
            vec!["actions.redirect"],
        ),
        (
            rule(
                "BANNER",
                json!({"banner": {"imageUrl": "/a\\b", "link": "x", "position": "left"}}),
            ),
            vec![
                "actions.banner.position",
                "actions.banner.imageUrl",
                "actions.banner.link",
            ],
        ),
        (
            rule(
                "BANNER",
                json!({"banner": {"imageUrl": "/a\\b", "link": "x"}}),
            ),
            vec!["actions.banner.imageUrl", "actions.banner.link"],
        ),
        (
            rule("FILTER", json!({"filter": {"colour": "red"}})),
            vec!["actions.filter.colour"],
        ),
        (
            with(
                rule("PIN", json!({"pin": ["1"]})),
                json!({"trigger": {"query": "a(b", "match": "regex"}}),
            ),
            vec!["trigger.query"],
        ),
    ]);
    let shop = Shop::open();
    let numeric = "is not numeric in the index; the numeric fields are price, sales_count, rating, ratingCount, feature_num";
    let boost = |entries: Value| rule("BOOST", json!({ "boost": entries }));
    let reply = create(&shop, &boost(json!([{"mode": "value", "field": "tags"}])));
    assert_eq!(reply.json["errors"][0]["reason"], numeric);
    let regex = with(
        rule("PIN", json!({"pin": ["1"]})),
        json!({"trigger": {"query": "a(b", "match": "regex"}}),
    );
    let message = create(&shop, &regex).error(400, "invalid_request");
    assert!(message.message().contains("at character 2"), "{message:?}");
}

/// Each row: an invalid rule and the paths of its errors.
fn assert_errors(rows: &[(Value, Vec<&str>)]) {
    let shop = Shop::open();
    for (body, fields) in rows {
        let reply = create(&shop, body).error(400, "invalid_request");
        assert_eq!(reply.fields(), *fields, "{body}: {reply:?}");
    }
}

#[test]
fn a_language_has_at_most_1000_rules() {
    let shop = Shop::open();
    let body = rule("HIDE", json!({"hide": ["1"]}));
    for _ in 0..1_000 {
        create(&shop, &body).ok();
    }
    let over = create(&shop, &body).error(403, "plan_limit");
    assert_eq!(over.json["details"], json!({"max": 1000}));
    let english = create(&shop, &with(body, json!({"language": "en"}))).ok();
    let moved = shop
        .own("PUT", &path_of(&english))
        .json(&json!({"language": "es"}))
        .send();
    moved.error(403, "plan_limit");
}

#[test]
fn each_write_is_conditional_audited_and_numbered() {
    let shop = Shop::open();
    let created = create(&shop, &rule("PIN", json!({"pin": ["1"]}))).ok();
    let path = path_of(&created);
    let record = latest_audit(&shop);
    assert_eq!(
        (&record["operation"], &record["resource"]),
        (&json!("create_rule"), &json!(path[1..]))
    );
    let tag = created.header("etag").to_owned();
    let put = |tag: &str, body: Value| {
        shop.own("PUT", &path)
            .header("If-Match", tag)
            .json(&body)
            .send()
    };
    let saved = put(&tag, json!({"actions": {"pin": ["2"]}})).ok();
    let change = json!([{"path": "actions.pin", "before": ["1"], "after": ["2"]}]);
    assert_eq!(latest_audit(&shop)["changes"], change);
    put(&tag, json!({"name": "x"})).error(412, "precondition_failed");
    let delete = |tag: &str| shop.own("DELETE", &path).header("If-Match", tag).send();
    delete(&tag).error(412, "precondition_failed");
    delete(saved.header("etag")).ok();
    let removed = latest_audit(&shop);
    assert_eq!(removed["operation"], "delete_rule");
    let pins = json!({"path": "actions", "before": {"pin": ["2"]}});
    assert!(
        removed["changes"]
            .as_array()
            .expect("a list")
            .contains(&pins),
        "{removed}"
    );
}

#[test]
fn dates_are_in_the_time_zone_of_their_rule() {
    let shop = Shop::open();
    let zoned = |zone: &str| {
        let more = json!({"timeZone": zone, "startDate": "2026-06-01"});
        create(&shop, &with(rule("HIDE", json!({"hide": ["1"]})), more))
    };
    let created = zoned("Europe/Madrid").ok();
    assert_eq!(created.data()["startDate"], "2026-05-31T22:00:00Z");
    assert_eq!(created.data()["timeZone"], "Europe/Madrid");
    let wrong = zoned("Europe/Madird");
    let errors = wrong.error(400, "invalid_request").json["errors"].clone();
    assert!(errors.to_string().contains("Europe/Madrid"), "{errors}");
}
