//! 1. An owner who gave the password deletes a store by its exact name; nobody else does.
//! 2. Keys, search, feed, files and pages of the store end at once, other stores go on.
//! 3. For seven days the command opens it again with all that it had.
//! 4. Then it is removed in portions; work that was cut off is resumed, and the audit trail stays with its changes.

use super::{MINUTE_MS, Person, shop};
use crate::feed::calls::{many, until_count};
use crate::harness::{Reply, Shop};
use domain::{Role, StoreId};
use operations::jobs::closed_stores;
use serde_json::{Value, json};
use server::admin::{AdminRequest, ClosedStoreRequest};
use std::path::PathBuf;
use std::time::Duration;

const DAY_MS: i64 = 86_400_000;

fn delete(shop: &Shop, person: &Person, name: &str) -> Reply {
    let call = shop.by(person, "POST", &shop.of_store("/delete"));
    call.json(&json!({ "name": name })).send()
}

/// Name of the store, as the owner sees it.
fn name(shop: &Shop, person: &Person) -> String {
    let read = shop.by(person, "GET", &shop.of_store("")).send().ok();
    read.data()["name"].as_str().expect("a name").to_owned()
}

/// Everything that must end: the status of search, feed, configuration and page calls.
fn ends(shop: &Shop, ana: &Person) -> [u16; 4] {
    let found = shop.search(&json!({"lang": "es"}));
    let fed = shop.feed("GET", "/feed/connect").send();
    let configured = shop.own("GET", "/relevance").send();
    let read = shop.by(ana, "GET", &shop.of_store("/revisions")).send();
    [found.status, fed.status, configured.status, read.status]
}

fn operations(shop: &Shop, ana: &Person) -> Vec<Value> {
    let path = shop.of_account("/audit?limit=200&text=store");
    let audit = shop.by(ana, "GET", &path).send().ok();
    audit.data().as_array().expect("a list").clone()
}

#[test]
fn a_deleted_store_ends_at_once_and_can_be_reopened() {
    let shop = shop();
    let editor = shop.member("editor@shop.example", Role::Editor);
    let ana = shop.member("ana@shop.example", Role::Owner);
    let second = shop.new_store("Second");
    shop.bulk("products", "es", &many(0, 5)).ok();
    until_count(&shop, 5);
    let own = name(&shop, &ana);
    delete(&shop, &editor, &own).error(403, "role_missing");
    for wrong in ["", "x", &own.to_uppercase(), &format!("{own} ")] {
        let failed = delete(&shop, &ana, wrong).error(400, "invalid_request");
        assert_eq!(failed.fields(), ["name"], "{wrong}");
    }
    shop.clock.advance_ms(11 * MINUTE_MS);
    delete(&shop, &ana, &own).error(403, "password_needed");
    let ana = Person::of(&shop.sign_in(&ana.email, super::PASSWORD).ok());
    assert_eq!(ends(&shop, &ana), [200, 200, 200, 200]);
    let closed = delete(&shop, &ana, &own).ok();
    let until = shop.clock.now().plus_hours(7 * 24).to_string();
    assert_eq!(closed.data()["removedFrom"], until.as_str());
    assert_eq!(ends(&shop, &ana), [401, 401, 401, 404]);
    delete(&shop, &ana, &own).error(404, "not_found");
    let stores = shop.by(&ana, "GET", "/stores").send().ok();
    assert_eq!(stores.json["meta"]["total"], 1);
    assert_eq!(stores.data()[0]["id"], second.as_str());
    assert_eq!(operations(&shop, &ana)[0]["operation"], "remove_store");

    shop.clock.advance_ms(7 * DAY_MS - 1);
    let job = closed_stores::run(shop.running().service());
    assert_eq!(shop.block_on(job).expect("runs").rows, 0);
    let listed = shop.admin(AdminRequest::ClosedStores(ClosedStoreRequest::List));
    assert_eq!(listed[0]["id"], shop.store.as_str());
    let store = shop.store.clone();
    let reopen = ClosedStoreRequest::Reopen { store };
    shop.admin(AdminRequest::ClosedStores(reopen));
    let ana = Person::of(&shop.sign_in(&ana.email, super::PASSWORD).ok());
    assert_eq!(ends(&shop, &ana), [200, 200, 200, 200]);
    until_count(&shop, 5);
    assert_eq!(
        shop.admin(AdminRequest::ClosedStores(ClosedStoreRequest::List)),
        json!([])
    );
    assert_eq!(operations(&shop, &ana)[0]["operation"], "reopen_store");
}

