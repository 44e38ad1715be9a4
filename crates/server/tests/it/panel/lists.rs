//! 1. A file of synonym groups is checked as a whole before anything of it is saved; the import does what the check said.
//! 2. Rejected documents are kept with code and field, the latest 100 of an index, until they are accepted or deleted.
//! 3. A feed that is silent for twice its usual interval is named in the store, in the list and in the metrics.
//! 4. The page of the widget's preview has no origin, names all that it may load, and takes keys and languages only.
//! 5. A change by the panel leaves the same state, revision and audit record as by REST, and fails with the same errors.

use super::{MINUTE_MS, Person, shop};
use crate::feed::calls::{many, opened};
use crate::harness::{Reply, Shop, TestClock};
use domain::Role;
use serde_json::{Value, json};

const DAY_MS: i64 = 24 * 60 * MINUTE_MS;

#[test]
fn an_import_is_checked_before_it_is_saved() {
    let shop = shop();
    let viewer = shop.member("viewer@shop.example", Role::Viewer);
    let editor = shop.member("editor@shop.example", Role::Editor);
    let lines = (0..5_000).map(|n| format!("word{n}, other{n}\n"));
    let csv: String = lines.chain(["=> x\n".to_owned()]).collect();
    let body = json!({"language": "es", "csv": csv});
    let post = |person: &Person, path: &str| {
        let call = shop.by(person, "POST", &shop.of_store(path));
        call.json(&body).send()
    };
    post(&viewer, "/synonyms/check").ok();
    let checked = post(&editor, "/synonyms/check").ok();
    assert_eq!(checked.data()["created"], 5_000);
    assert_eq!(checked.data()["errors"][0]["line"], 5_001);
    let list = shop.of_store("/synonyms?limit=100&q=word4999");
    let listed = shop.by(&viewer, "GET", &list).send().ok();
    assert_eq!(listed.json["meta"]["total"], 0, "nothing is saved");
    let revisions = shop.own("GET", "/revisions").send().ok();
    assert_eq!(revisions.json["meta"]["total"], 0);
    let imported = post(&editor, "/synonyms/import").ok();
    assert_eq!(imported.data(), checked.data());
    let listed = shop.by(&viewer, "GET", &list).send().ok();
    assert_eq!(listed.json["meta"]["total"], 1);
    let again = post(&editor, "/synonyms/check").ok();
    assert_eq!(again.data()["created"], 0);
    assert_eq!(again.data()["skipped"], 5_000);
}

fn rejected(shop: &Shop, person: &Person) -> Vec<Value> {
    let read = shop.by(person, "GET", &shop.of_store("/rejected"));
    let read = read.send().ok();
    read.data().as_array().expect("a list").clone()
}

fn nameless(first: usize, count: usize) -> Value {
    let ids = first..first + count;
    ids.map(|id| json!({"id": id.to_string(), "url": "https://shop.example/1"}))
        .collect()
}

#[test]
fn rejected_documents_are_kept_until_they_are_accepted() {
    let shop = shop();
    let viewer = shop.member("viewer@shop.example", Role::Viewer);
    assert_eq!(rejected(&shop, &viewer), Vec::<Value>::new());
    shop.bulk("products", "es", &nameless(0, 3)).ok();
    let wrong = json!([{"name": "no id"}, {"id": "x", "name": "price", "priceInclTax": "cheap"}]);
    let sent = shop.bulk("products", "en", &wrong).ok();
    let sent = sent.data()["rejected"][1].clone();
    let kept = rejected(&shop, &viewer);
    assert_eq!(kept.len(), 5, "{kept:?}");
    let priced = kept.iter().find(|one| one["id"] == "x");
    let priced = priced.expect("the one with a wrong price");
    for part in ["code", "field", "message"] {
        assert_eq!(priced[part], sent[part], "as the feed was told");
        assert!(priced[part].is_string(), "{part}");
    }
    let first = kept.iter().find(|one| one["id"] == "0");
    let first = first.expect("the first document");
    assert_eq!(first["code"], "name_missing");
    assert_eq!(
        (&first["type"], &first["language"]),
        (&json!("products"), &json!("es"))
    );
    assert!(first["at"].is_string() && first["message"].is_string());
    assert!(
        kept.iter().any(|one| one.get("id").is_none()),
        "one without an id"
    );

    // Accepted, and deleted.
    shop.bulk("products", "es", &many(1, 1)).ok();
    let deletion = json!({"ids": ["2"]});
    let call = shop.feed("POST", "/feed/products/delete");
    call.json(&deletion).send().ok();
    let left = rejected(&shop, &viewer);
    let spanish = left.iter().filter(|one| one["language"] == "es");
    let ids: Vec<&Value> = spanish.map(|one| &one["id"]).collect();
    assert_eq!(ids, ["0"]);

    // The table is bounded: of each index the latest stay.
    shop.clock.advance_ms(MINUTE_MS);
    shop.bulk("products", "es", &nameless(100, 250)).ok();
    shop.clock.advance_ms(MINUTE_MS);
    shop.bulk("products", "es", &nameless(1_000, 5)).ok();
    let kept = rejected(&shop, &viewer);
    let spanish: Vec<&Value> = kept.iter().filter(|one| one["language"] == "es").collect();
    assert_eq!(spanish.len(), 100);
    assert_eq!(spanish[0]["id"], "1000");
    assert!(spanish.iter().all(|one| one["id"] != "0"));
    let other = shop.foreign_store();
    let path = format!("/stores/{other}/rejected");
    shop.by(&viewer, "GET", &path)
        .send()
        .error(404, "not_found");
}

