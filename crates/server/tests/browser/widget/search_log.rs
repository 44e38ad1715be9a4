//! What the search log says of a shopper's search.
//!
//! 1. Twenty keys, a pause and a click are one search and one click with a rate of 1, and stay so when the server is
//!    killed.

use crate::Case;
use crate::gate::Gate;
use crate::harness::{Binary, Client, SeededStore, eventually, findwell};
use crate::site::{Page, Site};
use crate::stage::{Stage, page, theme};
use serde_json::{Value, json};

pub const CASES: &[Case] = &[("search_log::one_search", one_search)];

const TYPED: &str = "bota de montana alta";

fn summary(client: &Client, store: &str, key: &str) -> Value {
    let path = format!("/api/v1/stores/{store}/analytics/summary");
    client.call("GET", path).key(key).send().ok().data().clone()
}

fn one_search(stage: &mut Stage) {
    assert_eq!(TYPED.chars().count(), 20);
    let tab = &stage.tab;
    let seeded = SeededStore::empty();
    let line =
        json!({"id": "1", "name": "Bota de montana alta", "url": "https://shop.example/p/1"});
    assert_eq!(
        seeded.import_lines("products", &format!("{line}\n")).status,
        0
    );
    let of = ["key", "create", "--store", &seeded.store];
    let kind = ["--kind", "configuration", "--scope", "config:read"];
    let made = findwell(seeded.path(), &[of, kind].concat());
    let reader = made.line();
    let server = Binary::serve(seeded.path());
    let site = Site::open();
    let gate = Gate::before(server.client.clone());
    gate.replace("https://shop.example", site.base());
    let line = format!(
        "<script src=\"{}/api/v1/widget/loader.js\" data-key=\"{}\" async></script>",
        gate.base(),
        seeded.key
    );
    let html = page(&theme("/find"), &line);
    site.page("/", Page { html, policy: None });
    eventually("the product is searchable", || {
        seeded.total(&server.client, "bota") == 1
    });
    let before = summary(&server.client, &seeded.store, reader);
    tab.go(&format!("{}/", site.base()));
    tab.click("find('input[name=s]')");
    tab.until("find('input[name=s]').getAttribute('aria-haspopup') === 'dialog'");
    tab.keys(TYPED);
    tab.until(&format!(
        "layer() && text('.fw-title').includes('{TYPED}') && named('.fw-card').length === 1 && !find('.fw-view[aria-busy]')"
    ));
    tab.click("find('.fw-card a')");
    tab.until("location.pathname === '/p/1'");
    let of = |all: &Value| {
        let more =
            |name: &str| all[name].as_i64().unwrap_or(0) - before[name].as_i64().unwrap_or(0);
        (more("searches"), more("clicks"))
    };
    eventually("the click is counted", || {
        of(&summary(&server.client, &seeded.store, reader)).1 == 1
    });
    server.kill();
    let server = Binary::serve(seeded.path());
    let after = summary(&server.client, &seeded.store, reader);
    assert_eq!(of(&after), (1, 1), "{after}");
    assert_eq!(after["clickThroughRate"], 1.0, "{after}");
}