/// Fills tables of the store, so that there is something to remove in each.
fn fill(shop: &Shop, ana: &Person) {
    for first in (0..1_500).step_by(500) {
        shop.bulk("products", "es", &many(first, 500)).ok();
    }
    for weight in 7..12 {
        let body = json!({"boosts": {"name": weight}});
        shop.own("PUT", "/relevance").json(&body).send().ok();
    }
    let put = |path: &str, body: Value| {
        shop.by(ana, "PUT", &shop.of_store(path))
            .json(&body)
            .send()
            .ok();
    };
    put("/widget/custom", json!({"customCSS": "a{}"}));
    put("/widget", json!({"theme": "dark"}));
    put("/hidden-queries", json!({"queries": ["rude"]}));
    put(
        "/watched",
        json!({"queries": [{"q": "tent", "lang": "es"}]}),
    );
    let group = json!({"language": "es", "terms": ["tent", "tarp"]});
    let made = shop.by(ana, "POST", &shop.of_store("/synonyms"));
    made.json(&group).send().ok();
    crate::feed::calls::opened(shop, "left open");
}

/// The folders of the indexes that exist.
fn index_folders(shop: &Shop) -> Vec<PathBuf> {
    let folder = shop.dir().join("indexes");
    let entries = std::fs::read_dir(folder).expect("a folder");
    entries
        .map(|entry| entry.expect("an entry").path())
        .collect()
}

#[test]
fn a_store_is_removed_in_portions() {
    let shop = shop();
    let ana = shop.member("ana@shop.example", Role::Owner);
    let second: StoreId = shop.new_store("Second");
    fill(&shop, &ana);
    let own = name(&shop, &ana);
    let service = shop.running().service();
    let waited = service.wait_until_searchable(&shop.store, Duration::from_secs(60));
    assert!(shop.block_on(waited).expect("waits"));
    let indexes = index_folders(&shop);
    assert!(!indexes.is_empty());
    delete(&shop, &ana, &own).ok();
    shop.clock.advance_ms(7 * DAY_MS);
    // Some portions only, as if the server had ended then.
    let begun = shop.block_on(closed_stores::begin(service, &shop.store));
    assert!(begun.expect("begins"));
    let mut rows = 0;
    for _ in 0..3 {
        let portion = shop.block_on(closed_stores::portion(service, &shop.store));
        rows += portion.expect("removes");
    }
    assert!(rows > 0);
    let operator = domain::Caller::operator();
    let reopened = operations::stores::reopen(service, &operator, &shop.store);
    assert!(shop.block_on(reopened).is_err(), "its removal has begun");
    let ana = Person::of(&shop.sign_in(&ana.email, super::PASSWORD).ok());
    let listed = shop.by(&ana, "GET", &shop.of_account("/closed-stores"));
    let listed = listed.send().ok();
    let percent = listed.data()[0]["removedPercent"].as_u64();
    assert!(
        percent.is_some_and(|percent| (1..100).contains(&percent)),
        "{listed:?}"
    );
    // The job resumes it, whatever the clock says.
    shop.clock.advance_ms(-7 * DAY_MS);
    let job = shop.block_on(closed_stores::run(service)).expect("runs");
    assert!(job.rows > 1_000, "{}", job.rows);
    assert_eq!(
        shop.admin(AdminRequest::ClosedStores(ClosedStoreRequest::List)),
        json!([])
    );
    assert!(indexes.iter().all(|folder| !folder.exists()));
    let again = shop.block_on(closed_stores::run(service)).expect("runs");
    assert_eq!(again.rows, 0);

    assert_eq!(ends(&shop, &ana)[..3], [401, 401, 401]);
    let other = format!("/stores/{second}");
    shop.by(&ana, "GET", &other).send().ok();
    let path = shop.of_account("/audit?operation=update_relevance");
    let kept = shop.by(&ana, "GET", &path).send().ok();
    let kept = kept.data().as_array().expect("a list").clone();
    assert_eq!(kept.len(), 5);
    assert_eq!(kept[0]["storeId"], shop.store.as_str());
    assert_eq!(kept[0]["changes"][0]["path"], "boosts.name");
    assert_eq!(kept[0]["changes"][0]["after"], 11.0);
}