/// What store, list and metrics say about the feed.
fn silence(shop: &Shop, person: &Person) -> (Value, Value, bool) {
    let detail = shop.own("GET", "").send().ok();
    let list = shop.by(person, "GET", "/stores").send().ok();
    let metrics = shop.client.call("GET", "/metrics").send().text;
    let stopped = metrics.contains("findwell_stopped_feeds 1");
    assert!(stopped || metrics.contains("findwell_stopped_feeds 0"));
    (
        detail.data()["feedStoppedSince"].clone(),
        list.data()[0]["feedStoppedSince"].clone(),
        stopped,
    )
}

#[test]
fn a_feed_that_stopped_is_named() {
    let shop = shop();
    let nothing = (Value::Null, Value::Null, false);
    // Signed in anew after each week, because sessions end.
    let viewer = |n: usize| shop.member(&format!("v{n}@shop.example"), Role::Viewer);
    for run in 0..5 {
        shop.clock.advance_ms(DAY_MS);
        let id = opened(&shop, &format!("run {run}"));
        crate::feed::calls::abort(&shop, &id).ok();
    }
    let last = shop.clock.now().to_string();
    assert_eq!(silence(&shop, &viewer(0)), nothing);
    shop.clock.advance_ms(DAY_MS + DAY_MS / 2);
    assert_eq!(silence(&shop, &viewer(1)), nothing, "less than two days");
    shop.clock.advance_ms(DAY_MS);
    let stopped = (json!(last), json!(last), true);
    assert_eq!(silence(&shop, &viewer(2)), stopped);
    opened(&shop, "back");
    assert_eq!(silence(&shop, &viewer(3)), nothing);
}

#[test]
fn a_few_runs_at_the_beginning_say_nothing() {
    let shop = Shop::open_at(TestClock::fixed(domain::Timestamp(1_763_650_000_000)));
    for run in 0..3 {
        shop.clock.advance_ms(10 * MINUTE_MS);
        let id = opened(&shop, &format!("run {run}"));
        crate::feed::calls::abort(&shop, &id).ok();
    }
    shop.clock.advance_ms(DAY_MS);
    let detail = shop.own("GET", "").send().ok();
    assert_eq!(detail.data().get("feedStoppedSince"), None);
}

#[test]
fn the_preview_has_no_origin() {
    let shop = shop();
    let viewer = shop.member("viewer@shop.example", Role::Viewer);
    let path = shop.of_store("/widget/preview-key");
    let key = shop.by(&viewer, "GET", &path).send().ok();
    assert_eq!(key.data()["key"], shop.public.as_str());
    let get = |path: &str| shop.client.call("GET", path).send();
    let page = get(&format!("/panel/preview?key={}&lang=es", shop.public)).ok_page();
    let policy = page.header("content-security-policy");
    let own = shop.client.base();
    assert!(
        policy.starts_with("sandbox allow-scripts; default-src 'none'"),
        "{policy}"
    );
    assert!(
        policy.contains(&format!("connect-src {own}/api/v1/ ")),
        "{policy}"
    );
    assert!(
        policy.ends_with(&format!("frame-ancestors {own}")),
        "{policy}"
    );
    assert!(
        !policy.contains("'self'") && !policy.contains("unsafe"),
        "{policy}"
    );
    assert_eq!(page.header("set-cookie"), "");
    assert!(page.text.contains(&format!("data-key=\"{}\"", shop.public)));
    for file in ["preview.js", "preview.css"] {
        let file = get(&format!("/panel/preview/{file}")).ok_page();
        assert_eq!(file.header("cross-origin-resource-policy"), "cross-origin");
    }
    get("/panel/preview/panel.css").error(404, "not_found");
    for query in [
        "key=%22%3E%3Cscript%3E&lang=es",
        "key=pub_x&lang=%22%3E",
        "key=pub_x",
        "lang=es",
    ] {
        let status = get(&format!("/panel/preview?{query}")).status;
        assert_eq!(status, 400, "{query}");
    }
    // Another page of the panel stays out of frames.
    let page = get("/panel/sign-in");
    assert_eq!(page.header("x-frame-options"), "DENY");
}

