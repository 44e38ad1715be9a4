//! 1. A viewer reads the audit trail of the store, an owner that of the account; each record names the account.
//! 2. Every filter selects, `text` without regard to case and to the meaning of `%`; pages do not overlap.
//! 3. The download has all records of the filter, one per line, also those whose changes a page leaves out.
//! 4. Nobody sees records of other accounts.

use super::{Person, shop};
use crate::harness::{Reply, Shop};
use domain::Role;
use serde_json::{Value, json};

fn read(shop: &Shop, person: &Person, path: &str) -> Reply {
    shop.by(person, "GET", path).send()
}

fn operations(reply: &Reply) -> Vec<&str> {
    let records = reply.data().as_array().expect("a list").iter();
    let names = records.map(|record| record["operation"].as_str().expect("text"));
    names.collect()
}

#[test]
fn each_role_reads_what_it_may() {
    let shop = shop();
    let viewer = shop.member("viewer@shop.example", Role::Viewer);
    let ana = shop.member("ana@shop.example", Role::Owner);
    let body = json!({"boosts": {"name": 9}});
    shop.by(&ana, "PUT", &shop.of_store("/relevance"))
        .json(&body)
        .send()
        .ok();
    let of_store = read(&shop, &viewer, &shop.of_store("/audit")).ok();
    let latest = &of_store.data()[0];
    assert_eq!(latest["operation"], "update_relevance");
    assert_eq!(latest["accountId"], shop.account.as_str());
    assert_eq!(latest["changes"][0]["path"], "boosts.name");
    let text = of_store.text;
    assert!(
        !text.contains("use_link"),
        "joining concerns no store: {text}"
    );

    read(&shop, &viewer, &shop.of_account("/audit")).error(403, "role_missing");
    let theirs = shop.foreign_store();
    let all = read(&shop, &ana, &shop.of_account("/audit?limit=200")).ok();
    let records = all.data().as_array().expect("a list");
    assert!(operations(&all).contains(&"update_relevance"));
    assert!(operations(&all).contains(&"create_store"));
    assert!(
        records
            .iter()
            .all(|one| one["accountId"] == shop.account.as_str())
    );
    assert!(!all.text.contains(theirs.as_str()));
    read(&shop, &ana, &format!("/stores/{theirs}/audit")).error(404, "not_found");
    for (query, field) in [
        ("limit=201", "query.limit"),
        ("x=1", "query.x"),
        ("since=yesterday", "query.since"),
    ] {
        let wrong = read(&shop, &ana, &shop.of_store(&format!("/audit?{query}")));
        assert_eq!(wrong.error(400, "invalid_request").fields(), [field]);
    }
}

#[test]
fn filters_select_and_pages_do_not_overlap() {
    let shop = shop();
    let ana = shop.member("ana@shop.example", Role::Owner);
    let start = shop.clock.now();
    for name in ["100% Boots", "Sandals"] {
        shop.clock.advance_ms(60_000);
        let saved = shop.by(&ana, "PUT", &shop.of_store(""));
        saved.json(&json!({ "name": name })).send().ok();
        let boost =
            json!([{"mode": "term", "field": "categories", "value": "Verano", "weight": 3}]);
        let trigger = json!({"query": "botas", "match": "contains"});
        let rule = json!({
            "name": name, "language": "es", "type": "BOOST", "trigger": trigger, "actions": {"boost": boost}
        });
        shop.own("POST", "/rules").json(&rule).send().ok();
    }
    let base = shop.of_account("/audit");
    let found = |query: &str| read(&shop, &ana, &format!("{base}?{query}")).ok();
    let total = |query: &str| {
        found(query).json["meta"]["total"]
            .as_u64()
            .expect("a number")
    };
    assert_eq!(total("operation=update_store"), 2);
    assert_eq!(total("resource=rules"), 2);
    assert_eq!(total("resource=rule"), 0);
    assert_eq!(total(&format!("user={}&operation=update_store", ana.id)), 2);
    assert_eq!(total(&format!("user={}&resource=rules", ana.id)), 0);
    assert_eq!(total("text=ANA&resource=store&operation=update_store"), 2);
    assert_eq!(
        total("text=100%25&resource=rules"),
        total("text=100%25%20boots&resource=rules")
    );
    assert_eq!(total("text=1%25s&resource=rules"), 0);
    let rules = found("resource=rules");
    let key = rules.data()[0]["actor"]["keyId"].as_str().expect("a key");
    assert_eq!(total(&format!("key={key}")), 2);
    let until = start.0 + 90_000;
    let until = domain::Timestamp(until);
    assert_eq!(total(&format!("resource=rules&until={until}")), 1);
    assert_eq!(total(&format!("resource=rules&since={until}")), 1);

    let mut ids = Vec::new();
    let all = total("");
    for page in 1..=all.div_ceil(2) {
        let reply = found(&format!("limit=2&page={page}"));
        let records = reply.data().as_array().expect("a list");
        ids.extend(records.iter().map(|one| one["id"].as_i64().expect("an id")));
    }
    assert_eq!(ids.len() as u64, all);
    assert!(ids.windows(2).all(|pair| pair[0] > pair[1]), "newest first");
}

#[test]
fn the_download_has_everything() {
    let shop = shop();
    let ana = shop.member("ana@shop.example", Role::Owner);
    let path = shop.of_store("/widget/custom");
    for at in 0..120 {
        let code = format!("/* {at} */");
        let body = json!({ "customCSS": code });
        shop.by(&ana, "PUT", &path).json(&body).send().ok();
        shop.clock.advance_ms(1_000);
    }
    let long = |at: usize| format!("{at:03}{}", "😀".repeat(97));
    let body = json!({ "queries": (0..200).map(long).collect::<Vec<_>>() });
    shop.by(&ana, "PUT", &shop.of_store("/hidden-queries"))
        .json(&body)
        .send()
        .ok();
    let lines = |path: &str| {
        let call = shop.by(&ana, "GET", path);
        let reply = call.header("Accept", "application/x-ndjson").send();
        assert_eq!(reply.status, 200, "{reply:?}");
        assert_eq!(reply.header("content-type"), "application/x-ndjson");
        let lines: Vec<Value> = reply
            .text
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        lines
    };
    let all = lines(&shop.of_store("/audit"));
    let page = read(&shop, &ana, &shop.of_store("/audit")).ok();
    assert_eq!(page.json["meta"]["total"], all.len());
    assert!(all.len() > 120, "{}", all.len());
    assert_eq!(all[0]["id"], page.data()[0]["id"]);
    assert_eq!(page.data()[0]["changesLeftOut"], true);
    assert_eq!(page.data()[0]["changes"], json!([]));
    assert_eq!(all[0]["changes"][0]["after"], body["queries"]);
    let code = lines(&shop.of_store("/audit?operation=set_custom_code"));
    assert_eq!(code.len(), 120);
    assert!(code.iter().all(|one| {
        one["changes"]
            .as_array()
            .is_some_and(|list| !list.is_empty())
    }));
    assert_eq!(lines(&shop.of_store("/audit?operation=none")).len(), 0);
    let account = lines(&shop.of_account("/audit"));
    assert!(account.len() > all.len());
}