impl Reply {
    /// The reply, which is no JSON.
    fn ok_page(self) -> Self {
        assert_eq!(self.status, 200, "{self:?}");
        self
    }
}

/// A record of the audit trail without time, author and ids.
fn plain(record: &Value, store: &str) -> Value {
    let mut record = record.clone();
    let own = record.as_object_mut().expect("an object");
    for key in ["id", "at", "actor", "requestId", "storeId", "accountId"] {
        own.remove(key);
    }
    let text = record.to_string().replace(store, "STORE");
    serde_json::from_str(&text).expect("JSON")
}

/// Changes of all kinds, good ones and wrong ones.
fn changes() -> Vec<(&'static str, &'static str, Value)> {
    let pin = json!({"name": "Pin", "language": "es", "type": "PIN", "trigger": {"query": "a", "match": "exact"}, "actions": {"pin": ["1"]}});
    let mut bad = pin.clone();
    bad["type"] = json!("REDIRECT");
    bad["actions"] = json!({"redirect": "javascript:alert(1)"});
    vec![
        ("PUT", "/relevance", json!({"boosts": {"name": 7.5}})),
        ("PUT", "/relevance", json!({"boosts": {"none": 7.5}})),
        (
            "POST",
            "/synonyms",
            json!({"language": "es", "terms": ["sofa", "couch"]}),
        ),
        (
            "POST",
            "/synonyms",
            json!({"language": "es", "terms": ["sofa", "Sofá"]}),
        ),
        ("POST", "/rules", pin),
        ("POST", "/rules", bad),
        ("POST", "/filters", json!({"field": "price"})),
        ("PUT", "/widget", json!({"colors": {"primary": "url(x)"}})),
        ("PUT", "/widget", json!({"theme": "dark"})),
        ("PUT", "", json!({"name": "Renamed"})),
    ]
}

#[test]
fn the_panel_changes_as_rest_does() {
    let shop = shop();
    let editor = shop.member("editor@shop.example", Role::Editor);
    let owner = shop.member("owner@shop.example", Role::Owner);
    let second = shop.new_store("Shop");
    let key = shop.new_key(
        &second,
        domain::KeyKind::Configuration,
        Some(domain::Scope::Write),
    );
    let mut wrong = 0;
    for (method, path, body) in changes() {
        let by_panel = shop
            .by(&editor, method, &shop.of_store(path))
            .json(&body)
            .send();
        let rest = shop
            .api(method, &format!("/stores/{second}{path}"))
            .key(&key);
        let by_rest = rest.json(&body).send();
        assert_eq!(by_panel.status, by_rest.status, "{method} {path}");
        if by_panel.status >= 400 {
            assert_eq!(by_panel.message(), by_rest.message(), "{method} {path}");
            assert_eq!(by_panel.json["errors"], by_rest.json["errors"]);
            wrong += 1;
            if path == "/rules" {
                assert_eq!(by_panel.fields(), ["actions.redirect"]);
            }
        }
    }
    assert_eq!(wrong, 4);
    let read = |store: &str, path: &str| {
        let call = shop.by(&owner, "GET", &format!("/stores/{store}{path}"));
        call.send().ok().json
    };
    let (first, second) = (shop.store.as_str(), second.as_str());
    let trail = |store: &str| {
        let all = read(store, "/audit?limit=6");
        let all = all["data"].as_array().expect("a list").clone();
        // Ids of records are random.
        let no_id = |mut record: Value| {
            let resource = record["resource"].as_str().unwrap_or_default();
            record["resource"] = resource.split('/').next().into();
            record
        };
        let all = all.iter().map(|record| no_id(plain(record, store)));
        all.collect::<Vec<_>>()
    };
    assert_eq!(trail(first), trail(second));
    assert_eq!(trail(first)[0]["revision"], 6);
    for path in ["/relevance", "/widget"] {
        assert_eq!(
            read(first, path)["data"],
            read(second, path)["data"],
            "{path}"
        );
    }
    let number = |store: &str| read(store, "/revisions")["meta"]["total"].clone();
    assert_eq!(number(first), number(second));
}
